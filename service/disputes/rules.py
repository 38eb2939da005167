"""What may be done to a case, by whom and in which state: one table, ``RULES``. Persons are compared, not keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from enum import Enum
from typing import Any, NamedTuple

from service.disputes.events import (
    PLAYER,
    Appealed,
    ApprovalVoided,
    Assigned,
    Closed,
    DueSet,
    Event,
    EvidenceAttached,
    Noted,
    Opened,
    Person,
    StatementMade,
    VerdictApproved,
    VerdictProposed,
    VerdictRejected,
    Withdrawn,
)
from service.disputes.fold import Case, State, UnfoldableError, step

#: How long a case, and an appeal, may wait for its verdict unless somebody sets another time.
REVIEW_TERM = timedelta(days=14)
#: How long after a verdict its player may appeal.
APPEAL_TERM = timedelta(days=14)

#: The staff that works on disputes, in the order in which somebody with several roles acts.
STAFF = ("clerk", "auditor", "admin")


class Act(Enum):
    """What can be done to a case that is there."""

    STATE = "state"
    NOTE = "note"
    ASSIGN = "assign"
    SET_DUE = "set_due"
    REFRESH = "refresh"
    PROPOSE = "propose"
    APPROVE = "approve"
    REJECT = "reject"
    APPEAL = "appeal"
    WITHDRAW = "withdraw"
    CLOSE = "close"


class Refusal(NamedTuple):
    """Why an act is refused: a stable code, and a sentence for people."""

    code: str
    message: str


class Actor(NamedTuple):
    """Who wants to act, as what: ``player`` of whom the case is, and roles of the staff."""

    person: Person
    roles: frozenset[str]


class Facts(NamedTuple):
    """What else counts: the time, who sat in the game, and to whom the case would be assigned."""

    at: str
    players: tuple[str, ...]
    assignee: Person | None = None


_Check = Callable[[Case, Actor, Facts], Refusal | None]


class Rule(NamedTuple):
    """One act: who may, in which states, and what else must hold, in the order in which it is asked."""

    roles: frozenset[str]
    states: frozenset[State]
    checks: tuple[_Check, ...] = ()


def refusal(case: Case, act: Act, actor: Actor, facts: Facts) -> Refusal | None:
    """Why the actor may not do this now; ``None`` if it may."""
    rule = RULES[act]
    if rule.roles.isdisjoint(actor.roles):
        return Refusal("role", f"this is for {', '.join(sorted(rule.roles))}")
    if case.state not in rule.states:
        # Which state that is is not for everybody.
        return Refusal("wrong_state", "this cannot be done to the case as it stands")
    return next((found for check in rule.checks if (found := check(case, actor, facts)) is not None), None)


def acting_role(act: Act, actor: Actor) -> str:
    """As what an actor acts who may: as the player, or in the first of its roles that the act is for."""
    return next(role for role in (PLAYER, *STAFF) if role in actor.roles and role in RULES[act].roles)


# -- What must hold beside role and state ------------------------------------------------------------------------------


def _is_impartial(case: Case, actor: Actor, facts: Facts) -> Refusal | None:
    if actor.person.player is not None and actor.person.player in facts.players:
        return Refusal("conflict_of_interest", "who sat in the game does not work on its disputes")
    return None


def _is_impartial_or_party(case: Case, actor: Actor, facts: Facts) -> Refusal | None:
    return None if PLAYER in actor.roles else _is_impartial(case, actor, facts)


def _assignee_is_impartial(case: Case, actor: Actor, facts: Facts) -> Refusal | None:
    assert facts.assignee is not None  # the act has one
    assignee = Actor(facts.assignee, actor.roles)
    return _is_impartial(case, assignee, facts) or _is_fresh(case, assignee, facts)


def _is_fresh(case: Case, actor: Actor, facts: Facts) -> Refusal | None:
    if any(actor.person.is_same(one) for one in case.deciders):
        return Refusal("decided_before", "an appeal is decided by others than the first verdict")
    return None


def _is_assignee(case: Case, actor: Actor, facts: Facts) -> Refusal | None:
    if case.assignee is None or not actor.person.is_same(case.assignee):
        return Refusal("not_assignee", "a verdict is proposed by whom the case is assigned to")
    return None


def _has_evidence(case: Case, actor: Actor, facts: Facts) -> Refusal | None:
    return None if case.evidence is not None else Refusal("no_evidence", "nothing is attached to rest a verdict on")


def _is_other_person(case: Case, actor: Actor, facts: Facts) -> Refusal | None:
    assert case.pending is not None  # by the state
    if actor.person.is_same(case.pending.by):
        return Refusal("same_person", "a proposal is decided on by another person")
    return None


def _rests_on_newest(case: Case, actor: Actor, facts: Facts) -> Refusal | None:
    assert case.pending is not None  # by the state
    if case.evidence is None or case.pending.evidence != case.evidence.seq:
        return Refusal("evidence_changed", "the evidence has changed since the proposal")
    return None


def _is_in_term(case: Case, actor: Actor, facts: Facts) -> Refusal | None:
    if case.appeal_until is None or facts.at > case.appeal_until:
        return Refusal("term_over", "the time for an appeal is over")
    return None


def _is_after_term(case: Case, actor: Actor, facts: Facts) -> Refusal | None:
    if case.appeal_until is not None and facts.at <= case.appeal_until:
        return Refusal("term_running", "the verdict may still be appealed")
    return None


def _is_opener_or_party(case: Case, actor: Actor, facts: Facts) -> Refusal | None:
    if PLAYER in actor.roles or actor.person.is_same(case.opener):
        return None
    return Refusal("not_opener", "a case is withdrawn by its player, or by who opened it")


_ANYBODY = frozenset({PLAYER, *STAFF})
_STAFF = frozenset(STAFF)
_PLAYER = frozenset({PLAYER})

#: Where a verdict is still to come: what can be late.
WORKING = frozenset({State.OPEN, State.IN_REVIEW, State.PENDING_APPROVAL, State.APPEALED})
_STANDING = WORKING | {State.DECIDED}
_UNDECIDED = WORKING - {State.PENDING_APPROVAL}

RULES: Mapping[Act, Rule] = {
    Act.STATE: Rule(_ANYBODY, _STANDING, (_is_impartial_or_party,)),
    Act.NOTE: Rule(_STAFF, _STANDING, (_is_impartial,)),
    Act.ASSIGN: Rule(_STAFF, _UNDECIDED, (_is_impartial, _assignee_is_impartial)),
    Act.SET_DUE: Rule(_STAFF, WORKING, (_is_impartial,)),
    Act.REFRESH: Rule(_STAFF, WORKING, (_is_impartial,)),
    Act.PROPOSE: Rule(_STAFF, frozenset({State.IN_REVIEW}), (_is_impartial, _is_fresh, _is_assignee, _has_evidence)),
    Act.APPROVE: Rule(
        _STAFF,
        frozenset({State.PENDING_APPROVAL}),
        (_is_impartial, _is_fresh, _is_other_person, _rests_on_newest),
    ),
    Act.REJECT: Rule(_STAFF, frozenset({State.PENDING_APPROVAL}), (_is_impartial, _is_fresh, _is_other_person)),
    Act.APPEAL: Rule(_PLAYER, frozenset({State.DECIDED}), (_is_in_term,)),
    Act.WITHDRAW: Rule(_ANYBODY, WORKING, (_is_opener_or_party,)),
    Act.CLOSE: Rule(_STAFF, frozenset({State.DECIDED}), (_is_impartial, _is_after_term)),
}


# -- A history judged afterwards ---------------------------------------------------------------------------------------

_ACTS: Mapping[type[Any], Act] = {
    StatementMade: Act.STATE,
    Noted: Act.NOTE,
    Assigned: Act.ASSIGN,
    DueSet: Act.SET_DUE,
    EvidenceAttached: Act.REFRESH,
    VerdictProposed: Act.PROPOSE,
    VerdictApproved: Act.APPROVE,
    VerdictRejected: Act.REJECT,
    Appealed: Act.APPEAL,
    Withdrawn: Act.WITHDRAW,
    Closed: Act.CLOSE,
}


class Unlawful(NamedTuple):
    """An event that the rules would have refused."""

    seq: int
    refusal: Refusal


def unlawful(events: Iterable[Event], players: tuple[str, ...]) -> Unlawful | None:
    """The first event of a history that should not be there; ``UnfoldableError`` where the events make no case."""
    case: Case | None = None
    for event in events:
        found = None if case is None else _judged(case, event, players)
        if found is not None:
            return Unlawful(event.seq, found)
        case = step(case, event)
    return None


def _judged(case: Case, event: Event, players: tuple[str, ...]) -> Refusal | None:
    if isinstance(event, Opened):
        raise UnfoldableError("a case is opened once")
    # What follows from another act in the same append: who did that one may be anybody.
    if isinstance(event, ApprovalVoided) or (isinstance(event, EvidenceAttached) and event.seq == 1):
        return None
    assignee = Person(event.assignee, event.assignee_player) if isinstance(event, Assigned) else None
    actor = Actor(event.by.person, frozenset({event.by.role}))
    if event.by.role == PLAYER and event.by.player != case.player:
        return Refusal("role", "this is another player's case")
    if isinstance(event, VerdictProposed) and (case.evidence is None or event.evidence != case.evidence.seq):
        return Refusal("evidence_changed", "a proposal rests on the newest evidence")
    if isinstance(event, VerdictApproved) and _differs(case, event):
        return Refusal("other_verdict", "the verdict is not the one that was proposed")
    return refusal(case, _ACTS[type(event)], actor, Facts(event.at, players, assignee))


def _differs(case: Case, event: VerdictApproved) -> bool:
    proposed = case.pending
    if proposed is None:
        return False  # the state says so
    said = (event.proposal, event.outcome, event.text, tuple(event.clauses))
    return said != (proposed.seq, proposed.outcome, proposed.text, proposed.clauses)
