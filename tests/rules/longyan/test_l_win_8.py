"""L-WIN-8: 十三幺 (L-SHAPE-3) on any win is worth as much as 三游."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import after, audited, judged, offered
from tests.rules.longyan.positions import FULL, ORPHANS, opened, table, way, won

#: 1m is missing, so that it is the only tile to wait for.
ONE_WAIT = "9m 19p 19s 1234567z 7z"


@pytest.mark.parametrize(("you_v", "v"), [(4, 16), (5, 20), (1, 4), (99, 396)])
@pytest.mark.parametrize("options", [{}, FULL])
def test_four_times_you_v(you_v: int, v: int, options: dict[str, Any]) -> None:
    found = won(ORPHANS, "1m", golds="3m7s" if options else "3m", you_v=you_v, **options)
    assert (found["win"], found["factor"], found["clause"]) == ("thirteen_orphans", v, "L-WIN-8")
    assert found["deltas"] == [-2 * v, 4 * v, -v, -v]


def test_no_factor_multiplies_it() -> None:
    factors: dict[str, Any] = {"all_triplets_factor": 2, "pure_suit_factor": 3}
    assert way(ORPHANS, "1m", golds="3m", **factors) == ("thirteen_orphans", 16)


# -- Where it is won ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["draw", "kong"])
def test_on_ones_own_draw(source: str) -> None:
    position = table({0: ONE_WAIT}, drawn="1m", golds="3m", source=source)
    assert offered(position, 0, "win") == ["win thirteen_orphans 1m"]
    assert judged(position, "won", seat=0, win="thirteen_orphans", tile="1m") == []


def test_not_on_a_discard() -> None:
    position = table({0: ONE_WAIT}, turn=2, last="1m", golds="3m", discards={1: "2m"})
    assert offered(position, 0, "win") == []
    found = judged(position, "won", seat=0, win="thirteen_orphans", tile="1m", from_=2)
    assert found == [("L-CLAIM-1", "no_discard_win")]


def test_by_robbing_a_kong() -> None:
    position = table({1: ONE_WAIT}, melds={0: ["added 1m@2"]}, phase="kong", last="1m", golds="3m")
    assert offered(position, 1, "win") == ["win thirteen_orphans 1m"]
    assert judged(position, "won", seat=1, win="thirteen_orphans", tile="1m", from_=0) == []
    assert judged(position, "won", seat=1, win="rob_kong", tile="1m", from_=0) == [("L-WIN-10", "wrong_way_named")]


def test_with_the_dealers_opening_hand() -> None:
    position = table({0: ORPHANS + "1m"}, opening=True, golds="3m")
    assert offered(position, 0, "win") == ["win thirteen_orphans"]
    assert way(ORPHANS + "1m", None, "opening", seat=0, golds="3m") == ("thirteen_orphans", 16)


@pytest.mark.parametrize(("golds", "expected"), [("1m", ["win thirteen_orphans"]), ("3m", []), ("9m", [])])
def test_by_taking_the_flipped_gold(golds: str, expected: list[str]) -> None:
    """Only where it is the missing tile itself (L-OPEN-2)."""
    position = after(table({1: ONE_WAIT}, opening=True, golds=golds), "discarded", seat=0, tile="4m")
    assert offered(position, 1, "win") == expected


def test_a_whole_hand() -> None:
    game = opened({1: ONE_WAIT}, gold="3m", draws="1m").discard("4m").draw().win(1).close().end()
    assert audited(game.events) == []
    assert game.table.scores == (-32, 64, -16, -16)
