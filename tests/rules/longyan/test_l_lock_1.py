"""L-LOCK-1: from one player's gold discard until that player's next discard the others cannot self-draw plainly, pung
or rob a kong (十三幺 may rob a kong that is not the 雙游 player's); they may kong, and win by 游金 or better, by
三金倒 and its like, or on a kong replacement. Each lock binds all but its maker, and stands while a 雙游 or 三游 wait
stands (option ``gold_lock``: ``strict``, ``off``)."""

from __future__ import annotations

from typing import Any

import pytest

from replays.table import Table
from replays.variants import rulebook
from tests.rules.builders import findings, judged, kong, offered, pung, tiles, verdict, win
from tests.rules.longyan.tables import (
    BESIDE_ROBBING_ORPHANS,
    CLAIMER,
    KONGS,
    ONE,
    ORPHANS,
    OVER,
    PLAIN,
    ROBBER,
    YOU_MAKER,
    Row,
    is_free,
    locked_rows,
    locked_rows_of_full_mode,
    played,
    table,
    thrown,
)

LOCKED = ("L-LOCK-1", "locked_by_gold")
PAIR = "55p 147m 369s 34677z"

ROWS = locked_rows(
    pung=False, kong=True, self_draw=False, you=True, orphans=True, exposed_replacement=True,
    added_replacement=True, concealed_replacement=True, rob=False, rob_by_orphans=True,
)  # fmt: skip
FULL_ROWS = locked_rows_of_full_mode(
    self_draw=False, you=True, double_you=True, golds=True, kong=True, concealed_replacement=True
)
EVERY_ROW = pytest.mark.parametrize("row", ROWS.values(), ids=[*ROWS])
EVERY_FULL_ROW = pytest.mark.parametrize("row", FULL_ROWS.values(), ids=[*FULL_ROWS])


def locked_by(position: Table, seat: int, act: Any) -> list[int]:
    """The seats whose gold forbids an act."""
    given = {"tile": act.tile, "from_": act.from_}
    if act.act == "pung":
        (found,) = findings(position, "punged", seat=seat, with_=act.with_, **given)
    else:
        (found,) = findings(position, "won", seat=seat, win=act.win, **given)
    assert found.code == "locked_by_gold"
    return list(found.expected["locked_by"])


@EVERY_ROW
@pytest.mark.parametrize("maker", [None, YOU_MAKER], ids=["gold", "double-you"])
def test_after_a_gold(row: Row, maker: str | None) -> None:
    position = row.position(ONE, maker)
    assert position.levels[0] == (2 if maker else 0)
    assert is_free(position, 2, row.act) is row.is_free
    if not row.is_free:
        assert verdict(position, 2, row.act) == LOCKED
        assert locked_by(position, 2, row.act) == [0]


@EVERY_ROW
def test_free_after_the_makers_next_discard(row: Row) -> None:
    assert is_free(row.position(OVER), 2, row.act)


@EVERY_ROW
def test_without_the_lock(row: Row) -> None:
    assert is_free(row.position(ONE, options={"gold_lock": "off"}), 2, row.act)


@EVERY_FULL_ROW
def test_two_golds(row: Row) -> None:
    position = row.position(ONE)
    assert verdict(position, 2, row.act) == (None if row.is_free else LOCKED)
    assert is_free(row.position(OVER), 2, row.act)


@pytest.mark.parametrize("gold", ["1z", "2z"])
def test_either_gold_makes_it(gold: str) -> None:
    position = thrown({2: PLAIN}, ("6p", gold), options={"mode": "full"}, golds="1z2z")
    position = played(position, "1 8m", "2 drew 9p")
    assert verdict(position, 2, win("9p", "self_draw")) == LOCKED


def test_anothers_triple_you() -> None:
    """Seat 2 has made 三游 before seat 0 discards a gold."""
    hands = {2: "123456789m 123p 2z"}
    given: dict[str, Any] = {"options": {"mode": "full"}, "golds": "1z2z", "junk": "8s 2z 8s"}
    position = played(thrown(hands, ("6p", "5p", "1z"), **given), "1 8m", "2 drew 9p")
    assert position.levels[2] == 3
    assert is_free(position, 2, win("9p", "triple_you"))


def test_the_whole_book_knows_no_gold_lock_that_is_off() -> None:
    assert rulebook("longyan", "1", {}).options["gold_lock"] == "strict"


# ---- what makes it -------------------------------------------------------------------------------------


def test_a_stand_in_is_no_gold() -> None:
    position = played(thrown({2: PLAIN}, ("6p", "5z")), "1 8m", "2 drew 9p")
    assert is_free(position, 2, win("9p", "self_draw"))


@pytest.mark.parametrize("maker", [0, 1, 3])
def test_whoever_makes_it(maker: int) -> None:
    """Seat 2 draws plainly in the same go-around, after the seats before it."""
    start = table({2: PLAIN}, turn=2, last="6s", discards={0: "8m"})
    junk = {3: "5s", 0: "6s", 1: "8s"} | {maker: "1z"}
    position = played(start, *[f"{seat} {code}" for seat, code in junk.items()], "2 drew 9p")
    assert locked_by(position, 2, win("9p", "self_draw")) == [maker]


# ---- robbing -------------------------------------------------------------------------------------------


def robbed(robber: str, maker: str, discards: tuple[str, ...] = ONE, **given: Any) -> Table:
    """The maker of the lock has konged in its next turn."""
    hands = {**BESIDE_ROBBING_ORPHANS, 1: "147m 147p 147s 2467z", 2: robber, 0: maker}
    position = thrown(hands, discards, melds={0: ["pung 3z@3"]}, **given)
    return played(position, "1 8m", "2 8m", "3 8m", "0 drew 3z", "0 konged 3z added")


def test_orphans_may_rob_the_kong_of_who_only_discarded_a_gold() -> None:
    assert is_free(robbed(ORPHANS, "147m 147p 147s 2z"), 2, win("3z", "thirteen_orphans", 0))


@pytest.mark.parametrize(("option", "expected"), [("strict", LOCKED), ("off", None)])
def test_orphans_may_not_rob_the_double_you_players(option: str, expected: Any) -> None:
    position = robbed(ORPHANS, "123456789s 1z", options={"gold_lock": option})
    assert position.levels[0] == 2
    assert verdict(position, 2, win("3z", "thirteen_orphans", 0)) == expected
    assert is_free(position, 2, win("3z", "thirteen_orphans", 0)) is (expected is None)


@pytest.mark.parametrize("discards", [ONE, OVER])
def test_the_makers_kong_is_not_robbed_before_its_next_discard(discards: tuple[str, ...]) -> None:
    position = thrown({2: ROBBER}, discards, melds={0: ["pung 3p@3"]})
    position = played(position, "1 8m", "2 8m", "3 8m", "0 drew 3p", "0 konged 3p added")
    assert is_free(position, 2, win("3p", "rob_kong", 0)) is (discards is OVER)


# ---- until when ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("code", "is_over"), [("5p", True), ("2s", True), ("1z", False)])
def test_until_the_makers_next_discard(code: str, is_over: bool) -> None:
    position = played(thrown({2: PLAIN}, ONE), "1 8m", "2 8m", "3 8m", f"0 {code}", "1 6s", "2 drew 9p")
    assert is_free(position, 2, win("9p", "self_draw")) is is_over


@pytest.mark.parametrize(
    "claim",
    [
        pytest.param(("0 punged 5p",), id="a-pung"),
        pytest.param(("0 konged 5p exposed", "0 drew 5s"), id="a-kong"),
    ],
)
def test_the_makers_discard_after_a_claim_ends_it(claim: tuple[str, ...]) -> None:
    position = played(thrown({0: CLAIMER, 2: PLAIN}, ONE), "1 5p", *claim)
    position = played(position, "0 discarded 3z", "1 8m", "2 drew 9p")
    assert is_free(position, 2, win("9p", "self_draw"))


def test_a_kong_of_the_others_leaves_it() -> None:
    """Seat 1 kongs and discards: only the maker's discard counts."""
    position = thrown({1: "555p 147m 369s 3467z", 3: "22p 147m 258s 34677z"}, ONE)
    position = played(position, "1 drew 5p", "1 konged 5p concealed", "1 drew 2p", "1 discarded 2p")
    assert locked_by(position, 3, pung("2p", 1)) == [0]


# ---- several makers ------------------------------------------------------------------------------------


def two_makers(hands: dict[int, str]) -> Table:
    """Seat 0 has discarded a gold, and seat 1 another in the same go-around."""
    return played(thrown(hands, ONE), "1 1z")


@pytest.mark.parametrize(("seat", "makers"), [(3, [0, 1]), (0, [1]), (1, [0])])
def test_each_binds_all_but_its_maker(seat: int, makers: list[int]) -> None:
    position = played(two_makers({seat: PAIR}), "2 5p")
    assert locked_by(position, seat, pung("5p", 2)) == makers


def test_until_the_last_of_them_discards_again() -> None:
    position = played(two_makers({3: PAIR}), "2 8m", "3 8m", "0 5p")
    assert locked_by(position, 3, pung("5p", 0)) == [1]
    position = played(position, "1 5p")
    assert is_free(position, 3, pung("5p", 1))


def test_of_the_two_who_is_the_last_to_discard_is_free_alone() -> None:
    position = played(two_makers({1: PLAIN, 2: PLAIN}), "2 8m", "3 8m", "0 5p", "1 drew 9p")
    assert is_free(position, 1, win("9p", "self_draw"))
    position = played(position, "1 discarded 9p", "2 drew 9p")
    assert is_free(position, 2, win("9p", "self_draw"))


def test_three_makers() -> None:
    position = played(two_makers({3: PLAIN}), "2 1z", "3 drew 9p")
    assert locked_by(position, 3, win("9p", "self_draw")) == [0, 1, 2]


# ---- a wait that stands --------------------------------------------------------------------------------

STANDING = "123456m 555p 777z 1z"


def standing(hands: dict[int, str], *, discard: str = "5p", **given: Any) -> Table:
    """Seat 0 has made 雙游 with its gold, and then punged and discarded something else."""
    return played(thrown({0: STANDING, **hands}, ONE, **given), "1 5p", "0 punged 5p", f"0 discarded {discard}")


@pytest.mark.parametrize(("discard", "level"), [("5p", 2), ("1m", 0)])
def test_a_double_you_that_stands_after_a_pung_keeps_it(discard: str, level: int) -> None:
    """In place of the 5p that was left over a tile out of a run breaks the wait."""
    position = standing({2: PLAIN}, discard=discard)
    assert position.levels[0] == level
    position = played(position, "1 8m", "2 drew 9p")
    assert is_free(position, 2, win("9p", "self_draw")) is not bool(level)
    if level:
        assert verdict(position, 2, win("9p", "self_draw")) == LOCKED
        assert locked_by(position, 2, win("9p", "self_draw")) == [0]


def test_a_wait_that_stands_leaves_you_free() -> None:
    position = played(standing({2: "123456789m 123p 1z"}), "1 8m", "2 drew 9p")
    assert is_free(position, 2, win("9p", "you"))


def test_who_made_no_double_you_is_done_with_the_discard() -> None:
    """The same pung with no wait at all."""
    position = played(thrown({0: CLAIMER, 2: PLAIN}, ONE), "1 5p", "0 punged 5p", "0 discarded 5p", "1 8m", "2 drew 9p")
    assert is_free(position, 2, win("9p", "self_draw"))


def test_the_wait_that_is_given_up_ends_it() -> None:
    position = played(standing({2: PLAIN}), "1 8m", "2 8m", "3 8m", "0 5s", "1 6s", "2 drew 9p")
    assert position.levels[0] == 0
    assert is_free(position, 2, win("9p", "self_draw"))


def test_after_an_exposed_kong_too() -> None:
    """The kong keeps the wait and its level; the discard of the replacement gives the win up, and the lock ends."""
    position = played(thrown({0: STANDING, 2: PLAIN}, ONE), "1 5p", "0 konged 5p exposed")
    assert position.levels[0] == 2
    position = played(position, "0 drew 5s", "0 discarded 5s", "1 8m", "2 drew 9p")
    assert is_free(position, 2, win("9p", "self_draw"))


# ---- who is bound, in the offers -----------------------------------------------------------------------


def test_what_a_discard_offers() -> None:
    position = played(thrown({2: CLAIMER}, ONE), "1 5p")
    assert offered(position, 2) == ["kong 5p exposed", "pass"]
    position = played(thrown({2: CLAIMER}, OVER), "1 5p")
    assert offered(position, 2) == ["kong 5p exposed", "pass", "pung 5p"]


def test_the_events_are_judged_alike() -> None:
    position = played(thrown({2: CLAIMER}, ONE), "1 5p")
    assert judged(position, "punged", seat=2, tile="5p", with_="55p", from_=1) == [LOCKED]
    assert judged(position, "konged", seat=2, tile="5p", with_="555p", from_=1, kind="exposed") == []
    position = played(thrown({2: KONGS}, ONE), "1 8m", "2 drew 5p")
    assert judged(position, "konged", seat=2, tile="5p", with_=tiles("5555p"), kind="concealed") == []
    assert verdict(position, 2, kong("5p", "concealed")) is None
