"""What is wrong with a call comes back as a type of its own; what is wrong with us, masked."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from replays.table import Table
from service.api.authentication import Authentication
from service.api.graphql import Endpoint
from service.api.parts import Parts
from service.store import Store
from service.usecases.append import Intake
from service.usecases.folds import Folds
from tests.api.clients import AUDITOR, SERVER, Client, app_for
from tests.api.conftest import GAMES, Ask
from tests.usecases.games import Document, game, id_of

#: Every field that takes a game, with its other arguments.
FIELDS = {
    "game": 'id: "{}"',
    "hand": 'game: "{}", number: 1',
    "events": 'game: "{}", first: 1',
    "stateAt": 'game: "{}", seq: 0',
    "legalActs": 'game: "{}", seq: 0',
    "audit": 'game: "{}"',
}


ERROR = "... on Problem { code message } ... on GameNotFound { game }"


@pytest.mark.parametrize("field", FIELDS)
def test_an_unknown_game(ask: Ask, field: str) -> None:
    arguments = FIELDS[field].format("nobody")
    query = f"{{ a: {field}({arguments}) {{ __typename {ERROR} }} }}"
    found = ask(query)["a"]
    assert found == {
        "__typename": "GameNotFound",
        "code": "GAME_NOT_FOUND",
        "message": "No game nobody.",
        "game": "nobody",
    }


NO_TEXT = ["a\0b", "\ud800", "a" * 100_000, "'; DROP SCHEMA mingpai; --", "%s", "é🀄"]


@pytest.mark.parametrize("name", NO_TEXT, ids=range(len(NO_TEXT)))
def test_ids_and_filters_of_any_text(ask: Ask, name: str) -> None:
    fields = "".join(f"{field}({more}) {{ __typename game }} ".replace('"{}"', "$x") for field, more in FIELDS.items())
    found = ask(f"query($x: String!) {{ {fields} }}".replace("game }", "... on GameNotFound { game } }"), x=name)
    assert {value["game"] for value in found.values()} == {name}
    assert {value["__typename"] for value in found.values()} == {"GameNotFound"}
    for member in ("ruleset", "player", "clause"):
        query = """query($filter: GamesFilter, $clause: String) {
          games(first: 1, filter: $filter) { ... on GameConnection { edges { cursor } } }
          findings(first: 1, clause: $clause) { ... on FoundFindingConnection { edges { cursor } } } }"""
        listed = ask(query, filter={member: name}, clause=name)
        assert listed == {"games": {"edges": []}, "findings": {"edges": []}}


@pytest.mark.parametrize("field", ["stateAt", "legalActs"])
@pytest.mark.parametrize("seq", [-1, 10**6, 2**31 - 1])
def test_a_step_that_there_is_not(ask: Ask, games: list[list[Document]], field: str, seq: int) -> None:
    query = f"""query($game: String!, $seq: Int!) {{ a: {field}(game: $game, seq: $seq) {{
      __typename ... on SeqOutOfRange {{ code seq lastSeq }} }} }}"""
    found = ask(query, game=id_of(games[0]), seq=seq)["a"]
    last = len(games[0]) - 1
    assert found == {"__typename": "SeqOutOfRange", "code": "SEQ_OUT_OF_RANGE", "seq": seq, "lastSeq": last}


@pytest.mark.parametrize("seat", [-1, 4, 2**31 - 1])
def test_a_seat_that_there_is_not(ask: Ask, games: list[list[Document]], seat: int) -> None:
    query = """query($game: String!, $seat: Int!) { a: stateAt(game: $game, seq: 9, asSeat: $seat) {
      __typename ... on SeatOutOfRange { code seat seats } } }"""
    found = ask(query, game=id_of(games[0]), seat=seat)["a"]
    assert found == {"__typename": "SeatOutOfRange", "code": "SEAT_OUT_OF_RANGE", "seat": seat, "seats": 4}


def test_a_hand_that_there_is_not(ask: Ask, games: list[list[Document]]) -> None:
    query = """query($game: String!) { a: hand(game: $game, number: 99) {
      __typename ... on HandNotFound { code game number } } }"""
    found = ask(query, game=id_of(games[0]))["a"]
    assert found == {"__typename": "HandNotFound", "code": "HAND_NOT_FOUND", "game": id_of(games[0]), "number": 99}


def test_a_game_without_an_audit(own_library: Store, own_ask: Ask) -> None:
    Intake(own_library, Folds(own_library)).open_game({**game()[0], "game": "live"})
    for query in ('{ a: audit(game: "live") { __typename } }', '{ a: hand(game: "live", number: 1) { __typename } }'):
        assert own_ask(query)["a"]["__typename"] == "NotAudited"
    found = own_ask('{ a: game(id: "live") { ... on Game { verdict audit { verdict } } } }')["a"]
    assert found == {"verdict": None, "audit": None}


class _BrokenFolds(Folds):
    """Folds with a fault of the program's own in them."""

    def at(self, game: str, seq: int) -> Table:
        raise RuntimeError("secret detail")


@pytest.mark.parametrize("field", ["stateAt", "legalActs"])
def test_unexpected_errors_are_masked_and_logged(library: Store, field: str, caplog: pytest.LogCaptureFixture) -> None:
    broken = replace(Parts.of(library), folds=_BrokenFolds(library))
    app = Authentication(Endpoint(broken), lambda connection: AUDITOR)
    query = f'{{ {field}(game: "{id_of(GAMES[0])}", seq: 1) {{ __typename }} }}'
    with caplog.at_level(logging.ERROR, "mingpai.graphql"):
        body = Client(app).query(query)
    assert body["data"] is None
    assert [error["message"] for error in body["errors"]] == ["Unexpected error."]
    assert "secret" not in str(body)
    (record,) = caplog.records
    assert "secret detail" in str(record.exc_info)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("{ gamez { x } }", "gamez"),
        ("{ games(first: 1", "Syntax Error"),
        ('{ games(first: "1") { __typename } }', "Int"),
        ("{ games(first: 2147483648) { __typename } }", "Int"),
        ("{ games(first: 1, filter: {verdict: GOOD}) { __typename } }", "Verdict"),
        ("subscription { games }", "subscription"),
    ],
)
def test_client_errors_say_what_is_wrong_and_are_not_logged(
    client: Client, query: str, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        answer = client.request("POST", "/graphql", json={"query": query})
    assert words in answer.text
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_a_store_that_is_gone(own_library: Store, database: object) -> None:
    import psycopg
    from psycopg import sql

    from tests.databases import Database

    assert isinstance(database, Database)
    client = Client(app_for(own_library, SERVER))
    name = psycopg.conninfo.conninfo_to_dict(database.application_url)["dbname"]
    with psycopg.connect(database.admin_url.rsplit("/", 1)[0] + "/postgres", autocommit=True) as admin:
        admin.execute(sql.SQL("ALTER DATABASE {} WITH ALLOW_CONNECTIONS false").format(sql.Identifier(str(name))))
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
        health = client.request("GET", "/healthz")
        assert (health.status_code, health.json()["status"]) == (503, "unavailable")
        body = client.query('{ game(id: "g") { __typename } }')
        assert [error["message"] for error in body["errors"]] == ["Unexpected error."]
        admin.execute(sql.SQL("ALTER DATABASE {} WITH ALLOW_CONNECTIONS true").format(sql.Identifier(str(name))))
        assert client.request("GET", "/healthz").status_code == 200
