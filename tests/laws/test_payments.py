"""Payments of a hand sum to zero, always (X-PAY-6)."""

from __future__ import annotations

from replays.audit import audit
from replays.events import Act
from replays.referee import offers
from replays.rulebook import Settlement
from replays.settle import decide, facts_of
from tests.laws.games import Numbers, over_games
from tests.laws.play import random_game


@over_games()
def test_settlements_sum_to_zero(numbers: Numbers, passes: bool) -> None:
    for number in numbers:
        for hand in audit(random_game(number, passes=passes).events).hands:
            assert sum(hand.deltas) == 0, number
            assert hand.winner is None or hand.deltas[hand.winner] >= 0


@over_games()
def test_every_win_on_offer_would(numbers: Numbers, passes: bool) -> None:
    """Also those that nobody took: the winner gains what the others lose, and nobody else gains."""
    for number in numbers:
        for table in random_game(number, passes=passes).tables:
            for seat, acts in enumerate(offers(table) if table.hands else ()):
                if not any(act.act == "win" for act in acts):
                    continue
                facts = facts_of(table, seat)
                assert facts is not None
                settlement = decide(table.book, facts)
                assert isinstance(settlement, Settlement)
                assert sum(settlement.deltas) == 0
                assert settlement.water == sum(
                    item.value for item in settlement.items if item.seat == seat and item.code != "X-PAY-4"
                )
                assert Act("win", facts.tile, win=settlement.win, from_=facts.from_) in acts
