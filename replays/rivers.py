"""What each seat has thrown in a hand, in order, claimed or not: what a table shows and the ``Table`` need not keep."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from replays.events import Chowed, Discarded, Event, HandStarted, Konged, Punged, Won
from replays.table import CLAIMS, NOTHING, TURN, Table
from replays.tiles import Tile


class Thrown(NamedTuple):
    """A discard: ``is_drawn`` says that the tile is of the kind just drawn; ``claimed`` is the seat that took it or won
    on it, ``NOTHING`` while nobody did."""

    tile: Tile
    seq: int
    is_drawn: bool
    claimed: int = NOTHING


Rivers: TypeAlias = tuple[tuple[Thrown, ...], ...]


def empty(players: int) -> Rivers:
    """Before anything was thrown."""
    return ((),) * players


def thrown(rivers: Rivers, before: Table, event: Event, after: Table) -> Rivers:
    """The rivers after an event that made ``after`` of ``before``. What the fold passes over is passed over here."""
    if isinstance(event, HandStarted) and not after.thrown:
        return empty(after.players)
    if isinstance(event, Discarded) and _is_thrown(before, event, after):
        is_drawn = before.phase == TURN and before.turn == event.seat and before.drawn == event.tile
        return _with(rivers, event.seat, (*rivers[event.seat], Thrown(event.tile, event.seq, is_drawn)))
    claimer = _claimer(before, event, after)
    if claimer != NOTHING and rivers[before.turn]:
        *others, last = rivers[before.turn]
        return _with(rivers, before.turn, (*others, last._replace(claimed=claimer)))
    return rivers


def _is_thrown(before: Table, event: Discarded, after: Table) -> bool:
    """Whether the tile lies open now: it is what claims are about, and was not before."""
    lies = (after.phase, after.turn, after.last) == (CLAIMS, event.seat, event.tile)
    return lies and not (before.phase == CLAIMS and before.turn == event.seat)


def _claimer(before: Table, event: Event, after: Table) -> int:
    """The seat that took the tile that lay open, or won on it; ``NOTHING`` for any other event."""
    if before.phase != CLAIMS or not isinstance(event, Chowed | Punged | Konged | Won) or event.from_ != before.turn:
        return NOTHING
    if isinstance(event, Won):
        return event.seat if before.outcome is None and after.outcome is not None else NOTHING
    return event.seat if len(after.melds[event.seat]) > len(before.melds[event.seat]) else NOTHING


def _with(rivers: Rivers, seat: int, river: tuple[Thrown, ...]) -> Rivers:
    return (*rivers[:seat], river, *rivers[seat + 1 :])
