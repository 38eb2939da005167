"""What one client of a store benchmark does, as a process of its own: the same bytes into different tables.

Every job writes a game (a stream) of its own in appends of ``batch`` events and says when it began and ended, by a
clock that all processes share.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import NamedTuple
from uuid import uuid4

import psycopg
from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore

from schema.canonical import canonical
from service.store import Entry, Opening, Store

EXAMPLES = Path(__file__).parents[1] / "tests" / "data" / "contract" / "examples"
SECRET = bytes(32)


class Target(NamedTuple):
    """Where the jobs write: the addresses of the administrator and of the application."""

    admin: str
    application: str


class Span(NamedTuple):
    """When a job began and ended, in seconds, and how many events it wrote."""

    begin: float
    end: float
    events: int


@cache
def documents() -> list[dict[str, object]]:
    """The events of the example games, but their starts and ends."""
    lines = [line for path in sorted(EXAMPLES.glob("*.jsonl")) for line in path.read_bytes().splitlines()]
    read = [json.loads(line) for line in lines]
    return [document for document in read if document["type"] not in ("game_started", "game_ended")]


def entries(count: int) -> list[Entry]:
    """``count`` events of a game, from seq 1 on, with digests and salts that cost nothing to make."""
    found = []
    for seq in range(1, count + 1):
        body = canonical({**documents()[seq % len(documents())], "seq": seq})
        found.append(Entry(body, sha256(body).digest(), sha256(body).digest()[:16]))
    return found


def opening(game: str) -> tuple[Opening, Entry]:
    """What begins a game."""
    start = next(json.loads(line) for line in sorted(EXAMPLES.glob("*.jsonl"))[0].read_bytes().splitlines())
    start["seats"] = [{"player": seat["player"]} for seat in start["seats"]]
    body = canonical({**start, "game": game})
    return Opening(game, bytes(32), SECRET), Entry(body, sha256(body).digest(), sha256(body).digest()[:16])


def parts(found: list[Entry], batch: int) -> Iterator[list[Entry]]:
    """``found`` in batches."""
    return (found[place : place + batch] for place in range(0, len(found), batch))


def plain(target: Target, found: list[Entry], batch: int) -> Span:
    """INSERT into a table with a key and nothing else, a transaction an append."""
    game = uuid4().hex
    with psycopg.connect(target.admin, autocommit=True) as session, session.cursor() as cursor:
        begin, seq = monotonic(), 0
        for part in parts(found, batch):
            rows = [(game, seq + place, entry.body) for place, entry in enumerate(part)]
            seq += len(part)
            if batch == 1:
                cursor.execute("INSERT INTO plain VALUES (%s, %s, %b)", rows[0])
                continue
            with session.transaction():
                cursor.executemany("INSERT INTO plain VALUES (%s, %s, %b)", rows)
        return Span(begin, monotonic(), len(found))


def copied(target: Target, found: list[Entry], batch: int) -> Span:
    """COPY into the same table, a transaction a batch."""
    game = uuid4().hex
    with psycopg.connect(target.admin, autocommit=True) as session, session.cursor() as cursor:
        begin, seq = monotonic(), 0
        for part in parts(found, batch):
            with cursor.copy("COPY plain FROM STDIN (FORMAT binary)") as copy:
                copy.set_types(("text", "int4", "bytea"))
                for entry in part:
                    copy.write_row((game, seq, entry.body))
                    seq += 1
        return Span(begin, monotonic(), len(found))


def appended(target: Target, found: list[Entry], batch: int) -> Span:
    """Our append: chained, checked, idempotent."""
    with Store.connect(target.application) as store:
        begun, first = opening(uuid4().hex)
        store.open(begun, first)
        begin, seq = monotonic(), 1
        for part in parts(found, batch):
            bodies, publics, salts = zip(*part, strict=True)
            store.append(begun.game, seq, f"key-{seq}", bodies, publics, salts)
            seq += len(part)
        return Span(begin, monotonic(), len(found))


def ingested(target: Target, found: list[Entry], batch: int) -> Span:
    """Our bulk ingest: COPY into the staging table, checked and moved."""
    with Store.connect(target.application) as store:
        store.health()
        begun, first = opening(uuid4().hex)
        begin = monotonic()
        store.ingest(begun, [first, *found], batch=batch)
        return Span(begin, monotonic(), len(found))


def _datastore(target: Target) -> PostgresDatastore:
    info = psycopg.conninfo.conninfo_to_dict(target.admin)
    return PostgresDatastore(*(str(info[name]) for name in ("dbname", "host", "port", "user", "password")))


def recorded(target: Target, found: list[Entry], batch: int) -> Span:
    """The application recorder of the library ``eventsourcing``."""
    with _datastore(target) as datastore:
        recorder = PostgresApplicationRecorder(datastore)
        stream = uuid4()
        begin, version = monotonic(), 0
        for part in parts(found, batch):
            recorder.insert_events(
                [StoredEvent(stream, version + place, "event", entry.body) for place, entry in enumerate(part)]
            )
            version += len(part)
        return Span(begin, monotonic(), len(found))


KINDS: dict[str, Callable[[Target, list[Entry], int], Span]] = {
    "plain": plain,
    "copied": copied,
    "appended": appended,
    "ingested": ingested,
    "recorded": recorded,
}


def run(kind: str, target: Target, count: int, batch: int) -> Span:
    """One job."""
    return KINDS[kind](target, entries(count), batch)


def make_tables(target: Target) -> None:
    """The tables beside ours."""
    with psycopg.connect(target.admin, autocommit=True) as session:
        session.execute("CREATE TABLE plain (game text, seq integer, body bytea, PRIMARY KEY (game, seq))")
    with _datastore(target) as datastore:
        PostgresApplicationRecorder(datastore).create_table()
