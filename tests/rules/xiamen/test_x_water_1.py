"""X-WATER-1: a suit's concealed triplet is worth 1 water, its exposed kong 2, its concealed kong 3, its pung none."""

from __future__ import annotations

import pytest

from tests.rules.xiamen.positions import PLAIN, facts, lines, win


@pytest.mark.parametrize("kind", ["1m", "9m", "5p", "2s", "8s"])
@pytest.mark.parametrize(("words", "water"), [("pung", 0), ("exposed", 2), ("added", 2), ("concealed", 3)])
def test_melds(kind: str, words: str, water: int) -> None:
    position = facts("123456m 123456p 7s", "7s", melds=(f"{words} {kind}",), gold="1z")
    assert win(position).water == water
    assert lines(position) == ([("X-WATER-1", water)] if water else [])


@pytest.mark.parametrize("kind", ["1m", "9p", "5s"])
def test_concealed_triplet(kind: str) -> None:
    position = facts(f"234567m 234567p {(kind[0] * 3) + kind[1]} 7s", "7s")
    assert lines(position) == [("X-WATER-1", 1)]


def test_a_run_is_worth_nothing() -> None:
    assert win(facts(PLAIN, "9p")).water == 0
    assert win(facts("123456m 123456p 9p", "9p", melds=("chow 789m",))).water == 0


def test_a_pair_is_worth_nothing() -> None:
    assert win(facts("123456789m 123456p 7s", "7s")).water == 0


def test_several_sets_add_up() -> None:
    position = facts("111m 222p 9s", "9s", melds=("exposed 3p", "concealed 4s", "pung 6s"))
    assert lines(position) == [("X-WATER-1", 2), ("X-WATER-1", 3), ("X-WATER-1", 1), ("X-WATER-1", 1)]
    assert win(position).water == 7


def test_four_alike_in_hand_are_no_kong() -> None:
    assert lines(facts("1111m 23m 456789m 123p 9p", "9p")) == [("X-WATER-1", 1)]
