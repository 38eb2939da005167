"""X-WATER-2: of winds and dragons a pung is worth 1 water, a concealed triplet 2, an exposed kong 3, a concealed 4."""

from __future__ import annotations

import pytest

from tests.rules.xiamen.positions import facts, lines, win

#: White is the stand-in unless it is gold itself, so it is measured with the east wind flipped (X-WATER-5).
HONOURS = [
    ("1z", "9s"),
    ("2z", "9s"),
    ("3z", "9s"),
    ("4z", "9s"),
    ("5z", "1z"),
    ("6z", "9s"),
    ("7z", "9s"),
    ("7z", "5z"),
]


@pytest.mark.parametrize(("kind", "gold"), HONOURS)
@pytest.mark.parametrize(("words", "water"), [("pung", 1), ("exposed", 3), ("added", 3), ("concealed", 4)])
def test_melds(kind: str, gold: str, words: str, water: int) -> None:
    position = facts("123456m 123456p 7s", "7s", melds=(f"{words} {kind}",), gold=gold)
    assert lines(position) == [("X-WATER-2", water)]


@pytest.mark.parametrize(("kind", "gold"), HONOURS)
@pytest.mark.parametrize(("by", "water"), [("self_draw", 2), ("discard", 1)])
def test_triplets_completed_last(kind: str, gold: str, by: str, water: int) -> None:
    position = facts(f"123456m 123456p {kind[0] * 2}z 77s", kind, by, gold=gold)
    assert lines(position) == [("X-WATER-2", water)]


@pytest.mark.parametrize(("kind", "gold"), HONOURS)
@pytest.mark.parametrize("by", ["self_draw", "discard", "rob_kong"])
def test_triplets_complete_before(kind: str, gold: str, by: str) -> None:
    position = facts(f"123456m 123456p {kind[0] * 3}z 7s", "7s", by, gold=gold)
    assert lines(position) == [("X-WATER-2", 2)]


def test_a_pair_is_worth_nothing() -> None:
    assert win(facts("123456789m 123456p 7z", "7z")).water == 0


def test_several_sets_add_up() -> None:
    position = facts("222z 333z 9p", "9p", melds=("exposed 4z", "concealed 6z", "pung 7z"), gold="1z")
    assert win(position).water == 3 + 4 + 1 + 2 + 2
