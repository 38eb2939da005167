"""What was acknowledged is there, whatever was killed: on a server with its safe settings."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from service.embedded import APPLICATION, OWNER, embedded
from service.store import Appended, Store, upgrade
from service.store.errors import UnreachableError
from tests.store.games import append, assert_sound, body, open_game, opening, whole


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


def append_until_it_breaks(store: Store, game: str, acknowledged: list[Appended]) -> None:
    acknowledged.append(open_game(store, game))
    try:
        while True:
            place = acknowledged[-1].seq + 1
            acknowledged.append(append(store, game, place, f"k{place}", body(place), body(place + 1), body(place + 2)))
    except UnreachableError:
        return


def test_kill_in_the_middle_of_appends(tmp_path: Path) -> None:
    acknowledged: dict[str, list[Appended]] = {f"g{number}": [] for number in range(4)}
    with embedded(tmp_path) as server:
        upgrade(server.url(OWNER))
        with Store.connect(server.url(APPLICATION)) as store:
            assert store.unsafe == ()
            jobs = [(store, game, appended) for game, appended in acknowledged.items()]
            writers = [threading.Thread(target=append_until_it_breaks, args=job) for job in jobs]
            for writer in writers:
                writer.start()
            time.sleep(1)
            kill_at_once(server.pid)
            for writer in writers:
                writer.join(30)
    begun = time.monotonic()
    with embedded(tmp_path) as server, Store.connect(server.url(APPLICATION)) as store:
        assert time.monotonic() - begun < 30
        for game, appended in acknowledged.items():
            assert len(appended) > 10
            count = assert_sound(store, game)
            assert 0 <= count - 1 - appended[-1].seq <= 3  # one append may have been stored and not acknowledged
            heads = {event.seq: (event.head, event.time) for event in store.events(game)}
            assert all(heads[one.seq] == (one.head, one.time) for one in appended)
            # Whoever got no answer asks again with the same key, and it is there once.
            place = appended[-1].seq + 1
            append(store, game, place, f"k{place}", body(place), body(place + 1), body(place + 2))
            assert assert_sound(store, game) == place + 3


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
