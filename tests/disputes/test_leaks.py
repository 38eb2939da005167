"""To those who may not see a case it does not exist; to its player the staff's work does not."""

from __future__ import annotations

import json
from typing import Any

import psycopg
import pytest

from schema.graphql.ids import global_id
from schema.ports import Viewer
from schema.ports.cases import CaseOpening
from service.store import Store
from tests.api.clients import Client, app_for
from tests.databases import Database
from tests.disputes.people import (
    ADMIN,
    ALICE,
    ANALYST,
    AUDITOR,
    BOB,
    CLERK,
    GAME,
    PUBLIC,
    SEATED,
    SERVER,
    ZOE,
    Table,
    call,
    filled,
)

CASE = "query($id: String!) { case(id: $id) { __typename ... on Case { case } ... on Problem { code message } } }"
NODE = "query($id: ID!) { node(id: $id) { __typename id } }"
EVIDENCE = """query($id: String!, $digest: String!) { caseEvidence(case: $id, digest: $digest) {
  __typename ... on Problem { code message } ... on CaseEvidenceFile { digest } } }"""
EXPORT = "query($id: String!) { exportCase(id: $id) { __typename ... on Problem { code message } } }"
CASES = """query($filter: CasesFilter, $after: String, $before: String, $last: Int, $first: Int) {
  cases(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
  ... on CaseConnection { edges { cursor node { case state openedBy assignee } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } ... on Problem { code message } } }"""
_RESULT = "{ __typename ... on Case { case } ... on Problem { code message } ... on CaseRefused { expectedSeq } }"
_ARGUMENTS = "case: $id, expectedSeq: 5, key: $key"
ACTS = {
    "addStatement": 'text: "x"',
    "assignCase": 'assignee: "nobody"',
    "setCaseDue": 'due: "2030-01-01T00:00:00Z"',
    "refreshCaseEvidence": "",
    "proposeVerdict": 'verdict: {outcome: UPHELD, reason: "x"}',
    "approveVerdict": "",
    "rejectVerdict": 'reason: "x"',
    "appealCase": 'text: "x"',
    "withdrawCase": "",
    "closeCase": "",
}
#: To whom there are no cases, or not this one.
STRANGERS = (BOB, ZOE, ANALYST, SERVER, PUBLIC)


@pytest.fixture
def table(store: Store) -> Table:
    return Table(filled(store))


def asked(table: Table, viewer: Viewer, query: str, **variables: Any) -> Any:
    return Client(app_for(table.store, viewer)).query(query, **variables)


def _without(answer: Any, case: str) -> str:
    return json.dumps(answer).replace(case, "CASE")


@pytest.mark.parametrize("viewer", STRANGERS, ids=lambda viewer: viewer.principal or "public")
def test_no_difference_from_no_case(table: Table, viewer: Viewer) -> None:
    """Every field and every act answers for a case that is there as for one that is not."""
    row = table.proposed(table.opened())
    digest = table[AUDITOR].evidence([row.case])[row.case][0].digest
    queries = [CASE, EXPORT, EVIDENCE]
    queries += [
        f"mutation($id: String!, $key: String) {{ {name}({_ARGUMENTS}{', ' + more if more else ''}) {_RESULT} }}"
        for name, more in ACTS.items()
    ]
    queries.append(f"mutation($id: String!) {{ forgetCaseText(case: $id, seq: 0) {_RESULT} }}")
    for query in queries:
        extra = {"digest": digest} if "$digest" in query else {}
        found = asked(table, viewer, query, id=row.case, **extra)
        none = asked(table, viewer, query, id="f" * 32, **extra)
        assert _without(found, row.case) == _without(none, "f" * 32)
        assert "CASE_NOT_FOUND" in json.dumps(found)
    ids = [global_id("Case", name) for name in (row.case, "f" * 32)]
    assert [asked(table, viewer, NODE, id=one)["data"] for one in ids] == [{"node": None}] * 2
    assert table.now(row.case) == row


@pytest.mark.parametrize("viewer", STRANGERS, ids=lambda viewer: viewer.principal or "public")
def test_lists_and_counts(table: Table, viewer: Viewer) -> None:
    """Lists, page marks and cursors are those of a store in which others' cases are not."""
    others = [table.opened(), table.opened()]
    cursor = asked(table, AUDITOR, CASES, first=1)["data"]["cases"]["edges"][0]["cursor"]
    own = [table.opened(BOB).case for _ in range(3)][::-1] if viewer is BOB else []
    table.opened()
    for arguments in ({"first": 100}, {"last": 100}, {"first": len(own) or 1}, {"last": len(own) or 1}):
        page = asked(table, viewer, CASES, **arguments)["data"]["cases"]
        assert [edge["node"]["case"] for edge in page["edges"]] == own
        assert (page["pageInfo"]["hasNextPage"], page["pageInfo"]["hasPreviousPage"]) == (False, False)
    behind = asked(table, viewer, CASES, first=9, after=cursor)["data"]["cases"]
    assert behind["edges"] == []
    for filter in ({"player": ALICE.player}, {"openedBy": "alice"}, {"assignee": "clerk-1"}, {"game": others[0].game}):
        page = asked(table, viewer, CASES, first=9, filter=filter)["data"]["cases"]
        assert [edge["node"]["case"] for edge in page["edges"]] == (own if "game" in filter else [])


def test_what_a_player_learns_of_the_staffs_work(table: Table) -> None:
    """While a verdict waits for approval, and after it was rejected, nothing says so: no state, no filter, no error."""
    first = table.assigned(table.opened())
    second = table.proposed(table.opened())
    states = {}
    for state in ("OPEN", "IN_REVIEW", "PENDING_APPROVAL"):
        page = asked(table, ALICE, CASES, first=9, filter={"state": state})["data"]["cases"]
        states[state] = {edge["node"]["case"] for edge in page["edges"]}
    assert states == {"OPEN": set(), "IN_REVIEW": {first.case, second.case}, "PENDING_APPROVAL": set()}
    for filter in ({"assignee": "clerk-1"}, {"openedBy": "clerk-1"}):
        assert asked(table, ALICE, CASES, first=9, filter=filter)["data"]["cases"]["edges"] == []
    said = []
    for row in (first, second):
        text = (
            'mutation($id: String!, $seq: Int!) { appealCase(case: $id, expectedSeq: $seq, text: "x") ' + _RESULT + "}"
        )
        said.append(asked(table, ALICE, text, id=row.case, seq=row.next_seq)["data"]["appealCase"]["message"])
        seen = asked(table, ALICE, CASES, first=9)["data"]["cases"]["edges"]
        assert {(edge["node"]["openedBy"], edge["node"]["assignee"]) for edge in seen} == {("alice", None)}
    assert said[0] == said[1]


def test_a_case_opened_by_the_staff_for_a_player(table: Table) -> None:
    """Who opened it is not the player's to know, and cannot be asked out of the filter."""
    table[CLERK].open(CaseOpening(GAME, "x", player=ALICE.player), None)
    seen = asked(table, ALICE, CASES, first=9)["data"]["cases"]["edges"]
    assert [edge["node"]["openedBy"] for edge in seen] == [None]
    assert asked(table, ALICE, CASES, first=9, filter={"openedBy": "clerk-1"})["data"]["cases"]["edges"] == []
    assert len(asked(table, ADMIN, CASES, first=9, filter={"openedBy": "clerk-1"})["data"]["cases"]["edges"]) == 1


def test_somebody_of_the_staff_is_a_player_in_the_own_case(table: Table) -> None:
    """Who is the player of a case reads no note on it, whatever else that person is."""
    own = SEATED._replace(player=ALICE.player)
    row = table.opened()
    row = table[CLERK].state(call(row), "a secret note", is_internal=True)
    row = table.proposed(row)
    seen = table[own].timelines([row.case])[row.case]
    assert [event.type for event in seen] == ["opened", "evidence_attached"]
    assert "a secret note" not in json.dumps(table[own].export(row.case))
    assert (table[own].case(row.case).state, table[own].case(row.case).assignee) == ("in_review", None)
    for filter in ({"state": "PENDING_APPROVAL"}, {"assignee": "clerk-1"}):
        assert asked(table, own, CASES, first=9, filter=filter)["data"]["cases"]["edges"] == []
        assert len(asked(table, ADMIN, CASES, first=9, filter=filter)["data"]["cases"]["edges"]) == 1


def test_evidence_is_for_its_side_alone(table: Table) -> None:
    row = table.opened()
    staff = [one.digest for one in table[AUDITOR].evidence([row.case])[row.case]]
    own = [one.digest for one in table[ALICE].evidence([row.case])[row.case]]
    for viewer, shown, hidden in ((AUDITOR, staff, own), (ALICE, own, staff)):
        for digest in shown:
            assert asked(table, viewer, EVIDENCE, id=row.case, digest=digest)["data"]["caseEvidence"] == {
                "__typename": "CaseEvidenceFile",
                "digest": digest,
            }
        for digest in [*hidden, "0" * 64, "", "\ud800", "zz"]:
            answer = asked(table, viewer, EVIDENCE, id=row.case, digest=digest)
            assert answer["data"]["caseEvidence"]["__typename"] == "EvidenceNotFound"


def test_readings_by_staff_are_on_record(table: Table, database: Database) -> None:
    row = table.opened()

    def read() -> list[tuple[Any, ...]]:
        with psycopg.connect(database.admin_url) as admin:
            return admin.execute(
                "SELECT principal, key, what, game, request FROM mingpai.hidden_reads ORDER BY position"
            ).fetchall()

    for viewer in (ALICE, AUDITOR):
        table[viewer].case(row.case)
        table[viewer].timelines([row.case])
        digest = table[viewer].evidence([row.case])[row.case][0].digest
        assert read() == []
        if viewer is ALICE:
            table[viewer].content(row.case, digest)
            table[viewer].export(row.case)
    table[AUDITOR].content(row.case, digest)
    table[AUDITOR].export(row.case)
    assert read() == [
        ("auditor-1", "key-auditor", what, row.game, "request-1") for what in ("case_evidence", "case_export")
    ]
