"""``mingpai keys`` as a process over a real database."""

from __future__ import annotations

import json
import re

import pytest

from schema.ports import Role
from service.api import create_app
from service.store import Store
from tests.access.keys import bearer
from tests.api.clients import Client
from tests.databases import Database
from tests.usecases.commands import run, said

WHO = "{ viewer { roles player principal { label kind } } }"
KEY = re.compile(r"mp_[0-9a-f]{16}_[0-9a-f]{64}")


def created(database: Database, *arguments: str) -> str:
    done = run(database, "keys", "create", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode().strip()


def test_a_key_is_all_of_standard_output_and_works(database: Database, store: Store) -> None:
    key = created(database, "--role", "clerk", "--role", "player", "--name", "陳大文", "--player", "p-7")
    assert KEY.fullmatch(key)
    found = Client(create_app(store)).request("POST", "/graphql", json={"query": WHO}, headers=bearer(key)).json()
    principal = {"label": "陳大文", "kind": "PERSON"}
    assert found["data"]["viewer"] == {"roles": ["PLAYER", "CLERK"], "player": "p-7", "principal": principal}


def test_as_json_and_for_a_principal_that_there_is(database: Database) -> None:
    first = json.loads(created(database, "--role", "server", "--name", "table server 3", "--format", "json"))
    assert first["roles"] == ["server"]
    assert first["expires_at"] is None
    again = json.loads(
        created(database, "--role", "server", "--principal", first["principal"], "--expires", "30d", "--format", "json")
    )
    assert again["principal"] == first["principal"]
    assert again["expires_at"] > again["created_at"]
    assert again["secret"] != first["secret"]


def test_the_list_shows_no_secret(database: Database) -> None:
    keys = [created(database, "--role", "auditor", "--name", f"auditor {number}") for number in range(3)]
    for format in ("text", "json"):
        done = run(database, "keys", "list", "--format", format)
        assert done.returncode == 0
        shown = done.stdout.decode()
        for key in keys:
            assert key.split("_")[1] in shown
            assert key.split("_")[2] not in shown
    rows = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert [row["owner"] for row in rows] == ["auditor 2", "auditor 1", "auditor 0"]
    only = run(database, "keys", "list", "--principal", rows[0]["principal"], "--format", "json")
    assert [json.loads(line)["key"] for line in only.stdout.decode().splitlines()] == [rows[0]["key"]]


def test_a_list_longer_than_a_page(database: Database, store: Store) -> None:
    from tests.access.keys import key_for, principal_for

    owner = principal_for(store)
    made = [key_for(store, Role.CLERK, principal=owner).split("_")[1] for _ in range(203)]
    done = run(database, "keys", "list", "--format", "json")
    assert [json.loads(line)["key"] for line in done.stdout.decode().splitlines()] == made[::-1]


def test_revoking_reaches_a_running_service(database: Database, store: Store) -> None:
    key = created(database, "--role", "analyst", "--name", "analyst")
    client = Client(create_app(store))
    done = run(database, "keys", "revoke", key.split("_")[1])
    assert done.returncode == 0
    answer = client.request("POST", "/graphql", json={"query": WHO}, headers=bearer(key))
    assert answer.status_code == 401


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--role", "king", "--name", "x"], "--role king: expected server, player, clerk"),
        (["--role", "clerk"], "--principal with its id, or --name"),
        (["--role", "clerk", "--name", "x", "--principal", "y"], "--principal with its id, or --name"),
        (["--role", "clerk", "--principal", "nobody"], "--principal nobody: there is no such principal"),
        (["--role", "clerk", "--principal", "x", "--player", "y"], "for a new principal"),
        (["--role", "clerk", "--name", "x", "--kind", "robot"], "--kind robot: expected person or server"),
        (["--role", "clerk", "--name", "x", "--kind", "server"], "has the role server and no other"),
        (["--role", "server", "--role", "clerk", "--name", "x"], "not for persons"),
        (["--role", "server", "--name", "x", "--kind", "person"], "not for persons"),
        (["--role", "server", "--name", "x", "--player", "y"], "no player"),
        (["--role", "player", "--name", "x"], "needs a person with the id of a player"),
        (["--role", "clerk", "--name", "x", "--expires", "soon"], "--expires soon: expected a time such as"),
        (["--role", "clerk", "--name", "x", "--expires", "0d"], "--expires 0d: expected a time such as"),
        (["--role", "clerk", "--name", ""], "--name: expected 1 to 255"),
        (["--role", "clerk", "--name", "a\nb"], "--name: expected 1 to 255"),
    ],
)
def test_what_is_refused_leaves_nothing(database: Database, store: Store, arguments: list[str], expected: str) -> None:
    done = run(database, "keys", "create", *arguments)
    assert done.returncode == 2
    assert done.stdout == b""
    (line,) = said(done)
    assert expected in line
    with store.driver() as driver:
        assert driver.execute("SELECT count(*) FROM mingpai.principals").fetchone() == (0,)


def test_a_taken_player(database: Database) -> None:
    created(database, "--role", "player", "--name", "one", "--player", "p-1")
    done = run(database, "keys", "create", "--role", "player", "--name", "two", "--player", "p-1")
    assert (done.returncode, done.stdout) == (2, b"")
    assert "another person is this player" in said(done)[0]


def test_revoking_what_is_not_there_revokes_nothing(database: Database, store: Store) -> None:
    key = created(database, "--role", "clerk", "--name", "x")
    done = run(database, "keys", "revoke", key.split("_")[1], key)
    assert done.returncode == 2
    (line,) = said(done)
    assert "there is no such key" in line
    assert key not in line  # whoever gives the whole key by mistake does not see it in a log
    with store.driver() as driver:
        assert driver.execute("SELECT count(revoked_at) FROM mingpai.access_keys").fetchone() == (0,)
