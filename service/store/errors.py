"""What the store may refuse, as exceptions; ``translated`` makes them of what PostgreSQL raises."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import errors as postgres
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError


class StoreError(Exception):
    """Anything the store refuses."""


class StoreUnavailableError(StoreError):
    """The store cannot be used as it is: a command ends with exit code 3."""


class UnreachableError(StoreUnavailableError):
    """No connection to the database, or one that broke: whether the last append was stored is unknown."""


class SchemaOutdatedError(StoreUnavailableError):
    """The database is at an older revision than this program: ``mingpai db upgrade``."""


class SchemaNewerError(StoreUnavailableError):
    """The database is at a newer revision than this program knows."""


class UnsafeDatabaseError(StoreUnavailableError):
    """The server may lose acknowledged events, and nobody said that it may (``MINGPAI_UNSAFE_DATABASE``)."""


class ReplicaError(StoreUnavailableError):
    """A replica is asked for what only the server that is appended to knows."""


class UnsafeRoleError(StoreUnavailableError):
    """The role of ``MINGPAI_DATABASE_URL`` may write events by itself, or may not do what the service needs."""


class InvalidEventError(StoreError):
    """Bytes that are not an event of this game at this place; ``seq`` is the place, where known."""

    def __init__(self, message: str, seq: int | None = None) -> None:
        super().__init__(message)
        self.seq = seq


class UnknownGameError(StoreError):
    """No game of this id."""


class ConflictError(StoreError):
    """What is stored stands against the call. ``next_seq`` and ``head`` (32 bytes) are the stored chain's end.

    ``seq`` is the event that the conflict is about, where it is about one.
    """

    def __init__(self, message: str, game: str, next_seq: int, head: bytes, seq: int | None = None) -> None:
        super().__init__(message)
        self.game = game
        self.next_seq = next_seq
        self.head = head
        self.seq = seq


class SequenceConflictError(ConflictError):
    """The game goes on at another ``seq`` than expected (clause G-SEQ-1 at append)."""


class KeyConflictError(ConflictError):
    """The idempotency key was used for other events; ``seq`` is the first of those."""


class GameEndedError(ConflictError):
    """The game has ended: nothing follows."""


class GameSealedError(GameEndedError):
    """The game is sealed in the log."""


class GameNotEndedError(ConflictError):
    """The game is open, so it cannot be sealed."""


class GameExistsError(ConflictError):
    """A game of this id is there."""


class ContentConflictError(ConflictError):
    """An event is stored with other bytes; ``seq`` is the first one that differs."""


class SecretConflictError(ConflictError):
    """The game has another secret than the salts were made with: read it (``Store.secret``) and make them again."""


class SealConflictError(ConflictError):
    """The seal says something else than what is stored of the game."""


class BrokenLogError(StoreError):
    """The stored log is not whole, or does not go on from what was signed before: nothing is signed over it.

    ``code`` is stable.
    """

    code = "broken"


class CheckpointOrderError(StoreError):
    """A checkpoint of a smaller tree than one that was signed before, or of a larger one than the log."""


class AppendOnlyError(StoreError):
    """Somebody tried to change what is only ever added to."""


_CONFLICTS: dict[str, type[ConflictError]] = {
    "MP001": SequenceConflictError,
    "MP002": KeyConflictError,
    "MP003": GameEndedError,
    "MP004": GameSealedError,
    "MP005": GameExistsError,
    "MP008": ContentConflictError,
    "MP009": SecretConflictError,
    "MP011": GameNotEndedError,
    "MP012": SealConflictError,
}


def _details(error: psycopg.Error) -> dict[str, Any]:
    details: dict[str, Any] = json.loads(error.diag.message_detail or "{}")
    return details


_OTHERS: dict[str, Callable[[psycopg.Error, str], StoreError]] = {
    "MP006": lambda _, message: UnknownGameError(message),
    "MP007": lambda error, message: InvalidEventError(message, _details(error).get("seq")),
    "MP015": lambda _, message: ReplicaError(message),
    "MP014": lambda _, message: InvalidEventError(message),
    "MP013": lambda _, message: CheckpointOrderError(message),
    "MP010": lambda _, message: AppendOnlyError(message),
    "23503": lambda _, message: UnknownGameError(message),  # foreign key: only games are referred to from outside
}


def translate(error: psycopg.Error) -> StoreError | None:
    """The store's exception for one of PostgreSQL's, or ``None`` if it means a fault of the program."""
    state, message = error.sqlstate or "", error.diag.message_primary or str(error)
    if state in _CONFLICTS:
        details = _details(error)
        head = bytes.fromhex(details["head"])
        return _CONFLICTS[state](message, details["game"], details["next_seq"], head, details["seq"])
    if state in _OTHERS:
        return _OTHERS[state](error, message)
    if isinstance(error, postgres.InsufficientPrivilege):
        return UnsafeRoleError(message)
    if isinstance(error, psycopg.DataError | psycopg.IntegrityError):
        return InvalidEventError(message)
    broken = psycopg.OperationalError | psycopg.InterfaceError | postgres.IdleInTransactionSessionTimeout
    if isinstance(error, broken):
        return UnreachableError(message)
    return None


@contextmanager
def translated() -> Iterator[None]:
    """Raises the store's exceptions in place of the driver's."""
    try:
        yield
    except PoolTimeoutError as error:
        raise UnreachableError("all connections of the pool are busy") from error
    except (psycopg.Error, DBAPIError) as error:
        original = error.orig if isinstance(error, DBAPIError) else error
        meant = translate(original) if isinstance(original, psycopg.Error) else None
        if meant is None:
            raise
        raise meant from original
