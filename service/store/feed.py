"""All events of all games in the order in which their appends were stored, for readers that follow the store.

A reader that goes on from its last cursor sees every event once, also those of a transaction that took its place early
and committed late: a page never goes beyond the mark, below which nothing can be added any more. An append whose
transaction stays open holds the mark back; ``Feed.state`` says so, and who it is.
"""

from __future__ import annotations

from typing import NamedTuple, Self

from service.store.records import StoredEvent
from service.store.store import Store

_MARK = "SELECT mingpai.feed_mark()"
_PAGE = f"""
SELECT a.position, a.game, {", ".join("e." + name for name in StoredEvent._fields)}
FROM mingpai.appends a
JOIN mingpai.events e ON e.game = a.game AND e.seq BETWEEN a.first_seq AND a.last_seq
WHERE a.position >= %(position)s AND a.position <= %(mark)s AND (a.position > %(position)s OR e.seq > %(seq)s)
ORDER BY a.position, e.seq LIMIT %(limit)s
"""
# Sessions of other roles hide since when they have been at it: their age is then unknown.
_WRITERS = """
SELECT w.pid, extract(epoch FROM clock_timestamp() - min(s.xact_start))::float8
FROM mingpai.feed_writers w LEFT JOIN pg_stat_activity s USING (pid) GROUP BY w.pid ORDER BY 2 DESC NULLS LAST, 1
"""


class Cursor(NamedTuple):
    """Behind which event a reader goes on: the position of an append, and a ``seq`` in it. ``str`` makes text of it."""

    position: int = 0
    seq: int = -1

    def __str__(self) -> str:
        return f"{self.position}.{self.seq}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The cursor of a text; ``ValueError`` for one that no reader was given."""
        position, dot, seq = text.partition(".")
        cursor = cls(int(position), int(seq)) if dot else None
        if cursor is None or str(cursor) != text or cursor.position < 0 or cursor.seq < -1:
            raise ValueError(f"no cursor of the feed: {text!r}")
        return cursor


class FedEvent(NamedTuple):
    """An event on its way to a reader; ``cursor`` is where to go on once it has been dealt with."""

    cursor: Cursor
    game: str
    event: StoredEvent


class Writer(NamedTuple):
    """A session that has appended and not committed yet; ``seconds`` of its transaction, ``None`` where not known."""

    pid: int
    seconds: float | None


class FeedState(NamedTuple):
    """``mark`` is the last position that readers get, ``position`` the last one given out; ``writers`` are in between,
    the one that has been at it longest first."""

    position: int
    mark: int
    writers: tuple[Writer, ...]


class Feed:
    """The feed over a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def page(self, after: Cursor, limit: int = 1000) -> list[FedEvent]:
        """The next events behind ``after``, at most ``limit``; none where there is nothing to be had yet.

        ``ReplicaError`` on a replica, which cannot know what is still to come.
        """
        with self._store.driver() as driver:
            (mark,) = driver.execute(_MARK).fetchone() or (0,)
            # In a statement of its own, which sees what was committed before the mark was read.
            asked = {"position": after.position, "seq": after.seq, "mark": mark, "limit": limit}
            rows = driver.execute(_PAGE, asked, binary=True).fetchall()
        return [_fed(*row) for row in rows]

    def state(self) -> FeedState:
        """How far the feed goes, and what holds it back."""
        with self._store.driver() as driver:
            mark, position = driver.execute("SELECT mingpai.feed_mark(), mingpai.last_position()").fetchone() or (0, 0)
            writers = [Writer(*row) for row in driver.execute(_WRITERS).fetchall()]
        return FeedState(position, mark, tuple(writers))


def _fed(position: int, game: str, *event: object) -> FedEvent:
    stored = StoredEvent._make(event)
    return FedEvent(Cursor(position, stored.seq), game, stored)
