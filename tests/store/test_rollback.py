"""An older state of the database put in the place of the newer one: sound in itself, and shown by a copy outside."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import sql

from service.embedded import ADMIN, OWNER, Server
from service.evidence.checkpoints import signed_checkpoint
from service.evidence.log_tree import consistency_proof
from service.evidence.witness import WitnessError
from service.postgres import find_binaries
from service.settings import Settings
from service.store import Store, opened
from service.store.feed import Cursor, Feed
from service.store.log import Log
from service.usecases.checking import check
from service.usecases.notary import Notary, RewrittenError, RolledBackError, notary_of
from service.usecases.publishing import export, publish, push_to
from tests.databases import Database, addresses
from tests.evidence.witness_server import Witness, served
from tests.usecases.commands import run
from tests.usecases.games import game
from tests.usecases.sealed import ORIGIN, forgetful, notary_at, sizes, take_in


def dump(database: Database, path: Path) -> None:
    """Writes what ``pg_dump`` makes of a database."""
    _tool("pg_dump", "--dbname", database.admin_url, "--file", str(path))


@contextmanager
def restored(server: Server, path: Path, name: str) -> Iterator[Database]:
    """A dump as a new database."""
    with psycopg.connect(server.url(ADMIN), autocommit=True) as admin:
        words = sql.Identifier(name), sql.Identifier(OWNER)
        admin.execute(sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE template0").format(*words))
        try:
            database = addresses(server, name)
            _tool("psql", "--quiet", "--set", "ON_ERROR_STOP=1", "--dbname", database.admin_url, "--file", str(path))
            yield database
        finally:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _tool(name: str, *arguments: str) -> None:
    binaries = find_binaries(Settings.from_environment().postgres_bin)
    command = [str(binaries / name), *arguments]
    subprocess.run(command, check=True, capture_output=True, env={"PATH": os.environ["PATH"]})


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    return tmp_path / "keys.json"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the checkpoint is exported."""
    return tmp_path / "checkpoint"


@pytest.fixture
def rolled_back(
    durable: Server, durable_database: Database, durable_store: Store, keys: Path, file: Path, tmp_path: Path
) -> Iterator[Database]:
    """The database as it was when two games were sealed; four were, when the checkpoint in ``file`` was exported."""
    notary = notary_at(durable_store, keys)
    take_in(durable_store, game(0), game(1))
    export(durable_store, notary, file)
    dump(durable_database, tmp_path / "dump.sql")
    take_in(durable_store, game(2), game(3))
    export(durable_store, notary, file)
    name = urlsplit(durable_database.admin_url).path[1:] + "_restored"
    with restored(durable, tmp_path / "dump.sql", name) as database:
        yield database


@pytest.fixture
def old(rolled_back: Database) -> Iterator[Store]:
    with Store.connect(rolled_back.application_url) as store:
        yield store


def commands(database: Database, keys: Path) -> dict[str, str]:
    return {**database.environment, "MINGPAI_LOG_KEYS": str(keys)}


def test_a_restored_dump_is_sound_and_works(old: Store, keys: Path) -> None:
    """Restoring one is no attack by itself: triggers, rights, feed and keys are there."""
    notary = notary_at(old, keys)
    found = check(old, notary.verifiers)
    assert (found.games, found.seals, found.checkpoints, found.faults) == (2, 2, 1, [])
    before = len(Feed(old).page(Cursor()))
    assert before == len(game(0)) + len(game(1))
    take_in(old, game(5))
    assert len(Feed(old).page(Cursor())) == before + len(game(5))
    assert check(old, notary.verifiers).faults == []


def test_db_check_names_both_sizes(rolled_back: Database, keys: Path, file: Path) -> None:
    settings = commands(rolled_back, keys)
    assert run(settings, "db", "check", "--jobs", "1").returncode == 0
    done = run(settings, "db", "check", "--jobs", "1", "--checkpoint", str(file))
    assert done.returncode == 1
    assert "log: rolled back: the log has 2 seals, the checkpoint was signed over 4\n" in done.stdout.decode()


def test_the_copy_is_not_overwritten(rolled_back: Database, old: Store, keys: Path, file: Path) -> None:
    """Not by the command, not by the service's timer, whatever the log has grown to since."""
    evidence = file.read_bytes()
    done = run(commands(rolled_back, keys), "checkpoint", "export", str(file))
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"rolled back: the log has 2 seals, the checkpoint was signed over 4" in done.stderr
    notary = notary_at(old, keys)
    with pytest.raises(RolledBackError):
        export(old, notary, file)
    take_in(old, game(5), game(6))
    with pytest.raises(RewrittenError, match="first 4 seals"):
        export(old, notary, file)
    take_in(old, game(7))
    with pytest.raises(RewrittenError):
        export(old, notary, file)
    publish(old, notary, file)
    assert file.read_bytes() == evidence
    assert [fault.code for fault in check(old, notary.verifiers, [evidence]).faults] == ["rewritten"]


def test_nothing_is_signed_that_contradicts_the_copy(old: Store, keys: Path, file: Path) -> None:
    """Two checkpoints of one size and different roots, both signed, would be the log's own word against itself."""
    notary = notary_at(old, keys)
    assert sizes(old) == [2]
    take_in(old, game(5), game(6))
    with pytest.raises(RewrittenError):
        export(old, notary, file)
    assert sizes(old) == [2]
    publish(old, notary, file)
    assert sizes(old) == [2]


def test_the_log_that_grows_the_same_again_is_no_rewriting(old: Store, durable_store: Store, keys: Path) -> None:
    """Seals hang on the games' secrets, which were in the lost part: the same games give another log."""
    take_in(old, game(2), game(3))
    kept = Log(durable_store).checkpoint()
    assert kept is not None
    verifiers = notary_at(old, keys).verifiers
    assert [fault.code for fault in check(old, verifiers, [kept.note]).faults] == ["rewritten"]
    seals = [[leaf.seal for leaf in Log(store).leaves(0, 9)] for store in (old, durable_store)]
    assert seals[0][:2] == seals[1][:2]
    assert not set(seals[0][2:]) & set(seals[1][2:])


def test_a_witness_remembers(old: Store, durable_store: Store, keys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    notary = notary_at(durable_store, keys)
    witness = Witness({ORIGIN: notary.verifiers[0].public})
    with served(witness) as url:
        push_to(durable_store, notary, url, witness.verifier)
        for games, code in (([], "ahead"), ([5, 6], "conflict"), ([7], "proof")):
            take_in(old, *map(game, games))
            with pytest.raises(WitnessError) as caught:
                push_to(old, forgetful(old, keys), url, witness.verifier)
            assert caught.value.code == code
    assert witness.trees[ORIGIN][0] == 4


def test_the_newer_database_goes_on_from_every_copy(
    rolled_back: Database, durable_store: Store, keys: Path, file: Path
) -> None:
    """The other way round: the real one contains what was signed over the older state."""
    notary = notary_at(durable_store, keys)
    with Store.connect(rolled_back.application_url) as old:
        first = Log(old).checkpoint()
    assert first is not None
    assert check(durable_store, notary.verifiers, [first.note, file.read_bytes()]).faults == []
    assert len(consistency_proof(2, 4, Log(durable_store).nodes)) == 1


# -- The server's own files --------------------------------------------------------------------------------------------


def _grown(data: Path, *games: int, file: Path | None = None) -> Notary:
    """Takes in games on the embedded server of a data folder, and signs; the server is stopped afterwards."""
    settings = Settings(data)
    with opened(settings) as store:
        take_in(store, *map(game, games))
        notary = notary_of(store, settings)
        if file is None:
            notary.checkpoint()
        else:
            export(store, notary, file)
    return notary


def test_a_copy_of_the_data_folder_put_back(tmp_path: Path) -> None:
    """The whole folder, keys and all, as somebody would restore a machine from a backup."""
    data, backup, file = tmp_path / "data", tmp_path / "backup", tmp_path / "checkpoint"
    _grown(data, 0, file=file)
    subprocess.run(["cp", "-a", str(data), str(backup)], check=True)
    notary = _grown(data, 1, 2, file=file)
    assert signed_checkpoint(file.read_bytes(), *notary.verifiers).size == 3
    evidence = file.read_bytes()
    shutil.rmtree(data)
    backup.rename(data)
    settings = {"MINGPAI_DATA": str(data)}
    done = run(settings, "db", "check", "--jobs", "1", "--checkpoint", str(file))
    assert done.returncode == 1
    assert "rolled back: the log has 1 seals, the checkpoint was signed over 3" in done.stdout.decode()
    done = run(settings, "checkpoint", "export", str(file))
    assert (done.returncode, file.read_bytes()) == (1, evidence)
