"""Whole logs into the store: game by game, all of a game or nothing, each audited as it comes in.

A log that ends in the middle of a line, or has a line that cannot be read, gives the games before that line; the game
that the line belongs to is refused whole, and what follows in that file is not read. A log that just stops after a
whole line is a game that goes on: it is stored as far as it is there, and a longer log of it is taken in later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from replays.audit import UNREADABLE, Report, audit
from replays.events import Event, GameEnded, GameStarted
from replays.reducer import Impossible, start
from replays.rulebook import Rulebook
from schema.paipu import EVENT_LIMIT, LogError, Record, games, read_file
from service.store import Ingested, Sender, Store
from service.store.errors import (
    ConflictError,
    ContentConflictError,
    GameExistsError,
    InvalidEventError,
    SecretConflictError,
    UnknownGameError,
)
from service.store.owners import standing
from service.usecases.audits import keep, verdict_of
from service.usecases.entries import Sealer, new_secret, opening
from service.usecases.sealing import seal_quietly
from service.usecases.texts import free_text, withhold

#: Called with every event read, for a progress bar.
Watch = Callable[[Event], None]


class Stored(NamedTuple):
    """A game that is in the store: how many of its events were added and were there before, and the verdict."""

    source: str
    game: str
    added: int
    skipped: int
    verdict: str


class Refused(NamedTuple):
    """A game, or the rest of a file, that was not taken in; nothing of it is stored. ``line`` is where, from 1, and
    ``member`` what of it, where one is to blame."""

    source: str
    game: str | None
    line: int | None
    reason: str
    member: str | None = None


Outcome = Stored | Refused


def ingest_file(store: Store, path: str, watch: Watch | None = None) -> Iterator[Outcome]:
    """Takes in the games of a file (``-``: standard input), one outcome a game; see ``ingest``.

    ``OSError`` where the file cannot be read.
    """
    return ingest(store, read_file(path), str(path), watch)


def ingest(
    store: Store, records: Iterator[Record], source: str, watch: Watch | None = None, sender: Sender | None = None
) -> Iterator[Outcome]:
    """Takes in the games of a log. Doing it again adds nothing, and is how one that broke off is resumed.

    A ``sender`` owns what it opens, and a game that is not its own is refused; without one every game may be added to.
    """
    grouped = games(records)
    while True:
        collected: list[Record] = []
        try:
            group = next(grouped, None)
            if group is None:
                return
            for record in group:
                collected.append(record)
                if watch is not None:
                    watch(record.event)
        except LogError as error:
            game = collected[0].document.get("game") if collected else None
            yield Refused(source, game, error.line, str(error), error.member)
            return
        yield _take(store, collected, source, sender)


def _take(store: Store, records: list[Record], source: str, sender: Sender | None) -> Outcome:
    game = records[0].document["game"]
    try:
        return _taken(store, records, source, sender)
    except _UnfitError as error:
        reason = f"{source}, line {error.line}: game {game}: {error}"
        return Refused(source, game, error.line, reason, error.member)
    except GameExistsError as conflict:
        return Refused(source, game, records[0].line, f"{source}: {conflict}")
    except InvalidEventError as error:
        line = _line(records, error.seq)
        return Refused(source, game, line, f"{source}, game {game}: the store does not take it: {error}")
    except ConflictError as conflict:
        return Refused(source, game, _line(records, conflict.seq), f"{source}: {_words(conflict)}")


class _UnfitError(Exception):
    """A game that can be read but not be stored, and the line that is to blame."""

    def __init__(self, line: int, reason: str, member: str | None = None) -> None:
        super().__init__(reason)
        self.line = line
        self.member = member


def _taken(store: Store, records: list[Record], source: str, sender: Sender | None) -> Stored:
    """One game: tried on the engine first if it brings anything new, then stored in one transaction."""
    game = records[0].document["game"]
    if sender is not None:
        _require_own(store, records, sender)
    _check_sequence(records)
    report = None if _stored_events(store, game) >= len(records) else _audited(records)
    done = _store(store, records, sender)
    if report is not None and done.seq + 1 == len(records):
        verdict = str(keep(store, report, [record.event for record in records]).whole["verdict"])
    else:
        verdict = verdict_of(store, game, done.seq)
    if isinstance(records[-1].event, GameEnded):
        seal_quietly(store, game)
    return Stored(source, game, done.added, done.skipped, verdict)


def _require_own(store: Store, records: list[Record], sender: Sender) -> None:
    """Asked before the game is looked at, so that nothing of another's game shows in what is said; the ledger asks
    again when it is stored."""
    found = standing(store, records[0].document["game"])
    if found is not None and found.owner != sender.principal:
        raise _UnfitError(records[0].line, "the game exists", "game")


def _check_sequence(records: Iterable[Record]) -> None:
    """G-SEQ-1 is a finding in a file; a store that appends has no place for a gap or a repeat."""
    for seq, record in enumerate(records):
        if record.event.seq != seq:
            raise _UnfitError(record.line, f"seq: expected {seq}, found {record.event.seq} (G-SEQ-1)", "seq")


def _audited(records: list[Record]) -> Report:
    try:
        report = audit(record.event for record in records)
    except Impossible as error:
        raise _UnfitError(records[0].line, str(error)) from None
    if report.verdict == UNREADABLE and report.error is not None:
        seq, reason = report.error
        raise _UnfitError(records[seq].line, f"seq {seq} cannot be applied: {reason}")
    return report


def _store(store: Store, records: list[Record], sender: Sender | None) -> Ingested:
    first = records[0].event
    assert isinstance(first, GameStarted)  # the reader begins every game so
    try:
        book = start(first).book
    except Impossible as error:
        raise _UnfitError(records[0].line, str(error)) from None
    try:
        return _sealed(store, records, book, store.secret(first.game) or new_secret(), sender)
    except (SecretConflictError, ContentConflictError) as conflict:
        if isinstance(conflict, ContentConflictError) and free_text(records[conflict.seq or 0].document) is None:
            raise
        # Somebody else has begun the game since it was asked for, or stored a text with another salt.
        return _sealed(store, records, book, store.secret(first.game) or new_secret(), sender)


def _sealed(store: Store, records: list[Record], book: Rulebook, secret: bytes, sender: Sender | None) -> Ingested:
    first = records[0].document
    sealer = Sealer.of(book, secret, first["format"])
    documents, texts = withhold(store, first["game"], [record.document for record in records])
    opened = opening(first, book, secret)
    return store.ingest(opened, map(sealer.entry, documents), texts, batch=EVENT_LIMIT, sender=sender)


def _stored_events(store: Store, game: str) -> int:
    try:
        return store.game(game).next_seq
    except UnknownGameError:
        return 0


def _line(records: list[Record], seq: int | None) -> int | None:
    return records[seq].line if seq is not None and seq < len(records) else None


def _words(conflict: ConflictError) -> str:
    if isinstance(conflict, ContentConflictError):
        return f"game {conflict.game} is stored with another content, from seq {conflict.seq} on"
    return str(conflict)
