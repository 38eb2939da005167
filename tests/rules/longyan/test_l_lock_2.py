"""L-LOCK-2: after the same player's second gold in consecutive discards, or the gold that makes 三游, until that
player's next discard: the others cannot pung, rob, self-draw, win by 游金 or on an exposed kong's replacement; they
may kong, and win only on the replacement of a concealed kong."""

from __future__ import annotations

from typing import Any

import pytest

from replays.table import Table
from tests.rules.builders import findings, pung, verdict, win
from tests.rules.longyan.tables import (
    BESIDE_ORPHANS,
    KONGS,
    ONE,
    ORPHANS,
    OVER,
    PLAIN,
    TWO,
    YOU_MAKER,
    Row,
    is_free,
    locked_rows,
    locked_rows_of_full_mode,
    played,
    thrown,
)

LOCKED = ("L-LOCK-2", "locked_by_gold")

ROWS = locked_rows(
    pung=False, kong=True, self_draw=False, you=False, orphans=False, exposed_replacement=False,
    added_replacement=False, concealed_replacement=True, rob=False, rob_by_orphans=False,
)  # fmt: skip
FULL_ROWS = locked_rows_of_full_mode(
    self_draw=False, you=False, double_you=False, golds=False, kong=True, concealed_replacement=True
)
FEW_ENOUGH = {name: row for name, row in FULL_ROWS.items() if name != "five golds"}  # two of six golds are gone
EVERY_ROW = pytest.mark.parametrize("row", ROWS.values(), ids=[*ROWS])

#: A maker in you state discards two golds and keeps the third, so nobody else has one; thirteen orphans have it too.
WITHOUT_GOLD = {
    name: row
    for name, row in ROWS.items()
    if ORPHANS not in row.hands.values() and not any(hand.endswith("1z") for hand in row.hands.values())
}

#: What tells the two locks apart: a win on an exposed kong's replacement.
EXPOSED = ("1 5p", "2 konged 5p exposed", "2 drew 9s")
ON_EXPOSED = win("9s", "self_draw")
NOTHING = "147m 147p 369s 2346z"


@EVERY_ROW
def test_after_the_second_gold(row: Row) -> None:
    position = row.position(TWO)
    assert is_free(position, 2, row.act) is row.is_free
    if row.is_free:
        return
    assert verdict(position, 2, row.act) == LOCKED
    if row.act.act == "win":
        given: dict[str, Any] = {"win": row.act.win, "tile": row.act.tile, "from_": row.act.from_}
        (found,) = findings(position, "won", seat=2, **given)
        assert found.expected["locked_by"] == [0]


@pytest.mark.parametrize("row", WITHOUT_GOLD.values(), ids=[*WITHOUT_GOLD])
def test_after_the_gold_that_makes_triple_you(row: Row) -> None:
    position = row.position(TWO, YOU_MAKER)
    assert position.levels[0] == 3
    assert is_free(position, 2, row.act) is row.is_free
    assert verdict(position, 2, row.act) == (None if row.is_free else LOCKED)


@EVERY_ROW
def test_without_the_lock(row: Row) -> None:
    assert is_free(row.position(TWO, options={"gold_lock": "off"}), 2, row.act)


@pytest.mark.parametrize("row", FEW_ENOUGH.values(), ids=[*FEW_ENOUGH])
def test_two_golds(row: Row) -> None:
    position = row.position(TWO)
    assert is_free(position, 2, row.act) is row.is_free
    assert verdict(position, 2, row.act) == (None if row.is_free else LOCKED)


@pytest.mark.parametrize("discards", [("1z", "2z"), ("2z", "1z"), ("2z", "2z")])
def test_of_either_gold(discards: tuple[str, str]) -> None:
    position = thrown({2: PLAIN}, discards, options={"mode": "full"}, golds="1z2z")
    position = played(position, "1 8m", "2 drew 9p")
    assert verdict(position, 2, win("9p", "self_draw")) == LOCKED


# ---- what makes it -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("discards", "expected"),
    [
        pytest.param(TWO, LOCKED, id="two"),
        pytest.param(("6p", "1z", "1z"), LOCKED, id="after-something-else"),
        pytest.param(("1z", "1z", "1z"), LOCKED, id="three"),
        pytest.param(("1z", "6p", "1z"), None, id="not-consecutive"),
        pytest.param(ONE, None, id="one"),
        pytest.param(OVER, None, id="none-since"),
        pytest.param(("1z", "1z", "6p"), None, id="two-and-something-else"),
        pytest.param(("1z", "1z", "6p", "1z"), None, id="two-and-one"),
        pytest.param(("1z", "5z"), None, id="a-stand-in-is-no-gold"),
    ],
)
def test_the_second_in_consecutive_discards(discards: tuple[str, ...], expected: Any) -> None:
    """Golds in hand that are not used for 三金倒: the rest is nothing at all."""
    position = thrown({0: NOTHING, 2: KONGS}, discards, junk="8s 6s 2s")
    position = played(position, *EXPOSED)
    assert verdict(position, 2, ON_EXPOSED) == expected


def test_of_the_same_player() -> None:
    """A gold each of two players makes two locks of the first kind."""
    position = played(thrown({3: KONGS}, ONE), "1 1z", "2 5p", "3 konged 5p exposed", "3 drew 9s")
    assert is_free(position, 3, ON_EXPOSED)


@pytest.mark.parametrize(("code", "expected"), [("1z", LOCKED), ("2z", None)])
def test_a_kong_between(code: str, expected: Any) -> None:
    """A concealed kong, and the gold discarded out of the hand with the replacement in it."""
    hands = {0: "333s 147m 147p 2346z", 2: KONGS}
    position = played(thrown(hands, ONE), "1 8m", "2 8m", "3 8m", "0 drew 3s", "0 konged 3s concealed")
    position = played(position, "0 drew 1z", f"0 discarded {code}", *EXPOSED)
    assert verdict(position, 2, ON_EXPOSED) == expected


@pytest.mark.parametrize(("code", "expected"), [("1z", LOCKED), ("2z", None)])
def test_a_pung_between(code: str, expected: Any) -> None:
    """Seat 0 punged seat 3's discard and discarded a second gold, or something else."""
    position = played(thrown({0: "33s 147m 147p 2346z 1z", 2: KONGS}, ONE), "1 8m", "2 8m", "3 3s", "0 punged 3s")
    position = played(position, f"0 discarded {code}", *EXPOSED)
    assert verdict(position, 2, ON_EXPOSED) == expected


TRIPLE = "123456m 555p 777z 1z"


def test_the_gold_that_makes_triple_you_need_not_follow_a_gold() -> None:
    """雙游, a pung and another discard, and on the first own draw the gold that makes 三游."""
    hands = {0: TRIPLE, 2: "888p 123456789s 9m"}
    position = played(thrown(hands, ONE, junk="2m 2m 2m"), "1 5p", "0 punged 5p", "0 discarded 5p")
    position = played(position, "1 3m", "2 3m", "3 3m", "0 1z")
    assert position.levels[0] == 3
    position = played(position, "1 8p", "2 konged 8p exposed", "2 drew 9m")
    assert verdict(position, 2, win("9m", "self_draw")) == LOCKED


def test_that_much_for_double_you_alone() -> None:
    """The same without the last gold: a wait that stands is a lock of the first kind."""
    hands = {0: TRIPLE, 2: "888p 123456789s 9m"}
    position = played(thrown(hands, ONE, junk="2m 2m 2m"), "1 5p", "0 punged 5p", "0 discarded 5p")
    position = played(position, "1 8p", "2 konged 8p exposed", "2 drew 9m")
    assert position.levels[0] == 2
    assert is_free(position, 2, win("9m", "self_draw"))


def test_a_triple_you_that_stands_after_a_pung_keeps_it() -> None:
    position = played(thrown({0: TRIPLE, 2: "22p 147m 369s 34667z"}, TWO), "1 5p", "0 punged 5p", "0 discarded 5p")
    assert position.levels[0] == 3
    position = played(position, "1 2p")
    assert verdict(position, 2, pung("2p", 1)) == LOCKED


@pytest.mark.parametrize(("maker", "level"), [("147m 147p 147s 2z", 0), ("123456789s 5m", 3)])
@pytest.mark.parametrize(("option", "expected"), [("strict", LOCKED), ("off", None)])
def test_orphans_rob_nobody(maker: str, level: int, option: str, expected: Any) -> None:
    """Not the maker's kong either, whether it is in you state or not; 5m is gold."""
    hands = {**BESIDE_ORPHANS, 0: maker, 2: ORPHANS}
    given: dict[str, Any] = {"melds": {0: ["pung 3z@3"]}, "golds": "5m", "options": {"gold_lock": option}}
    position = played(thrown(hands, ("5m", "5m"), **given), "1 8m", "2 8m", "3 8m", "0 drew 3z", "0 konged 3z added")
    assert position.levels[0] == level
    assert verdict(position, 2, win("3z", "thirteen_orphans", 0)) == expected


# ---- until when ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("code", "expected"), [("6p", None), ("1z", LOCKED)])
def test_until_the_makers_next_discard(code: str, expected: Any) -> None:
    position = played(thrown({0: NOTHING, 2: KONGS}, TWO), "1 8m", "2 8m", "3 8m", f"0 {code}", *EXPOSED)
    assert verdict(position, 2, ON_EXPOSED) == expected


def test_a_kong_of_the_others_leaves_it() -> None:
    position = played(thrown({1: "666p 147m 258s 3467z", 2: KONGS}, TWO), "1 drew 6p", "1 konged 6p concealed")
    position = played(position, "1 drew 5p", "1 discarded 5p", "2 konged 5p exposed", "2 drew 9s")
    assert verdict(position, 2, ON_EXPOSED) == LOCKED


# ---- several makers ------------------------------------------------------------------------------------


def both(hands: dict[int, str]) -> Table:
    """Seat 0 has discarded two golds, and seat 1 one."""
    return played(thrown(hands, TWO), "1 1z")


@pytest.mark.parametrize(
    ("seat", "expected"),
    [pytest.param(0, None, id="by-the-first-kind-alone"), pytest.param(3, LOCKED, id="by-both")],
)
def test_each_is_bound_by_the_others_locks(seat: int, expected: Any) -> None:
    steps = (f"{seat} konged 5p exposed", f"{seat} drew 9s")
    position = played(both({seat: KONGS}), "2 5p", *steps)
    assert verdict(position, seat, ON_EXPOSED) == expected
    if expected:
        (found,) = findings(position, "won", seat=seat, win="self_draw", tile="9s")
        assert 0 in found.expected["locked_by"]


def test_the_second_maker_is_bound_by_the_first() -> None:
    position = played(both({1: KONGS}), "2 5p", "1 konged 5p exposed", "1 drew 9s")
    assert verdict(position, 1, ON_EXPOSED) == LOCKED
