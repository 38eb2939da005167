"""A case by folding its events: what stands now. Whether an event was allowed is another question (``rules``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, NamedTuple

from service.disputes.events import (
    Appealed,
    ApprovalVoided,
    Assigned,
    Closed,
    DueSet,
    Event,
    EvidenceAttached,
    Opened,
    Person,
    VerdictApproved,
    VerdictProposed,
    VerdictRejected,
    Withdrawn,
)


class State(Enum):
    """How a case stands."""

    OPEN = "open"  #: waits for somebody to decide it
    IN_REVIEW = "in_review"  #: is somebody's to decide
    PENDING_APPROVAL = "pending_approval"  #: a verdict waits for another person's approval
    DECIDED = "decided"  #: has a verdict that its player may still appeal
    APPEALED = "appealed"  #: waits for somebody to decide it anew
    WITHDRAWN = "withdrawn"  #: ended without a verdict
    CLOSED = "closed"  #: ended with the verdict that stands


class Proposal(NamedTuple):
    """A verdict that somebody proposed at event ``seq``, resting on the evidence at ``evidence``."""

    seq: int
    by: Person
    outcome: str
    clauses: tuple[str, ...]
    findings: tuple[int, ...]
    evidence: int
    text: str


class Verdict(NamedTuple):
    """A proposal that another person approved at event ``seq``."""

    seq: int
    proposal: Proposal
    approver: Person
    at: str


@dataclass(frozen=True, slots=True)
class Case:
    """A case after ``events`` events. ``round`` is 1, and 2 after an appeal; ``verdicts`` are those approved, at most
    one a round."""

    case: str
    game: str
    hand: int | None
    step: int | None
    clause: str | None
    player: str | None
    opener: Person
    opened_at: str
    due: str
    state: State = State.OPEN
    round: int = 1
    events: int = 1
    assignee: Person | None = None
    evidence: EvidenceAttached | None = None
    pending: Proposal | None = None
    verdicts: tuple[Verdict, ...] = ()
    appeal_until: str | None = None

    @property
    def verdict(self) -> Verdict | None:
        """The verdict that stands: while an appeal is being decided, the first one still does."""
        return self.verdicts[-1] if self.verdicts else None

    @property
    def deciders(self) -> tuple[Person, ...]:
        """Who made the verdicts so far."""
        return tuple(person for one in self.verdicts for person in (one.proposal.by, one.approver))


class UnfoldableError(ValueError):
    """Events that are no case: they do not begin with ``opened``, or have a gap, or one of another case."""


def fold(events: Iterable[Event]) -> Case:
    """The case that the events make; ``UnfoldableError``."""
    case: Case | None = None
    for event in events:
        case = step(case, event)
    if case is None:
        raise UnfoldableError("a case has at least one event")
    return case


def step(case: Case | None, event: Event) -> Case:
    """The case after one more event, ``None`` being the case before its first; ``UnfoldableError``."""
    if case is None:
        if not isinstance(event, Opened) or event.seq != 0:
            raise UnfoldableError("a case begins with opened at 0")
        return _opened(event)
    if (event.case, event.seq) != (case.case, case.events):
        raise UnfoldableError(f"event {event.seq} of {event.case} where {case.events} of {case.case} is due")
    if isinstance(event, Opened):
        raise UnfoldableError("a case is opened once")
    changed = _STEPS.get(type(event), _unchanged)(case, event)
    return replace(changed, events=case.events + 1)


def _opened(event: Opened) -> Case:
    return Case(
        case=event.case,
        game=event.game,
        hand=event.hand,
        step=event.step,
        clause=event.clause,
        player=event.player,
        opener=event.by.person,
        opened_at=event.at,
        due=event.due,
    )


def _unchanged(case: Case, event: Event) -> Case:
    return case


def _attached(case: Case, event: EvidenceAttached) -> Case:
    return replace(case, evidence=event)


def _assigned(case: Case, event: Assigned) -> Case:
    return replace(case, state=State.IN_REVIEW, assignee=Person(event.assignee, event.assignee_player))


def _due_set(case: Case, event: DueSet) -> Case:
    return replace(case, due=event.due)


def _proposed(case: Case, event: VerdictProposed) -> Case:
    proposal = Proposal(
        seq=event.seq,
        by=event.by.person,
        outcome=event.outcome,
        clauses=tuple(event.clauses),
        findings=tuple(event.findings),
        evidence=event.evidence,
        text=event.text,
    )
    return replace(case, state=State.PENDING_APPROVAL, pending=proposal)


def _approved(case: Case, event: VerdictApproved) -> Case:
    if case.pending is None or case.pending.seq != event.proposal:
        raise UnfoldableError(f"event {event.seq} approves a proposal that is not pending")
    verdict = Verdict(event.seq, case.pending, event.by.person, event.at)
    # The verdict on an appeal is final.
    state = State.DECIDED if case.round == 1 else State.CLOSED
    return replace(case, state=state, pending=None, verdicts=(*case.verdicts, verdict), appeal_until=event.appeal_until)


def _reviewed_again(case: Case, event: VerdictRejected | ApprovalVoided) -> Case:
    if case.pending is None or case.pending.seq != event.proposal:
        raise UnfoldableError(f"event {event.seq} is about a proposal that is not pending")
    return replace(case, state=State.IN_REVIEW, pending=None)


def _appealed(case: Case, event: Appealed) -> Case:
    return replace(case, state=State.APPEALED, round=2, assignee=None, due=event.due, appeal_until=None)


def _withdrawn(case: Case, event: Withdrawn) -> Case:
    return replace(case, state=State.WITHDRAWN if case.round == 1 else State.CLOSED, pending=None)


def _closed(case: Case, event: Closed) -> Case:
    return replace(case, state=State.CLOSED)


_STEPS: Mapping[type[Any], Callable[[Case, Any], Case]] = {
    EvidenceAttached: _attached,
    Assigned: _assigned,
    DueSet: _due_set,
    VerdictProposed: _proposed,
    VerdictApproved: _approved,
    VerdictRejected: _reviewed_again,
    ApprovalVoided: _reviewed_again,
    Appealed: _appealed,
    Withdrawn: _withdrawn,
    Closed: _closed,
}
