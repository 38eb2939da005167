"""The settlement of a hand as a waterfall: step by step, what each seat pays each other, and why."""

from __future__ import annotations

from operator import attrgetter

from replays.events import Event, Exhausted, Voided, Won
from replays.rulebook import Settlement, Strand, Violation, strands_of_nets
from replays.settle import decide, occasion
from replays.table import NOTHING, Table

#: The events that end a hand: the last of them says how.
ENDINGS = (Won, Exhausted, Voided)


def waterfall(before: Table, event: Event, after: Table) -> tuple[Strand, ...]:
    """What is paid for a hand that ends with ``event`` (one of ``ENDINGS``), from the tables around it: first for the
    win, then for what is settled beside it. The strands add up to the engine's own payments (``nets``); there are none
    where nothing is owed: the hand was voided, or the win on record is none."""
    if isinstance(event, Exhausted):
        return _beside(after)
    if not isinstance(event, Won) or after.outcome is None or after.outcome.settlement is None:
        return ()
    book, facts = before.book, occasion(before, event)
    settlement: Settlement | Violation | None = None if facts is None else decide(book, facts)
    if facts is None or not isinstance(settlement, Settlement):
        return ()
    won = [strand for strand in book.strands(book, facts, settlement) if strand.steps]
    return (*sorted(won, key=attrgetter("payer", "share_of", "payee")), *_beside(after))


def _beside(table: Table) -> tuple[Strand, ...]:
    """What is settled whether the hand is won or not."""
    if table.book.strands_beside is not None:
        return table.book.strands_beside(table)
    return strands_of_nets([(line.seat, line.code, line.value) for line in table.book.beside(table)])


def nets(strands: tuple[Strand, ...], players: int) -> tuple[int, ...]:
    """What each seat gains or loses by all strands."""
    deltas = [0] * players
    for strand in strands:
        deltas[strand.payee] += strand.amount
        if strand.payer != NOTHING:
            deltas[strand.payer] -= strand.amount
    return tuple(deltas)
