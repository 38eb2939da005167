"""X-DRAW-2: a hand without winner pays nothing; the dealer stays, and the streak grows by one."""

from __future__ import annotations

import pytest

from tests.rules.builders import Game, altered, audited, chosen_wall, seq_of


def exhausted(**rest: bool) -> Game:
    game = Game({"dead_wall": 40, **rest}).open(chosen_wall({0: "2f", 3: "111m 7777z"}, gold="1z", tail="9p"))
    return game.play_out().exhaust()


@pytest.mark.parametrize("loser_water", [False, True])
def test_nothing_is_paid(loser_water: bool) -> None:
    game = exhausted(loser_water=loser_water).close().end()
    assert audited(game.events) == []
    result = game.audit().hands[0]
    assert (result.winner, result.win, result.deltas) == (None, None, (0, 0, 0, 0))


def test_a_payment_is_a_finding() -> None:
    game = exhausted().settle((3, -1, -1, -1))
    assert audited(game.events) == [(game.seq, "X-DRAW-2", "paid_without_winner")]


def test_the_dealer_stays_and_the_streak_grows() -> None:
    game = exhausted().close()
    assert (game.table.dealer, game.table.streak) == (0, 1)
    game.open(chosen_wall(gold="1z")).play_out().exhaust().close()
    assert (game.table.dealer, game.table.streak) == (0, 2)
    assert audited(game.end().events) == []


@pytest.mark.parametrize(
    ("started", "code"),
    [({"dealer": 1, "streak": 0}, "wrong_dealer"), ({"streak": 0}, "wrong_streak"), ({"streak": 2}, "wrong_streak")],
)
def test_anything_else_is_a_finding(started: dict[str, int], code: str) -> None:
    game = exhausted().close()
    game.emit("hand_started", **({"dealer": 0, "streak": 1, "scores": (0, 0, 0, 0)} | started))
    seq = seq_of(game.events, "hand_started", 1)
    assert audited(game.events) == [(seq, "X-DEALER-1", code)]
    assert audited(altered(game.events, seq, dealer=0, streak=1)) == []
