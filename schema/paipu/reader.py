"""Reading logs: streams and files to records and events, one at a time and with flat memory."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby
from os import PathLike
from typing import IO, Any, NamedTuple, TypeAlias

from replays.events import Event, GameStarted
from schema.paipu.errors import LogError, MismatchError, located, show
from schema.paipu.formats import named, read_document, read_line
from schema.paipu.streams import lines
from schema.paipu.vocabulary import EVENT_LIMIT, FORMAT

Path: TypeAlias = str | PathLike[str]

#: The path that stands for standard input.
STANDARD_INPUT = "-"


class Record(NamedTuple):
    """One event as it stands in a log: its ``line`` from 1, the ``document`` as read (``x_`` members, names and the
    order of members kept), and the ``event`` that the engine takes."""

    line: int
    document: dict[str, Any]
    event: Event


def read(stream: IO[bytes], *, source: str) -> Iterator[Record]:
    """The records of a log, plain, gzip- or zstd-compressed, as they are read.

    ``source`` is what errors call the stream. Raises ``LogError`` at the first thing that cannot be read, after
    everything before it was given; also for a stream without any event, one that does not begin with
    ``game_started``, and a game of more than ``EVENT_LIMIT`` events.
    """
    for number, line, event, document in _scan(stream, source):
        yield Record(number, read_document(line) if document is None else document, event)


def read_file(path: Path) -> Iterator[Record]:
    """``read`` on a file, or on standard input for ``-``. ``OSError`` where the file cannot be opened."""
    with _opened(path) as (stream, source):
        yield from read(stream, source=source)


def events(path: Path) -> Iterator[Event]:
    """Only the events of a file, as fast as they can be had; errors as ``read_file``."""
    with _opened(path) as (stream, source):
        for _, _, event, _ in _scan(stream, source):
            yield event


def games(records: Iterator[Record]) -> Iterator[Iterator[Record]]:
    """The records game by game: one iterator a game, from its ``game_started`` on.

    Lazy: a game's iterator is good until the next game is asked for, which passes over what was left of it.
    """
    started = 0

    def game(record: Record) -> int:
        nonlocal started
        started += type(record.event) is GameStarted
        return started

    for _, group in groupby(records, key=game):
        yield group


def decode(line: bytes, number: int = 1, *, source: str = "", format: str = FORMAT) -> Record:
    """The record of one line of a game of ``format``; ``LogError`` naming ``source`` and line ``number``."""
    try:
        event, document = read_line(line, format)
    except MismatchError as error:
        raise located(error, source, number) from None
    return Record(number, read_document(line) if document is None else document, event)


def history(lines: Iterable[bytes]) -> Iterator[Event]:
    """The events of one game as it was stored, by their lines in order.

    Whatever version of the format they were written in, they become today's events: every version that was ever in use
    keeps its shapes in ``FORMATS``, and the game's first event says which one is meant. ``LogError`` as ``decode``.
    """
    format = FORMAT
    for number, line in enumerate(lines, 1):
        event = decode(line, number, format=format).event
        if isinstance(event, GameStarted):
            format = event.format
        yield event


def load(document: Mapping[str, Any], number: int = 1, *, source: str = "", format: str = FORMAT) -> Event:
    """The event of a document that something else has parsed; ``LogError`` as ``decode``.

    Members that stood there twice are for that parser to refuse: here they can no longer be seen.
    """
    try:
        return named(document, format).load(document)
    except MismatchError as error:
        raise located(error, source, number) from None


def _scan(stream: IO[bytes], source: str) -> Iterator[tuple[int, bytes, Event, dict[str, Any] | None]]:
    format = ""
    count = 0
    for number, line in lines(stream, source):
        try:
            event, document = read_line(line, format or FORMAT)
        except MismatchError as error:
            raise located(error, source, number) from None
        if type(event) is GameStarted:
            format, count = event.format, 0
        count += 1
        if not format:
            raise LogError(source, number, "type", "game_started, which begins a log", show(event.type))
        if count > EVENT_LIMIT:
            raise LogError(source, number, None, f"a game of at most {EVENT_LIMIT} events", "one more")
        yield number, line, event, document
    if not format:
        raise LogError(source, 1, None, "an event", "nothing")


@contextmanager
def _opened(path: Path) -> Iterator[tuple[IO[bytes], str]]:
    if path == STANDARD_INPUT:
        yield sys.stdin.buffer, "standard input"
        return
    with open(path, "rb") as stream:
        yield stream, str(path)
