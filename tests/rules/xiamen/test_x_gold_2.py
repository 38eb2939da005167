"""X-GOLD-2: whoever holds a gold cannot win on a discard (option ``gold_blocks_discard_win``); robbing a kong counts as
self-draw and is not blocked."""

from __future__ import annotations

import pytest

from tests.rules.builders import findings, offered, table
from tests.rules.xiamen.positions import PLAIN, cited, facts, win

#: Hands that wait for 9p, by the golds in them.
HANDS = [PLAIN, "123456789m 12p 456p 9p 1z", "123456789m 12p 45p 9p 11z", "12345678m 12p 45p 9p 111z"]
BLOCKED_FROM = {"any": 1, "two_or_more": 2, "none": 4}


@pytest.mark.parametrize("golds", range(4))
@pytest.mark.parametrize("value", ["any", "two_or_more", "none"])
def test_golds_and_discards(golds: int, value: str) -> None:
    position = facts(HANDS[golds], "9p", "discard")
    if golds < BLOCKED_FROM[value]:
        assert win(position, gold_blocks_discard_win=value).win == "discard"
    else:
        assert cited(position, gold_blocks_discard_win=value) == ("X-GOLD-2", "gold_blocks_discard_win")


@pytest.mark.parametrize("golds", range(4))
@pytest.mark.parametrize("by", ["self_draw", "rob_kong"])
def test_self_draw_and_robbing_are_free(golds: int, by: str) -> None:
    assert win(facts(HANDS[golds], "9p", by)).win == "self_draw"


@pytest.mark.parametrize("golds", range(1, 4))
def test_by_default_any_gold_blocks(golds: int) -> None:
    assert cited(facts(HANDS[golds], "9p", "discard")) == ("X-GOLD-2", "gold_blocks_discard_win")


def test_also_a_gold_that_is_the_kind_it_stands_for() -> None:
    position = facts("123456789m 123456p 9p", "9p", "discard", gold="3p")
    assert cited(position) == ("X-GOLD-2", "gold_blocks_discard_win")


def test_a_stand_in_blocks_nothing() -> None:
    assert win(facts("123456789m 12p 5z 456p 9p", "9p", "discard", gold="3p")).win == "discard"


def test_heavenly_ready_is_blocked_too() -> None:
    assert cited(facts(HANDS[1], "9p", "discard", is_untouched=True)) == ("X-GOLD-2", "gold_blocks_discard_win")
    assert win(facts(HANDS[1], "9p", "rob_kong", is_untouched=True)).win == "heavenly_ready"


def test_the_referee() -> None:
    position = table({1: HANDS[1]}, last="9p", golds="1z")
    assert offered(position, 1, "win") == []
    (found,) = findings(position, "won", seat=1, win="discard", tile="9p", from_=0)
    assert (found.clause, found.code, found.expected) == ("X-GOLD-2", "gold_blocks_discard_win", {"golds": 1})
    free = table({1: HANDS[1]}, last="9p", golds="1z", options={"gold_blocks_discard_win": "two_or_more"})
    assert findings(free, "won", seat=1, win="discard", tile="9p", from_=0) == []


def test_robbing_with_a_gold_in_hand() -> None:
    position = table({1: HANDS[2]}, melds={0: ["added 9p@2"]}, phase="kong", last="9p", golds="1z")
    assert offered(position, 1, "win") == ["win self_draw 9p"]
