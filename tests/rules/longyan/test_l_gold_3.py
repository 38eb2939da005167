"""L-GOLD-3: a discarded white that stands in is white, and may be punged or konged as any tile; a white that is gold
may not. A robbed white is the stand-in in the robber's hand, and white in 十三幺."""

from __future__ import annotations

import pytest

from replays.referee import why_not
from replays.table import Table
from tests.rules.builders import after, judged, kong, offered, pung
from tests.rules.longyan.positions import FULL, table

REST = "147m 258p 258s"


def discarded(hand: str, golds: str = "9s") -> Table:
    """Seat 0 has discarded a white; seat 2 holds ``hand``."""
    return table({2: hand}, turn=0, last="5z", golds=golds)


# -- A discarded white -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("whites", "expected"),
    [("5z 14z", []), ("55z 1z", ["pass", "pung 5z"]), ("555z", ["kong 5z exposed", "pass", "pung 5z"])],
)
def test_it_may_be_punged_and_konged(whites: str, expected: list[str]) -> None:
    position = discarded(f"{REST} 7z {whites}")
    assert offered(position, 2) == expected


def test_it_lies_as_white() -> None:
    position = after(discarded(f"{REST} 17z 55z"), "punged", seat=2, tile="5z", from_=0, with_="5z5z")
    (meld,) = position.melds[2]
    assert (meld.kind, [*meld.tiles]) == ("pung", [31, 31, 31])
    assert position.concealed(2).count(31) == 0


def test_the_face_kind_s_own_tiles_are_golds_and_do_not_go_with_it() -> None:
    """White and two 9s: the whites of a pung are whites."""
    position = discarded(f"{REST} 17z 99s")
    assert offered(position, 2) == []
    assert judged(position, "punged", seat=2, tile="5z", from_=0, with_="9s9s") == [("S-GOLD-2", "gold_in_a_claim")]


def test_a_white_that_is_gold_may_not() -> None:
    position = discarded(f"{REST} 17z 55z", golds="5z")
    assert offered(position, 2) == []
    found = why_not(position, 2, pung("5z", 0))
    assert found is not None
    assert found.code == "gold_claimed"
    assert {"S-GOLD-2", "L-GOLD-3"} & {found.clause, *found.also}


def test_kongs_of_ones_own_whites() -> None:
    position = table({0: f"{REST} 7z 555z"}, drawn="5z")
    assert "kong 5z concealed" in offered(position, 0)
    added = table({0: f"{REST} 7z"}, melds={0: ["pung 5z@1"]}, drawn="5z")
    assert "kong 5z added" in offered(added, 0)
    full = table({0: f"{REST} 7z 555z"}, drawn="5z", options=FULL)
    assert "kong 5z concealed" in offered(full, 0)


def test_no_kong_of_whites_that_are_gold() -> None:
    position = table({0: f"{REST} 17z 55z"}, drawn="5z", golds="5z")
    assert offered(position, 0, "kong") == []
    assert why_not(position, 0, kong("5z", "concealed")) is not None


# -- A robbed white ----------------------------------------------------------------------------------------------------


def robbing(hand: str, golds: str = "9s") -> Table:
    """Seat 0 adds a white to its pung."""
    return table({1: hand}, melds={0: ["added 5z@2"]}, phase="kong", last="5z", golds=golds)


@pytest.mark.parametrize(
    ("hand", "golds", "expected"),
    [
        ("123456789m 78s 77z", "9s", ["win rob_kong 5z"]),  # 789s
        ("123456789m 56s 77z", "7s", ["win rob_kong 5z"]),
        ("123456789m 78s 77z", "8p", []),  # white is 8p here
        ("123456789m 79p 77z", "8p", ["win rob_kong 5z"]),
        ("123456789m 22z 77z", "2z", ["win rob_kong 5z"]),  # with two golds, 222z
        ("123456789m 123p 9s", "9s", ["win rob_kong 5z"]),  # any tile does
        ("123456789m 123p 7z", "9s", []),
    ],
)
def test_it_is_the_stand_in(hand: str, golds: str, expected: list[str]) -> None:
    assert offered(robbing(hand, golds), 1, "win") == expected


@pytest.mark.parametrize("golds", ["3m", "1m", "9s"])
def test_it_is_white_in_thirteen_orphans(golds: str) -> None:
    position = robbing("19m 19p 19s 123467z 7z", golds)
    assert offered(position, 1, "win") == ["win thirteen_orphans 5z"]


def test_it_is_not_the_face_kind_there() -> None:
    assert offered(robbing("9m 19p 19s 123467z 77z", "1m"), 1, "win") == []
