"""Four eyes over random courses: whoever does whatever in whatever order, to the store as it is.

What must hold is worked out here from the stored bytes alone, and from what the evidence was at each step.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schema.ports import AccessError, Role, Viewer
from schema.ports.cases import CaseActError, CaseCall, CaseOpening, CaseUnknownError, CaseVerdict
from service.store import cases as rows
from service.usecases.case_checking import check_cases
from tests.disputes.people import ADMIN, ALICE, AUDITOR, BOB, CLERK, CLERK_AGAIN, GAME, PLAYERS, SEATED, Table

#: The admin's other principal, and a clerk who is the case's own player.
ADMIN_TOO = Viewer("admin-1b", frozenset({Role.ADMIN, Role.CLERK}), ADMIN.player, "key-admin-b")
ALICE_AT_WORK = Viewer("alice-at-work", frozenset({Role.CLERK, Role.AUDITOR}), ALICE.player, "key-work")
PEOPLE = (ALICE, BOB, CLERK, CLERK_AGAIN, AUDITOR, ADMIN, ADMIN_TOO, SEATED, ALICE_AT_WORK)


Act = Callable[[Table, Viewer, CaseCall], object]


def _assign(table: Table, viewer: Viewer, call: CaseCall) -> object:
    return table[viewer].assign(call, None)


def _propose(table: Table, viewer: Viewer, call: CaseCall) -> object:
    """As most people do: takes the case first."""
    row = table[viewer].assign(call, None)
    return table[viewer].propose(CaseCall(row.case, row.next_seq), CaseVerdict("upheld", "x"))


def _decided_with(other: Viewer) -> Act:
    """Proposed on the newest evidence, and put before another one at once."""

    def act(table: Table, viewer: Viewer, call: CaseCall) -> object:
        row = table[viewer].refresh(call)
        row = table[viewer].assign(CaseCall(row.case, row.next_seq), None)
        row = table[viewer].propose(CaseCall(row.case, row.next_seq), CaseVerdict("upheld", "x"))
        return table[other].approve(CaseCall(row.case, row.next_seq))

    return act


ACTS: tuple[Act, ...] = (
    _assign,
    _propose,
    _propose,
    lambda table, viewer, call: table[viewer].propose(call, CaseVerdict("dismissed", "y")),
    lambda table, viewer, call: table[viewer].approve(call),
    lambda table, viewer, call: table[viewer].approve(call),
    lambda table, viewer, call: table[viewer].approve(call),
    lambda table, viewer, call: table[viewer].reject(call, "x"),
    lambda table, viewer, call: table[viewer].refresh(call),
    lambda table, viewer, call: table[viewer].state(call, "x"),
    lambda table, viewer, call: table[ALICE].appeal(call, "x"),
    lambda table, viewer, call: table[viewer].close(call),
    lambda table, viewer, call: _reaudited(table),
    *(_decided_with(other) for other in PEOPLE),
)


def _reaudited(table: Table) -> None:
    audit = table.store.audit(GAME)
    assert audit is not None
    changed = {**audit.report, "mark": audit.report.get("mark", 0) + 1}
    assert table.store.save_audit(changed, audit.upto_seq)


def _report(table: Table) -> str:
    audit = rows.newest_audit(table.store, GAME)
    assert audit is not None
    return audit.report


def _documents(table: Table, case: str) -> list[dict[str, Any]]:
    return [json.loads(event.body) for event in rows.events_of(table.store, [case])[case]]


def _persons(by: dict[str, Any]) -> set[str]:
    return {"principal " + by["principal"]} | ({"player " + by["player"]} if "player" in by else set())


def assert_four_eyes(documents: list[dict[str, Any]]) -> int:
    """No decision on one's own proposal, none by who sat there, none of an appeal by those of the first; how many
    verdicts there are."""
    involved, count = set[str](), 0
    for document in documents:
        if document["type"] not in ("verdict_approved", "verdict_rejected"):
            continue
        proposal = documents[document["proposal"]]
        eyes = _persons(document["by"]), _persons(proposal["by"])
        assert not eyes[0] & eyes[1], document
        assert not (eyes[0] | eyes[1]) & {"player " + player for player in PLAYERS}
        if document["type"] == "verdict_approved":
            assert not (eyes[0] | eyes[1]) & involved
            attached = [one for one in documents[: document["seq"]] if one["type"] == "evidence_attached"]
            assert proposal["evidence"] == attached[-1]["seq"]
            involved, count = eyes[0] | eyes[1], count + 1
    return count


def test_whatever_anybody_does(table: Table) -> None:
    """Random courses, most of which get to proposals and some to verdicts and appeals."""
    verdicts = []

    @settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
    @given(st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from(ACTS)), min_size=10, max_size=30))
    def holds(course: list[tuple[Viewer, Act]]) -> None:
        row = table[ALICE].open(CaseOpening(GAME, "x"), None)
        for viewer, act in course:
            _do(table, viewer, act, row.case)
        verdicts.append(assert_four_eyes(_documents(table, row.case)))

    holds()
    assert list(check_cases(table.store)) == []
    assert sum(verdicts) > 5
    assert max(verdicts) <= 2


def _do(table: Table, viewer: Viewer, act: Act, case: str) -> None:
    """One act, refused or not; a verdict that comes of it rests on what game and audit are."""
    now, report = table.now(case), _report(table)
    with suppress(CaseActError, CaseUnknownError, AccessError):
        act(table, viewer, CaseCall(case, now.next_seq))
    documents = _documents(table, case)
    if documents[-1]["type"] != "verdict_approved" or documents[-1]["seq"] < now.next_seq:
        return
    frozen = next(one for one in reversed(documents) if one["type"] == "evidence_attached")
    kept = rows.evidence_of(table.store, [bytes.fromhex(frozen["report"])])
    assert [file.content.decode() for file in kept.values()] == [report]
    assert frozen["game_head"] == table.store.game(GAME).head.hex()


def test_the_check_sees() -> None:
    """An approval by the proposer, and one over newer evidence, are not passed over."""
    by = {"principal": "clerk-1", "role": "clerk"}
    proposal = {"type": "verdict_proposed", "seq": 1, "by": by, "evidence": 0}
    approval = {"type": "verdict_approved", "seq": 2, "by": by | {"principal": "x"}, "proposal": 1}
    attached = {"type": "evidence_attached", "seq": 0}
    assert assert_four_eyes([attached, proposal, approval]) == 1
    for spoilt in (
        [attached, proposal, approval | {"by": by}],
        [attached, proposal, approval | {"by": {"principal": "x", "player": PLAYERS[0]}}],
        [attached, proposal | {"evidence": 5}, approval],
    ):
        with pytest.raises(AssertionError):
            assert_four_eyes(spoilt)


def test_courses_reach_verdicts_and_appeals(table: Table) -> None:
    """One course that gets through, so that the property above is not about nothing."""
    row = table.decided(table[ALICE].open(CaseOpening(GAME, "x"), None), (CLERK, AUDITOR))
    row = table[ALICE].appeal(CaseCall(row.case, row.next_seq), "x")
    row = table.decided(row, (ADMIN, Viewer("clerk-9", frozenset({Role.CLERK}), None, "k")))
    assert row.state == "closed"
    assert assert_four_eyes(_documents(table, row.case)) == 2
