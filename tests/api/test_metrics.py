"""``GET /metrics`` and what ``/healthz`` warns of: an append that does not commit, games that are not sealed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.api import create_app
from service.api.metrics import PATIENCE
from service.store import Store
from service.store.feed import FeedState, Writer
from tests.api.clients import Client
from tests.databases import Database
from tests.store.games import append, body, end, entry, open_game
from tests.usecases.games import game
from tests.usecases.sealed import notary_at, seal_cheaply, unsealed


@pytest.fixture
def client(store: Store) -> Client:
    return Client(create_app(store))


def metrics(client: Client) -> dict[str, float]:
    """Every sample of how the store stands; each is a gauge with words to it and has no labels."""
    answer = client.request("GET", "/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    found = {}
    for family in text_string_to_metric_families(answer.text):
        if family.name.startswith("mingpai_request"):
            continue
        assert (family.type, bool(family.documentation)) == ("gauge", True)
        for sample in family.samples:
            assert sample.labels == {}
            found[sample.name.removeprefix("mingpai_")] = sample.value
    return found


@contextmanager
def appending(database: Database, game: str, seq: int) -> Iterator[None]:
    """A session that has appended and does not commit."""
    content, public, salt = entry(body(seq))
    with psycopg.connect(database.application_url) as session:
        session.execute(
            "SELECT mingpai.append_events(%s, %s, NULL, ARRAY[%b], ARRAY[%b], ARRAY[%b])",
            (game, seq, content, public, salt),
        )
        yield
        session.rollback()


def test_an_empty_store(client: Client) -> None:
    assert metrics(client) == {
        "feed_position": 0,
        "feed_mark": 0,
        "feed_writers": 0,
        "feed_oldest_writer_seconds": 0,
        "log_seals": 0,
        "log_unsealed_games": 0,
        "log_checkpoint_size": 0,
        "live_lag_events": 0,
        "live_lag_seconds": 0,
        "live_lag_games": 0,
    }


def test_what_grows(client: Client, store: Store) -> None:
    open_game(store)
    append(store, "g", 1, None, body(1))
    append(store, "g", 2, None, end(2))
    seal_cheaply(store, 3)
    found = metrics(client)
    assert (found["feed_position"], found["feed_mark"]) == (6, 6)
    assert (found["log_seals"], found["log_unsealed_games"]) == (3, 1)


def test_the_checkpoint_and_its_age(durable_store: Store, tmp_path: Path) -> None:
    client, notary = Client(create_app(durable_store)), notary_at(durable_store, tmp_path / "keys.json")
    seal_cheaply(durable_store, 2)
    notary.checkpoint()
    seal_cheaply(durable_store, 1, 2)
    first = metrics(client)
    assert (first["log_seals"], first["log_checkpoint_size"]) == (3, 2)
    assert metrics(client)["log_checkpoint_age_seconds"] > first["log_checkpoint_age_seconds"] >= 0
    log = client.request("GET", "/healthz").json()["log"]
    assert log == {"seals": 3, "unsealed": 0, "checkpoint": 2}


def test_an_append_that_does_not_commit_holds_the_mark(client: Client, database: Database, store: Store) -> None:
    for name in ("g", "h"):
        open_game(store, name)
    before = metrics(client)
    assert (before["feed_mark"], before["feed_writers"]) == (2, 0)
    with appending(database, "g", 1):
        append(store, "h", 1, None, body(1))
        first = metrics(client)
        assert (first["feed_position"], first["feed_mark"], first["feed_writers"]) == (4, 2, 1)
        assert metrics(client)["feed_oldest_writer_seconds"] > first["feed_oldest_writer_seconds"] > 0
    after = metrics(client)
    assert (after["feed_mark"], after["feed_writers"], after["feed_oldest_writer_seconds"]) == (4, 0, 0)


def test_a_session_that_only_reads_holds_nothing(client: Client, database: Database, store: Store) -> None:
    open_game(store)
    with psycopg.connect(database.application_url) as session:
        session.execute("SELECT pg_current_xact_id(), count(*) FROM mingpai.events")
        found = metrics(client)
    assert (found["feed_mark"], found["feed_writers"]) == (1, 0)


def health(client: Client) -> dict[str, Any]:
    answer = client.request("GET", "/healthz")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def test_health_warns_of_an_append_that_waits_too_long(
    client: Client, database: Database, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_game(store)
    with appending(database, "g", 1):
        assert health(client)["warnings"] == []
        monkeypatch.setattr("service.api.metrics.PATIENCE", 0.2)
        time.sleep(0.3)
        found = health(client)
        warning = str(found["warnings"][0])
        assert "has not committed its append" in warning
        assert found["status"] == "ok"
        pid = int(warning.split()[1])
        with psycopg.connect(database.admin_url) as admin:
            state = admin.execute("SELECT state FROM pg_stat_activity WHERE pid = %s", [pid]).fetchone()
        assert state == ("idle in transaction",)
    assert health(client)["warnings"] == []


@pytest.mark.parametrize(("seconds", "warns"), [(PATIENCE, False), (PATIENCE + 0.1, True), (None, False)])
def test_patience_of_both_sides(seconds: float | None, warns: bool) -> None:
    from service.api.metrics import Standing

    feed = FeedState(9, 3, (Writer(4711, seconds),))
    assert bool(Standing(feed, 0, 0, 0, None).warnings) == warns


def test_health_warns_of_games_that_are_not_sealed(client: Client, store: Store) -> None:
    assert health(client)["warnings"] == []
    unsealed(store, game(0))
    found = health(client)
    assert found["warnings"] == ["1 games have ended and are not sealed"]
    assert found["log"] == {"seals": 0, "unsealed": 1, "checkpoint": 0}


def test_a_store_that_is_gone_fails_the_scrape(store: Store, database: Database) -> None:
    """It must not look like a store in which nothing is the matter."""
    client = Client(create_app(store))
    name = database.admin_url.rsplit("/", 1)[1]
    with psycopg.connect(database.admin_url.rsplit("/", 1)[0] + "/postgres", autocommit=True) as admin:
        admin.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
        assert client.request("GET", "/metrics").status_code >= 500
        admin.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")
    assert client.request("GET", "/metrics").status_code == 200
