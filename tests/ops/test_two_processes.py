"""Two servers over one database: the same answers, whichever is asked, also to what the other has just taken in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from schema.ports import Role
from service.store import Store
from tests.access.keys import bearer, key_for
from tests.api.test_mutations import APPEND, OPEN
from tests.api.test_server import serving
from tests.databases import Database
from tests.ops.load import QUERIES
from tests.usecases.games import game, id_of

DOCUMENTS = game(0, hands=2)
NAME = id_of(DOCUMENTS)

PAGE = """query($first: Int, $after: String, $last: Int, $before: String) {
  games(first: $first, after: $after, last: $last, before: $before) { __typename ... on GameConnection {
    edges { cursor node { id game } } pageInfo { endCursor hasNextPage } } } }"""


@pytest.fixture
def pair(database: Database) -> Iterator[list[httpx.Client]]:
    with ExitStack() as stack:
        bases = [stack.enter_context(serving(database))[1] for _ in range(2)]
        yield [stack.enter_context(httpx.Client(base_url=base, trust_env=False, timeout=30)) for base in bases]


def ask(http: httpx.Client, headers: dict[str, str], query: str, **variables: Any) -> Any:
    answer = http.post("/graphql", json={"query": query, "variables": variables}, headers=headers)
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert "errors" not in body, body
    return body["data"]


def test_a_game_that_is_played_through_both(pair: list[httpx.Client], store: Store) -> None:
    """Each takes every other event; after each step both give the same answers to every viewer."""
    server, auditor = bearer(key_for(store, Role.SERVER)), bearer(key_for(store, Role.AUDITOR))
    player = bearer(key_for(store, Role.PLAYER, player=DOCUMENTS[0]["seats"][1]["player"]))
    ask(pair[0], server, OPEN, event=DOCUMENTS[0])
    for first in range(1, len(DOCUMENTS), 9):
        taker = pair[first % 2]
        done = ask(taker, server, APPEND, game=NAME, seq=first, events=DOCUMENTS[first : first + 9], key=f"k{first}")
        again = ask(pair[0], server, APPEND, game=NAME, seq=first, events=DOCUMENTS[first : first + 9], key=f"k{first}")
        assert done == again
        for headers in (server, auditor, player):
            for query in QUERIES:
                answers = [ask(http, headers, query, game=NAME, seq=first) for http in pair]
                assert answers[0] == answers[1]


def test_cursors_ids_and_keys_are_good_everywhere(pair: list[httpx.Client], store: Store) -> None:
    server, auditor = bearer(key_for(store, Role.SERVER)), bearer(key_for(store, Role.AUDITOR))
    for number in range(7):
        ask(pair[number % 2], server, OPEN, event={**DOCUMENTS[0], "game": f"g-{number}"})
    found: list[str] = []
    after, turn = None, 0
    while True:
        page = ask(pair[turn % 2], auditor, PAGE, first=2, after=after)["games"]
        found += [edge["node"]["game"] for edge in page["edges"]]
        after, turn = page["pageInfo"]["endCursor"], turn + 1
        for edge in page["edges"]:
            node = ask(pair[turn % 2], auditor, "query($id: ID!) { node(id: $id) { id } }", id=edge["node"]["id"])
            assert node["node"] == {"id": edge["node"]["id"]}
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert found == [f"g-{number}" for number in reversed(range(7))]


def test_a_conflict_is_one_through_either(pair: list[httpx.Client], store: Store) -> None:
    """Two game servers' processes append the same step through two services: one is stored, the other is told."""
    server = bearer(key_for(store, Role.SERVER))
    ask(pair[0], server, OPEN, event=DOCUMENTS[0])
    first = ask(pair[0], server, APPEND, game=NAME, seq=1, events=DOCUMENTS[1:3], key="a")["appendEvents"]
    second = ask(pair[1], server, APPEND, game=NAME, seq=1, events=DOCUMENTS[1:4], key="b")["appendEvents"]
    assert (first["__typename"], second["code"], second["nextSeq"]) == ("Receipt", "SEQUENCE_CONFLICT", 3)
    assert second["storedHead"] == first["head"]
