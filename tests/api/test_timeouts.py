"""A request whose time is over gets an answer, and what it asked of PostgreSQL is cancelled there.

Against a real server and real statements: one that waits for a lock, and one that works on and on.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Thread

import psycopg
import pytest

from replays.table import Table
from service.api import create_app
from service.api.authentication import Authentication
from service.api.graphql import GRAPHQL, Endpoint, Policy
from service.api.limits import RequestLimits
from service.api.parts import Parts
from service.store import Store
from service.store.deadlines import Deadline, GivenUpError
from service.usecases.folds import Folds
from tests.api.clients import AUDITOR, Client
from tests.api.conftest import GAMES
from tests.databases import Database
from tests.usecases.games import id_of
from tests.usecases.sealed import take_in

QUERY = '{ game(id: "g") { __typename } }'


@pytest.fixture
def narrow(database: Database) -> Iterator[Store]:
    """A store with one connection: whatever happens to it is seen by whoever comes next."""
    with Store.connect(database.application_url, unsafe_allowed=True, pool_size=1) as opened:
        take_in(opened, GAMES[0])
        yield opened


def hasty(store: Store, seconds: float = 0.3) -> Client:
    limits = RequestLimits(Policy(seconds=seconds))
    return Client(create_app(store, authenticate=lambda connection: AUDITOR, limits=limits))


def until(is_so: Callable[[], bool]) -> None:
    """Waits for what is to come about; how long that takes is not what is tested."""
    for _ in range(600):
        if is_so():
            return
        time.sleep(0.05)
    pytest.fail("it never came about")


def running(database: Database) -> list[str]:
    """The statements of the application that run now."""
    with psycopg.connect(database.admin_url) as admin:
        rows = admin.execute(
            "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'"
            " AND usename = 'mingpai_application'"
        )
        return [query for (query,) in rows.fetchall()]


def backend(store: Store) -> int:
    return int(store.call("SELECT pg_backend_pid()", ())[0])


@contextmanager
def locked(database: Database) -> Iterator[None]:
    """The games held by somebody else: every statement that reads them waits."""
    with psycopg.connect(database.admin_url) as holder:
        holder.execute("LOCK TABLE mingpai.games IN ACCESS EXCLUSIVE MODE")
        yield


def test_a_statement_that_waits_is_cancelled(
    narrow: Store, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    client, before = hasty(narrow), backend(narrow)
    with locked(database), caplog.at_level(logging.WARNING):
        answer = client.request("POST", "/graphql", json={"query": QUERY}, headers={"accept": GRAPHQL})
        assert (answer.status_code, answer.headers["content-type"]) == (504, GRAPHQL)
        assert answer.json()["errors"][0]["extensions"] == {"code": "TIMED_OUT"}
        until(lambda: not running(database))  # though what it waited for is still locked
    assert client.ask(QUERY) == {"game": {"__typename": "GameNotFound"}}
    assert backend(narrow) == before  # the connection was kept
    assert not [record for record in caplog.records if record.name.startswith("mingpai")]


class _SlowFolds(Folds):
    """Folds whose statements take their time."""

    def at(self, game: str, seq: int) -> Table:
        self._store.call("SELECT pg_sleep(600)", ())
        return super().at(game, seq)


def test_a_statement_that_works_is_cancelled_and_none_follows(narrow: Store, database: Database) -> None:
    parts = replace(Parts.of(narrow), folds=_SlowFolds(narrow))
    client = Client(Authentication(Endpoint(parts, Policy(seconds=0.3)), lambda connection: AUDITOR))
    before = backend(narrow)
    step = f'stateAt(game: "{id_of(GAMES[0])}", seq: 1) {{ __typename }}'
    asked = Thread(
        target=client.request, args=("POST", "/graphql"), kwargs={"json": {"query": f"{{ {step} a: {step} }}"}}
    )
    asked.start()
    until(lambda: any("pg_sleep" in query for query in running(database)))
    asked.join()
    until(lambda: not running(database))
    assert backend(narrow) == before


def test_whoever_waits_for_a_connection_beyond_its_time_gets_none(narrow: Store, database: Database) -> None:
    deadline, failed = Deadline(), []

    def ask() -> None:
        with deadline.applied():
            try:
                narrow.moment()
            except GivenUpError as error:
                failed.append(error)

    with narrow.driver():
        waiting = Thread(target=ask)
        waiting.start()
        deadline.expire()
    waiting.join()
    assert len(failed) == 1
    assert narrow.moment()


def test_a_request_within_its_time_is_left_alone(narrow: Store) -> None:
    deadline = Deadline()
    with deadline.applied():
        assert narrow.moment()
        with narrow.driver() as driver:
            assert driver.execute("SELECT 1").fetchone() == (1,)
    deadline.expire()
    assert narrow.moment()  # what was given back is not the request's any more


def test_what_a_mutation_had_not_done_is_not_done(narrow: Store, database: Database) -> None:
    from tests.api.clients import SERVER
    from tests.usecases.games import game

    limits = RequestLimits(Policy(seconds=0.5))
    client = Client(create_app(narrow, authenticate=lambda connection: SERVER, limits=limits))
    query = 'mutation($e: JSON!) { openGame(event: $e, key: "k") { __typename ... on Receipt { seq } } }'
    first = {**game(3)[0], "game": "late"}
    with locked(database):
        body = {"query": query, "variables": {"e": first}}
        assert client.request("POST", "/graphql", json=body).status_code == 504
        until(lambda: not running(database))
    assert client.ask('{ game(id: "late") { __typename } }') == {"game": {"__typename": "GameNotFound"}}
    assert client.ask(query, e=first) == {"openGame": {"__typename": "Receipt", "seq": 0}}
