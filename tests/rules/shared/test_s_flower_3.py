"""S-FLOWER-3: a flower drawn when no tile may be drawn any more is laid out all the same, with nothing drawn, and
counts; then the hand ends."""

from __future__ import annotations

from typing import Any

import pytest

from replays.tiles import flower_bit
from tests.rules.builders import Game, after, audited, chosen_wall, judged, offered, table, tile


def drawn(left: int, dead_wall: int = 16) -> Any:
    """Seat 1 has drawn a flower, and ``left`` tiles are left."""
    return table(turn=1, drawn="3f", left=left, options={"dead_wall": dead_wall})


@pytest.mark.parametrize("dead_wall", [1, 16, 40])
@pytest.mark.parametrize(
    ("more", "replaced", "expected"),
    [
        pytest.param(0, "", [], id="nothing-may-be-drawn"),
        pytest.param(0, "5m", [("X-DRAW-1", "drawn_past_the_end")], id="drawn-all-the-same"),
        pytest.param(1, "5m", [], id="one-may-be-drawn"),
        pytest.param(1, "", [("S-FLOWER-2", "flower_not_replaced")], id="one-not-drawn"),
    ],
)
def test_the_boundary(dead_wall: int, more: int, replaced: str, expected: list[tuple[str, str]]) -> None:
    position = drawn(dead_wall + more, dead_wall)
    assert judged(position, "flowers_replaced", seat=1, flowers="3f", drawn=replaced) == expected


@pytest.mark.parametrize("left", [0, 1])
def test_without_a_dead_wall(left: int) -> None:
    """The last tile of all is a flower; or the last but one."""
    expected = [("S-FLOWER-2", "flower_not_replaced")] * left
    assert judged(drawn(left, 0), "flowers_replaced", seat=1, flowers="3f", drawn="") == expected


def test_it_counts() -> None:
    position = after(drawn(16), "flowers_replaced", seat=1, flowers="3f", drawn="")
    assert position.flowers[1] == flower_bit(tile("3f"))
    assert position.held[1] == 0


def test_then_the_hand_ends() -> None:
    position = after(drawn(16), "flowers_replaced", seat=1, flowers="3f", drawn="")
    assert [offered(position, seat) for seat in range(4)] == [[], [], [], []]
    assert judged(position, "exhausted") == []


@pytest.mark.parametrize(
    ("kind", "members"),
    [
        pytest.param("discarded", {"seat": 1, "tile": "1m"}, id="discard"),
        pytest.param("drew", {"seat": 1, "tile": "5m", "tail": True}, id="replacement-later"),
        pytest.param("drew", {"seat": 2, "tile": "5m", "tail": False}, id="next-draw"),
        pytest.param("won", {"seat": 1, "tile": "3f", "win": "self_draw"}, id="win-on-the-flower"),
    ],
)
def test_and_nothing_else_happens(kind: str, members: dict[str, Any]) -> None:
    position = after(drawn(16), "flowers_replaced", seat=1, flowers="3f", drawn="")
    assert judged(position, kind, **members) != []


def test_it_must_be_laid_out_before_the_end() -> None:
    (found,) = judged(drawn(16), "exhausted")
    assert found[0] in {"S-FLOWER-2", "S-FLOWER-3", "X-DRAW-1"}


def test_in_a_whole_log() -> None:
    """The last tile that may be drawn is a flower."""
    wall = list(chosen_wall())
    flower = next(i for i in range(len(wall) - 40, len(wall)) if wall[i] == tile("8f"))
    # The flip takes one tile out of the tail: the last draw is the seventeenth place from behind, and one.
    last = len(wall) - 16 - 2
    wall[flower], wall[last] = wall[last], wall[flower]
    game = Game().open(wall).play_out()
    assert [event.type for event in game.events[-2:]] == ["drew", "flowers_replaced"]
    assert game.events[-1].drawn == ()
    game.exhaust().close().end()
    assert audited(game.events) == []
