"""When a hand is over it opens, to each as far as S-VIEW-1 goes, and what others were offered or declined never does.

Twins again: until something opens to a viewer both worlds answer alike, and afterwards they must not.
"""

from __future__ import annotations

import re
from copy import deepcopy
from typing import NamedTuple

import pytest

from replays.audit import audit
from schema.paipu import load
from schema.ports import Viewer
from service.embedded import Server
from service.store.owners import publish
from tests.leaks.compare import assert_alike, assert_told_apart, leaks
from tests.leaks.probes import probes, sample
from tests.leaks.twins import (
    Log,
    bare,
    end_of,
    held_places,
    hushed,
    mispassed,
    of_hand,
    reordered,
    retimed,
    simulated,
    whispered,
)
from tests.leaks.worlds import OWNER, STAFF, STRANGERS, World, seat_viewer, worlds

SEAT = 1
KEEP = frozenset({SEAT})
GAMES = (
    ("xiamen", 1, 4),
    pytest.param(("longyan", 2, 4), marks=pytest.mark.slow),
    pytest.param(("longyan", 2, 2), marks=pytest.mark.slow),
)


def _game(game: tuple[str, int, int]) -> str:
    return "-".join(map(str, game))


class Ends(NamedTuple):
    """How many events there are when a first hand is over, settled, opened (or not), ended, and in the next hand."""

    over: int
    ended: int
    next_hand: int

    @classmethod
    def of(cls, log: Log) -> Ends:
        last = of_hand(log, 1)[-1]["seq"]
        return cls(end_of(log, 1) + 1, last + 1, last + 12)


def _clean(*logs: Log) -> tuple[Log, ...]:
    """The logs, which must have no findings: only what is hidden may differ."""
    for log in logs:
        assert not audit(load(one) for one in log).findings
    return logs


def _feed(one: World, other: World, events: int) -> None:
    for world in (one, other):
        world.feed(events)


def _alike(one: World, other: World, watchers: dict[str, Viewer], turn: int = 0) -> None:
    over = end_of(one.log, 1)
    asked = sample(one.scene(5, over - 2, over), turn, 12)
    for who, viewer in watchers.items():
        assert_alike(one, other, who, viewer, asked)


def _apart(one: World, other: World, *viewers: Viewer) -> None:
    for viewer in viewers:
        assert_told_apart(one, other, viewer, probes(one.scene(5, end_of(one.log, 1))))


@pytest.mark.parametrize("game", GAMES, ids=_game)
def test_a_revealed_wall_opens_the_hand_to_its_players(
    postgres: Server, migrated_template: str, game: tuple[str, int, int]
) -> None:
    log = bare(simulated(*game))
    own, auditor, public = seat_viewer(log, SEAT), STAFF["auditor"], STRANGERS["public"]
    with worlds(postgres, migrated_template, *_clean(log, reordered(log, 1, KEEP))) as (one, other):
        ends = Ends.of(log)
        for turn, events in enumerate((ends.over, ends.over + 1)):
            _feed(one, other, events)
            _alike(one, other, {"own seat": own, "auditor": auditor, "public": public}, turn)
        _feed(one, other, ends.over + 2)
        assert log[ends.over + 1]["type"] == "wall_revealed"
        _apart(one, other, OWNER, own, auditor)
        _feed(one, other, len(log))
        _apart(one, other, own, auditor)
        _alike(one, other, {**STRANGERS})
        for world in (one, other):
            publish(world.store, world.game, "admin-1")
        _apart(one, other, *STRANGERS.values())


@pytest.mark.parametrize("game", GAMES[:2], ids=_game)
def test_a_wall_that_is_never_revealed_opens_nothing_to_players(
    postgres: Server, migrated_template: str, game: tuple[str, int, int]
) -> None:
    log = bare(simulated(*game), wall=False)
    own, staff = seat_viewer(log, SEAT), STAFF["clerk"]
    revealed = reordered(bare(simulated(*game)), 1, KEEP)
    with worlds(postgres, migrated_template, *_clean(log, bare(revealed, wall=False))) as (one, other):
        ends = Ends.of(log)
        _feed(one, other, ends.ended - 1)
        _alike(one, other, {"own seat": own, "clerk": staff})
        for turn, events in enumerate((ends.ended, ends.next_hand, len(log))):
            _feed(one, other, events)
            _alike(one, other, {"own seat": own, "stranger": STRANGERS["foreign player"]}, turn)
            _apart(one, other, OWNER, staff)


@pytest.mark.parametrize("game", GAMES[:2], ids=_game)
@pytest.mark.parametrize("make", [hushed, mispassed])
def test_what_others_were_offered_or_declined_never_opens_to_players(
    postgres: Server, migrated_template: str, game: tuple[str, int, int], make: type
) -> None:
    log = simulated(*game)
    own = seat_viewer(log, SEAT)
    with worlds(postgres, migrated_template, make(log, KEEP, 0), make(log, KEEP, 1)) as (one, other):
        ends = Ends.of(log)
        for turn, events in enumerate((ends.over, ends.ended, ends.next_hand, len(log))):
            _feed(one, other, events)
            _alike(one, other, {"own seat": own}, turn)
            _apart(one, other, OWNER)
        _apart(one, other, STAFF["auditor"])


def test_how_long_others_thought_never_opens_to_players(postgres: Server, migrated_template: str) -> None:
    log = simulated("xiamen", 1, 4)
    twin = retimed(log, 1, KEEP)
    (first, *_, last) = [step for step, (one, other) in enumerate(zip(log, twin, strict=True)) if one != other]
    with worlds(postgres, migrated_template, log, twin) as (one, other):
        _feed(one, other, len(log))
        asked = [probe for probe in probes(one.scene(first, last)) if probe.field != "audit"]
        assert_told_apart(one, other, OWNER, asked)
        assert_alike(one, other, "own seat", seat_viewer(log, SEAT), asked)


def test_hashes_do_not_tell_what_others_declined(postgres: Server, migrated_template: str) -> None:
    """Once the wall is revealed a player gets the hashes of tables, which are over what was declined too."""
    log = simulated("xiamen", 1, 4)
    twin = whispered(log, 1, KEEP)
    passes = [one["seq"] for one in of_hand(log, 1) if one["type"] == "passed" and one["seat"] != SEAT]
    with worlds(postgres, migrated_template, log, twin) as (one, other):
        _feed(one, other, len(log))
        asked = [probe for probe in probes(one.scene(*passes)) if probe.field in ("stateAt", "legalActs")]
        assert_told_apart(one, other, OWNER, asked)
        assert_alike(one, other, "own seat", seat_viewer(log, SEAT), asked)


def test_a_hand_that_is_voided_opens_to_staff_only(postgres: Server, migrated_template: str) -> None:
    """The platform cancels a hand in its middle: its wall stays closed, so it never opens to players."""
    log = bare(simulated("xiamen", 1, 4))
    middle = of_hand(log, 1)[40]["seq"]
    voided = {"seq": middle, "type": "voided", "at": log[middle]["at"], "hand": 1, "reason": "power cut"}
    over = {"seq": middle + 1, "type": "game_ended", "at": log[middle]["at"], "scores": [0] * 4, "reason": "voided"}
    twins = [[*one, voided, over] for one in (log[:middle], reordered(log[:middle], 1, KEEP))]
    with worlds(postgres, migrated_template, *twins) as (one, other):
        opens = [step for step in range(middle) if twins[0][step] != twins[1][step]]
        asked = []
        for events in (middle, middle + 2):
            _feed(one, other, events)
            asked = sample(one.scene(5, middle - 1), events, 12)
            for who, viewer in STRANGERS.items():
                assert_alike(one, other, who, viewer, asked)
        assert_told_apart(one, other, STAFF["auditor"], probes(one.scene(opens[0])))
        before = [probe for probe in asked if probe.field in ("events", "node", "audit", "findings", "hand")]
        assert_alike(one, other, "own seat", seat_viewer(one.log, SEAT), before)


LANGUAGES = """query($game: String!) { audit(game: $game) { ... on Audit { findings {
  seq clause recorded en: message hans: message(lang: ZH_HANS) hant: message(lang: ZH_HANT)
} } } }"""


def test_findings_on_what_others_declined_are_worded_without_it(postgres: Server, migrated_template: str) -> None:
    log = mispassed(simulated("xiamen", 1, 4), KEEP, 0)
    declined = {one["seq"] for one in log if one["type"] == "passed" and one["seat"] != SEAT}
    with worlds(postgres, migrated_template, log) as (world,):
        world.feed(len(log))
        for viewer in (seat_viewer(log, SEAT), OWNER):
            answer = world.ask(viewer, LANGUAGES, {"game": world.game})
            assert not answer["errors"]
            found = [one for one in answer["data"]["audit"]["findings"] if one["seq"] in declined]
            assert found
            assert all(one["en"] and one["hans"] and one["hant"] for one in found)
            assert all(bool(one["recorded"]) == (viewer is OWNER) for one in found)


def _one_copy_too_many(log: Log) -> tuple[Log, Log]:
    """A seat gets a tile that there is not, by one of two draws; in the end its hand is the same, so that only which
    draw it was is hidden. No wall is revealed."""
    got = held_places(log, 1)
    draws = [place for place in got if place.seat != SEAT and log[place.seq]["type"] == "drew"]
    first, second = next((a, b) for a in draws for b in draws if a.seat == b.seat and a.seq < b.seq)
    kept = log[second.seq]["tile"]
    for tile in (f"{number}{suit}" for suit in "mps" for number in range(1, 10)):
        one, other = deepcopy(log), deepcopy(log)
        one[first.seq]["tile"], one[second.seq]["tile"] = tile, kept
        other[first.seq]["tile"], other[second.seq]["tile"] = kept, tile
        findings = [audit(load(event) for event in twin).findings for twin in (one, other)]
        if all(findings) and findings[0] != findings[1]:
            return one, other
    raise AssertionError("no tile makes a finding")


def test_findings_do_not_tell_what_others_drew_from_a_wall_that_stays_closed(
    postgres: Server, migrated_template: str
) -> None:
    """Where a fault was is told once the hand is over, and not which tile it was."""
    twins = [bare(twin, wall=False) for twin in _one_copy_too_many(bare(simulated("xiamen", 1, 4)))]
    with worlds(postgres, migrated_template, *twins) as (one, other):
        _feed(one, other, len(twins[0]))
        asked = [probe for probe in probes(one.scene(5)) if probe.field in ("audit", "findings", "game", "games")]
        assert_told_apart(one, other, OWNER, asked)
        told = leaks(one, other, seat_viewer(one.log, SEAT), asked)
        assert [line for line in told if not re.search(r"findings\S*\.seq: \d+ / \d+$", line)] == []
