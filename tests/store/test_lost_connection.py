"""The connection breaks around a write: whoever asks again with the same key finds it stored once, and gets the first
answer."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from select import select
from typing import NamedTuple

import psycopg
import pytest

from service.store import Appended, Ingested, Store
from service.store.errors import SequenceConflictError, UnknownGameError, UnreachableError
from service.store.log import Log
from tests.databases import Database
from tests.store.games import append, assert_sound, body, end, entry, open_game, opening, seal, start, whole

#: What to do with a request: handed the request and the server's side of the connection, which breaks afterwards.
Cut = Callable[[bytes, socket.socket], None]

_READY = b"Z\0\0\0\5I"  # ReadyForQuery, outside a transaction: the last message of an answer


def never_sent(request: bytes, server: socket.socket) -> None:
    """The request does not reach the server."""


def half_sent(request: bytes, server: socket.socket) -> None:
    """The server gets the first half of it."""
    server.sendall(request[: len(request) // 2])


def sent(request: bytes, server: socket.socket) -> None:
    """The server gets it; nobody waits for the answer."""
    server.sendall(request)


def answered(request: bytes, server: socket.socket) -> None:
    """The server gets it and answers, and the answer is lost."""
    server.sendall(request)
    answer = b""
    while not answer.endswith(_READY):
        part = server.recv(1 << 16)
        assert part, "the server hung up"
        answer += part


class Proxy:
    """Stands between a store and its server, and breaks the connection at the next request that holds some bytes."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._armed: tuple[bytes, Cut] | None = None
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.cuts = 0

    def arm(self, holding: bytes, cut: Cut) -> None:
        self._armed = holding, cut

    def run(self) -> None:
        """Takes connections until ``close``."""
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._port))
            threading.Thread(target=self._pass_on, args=(client, server), daemon=True).start()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _pass_on(self, client: socket.socket, server: socket.socket) -> None:
        with client, server:
            while True:
                for source in select([client, server], [], [])[0]:
                    data = source.recv(1 << 16)
                    if not data or (source is client and self._is_cut(data, server)):
                        return
                    (server if source is client else client).sendall(data)

    def _is_cut(self, request: bytes, server: socket.socket) -> bool:
        if self._armed is None or self._armed[0] not in request:
            return False
        cut, self._armed = self._armed[1], None
        cut(request, server)
        self.cuts += 1
        return True


class Broken(NamedTuple):
    """A store whose connections break when the proxy is told to, and one beside it whose do not."""

    store: Store
    proxy: Proxy
    direct: Store


@pytest.fixture
def broken(store: Store, database: Database) -> Iterator[Broken]:
    url = psycopg.conninfo.conninfo_to_dict(database.application_url)
    proxy = Proxy(int(str(url["port"])))
    thread = threading.Thread(target=proxy.run)
    thread.start()
    through = database.application_url.replace(f":{url['port']}/", f":{proxy.port}/")
    try:
        with Store.connect(through, unsafe_allowed=True) as opened:
            opened.health()  # what a first connection asks comes before what is tested
            yield Broken(opened, proxy, store)
    finally:
        proxy.close()
        thread.join()


@contextmanager
def lost(broken: Broken, holding: bytes, cut: Cut) -> Iterator[None]:
    """The next request with those bytes meets ``cut``, and the caller is told that nothing is known."""
    before = broken.proxy.cuts
    broken.proxy.arm(holding, cut)
    with pytest.raises(UnreachableError):
        yield
    assert broken.proxy.cuts == before + 1


def last(store: Store, game: str) -> Appended:
    """The answer that the append of the last stored event had: out of what is stored."""
    *_, event = store.events(game)
    return Appended(game, event.seq, event.head, event.time)


NOT_STORED = [never_sent, half_sent]
BODIES = {"one": (body(1),), "several": (body(1), body(2), body(3)), "the end": (body(1), end(2))}


@pytest.mark.parametrize("bodies", BODIES.values(), ids=BODIES)
def test_append_whose_answer_is_lost(broken: Broken, bodies: tuple[bytes, ...]) -> None:
    open_game(broken.direct)
    with lost(broken, b"append_events", answered):
        append(broken.store, "g", 1, "k", *bodies)
    assert assert_sound(broken.direct, "g") == 1 + len(bodies)
    first = last(broken.direct, "g")
    for store in (broken.store, broken.direct, broken.store):
        assert append(store, "g", 1, "k", *bodies) == first
    assert assert_sound(broken.direct, "g") == 1 + len(bodies)


def test_the_first_answer_also_when_the_game_went_on(broken: Broken) -> None:
    open_game(broken.direct)
    with lost(broken, b"append_events", answered):
        append(broken.store, "g", 1, "k", body(1), body(2))
    first = last(broken.direct, "g")
    append(broken.direct, "g", 3, "later", body(3), end(4))
    seal(broken.direct, "g")
    assert append(broken.store, "g", 1, "k", body(1), body(2)) == first
    assert assert_sound(broken.direct, "g") == 5


@pytest.mark.parametrize("cut", NOT_STORED)
@pytest.mark.parametrize("bodies", BODIES.values(), ids=BODIES)
def test_append_that_never_came(broken: Broken, cut: Cut, bodies: tuple[bytes, ...]) -> None:
    open_game(broken.direct)
    with lost(broken, b"append_events", cut):
        append(broken.store, "g", 1, "k", *bodies)
    assert assert_sound(broken.direct, "g") == 1
    done = append(broken.store, "g", 1, "k", *bodies)
    assert done == last(broken.direct, "g") == append(broken.direct, "g", 1, "k", *bodies)
    assert assert_sound(broken.direct, "g") == 1 + len(bodies)


def test_append_without_a_key_is_not_repeated_blindly(broken: Broken) -> None:
    """The store says where the game stands; nothing is stored twice."""
    open_game(broken.direct)
    with lost(broken, b"append_events", answered):
        append(broken.store, "g", 1, None, body(1))
    with pytest.raises(SequenceConflictError) as caught:
        append(broken.store, "g", 1, None, body(1))
    assert (caught.value.next_seq, caught.value.head) == (2, last(broken.direct, "g").head)
    assert assert_sound(broken.direct, "g") == 2


def test_asked_again_while_the_first_is_still_at_it(broken: Broken, database: Database) -> None:
    """The server knows nothing of the lost connection: it goes on to wait for the game, and so does the repeat."""
    open_game(broken.direct)
    with psycopg.connect(database.admin_url) as holder, ThreadPoolExecutor(2) as pool:
        holder.execute("SELECT FROM mingpai.game_heads FOR UPDATE")
        with lost(broken, b"append_events", sent):
            append(broken.store, "g", 1, "k", body(1), body(2))
        repeats = [pool.submit(append, one, "g", 1, "k", body(1), body(2)) for one in (broken.store, broken.direct)]
        wait_for_locks(database, 3)
        holder.rollback()
        answers = {repeat.result() for repeat in repeats}
    assert answers == {last(broken.direct, "g")}
    assert assert_sound(broken.direct, "g") == 3


def wait_for_locks(database: Database, count: int) -> None:
    """Returns once so many sessions wait for a lock."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with psycopg.connect(database.admin_url, autocommit=True) as watching:
        for _ in range(3000):
            if watching.execute(query).fetchone() == (count,):
                return
            watching.execute("SELECT pg_sleep(0.01)")
    pytest.fail(f"it never came to {count} sessions that wait")


def test_game_whose_opening_s_answer_is_lost(broken: Broken) -> None:
    with lost(broken, b"open_game", answered):
        open_game(broken.store)
    first = last(broken.direct, "g")
    for store in (broken.store, broken.direct):
        assert open_game(store) == first
    assert broken.direct.secret("g") == opening("g").secret
    assert assert_sound(broken.direct, "g") == 1


@pytest.mark.parametrize("cut", NOT_STORED)
def test_game_whose_opening_never_came(broken: Broken, cut: Cut) -> None:
    with lost(broken, b"open_game", cut):
        broken.store.open(opening("g", ["甲"]), entry(start("g")), key="open")
    with pytest.raises(UnknownGameError):
        broken.direct.game("g")
    assert open_game(broken.store) == last(broken.direct, "g")
    assert broken.direct.names("g") == {}
    assert assert_sound(broken.direct, "g") == 1


#: Where in an ingest of 30 events, 10 a transaction, its second transaction is cut, and how many are stored then.
INGEST_CUTS = {
    "commit, answer lost": (b"COMMIT\0", answered, 10),
    "commit never sent": (b"COMMIT\0", never_sent, 0),
    "events staged, not taken": (b"ingest_events", never_sent, 0),
    "events half sent": (body(5)[1:-1], half_sent, 0),
}


@pytest.mark.parametrize(("holding", "cut", "stored"), INGEST_CUTS.values(), ids=INGEST_CUTS)
def test_ingest(broken: Broken, holding: bytes, cut: Cut, stored: int) -> None:
    events = whole("g", 30)
    with lost(broken, holding, cut):
        broken.store.ingest(opening("g"), events, batch=10)
    if stored:
        assert assert_sound(broken.direct, "g") == stored
    else:
        assert broken.direct.secret("g") is None
    done = broken.store.ingest(opening("g"), events, batch=10)
    assert done == Ingested(*last(broken.direct, "g"), added=30 - stored, skipped=stored)
    again = broken.direct.ingest(opening("g"), events, batch=10)
    assert again == done._replace(added=0, skipped=30)
    assert assert_sound(broken.direct, "g") == 30


def test_ingest_of_which_some_was_there(broken: Broken) -> None:
    """Cut in the second transaction: the first one's events stay, and are skipped."""
    events = whole("g", 30)
    with lost(broken, body(15)[1:-1], never_sent):
        broken.store.ingest(opening("g"), events, batch=10)
    assert assert_sound(broken.direct, "g") == 10
    done = broken.store.ingest(opening("g"), events, batch=10)
    assert (done.added, done.skipped) == (20, 10)
    assert assert_sound(broken.direct, "g") == 30


@pytest.mark.parametrize("cut", [never_sent, half_sent, answered])
def test_seal(broken: Broken, cut: Cut) -> None:
    open_game(broken.direct)
    append(broken.direct, "g", 1, None, end(1))
    with lost(broken, b"seal_game", cut):
        seal(broken.store, "g")
    assert Log(broken.direct).size() == (cut is answered)
    assert seal(broken.store, "g") == seal(broken.direct, "g")
    assert Log(broken.direct).size() == 1


@pytest.mark.parametrize("cut", [never_sent, half_sent, answered])
def test_checkpoint(broken: Broken, cut: Cut) -> None:
    log = Log(broken.direct)
    with lost(broken, b"keep_checkpoint", cut):
        Log(broken.store).keep_checkpoint(0, b"note")
    assert len(list(log.checkpoints())) == (cut is answered)
    Log(broken.store).keep_checkpoint(0, b"note")
    assert [one.note for one in log.checkpoints()] == [b"note"]


def test_reading_goes_on_over_a_new_connection(broken: Broken) -> None:
    open_game(broken.direct)
    with lost(broken, b"FROM mingpai.events", answered):
        list(broken.store.events("g"))
    assert list(broken.store.events("g")) == list(broken.direct.events("g"))
