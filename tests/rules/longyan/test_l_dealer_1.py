"""L-DEALER-1: a dealer who wins, and a hand without winner, keep the deal; otherwise the next seat deals. There is no
streak: it stays 0."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import Game, altered, audited, findings, seq_of
from tests.rules.longyan.positions import FULL, PLAIN, opened

WHOLE = PLAIN + "3s"


def new(players: int = 4, first_dealer: int = 0, options: dict[str, Any] | None = None) -> Game:
    return Game(options, ruleset="longyan", players=players, first_dealer=first_dealer)


def hand(game: Game, winner: int | None) -> Game:
    """One hand more: the dealer wins by 天胡, another seat by a self-draw, or nobody."""
    dealer, n = game.table.dealer, len(game.table.seats)
    if winner is None:
        return opened(game=game).play_out().exhaust().close()
    if winner == dealer:
        return opened({winner: WHOLE}, game=game).win(winner).close()
    turns = (winner - dealer) % n
    opened({winner: PLAIN}, game=game, draws="4s " * (turns - 1) + "3s").discard("2z" if n > 2 else "1m")
    game.play("4s " * (turns - 1)).draw()
    return game.win(winner).close()


def standing(game: Game) -> tuple[int, int]:
    return game.table.dealer, game.table.streak


@pytest.mark.parametrize("players", [2, 3, 4])
def test_after_one_hand(players: int) -> None:
    for dealer in range(players):
        for winner in range(players):
            game = hand(new(players, dealer), winner)
            assert standing(game) == (dealer if winner == dealer else (dealer + 1) % players, 0)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("options", [{}, FULL])
def test_without_winner(players: int, options: dict[str, Any]) -> None:
    for dealer in range(players):
        assert standing(hand(new(players, dealer, options), None)) == (dealer, 0)


def test_the_next_seat_deals_not_the_winner() -> None:
    assert standing(hand(new(), 2)) == (1, 0)
    assert standing(hand(new(), 3)) == (1, 0)
    assert standing(hand(new(first_dealer=3), 2)) == (0, 0)


@pytest.mark.parametrize("first", range(4))
def test_any_seat_may_deal_first(first: int) -> None:
    assert audited(hand(new(first_dealer=first), first).end().events) == []


def test_a_whole_game() -> None:
    game, seen = new(), []
    for winner in (0, 0, None, 2, 1, 3, None, 3, 3):
        hand(game, winner)
        seen.append(standing(game))
    assert seen == [(0, 0), (0, 0), (0, 0), (1, 0), (1, 0), (2, 0), (2, 0), (3, 0), (3, 0)]
    assert audited(game.end().events) == []


def test_a_long_streak_does_not_raise_what_is_paid() -> None:
    game = new()
    for _ in range(4):
        before = game.table.scores
        hand(game, 0)
        assert tuple(b - a for a, b in zip(before, game.table.scores, strict=True)) == (24, -8, -8, -8)


def test_a_voided_hand_changes_nothing() -> None:
    game = hand(new(), 2)
    opened(game=game).emit("voided", reason="server").end_hand()
    assert standing(game) == (1, 0)


@pytest.mark.parametrize(
    ("winner", "given", "code"),
    [
        (0, {}, None),
        (2, {}, None),
        (0, {"dealer": 1}, "wrong_dealer"),
        (0, {"streak": 1}, "wrong_streak"),
        (2, {"dealer": 2}, "wrong_dealer"),
        (2, {"dealer": 0}, "wrong_dealer"),
        (2, {"streak": 1}, "wrong_streak"),
        (None, {"dealer": 1}, "wrong_dealer"),
        (None, {"streak": 1}, "wrong_streak"),
    ],
)
def test_findings(winner: int | None, given: dict[str, Any], code: str | None) -> None:
    table = hand(new(), winner).table
    right = {"hand": 2, "dealer": table.dealer, "streak": table.streak, "scores": table.scores}
    found = findings(table, "hand_started", **(right | given))
    assert [(each.clause, each.code, each.also) for each in found] == (
        [] if code is None else [("L-DEALER-1", code, ("G-DEALER-1",))]
    )
    for each in found:
        assert each.expected == {"dealer": 1 if winner else 0, "streak": 0}


def test_a_streak_on_record_is_found_in_the_first_hand_too() -> None:
    events = hand(new(), 0).events
    found = audited(altered(events, seq_of(events, "hand_started"), streak=1))
    assert found[0][1:] == ("G-DEALER-1", "wrong_streak")
