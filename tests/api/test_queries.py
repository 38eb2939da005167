"""Every query, through the real application: answers are those of the engine and of the log that came in."""

from __future__ import annotations

from typing import Any

import pytest

from replays.audit import audit
from replays.reducer import apply, start
from replays.referee import offers
from replays.table import Table
from replays.view import picture
from schema.catalogue import message
from schema.paipu import act_document, load
from schema.report import report_document
from service.evidence.leaves import stored_form
from service.store import Store
from tests.api.conftest import Ask
from tests.usecases.games import NAMES, Document, id_of

GAME = """
query($id: String!) { game(id: $id) {
  __typename
  ... on Game {
    id game eventsCount head status verdict startedAt openedAt closedAt sealedAt
    ruleset { id version options digest } seats { seat player name }
    audit { verdict engine }
  }
  ... on Problem { code message }
} }
"""


def table_at(documents: list[Document], seq: int) -> Table:
    table = start(load(documents[0]))  # type: ignore[arg-type]
    for one in documents[1 : seq + 1]:
        table = apply(table, load(one))
    return table


def test_game(ask: Ask, library: Store, games: list[list[Document]]) -> None:
    documents = games[0]
    found = ask(GAME, id=id_of(documents))["game"]
    row = library.game(id_of(documents))
    assert found["__typename"] == "Game"
    assert (found["game"], found["eventsCount"], found["head"]) == (row.game, len(documents), row.head.hex())
    assert (found["status"], found["verdict"]) == ("FINISHED", "CLEAN")
    assert found["startedAt"] == documents[0]["at"]
    assert found["closedAt"] is not None
    assert found["sealedAt"] is not None
    assert found["sealedAt"] >= found["closedAt"]
    assert found["ruleset"] == {**documents[0]["ruleset"], "options": {}, "digest": row.ruleset_digest.hex()}
    assert [seat["name"] for seat in found["seats"]] == list(NAMES)
    assert [seat["player"] for seat in found["seats"]] == [seat["player"] for seat in documents[0]["seats"]]
    assert found["audit"]["verdict"] == "CLEAN"


def test_an_erased_name_is_null(own_ask: Ask, own_library: Store, games: list[list[Document]]) -> None:
    own_library.erase_name(id_of(games[0]), 2)
    assert [seat["name"] for seat in own_ask(GAME, id=id_of(games[0]))["game"]["seats"]][2] is None


EVENTS = """
query($game: String!, $first: Int!, $after: String) { events(game: $game, first: $first, after: $after) {
  __typename
  ... on EventConnection {
    edges { cursor node { id seq type at hand seat body leaf head recordedAt } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
  ... on Problem { code message }
} }
"""


def test_events(ask: Ask, library: Store, games: list[list[Document]]) -> None:
    documents, after, found = games[0], None, []
    while True:
        page = ask(EVENTS, game=id_of(documents), first=100, after=after)["events"]
        found += [edge["node"] for edge in page["edges"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    stored = list(library.events(id_of(documents)))
    assert [node["body"] for node in found] == [stored_form(one) for one in documents]
    assert [node["type"].lower() for node in found] == [one["type"] for one in documents]
    for member in ("at", "hand", "seat"):
        assert [node[member] for node in found] == [one.get(member) for one in documents]
    assert [(node["leaf"], node["head"]) for node in found] == [(one.leaf.hex(), one.head.hex()) for one in stored]
    assert [node["recordedAt"] for node in found] == [one.time for one in stored]


STATE = """
query($game: String!, $seq: Int!, $seat: Int) { stateAt(game: $game, seq: $seq, asSeat: $seat) {
  __typename
  ... on State { game seq asSeat table stateHash }
  ... on Problem { code message }
  ... on SeqOutOfRange { lastSeq }
  ... on SeatOutOfRange { seats }
} }
"""


@pytest.mark.parametrize("seq", [0, 1, 40, 100, -1])
def test_state_at(ask: Ask, games: list[list[Document]], seq: int) -> None:
    documents = games[0]
    seq %= len(documents)
    table = table_at(documents, seq)
    found = ask(STATE, game=id_of(documents), seq=seq)["stateAt"]
    assert found["table"] == picture(table)
    assert (found["seq"], found["asSeat"], found["stateHash"]) == (seq, None, table.state_hash())
    for seat in range(4):
        seen = ask(STATE, game=id_of(documents), seq=seq, seat=seat)["stateAt"]
        assert seen["table"] == picture(table, seat)
        assert (seen["asSeat"], seen["stateHash"]) == (seat, None)


LEGAL = """
query($game: String!, $seq: Int!) { legalActs(game: $game, seq: $seq) {
  __typename
  ... on LegalActs { seq seats { seat acts { act tile with kind win from } } }
  ... on Problem { code message }
  ... on SeqOutOfRange { lastSeq }
} }
"""


def test_legal_acts(ask: Ask, games: list[list[Document]]) -> None:
    documents = games[0]
    some = 0
    for seq in range(30, 120, 3):
        found = ask(LEGAL, game=id_of(documents), seq=seq)["legalActs"]
        expected = [[act_document(act) for act in acts] for acts in offers(table_at(documents, seq))]
        assert [[_document(act) for act in seat["acts"]] for seat in found["seats"]] == expected
        some += sum(map(len, expected))
    assert some > 100


def _document(act: dict[str, Any]) -> dict[str, Any]:
    """An act of an answer as the log writes it."""
    plain = {member: value for member, value in act.items() if value not in (None, [])}
    return plain | {"act": act["act"].lower()}


AUDIT = """
query($game: String!, $lang: Lang!) { audit(game: $game) {
  __typename
  ... on Audit {
    game engine uptoSeq auditedAt verdict rulesetDigest scores unproven
    fairness { level handsProven hands }
    findings { seq hand seat clause code severity expected recorded also message(lang: $lang) }
    hands {
      number dealer streak winner win clause factor water deltas stateHash items { seat code value tile }
    }
  }
  ... on Problem { code message }
} }
"""


@pytest.mark.parametrize("lang", ["EN", "ZH_HANS", "ZH_HANT"])
@pytest.mark.parametrize("index", [0, 1])
def test_audit(ask: Ask, games: list[list[Document]], index: int, lang: str) -> None:
    documents = games[index]
    report = audit(load(one) for one in documents)
    expected = report_document(report, "en")
    found = ask(AUDIT, game=id_of(documents), lang=lang)["audit"]
    assert found["verdict"].lower() == expected["verdict"]
    assert found["uptoSeq"] == len(documents) - 1
    for member, name in (("scores",) * 2, ("unproven",) * 2, ("rulesetDigest", "ruleset_digest"), ("engine",) * 2):
        assert found[member] == expected[name]
    assert list(found["fairness"].values()) == list(expected["fairness"].values())
    words = {"EN": "en", "ZH_HANS": "zh-Hans", "ZH_HANT": "zh-Hant"}[lang]
    assert [one["message"] for one in found["findings"]] == [message(one, words) for one in report.findings]
    assert len(found["findings"]) == index
    for one, known in zip(found["findings"], expected["findings"], strict=True):
        assert one["severity"].lower() == known["severity"]
        for member in ("seq", "hand", "seat", "clause", "code", "expected", "recorded"):
            assert one[member] == known[member]
    for hand, known in zip(found["hands"], expected["hands"], strict=True):
        assert (hand["number"], hand["stateHash"]) == (known["hand"], known["state_hash"])
        for member in ("dealer", "streak", "winner", "win", "clause", "factor", "water", "deltas"):
            assert hand[member] == known[member]
        assert [{**item, "tile": item.get("tile")} for item in known["items"]] == hand["items"]


HAND = """
query($game: String!, $number: Int!) { hand(game: $game, number: $number) {
  __typename ... on Hand { id number deltas winner } ... on Problem { code message }
} }
"""


def test_hand(ask: Ask, games: list[list[Document]]) -> None:
    settled = [one["deltas"] for one in games[0] if one["type"] == "settled"]
    for number, deltas in enumerate(settled, 1):
        found = ask(HAND, game=id_of(games[0]), number=number)["hand"]
        assert (found["number"], found["deltas"]) == (number, deltas)


FINDINGS = """
query($first: Int!, $after: String, $clause: String, $severity: Severity) {
  findings(first: $first, after: $after, clause: $clause, severity: $severity) {
    __typename
    ... on FoundFindingConnection { edges { node { game finding { seq clause message } } } }
    ... on Problem { code message }
} }
"""


def test_findings_of_all_games(ask: Ask, games: list[list[Document]]) -> None:
    report = audit(load(one) for one in games[1])
    (edge,) = ask(FINDINGS, first=10)["findings"]["edges"]
    assert edge["node"]["game"] == id_of(games[1])
    assert edge["node"]["finding"]["message"] == message(report.findings[0], "en")
    clause = report.findings[0].clause
    assert len(ask(FINDINGS, first=10, clause=clause, severity="VIOLATION")["findings"]["edges"]) == 1
    assert ask(FINDINGS, first=10, clause="X-NONE-1")["findings"]["edges"] == []
    assert ask(FINDINGS, first=10, severity="WARNING")["findings"]["edges"] == []


NODE = """
query($id: ID!) { node(id: $id) { __typename id ... on Game { game } ... on Event { seq } ... on Hand { number } } }
"""


def test_node_finds_everything_again(ask: Ask, games: list[list[Document]]) -> None:
    name = id_of(games[0])
    ids = [
        ask(GAME, id=name)["game"]["id"],
        ask(HAND, game=name, number=2)["hand"]["id"],
        *[edge["node"]["id"] for edge in ask(EVENTS, game=name, first=3)["events"]["edges"]],
    ]
    found = [ask(NODE, id=one)["node"] for one in ids]
    assert [node["id"] for node in found] == ids
    assert [node["__typename"] for node in found] == ["Game", "Hand", "Event", "Event", "Event"]
    assert found[0]["game"] == name
    assert found[1]["number"] == 2
    assert [node["seq"] for node in found[2:]] == [0, 1, 2]


@pytest.mark.parametrize(
    "id", ["", "x", "é", "W10", "bnVsbA", "WyJHYW1lIiwibm9ib2R5Il0", "WyJFdmVudCIsImciXQ", "A" * 5000]
)
def test_node_of_an_id_that_is_none(ask: Ask, id: str) -> None:
    assert ask(NODE, id=id)["node"] is None
