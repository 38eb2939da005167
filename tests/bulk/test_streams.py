"""Exports and ingests over real sockets: cut, killed, slow, large."""

from __future__ import annotations

import io
import json
import signal
import socket
import threading
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from schema.paipu import LogError, encode, read
from schema.paipu import games as grouped
from service.api.bulk import INGESTS
from service.store import Store
from service.usecases.export import export
from tests.bulk.logs import copies, take_in
from tests.bulk.serving import peak, serving
from tests.bulk.viewers import sent_by
from tests.databases import Database
from tests.store import games as stored
from tests.usecases.games import game, id_of, lines

MIB = 1024 * 1024


def connected(base: str) -> socket.socket:
    parts = urlsplit(base)
    assert parts.hostname is not None
    return socket.create_connection((parts.hostname, parts.port or 80), timeout=60)


def begin_ingest(link: socket.socket, viewer: str = "server-1") -> None:
    """The head of a request whose body is sent in chunks."""
    head = f"POST /ingest HTTP/1.1\r\nhost: 127.0.0.1\r\nx-viewer: {viewer}\r\ntransfer-encoding: chunked\r\n\r\n"
    link.sendall(head.encode())


def send_chunk(link: socket.socket, data: bytes) -> None:
    link.sendall(f"{len(data):x}\r\n".encode() + data + b"\r\n")


def received_until(link: socket.socket, mark: bytes) -> bytes:
    data = b""
    while mark not in data:
        part = link.recv(65536)
        assert part, data
        data += part
    return data


# -- Out ---------------------------------------------------------------------------------------------------------------


def whole_games(log: bytes) -> list[str]:
    """The games of a broken log that have surely come whole: all but the last."""
    found: list[str] = []
    try:
        for group in grouped(read(io.BytesIO(log), source="log")):
            found.append(next(group).document["game"])
    except LogError:
        pass
    return found[:-1]


def log_of(store: Store, names: Iterable[str]) -> bytes:
    return b"".join(line for name in names for line in export(store, name))


@pytest.mark.parametrize("packing", ["identity", "gzip", "zstd"])
def test_an_export_that_is_cut_goes_on_behind_the_last_whole_game(
    database: Database, store: Store, packing: str
) -> None:
    """The connection is cut three times; what was whole is kept, and together it is the log of all games."""
    names = take_in(store, *(game(index) for index in range(35)))
    kept, after = b"", None
    with serving(database) as (_, base):
        for _ in range(3):
            body = _cut_export(base, packing, after, at=140_000 if packing == "identity" else 20_000)
            came = whole_games(body)
            part = log_of(store, came)
            assert came
            assert _plain(body).startswith(part)
            kept, after = kept + part, came[-1]
        headers = sent_by("auditor") | {"accept-encoding": packing}
        rest = httpx.get(f"{base}/export", params={"after": after}, headers=headers, trust_env=False)
    assert kept + rest.content == log_of(store, names)
    assert kept
    assert rest.content


def _cut_export(base: str, packing: str, after: str | None, at: int) -> bytes:
    """The body of an export as far as it has come when the connection is reset after ``at`` bytes."""
    query = "" if after is None else f"?after={after}"
    head = f"GET /export{query} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-viewer: auditor\r\naccept-encoding: {packing}\r\n\r\n"
    with connected(base) as link:
        link.sendall(head.encode())
        body = received_until(link, b"\r\n\r\n").split(b"\r\n\r\n", 1)[1]
        while len(body) < at:
            part = link.recv(4096)
            assert part
            body += part
        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # a reset, as of a crash
    return _unchunked(body)


def _unchunked(body: bytes) -> bytes:
    parts, rest = [], body
    while True:
        size, found, rest = rest.partition(b"\r\n")
        if not found or not size:
            break
        length = int(size, 16)
        parts.append(rest[:length])
        rest = rest[length + 2 :]
    return b"".join(parts)


def _plain(body: bytes) -> bytes:
    """What can be unpacked of a body, as it was stored."""
    documents = []
    try:
        for record in read(io.BytesIO(body), source="log"):
            documents.append(record.document)
    except LogError:
        pass
    return b"".join(map(encode, documents))


def test_an_export_in_flat_memory(database: Database, store: Store) -> None:
    """A game of 50,000 events goes out in the memory of one of 5,000, also to a reader who is slow."""
    for name, events in (("small", 5_000), ("large", 50_000)):
        store.ingest(stored.opening(name), [*stored.whole(name, events), stored.entry(stored.end(events))])
    with serving(database) as (process, base):
        first = _exported(base, "small")
        before = peak(process)
        second = _exported(base, "large")
        assert len(second) > 9 * len(first) > 4 * MIB
        assert peak(process) - before < 7 * MIB


def _exported(base: str, name: str) -> bytes:
    parts = []
    headers = sent_by("auditor") | {"accept-encoding": "identity"}
    with httpx.stream("GET", f"{base}/export?id={name}", headers=headers, trust_env=False, timeout=60) as answer:
        for part in answer.iter_raw(16384):
            parts.append(part)
    return b"".join(parts)


# -- In ----------------------------------------------------------------------------------------------------------------


def test_each_game_is_answered_as_it_is_stored(database: Database, store: Store) -> None:
    """Before the next one has been sent."""
    with serving(database) as (_, base), connected(base) as link:
        begin_ingest(link)
        for number in range(3):
            documents, following = game(number), game((number + 1) % 3)
            send_chunk(link, lines(documents if number == 0 else documents[1:]))
            send_chunk(link, lines(following[:1]) if number < 2 else b"")
            answer = received_until(link, b'"verdict"')
            assert id_of(documents).encode() in answer
            assert store.game(id_of(documents)).next_seq == len(documents)


@pytest.mark.parametrize("is_reset", [False, True])
def test_a_connection_that_breaks_leaves_whole_games(database: Database, store: Store, is_reset: bool) -> None:
    games = list(copies(3))
    with serving(database) as (_, base):
        with connected(base) as link:
            begin_ingest(link)
            send_chunk(link, lines(games[0], games[1], games[2][:60]))
            received_until(link, b"copy-00001")
            if is_reset:
                link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        again = httpx.post(
            f"{base}/ingest", content=lines(*games), headers=sent_by("server-1"), trust_env=False, timeout=60
        )
        found = [json.loads(line) for line in again.content.splitlines()]
    assert [(line["added"], line["skipped"]) for line in found] == [(0, 103), (0, 103), (103, 0)]


def test_a_server_that_is_killed_in_the_middle(database: Database, store: Store) -> None:
    """What was answered is stored; sending it all again adds what is missing, and nothing twice."""
    games = list(copies(60))
    answered = b""
    with serving(database) as (process, base), connected(base) as link:
        begin_ingest(link)
        sender = threading.Thread(target=_send_all, args=(link, games), daemon=True)
        sender.start()
        answered = received_until(link, b"copy-00009")
        process.send_signal(signal.SIGKILL)
        sender.join()
    there = [one.game for one in store.games(limit=100)]
    told = [name for name in (id_of(one) for one in games) if name.encode() in answered]
    assert set(told) <= set(there)
    assert 10 <= len(there) < len(games)
    for name in there:
        assert store.game(name).next_seq == 103
    with serving(database) as (_, base):
        again = httpx.post(
            f"{base}/ingest", content=lines(*games), headers=sent_by("server-1"), trust_env=False, timeout=60
        )
    found = [json.loads(line) for line in again.content.splitlines()]
    assert [line["game"] for line in found if line["added"] == 0] == there
    assert log_of(store, (id_of(one) for one in games)) == lines(*games)


def _send_all(link: socket.socket, games: list[list[dict[str, object]]]) -> None:
    try:
        for documents in games:
            send_chunk(link, lines(documents))
    except OSError:
        pass  # the server was killed


def test_an_ingest_in_flat_memory(database: Database, store: Store) -> None:
    """50,000 events take no more than 5,000: what is not stored yet is one game. Most games come again and again."""
    games = list(copies(50))
    with serving(database) as (process, base):
        assert len(_sent(base, iter(games))) == 50
        before = peak(process)
        assert len(_sent(base, (one for _ in range(10) for one in games))) == 500
        assert peak(process) - before < 25 * MIB


def _sent(base: str, games: Iterator[list[dict[str, object]]]) -> list[bytes]:
    """Sends games as a stream, and reads the answer only then."""
    answer = httpx.post(
        f"{base}/ingest", content=map(lines, games), headers=sent_by("server-1"), trust_env=False, timeout=120
    )
    return answer.content.splitlines()


def test_others_are_served_while_slow_senders_wait(database: Database, store: Store) -> None:
    with serving(database) as (_, base):
        links = [connected(base) for _ in range(INGESTS)]
        for link in links:
            begin_ingest(link)
            send_chunk(link, lines(game(0)[:1]))
            received_until(link, b"\r\n\r\n")
        answer = httpx.post(f"{base}/ingest", content=lines(game(1)), headers=sent_by("server-1"), trust_env=False)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "10")
        assert httpx.get(f"{base}/healthz", trust_env=False).status_code == 200
        for link in links:
            link.close()
        for _ in range(500):
            answer = httpx.post(f"{base}/ingest", content=lines(game(1)), headers=sent_by("server-1"), trust_env=False)
            if answer.status_code == 200:
                break
        assert json.loads(answer.content)["added"] == len(game(1))
