"""The application around the fields: methods, hosts, health, the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from service.api import PortError, address, bound, create_app
from service.api.example import curl
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
    assert not re.search(r"<style|style=|onclick|javascript:", answer.text)


def test_files_of_pages(client: Client) -> None:
    """Kept for good at the address of their content; at another one today's, which is not to be kept."""
    path = re.search(r"/static/[0-9a-f]+/lib/dom\.js", client.request("GET", "/").text)
    assert path is not None
    now, other = client.request("GET", path[0]), client.request("GET", "/static/earlier/lib/dom.js")
    assert "immutable" in now.headers["cache-control"]
    assert other.headers["cache-control"] == "no-store"
    assert now.content == other.content
    assert now.headers["content-type"] == "text/javascript; charset=utf-8"


@pytest.mark.parametrize("path", ["nothing.js", "%2e%2e%2fpages.py", "lib", "words/common.json", ""])
def test_files_that_are_no_page_s(client: Client, path: str) -> None:
    assert client.request("GET", f"/static/x/{path}").status_code == 404


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
