"""S-GOLD-3: a gold may stand for a kind of which four copies are already out (option ``fifth_copy``, default true)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import Act, offered, table, tile, verdict, win

#: 7m gold 9m need the gold to be 8m.
HAND = "79m 9s 1p"
MELDS = ["pung 1z@0", "pung 2z@0", "pung 3z@0", "pung 4z@0"]

CASES = [
    pytest.param({"discards": {1: "888m"}}, 3, id="three-in-the-river"),
    pytest.param({"discards": {1: "88m", 2: "88m"}}, 4, id="four-in-the-rivers"),
    pytest.param({"discards": {0: "8888m"}}, 4, id="four-of-ones-own"),
    pytest.param({"melds": {0: MELDS, 2: ["pung 8m@1"]}}, 3, id="a-pung"),
    pytest.param({"melds": {0: MELDS, 2: ["pung 8m@1"]}, "discards": {3: "8m"}}, 4, id="a-pung-and-one"),
    pytest.param({"melds": {0: MELDS, 2: ["exposed 8m@1"]}}, 4, id="a-kong"),
    pytest.param({"melds": {0: MELDS, 2: ["concealed 8m"]}}, 4, id="a-concealed-kong"),
    pytest.param({"melds": {0: [*MELDS[:3], "pung 8m@1"]}}, 3, id="ones-own-pung"),
    pytest.param({"melds": {0: [*MELDS[:3], "exposed 8m@1"]}}, 4, id="ones-own-kong"),
    pytest.param({"melds": {0: [*MELDS[:3], "chow 678m@3"]}, "discards": {2: "888m"}}, 4, id="in-a-chow"),
]


@pytest.mark.parametrize("fifth_copy", [True, False])
@pytest.mark.parametrize(("where", "out"), CASES)
def test_four_copies_out(where: dict[str, Any], out: int, fifth_copy: bool) -> None:
    position = table({0: HAND}, drawn="1p", options={"fifth_copy": fifth_copy}, **({"melds": {0: MELDS}} | where))
    is_win = fifth_copy or out < 4
    assert bool(offered(position, 0, "win")) is is_win
    assert verdict(position, 0, win("1p", "self_draw")) == (None if is_win else ("X-SHAPE-1", "not_complete"))


@pytest.mark.parametrize("fifth_copy", [True, False])
def test_tiles_that_nobody_sees_are_not_out(fifth_copy: bool) -> None:
    hands = {0: HAND, 1: "8888m 123p 456p 789p 123s"}
    position = table(hands, drawn="1p", melds={0: MELDS}, options={"fifth_copy": fifth_copy})
    assert offered(position, 0, "win") == ["win self_draw 1p"]


@pytest.mark.parametrize(
    ("hand", "drawn", "fifth_copy", "is_win"),
    [
        pytest.param("888m 9s", "8m", True, True, id="the-pair-of-a-fifth"),
        pytest.param("888m 9s", "8m", False, False, id="no-pair-of-a-fifth"),
        pytest.param("88m 1p 9s", "1p", False, True, id="a-third"),
        pytest.param("888m 9s", "7m", False, True, id="a-pair-of-another-kind"),
    ],
)
def test_ones_own_concealed_tiles_are_out(hand: str, drawn: str, fifth_copy: bool, is_win: bool) -> None:
    position = table({0: hand}, drawn=drawn, melds={0: MELDS}, options={"fifth_copy": fifth_copy})
    assert (verdict(position, 0, Act("win", tile(drawn))) is None) is is_win


@pytest.mark.parametrize("fifth_copy", [True, False])
def test_another_reading_will_do(fifth_copy: bool) -> None:
    # With all 8m out the gold still makes 999m, and 7m has its pair.
    position = table(
        {0: "799m 9s"}, drawn="7m", melds={0: MELDS}, discards={1: "8888m"}, options={"fifth_copy": fifth_copy}
    )
    assert offered(position, 0, "win") == ["win self_draw 7m"]


@pytest.mark.parametrize("fifth_copy", [True, False])
def test_a_gold_may_always_be_its_own_face(fifth_copy: bool) -> None:
    position = table(
        {0: "78s 9s 1p"}, drawn="1p", melds={0: MELDS}, discards={1: "99s"}, options={"fifth_copy": fifth_copy}
    )
    assert offered(position, 0, "win") == ["win self_draw 1p"]
