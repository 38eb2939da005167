"""L-WIN-7: 游金, a self-draw out of you state, is worth ``you_v`` (4, rooms also use 5), 雙游 twice and 三游 four times
that."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import audited, judged, offered
from tests.rules.longyan.positions import FULL, YOU, opened, table, way, won

LEVELS = {None: ("you", 1), "double_you": ("double_you", 2), "triple_you": ("triple_you", 4)}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("you_v", [4, 5, 3, 99])
def test_what_they_are_worth(level: str | None, you_v: int) -> None:
    name, times = LEVELS[level]
    found = won(YOU, "7z", level=level, you_v=you_v)
    v = you_v * times
    assert (found["win"], found["factor"], found["clause"]) == (name, v, "L-WIN-7")
    assert found["deltas"] == [-2 * v, 4 * v, -v, -v]


@pytest.mark.parametrize(("level", "v"), [(None, 4), ("double_you", 8), ("triple_you", 16)])
@pytest.mark.parametrize("options", [{}, FULL])
def test_by_default(level: str | None, v: int, options: dict[str, Any]) -> None:
    assert way(YOU, "7z", level=level, **options)[1] == v


@pytest.mark.parametrize("tile", ["1m", "7z", "3p", "9s", "5z"])
def test_any_tile_does(tile: str) -> None:
    assert way(YOU, tile) == ("you", 4)


@pytest.mark.parametrize(
    ("hand", "tile", "expected"),
    [
        ("123456789m 12p 99s", "3p", "you"),  # one gold in a run, the other alone
        ("123456m 78s 5z 22p 2p 9s", "3p", "you"),  # 789s with a white
        ("1199m 1199p 2255s 9s", "3p", "you"),
        ("123456m 789p 999s 7z", "3p", "three_golds"),  # 游金 too, and of the same value
        ("123456789m 13p 9s 5z", "2p", "self_draw"),  # the gold makes the pair with a white, which is 9s
        ("123456789m 11p 1s 9s", "2s", "self_draw"),  # a pair and a gold: it waits
        ("123456789m 12p 1s 9s", "1s", "self_draw"),
        ("123456789m 77p 12s", "9s", "self_draw"),  # the gold came only now
    ],
)
def test_the_state_is_read_off_the_hand_before_the_draw(hand: str, tile: str, expected: str) -> None:
    assert way(hand, tile)[0] == expected


@pytest.mark.parametrize("level", ["double_you", "triple_you"])
def test_a_level_that_was_lost_is_a_plain_self_draw(level: str) -> None:
    assert way("123456789m 77p 1s 9s", "2s", level=level) == ("self_draw", 2)


def test_under_two_golds() -> None:
    for gold in ("9s", "1z"):
        assert way(f"123456789m 123p {gold}", "7z", **FULL) == ("you", 4)
    assert way("123456789m 12p 9s 1z", "7z", **FULL) == ("you", 4)
    assert way("123456789m 123p 9s", "1z", level="triple_you", **FULL) == ("triple_you", 16)


# -- At the table ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("levels", "name"), [({}, "you"), ({1: 2}, "double_you"), ({1: 3}, "triple_you")])
@pytest.mark.parametrize("source", ["draw", "kong", "concealed_kong"])
def test_the_referee(levels: dict[int, int], name: str, source: str) -> None:
    position = table({1: YOU}, turn=1, drawn="7z", levels=levels, source=source, discards={0: "2z"})
    assert offered(position, 1, "win") == [f"win {name} 7z"]
    assert judged(position, "won", seat=1, win=name, tile="7z") == []
    others = {"you", "double_you", "triple_you", "self_draw"} - {name}
    for other in sorted(others):
        assert judged(position, "won", seat=1, win=other, tile="7z") == [("L-WIN-10", "wrong_way_named")]


@pytest.mark.parametrize(("declared", "name"), [([], "self_draw"), ([1], "you")])
def test_where_it_must_be_declared(declared: list[int], name: str) -> None:
    position = table({1: YOU}, turn=1, drawn="7z", declared=declared, options={"you_declared": True})
    assert offered(position, 1, "win") == [f"win {name} 7z"]


def test_out_of_the_dealers_opening_hand() -> None:
    """Who passed 蓋寶搶金 has 游金 at the next draw all the same."""
    game = opened({0: YOU + "7z"}, draws="4s 4s 4p 6z").discard("7z").play("4s 4s 4p").draw()
    assert offered(game.table, 0, "win") == ["win you 6z"]
    assert audited(game.win(0).close().end().events) == []


# -- Whole hands -------------------------------------------------------------------------------------------------------


def test_you() -> None:
    game = opened({1: "123456789m 12p 9s 7z"}, draws="3p 4s 4s 4s 6z").discard("2z").draw().discard("7z")
    game.play("4s 4s 4s").draw().win(1).close().end()
    assert audited(game.events) == []
    assert game.audit().hands[0].win == "you"
    assert game.table.scores == (-8, 16, -4, -4)


def test_double_you() -> None:
    """Seat 1 draws a gold and discards it again."""
    game = opened({1: YOU}, draws="9s 4s 4s 4p 6z").discard("2z").draw().discard("9s")
    assert game.table.levels[1] == 2
    game.play("4s 4s 4p").draw().win(1).close().end()
    assert audited(game.events) == []
    assert game.audit().hands[0].win == "double_you"
    assert game.table.scores == (-16, 32, -8, -8)


def test_triple_you() -> None:
    """And once more."""
    game = opened({1: YOU}, draws="9s 4s 4s 4p 9s 3z 7z 7z 6z").discard("2z").draw().discard("9s")
    game.play("4s 4s 4p").draw().discard("9s")
    assert game.table.levels[1] == 3
    game.play("3z 7z 7z").draw().win(1).close().end()
    assert audited(game.events) == []
    assert game.audit().hands[0].win == "triple_you"
    assert game.table.scores == (-32, 64, -16, -16)
