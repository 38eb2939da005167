"""F-COMMIT-1: a hand's commitment opens with what is revealed, and is in the game's root where there is one."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from replays import shuffle
from replays.events import HandCommitment
from tests.rules.builders import Game, altered, audited, chosen_wall, findings, seq_of
from tests.rules.shared.fair import GAME, SERVER_SEED, derived, played, rooted

OTHER = bytes(reversed(SERVER_SEED))


def test_a_right_log_is_proven() -> None:
    report = played(derived()).audit()
    assert report.findings == ()
    assert (report.fairness_level, report.hands_proven, report.unproven) == (1, 1, ("passes",))


@pytest.mark.parametrize(
    ("members", "code"),
    [
        pytest.param({"server_seed": OTHER.hex()}, "does_not_open", id="another-seed"),
        pytest.param({"server_seed": SERVER_SEED.hex()[:-2]}, "does_not_open", id="a-byte-short"),
        pytest.param({"server_seed": SERVER_SEED.hex() + "00"}, "does_not_open", id="a-byte-long"),
        pytest.param({"server_seed": None}, "not_opened", id="no-seed"),
        pytest.param({"server_seed": "xyz"}, "not_opened", id="no-hex"),
        pytest.param({"server_seed": None, "salt": SERVER_SEED.hex()}, "not_opened", id="in-the-wrong-member"),
    ],
)
def test_what_does_not_open(members: dict[str, Any], code: str) -> None:
    events = played(derived()).events
    seq = seq_of(events, "wall_revealed")
    assert audited(altered(events, seq, **members)) == [(seq, "F-COMMIT-1", code)]


@pytest.mark.parametrize(
    "commitment", ["00" * 32, shuffle.commitment(2, SERVER_SEED).hex()], ids=["zero", "other-hand"]
)
def test_another_commitment(commitment: str) -> None:
    events = played(derived()).events
    log = altered(events, 1, commitment=HandCommitment(shuffle.SCHEME, commitment))
    assert audited(log) == [(seq_of(events, "wall_revealed"), "F-COMMIT-1", "does_not_open")]


def test_an_unknown_scheme() -> None:
    events = played(derived()).events
    log = altered(events, 1, commitment=HandCommitment("md5/1", "00" * 32))
    assert ("F-COMMIT-1", "unknown_scheme") in [found[1:] for found in audited(log)]


@pytest.mark.parametrize("commitment", [None, HandCommitment("none", "")])
def test_no_commitment_is_no_fault(commitment: HandCommitment | None) -> None:
    game = played(derived(), commitment=commitment)
    report = game.audit()
    assert (report.findings, report.fairness_level, report.hands_proven) == ((), 0, 0)
    assert "shuffle" in report.unproven


@pytest.mark.parametrize(("tampered", "expected"), [(False, []), (True, [("F-COMMIT-1", "does_not_open")])])
def test_a_hashed_wall(tampered: bool, expected: list[tuple[str, str]]) -> None:
    wall, salt = chosen_wall(), bytes(16)
    committed = shuffle.wall_hash(salt, wall).hex()
    if tampered:
        committed = sha256(committed.encode()).hexdigest()
    game = Game().open(wall, commitment=HandCommitment(shuffle.WALL_HASH, committed)).play_out().exhaust().settle()
    game.reveal(salt=salt.hex()).end_hand()
    assert [found[1:] for found in audited(game.events)] == expected
    assert game.audit().hands_proven == (not tampered)


def test_a_hashed_wall_without_its_salt() -> None:
    wall = chosen_wall()
    commitment = HandCommitment(shuffle.WALL_HASH, shuffle.wall_hash(bytes(16), wall).hex())
    game = Game().open(wall, commitment=commitment).play_out().exhaust().settle().reveal().end_hand()
    assert [found[1:] for found in audited(game.events)] == [("F-COMMIT-1", "not_opened")]


SEEDS = [SERVER_SEED, OTHER, SERVER_SEED[::-2] + SERVER_SEED[::2]]


@pytest.mark.parametrize(
    ("change", "is_in_root"),
    [
        pytest.param("nothing", True, id="right"),
        pytest.param("no-proof", False, id="no-proof"),
        pytest.param("other-proof", False, id="the-proof-of-another-hand"),
        pytest.param("short-proof", False, id="a-node-short"),
        pytest.param("long-proof", False, id="a-node-long"),
        pytest.param("other-root", False, id="another-root"),
        pytest.param("fewer-hands", False, id="another-number-of-hands"),
        pytest.param("no-commitment", False, id="no-commitment-at-all"),
        pytest.param("scheme-none", False, id="committed-to-nothing"),
    ],
)
def test_in_the_games_root(change: str, is_in_root: bool) -> None:
    root, proofs = rooted(SEEDS)
    proof: tuple[str, ...] | None = proofs[0]
    if change == "other-root":
        root = root._replace(root="00" * 32)
    if change == "fewer-hands":
        root = root._replace(hands=1)
    proof = {
        "no-proof": None,
        "other-proof": proofs[1],
        "short-proof": proofs[0][:-1],
        "long-proof": (*proofs[0], proofs[0][0]),
    }.get(change, proof)
    commitment: HandCommitment | None = HandCommitment(shuffle.SCHEME, derived().commitment.hex(), proof)
    commitment = {"no-commitment": None, "scheme-none": HandCommitment("none", "")}.get(change, commitment)
    game = Game(game=GAME, commitment=root)
    members = {"dealer": 0, "streak": 0, "scores": (0, 0, 0, 0), "hand": 1, "commitment": commitment}
    found = findings(game.table, "hand_started", **members)
    assert [(one.clause, one.code) for one in found] == [("F-COMMIT-1", "not_in_root")] * (not is_in_root)


@pytest.mark.parametrize("hand", [2, 3, 4])
def test_every_hand_has_its_place(hand: int) -> None:
    root, proofs = rooted(SEEDS)
    game = Game(game=GAME, commitment=root)
    position = game.table._replace(hand=hand - 1)
    seed, proof = (SEEDS[hand - 1], proofs[hand - 1]) if hand <= 3 else (SERVER_SEED, proofs[0])
    commitment = HandCommitment(shuffle.SCHEME, shuffle.commitment(hand, seed).hex(), proof)
    members = {"dealer": 0, "streak": 0, "scores": (0, 0, 0, 0), "hand": hand, "commitment": commitment}
    found = findings(position, "hand_started", **members)
    assert [(one.clause, one.code) for one in found] == [("F-COMMIT-1", "not_in_root")] * (hand == 4)


def test_a_whole_log_with_a_root() -> None:
    root, proofs = rooted(SEEDS)
    game = played(derived(), game=Game(game=GAME, commitment=root), proof=proofs[0])
    report = game.audit()
    assert (report.findings, report.fairness_level, report.hands_proven) == ((), 1, 1)
