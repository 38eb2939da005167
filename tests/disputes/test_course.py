"""The course of a case in the store: opening, evidence, verdict, appeal, terms, and what is refused on the way."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from time import sleep
from typing import Any

import psycopg
import pytest

from replays import ENGINE
from schema.ports import ForbiddenError, GameUnknownError, SeqUnknownError, UnauthenticatedError, Viewer, Window
from schema.ports.access import PrincipalKind
from schema.ports.cases import (
    CaseActError,
    CaseArgumentError,
    CaseCall,
    CaseFilter,
    CaseOpening,
    CaseRow,
    CaseUnknownError,
    CaseVerdict,
)
from service.evidence.bundles import verify
from service.store import cases as rows
from service.usecases.case_checking import check_cases, rebuild_cases
from tests.access.keys import principal_for
from tests.databases import Database
from tests.disputes.people import (
    ADMIN,
    ALICE,
    ANALYST,
    AUDITOR,
    BOB,
    CLERK,
    CLERK_2,
    CLERK_AGAIN,
    FAULT,
    GAME,
    PLAYERS,
    PUBLIC,
    SEATED,
    SERVER,
    VERDICT,
    ZOE,
    Table,
    call,
)


def types(table: Table, row: CaseRow, viewer: Viewer = AUDITOR) -> list[str]:
    return [event.type for event in table[viewer].timelines([row.case])[row.case]]


def refused(act: Any, *arguments: Any, **more: Any) -> str:
    """The code of a refusal."""
    with pytest.raises(CaseActError) as caught:
        act(*arguments, **more)
    return caught.value.code


def reaudited(table: Table, mark: int = 1) -> None:
    """Another audit of the game is the newest one."""
    audit = table.store.audit(GAME)
    assert audit is not None
    assert table.store.save_audit({**audit.report, "mark": mark}, audit.upto_seq)


def test_from_opening_to_the_end(table: Table) -> None:
    row = table.opened()
    assert (row.state, row.hand, row.step, row.player, row.opened_by) == ("open", 1, FAULT, PLAYERS[0], "alice")
    row = table[CLERK].state(call(row), "what exactly?")
    row = table[ALICE].state(call(row), "my third water")
    row = table[CLERK].state(call(row), "seems right", is_internal=True)
    row = table.proposed(row)
    assert (row.state, row.assignee, row.outcome) == ("pending_approval", "clerk-1", None)
    row = table[CLERK_2].reject(call(row), "say which water")
    assert row.state == "in_review"
    row = table[CLERK].propose(call(row), VERDICT)
    row = table[AUDITOR].approve(call(row))
    assert (row.state, row.outcome) == ("decided", "upheld")
    assert row.appeal_until is not None
    row = table[ALICE].appeal(call(row), "two points, not one")
    assert (row.state, row.round, row.assignee, row.outcome) == ("appealed", 2, None, "upheld")
    row = table[CLERK_2].assign(call(row), None)
    row = table[CLERK_2].propose(call(row), CaseVerdict("dismissed", "one point it is"))
    row = table[ADMIN].approve(call(row))
    assert (row.state, row.outcome, row.appeal_until) == ("closed", "dismissed", None)
    assert (
        types(table, row)
        == (
            "opened evidence_attached statement_made statement_made noted assigned verdict_proposed verdict_rejected "
            "verdict_proposed verdict_approved appealed assigned verdict_proposed verdict_approved"
        ).split()
    )
    assert (
        types(table, row, ALICE)
        == ("opened evidence_attached statement_made statement_made verdict_approved appealed verdict_approved").split()
    )
    assert list(check_cases(table.store)) == []


def test_what_is_attached(table: Table) -> None:
    """The whole bundle and the report for the staff, a bundle of the own seat for the player; each is what it says."""
    row = table.opened()
    bundle, report = table[AUDITOR].evidence([row.case])[row.case]
    (own,) = table[ALICE].evidence([row.case])[row.case]
    assert [(one.kind, one.seat) for one in (bundle, report, own)] == [
        ("bundle", None),
        ("report", None),
        ("bundle", 0),
    ]
    stored, audit = table.store.game(GAME), table.store.audit(GAME)
    assert audit is not None
    assert (bundle.game_head, bundle.upto_seq, bundle.engine) == (stored.head.hex(), stored.next_seq - 1, ENGINE)
    assert table[AUDITOR].content(row.case, report.digest) == audit.report
    whole, seen = table[AUDITOR].content(row.case, bundle.digest), table[ALICE].content(row.case, own.digest)
    for document, hidden in ((whole, 0), (seen, 1)):
        checked = verify(json.dumps(document).encode())
        assert {step.status for step in checked.steps} == {"ok", "unproven"}
        assert min(1, sum("public" in event for event in document["events"])) == hidden
    assert whole["events"] != seen["events"]


def test_opened_for_somebody(table: Table) -> None:
    row = table[CLERK].open(CaseOpening(GAME, "by telephone", player=PLAYERS[1]), None)
    assert (row.player, row.hand, row.opened_by) == (PLAYERS[1], None, "clerk-1")
    seen = table[BOB].case(row.case)
    assert (seen.opened_by, seen.assignee) == (None, None)
    row = table[BOB].state(call(row), "thank you")
    with pytest.raises(CaseUnknownError):
        table[ALICE].case(row.case)
    assert table.decided(row).appeal_until is not None


def test_a_case_of_the_staff_alone(table: Table) -> None:
    row = table[CLERK].open(CaseOpening(GAME, "found by the audit", hand=1), None)
    assert (row.player, row.hand, row.step) == (None, 1, None)
    assert [one.seat for one in table[CLERK].evidence([row.case])[row.case]] == [None, None]
    row = table.decided(row)
    assert (row.state, row.appeal_until) == ("decided", None)
    assert table[AUDITOR].close(call(row)).state == "closed"


@pytest.mark.parametrize(
    ("opening", "argument"),
    [
        (CaseOpening(GAME, " "), "text"),
        (CaseOpening(GAME, "x" * 10_001), "text"),
        (CaseOpening(GAME, "\ud800"), "text"),
        (CaseOpening(GAME, "x", clause="X-NOTHING-1"), "clause"),
        (CaseOpening(GAME, "x", hand=0), "hand"),
        (CaseOpening(GAME, "x", hand=2), "hand"),
        (CaseOpening(GAME, "x", player=PLAYERS[1]), "player"),
        (CaseOpening(GAME, "x", hand=1, step=0), "hand"),
    ],
)
def test_openings_that_cannot_be_meant(table: Table, opening: CaseOpening, argument: str) -> None:
    with pytest.raises(CaseArgumentError) as caught:
        table[ALICE].open(opening, None)
    assert caught.value.argument == argument
    assert table[AUDITOR].cases(CaseFilter(), Window(9)) == []


def test_who_may_open(table: Table) -> None:
    opening = CaseOpening(GAME, "x")
    for viewer, error in (
        (PUBLIC, UnauthenticatedError),
        (SERVER, ForbiddenError),
        (ANALYST, ForbiddenError),
        (ZOE, GameUnknownError),
    ):
        with pytest.raises(error):
            table[viewer].open(opening, None)
    with pytest.raises(GameUnknownError):
        table[CLERK].open(CaseOpening("no such game", "x"), None)
    with pytest.raises(GameUnknownError):
        table[CLERK].open(CaseOpening("\0", "x"), None)
    for step in (-1, 9999):
        with pytest.raises(SeqUnknownError):
            table[CLERK].open(CaseOpening(GAME, "x", step=step), None)
    with pytest.raises(CaseArgumentError, match="did not sit"):
        table[CLERK].open(CaseOpening(GAME, "x", player="nobody"), None)


def test_a_public_game_is_disputed_by_its_players_alone(table: Table) -> None:
    from service.store.owners import publish

    publish(table.store, GAME, "admin-1")
    assert refused(table[ZOE].open, CaseOpening(GAME, "x"), None) == "not_party"


def test_four_eyes(table: Table) -> None:
    """The person counts, not the key, the principal or the role."""
    row = table.proposed(table.opened(), ADMIN)
    for viewer in (ADMIN, ADMIN._replace(key="another"), ADMIN._replace(principal="admin-1b")):
        assert refused(table[viewer].approve, call(row)) == "same_person"
        assert refused(table[viewer].reject, call(row), "no") == "same_person"
    assert table[CLERK].approve(call(row)).state == "decided"


def test_who_sat_there_decides_nothing(table: Table) -> None:
    row = table.opened()
    assert refused(table[SEATED].assign, call(row), None) == "conflict_of_interest"
    row = table.proposed(row)
    assert refused(table[SEATED].approve, call(row)) == "conflict_of_interest"


def test_assignment_to_others(table: Table) -> None:
    row = table.opened()
    clerk, seated = principal_for(table.store), principal_for(table.store, player=PLAYERS[3])
    server = principal_for(table.store, PrincipalKind.SERVER)
    assert refused(table[ADMIN].assign, call(row), seated) == "conflict_of_interest"
    for unknown in ("nobody", server, "\0"):
        with pytest.raises(CaseArgumentError, match="no such person"):
            table[ADMIN].assign(call(row), unknown)
    with pytest.raises(ForbiddenError):  # the same answer whether there is such a person or not
        table[ALICE].assign(call(row), "nobody")
    row = table[ADMIN].assign(call(row), clerk)
    assert (row.state, row.assignee) == ("in_review", clerk)
    assert refused(table[ADMIN].propose, call(row), VERDICT) == "not_assignee"
    assert table[CLERK._replace(principal=clerk)].propose(call(row), VERDICT).state == "pending_approval"


@pytest.mark.parametrize(
    ("verdict", "argument"),
    [
        (CaseVerdict("maybe", "x"), "outcome"),
        (CaseVerdict("upheld", ""), "text"),
        (CaseVerdict("upheld", "x", ("X-NOTHING-1",)), "clauses"),
        (CaseVerdict("upheld", "x", (), (1,)), "findings"),
        (CaseVerdict("upheld", "x", (), (-1,)), "findings"),
    ],
)
def test_verdicts_that_cannot_be_meant(table: Table, verdict: CaseVerdict, argument: str) -> None:
    row = table.assigned(table.opened())
    with pytest.raises(CaseArgumentError) as caught:
        table[CLERK].propose(call(row), verdict)
    assert caught.value.argument == argument
    assert table.now(row.case) == row
    with pytest.raises(ForbiddenError):  # whatever it says: the report is not for the player
        table[ALICE].propose(call(row), verdict)


def test_nothing_new_is_not_attached_again(table: Table) -> None:
    row = table.proposed(table.opened())
    assert table[CLERK].refresh(call(row)) == row
    assert refused(table[CLERK].refresh, CaseCall(row.case, 1)) == "sequence_conflict"
    with pytest.raises(ForbiddenError):
        table[ALICE].refresh(call(row))


def test_new_evidence_voids_a_pending_approval(table: Table) -> None:
    row = table.proposed(table.opened())
    reaudited(table)
    before, row = row, table[CLERK_2].refresh(call(row, "key"))
    assert table[CLERK_2].refresh(call(before, "key")) == row
    assert types(table, row)[-2:] == ["evidence_attached", "approval_voided"]
    assert row.state == "in_review"
    assert len(table[CLERK].evidence([row.case])[row.case]) == 4
    assert refused(table[CLERK_2].approve, call(row)) == "wrong_state"
    row = table[CLERK].propose(call(row), VERDICT)
    assert table[CLERK_2].approve(call(row)).state == "decided"


def test_an_approval_over_changed_evidence_is_refused_and_voids_the_proposal(table: Table) -> None:
    row = table.proposed(table.opened())
    reaudited(table)
    assert refused(table[CLERK_2].approve, call(row, "key")) == "evidence_changed"
    row = table.now(row.case)
    assert (types(table, row)[-1], row.state) == ("approval_voided", "in_review")
    row = table[CLERK].propose(call(row), VERDICT)
    assert refused(table[CLERK_2].approve, call(row)) == "evidence_changed"  # the same old evidence
    row = table[CLERK].refresh(call(table.now(row.case)))
    row = table[CLERK].propose(call(row), VERDICT)
    assert table[CLERK_2].approve(call(row, "key")).state == "decided"
    assert list(check_cases(table.store)) == []


def test_conflicting_acts(table: Table) -> None:
    row = table.opened()
    table[ALICE].state(call(row), "one")
    with pytest.raises(CaseActError) as caught:
        table[CLERK].state(call(row), "two")
    assert (caught.value.code, caught.value.next_seq) == ("sequence_conflict", 3)


def test_the_same_key_again(table: Table) -> None:
    row = table.opened(key="k")
    assert table.opened(key="k") == row
    assert refused(table.opened, key="k", text="something else") == "key_conflict"
    assert refused(table[ALICE].state, call(row, "k"), "x") == "key_conflict"
    other = table.opened(BOB, key="k")  # a key is its principal's own
    assert other.case != row.case
    said = table[ALICE].state(call(row, "k2"), "x")
    assert table[ALICE].state(call(row, "k2"), "x") == said
    assert refused(table[ALICE].state, call(row, "k2"), "y") == "key_conflict"
    assert refused(table[BOB].state, call(other, "k"), "x") == "key_conflict"
    row = table[CLERK].assign(call(said, "k"), None)
    assert table[CLERK_AGAIN].assign(call(said, "k"), None) == row
    assert refused(table[CLERK].set_due, call(row, "k"), "2030-01-01T00:00:00Z") == "key_conflict"
    proposed = table[CLERK].propose(call(row, "p"), VERDICT)
    assert table[CLERK].propose(call(row, "p"), VERDICT) == proposed
    assert refused(table[CLERK].propose, call(row, "p"), CaseVerdict("dismissed", VERDICT.reason)) == "key_conflict"
    approved = table[CLERK_2].approve(call(proposed, "a"))
    assert table[CLERK_2].approve(call(proposed, "a")) == approved
    assert len(types(table, row)) == approved.next_seq


def test_due(table: Table) -> None:
    row = table.opened()
    assert datetime.fromisoformat(row.due) - datetime.fromisoformat(row.opened_at) == timedelta(days=14)
    for due in ("soon", "2030-01-01T00:00:00", "2020-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59"):
        with pytest.raises(CaseArgumentError):
            table[CLERK].set_due(call(row), due)
    soon = datetime.now(UTC) + timedelta(seconds=2)
    row = table[CLERK].set_due(call(row), soon.isoformat())
    late = table.opened(BOB)
    while not (row := table.now(row.case)).is_overdue:
        sleep(0.05)
    found = {flag: table[CLERK].cases(CaseFilter(is_overdue=flag), Window(9)) for flag in (True, False)}
    assert [[one.case for one in found[flag]] for flag in (True, False)] == [[row.case], [late.case]]
    row = table[ALICE].withdraw(call(row), None)
    assert (row.state, row.is_overdue) == ("withdrawn", False)


def test_an_appeal_is_possible_once(table: Table) -> None:
    row = table.decided(table.opened())
    assert refused(table[CLERK].close, call(row)) == "term_running"
    with pytest.raises(ForbiddenError):
        table[CLERK].appeal(call(row), "x")
    appealed = table[ALICE].appeal(call(row), "x")
    row = table.decided(appealed, (ADMIN, AUDITOR))
    with pytest.raises(CaseActError):
        table[ALICE].appeal(call(row), "once more")


def test_an_appeal_is_decided_by_others(table: Table) -> None:
    row = table[ALICE].appeal(call(table.decided(table.opened())), "x")
    for viewer in (CLERK, CLERK_AGAIN, CLERK_2):
        assert refused(table[viewer].assign, call(row), None) == "decided_before"
    row = table.proposed(row, AUDITOR)
    for viewer in (CLERK, CLERK_2):
        assert refused(table[viewer].approve, call(row)) == "decided_before"
    assert refused(table[AUDITOR].approve, call(row)) == "same_person"
    assert table[ADMIN].approve(call(row)).state == "closed"


def test_withdrawing(table: Table) -> None:
    row = table.opened()
    assert refused(table[CLERK].withdraw, call(row), None) == "not_opener"
    row = table[ALICE].withdraw(call(row), "never mind")
    assert row.state == "withdrawn"
    assert refused(table[ALICE].withdraw, call(row), None) == "wrong_state"
    assert refused(table[ALICE].state, call(row), "oh") == "wrong_state"


def test_texts_are_forgotten(table: Table, database: Database) -> None:
    """The events hold digests only, so that nothing breaks, and nobody guesses what was written."""
    row = table.decided(table.opened(text="my telephone number is 12345"))
    with pytest.raises(ForbiddenError):
        table[CLERK].forget(row.case, 0)
    with pytest.raises(CaseUnknownError):
        table[BOB].forget(row.case, 0)
    head = rows.events_of(table.store, [row.case])[row.case][-1].head
    table[ADMIN].forget(row.case, 0)
    table[ADMIN].forget(row.case, 3)
    for viewer in (ALICE, AUDITOR):
        events = table[viewer].timelines([row.case])[row.case]
        assert [event.text for event in events] == [None] * len(events)
    assert rows.texts_of(table.store, [row.case]) == {}
    assert rows.events_of(table.store, [row.case])[row.case][-1].head == head
    assert list(check_cases(table.store)) == []
    with psycopg.connect(database.admin_url) as admin:
        dumped = admin.execute("SELECT string_agg(convert_from(body, 'UTF8'), '') FROM mingpai.case_events").fetchone()
    assert dumped is not None
    assert "12345" not in dumped[0]


def test_a_forgotten_text_under_the_same_key(table: Table) -> None:
    row = table.opened(key="k")
    table[ADMIN].forget(row.case, 0)
    assert table.opened(key="k").case == row.case


def test_the_table_of_states_is_what_the_events_give(table: Table, database: Database) -> None:
    cases = [table.opened(), table.opened(BOB), table[CLERK].open(CaseOpening(GAME, "x"), None)]
    table.decided(cases[0])
    table[ALICE].appeal(call(table.now(cases[0].case)), "x")
    table.assigned(cases[1])

    def kept() -> list[tuple[Any, ...]]:
        with psycopg.connect(database.admin_url) as admin:
            return admin.execute("SELECT * FROM mingpai.case_states ORDER BY case_id").fetchall()

    before = kept()
    assert rebuild_cases(table.store) == 3
    assert kept() == before
    with psycopg.connect(database.admin_url) as admin:
        admin.execute("UPDATE mingpai.case_states SET state = 'closed', events = 99, assignee = 'x'")
        admin.execute("DELETE FROM mingpai.case_states WHERE case_id = %s", [cases[1].case])
    assert {(fault.case, fault.code) for fault in check_cases(table.store)} == {(one.case, "state") for one in cases}
    rebuild_cases(table.store)
    assert kept() == before
    assert list(check_cases(table.store)) == []
