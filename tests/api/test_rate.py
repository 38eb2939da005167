"""How much a key or an address may ask for: buckets by themselves, and around the application."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.requests import HTTPConnection

from schema.ports import PUBLIC, Role, Viewer
from service.api import create_app
from service.api.graphql import REFUSED_COST
from service.api.limits import RequestLimits
from service.api.rate import BURST_SECONDS, Buckets, address_of
from service.store import Store
from tests.access.keys import key_for
from tests.api.clients import Client

ONE = Viewer("server-1", frozenset({Role.SERVER}), None, "key-1")
QUERY = '{ stateAt(game: "g", seq: 0) { __typename } }'
COST = 10


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_empties_and_fills() -> None:
    clock = Clock()
    buckets = Buckets(10, clock=clock)
    size = 10 * BURST_SECONDS
    assert buckets.take("a", size - 1) == (size, 1, 10, 0)
    assert buckets.take("a", 1) == (size, 0, 10, 0)
    assert buckets.take("a", 25) == (size, 0, 10, 3)
    clock.now += 2
    assert buckets.take("a", 25) == (size, 20, 8, 1)
    clock.now += 0.5
    assert buckets.take("a", 25) == (size, 0, 10, 0)
    clock.now += 1000
    assert buckets.take("a", 1) == (size, size - 1, 1, 0)


def test_buckets_are_apart() -> None:
    buckets = Buckets(1, clock=Clock())
    assert buckets.take("a", BURST_SECONDS).wait == 0
    assert buckets.take("a", 1).wait == 1
    assert buckets.take("b", 1).wait == 0


def test_more_than_a_bucket_holds_is_had_of_a_full_one_only() -> None:
    clock = Clock()
    buckets = Buckets(1, clock=clock)
    assert buckets.take("a", 10**9).wait == 0
    assert buckets.take("a", 10**9).wait == BURST_SECONDS
    clock.now += BURST_SECONDS
    assert buckets.take("a", 10**9).wait == 0


def test_no_more_buckets_are_kept_than_there_is_room_for() -> None:
    buckets = Buckets(1, clock=Clock(), kept=3)
    for name in "abcd":
        buckets.take(name, BURST_SECONDS)
    assert len(buckets._levels) == 3
    assert buckets.take("d", 1).wait == 1
    assert buckets.take("a", 1).wait == 0


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("testclient", "testclient", True),
    ],
)
def test_addresses(one: str, other: str, is_same: bool) -> None:
    names = [address_of(HTTPConnection({"type": "http", "client": (host, 1), "headers": []})) for host in (one, other)]
    assert (names[0] == names[1]) == is_same


def client_of(library: Store, viewer: Viewer | dict[str, Viewer], **rates: Any) -> Client:
    def found(connection: HTTPConnection) -> Viewer:
        return viewer if isinstance(viewer, Viewer) else viewer[connection.headers["x-who"]]

    return Client(create_app(library, authenticate=found, limits=RequestLimits(**rates)))


def ask(client: Client, query: str = QUERY, **headers: str) -> Any:
    return client.request("POST", "/graphql", json={"query": query}, headers=headers)


def test_a_key_that_asks_too_much(library: Store) -> None:
    """Ten a second, a hundred at once: nine questions of eleven points each, and one too many."""
    client = client_of(library, ONE, key_rate=10)
    for number in range(1, 10):
        answer = ask(client)
        assert answer.status_code == 200
        assert answer.headers["ratelimit-limit"] == "100"
        assert "retry-after" not in answer.headers
        assert int(answer.headers["ratelimit-remaining"]) >= 100 - number * (COST + 1)
    answer = ask(client)
    assert answer.status_code == 429
    assert answer.json()["errors"][0]["extensions"] == {"code": "RATE_LIMITED"}
    assert int(answer.headers["retry-after"]) >= 1
    assert int(answer.headers["ratelimit-reset"]) >= 1


def test_keys_of_one_principal_are_apart_and_the_public_shares_an_address(library: Store) -> None:
    other = ONE._replace(key="key-2")
    viewers = {"one": ONE, "other": other, "public": PUBLIC}
    client = client_of(library, viewers, key_rate=1, public_rate=1)
    dear = QUERY.replace("stateAt", "a: stateAt")
    assert ask(client, dear, **{"x-who": "one"}).status_code == 429  # eleven points where there are ten
    assert ask(client, "{ __typename }", **{"x-who": "other"}).status_code == 200
    statuses = [ask(client, "{ __typename }", **{"x-who": "public"}).status_code for _ in range(14)]
    assert statuses[:10] == [200] * 10
    assert statuses[-1] == 429


def test_what_is_refused_costs_too(library: Store) -> None:
    """Reading a document is work, whatever comes of it."""
    client = client_of(library, ONE, key_rate=10)
    first, second = ask(client, "{ nothing }"), ask(client, "{ nothing }")
    assert first.status_code == 200
    assert int(first.headers["ratelimit-remaining"]) <= 100 - REFUSED_COST
    assert second.status_code == 429


def test_other_routes_count_and_health_does_not(library: Store) -> None:
    client = client_of(library, ONE, key_rate=1)
    statuses = [client.request("GET", "/checkpoint").status_code for _ in range(14)]
    assert statuses[0] == 404
    assert statuses[-1] == 429
    assert client.request("GET", "/healthz").status_code == 200


def test_limits_are_on_by_default(library: Store) -> None:
    answer = ask(Client(create_app(library, authenticate=lambda connection: ONE)))
    assert answer.headers["ratelimit-limit"] == "100000"
    answer = ask(Client(create_app(library, authenticate=lambda connection: PUBLIC)))
    assert answer.headers["ratelimit-limit"] == "10000"


def test_an_address_that_guesses_keys(library: Store) -> None:
    """Fifty points a wrong one of an address' bucket for those: with ten a second the third is too many."""
    client = Client(create_app(library, limits=RequestLimits(public_rate=10)))
    wrong = {"authorization": f"Bearer mp_{'a' * 16}_{'b' * 43}"}
    answers = [ask(client, "{ __typename }", **wrong) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [401, 401, 429]
    assert int(answers[2].headers["retry-after"]) >= 1
    good = {"authorization": f"Bearer {key_for(library, Role.AUDITOR)}"}
    assert ask(client, "{ __typename }", **good).status_code == 429
    assert client.request("GET", "/healthz").status_code == 200


def test_good_credentials_cost_nothing_of_it(library: Store) -> None:
    client = Client(create_app(library, limits=RequestLimits(public_rate=10)))
    good = {"authorization": f"Bearer {key_for(library, Role.AUDITOR)}"}
    assert [ask(client, "{ __typename }", **good).status_code for _ in range(5)] == [200] * 5
