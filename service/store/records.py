"""What goes into the store and comes out of it: plain values, no connection behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from service.evidence.leaves import leaf_from_digest


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


class Sender(NamedTuple):
    """Who sends whole games: the game server ``principal``, which owns what it opens and touches no other game; or,
    where ``None``, somebody who may only touch games that no game server runs."""

    principal: str | None


class EventText(NamedTuple):
    """Free text of the event ``seq``, which holds only SHA-256(``salt`` ‖ ``text``): 16 bytes, UTF-8."""

    seq: int
    salt: bytes
    text: bytes


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
    """An event as stored: ``body`` is canonical JSON, ``public_digest`` the SHA-256 of its public form, ``head`` the
    chain's after it."""

    seq: int
    body: bytes
    public_digest: bytes
    salt: bytes
    head: bytes
    recorded_at: datetime

    @property
    def time(self) -> str:
        """The time of record as receipts write it."""
        return time_text(self.recorded_at)

    @property
    def leaf(self) -> bytes:
        """The leaf hash that the chain was computed with (``fairness.md``, "Evidence")."""
        return leaf_from_digest(self.public_digest, self.salt, self.body)


class Game(NamedTuple):
    """A game: what its first event says, how it stands, and the end of its chain."""

    game: str
    ruleset_id: str
    ruleset_version: str
    options: Mapping[str, Any]  #: as the first event names them, defaults left out
    ruleset_digest: bytes
    players: Sequence[str]
    started_at: str
    opened_at: datetime
    next_seq: int
    head: bytes
    status: str  #: ``open``, ``finished``, ``abandoned`` or ``voided``
    updated_at: datetime
    closed_at: datetime | None
    sealed_at: datetime | None

    @property
    def cursor(self) -> tuple[datetime, str]:
        """Where the next page of games begins."""
        return self.opened_at, self.game


class LogLeaf(NamedTuple):
    """A sealed game in the log: its place, the canonical bytes of its seal, and their RFC 9162 leaf hash."""

    index: int  # type: ignore[assignment]  # the field's term, which hides tuple.index
    game: str
    seal: bytes
    leaf: bytes
    sealed_at: datetime


class SignedCheckpoint(NamedTuple):
    """A signed tree head that was kept: ``note`` is the C2SP note, the witnesses' lines come with ``cosigned``."""

    position: int
    size: int
    note: bytes
    signed_at: datetime


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
