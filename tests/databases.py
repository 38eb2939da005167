"""Databases for the tests: one server for a whole run, and for every test a copy of a migrated template."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import psycopg
from psycopg import sql

from service.embedded import ADMIN, APPLICATION, OWNER, READER, Server
from service.store import upgrade

_TEMPLATE = "mingpai_template"
#: Quick and not safe: a test database need not outlive the machine.
QUICK = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "autovacuum": "off",
    "max_connections": "200",
    "shared_buffers": "64MB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}
#: Small, and what the service signs on: everything that keeps what was acknowledged is on.
SAFE = {"max_connections": "200", "shared_buffers": "64MB"}


@dataclass(frozen=True, slots=True)
class Database:
    """A migrated database of one test, with its addresses by role, and the folder of the keys that sign over it."""

    owner_url: str
    application_url: str
    reader_url: str
    admin_url: str
    keys: Path

    @property
    def environment(self) -> dict[str, str]:
        """What a command needs to use this database."""
        return {
            "MINGPAI_DATABASE_URL": self.application_url,
            "MINGPAI_MIGRATION_URL": self.owner_url,
            "MINGPAI_UNSAFE_DATABASE": "1",
            "MINGPAI_DATA": str(self.keys),
        }

    @property
    def key_file(self) -> Path:
        """Where the commands keep the keys of the log."""
        return self.keys / "log-keys.json"


def addresses(server: Server, name: str) -> Database:
    """The addresses of the database ``name``."""
    owner, application, reader, admin = (server.url(role, name) for role in (OWNER, APPLICATION, READER, ADMIN))
    return Database(owner, application, reader, admin, server.data.parent / "keys" / name)


def make_template(server: Server) -> str:
    """The name of the migrated template, made by whichever process comes first."""
    with psycopg.connect(server.url(ADMIN), autocommit=True) as admin:
        admin.execute("SELECT pg_advisory_lock(1)")
        if admin.execute("SELECT FROM pg_database WHERE datname = %s", [_TEMPLATE]).rowcount == 0:
            create(admin, _TEMPLATE, "template1")
        upgrade(server.url(OWNER, _TEMPLATE))
    return _TEMPLATE


@contextmanager
def cloned(server: Server, template: str) -> Iterator[Database]:
    """A new database like ``template``, dropped afterwards whoever is still connected."""
    name = f"test_{uuid4().hex}"
    with psycopg.connect(server.url(ADMIN), autocommit=True) as admin:
        create(admin, name, template)
        try:
            yield addresses(server, name)
        finally:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def create(admin: psycopg.Connection[tuple[object, ...]], name: str, template: str) -> None:
    """Creates a database that the owner's role owns."""
    words = (sql.Identifier(name), sql.Identifier(OWNER), sql.Identifier(template))
    admin.execute(sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE {} STRATEGY FILE_COPY").format(*words))
