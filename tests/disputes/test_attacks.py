"""Attacks on stored cases: who is stopped by what; and what a superuser gets through is found by the check."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from schema.canonical import canonical
from service.disputes.chain import linked
from service.disputes.events import decode, document
from service.embedded import Server
from service.evidence.leaves import next_head
from service.store import Store
from service.store import cases as rows
from service.usecases.case_checking import check_cases
from service.usecases.checking import check
from tests.databases import Database, cloned
from tests.disputes.people import ADMIN, ALICE, AUDITOR, Table, call, filled
from tests.store.test_attacks import outcomes

Connection = psycopg.Connection[tuple[Any, ...]]

#: What is only ever added to, what moves on, and what may be forgotten.
LEDGERS = ("case_events", "case_appends", "case_evidence")
MOVING = ("case_heads",)
TEXTS = ("case_texts",)
TABLES = (*LEDGERS, *MOVING, *TEXTS)

UPDATES = {
    "case_events": "SET body = 'forged'",
    "case_appends": "SET principal = 'forged'",
    "case_evidence": "SET content = 'forged'",
    "case_heads": "SET head = 'forged'",
    "case_texts": "SET text = 'forged'",
}
ROWS = {
    "case_events": "SELECT case_id, 9000, recorded_at, body, public_digest, salt, head "
    "FROM mingpai.case_events LIMIT 1",
    "case_appends": "(recorded_at, first_seq, last_seq, case_id, principal, head) VALUES (now(), 9, 9, 'x', 'x', 'x')",
    "case_evidence": "VALUES (sha256('forged'), 'report', 'forged', now())",
    "case_heads": "SELECT 'forged', game, 1, head, now() FROM mingpai.case_heads LIMIT 1",
    "case_texts": "SELECT case_id, 9000, salt, text FROM mingpai.case_texts LIMIT 1",
}
STATEMENTS: dict[str, tuple[str, ...]] = {
    "update": ("UPDATE mingpai.{table} {update}",),
    "delete": ("DELETE FROM mingpai.{table}",),
    "truncate": ("TRUNCATE mingpai.{table} CASCADE",),
    "replication role": ("SET session_replication_role = replica", "UPDATE mingpai.{table} {update}"),
    "rights granted": ("GRANT ALL ON mingpai.{table} TO CURRENT_ROLE", "UPDATE mingpai.{table} {update}"),
    "row forged": ("INSERT INTO mingpai.{table} {row}",),
}
#: By kind of table, what stops application, reader, ledger, owner and superuser: (R)ights, (T)riggers, or nothing (-).
STOPPED = {
    "update": ("RRRRT", "RR---", "RRRTT"),
    "delete": ("RRRRT", "RRRRT", "-RR--"),
    "truncate": ("RRRRT", "RRRRT", "RRR--"),
    "replication role": ("RRRRT", "RRRR-", "RRRRT"),
    "rights granted": ("RRTTT", "RR---", "RRRTT"),
    "row forged": ("RR---", "RR---", "RR---"),
}


@pytest.fixture(scope="module")
def disputed(postgres: Server, migrated_template: str) -> Iterator[tuple[Database, str]]:
    """A database with a decided case, an appealed one, and one that is open; and the one that is attacked."""
    with cloned(postgres, migrated_template) as database:
        with Store.connect(database.application_url, unsafe_allowed=True) as store:
            table = Table(filled(store))
            table.opened()
            row = table[ALICE].appeal(call(table.decided(table.opened())), "no")
            row = table.decided(row, (ADMIN, AUDITOR))
            table.decided(table.opened())
        yield database, row.case


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("attack", STATEMENTS)
def test_who_is_stopped_by_what(disputed: tuple[Database, str], attack: str, kind: str) -> None:
    place = [kind in tables for tables in (LEDGERS, MOVING, TEXTS)].index(True)
    statements = [one.format(table=kind, update=UPDATES[kind], row=ROWS[kind]) for one in STATEMENTS[attack]]

    def carried_out(connection: Connection) -> None:
        for statement in statements:
            connection.execute(statement)

    assert outcomes(disputed[0], carried_out) == STOPPED[attack][place]


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT mingpai.keep_case_texts('x', '{}', '{}', '{}')",
        "SELECT mingpai.check_case_event(h, 1, 'x', '{}', '', '') FROM mingpai.case_heads h",
        "SELECT mingpai.hold_cases()",
        "ALTER TABLE mingpai.case_events DISABLE TRIGGER ALL",
    ],
)
def test_nobody_calls_the_parts(disputed: tuple[Database, str], statement: str) -> None:
    for url in (disputed[0].application_url, disputed[0].reader_url):
        with psycopg.connect(url) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(statement)


@pytest.mark.parametrize("table", ["case_events", "case_texts", "case_evidence", "case_appends"])
def test_reader_reads_no_case(disputed: tuple[Database, str], table: str) -> None:
    with psycopg.connect(disputed[0].reader_url) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(f"SELECT * FROM mingpai.{table}")


# -- What gets through -------------------------------------------------------------------------------------------------

_CASE = "case_id = %(case)s"
_BIT = "set_byte({0}, octet_length({0}) / 2, get_byte({0}, octet_length({0}) / 2) # 1)"


def _flipped(table: str, column: str, row: str) -> str:
    return f"UPDATE mingpai.{table} SET {column} = {_BIT.format(column)} WHERE {row}"


#: By name: the statements of a superuser, and the code of the fault that the check gives.
ATTACKS: dict[str, tuple[tuple[str, ...], str]] = {
    "body bit": ((_flipped("case_events", "body", f"{_CASE} AND seq = 3"),), "body"),
    "public digest bit": ((_flipped("case_events", "public_digest", f"{_CASE} AND seq = 3"),), "public_digest"),
    "salt bit": ((_flipped("case_events", "salt", f"{_CASE} AND seq = 3"),), "head"),
    "head bit": ((_flipped("case_events", "head", f"{_CASE} AND seq = 3"),), "head"),
    "time of record": (
        (f"UPDATE mingpai.case_events SET recorded_at = recorded_at - interval '1 day' WHERE {_CASE} AND seq = 3",),
        "recorded_at",
    ),
    "event gone": ((f"DELETE FROM mingpai.case_events WHERE {_CASE} AND seq = 3",), "seq"),
    "last event gone": ((f"DELETE FROM mingpai.case_events WHERE {_CASE} AND seq = 8",), "tail"),
    "event too many": (
        (
            f"INSERT INTO mingpai.case_events SELECT case_id, 9, recorded_at, body, public_digest, salt, head "
            f"FROM mingpai.case_events WHERE {_CASE} AND seq = 8",
        ),
        "stray",
    ),
    "event of no case": (
        (
            "INSERT INTO mingpai.case_events SELECT 'nobody', seq, recorded_at, body, public_digest, salt, head "
            f"FROM mingpai.case_events WHERE {_CASE} AND seq = 0",
        ),
        "stray",
    ),
    "head row's head": ((_flipped("case_heads", "head", _CASE),), "tail"),
    "head row's length": ((f"UPDATE mingpai.case_heads SET next_seq = next_seq - 1 WHERE {_CASE}",), "tail"),
    "head row's game": (
        (f"UPDATE mingpai.case_heads SET game = (SELECT max(game) FROM mingpai.games) WHERE {_CASE}",),
        "game",
    ),
    "head row's time": (
        (f"UPDATE mingpai.case_heads SET updated_at = updated_at + interval '1 s' WHERE {_CASE}",),
        "updated_at",
    ),
    "append gone": ((f"DELETE FROM mingpai.case_appends WHERE {_CASE} AND first_seq = 3",), "appends"),
    "append's principal": (
        (f"UPDATE mingpai.case_appends SET principal = 'x' WHERE {_CASE} AND first_seq = 3",),
        "appends",
    ),
    "append's head": ((_flipped("case_appends", "head", f"{_CASE} AND first_seq = 3"),), "appends"),
    "text changed": ((f"UPDATE mingpai.case_texts SET text = 'x' WHERE {_CASE} AND seq = 0",), "text"),
    "text too many": (
        (
            "INSERT INTO mingpai.case_texts SELECT case_id, 1, salt, text "
            f"FROM mingpai.case_texts WHERE {_CASE} AND seq = 0",
        ),
        "text",
    ),
    "evidence gone": (
        (
            "DELETE FROM mingpai.case_evidence WHERE encode(digest, 'hex') = (SELECT mingpai.parsed(body) ->> 'report' "
            f"FROM mingpai.case_events WHERE {_CASE} AND seq = 1)",
        ),
        "evidence",
    ),
    "evidence changed": (
        (
            "ALTER TABLE mingpai.case_evidence DROP CONSTRAINT case_evidence_check",
            "UPDATE mingpai.case_evidence SET content = content || 'x' WHERE encode(digest, 'hex') = "
            f"(SELECT mingpai.parsed(body) ->> 'bundle' FROM mingpai.case_events WHERE {_CASE} AND seq = 1)",
        ),
        "evidence",
    ),
    "state changed": ((f"UPDATE mingpai.case_states SET outcome = 'dismissed' WHERE {_CASE}",), "state"),
    "state gone": ((f"DELETE FROM mingpai.case_states WHERE {_CASE}",), "state"),
}


@contextmanager
def unguarded(database: Database) -> Iterator[Connection]:
    """A superuser's transaction in which no trigger fires."""
    with psycopg.connect(database.admin_url) as connection:
        connection.execute("SET session_replication_role = replica")
        for table in TABLES:
            connection.execute(f"ALTER TABLE mingpai.{table} DISABLE TRIGGER USER")
        yield connection


@pytest.fixture
def attacked(postgres: Server, disputed: tuple[Database, str]) -> Iterator[Database]:
    """A copy of the database, to be spoilt."""
    with cloned(postgres, disputed[0].admin_url.rsplit("/", 1)[1].split("?")[0]) as database:
        yield database


def faults(database: Database) -> list[tuple[str, str]]:
    with Store.connect(database.application_url, unsafe_allowed=True) as store:
        return [(fault.case, fault.code) for fault in check_cases(store)]


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_gets_through_is_found(disputed: tuple[Database, str], attacked: Database, attack: str) -> None:
    statements, code = ATTACKS[attack]
    assert faults(attacked) == []
    with unguarded(attacked) as connection:
        for statement in statements:
            done = connection.execute(statement, {"case": disputed[1]})
            assert done.rowcount != 0, f"nothing to attack: {statement}"
    found = faults(attacked)
    assert code in {found_code for _, found_code in found}
    assert {case for case, _ in found} <= {disputed[1], "nobody"} or attack in ("evidence gone", "evidence changed")


def test_a_history_computed_anew_is_unlawful(disputed: tuple[Database, str], attacked: Database) -> None:
    """A superuser makes the proposer the approver and computes the whole chain anew: every hash fits, and four eyes do
    not."""
    case = disputed[1]
    with Store.connect(attacked.application_url, unsafe_allowed=True) as store:
        stored = rows.events_of(store, [case])[case]
    by = document(decode(stored[3].body))["by"]
    head, changed = bytes(32), []
    for one in stored:
        whole = document(decode(one.body))
        link = linked(decode(canonical(whole | {"by": by} if one.seq == 4 else whole)), bytes(one.salt))
        head = next_head(head, link.leaf)
        changed.append((link.body, link.public_digest, head, case, one.seq))
    with unguarded(attacked) as connection:
        for row in changed:
            connection.execute(
                "UPDATE mingpai.case_events SET body = %s, public_digest = %s, head = %s "
                "WHERE case_id = %s AND seq = %s",
                row,
            )
        for table, end in (("case_appends a", "a.last_seq"), ("case_heads a", "a.next_seq - 1")):
            connection.execute(
                f"UPDATE mingpai.{table} SET head = e.head FROM mingpai.case_events e "
                f"WHERE a.case_id = %s AND e.case_id = a.case_id AND e.seq = {end}",
                [case],
            )
        connection.execute(
            "UPDATE mingpai.case_appends SET principal = %s WHERE case_id = %s AND first_seq = 4",
            (by["principal"], case),
        )
    with Store.connect(attacked.application_url, unsafe_allowed=True) as store:
        (fault,) = check(store).faults
    assert (fault.where, fault.game, fault.seq, fault.code) == ("case", case, 4, "unlawful")
    assert "another person" in str(fault)
