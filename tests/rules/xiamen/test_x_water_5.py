"""X-WATER-5: an added kong is an exposed kong; a triplet completed by a discard is a pung, by self-draw concealed; one
that needs a gold is none (option ``wild_triplet``); stand-ins score as the face kind (option ``white_set``)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.xiamen.positions import facts, lines, win

SUIT, HONOUR, GOLD = "X-WATER-1", "X-WATER-2", "X-WATER-3"


@pytest.mark.parametrize(("kind", "line"), [("5s", (SUIT, 2)), ("7z", (HONOUR, 3))])
def test_an_added_kong_is_an_exposed_kong(kind: str, line: tuple[str, int]) -> None:
    for words in ("added", "exposed"):
        assert lines(facts("123456789m 123p 9p", "9p", melds=(f"{words} {kind}",))) == [line]


@pytest.mark.parametrize(
    ("pair", "by", "water"),
    [("55s", "discard", 0), ("55s", "self_draw", 1), ("77z", "discard", 1), ("77z", "self_draw", 2)],
)
def test_a_triplet_completed_last(pair: str, by: str, water: int) -> None:
    position = facts(f"123456789m 123p 99p {pair}", pair[1:], by)
    assert win(position).water == water


# ---- a triplet that needs a gold -----------------------------------------------------------------------

WILD: dict[str, tuple[Any, int, int]] = {
    "two dragons and a gold": (facts("123456789m 123p 77z 1z 9p", "9p"), 1, 1 + 2),
    "two of a suit and a gold": (facts("123456789m 123p 55s 1z 9p", "9p"), 1, 1 + 1),
    "one dragon and two golds": (facts("123456789m 123p 7z 11z 9p", "9p"), 2, 2 + 2),
    "three real ones beside a gold": (facts("123456789m 12p 777z 1z 9p", "9p"), 1 + 2, 1 + 2),
    "three golds": (facts("123456789m 123p 111z 9p", "9p"), 3, 3 + 2),
    "three golds of a suit": (facts("123456789m 123p 555s 9p", "9p", gold="5s"), 3, 3 + 1),
    "a gold as the kind that it is": (facts("123456789m 123p 5s 55z 9p", "9p", gold="5s"), 1, 1 + 1),
    "the pair or the triplet": (facts("123456789m 123p 22z 3z 1z", "3z"), 1, 1 + 2),
}


@pytest.mark.parametrize(("position", "default", "wild"), WILD.values(), ids=WILD)
def test_wild_triplet(position: Any, default: int, wild: int) -> None:
    assert win(position).water == default
    assert win(position, wild_triplet=False).water == default
    assert win(position, wild_triplet=True).water == wild


#: Golds do not block here, so that discards can be won on.
WILD_DISCARDS: dict[str, tuple[Any, int]] = {
    "the discard completes it": (facts("123456789m 123p 7z 1z 99p", "7z", "discard"), 1 + 1),
    "the discard is the pair": (facts("123456789m 123p 77z 1z 9p", "9p", "discard"), 1 + 2),
    "one of two triplets is a pung": (facts("123456789m 777z 11z 99p", "7z", "discard"), 2 + 2 + 1),
}


@pytest.mark.parametrize(("position", "water"), WILD_DISCARDS.values(), ids=WILD_DISCARDS)
def test_wild_triplet_on_a_discard(position: Any, water: int) -> None:
    assert win(position, wild_triplet=True, gold_blocks_discard_win="none").water == water


# ---- stand-ins -----------------------------------------------------------------------------------------

SETS = {
    "pung": ("123456789m 123p 9p", "9p", "self_draw", ("pung 5z",), 0, 1),
    "triplet": ("123456789m 123p 555z 9p", "9p", "self_draw", (), 1, 2),
    "triplet by discard": ("123456789m 123p 99p 55z", "5z", "discard", (), 0, 1),
    "exposed kong": ("123456789m 123p 9p", "9p", "self_draw", ("exposed 5z",), 2, 3),
    "added kong": ("123456789m 123p 9p", "9p", "self_draw", ("added 5z",), 2, 3),
    "concealed kong": ("123456789m 123p 9p", "9p", "self_draw", ("concealed 5z",), 3, 4),
}


@pytest.mark.parametrize(("hand", "tile", "by", "melds", "suit", "honour"), SETS.values(), ids=SETS)
def test_white_set(hand: str, tile: str, by: str, melds: tuple[str, ...], suit: int, honour: int) -> None:
    as_suit = facts(hand, tile, by, melds=melds, gold="5s")
    as_honour = facts(hand, tile, by, melds=melds, gold="1z")
    assert win(as_suit).water == win(as_suit, white_set="face").water == suit
    assert win(as_suit, white_set="dragon").water == honour
    assert win(as_honour).water == win(as_honour, white_set="dragon").water == honour


def test_white_set_cites_the_clause_of_its_kind() -> None:
    position = facts("123456789m 123p 555z 9p", "9p", gold="5s")
    assert lines(position) == [(SUIT, 1)]
    assert lines(position, white_set="dragon") == [(HONOUR, 2)]


def test_incomplete_three_golds_follow_it() -> None:
    position = facts("258m 258p 147s 4z 555z 333m", by="opening", gold="3m")
    assert win(position).water == 3 + 1
    assert win(position, white_set="dragon").water == 3 + 2
