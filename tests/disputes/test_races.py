"""Several at once: processes of their own, and what the ledger itself refuses whoever calls it."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import psycopg
import pytest

from schema.ports.cases import CaseActError, CaseOpening
from service.disputes.chain import linked
from service.disputes.events import By, StatementMade, VerdictApproved, VerdictRejected
from service.store import Entry, Store, time_text
from service.store import cases as rows
from service.store.cases import CaseText, NewEvents
from service.usecases.case_checking import check_cases
from tests.databases import Database
from tests.disputes.people import ADMIN, ALICE, BOB, CLERK, CLERK_2, GAME, Table, call
from tests.disputes.test_course import reaudited

_ROOT = Path(__file__).parents[2]


def raced(database: Database, *racers: tuple[str, ...]) -> list[str]:
    """What came of acts that processes did at once."""
    command = [sys.executable, "-m", "tests.disputes.racer", database.application_url]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": _ROOT}
    running = [subprocess.Popen([*command, *racer], **pipes) for racer in racers]
    for one in running:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in running:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    return [one.communicate(timeout=120)[0].strip() for one in running]


def test_two_processes_decide_at_once(table: Table, database: Database) -> None:
    """One approves, one rejects, on the same proposal: one of them wins, and the other learns where the case stands."""
    for number in range(2):
        row = table.proposed(table.opened())
        seq = str(row.next_seq)
        done = raced(database, (f"a{number}", "approve", row.case, seq), (f"b{number}", "reject", row.case, seq))
        assert sorted(done, key=lambda one: one == "sequence_conflict")[1] == "sequence_conflict"
        assert table.now(row.case).next_seq == row.next_seq + 1
    assert list(check_cases(table.store)) == []


def test_the_same_key_at_once(table: Table, database: Database) -> None:
    row = table.opened()
    racer = ("clerk-5", "state", row.case, str(row.next_seq), "key")
    done = raced(database, racer, racer, racer)
    assert set(done) <= {f"open {row.next_seq + 1}", "sequence_conflict"}
    assert f"open {row.next_seq + 1}" in done
    assert table.now(row.case).next_seq == row.next_seq + 1


def test_many_writers(table: Table, database: Database) -> None:
    """Statements by four processes, each of which goes on where the case stands: none is lost, none is there twice."""
    row = table.opened()

    def writes(principal: str) -> None:
        for number in range(10):
            done = None
            while done is None:
                now = table.now(row.case)
                with suppress(CaseActError):
                    done = table[CLERK._replace(principal=principal)].state(call(now), f"{principal} {number}")

    threads = [Thread(target=writes, args=(f"w{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    said = [event.text for event in table[CLERK].timelines([row.case])[row.case][2:]]
    assert sorted(said, key=str) == sorted(f"w{writer} {number}" for writer in range(4) for number in range(10))
    assert list(check_cases(table.store)) == []


# -- The ledger by itself ----------------------------------------------------------------------------------------------


def _decision(table: Table, case: str, kind: Any, by: By, **members: Any) -> None:
    """Appends a decision past the rules of the program."""
    stored = rows.events_of(table.store, [case])[case]
    documents = [json.loads(one.body) for one in stored]
    proposal = next(one for one in reversed(documents) if one["type"] == "verdict_proposed")
    event = kind(
        case=case,
        seq=len(stored),
        at=time_text(table.store.moment()),
        by=by,
        proposal=proposal["seq"],
        text=proposal["text"],
        **members,
    )
    found = rows.state_of(table.store, case)
    assert found is not None
    entry = Entry(*linked(event, bytes(16)))
    rows.append(table.store, NewEvents(case, event.seq, event.by.principal, None, [entry]), found[0])


@pytest.mark.parametrize(
    "by", [By("admin", "admin-1"), By("clerk", "another", ADMIN.player), By("auditor", "admin-1", "elsewhere")]
)
def test_the_ledger_knows_four_eyes(table: Table, by: By) -> None:
    row = table.proposed(table.opened(), ADMIN)
    for kind, members in ((VerdictApproved, {"outcome": "upheld"}), (VerdictRejected, {})):
        with pytest.raises(rows.SamePersonError):
            _decision(table, row.case, kind, by, **members)
    assert table.now(row.case) == table[ADMIN].case(row.case) == row


def test_the_ledger_knows_the_evidence(table: Table) -> None:
    row = table.proposed(table.opened())
    reaudited(table)
    with pytest.raises(rows.EvidenceChangedError):
        _decision(table, row.case, VerdictApproved, By("clerk", "clerk-2"), outcome="upheld")
    assert table.now(row.case) == row


def test_the_ledger_decides_once(table: Table) -> None:
    """A proposal that was rejected or approved cannot be decided on again."""
    row = table.proposed(table.opened())
    row = table[CLERK_2].reject(call(row), "x")
    with pytest.raises(rows.InvalidCaseEventError, match="pending"):
        _decision(table, row.case, VerdictApproved, By("clerk", "clerk-2"), outcome="upheld")
    assert table.now(row.case) == row


def test_the_ledger_takes_no_nonsense(table: Table) -> None:
    row = table.opened()
    now, by = table.store.moment(), By("clerk", "clerk-1")
    sound: dict[str, Any] = {"case": row.case, "seq": 2, "at": time_text(now), "by": by, "text": "sha256:" + "0" * 64}
    state, _ = rows.state_of(table.store, row.case) or (None, None)
    assert state is not None

    def appended(principal: str = "clerk-1", text: bytes | None = None, **wrong: Any) -> None:
        event = StatementMade(**sound | wrong)
        texts = () if text is None else (CaseText(2, bytes(16), text),)
        entry = Entry(*linked(event, bytes(16)))
        rows.append(table.store, NewEvents(event.case, 2, principal, None, [entry], texts), state)

    for wrong in (
        {"seq": 3},
        {"at": time_text(now - timedelta(hours=1))},
        {"at": time_text(now + timedelta(hours=1))},
        {"principal": "somebody else than the event says"},
        {"text": b"not what the event has the digest of"},
    ):
        with pytest.raises(rows.InvalidCaseEventError):
            appended(**wrong)  # type: ignore[arg-type]
    with pytest.raises(rows.CaseUnknownError):
        appended(case="nobody")
    assert table.now(row.case) == row
    assert list(check_cases(table.store)) == []


# -- The feed ----------------------------------------------------------------------------------------------------------


def test_changes_in_order(table: Table) -> None:
    start = rows.last_position(table.store)
    first, second = table.opened(), table.opened(BOB)
    table.assigned(first)
    found = rows.changes(table.store, start)
    assert [(one.case_id, one.first_seq, one.last_seq, one.player) for one in found] == [
        (first.case, 0, 1, ALICE.player),
        (second.case, 0, 1, BOB.player),
        (first.case, 2, 2, ALICE.player),
    ]
    assert {one.game for one in found} == {GAME}
    assert rows.changes(table.store, found[0].position, 1) == found[1:2]
    assert rows.changes(table.store, found[-1].position) == []


def test_no_change_that_commits_late_is_skipped(table: Table, database: Database) -> None:
    """An append that has its position and is not committed holds readers back, until it is there or given up."""
    row = table.opened()
    start = rows.last_position(table.store)
    event = StatementMade(
        case=row.case,
        seq=row.next_seq,
        at=time_text(datetime.now(UTC) - timedelta(seconds=1)),
        by=By("clerk", "clerk-1"),
        text="sha256:" + "0" * 64,
    )
    link = linked(event, bytes(16))
    with psycopg.connect(database.application_url) as slow:
        slow.execute(
            "SELECT mingpai.append_case(%s, %s, 'clerk-1', NULL, %b, %b, %b, '{}', '{}', '{}', '{}', '{}')",
            (row.case, row.next_seq, [link.body], [link.public_digest], [link.salt]),
        )
        later = table[BOB].open(CaseOpening(GAME, "x"), None)
        assert rows.changes(table.store, start) == []
        slow.rollback()
    assert [one.case_id for one in rows.changes(table.store, start)] == [later.case]


def test_appends_to_games_hold_no_case_back(table: Table, database: Database) -> None:
    start = rows.last_position(table.store)
    with psycopg.connect(database.admin_url) as other:
        other.execute("SELECT mingpai.hold_feed()")
        row = table.opened()
        assert [one.case_id for one in rows.changes(table.store, start)] == [row.case]


def test_store_of_two_processes(table: Table, database: Database) -> None:
    """Another process's store over the same database sees the same case."""
    row = table.opened()
    with Store.connect(database.application_url, unsafe_allowed=True) as second:
        assert Table(second)[ALICE].case(row.case) == row
