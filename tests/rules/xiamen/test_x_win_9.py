"""X-WIN-9: one way counts, the one with the largest payment; among equals 天和, 三金倒, 三游, 雙游, 游金,
天聽, 自摸, 平和."""

from __future__ import annotations

from typing import Any

import pytest

from replays.variants.xiamen import WINS
from tests.rules.builders import findings, table
from tests.rules.xiamen.positions import PLAIN, facts, win

YOU = "123456789m 123456p 1z"
THREE = "123456789m 12p 46p 9p 11z"  # complete with a third gold, and no you state before
THREE_YOU = "123456789m 123p 46p 11z"  # complete and out of you state with it
DEALT = "123456789m 123p 99p 111z"

OFF = {"three_golds": "off", "you_bonus": 1}
ROBBED = facts(PLAIN, "9p", "rob_kong", is_untouched=True)
WON_ON = facts(PLAIN, "9p", "discard", is_untouched=True)
CHEAP = facts(YOU, "5s", is_untouched=True, level=3)

CASES: dict[str, tuple[Any, dict[str, Any], str]] = {
    "天和 before 三金倒": (facts(DEALT, by="opening", seat=0), {}, "heavenly_win"),
    "三金倒 with a bonus pays more than 天和": (facts(DEALT, by="opening", seat=0), {"you_bonus": 1}, "three_golds"),
    "天和 where 三金倒 is off": (facts(DEALT, by="opening", seat=0), OFF, "heavenly_win"),
    "三金倒 pays more than 自摸": (facts(THREE, "1z"), {}, "three_golds"),
    "自摸 where 三金倒 is off": (facts(THREE, "1z"), {"three_golds": "off"}, "self_draw"),
    "游金 pays more than a later 三金倒": (facts(THREE_YOU, "1z"), {}, "you"),
    "雙游 pays more than 三金倒": (facts(THREE_YOU, "1z", level=2), {}, "double_you"),
    "三游 pays more than 三金倒": (facts(THREE_YOU, "1z", level=3), {}, "triple_you"),
    "三金倒 before 三游": (facts(THREE_YOU, "1z", level=3), {"triple_you_k": 3}, "three_golds"),
    "三游 of 4 pays more than 三金倒": (facts(THREE_YOU, "1z", level=3), {"triple_you_k": 4}, "triple_you"),
    "游金 before 天聽": (facts(YOU, "5s", is_untouched=True), {}, "you"),
    "雙游 pays more than 天聽": (facts(YOU, "5s", is_untouched=True, level=2), {}, "double_you"),
    "三游 before 天聽": (CHEAP, {"triple_you_k": 4}, "triple_you"),
    "天聽 pays more than a cheap 三游": (CHEAP, {"triple_you_k": 3}, "heavenly_ready"),
    "天聽 pays more than 三金倒": (facts(THREE, "1z", is_untouched=True), {}, "heavenly_ready"),
    "天聽 pays more than 自摸": (facts(PLAIN, "9p", is_untouched=True), {}, "heavenly_ready"),
    "天聽 pays more than 平和": (WON_ON, {}, "heavenly_ready"),
    "天聽 before 自摸 by robbing": (ROBBED, {"rob_kong_k": 4}, "heavenly_ready"),
    "自摸 by robbing pays more": (ROBBED, {"rob_kong_k": 5}, "self_draw"),
    "nothing to pay: 天聽 before 自摸": (facts(PLAIN, "9p", is_untouched=True), {"base": 0}, "heavenly_ready"),
    "nothing to pay: 天聽 before 平和": (WON_ON, {"base": 0}, "heavenly_ready"),
    "游金 pays more than 自摸": (facts(YOU, "5s"), {}, "you"),
    "三游 before 自摸": (facts(YOU, "5s", level=3), {"triple_you_k": 2}, "triple_you"),
}  # fmt: skip


@pytest.mark.parametrize(("position", "options", "way"), CASES.values(), ids=CASES)
def test_one_way_counts(position: Any, options: dict[str, Any], way: str) -> None:
    assert win(position, **options).win == way


def test_multipliers_never_stack() -> None:
    assert win(facts(YOU, "5s", is_untouched=True)).factor == 4
    assert win(facts(THREE_YOU, "1z", is_untouched=True, level=2)).factor == 8
    assert win(facts(PLAIN, "9p", "rob_kong", is_untouched=True)).factor == 4


def test_the_order_among_equals() -> None:
    assert WINS == (
        "heavenly_win", "three_golds", "triple_you", "double_you", "you", "heavenly_ready", "self_draw", "discard",
    )  # fmt: skip


def test_another_way_on_record_is_a_finding() -> None:
    position = table({0: YOU}, drawn="5s", golds="1z")
    (found,) = findings(position, "won", seat=0, win="self_draw", tile="5s")
    assert (found.clause, found.code, found.seat) == ("X-WIN-9", "wrong_way_named", 0)
    assert found.expected["win"] == "you"
    assert found.recorded["win"] == "self_draw"
    assert findings(position, "won", seat=0, win="you", tile="5s") == []
