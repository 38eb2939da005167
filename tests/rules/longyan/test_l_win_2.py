"""L-WIN-2: 搶槓胡, winning on the tile that another adds to a pung, in the mode ``half`` only; also out of you state it
is worth a plain self-draw, and the robbed player pays (L-PAY-3)."""

from __future__ import annotations

from typing import Any

import pytest

from replays.referee import why_not
from replays.table import Table
from tests.rules.builders import audited, judged, offered
from tests.rules.builders import win as win_act
from tests.rules.longyan.positions import FULL, JUNK, PLAIN, YOU, cited, opened, table, won


def robbing(hand: str = PLAIN, kong: str = "added 3s@2", options: dict[str, Any] | None = None, **rest: Any) -> Table:
    """Seat 0 has konged and seat 1 holds ``hand``."""
    return table({1: hand}, melds={0: [kong]}, phase="kong", last="3s", options=options, **rest)


def test_an_added_kong_is_robbed() -> None:
    assert offered(robbing(), 1) == ["pass", "win rob_kong 3s"]
    assert judged(robbing(), "won", seat=1, win="rob_kong", tile="3s", from_=0) == []
    found = won(PLAIN, "3s", "rob_kong")
    assert (found["win"], found["factor"], found["clause"]) == ("rob_kong", 2, "L-WIN-2")


def test_by_anybody_who_waits_for_it() -> None:
    for seat in (1, 2, 3):
        position = table({seat: PLAIN}, melds={0: ["added 3s@2"]}, phase="kong", last="3s")
        assert [offered(position, other, "win") for other in range(4)] == [
            ["win rob_kong 3s"] if other == seat else [] for other in range(4)
        ]


def test_not_with_a_hand_that_does_not_wait_for_it() -> None:
    assert offered(robbing("123456789m 77p 13s"), 1) == []
    found = judged(robbing("123456789m 77p 13s"), "won", seat=1, win="rob_kong", tile="3s", from_=0)
    assert found == [("L-SHAPE-1", "not_complete")]


def test_a_concealed_kong_is_not() -> None:
    position = robbing(kong="concealed 3s")
    assert offered(position, 1) == []
    assert judged(position, "won", seat=1, win="rob_kong", tile="3s", from_=0) != []


def test_an_exposed_kong_is_not() -> None:
    assert offered(robbing(kong="exposed 3s@2"), 1) == []


# -- Its value ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hand", [PLAIN, YOU, "123456789m 12s 7z 9s", "1199m 1199p 2255s 9s"])
def test_worth_a_plain_self_draw(hand: str) -> None:
    """The last one are seven pairs."""
    found = won(hand, "3s", "rob_kong")
    assert (found["win"], found["factor"]) == ("rob_kong", 2)
    assert found["deltas"] == [-12, 12, 0, 0]


@pytest.mark.parametrize("level", ["double_you", "triple_you"])
def test_out_of_you_state_too(level: str) -> None:
    found = won(YOU, "3s", "rob_kong", level=level, from_=2)
    assert (found["win"], found["factor"], found["deltas"]) == ("rob_kong", 2, [0, 8, -8, 0])


@pytest.mark.parametrize("named", ["self_draw", "you"])
def test_it_has_a_name_of_its_own(named: str) -> None:
    position = robbing(YOU)
    assert offered(position, 1, "win") == ["win rob_kong 3s"]
    assert judged(position, "won", seat=1, win=named, tile="3s", from_=0) == [("L-WIN-10", "wrong_way_named")]


def test_three_golds_do_not_win_on_it() -> None:
    """三金倒 is for own draws."""
    assert cited(f"{JUNK} 999s", "3m", "rob_kong") == ("L-SHAPE-1", "not_complete")


# -- The mode ``full`` -------------------------------------------------------------------------------------------------


def test_no_robbing_in_the_full_mode() -> None:
    position = robbing(options=FULL)
    assert offered(position, 1) == []
    found = why_not(position, 1, win_act("3s", "rob_kong", 0))
    assert found is not None
    assert (found.clause, found.also) == ("L-CLAIM-1", ("L-WIN-2",))
    assert cited(PLAIN, "3s", "rob_kong", **FULL) == ("L-WIN-2", "no_robbing")


# -- Whole hands -------------------------------------------------------------------------------------------------------


def test_a_whole_hand() -> None:
    game = opened(
        {0: "33s 147m 258p 2467z 19m", 1: PLAIN, 3: "3s 147m 258p 2467z 39p"},
        gold="8s",
        draws="5m 6m 9p 8p 7s 6s 3s",
    )
    game.discard("1m").play("5m 6m 3s").pung(0).discard("2z").play("8p - -").draw()
    game.kong(0, "3s", "added")
    assert offered(game.table, 1, "win") == ["win rob_kong 3s"]
    game.win(1)
    (meld,) = game.table.melds[0]
    assert meld.kind == "pung"
    game.close().end()
    assert audited(game.events) == []
    assert game.table.scores == (-12, 12, 0, 0)
