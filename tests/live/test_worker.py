"""The worker, round by round: what it stores, who has the lease, and that it comes to the same whatever happens."""

from __future__ import annotations

import logging
from pathlib import Path

import psycopg
import pytest

from replays import ENGINE
from service.live.following import Following
from service.live.worker import Worker
from service.store import Store
from service.store.live import claim, lag, newest_live, note_due, store_audits
from service.store.log import Log
from service.usecases.audits import audit_stored
from service.usecases.ingest import ingest_file
from tests.databases import Database
from tests.live.live_games import OWNER, LiveGame, hand_ends, live_rows, report_of, settled_of
from tests.store.attacks import unguarded
from tests.usecases.games import game, with_violation, write


@pytest.fixture
def worker(store: Store) -> Worker:
    return Worker(store)


def work(worker: Worker) -> None:
    """Rounds until there is nothing to do."""
    while worker.step():
        pass


def leases(database: Database) -> dict[str, tuple[int, int, bool]]:
    """By game: due, audited, whether it waits."""
    statement = "SELECT game, due_seq, audited_seq, due_since IS NOT NULL FROM mingpai.live_leases"
    with psycopg.connect(database.application_url) as connection:
        return {game: (due, audited, waits) for game, due, audited, waits in connection.execute(statement)}


def test_nothing_to_do(worker: Worker) -> None:
    assert not worker.step()


def test_a_game_as_it_grows(store: Store, database: Database, worker: Worker) -> None:
    playing = LiveGame(store, with_violation(game(1, hands=2))[0])
    ends = list(hand_ends(playing.documents))
    while playing.append(37) < len(playing.documents):
        work(worker)
        known = store.audit(playing.id, ENGINE)
        assert known is not None
        assert (known.upto_seq, known.report) == settled_of(store, playing.id)
        rows = live_rows(database.application_url, playing.id)
        newest = playing.events - 1
        assert [(seq, is_end) for seq, is_end, _ in rows] == [
            *[(seq, True) for seq in ends if seq < newest],
            (newest, newest in ends),
        ]
        for seq, _, report in rows:
            assert report == report_of(store, playing.id, seq + 1)
        assert leases(database) == {playing.id: (newest, newest, False)}
    work(worker)
    known = store.audit(playing.id, ENGINE)
    assert known is not None
    assert known.report == report_of(store, playing.id)
    assert known.report["verdict"] == "violations"
    assert [(seq, is_end) for seq, is_end, _ in live_rows(database.application_url, playing.id)] == [
        (seq, True) for seq in ends
    ]
    assert leases(database) == {}


def test_others_see_nothing_of_the_hand_under_way(store: Store, worker: Worker) -> None:
    """Not even where the fault is in that very hand: its owner knows at once, everybody else when the hand is over."""
    documents, at = with_violation(game(0, hands=2))
    playing = LiveGame(store, documents)
    playing.append(at)
    work(worker)
    assert [audit.verdict for audit in newest_live(store, [playing.id], OWNER)] == ["violations"]
    known = store.audit(playing.id, ENGINE)
    assert known is not None
    assert known.verdict == "incomplete"
    assert newest_live(store, [playing.id], "server-2") == []
    ended = next(seq for seq in hand_ends(documents) if seq >= at)
    playing.append(ended + 1 - playing.events)
    work(worker)
    known = store.audit(playing.id, ENGINE)
    assert known is not None
    assert known.verdict == "violations"


def test_a_game_that_is_over_before_anybody_looks(store: Store, database: Database, worker: Worker) -> None:
    """The append audits and seals it: the worker has nothing to add."""
    playing = LiveGame(store, game(0, hands=2))
    playing.rest()
    before = store.audit(playing.id)
    work(worker)
    assert store.audit(playing.id) == before
    assert leases(database) == {}
    assert Log(store).size() == 1


def test_what_the_append_could_not_do_is_done(store: Store, database: Database, worker: Worker) -> None:
    """A service that is killed between the append and its audit leaves a game that is neither audited nor sealed."""
    playing = LiveGame(store, game(0))
    playing.rest()
    expected = store.audit(playing.id)
    assert expected is not None
    with psycopg.connect(database.application_url) as connection:
        connection.execute("DELETE FROM mingpai.audits")
    work(worker)
    known = store.audit(playing.id)
    assert known is not None
    assert (known.upto_seq, known.report) == (expected.upto_seq, expected.report)


def test_whole_games_by_the_hundred_leave_nothing_behind(
    store: Store, database: Database, worker: Worker, tmp_path: Path
) -> None:
    path = write(tmp_path / "games.jsonl", *(game(index) for index in range(20)))
    list(ingest_file(store, path))
    work(worker)
    assert leases(database) == {}
    assert lag(store) == (0, 0.0, 0)


def test_a_log_that_just_stops(store: Store, database: Database, tmp_path: Path) -> None:
    """Ingested, it is a game that goes on: what is kept for everybody stops before its last hand."""
    documents, at = with_violation(game(0, hands=2))
    path = write(tmp_path / "stops.jsonl", documents[: at + 1])
    (outcome,) = ingest_file(store, path)
    assert getattr(outcome, "verdict", None) == "violations"  # who has the log may know
    name = documents[0]["game"]
    known = store.audit(name, ENGINE)
    assert known is not None
    assert (known.upto_seq, known.report) == settled_of(store, name)
    assert known.verdict == "incomplete"
    assert store.findings(ENGINE, game=name) == []
    assert audit_stored(store, name) == known.report
    ((seq, _, report),) = live_rows(database.application_url, name)
    assert (seq, report) == (at, report_of(store, name))


def test_two_share_the_games_and_none_is_done_twice(
    store: Store, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = Worker(store), Worker(store)
    games = [LiveGame(store, game(index)) for index in range(20)]
    for playing in games:
        playing.append(30)
    fed: list[int] = []
    feed = Following.feed
    monkeypatch.setattr(Following, "feed", lambda self, stored: (fed.append(1), feed(self, stored))[1])
    done = [worker.step() for worker in (first, second, first, second)]
    assert done == [True, True, True, False]
    assert len(fed) == len(games)
    assert all(due == audited for due, audited, _ in leases(database).values())
    with psycopg.connect(database.application_url) as connection:
        counts = connection.execute("SELECT holder, count(*) FROM mingpai.live_leases GROUP BY 1").fetchall()
    assert dict(counts) == {first.name: 12, second.name: 8}


def test_a_lease_keeps_others_out_until_it_expires(store: Store, database: Database) -> None:
    first, second = Worker(store), Worker(store)
    playing = LiveGame(store, game(0))
    work(first)
    playing.append(5)
    assert second.step()  # notes what is due, and gets none of it
    assert leases(database)[playing.id][2]
    with psycopg.connect(database.application_url) as connection:
        connection.execute("UPDATE mingpai.live_leases SET expires_at = clock_timestamp() - interval '1 s'")
    work(second)
    assert not leases(database)[playing.id][2]
    assert live_rows(database.application_url, playing.id)[-1][2] == report_of(store, playing.id)


def test_a_worker_that_stops_gives_its_games_back(store: Store, database: Database) -> None:
    first, second = Worker(store), Worker(store)
    playing = LiveGame(store, game(0))
    work(first)
    first.stop()
    playing.append(5)
    work(second)
    assert not leases(database)[playing.id][2]


def test_a_result_of_a_lease_that_was_lost_is_not_stored(store: Store, database: Database) -> None:
    """However long a process was stopped in the middle of its work: its token is an old one then."""
    playing = LiveGame(store, game(0))
    playing.append(20)
    note_due(store, ENGINE)
    (old,) = claim(store, "stopped", 0.0, 10)
    following = Following()
    following.feed(store.events(playing.id))
    playing.append(20)
    work(Worker(store))
    before = live_rows(database.application_url, playing.id)
    assert not store_audits(store, old, following.seq, [following.audit()])
    assert live_rows(database.application_url, playing.id) == before
    assert leases(database)[playing.id][1] == playing.events - 1
    (again,) = claim(store, "stopped", 0.0, 10) or [None]
    assert again is None


def test_two_that_do_the_same_store_the_same(store: Store, database: Database) -> None:
    """Should a game be audited by two at once all the same: nothing is lost, nothing is doubled."""
    playing = LiveGame(store, with_violation(game(1))[0])
    playing.append(60)
    note_due(store, ENGINE)
    (lease,) = claim(store, "one", 60.0, 10)
    for _ in range(2):
        following = Following()
        ends = following.feed(store.events(playing.id))
        assert store_audits(store, lease, following.seq, [*ends, following.audit()])
    rows = live_rows(database.application_url, playing.id)
    assert [report for _, _, report in rows] == [report_of(store, playing.id, seq + 1) for seq, _, _ in rows]


def test_a_new_process_goes_on_from_what_is_stored(store: Store, database: Database) -> None:
    playing = LiveGame(store, game(0, hands=2))
    while playing.append(50) < len(playing.documents) - 1:
        worker = Worker(store)
        work(worker)
        worker.stop()
        seq, _, report = live_rows(database.application_url, playing.id)[-1]
        assert (seq, report) == (playing.events - 1, report_of(store, playing.id))
        known = store.audit(playing.id, ENGINE)
        assert known is not None
        assert (known.upto_seq, known.report) == settled_of(store, playing.id)


def test_games_that_are_dropped_from_memory_are_audited_all_the_same(store: Store, database: Database) -> None:
    worker = Worker(store, kept=2)
    games = [LiveGame(store, game(index)) for index in range(6)]
    for _ in range(3):
        for playing in games:
            playing.append(20)
        work(worker)
    for playing in games:
        assert live_rows(database.application_url, playing.id)[-1][2] == report_of(store, playing.id)


def test_a_game_that_breaks_the_audit_does_not_hold_up_the_others(
    store: Store, database: Database, worker: Worker, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = LiveGame(store, game(0)), LiveGame(store, game(1))
    for playing in (broken, sound):
        playing.append(20)
    with unguarded(database.admin_url) as connection:
        connection.execute("UPDATE mingpai.events SET body = 'x' WHERE game = %s AND seq = 7", (broken.id,))
    with caplog.at_level(logging.ERROR):
        work(worker)
    assert f"the live audit of game {broken.id} broke off" in caplog.text
    assert live_rows(database.application_url, broken.id) == []
    assert live_rows(database.application_url, sound.id)[-1][2] == report_of(store, sound.id)
    assert leases(database)[broken.id][2]  # and the metrics show that it waits
    assert lag(store).games == 1


def test_the_lag_goes_up_and_down(store: Store, worker: Worker) -> None:
    playing = LiveGame(store, game(0))
    playing.append(9)
    found = lag(store)
    assert (found.events, found.games) == (10, 0)
    assert lag(store).seconds > found.seconds > 0
    note_due(store, ENGINE)
    found = lag(store)
    assert (found.events, found.games) == (10, 1)
    assert found.seconds > 0
    work(worker)
    assert lag(store) == (0, 0.0, 0)


def test_an_append_that_commits_late_is_not_skipped(store: Store, database: Database, worker: Worker) -> None:
    """The order of positions is not that of commits: the mark of the feed is what the worker goes by."""
    late, early = LiveGame(store, game(0)), LiveGame(store, game(1))
    work(worker)
    from tests.api.test_metrics import appending

    with appending(database, late.id, 1):
        early.append(3)
        work(worker)
        assert leases(database)[early.id][1] == 0
    work(worker)
    assert leases(database)[early.id][1] == 3
