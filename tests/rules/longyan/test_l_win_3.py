"""L-WIN-3: 天胡, the dealer's opening hand is complete and nobody has konged, is worth 4; the others have nothing like
it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import after, audited, judged, offered
from tests.rules.longyan.positions import FULL, ORPHANS, PLAIN, SEVEN, YOU, cited, opened, table, way, won

WHOLE = PLAIN + "3s"


@pytest.mark.parametrize("options", [{}, FULL])
@pytest.mark.parametrize("hand", [WHOLE, SEVEN + "7z", "111m 999m 222p 88p 777z"])
def test_the_dealers_opening_hand(hand: str, options: dict[str, Any]) -> None:
    found = won(hand, None, "opening", seat=0, **options)
    assert (found["win"], found["factor"], found["clause"]) == ("heavenly_win", 4, "L-WIN-3")
    assert found["deltas"] == [24, -8, -8, -8]


@pytest.mark.parametrize(("players", "deltas"), [(2, [-8, 8]), (3, [-8, 16, -8])])
def test_with_fewer_players(players: int, deltas: list[int]) -> None:
    assert won(WHOLE, None, "opening", seat=1, dealer=1, players=players)["deltas"] == deltas


def test_not_with_one_tile_off() -> None:
    assert cited(PLAIN + "4s", None, "opening", seat=0) == ("L-SHAPE-1", "not_complete")


@pytest.mark.parametrize("hand", [PLAIN, YOU, "111m 999m 222p 88p 77z"])
def test_the_others_have_nothing_like_it(hand: str) -> None:
    """Their thirteen tiles may wait, but are no hand; nor is the first draw more than a self-draw."""
    assert cited(hand, None, "opening")[0] == "L-SHAPE-1"
    first = table({1: PLAIN}, turn=1, drawn="3s", discards={0: "1z"})
    assert offered(first, 1, "win") == ["win self_draw 3s"]
    found = judged(first, "won", seat=1, win="heavenly_win")
    assert len(found) == 1


# -- At the table ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("options", [{}, FULL])
def test_before_the_first_discard(players: int, options: dict[str, Any]) -> None:
    position = table({0: WHOLE}, opening=True, players=players, options=options)
    assert offered(position, 0, "win") == ["win heavenly_win"]
    assert judged(position, "won", seat=0, win="heavenly_win") == []


def test_it_takes_no_tile() -> None:
    position = table({0: WHOLE}, opening=True)
    assert judged(position, "won", seat=0, win="heavenly_win", tile="3s") == [("S-CLAIM-3", "not_the_winning_tile")]
    assert judged(position, "won", seat=0, win="self_draw") == [("L-WIN-10", "wrong_way_named")]


def test_not_after_the_first_discard() -> None:
    position = after(table({0: WHOLE}, opening=True), "discarded", seat=0, tile="3s")
    assert offered(position, 0, "win") == []
    later = table({0: PLAIN}, drawn="3s", discards={0: "1z"})
    assert offered(later, 0, "win") == ["win self_draw 3s"]
    assert judged(later, "won", seat=0, win="heavenly_win", tile="3s") == [("L-WIN-10", "wrong_way_named")]


def test_after_a_concealed_kong_it_is_a_self_draw() -> None:
    position = table({0: "5555z 123456m 77p 12s"}, opening=True, golds="9p")
    position = after(position, "konged", seat=0, kind="concealed", tile="5z", with_="5z5z5z5z")
    position = after(position, "drew", seat=0, tile="3s", tail=True)
    assert offered(position, 0, "win") == ["win self_draw 3s"]
    assert judged(position, "won", seat=0, win="heavenly_win", tile="3s") != []


def test_thirteen_orphans_at_once_are_worth_more() -> None:
    assert way(ORPHANS + "1m", None, "opening", seat=0, golds="3m") == ("thirteen_orphans", 16)


def test_a_whole_hand() -> None:
    game = opened({2: WHOLE}, dealer=2).win(2).close().end()
    assert audited(game.events) == []
    assert game.table.scores == (-8, -8, 24, -8)
