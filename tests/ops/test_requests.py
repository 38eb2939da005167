"""Requests have ids; what is logged of them is their routes, and never anything secret."""

from __future__ import annotations

import json
import logging
import re
import signal
from typing import Any

import httpx
import pytest

from schema.ports import Role
from service.api import create_app
from service.logs import scrubbed
from service.store import Store
from tests.access.keys import bearer, key_for
from tests.api.clients import Client
from tests.api.test_server import serving
from tests.databases import Database


@pytest.fixture
def client(store: Store) -> Client:
    return Client(create_app(store))


@pytest.mark.parametrize("given", ["abc", "A-1_b.c", "x" * 64])
def test_an_id_that_is_given_comes_back(client: Client, given: str) -> None:
    answer = client.request("GET", "/healthz", headers={"x-request-id": given})
    assert answer.headers["x-request-id"] == given


@pytest.mark.parametrize("given", [None, "", "a b", "x" * 65, "é".encode(), "{}", "a\tb"])
def test_every_request_has_an_id(client: Client, given: Any) -> None:
    headers = {} if given is None else {"x-request-id": given}
    ids = {client.request("GET", "/healthz", headers=headers).headers["x-request-id"] for _ in range(2)}
    assert len(ids) == 2
    assert all(re.fullmatch("[0-9a-f]{32}", one) for one in ids)


@pytest.mark.parametrize(("method", "path"), [("GET", "/nowhere"), ("GET", "/graphql"), ("POST", "/graphql")])
def test_refusals_have_one_too(client: Client, method: str, path: str) -> None:
    assert client.request(method, path, headers={"x-request-id": "r"}).headers["x-request-id"] == "r"


def test_lines_for_machines(database: Database, store: Store) -> None:
    """One JSON line a request, with its id, route, status and who sent it; no path, no body, no header."""
    key = key_for(store, Role.AUDITOR)
    database_with_log = {"MINGPAI_LOG": "json"}
    with serving(database, environment_too=database_with_log) as (process, base):
        sent = {"query": '{ game(id: "a-secret-game") { __typename } }', "variables": {"password": "hunter2"}}
        headers = {**bearer(key), "x-request-id": "req-1", "cookie": "session=top-secret"}
        httpx.post(f"{base}/graphql?token=in-the-query", json=sent, headers=headers, trust_env=False)
        httpx.get(f"{base}/bundles/token-in-the-path", headers={"x-request-id": "req-2"}, trust_env=False)
        bad = {"authorization": "Bearer mp_not_a_key_at_all", "x-request-id": "req-3"}
        httpx.post(f"{base}/graphql", json=sent, headers=bad, trust_env=False)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=30)
    lines = [json.loads(line) for line in errors.splitlines() if line.startswith("{")]
    ended = {line["request"]: line for line in lines if line["event"] == "request"}
    first = ended["req-1"]
    assert (first["method"], first["route"], first["status"]) == ("POST", "/graphql", 200)
    assert first["key"] in key
    assert first["principal"]
    assert first["ms"] > 0
    assert first["level"] == "info"
    assert "timestamp" in first
    assert ended["req-2"]["status"] in (404, 410)
    assert ended["req-3"]["status"] == 401
    secret = key.rsplit("_", 1)[1]
    for word in (secret, "hunter2", "a-secret-game", "top-secret", "in-the-query", "in-the-path", "not_a_key_at_all"):
        assert word not in errors
    password = re.search(r":([^:@/]+)@", database.application_url)
    assert password is not None
    assert password[1] not in errors


@pytest.mark.parametrize(
    "text",
    [
        "mp_0123456789ab_SECRETSECRETSECRET",
        "ms_0123456789ab_SECRETSECRETSECRET",
        "Authorization: Bearer SECRET",
        "authorization='bearer SECRET'",
        "postgresql://user:SECRET@host:5432/db",
        "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJSECRETJ9.SECRET-SECRET_",
    ],
)
def test_what_looks_like_a_secret_is_not_written(text: str) -> None:
    assert "SECRET" not in scrubbed(f"before {text}, after")
    assert scrubbed(f"before {text}, after").startswith("before ")


def test_requests_are_measured(client: Client) -> None:
    client.request("GET", "/healthz")
    client.request("GET", "/no/such/path")
    text = client.request("GET", "/metrics").text
    assert 'mingpai_request_seconds_count{method="GET",route="/healthz",status="200"} 1.0' in text
    assert 'route="none",status="404"' in text
    assert "/no/such/path" not in text


def test_an_exception_is_counted_and_named(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    def broken(connection: object) -> Any:
        raise RuntimeError("a fault of the program")

    client = Client(create_app(store, authenticate=broken))
    with caplog.at_level(logging.ERROR):
        assert client.request("GET", "/").status_code == 500
