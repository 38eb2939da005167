"""Disputes: cases, their timelines and evidence, and what is done to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Annotated, cast

import strawberry
from strawberry.scalars import JSON

from schema.graphql.batches import Batch
from schema.graphql.connections import Connection, Paging, page
from schema.graphql.context import Context, Info
from schema.graphql.cursors import Cursors, seq_place, time_place
from schema.graphql.described import entry, enumeration, field, mutation, output
from schema.graphql.enums import ErrorCode
from schema.graphql.errors import (
    BadArgument,
    BadCursor,
    GameNotFound,
    Problem,
    SeqOutOfRange,
    bad_argument,
    game_not_found,
    seq_out_of_range,
)
from schema.graphql.ids import global_id
from schema.graphql.nodes import node_kind
from schema.graphql.types import Node
from schema.ports import GameUnknownError, SeqUnknownError, Window
from schema.ports.cases import (
    CaseActError,
    CaseArgumentError,
    CaseCall,
    CaseEventRow,
    CaseFilter,
    CaseOpening,
    CaseRow,
    Cases,
    CaseUnknownError,
    CaseVerdict,
    EvidenceRow,
    EvidenceUnknownError,
)

_KEY_LIMIT = 255  #: bytes of an idempotency key


@enumeration
class CaseState(Enum):
    """How a case stands. OPEN waits for somebody to take it, IN_REVIEW is somebody's to decide, PENDING_APPROVAL has a
    verdict that waits for another person, DECIDED one that may still be appealed, APPEALED waits for others to decide
    it anew; WITHDRAWN ended without a verdict, CLOSED with the one that stands. A player sees IN_REVIEW for
    PENDING_APPROVAL."""

    OPEN = "open"
    IN_REVIEW = "in_review"
    PENDING_APPROVAL = "pending_approval"
    DECIDED = "decided"
    APPEALED = "appealed"
    WITHDRAWN = "withdrawn"
    CLOSED = "closed"


@enumeration
class CaseOutcome(Enum):
    """What a verdict says of the complaint: HAND_VOIDED is upheld, and the hand does not count."""

    UPHELD = "upheld"
    PARTLY_UPHELD = "partly_upheld"
    DISMISSED = "dismissed"
    HAND_VOIDED = "hand_voided"


@enumeration
class CaseEventType(Enum):
    """What is on record of a case. NOTED, ASSIGNED, VERDICT_PROPOSED, VERDICT_REJECTED and APPROVAL_VOIDED are for the
    staff alone."""

    OPENED = "opened"
    EVIDENCE_ATTACHED = "evidence_attached"
    ASSIGNED = "assigned"
    STATEMENT_MADE = "statement_made"
    NOTED = "noted"
    DUE_SET = "due_set"
    VERDICT_PROPOSED = "verdict_proposed"
    VERDICT_APPROVED = "verdict_approved"
    VERDICT_REJECTED = "verdict_rejected"
    APPROVAL_VOIDED = "approval_voided"
    APPEALED = "appealed"
    WITHDRAWN = "withdrawn"
    CLOSED = "closed"


@enumeration
class CaseRole(Enum):
    """As what somebody acted in a case."""

    PLAYER = "player"
    CLERK = "clerk"
    AUDITOR = "auditor"
    ADMIN = "admin"


@enumeration
class EvidenceKind(Enum):
    """What was frozen: a BUNDLE, which proves the game, or the REPORT of an audit."""

    BUNDLE = "bundle"
    REPORT = "report"


@output
class CaseEvent:
    """One thing on record of a case. principal says who did it, null where that is not for the viewer; details what
    there is beside, by type; text what was written, null where there is none or it was forgotten. head is the case's
    chain after it."""

    seq: int
    type: CaseEventType
    at: str
    role: CaseRole
    principal: str | None
    details: JSON
    text: str | None
    head: str


@output
class CaseEvidence:
    """A file that was frozen at the event seq: digest is the SHA-256 of its bytes, which the field caseEvidence gives.
    seat says whose view a bundle is, null for that of the staff. The game had the events up to uptoSeq then, and
    gameHead was its chain's end."""

    seq: int
    kind: EvidenceKind
    digest: str
    seat: int | None
    engine: str
    upto_seq: int
    game_head: str


@output
class CaseEvidenceFile:
    """A frozen bundle or report."""

    digest: str
    content: JSON


@output
class CaseExport:
    """A whole case as one document (mingpai-case/1), from which its chain can be computed anew. GET /cases/{id}/export
    gives the same."""

    content: JSON


@output
class CaseVerdictRecord:
    """A verdict that was approved, and by when it could be appealed: null where it could not. reason is null where it
    was forgotten."""

    seq: int
    at: str
    outcome: CaseOutcome
    clauses: list[str]
    reason: str | None
    appeal_until: str | None


TimelineResult = Annotated[
    Connection[CaseEvent] | BadCursor | BadArgument,
    strawberry.union("TimelineResult"),
]


@output
class Case(Node):
    """A dispute over a game, there over a hand and a step: clause is what is said to be broken. player is whose case it
    is, null for one of the staff alone; openedBy and assignee are null too where they are not for the viewer. round is
    2 after an appeal. outcome is that of the verdict that stands. nextSeq is what the next act expects."""

    case: str
    game: str
    hand: int | None
    step: int | None
    clause: str | None
    player: str | None
    state: CaseState
    round: int
    opened_by: str | None
    opened_at: str
    assignee: str | None
    due: str
    overdue: bool
    appeal_until: str | None
    outcome: CaseOutcome | None
    next_seq: int
    timelines: strawberry.Private[Batch[str, Sequence[CaseEventRow]]]
    attached: strawberry.Private[Batch[str, Sequence[EvidenceRow]]]

    @field
    def timeline(
        self,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
    ) -> TimelineResult:
        """What is on record, in order, as far as it is for the viewer; first or last is 1 to 100."""
        events = self.timelines.get(self.case) or ()
        return page(
            Cursors("timeline", (self.case,), seq_place),
            Paging(first, after, last, before),
            lambda window: _within(window, events),
            lambda row: (row.seq,),
            lambda rows: [case_event_of(row) for row in rows],
        )

    @field
    def evidence(self) -> list[CaseEvidence]:
        """What is attached, as far as it is for the viewer, the oldest first."""
        return [_evidence_of(row) for row in self.attached.get(self.case) or ()]

    @field
    def verdicts(self) -> list[CaseVerdictRecord]:
        """The verdicts that were approved, at most two: the second is that on the appeal."""
        events = self.timelines.get(self.case) or ()
        return [_verdict_of(row) for row in events if row.type == CaseEventType.VERDICT_APPROVED.value]


@output
class CaseNotFound(Problem):
    """There is no case of this id, for this viewer."""

    case: str


@output
class EvidenceNotFound(Problem):
    """Nothing of this digest is attached to the case, for this viewer."""

    digest: str


@output
class CaseRefused(Problem):
    """The act was refused, and nothing of it stored, but that a proposal whose evidence has changed is voided.
    expectedSeq is where the case goes on, where that is known."""

    expected_seq: int | None


CaseResult = Annotated[Case | CaseNotFound, strawberry.union("CaseResult")]
CasesResult = Annotated[Connection[Case] | BadCursor | BadArgument, strawberry.union("CasesResult")]
CaseEvidenceResult = Annotated[
    CaseEvidenceFile | CaseNotFound | EvidenceNotFound, strawberry.union("CaseEvidenceResult")
]
CaseExportResult = Annotated[CaseExport | CaseNotFound, strawberry.union("CaseExportResult")]
OpenCaseResult = Annotated[
    Case | GameNotFound | SeqOutOfRange | CaseRefused | BadArgument, strawberry.union("OpenCaseResult")
]
CaseActResult = Annotated[Case | CaseNotFound | CaseRefused | BadArgument, strawberry.union("CaseActResult")]


@entry
class CasesFilter:
    """Which cases; what is left out stands for any. overdue asks for those whose verdict is late."""

    state: CaseState | None = None
    game: str | None = None
    player: str | None = None
    assignee: str | None = None
    opened_by: str | None = None
    overdue: bool | None = None


@entry
class CaseInput:
    """A case to be opened: what happened in words, and on which hand, step and clause, as far as that is known. One of
    the staff may open it for a player of the game."""

    game: str
    text: str
    hand: int | None = None
    step: int | None = None
    clause: str | None = None
    player: str | None = None


@entry
class CaseVerdictInput:
    """A verdict to be proposed: its reason in words, the clauses that it rests on, and findings by their places in the
    frozen report."""

    outcome: CaseOutcome
    reason: str
    clauses: list[str] = strawberry.field(default_factory=list)
    findings: list[int] = strawberry.field(default_factory=list)


@output
class CaseQuery:
    """Reading cases."""

    @field
    def case(self, info: Info, id: str) -> CaseResult:
        """One case."""
        try:
            return case_of(info.context.cases, info.context.cases.case(id))
        except CaseUnknownError:
            return case_not_found(id)

    @field
    def cases(
        self,
        info: Info,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
        filter: CasesFilter | None = None,
    ) -> CasesResult:
        """Cases, the newest first; first or last is 1 to 100."""
        wanted, port = _wanted(filter), info.context.cases
        bound = (wanted.state, wanted.game, wanted.player, wanted.assignee, wanted.opened_by, wanted.is_overdue)
        return page(
            Cursors("cases", bound, time_place),
            Paging(first, after, last, before),
            lambda window: port.cases(wanted, window),
            lambda row: (row.opened_at, row.case),
            lambda rows: cases_of(port, rows),
        )

    @field
    def case_evidence(self, info: Info, case: str, digest: str) -> CaseEvidenceResult:
        """A file that is attached to a case."""
        try:
            content = info.context.cases.content(case, digest)
        except CaseUnknownError:
            return case_not_found(case)
        except EvidenceUnknownError:
            message = f"Nothing of the digest {digest} is attached."
            return EvidenceNotFound(code=ErrorCode.EVIDENCE_NOT_FOUND, message=message, digest=digest)
        return CaseEvidenceFile(digest=digest, content=cast(JSON, content))

    @field
    def export_case(self, info: Info, id: str) -> CaseExportResult:
        """A whole case in one document, as far as it is for the viewer."""
        try:
            return CaseExport(content=cast(JSON, info.context.cases.export(id)))
        except CaseUnknownError:
            return case_not_found(id)


@output
class CaseMutation:
    """Working on cases: all of a call or nothing. expectedSeq is the nextSeq that the sender knows; a call repeated
    with the same key changes nothing more."""

    @mutation
    def open_case(self, info: Info, case: CaseInput, key: str | None = None) -> OpenCaseResult:
        """Opens a case on a game, with the audit and a bundle attached as they are now."""
        opening = CaseOpening(case.game, case.text, case.hand, case.step, case.clause, case.player)
        if not _is_key(key):
            return _bad_key()
        try:
            return case_of(info.context.cases, info.context.cases.open(opening, key))
        except GameUnknownError:
            return game_not_found(case.game)
        except SeqUnknownError as error:
            return seq_out_of_range(case.game, cast(int, case.step), error.last)
        except CaseArgumentError as error:
            return bad_argument(error.argument, str(error))
        except CaseActError as error:
            return _refused(error)

    @mutation
    def add_statement(
        self, info: Info, case: str, expected_seq: int, text: str, internal: bool = False, key: str | None = None
    ) -> CaseActResult:
        """Adds what a player or the staff has to say; internal is a note of the staff for itself."""
        return _done(
            info, case, expected_seq, key, lambda port, call: port.state(call, text, is_internal=internal)
        )  # fmt: skip

    @mutation
    def assign_case(
        self, info: Info, case: str, expected_seq: int, assignee: str | None = None, key: str | None = None
    ) -> CaseActResult:
        """Gives a case to a person to decide, to the sender where nobody is named."""
        return _done(info, case, expected_seq, key, lambda port, call: port.assign(call, assignee))

    @mutation
    def set_case_due(
        self, info: Info, case: str, expected_seq: int, due: str, key: str | None = None
    ) -> CaseActResult:  # fmt: skip
        """Sets until when a case is to be decided."""
        return _done(info, case, expected_seq, key, lambda port, call: port.set_due(call, due))

    @mutation
    def refresh_case_evidence(
        self, info: Info, case: str, expected_seq: int, key: str | None = None
    ) -> CaseActResult:  # fmt: skip
        """Attaches audit and bundle anew if game or audit has changed: a pending approval is void then."""
        return _done(info, case, expected_seq, key, lambda port, call: port.refresh(call))

    @mutation
    def propose_verdict(
        self, info: Info, case: str, expected_seq: int, verdict: CaseVerdictInput, key: str | None = None
    ) -> CaseActResult:
        """Proposes a verdict, which another person has to approve."""
        given = CaseVerdict(verdict.outcome.value, verdict.reason, verdict.clauses, verdict.findings)
        return _done(info, case, expected_seq, key, lambda port, call: port.propose(call, given))

    @mutation
    def approve_verdict(self, info: Info, case: str, expected_seq: int, key: str | None = None) -> CaseActResult:
        """Makes the proposal the verdict. Where the evidence has changed it is voided, and the approval refused."""
        return _done(info, case, expected_seq, key, lambda port, call: port.approve(call))

    @mutation
    def reject_verdict(
        self, info: Info, case: str, expected_seq: int, reason: str, key: str | None = None
    ) -> CaseActResult:
        """Gives the proposal back."""
        return _done(info, case, expected_seq, key, lambda port, call: port.reject(call, reason))

    @mutation
    def appeal_case(
        self, info: Info, case: str, expected_seq: int, text: str, key: str | None = None
    ) -> CaseActResult:  # fmt: skip
        """Appeals the verdict, once: others decide anew."""
        return _done(info, case, expected_seq, key, lambda port, call: port.appeal(call, text))

    @mutation
    def withdraw_case(
        self, info: Info, case: str, expected_seq: int, text: str | None = None, key: str | None = None
    ) -> CaseActResult:
        """Ends a case without a verdict, or an appeal with the first one."""
        return _done(info, case, expected_seq, key, lambda port, call: port.withdraw(call, text))

    @mutation
    def close_case(self, info: Info, case: str, expected_seq: int, key: str | None = None) -> CaseActResult:
        """Ends a decided case that can be appealed no more."""
        return _done(info, case, expected_seq, key, lambda port, call: port.close(call))

    @mutation
    def forget_case_text(self, info: Info, case: str, seq: int) -> CaseActResult:
        """Forgets what was written at an event; its digest stays in the chain."""
        try:
            return case_of(info.context.cases, info.context.cases.forget(case, seq))
        except CaseUnknownError:
            return case_not_found(case)


def _done(
    info: Info, case: str, expected_seq: int, key: str | None, act: Callable[[Cases, CaseCall], CaseRow]
) -> Case | CaseNotFound | CaseRefused | BadArgument:
    if not _is_key(key):
        return _bad_key()
    try:
        return case_of(info.context.cases, act(info.context.cases, CaseCall(case, expected_seq, key)))
    except CaseUnknownError:
        return case_not_found(case)
    except CaseArgumentError as error:
        return bad_argument(error.argument, str(error))
    except CaseActError as error:
        return _refused(error)


def case_of(port: Cases, row: CaseRow) -> Case:
    """A case as a client sees it."""
    return cases_of(port, [row])[0]


def cases_of(port: Cases, rows: Sequence[CaseRow]) -> list[Case]:
    """The cases of a page; what hangs on them is read for all at once."""
    names = [row.case for row in rows]
    timelines, attached = Batch(names, port.timelines), Batch(names, port.evidence)
    return [_case(row, timelines, attached) for row in rows]


def case_not_found(case: str) -> CaseNotFound:
    """The error of an unknown case."""
    return CaseNotFound(code=ErrorCode.CASE_NOT_FOUND, message=f"No case {case}.", case=case)


@node_kind("Case")
def _find_case(context: Context, case: str) -> Node:
    return case_of(context.cases, context.cases.case(case))


def _case(
    row: CaseRow,
    timelines: Batch[str, Sequence[CaseEventRow]],
    attached: Batch[str, Sequence[EvidenceRow]],
) -> Case:
    return Case(
        id=global_id("Case", row.case),
        case=row.case,
        game=row.game,
        hand=row.hand,
        step=row.step,
        clause=row.clause,
        player=row.player,
        state=CaseState(row.state),
        round=row.round,
        opened_by=row.opened_by,
        opened_at=row.opened_at,
        assignee=row.assignee,
        due=row.due,
        overdue=row.is_overdue,
        appeal_until=row.appeal_until,
        outcome=None if row.outcome is None else CaseOutcome(row.outcome),
        next_seq=row.next_seq,
        timelines=timelines,
        attached=attached,
    )


def case_event_of(row: CaseEventRow) -> CaseEvent:
    """An event from its row."""
    return CaseEvent(
        seq=row.seq,
        type=CaseEventType(row.type),
        at=row.at,
        role=CaseRole(row.role),
        principal=row.principal,
        details=cast(JSON, row.members),
        text=row.text,
        head=row.head,
    )


def _verdict_of(row: CaseEventRow) -> CaseVerdictRecord:
    return CaseVerdictRecord(
        seq=row.seq,
        at=row.at,
        outcome=CaseOutcome(row.members["outcome"]),
        clauses=list(row.members.get("clauses", ())),
        reason=row.text,
        appeal_until=row.members.get("appeal_until"),
    )


def _evidence_of(row: EvidenceRow) -> CaseEvidence:
    return CaseEvidence(
        seq=row.seq,
        kind=EvidenceKind(row.kind),
        digest=row.digest,
        seat=row.seat,
        engine=row.engine,
        upto_seq=row.upto_seq,
        game_head=row.game_head,
    )


def _within(window: Window[tuple[int]], events: Sequence[CaseEventRow]) -> Sequence[CaseEventRow]:
    """One page of a timeline. A case has few events, and folding it reads them all anyway."""
    low = -1 if window.after is None else window.after[0]
    found = [row for row in events if low < row.seq and (window.before is None or row.seq < window.before[0])]
    return found[-window.limit :] if window.is_backward else found[: window.limit]


def _wanted(given: CasesFilter | None) -> CaseFilter:
    if given is None:
        return CaseFilter()
    return CaseFilter(
        state=None if given.state is None else given.state.value,
        game=given.game,
        player=given.player,
        assignee=given.assignee,
        opened_by=given.opened_by,
        is_overdue=given.overdue,
    )


def _is_key(key: str | None) -> bool:
    return key is None or (key.isprintable() and 0 < len(key.encode()) <= _KEY_LIMIT)


def _bad_key() -> BadArgument:
    return bad_argument("key", f"key must be 1 to {_KEY_LIMIT} bytes of printable characters.")


def _refused(error: CaseActError) -> CaseRefused:
    message = f"{str(error)[:1].upper()}{str(error)[1:]}."
    return CaseRefused(code=ErrorCode(error.code), message=message, expected_seq=error.next_seq)
