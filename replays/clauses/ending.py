"""How hands end without a winner, and who deals next (X-DRAW-1, X-DEALER-1, L-DRAW-1, L-DEALER-1)."""

from __future__ import annotations

from replays.table import BETWEEN, NOTHING, OVER, SETTLED, VOIDED, Table


def is_between(table: Table) -> bool:
    """Whether no hand is on: a voided one may end without more ado."""
    return table.phase == BETWEEN or (table.phase in (OVER, SETTLED) and table.outcome == VOIDED)


def next_dealer(table: Table) -> tuple[int, int]:
    """Dealer and streak of the hand after this one: a dealer who wins, or a hand without winner, stays and adds
    one; else the winner deals, or with the option ``next_dealer`` = ``next_seat`` the next seat. A voided hand
    changes nothing."""
    outcome = table.outcome
    if outcome is None or outcome == VOIDED:
        return table.dealer, table.streak
    if outcome.winner in (NOTHING, table.dealer):
        return table.dealer, table.streak + 1
    if table.book.options.get("next_dealer") == "winner":
        return outcome.winner, 0
    return table.following(table.dealer), 0


def next_dealer_without_streak(table: Table) -> tuple[int, int]:
    """The same where no streak is counted (L-DEALER-1)."""
    return next_dealer(table)[0], 0
