"""Disputes: cases on games, as one viewer may know of them and work on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from schema.ports.paging import Window


class CaseUnknownError(LookupError):
    """No case of this id, for this viewer."""


class EvidenceUnknownError(LookupError):
    """Nothing of this digest is attached to the case, for this viewer."""


class CaseArgumentError(ValueError):
    """A value that cannot be meant; ``argument`` names it, the text is for people."""

    def __init__(self, argument: str, message: str) -> None:
        super().__init__(message)
        self.argument = argument


class CaseActError(ValueError):
    """An act that was refused, nothing of it stored. ``code`` is stable; ``next_seq`` is where the case goes on."""

    def __init__(self, code: str, message: str, next_seq: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.next_seq = next_seq


class CaseRow(NamedTuple):
    """A case as its viewer sees it: to its player the staff's work in between is ``in_review``, whoever it is at.

    ``opened_at`` has microseconds, as cursors need them. ``player`` is whose case it is, ``None`` for one of the staff
    alone; ``opened_by`` and ``assignee`` are principals, ``None`` too where they are not for the viewer.
    """

    case: str
    game: str
    hand: int | None
    step: int | None
    clause: str | None
    player: str | None
    state: str
    round: int
    opened_by: str | None
    opened_at: str
    assignee: str | None
    due: str
    is_overdue: bool
    appeal_until: str | None
    outcome: str | None
    next_seq: int


class CaseEventRow(NamedTuple):
    """An event of a case as its viewer sees it. ``members`` are what its type has beside the envelope; ``text`` is the
    free text, ``None`` where there is none or it was forgotten; ``head`` the chain's after the whole event."""

    seq: int
    type: str
    at: str
    role: str
    principal: str | None
    members: Mapping[str, Any]
    text: str | None
    head: str


class EvidenceRow(NamedTuple):
    """What was frozen at the event ``seq``: a ``bundle`` (as ``seat`` may see the game where that is not ``None``) or a
    ``report``, by the SHA-256 of its bytes; of the game up to event ``upto_seq``, where its head was ``game_head``."""

    seq: int
    kind: str
    digest: str
    seat: int | None
    engine: str
    upto_seq: int
    game_head: str


@dataclass(frozen=True, slots=True)
class CaseFilter:
    """Which cases; ``None`` stands for any."""

    state: str | None = None
    game: str | None = None
    player: str | None = None
    assignee: str | None = None
    opened_by: str | None = None
    is_overdue: bool | None = None


@dataclass(frozen=True, slots=True)
class CaseOpening:
    """A case to be opened: on a game, there on a hand and on a step, on the clause that is said to be broken, with what
    happened in words; for ``player`` where somebody of the staff opens it for one."""

    game: str
    text: str
    hand: int | None = None
    step: int | None = None
    clause: str | None = None
    player: str | None = None


@dataclass(frozen=True, slots=True)
class CaseVerdict:
    """A verdict to be proposed: its outcome, the reason in words, the clauses that it rests on, and findings by their
    places in the frozen report."""

    outcome: str
    reason: str
    clauses: Sequence[str] = ()
    findings: Sequence[int] = ()


class CaseCall(NamedTuple):
    """Which case an act is for, where it goes on as far as its sender knows, and the idempotency key, which is its
    principal's own: the same act again under the same key changes nothing more."""

    case: str
    expected_seq: int
    key: str | None = None


class Cases(Protocol):
    """Cases, as one viewer may: the staff that works on them (clerks, auditors, admins) all, a player the own ones; to
    anybody else there are none.

    Acts give the case as it stands then. They raise ``CaseUnknownError``, ``CaseActError``, ``CaseArgumentError``, and
    ``AccessError`` for one who sees the case and has no role for the act.
    """

    def case(self, case: str) -> CaseRow:
        """One case; ``CaseUnknownError``."""

    def cases(self, wanted: CaseFilter, window: Window[tuple[str, str]]) -> Sequence[CaseRow]:
        """Cases, the newest first, by the place ``(opened_at, case)``."""

    def timelines(self, cases: Sequence[str]) -> Mapping[str, Sequence[CaseEventRow]]:
        """The events of cases in order, as far as the viewer may know of them."""

    def evidence(self, cases: Sequence[str]) -> Mapping[str, Sequence[EvidenceRow]]:
        """What is attached to cases, as far as the viewer may see it."""

    def content(self, case: str, digest: str) -> Mapping[str, Any]:
        """A frozen bundle or report; ``CaseUnknownError``, ``EvidenceUnknownError``. What staff reads is recorded."""

    def export(self, case: str) -> Mapping[str, Any]:
        """The whole case in one document; ``CaseUnknownError``. What staff reads is recorded."""

    def open(self, opening: CaseOpening, key: str | None) -> CaseRow:
        """Opens a case, the audit and a bundle attached and frozen. ``GameUnknownError``, ``SeqUnknownError`` too."""

    def state(self, call: CaseCall, text: str, *, is_internal: bool = False) -> CaseRow:
        """Adds a statement, or a note of the staff for itself."""

    def assign(self, call: CaseCall, assignee: str | None) -> CaseRow:
        """Gives the case to a principal, the viewer itself by default."""

    def set_due(self, call: CaseCall, due: str) -> CaseRow:
        """Sets until when it is to be decided."""

    def refresh(self, call: CaseCall) -> CaseRow:
        """Attaches the evidence anew if it has changed, which voids a pending approval."""

    def propose(self, call: CaseCall, verdict: CaseVerdict) -> CaseRow:
        """Proposes a verdict, for another person to approve."""

    def approve(self, call: CaseCall) -> CaseRow:
        """Approves the pending proposal. Where the evidence has changed since, the proposal is voided, and the refusal
        says so."""

    def reject(self, call: CaseCall, reason: str) -> CaseRow:
        """Rejects the pending proposal."""

    def appeal(self, call: CaseCall, text: str) -> CaseRow:
        """Appeals the verdict."""

    def withdraw(self, call: CaseCall, text: str | None) -> CaseRow:
        """Ends the case without a verdict, or an appeal with the first one."""

    def close(self, call: CaseCall) -> CaseRow:
        """Ends a decided case that can be appealed no more."""

    def forget(self, case: str, seq: int) -> CaseRow:
        """Forgets the text of an event, for admins; the event keeps its digest."""
