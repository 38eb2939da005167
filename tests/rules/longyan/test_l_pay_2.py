"""L-PAY-2: the factors of 碰碰胡 and 清一色 multiply the value of complete hands, that is self-draws, robberies, 游 and
天胡, before the ways are compared (L-WIN-10)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import audited, offered
from tests.rules.longyan.positions import FULL, JUNK, ORPHANS, PLAIN, opened, table, way, won

FACTORS: dict[str, Any] = {"all_triplets_factor": 2, "pure_suit_factor": 3}
TRIPLETS = "111m 999m 222p 88p 77z"
SUIT = "123456789m 1113m"
BOTH = "111m 999m 222m 88m 77m"
TRIPLETS_YOU = "111m 999m 222p 888p 9s"
BOTH_YOU = "111m 999m 222m 888m 9s"

MULTIPLIED: dict[str, tuple[tuple[Any, ...], dict[str, Any], tuple[str, int]]] = {
    "a self-draw of neither": ((PLAIN, "3s"), {}, ("self_draw", 2)),
    "a self-draw of triplets": ((TRIPLETS, "7z"), {}, ("self_draw", 4)),
    "a self-draw of one suit": ((SUIT, "3m"), {}, ("self_draw", 6)),
    "a self-draw of both": ((BOTH, "7m"), {}, ("self_draw", 12)),
    "seven pairs of one suit": (("1122445577889m", "9m"), {}, ("self_draw", 6)),
    "a robbery": ((TRIPLETS_YOU, "7z", "rob_kong"), {}, ("rob_kong", 4)),
    "a robbery in one suit": ((BOTH_YOU, "7m", "rob_kong"), {}, ("rob_kong", 12)),
    "游金": ((TRIPLETS_YOU, "7z"), {}, ("you", 8)),
    "雙游": ((TRIPLETS_YOU, "7z"), {"level": "double_you"}, ("double_you", 16)),
    "三游": ((BOTH_YOU, "7m"), {"level": "triple_you"}, ("triple_you", 96)),
    "游金 of 5": ((TRIPLETS_YOU, "7z"), {"you_v": 5}, ("you", 10)),
    "天胡": ((TRIPLETS + "7z", None, "opening"), {"seat": 0}, ("heavenly_win", 8)),
    "天胡 in one suit": ((SUIT + "3m", None, "opening"), {"seat": 0}, ("heavenly_win", 12)),
    "蓋寶搶金, as 雙游": ((TRIPLETS_YOU, None, "opening"), {"right": "covered_rob_gold"}, ("covered_rob_gold", 16)),
}


@pytest.mark.parametrize(("hand", "rest", "expected"), MULTIPLIED.values(), ids=MULTIPLIED)
def test_complete_hands(hand: tuple[Any, ...], rest: dict[str, Any], expected: tuple[str, int]) -> None:
    assert way(*hand, **(rest | FACTORS)) == expected


NOT_MULTIPLIED: dict[str, tuple[tuple[Any, ...], dict[str, Any], tuple[str, int]]] = {
    "三金倒": ((f"{JUNK} 999s", "7z"), {}, ("three_golds", 4)),
    "三金倒 of one suit": (("1144779m 999s", "2m"), {"melds": ["pung 6m"]}, ("three_golds", 4)),
    "五金倒": (("112p 47m 258p 99s 111z", "3m"), {"mode": "full"}, ("five_golds", 8)),
    "搶金": ((TRIPLETS, None, "opening"), {"right": "rob_gold"}, ("rob_gold", 4)),
    "搶金 of one suit": ((SUIT, None, "opening"), {"right": "rob_gold"}, ("rob_gold", 4)),
    "十三幺": ((ORPHANS, "1m"), {"golds": "3m"}, ("thirteen_orphans", 16)),
}


@pytest.mark.parametrize(("hand", "rest", "expected"), NOT_MULTIPLIED.values(), ids=NOT_MULTIPLIED)
def test_others(hand: tuple[Any, ...], rest: dict[str, Any], expected: tuple[str, int]) -> None:
    assert way(*hand, **(rest | FACTORS)) == expected


@pytest.mark.parametrize(
    ("factor", "expected"), [(1, ("three_golds", 4)), (2, ("three_golds", 4)), (3, ("self_draw", 6))]
)
def test_before_the_ways_are_compared(factor: int, expected: tuple[str, int]) -> None:
    """A third gold completes a hand of triplets: 三金倒 of 4, or a self-draw of 2 times the factor."""
    assert way("111m 222p 88p 66z 7z 99s", "9s", all_triplets_factor=factor) == expected


def test_the_dealer_doubles_after() -> None:
    assert won(TRIPLETS, "7z", **FACTORS)["deltas"] == [-8, 16, -4, -4]
    assert won(TRIPLETS, "7z", dealer=1, **FACTORS)["deltas"] == [-8, 24, -8, -8]
    assert won(TRIPLETS_YOU, "7z", "rob_kong", **FACTORS)["deltas"] == [-24, 24, 0, 0]


def test_at_the_table() -> None:
    position = table({0: "111m 222p 88p 66z 7z 99s"}, drawn="9s", options=FACTORS)
    assert offered(position, 0, "win") == ["win three_golds 9s"]
    position = table({0: "111m 222p 88p 66z 7z 99s"}, drawn="9s", options={"all_triplets_factor": 3})
    assert offered(position, 0, "win") == ["win self_draw 9s"]


@pytest.mark.parametrize("options", [FACTORS, {**FULL, **FACTORS}])
def test_a_whole_hand(options: dict[str, Any]) -> None:
    game = opened({1: "111m 999m 222p 88p 77z"}, options=options, draws="7z").discard("4s").draw().win(1).close().end()
    assert audited(game.events) == []
    assert game.table.scores == (-8, 16, -4, -4)
