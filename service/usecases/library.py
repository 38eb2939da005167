"""The ports of the GraphQL fields (``schema.ports``) over the store."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from replays import ENGINE
from replays.events import Act
from replays.referee import offers
from replays.table import Table
from replays.view import picture
from schema.ports import (
    AuditRow,
    EventRow,
    FindingRow,
    GameFilter,
    GameRow,
    GameUnknownError,
    IntakeError,
    ReceiptRow,
    SeatUnknownError,
    SeqUnknownError,
    StateRow,
)
from service.store import Appended, Finding, Store, StoredEvent, time_text
from service.store.errors import (
    ConflictError,
    GameEndedError,
    GameExistsError,
    GameSealedError,
    InvalidEventError,
    KeyConflictError,
    SequenceConflictError,
    UnknownGameError,
)
from service.store.listing import game_row, game_rows
from service.usecases.append import Intake
from service.usecases.errors import ImpossibleEventError, InvalidDocumentError, SeqRangeError
from service.usecases.folds import Folds
from service.usecases.notary import Notary


class StoredLibrary:
    """``schema.ports.Library`` over a store."""

    def __init__(self, store: Store, folds: Folds) -> None:
        self._store = store
        self._folds = folds

    def game(self, game: str) -> GameRow:
        row = game_row(self._store, _storable(game))
        if row is None:
            raise GameUnknownError(game)
        return row

    def games(self, wanted: GameFilter, after: tuple[str, str] | None, limit: int) -> Sequence[GameRow]:
        if not all(map(_is_storable, (wanted.ruleset, wanted.player, wanted.clause))):
            return []
        return game_rows(self._store, wanted, after, limit)

    def names(self, game: str) -> Mapping[int, str]:
        return self._store.names(game)

    def events(self, game: str, after: int, limit: int) -> Sequence[EventRow]:
        found = [_event_row(stored) for stored in self._store.events(_storable(game), after, limit)]
        if not found:
            self.game(game)  # an end of the list, or no game at all
        return found

    def event(self, game: str, seq: int) -> EventRow:
        found = self._store.event(_storable(game), seq)
        if found is None:
            raise SeqUnknownError(self.game(game).events - 1)
        return _event_row(found)

    def audit(self, game: str) -> AuditRow | None:
        found = self._store.audit(_storable(game))
        if found is None:
            self.game(game)
            return None
        return AuditRow(found.game, found.engine, found.upto_seq, found.report, time_text(found.audited_at))

    def findings(
        self, clause: str | None, severity: str | None, after: tuple[str, int] | None, limit: int
    ) -> Sequence[FindingRow]:
        if not _is_storable(clause):
            return []
        rows = self._store.findings(ENGINE, clause=clause, severity=severity, after=after, limit=limit)
        return [FindingRow(row.game, row.ordinal, _finding_document(row)) for row in rows]

    def state_at(self, game: str, seq: int, seat: int | None) -> StateRow:
        table = self._table(game, seq)
        if seat is not None and not 0 <= seat < table.players:
            raise SeatUnknownError(table.players)
        state_hash = table.state_hash() if seat is None else None  # a hash of the whole would tell of hidden tiles
        return StateRow(game, seq, seat, picture(table, seat), state_hash)

    def legal_acts(self, game: str, seq: int) -> Sequence[Sequence[Act]]:
        return offers(self._table(game, seq))

    def _table(self, game: str, seq: int) -> Table:
        try:
            return self._folds.at(_storable(game), seq)
        except UnknownGameError:
            raise GameUnknownError(game) from None
        except SeqRangeError as error:
            raise SeqUnknownError(error.last) from None


def _is_storable(text: str | None) -> bool:
    """Whether PostgreSQL can hold the text at all: JSON can say zero characters and halves of pairs, it cannot."""
    return text is None or not any(character == "\0" or "\ud800" <= character <= "\udfff" for character in text)


def _storable(game: str) -> str:
    """The id of a game that may be there; ``GameUnknownError`` for one that cannot."""
    if not _is_storable(game):
        raise GameUnknownError(game)
    return game


def _event_row(stored: StoredEvent) -> EventRow:
    document = json.loads(stored.body)
    return EventRow(
        seq=stored.seq,
        type=document["type"],
        at=document["at"],
        hand=document.get("hand"),
        seat=document.get("seat"),
        body=bytes(stored.body),
        leaf=stored.leaf.hex(),
        head=stored.head.hex(),
        recorded_at=stored.time,
    )


_FINDING_MEMBERS = ("seq", "hand", "seat", "clause", "code", "severity", "expected", "recorded", "also")


def _finding_document(row: Finding) -> dict[str, Any]:
    return {member: getattr(row, member) for member in _FINDING_MEMBERS}


class StoredDesk:
    """``schema.ports.Desk`` over a store."""

    def __init__(self, store: Store, folds: Folds, notary: Notary | None = None) -> None:
        self._intake = Intake(store, folds)
        self._notary = notary

    def open_game(self, document: Any, key: str | None) -> ReceiptRow:
        with _refusals():
            return self._receipt(self._intake.open_game(document, key))

    def append(self, game: str, expected_seq: int, key: str | None, documents: Sequence[Any]) -> ReceiptRow:
        with _refusals():
            return self._receipt(self._intake.append(_storable(game), expected_seq, key, documents))

    def _receipt(self, done: Appended) -> ReceiptRow:
        """Signed after the commit; the same for a call that comes again."""
        plain = ReceiptRow(done.game, done.seq, done.head.hex(), done.time)
        signed = None if self._notary is None else self._notary.receipt(done)
        if signed is None:
            return plain
        return plain._replace(signature=b64encode(signed.signature).decode(), key=signed.key)


#: The codes of conflicts, the special before the general.
_CONFLICTS: tuple[tuple[type[ConflictError], str], ...] = (
    (GameSealedError, "sealed"),
    (GameEndedError, "game_ended"),
    (GameExistsError, "game_exists"),
    (KeyConflictError, "key_conflict"),
    (SequenceConflictError, "sequence_conflict"),
    (ConflictError, "conflict"),
)


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except UnknownGameError as error:
        raise GameUnknownError(str(error)) from None
    except InvalidDocumentError as error:
        raise IntakeError("invalid_event", str(error), index=error.index, member=error.member) from None
    except ImpossibleEventError as error:
        raise IntakeError("impossible_event", str(error), index=error.index) from None
    except InvalidEventError as error:
        raise IntakeError("invalid_event", str(error)) from None
    except ConflictError as error:
        code = next(code for kind, code in _CONFLICTS if isinstance(error, kind))
        raise IntakeError(code, str(error), next_seq=error.next_seq, head=error.head.hex()) from None
