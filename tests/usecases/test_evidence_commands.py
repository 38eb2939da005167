"""``prove``, ``verify``, ``checkpoint``, ``log-key`` and ``db check`` as processes: output and exit codes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any
from urllib.parse import urlsplit

import pytest

from service.embedded import Server
from service.evidence.checkpoints import signed_checkpoint
from service.evidence.keyring import KeyRing
from service.evidence.notes import Verifier, parse_note, verified
from service.store import Store
from service.usecases.append import Intake
from service.usecases.folds import Folds
from tests.databases import Database, cloned
from tests.evidence.witness_server import Witness, served
from tests.store.attacks import flipped
from tests.usecases.commands import run, said
from tests.usecases.games import game, id_of, with_violation
from tests.usecases.sealed import seal_cheaply, spoil, take_in, unsealed

GAMES = [game(0), with_violation(game(1))[0], game(2)]
NAME, GUILTY, ENDED = map(id_of, GAMES)
LIVE = "live"


@pytest.fixture(scope="module")
def filled(durable: Server, durable_template: str) -> Iterator[Database]:
    """Two sealed games, one that has ended, and a live one: only to be copied."""
    with cloned(durable, durable_template) as database:
        with Store.connect(database.application_url) as store:
            take_in(store, *GAMES[:2])
            unsealed(store, GAMES[2])
            documents = [{**one, "game": LIVE} if one["seq"] == 0 else one for one in game(3)]
            intake = Intake(store, Folds(store))
            intake.open_game(documents[0])
            intake.append(LIVE, 1, None, documents[1:70])
        yield database


@pytest.fixture
def database(durable: Server, filled: Database) -> Iterator[Database]:
    """A copy of ``filled`` of the test's own."""
    with cloned(durable, urlsplit(filled.admin_url).path[1:]) as copy:
        yield copy


def keys_of(database: Database) -> list[Verifier]:
    return [Verifier.parse(vkey) for vkey in KeyRing.load(database.key_file).vkeys]


def ended_well(done: CompletedProcess[bytes]) -> str:
    """What a command printed that has ended with exit code 0."""
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def refused(done: CompletedProcess[bytes], code: int) -> str:
    """The one line on standard error of a command that was to end with ``code`` and say nothing else."""
    assert (done.returncode, done.stdout) == (code, b""), done.stderr.decode()
    (line,) = said(done)
    assert line.startswith("error: ")
    return line


# -- prove and verify --------------------------------------------------------------------------------------------------


def test_a_bundle_goes_from_one_command_to_the_other(database: Database, tmp_path: Path) -> None:
    bundle, html = tmp_path / "bundle.json", tmp_path / "bundle.html"
    done = run(database, "prove", NAME, "--out", str(bundle), "--html", str(html), "--lang", "zh-Hant")
    assert ended_well(done) == ""
    key = ended_well(run(database, "log-key", "show")).strip()
    assert said(done) == [f"note: to be verified with the key {key}"]
    assert 'lang="zh-Hant"' in html.read_text(encoding="utf-8")
    piped = run(database, "prove", NAME)
    assert piped.stdout == bundle.read_bytes()
    found = run({}, "verify", "-", "--key", key, "--format", "json", stdin=piped.stdout)
    assert json.loads(ended_well(found))["verified"] is True
    assert run({}, "verify", str(bundle)).returncode == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bundle.html", "bundle.json"]


@pytest.mark.parametrize(("name", "seat", "code"), [(GUILTY, None, 1), (ENDED, 3, 0)])
def test_what_is_proven_is_verified(database: Database, tmp_path: Path, name: str, seat: int | None, code: int) -> None:
    """A game with a violation is verified, and the exit code says that it has one."""
    seats = [] if seat is None else ["--as-seat", str(seat)]
    done = run(database, "prove", name, *seats)
    assert done.returncode == 0
    (tmp_path / "keys").write_text(ended_well(run(database, "log-key", "show")))
    found = run({}, "verify", "-", "--key", str(tmp_path / "keys"), "--format", "json", stdin=done.stdout)
    assert (found.returncode, json.loads(found.stdout)["verified"]) == (code, True)


def test_a_live_game_proves_nothing_yet(database: Database) -> None:
    done = run(database, "prove", LIVE)
    assert json.loads(ended_well(done))["seal"] is None
    assert said(done) == ["note: the game is not sealed: the bundle proves nothing to others yet"]
    found = run({}, "verify", "-", "--key", keys_of(database)[0].vkey, stdin=done.stdout)
    assert found.returncode == 1


def test_what_cannot_be_proven(database: Database, tmp_path: Path) -> None:
    assert "nobody" in refused(run(database, "prove", "nobody"), 2)
    assert run(database, "prove", NAME, "--as-seat", "9").returncode == 2
    assert run(database, "prove", NAME, "--as-seat", "-1").returncode == 2
    for option in ("--out", "--html"):
        assert "none" in refused(run(database, "prove", NAME, option, str(tmp_path / "none" / "b")), 2)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "statement"),
    [
        (NAME, flipped("events", "body", f"game = '{NAME}' AND seq = 5")),
        (ENDED, flipped("game_heads", "head", f"game = '{ENDED}'")),
        (GUILTY, flipped("log_leaves", "seal", f"game = '{GUILTY}'")),
        (GUILTY, flipped("log_leaves", "leaf", f"game = '{NAME}'")),
    ],
    ids=["event", "head row", "seal", "neighbour in the log"],
)
def test_a_spoilt_store_is_exit_code_1(database: Database, name: str, statement: str) -> None:
    """It is a finding, as a violation is, and no fault of the call."""
    run(database, "prove", NAME)  # a checkpoint is signed over the sound log
    spoil(database.admin_url, statement)
    refused(run(database, "prove", name), 1)


# -- checkpoint --------------------------------------------------------------------------------------------------------


def test_show_seals_what_has_ended_and_signs(database: Database) -> None:
    shown = run(database, "checkpoint", "show")
    assert shown.returncode == 0
    assert signed_checkpoint(shown.stdout, *keys_of(database)).size == 3
    assert run(database, "checkpoint", "show").stdout == shown.stdout


def test_export_tells_size_and_root(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "checkpoint"
    line = ended_well(run(database, "checkpoint", "export", str(file)))
    checkpoint = signed_checkpoint(file.read_bytes(), *keys_of(database))
    assert line == f"checkpoint of 3 seals, root {checkpoint.root.hex()}, is in {file}\n"
    assert "none" in refused(run(database, "checkpoint", "export", str(tmp_path / "none" / "file")), 2)
    file.write_text("something of mine")
    refused(run(database, "checkpoint", "export", str(file)), 1)
    assert file.read_text() == "something of mine"


@pytest.mark.slow
def test_push_keeps_the_cosignature(database: Database, tmp_path: Path) -> None:
    own = {**database.environment, "no_proxy": "*", "MINGPAI_LOG_ORIGIN": "log.example/one"}
    key = Verifier.parse(ended_well(run(own, "log-key", "show")).strip())
    witness = Witness({"log.example/one": key.public})
    with served(witness) as url:
        (tmp_path / "witness").write_text(witness.verifier.vkey + "\n")
        for given in (witness.verifier.vkey, str(tmp_path / "witness")):
            assert ended_well(run(own, "checkpoint", "push", url, "--witness", given)).startswith("— witness.example")
        (tmp_path / "two").write_text(f"{witness.verifier.vkey}\n{key.vkey}\n")
        for given in ("nonsense", str(tmp_path / "two"), key.vkey):
            refused(run(own, "checkpoint", "push", url, "--witness", given), 2)
        shown = ended_well(run(own, "checkpoint", "show"))
        assert verified(parse_note(shown.encode()), key, witness.verifier) == (key, witness.verifier)
        witness.trees["log.example/one"] = (3, bytes(32))  # it remembers another log
        assert "another tree" in refused(run(own, "checkpoint", "push", url, "--witness", witness.verifier.vkey), 1)
    assert "reached" in refused(run(own, "checkpoint", "push", url, "--witness", witness.verifier.vkey), 2)


def test_nothing_to_show(durable_database: Database, tmp_path: Path) -> None:
    for command in (["show"], ["export", str(tmp_path / "file")]):
        assert "no game has ended" in refused(run(durable_database, "checkpoint", *command), 2)
    assert list(tmp_path.iterdir()) == []


def test_an_unsafe_database_is_named_as_the_reason(postgres: Server, migrated_template: str) -> None:
    with cloned(postgres, migrated_template) as unsafe:
        with Store.connect(unsafe.application_url, unsafe_allowed=True) as store:
            seal_cheaply(store, 1)
        done = run(unsafe, "checkpoint", "show")
        assert (done.returncode, done.stdout) == (2, b"")
        (line,) = said(done)
        assert "unsafe" in line
        assert "fsync = off" in line


# -- log-key -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_rotation(database: Database, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    ended_well(run(database, "checkpoint", "show"))
    first = keys_of(database)[0].vkey + "\n"
    run(database, "prove", NAME, "--out", str(bundle))
    second = ended_well(run(database, "log-key", "rotate"))
    assert ended_well(run(database, "log-key", "show")) == first + second
    note = run(database, "checkpoint", "show").stdout
    assert verified(parse_note(note), *keys_of(database)) == tuple(keys_of(database))
    assert run({}, "verify", str(bundle), "--key", first.strip()).returncode == 0
    assert run({}, "verify", str(bundle), "--key", second.strip()).returncode == 1
    assert database.key_file.stat().st_mode & 0o777 == 0o600


def test_rotation_after_a_leak(database: Database) -> None:
    ended_well(run(database, "log-key", "show"))
    secret = json.loads(database.key_file.read_text())["keys"][0]["skey"]
    ended_well(run(database, "log-key", "rotate", "--leaked"))
    assert secret not in database.key_file.read_text()
    (old, new) = keys_of(database)
    assert verified(parse_note(run(database, "checkpoint", "show").stdout), old, new) == (new,)


@pytest.mark.slow
def test_key_files_that_cannot_be_used(database: Database) -> None:
    ended_well(run(database, "log-key", "show"))
    whole = database.key_file.read_bytes()
    for content, mode, command in (
        (b"{}", 0o600, ["log-key", "rotate"]),
        (whole[:-20], 0o600, ["prove", NAME]),
        (whole, 0o644, ["checkpoint", "show"]),
        (whole[:-20], 0o600, ["db", "check"]),
    ):
        database.key_file.write_bytes(content)
        database.key_file.chmod(mode)
        line = refused(run(database, *command), 2)
        assert "log-keys.json" in line
        assert "PRIVATE" not in line
    database.key_file.write_bytes(whole)
    database.key_file.chmod(0o600)
    other = {**database.environment, "MINGPAI_LOG_ORIGIN": "log.example/other"}
    assert "log.example/other" in refused(run(other, "checkpoint", "show"), 2)


def test_a_key_ring_of_another_log_is_exit_code_1(database: Database) -> None:
    ended_well(run(database, "checkpoint", "show"))
    database.key_file.unlink()
    assert "log-keys.json" in refused(run(database, "checkpoint", "show"), 1)


# -- db check ----------------------------------------------------------------------------------------------------------


def report(done: CompletedProcess[bytes]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_sound_store(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "checkpoint"
    done = run(database, "db", "check", "--jobs", "1")
    assert said(done) == ["note: no key of the log is known here: signatures are not checked"]
    events = sum(map(len, GAMES)) + 70
    counts = f"4 games, {events} events, 2 seals, 0 checkpoints: sound; no outside checkpoint given\n"
    assert ended_well(done) == counts
    run(database, "checkpoint", "export", str(file))
    done = run(database, "db", "check", "--jobs", "2", "--checkpoint", str(file))
    assert said(done) == []
    assert ended_well(done).endswith("3 seals, 1 checkpoint: sound; contains 1 checkpoint from outside\n")
    found = report(run(database, "db", "check", "--checkpoint", str(file), "--format", "json"))
    assert found == {
        "games": 4, "events": events, "seals": 3, "checkpoints": 1, "outside": 1, "sound": True, "faults": []
    }  # fmt: skip


def test_a_spoilt_store(database: Database) -> None:
    spoil(
        database.admin_url,
        flipped("events", "body", f"game = '{GUILTY}' AND seq = 7"),
        flipped("log_leaves", "leaf", f"game = '{NAME}'"),
    )
    done = run(database, "db", "check", "--jobs", "1")
    assert done.returncode == 1
    first, second, last = done.stdout.decode().splitlines()
    assert first.startswith(f"game {GUILTY}, seq 7: ")
    assert second.startswith(f"log {NAME}: leaf 0")
    assert last.endswith("2 faults")
    done = run(database, "db", "check", "--jobs", "2", "--format", "json")
    assert (done.returncode, report(done)["sound"]) == (1, False)
    faults = report(done)["faults"]
    assert [(one["where"], one["game"], one["seq"], one["code"]) for one in faults] == [
        ("game", GUILTY, 7, "body"),
        ("log", NAME, None, "leaf"),
    ]


def test_a_checkpoint_that_the_store_does_not_contain(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "checkpoint"
    run(database, "checkpoint", "export", str(file))
    spoil(
        database.admin_url,
        "DELETE FROM mingpai.checkpoints",
        "DELETE FROM mingpai.log_leaves WHERE index = 2",
        "UPDATE mingpai.log_head SET size = 2",
        f"UPDATE mingpai.game_heads SET sealed_at = NULL WHERE game = '{ENDED}'",
    )
    ended_well(run(database, "db", "check", "--jobs", "1"))
    done = run(database, "db", "check", "--jobs", "1", "--checkpoint", str(file))
    assert done.returncode == 1
    assert "rolled back: the log has 2 seals, the checkpoint was signed over 3" in done.stdout.decode()
    key = keys_of(database)[0].vkey
    database.key_file.unlink()
    done = run(database, "db", "check", "--jobs", "1", "--checkpoint", str(file), "--key", key)
    assert done.returncode == 1
    assert "rolled back" in done.stdout.decode()


def test_calls_that_are_wrong(database: Database, tmp_path: Path) -> None:
    assert "none" in refused(run(database, "db", "check", "--checkpoint", str(tmp_path / "none")), 2)
    assert "--key nonsense" in refused(run(database, "db", "check", "--key", "nonsense"), 2)
    for jobs in ("0", "-1", "many"):
        assert run(database, "db", "check", "--jobs", jobs).returncode == 2


@pytest.mark.parametrize("command", [["prove", "x"], ["checkpoint", "show"], ["log-key", "rotate"], ["db", "check"]])
def test_a_store_that_is_not_there(tmp_path: Path, command: list[str]) -> None:
    nowhere = "postgresql://nobody:secret@127.0.0.1:1/none"
    done = run({"MINGPAI_DATABASE_URL": nowhere, "MINGPAI_DATA": str(tmp_path)}, *command)
    assert (done.returncode, done.stdout) == (3, b"")
    assert said(done)[-1].startswith("error: ")
    assert b"secret" not in done.stderr
    assert list(tmp_path.iterdir()) == []
