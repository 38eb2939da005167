"""分餅: go-arounds in which all four discard the dealer's kind (L-SHARE-1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from replays.clauses.kongs import Lines, net_lines
from replays.events import Chowed, Discarded, Konged, Punged
from replays.rulebook import Memory, recall
from replays.table import Table
from replays.tiles import is_honour

SEATS = 4  #: it is played by four only
SUIT, HONOUR = 2, 1  #: what the dealer pays each for the first go-around


def _after_discard(table: Table, event: Discarded, after: Table, value: Any) -> tuple[int, bool]:
    """While nothing was claimed, the river holds every discard, the dealer's first."""
    rounds, is_on = value
    if not is_on:
        return rounds, False
    river = after.river
    place = len(river) - 1 - SEATS * rounds
    seat, first = (table.dealer + place) % SEATS, river[SEATS * rounds] & 63
    if event.seat != seat or event.tile != first:
        return rounds, False
    return (rounds + 1, True) if place == SEATS - 1 else (rounds, True)


def _after_claim(table: Table, event: Chowed | Punged | Konged, after: Table, value: Any) -> tuple[int, bool]:
    return value[0], False


#: How many go-arounds are complete, and whether the next may follow.
ROUNDS = Memory(
    (0, True), {Discarded: _after_discard, Chowed: _after_claim, Punged: _after_claim, Konged: _after_claim}
)


def shares(table: Table, clause: str) -> Iterator[Lines]:
    """L-SHARE-1: for each go-around the net lines of what the dealer pays the three others, doubled from one to the
    next; a stand-in is white, and so an honour."""
    if len(table.seats) != SEATS:
        return
    for number in range(recall(table, ROUNDS)[0]):
        tile = table.river[SEATS * number] & 63
        yield net_lines(clause, _deltas(table, (HONOUR if is_honour(tile) else SUIT) << number), tile)


def one_more_share(table: Table, clause: str) -> Iterator[Lines]:
    """The lines of one more go-around than counts, of honours and of a suit: what a server pays that overlooks a break,
    or, where all have discarded one kind, that there are not four players."""
    if len(table.seats) == SEATS or _is_gone_around(table):
        rounds = recall(table, ROUNDS)[0] if len(table.seats) == SEATS else 0
        for share in (HONOUR, SUIT):
            yield net_lines(clause, _deltas(table, share << rounds))


def _is_gone_around(table: Table) -> bool:
    """Whether the first discards of all seats are of one kind."""
    first = table.river[: len(table.seats)]
    return len({code >> 6 for code in first}) == len(table.seats) and len({code & 63 for code in first}) == 1


def _deltas(table: Table, share: int) -> list[int]:
    n = len(table.seats)
    return [-share * (n - 1) if seat == table.dealer else share for seat in range(n)]
