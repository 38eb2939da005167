"""What goes into the store and comes out of it: plain values, no connection behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple


def time_text(moment: datetime) -> str:
    """RFC 3339 UTC with milliseconds, as receipts and reports write a time."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Entry(NamedTuple):
    """An event to be stored: its canonical bytes, the SHA-256 of its public form (32 bytes) and its salt (16)."""

    body: bytes
    public_digest: bytes
    salt: bytes


@dataclass(frozen=True, slots=True)
class Opening:
    """What a game needs beside its events: the digest of its resolved rule set, its secret K, its seats' names."""

    game: str
    ruleset_digest: bytes  #: 32 bytes
    secret: bytes  #: 32 bytes
    names: Sequence[str | None] = ()  #: by seat


class Appended(NamedTuple):
    """The end of what was appended: last ``seq``, the head after it (32 bytes), the time of record."""

    game: str
    seq: int
    head: bytes
    time: str  #: as ``time_text``: a repeated append gets the same one


class Ingested(NamedTuple):
    """As ``Appended``, with how many events were added and how many were there before."""

    game: str
    seq: int
    head: bytes
    time: str
    added: int
    skipped: int


class StoredEvent(NamedTuple):
    """An event as stored; ``body`` is canonical JSON, the columns after ``head`` are read off it."""

    seq: int
    body: bytes
    public_digest: bytes
    salt: bytes
    leaf: bytes
    head: bytes
    type: str
    hand: int | None
    seat: int | None
    at: str
    recorded_at: datetime

    @property
    def time(self) -> str:
        """The time of record as receipts write it."""
        return time_text(self.recorded_at)


class Game(NamedTuple):
    """A game: what its first event says, how it stands, and the end of its chain."""

    game: str
    ruleset_id: str
    ruleset_version: str
    options: Mapping[str, Any]  #: as the first event names them, defaults left out
    ruleset_digest: bytes
    players: Sequence[str]
    started_at: str
    status: str  #: ``open``, ``finished``, ``abandoned`` or ``voided``
    opened_at: datetime
    closed_at: datetime | None
    sealed_at: datetime | None
    next_seq: int
    head: bytes
    updated_at: datetime

    @property
    def cursor(self) -> tuple[datetime, str]:
        """Where the next page of games begins."""
        return self.opened_at, self.game


class Audit(NamedTuple):
    """An engine's verdict on a game up to an event; ``report`` is the JSON object of ``mingpai audit``."""

    game: str
    engine: str
    upto_seq: int
    verdict: str
    report: Mapping[str, Any]
    audited_at: datetime


class Finding(NamedTuple):
    """One finding of an audit; ``ordinal`` is its place in the report."""

    game: str
    engine: str
    ordinal: int
    seq: int | None
    hand: int | None
    seat: int | None
    clause: str
    code: str
    severity: str
    expected: Any
    recorded: Any
    also: Sequence[str] = ()

    @property
    def cursor(self) -> tuple[str, int]:
        """Where the next page of findings begins."""
        return self.game, self.ordinal


@dataclass(frozen=True, slots=True)
class Health:
    """How the database stands: its version, the schema's revision, and what makes it unsafe (empty if nothing)."""

    server_version: str
    schema_revision: str
    unsafe: tuple[str, ...]
