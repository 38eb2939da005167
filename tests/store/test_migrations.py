"""Migrations: many at once, the schema against the tables of the code, revisions that do not fit."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine
from sqlalchemy.dialects.postgresql.base import ischema_names

from service.embedded import Server
from service.settings import SettingError, Settings
from service.store import Store, opened, upgrade, upgraded
from service.store.errors import SchemaNewerError, SchemaOutdatedError, UnsafeRoleError
from service.store.tables import REVISION, SCHEMA, Xid8, metadata
from tests.databases import Database, cloned

_ROOT = Path(__file__).parents[2]


@pytest.fixture
def empty(postgres: Server) -> Iterator[Database]:
    with cloned(postgres, "template0") as made:
        yield made


def test_six_processes_at_once(empty: Database) -> None:
    code = "import sys; from service.store import upgrade; print(upgrade(sys.argv[1]))"
    command = [sys.executable, "-c", code, empty.owner_url]
    migrators = [subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True) for _ in range(6)]
    assert [migrator.communicate(timeout=90)[0] for migrator in migrators] == [f"{REVISION}\n"] * 6
    assert [migrator.returncode for migrator in migrators] == [0] * 6
    Store.connect(empty.application_url, unsafe_allowed=True).close()


def test_schema_is_what_the_code_thinks(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ischema_names, "xid8", Xid8)
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(database.owner_url))
    options = {
        "compare_type": True,
        "include_schemas": True,
        "include_name": lambda name, kind, _: kind != "schema" or name == SCHEMA,
        "version_table_schema": SCHEMA,
    }
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection, opts=options), metadata) == []
    engine.dispose()


def test_revision_of_the_code_is_the_newest_script() -> None:
    config = Config()
    config.set_main_option("script_location", str(_ROOT / "migrations"))
    script = ScriptDirectory.from_config(config)
    assert script.get_current_head() == REVISION
    assert [one.revision for one in script.walk_revisions()] == sorted(
        (one.revision for one in script.walk_revisions()), reverse=True
    )


def test_database_without_a_schema(empty: Database) -> None:
    with pytest.raises(SchemaOutdatedError, match="mingpai db upgrade"):
        Store.connect(empty.application_url, unsafe_allowed=True)


@pytest.mark.parametrize(("revision", "error"), [("0000", SchemaOutdatedError), ("9999", SchemaNewerError)])
def test_revision_that_does_not_fit(database: Database, revision: str, error: type[Exception]) -> None:
    with psycopg.connect(database.owner_url) as owner:
        owner.execute("UPDATE mingpai.alembic_version SET version_num = %s", [revision])
    with pytest.raises(error, match=revision):
        Store.connect(database.application_url, unsafe_allowed=True)


def test_upgrade_refuses_a_newer_database(database: Database) -> None:
    with psycopg.connect(database.owner_url) as owner:
        owner.execute("UPDATE mingpai.alembic_version SET version_num = '9999'")
    with pytest.raises(SchemaNewerError, match="newer program"):
        upgrade(database.owner_url)


def test_upgrade_needs_the_owner(empty: Database) -> None:
    with pytest.raises(UnsafeRoleError, match="permission denied"):
        upgrade(empty.application_url)


def test_upgrade_by_a_superuser_is_fine_too(empty: Database) -> None:
    assert upgrade(empty.admin_url) == REVISION
    Store.connect(empty.application_url, unsafe_allowed=True).close()


def test_owner_of_another_name(postgres: Server, empty: Database) -> None:
    """On a server of one's own the roles have other names, and the application's login is a member of ours."""
    with psycopg.connect(empty.admin_url, autocommit=True) as admin:
        for name in ("another_owner", "another_login"):
            admin.execute(f"DROP ROLE IF EXISTS {name}")
            admin.execute(f"CREATE ROLE {name} LOGIN PASSWORD '{name}'")
        admin.execute("GRANT mingpai_ledger TO another_owner")
        admin.execute("GRANT mingpai_application TO another_login")
        admin.execute(f"GRANT CREATE ON DATABASE {admin.info.dbname} TO another_owner")
        place = f"127.0.0.1:{postgres.port}/{admin.info.dbname}"
    upgrade(f"postgresql://another_owner:another_owner@{place}")
    Store.connect(f"postgresql://another_login:another_login@{place}", unsafe_allowed=True).close()


def test_settings_name_the_database(database: Database, tmp_path: Path) -> None:
    settings = Settings.from_environment(database.environment)
    assert upgraded(settings) == REVISION
    with opened(settings) as store:
        assert store.health().schema_revision == REVISION
    with pytest.raises(SettingError, match="MINGPAI_MIGRATION_URL"):
        upgraded(Settings(tmp_path, database_url=database.application_url))
