"""The staging table of ingest: a batch is its transaction's own, and nothing staged outlives that transaction."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import psycopg
import pytest

from service.store import Entry, Store
from service.store.errors import (
    ContentConflictError,
    InvalidEventError,
    StoreError,
    UnknownGameError,
    UnreachableError,
    translate,
)
from tests.databases import Database
from tests.store.games import assert_sound, body, chain, entry, opening, whole

_MOVE = "SELECT * FROM mingpai.ingest_events(%s, %b, %b, '{}')"
_OURS = "FROM pg_stat_activity WHERE datname = current_database() AND usename = 'mingpai_application'"

Session = psycopg.Connection[tuple[Any, ...]]


def stage(session: Session, entries: Sequence[Entry], first: int = 0) -> None:
    """Rows of staged events as the application's role may write them."""
    columns = "seq, body, public_digest, salt"
    with session.cursor() as cursor, cursor.copy(f"COPY mingpai.staged_events ({columns}) FROM STDIN") as copy:
        for seq, one in enumerate(entries, first):
            copy.write_row((seq, *one))


def move(session: Session, game: str) -> tuple[Any, ...]:
    """The ledger's answer: game, seq, head, time, and the number of events that were there."""
    details = opening(game)
    row = session.execute(_MOVE, (game, details.ruleset_digest, details.secret)).fetchone()
    assert row is not None
    return row


def staged(database: Database) -> int:
    """The rows that a transaction beginning now sees in the staging table."""
    with psycopg.connect(database.admin_url) as admin:
        row = admin.execute("SELECT count(*) FROM mingpai.staged_events").fetchone()
    assert row is not None
    return int(row[0])


def test_the_table_is_the_ledgers_and_leaves_no_trace(database: Database) -> None:
    with psycopg.connect(database.admin_url) as admin:
        rows = admin.execute(
            "SELECT relpersistence::text, relowner::regrole::text FROM pg_class "
            "WHERE oid IN ('mingpai.staged_events'::regclass, 'mingpai.staging'::regclass)"
        ).fetchall()
    assert rows == [("u", "mingpai_ledger")] * 2


def test_nothing_is_left_after_an_ingest(database: Database, store: Store) -> None:
    store.ingest(opening("g"), whole("g", 100), batch=30)
    assert staged(database) == 0
    changed = whole("g", 120)
    changed[110] = entry(body(7))
    with pytest.raises(InvalidEventError) as caught:
        store.ingest(opening("g"), changed, batch=30)
    assert caught.value.seq == 110
    assert staged(database) == 0
    assert assert_sound(store, "g") == 100


@pytest.mark.parametrize("constraints", ["DEFERRED", "IMMEDIATE"])
def test_staged_rows_cannot_be_committed(database: Database, constraints: str) -> None:
    with psycopg.connect(database.application_url) as session:
        session.execute(f"SET CONSTRAINTS ALL {constraints}")
        with pytest.raises(psycopg.Error) as caught:  # noqa: PT012 - which of the two raises depends on the setting
            stage(session, whole("g", 3))
            session.commit()
        session.rollback()
    assert caught.value.sqlstate == "MP014"
    assert staged(database) == 0


def test_nothing_of_a_batch_lasts(database: Database, store: Store) -> None:
    store.ingest(opening("g"), whole("g", 30), batch=10)
    with psycopg.connect(database.application_url) as session:
        stage(session, whole("h", 3))
        session.rollback()
    with psycopg.connect(database.admin_url) as admin:
        assert admin.execute("SELECT count(*) FROM mingpai.staging").fetchone() == (0,)


def test_sessions_move_only_their_own_rows(database: Database, store: Store) -> None:
    """Both stage the same places of two games, and neither waits for the other."""
    with psycopg.connect(database.application_url) as one, psycopg.connect(database.application_url) as two:
        stage(one, whole("a", 5))
        stage(two, whole("b", 7))
        assert move(one, "a")[1] == 4
        assert store.ingest(opening("c"), whole("c", 9)).added == 9
        assert move(two, "b")[1] == 6
    assert [assert_sound(store, game) for game in "abc"] == [5, 7, 9]
    assert staged(database) == 0


def test_rows_of_another_session_cannot_be_moved(database: Database, store: Store) -> None:
    with psycopg.connect(database.application_url) as one, psycopg.connect(database.application_url) as two:
        stage(one, whole("g", 5))
        with pytest.raises(psycopg.Error) as caught:
            move(two, "g")
        two.rollback()
        assert isinstance(translate(caught.value), InvalidEventError)
        assert move(one, "g")[1] == 4
    assert assert_sound(store, "g") == 5


def test_whoever_moves_later_is_compared(database: Database, store: Store) -> None:
    """Staged before the other's commit, moved after it: the stored events count, not those of the beginning."""
    mine, same = [*whole("g", 6), entry(body(6, tile="9s"))], whole("g", 6)
    with psycopg.connect(database.application_url) as one, psycopg.connect(database.application_url) as two:
        stage(one, mine)
        stage(two, same)
        store.ingest(opening("g"), whole("g", 7))
        assert move(two, "g")[4] == 6
        two.commit()
        with pytest.raises(psycopg.Error) as caught:
            move(one, "g")
        one.rollback()
    conflict = translate(caught.value)
    assert isinstance(conflict, ContentConflictError)
    assert (conflict.seq, conflict.next_seq) == (6, 7)


def test_rows_of_a_session_that_died_vanish(database: Database, store: Store) -> None:
    with psycopg.connect(database.admin_url, autocommit=True) as admin:
        left, killed = psycopg.connect(database.application_url), psycopg.connect(database.application_url)
        for session in (left, killed):
            stage(session, [entry(body(seq, x_w="dead")) for seq in range(50)])
        admin.execute("SELECT pg_terminate_backend(%s, 5000)", [killed.info.backend_pid])
        left.close()
    assert store.ingest(opening("g"), whole("g", 20)).added == 20
    assert staged(database) == 0
    assert store.bodies("g") == [one.body for one in whole("g", 20)]


def test_savepoints_belong_to_their_transaction(database: Database, store: Store) -> None:
    events = whole("g", 9)
    with psycopg.connect(database.application_url) as session:
        stage(session, events[:3])
        with session.transaction():
            stage(session, events[3:6], 3)
        with session.transaction(force_rollback=True):
            stage(session, events[6:], 6)
        assert move(session, "g")[1:3] == (5, chain(one.body for one in events[:6])[-1][1])
    assert assert_sound(store, "g") == 6


@pytest.mark.parametrize(
    ("places", "refusal"),
    [
        ((), InvalidEventError),
        ((0, 2), InvalidEventError),
        ((0, 1, 1), InvalidEventError),
        ((1, 2), UnknownGameError),
    ],
)
def test_batch_that_is_no_run(database: Database, places: Sequence[int], refusal: type[StoreError]) -> None:
    events = whole("g", 3)
    with psycopg.connect(database.application_url) as session:
        with pytest.raises(psycopg.Error) as caught:  # noqa: PT012 - a place twice is refused as it is staged
            for place in places:
                stage(session, [events[place]], place)
            move(session, "g")
        session.rollback()
    assert type(translate(caught.value)) is refusal
    assert staged(database) == 0


def test_no_transaction_is_open_while_the_source_waits(database: Database, store: Store) -> None:
    """A slow source must not hold a writing transaction open: it would stall every reader in commit order."""
    with psycopg.connect(database.admin_url, autocommit=True) as admin:

        def source() -> Iterator[Entry]:
            for number, one in enumerate(whole("g", 100)):
                if number % 10 == 5:
                    busy.append(admin.execute(f"SELECT count(*) {_OURS} AND state <> 'idle'").fetchone())
                yield one

        busy: list[tuple[Any, ...] | None] = []
        store.ingest(opening("g"), source(), batch=20)
    assert busy == [(0,)] * 10


def test_connections_that_break_between_batches(database: Database, store: Store) -> None:
    with psycopg.connect(database.admin_url, autocommit=True) as admin:

        def source() -> Iterator[Entry]:
            for number, one in enumerate(whole("g", 100)):
                if number == 55:
                    ended.extend(admin.execute(f"SELECT pg_terminate_backend(pid, 5000) {_OURS}").fetchall())
                yield one

        ended: list[tuple[Any, ...]] = []
        assert store.ingest(opening("g"), source(), batch=20).added == 100
    assert ended
    assert assert_sound(store, "g") == 100


def test_entry_that_cannot_be_staged(database: Database, store: Store) -> None:
    """The batches before it stay, its own leaves nothing, and the connection is as good as before."""
    events = whole("g", 100)
    broken = [*events[:50], Entry(None, *events[50][1:]), *events[51:]]  # type: ignore[arg-type]
    with pytest.raises(InvalidEventError):
        store.ingest(opening("g"), broken, batch=20)
    assert staged(database) == 0
    assert assert_sound(store, "g") == 40
    done = store.ingest(opening("g"), events, batch=30)
    assert (done.skipped, done.added) == (40, 60)
    assert assert_sound(store, "g") == 100


def test_transaction_that_stands_still_is_ended(store: Store) -> None:
    """A stopped process would keep its game locked: the server ends its session, which is told as a broken one."""
    with store.driver() as driver:
        assert driver.execute("SHOW idle_in_transaction_session_timeout").fetchone() == ("1min",)
    with pytest.raises(UnreachableError), store.driver() as driver, driver.transaction():  # noqa: PT012
        driver.execute("SET LOCAL idle_in_transaction_session_timeout = '20ms'")
        time.sleep(0.5)
        driver.execute("SELECT 1")
    store.ingest(opening("g"), whole("g", 3))
    assert assert_sound(store, "g") == 3
