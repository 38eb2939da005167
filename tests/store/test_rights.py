"""Who may do what: nobody changes events, the application appends by functions only, the reader reads."""

from __future__ import annotations

import psycopg
import pytest
from psycopg import errors

from service.embedded import ADMIN, APPLICATION, Server
from service.store import Store
from service.store.errors import AppendOnlyError, UnreachableError, UnsafeDatabaseError, UnsafeRoleError, translate
from tests.databases import Database
from tests.store.games import assert_sound, body, open_game

_CHANGES = [
    "UPDATE mingpai.events SET body = 'x'",
    "UPDATE mingpai.events SET body = 'x' WHERE false",
    "DELETE FROM mingpai.events",
    "TRUNCATE mingpai.events",
]
_INSERT = """
    INSERT INTO mingpai.events (game, seq, recorded_at, body, public_digest, salt, head)
    SELECT game, 9, recorded_at, body, public_digest, salt, head FROM mingpai.events
"""


def refused(url: str, *statements: str) -> psycopg.Error:
    """What PostgreSQL says to the last of the statements."""
    with psycopg.connect(url) as connection:
        for statement in statements[:-1]:
            connection.execute(statement)
        with pytest.raises(psycopg.Error) as caught:
            connection.execute(statements[-1])
        connection.rollback()
    return caught.value


@pytest.mark.parametrize("change", _CHANGES)
def test_triggers_stop_superuser_and_replication(database: Database, store: Store, change: str) -> None:
    open_game(store)
    for setting in ("origin", "replica", "local"):
        error = refused(database.admin_url, f"SET session_replication_role = {setting}", change)
        assert isinstance(translate(error), AppendOnlyError)
    assert assert_sound(store, "g") == 1


@pytest.mark.parametrize("change", _CHANGES)
def test_events_owner_is_stopped_by_rights_and_by_triggers(database: Database, store: Store, change: str) -> None:
    open_game(store)
    as_ledger = "SET ROLE mingpai_ledger"
    assert isinstance(refused(database.owner_url, as_ledger, change), errors.InsufficientPrivilege)
    grant = "GRANT ALL ON mingpai.events TO mingpai_ledger"
    error = refused(database.owner_url, as_ledger, grant, change)
    assert isinstance(translate(error), AppendOnlyError)
    assert assert_sound(store, "g") == 1


@pytest.mark.parametrize("role", ["application_url", "reader_url"])
@pytest.mark.parametrize(
    "statement",
    [
        *_CHANGES,
        _INSERT,
        "UPDATE mingpai.game_heads SET next_seq = 0",
        "UPDATE mingpai.game_heads SET status = 'open'",
        "DELETE FROM mingpai.appends",
        "UPDATE mingpai.game_secrets SET secret = ''",
        "UPDATE mingpai.seat_names SET name = ''",
        "DELETE FROM mingpai.games",
        "CREATE TABLE mingpai.mine ()",
        "SET ROLE mingpai_ledger",
        "ALTER TABLE mingpai.events DISABLE TRIGGER ALL",
        "SELECT mingpai.extend(h, NULL, '{}', '{}', '{}') FROM mingpai.game_heads h",
        "SELECT * FROM mingpai.staged_events",
        "UPDATE mingpai.staged_events SET body = ''",
        "DELETE FROM mingpai.staged_events",
        "TRUNCATE mingpai.staged_events",
        "INSERT INTO mingpai.staged_events VALUES ('3', 1, '', '', '')",
        "INSERT INTO mingpai.staged_events (seq, body, public_digest, salt) VALUES (1, '', '', '') RETURNING batch",
        "COPY mingpai.staged_events FROM STDIN",
        "COPY mingpai.staged_events TO STDOUT",
        "ALTER TABLE mingpai.staged_events DISABLE TRIGGER noted",
        "SELECT * FROM mingpai.staging",
        "INSERT INTO mingpai.staging DEFAULT VALUES",
        "DELETE FROM mingpai.staging",
        "SET session_replication_role = replica",
    ],
)
def test_neither_application_nor_reader_may(database: Database, store: Store, role: str, statement: str) -> None:
    open_game(store)
    assert isinstance(refused(getattr(database, role), statement), errors.InsufficientPrivilege)
    assert assert_sound(store, "g") == 1


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM mingpai.game_secrets",
        "SELECT * FROM mingpai.seat_names",
        "SELECT * FROM mingpai.event_texts",
        "SELECT mingpai.append_events('g', 1, NULL, '{}', '{}', '{}')",
        "SELECT mingpai.seal_game('g', '{}')",
        "SELECT mingpai.ingest_events('g', '', '', '{}')",
        "INSERT INTO mingpai.staged_events (seq, body, public_digest, salt) VALUES (1, '', '', '')",
        "DELETE FROM mingpai.findings",
    ],
)
def test_reader_sees_no_secret_and_appends_nothing(database: Database, store: Store, statement: str) -> None:
    open_game(store)
    assert isinstance(refused(database.reader_url, statement), errors.InsufficientPrivilege)


def test_reader_reads(database: Database, store: Store) -> None:
    open_game(store)
    with psycopg.connect(database.reader_url) as connection:
        counted = connection.execute("SELECT count(*) FROM mingpai.events JOIN mingpai.games USING (game)")
        assert counted.fetchone() == (1,)


def test_functions_cannot_be_misled_by_the_callers_objects(database: Database, store: Store) -> None:
    """A caller's own sha256 in a schema of its own, first in its search_path, is not what the ledger runs."""
    open_game(store)
    with psycopg.connect(database.application_url) as connection:
        connection.execute("CREATE FUNCTION pg_temp.sha256(bytea) RETURNS bytea LANGUAGE sql RETURN ''::bytea")
        connection.execute("SET search_path = pg_temp, mingpai, pg_catalog")
        digests = ([body(1)], [b"p" * 32], [b"s" * 16])
        connection.execute("SELECT mingpai.append_events('g', 1, NULL, %b, %b, %b)", digests)
        heads = connection.execute("SELECT DISTINCT octet_length(head) FROM mingpai.events").fetchall()
    assert heads == [(32,)]


@pytest.mark.parametrize("role", ["admin_url", "owner_url", "reader_url"])
def test_service_refuses_other_roles(database: Database, role: str) -> None:
    with pytest.raises(UnsafeRoleError, match=r"MINGPAI_DATABASE_URL|GRANT"):
        Store.connect(getattr(database, role), unsafe_allowed=True)


def test_service_refuses_an_application_that_may_write(database: Database, postgres: Server) -> None:
    with psycopg.connect(database.admin_url) as admin:
        admin.execute("GRANT UPDATE ON mingpai.events TO mingpai_application")
    with pytest.raises(UnsafeRoleError, match="may write events"):
        Store.connect(database.application_url, unsafe_allowed=True)


def test_service_refuses_an_unsafe_server(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(UnsafeDatabaseError, match=r"fsync = off.*MINGPAI_UNSAFE_DATABASE"):
        Store.connect(database.application_url)
    with Store.connect(database.application_url, unsafe_allowed=True) as store:
        unsafe = ("fsync = off", "full_page_writes = off", "synchronous_commit = off")
        assert (store.unsafe, store.health().unsafe) == (unsafe, unsafe)
    assert "fsync = off" in caplog.text


def test_server_that_is_not_there(database: Database, postgres: Server) -> None:
    with pytest.raises(UnreachableError):
        Store.connect(database.application_url.replace(str(postgres.port), "1"))
    with pytest.raises(UnreachableError, match="does not exist"):
        Store.connect(postgres.url(APPLICATION, "nowhere"))
    with pytest.raises(UnreachableError, match="password"):
        Store.connect(postgres.url(ADMIN).replace(postgres.passwords[ADMIN], "guess"))
