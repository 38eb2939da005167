"""The conventions of the GraphQL API, held over the whole schema: pages, unions, ids, numbers, cursors."""

from __future__ import annotations

import io
import json
import random
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLUnionType,
    build_schema,
    get_named_type,
)

from schema.graphql import sdl
from schema.graphql.nodes import KINDS
from schema.paipu import read
from schema.ports import PUBLIC, Role, Viewer
from service.embedded import Server
from service.store import Store
from service.usecases.append import Intake
from service.usecases.folds import Folds
from service.usecases.ingest import ingest
from tests.api.clients import AUDITOR, Client, app_for
from tests.api.conftest import Ask
from tests.databases import cloned
from tests.usecases.games import Document, game, id_of, lines, with_violation

SCHEMA = build_schema(sdl())
OWN = {name: kind for name, kind in SCHEMA.type_map.items() if not name.startswith("__")}
OBJECTS = {name: kind for name, kind in OWN.items() if isinstance(kind, GraphQLObjectType)}
PAGING = {"first": "Int", "after": "String", "last": "Int", "before": "String"}


def members(field: GraphQLField) -> list[GraphQLObjectType]:
    kind = get_named_type(field.type)
    return list(kind.types) if isinstance(kind, GraphQLUnionType) else []


def is_problem(kind: GraphQLObjectType) -> bool:
    return any(one.name == "Problem" for one in kind.interfaces)


def connections() -> list[tuple[str, GraphQLField]]:
    """Every field that gives pages, wherever it stands."""
    found = [
        (f"{name}.{word}", field)
        for name, kind in OBJECTS.items()
        for word, field in kind.fields.items()
        if any(one.name.endswith("Connection") for one in members(field))
    ]
    assert len(found) > 8
    return found


# -- The schema --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "field"), connections(), ids=[name for name, _ in connections()])
def test_every_connection_takes_the_same_arguments_and_can_refuse_them(name: str, field: GraphQLField) -> None:
    assert {word: str(field.args[word].type) for word in PAGING} == PAGING
    assert {"BadCursor", "BadArgument"} <= {kind.name for kind in members(field)}


def test_whoever_takes_paging_arguments_is_a_connection() -> None:
    paged = {
        f"{name}.{word}"
        for name, kind in OBJECTS.items()
        for word, field in kind.fields.items()
        if {"after", "before"} <= set(field.args)
    }
    assert paged == {name for name, _ in connections()}


def test_nothing_counts_from_the_beginning() -> None:
    """Pages are found by their place: nowhere is there an offset, a page's number, or a total to be counted."""
    for name, kind in OBJECTS.items():
        for word, field in kind.fields.items():
            assert not {"offset", "skip", "page"} & set(field.args), f"{name}.{word}"
            assert not (name.endswith("Connection") and word == "totalCount"), name


def test_every_mutation_says_what_can_be_expected_to_go_wrong() -> None:
    assert SCHEMA.mutation_type is not None
    for name, field in SCHEMA.mutation_type.fields.items():
        kinds = members(field)
        assert any(map(is_problem, kinds)), name
        assert not all(map(is_problem, kinds)), name


def test_enumerations_are_upper_case_codes() -> None:
    for name, kind in OWN.items():
        if isinstance(kind, GraphQLEnumType):
            for word in kind.values:
                assert word.replace("_", "").isalnum(), f"{name}.{word}"
                assert word == word.upper(), f"{name}.{word}"


def test_there_is_no_number_with_a_fraction() -> None:
    for name, kind in OWN.items():
        if isinstance(kind, GraphQLObjectType | GraphQLInterfaceType):
            for word, field in kind.fields.items():
                kinds = [field.type, *(argument.type for argument in field.args.values())]
                assert "Float" not in {get_named_type(one).name for one in kinds}, f"{name}.{word}"
        if isinstance(kind, GraphQLInputObjectType):
            for word, member in kind.fields.items():
                assert get_named_type(member.type).name != "Float", f"{name}.{word}"


def test_everything_is_described() -> None:
    for name, kind in OWN.items():
        if isinstance(kind, GraphQLObjectType) and name not in {"PageInfo"} and not name.endswith("Connection"):
            assert kind.description, name
    assert SCHEMA.query_type is not None
    assert SCHEMA.mutation_type is not None
    for root in (SCHEMA.query_type, SCHEMA.mutation_type):
        for word, field in root.fields.items():
            assert field.description, word


def test_every_kind_of_node_can_be_found_again() -> None:
    node = SCHEMA.type_map["Node"]
    assert isinstance(node, GraphQLInterfaceType)
    assert {kind.name for kind in SCHEMA.get_implementations(node).objects} == set(KINDS)
    for name, kind in OBJECTS.items():
        if "id" in kind.fields and str(kind.fields["id"].type) == "ID!":
            assert node in kind.interfaces, f"{name} has an id that node does not take"


# -- Ids ---------------------------------------------------------------------------------------------------------------

NODE = "query($id: ID!) { node(id: $id) { __typename id } }"
IDS = """
query($game: String!, $player: String!) {
  game(id: $game) { ... on Game { id } }
  hand(game: $game, number: 1) { ... on Hand { id } }
  events(game: $game, first: 1) { ... on EventConnection { edges { node { id } } } }
  player(id: $player) { ... on Player { id } }
}
"""


def test_ids_are_good_for_those_who_may_see_what_they_name(library: Store, games: list[list[Document]]) -> None:
    documents = games[0]
    player = documents[0]["seats"][0]["player"]
    data = Client(app_for(library, AUDITOR)).ask(IDS, game=id_of(documents), player=player)
    ids = {
        "Game": data["game"]["id"],
        "Hand": data["hand"]["id"],
        "Event": data["events"]["edges"][0]["node"]["id"],
        "Player": data["player"]["id"],
    }
    assert len(set(ids.values())) == len(ids)
    for kind, id in ids.items():
        assert Client(app_for(library, AUDITOR)).ask(NODE, id=id)["node"] == {"__typename": kind, "id": id}
        for viewer in (PUBLIC, Viewer("somebody", frozenset({Role.PLAYER}), "x", "k")):
            assert Client(app_for(library, viewer)).ask(NODE, id=id)["node"] is None


# -- Cursors -----------------------------------------------------------------------------------------------------------

#: Connections that have rows in ``library``, each as its field with its arguments, and where the page is in the answer.
FIELDS = {
    "games": "games(first: 1, after: $after)",
    "games of a rule set": 'games(first: 1, after: $after, filter: {ruleset: "xiamen"})',
    "games with a finding": "games(first: 1, after: $after, filter: {severity: VIOLATION})",
    "games since": 'games(first: 1, after: $after, filter: {openedFrom: "2020-01-01T00:00:00Z"})',
    "hands": "hands(first: 1, after: $after)",
    "hands won": "hands(first: 1, after: $after, filter: {minSwing: 1})",
    "events": 'events(game: "GAME", first: 1, after: $after)',
    "findings": "findings(first: 1, after: $after)",
    "grave findings": "findings(first: 1, after: $after, severity: VIOLATION)",
    "players": "players(first: 1, after: $after)",
    "players by id": 'players(first: 1, after: $after, idPrefix: "")',
}


def cursor_of(ask: Ask, games: list[list[Document]], name: str, after: str | None = None) -> Any:
    """The first cursor of a page, or the error's code."""
    field = FIELDS[name].replace("GAME", id_of(games[0]))
    kind = members(SCHEMA.query_type.fields[field.split("(")[0]])[0].name  # type: ignore[union-attr]
    selection = f"{{ ... on {kind} {{ edges {{ cursor }} }} ... on Problem {{ code }} }}"
    query = f"query($after: String) {{ page: {field} {selection} }}"
    found = ask(query, after=after)["page"]
    return found["edges"][0]["cursor"] if found.get("edges") else found.get("code")


def test_a_cursor_is_good_for_its_own_connection_alone(ask: Ask, games: list[list[Document]]) -> None:
    cursors = {name: cursor_of(ask, games, name) for name in FIELDS}
    assert len(set(cursors.values())) == len(FIELDS)
    for one, other in permutations(FIELDS, 2):
        assert cursor_of(ask, games, other, cursors[one]) == "BAD_CURSOR", (one, other)
    for name, cursor in cursors.items():
        assert cursor_of(ask, games, name, cursor) != "BAD_CURSOR"


def test_a_cursor_holds_no_more_than_its_place(ask: Ask, games: list[list[Document]]) -> None:
    """A name, a mark of the arguments, and what the row itself shows: nothing to be signed, nothing to be kept."""
    found = ask(
        """{ games(first: 3) { ... on GameConnection { edges { cursor node { game openedAt } } } }
        hands(first: 3) { ... on HandConnection { edges { cursor node { game number } } } }
        players(first: 3) { ... on PlayerConnection { edges { cursor node { player } } } } }"""
    )
    for name, page in found.items():
        for edge in page["edges"]:
            connection, mark, *place = json.loads(urlsafe_b64decode(edge["cursor"] + "=="))
            assert (connection, len(mark)) == (name, 16)
            shown = list(edge["node"].values())
            assert all(part in shown for part in place if not _is_time(part))


def _is_time(part: Any) -> bool:
    return isinstance(part, str) and part.endswith("+00:00")


# -- Pages -------------------------------------------------------------------------------------------------------------


def copies(count: int) -> Iterator[list[Document]]:
    """Games that share some of their players."""
    for number in range(count):
        documents = with_violation(game(number % 4, hands=2))[0] if number % 3 == 1 else game(number % 4, hands=2)
        seats = [{"player": f"p{(number * seat) % 7}"} for seat in range(1, 5)]
        yield [{**documents[0], "game": f"c-{number:02}", "seats": seats}, *documents[1:]]


@pytest.fixture(scope="module")
def paged(postgres: Server, migrated_template: str) -> Iterator[Store]:
    with (
        cloned(postgres, migrated_template) as made,
        Store.connect(made.application_url, unsafe_allowed=True) as store,
    ):
        list(ingest(store, read(io.BytesIO(lines(*copies(24))), source="log"), "log"))
        yield store


#: A page's field with its own arguments, its node's fields, and the way from the answer to it.
PAGES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "games": ("games(PAGING)", "game", ()),
    "games of a player": ('games(PAGING, filter: {player: "p3"})', "game", ()),
    "games with a verdict": ("games(PAGING, filter: {verdict: VIOLATIONS})", "game", ()),
    "hands": ("hands(PAGING)", "game number", ()),
    "hands of a swing": ("hands(PAGING, filter: {minSwing: 20})", "game number", ()),
    "events": ('events(game: "c-03", PAGING)', "seq", ()),
    "findings": ("findings(PAGING)", "game finding { seq clause }", ()),
    "players": ("players(PAGING)", "player", ()),
    "hands of a game": ('game(id: "c-02") { ... on Game { hands(PAGING)', "number", ("hands",)),
    "games of a player's page": ('player(id: "p4") { ... on Player { games(PAGING)', "game", ("games",)),
}


def reader(store: Store, name: str) -> Callable[..., tuple[list[tuple[str, str]], bool, bool]]:
    """Reads one page of a connection: cursors with their nodes, and whether there are others on either side."""
    field, node, way = PAGES[name]
    paging = "first: $first, last: $last, after: $after, before: $before"
    kind = {"games": "Game", "hands": "Hand", "events": "Event", "findings": "FoundFinding", "players": "Player"}
    wanted = f"... on {kind[(*way, field.split('(')[0])[0]]}Connection"
    selection = f"{{ {wanted} {{ edges {{ cursor node {{ {node} }} }} pageInfo {{ hasNextPage hasPreviousPage }} }} }}"
    closing = "} }" if way else ""
    query = "query($first: Int, $last: Int, $after: String, $before: String) "
    query += f"{{ page: {field.replace('PAGING', paging)} {selection} {closing} }}"
    client = Client(app_for(store, AUDITOR))

    def one_page(**arguments: Any) -> tuple[list[tuple[str, str]], bool, bool]:
        found = client.ask(query, **arguments)["page"]
        for step in way:
            found = found[step]
        rows = [(edge["cursor"], json.dumps(edge["node"])) for edge in found["edges"]]
        return rows, found["pageInfo"]["hasPreviousPage"], found["pageInfo"]["hasNextPage"]

    return one_page


@pytest.mark.parametrize("name", PAGES)
def test_pages_forwards_and_backwards_are_the_same_list(paged: Store, name: str) -> None:
    page, chance = reader(paged, name), random.Random(name)
    forwards: list[tuple[str, str]] = []
    more = True
    while more and len(forwards) < 60:
        rows, _, more = page(first=chance.randint(1, 9), after=forwards[-1][0] if forwards else None)
        forwards += rows
    assert len(forwards) > 1
    assert len(set(forwards)) == len(forwards), "nothing comes twice"
    beyond = page(first=1, after=forwards[-1][0])[0]  # the walk may have stopped before the end
    before, more = beyond[0][0] if beyond else None, True
    backwards: list[tuple[str, str]] = []
    while more:
        rows, more, _ = page(last=chance.randint(1, 9), before=backwards[0][0] if backwards else before)
        backwards = rows + backwards
    assert backwards == forwards
    for _ in range(6):
        low, high = sorted(chance.sample(range(len(forwards)), 2))
        count = chance.randint(1, 9)
        between = forwards[low + 1 : high]
        bounds = {"after": forwards[low][0], "before": forwards[high][0]}
        assert page(first=count, **bounds)[0] == between[:count]
        assert page(last=count, **bounds)[0] == between[-count:]


def test_rows_that_come_in_between_pages_move_nothing(store: Store) -> None:
    """Whatever was there at the first page comes once and in its order, however the list grows meanwhile."""
    first = game(0)[0]
    intake, chance = Intake(store, Folds(store)), random.Random(5)

    def opened(name: str) -> None:
        intake.open_game({**first, "game": name, "seats": [{"player": f"{name}-{seat}"} for seat in range(4)]})

    for number in range(20):
        opened(f"{chance.randrange(10**6):06}-{number}")
    for name in ("games", "players"):
        page = reader(store, name)
        known = [node for _, node in page(first=100)[0]]
        found: list[tuple[str, str]] = []
        more = True
        while more:
            rows, _, more = page(first=chance.randint(1, 7), after=found[-1][0] if found else None)
            found += rows
            opened(f"{chance.randrange(10**6):06}-{name}-{len(found)}")
        assert [node for _, node in found if node in known] == known
