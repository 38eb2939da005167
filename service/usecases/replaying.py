"""The steps of a hand, for whoever has its tables: of a stored game as its viewer may see it, or of a log as sent."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from replays.events import Act, Event
from replays.referee import offers, offers_to
from replays.rivers import Rivers, empty, thrown
from replays.rulebook import Rulebook
from replays.seen import as_seen
from replays.table import Table
from replays.view import SPECTATOR
from schema.paipu import FORMATS
from schema.paipu.formats import EXTENSION, PRIVATE
from schema.replaying import Step
from service.evidence.leaves import public_form

#: How the clauses begin that speak of the wall.
_OF_THE_WALL = ("S-WALL-", "F-")
#: What eyes (a seat, a ``SPECTATOR``, ``None`` for all) see of one step.
Eyes = int | None


def steps(
    tables: Sequence[Table],
    events: Sequence[Event],
    documents: Sequence[Mapping[str, Any]],
    eyes: Sequence[Eyes],
    knows: Collection[int],
) -> list[Step]:
    """The steps of one hand: ``documents`` are its events as they are shown, ``eyes`` say by step who looks, ``knows``
    of which seats it may be known what they were offered and declined, and when."""
    rivers = _rivers(tables, events)
    times = _times(events, eyes, knows)
    return [
        Step(table, river, look, at, document, _acts(table, look))
        for table, river, look, at, document in zip(tables, rivers, eyes, times, documents, strict=True)
    ]


def seat_forms(
    documents: Iterable[Mapping[str, Any]], seat: int, *, book: Rulebook, format: str, knows_seat: bool = True
) -> list[Mapping[str, Any]]:
    """Events as a seat knew them when they happened: its own in full, others' in their public form. To whom it may not
    be known what the seat was offered (``knows_seat``), its own are told without that, and without ``x_`` members."""
    is_kong_shown, private = bool(book.options["concealed_kong_shown"]), FORMATS[format].private

    def form(document: Mapping[str, Any]) -> Mapping[str, Any]:
        is_own = document.get("seat") == seat
        if is_own and knows_seat:
            return document
        if is_own and document["type"] not in private:
            return {member: value for member, value in document.items() if not member.startswith(EXTENSION)}
        return public_form(dict(document), concealed_kong_shown=is_kong_shown, format=format)

    return [form(document) for document in documents]


def is_of_seat(finding: Mapping[str, Any], seat: int) -> bool:
    """Whether a finding quotes nothing but what the seat has done itself: the tiles that it should have drawn are known
    by the wall alone."""
    clauses = (finding["clause"], *finding.get("also", ()))
    return finding["seat"] == seat and not any(clause.startswith(_OF_THE_WALL) for clause in clauses)


def _rivers(tables: Sequence[Table], events: Sequence[Event]) -> Iterator[Rivers]:
    rivers, before = empty(tables[0].players), tables[0]
    for table, event in zip(tables, events, strict=True):
        rivers, before = thrown(rivers, before, event, table), table
        yield rivers


def _times(events: Sequence[Event], eyes: Sequence[Eyes], knows: Collection[int]) -> Iterator[str]:
    """The time of the last event so far that is not somebody else's business."""
    at = events[0].at
    for event, look in zip(events, eyes, strict=True):
        if not isinstance(event, PRIVATE) or (event.seat in knows and look in (None, event.seat)):
            at = event.at
        yield at


def _acts(table: Table, eyes: Eyes) -> Mapping[int, Sequence[Act]]:
    if eyes is None:
        return dict(enumerate(offers(table)))
    return {} if eyes == SPECTATOR else {eyes: offers_to(as_seen(table, eyes), eyes)}


def eyes_of(tables: Sequence[Table], seat: int | None, own: int | None, sees_all: Callable[[int], bool]) -> list[Eyes]:
    """Who looks at each of the tables: ``seat`` where one is asked for and may be, else everybody where ``sees_all``
    says so of the step, else ``own``, a seat or nobody's."""
    if seat is not None and seat == own:
        return [seat] * len(tables)
    fallback = SPECTATOR if own is None or seat is not None else own
    return [(seat if sees_all(table.seq) else fallback) for table in tables]
