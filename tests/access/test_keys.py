"""API keys over real HTTP: what opens the service, what does not, and that nobody is told why."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import httpx
import psycopg
import pytest

from schema.ports import Role
from service.access.authenticator import REMEMBERED, Authenticator
from service.access.errors import CredentialsError
from service.access.keys import Kind, Token
from service.embedded import ADMIN, Server
from service.store import Store
from service.store.access import change_principal, key_row, revoke_key
from tests.access.keys import bearer, key_for, principal_for
from tests.databases import Database

WHO = {"query": "{ viewer { key player roles principal { principal } } }"}


def asked(client: httpx.Client, **headers: str) -> httpx.Response:
    return client.post("/graphql", json=WHO, headers=headers)


@pytest.mark.parametrize("role", Role)
def test_every_role_has_its_key(browser: httpx.Client, store: Store, role: Role) -> None:
    player = "p-1" if role is Role.PLAYER else None
    key = key_for(store, role, player=player)
    found = asked(browser, **bearer(key)).json()["data"]["viewer"]
    assert found["roles"] == [role.name]
    assert found["player"] == player
    assert found["key"] == key.split("_")[1]


def test_without_a_key_one_is_the_public(browser: httpx.Client) -> None:
    nobody = {"key": None, "player": None, "roles": [], "principal": None}
    assert asked(browser).json()["data"] == {"viewer": nobody}


def _flipped(key: str) -> str:
    return key[:-1] + ("0" if key[-1] != "0" else "1")


def _revoked(store: Store, admin: psycopg.Connection[Any]) -> str:
    key = key_for(store, Role.CLERK)
    revoke_key(store, key.split("_")[1])
    return key


def _disabled(store: Store, admin: psycopg.Connection[Any]) -> str:
    owner = principal_for(store)
    change_principal(store, owner, {"is_disabled": True})
    return key_for(store, Role.CLERK, principal=owner)


def _expired(store: Store, admin: psycopg.Connection[Any]) -> str:
    key = key_for(store, Role.CLERK, seconds=3600)
    admin.execute("UPDATE mingpai.access_keys SET expires_at = now() - interval '1 s'")
    return key


def _made_with_one_that_is_revoked(store: Store, admin: psycopg.Connection[Any]) -> str:
    older = key_for(store, Role.CLERK)
    key = key_for(store, Role.CLERK, made_with=(older.split("_")[1],))
    revoke_key(store, older.split("_")[1])
    return key


BAD: dict[str, Callable[[Store, psycopg.Connection[Any]], str]] = {
    "unknown id": lambda store, admin: Token.new(Kind.KEY).text,
    "wrong secret": lambda store, admin: _flipped(key_for(store, Role.CLERK)),
    "revoked": _revoked,
    "expired": _expired,
    "disabled principal": _disabled,
    "made with a revoked one": _made_with_one_that_is_revoked,
    "no key at all": lambda store, admin: "mp_",
    "half a key": lambda store, admin: key_for(store, Role.CLERK)[:-2],
    "a session's form": lambda store, admin: key_for(store, Role.CLERK).replace("mp_", "ms_"),
    "upper case": lambda store, admin: key_for(store, Role.CLERK).upper(),
    "not ASCII": lambda store, admin: key_for(store, Role.CLERK)[:-1] + "é",
    "some token": lambda store, admin: "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.",
}


@pytest.mark.parametrize("fault", BAD)
def test_what_is_not_good_gets_one_and_the_same_answer(
    browser: httpx.Client, store: Store, database: Database, fault: str
) -> None:
    with psycopg.connect(database.admin_url, autocommit=True) as admin:
        key = BAD[fault](store, admin)
    answer = browser.post("/graphql", json=WHO, headers={"authorization": f"Bearer {key}".encode()})
    unknown = asked(browser, authorization=f"Bearer {Token.new(Kind.KEY).text}")
    assert answer.status_code == unknown.status_code == 401
    assert answer.content == unknown.content
    assert answer.headers["www-authenticate"] == "Bearer"
    assert set(answer.headers) == set(unknown.headers)


@pytest.mark.parametrize("header", ["", "Bearer", "Basic {key}", "{key}", "Bearer {key} x", "Token {key}"])
def test_other_forms_of_the_header(browser: httpx.Client, store: Store, header: str) -> None:
    key = key_for(store, Role.CLERK)
    assert asked(browser, authorization=header.replace("{key}", key)).status_code == 401


def test_a_bad_key_is_refused_everywhere(browser: httpx.Client) -> None:
    key = bearer(Token.new(Kind.KEY).text)
    for path in ("/", "/healthz", "/checkpoint", "/session"):
        assert browser.get(path, headers=key).status_code == 401


def test_a_wrong_secret_is_refused_while_the_right_one_is_remembered(browser: httpx.Client, store: Store) -> None:
    key = key_for(store, Role.CLERK)
    assert asked(browser, **bearer(key)).status_code == 200
    assert asked(browser, **bearer(_flipped(key))).status_code == 401
    assert asked(browser, **bearer(key)).status_code == 200


def test_a_remembered_key_costs_no_statement(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    gate, key = Authenticator(store), f"Bearer {key_for(store, Role.CLERK)}"
    found = gate.of(key, {}, None, "POST")
    assert gate.remembered(key, {}, None, "POST") == found
    monkeypatch.setattr(store, "driver", lambda: pytest.fail("the database was asked"))
    assert gate.of(key, {}, None, "POST") == found


def test_revoked_in_this_process_counts_at_once(browser: httpx.Client, store: Store) -> None:
    admin, clerk = key_for(store, Role.ADMIN), key_for(store, Role.CLERK)
    assert asked(browser, **bearer(clerk)).status_code == 200
    mutation = "mutation($key: String!) { revokeKey(key: $key) { ... on AccessKey { revokedAt } } }"
    document = {"query": mutation, "variables": {"key": clerk.split("_")[1]}}
    answer = browser.post("/graphql", json=document, headers=bearer(admin)).json()
    assert answer["data"]["revokeKey"]["revokedAt"] is not None
    assert asked(browser, **bearer(clerk)).status_code == 401


def _uses(url: str, key: str, link: Connection) -> None:
    """Another process of the service: uses a key before and after it is revoked, and says what came of that."""
    with Store.connect(url, unsafe_allowed=True) as store:
        gate = Authenticator(store)
        gate.of(f"Bearer {key}", {}, None, "POST")
        link.send("used")
        link.recv()  # it is revoked now
        time.sleep(REMEMBERED)
        try:
            gate.of(f"Bearer {key}", {}, None, "POST")
        except CredentialsError:
            link.send("refused")
        else:
            link.send("used")


def test_revoked_is_seen_by_another_process(database: Database, store: Store) -> None:
    key = key_for(store, Role.CLERK)
    ours, theirs = multiprocessing.Pipe()
    other = multiprocessing.get_context("spawn").Process(target=_uses, args=(store.url, key, theirs))
    other.start()
    assert ours.recv() == "used"
    revoke_key(store, key.split("_")[1])
    ours.send("revoked")
    assert ours.recv() == "refused"
    other.join()


def test_a_key_ends_by_itself_though_it_is_remembered(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.access.authenticator.REMEMBERED", 3600.0)
    gate, key = Authenticator(store), f"Bearer {key_for(store, Role.CLERK, seconds=3.0)}"
    gate.of(key, {}, None, "POST")
    time.sleep(3.0)
    with pytest.raises(CredentialsError):
        gate.of(key, {}, None, "POST")


def test_what_was_looked_up_before_a_revocation_is_not_remembered(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, key = Authenticator(store), key_for(store, Role.CLERK)
    whole = gate._by_token

    def revoked_meanwhile(token: Token) -> Any:
        found = whole(token)
        revoke_key(store, token.id)
        gate.forget()
        return found

    monkeypatch.setattr(gate, "_by_token", revoked_meanwhile)
    gate.of(f"Bearer {key}", {}, None, "POST")
    monkeypatch.undo()
    with pytest.raises(CredentialsError):
        gate.of(f"Bearer {key}", {}, None, "POST")


def test_the_last_use_is_noted_once_a_minute(database: Database, store: Store) -> None:
    key = key_for(store, Role.CLERK)
    name = key.split("_")[1]

    def used() -> str | None:
        Authenticator(store).of(f"Bearer {key}", {}, None, "POST")
        row = key_row(store, name)
        assert row is not None
        return row.last_used_at

    first = used()
    assert first is not None
    assert used() == first
    with psycopg.connect(database.admin_url, autocommit=True) as admin:
        admin.execute("UPDATE mingpai.access_keys SET last_used_at = last_used_at - interval '61 s'")
    later = used()
    assert later is not None
    assert later > first


def test_while_the_store_does_not_answer(
    store: Store, database: Database, postgres: Server, browser: httpx.Client
) -> None:
    """Nobody with a key is let in, nobody is told that the key is bad, and who needs none is served."""
    key, name = key_for(store, Role.CLERK), psycopg.conninfo.conninfo_to_dict(database.admin_url)["dbname"]
    with psycopg.connect(postgres.url(ADMIN), autocommit=True) as admin:
        admin.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')  # type: ignore[arg-type]
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
        for answer in (asked(browser, **bearer(key)), browser.post("/session", json={"key": key})):
            assert answer.status_code == 503
            assert answer.headers["retry-after"]
            assert answer.json()["errors"][0]["extensions"]["code"] == "UNAVAILABLE"
        assert browser.get("/").status_code == 200
        admin.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')  # type: ignore[arg-type]
    assert asked(browser, **bearer(key)).status_code == 200


def test_memory_is_bounded(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.access.authenticator._MOST", 5)
    gate, owner = Authenticator(store), principal_for(store)
    for _ in range(20):
        gate.of(f"Bearer {key_for(store, Role.CLERK, principal=owner)}", {}, None, "POST")
    assert len(gate._found) == 5


def test_the_store_holds_no_secret(database: Database, store: Store, browser: httpx.Client) -> None:
    keys = [key_for(store, Role.CLERK) for _ in range(3)]
    for key in keys:
        assert asked(browser, **bearer(key)).status_code == 200
        assert browser.post("/session", json={"key": key}).status_code == 200
    cookie = browser.cookies["mingpai_session"]
    dump = _dump(database)
    assert keys[0].split("_")[1] in dump
    for text in [*keys, cookie]:
        secret = text.split("_")[2]
        assert secret not in dump
        assert secret.upper() not in dump


def _dump(database: Database) -> str:
    """Every row of every table as text, bytes in hex."""
    with psycopg.connect(database.admin_url) as admin:
        tables = admin.execute(
            "SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) FROM information_schema.tables"
            " WHERE table_schema NOT IN ('pg_catalog', 'information_schema')"
        ).fetchall()
        assert len(tables) > 20
        rows = [admin.execute(f"SELECT t::text FROM {name} t").fetchall() for (name,) in tables]  # type: ignore[arg-type]
    return "\n".join(str(row) for table in rows for row in table)


def test_no_secret_in_a_repr(store: Store) -> None:
    token = Token.new(Kind.KEY)
    assert token.secret.hex() not in repr(token)
    assert repr(token.secret) not in repr(token)
    assert token.id in repr(token)


def test_no_secret_in_logs(database: Database, store: Store) -> None:
    """A real service is asked in every way that it may log, and writes what it has to say in full."""
    from tests.api.test_server import serving

    good, bad = key_for(store, Role.ADMIN), _flipped(key_for(store, Role.CLERK))
    with serving(database) as (process, base):
        for key in (good, bad):
            for path in ("/", f"/{key}", "/graphql", "/session"):
                httpx.post(f"{base}{path}", json={"key": key}, headers=bearer(key), trust_env=False)
                httpx.get(f"{base}{path}", headers={"cookie": f"mingpai_session={key}"}, trust_env=False)
        process.terminate()
        out, errors = process.communicate(timeout=30)
    said = out + errors
    for key in (good, bad):
        assert key.split("_")[2] not in said


@pytest.mark.parametrize("name", ["principals", "identities", "access_keys", "sessions"])
@pytest.mark.parametrize("statement", ["TRUNCATE mingpai.{}", "DROP TABLE mingpai.{}"])
def test_the_application_cannot_empty_its_tables(store: Store, name: str, statement: str) -> None:
    with store.driver() as driver, pytest.raises(psycopg.errors.InsufficientPrivilege):
        driver.execute(statement.format(name))


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE mingpai.access_keys SET roles = '{admin}'",
        "UPDATE mingpai.access_keys SET expires_at = NULL",
        "UPDATE mingpai.access_keys SET principal = 'x'",
        "UPDATE mingpai.access_keys SET digest = ''",
        "UPDATE mingpai.access_keys SET made_with = '{}'",
        "DELETE FROM mingpai.access_keys",
        "UPDATE mingpai.principals SET kind = 'server'",
        "DELETE FROM mingpai.principals",
        "UPDATE mingpai.sessions SET roles = '{admin}'",
        "UPDATE mingpai.sessions SET expires_at = 'infinity'",
        "UPDATE mingpai.identities SET principal = 'x'",
        "DELETE FROM mingpai.identities",
    ],
)
def test_the_application_cannot_give_a_key_more(store: Store, change: str) -> None:
    key_for(store, Role.CLERK)
    with store.driver() as driver, pytest.raises(psycopg.errors.InsufficientPrivilege):
        driver.execute(change)


def test_what_is_revoked_stays_revoked(database: Database, store: Store) -> None:
    key = key_for(store, Role.CLERK).split("_")[1]
    revoke_key(store, key)
    with psycopg.connect(database.admin_url) as admin, pytest.raises(psycopg.Error, match="refused"):
        admin.execute("UPDATE mingpai.access_keys SET revoked_at = NULL")


def test_the_reader_sees_no_key(database: Database, store: Store) -> None:
    key_for(store, Role.CLERK)
    for name in ("principals", "access_keys", "sessions", "identities", "good_keys"):
        with psycopg.connect(database.reader_url) as reader, pytest.raises(psycopg.errors.InsufficientPrivilege):
            reader.execute(f"SELECT FROM mingpai.{name}")  # type: ignore[arg-type]
