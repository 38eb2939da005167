"""X-WATER-3: each gold in the hand at the win is worth 1 water, whatever tile it stands for."""

from __future__ import annotations

import pytest

from tests.rules.xiamen.positions import facts, lines, win

CASES = {
    "none": ("123456789m 123456p 9p", "9p", 0),
    "one for another tile": ("123456789m 12p 456p 9p 1z", "9p", 1),
    "two for other tiles": ("123456789m 12p 45p 9p 11z", "9p", 2),
    "three for other tiles": ("12345678m 12p 45p 9p 111z", "9p", 3),
    "a pair of golds": ("123456789m 12356p 11z", "4p", 2),
    "drawn last": ("123456789m 12p 456p 99p", "1z", 1),
    "three as a set of their own": ("123456789m 123p 9p 111z", "9p", 3),
}


@pytest.mark.parametrize(("hand", "tile", "golds"), CASES.values(), ids=CASES)
def test_golds_in_hand(hand: str, tile: str, golds: int) -> None:
    assert lines(facts(hand, tile)) == ([("X-WATER-3", golds)] if golds else [])


def test_also_as_the_kind_that_it_is() -> None:
    position = facts("123456789m 123456p 9p", "9p", gold="3p")
    assert lines(position) == [("X-WATER-3", 1)]


def test_stand_ins_are_no_golds() -> None:
    assert win(facts("123456789m 12p 5z 456p 9p", "9p", gold="3p")).water == 0


def test_whites_are_golds_where_white_is_flipped() -> None:
    assert lines(facts("123456789m 12p 456p 9p 5z", "9p", gold="5z")) == [("X-WATER-3", 1)]


@pytest.mark.parametrize("by", ["discard", "rob_kong"])
def test_on_others_tiles_too(by: str) -> None:
    position = facts("123456789m 12p 456p 9p 1z", "9p", by)
    assert win(position, gold_blocks_discard_win="none").water == 1


def test_golds_count_where_the_hand_is_not_complete() -> None:
    assert lines(facts("258m 258p 258s 22z 33z 4z 11z", "1z")) == [("X-WATER-3", 3)]
