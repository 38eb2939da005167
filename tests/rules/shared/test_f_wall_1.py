"""F-WALL-1: the revealed wall is the one that the seeds give, and so is its root."""

from __future__ import annotations

from typing import Any

import pytest

from replays import shuffle
from replays.audit import Auditor
from replays.events import HandCommitment
from replays.tiles import CODES
from tests.rules.builders import altered, audited, findings, seq_of
from tests.rules.shared.fair import SECRETS, SERVER_SEED, derived, played

OTHER = bytes(reversed(SERVER_SEED))


@pytest.mark.parametrize("secrets", [{}, dict(SECRETS)], ids=["server-only", "four-seats"])
def test_the_seeds_wall(secrets: dict[int, bytes]) -> None:
    assert audited(played(derived(secrets), secrets=secrets).events) == []


def exchanged(wall: tuple[int, ...], index: int) -> tuple[int, ...]:
    """The wall with a tile exchanged for the next other one."""
    other = next(i for i in range(index + 1, len(wall)) if wall[i] != wall[index])
    some = list(wall)
    some[index], some[other] = some[other], some[index]
    return tuple(some)


@pytest.mark.parametrize("index", [0, 70, 130])
def test_two_tiles_exchanged(index: int) -> None:
    events = played(derived()).events
    seq = seq_of(events, "wall_revealed")
    wall = exchanged(events[seq].wall, index)
    log = altered(events, seq, wall=wall)
    assert (seq, "F-WALL-1", "not_the_seeds_wall") in audited(log)


def test_the_first_difference_is_named() -> None:
    game = played(derived())
    wall = derived().wall
    before = next(i for i, event in enumerate(game.events) if event.type == "wall_revealed")
    auditor = Auditor(game.events[0])
    auditor.feed_all(game.events[1:before])
    changed = exchanged(wall, 140)
    members = {"wall": changed, "server_seed": SERVER_SEED.hex()}
    found = [one for one in findings(auditor.table, "wall_revealed", **members) if one.clause == "F-WALL-1"]
    assert [one.expected for one in found] == [{"index": 140, "tile": CODES[wall[140]]}]
    assert [one.recorded for one in found] == [{"tile": CODES[changed[140]]}]


def test_a_hand_played_from_another_wall() -> None:
    """Wall and play agree, but not with the seed."""
    fair = derived()
    other = derived(seed=OTHER)
    game = played(other, commitment=None, wall_root=None, reveal={"server_seed": SERVER_SEED.hex()})
    log = altered(game.events, 1, commitment=HandCommitment(shuffle.SCHEME, fair.commitment.hex()))
    found = audited(log)
    assert (seq_of(log, "wall_revealed"), "F-WALL-1", "not_the_seeds_wall") in found
    assert not [one for one in found if one[1].startswith("S-")]


def test_other_secrets_give_another_wall() -> None:
    fair = derived(SECRETS)
    game = played(derived(), secrets=SECRETS, wall_root=fair.wall_root.hex())
    seq = seq_of(game.events, "wall_revealed")
    assert (seq, "F-WALL-1", "not_the_seeds_wall") in audited(game.events)


@pytest.mark.parametrize(
    ("root", "is_right"),
    [
        pytest.param(derived().wall_root.hex(), True, id="right"),
        pytest.param(None, True, id="none"),
        pytest.param(derived(seed=OTHER).wall_root.hex(), False, id="of-another-wall"),
        pytest.param("00" * 32, False, id="zero"),
    ],
)
def test_the_walls_root(root: str | None, is_right: bool) -> None:
    game = played(derived(), wall_root=root)
    seq = seq_of(game.events, "wall_revealed")
    assert audited(game.events) == [(seq, "F-WALL-1", "wrong_wall_root")] * (not is_right)


def test_a_draw_against_the_seed_is_a_draw_against_the_wall() -> None:
    events: list[Any] = list(played(derived()).events)
    seq = next(e.seq for e in events if e.type == "drew" and events[e.seq + 1].type == "discarded"
               and events[e.seq + 1].tile == e.tile and CODES[e.tile][1] != "z")  # fmt: skip
    tile = next(kind for kind in range(27) if kind != events[seq].tile and kind == events[-3].wall[-1])
    log = altered(altered(events, seq, tile=tile), seq + 1, tile=tile)
    assert (seq, "S-WALL-3") in [found[:2] for found in audited(log)]
