"""X-WIN-7: 天聽, ready at the opening and the hand unchanged until the win, counts four times (when: X-WIN-12)."""

from __future__ import annotations

import pytest

from tests.rules.builders import offered, table
from tests.rules.xiamen.positions import PLAIN, facts, win


@pytest.mark.parametrize(("by", "pays"), [("self_draw", "X-PAY-2"), ("discard", "X-PAY-1"), ("rob_kong", "X-PAY-2")])
def test_counts_four_times(by: str, pays: str) -> None:
    found = win(facts(PLAIN, "9p", by, is_untouched=True))
    assert (found.win, found.clause, found.factor, found.pays) == ("heavenly_ready", "X-WIN-7", 4, pays)
    assert found.deltas == (-32, 96, -32, -32)


@pytest.mark.parametrize(("by", "way"), [("self_draw", "self_draw"), ("discard", "discard"), ("rob_kong", "self_draw")])
def test_once_the_hand_was_touched(by: str, way: str) -> None:
    assert win(facts(PLAIN, "9p", by)).win == way
    assert win(facts(PLAIN, "9p", by, is_untouched=True), heavenly_ready="off").win == way
    assert win(facts(PLAIN, "9p", by, is_untouched=True), heavenly_ready="locked").win == "heavenly_ready"


def test_the_dealers_too() -> None:
    found = win(facts(PLAIN, "9p", seat=0, is_untouched=True, streak=1))
    assert (found.win, found.deltas) == ("heavenly_ready", (3 * 128, -128, -128, -128))


@pytest.mark.parametrize(("untouched", "way"), [([1], "heavenly_ready"), ([0, 2, 3], "discard")])
def test_the_referee(untouched: list[int], way: str) -> None:
    position = table({1: PLAIN}, last="9p", golds="1z", untouched=untouched)
    assert offered(position, 1, "win") == [f"win {way} 9p"]
