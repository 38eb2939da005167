"""Sessions of browsers over real HTTP: the cookie, the token against other sites, and how sessions end."""

from __future__ import annotations

from collections.abc import Callable
from http.cookies import SimpleCookie
from typing import Any

import httpx
import psycopg
import pytest

from schema.ports import Role
from service.access.keys import Kind, Token
from service.access.sessions import COOKIE, IDLE_SECONDS, SESSION_SECONDS
from service.api import create_app
from service.store import Store
from service.store.access import change_principal, key_row, revoke_key
from tests.access.keys import bearer, key_for
from tests.access.servers import running
from tests.databases import Database

WHO = {"query": "{ viewer { roles key } }"}


def signed_in(browser: httpx.Client, key: str) -> dict[str, Any]:
    """Signs in with a key; the answer's body. The cookie stays with ``browser``."""
    answer = browser.post("/session", json={"key": key})
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def asked(browser: httpx.Client, csrf: str | None, **headers: str) -> httpx.Response:
    return browser.post("/graphql", json=WHO, headers=({} if csrf is None else {"x-csrf-token": csrf}) | headers)


def test_a_key_becomes_a_session(browser: httpx.Client, store: Store) -> None:
    key = key_for(store, Role.CLERK, Role.PLAYER, player="p-9")
    opened = signed_in(browser, key)
    assert opened["roles"] == ["clerk", "player"]
    assert opened["player"] == "p-9"
    found = asked(browser, opened["csrf_token"]).json()["data"]["viewer"]
    assert found["roles"] == ["PLAYER", "CLERK"]
    assert found["key"] not in key
    again = browser.get("/session").json()
    assert again == {**opened, "oidc": None}


def test_the_cookie(browser: httpx.Client, store: Store) -> None:
    answer = browser.post("/session", json={"key": key_for(store, Role.CLERK)})
    (cookie,) = SimpleCookie(answer.headers["set-cookie"]).values()
    assert cookie.key == COOKIE
    assert cookie["httponly"]
    assert (cookie["samesite"], cookie["path"], cookie["domain"], cookie["secure"]) == ("strict", "/", "", "")
    assert 0 < int(cookie["max-age"]) <= SESSION_SECONDS
    assert cookie.value not in answer.text
    assert answer.headers["cache-control"] == "no-store"


def test_the_cookie_is_secure_behind_https(store: Store) -> None:
    with running(create_app(store), proxies="127.0.0.1") as base:
        forwarded = {"x-forwarded-proto": "https"}
        answer = httpx.post(
            f"{base}/session", json={"key": key_for(store, Role.CLERK)}, headers=forwarded, trust_env=False
        )
    (cookie,) = SimpleCookie(answer.headers["set-cookie"]).values()
    assert cookie["secure"]


@pytest.mark.parametrize("csrf", [None, "", "0" * 64, "é"])
def test_without_the_second_token_nothing_is_done(browser: httpx.Client, store: Store, csrf: str | None) -> None:
    right = signed_in(browser, key_for(store, Role.ADMIN))["csrf_token"]
    headers: Any = {} if csrf is None else {"x-csrf-token": csrf.encode()}
    for method, path in (("POST", "/graphql"), ("DELETE", "/session"), ("PUT", "/"), ("OPTIONS", "/graphql")):
        answer = browser.request(method, path, headers=headers, json=WHO if method == "POST" else None)
        assert answer.status_code == 403, method
        assert answer.json()["errors"][0]["extensions"]["code"] == "FORBIDDEN"
    assert asked(browser, right).status_code == 200


def test_another_sessions_token_is_none(base: str, store: Store) -> None:
    key = key_for(store, Role.ADMIN)
    with httpx.Client(base_url=base, trust_env=False) as one, httpx.Client(base_url=base, trust_env=False) as other:
        signed_in(one, key)
        token = signed_in(other, key)["csrf_token"]
        assert asked(one, token).status_code == 403


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("{base}", 200),
        ("https://evil.example", 403),
        ("null", 403),
        ("http://127.0.0.1:1", 403),
        ("http://127.0.0.1.evil.example", 403),
        ("http://[", 403),
        ("", 403),
    ],
)
def test_what_another_site_sends(browser: httpx.Client, store: Store, base: str, origin: str, status: int) -> None:
    token = signed_in(browser, key_for(store, Role.ADMIN))["csrf_token"]
    origin = origin.replace("{base}", base)
    assert asked(browser, token, origin=origin).status_code == status
    assert browser.get("/session", headers={"origin": origin}).status_code == status
    key = {"key": key_for(store, Role.ADMIN)}
    assert browser.post("/session", json=key, headers={"origin": origin}).status_code == status


def test_a_key_wins_over_a_cookie(browser: httpx.Client, store: Store) -> None:
    signed_in(browser, key_for(store, Role.ADMIN))
    key = key_for(store, Role.ANALYST)
    found = asked(browser, None, **bearer(key)).json()["data"]["viewer"]
    assert (found["roles"], found["key"]) == (["ANALYST"], key.split("_")[1])
    assert asked(browser, None, **bearer(Token.new(Kind.KEY).text)).status_code == 401
    shown = browser.get("/session", headers=bearer(key)).json()
    assert (shown["roles"], shown["csrf_token"]) == (["analyst"], None)
    assert browser.delete("/session", headers=bearer(key)).status_code == 204  # signs nobody out
    browser.cookies.clear()
    assert browser.get("/session").json()["principal"] is None


def test_signing_out(browser: httpx.Client, store: Store) -> None:
    opened = signed_in(browser, key_for(store, Role.CLERK))
    cookie = browser.cookies[COOKIE]
    csrf = {"x-csrf-token": opened["csrf_token"]}
    answer = browser.delete("/session", headers=csrf)
    assert answer.status_code == 204
    assert COOKIE not in browser.cookies
    stolen = {"cookie": f"{COOKIE}={cookie}"} | csrf
    assert browser.post("/graphql", json=WHO, headers=stolen).status_code == 401
    with store.driver() as driver:
        assert driver.execute("SELECT count(*) FROM mingpai.sessions").fetchone() == (0,)


def _sessions(database: Database, change: str) -> None:
    with psycopg.connect(database.admin_url, autocommit=True) as admin:
        admin.execute(f"UPDATE mingpai.{change}")  # type: ignore[arg-type]


ENDS: dict[str, Callable[[Store, Database, str], object]] = {
    "key revoked": lambda store, database, key: revoke_key(store, key),
    "key expired": lambda store, database, key: _sessions(database, "access_keys SET expires_at = now()"),
    "principal disabled": lambda store, database, key: change_principal(
        store, _owner(store, key), {"is_disabled": True}
    ),
    "too old": lambda store, database, key: _sessions(database, "sessions SET expires_at = now()"),
    "idle": lambda store, database, key: _sessions(
        database, f"sessions SET last_used_at = now() - interval '{IDLE_SECONDS} s'"
    ),
    "gone": lambda store, database, key: _delete(database),
}


def _owner(store: Store, key: str) -> str:
    row = key_row(store, key)
    assert row is not None
    return row.principal


def _delete(database: Database) -> None:
    with psycopg.connect(database.admin_url, autocommit=True) as admin:
        admin.execute("DELETE FROM mingpai.sessions")


@pytest.mark.parametrize("end", ENDS)
def test_how_a_session_ends(
    browser: httpx.Client, store: Store, database: Database, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.access.authenticator.REMEMBERED", 0.0)
    key = key_for(store, Role.CLERK)
    token = signed_in(browser, key)["csrf_token"]
    assert asked(browser, token).status_code == 200
    ENDS[end](store, database, key.split("_")[1])
    assert browser.get("/session").json()["principal"] is None  # who comes back to a page is the public
    answer = asked(browser, token)
    assert answer.status_code == 401
    assert answer.json()["errors"][0]["message"] == "This session is over: sign in again."
    assert COOKIE not in browser.cookies  # a cookie that opens nothing goes


def test_a_use_puts_off_the_end_of_an_idle_session(
    browser: httpx.Client, store: Store, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.access.authenticator.REMEMBERED", 0.0)
    token = signed_in(browser, key_for(store, Role.CLERK))["csrf_token"]
    for _ in range(3):
        _sessions(database, f"sessions SET last_used_at = now() - interval '{IDLE_SECONDS - 60} s'")
        assert asked(browser, token).status_code == 200
    with store.driver() as driver:
        row = driver.execute("SELECT now() - last_used_at < interval '60 s' FROM mingpai.sessions").fetchone()
    assert row == (True,)


def test_a_session_ends_with_its_key(browser: httpx.Client, store: Store) -> None:
    key = key_for(store, Role.CLERK, seconds=600)
    row = key_row(store, key.split("_")[1])
    assert row is not None
    assert row.expires_at is not None
    assert signed_in(browser, key)["expires_at"][:19] == row.expires_at[:19]


def test_sessions_that_have_ended_go(browser: httpx.Client, store: Store, database: Database) -> None:
    key = key_for(store, Role.CLERK)
    for _ in range(3):
        signed_in(browser, key)
    _sessions(database, "sessions SET expires_at = now() - interval '1 s'")
    signed_in(browser, key)
    with store.driver() as driver:
        assert driver.execute("SELECT count(*) FROM mingpai.sessions").fetchone() == (1,)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"[]", 400),
        (b"{}", 400),
        (b'{"key": 1}', 400),
        (b'{"key": ""}', 400),
        (b'{"key": "x", "more": 1}', 400),
        (b'{"code": "x"}', 400),
        (b'{"key": "' + b"x" * 5000 + b'"}', 400),
        (b"\xff", 400),
        (b'{"key": "mp_x"}', 401),
        (b'{"key": "Bearer mp_x"}', 401),
        (b'{"key": "\\ud800"}', 400),
        (b'{"code": "a", "code_verifier": "b", "redirect_uri": "c", "nonce": "d"}', 401),
    ],
)
def test_sign_ins_that_are_none(browser: httpx.Client, body: bytes, status: int) -> None:
    answer = browser.post("/session", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == status
    assert "set-cookie" not in answer.headers
    assert b"mp_x" not in answer.content


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_a_form_can_send_signs_nobody_in(browser: httpx.Client, store: Store, kind: str) -> None:
    body = b'{"key": "%s"}' % key_for(store, Role.CLERK).encode()
    answer = browser.post("/session", content=body, headers={"content-type": kind})
    assert (answer.status_code, browser.cookies.get(COOKIE)) == (415, None)


def test_a_bad_cookie_does_not_keep_from_signing_in(browser: httpx.Client, store: Store) -> None:
    for cookie in (Token.new(Kind.SESSION).text, "x", key_for(store, Role.CLERK)):
        browser.cookies.set(COOKIE, cookie)
        assert asked(browser, None).status_code == 401
        browser.cookies.set(COOKIE, cookie)
        assert browser.get("/").status_code == 200
        browser.cookies.clear()
        assert signed_in(browser, key_for(store, Role.CLERK))["roles"] == ["clerk"]
        browser.cookies.clear()


def test_a_sessions_token_is_no_key(browser: httpx.Client, store: Store) -> None:
    signed_in(browser, key_for(store, Role.CLERK))
    cookie = browser.cookies[COOKIE]
    browser.cookies.clear()
    assert asked(browser, None, **bearer(cookie)).status_code == 401
    assert browser.post("/session", json={"key": cookie}).status_code == 401


def test_a_wrong_secret_of_a_session_that_is_remembered(browser: httpx.Client, store: Store) -> None:
    token = signed_in(browser, key_for(store, Role.CLERK))["csrf_token"]
    assert asked(browser, token).status_code == 200
    cookie = browser.cookies[COOKIE]
    browser.cookies.clear()
    other = f"{cookie[:-1]}{'0' if cookie[-1] != '0' else '1'}"
    assert asked(browser, token, cookie=f"{COOKIE}={other}").status_code == 401
