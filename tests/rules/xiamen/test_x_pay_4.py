"""X-PAY-4: 游金獎. 三金倒 at the opening adds a room amount to each payment, outside the multiplier (``you_bonus``)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import Game, Item, altered, audited, chosen_wall, seq_of
from tests.rules.xiamen.positions import PLAIN, facts, lines, win

ANY = "147m 147p 147s 2347z"


@pytest.mark.parametrize("bonus", [0, 1, 25, 1000000])
def test_at_the_opening(bonus: int) -> None:
    share = (8 + 3) * 4 + bonus
    assert win(facts(ANY + "111z", by="opening"), you_bonus=bonus).deltas == (-share, 3 * share, -share, -share)
    dealers = (16 + 3) * 4 + bonus
    found = win(facts(ANY + "111z 6z", by="opening", seat=0), you_bonus=bonus)
    assert found.deltas == (3 * dealers, -dealers, -dealers, -dealers)


def test_none_by_default() -> None:
    assert win(facts(ANY + "111z", by="opening")).deltas == (-44, 132, -44, -44)
    assert lines(facts(ANY + "111z", by="opening"), "X-PAY-4") == []


WITHOUT: dict[str, Any] = {
    "three golds later": facts(ANY + "6z 11z", "1z"),
    "you": facts("123456789m 123456p 1z", "5s"),
    "double_you": facts("123456789m 123456p 1z", "5s", level=2),
    "heavenly_win": facts(PLAIN + "9p", by="opening", seat=0),
    "heavenly_ready": facts(PLAIN, "9p", is_untouched=True),
    "self_draw": facts(PLAIN, "9p"),
    "discard": facts(PLAIN, "9p", "discard"),
}


@pytest.mark.parametrize("position", WITHOUT.values(), ids=WITHOUT)
def test_no_other_way(position: Any) -> None:
    assert win(position, you_bonus=25).deltas == win(position).deltas


def test_it_is_a_line_of_its_own() -> None:
    position = facts(ANY + "111z", by="opening")
    assert lines(position, you_bonus=25) == [("X-WATER-3", 3), ("X-PAY-4", 25)]
    assert win(position, you_bonus=25).water == 3


@pytest.mark.parametrize(("value", "found"), [(25, []), (24, ["X-PAY-4"]), (0, ["X-PAY-4"])])
def test_a_line_on_record(value: int, found: list[str]) -> None:
    game = Game({"you_bonus": 25}).open(chosen_wall({2: ANY + "111z"}, gold="1z")).win(2).close().end()
    items = (Item(2, "X-WATER-3", 3), Item(2, "X-PAY-4", value))
    assert [each[1] for each in audited(altered(game.events, seq_of(game.events, "settled"), items=items))] == found
