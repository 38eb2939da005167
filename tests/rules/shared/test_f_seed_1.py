"""F-SEED-1: every seat that committed a secret opens it before the deal, it opens its own commitment, and no two
commitments are equal; a seat that does not open voids the hand and is never treated as zero."""

from __future__ import annotations

from typing import Any

import pytest

from replays.audit import Auditor
from replays.events import ClientSeed, Voided
from tests.rules.builders import altered, audited, findings, seq_of, without
from tests.rules.shared.fair import SECRETS, commitments, derived, opened, played

TWO = {0: SECRETS[0], 2: SECRETS[2]}


def fair(secrets: dict[int, bytes] | None = None) -> Any:
    secrets = dict(SECRETS) if secrets is None else secrets
    return played(derived(secrets), secrets=secrets)


@pytest.mark.parametrize("secrets", [dict(SECRETS), TWO], ids=["four-seats", "two-seats"])
def test_a_right_log_reaches_level_two(secrets: dict[int, bytes]) -> None:
    report = fair(secrets).audit()
    assert (report.findings, report.fairness_level, report.hands_proven) == ((), 2, 1)


def test_seeds_noted_afterwards_reach_level_one() -> None:
    both = tuple(ClientSeed(one.seat, one.commitment, SECRETS[one.seat].hex()) for one in commitments(dict(SECRETS)))
    report = played(derived(SECRETS), client_seeds=both).audit()
    assert (report.findings, report.fairness_level, report.hands_proven) == ((), 1, 1)


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize(
    "seed",
    [pytest.param("ff" * 32, id="another"), pytest.param("ff" * 31, id="short"), pytest.param("", id="empty")],
)
def test_a_seed_that_does_not_open(seat: int, seed: str) -> None:
    events = fair().events
    seq = seq_of(events, "seeds_opened")
    seeds = tuple(one._replace(seed=seed) if one.seat == seat else one for one in opened(SECRETS))
    report = audited(altered(events, seq, client_seeds=seeds))
    assert report[0] == (seq, "F-SEED-1", "seed_does_not_open")


def test_seeds_of_two_seats_exchanged() -> None:
    events = fair().events
    seq = seq_of(events, "seeds_opened")
    first, second, *rest = opened(SECRETS)
    seeds = (first._replace(seed=second.seed), second._replace(seed=first.seed), *rest)
    found = audited(altered(events, seq, client_seeds=seeds))
    assert found[:2] == [(seq, "F-SEED-1", "seed_does_not_open")] * 2


def test_a_seed_in_the_start_that_does_not_open() -> None:
    both = [ClientSeed(one.seat, one.commitment, SECRETS[one.seat].hex()) for one in commitments(dict(SECRETS))]
    both[3] = both[3]._replace(seed="ff" * 32)
    game = played(derived({**SECRETS, 3: b"\xff" * 32}), client_seeds=tuple(both))
    assert audited(game.events) == [(1, "F-SEED-1", "seed_does_not_open")]


@pytest.mark.parametrize(("seats", "is_found"), [((0, 1), True), ((1, 3), True), ((), False)])
def test_equal_commitments(seats: tuple[int, ...], is_found: bool) -> None:
    seeds = list(commitments(SECRETS))
    if seats:
        seeds[seats[1]] = seeds[seats[1]]._replace(commitment=seeds[seats[0]].commitment)
    events = fair().events[:2]
    found = audited(altered(events, 1, client_seeds=tuple(seeds)))
    assert found == [(1, "F-SEED-1", "equal_commitments")] * is_found


@pytest.mark.parametrize(
    ("seats", "found"),
    [
        pytest.param((0, 2), [], id="all"),
        pytest.param((0,), [(2, "not_opened")], id="one-missing"),
        pytest.param((), [(0, "not_opened"), (2, "not_opened")], id="none"),
        pytest.param((0, 1, 2), [(1, "not_committed")], id="one-too-many"),
    ],
)
def test_every_seat_that_committed_opens(seats: tuple[int, ...], found: list[tuple[int, str]]) -> None:
    events = fair(TWO).events
    seq = seq_of(events, "seeds_opened")
    auditor = Auditor(events[0])
    auditor.feed(events[1])
    seeds = opened({seat: SECRETS[seat] for seat in seats})
    judged = findings(auditor.table, "seeds_opened", client_seeds=seeds)
    assert [(one.seat, one.clause, one.code) for one in judged] == [(seat, "F-SEED-1", code) for seat, code in found]
    assert seq == 2


def test_a_secret_that_is_never_opened_is_not_zero() -> None:
    """The seats committed, nobody opened, and the server shuffled without them."""
    game = played(derived(), client_seeds=commitments(SECRETS))
    assert "F-SEED-1" in {found[1] for found in audited(game.events)}


def test_one_secret_that_is_never_opened() -> None:
    """Three seats' seeds are noted, the fourth is left out of the shuffle."""
    three = {seat: SECRETS[seat] for seat in (0, 1, 2)}
    seeds = tuple(
        one._replace(seed=SECRETS[one.seat].hex() if one.seat in three else None) for one in commitments(SECRETS)
    )
    game = played(derived(three), client_seeds=seeds)
    assert "F-SEED-1" in {found[1] for found in audited(game.events)}


def test_a_hand_voided_for_want_of_a_seed_is_no_fault() -> None:
    events = fair().events
    log = [*events[:2]]
    log.append(Voided(2, events[1].at, 1, "a seat did not open its seed"))
    assert audited(log) == []


def test_seeds_are_opened_before_the_deal() -> None:
    events = fair().events
    opening = events[seq_of(events, "seeds_opened")]
    log = without(events, opening.seq)
    place = seq_of(log, "dealt", -1) + 1
    late = [*log[:place], opening._replace(at=log[place].at), *log[place:]]
    found = audited([event._replace(seq=seq) for seq, event in enumerate(late)])
    assert (place, "G-ORDER-1", "out_of_phase") in found
