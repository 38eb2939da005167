"""The client against the real service, which is away, comes back, and is killed in the middle."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from schema.paipu import encode
from schema.ports import Role
from service.client import (
    GameOverError,
    MingpaiClient,
    OutOfOrderError,
    Receipt,
    Refusal,
    RefusedError,
    UnknownGameError,
)
from service.store import Store
from service.usecases.export import export
from tests.access.keys import key_for
from tests.api.test_server import serving
from tests.databases import Database
from tests.usecases.commands import environment
from tests.usecases.games import Document, game, id_of

ROOT = Path(__file__).parents[2]
PATIENCE = 60


@pytest.fixture
def key(store: Store) -> str:
    return key_for(store, Role.SERVER)


@pytest.fixture
def spool(tmp_path: Path) -> Path:
    return tmp_path / "spool"


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def stored(store: Store, name: str) -> bytes:
    return b"".join(export(store, name))


def play(client: MingpaiClient, documents: list[Document], step: int = 1) -> None:
    client.open_game(documents[0])
    for first in range(1, len(documents), step):
        client.append(id_of(documents), *documents[first : first + step])


def assert_stored(store: Store, *games: list[Document]) -> None:
    for documents in games:
        assert stored(store, id_of(documents)) == b"".join(map(encode, documents))


def test_games_arrive(database: Database, store: Store, key: str, spool: Path) -> None:
    receipts: list[Receipt] = []
    games = [game(index) for index in range(4)]
    with serving(database) as (_, base), MingpaiClient(base, key, spool=spool, on_receipt=receipts.append) as client:
        for documents in games:
            play(client, documents)
        assert client.flush(PATIENCE)
        assert client.states() == []
        with pytest.raises(UnknownGameError):
            client.state(id_of(games[0]))
    assert_stored(store, *games)
    assert {receipt.game for receipt in receipts} == set(map(id_of, games))
    last = {receipt.game: receipt for receipt in receipts}[id_of(games[0])]
    assert last.head == store.game(id_of(games[0])).head.hex()
    assert list(spool.glob("*.spool")) == []


def test_a_service_that_is_away_at_first(database: Database, store: Store, key: str, spool: Path) -> None:
    port, documents = free_port(), game(4)
    with MingpaiClient(f"http://127.0.0.1:{port}", key, spool=spool) as client:
        play(client, documents)
        assert not client.flush(0.5)
        assert client.problem is not None
        with serving(database, "--port", str(port)):
            assert client.flush(PATIENCE)
            assert client.problem is None
    assert_stored(store, documents)


def test_a_client_that_ends_before_the_service_comes(database: Database, store: Store, key: str, spool: Path) -> None:
    documents = game(4)
    with MingpaiClient(f"http://127.0.0.1:{free_port()}", key, spool=spool) as client:
        play(client, documents, 7)
        state = client.state(id_of(documents))
        assert (state.taken, state.acknowledged, state.is_settled) == (len(documents), 0, False)
    with serving(database) as (_, base), MingpaiClient(base, key, spool=spool) as client:
        assert client.flush(PATIENCE)
    assert_stored(store, documents)


def test_the_service_is_killed_again_and_again(database: Database, store: Store, key: str, spool: Path) -> None:
    """kill -9 in the middle of appends: calls whose answers were lost are sent again as they were."""
    port, games = free_port(), [game(index) for index in range(3)]
    with MingpaiClient(f"http://127.0.0.1:{port}", key, spool=spool, batch=3) as client:
        for documents in games:
            client.open_game(documents[0])
        rest = [iter(documents[1:]) for documents in games]
        for _ in range(4):
            with serving(database, "--port", str(port)) as (process, _):
                deadline = time.monotonic() + 1.5
                while time.monotonic() < deadline:
                    for documents, events in zip(games, rest, strict=True):
                        event = next(events, None)
                        if event is not None:
                            client.append(id_of(documents), event)
                    time.sleep(0.01)
                process.send_signal(signal.SIGKILL)
                process.wait()
        for documents, events in zip(games, rest, strict=True):
            for event in events:
                client.append(id_of(documents), event)
        with serving(database, "--port", str(port)):
            assert client.flush(PATIENCE)
    assert_stored(store, *games)


SENDER = """
import json, sys
from pathlib import Path
from service.client import MingpaiClient, UnknownGameError
url, key, spool = sys.argv[1:]
documents = [json.loads(line) for line in sys.stdin]
client = MingpaiClient(url, key, spool=Path(spool), batch=5)
game = documents[0]["game"]
try:
    taken = client.state(game).taken
except UnknownGameError:
    client.open_game(documents[0])
    taken = 1
for document in documents[taken:]:
    client.append(game, document)
    print(document["seq"], flush=True)
client.flush(60)
client.close()
print("done", flush=True)
"""


def test_the_game_server_is_killed_again_and_again(database: Database, store: Store, key: str, spool: Path) -> None:
    """What the client has taken is there after kill -9 of its process, and sent by the next one."""
    documents = game(0, hands=2)
    log = b"".join(map(encode, documents))
    with serving(database) as (_, base):
        command = [sys.executable, "-c", SENDER, base, key, str(spool)]
        for stop in (20, 60, 110):
            with _started(command, log) as process:
                assert process.stdout is not None
                for line in process.stdout:
                    if int(line) >= stop:
                        process.kill()
                        break
                process.wait()
        with _started(command, log) as process:
            assert process.stdout is not None
            assert process.stdout.read().split()[-1] == b"done"
    assert_stored(store, documents)


@contextmanager
def _started(command: list[str], stdin: bytes) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment({}), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdin is not None
    process.stdin.write(stdin)
    process.stdin.close()
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def won(event: Document, win: str) -> Document:
    """A win at the place of another event."""
    return {member: event[member] for member in ("seq", "at", "hand", "seat")} | {"type": "won", "win": win}


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda one: one | {"tile": "9q"}, "INVALID_EVENT"),
        (lambda one: one | {"extra": 1}, "INVALID_EVENT"),
        (lambda one: won(one, "no_such_way"), "IMPOSSIBLE_EVENT"),
        (lambda one: one | {"x_long": "x" * 5_000_000}, "TOO_LARGE"),
    ],
)
def test_what_the_service_refuses(
    database: Database, store: Store, key: str, spool: Path, spoil: Callable[[Any], Any], code: str
) -> None:
    """Everything before the event to blame arrives; the rest stays, and the game takes no more. Others go on."""
    bad, good = game(4), game(0)
    at = next(one["seq"] for one in bad if one["type"] == "discarded") + 2
    at = next(one["seq"] for one in bad[at:] if one["type"] == "discarded")
    refusals: list[tuple[str, Refusal]] = []
    with (
        serving(database) as (_, base),
        MingpaiClient(base, key, spool=spool, on_refusal=lambda *told: refusals.append(told)) as client,
    ):
        client.open_game(bad[0])
        client.append(id_of(bad), *bad[1:at], spoil(bad[at]), *bad[at + 1 : at + 3])
        play(client, good, 50)
        assert client.flush(PATIENCE)
        ((name, refusal),) = refusals
        assert (name, refusal.seq, refusal.code) == (id_of(bad), at, code)
        assert client.state(name).acknowledged == at
        with pytest.raises(RefusedError, match=str(at)):
            client.append(name, bad[at + 3])
    assert stored(store, id_of(bad)) == b"".join(map(encode, bad[:at]))
    assert_stored(store, good)
    with MingpaiClient("http://127.0.0.1:1", key, spool=spool) as client:  # the next process knows it too
        assert client.state(id_of(bad)).refusal == refusal


def test_calls_that_are_not_taken(key: str, spool: Path) -> None:
    documents = game(4)
    with MingpaiClient("http://127.0.0.1:1", key, spool=spool) as client:
        with pytest.raises(UnknownGameError):
            client.append(id_of(documents), documents[1])
        for wrong in (documents[1], {**documents[0], "seq": 1}, {"seq": 0, "type": "game_started"}, {}):
            with pytest.raises(OutOfOrderError):
                client.open_game(wrong)
        client.open_game(documents[0])
        with pytest.raises(OutOfOrderError):
            client.open_game(documents[0])
        for events in (documents[2:3], [documents[1], documents[3]], [{**documents[1], "seq": "1"}], [{"seq": 1}]):
            with pytest.raises(OutOfOrderError):
                client.append(id_of(documents), *events)
        assert client.state(id_of(documents)).taken == 1
        client.append(id_of(documents), *documents[1:])
        with pytest.raises(GameOverError):
            client.append(id_of(documents), {**documents[-1], "seq": len(documents)})


def test_a_key_that_is_not_good_loses_nothing(database: Database, store: Store, key: str, spool: Path) -> None:
    documents = game(4)
    with serving(database) as (_, base):
        with MingpaiClient(base, key[:-4] + "AAAA", spool=spool) as client:
            play(client, documents, 50)
            assert not client.flush(1)
            assert "401" in str(client.problem)
        with MingpaiClient(base, key, spool=spool) as client:
            assert client.flush(PATIENCE)
    assert_stored(store, documents)


def test_large_games_fit_into_calls(database: Database, store: Store, key: str, spool: Path) -> None:
    """Batches are cut by bytes too: no call is larger than the service takes."""
    documents = [one | {"x_note": "x" * 30_000} if one["seq"] else one for one in game(4)]
    with serving(database) as (_, base), MingpaiClient(base, key, spool=spool, batch=1000) as client:
        play(client, documents, 500)
        assert client.flush(PATIENCE)
    assert_stored(store, documents)


def test_the_example_game_server(database: Database, store: Store, key: str, spool: Path) -> None:
    with serving(database) as (_, base):
        command = [sys.executable, "docs/examples/game_server.py", base, "--spool", str(spool)]
        command += ["--tables", "2", "--pace", "0", "--seed", "7"]
        settings = {**environment({}), "MINGPAI_KEY": key, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        assert "everything has arrived" in done.stdout
        answer = httpx.post(
            f"{base}/graphql",
            json={"query": "{ games(first: 9) { ... on GameConnection { edges { node { status verdict } } } } }"},
            headers={"authorization": f"Bearer {key}"},
            trust_env=False,
        )
    nodes = [edge["node"] for edge in answer.json()["data"]["games"]["edges"]]
    assert nodes == [{"status": "FINISHED", "verdict": "CLEAN"}] * 2
    assert os.environ.get("MINGPAI_KEY") is None
