"""X-WIN-3: 游金, a self-draw out of you state (S-YOU-2), counts four times."""

from __future__ import annotations

import pytest

from tests.rules.builders import offered, table
from tests.rules.xiamen.positions import facts, win

YOU = "123456789m 123456p 1z"  # five sets and a lone gold


@pytest.mark.parametrize("tile", ["1m", "9p", "5s", "7z", "1z"])
def test_any_tile_wins_out_of_you_state(tile: str) -> None:
    found = win(facts(YOU, tile), three_golds="off")
    assert (found.win, found.clause, found.factor) == ("you", "X-WIN-3", 4)
    golds = 2 if tile == "1z" else 1
    assert found.deltas[1] == 3 * (8 + golds) * 4


WAITS = {
    "the pair waits, the gold is in a set": ("123456789m 12p 1z 456p 9p", "9p", "self_draw"),
    "the gold would be the pair, a set is open": ("123456789m 12p 456p 9p 1z", "9p", "self_draw"),
    "no gold": ("123456789m 123456p 9p", "9p", "self_draw"),
    "two golds, one in a set, the other alone": ("123456789m 12p 1z 456p 1z", "9p", "you"),
    "two golds, one ends a run, another alone": ("123456789m 12356p 11z", "4p", "you"),
    "a pair and a gold make a triplet, another alone": ("123456789m 123p 55s 11z", "9p", "you"),
    "melds count as sets": ("1z", "9p", "you"),
}


@pytest.mark.parametrize(("hand", "tile", "way"), WAITS.values(), ids=WAITS)
def test_which_wait_it_is(hand: str, tile: str, way: str) -> None:
    melds = ("chow 123m", "chow 456m", "pung 7z", "exposed 5s", "concealed 9s") if hand == "1z" else ()
    assert win(facts(hand, tile, melds=melds)).win == way


def test_a_kongs_replacement_too() -> None:
    position = table({0: "123456789m 123p 1z"}, melds={0: ["concealed 7z"]}, drawn="5s", source="kong", golds="1z")
    assert offered(position, 0, "win") == ["win you 5s"]


@pytest.mark.parametrize(("may_count", "way"), [(True, "you"), (False, "self_draw")])
def test_declared_where_it_must_be(may_count: bool, way: str) -> None:
    assert win(facts(YOU, "5s", may_count_you=may_count)).win == way


@pytest.mark.parametrize(
    ("you_declared", "declared", "way"), [(False, [], "you"), (True, [], "self_draw"), (True, [0], "you")]
)
def test_the_referee_minds_the_declaration(you_declared: bool, declared: list[int], way: str) -> None:
    options = {"you_declared": you_declared}
    position = table({0: YOU}, drawn="5s", golds="1z", options=options, declared=declared)
    assert offered(position, 0, "win") == [f"win {way} 5s"]


def test_only_on_ones_own_draw() -> None:
    for by in ("discard", "rob_kong"):
        assert win(facts(YOU, "5s", by), gold_blocks_discard_win="none").win != "you"
