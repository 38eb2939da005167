"""The export of a case: computed anew here with hashlib alone, and by the program's own check; and spoilt."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable
from copy import deepcopy
from hashlib import sha256
from typing import Any

import pytest

from service.disputes.export import verify_export
from service.store import Store
from service.store import cases as rows
from tests.api.clients import Client, app_for
from tests.disputes.people import (
    ADMIN,
    ALICE,
    AUDITOR,
    BOB,
    CLERK,
    PUBLIC,
    Table,
    call,
    filled,
)
from tests.disputes.test_course import reaudited

Document = dict[str, Any]


@pytest.fixture
def disputed(store: Store) -> tuple[Table, str]:
    """A case that went through everything."""
    table = Table(filled(store))
    row = table.opened()
    row = table[CLERK].state(call(row), "a note", is_internal=True)
    row = table.proposed(row)
    reaudited(table)
    row = table[AUDITOR].refresh(call(row))
    row = table[ALICE].appeal(call(table.decided(row)), "no")
    return table, table.decided(row, (ADMIN, AUDITOR)).case


def exported(table: Table, case: str, viewer: Any = AUDITOR) -> Document:
    """As it comes over the wire."""
    made: Document = json.loads(json.dumps(table[viewer].export(case)))
    return made


def chain(document: Document) -> str:
    """The head, from nothing but the document: ``fairness.md`` ("Evidence")."""
    head = bytes(32)
    for entry in document["events"]:
        if "full" in entry:
            body = b64decode(entry["full"])
            rest = sha256(bytes.fromhex(entry["salt"]) + body).digest()
            public = public_form(json.loads(body))
        else:
            rest, public = bytes.fromhex(entry["rest"]), json.loads(b64decode(entry["public"]))
        text = json.dumps(public, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        leaf = sha256(b"\0" + sha256(text).digest() + rest).digest()
        head = sha256(b"\2" + head + leaf).digest()
    return head.hex()


def public_form(event: Document) -> Document:
    """What the player of a case may know of an event, as ``docs/disputes.md`` has it."""
    if event["type"] in ("assigned", "noted", "verdict_proposed", "verdict_rejected", "approval_voided"):
        return {"case": event["case"], "seq": event["seq"], "type": "internal"}
    hidden = {"bundle", "report"} | ({"proposal"} if event["type"] == "verdict_approved" else set())
    shown = {name: value for name, value in event.items() if name not in hidden}
    if event["by"]["role"] != "player":
        shown["by"] = {"role": event["by"]["role"]}
    return shown


def test_whole(disputed: tuple[Table, str]) -> None:
    table, case = disputed
    document = exported(table, case)
    stored = rows.events_of(table.store, [case])[case]
    assert chain(document) == document["head"] == stored[-1].head.hex()
    assert [b64decode(entry["full"]) for entry in document["events"]] == [bytes(one.body) for one in stored]
    for one in document["evidence"]:
        assert sha256(b64decode(one["content"])).hexdigest() == one["digest"]
    named = {
        event[member]
        for event in (json.loads(one.body) for one in stored)
        if event["type"] == "evidence_attached"
        for member in ("bundle", "report")
    }
    assert {one["digest"] for one in document["evidence"]} == named
    assert {one["text"] for one in document["texts"]} == {
        "I was paid too little",
        "a note",
        "the payment was one point off",
        "no",
    }
    done = verify_export(document)
    assert (done.problems, done.head, len(done.events)) == ((), document["head"], len(stored))
    assert all(one.startswith("evidence ") for one in done.withheld)  # what only the player's seat may see


def test_as_its_player_has_it(disputed: tuple[Table, str]) -> None:
    table, case = disputed
    document, whole = exported(table, case, ALICE), exported(table, case)
    assert chain(document) == document["head"] == whole["head"]
    done = verify_export(document)
    assert done.problems == ()
    said = json.dumps(document) + "".join(
        b64decode(entry.get("public") or entry["full"]).decode() for entry in document["events"]
    )
    for secret in ("a note", "clerk-1", "clerk-2", "auditor-1", "admin-1", "assigned", "verdict_proposed"):
        assert secret not in said
    assert [one["text"] for one in document["texts"]] == [
        "I was paid too little",
        "the payment was one point off",
        "no",
        "the payment was one point off",
    ]
    assert {one["kind"] for one in document["evidence"]} == {"bundle"}
    own = {one["digest"] for one in document["evidence"]}
    assert own.isdisjoint(one["digest"] for one in whole["evidence"])
    shown = [json.loads(b64decode(entry["public"])) for entry in document["events"] if "public" in entry]
    assert [one["type"] for one in shown].count("internal") == 8


def test_forgotten_texts_are_withheld_and_nothing_breaks(disputed: tuple[Table, str]) -> None:
    table, case = disputed
    head = exported(table, case)["head"]
    rows.erase_texts(table.store, case)
    for viewer in (ALICE, AUDITOR):
        document = exported(table, case, viewer)
        assert (document["texts"], document["head"], chain(document)) == ([], head, head)
        done = verify_export(document)
        assert done.problems == ()
        assert "text of event 0" in done.withheld


def _bit(text: str) -> str:
    raw = bytearray(b64decode(text))
    raw[len(raw) // 2] ^= 1
    return b64encode(raw).decode()


def _hex(text: str) -> str:
    return ("0" if text[0] != "0" else "1") + text[1:]


def _of(document: Document, at: int, member: str, change: Callable[[str], str]) -> None:
    document["events"][at][member] = change(document["events"][at][member])


SPOILT: dict[str, Callable[[Document], object]] = {
    "head": lambda document: document.update(head=_hex(document["head"])),
    "case": lambda document: document.update(case="other"),
    "event gone": lambda document: document["events"].pop(3),
    "last event gone": lambda document: document["events"].pop(),
    "event twice": lambda document: document["events"].append(document["events"][-1]),
    "events exchanged": lambda document: document["events"].reverse(),
    "salt": lambda document: _of(document, 2, "salt", _hex),
    "text": lambda document: document["texts"][0].update(text="x"),
    "text's salt": lambda document: document["texts"][0].update(salt=_hex(document["texts"][0]["salt"])),
    "text's place": lambda document: document["texts"][0].update(seq=99),
    "evidence": lambda document: document["evidence"][0].update(content=_bit(document["evidence"][0]["content"])),
    "evidence's digest": lambda document: document["evidence"][0].update(
        digest=_hex(document["evidence"][0]["digest"])
    ),
    "evidence of another case": lambda document: document["evidence"].append(
        {"digest": sha256(b"{}").hexdigest(), "kind": "report", "content": b64encode(b"{}").decode()}
    ),
}


@pytest.mark.parametrize("name", SPOILT)
def test_spoilt(disputed: tuple[Table, str], name: str) -> None:
    document = exported(*disputed)
    SPOILT[name](document)
    assert verify_export(document).problems != ()


def test_every_event_with_one_bit_changed(disputed: tuple[Table, str]) -> None:
    for viewer, member in ((AUDITOR, "full"), (ALICE, "rest")):
        document = exported(*disputed, viewer)
        for at, entry in enumerate(document["events"]):
            if member in entry:
                changed = deepcopy(document)
                _of(changed, at, member, _bit if member == "full" else _hex)
                assert verify_export(changed).problems != (), (viewer, at)


@pytest.mark.parametrize("document", [{}, {"format": "mingpai-case/1"}, {"format": "mingpai-case/2", "events": []}])
def test_other_documents(document: Document) -> None:
    with pytest.raises(ValueError, match="mingpai-case/1"):
        verify_export(document)


def test_over_http(disputed: tuple[Table, str]) -> None:
    table, case = disputed
    for viewer in (AUDITOR, ALICE):
        answer = Client(app_for(table.store, viewer)).request("GET", f"/cases/{case}/export")
        assert (answer.status_code, answer.json()) == (200, exported(table, case, viewer))
        assert answer.headers["cache-control"] == "no-store"
    answers = [
        Client(app_for(table.store, viewer)).request("GET", f"/cases/{name}/export")
        for viewer, name in ((BOB, case), (PUBLIC, case), (BOB, "nobody"), (AUDITOR, "nobody"), (AUDITOR, "%00"))
    ]
    error = {"message": "There is no such case.", "extensions": {"code": "CASE_NOT_FOUND"}}
    assert [(one.status_code, one.json()) for one in answers] == [(404, {"errors": [error]})] * len(answers)
