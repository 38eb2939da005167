"""Stored games audited anew: one by an auditor, or all of them after a change of the engine.

Audits are kept by engine, so what an earlier engine said stays beside what this one says, and can be compared with it.
"""

from __future__ import annotations

import logging
import multiprocessing
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from replays import ENGINE
from replays.reducer import Impossible
from schema.paipu import LogError
from schema.ports import AuditRow, Library, ReauditRow, Role, Viewer
from service.store import Store
from service.store.chains import game_ids
from service.store.several import Judged, Judgements, judgements
from service.usecases.audits import audit_stored

_CHUNK = 16  #: games that a worker audits before it reports
_AHEAD = 4  #: chunks a worker that are waiting for it


@dataclass(frozen=True, slots=True)
class StoredReaudits:
    """``schema.ports.Reaudits`` over a store for ``viewer``."""

    store: Store
    library: Library
    viewer: Viewer

    def audit(self, game: str) -> ReauditRow:
        self.viewer.require(Role.AUDITOR, Role.ADMIN)
        self.library.game(game)
        previous = next(iter(self._audits(game)), None)
        audit_stored(self.store, game)
        return ReauditRow(next(row for row in self._audits(game) if row.engine == ENGINE), previous)

    def _audits(self, game: str) -> Sequence[AuditRow]:
        return self.library.audits_by_engine([game]).get(game, ())


class Reaudited(NamedTuple):
    """What became of one game. ``before`` is what was said of it, where that was another verdict; ``after`` what this
    engine says, ``None`` where the game cannot be audited, and then ``error`` says why. ``is_new`` is false for an
    audit that was there already."""

    game: str
    before: Judged | None
    after: Judged | None
    is_new: bool
    error: str | None = None


def reaudit(store: Store, *, jobs: int = 1, is_resumed: bool = False) -> Iterator[Reaudited]:
    """Audits every stored game again, in the order of their ids, by ``jobs`` processes.

    Where ``is_resumed``, ended games that this engine has audited to their end are taken as they are: so a run after a
    change of the engine goes on where it broke off, and still tells what changed in the games before.
    """
    games = game_ids(store)
    chunks = iter(lambda: list(islice(games, _CHUNK)), [])
    if jobs == 1:
        for chunk in chunks:
            yield from _reaudit(store, chunk, is_resumed)
        return
    context = multiprocessing.get_context("spawn")  # a fork would share this process's connections
    pool = ProcessPoolExecutor(jobs, context, _connect, (store.url,))
    waiting: deque[Future[list[Reaudited]]] = deque()
    try:
        for chunk in chunks:
            waiting.append(pool.submit(_reaudit_chunk, chunk, is_resumed))
            if len(waiting) >= _AHEAD * jobs:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


_connected: list[Store] = []  # a worker process's own


def _connect(url: str) -> None:
    logging.getLogger("mingpai.store").setLevel(logging.ERROR)  # the parent has said what there is to be warned of
    _connected.append(Store.connect(url, unsafe_allowed=True, pool_size=2))


def _reaudit_chunk(games: list[str], is_resumed: bool) -> list[Reaudited]:
    return list(_reaudit(_connected[0], games, is_resumed))


def _reaudit(store: Store, games: list[str], is_resumed: bool) -> Iterator[Reaudited]:
    known = judgements(store, games)
    done, failed = [], {}
    for game in games:
        if is_resumed and _is_complete(known[game]):
            continue
        try:
            audit_stored(store, game)
            done.append(game)
        except (Impossible, LogError) as error:
            failed[game] = str(error)
    now = judgements(store, games)
    for game in games:
        if game in failed:
            yield Reaudited(game, None, None, False, failed[game])
            continue
        after = next(one for one in now[game].audits if one.engine == ENGINE)
        yield Reaudited(game, _changed(known[game].audits, after), after, game in done)


def _is_complete(known: Judgements) -> bool:
    return known.is_over and any(one.engine == ENGINE and one.upto_seq == known.events - 1 for one in known.audits)


def _changed(audits: Sequence[Judged], after: Judged) -> Judged | None:
    """The earlier word that differs: this engine's own, which should never be, else that of the newest other one."""
    own = next((one for one in audits if one.engine == after.engine), None)
    if own is not None and own.verdict != after.verdict:
        return own
    other = next((one for one in audits if one.engine != after.engine), None)
    return other if other is not None and other.verdict != after.verdict else None
