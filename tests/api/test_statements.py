"""How many statements a query costs: as many for a hundred rows as for one, for every connection and what hangs on it.

The queries are made from the schema: every field of every object that a connection gives is asked for, so a new field
that reads row by row is found without being named here.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pytest
from graphql import (
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLUnionType,
    build_schema,
    get_named_type,
    is_leaf_type,
    is_required_argument,
)

from schema.graphql import sdl
from schema.graphql.limits import Limits
from schema.graphql.operations import Operations
from schema.paipu import read
from schema.ports import PUBLIC, Role, Viewer
from service.api import create_app
from service.api.graphql import Policy
from service.api.limits import RequestLimits
from service.embedded import Server
from service.store import Store
from service.store.owners import publish
from service.usecases.ingest import ingest
from tests.api.clients import AUDITOR, SERVER, Client
from tests.api.statements import listening
from tests.databases import cloned
from tests.usecases.games import Document, game, id_of, lines, with_violation

SCHEMA = build_schema(sdl())
COUNTS = (1, 10, 100)
#: How deep objects within objects are asked for, and how many rows of a connection within a connection.
_DEPTH = 4
_INNER = 2
_LIMITS = Limits(depth=30, tokens=20_000, cost=10**7)  #: everything at once costs more than one operation may
_WIDE = RequestLimits(Policy(Operations(_LIMITS)), key_rate=10**9, public_rate=10**9)


def copies(count: int) -> list[list[Document]]:
    """One game many times over, each with a finding, and with other players at three of its seats."""
    documents = with_violation(game(1))[0]
    made = []
    for number in range(count):
        seats = [{"player": f"p{number:03}-{seat}", "name": f"n{seat}"} for seat in range(3)]
        seats.append({"player": "everywhere", "name": f"e{number}"})
        made.append([{**documents[0], "game": f"copy-{number:03}", "seats": seats}, *documents[1:]])
    return made


GAMES = copies(101)
PLAYER = Viewer("person-1", frozenset({Role.PLAYER}), "everywhere", "key-3")
#: Arguments that a field needs, by name.
ARGUMENTS = {"game": id_of(GAMES[0]), "id": id_of(GAMES[0])}


@pytest.fixture(scope="module")
def full(postgres: Server, migrated_template: str) -> Iterator[Store]:
    with (
        cloned(postgres, migrated_template) as made,
        Store.connect(made.application_url, unsafe_allowed=True) as store,
    ):
        list(ingest(store, read(io.BytesIO(lines(*GAMES)), source="log"), "log"))
        for one in GAMES:
            publish(store, id_of(one), "admin-1")
        yield store


def connections() -> list[str]:
    """The fields of Query that give a connection."""
    assert SCHEMA.query_type is not None
    return sorted(name for name, field in SCHEMA.query_type.fields.items() if _connection(field) is not None)


def _connection(field: GraphQLField) -> GraphQLObjectType | None:
    kind = get_named_type(field.type)
    if not isinstance(kind, GraphQLUnionType):
        return None
    return next((one for one in kind.types if one.name.endswith("Connection")), None)


def query_of(name: str) -> str:
    """A query for everything that a connection gives, as many rows as ``$n`` says."""
    assert SCHEMA.query_type is not None
    field = SCHEMA.query_type.fields[name]
    return f"query($n: Int!) {{ {_asked(name, field, '$n', _DEPTH)} }}"


def _asked(name: str, field: GraphQLField, rows: str, depth: int) -> str | None:
    arguments = {one: ARGUMENTS[one] for one, kind in field.args.items() if is_required_argument(kind)}
    words = [f'{one}: "{value}"' for one, value in arguments.items()]
    words += [f"first: {rows}"] if "first" in field.args else []
    selection = _selection(get_named_type(field.type), depth)
    if selection is None:
        return None
    return f"{name}{'(' + ', '.join(words) + ')' if words else ''} {selection}"


def _selection(kind: Any, depth: int) -> str | None:
    """All fields of a type; ``None`` where there is nothing to ask for any more."""
    if is_leaf_type(kind):
        return ""
    if isinstance(kind, GraphQLUnionType):
        parts = [(one.name, _selection(one, depth)) for one in kind.types if not _is_problem(one)]
        return "{ __typename " + " ".join(f"... on {name} {text}" for name, text in parts if text) + " }"
    assert isinstance(kind, GraphQLObjectType | GraphQLInterfaceType)
    is_wrapper = kind.name.endswith(("Connection", "Edge", "PageInfo"))
    left = depth if is_wrapper else depth - 1
    if left < 0:
        return None
    asked = (_asked(name, field, str(_INNER), left) for name, field in kind.fields.items())
    return "{ " + " ".join(text for text in asked if text) + " }"


def _is_problem(kind: GraphQLObjectType) -> bool:
    return any(one.name == "Problem" for one in kind.interfaces)


def cost(store: Store, viewer: Viewer, name: str, count: int) -> tuple[int, int]:
    """How many statements the query costs, and how many rows it gives."""
    app = create_app(store, authenticate=lambda connection: viewer, limits=_WIDE)
    client, query = Client(app), query_of(name)
    client.query(query, n=COUNTS[-1])  # what is kept in memory of the games is read now
    with listening(store) as sent:
        body = client.query(query, n=count)
    assert "errors" not in body or _is_refused(body), body["errors"]
    page = (body["data"] or {}).get(name) or {}
    return len(sent), len(page.get("edges", ()))


def _is_refused(body: dict[str, Any]) -> bool:
    codes = {error.get("extensions", {}).get("code") for error in body["errors"]}
    return codes <= {"FORBIDDEN", "UNAUTHENTICATED"}


@pytest.mark.parametrize("viewer", [AUDITOR, PLAYER, SERVER, PUBLIC], ids=["auditor", "player", "server", "public"])
@pytest.mark.parametrize("name", connections())
def test_a_hundred_rows_cost_as_many_statements_as_one(full: Store, name: str, viewer: Viewer) -> None:
    costs = {count: cost(full, viewer, name, count) for count in COUNTS}
    if name in {"games", "players", "findings", "hands", "events"}:
        assert [rows for _, rows in costs.values()] == list(COUNTS), "else the counts would say nothing"
    assert len({statements for statements, _ in costs.values()}) == 1, costs


def test_the_queries_ask_for_everything() -> None:
    """The generator is not blind: what hangs on a game, and on a player, is in the queries."""
    games, players = query_of("games"), query_of("players")
    for word in ("audit ", "audits ", "verdictChanges ", "hands(first: 2)", "seats ", "name", "findings ", "items "):
        assert word in games, word
    for word in ("record ", "names", "games(first: 2)", "wins "):
        assert word in players, word
