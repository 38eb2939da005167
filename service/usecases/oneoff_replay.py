"""A log that is not stored, stepped through by whoever holds it, and so may see all of it: its games, and their hands
as the API's field ``replay`` gives those of stored games.

Plain values with the members and the words of the API; it knows no database and no GraphQL. A step is an event's place
in its game, from 0, whatever ``seq`` a faulty log gives it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import IO, Any, NamedTuple

from replays import ENGINE
from replays.events import Event, GameEnded, GameStarted
from replays.reducer import Impossible, apply, start
from replays.table import Table
from schema import paipu
from schema.catalogue import title
from schema.paipu import LogError, Record
from schema.ports.oneoff import LogUnfitError
from schema.replaying import Span, Step, frames, offered, span_of, spans, view_of
from service.audits import unread
from service.evidence.bundles.sight import Course
from service.usecases.replaying import Eyes, seat_forms, steps

UNREADABLE, GAME_NOT_FOUND, HAND_NOT_FOUND = "log_unreadable", "game_not_found", "hand_not_found"
SEQ_OUT_OF_RANGE, SEAT_OUT_OF_RANGE = "seq_out_of_range", "seat_out_of_range"


class Question(NamedTuple):
    """What is asked of a log: ``what`` it is about; in which of its games, by ``game`` (the first of that id) or by
    ``place`` (from 0), the first where neither is given; and of which ``hand``, step ``seq`` and ``seat`` of it."""

    what: str
    game: str | None = None
    place: int | None = None
    hand: int | None = None
    seq: int | None = None
    seat: int | None = None


class Played(NamedTuple):
    """A game of a log as far as it can be read and applied: its events with their documents, and the places at which
    the game and its hands begin."""

    events: Sequence[Event]
    documents: Sequence[Mapping[str, Any]]
    begun: Sequence[int]

    @property
    def first(self) -> GameStarted:
        """The event that starts the game."""
        first = self.events[0]
        assert isinstance(first, GameStarted)
        return first

    def tables(self, first: int, last: int) -> list[Table]:
        """The tables after the steps from ``first`` to ``last``."""
        return list(islice(_tables(self.events), first, last + 1))

    def table(self, seq: int | None) -> Table:
        """The table after a step; ``LogUnfitError`` for one that there is not."""
        if seq is None or not 0 <= seq < len(self.events):
            raise no_step(self, seq)
        return self.tables(seq, seq)[0]


# -- Finding a game ----------------------------------------------------------------------------------------------------


def played(stream: IO[bytes], question: Question) -> Played:
    """The game that a question is about; ``LogUnfitError`` where the log has none such, or none that can begin."""
    try:
        for place, records in enumerate(paipu.games(paipu.read(stream, source="log"))):
            first = next(records)
            assert isinstance(first.event, GameStarted)  # the reader lets no game begin otherwise
            if _is_asked_for(question, place, first.event):
                return _played([first, *_readable(records)])
    except LogError as error:
        raise LogUnfitError(UNREADABLE, f"{error}.", unread(error).document) from None
    raise _no_game(question)


def openings(stream: IO[bytes]) -> Iterator[list[Event]]:
    """Of every game of a log its events, as far as they can be read: what stops the reading is the report's to tell."""
    games = paipu.games(paipu.read(stream, source="log"))
    while True:
        try:
            game = next(games, None)
        except LogError:
            return
        if game is None:
            return
        yield [record.event for record in _readable(game)]


def _readable(records: Iterator[Record]) -> Iterator[Record]:
    try:
        yield from records
    except LogError:
        return


def _is_asked_for(question: Question, place: int, first: GameStarted) -> bool:
    if question.place is not None:
        return place == question.place
    return question.game in (None, first.game)


def _played(records: Sequence[Record]) -> Played:
    first = records[0].event
    assert isinstance(first, GameStarted)
    try:
        course = Course(start(first))
    except Impossible as error:
        raise LogUnfitError(UNREADABLE, f"The game {first.game} cannot begin: {error}.") from None
    for record in records[1:]:
        try:
            course.follow(record.event)
        except Impossible:
            break
    good = records[: course.place + 1]
    return Played([record.event for record in good], [record.document for record in good], course.begun)


def _tables(events: Sequence[Event]) -> Iterator[Table]:
    first, *others = events
    assert isinstance(first, GameStarted)
    table = start(first)
    yield table
    for event in others:
        table = apply(table, event)
        yield table


# -- What is not there -------------------------------------------------------------------------------------------------


def _no_game(question: Question) -> LogUnfitError:
    message = "The log has no such game." if question.game is None else f"No game {question.game}."
    return LogUnfitError(GAME_NOT_FOUND, message, {"game": question.game})


def no_step(game: Played, seq: int | None) -> LogUnfitError:
    """The error of a step that there is not."""
    last, name = len(game.events) - 1, game.first.game
    message = f"Game {name} has the steps 0 to {last}, not {seq}."
    return LogUnfitError(SEQ_OUT_OF_RANGE, message, {"game": name, "seq": seq, "last_seq": last})


def no_seat(game: Played, seat: int | None) -> LogUnfitError:
    """The error of a seat that there is not."""
    seats, name = len(game.first.seats), game.first.game
    message = f"Game {name} has the seats 0 to {seats - 1}, not {seat}."
    return LogUnfitError(SEAT_OUT_OF_RANGE, message, {"game": name, "seat": seat, "seats": seats})


def no_hand(game: Played, number: int | None) -> LogUnfitError:
    """The error of a finished hand that there is not."""
    name = game.first.game
    message = f"Game {name} has no finished hand {number}."
    return LogUnfitError(HAND_NOT_FOUND, message, {"game": name, "number": number})


# -- Answers -----------------------------------------------------------------------------------------------------------


def head(report: Mapping[str, Any], events: Sequence[Event], lang: str) -> dict[str, Any]:
    """A game's report with what a page shows beside it: who sat where, the options, when it began, how it stands, and
    of each finding its clause's title and the ``step`` that it is at."""
    first = events[0]
    assert isinstance(first, GameStarted)
    seats = [{"seat": seat, "player": one.player, "name": one.name} for seat, one in enumerate(first.seats)]
    places = {event.seq: place for place, event in reversed(list(enumerate(events)))}
    findings = [
        {**one, "title": title(one["clause"], lang), "step": places.get(one["seq"], 0)} for one in report["findings"]
    ]
    more = {"seats": seats, "options": first.options, "started_at": first.at, "status": _status(events[-1])}
    return {**report, "findings": findings, **more}


def _status(last: Event) -> str:
    return last.reason if isinstance(last, GameEnded) else "open"


def replay(game: Played, question: Question) -> dict[str, Any]:
    """A hand step by step, by its number or by a step in it: all of it, or as ``seat`` saw it."""
    seat = question.seat
    if seat is not None and not 0 <= seat < len(game.first.seats):
        raise no_seat(game, seat)
    hands = spans(game.events, game.begun)
    span = span_of(hands, hand=question.hand, seq=question.seq)
    if span is None:
        raise no_hand(game, question.hand) if question.hand is not None else no_step(game, question.seq)
    seen = _steps(game, span, seat)
    return {
        "game": game.first.game,
        "hand": span.number,
        "firstSeq": span.first,
        "lastSeq": span.last,
        "hands": [{"number": one.number, "firstSeq": one.first, "lastSeq": one.last} for one in hands],
        "view": view_of(seat).upper(),
        "asSeat": seat,
        "frames": frames(seen),
        "acts": offered(seen),
        "events": [step.event for step in seen],
        "rulesetDigest": seen[0].table.book.digest,
        "engineVersion": ENGINE,
    }


def _steps(game: Played, span: Span, seat: Eyes) -> list[Step]:
    tables = game.tables(span.first, span.last)
    events, documents = game.events[span.first : span.last + 1], game.documents[span.first : span.last + 1]
    if seat is not None:
        documents = seat_forms(documents, seat, book=tables[0].book, format=game.first.format)
    return steps(tables, events, documents, [seat] * len(tables), range(tables[0].players))
