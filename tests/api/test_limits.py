"""What one request may ask for, that what is beyond is refused before anything is done, and that nobody is told why
in more words than they may hear."""

from __future__ import annotations

from typing import Any

import pytest
from graphql import get_introspection_query

from schema.graphql import schema
from schema.graphql.cost import INTROSPECTION, MUTATION, SIZES, WEIGHTS
from schema.graphql.limits import MAX_ALIASES, MAX_COST, MAX_DEPTH, MAX_TOKENS, Limits
from schema.graphql.operations import Operations
from schema.ports import PUBLIC, Role, Viewer
from service.api import create_app
from service.api.graphql import GRAPHQL, Introspection, Policy
from service.api.limits import BODY_LIMIT, RequestLimits, limits_of
from service.settings import Settings
from service.store import Store
from tests.api.clients import AUDITOR, SERVER, Client
from tests.api.conftest import GAMES
from tests.usecases.games import id_of

DEEPEST = "{ games(first: 1) { ... on GameConnection { edges { node { audit { hands { items { seat } } } } } } } }"
PLAYER = Viewer("player-1", frozenset({Role.PLAYER}), "p", "key-3")


def limited(library: Store, viewer: Viewer = AUDITOR, policy: Policy | None = None, **others: Any) -> Client:
    """A client of the application with other limits than usual."""
    limits = RequestLimits(policy or Policy(), **others)
    return Client(create_app(library, authenticate=lambda connection: viewer, limits=limits))


def codes(body: dict[str, Any]) -> set[str]:
    """The codes of a refusal, of which nothing was done."""
    assert "data" not in body
    return {error["extensions"]["code"] for error in body["errors"]}


# -- Documents ---------------------------------------------------------------------------------------------------------


def test_depth(client: Client) -> None:
    """What the schema has is within the limit; the rule counts before it is known whether a field exists."""
    assert "errors" not in client.query(DEEPEST)
    for depth, is_over in ((MAX_DEPTH, False), (MAX_DEPTH + 1, True)):
        body = client.query("{ a " * (depth + 1) + "}" * (depth + 1))
        assert ("TOO_DEEP" in codes(body)) == is_over


def test_depth_through_fragments(client: Client) -> None:
    steps = "".join(f"fragment f{i} on Query {{ a {{ ...f{i + 1} }} }} " for i in range(MAX_DEPTH + 1))
    body = client.query(f"{{ ...f0 }} {steps} fragment f{MAX_DEPTH + 1} on Query {{ a }}")
    assert "TOO_DEEP" in codes(body)


def test_aliases(client: Client) -> None:
    aliases = " ".join(f"a{i}: __typename" for i in range(MAX_ALIASES))
    assert "errors" not in client.query("{" + aliases + "}")
    body = client.query("{" + aliases + " b: __typename }")
    assert codes(body) == {"TOO_MANY_ALIASES"}
    assert f"Allowed: {MAX_ALIASES}" in body["errors"][0]["message"]


def test_aliases_count_as_often_as_fragments_lead_to_them(client: Client) -> None:
    spreads = " ".join("... { ...f }" for _ in range(MAX_ALIASES + 1))
    assert codes(client.query(f"{{ {spreads} }} fragment f on Query {{ a: __typename }}")) == {"TOO_MANY_ALIASES"}


def test_fragments_that_lead_to_each_other_twice_are_measured_once(client: Client) -> None:
    """Measured each time, they would be measured 2^40 times."""
    last = 40
    doubled = "".join(f"fragment f{i} on Query {{ ...f{i + 1} ... {{ ...f{i + 1} }} }} " for i in range(last))
    assert "errors" not in client.query(f"{{ ...f0 }} {doubled} fragment f{last} on Query {{ __typename }}")
    body = client.query(f"{{ ...f0 }} {doubled} fragment f{last} on Query {{ a: __typename }}")
    assert codes(body) == {"TOO_MANY_ALIASES"}


def test_fragments_that_lead_to_themselves(client: Client) -> None:
    body = client.query("{ ...f } fragment f on Query { a: __typename ...g } fragment g on Query { ...f }")
    assert codes(body) == {"INVALID_DOCUMENT"}


def test_tokens(client: Client) -> None:
    assert codes(client.query("{" + "__typename " * MAX_TOKENS + "}")) == {"TOO_MANY_TOKENS"}


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("{ games(first: 1", "SYNTAX_ERROR"),
        ("{ gamez }", "INVALID_DOCUMENT"),
        ("subscription { __typename }", "BAD_OPERATION"),
        ("query A { __typename } query B { __typename }", "BAD_OPERATION"),
        ("fragment f on Query { __typename }", "INVALID_DOCUMENT"),
        ("query($n: Int!) { games(first: $n) { __typename } }", "BAD_VARIABLES"),
    ],
)
def test_what_is_refused_has_a_code_and_a_status(client: Client, query: str, code: str) -> None:
    """GraphQL over HTTP: 200 for a client that takes plain JSON, 400 for one that knows the newer type."""
    assert codes(client.query(query)) == {code}
    answer = client.request("POST", "/graphql", json={"query": query}, headers={"accept": GRAPHQL})
    assert (answer.status_code, answer.headers["content-type"]) == (400, GRAPHQL)
    assert codes(answer.json()) == {code}


def test_a_repeated_query_is_read_once(library: Store) -> None:
    operations = Operations()
    client = limited(library, policy=Policy(operations))
    for _ in range(4):
        client.query('{ game(id: "nobody") { __typename ... on Problem { code } } }')
    found = operations._kept[True].cache_info()
    assert (found.hits, found.misses) == (3, 1)
    long = "{ __typename }" + " " * 40_000
    assert operations.ask(long, {}).cost == 0
    assert operations._kept[True].cache_info().currsize == 1
    assert operations.ask("{ __typename }", {}, may_introspect=False).cost == 0
    assert operations._kept[True].cache_info().currsize == 1  # the public's are apart


# -- Cost --------------------------------------------------------------------------------------------------------------

PAGE = """query($n: Int = 5, $last: Int) { games(first: $n, last: $last) { ... on GameConnection {
  edges { cursor node { id ruleset { id } seats { player } } } pageInfo { endCursor } } ... on Problem { code } } }"""
READINGS = '{ readings(game: "g", seq: 1, seat: 0%s) { ... on Readings { readings { parts { __typename } } } } }'
#: A page of n: itself, its information, and for each of n an edge, a game, its rule set, and four seats.
COSTS: list[tuple[str, dict[str, Any], int]] = [
    ("{ __typename }", {}, 0),
    (PAGE, {}, 1 + 1 + 5 * 7),
    (PAGE, {"n": 100}, 1 + 1 + 100 * 7),
    (PAGE, {"n": 0}, 1 + 1),
    (PAGE, {"n": -7}, 1 + 1),
    (PAGE, {"n": 2**31 - 1}, 1 + 1 + 100 * 7),
    (PAGE, {"n": None, "last": 3}, 1 + 1 + 3 * 7),
    (PAGE, {"n": 2, "last": 4}, 1 + 1 + 4 * 7),
    ('{ a: stateAt(game: "g", seq: 100) { __typename } b: stateAt(game: "g", seq: 1) { __typename } }', {}, 20),
    ('query($s: Int!) { stateAt(game: "g", seq: $s) { __typename } }', {"s": 77}, 10),
    ('{ game(id: "g") { ... on Game { audit { findings { message } } } } }', {}, 1 + 5 + 10),
    ("{ games(first: 2) { ...p ...p } } fragment p on GameConnection { edges { node { id } } }", {}, 1 + 2 * 2),
    (
        'mutation($e: [JSON!]!) { appendEvents(game: "g", expectedSeq: 1, events: $e) { __typename } }',
        {"e": [1] * 9},
        19,
    ),
    ('mutation { appendEvents(game: "g", expectedSeq: 1, events: [1, 2]) { __typename } }', {}, MUTATION + 2),
    ("{ __schema { types { name } } }", {}, INTROSPECTION),
    ("{ games { ... on GameConnection { edges { node { id } } } } }", {}, 1),
    (READINGS % ", first: 3", {}, 50 + 3 * 11),
    (READINGS % "", {}, 50 + 20 * 11),
]


@pytest.mark.parametrize(("query", "variables", "cost"), COSTS)
def test_cost(query: str, variables: dict[str, Any], cost: int) -> None:
    operations = Operations()
    for _ in range(2):
        assert operations.ask(query, variables).cost == cost


def test_the_cost_is_told(client: Client) -> None:
    body = client.query(PAGE, n=3)
    assert body["extensions"] == {"cost": {"requested": 23, "limit": MAX_COST}}
    assert len(body["data"]["games"]["edges"]) == 3


def test_what_costs_too_much_is_not_begun(library: Store) -> None:
    client = limited(library, policy=Policy(Operations(Limits(cost=36))))
    assert "errors" not in client.query(PAGE, n=4)
    body = client.query(PAGE, n=5)
    assert codes(body) == {"TOO_COSTLY"}
    assert body["errors"][0]["extensions"] == {"code": "TOO_COSTLY", "cost": 37, "limit": 36}


def test_pages_within_pages_multiply() -> None:
    field = schema._schema.type_map["Game"].fields  # type: ignore[attr-defined]
    assert "audit" in field  # each game's audit, its hands and their lines: 100 × (1 + 1 + 5 + 10 × (1 + 10))
    assert Operations(Limits(cost=10**6)).ask(DEEPEST.replace("first: 1", "first: 100"), {}).cost == 1 + 100 * 117


def test_the_tables_of_costs_name_what_the_schema_has() -> None:
    for name in [*WEIGHTS, *SIZES]:
        kind, field = name.split(".")
        assert field in schema._schema.type_map[kind].fields, name  # type: ignore[attr-defined]


def test_a_fragment_bomb_costs_no_time() -> None:
    """Selections of each other ten levels deep, eight times on every level: 8^10 of them."""
    names = "abcdefgh"
    levels = "".join(
        f"fragment f{i} on GameConnection {{ edges {{ node {{ ... on Game {{ id }} }} }} "
        + " ".join(f"... {{ ...f{i + 1} }}" for _ in names)
        + " } "
        for i in range(10)
    )
    query = (
        f"{{ games(first: 100) {{ ...f0 }} }} {levels} fragment f10 on GameConnection {{ pageInfo {{ endCursor }} }}"
    )
    assert Operations(Limits(cost=10**9)).ask(query, {}).cost > 0


# -- Who may look at the schema ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "allowed"),
    [
        (Introspection.STAFF, {AUDITOR, SERVER}),
        (Introspection.EVERYBODY, {AUDITOR, SERVER, PLAYER, PUBLIC}),
        (Introspection.NOBODY, set()),
    ],
)
def test_introspection(library: Store, policy: Introspection, allowed: set[Viewer]) -> None:
    for viewer in (AUDITOR, SERVER, PLAYER, PUBLIC):
        client = limited(library, viewer, Policy(introspection=policy))
        for query in (get_introspection_query(), '{ __type(name: "Game") { name } }'):
            body = client.query(query)
            if viewer in allowed:
                assert "Game" in str(body["data"])
            else:
                assert codes(body) == {"INTROSPECTION_OFF"}
        assert client.ask("{ __typename }") == {"__typename": "Query"}


@pytest.mark.parametrize(
    ("query", "variables"),
    [
        ("{ game(id: 1) { ... on Gama { id } } }", {}),
        ('{ gama(id: "g") { __typename } }', {}),
        ('{ game(ids: "g") { __typename } }', {}),
        ("{ games(first: 1, filter: {verdictt: CLEAN}) { __typename } }", {}),
        ("query($f: GamesFilter) { games(first: 1, filter: $f) { __typename } }", {"f": {"verdictt": "CLEAN"}}),
        ("query($f: GamesFilter) { games(first: 1, filter: $f) { __typename } }", {"f": {"verdict": "CLEEN"}}),
    ],
)
def test_hints_are_for_those_who_may_see_the_schema(library: Store, query: str, variables: dict[str, Any]) -> None:
    told = str(limited(library, AUDITOR).query(query, **variables)["errors"])
    assert "Did you mean" in told
    for viewer in (PLAYER, PUBLIC):
        assert "Did you mean" not in str(limited(library, viewer).query(query, **variables)["errors"])


# -- HTTP --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_announced", [True, False])
def test_a_body_that_is_too_large(client: Client, is_announced: bool) -> None:
    content = b" " * (BODY_LIMIT + 1)

    async def pieces() -> object:
        for start in range(0, len(content), 65536):
            yield content[start : start + 65536]

    sent = content if is_announced else pieces()
    answer = client.request("POST", "/graphql", content=sent, headers={"content-type": "application/json"})
    assert answer.status_code == 413
    assert codes(answer.json()) == {"BODY_TOO_LARGE"}
    assert str(BODY_LIMIT) in answer.text


def test_a_large_body_that_fits(client: Client) -> None:
    padding = " " * (BODY_LIMIT - 200)
    answer = client.request("POST", "/graphql", json={"query": "{ __typename }", "padding": padding})
    assert answer.json()["data"] == {"__typename": "Query"}


def test_the_limit_of_bodies_is_a_setting(library: Store) -> None:
    client = limited(library, body=100)
    assert client.request("POST", "/graphql", json={"query": "{ __typename }" + " " * 100}).status_code == 413


@pytest.mark.parametrize("body", ['[{"query": "{ __typename }"}]', "[]", ' [{"query": "{ a }"}, {}]'])
def test_batching_is_off(client: Client, body: str) -> None:
    answer = client.request("POST", "/graphql", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert codes(answer.json()) == {"BATCHING_OFF"}


@pytest.mark.parametrize("kind", ["text/plain", "application/graphql", "multipart/form-data", "", "application/jsonp"])
def test_only_json_is_taken(client: Client, kind: str) -> None:
    headers = {"content-type": kind} if kind else {}
    answer = client.request("POST", "/graphql", content=b'{"query": "{ __typename }"}', headers=headers)
    assert answer.status_code == 415
    assert codes(answer.json()) == {"BAD_REQUEST"}


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON"])
def test_json_by_any_of_its_names(client: Client, kind: str) -> None:
    answer = client.request("POST", "/graphql", content=b'{"query": "{ __typename }"}', headers={"content-type": kind})
    assert answer.json()["data"] == {"__typename": "Query"}


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        ("application/*", "application/json"),
        (GRAPHQL, GRAPHQL),
        (f"{GRAPHQL}; charset=utf-8, application/json;q=0.9", GRAPHQL),
        (f"text/html, application/json, {GRAPHQL}", "application/json"),
        (f"{GRAPHQL};q=0, application/json", "application/json"),
    ],
)
def test_the_type_of_the_answer(client: Client, accept: str, kind: str) -> None:
    answer = client.request("POST", "/graphql", json={"query": "{ __typename }"}, headers={"accept": accept})
    assert (answer.status_code, answer.headers["content-type"]) == (200, kind)


def test_a_type_that_there_is_not(client: Client) -> None:
    answer = client.request("POST", "/graphql", json={"query": "{ __typename }"}, headers={"accept": "text/html"})
    assert answer.status_code == 406


def test_other_origins_get_nothing(client: Client) -> None:
    """CORS is closed: no page of another site is told that it may send, nor shown an answer."""
    origin = {"origin": "https://evil.example", "access-control-request-method": "POST"}
    asked = client.request("OPTIONS", "/graphql", headers={**origin, "access-control-request-headers": "content-type"})
    assert asked.status_code == 405
    sent = client.request("POST", "/graphql", json={"query": "{ __typename }"}, headers={"origin": origin["origin"]})
    for answer in (asked, sent):
        assert not [name for name in answer.headers if name.startswith("access-control")]


def test_numbers_that_json_does_not_have(client: Client) -> None:
    content = '{"query": "{ __typename }", "variables": {"a": NaN, "b": "\\ud800"}}'
    answer = client.request("POST", "/graphql", content=content, headers={"content-type": "application/json"})
    assert answer.status_code == 400


def test_members_that_nobody_knows_are_passed_over(client: Client) -> None:
    body = {"query": "{ __typename }", "extensions": {"persistedQuery": {"version": 1}}, "other": [1]}
    assert client.request("POST", "/graphql", json=body).json()["data"] == {"__typename": "Query"}


def test_errors_of_fields_keep_the_rest(client: Client) -> None:
    name = id_of(GAMES[0])
    body = client.query(
        f'{{ game(id: "{name}") {{ ... on Game {{ game }} }} x: games {{ ... on Problem {{ code }} }} }}'
    )
    assert body["data"] == {"game": {"game": name}, "x": {"code": "BAD_ARGUMENT"}}


def test_every_limit_is_a_setting(tmp_path: Any) -> None:
    environment = {
        "MINGPAI_MAX_DEPTH": "3",
        "MINGPAI_MAX_ALIASES": "0",
        "MINGPAI_MAX_TOKENS": "50",
        "MINGPAI_MAX_COST": "60",
        "MINGPAI_MAX_BODY": "2048",
        "MINGPAI_REQUEST_SECONDS": "7",
        "MINGPAI_KEY_RATE": "8",
        "MINGPAI_PUBLIC_RATE": "9",
        "MINGPAI_INTROSPECTION": "nobody",
        "HOME": str(tmp_path),
    }
    found = limits_of(Settings.from_environment(environment))
    assert found.policy.operations.limits == Limits(3, 0, 50, 60)
    assert (found.policy.introspection, found.policy.seconds) == (Introspection.NOBODY, 7)
    assert found[1:] == (2048, 8, 9)
    usual, default = limits_of(Settings.from_environment({"HOME": str(tmp_path)})), RequestLimits()
    assert usual[1:] == default[1:]
    assert usual.policy.operations.limits == default.policy.operations.limits
    assert usual.policy[1:] == default.policy[1:]


@pytest.mark.parametrize(
    "query",
    [
        "{ a " * 990 + "}" * 990,
        "{ ... " * 990 + "{ a }" + "}" * 990,
        "{ ...f0 } " + " ".join(f"fragment f{i} on Query {{ ...f{i + 1} }}" for i in range(240)),
        "{ games(first: " + "[" * 1900,
        "{ games(filter: " + "{a: " * 480 + "1" + "}" * 480 + ") { __typename } }",
    ],
    ids=["fields", "inline fragments", "fragments", "lists", "objects"],
)
def test_nesting_beyond_what_python_takes(client: Client, query: str) -> None:
    """Refused like any other document, neither by an error of the program nor by the end of it."""
    found = codes(client.query(query))
    assert found & {"TOO_DEEP", "INVALID_DOCUMENT", "SYNTAX_ERROR"}
    assert "UNEXPECTED" not in found


def test_variables_nested_beyond_what_python_takes(client: Client) -> None:
    nested = '{"a":' * 100_000 + "1" + "}" * 100_000
    body = (
        f'{{"query": "mutation($e: JSON!) {{ openGame(event: $e) {{ __typename }} }}", "variables": {{"e": {nested}}}}}'
    )
    answer = client.request("POST", "/graphql", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
