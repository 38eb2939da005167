"""``mingpai demo`` from nothing to a served store, and once more over what it left."""

from __future__ import annotations

import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from replays.variants import REGISTRY
from service.demo import FAULTS
from service.keeper import SERVER_LOCK, try_lock
from tests.usecases.commands import COMMAND, environment, run

GAMES = 2


@pytest.fixture(scope="module")
def data() -> Iterator[Path]:
    """A data folder where the user nobody can reach it."""
    base = Path(tempfile.mkdtemp(prefix="mingpai-demo-"))
    base.chmod(0o711)
    yield base / "data"
    shutil.rmtree(base)


def is_stopped(data: Path) -> bool:
    """Whether no process of the folder's server is alive."""
    with (data / SERVER_LOCK).open("ab") as lock:
        return try_lock(lock)


def demo(data: Path, *arguments: str) -> list[str]:
    return ["demo", "--data", str(data), "--games", str(GAMES), *arguments]


def test_from_nothing_and_again(data: Path) -> None:
    elsewhere = {"MINGPAI_DATABASE_URL": "postgresql://nobody:x@127.0.0.1:1/none"}
    first = run(elsewhere, *demo(data, "--once"))
    assert first.returncode == 0, first.stderr.decode()
    table, notes = first.stdout.decode(), first.stderr.decode()
    for ruleset in REGISTRY:
        assert len(re.findall(rf"{ruleset}-\d+-\d+ .* clean ", table)) == GAMES
    planted = [fault for fault in FAULTS if f"{fault.name} " in table]
    assert len(planted) == len(FAULTS)
    assert table.count(" violations ") >= len(planted)
    assert " 0 were there before" in notes
    assert is_stopped(data)

    second = run(elsewhere, *demo(data, "--once"))
    assert second.returncode == 0
    assert second.stdout.decode() == table
    assert "note: 0 games added" in second.stderr.decode()
    assert is_stopped(data)


def test_serves_until_ctrl_c(data: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, *demo(data, "--port", "0")],
        env=environment({}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        shown = ""
        for line in process.stdout:
            shown += line
            if line.startswith("Ctrl-C"):
                break
        found = re.search(r"Serving at (http://127\.0\.0\.1:\d+)/", shown)
        assert found is not None, process.communicate()[1]
        command = re.search(r"^curl .*$", shown, re.MULTILINE)
        assert command is not None
        query = "{ games(first: 100, filter: {verdict: VIOLATIONS}) { ... on GameConnection { edges { cursor } } } }"
        answer = httpx.post(f"{found[1]}/graphql", json={"query": query}, trust_env=False)
        assert len(answer.json()["data"]["games"]["edges"]) >= len(FAULTS)
        assert not is_stopped(data)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 0, errors
        assert "Traceback" not in errors
        assert is_stopped(data)
    finally:
        process.kill()
        process.wait()


def test_ctrl_c_while_games_are_played(data: Path) -> None:
    """What was stored stays, and the server is stopped."""
    command = [*COMMAND, "demo", "--data", str(data), "--games", "1000", "--once"]
    process = subprocess.Popen(command, env=environment({}), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("note: simulating"):
                break
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=30)
        assert (process.returncode, out) == (130, "")
        assert errors == "note: interrupted\n"
        assert is_stopped(data)
    finally:
        process.kill()
        process.wait()


def test_a_taken_port_is_said_before_anything_is_started(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = run({}, *demo(tmp_path / "data", "--port", str(taken.getsockname()[1])))
    assert done.returncode == 2
    assert not (tmp_path / "data").exists()
