"""Changing a log so that one thing in it is wrong and everything else still follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from replays import events as ev
from replays.events import Event
from replays.settle import without_winner
from replays.shuffle import Stream
from replays.table import Table
from replays.tiles import COPIES, FIRST_HONOUR, KINDS, WHITE, Tile
from tests.faults.logs import Log

BESIDE = (ev.Passed, ev.TurnPrompted, ev.ClaimOverridden, ev.PresenceChanged)


# -- Making logs -------------------------------------------------------------------------------------------------------


def renumbered(events: Iterable[Event]) -> list[Any]:
    """The events numbered from 0 on, the clock not running backwards, answers pointing where they pointed."""
    found: list[Event] = []
    moved: dict[int, int] = {}
    at = ""
    for seq, event in enumerate(events):
        moved.setdefault(event.seq, seq)
        at = max(at, event.at)
        members: dict[str, Any] = {"seq": seq, "at": at}
        if isinstance(event, ev.Passed) and event.on is not None:
            members["on"] = moved.get(event.on, event.on)
        found.append(event._replace(**members))
    return found


def spliced(log: Log, start: int, end: int, *events: Event) -> list[Any]:
    """The log with ``events`` instead of those from ``start`` to before ``end``."""
    return renumbered((*log.events[:start], *events, *log.events[end:]))


def changed(log: Log, index: int, **members: Any) -> list[Any]:
    """The log with other members in one event."""
    return spliced(log, index, index + 1, log.events[index]._replace(**members))


def changed_each(log: Log, members: Mapping[int, Mapping[str, Any]]) -> list[Any]:
    """The log with other members in some events, by their index."""
    return [event._replace(**members.get(index, {})) for index, event in enumerate(log.events)]


def rechained(events: Iterable[Event]) -> list[Any]:
    """The events with the scores that follow from what they settle."""
    found: list[Event] = []
    scores: tuple[int, ...] = ()
    deltas: tuple[int, ...] = ()
    for event in events:
        if isinstance(event, ev.GameStarted):
            scores = event.scores or (0,) * len(event.seats)
        elif isinstance(event, ev.HandStarted):
            deltas = (0,) * len(scores)
            event = event._replace(scores=scores)
        elif isinstance(event, ev.Settled):
            deltas = event.deltas
        elif isinstance(event, ev.HandEnded):
            scores = tuple(a + b for a, b in zip(scores, deltas, strict=True))
            event = event._replace(scores=scores)
        elif isinstance(event, ev.GameEnded):
            event = event._replace(scores=scores)
        found.append(event)
    return found


def hand_span(log: Log, index: int) -> tuple[int, int]:
    """From the ``hand_started`` of the hand that event ``index`` belongs to, to just after its ``hand_ended``."""
    begin = max(i for i in range(index + 1) if isinstance(log.events[i], ev.HandStarted))
    end = next(i for i in range(index, len(log.events)) if isinstance(log.events[i], ev.HandEnded))
    return begin, end + 1


def cancelled(log: Log, index: int, *acts: Event) -> list[Any]:
    """The log with ``acts`` before event ``index``, whereupon the platform cancels the hand and it is played again
    as it was: the same dealer, streak and scores, so everything after it follows. For logs without commitments, which
    would fix the number of a hand."""
    begin, _ = hand_span(log, index)
    here: Any = log.events[index - 1]
    void = ev.Voided(0, here.at, here.hand, "fault")
    again = [event if event.hand is None else event._replace(hand=event.hand + 1) for event in log.events[begin:]]
    return renumbered((*log.events[:index], *acts, void, *again))


def finished(log: Log, index: int, end: Event, deltas: tuple[int, ...] | None = None) -> list[Any]:
    """The log with the hand ended by ``end`` before event ``index`` and settled with ``deltas``, without them as a hand
    that nobody wins; the hands after it where dealer and streak still follow."""
    _, stop = hand_span(log, index)
    table = log.tables[index]
    paid = without_winner(table).deltas if deltas is None else deltas
    tail: list[Event] = [
        event._replace(deltas=paid, items=None) if isinstance(event, ev.Settled) else event
        for event in log.events[index:stop]
        if isinstance(event, ev.Settled | ev.WallRevealed | ev.HandEnded)
    ]
    following = log.events[stop]
    rest: Sequence[Event] = log.events[stop:]
    if isinstance(following, ev.HandStarted) and (following.dealer, following.streak) != _next_dealer(table, end):
        rest = log.events[-1:]
    return rechained(renumbered((*log.events[:index], end, *tail, *rest)))


def _next_dealer(table: Table, end: Event) -> tuple[int, int]:
    """X-DEALER-1, L-DEALER-1."""
    is_kept = not isinstance(end, ev.Won) or end.seat == table.dealer
    return _NEXT_DEALER[table.book.id](table, None if is_kept else end.seat)


#: Dealer and streak of the next hand, by who won this one and was not its dealer.
_NEXT_DEALER: dict[str, Callable[[Table, int | None], tuple[int, int]]] = {
    "xiamen": lambda table, winner: (table.dealer, table.streak + 1) if winner is None else (winner, 0),
    "longyan": lambda table, winner: (table.dealer if winner is None else table.following(table.dealer), 0),
}


def another(table: Table, seat: int, stream: Stream) -> int:
    """Any of the other seats."""
    n = len(table.seats)
    return (seat + 1 + stream.uniform(n - 1)) % n


# -- Finding places ----------------------------------------------------------------------------------------------------


def places(log: Log, kind: Any) -> Iterator[tuple[int, Table, Any]]:
    """Every event of a class, with its index and the table before it."""
    for index, event in enumerate(log.events):
        if isinstance(event, kind):
            yield index, log.tables[index], event


def following(log: Log, index: int) -> int:
    """The next event after ``index`` that does something."""
    return next(i for i in range(index + 1, len(log.events)) if not isinstance(log.events[i], BESIDE))


def thrown_at_once(log: Log) -> list[tuple[int, int]]:
    """Where a playing tile is drawn from the head, discarded at once and claimed by nobody: the two indices."""
    found = []
    for index, _, event in places(log, ev.Drew):
        if is_plain(log.tables[index], event.tile) and is_thrown(log, index, event.seat, event.tile) and not event.tail:
            found.append((index, following(log, index)))
    return found


def is_thrown(log: Log, index: int, seat: int, tile: Tile) -> bool:
    """Whether what happens after ``index`` is that ``seat`` discards ``tile`` and the next seat draws."""
    then = following(log, index)
    discard: Any = log.events[then]
    if not isinstance(discard, ev.Discarded) or (discard.seat, discard.tile) != (seat, tile):
        return False
    return isinstance(log.events[following(log, then)], ev.Drew)


def is_plain(table: Table, tile: Tile) -> bool:
    """Whether a tile is a suit tile and no gold: no rule about honours, whites, golds or flowers hangs on it."""
    return tile < FIRST_HONOUR and tile not in table.golds and tile != WHITE


def copies(table: Table, tile: Tile) -> int:
    """How many copies of a tile have left the wall."""
    return table.seen >> 8 * tile & 255


def spare_tiles(log: Log, index: int) -> list[Tile]:
    """Suit tiles that may come once more in the hand of event ``index`` without being a fifth copy, and whose kind
    is not the gold."""
    _, end = hand_span(log, index)
    table = log.tables[end - 1]
    kinds = sorted({tile for tile in table.book.wall if is_plain(table, tile)})
    return [tile for tile in kinds if copies(table, tile) < COPIES]


def held(table: Table, seat: int) -> tuple[Tile, ...]:
    """The concealed playing tiles of a seat."""
    return tuple(tile for tile in table.concealed(seat) if tile < KINDS)
