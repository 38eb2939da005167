"""Live appends: documents are read, tried on the table as it stands, and stored all or none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from replays.events import Event, GameEnded, GameStarted
from replays.reducer import Impossible, apply, start
from replays.rulebook import Rulebook
from replays.table import Table
from schema.paipu import FORMAT, LogError, load
from service.store import Appended, Store
from service.store.errors import KeyConflictError, UnknownGameError
from service.store.owners import open_owned
from service.usecases.audits import verdict_of
from service.usecases.entries import Sealer, new_secret, opening
from service.usecases.errors import ImpossibleEventError, InvalidDocumentError
from service.usecases.folds import Folds
from service.usecases.sealing import seal_quietly
from service.usecases.texts import free_text, withhold

Document = dict[str, Any]


class Intake:
    """Opens games and appends to them. An event that breaks a rule is stored, and the audit finds it; one that
    cannot be read, or not applied to the table at all, is refused, and nothing of the call is stored."""

    def __init__(self, store: Store, folds: Folds) -> None:
        self._store = store
        self._folds = folds

    def open_game(self, document: Document, key: str | None = None, owner: str | None = None) -> Appended:
        """Starts a game with its ``game_started``; ``owner`` is the principal that runs it.

        The same ``key`` with the same document again returns the first result. Raises ``InvalidDocumentError``,
        ``ImpossibleEventError``, and what ``Store.open`` raises.
        """
        event = _read(0, document)
        if not isinstance(event, GameStarted):
            raise InvalidDocumentError(0, "type", "game_started, which begins a game", event.type)
        table = _begin(event)
        secret = new_secret()
        entry = Sealer.of(table.book, secret, event.format).entry(document)
        opened = opening(document, table.book, secret)
        if owner is None:
            return self._store.open(opened, entry, key)
        return open_owned(self._store, owner, opened, entry, key)

    def append(self, game: str, expected_seq: int, key: str | None, documents: Sequence[Document]) -> Appended:
        """Appends events, the first of them at ``expected_seq`` (1 or more).

        A game that ends with them is audited and sealed. The same ``key`` with the same documents again returns the
        first result. Raises ``InvalidDocumentError``, ``ImpossibleEventError``, and what ``Store.append`` raises.
        """
        format = self._folds.format_of(game)
        events = [_read(index, document, format) for index, document in enumerate(documents)]
        _check_sequence(events, expected_seq)
        book = self._checked(game, expected_seq, events).book
        try:
            done = self._stored(game, expected_seq, key, documents, book)
        except KeyConflictError:
            if all(free_text(document) is None for document in documents):
                raise
            # The same call may have been stored meanwhile, with another salt for its text: now that one is used.
            done = self._stored(game, expected_seq, key, documents, book)
        if isinstance(events[-1], GameEnded):
            verdict_of(self._store, game, done.seq)
            seal_quietly(self._store, game)
        return done

    def _stored(
        self, game: str, expected_seq: int, key: str | None, documents: Sequence[Document], book: Rulebook
    ) -> Appended:
        secret = self._store.secret(game)
        if secret is None:
            raise UnknownGameError(f"no game {game}")
        sealer = Sealer.of(book, secret, self._folds.format_of(game))
        kept, texts = withhold(self._store, game, documents)
        bodies, publics, salts = zip(*map(sealer.entry, kept), strict=True)
        return self._store.append(game, expected_seq, key, bodies, publics, salts, texts)

    def _checked(self, game: str, expected_seq: int, events: Sequence[Event]) -> Table:
        """A table of the game, once the events are known to follow.

        Where they are no plain continuation it is for the store to tell a repeated call from a conflict.
        """
        known = self._store.game(game)
        if (known.next_seq, known.status) != (expected_seq, "open"):
            return self._folds.at(game, 0)
        table = self._folds.at(game, expected_seq - 1)
        for index, event in enumerate(events):
            table = _applied(table, index, event)
        return table


def _read(index: int, document: Document, format: str = FORMAT) -> Event:
    try:
        return load(document, format=format)
    except LogError as error:
        raise InvalidDocumentError.of(index, error) from None


def _begin(event: GameStarted) -> Table:
    try:
        return start(event)
    except Impossible as error:
        raise ImpossibleEventError(0, event.seq, str(error)) from None


def _applied(table: Table, index: int, event: Event) -> Table:
    try:
        return apply(table, event)
    except Impossible as error:
        raise ImpossibleEventError(index, event.seq, str(error)) from None


def _check_sequence(events: Sequence[Event], expected_seq: int) -> None:
    if not events:
        raise InvalidDocumentError(0, None, "at least one event", "none")
    for index, event in enumerate(events):
        if isinstance(event, GameStarted):
            raise InvalidDocumentError(index, "type", "an event of a game that has begun", event.type)
        if event.seq != expected_seq + index:
            raise InvalidDocumentError(index, "seq", str(expected_seq + index), str(event.seq))
