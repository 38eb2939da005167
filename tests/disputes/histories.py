"""Cases made of events alone, without a store."""

from __future__ import annotations

from typing import Any

from service.disputes import events as made
from service.disputes.events import By, Event
from service.disputes.fold import Case, fold

CASE = "case-1"
PLAYERS = ("p0", "p1", "p2", "p3")
PARTY = By("player", "alice", "p0")
PROPOSER = By("clerk", "clerk-1")
APPROVER = By("auditor", "auditor-1", "elsewhere")
SECOND_PROPOSER = By("clerk", "clerk-2")
SECOND_APPROVER = By("admin", "admin-1")
DIGEST = "sha256:" + "0" * 64

#: One event a minute, from this one on.
_DAY = "2026-03-01"
#: Until when the first verdict may be appealed.
APPEAL_UNTIL = "2026-03-15T00:00:00.000Z"


def minute(number: int) -> str:
    return f"{_DAY}T00:{number:02}:00.000Z"


class History:
    """Events one after the other; each method adds one and gives the history back."""

    def __init__(self, player: str | None = "p0", opener: By = PARTY) -> None:
        self.events: list[Event] = []
        self.add(made.Opened, opener, game="g", due=minute(30), text=DIGEST, player=player)

    def add(self, kind: Any, by: By, **members: Any) -> History:
        seq = len(self.events)
        self.events.append(kind(case=CASE, seq=seq, at=minute(seq), by=by, **members))
        return self

    @property
    def case(self) -> Case:
        return fold(self.events)

    def attached(self, report: str | None = None, by: By = PROPOSER) -> History:
        return self.add(
            made.EvidenceAttached, by, bundle="aa" * 32, game_head="bb" * 32, upto_seq=9, engine="1", report=report
        )

    def assigned(self, to: By = PROPOSER, by: By | None = None) -> History:
        return self.add(made.Assigned, by or to, assignee=to.principal, assignee_player=to.player)

    def proposed(self, by: By = PROPOSER, outcome: str = "upheld") -> History:
        evidence = self.case.evidence
        assert evidence is not None
        return self.add(made.VerdictProposed, by, outcome=outcome, text=DIGEST, evidence=evidence.seq)

    def approved(self, by: By = APPROVER) -> History:
        pending = self.case.pending
        assert pending is not None
        until = APPEAL_UNTIL if self.case.round == 1 and self.case.player is not None else None
        members = {"proposal": pending.seq, "outcome": pending.outcome, "text": pending.text, "appeal_until": until}
        return self.add(made.VerdictApproved, by, **members)

    def appealed(self, by: By = PARTY) -> History:
        return self.add(made.Appealed, by, text=DIGEST, due=minute(50))

    def withdrawn(self, by: By = PARTY) -> History:
        return self.add(made.Withdrawn, by)

    def closed(self, by: By = APPROVER) -> History:
        return self.add(made.Closed, by)


def opened() -> History:
    return History().attached(by=PARTY)


def in_review() -> History:
    return opened().assigned()


def pending() -> History:
    return in_review().proposed()


def decided() -> History:
    return pending().approved()


def appealed() -> History:
    return decided().appealed()


def in_second_review() -> History:
    return appealed().assigned(SECOND_PROPOSER)


def pending_again() -> History:
    return in_second_review().proposed(SECOND_PROPOSER, "dismissed")


def decided_again() -> History:
    return pending_again().approved(SECOND_APPROVER)


def withdrawn() -> History:
    return opened().withdrawn()
