"""Disputes through GraphQL: every field and mutation, paging, refusals, and what it costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from schema.graphql.ids import global_id
from schema.ports import Viewer
from schema.ports.cases import CaseOpening
from service.api import create_app
from service.store import Store
from tests.access.keys import bearer, key_for, principal_for
from tests.api.clients import Client, app_for
from tests.api.statements import listening
from tests.disputes.people import (
    ADMIN,
    ALICE,
    ANALYST,
    AUDITOR,
    BOB,
    CLERK,
    CLERK_2,
    FAULT,
    GAME,
    PLAYERS,
    PUBLIC,
    Role,
    Table,
    call,
    filled,
)

Ask = Callable[..., dict[str, Any]]

_SHOWN = """__typename
  ... on Case { id case game hand step clause player state round openedBy openedAt assignee due overdue appealUntil
    outcome nextSeq evidence { seq kind digest seat engine uptoSeq gameHead }
    verdicts { seq outcome clauses reason appealUntil }
    timeline(first: 50) { ... on CaseEventConnection { edges { node { seq type role principal details text } } } } }
  ... on Problem { code message }"""
_CASE = f"{{ {_SHOWN} ... on CaseRefused {{ expectedSeq }} ... on BadArgument {{ argument }} }}"
OPEN = f"mutation($case: CaseInput!, $key: String) {{ openCase(case: $case, key: $key) {_CASE} }}"
CASE = f"query($id: String!) {{ case(id: $id) {{ {_SHOWN} }} }}"
CASES = """query($first: Int, $after: String, $last: Int, $before: String, $filter: CasesFilter) {
  cases(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
    ... on CaseConnection { edges { cursor node { case } } pageInfo { hasNextPage hasPreviousPage endCursor } }
    ... on Problem { code message } } }"""


def act(name: str, arguments: str = "", types: str = "") -> str:
    head = f"mutation($case: String!, $seq: Int!, $key: String{', ' + types if types else ''})"
    return (
        f"{head} {{ {name}(case: $case, expectedSeq: $seq, key: $key{', ' + arguments if arguments else ''}) {_CASE} }}"
    )


ASSIGN, REFRESH = act("assignCase"), act("refreshCaseEvidence")
APPROVE, CLOSE = act("approveVerdict"), act("closeCase")
STATE = act("addStatement", "text: $text, internal: $internal", "$text: String!, $internal: Boolean! = false")
DUE = act("setCaseDue", "due: $due", "$due: String!")
PROPOSE = act("proposeVerdict", "verdict: $verdict", "$verdict: CaseVerdictInput!")
REJECT = act("rejectVerdict", "reason: $text", "$text: String!")
APPEAL = act("appealCase", "text: $text", "$text: String!")
WITHDRAW = act("withdrawCase", "text: $text", "$text: String")
FORGET = f"mutation($case: String!, $seq: Int!) {{ forgetCaseText(case: $case, seq: $seq) {_CASE} }}"
VERDICT = {"outcome": "HAND_VOIDED", "reason": "the wall was wrong", "clauses": ["S-WALL-2"], "findings": [0]}


class Speaker:
    """Everybody over one store; each answer is the one field that was asked for."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __call__(self, viewer: Viewer, query: str, **variables: Any) -> dict[str, Any]:
        (answer,) = Client(app_for(self._store, viewer)).ask(query, **variables).values()
        assert isinstance(answer, dict)
        return answer

    def refused(self, viewer: Viewer, query: str, **variables: Any) -> str:
        """The code of a top-level error."""
        (error,) = Client(app_for(self._store, viewer)).query(query, **variables)["errors"]
        return str(error["extensions"]["code"])


@pytest.fixture
def ask(store: Store) -> Speaker:
    return Speaker(filled(store))


def test_a_whole_dispute(ask: Speaker) -> None:
    case = ask(ALICE, OPEN, case={"game": GAME, "text": "too little", "step": FAULT, "clause": "G-SCORE-1"}, key="k")
    assert {name: case[name] for name in ("__typename", "game", "hand", "step", "player", "state", "nextSeq")} == {
        "__typename": "Case",
        "game": GAME,
        "hand": 1,
        "step": FAULT,
        "player": PLAYERS[0],
        "state": "OPEN",
        "nextSeq": 2,
    }
    assert case["id"] == global_id("Case", case["case"])
    assert (
        ask(ALICE, OPEN, case={"game": GAME, "text": "too little", "step": FAULT, "clause": "G-SCORE-1"}, key="k")
        == case
    )
    seq = 2

    def done(viewer: Viewer, query: str, **variables: Any) -> dict[str, Any]:
        nonlocal seq
        answer = ask(viewer, query, case=case["case"], seq=seq, **variables)
        assert answer["__typename"] == "Case", answer
        seq = answer["nextSeq"]
        return answer

    assert (
        done(ALICE, STATE, text="and one more thing")["timeline"]["edges"][-1]["node"]["text"] == "and one more thing"
    )
    note = done(CLERK, STATE, text="hm", internal=True)["timeline"]["edges"][-1]["node"]
    assert note == {"seq": 3, "type": "NOTED", "role": "CLERK", "principal": "clerk-1", "details": {}, "text": "hm"}
    assert done(CLERK, DUE, due="2099-01-01T08:00:00+08:00")["due"] == "2099-01-01T00:00:00.000Z"
    assert done(CLERK, ASSIGN)["assignee"] == "clerk-1"
    assert done(CLERK, REFRESH)["nextSeq"] == 6  # nothing has changed
    assert done(CLERK, PROPOSE, verdict=VERDICT)["state"] == "PENDING_APPROVAL"
    assert ask(ALICE, CASE, id=case["case"])["state"] == "IN_REVIEW"
    assert done(CLERK_2, REJECT, text="why?")["state"] == "IN_REVIEW"
    done(CLERK, PROPOSE, verdict=VERDICT)
    decided = done(CLERK_2, APPROVE)
    assert (decided["state"], decided["outcome"]) == ("DECIDED", "HAND_VOIDED")
    (verdict,) = decided["verdicts"]
    assert (verdict["reason"], verdict["clauses"]) == (VERDICT["reason"], VERDICT["clauses"])
    assert verdict["appealUntil"] == decided["appealUntil"]
    assert ask(ALICE, CASE, id=case["case"])["verdicts"] == [verdict]
    assert ask(CLERK, CLOSE, case=case["case"], seq=seq)["code"] == "TERM_RUNNING"
    assert done(ALICE, APPEAL, text="no")["state"] == "APPEALED"
    assert done(ALICE, WITHDRAW, text=None)["state"] == "CLOSED"
    assert ask(ADMIN, FORGET, case=case["case"], seq=0)["timeline"]["edges"][0]["node"]["text"] is None


def test_refusals(ask: Speaker) -> None:
    case = ask(ALICE, OPEN, case={"game": GAME, "text": "x"})
    name = case["case"]
    assert ask(CLERK, STATE, case=name, seq=1, text="x") == {
        "__typename": "CaseRefused",
        "code": "SEQUENCE_CONFLICT",
        "message": "The case goes on at 2.",
        "expectedSeq": 2,
    }
    assert ask(CLERK, STATE, case=name, seq=2, text="")["argument"] == "text"
    assert ask(CLERK, ASSIGN, case=name, seq=2, key="\t")["argument"] == "key"
    assert ask(CLERK, PROPOSE, case=name, seq=2, verdict=VERDICT)["code"] == "WRONG_STATE"
    assert ask(CLERK, ASSIGN, case="nobody", seq=2) == {
        "__typename": "CaseNotFound",
        "code": "CASE_NOT_FOUND",
        "message": "No case nobody.",
    }
    assert ask(ALICE, OPEN, case={"game": "nobody", "text": "x"})["code"] == "GAME_NOT_FOUND"
    assert ask(ALICE, OPEN, case={"game": GAME, "text": "x", "step": 9999})["code"] == "SEQ_OUT_OF_RANGE"
    assert ask(ALICE, OPEN, case={"game": GAME, "text": "x", "hand": 7})["argument"] == "hand"
    assert ask.refused(PUBLIC, OPEN, case={"game": GAME, "text": "x"}) == "UNAUTHENTICATED"
    assert ask.refused(ANALYST, OPEN, case={"game": GAME, "text": "x"}) == "FORBIDDEN"
    for query in (ASSIGN, REFRESH, APPROVE, CLOSE):
        assert ask.refused(ALICE, query, case=name, seq=2) == "FORBIDDEN"
    assert ask.refused(CLERK, APPEAL, case=name, seq=2, text="x") == "FORBIDDEN"
    assert ask.refused(CLERK, FORGET, case=name, seq=0) == "FORBIDDEN"
    assert ask(AUDITOR, CASE, id=name)["nextSeq"] == 2


def test_pages(ask: Speaker, store: Store) -> None:
    table = Table(store)
    names = [table.opened(viewer).case for viewer in (ALICE, BOB) * 3][::-1]
    for size in (1, 2, 5, 6, 7):
        found, after = list[str](), None
        while True:
            page = ask(CLERK, CASES, first=size, after=after)
            found += [edge["node"]["case"] for edge in page["edges"]]
            after = page["pageInfo"]["endCursor"]
            if not page["pageInfo"]["hasNextPage"]:
                break
        assert found == names
    back = ask(CLERK, CASES, last=2)
    assert [edge["node"]["case"] for edge in back["edges"]] == names[-2:]
    before = ask(CLERK, CASES, last=9, before=back["edges"][0]["cursor"])
    assert [edge["node"]["case"] for edge in before["edges"]] == names[:-2]
    cursor = back["edges"][0]["cursor"]
    assert ask(CLERK, CASES, first=2, after=cursor, filter={"state": "OPEN"})["code"] == "BAD_CURSOR"
    assert ask(CLERK, CASES)["code"] == "BAD_ARGUMENT"


def test_filters(ask: Speaker, store: Store) -> None:
    table = Table(store)
    first, second = table.opened(), table.decided(table.opened(BOB))
    third = table.assigned(table[CLERK].open(CaseOpening(GAME, "x"), None), AUDITOR)
    for filter, expected in (
        ({}, [third, second, first]),
        ({"state": "OPEN"}, [first]),
        ({"state": "DECIDED"}, [second]),
        ({"game": GAME}, [third, second, first]),
        ({"game": "\ud800"}, []),
        ({"player": PLAYERS[1]}, [second]),
        ({"assignee": "auditor-1"}, [third]),
        ({"openedBy": "clerk-1"}, [third]),
        ({"overdue": True}, []),
        ({"overdue": False, "player": PLAYERS[0]}, [first]),
    ):
        page = ask(ADMIN, CASES, first=9, filter=filter)
        assert [edge["node"]["case"] for edge in page["edges"]] == [one.case for one in expected], filter


def test_timeline_by_pages(ask: Speaker, store: Store) -> None:
    row = Table(store).decided(Table(store).opened())
    query = """query($id: ID!, $first: Int, $after: String, $last: Int, $before: String) { node(id: $id) { ... on Case {
      timeline(first: $first, after: $after, last: $last, before: $before) {
        ... on CaseEventConnection { edges { cursor node { seq } } pageInfo { hasNextPage hasPreviousPage } }
        ... on Problem { code } } } } }"""

    def page(viewer: Viewer, **paging: Any) -> dict[str, Any]:
        found = ask(viewer, query, id=global_id("Case", row.case), **paging)["timeline"]
        assert isinstance(found, dict)
        return found

    assert [edge["node"]["seq"] for edge in page(CLERK, first=100)["edges"]] == [0, 1, 2, 3, 4]
    seen = page(ALICE, first=2)
    assert ([edge["node"]["seq"] for edge in seen["edges"]], seen["pageInfo"]["hasNextPage"]) == ([0, 1], True)
    rest = page(ALICE, first=2, after=seen["edges"][-1]["cursor"])
    assert ([edge["node"]["seq"] for edge in rest["edges"]], rest["pageInfo"]["hasNextPage"]) == ([4], False)
    assert [edge["node"]["seq"] for edge in page(ALICE, last=2)["edges"]] == [1, 4]
    assert page(ALICE, first=0)["code"] == "BAD_ARGUMENT"
    other = Table(store).opened()
    stranger = ask(CLERK, query, id=global_id("Case", other.case), first=1, after=seen["edges"][0]["cursor"])
    assert stranger["timeline"]["code"] == "BAD_CURSOR"


def test_as_many_statements_for_many_cases_as_for_one(ask: Speaker, store: Store) -> None:
    table = Table(store)
    for _ in range(12):
        table.decided(table.opened())
    query = """query($first: Int!) { cases(first: $first) { ... on CaseConnection { edges { node { case
      evidence { digest } verdicts { reason }
      timeline(first: 5) { ... on CaseEventConnection { edges { node { text } } } } } } } } }"""
    counts = []
    for first in (1, 12):
        client = Client(app_for(store, AUDITOR))
        with listening(store) as sent:
            page = client.ask(query, first=first)["cases"]["edges"]
        assert (len(page), len(page[-1]["node"]["verdicts"])) == (first, 1)
        counts.append(len(sent))
    assert counts[0] == counts[1] <= 5


def test_with_real_keys(store: Store) -> None:
    """Two keys of one clerk are one person; a key without the role does nothing."""
    table = Table(filled(store))
    row = table.opened()
    clerk, other = principal_for(store), principal_for(store)
    app = create_app(store)

    def send(key: str, query: str, seq: int, **variables: Any) -> Any:
        content = {"query": query, "variables": {"case": row.case, "seq": seq, **variables}}
        body = Client(app).request("POST", "/graphql", json=content, headers=bearer(key)).json()
        return body.get("data") and next(iter(body["data"].values()))

    first, second = (key_for(store, Role.CLERK, principal=clerk) for _ in range(2))
    assert send(first, ASSIGN, 2)["assignee"] == clerk
    assert send(first, PROPOSE, 3, verdict=VERDICT)["state"] == "PENDING_APPROVAL"
    assert send(second, APPROVE, 4)["code"] == "SAME_PERSON"
    assert send(key_for(store, Role.CLERK, Role.ADMIN, principal=clerk), APPROVE, 4)["code"] == "SAME_PERSON"
    assert send(key_for(store, Role.ANALYST, principal=other), APPROVE, 4)["code"] == "CASE_NOT_FOUND"
    assert send(key_for(store, Role.CLERK, principal=other), APPROVE, 4)["state"] == "DECIDED"
    assert table.now(row.case).next_seq == call(row).expected_seq + 3
