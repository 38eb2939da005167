"""Reading games, and taking them in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from replays.events import Act
from schema.ports.paging import Window
from schema.replaying import Span


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


class NotAuditedError(LookupError):
    """A game that has no audit yet."""


class HandUnknownError(LookupError):
    """A number that no finished hand of the game has."""


class HiddenError(Exception):
    """Something of a game that its viewer sees, but not this; the text is for people."""


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
    is_public: bool = False


class EventRow(NamedTuple):
    """A stored event as its viewer sees it: ``body`` are canonical bytes, of the event where ``is_full``, else of its
    public form; free members (``x_``) may be left out either way. Of an act that a seat was offered or declined
    (``type`` is ``private``) others see no more than that there was one: no time, no seat."""

    seq: int
    type: str
    at: str | None
    hand: int | None
    seat: int | None
    body: bytes
    is_full: bool
    leaf: str
    head: str
    recorded_at: str | None


class AuditRow(NamedTuple):
    """A stored audit up to event ``upto_seq``; ``report`` is the JSON object of ``mingpai audit``."""

    game: str
    engine: str
    upto_seq: int
    report: Mapping[str, Any]
    audited_at: str


class HandRow(NamedTuple):
    """A finished hand by the newest audit of its game, which ``engine`` made up to event ``upto_seq``: ``hand`` is its
    JSON object in the report. ``opened_at`` is the game's and has microseconds, as cursors need them."""

    game: str
    number: int
    opened_at: str
    hand: Mapping[str, Any]
    engine: str
    upto_seq: int
    ruleset_digest: str


class ReauditRow(NamedTuple):
    """An audit made anew, and the newest one that was stored before it."""

    audit: AuditRow
    previous: AuditRow | None


class FindingRow(NamedTuple):
    """A stored finding of ``engine``: ``ordinal`` is its place in its game's report, ``finding`` its JSON object."""

    game: str
    ordinal: int
    finding: Mapping[str, Any]
    engine: str


class StateRow(NamedTuple):
    """A table after event ``seq``. ``view`` says how much of it: ``all``, and then its hash too; ``seat``, what that
    seat could see; or ``spectator``, what everybody could."""

    game: str
    seq: int
    view: str
    seat: int | None
    table: Mapping[str, Any]
    state_hash: str | None
    ruleset_digest: str


class LegalActsRow(NamedTuple):
    """The legal acts after event ``seq`` of the seats that the viewer may look over the shoulder of, by seat."""

    game: str
    seq: int
    acts: Mapping[int, Sequence[Act]]
    ruleset_digest: str


class ReplayRow(NamedTuple):
    """A hand step by step (``schema.replaying``), from event ``first`` to event ``last``, as ``seat`` saw it or as much
    as the viewer may see; ``hands`` are all hands of the game. ``events`` are as the log format writes them;
    ``findings`` are those of these steps, what they quote being left out where these eyes may not see it."""

    game: str
    hand: int
    first: int
    last: int
    hands: Sequence[Span]
    view: str
    seat: int | None
    frames: Sequence[Mapping[str, Any]]
    acts: Sequence[Mapping[str, Any]]
    events: Sequence[Mapping[str, Any]]
    findings: Sequence[Mapping[str, Any]]
    ruleset_digest: str


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
    """Which games; ``None`` stands for any. What an audit says is what the newest one says.

    ``clause`` and ``severity`` together ask for one finding that has both. ``win`` is the way by which some hand was
    won. ``min_swing`` is the most points that a seat won or lost in some hand, ``min_total_swing`` over all hands.
    Times are from (inclusive) and until (exclusive): of the service's opening of the game, and of the game server's
    start of it (as the log writes times). ``dispute`` is the state of some case on the game; the words are the case
    list's.
    """

    ruleset: str | None = None
    verdict: str | None = None
    player: str | None = None
    clause: str | None = None
    severity: str | None = None
    win: str | None = None
    min_swing: int | None = None
    min_total_swing: int | None = None
    status: str | None = None
    is_public: bool | None = None
    dispute: str | None = None
    opened_from: datetime | None = None
    opened_until: datetime | None = None
    started_from: str | None = None
    started_until: str | None = None


@dataclass(frozen=True, slots=True)
class HandFilter:
    """Which finished hands; ``None`` stands for any. ``winner`` is the winning player's id, ``min_swing`` the most
    points that a seat won or lost in the hand, ``min_factor`` what the way of winning multiplies by."""

    game: str | None = None
    ruleset: str | None = None
    winner: str | None = None
    win: str | None = None
    min_factor: int | None = None
    min_swing: int | None = None
    opened_from: datetime | None = None
    opened_until: datetime | None = None


class SealRow(NamedTuple):
    """A game's seal in the log: its place there, its canonical JSON, and when it was taken in."""

    game: str
    index: int  # type: ignore[assignment]  # the field's term, which hides tuple.index
    seal: str
    sealed_at: str


class Library(Protocol):
    """Reading, as one viewer may: what that viewer may not know of is not there at all. Every answer comes from stored
    rows. All methods may be called from any thread.
    """

    def game(self, game: str) -> GameRow:
        """One game; ``GameUnknownError``."""

    def games(self, wanted: GameFilter, window: Window[tuple[str, str]]) -> Sequence[GameRow]:
        """Games, the newest first, by the place ``(opened_at, game)``."""

    def games_of(self, players: Sequence[str], window: Window[tuple[str, str]]) -> Mapping[str, Sequence[GameRow]]:
        """Of each of the players one window of the games that they sat in, by the same place."""

    def names(self, games: Sequence[str]) -> Mapping[str, Mapping[int, str]]:
        """The names by seat of games, as far as they are kept and the viewer sees names."""

    def events(self, game: str, window: Window[tuple[int]]) -> Sequence[EventRow]:
        """Events in order, by the place ``(seq,)``; ``GameUnknownError``."""

    def event(self, game: str, seq: int) -> EventRow:
        """One event; ``GameUnknownError``, ``SeqUnknownError``."""

    def audits(self, games: Sequence[str]) -> Mapping[str, AuditRow]:
        """The newest audits of games, of those that have one. Of a game that goes on it is the audit of the finished
        hands for all but the server that runs it."""

    def audits_by_engine(self, games: Sequence[str]) -> Mapping[str, Sequence[AuditRow]]:
        """Of games the stored audits of every engine, the newest first."""

    def hand(self, game: str, number: int) -> HandRow:
        """One finished hand; ``GameUnknownError``, ``NotAuditedError``, ``HandUnknownError``."""

    def hands(self, wanted: HandFilter, window: Window[tuple[str, str, int]]) -> Sequence[HandRow]:
        """Finished hands, those of the newest game first, by the place ``(opened_at, game, number)``."""

    def hands_of(self, games: Sequence[str], window: Window[tuple[int]]) -> Mapping[str, Sequence[HandRow]]:
        """Of each of the games one window of its finished hands in order, by the place ``(number,)``."""

    def findings(
        self, clause: str | None, severity: str | None, window: Window[tuple[str, int]]
    ) -> Sequence[FindingRow]:
        """Findings of newest audits by the place ``(game, ordinal)``."""

    def state_at(self, game: str, seq: int, seat: int | None) -> StateRow:
        """The table after an event: as ``seat`` saw it, or as much as the viewer may see.

        ``GameUnknownError``, ``SeqUnknownError``, ``SeatUnknownError``, ``HiddenError`` for another's seat.
        """

    def legal_acts(self, game: str, seq: int) -> LegalActsRow:
        """The legal acts after an event; ``GameUnknownError``, ``SeqUnknownError``."""

    def replay(self, game: str, *, hand: int | None, seq: int | None, seat: int | None) -> ReplayRow:
        """A hand step by step, by its number or by a step in it, the first one where neither is given: as ``seat`` saw
        it, or as much as the viewer may see.

        ``GameUnknownError``, ``HandUnknownError``, ``SeqUnknownError``, ``SeatUnknownError``, ``HiddenError`` for
        another's seat.
        """


class Desk(Protocol):
    """What game servers do to their own games: all of a call or nothing. Refusals are ``IntakeError`` and
    ``GameUnknownError``; ``AccessError`` for a viewer that is no game server."""

    def open_game(self, document: Any, key: str | None) -> ReceiptRow:
        """Starts a game with its ``game_started``; the same ``key`` again returns the first result."""

    def append(self, game: str, expected_seq: int, key: str | None, documents: Sequence[Any]) -> ReceiptRow:
        """Appends events from ``expected_seq`` on; the same ``key`` again returns the first result."""

    def void_hand(self, game: str, expected_seq: int, key: str | None, hand: int, reason: str, at: str) -> ReceiptRow:
        """Appends that the platform cancelled the hand at ``at``."""

    def seal(self, game: str) -> SealRow:
        """Seals an ended game, or says where it was sealed before."""

    def publish(self, game: str, is_public: bool) -> GameRow:
        """Opens a sealed game to everybody, or closes it again; for admins."""


class Reaudits(Protocol):
    """Auditing stored games anew; for auditors and admins, ``AccessError`` for everybody else."""

    def audit(self, game: str) -> ReauditRow:
        """Audits a game by this engine as it is stored; ``GameUnknownError``."""
