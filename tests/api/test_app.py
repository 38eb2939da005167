"""The application around the fields: methods, hosts, health, the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from service.api import PortError, address, bound, create_app
from service.api.page import curl, page
from service.store import Store
from tests.api.clients import BASE, Client


def test_health(client: Client) -> None:
    answer = client.request("GET", "/healthz")
    assert answer.status_code == 200
    health = answer.json()
    assert (health["status"], health["schema"]) == ("ok", health["schema"])
    assert set(health["unsafe"]) == {"fsync = off", "full_page_writes = off", "synchronous_commit = off"}


def test_page(client: Client) -> None:
    answer = client.request("GET", "/")
    assert answer.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert f"{BASE}/graphql" in answer.text
    assert not re.search(r"<script|<style|style=|onclick|javascript:", answer.text)


def test_page_escapes_where_it_is() -> None:
    assert "<b>" not in page("http://<b>")


def test_the_example_query_answers(client: Client) -> None:
    sent = re.search(r"-d '(.*)'$", curl(BASE))
    assert sent is not None
    answer = client.request("POST", "/graphql", content=sent[1], headers={"content-type": "application/json"})
    assert len(answer.json()["data"]["games"]["edges"]) == 3


@pytest.mark.parametrize("query", ["{ __typename }", "mutation { __typename }"])
def test_get_is_off(client: Client, query: str) -> None:
    assert client.request("GET", "/graphql", params={"query": query}).status_code == 405


def test_no_editor_for_browsers(library: Store) -> None:
    assert Client(create_app(library)).request("GET", "/graphql", headers={"accept": "text/html"}).status_code == 405


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_what_a_form_of_another_site_can_send(client: Client, kind: str) -> None:
    """Browsers send these three across sites without asking first."""
    answer = client.request("POST", "/graphql", content=b'{"query": "{ __typename }"}', headers={"content-type": kind})
    assert answer.status_code in (400, 415)


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example"])
def test_another_name_that_points_here(client: Client, host: str) -> None:
    assert client.request("GET", "/", headers={"host": host}).status_code == 400


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-name.invalid", "a b", "x" * 300])
def test_addresses_that_are_not_ours(host: str) -> None:
    with pytest.raises(PortError), bound(host, 0):
        pass


@pytest.mark.parametrize(("host", "shown"), [("0.0.0.0", "http://0.0.0.0:"), ("::1", "http://[::1]:")])
def test_other_addresses(host: str, shown: str) -> None:
    if host == "::1" and not Path("/proc/net/if_inet6").exists():
        pytest.skip("this machine has no IPv6")
    with bound(host, 0) as listener:
        assert address(listener).startswith(shown)


def test_a_port_that_is_taken() -> None:
    with bound("127.0.0.1", 0) as listener:
        listener.listen()
        with pytest.raises(PortError, match="--port 0"), bound("localhost", listener.getsockname()[1]):
            pass


@pytest.mark.parametrize(
    "body", ["", "[]", "null", '"x"', "{", '{"query": 1}', '{"variables": {}}', "[{}]", "[" * 9999]
)
def test_bodies_that_are_no_request(client: Client, body: str) -> None:
    answer = client.request("POST", "/graphql", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400


@pytest.mark.parametrize("other", [{"variables": 7}, {"variables": []}, {"operationName": 5}, {"extensions": 1}])
def test_members_of_the_wrong_type(client: Client, other: dict[str, object]) -> None:
    answer = client.request("POST", "/graphql", json={"query": "{ __typename }", **other})
    assert answer.status_code in (200, 400)


def test_bytes_that_are_no_text(client: Client) -> None:
    answer = client.request("POST", "/graphql", content=b"\xff\xfe{", headers={"content-type": "application/json"})
    assert answer.status_code == 400
