"""L-WIN-10: one way counts, the one with the largest value; among equal values 天胡, 三金倒 (and its like), 搶金, then
the rest."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import findings, judged, offered
from tests.rules.longyan.positions import FULL, PLAIN, YOU, table, way

THREE = "123456m 77p 12s 7z 99s"  # complete with a third gold, and no you state before
THREE_YOU = "123456789m 1p 999s"  # in you state with three golds
WHOLE_THREE = "123456m 789p 22s 999s"  # the dealer's opening hand
FOUR = "123456m 77p 1s 7z 99s 1z"  # complete with a fourth gold, and no you state before
TRIPLETS = "111m 222p 88p 66z 7z 99s"  # complete with a third gold

CASES: dict[str, tuple[tuple[Any, ...], dict[str, Any], tuple[str, int]]] = {
    "天胡 before 三金倒": ((WHOLE_THREE, None, "opening"), {"seat": 0}, ("heavenly_win", 4)),
    "三金倒 where another opens so": (("147m 258p 36s 24z 999s", None, "opening"), {}, ("three_golds", 4)),
    "三金倒 over 自摸": ((THREE, "9s"), {}, ("three_golds", 4)),
    "三金倒 before 游金": ((THREE_YOU, "7z"), {}, ("three_golds", 4)),
    "游金 of 5 over 三金倒": ((THREE_YOU, "7z"), {"you_v": 5}, ("you", 5)),
    "三金倒 over a cheap 游金": ((THREE_YOU, "7z"), {"you_v": 3}, ("three_golds", 4)),
    "游金 over 自摸": ((YOU, "7z"), {}, ("you", 4)),
    "自摸 over the cheapest 游金": ((YOU, "7z"), {"you_v": 1}, ("self_draw", 2)),
    "雙游 over 自摸": ((YOU, "7z"), {"level": "double_you"}, ("double_you", 8)),
    "四金倒 before 游金": (("123456789m 99s 11z", "7z"), FULL, ("four_golds", 4)),
    "四金倒 over 自摸": ((FOUR, "1z"), FULL, ("four_golds", 4)),
    "雙游 over 四金倒": (("123456789m 99s 11z", "7z"), {"level": "double_you", **FULL}, ("double_you", 8)),
    "五金倒 before 雙游": (("123456m 78p 999s 11z", "7z"), {"level": "double_you", **FULL}, ("five_golds", 8)),
    "三游 over 四金倒": (("123456789m 99s 11z", "7z"), {"level": "triple_you", **FULL}, ("triple_you", 16)),
    "六金倒 over 游金": (("123456m 7p 999s 111z", "7z"), FULL, ("six_golds", 16)),
    "六金倒 of less than 游金": (("123456m 7p 999s 111z", "7z"), {"you_v": 17, **FULL}, ("you", 17)),
    "自摸 with a factor over 三金倒": ((TRIPLETS, "9s"), {"all_triplets_factor": 3}, ("self_draw", 6)),
    "三金倒 before 自摸 of 4": ((TRIPLETS, "9s"), {"all_triplets_factor": 2}, ("three_golds", 4)),
    "十三幺 over 天胡": (
        ("19m 19p 19s 1234567z 7z", None, "opening"),
        {"seat": 0, "golds": "3m"},
        ("thirteen_orphans", 16),
    ),
    "天胡 before 十三幺 of 4": (
        ("19m 19p 19s 1234567z 7z", None, "opening"),
        {"seat": 0, "golds": "3m", "you_v": 1},
        ("heavenly_win", 4),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("hand", "rest", "expected"), CASES.values(), ids=CASES)
def test_one_way_counts(hand: tuple[Any, ...], rest: dict[str, Any], expected: tuple[str, int]) -> None:
    assert way(*hand, **rest) == expected


# -- At the table ------------------------------------------------------------------------------------------------------


def test_another_way_on_record_is_a_finding() -> None:
    position = table({0: YOU}, drawn="5s")
    (found,) = findings(position, "won", seat=0, win="self_draw", tile="5s")
    assert (found.clause, found.code, found.seat) == ("L-WIN-10", "wrong_way_named", 0)
    assert found.expected["win"] == "you"
    assert found.recorded["win"] == "self_draw"
    assert findings(position, "won", seat=0, win="you", tile="5s") == []


@pytest.mark.parametrize("named", ["you", "double_you", "three_golds", "rob_kong", "thirteen_orphans"])
def test_a_way_that_the_hand_does_not_have(named: str) -> None:
    position = table({0: PLAIN}, drawn="3s")
    assert judged(position, "won", seat=0, win=named, tile="3s") == [("L-WIN-10", "wrong_way_named")]


def test_a_dealers_complete_hand_with_a_gold() -> None:
    """蓋寶搶金 is worth more than 天胡, and is what counts."""
    position = table({0: "123456789m 12s 77p 9s"}, opening=True)
    assert offered(position, 0, "win") == ["win covered_rob_gold"]
    cheap = table({0: "123456789m 12s 77p 9s"}, opening=True, options={"you_v": 1})
    assert offered(cheap, 0, "win") == ["win heavenly_win"]


def test_a_dealers_complete_hand_without() -> None:
    """天胡 before 搶金, which the hand would have too."""
    position = table({0: PLAIN + "3s"}, opening=True)
    assert offered(position, 0, "win") == ["win heavenly_win"]


def test_a_dealer_with_three_golds() -> None:
    assert offered(table({0: "147m 258p 36s 247z 999s"}, opening=True), 0, "win") == ["win three_golds"]
    assert offered(table({0: WHOLE_THREE}, opening=True, options={"you_v": 1}), 0, "win") == ["win heavenly_win"]
    assert offered(table({0: WHOLE_THREE}, opening=True), 0, "win") == ["win covered_rob_gold"]
