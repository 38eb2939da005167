"""The hub of one process: it looks for what is new, for everybody who follows something, and wakes them up.

It hands out no data: whoever is woken reads what is new to it, as far as it may see it, at its own pace. So a follower
that reads slowly costs no memory, and one that comes back goes on where it was.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from threading import Event
from typing import Any, NamedTuple

from starlette.concurrency import run_in_threadpool

from schema.ports import StoppingError
from service.store import Store
from service.store.cases import last_position
from service.store.errors import StoreError
from service.store.live import Progress, last_found, progress_of

_LOG = logging.getLogger("mingpai.live")

#: Seconds between two looks, as long as somebody follows something.
INTERVAL = 0.2
_RETRY = 1.0  #: seconds before the store is asked again that did not answer


class Kind(Enum):
    """What can be followed."""

    GAME = "game"  #: one game, its events and its audits
    FINDINGS = "findings"  #: what is found in any game
    CASES = "cases"  #: what happens in any dispute


class Topic(NamedTuple):
    """One thing that can be followed; ``name`` is the game's id."""

    kind: Kind
    name: str = ""


#: How a topic stood at the last look: what is new shows in a value that is not the one before.
Standing = Progress | int | None


class Watch:
    """One follower of a topic. ``standing`` is how it stood at the last look; ``None`` for a game that there is not."""

    def __init__(self) -> None:
        self.standing: Standing = None
        self._woken = asyncio.Event()

    def wake(self, standing: Standing) -> None:
        """Lets the follower go on."""
        self.standing = standing
        self._woken.set()

    async def changed(self, seconds: float) -> bool:
        """Waits for news, for ``seconds`` at most; ``False`` where there was none."""
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            return False
        self._woken.clear()
        return True


class Hub:
    """Wakes the followers of one process; ``draining`` is set when that is about to stop. For one event loop."""

    def __init__(self, store: Store, draining: Event | None = None, *, interval: float = INTERVAL) -> None:
        self._store = store
        self._draining = draining or Event()
        self._interval = interval
        self._watches: dict[Topic, set[Watch]] = {}
        self._known: dict[Topic, Standing] = {}
        self._task: asyncio.Task[None] | None = None

    @contextmanager
    def watch(self, topic: Topic) -> Iterator[Watch]:
        """A follower of ``topic``, woken by the first look and by every one that finds something new."""
        watch = Watch()
        self._watches.setdefault(topic, set()).add(watch)
        self._known.pop(topic, None)  # so that the next look wakes this one too
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._look())
        try:
            yield watch
        finally:
            self._leave(topic, watch)

    def check(self) -> None:
        """``StoppingError`` once the process is about to stop."""
        if self._draining.is_set():
            raise StoppingError("The service is stopping: subscribe again with the last cursor.")

    def _leave(self, topic: Topic, watch: Watch) -> None:
        watches = self._watches[topic]
        watches.discard(watch)
        if not watches:
            del self._watches[topic]
            self._known.pop(topic, None)
        if not self._watches and self._task is not None:
            self._task.cancel()
            self._task = None

    async def _look(self) -> None:
        while True:
            pause = self._interval
            try:
                await self._look_once()
            except StoreError as error:
                _LOG.warning("followers wait for the store: %s", error)
                pause = _RETRY
            except Exception:  # a fault of the program must not leave followers waiting for ever
                _LOG.exception("the look for news broke off and is tried again")
                pause = _RETRY
            if self._draining.is_set():
                self._wake_all()
            await asyncio.sleep(pause)

    async def _look_once(self) -> None:
        topics = list(self._watches)
        # Followers that come while this look is on its way are woken by the next one.
        found = await run_in_threadpool(_standings, self._store, topics)
        for topic in topics:
            standing = found.get(topic)
            if topic in self._watches and (topic not in self._known or self._known[topic] != standing):
                self._known[topic] = standing
                for watch in self._watches[topic]:
                    watch.wake(standing)

    def _wake_all(self) -> None:
        for watches in self._watches.values():
            for watch in watches:
                watch.wake(watch.standing)


def _standings(store: Store, topics: list[Topic]) -> dict[Topic, Any]:
    """How topics stand: games that there are, and the last positions of what all of them are followed for."""
    games = [topic.name for topic in topics if topic.kind is Kind.GAME]
    found: dict[Topic, Any] = {}
    if games:
        found |= {Topic(Kind.GAME, game): progress for game, progress in progress_of(store, games).items()}
    for kind, last in _LAST.items():
        if Topic(kind) in topics:
            found[Topic(kind)] = last(store)
    return found


_LAST: dict[Kind, Callable[[Store], int]] = {Kind.FINDINGS: last_found, Kind.CASES: last_position}
