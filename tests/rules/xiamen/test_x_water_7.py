"""X-WATER-7: a hand that wins by 三金倒 without being complete counts its melds, flowers, golds, and every other kind
that it holds three or four times concealed, as a concealed triplet."""

from __future__ import annotations

import pytest

from tests.rules.xiamen.positions import facts, lines, win

OPENING = {
    "golds alone": ("147m 147p 147s 2347z 111z", 3),
    "a suit three times": ("147m 147p 147s 999s 2z 111z", 3 + 1),
    "a suit four times": ("147m 147p 147s 9999s 111z", 3 + 1),
    "an honour three times": ("147m 147p 147s 333z 7z 111z", 3 + 2),
    "an honour four times": ("147m 147p 147s 3333z 111z", 3 + 2),
    "only twice": ("147m 147p 147s 33z 77z 111z", 3),
    "overlapping runs do not matter": ("222333444m 147p 7z 111z", 3 + 3),
}


@pytest.mark.parametrize(("hand", "water"), OPENING.values(), ids=OPENING)
def test_at_the_opening(hand: str, water: int) -> None:
    position = facts(hand, by="opening")
    assert win(position).water == water
    assert win(position).deltas == (-(8 + water) * 4, (8 + water) * 12, -(8 + water) * 4, -(8 + water) * 4)


def test_flowers_count() -> None:
    assert win(facts("147m 147p 147s 2347z 111z", by="opening", flowers="12345f")).water == 3 + 9


def test_melds_count_later() -> None:
    position = facts("147m 147p 11z 33z", "1z", melds=("pung 7z", "exposed 5s"))
    assert win(position).win == "three_golds"
    assert lines(position) == [("X-WATER-2", 1), ("X-WATER-1", 2), ("X-WATER-3", 3)]


def test_stand_ins_count_as_the_face_kind() -> None:
    assert win(facts("147m 147p 147s 555z 7z 999m", by="opening", gold="9m")).water == 3 + 1
    assert win(facts("147m 147p 147s 555z 7z 111z", by="opening", gold="1z")).water == 3 + 2


def test_golds_are_no_triplet_themselves() -> None:
    position = facts("147m 147p 147s 2347z 111z", by="opening")
    assert lines(position) == [("X-WATER-3", 3)]


def test_a_complete_hand_is_read_as_one() -> None:
    """Complete, it counts by X-WATER-6: the 2m are needed in runs, so they are no triplet."""
    complete = facts("1222334m 456p 78p 12s 11z", "1z")
    assert (win(complete).win, win(complete).water) == ("three_golds", 3)
    incomplete = facts("1222334m 456p 78p 15s 11z", "1z")
    assert (win(incomplete).win, win(incomplete).water) == ("three_golds", 3 + 1)


def test_the_dealers_complete_opening_hand_is_read_as_one() -> None:
    position = facts("1222334m 456p 78p 12s 111z", by="opening", seat=0)
    found = win(position, you_bonus=100)
    assert (found.win, found.water) == ("three_golds", 3)
