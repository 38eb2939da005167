"""The port ``schema.ports.Live`` over the store: what one viewer may follow, and for how long."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from starlette.concurrency import run_in_threadpool

from replays import ENGINE
from schema.canonical import canonical
from schema.ports import (
    NAMED,
    STAFF,
    CaseChangeRow,
    EventRow,
    GameFindingRow,
    GameUnknownError,
    Library,
    NewFindingRow,
    UnauthenticatedError,
    Viewer,
    Window,
)
from schema.ports.cases import CaseEventRow, Cases
from service.live.hub import Hub, Kind, Topic, Watch
from service.store import Store, time_text
from service.store.cases import changes, last_position
from service.store.errors import StoreUnavailableError
from service.store.live import FoundFinding, Progress, found_since, last_found
from service.store.owners import HiddenRead, note_reads
from service.usecases.library import is_storable

_Found = TypeVar("_Found")
_LOG = logging.getLogger("mingpai.live")

#: Rows read at once: all that a follower ever keeps in memory.
PORTION = 100
_LAST_SEQ = 2**31 - 1  #: behind all events of an append
#: Seconds after which credentials are looked at again, news or not.
RECHECK = 2.0
_RETRY = 1.0  #: seconds before a store is asked again that did not answer

#: Finds the viewer of a connection anew. Raises ``UnauthenticatedError`` for credentials that are no longer good,
#: ``StoreError`` where that cannot be told now.
Recheck = Callable[[], Awaitable[Viewer]]


@dataclass(frozen=True, slots=True)
class StoredLive:
    """``schema.ports.Live`` over a store for ``viewer``, whose ``library`` decides what it sees.

    A store that does not answer makes its followers wait, and they miss nothing.
    """

    store: Store
    hub: Hub
    library: Library
    cases: Cases
    viewer: Viewer
    recheck: Recheck
    request: str | None = None

    async def game_events(self, game: str, after: int | None) -> AsyncIterator[EventRow]:
        # Ids that the store cannot hold name no game.
        with self.hub.watch(Topic(Kind.GAME, _storable(game))) as watch:
            while True:
                progress = await self._news(watch)
                # Events that came in since the look are left for the next one: what the viewer may see of an event is
                # decided by the events before it.
                upto = progress.events if isinstance(progress, Progress) else 0
                while True:
                    window = Window(PORTION, None if after is None else (after,), (upto,))
                    rows = await self._read(partial(self.library.events, game, window))
                    for row in rows:
                        yield row
                        after = row.seq
                    if len(rows) < PORTION:
                        break
                    await self._check()
                if isinstance(progress, Progress) and progress.is_over:
                    return

    async def game_findings(self, game: str) -> AsyncIterator[GameFindingRow]:
        sent: set[bytes] = set()
        seen: tuple[str, int] | None = None
        with self.hub.watch(Topic(Kind.GAME, _storable(game))) as watch:
            while True:
                progress = await self._news(watch)
                await self._read(partial(self.library.game, game))
                audit = (await self._read(partial(self.library.audits, [game]))).get(game)
                if audit is not None and seen != (audit.engine, audit.upto_seq):
                    seen = audit.engine, audit.upto_seq
                    for finding in audit.report["findings"]:
                        key = canonical({name: value for name, value in finding.items() if name != "message"})
                        if key not in sent:
                            sent.add(key)
                            yield GameFindingRow(audit.upto_seq, finding)
                if isinstance(progress, Progress) and progress.is_over and progress.audited >= progress.events - 1:
                    return

    async def findings(
        self, clause: str | None, severity: str | None, after: int | None
    ) -> AsyncIterator[NewFindingRow]:
        self.viewer.require(*STAFF)
        place = await self._read(partial(last_found, self.store)) if after is None else after
        with self.hub.watch(Topic(Kind.FINDINGS)) as watch:
            while True:
                await self._news(watch)
                while True:
                    rows = await self._read(partial(self._found, place, clause, severity))
                    for row in rows:
                        yield NewFindingRow(row.position, row.game, row.finding, time_text(row.found_at))
                        place = row.position
                    if len(rows) < PORTION:
                        break
                    await self._check()

    async def case_events(self, case: str, after: int | None) -> AsyncIterator[CaseEventRow]:
        with self.hub.watch(Topic(Kind.CASES)) as watch:
            while True:
                await self._news(watch)
                # Raises where there is no such case for the viewer.
                await self._read(partial(self.cases.case, case))
                for event in (await self._read(partial(self.cases.timelines, [case]))).get(case, ()):
                    if after is None or event.seq > after:
                        yield event
                        after = event.seq

    async def case_changes(self, after: tuple[int, int] | None) -> AsyncIterator[CaseChangeRow]:
        self.viewer.require(*NAMED)
        place = after
        if place is None:
            place = await self._read(partial(last_position, self.store)), _LAST_SEQ
        with self.hub.watch(Topic(Kind.CASES)) as watch:
            while True:
                await self._news(watch)
                while rows := await self._read(partial(self._changes, place)):
                    for row in rows:
                        yield row
                        place = row.position, row.event.seq
                    await self._check()

    def _changes(self, after: tuple[int, int]) -> list[CaseChangeRow]:
        """The next events of cases: those that are left of the append in which the last one was, and others."""
        appends = changes(self.store, after[0] - 1, PORTION)
        timelines = self.cases.timelines(list({append.case_id for append in appends}))
        rows = [
            CaseChangeRow(append.position, append.case_id, event)
            for append in appends
            for event in timelines.get(append.case_id, ())
            if append.first_seq <= event.seq <= append.last_seq
        ]
        return [row for row in rows if (row.position, row.event.seq) > after]

    def _found(self, after: int, clause: str | None, severity: str | None) -> list[FoundFinding]:
        """The next findings, once it is on record that they are read."""
        if not is_storable(clause):
            return []
        rows = found_since(self.store, ENGINE, after, PORTION, clause, severity)
        places: dict[str, list[int]] = {}
        for row in rows:
            places.setdefault(row.game, []).append(row.finding["seq"])
        principal = self.viewer.require(*STAFF)
        note_reads(
            self.store,
            [
                HiddenRead(principal, self.viewer.key, self.request, "findings", game, min(seqs), max(seqs))
                for game, seqs in places.items()
            ],
        )
        return rows

    # For how long

    async def _news(self, watch: Watch) -> object:
        """How the topic stands once there is something new. Raises what ends the subscription."""
        while True:
            has_changed = await watch.changed(RECHECK)
            await self._check()
            if has_changed:
                return watch.standing

    async def _check(self) -> None:
        self.hub.check()
        viewer = await self._patiently(self.recheck)
        if viewer != self.viewer:
            raise UnauthenticatedError("What the credentials of this subscription open has changed: subscribe again.")

    async def _read(self, ask: Callable[[], _Found]) -> _Found:
        return await self._patiently(partial(run_in_threadpool, ask))

    async def _patiently(self, ask: Callable[[], Awaitable[_Found]]) -> _Found:
        while True:
            try:
                return await ask()
            except StoreUnavailableError as error:
                _LOG.info("a follower waits for the store: %s", error)
            await asyncio.sleep(_RETRY)
            self.hub.check()


def _storable(game: str) -> str:
    if not is_storable(game):
        raise GameUnknownError(game)
    return game
