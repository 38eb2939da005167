"""What was acknowledged is there, whatever was killed: on a server with its safe settings."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

import httpx
import psycopg
import pytest

from schema.canonical import canonical
from schema.ports import Role
from service.embedded import APPLICATION, OWNER, embedded
from service.evidence.leaves import stored_form
from service.store import Appended, Store, upgrade
from service.store.errors import UnreachableError
from service.store.feed import Cursor, Feed
from service.usecases.sealing import chain_of
from tests.access.keys import bearer, key_for
from tests.api.test_mutations import APPEND, OPEN
from tests.api.test_server import serving
from tests.databases import SAFE, Database
from tests.store.games import append, assert_sound, body, open_game, opening, whole
from tests.usecases.games import Document, id_of
from tests.usecases.games import game as simulated

SEED = 20260302


def children(pid: int) -> list[int]:
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            lines = status.read_text().splitlines()
        except OSError:
            continue
        if f"PPid:\t{pid}" in lines:
            found.append(int(status.parent.name))
    return found


def kill_at_once(pid: int) -> None:
    """The server and its processes, without a word to any of them."""
    for victim in (pid, *children(pid)):
        os.kill(victim, signal.SIGKILL)


def kill_one_backend(pid: int) -> None:
    """One session's process: the server throws all others out and recovers by itself."""
    os.kill(next(child for child in children(pid) if _is_session(child)), signal.SIGKILL)


def kill_postmaster(pid: int) -> None:
    """The first process alone: the others find out and end."""
    os.kill(pid, signal.SIGKILL)


def _is_session(pid: int) -> bool:
    return b"mingpai_application" in Path(f"/proc/{pid}/cmdline").read_bytes()


Told = dict[str, list[Appended]]


def append_until_it_breaks(store: Store, game: str, told: Told) -> None:
    """Goes on where the game's last answer was, with the call whose answer may have been lost."""
    answers = told[game]
    try:
        if not answers:
            answers.append(open_game(store, game))
        while True:
            place = answers[-1].seq + 1
            answers.append(append(store, game, place, f"k{place}", body(place), body(place + 1), body(place + 2)))
    except UnreachableError:
        return


def assert_told_the_truth(store: Store, told: Told) -> None:
    """Every answer is what is stored, and beyond the last one there is at most one append."""
    for game, answers in told.items():
        count = assert_sound(store, game)
        assert 0 <= count - 1 - answers[-1].seq <= 3
        stored = {event.seq: Appended(game, event.seq, event.head, event.time) for event in store.events(game)}
        assert all(stored[answer.seq] == answer for answer in answers)


@contextmanager
def at_work(job: Callable[..., object], jobs: Iterable[tuple[object, ...]]) -> Iterator[None]:
    """Threads that work meanwhile and end by themselves, once what they work with is gone."""
    threads = [threading.Thread(target=job, args=arguments, daemon=True) for arguments in jobs]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.join()


def wait_until(reached: Callable[[], bool]) -> None:
    """Waits for others' work; a test whose workers have died fails and does not hang."""
    for _ in range(20_000):
        if reached():
            return
        time.sleep(0.01)
    pytest.fail("the others do not get on")


def wait_for(told: Told, more: int) -> None:
    """Until every game has so many answers more."""
    wanted = {game: len(answers) + more for game, answers in told.items()}
    wait_until(lambda: all(len(told[game]) >= count for game, count in wanted.items()))


def takes_connections(url: str) -> bool:
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True


VICTIMS = (kill_at_once, kill_postmaster, kill_one_backend, kill_at_once, kill_one_backend, kill_postmaster)


def test_server_killed_again_and_again(tmp_path: Path) -> None:
    """After every recovery each answer is true, each chain whole, each lost answer to be had again; and a reader of the
    feed that goes on from its cursor gets everything once."""
    told: Told = {f"g{number}": [] for number in range(4)}
    cursor, seen = str(Cursor()), list[tuple[str, int]]()
    for number, kill in enumerate(VICTIMS):
        with embedded(tmp_path, settings=SAFE) as server:
            upgrade(server.url(OWNER))
            with Store.connect(server.url(APPLICATION)) as store:
                assert store.unsafe == ()
                if number:
                    assert_told_the_truth(store, told)
                with at_work(append_until_it_breaks, [(store, game, told) for game in told]):
                    wait_for(told, 20)
                    for fed in Feed(store).page(Cursor.parse(cursor), 100):
                        seen.append((fed.game, fed.event.seq))
                        cursor = str(fed.cursor)
                    kill(server.pid)
            if kill is kill_one_backend:
                wait_until(lambda: takes_connections(server.url(APPLICATION)))  # by itself
    with embedded(tmp_path, settings=SAFE) as server, Store.connect(server.url(APPLICATION)) as store:
        assert_told_the_truth(store, told)
        while page := Feed(store).page(Cursor.parse(cursor)):
            seen += [(fed.game, fed.event.seq) for fed in page]
            cursor = str(page[-1].cursor)
        assert sorted(seen) == [(game, event.seq) for game in told for event in store.events(game)]
        for game in told:
            assert [seq for name, seq in seen if name == game] == list(range(store.game(game).next_seq))


def test_kill_in_the_middle_of_an_ingest(tmp_path: Path) -> None:
    events = whole("g", 60_000)
    with embedded(tmp_path) as server:
        upgrade(server.url(OWNER))
        with Store.connect(server.url(APPLICATION)) as store:
            killer = threading.Timer(0.15, kill_at_once, [server.pid])
            killer.start()
            with pytest.raises(UnreachableError):
                store.ingest(opening("g"), events, batch=1000)
            killer.join()
    with embedded(tmp_path) as server, Store.connect(server.url(APPLICATION)) as store:
        before = store.game("g").next_seq if store.secret("g") is not None else 0
        done = store.ingest(opening("g"), events, batch=1000)
        assert before < 60_000
        assert (done.skipped, done.added) == (before, 60_000 - before)
        assert assert_sound(store, "g") == 60_000


def test_store_goes_on_after_its_connections_broke(tmp_path: Path) -> None:
    """A restarted server on the same port is used again: dead connections leave the pool."""
    with embedded(tmp_path) as server:
        upgrade(server.url(OWNER))
        with Store.connect(server.url(APPLICATION)) as store:
            open_game(store)
            for child in children(server.pid):
                command = Path(f"/proc/{child}/cmdline").read_bytes()
                if b"mingpai_application" in command:
                    os.kill(child, signal.SIGTERM)
            time.sleep(0.3)
            assert append(store, "g", 1, None, body(1)).seq == 1


# Writers that are killed


_WRITER = """
import sys
from service.store import Store
from tests.store.games import append, body
with Store.connect(sys.argv[1]) as store:
    game = sys.argv[2]
    place = store.game(game).next_seq
    while True:
        done = append(store, game, place, f"k{place}", body(place), body(place + 1), body(place + 2))
        print(done.seq, done.head.hex(), done.time, flush=True)
        place = done.seq + 1
"""


def read_answers(game: str, output: IO[str], told: Told) -> None:
    """Takes down what a writer prints before it goes on, to the end of its output."""
    for line in output:
        seq, head, moment = line.split()
        told[game].append(Appended(game, int(seq), bytes.fromhex(head), moment))


def test_writers_killed_again_and_again(durable_store: Store, durable_database: Database) -> None:
    """What a writer printed is stored; of what it had not printed yet, all of a call or nothing; nobody stays locked
    out."""
    told: Told = {f"g{number}": [] for number in range(3)}
    chance = random.Random(SEED)
    command = [sys.executable, "-c", _WRITER, durable_database.application_url]
    pipe = {"stdout": subprocess.PIPE, "text": True, "cwd": Path(__file__).parents[2]}
    for game in told:
        told[game].append(open_game(durable_store, game))
    for _ in range(5):
        writers = {game: subprocess.Popen([*command, game], **pipe) for game in told}  # type: ignore[call-overload]
        with at_work(read_answers, [(game, writer.stdout, told) for game, writer in writers.items()]):
            for game, writer in writers.items():
                wait_for({game: told[game]}, 1)
                time.sleep(chance.random() / 5)
                writer.kill()
                writer.wait()
        assert_told_the_truth(durable_store, told)
    for game, answers in told.items():
        assert len(answers) > 5, f"seed {SEED}"
        place = durable_store.game(game).next_seq
        append(durable_store, game, place, f"k{place}", body(place))


_IDLE = """
import sys, time, psycopg
from tests.store.test_feed import append_in
connection = psycopg.connect(sys.argv[1])
append_in(connection, "g", 3)
print(connection.info.backend_pid, flush=True)
time.sleep(1000)
"""


def test_writer_killed_with_its_transaction_open(durable_store: Store, durable_database: Database) -> None:
    """Nothing of it is stored, and neither the game nor the feed waits for it any longer."""
    open_game(durable_store)
    open_game(durable_store, "h")
    feed = Feed(durable_store)
    command = [sys.executable, "-c", _IDLE, durable_database.application_url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as writer:
        assert writer.stdout is not None
        pid = int(writer.stdout.readline())
        assert [one.pid for one in feed.state().writers] == [pid]
        append(durable_store, "h", 1, None, body(1))
        assert len(feed.page(Cursor())) == 2
        writer.kill()
    assert append(durable_store, "g", 1, None, body(1)).seq == 1  # waits until the server has noticed
    assert [(fed.game, fed.event.seq) for fed in feed.page(Cursor())] == [("g", 0), ("h", 0), ("h", 1), ("g", 1)]
    assert assert_sound(durable_store, "g") == 2


# A service that is killed while clients append


class Player:
    """A game server: hands over a game's events one by one, each under a key, and takes down the receipts."""

    def __init__(self, documents: list[Document], key: str) -> None:
        self.documents = documents
        self.headers = bearer(key)
        self.game = id_of(documents)
        self.receipts: list[dict[str, Any]] = []

    def play(self, base: str) -> None:
        """Goes on until the service does not answer any more, first with the event of which no receipt came."""
        with httpx.Client(base_url=base, headers=self.headers, trust_env=False, timeout=60) as client:
            try:
                while len(self.receipts) < len(self.documents):
                    self.receipts.append(self._handed_over(client, len(self.receipts)))
            except httpx.TransportError:
                return

    def _handed_over(self, client: httpx.Client, seq: int) -> dict[str, Any]:
        document, key = self.documents[seq], f"k{seq}"
        call = {"query": APPEND, "variables": {"game": self.game, "seq": seq, "events": [document], "key": key}}
        if seq == 0:
            call = {"query": OPEN, "variables": {"event": document, "key": key}}
        (found,) = client.post("/graphql", json=call).json()["data"].values()
        assert found["__typename"] == "Receipt", found
        return dict(found)


def test_service_killed_again_and_again(durable_store: Store, durable_database: Database) -> None:
    """Every receipt is true after each kill, and every chain gives what is stored of it."""
    server = key_for(durable_store, Role.SERVER)
    players = [Player(simulated(number, hands=4), server) for number in range(3)]
    for _ in range(5):
        wanted = {player.game: len(player.receipts) + 15 for player in players}
        with (
            serving(durable_database) as (process, base),
            at_work(Player.play, [(player, base) for player in players]),
        ):
            wait_until(partial(have_receipts, players, wanted))
            process.kill()
        for player in players:
            assert_receipts_true(durable_store, player)


def have_receipts(players: Iterable[Player], wanted: dict[str, int]) -> bool:
    return all(len(player.receipts) >= wanted[player.game] for player in players)


def assert_receipts_true(store: Store, player: Player) -> None:
    chain = chain_of(store, player.game)
    assert 0 <= len(chain.leaves) - len(player.receipts) <= 1
    events = list(store.events(player.game))
    for seq, receipt in enumerate(player.receipts):
        told = receipt["game"], receipt["seq"], receipt["head"], receipt["time"]
        assert told == (player.game, seq, chain.heads[seq].hex(), events[seq].time)
    assert [event.body for event in events] == [
        canonical(stored_form(document)) for document in player.documents[: len(events)]
    ]


def test_store_works_beyond_the_first_thousand_files(database: Database) -> None:
    """A busy service has more sockets than ``select`` knows of."""
    script = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
from service.store import Store
from tests.store.games import append, body, open_game
held = [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
with Store.connect(sys.argv[1], unsafe_allowed=True) as store:
    open_game(store)
    assert append(store, "g", 1, None, body(1)).seq == 1
"""
    command = [sys.executable, "-c", script, database.application_url]
    subprocess.run(command, cwd=Path(__file__).parents[2], check=True, timeout=60)
