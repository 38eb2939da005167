"""The store's commands as processes: output, exit codes, one clear line for what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from psycopg import connect

from service.store import Store
from service.store.tables import REVISION
from tests.databases import Database
from tests.usecases.commands import run, said
from tests.usecases.games import game, id_of, lines, with_violation, write


def test_ingest_and_export(database: Database, store: Store, tmp_path: Path) -> None:
    documents = game()
    path = write(tmp_path / "g.paipu.jsonl", documents, game(1))
    done = run(database, "ingest", path)
    assert (done.returncode, said(done)) == (0, [])
    counts = f"{len(documents)} events added, 0 there before; clean"
    assert done.stdout.decode().splitlines()[0] == f"{id_of(documents)}: {counts}"
    again = run(database, "ingest", path)
    assert again.returncode == 0
    assert f"0 events added, {len(documents)} there before; clean" in again.stdout.decode()
    out = tmp_path / "out.paipu.jsonl"
    assert run(database, "export", id_of(documents), "--out", str(out)).returncode == 0
    exported = run(database, "export", id_of(documents))
    assert out.read_bytes() == exported.stdout == lines(documents)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g.paipu.jsonl", "out.paipu.jsonl"]


def test_standard_input_json_and_violations(database: Database) -> None:
    documents, _ = with_violation(game())
    done = run(database, "ingest", "--format", "json", "-", stdin=lines(documents, game(1)))
    assert done.returncode == 1
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["verdict"] for row in rows] == ["violations", "clean"]
    assert rows[0]["added"] == len(documents)


def test_a_conflict_names_game_and_seq(database: Database, store: Store, tmp_path: Path) -> None:
    documents = game()
    changed, at = with_violation(documents)
    first, second = write(tmp_path / "a", documents), write(tmp_path / "b", changed)
    done = run(database, "ingest", first, second)
    assert done.returncode == 2
    (line,) = said(done)
    assert id_of(documents) in line
    assert f"from seq {at} on" in line
    assert second in line


def test_what_cannot_be_read(database: Database, store: Store, tmp_path: Path) -> None:
    """Later files are taken in all the same, and the highest code wins."""
    cut = tmp_path / "cut"
    cut.write_bytes(lines(game())[:-9])
    done = run(database, "ingest", str(tmp_path / "none"), str(cut), write(tmp_path / "good", game(1)))
    assert done.returncode == 2
    missing, broken = said(done)
    assert str(tmp_path / "none") in missing
    assert f"line {len(game())}" in broken
    assert [one.game for one in store.games()] == [id_of(game(1))]


def test_export_of_an_unknown_game(database: Database, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run(database, "export", "nobody", "--out", str(out))
    assert (done.returncode, done.stdout) == (2, b"")
    assert said(done) == ["error: no game nobody"]
    assert list(tmp_path.iterdir()) == []


def test_export_into_no_folder(database: Database, store: Store, tmp_path: Path) -> None:
    run(database, "ingest", write(tmp_path / "g", game()))
    done = run(database, "export", id_of(game()), "--out", str(tmp_path / "none" / "out"))
    assert done.returncode == 2
    assert b"none" in done.stderr


@pytest.mark.parametrize("command", [["ingest", "x"], ["export", "x"], ["serve", "--port", "0"], ["db", "upgrade"]])
def test_a_store_out_of_reach(command: list[str]) -> None:
    nowhere = "postgresql://nobody:secret@127.0.0.1:1/none"
    done = run({"MINGPAI_DATABASE_URL": nowhere, "MINGPAI_MIGRATION_URL": nowhere}, *command)
    assert done.returncode == 3
    (line,) = said(done)
    assert line.startswith("error: ")
    assert "secret" not in line


@pytest.mark.parametrize("revision", ["0000", "9999"])
def test_another_revision_of_the_schema(database: Database, revision: str) -> None:
    with connect(database.owner_url) as owner:
        owner.execute("UPDATE mingpai.alembic_version SET version_num = %s", [revision])
    done = run(database, "export", "x")
    assert done.returncode == 3
    (line,) = said(done)
    assert revision in line
    assert REVISION in line


def test_a_setting_that_cannot_be_read() -> None:
    done = run({"MINGPAI_DATABASE_URL": "mysql://x"}, "export", "x")
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: MINGPAI_DATABASE_URL")


def test_upgrade(database: Database) -> None:
    done = run(database, "db", "upgrade")
    assert (done.returncode, done.stdout.decode()) == (0, f"the database is at revision {REVISION}\n")
    without = {"MINGPAI_DATABASE_URL": database.application_url}
    assert run(without, "db", "upgrade").returncode == 2


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7"])
def test_serve_listens_elsewhere_only_by_name(database: Database, host: str) -> None:
    done = run(database, "serve", "--host", host, "--port", "0")
    assert done.returncode == 2
    assert b"MINGPAI_HOSTS" in done.stderr
