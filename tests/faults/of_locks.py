"""Faults while a discarded gold or a raised 游 binds the table (X-LOCK-1, L-LOCK-1, L-LOCK-2)."""

from __future__ import annotations

from replays import events as ev
from replays.clauses.claims import discard_claims, own_kongs
from replays.shuffle import Stream
from replays.table import AFTER_DRAW, AFTER_KONG, TURN
from tests.faults.edits import hand_span, places
from tests.faults.kinds import Fault, Plant, Planted
from tests.faults.logs import Log
from tests.faults.of_claims import claimed, unclaimed
from tests.faults.of_wins import after, best_win, won_as_it_would

# -- Xiamen: while 雙游 or 三游 is on ----------------------------------------------------------------------------------


def claim_in_lock(log: Log, stream: Stream) -> Planted | None:
    """A discard claimed, with the tiles for it, while somebody's 雙游 binds the table."""
    found = []
    for index, table, _ in unclaimed(log):
        for seat in table.others(table.turn) if table.lock else ():
            found += [(index, seat, act) for act in discard_claims(table, seat)]
    return claimed(log, stream, found)


def kong_in_lock(log: Log, stream: Stream) -> Planted | None:
    """A kong of one's own while another's 雙游 binds the table."""
    found = []
    for index, table, event in places(log, ev.Discarded):
        may_draw = table.left > table.book.dead_wall
        if may_draw and table.lock & ~(1 << event.seat) and table.phase == TURN and table.source == AFTER_DRAW:
            found += [(index, event.seat, act) for act in own_kongs(table, event.seat)]
    return claimed(log, stream, found)


def win_in_lock(log: Log, stream: Stream) -> Planted | None:
    """A discard that completes a hand while somebody's 雙游 binds the table."""
    found = []
    for index, table, _ in unclaimed(log):
        found += [(index, seat) for seat in table.others(table.turn) if table.lock and best_win(table, seat)]
    return won_as_it_would(log, stream, found)


def robbed_in_lock(log: Log, stream: Stream) -> Planted | None:
    """The added kong of who is in 雙游, robbed."""
    found = []
    for index, table, _ in after(log, ev.Konged):
        if table.robbable and table.lock >> table.turn & 1:
            found += [(index, seat) for seat in table.others(table.turn) if best_win(table, seat)]
    return won_as_it_would(log, stream, found)


# -- Longyan: after a discarded gold -----------------------------------------------------------------------------------

FREE, FIRST, SECOND = 0, 1, 2  #: the lock of L-LOCK-1, and that of L-LOCK-2


def lock_on(log: Log, index: int, seat: int) -> int:
    """What binds a seat before event ``index``, read off the record and not asked of the engine.

    A gold that is another's last discard binds, and a second one in a row binds more (L-LOCK-1, L-LOCK-2); so does a
    wait of 雙游 or 三游 that stands.
    """
    table = log.tables[index]
    begin, _ = hand_span(log, index)
    found = FREE
    for other in table.others(seat):
        discards = [e.tile for e in log.events[begin:index] if isinstance(e, ev.Discarded) and e.seat == other]
        golds = [tile in table.golds for tile in discards[-2:]]
        has_second = golds == [True, True] or table.levels[other] == 3
        has_first = golds[-1:] == [True] or table.levels[other] == 2
        found = max(found, SECOND if has_second else FIRST if has_first else FREE)
    return found


def pung_in(lock: int) -> Plant:
    """A discard punged by who is bound, with the tiles for it."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = []
        for index, table, _ in unclaimed(log) if "pung" in log.tables[0].book.claims else ():
            for seat in table.others(table.turn):
                pungs = [act for act in discard_claims(table, seat) if act.act == "pung"]
                if pungs and lock_on(log, index, seat) == lock:
                    found.append((index, seat, pungs[0]))
        return claimed(log, stream, found)

    return plant


def self_draw_in(lock: int, *ways: str, source: int = AFTER_DRAW) -> Plant:
    """A win on one's own draw, best in one of ``ways``, by who is bound."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = []
        for index, table, event in places(log, ev.Discarded):
            if table.phase != TURN or table.source != source:
                continue
            win = best_win(table, event.seat)
            if win is not None and win.win in ways and lock_on(log, index, event.seat) == lock:
                found.append((index, event.seat))
        return won_as_it_would(log, stream, found)

    return plant


def robbing_in(lock: int, *ways: str) -> Plant:
    """An added kong robbed, best in one of ``ways``, by who is bound."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = []
        for index, table, _ in after(log, ev.Konged):
            for seat in table.others(table.turn) if table.robbable else ():
                win = best_win(table, seat)
                if win is not None and win.win in ways and lock_on(log, index, seat) == lock:
                    found.append((index, seat))
        return won_as_it_would(log, stream, found)

    return plant


_X_LOCK, _FIRST, _SECOND = ("X-LOCK-1",), ("L-LOCK-1",), ("L-LOCK-2",)
_CLAIMED = ("bare", "passes")
_WON = ("bare", "walls", "passes")

XIAMEN: dict[str, Fault] = {
    "claim during 雙游": Fault(_X_LOCK, claim_in_lock, _CLAIMED, ("upgrading",)),
    "kong during another's 雙游": Fault(_X_LOCK, kong_in_lock, tables=("upgrading", "lock")),
    "discard win during 雙游": Fault(_X_LOCK, win_in_lock, ("bare", "walls"), ("upgrading", "lock")),
    "kong robbed during its player's 雙游": Fault(_X_LOCK, robbed_in_lock, _WON, ("lock-own-kong-not-robbed",)),
}

LONGYAN: dict[str, Fault] = {
    "pung after a gold": Fault(_FIRST, pung_in(FIRST), _CLAIMED, ("reckless", "lock-pung", "lock-pung-3")),
    "self-draw after a gold": Fault(
        _FIRST,
        self_draw_in(FIRST, "self_draw"),
        _WON,
        ("reckless", "lock-self-draw", "lock-self-draw-2", "lock-self-draw-3-full", "lock-self-draw-no-dots"),
    ),
    "self-draw while 雙游 stands": Fault(_FIRST, self_draw_in(FIRST, "self_draw"), _WON, ("lock-stays-with-the-wait",)),
    "robbing after a gold": Fault(
        _FIRST, robbing_in(FIRST, "rob_kong"), _WON, ("lock-robbing", "lock-robbing-3", "lock-robbing-2")
    ),
    "十三幺 robbing the 雙游 player": Fault(
        _FIRST, robbing_in(FIRST, "thirteen_orphans"), _WON, ("lock-robbing-the-maker",)
    ),
    "pung after two golds": Fault(_SECOND, pung_in(SECOND), _CLAIMED, ("reckless", "second-gold-exposed-kong")),
    "self-draw after two golds": Fault(
        _SECOND,
        self_draw_in(SECOND, "self_draw"),
        _WON,
        ("second-gold-self-draw", "second-gold-self-draw-2", "second-gold-self-draw-3-full"),
    ),
    "self-draw during 三游": Fault(_SECOND, self_draw_in(SECOND, "self_draw"), _WON, ("triple-you-lock",)),
    "游金 after two golds": Fault(
        _SECOND, self_draw_in(SECOND, "you"), _WON, ("second-gold-you", "second-gold-you-3", "second-gold-you-2")
    ),
    "金倒 after two golds": Fault(_SECOND, self_draw_in(SECOND, "four_golds"), _WON, ("second-gold-four-golds",)),
    "exposed kong's replacement after two golds": Fault(
        _SECOND,
        self_draw_in(SECOND, "self_draw", source=AFTER_KONG),
        _WON,
        ("second-gold-exposed-kong", "second-gold-exposed-kong-3"),
    ),
    "robbing after two golds": Fault(
        _SECOND, robbing_in(SECOND, "rob_kong"), _WON, ("second-gold-robbing", "second-gold-robbing-3")
    ),
}
