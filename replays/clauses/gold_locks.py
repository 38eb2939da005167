"""Locks after a discarded gold (L-LOCK-1 to L-LOCK-3).

Who has discarded a gold and not discarded since is on the table (``gold_out``), and so are the waits of 雙游 and 三游
(``levels``); remembered here is whose gold was the second in consecutive discards.
"""

from __future__ import annotations

from typing import Any

from replays.clauses.you import DOUBLE, TRIPLE, seats_in
from replays.events import Act, Discarded
from replays.rulebook import Bar, Facts, Lock, Memory, Violation, Way, recall
from replays.table import AFTER_CONCEALED_KONG, AFTER_KONG, KONG, Table


def _after_discard(table: Table, event: Discarded, after: Table, twice: Any) -> int:
    """L-LOCK-2: a gold right after a gold, until the same player's next discard."""
    bit = 1 << event.seat
    is_second = event.tile in table.golds and table.gold_out & bit
    return int(twice) | bit if is_second else int(twice) & ~bit


#: Seats whose last two discards were golds, as a mask.
TWICE = Memory(0, {Discarded: _after_discard})


def lock_on(table: Table, seat: int, first: str, second: str) -> Lock | None:
    """What binds a seat now: the other seats' gold discards and standing waits, the second kind of lock before the
    ``first``; ``first`` and ``second`` are the clauses. Nobody is bound by a lock of one's own (L-LOCK-3)."""
    others = ~(1 << seat)
    twice: int = recall(table, TWICE) & others
    total = twice | _waiting(table, TRIPLE) & others
    if total:
        return Lock(second, tuple(seats_in(total)), True, False)
    some = (table.gold_out | _waiting(table, DOUBLE)) & others
    if not some:
        return None
    return Lock(first, tuple(seats_in(some)), False, table.phase == KONG and not table.levels[table.turn])


def _waiting(table: Table, least: int) -> int:
    """The seats whose 游 stands at this level or above, as a mask."""
    return sum([1 << seat for seat, level in enumerate(table.levels) if level >= least])


def is_barred(lock: Lock, facts: Facts, way: Way) -> bool:
    """Whether a lock keeps a seat from winning so: the first kind bars plain self-draws and robbing, but nothing on a
    kong's replacement; the second leaves a concealed kong's replacement only."""
    if facts.source == AFTER_CONCEALED_KONG:
        return False
    if lock.is_total:
        return True
    if facts.by == "rob_kong":
        return not (lock.spares_orphans and way.win == "thirteen_orphans")
    return way.win == "self_draw" and facts.source != AFTER_KONG


def locked(lock: Lock) -> Violation:
    """The violation of a lock."""
    acts = ["discard", "draw", "kong"]
    return Violation(lock.clause, "locked_by_gold", {"acts": acts, "locked_by": list(lock.by)})


def lock_on_pungs(first: str, second: str) -> Bar:
    """L-LOCK-1, L-LOCK-2: nobody bound by a lock pungs; kongs are free."""

    def bar(table: Table, seat: int, act: Act) -> Violation | None:
        if act.act != "pung":
            return None
        lock = lock_on(table, seat, first, second)
        return None if lock is None else locked(lock)

    return bar
