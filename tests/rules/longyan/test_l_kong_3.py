"""L-KONG-3: the kongs of all players, and 分餅, are settled at the end of the hand, whether anybody won or not. A
robbed kong is not."""

from __future__ import annotations

from typing import Any

import pytest

from replays.table import Table
from tests.rules.builders import Game, after, audited, judged, seq_of
from tests.rules.longyan.positions import PLAIN, opened, repaid, table

LEFT_OUT = [("L-KONG-3", "wrong_payment")]
MELDS = {0: ["exposed 2z@3"], 2: ["concealed 5m"], 3: ["added 6z@1"]}
#: The exposed kong of the dealer 6 from seat 3; the concealed one 4 and 2 and 2; the added one 2 and 1 and 1.
KONGS = (6 - 4 - 2, -2 - 1, 8 - 1, -6 - 2 + 4)


def exhausted(melds: dict[int, list[str]], **rest: Any) -> Table:
    return after(table(melds=melds, turn=1, last="9m", left=0, **rest), "exhausted")


def won(melds: dict[int, list[str]], **rest: Any) -> Table:
    """Seat 1 wins by a self-draw: (-4, 8, -2, -2)."""
    position = table({1: PLAIN}, turn=1, drawn="3s", melds=melds, discards={0: "3z"}, **rest)
    return after(position, "won", seat=1, win="self_draw", tile="3s")


def added(*paid: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*paid, strict=True)))


WIN = (-4, 8, -2, -2)


def test_without_a_winner() -> None:
    position = exhausted(MELDS)
    assert judged(position, "settled", deltas=KONGS) == []
    assert judged(position, "settled", deltas=(0, 0, 0, 0)) == LEFT_OUT


def test_beside_a_win() -> None:
    position = won(MELDS)
    assert judged(position, "settled", deltas=added(WIN, KONGS)) == []
    assert judged(position, "settled", deltas=WIN) == LEFT_OUT


@pytest.mark.parametrize("seat", [0, 2, 3])
def test_the_kongs_of_all_players(seat: int) -> None:
    """Not the winner's alone."""
    one = {0: (12, -4, -4, -4), 2: (-4, -2, 8, -2), 3: (-4, -2, -2, 8)}[seat]
    position = won({seat: ["concealed 5m"]})
    assert judged(position, "settled", deltas=added(WIN, one)) == []
    assert judged(position, "settled", deltas=WIN) == LEFT_OUT


def test_flower_kongs_and_kongs_left_out_together() -> None:
    position = exhausted({2: ["concealed 5m"]}, flowers={1: "1234f"})
    assert judged(position, "settled", deltas=added((-4, -2, 8, -2), (-2, 4, -1, -1))) == []
    assert judged(position, "settled", deltas=(-2, 4, -1, -1)) == LEFT_OUT
    assert judged(position, "settled", deltas=(-4, -2, 8, -2)) == [("L-KONG-2", "wrong_payment")]


def test_nothing_to_settle() -> None:
    position = exhausted({})
    assert judged(position, "settled", deltas=(0, 0, 0, 0)) == []
    (found,) = judged(position, "settled", deltas=(-4, 8, -2, -2))
    assert found[1] in ("wrong_payment", "paid_without_winner")


# -- A robbed kong -----------------------------------------------------------------------------------------------------


def robbed(melds: list[str]) -> Table:
    position = table({1: PLAIN}, melds={0: [*melds, "added 3s@2"]}, phase="kong", last="3s")
    return after(position, "won", seat=1, win="rob_kong", tile="3s", from_=0)


def test_a_robbed_kong_is_not_settled() -> None:
    position = robbed([])
    assert judged(position, "settled", deltas=(-12, 12, 0, 0)) == []
    (found,) = judged(position, "settled", deltas=(-12 + 6, 12 - 2, -2, -2))
    assert found[1] == "wrong_payment"


def test_others_of_the_same_player_are() -> None:
    position = robbed(["concealed 5m"])
    assert judged(position, "settled", deltas=(-12 + 12, 12 - 4, -4, -4)) == []
    assert judged(position, "settled", deltas=(-12, 12, 0, 0)) == LEFT_OUT


def test_a_kong_that_could_have_been_robbed_counts() -> None:
    """Nobody robbed it; the konging player wins on the replacement."""
    position = table({0: "123456m 77p 12s"}, melds={0: ["added 5s@2"]}, drawn="3s", source="kong", discards={1: "3z"})
    position = after(position, "won", seat=0, win="self_draw", tile="3s")
    assert judged(position, "settled", deltas=(12 + 6, -4 - 2, -4 - 2, -4 - 2)) == []


def test_a_voided_hand_settles_nothing() -> None:
    position = table(melds=MELDS, turn=1, last="9m", left=20, flowers={1: "1234f"}, discards={0: "3z"})
    position = after(position, "voided", reason="server")
    assert position.outcome is not None
    assert position.outcome.settlement is None
    game = opened({0: "6666z 147m 258p 1478s"}, gold="2z").kong(0, "6z", "concealed").draw()
    game.emit("voided", reason="server").end_hand().end()
    assert audited(game.events) == []
    assert game.table.scores == (0, 0, 0, 0)
    assert game.audit().hands[0].deltas == (0, 0, 0, 0)


# -- Whole hands -------------------------------------------------------------------------------------------------------


def played(is_won: bool) -> Game:
    """Seat 2 kongs concealed and goes on; then seat 3 wins, or the wall runs out, with flowers that are worth
    nothing."""
    hands = {2: "6666z 147m 258p 14z 9p", 3: PLAIN}
    draws = "4m 7m 3s" if is_won else "4m 7m 6m"
    game = opened(hands, options={"flower_kong": "off"}, gold="8s", draws=draws, tail="9p").discard("1m")
    game.play("4m").draw().kong(2, "6z", "concealed").draw().discard("9p").draw()
    if is_won:
        return game.win(3).close().end()
    return game.discard("6m").play_out().exhaust().close().end()


@pytest.mark.parametrize("is_won", [True, False])
def test_a_whole_hand(is_won: bool) -> None:
    game = played(is_won)
    kong = (-4, -2, 8, -2)
    win = (-4, -2, -2, 8) if is_won else (0, 0, 0, 0)
    assert game.table.scores == added(kong, win)
    assert audited(game.events) == []
    assert repaid(game, win) == [(seq_of(game.events, "settled"), *LEFT_OUT[0])]


def test_a_log_with_more_kongs_than_there_can_be() -> None:
    """Which of thirty were left out is not tried out; all of them, or one, is still named."""
    kinds = [f"{n}{suit}" for suit in "mps" for n in range(1, 10)] + ["3z", "6z", "7z"]
    position = table(melds={1: [f"concealed {kind}" for kind in kinds]}, turn=1, last="9m", left=0)
    position = after(position, "exhausted")
    assert judged(position, "settled", deltas=[0, 0, 0, 0]) == [LEFT_OUT[0]]
    owed = [-4 * 30, 8 * 30, -2 * 30, -2 * 30]
    assert judged(position, "settled", deltas=owed) == []
    one_less = [a - b for a, b in zip(owed, (-4, 8, -2, -2), strict=True)]
    assert judged(position, "settled", deltas=one_less) == [LEFT_OUT[0]]
    assert judged(position, "settled", deltas=[-1, 1, 0, 0]) == [("L-KONG-1", "wrong_payment")]
