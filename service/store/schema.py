"""Bringing a database to this program's revision, and refusing one that is not fit to keep events."""

from __future__ import annotations

import logging
from pathlib import Path

import psycopg
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from service.store.errors import SchemaNewerError, SchemaOutdatedError, UnsafeDatabaseError, UnsafeRoleError, translated
from service.store.records import Health
from service.store.tables import REVISION, SCHEMA

_LOG = logging.getLogger("mingpai.store")
_MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
_OLDEST_SERVER = 150000
#: One number for everybody who migrates (ASCII "mingpai"): they queue behind it.
_MIGRATION_LOCK = int.from_bytes(b"mingpai", "big")
_DURABILITY = ["fsync", "full_page_writes", "synchronous_commit"]


def connect(url: str) -> psycopg.Connection[tuple[object, ...]]:
    """A connection in autocommit mode; ``UnreachableError`` if there is none to be had."""
    with translated():
        return psycopg.connect(url, autocommit=True, connect_timeout=10, application_name="mingpai")


def upgrade(url: str) -> str:
    """Brings the database to ``REVISION`` as the role that owns the schema, and returns that revision.

    Any number of processes may do so at once: they queue behind a lock, and whoever comes later finds nothing to do.
    Raises ``SchemaNewerError``, ``UnsafeRoleError`` (a role that may not create the schema) or ``UnreachableError``.
    """
    from alembic import command  # takes a while to load, and only upgrades need it
    from alembic.config import Config

    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=NullPool)
    with translated(), engine.begin() as connection:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
        # Asked first: the statement needs the right to create schemas even where there is nothing to create.
        if not connection.exec_driver_sql(f"SELECT to_regnamespace('{SCHEMA}') IS NOT NULL").scalar():
            connection.exec_driver_sql(f"CREATE SCHEMA {SCHEMA}")
        current = revision(connection.connection.driver_connection)  # type: ignore[arg-type]
        if current is not None and current > REVISION:
            raise SchemaNewerError(_newer(current))
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
        command.upgrade(config, REVISION)
    return REVISION


def revision(connection: psycopg.Connection[tuple[object, ...]]) -> str | None:
    """The database's revision, ``None`` if it has no schema of ours."""
    there = connection.execute("SELECT to_regclass(%s) IS NOT NULL", [f"{SCHEMA}.alembic_version"]).fetchone()
    if there is None or not there[0]:
        return None
    row = connection.execute("SELECT version_num FROM mingpai.alembic_version").fetchone()
    return str(row[0]) if row else None


def check_fit(connection: psycopg.Connection[tuple[object, ...]], *, unsafe_allowed: bool) -> Health:
    """How the database stands, if the service may use it; else the ``StoreUnavailableError`` that says why not."""
    if connection.info.server_version < _OLDEST_SERVER:
        raise UnsafeDatabaseError(f"PostgreSQL {_OLDEST_SERVER // 10000} or newer is needed")
    with translated():
        _check_revision(revision(connection))
        _check_role(connection)
        found = health(connection)
    if found.unsafe and not unsafe_allowed:
        raise UnsafeDatabaseError(
            f"the database may lose acknowledged events: {', '.join(found.unsafe)}; turn that on, or accept it with "
            "MINGPAI_UNSAFE_DATABASE=1"
        )
    if found.unsafe:
        _LOG.warning("unsafe database: %s; no checkpoint is signed", ", ".join(found.unsafe))
    return found


def health(connection: psycopg.Connection[tuple[object, ...]]) -> Health:
    """How the database stands right now, judged by nobody."""
    rows = connection.execute(
        "SELECT name || ' = off' FROM pg_settings WHERE name = ANY(%s) AND setting = 'off' ORDER BY name", [_DURABILITY]
    ).fetchall()
    version = connection.info.server_version
    unsafe = tuple(str(row[0]) for row in rows)
    return Health(f"{version // 10000}.{version % 10000}", revision(connection) or "", unsafe)


def _check_revision(current: str | None) -> None:
    if current is None or current < REVISION:
        stands = "has no schema" if current is None else f"is at revision {current}"
        raise SchemaOutdatedError(f"the database {stands}, this program needs {REVISION}: run `mingpai db upgrade`")
    if current > REVISION:
        raise SchemaNewerError(_newer(current))


def _newer(current: str) -> str:
    return f"the database is at revision {current}, this program knows {REVISION}: use a newer program"


def _check_role(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    row = connection.execute(
        """
        SELECT current_user,
               rolsuper,
               has_table_privilege('mingpai.events', 'INSERT, UPDATE, DELETE, TRUNCATE')
                 OR pg_has_role('mingpai_ledger', 'MEMBER')
                 OR pg_has_role((SELECT nspowner FROM pg_namespace WHERE nspname = 'mingpai'), 'MEMBER'),
               has_function_privilege('mingpai.seal_game(text, bytea)', 'EXECUTE')
        FROM pg_roles WHERE rolname = current_user
        """
    ).fetchone()
    assert row is not None  # everybody has a role
    role, superuser, writes, appends = row
    if superuser or writes:
        may = "is a superuser" if superuser else "may write events by itself"
        raise UnsafeRoleError(f"{role} {may}: MINGPAI_DATABASE_URL must name the application's role")
    if not appends:
        raise UnsafeRoleError(f"{role} may not append: GRANT mingpai_application TO {role}")
