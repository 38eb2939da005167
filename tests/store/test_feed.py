"""The feed: whoever follows it by its cursor gets every event once, whatever order the transactions ended in."""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from service.embedded import ADMIN, APPLICATION, OWNER, Server, embedded
from service.postgres import find_binaries
from service.store import Store, upgrade
from service.store.errors import ReplicaError
from service.store.feed import Cursor, FedEvent, Feed
from tests.databases import QUICK, Database, addresses, cloned, create
from tests.store.games import append, assert_sound, body, entry, open_game, opening, whole

Connection = psycopg.Connection[tuple[object, ...]]
SEED = 20260301


def append_in(connection: Connection, game: str, count: int = 1, key: str | None = None) -> None:
    """Appends wherever the game goes on, within the connection's transaction."""
    query = "SELECT next_seq FROM mingpai.game_heads WHERE game = %s"
    (place,) = connection.execute(query, (game,)).fetchone() or (0,)
    assert isinstance(place, int)
    bodies, publics, salts = zip(*(entry(body(seq)) for seq in range(place, place + count)), strict=True)
    arguments = (game, place, key, list(bodies), list(publics), list(salts))
    connection.execute("SELECT mingpai.append_events(%s, %s, %s, %b, %b, %b)", arguments)


@contextmanager
def idle(url: str, game: str, count: int = 1) -> Iterator[Connection]:
    """A connection that has appended and does nothing more; rolled back unless it is committed."""
    with psycopg.connect(url) as connection:
        append_in(connection, game, count)
        yield connection
        connection.rollback()


def read(feed: Feed, after: Cursor = Cursor(), limit: int = 1000) -> list[FedEvent]:  # noqa: B008
    """Everything there is behind a cursor."""
    found: list[FedEvent] = []
    while page := feed.page(after, limit):
        assert len(page) <= limit
        found += page
        after = page[-1].cursor
    return found


def places(events: list[FedEvent]) -> list[tuple[str, int]]:
    return [(fed.game, fed.event.seq) for fed in events]


# Many writers


class Reader:
    """Follows the feed while others write; stops in the middle of pages, and goes on from its cursor's text."""

    def __init__(self, store: Store, seed: int) -> None:
        self.feed = Feed(store)
        self.seen: list[FedEvent] = []
        self.held = 0  #: how often somebody held the feed back
        self._random = random.Random(seed)
        self._cursor = str(Cursor())

    def step(self) -> bool:
        """Reads a page and keeps some of it; whether there was anything."""
        page = self.feed.page(Cursor.parse(self._cursor), self._random.choice((1, 2, 7, 100)))
        kept = page[: self._random.randint(1, 100)]
        self.seen += kept
        if kept:
            self._cursor = str(kept[-1].cursor)
        state = self.feed.state()
        self.held += state.mark < state.position
        return bool(page)


class NaiveReader:
    """Follows the positions alone, as if they were committed in their order."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.seen: list[int] = []

    def step(self) -> None:
        last = self.seen[-1] if self.seen else 0
        query = "SELECT position FROM mingpai.appends WHERE position > %s ORDER BY position"
        with self._store.driver() as driver:
            self.seen += [position for (position,) in driver.execute(query, (last,)).fetchall()]


GAMES = [f"g{number:02}" for number in range(24)]


def write(url: str, seed: int) -> int:
    """Appends to random games in transactions of random length, some of them taken back; how many were."""
    chance, taken_back = random.Random(seed), 0
    with psycopg.connect(url) as connection:
        for _ in range(60):
            try:
                for game in sorted(chance.sample(GAMES, chance.choice((1, 1, 2, 3)))):  # in one order: no deadlock
                    append_in(connection, game, chance.randint(1, 4))
                    time.sleep(chance.choice((0, 0.001, 0.01)))
                time.sleep(chance.choice((0, 0, 0.005, 0.05)))
            except psycopg.Error as error:
                if error.sqlstate != "MP001":  # somebody else was quicker
                    raise
                connection.rollback()
                continue
            if chance.random() < 0.2:
                connection.rollback()
                taken_back += 1
            else:
                connection.commit()
    return taken_back


def followed(reader: Reader, naive: NaiveReader, writers: list[Future[int]]) -> None:
    while not all(writer.done() for writer in writers):
        reader.step()
        naive.step()
    while reader.step():
        pass


def test_eight_writers_with_open_transactions(store: Store, database: Database) -> None:
    """Every committed event once and in its game's order. Reading by position alone loses some in the same run."""
    for game in GAMES:
        open_game(store, game)
    reader, naive = Reader(store, SEED), NaiveReader(store)
    with ThreadPoolExecutor(8) as pool:
        writers = [pool.submit(write, database.application_url, SEED + number) for number in range(8)]
        followed(reader, naive, writers)
    assert sum(writer.result() for writer in writers) > 10, f"nothing was taken back (seed {SEED})"
    for game in GAMES:
        seen = [fed.event for fed in reader.seen if fed.game == game]
        assert seen == list(store.events(game)), f"{game} (seed {SEED})"
        assert_sound(store, game)
    assert len({fed.cursor for fed in reader.seen}) == len(reader.seen)
    assert [fed.cursor for fed in reader.seen] == sorted(fed.cursor for fed in reader.seen)
    state = reader.feed.state()
    assert (state.mark, state.writers) == (state.position, ())
    assert reader.held > 0, f"nobody held the feed back: the test shows nothing (seed {SEED})"
    with store.driver() as driver:
        (appends,) = driver.execute("SELECT count(*) FROM mingpai.appends").fetchone() or (0,)
    assert len(naive.seen) < appends, f"positions came in order: the test shows nothing (seed {SEED})"


# Pages and cursors


def test_an_empty_feed(store: Store) -> None:
    feed = Feed(store)
    for cursor in (Cursor(), Cursor(1, 0), Cursor(1 << 70, 1 << 70)):
        assert feed.page(cursor) == []
    state = feed.state()
    assert (state.position, state.mark, state.writers) == (0, 0, ())


def test_opened_appended_and_ingested_events(store: Store) -> None:
    open_game(store, "a")
    store.ingest(opening("b"), whole("b", 5), batch=3)
    append(store, "a", 1, None, body(1), body(2))
    events = read(Feed(store))
    assert places(events) == [("a", 0), *[("b", seq) for seq in range(5)], ("a", 1), ("a", 2)]
    assert [fed.event for fed in events if fed.game == "b"] == list(store.events("b"))
    assert [fed.cursor.seq for fed in events] == [fed.event.seq for fed in events]


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 6, 7])
def test_pages_that_end_within_an_append(store: Store, limit: int) -> None:
    open_game(store)
    append(store, "g", 1, None, *(body(seq) for seq in range(1, 5)))
    append(store, "g", 5, None, body(5))
    feed = Feed(store)
    assert places(read(feed, limit=limit)) == [("g", seq) for seq in range(6)]
    everything = read(feed)
    for number, fed in enumerate(everything, 1):
        assert read(feed, Cursor.parse(str(fed.cursor)), limit) == everything[number:]


def test_a_repeated_append_comes_once(store: Store) -> None:
    open_game(store)
    for _ in range(2):
        append(store, "g", 1, "k", body(1))
    append(store, "g", 2, None, body(2))
    assert places(read(Feed(store))) == [("g", 0), ("g", 1), ("g", 2)]


@pytest.mark.parametrize("cursor", [Cursor(), Cursor(1, 0), Cursor(1 << 62, 99_999), Cursor(7, -1)])
def test_cursors_as_text(cursor: Cursor) -> None:
    assert Cursor.parse(str(cursor)) == cursor


@pytest.mark.parametrize(
    "text",
    [
        "", ".", "1", "1.", ".1", "1.1.", "1.1.1", "1.1 ", " 1.1", "1 .1", "01.1", "1.01", "+1.1", "1.+1", "-0.1",
        "1.-0", "-1.1", "1.-2", "1_0.1", "1.1_0", "1e1.1", "0x1.1", "a.b", "１.1", "1,1", "1.1\n", "\0", "None.1",
        "1.0.0", "9" * 5000 + ".0",
    ],
)  # fmt: skip
def test_what_is_no_cursor(text: str) -> None:
    with pytest.raises(ValueError, match=r"cursor|int|digits"):
        Cursor.parse(text)


# What holds the feed back, and what does not


def test_idle_transactions_elsewhere_hold_nothing_back(
    store: Store, database: Database, postgres: Server, migrated_template: str
) -> None:
    """Another database, another store's append, another table: all of them with a transaction number of their own."""
    open_game(store)
    with (
        cloned(postgres, migrated_template) as other,
        Store.connect(other.application_url, unsafe_allowed=True) as other_store,
        psycopg.connect(postgres.url(ADMIN, "postgres")) as elsewhere,
        psycopg.connect(database.application_url) as beside,
    ):
        open_game(other_store)
        elsewhere.execute("SELECT pg_current_xact_id()")
        beside.execute("INSERT INTO mingpai.audits VALUES ('g', 'x', 0, 'clean', '{}')")
        with idle(other.application_url, "g"):
            append(store, "g", 1, None, body(1))
            feed = Feed(store)
            assert places(read(feed)) == [("g", 0), ("g", 1)]
            assert feed.state().writers == ()
            assert [writer.pid for writer in Feed(other_store).state().writers] != []
        elsewhere.rollback()
        beside.rollback()


def test_a_reader_and_other_locks_hold_nothing_back(store: Store, database: Database) -> None:
    open_game(store)
    with psycopg.connect(database.application_url) as reading:
        reading.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        reading.execute("SELECT pg_advisory_xact_lock_shared(1), count(*) FROM mingpai.events")
        append(store, "g", 1, None, body(1))
        assert places(read(Feed(store))) == [("g", 0), ("g", 1)]
        assert Feed(store).state().writers == ()
        reading.rollback()


@pytest.mark.parametrize("committed", [True, False])
def test_an_idle_append_holds_back_what_came_after_it(store: Store, database: Database, committed: bool) -> None:
    for game in ("a", "b", "c"):
        open_game(store, game)
    feed = Feed(store)
    before = read(feed)
    after = before[-1].cursor
    with idle(database.application_url, "a", 2) as writer:
        append(store, "b", 1, None, body(1))
        append(store, "b", 2, None, body(2))
        assert feed.page(after) == []
        state = feed.state()
        assert state.mark == after.position < state.position
        assert [one.pid for one in state.writers] == [writer.info.backend_pid]
        if committed:
            writer.commit()
    expected = [("a", 1), ("a", 2)] if committed else []
    assert places(read(feed, after)) == [*expected, ("b", 1), ("b", 2)]
    assert feed.state().mark == feed.state().position


def test_state_names_the_writers_and_their_age(store: Store, database: Database) -> None:
    """The longest first. How long a session of another role has been at it is not the application's to see."""
    for game in ("a", "b", "c"):
        open_game(store, game)
    with idle(database.application_url, "a") as first:
        time.sleep(0.3)
        with idle(database.application_url, "b") as second, idle(database.admin_url, "c") as other:
            writers = Feed(store).state().writers
            assert [writer.pid for writer in writers] == [one.info.backend_pid for one in (first, second, other)]
            ages = [writer.seconds for writer in writers]
            assert ages[2] is None
            assert ages[0] is not None
            assert ages[1] is not None
            assert ages[0] >= ages[1] + 0.3
            assert ages[1] >= 0
    assert Feed(store).state().writers == ()


def test_a_transaction_with_several_appends_is_one_writer(store: Store, database: Database) -> None:
    open_game(store, "a")
    open_game(store, "b")
    feed = Feed(store)
    after = read(feed)[-1].cursor
    with idle(database.application_url, "a") as writer:
        append(store, "b", 1, None, body(1))
        append_in(writer, "a", 2)
        state = feed.state()
        assert [one.pid for one in state.writers] == [writer.info.backend_pid]
        assert (state.mark, feed.page(after)) == (after.position, [])
        writer.commit()
    assert places(read(feed, after)) == [("a", 1), ("b", 1), ("a", 2), ("a", 3)]


def test_a_refused_append_holds_nothing_back(store: Store, database: Database) -> None:
    """Refused at the very end, for its key: the transaction stays open, its savepoint has gone, and so has the lock."""
    open_game(store, "a")
    open_game(store, "b")
    append(store, "a", 1, "k", body(1))
    feed = Feed(store)
    after = read(feed)[-1].cursor
    with psycopg.connect(database.application_url) as writer:
        writer.execute("SELECT pg_current_xact_id()")
        with pytest.raises(psycopg.Error, match="key k was used"), writer.transaction():
            append_in(writer, "a", key="k")
        assert feed.state().position > after.position  # a place was taken
        append(store, "b", 1, None, body(1))
        assert places(read(feed, after)) == [("b", 1)]
        writer.rollback()


# In another cluster


def restored(database: Database, postgres: Server, into: Server, name: str) -> Database:
    """A dump of ``database``, restored as a new database of another server that has been migrated before."""
    binaries = find_binaries()
    upgrade(into.url(OWNER))  # makes the roles, which are no part of a database
    with psycopg.connect(into.url(ADMIN), autocommit=True) as admin:
        create(admin, name, "template1")
    dump = subprocess.run([binaries / "pg_dump", "--dbname", database.admin_url], capture_output=True, check=True)
    made = addresses(into, name)
    restore = [str(binaries / "psql"), "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--dbname", made.admin_url]
    subprocess.run(restore, input=dump.stdout, capture_output=True, check=True)
    return made


def test_a_cursor_goes_on_in_a_restored_dump(
    store: Store, database: Database, postgres: Server, tmp_path: Path
) -> None:
    """In a new cluster transactions are counted from the beginning; positions are not. What was under way in the old
    one when it was dumped is neither there nor waited for."""
    for game in ("a", "b"):
        open_game(store, game)
    append(store, "a", 1, "k", body(1), body(2))
    cursor = str(read(Feed(store))[-1].cursor)
    append(store, "b", 1, None, body(1))
    with embedded(tmp_path, settings=QUICK) as other:
        with idle(database.application_url, "b"):
            made = restored(database, postgres, other, "restored")
        with Store.connect(made.application_url, unsafe_allowed=True) as copy:
            feed = Feed(copy)
            assert places(read(feed, Cursor.parse(cursor))) == [("b", 1)]
            assert [fed.event.body for fed in read(feed)] == [fed.event.body for fed in read(Feed(store))]
            assert append(copy, "a", 1, "k", body(1), body(2)) == append(store, "a", 1, "k", body(1), body(2))
            with idle(made.application_url, "a") as writer:
                append(copy, "b", 2, None, body(2))
                assert places(read(feed, Cursor.parse(cursor))) == [("b", 1)]
                assert [one.pid for one in feed.state().writers] == [writer.info.backend_pid]
                writer.commit()
            assert places(read(feed, Cursor.parse(cursor))) == [("b", 1), ("a", 3), ("b", 2)]
            assert [assert_sound(copy, game) for game in ("a", "b")] == [4, 3]


def test_a_replica_gives_no_feed(tmp_path: Path) -> None:
    """It has neither the writers' locks nor the sequence as they are: a page of it could skip what commits late."""
    with embedded(tmp_path / "primary") as server:
        upgrade(server.url(OWNER))
        with Store.connect(server.url(APPLICATION)) as store:
            open_game(store)
            assert len(Feed(store).page(Cursor())) == 1
    shutil.copytree(tmp_path / "primary", tmp_path / "replica")
    copy = tmp_path / "replica" / "postgres"
    (copy / "standby.signal").touch()
    for path in (copy, *copy.rglob("*")):
        shutil.chown(path, (tmp_path / "primary" / "postgres").stat().st_uid)
    with embedded(tmp_path / "replica") as server, Store.connect(server.url(APPLICATION)) as store:
        assert store.game("g").next_seq == 1
        with pytest.raises(ReplicaError, match="replica"):
            Feed(store).page(Cursor())


def test_positions_ahead_of_their_sequence_are_no_feed(database: Database, store: Store) -> None:
    """As in a database that rows are replicated into: its sequence stands still."""
    open_game(store)
    with psycopg.connect(database.admin_url) as admin:
        admin.execute("SELECT setval('mingpai.appends_position_seq', 1, false)")
    with pytest.raises(ReplicaError):
        Feed(store).page(Cursor())
