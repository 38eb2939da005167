"""The worker that audits games as they grow, within ``serve``; several processes share the games.

It has no state but the database's: what it keeps in memory is only what it would otherwise work out again.
"""

from __future__ import annotations

import logging
import os
import secrets
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from threading import Event, Thread

from replays import ENGINE
from service.live.following import Following
from service.store import Store
from service.store.errors import StoreError
from service.store.live import (
    Lease,
    LiveAudit,
    claim,
    finish,
    note_due,
    release,
    renew,
    set_aside,
    store_audits,
)
from service.usecases.sealing import seal_quietly

_LOG = logging.getLogger("mingpai.live")

#: Seconds for which a game is one process's; a process that is gone keeps its games for so long.
LEASE = 10.0
#: Games taken at once: few, so that another process finds some too.
CLAIMED = 8
#: Events audited between two looks at the clock.
PORTION = 500
#: Games kept in memory.
KEPT = 500
#: Seconds between two looks for work where there was none.
IDLE = 0.2
#: Seconds for which a game is left alone whose audit broke off for a reason of ours.
ASIDE = 60.0
_SHORTEST, _LONGEST = 0.5, 15.0  #: seconds before the database is tried again


class Worker:
    """Audits what is due, round by round. One thread at a time; its name is the holder of its leases."""

    def __init__(self, store: Store, *, lease: float = LEASE, kept: int = KEPT) -> None:
        self.name = f"{os.getpid()}-{secrets.token_hex(8)}"
        self._store = store
        self._lease = lease
        self._capacity = kept
        self._kept: OrderedDict[str, Following] = OrderedDict()
        self._held: list[str] = []
        self._renewed = 0.0

    def step(self) -> bool:
        """One round; ``False`` where there was nothing to do. Raises ``StoreError``: nothing is lost by that."""
        has_noted = note_due(self._store, ENGINE)
        leases = claim(self._store, self.name, self._lease, CLAIMED)
        self._held, self._renewed = [lease.game for lease in leases], time.monotonic()
        for lease in leases:
            self._audit(lease)
            self._held.remove(lease.game)
        return has_noted or bool(leases)

    def stop(self) -> None:
        """Gives the leases back. Raises ``StoreError``."""
        release(self._store, self.name)

    def _audit(self, lease: Lease) -> None:
        following = self._kept.pop(lease.game, None)
        # Further than what was stored: a result was worked out and may not have been stored.
        if following is None or following.seq > lease.audited_seq:
            following = Following()
        try:
            is_ours = self._go_on(lease, following)
        except StoreError:
            raise
        except Exception:  # whatever a game does to the engine, the other games go on
            _LOG.exception("the live audit of game %s broke off", lease.game)
            set_aside(self._store, lease, ASIDE)
            return
        if is_ours and not following.is_over:
            self._keep(lease.game, following)

    def _go_on(self, lease: Lease, following: Following) -> bool:
        """Audits a game to its end as it is stored now; ``False`` where the lease was lost meanwhile."""
        ends: list[LiveAudit] = []
        stored = self._store.events(lease.game, following.seq)
        while portion := list(islice(stored, PORTION)):
            ends += following.feed(portion)
            self._renew()
        known = lease.audited_seq
        return self._store_results(lease, following, [end for end in ends if end.seq > known])

    def _store_results(self, lease: Lease, following: Following, ends: Sequence[LiveAudit]) -> bool:
        settled = following.settled
        if following.is_over or (settled is not None and settled.seq > lease.audited_seq):
            self._store_settled(lease.game, following)
        if following.is_over:
            seal_quietly(self._store, lease.game)
            # A game that nobody saw going on, because it came in whole, has only the audit of the whole.
            return finish(self._store, lease, ends if lease.audited_seq >= 0 else [])
        newest = [] if ends and ends[-1].seq == following.seq else [following.audit()]
        return store_audits(self._store, lease, following.seq, [*ends, *newest])

    def _store_settled(self, game: str, following: Following) -> None:
        """Keeps what others may know, unless it is there: the append that ends a game keeps it too."""
        settled = following.settled
        assert settled is not None  # something was fed
        known = self._store.audit(game, ENGINE)
        if known is None or known.upto_seq < settled.seq:
            self._store.save_audit(settled.document(), settled.seq)

    def _renew(self) -> None:
        if time.monotonic() - self._renewed > self._lease / 3:
            renew(self._store, self.name, self._held, self._lease)
            self._renewed = time.monotonic()

    def _keep(self, game: str, following: Following) -> None:
        self._kept[game] = following
        while len(self._kept) > self._capacity:
            self._kept.popitem(last=False)


@contextmanager
def audited_live(store: Store, *, lease: float = LEASE) -> Iterator[None]:
    """While the context lasts, games are audited as they grow. Where the database does not answer it is tried again,
    ever more slowly, and the work goes on from what is stored."""
    ended = Event()
    thread = Thread(target=_work, args=(Worker(store, lease=lease), ended), name="live-audit", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _work(worker: Worker, ended: Event) -> None:
    pause = _SHORTEST
    while not ended.is_set():
        try:
            while not ended.is_set() and worker.step():
                pause = _SHORTEST
            pause, waiting = _SHORTEST, IDLE
        except StoreError as error:
            _LOG.error("live audits wait for the database: %s", error)
            pause, waiting = min(2 * pause, _LONGEST), pause
        except Exception:  # a fault of the program must not end the audits of a process that lives on
            _LOG.exception("live audits broke off and are tried again")
            pause, waiting = min(2 * pause, _LONGEST), pause
        ended.wait(waiting)
    try:
        worker.stop()
    except StoreError as error:
        _LOG.error("leases of live audits are left to expire: %s", error)
