"""X-DEALER-1: a dealer who wins, and a hand without winner, keep the deal and add one to the streak; otherwise the
winner deals with streak 0 (option ``next_dealer``: ``next_seat``)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import Game, altered, audited, chosen_wall, findings, seq_of

ANY = "147m 258s 147s 2347z"
WHOLE = "123456789m 123456p 99p"


def hand(game: Game, winner: int | None) -> Game:
    """One hand more: the dealer wins by 天和, another seat by 三金倒, or nobody."""
    dealer = game.table.dealer
    if winner is None:
        game.open(chosen_wall(gold="1z", dealer=dealer)).play_out().exhaust()
        return game.close()
    tiles = WHOLE if winner == dealer else ANY + "111z"
    return game.open(chosen_wall({winner: tiles}, gold="1z", dealer=dealer)).win(winner).close()


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("winner", range(4))
@pytest.mark.parametrize("value", ["winner", "next_seat"])
def test_after_one_hand(dealer: int, winner: int, value: str) -> None:
    game = hand(Game({"next_dealer": value}, first_dealer=dealer), winner)
    following = winner if value == "winner" else (dealer + 1) % 4
    expected = (dealer, 1) if winner == dealer else (following, 0)
    assert (game.table.dealer, game.table.streak) == expected


@pytest.mark.parametrize("value", ["winner", "next_seat"])
def test_without_winner(value: str) -> None:
    game = hand(Game({"next_dealer": value, "dead_wall": 40}, first_dealer=2), None)
    assert (game.table.dealer, game.table.streak) == (2, 1)


def test_by_default_the_winner_deals() -> None:
    game = hand(Game(), 2)
    assert (game.table.dealer, game.table.streak) == (2, 0)


def test_a_whole_game() -> None:
    game, seen = Game({"dead_wall": 40}), []
    for winner in (0, 0, None, 0, 3, 3, 1, None, 2):
        hand(game, winner)
        seen.append((game.table.dealer, game.table.streak))
    assert seen == [(0, 1), (0, 2), (0, 3), (0, 4), (3, 0), (3, 1), (1, 0), (1, 1), (2, 0)]
    assert audited(game.end().events) == []


@pytest.mark.parametrize(
    ("winner", "given", "code"),
    [
        (0, {"dealer": 1}, "wrong_dealer"),
        (0, {"streak": 0}, "wrong_streak"),
        (0, {"streak": 2}, "wrong_streak"),
        (2, {"dealer": 1}, "wrong_dealer"),
        (2, {"dealer": 0, "streak": 1}, "wrong_dealer"),
        (2, {"streak": 1}, "wrong_streak"),
        (0, {}, None),
        (2, {}, None),
    ],
)
def test_findings(winner: int, given: dict[str, Any], code: str | None) -> None:
    table = hand(Game(), winner).table
    right = {"hand": 2, "dealer": table.dealer, "streak": table.streak, "scores": table.scores}
    found = findings(table, "hand_started", **(right | given))
    assert [(each.clause, each.code, each.also) for each in found] == (
        [] if code is None else [("X-DEALER-1", code, ("G-DEALER-1",))]
    )
    for each in found:
        assert each.expected == {"dealer": table.dealer, "streak": table.streak}


def test_a_wrong_first_dealer_is_the_logs_own_clause() -> None:
    game = hand(Game(first_dealer=0), 0)
    events = altered(game.events, seq_of(game.events, "hand_started"), streak=1)
    assert audited(events)[0][1:] == ("G-DEALER-1", "wrong_streak")
