"""L-OPEN-5: after a concealed kong the dealer's win is no 天胡."""

from __future__ import annotations

from typing import Any

import pytest

from replays.table import Table
from tests.rules.builders import judged, offered, verdict, win
from tests.rules.longyan.tables import opening, played

NO_LONGER = ("L-OPEN-5", "no_heavenly_win_after_kong")
#: Fourteen tiles with four 5p: with them kongs leave a wait for 9s.
KONGS = "5555p 123456789m 9s"


def konged(hand: str = KONGS, drawn: str = "9s", dealer: int = 0, **given: Any) -> Table:
    """The dealer has konged before its first discard, and drawn."""
    position = opening({dealer: hand}, dealer=dealer, **given)
    return played(position, f"{dealer} konged 5p concealed", f"{dealer} drew {drawn}")


@pytest.mark.parametrize("dealer", [0, 3])
def test_a_self_draw_and_no_heavenly_win(dealer: int) -> None:
    position = konged(dealer=dealer)
    assert offered(position, dealer, "win") == ["win self_draw 9s"]
    for act in (win(None, "heavenly_win"), win("9s", "heavenly_win")):
        assert verdict(position, dealer, act) == NO_LONGER
        assert judged(position, "won", seat=dealer, win="heavenly_win", tile=act.tile) == [NO_LONGER]
    assert judged(position, "won", seat=dealer, win="self_draw", tile="9s") == []


def test_out_of_you_state_it_is_you() -> None:
    position = konged("5555p 123456789m 1z", "8p")
    assert offered(position, 0, "win") == ["win you 8p"]
    assert verdict(position, 0, win("8p", "heavenly_win")) == NO_LONGER


def test_two_kongs() -> None:
    position = played(konged("5555p 777z 123456m 9s", "7z"), "0 konged 7z concealed", "0 drew 9s")
    assert offered(position, 0, "win") == ["win self_draw 9s"]
    assert verdict(position, 0, win("9s", "heavenly_win")) == NO_LONGER


def test_a_flower_behind_the_kong() -> None:
    position = played(konged(drawn="3f"), "0 laid 3f 9s")
    assert verdict(position, 0, win("9s", "heavenly_win")) == NO_LONGER


def test_three_golds_are_what_they_were() -> None:
    """They are won on any own draw."""
    position = konged("5555p 147m 258s 2z 1z1z1z", "8p")
    assert offered(position, 0, "win") == ["win three_golds 8p"]


@pytest.mark.parametrize("hand", ["123456789m 123p 99p", "5555p 67p 123456m 99m"])
def test_before_a_kong_it_is(hand: str) -> None:
    """Also with four equal tiles in hand."""
    position = opening({0: hand})
    assert offered(position, 0, "win") == ["win heavenly_win"]
    assert judged(position, "won", seat=0, win="heavenly_win") == []


def test_in_play_it_is_none_either() -> None:
    """After a discard a kong's replacement has nothing to do with the opening."""
    position = played(opening({0: "555p 123456789m 9s 2z"}), "0 discarded 2z", "1 8s", "2 8s", "3 8s", "0 drew 5p")
    position = played(position, "0 konged 5p concealed", "0 drew 9s")
    assert offered(position, 0, "win") == ["win self_draw 9s"]
    assert verdict(position, 0, win("9s", "heavenly_win")) is not None
