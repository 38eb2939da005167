"""Payments of a hand sum to zero, always (X-PAY-6, L-PAY-4), and their lines say what they are made of."""

from __future__ import annotations

from replays.audit import audit
from replays.events import Act, Item
from replays.referee import offers
from replays.rulebook import Settlement
from replays.settle import decide, occasions, paid_with
from replays.table import PLAYING
from tests.laws.games import law
from tests.laws.play import Played


def is_payment(item: Item) -> bool:
    """Whether a line is points that its seat gains or pays, and not water."""
    return "-PAY-" in item.code


@law
def test_settlements_sum_to_zero(game: Played) -> None:
    for hand in audit(game.events).hands:
        assert sum(hand.deltas) == 0


@law
def test_every_win_on_offer_would(game: Played) -> None:
    """Also those that nobody took: the winner gains what the others lose, and what is not paid is water."""
    for table in game.tables:
        for seat, acts in enumerate(offers(table) if table.hands else ()):
            wins = [act for act in acts if act.act == "win"]
            found = [(facts, decide(table.book, facts)) for facts in occasions(table, seat)] if wins else []
            worth = [(facts, known) for facts, known in found if isinstance(known, Settlement)]
            assert sorted(wins) == sorted(
                Act("win", facts.tile, win=known.win, from_=facts.from_) for facts, known in worth
            )
            for _, settlement in worth:
                assert sum(settlement.deltas) == 0
                assert settlement.deltas[seat] >= 0
                lines = [item for item in settlement.items if item.seat == seat and not is_payment(item)]
                assert settlement.water == sum(item.value for item in lines)


@law
def test_what_is_settled_beside_the_win_would(game: Played) -> None:
    """Clause by clause, whether the hand is won or not, at every moment of it; and it is in what is paid."""
    for table in game.tables:
        if not table.hands or table.phase not in PLAYING:
            continue
        lines = table.book.beside(table)
        for code in dict.fromkeys(item.code for item in lines):
            assert sum(item.value for item in lines if item.code == code) == 0


@law
def test_a_hand_without_winner_pays_what_is_settled_beside(game: Played) -> None:
    ends = [table for table, event in zip(game.tables, game.events, strict=True) if event.type == "exhausted"]
    for table in ends:
        assert table.outcome is not None
        settlement = table.outcome.settlement
        assert settlement is not None
        assert (settlement.win, settlement.factor, settlement.water) == (None, 0, 0)
        assert settlement.deltas == paid_with((0,) * game.players, table.book.beside(table))
