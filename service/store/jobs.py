"""Exports that take long: who asked for them, which worker is at it, and how far it has come.

A lease makes a job one worker's; each lease counts up the attempt, and whatever an older attempt still says changes
nothing. Times are the database's, so workers need not agree on theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from psycopg.types.json import Jsonb

from schema.ports import Window
from service.store.bulk import Place
from service.store.keyset import in_order, keyset
from service.store.store import Store

WAITING, RUNNING, DONE, FAILED, CANCELLED, EXPIRED = (
    "waiting", "running", "done", "failed", "cancelled", "expired",
)  # fmt: skip

_COLUMNS = (
    "job, principal, roles, key, filter, state, created_at, started_at, finished_at, expires_at, attempt, total, games,"
    " events, file_size, after_opened_at, after_game, error"
)
#: Held for the moment in which a principal's jobs are counted, so that two calls at once do not both find room.
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('mingpai.export_jobs ' || %s, 0))"
_START = f"""
INSERT INTO mingpai.export_jobs (job, principal, roles, key, filter, expires_at)
SELECT %(job)s, %(principal)s, %(roles)s, %(key)s, %(filter)s, clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE (SELECT count(*) FROM mingpai.export_jobs j
       WHERE j.principal = %(principal)s AND j.state IN ('waiting', 'running', 'done')) < %(most)s
RETURNING {_COLUMNS}
"""
_CLAIM = f"""
UPDATE mingpai.export_jobs SET state = 'running', attempt = attempt + 1,
  started_at = coalesce(started_at, clock_timestamp()),
  lease_until = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE job = (
  SELECT job FROM mingpai.export_jobs
  WHERE expires_at > clock_timestamp() AND NOT job = ANY(%(but)s)
    AND (state = 'waiting' OR (state = 'running' AND lease_until < clock_timestamp()))
  ORDER BY created_at, job LIMIT 1 FOR UPDATE SKIP LOCKED
) RETURNING {_COLUMNS}
"""
_ADVANCE = """
UPDATE mingpai.export_jobs SET games = %(games)s, events = %(events)s, file_size = %(file_size)s,
  after_opened_at = %(after_opened_at)s, after_game = %(after_game)s, total = %(total)s,
  lease_until = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE job = %(job)s AND attempt = %(attempt)s AND state = 'running' AND expires_at > clock_timestamp()
"""
_FINISH = """
UPDATE mingpai.export_jobs SET state = %(state)s, error = %(error)s, finished_at = clock_timestamp(),
  lease_until = NULL, expires_at = CASE WHEN %(state)s = 'done'
    THEN clock_timestamp() + make_interval(secs => %(seconds)s) ELSE expires_at END
WHERE job = %(job)s AND attempt = %(attempt)s AND state = 'running'
"""
_RELEASE = """
UPDATE mingpai.export_jobs SET state = 'waiting', lease_until = NULL
WHERE job = %s AND attempt = %s AND state = 'running'
"""
_CANCEL = f"""
UPDATE mingpai.export_jobs SET state = 'cancelled', finished_at = coalesce(finished_at, clock_timestamp()),
  lease_until = NULL
WHERE job = %s AND state IN ('waiting', 'running', 'done') RETURNING {_COLUMNS}
"""
_EXPIRE = """
UPDATE mingpai.export_jobs SET state = 'expired', lease_until = NULL
WHERE state IN ('waiting', 'running', 'done') AND expires_at <= clock_timestamp()
"""
_FORGET = "DELETE FROM mingpai.export_jobs WHERE expires_at < clock_timestamp() - make_interval(secs => %s)"


class Job(NamedTuple):
    """An export. ``total`` is how many games it had to take when it began; ``games``, ``events`` and ``file_size``
    (bytes) how far it has come, ``after_*`` the place of the last game that lies whole in the file."""

    job: str
    principal: str
    roles: Sequence[str]
    key: str | None
    filter: Mapping[str, Any]
    state: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    expires_at: datetime
    attempt: int
    total: int | None
    games: int
    events: int
    file_size: int
    after_opened_at: datetime | None
    after_game: str | None
    error: str | None

    @property
    def after(self) -> Place | None:
        """Behind which game the work goes on."""
        if self.after_opened_at is None or self.after_game is None:
            return None
        return self.after_opened_at, self.after_game


@dataclass(frozen=True, slots=True)
class Asked:
    """A new export: its id, who asks by which key with which roles, and what for."""

    job: str
    principal: str
    roles: Sequence[str]
    key: str | None
    filter: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an attempt has come; the file holds ``games`` whole games in ``file_size`` bytes, synced to disk."""

    games: int
    events: int
    file_size: int
    after: Place | None
    total: int


def start(store: Store, asked: Asked, *, seconds: float, most: int) -> Job | None:
    """A new job that must be done and fetched within ``seconds``; ``None`` where the principal has ``most`` already."""
    values = {
        "job": asked.job,
        "principal": asked.principal,
        "roles": list(asked.roles),
        "key": asked.key,
        "filter": Jsonb(dict(asked.filter)),
        "seconds": seconds,
        "most": most,
    }
    with store.driver() as driver, driver.transaction():
        driver.execute(_LOCK, (asked.principal,))
        row = driver.execute(_START, values).fetchone()
    return None if row is None else Job._make(row)


def find(store: Store, job: str) -> Job | None:
    """A job by its id."""
    with store.driver() as driver:
        row = driver.execute(f"SELECT {_COLUMNS} FROM mingpai.export_jobs WHERE job = %s", (job,)).fetchone()
    return None if row is None else Job._make(row)


def jobs_of(store: Store, principal: str | None, window: Window[tuple[datetime, str]]) -> Sequence[Job]:
    """The jobs of a principal, or everybody's, the newest first, by the place ``(created_at, job)``."""
    page = keyset(window, ["created_at", "job"], newest_first=True)
    conditions = ["%(principal)s::text IS NULL OR principal = %(principal)s", *page.conditions]
    where = " AND ".join(f"({condition})" for condition in conditions)
    statement = f"SELECT {_COLUMNS} FROM mingpai.export_jobs WHERE {where}{page.tail}"
    with store.driver() as driver:
        rows = driver.execute(statement, {"principal": principal, **page.values}).fetchall()
    return in_order(window, [Job._make(row) for row in rows])


def cancel(store: Store, job: str) -> Job | None:
    """Ends a job, and takes back what it made; ``None`` where there is nothing to be ended."""
    with store.driver() as driver:
        row = driver.execute(_CANCEL, (job,)).fetchone()
    return None if row is None else Job._make(row)


def claim(store: Store, *, seconds: float, but: Iterable[str] = ()) -> Job | None:
    """Takes the oldest job that waits, or whose worker has not been heard of for its lease; ``but`` are passed over."""
    with store.driver() as driver:
        row = driver.execute(_CLAIM, {"seconds": seconds, "but": list(but)}).fetchone()
    return None if row is None else Job._make(row)


def advance(store: Store, job: Job, done: Progress, *, seconds: float) -> bool:
    """Keeps how far an attempt has come, and its lease for ``seconds`` more; ``False`` where the job is no longer its
    own: cancelled, expired, or another's."""
    opened_at, game = done.after or (None, None)
    values = {
        "job": job.job,
        "attempt": job.attempt,
        "games": done.games,
        "events": done.events,
        "file_size": done.file_size,
        "after_opened_at": opened_at,
        "after_game": game,
        "total": done.total,
        "seconds": seconds,
    }
    with store.driver() as driver:
        return driver.execute(_ADVANCE, values).rowcount > 0


def finish(store: Store, job: Job, state: str, *, seconds: float, error: str | None = None) -> bool:
    """Ends an attempt's work; what is done may be fetched for ``seconds``. ``False`` as ``advance``."""
    values = {"job": job.job, "attempt": job.attempt, "state": state, "error": error, "seconds": seconds}
    with store.driver() as driver:
        return driver.execute(_FINISH, values).rowcount > 0


def release(store: Store, job: Job) -> None:
    """Gives an attempt's work back: whoever comes next goes on where it stands."""
    with store.driver() as driver:
        driver.execute(_RELEASE, (job.job, job.attempt))


def expire(store: Store, *, forget_after: float) -> None:
    """Ends what has expired, and forgets what did so ``forget_after`` seconds ago."""
    with store.driver() as driver:
        driver.execute(_EXPIRE)
        driver.execute(_FORGET, (forget_after,))


def alive(store: Store, jobs: Sequence[str]) -> set[str]:
    """Those of the jobs whose files are still needed."""
    statement = "SELECT job FROM mingpai.export_jobs WHERE job = ANY(%s) AND state IN ('waiting', 'running', 'done')"
    with store.driver() as driver:
        return {job for (job,) in driver.execute(statement, (list(jobs),)).fetchall()}
