"""``mingpai demo`` from nothing to a served store, and once more over what it left."""

from __future__ import annotations

import re
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from replays.variants import REGISTRY
from schema.ports import Role
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


def test_serves_until_ctrl_c_with_keys_of_its_own(data: Path) -> None:
    """A key for each role, two clerks, and an example to paste; the keys of the run before have ended."""
    earlier: list[str] = []
    for _ in range(2):
        earlier = _served(data, earlier)


def _served(data: Path, earlier: list[str]) -> list[str]:
    """Serves the demonstration once and stops it; the keys that it printed."""
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
        keys = re.findall(r"^(\w+) +(mp_\w+)  ", shown, re.MULTILINE)
        assert sorted(role for role, _ in keys) == sorted([*(role.value for role in Role), "clerk"])
        for key in (None, *(key for _, key in keys)):
            assert len(_violations(found[1], key)) >= len(FAULTS)  # open to everybody
        assert len({_principal(found[1], key) for _, key in keys}) == len(keys)
        assert {_status(found[1], key) for key in earlier} == ({401} if earlier else set())
        page = re.search(r"^A disputed step, in the browser: (.*)$", shown, re.MULTILINE)
        assert page is not None
        assert httpx.get(page[1], trust_env=False).status_code == 200
        command = re.search(r"^curl .*$", shown, re.MULTILINE)
        assert command is not None
        assert len(_pasted(command[0]).json()["data"]["games"]["edges"]) == 5
        assert not is_stopped(data)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 0, errors
        assert "Traceback" not in errors
        assert is_stopped(data)
        return [key for _, key in keys]
    finally:
        process.kill()
        process.wait()


def _asked(base: str, key: str | None, query: str) -> httpx.Response:
    headers = {} if key is None else {"authorization": f"Bearer {key}"}
    return httpx.post(f"{base}/graphql", json={"query": query}, headers=headers, trust_env=False)


def _pasted(command: str) -> httpx.Response:
    """What ``curl`` does with the words that a shell makes of the printed line."""
    curl, silent, address, *rest = shlex.split(command)
    assert (curl, silent) == ("curl", "-s")
    options = list(zip(rest[::2], rest[1::2], strict=True))
    headers = dict(word.split(": ", 1) for option, word in options if option == "-H")
    (body,) = [word for option, word in options if option == "-d"]
    return httpx.post(address, content=body, headers=headers, trust_env=False)


def _status(base: str, key: str) -> int:
    return _asked(base, key, "{ __typename }").status_code


def _violations(base: str, key: str | None) -> list[Any]:
    query = "{ games(first: 100, filter: {verdict: VIOLATIONS}) { ... on GameConnection { edges { cursor } } } }"
    edges: list[Any] = _asked(base, key, query).json()["data"]["games"]["edges"]
    return edges


def _principal(base: str, key: str) -> str:
    found: str = _asked(base, key, "{ viewer { principal { principal } } }").json()["data"]["viewer"]["principal"][
        "principal"
    ]
    return found


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
