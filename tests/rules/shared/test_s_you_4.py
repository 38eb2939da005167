"""S-YOU-4: winning on the next own draw gives the level; a lower win may always be taken instead of upgrading;
another discard, or giving up the win, loses the level, and what is lost does not come back (L-YOU-4)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import after, offered, table

YOU = "123456789m 111222z 9s"


@pytest.mark.parametrize(("level", "way"), [(0, "you"), (2, "double_you"), (3, "triple_you")])
@pytest.mark.parametrize("drawn", ["5p", "9m", "9s"])
def test_the_next_draw_gives_the_level(level: int, way: str, drawn: str) -> None:
    position = table({0: YOU}, drawn=drawn, levels={0: level})
    assert offered(position, 0, "win") == [f"win {way} {drawn}"]


def test_the_lower_win_may_be_taken() -> None:
    """Who could upgrade may win as well."""
    position = table({0: YOU}, drawn="9s")
    assert {"win you 9s", "discard 9s"} <= set(offered(position, 0))
    position = table({0: YOU}, drawn="9s", levels={0: 2})
    assert {"win double_you 9s", "discard 9s"} <= set(offered(position, 0))


def through(code: str, *, level: int, drawn: str = "5p", then: str = "6p") -> Any:
    """The table after a discard out of ``level``, everybody's turn, and the next own draw."""
    position = table({0: YOU}, drawn=drawn, levels={0: level}, lock=[0] if level else [])
    position = after(position, "discarded", seat=0, tile=code)
    for seat in (1, 2, 3):
        position = after(position, "drew", seat=seat, tile=f"{seat}s", tail=False)
        position = after(position, "discarded", seat=seat, tile=f"{seat}s")
    return after(position, "drew", seat=0, tile=then, tail=False)


@pytest.mark.parametrize("level", [2, 3])
def test_giving_up_the_win_loses_the_level(level: int) -> None:
    """Any tile wins, so a discard of the drawn tile gives the win up; the hand is still in you state."""
    position = through("5p", level=level)
    assert position.levels[0] == 0
    assert offered(position, 0, "win") == ["win you 6p"]


@pytest.mark.parametrize(("level", "then", "way"), [(0, "9s", 2), (2, "9s", 0), (3, "9s", 0)])
def test_a_lost_level_does_not_come_back(level: int, then: str, way: int) -> None:
    position = through("5p", level=level, then=then)
    position = after(position, "discarded", seat=0, tile="9s")
    assert position.levels[0] == way


@pytest.mark.parametrize("code", ["9m", "1z"])
def test_another_discard_loses_it(code: str) -> None:
    position = through(code, level=2, drawn="9m" if code == "9m" else "1z")
    assert position.levels[0] == 0
    assert offered(position, 0, "win") == ["win you 6p"]


def test_a_discard_that_leaves_you_state_loses_it() -> None:
    position = through("9m", level=2, drawn="5p")
    assert position.levels[0] == 0
    assert position.fallen & 1


def test_a_gold_that_makes_no_triple_loses_it() -> None:
    position = table({0: "12456789m 111222z 9s9s"}, drawn="3m", levels={0: 2}, lock=[0])
    position = after(position, "discarded", seat=0, tile="9s")
    assert position.levels[0] == 0


@pytest.mark.parametrize("level", [2, 3])
def test_others_discards_leave_the_level(level: int) -> None:
    position = table({0: YOU}, turn=1, drawn="5p", levels={0: level}, lock=[0])
    position = after(position, "discarded", seat=1, tile="5p")
    assert position.levels[0] == level


@pytest.mark.parametrize(("kept", "level"), [(True, 2), (False, 0)])
def test_a_kong_keeps_the_level_with_you_state(kept: bool, level: int) -> None:
    """The four 1z were a triplet and the drawn tile; three of the four 3m stood in runs."""
    hand, code = ("123456789m 111z 222z 9s", "1z") if kept else ("122333445m 111222z 9s", "3m")
    position = table({0: hand}, drawn=code, levels={0: 2}, lock=[0])
    position = after(position, "konged", seat=0, tile=code, with_=code[0] * 4 + code[1], kind="concealed")
    assert position.levels[0] == level
