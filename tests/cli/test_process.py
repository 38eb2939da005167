"""The command as a process: exit codes, what goes where, pipes, and what is loaded."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from replays import ENGINE
from schema.catalogue import LANGUAGES
from service.cli.output import Language
from tests.cli.logs import CLEAN, SHORT, mingpai, wrong_payment

COMMAND = [sys.executable, "-c", "from service.cli import main; main()"]
ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False, env={**os.environ, **environment})


def test_exit_codes_and_streams(tmp_path: Path) -> None:
    clean = run("audit", "--format", "json", CLEAN)
    assert (clean.returncode, json.loads(clean.stdout)["verdict"], clean.stderr) == (0, "clean", b"")
    wrong = run("audit", "--format", "json", wrong_payment(tmp_path), tmp_path / "missing")
    assert (wrong.returncode, json.loads(wrong.stdout)["verdict"]) == (2, "violations")
    assert wrong.stderr == f"error: {tmp_path}/missing: cannot be read: No such file or directory\n".encode()


def test_json_is_utf8_and_text_is_no_error_whatever_the_locale(tmp_path: Path) -> None:
    """A terminal that knows no Chinese shows what it can; JSON is the same bytes everywhere."""
    path = wrong_payment(tmp_path)
    plain = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    asked = ("audit", "--lang", "zh-Hant", "--format", "json", path)
    assert run(*asked, **plain).stdout == run(*asked).stdout
    text = run("audit", "--lang", "zh-Hant", path, **plain)
    assert (text.returncode, text.stderr) == (1, b"")
    assert b"X-PAY-2" in text.stdout


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    """The pipe is closed before anything is written: no trace, and the exit code says what was found so far."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [*COMMAND, "audit", *[str(SHORT)] * 3]
    with os.fdopen(writing, "wb") as pipe:
        done = subprocess.run(command, cwd=ROOT, stdout=pipe, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 0
    assert [line for line in done.stderr.splitlines() if not line.startswith(b"note: game")] == []


def test_a_progress_bar_shows_on_a_terminal_only(tmp_path: Path) -> None:
    terminal, end = os.openpty()
    with (tmp_path / "reports").open("wb") as reports:
        command = [*COMMAND, "audit", "--format", "json", str(CLEAN), str(SHORT)]
        done = subprocess.run(
            command, cwd=ROOT, stdout=reports, stderr=end, check=False, env={**os.environ, "TERM": "xterm"}
        )
    os.close(end)
    shown = os.read(terminal, 100_000)
    os.close(terminal)
    assert done.returncode == 0
    assert b"100%" in shown
    assert len((tmp_path / "reports").read_bytes().splitlines()) == 2
    assert run("audit", "--format", "json", CLEAN).stderr == b""


def test_a_crash_does_not_look_like_violations() -> None:
    script = "import service.cli as cli\n@cli.app.command()\ndef crash(): raise KeyError('x')\ncli.main()"
    done = subprocess.run([sys.executable, "-c", script, "crash"], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == b"error: internal error: KeyError('x')"


def test_the_entry_point_loads_no_library_of_the_store() -> None:
    script = "import service.cli, json, sys; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, check=True)
    loaded = {name.partition(".")[0] for name in json.loads(done.stdout)}
    assert loaded.isdisjoint({"sqlalchemy", "psycopg", "strawberry", "starlette", "structlog", "uvicorn", "alembic"})


def test_version() -> None:
    done = mingpai("--version")
    assert (done.exit_code, done.stdout) == (0, f"mingpai {ENGINE}\n")


@pytest.mark.parametrize("command", ["audit", "replay", "score", "simulate"])
def test_help(command: str) -> None:
    done = mingpai(command, "--help")
    assert done.exit_code == 0
    assert "Usage: mingpai" in done.stdout
    assert "--lang" in done.stdout
    assert command in mingpai("--help").stdout


def test_an_unknown_command() -> None:
    done = mingpai("audits", str(CLEAN))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "audits" in done.stderr


def test_the_languages_are_those_there_are_words_in() -> None:
    assert [lang.value for lang in Language] == list(LANGUAGES)


def test_ctrl_c_while_python_finalises_an_object_is_not_lost() -> None:
    """What is raised there cannot get out; the command ends all the same, and without a trace."""
    stuck = """
import signal, time, weakref
from service import cli

class Thing: pass

@cli.app.command()
def stuck() -> None:
    thing = Thing()
    kept = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
    del thing
    time.sleep(600)

cli.main()
"""
    command = [sys.executable, "-c", stuck, "stuck"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (130, b"")


def test_ctrl_c_during_an_audit_is_no_verdict(tmp_path: Path) -> None:
    """Exit code 130, as of every interrupted program: 1 would mean violations."""
    pipe = tmp_path / "log"
    os.mkfifo(pipe)
    process = subprocess.Popen([*COMMAND, "audit", str(pipe)], cwd=ROOT, stderr=subprocess.PIPE)
    with pipe.open("wb"):  # opened once the command reads from it, which it then waits for
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, b"")
