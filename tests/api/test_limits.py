"""What one request may ask for, and that the limits do not defeat the caches."""

from __future__ import annotations

import pytest
from graphql import get_introspection_query
from strawberry.extensions.parser_cache import _get_parse_cache
from strawberry.extensions.validation_cache import _get_validate_cache

from schema.graphql.limits import CACHED_DOCUMENTS, MAX_ALIASES, MAX_DEPTH, MAX_TOKENS
from service.api.limits import BODY_LIMIT
from tests.api.clients import Client

DEEPEST = "{ games(first: 1) { ... on GameConnection { edges { node { audit { hands { items { seat } } } } } } } }"


def test_depth(client: Client) -> None:
    """What the schema has is within the limit; the rule counts before it is known whether a field exists."""
    assert "errors" not in client.query(DEEPEST)
    for depth, is_over in ((MAX_DEPTH, False), (MAX_DEPTH + 1, True)):
        body = client.query("{ a " * (depth + 1) + "}" * (depth + 1))
        assert any("depth" in error["message"] for error in body["errors"]) == is_over


def test_aliases(client: Client) -> None:
    aliases = " ".join(f"a{i}: __typename" for i in range(MAX_ALIASES))
    assert "errors" not in client.query("{" + aliases + "}")
    body = client.query("{" + aliases + " b: __typename }")
    assert f"Allowed: {MAX_ALIASES}" in body["errors"][0]["message"]


def test_tokens(client: Client) -> None:
    body = client.query("{" + "__typename " * MAX_TOKENS + "}")
    assert "token" in body["errors"][0]["message"]


def test_introspection_is_on(client: Client) -> None:
    body = client.query(get_introspection_query())
    assert "errors" not in body
    assert "Game" in [kind["name"] for kind in body["data"]["__schema"]["types"]]


@pytest.mark.parametrize("cache", [_get_parse_cache, _get_validate_cache])
def test_a_repeated_query_is_parsed_and_validated_once(client: Client, cache: object) -> None:
    kept = cache(CACHED_DOCUMENTS)  # type: ignore[operator]
    query = '{ game(id: "nobody") { __typename ... on Problem { code } } }'
    client.query(query)
    before = kept.cache_info()
    for _ in range(3):
        client.query(query)
    after = kept.cache_info()
    assert (after.hits - before.hits, after.misses - before.misses) == (3, 0)


@pytest.mark.parametrize("is_announced", [True, False])
def test_a_body_that_is_too_large(client: Client, is_announced: bool) -> None:
    content = b" " * (BODY_LIMIT + 1)

    async def pieces() -> object:
        for start in range(0, len(content), 65536):
            yield content[start : start + 65536]

    sent = content if is_announced else pieces()
    answer = client.request("POST", "/graphql", content=sent, headers={"content-type": "application/json"})
    assert answer.status_code == 413
    assert str(BODY_LIMIT) in answer.text


def test_a_large_body_that_fits(client: Client) -> None:
    padding = " " * (BODY_LIMIT - 200)
    answer = client.request("POST", "/graphql", json={"query": "{ __typename }", "padding": padding})
    assert answer.json() == {"data": {"__typename": "Query"}}
