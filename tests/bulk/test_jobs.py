"""Large exports: asked for, done by workers that may die, fetched, and gone in the end."""

from __future__ import annotations

import dataclasses
import json
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
import zstandard

from schema.ports import Role, Viewer, Window
from schema.ports.jobs import ExportWish, JobRow, JobUnknownError, TooManyError
from service.api import create_app
from service.store import Store, jobs
from service.store.jobs import Progress
from service.usecases.export import export
from service.usecases.jobs import JOBS_LIMIT, StoredExports, Worker
from tests.api.clients import Client
from tests.bulk.logs import copies, take_in, under_way
from tests.bulk.serving import serving
from tests.bulk.viewers import VIEWERS, by_header, sent_by
from tests.databases import Database
from tests.usecases.games import game


@pytest.fixture
def worker(store: Store, tmp_path: Path) -> Worker:
    """A worker that keeps a frame a game."""
    return Worker(store, tmp_path / "exports", frame=1)


@pytest.fixture
def client(store: Store, worker: Worker) -> Client:
    return Client(create_app(store, authenticate=by_header, exports=worker.folder))


def exports(store: Store, name: str = "auditor") -> StoredExports:
    return StoredExports(store, VIEWERS[name])


def log_of(store: Store, names: list[str]) -> bytes:
    return b"".join(line for name in names for line in export(store, name))


def unpacked(packed: bytes) -> bytes:
    with zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True) as reader:
        return reader.read()


def fetch(client: Client, job: str, viewer: str = "auditor", **headers: str) -> httpx.Response:
    return client.request("GET", f"/exports/{job}", headers=sent_by(viewer) | headers)


def done(worker: Worker, wish: ExportWish | None = None, viewer: str = "auditor") -> JobRow:
    """A job that was asked for and done."""
    asked = exports(worker.store, viewer).start(wish or ExportWish())
    worker.round()
    found = exports(worker.store, viewer).job(asked.job)
    assert found.state == "done", found
    return found


# -- From asking to fetching -------------------------------------------------------------------------------------------


def test_from_asking_to_fetching(store: Store, worker: Worker, client: Client) -> None:
    names = take_in(store, *copies(5))
    asked = exports(store).start(ExportWish())
    assert (asked.state, asked.total, asked.path) == ("waiting", None, None)
    assert fetch(client, asked.job).status_code == 409
    assert worker.round() == 1
    found = exports(store).job(asked.job)
    assert (found.state, found.total, found.games, found.events) == ("done", 5, 5, 5 * 103)
    assert found.path == f"/exports/{asked.job}"
    answer = fetch(client, asked.job)
    assert answer.headers["content-type"] == "application/zstd"
    assert len(answer.content) == found.size
    assert unpacked(answer.content) == log_of(store, names)
    assert worker.round() == 0


def test_in_ranges(store: Store, worker: Worker, client: Client) -> None:
    take_in(store, *copies(3))
    job = done(worker).job
    whole = fetch(client, job)
    tag = whole.headers["etag"]
    first = fetch(client, job, range="bytes=0-999")
    rest = fetch(client, job, range="bytes=1000-", **{"if-range": tag})
    assert (first.status_code, rest.status_code) == (206, 206)
    assert first.content + rest.content == whole.content
    assert fetch(client, job, range=f"bytes={len(whole.content)}-").status_code == 416


def test_without_games_it_is_an_empty_log(store: Store, worker: Worker, client: Client) -> None:
    found = done(worker, ExportWish(ids=["nobody"]))
    assert (found.total, found.games) == (0, 0)
    assert unpacked(fetch(client, found.job).content) == b""


def test_a_job_takes_what_was_there_when_it_was_asked_for(store: Store, worker: Worker, client: Client) -> None:
    names = take_in(store, *copies(2))
    asked = exports(store).start(ExportWish(status="finished"))
    take_in(store, *copies(1, "later"))
    worker.round()
    assert unpacked(fetch(client, asked.job).content) == log_of(store, names)


def test_through_graphql(store: Store, worker: Worker, client: Client) -> None:
    take_in(store, *copies(2), game(0)[:30])
    start = """mutation($filter: ExportFilter) { startExport(filter: $filter) {
        ... on ExportJob { job state filter total path } ... on BadArgument { argument } } }"""
    asked = _ask(client, "auditor", start, filter={"status": "FINISHED", "ids": ["copy-00001", "xiamen-7-0"]})
    job = asked["startExport"]["job"]
    assert asked["startExport"]["filter"] == {"status": "FINISHED", "ids": ["copy-00001", "xiamen-7-0"]}
    worker.round()
    query = (
        "query($job: String!) { job(id: $job) { ... on ExportJob { state total games path } ... on Problem { code } } }"
    )
    assert _ask(client, "auditor", query, job=job)["job"] == {
        "state": "DONE",
        "total": 1,
        "games": 1,
        "path": f"/exports/{job}",
    }
    assert _ask(client, "clerk", query, job=job)["job"] == {"code": "EXPORT_NOT_FOUND"}
    assert _ask(client, "clerk", query, job="\0")["job"] == {"code": "EXPORT_NOT_FOUND"}
    for filter, argument in (({"since": "x"}, "since"), ({"ids": []}, "ids"), ({"ruleset": "\0"}, "ids")):
        assert _ask(client, "auditor", start, filter=filter)["startExport"] == {"argument": argument}
    cancel = "mutation($job: String!) { cancelJob(id: $job) { ... on ExportJob { state path } } }"
    assert _ask(client, "auditor", cancel, job=job)["cancelJob"] == {"state": "CANCELLED", "path": None}


def test_the_list_of_jobs(store: Store, client: Client) -> None:
    own = [exports(store).start(ExportWish()).job for _ in range(5)]
    others = exports(store, "clerk").start(ExportWish()).job
    query = """query($first: Int, $after: String) { jobs(first: $first, after: $after) { ... on ExportJobConnection {
        edges { node { job } } pageInfo { hasNextPage endCursor } } } }"""
    found, after = [], None
    while True:
        page = _ask(client, "auditor", query, first=2, after=after)["jobs"]
        found += [edge["node"]["job"] for edge in page["edges"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert found == own[::-1]
    everybodys = [row.job for row in exports(store, "admin").jobs(Window(10))]
    assert everybodys == [others, *own[::-1]]


def test_by_its_global_id(store: Store, client: Client) -> None:
    job = exports(store).start(ExportWish()).job
    query = "query($job: String!) { job(id: $job) { ... on ExportJob { id } } }"
    found = _ask(client, "auditor", query, job=job)["job"]["id"]
    query = "query($id: ID!) { node(id: $id) { id ... on ExportJob { job } } }"
    assert _ask(client, "auditor", query, id=found)["node"] == {"id": found, "job": job}
    for other in ("clerk", "player", "public"):
        assert _ask(client, other, query, id=found)["node"] is None


@pytest.mark.parametrize(("viewer", "code"), [("public", "UNAUTHENTICATED"), ("player", "FORBIDDEN")])
def test_who_may_not(store: Store, client: Client, viewer: str, code: str) -> None:
    for query in (
        "mutation { startExport { __typename } }",
        "{ jobs(first: 1) { __typename } }",
        '{ job(id: "x") { __typename } }',
        'mutation { cancelJob(id: "x") { __typename } }',
    ):
        assert _body(client, viewer, query)["errors"][0]["extensions"]["code"] == code
    assert fetch(client, "x", viewer).status_code in (401, 403)


def _ask(client: Client, viewer: str, query: str, **variables: Any) -> dict[str, Any]:
    body = _body(client, viewer, query, **variables)
    assert "errors" not in body, body["errors"]
    data: dict[str, Any] = body["data"]
    return data


def _body(client: Client, viewer: str, query: str, **variables: Any) -> dict[str, Any]:
    content = {"query": query, "variables": variables}
    answer = client.request("POST", "/graphql", json=content, headers=sent_by(viewer))
    body: dict[str, Any] = answer.json()
    return body


# -- Who may have it ---------------------------------------------------------------------------------------------------


def test_only_its_owner_and_admins_fetch_it(store: Store, worker: Worker, client: Client, database: Database) -> None:
    take_in(store, *copies(1), owner="server-1")
    job = done(worker, viewer="server-1").job
    assert fetch(client, job, "server-1").status_code == 200
    for other in ("server-2", "auditor", "clerk"):
        hidden, absent = fetch(client, job, other), fetch(client, "0" * 32, other)
        assert (hidden.status_code, hidden.content) == (absent.status_code, absent.content) == (404, absent.content)
    assert _reads(database) == []
    assert fetch(client, job, "admin").status_code == 200
    assert _reads(database) == [("admin", f"export {job}", None)]


def test_readings_are_on_record_by_game(store: Store, worker: Worker, database: Database) -> None:
    names = take_in(store, *copies(3), owner="server-1")
    done(worker, viewer="analyst")
    assert _reads(database) == [("analyst", "export", name) for name in names]


def test_who_has_lost_the_role_cannot_fetch_what_it_gave(store: Store, worker: Worker) -> None:
    take_in(store, *copies(1))
    job = done(worker).job
    for roles in (frozenset(), frozenset({Role.SERVER})):
        viewer = Viewer("auditor", frozenset({Role.CLERK}) | roles, None, "another-key")
        with pytest.raises(JobUnknownError):
            StoredExports(store, viewer).job(job)
    viewer = Viewer("auditor", frozenset({Role.AUDITOR, Role.SERVER}), None, "another-key")
    assert StoredExports(store, viewer).job(job).state == "done"


@pytest.mark.parametrize("viewer", ["auditor", "admin", "server-1"])
def test_the_hand_under_way_is_in_no_file(store: Store, worker: Worker, client: Client, viewer: str) -> None:
    """Not even for the server that runs the game: the file lies about, and an admin may fetch it."""
    documents = game(0, hands=2)
    begun = next(place for place, one in enumerate(documents) if one["type"] == "hand_started" and one["hand"] == 2)
    take_in(store, documents[: under_way(documents, 2)], owner="server-1")
    job = done(worker, viewer=viewer).job
    found = unpacked(fetch(client, job, viewer).content)
    assert [json.loads(line)["seq"] for line in found.splitlines()] == list(range(begun))


# -- Bounds and ends ---------------------------------------------------------------------------------------------------


def test_so_many_at_a_time(store: Store) -> None:
    made = [exports(store).start(ExportWish()) for _ in range(JOBS_LIMIT)]
    with pytest.raises(TooManyError, match=str(JOBS_LIMIT)):
        exports(store).start(ExportWish())
    exports(store, "clerk").start(ExportWish())
    exports(store).cancel(made[0].job)
    exports(store).start(ExportWish())


def test_so_many_at_a_time_also_at_once(store: Store) -> None:
    made: list[JobRow | None] = []

    def start() -> None:
        try:
            made.append(exports(store).start(ExportWish()))
        except TooManyError:
            made.append(None)

    threads = [threading.Thread(target=start) for _ in range(JOBS_LIMIT + 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(row is not None for row in made) == JOBS_LIMIT
    assert len(made) == JOBS_LIMIT + 6


def test_a_file_that_grows_too_large(store: Store, worker: Worker) -> None:
    take_in(store, *copies(3))
    small = dataclasses.replace(worker, file_limit=5000)
    asked = exports(store).start(ExportWish())
    small.round()
    found = exports(store).job(asked.job)
    assert (found.state, found.path) == ("failed", None)
    assert found.error is not None
    assert "5000 bytes" in found.error
    assert not small.path(asked.job).exists()


def test_a_cancelled_job_is_not_done_and_its_file_goes(store: Store, worker: Worker, client: Client) -> None:
    take_in(store, *copies(1))
    waiting = exports(store).start(ExportWish())
    exports(store).cancel(waiting.job)
    assert worker.round() == 0
    made = done(worker)
    assert worker.path(made.job).exists()
    exports(store).cancel(made.job)
    assert fetch(client, made.job).status_code == 409
    worker.round()
    assert not worker.path(made.job).exists()


def test_what_expires_is_removed_and_then_forgotten(
    store: Store, worker: Worker, client: Client, database: Database
) -> None:
    take_in(store, *copies(1))
    made = done(worker)
    _age(database, made.job, "25 hours")
    assert worker.round() == 0
    assert exports(store).job(made.job).state == "expired"
    assert fetch(client, made.job).json()["errors"][0]["extensions"]["state"] == "expired"
    assert list(worker.folder.iterdir()) == []
    _age(database, made.job, "8 days")
    worker.round()
    with pytest.raises(JobUnknownError):
        exports(store).job(made.job)


def _age(database: Database, job: str, by: str) -> None:
    with psycopg.connect(database.admin_url, autocommit=True) as admin:
        statement = "UPDATE mingpai.export_jobs SET expires_at = expires_at - %s::interval WHERE job = %s"
        assert admin.execute(statement, (by, job)).rowcount == 1


def _reads(database: Database) -> list[tuple[Any, ...]]:
    with psycopg.connect(database.admin_url) as admin:
        return admin.execute("SELECT principal, what, game FROM mingpai.hidden_reads ORDER BY position").fetchall()


# -- Several workers ---------------------------------------------------------------------------------------------------


def test_a_killed_workers_job_goes_on_from_the_last_whole_game(
    database: Database, store: Store, tmp_path: Path
) -> None:
    names = take_in(store, *copies(30))
    folder = tmp_path / "exports"
    asked = exports(store).start(ExportWish())
    with serving(database, str(folder), "0.1") as (process, _):
        _wait(lambda: exports(store).job(asked.job).games >= 5)
        process.send_signal(signal.SIGKILL)
        process.wait()
    left = exports(store).job(asked.job)
    assert (left.state, left.total) == ("running", 30)
    assert 5 <= left.games < 30
    with open(folder / f"{asked.job}.paipu.jsonl.zst", "ab") as file:
        file.write(b"half a frame that no job speaks of")
    began = _reads(database)
    worker = Worker(store, folder, lease=1.0, frame=1)
    _wait(lambda: worker.round() > 0)
    found = exports(store).job(asked.job)
    assert (found.state, found.total, found.games, found.events) == ("done", 30, 30, 30 * 103)
    assert unpacked((folder / f"{asked.job}.paipu.jsonl.zst").read_bytes()) == log_of(store, names)
    # Only what was not whole yet was read again.
    assert [name for _, _, name in _reads(database)[len(began) :]] == names[left.games :]


def test_without_the_other_workers_file_it_begins_anew(store: Store, worker: Worker) -> None:
    names = take_in(store, *copies(3))
    asked = exports(store).start(ExportWish())
    claimed = jobs.claim(store, seconds=0.0)
    assert claimed is not None
    place = (store.game(names[1]).opened_at, names[1])
    assert jobs.advance(store, claimed, Progress(2, 206, 5000, place, 3), seconds=0.0)
    worker.round()
    assert exports(store).job(asked.job).games == 3
    assert unpacked(worker.path(asked.job).read_bytes()) == log_of(store, names)


def test_a_slow_worker_that_lost_its_job_changes_nothing(store: Store, worker: Worker) -> None:
    """Its lease has run out while it lives: the file stays its own until it notices, and then it is another's."""
    names = take_in(store, *copies(6))
    asked = exports(store).start(ExportWish())
    slow = _Paused(worker)
    thread = threading.Thread(target=slow.run)
    thread.start()
    slow.reached.wait(30)
    other = dataclasses.replace(worker)
    other.round()  # takes the job over, and finds the file locked
    assert exports(store).job(asked.job).state == "running"
    slow.go.set()
    thread.join()
    assert exports(store).job(asked.job).state == "running"
    _expire_lease(store, asked.job)
    assert other.round() == 1
    found = exports(store).job(asked.job)
    assert (found.state, found.games) == ("done", 6)
    assert unpacked(worker.path(asked.job).read_bytes()) == log_of(store, names)


class _Paused:
    """A worker that stops for a while in the middle of its job."""

    def __init__(self, worker: Worker) -> None:
        self.reached, self.go = threading.Event(), threading.Event()
        self._worker = dataclasses.replace(worker, lease=0.0)

    def run(self) -> None:
        job = jobs.claim(self._worker.store, seconds=0.0)
        assert job is not None
        exporter = self._worker._exporter(job)
        games = exporter.games

        def paused(*arguments: Any) -> Iterator[Any]:
            for number, one in enumerate(games(*arguments)):
                if number == 2:
                    self.reached.set()
                    self.go.wait(30)
                yield one

        patch = pytest.MonkeyPatch()
        patch.setattr(type(exporter), "games", lambda _, *arguments: paused(*arguments))
        try:
            self._worker.work(job)
        finally:
            patch.undo()


def _expire_lease(store: Store, job: str) -> None:
    with store.driver() as driver:
        statement = "UPDATE mingpai.export_jobs SET lease_until = clock_timestamp() - interval '1s' WHERE job = %s"
        driver.execute(statement, (job,))


def test_two_processes_share_the_jobs(database: Database, store: Store, tmp_path: Path) -> None:
    names = take_in(store, *copies(4))
    asked = [exports(store).start(ExportWish()).job for _ in range(6)]
    folder = tmp_path / "exports"
    with serving(database, str(folder)) as (_, one), serving(database, str(folder)) as (_, two):
        _wait(lambda: all(exports(store).job(job).state == "done" for job in asked))
        for job, base in zip(asked, [one, two] * 3, strict=True):
            answer = httpx.get(f"{base}/exports/{job}", headers=sent_by("auditor"), trust_env=False)
            assert unpacked(answer.content) == log_of(store, names)
    with store.driver() as driver:
        attempts = driver.execute("SELECT DISTINCT attempt FROM mingpai.export_jobs").fetchall()
    assert attempts == [(1,)]


def test_a_worker_that_is_to_stop_gives_its_job_back(store: Store, worker: Worker) -> None:
    names = take_in(store, *copies(3))
    asked = exports(store).start(ExportWish())
    claimed = jobs.claim(store, seconds=60.0)
    assert claimed is not None
    worker.ended.set()
    worker.work(claimed)
    left = exports(store).job(asked.job)
    assert (left.state, left.games) == ("waiting", 1)
    dataclasses.replace(worker, ended=threading.Event()).round()
    assert unpacked(worker.path(asked.job).read_bytes()) == log_of(store, names)


def _wait(reached: Any) -> None:
    for _ in range(3000):
        if reached():
            return
        time.sleep(0.02)
    pytest.fail("the others do not get on")
