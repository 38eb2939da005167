"""What the GraphQL fields ask of the service: Protocols, and the plain values that come back.

The service puts an implementation of ``Library`` and ``Desk`` into the context of every request. Hashes are lower-case
hex, times RFC 3339 UTC text, points integers within ±(2^53 − 1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from replays.events import Act


class GameUnknownError(LookupError):
    """No game of this id."""


class SeqUnknownError(LookupError):
    """A step that the game does not have; ``last`` is the last one it has."""

    def __init__(self, last: int) -> None:
        super().__init__(last)
        self.last = last


class SeatUnknownError(LookupError):
    """A seat that the game does not have; it has ``seats``, from 0."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats)
        self.seats = seats


class IntakeError(ValueError):
    """An append that was refused, nothing of it stored. ``code`` is stable; ``index`` is the document to blame,
    ``member`` its member; ``next_seq`` and ``head`` are the stored game's end where the game stands against it."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        index: int | None = None,
        member: str | None = None,
        next_seq: int | None = None,
        head: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.index = index
        self.member = member
        self.next_seq = next_seq
        self.head = head


class GameRow(NamedTuple):
    """A stored game; ``verdict`` is the newest audit's, ``opened_at`` has microseconds, as cursors need them."""

    game: str
    ruleset: str
    version: str
    options: Mapping[str, Any]  #: as the first event names them, defaults left out
    ruleset_digest: str
    players: Sequence[str]  #: by seat
    started_at: str
    status: str  #: ``open``, ``finished``, ``abandoned`` or ``voided``
    opened_at: str
    closed_at: str | None
    sealed_at: str | None
    events: int
    head: str
    verdict: str | None


class EventRow(NamedTuple):
    """A stored event; ``body`` are its canonical bytes."""

    seq: int
    type: str
    at: str
    hand: int | None
    seat: int | None
    body: bytes
    leaf: str
    head: str
    recorded_at: str


class AuditRow(NamedTuple):
    """A stored audit up to event ``upto_seq``; ``report`` is the JSON object of ``mingpai audit``."""

    game: str
    engine: str
    upto_seq: int
    report: Mapping[str, Any]
    audited_at: str


class FindingRow(NamedTuple):
    """A stored finding: ``ordinal`` is its place in its game's report, ``finding`` its JSON object."""

    game: str
    ordinal: int
    finding: Mapping[str, Any]


class StateRow(NamedTuple):
    """A table after event ``seq``: what ``seat`` could see of it, or all of it; then its hash too."""

    game: str
    seq: int
    seat: int | None
    table: Mapping[str, Any]
    state_hash: str | None


class ReceiptRow(NamedTuple):
    """The end of what was appended: last ``seq``, the head after it, the time of record.

    ``signature`` is base64 of the service's Ed25519 signature over these, made by ``key`` (a vkey); ``None`` where
    nothing is signed.
    """

    game: str
    seq: int
    head: str
    time: str
    signature: str | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class GameFilter:
    """Which games; ``None`` stands for any. ``clause`` asks for a finding of it in the newest audit."""

    ruleset: str | None = None
    verdict: str | None = None
    player: str | None = None
    clause: str | None = None
    status: str | None = None


class Library(Protocol):
    """Reading: every answer comes from stored rows. All methods may be called from any thread."""

    def game(self, game: str) -> GameRow:
        """One game; ``GameUnknownError``."""

    def games(self, wanted: GameFilter, after: tuple[str, str] | None, limit: int) -> Sequence[GameRow]:
        """Games, the newest first, behind the place ``(opened_at, game)``."""

    def names(self, game: str) -> Mapping[int, str]:
        """The names of a game's seats that are still kept."""

    def events(self, game: str, after: int, limit: int) -> Sequence[EventRow]:
        """Events behind seq ``after``; ``GameUnknownError``."""

    def event(self, game: str, seq: int) -> EventRow:
        """One event; ``GameUnknownError``, ``SeqUnknownError``."""

    def audit(self, game: str) -> AuditRow | None:
        """The newest audit, ``None`` where there is none yet; ``GameUnknownError``."""

    def findings(
        self, clause: str | None, severity: str | None, after: tuple[str, int] | None, limit: int
    ) -> Sequence[FindingRow]:
        """Findings of this engine by game and place, behind the place ``(game, ordinal)``."""

    def state_at(self, game: str, seq: int, seat: int | None) -> StateRow:
        """The table after an event; ``GameUnknownError``, ``SeqUnknownError``, ``SeatUnknownError``."""

    def legal_acts(self, game: str, seq: int) -> Sequence[Sequence[Act]]:
        """Every legal act after an event, by seat; ``GameUnknownError``, ``SeqUnknownError``."""


class Desk(Protocol):
    """Taking in live events: all of a call or nothing. Refusals are ``IntakeError`` and ``GameUnknownError``."""

    def open_game(self, document: Any, key: str | None) -> ReceiptRow:
        """Starts a game with its ``game_started``; the same ``key`` again returns the first result."""

    def append(self, game: str, expected_seq: int, key: str | None, documents: Sequence[Any]) -> ReceiptRow:
        """Appends events from ``expected_seq`` on; the same ``key`` again returns the first result."""
