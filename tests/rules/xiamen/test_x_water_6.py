"""X-WATER-6: a hand that can be read in several ways is read for the most water; the winning tile may be put into any
set."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.xiamen.positions import facts, win

READINGS: dict[str, tuple[Any, int]] = {
    "three triplets rather than three runs": (facts("111222333m 456789p 9s", "9s"), 3),
    "runs where a triplet leaves no pair": (facts("1222334m 456789p 123s", "2m"), 0),
    "two of three triplets, for the discard makes the third": (facts("11122233m 456789p 99s", "3m", "discard"), 2),
    "the triplet drawn": (facts("11122233m 456789p 99s", "3m"), 3),
    "a triplet and a run of four alike": (facts("5555s 67s 123456m 123p 9p", "9p"), 1),
    "the discard goes to the run": (facts("123456789m 55567s 99p", "5s", "discard"), 1),
    "the discard cannot but make the pung": (facts("123456789m 55s 123p 99p", "5s", "discard"), 0),
    "the discard ends the pair": (facts("123456789m 123p 777z 9s", "9s", "discard"), 2),
    "either pair may be the triplet": (facts("123456789m 123p 55s 22z", "2z", "discard"), 1),
}  # fmt: skip


@pytest.mark.parametrize(("position", "water"), READINGS.values(), ids=READINGS)
def test_the_most_water(position: Any, water: int) -> None:
    assert win(position).water == water


GOLDS: dict[str, tuple[Any, int]] = {
    "the discard joins the gold as the pair": (facts("123456789m 123p 777z 1z", "7z", "discard"), 1 + 2),
    "the gold fills the run, not the triplet": (facts("123456789m 12p 777z 1z 9p", "9p"), 1 + 2),
    "the gold is the pair, both triplets stay": (facts("123456m 222z 333z 456p 1z", "9p"), 1 + 2 + 2),
    "the gold leaves the triplet for a run": (facts("123456789m 444p 77p 1z 8p", "9p"), 1 + 1),
}


@pytest.mark.parametrize(("position", "water"), GOLDS.values(), ids=GOLDS)
def test_the_most_water_with_golds(position: Any, water: int) -> None:
    assert win(position, gold_blocks_discard_win="none").water == water


@pytest.mark.parametrize(
    ("white_discard", "white_set", "water"),
    [("face", "face", 1), ("face", "dragon", 2), ("white", "face", 0), ("white", "dragon", 1)],
)
def test_a_discarded_white_goes_where_it_may(white_discard: str, white_set: str, water: int) -> None:
    """As the face kind it ends the run and leaves a concealed triplet; as white it can only be the pung itself."""
    position = facts("123789m 56m 123p 99p 555z", "5z", "discard", gold="4m")
    assert win(position, white_discard=white_discard, white_set=white_set).water == water


WHITES = {
    "the white is the pair's, the stand-ins a triplet": ("123789m 123456p 555z 4m", {}, 1 + 1, 1 + 2),
    "the white ends a pung": ("123789m 123456p 55z 99s", {}, 0, 1),
    "the same where golds make triplets": ("123789m 123456p 55z 99s", {"wild_triplet": True}, 0, 1),
}


@pytest.mark.parametrize(("hand", "options", "as_face", "as_dragon"), WHITES.values(), ids=WHITES)
def test_a_discarded_white_that_is_white(hand: str, options: dict[str, Any], as_face: int, as_dragon: int) -> None:
    position = facts(hand, "5z", "discard", gold="4m")
    given = {"white_discard": "white", "gold_blocks_discard_win": "none"} | options
    assert win(position, **given).water == as_face
    assert win(position, white_set="dragon", **given).water == as_dragon
