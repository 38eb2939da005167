"""A game being written down: every event gets its number and its time, and is applied to the table at once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from replays import events as ev
from replays.reducer import apply, start
from replays.table import Table

#: When the first game of a run begins; a fixed day, for a clock would not repeat.
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)

_MINUTE = 60_000  # milliseconds


@lru_cache(maxsize=1024)
def _minute(minutes: int) -> str:
    return (EPOCH + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:")


def clock(milliseconds: int) -> str:
    """The time so many milliseconds after ``EPOCH``, as logs write it."""
    minutes, rest = divmod(milliseconds, _MINUTE)
    return f"{_minute(minutes)}{rest // 1000:02d}.{rest % 1000:03d}Z"


class Recorder:
    """The events so far, the table they lead to, and the time in milliseconds since ``EPOCH``."""

    def __init__(self, first: ev.GameStarted, now: int) -> None:
        self.table: Table = start(first)
        self.now = now
        self._waiting: list[ev.Event] = [first]

    def wait(self, milliseconds: int) -> None:
        """Lets time pass."""
        self.now += milliseconds

    def record(self, kind: type, *members: Any) -> Any:
        """The next event of class ``kind`` with ``members`` after its ``seq`` and ``at``; gives it back."""
        event = kind(self.table.seq + 1, clock(self.now), *members)
        self.table = apply(self.table, event)
        self._waiting.append(event)
        return event

    def note(self, kind: type, *members: Any) -> Any:
        """``record`` for an event of the hand that is on: ``members`` come after its number."""
        return self.record(kind, self.table.hand, *members)

    def written(self) -> Iterator[ev.Event]:
        """The events since the last call."""
        waiting, self._waiting = self._waiting, []
        yield from waiting
