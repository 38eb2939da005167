"""Audits of games that go on, who is at work on them, and what was found, in the order in which it was.

Work is shared through one table: appends are noted there as due, whoever has time takes a lease on some of the games,
and results are stored only under the lease's token. Times are the database's own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, NamedTuple, Self

import psycopg

from service.store.records import Audit
from service.store.store import Store

#: Appends noted at once.
NOTED = 1000
#: Appends that a look at the lag counts at most, beyond those that are noted.
COUNTED = 100_000

_BEHIND = "SELECT c.position, mingpai.feed_mark() FROM mingpai.live_cursor c"
_LOCK = "SELECT c.position FROM mingpai.live_cursor c FOR UPDATE SKIP LOCKED"
# In the order of the games, as everybody locks them who locks several.
_NOTE = """
WITH page AS (
  SELECT position, game, last_seq, recorded_at FROM mingpai.appends
  WHERE position > %(position)s AND position <= %(mark)s ORDER BY position LIMIT %(limit)s
), noted AS (
  INSERT INTO mingpai.live_leases AS l (game, due_seq, due_since)
  SELECT game, max(last_seq), min(recorded_at) FROM page GROUP BY game ORDER BY game
  ON CONFLICT (game) DO UPDATE SET due_seq = greatest(l.due_seq, excluded.due_seq),
    due_since = CASE WHEN excluded.due_seq > l.audited_seq THEN coalesce(l.due_since, excluded.due_since)
                     ELSE l.due_since END
)
UPDATE mingpai.live_cursor SET position = (SELECT max(position) FROM page) WHERE EXISTS (SELECT FROM page)
"""
# Games that came in whole, audited and sealed by whoever took them in: there is nothing to be added.
_CLEAR = """
DELETE FROM mingpai.live_leases l USING (
  SELECT l.game FROM mingpai.live_leases l JOIN mingpai.game_heads h USING (game) JOIN mingpai.audits a USING (game)
  WHERE l.due_since IS NOT NULL AND l.audited_seq = -1
    AND h.sealed_at IS NOT NULL AND a.engine = %s AND a.upto_seq >= h.next_seq - 1
  ORDER BY l.game FOR UPDATE OF l SKIP LOCKED
) done WHERE l.game = done.game
"""
_CLAIM = """
WITH due AS (
  SELECT game FROM mingpai.live_leases
  WHERE due_since IS NOT NULL AND (holder = %(holder)s OR expires_at < clock_timestamp())
  ORDER BY due_since, game LIMIT %(limit)s FOR UPDATE SKIP LOCKED
)
UPDATE mingpai.live_leases l SET holder = %(holder)s,
  expires_at = clock_timestamp() + make_interval(secs => %(seconds)s),
  token = l.token + CASE WHEN l.holder IS DISTINCT FROM %(holder)s THEN 1 ELSE 0 END
FROM due WHERE l.game = due.game RETURNING l.game, l.token, l.audited_seq
"""
_RENEW = """
UPDATE mingpai.live_leases l SET expires_at = clock_timestamp() + make_interval(secs => %(seconds)s)
FROM (SELECT game FROM mingpai.live_leases WHERE game = ANY (%(games)s) AND holder = %(holder)s
      ORDER BY game FOR UPDATE) held WHERE l.game = held.game
"""
_HOLD = "SELECT FROM mingpai.live_leases WHERE game = %s AND holder = %s AND token = %s FOR UPDATE"
_AUDITED = """
UPDATE mingpai.live_leases SET audited_seq = greatest(audited_seq, %(seq)s), due_seq = greatest(due_seq, %(seq)s),
  due_since = CASE WHEN due_seq > %(seq)s THEN due_since END WHERE game = %(game)s
"""
_KEEP = """
INSERT INTO mingpai.live_audits (game, seq, engine, verdict, report, is_hand_end) VALUES (%s, %s, %s, %s, %s, %s)
ON CONFLICT DO NOTHING
"""
_PRUNE = "DELETE FROM mingpai.live_audits WHERE game = %s AND engine = %s AND seq < %s AND NOT is_hand_end"
_NEWEST = """
SELECT DISTINCT ON (l.game) l.game, l.engine, l.seq, l.verdict, l.report, l.audited_at
FROM mingpai.live_audits l JOIN mingpai.game_owners o USING (game)
WHERE l.game = ANY (%s) AND o.principal = %s ORDER BY l.game, l.seq DESC, l.audited_at DESC
"""
_LAG = f"""
SELECT w.events + n.events, greatest(w.seconds, n.seconds), w.games FROM (
  SELECT coalesce(sum(due_seq - audited_seq), 0)::bigint AS events, count(*) AS games,
         coalesce(extract(epoch FROM clock_timestamp() - min(due_since)), 0)::float8 AS seconds
  FROM mingpai.live_leases WHERE due_since IS NOT NULL
) w, (
  SELECT coalesce(sum(last_seq - first_seq + 1), 0)::bigint AS events,
         coalesce(extract(epoch FROM clock_timestamp() - min(recorded_at)), 0)::float8 AS seconds
  FROM (SELECT first_seq, last_seq, recorded_at FROM mingpai.appends
        WHERE position > (SELECT position FROM mingpai.live_cursor) ORDER BY position LIMIT {COUNTED}) behind
) n
"""


class LiveAudit(NamedTuple):
    """An audit of the first events of a game, up to ``seq``; ``report`` is the JSON object of ``mingpai audit``."""

    game: str
    seq: int
    engine: str
    report: Mapping[str, Any]
    is_hand_end: bool

    @classmethod
    def of(cls, report: Mapping[str, Any], seq: int, *, is_hand_end: bool = False) -> Self:
        """The audit that a report is of."""
        return cls(report["game"], seq, report["engine"], report, is_hand_end)


class Lease(NamedTuple):
    """The right of ``holder`` to audit a game until it expires; ``audited_seq`` is how far that was done, -1 if not."""

    game: str
    holder: str
    token: int
    audited_seq: int


class Lag(NamedTuple):
    """How far audits are behind the appends: events, seconds since the oldest of them came in, games."""

    events: int = 0
    seconds: float = 0.0
    games: int = 0


# Work


def note_due(store: Store, engine: str) -> bool:
    """Notes the next appends as due; ``False`` where all are noted, or somebody else is at it."""
    with store.driver() as driver:
        position, mark = driver.execute(_BEHIND).fetchone() or (0, 0)
        if position >= mark:
            return False
        with _transaction(driver):
            locked = driver.execute(_LOCK).fetchone()
            if locked is None:
                return False
            driver.execute(_NOTE, {"position": locked[0], "mark": mark, "limit": NOTED})
            driver.execute(_CLEAR, (engine,))
    return True


def claim(store: Store, holder: str, seconds: float, limit: int) -> list[Lease]:
    """Takes leases on games that wait, the longest waiting first: free ones, those whose holder let them expire, and
    the holder's own again. They last ``seconds``."""
    asked = {"holder": holder, "seconds": seconds, "limit": limit}
    with store.driver() as driver:
        rows = driver.execute(_CLAIM, asked).fetchall()
    return [Lease(game, holder, token, audited) for game, token, audited in rows]


def renew(store: Store, holder: str, games: Sequence[str], seconds: float) -> None:
    """Makes the holder's leases on games last ``seconds`` from now; those that others have taken stay theirs."""
    with store.driver() as driver:
        driver.execute(_RENEW, {"holder": holder, "games": list(games), "seconds": seconds})


def release(store: Store, holder: str) -> None:
    """Gives all leases of a holder back at once."""
    with store.driver() as driver:
        driver.execute("UPDATE mingpai.live_leases SET expires_at = '-infinity' WHERE holder = %s", (holder,))


def set_aside(store: Store, lease: Lease, seconds: float) -> None:
    """Leaves a game alone for ``seconds``, so that one that cannot be audited does not hold up the others."""
    statement = (
        "UPDATE mingpai.live_leases SET holder = NULL, expires_at = clock_timestamp() + make_interval(secs => %s)"
    )
    with store.driver() as driver:
        driver.execute(f"{statement} WHERE game = %s AND token = %s", (seconds, lease.game, lease.token))


def store_audits(store: Store, lease: Lease, seq: int, found: Sequence[LiveAudit]) -> bool:
    """Stores audits of a game that now is audited up to ``seq``; ``False``, and nothing is stored, where the lease has
    gone to somebody else."""
    with store.driver() as driver, _transaction(driver):
        if driver.execute(_HOLD, lease[:3]).fetchone() is None:
            return False
        _keep(driver, found)
        driver.execute(_AUDITED, {"game": lease.game, "seq": seq})
    return True


def finish(store: Store, lease: Lease, found: Sequence[LiveAudit]) -> bool:
    """The last of a game that has ended; ``False`` as ``store_audits``. Of its audits on the way those at the ends of
    hands stay."""
    with store.driver() as driver, _transaction(driver):
        if driver.execute(_HOLD, lease[:3]).fetchone() is None:
            return False
        _keep(driver, found)
        driver.execute("DELETE FROM mingpai.live_audits WHERE game = %s AND NOT is_hand_end", (lease.game,))
        driver.execute("DELETE FROM mingpai.live_leases WHERE game = %s", (lease.game,))
    return True


def keep_live(store: Store, audit: LiveAudit) -> None:
    """Keeps one audit that somebody asked for, lease or not: whoever makes it, it is the same."""
    with store.driver() as driver, _transaction(driver):
        _keep(driver, [audit])


def _keep(driver: psycopg.Connection[Any], found: Sequence[LiveAudit]) -> None:
    """Keeps audits of one game, in their order, and drops those on the way that are older and no hand's end."""
    for one in found:
        text = json.dumps(one.report, ensure_ascii=False, separators=(",", ":"))
        row = (one.game, one.seq, one.engine, one.report["verdict"], text, one.is_hand_end)
        driver.execute(_KEEP, row)
    for one in found[-1:]:
        driver.execute(_PRUNE, (one.game, one.engine, one.seq))


def _transaction(driver: psycopg.Connection[Any]) -> AbstractContextManager[object]:
    """A transaction in which each statement sees what others have committed before it."""
    driver.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
    return driver.transaction()


# Reading


def newest_live(store: Store, games: Sequence[str], owner: str) -> list[Audit]:
    """The newest audit of all events of each of the games that go on and that ``owner`` runs: nobody else may ask."""
    with store.driver() as driver:
        rows = driver.execute(_NEWEST, (list(games), owner)).fetchall()
    return [Audit(game, engine, seq, verdict, json.loads(text), at) for game, engine, seq, verdict, text, at in rows]


def lag(store: Store) -> Lag:
    """How far audits are behind; beyond ``COUNTED`` appends that nobody has noted it counts no further."""
    with store.driver() as driver:
        return Lag._make(driver.execute(_LAG).fetchone() or Lag())


class FoundFinding(NamedTuple):
    """A finding as news: ``position`` orders all of them, ``finding`` is its JSON object."""

    position: int
    game: str
    finding: Mapping[str, Any]
    found_at: datetime


_MEMBERS = ("seq", "hand", "seat", "clause", "code", "severity", "expected", "recorded", "also")
_FOUND = f"SELECT position, game, found_at, {', '.join(_MEMBERS)} FROM mingpai.found_findings WHERE engine = %(engine)s"


def found_since(
    store: Store, engine: str, after: int, limit: int, clause: str | None = None, severity: str | None = None
) -> list[FoundFinding]:
    """The engine's next findings behind a position, in the order in which they were found."""
    statement, values = _FOUND, {"engine": engine, "after": after, "limit": limit}
    for name, value in (("clause", clause), ("severity", severity)):
        if value is not None:
            statement += f" AND {name} = %({name})s"
            values[name] = value
    statement += " AND position > %(after)s ORDER BY position LIMIT %(limit)s"
    with store.driver() as driver:
        rows = driver.execute(statement, values).fetchall()
    return [
        FoundFinding(position, game, dict(zip(_MEMBERS, members, strict=True)), found_at)
        for position, game, found_at, *members in rows
    ]


def last_found(store: Store) -> int:
    """The position of the newest finding, 0 while there is none."""
    with store.driver() as driver:
        (position,) = driver.execute("SELECT coalesce(max(position), 0) FROM mingpai.found_findings").fetchone() or (0,)
    return int(position)


class Progress(NamedTuple):
    """How far a game has come: its events, whether it has ended, and the places up to which it was audited: for
    everybody who may see it, and for the server that runs it."""

    events: int
    is_over: bool
    audited: int
    audited_live: int


_PROGRESS = """
SELECT h.game, h.next_seq, h.status <> 'open',
       (SELECT coalesce(max(a.upto_seq), -1) FROM mingpai.audits a WHERE a.game = h.game),
       (SELECT coalesce(max(l.seq), -1) FROM mingpai.live_audits l WHERE l.game = h.game)
FROM mingpai.game_heads h WHERE h.game = ANY (%s)
"""


def progress_of(store: Store, games: Sequence[str]) -> dict[str, Progress]:
    """How far games have come, those that there are."""
    with store.driver() as driver:
        rows = driver.execute(_PROGRESS, (list(games),)).fetchall()
    return {game: Progress(*row) for game, *row in rows}
