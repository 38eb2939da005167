"""Faults of wins, of what is paid for them, and of who deals next.

X-SHAPE-1, X-GOLD-2, X-GOLD-3, X-LOCK-1, S-ROB-1, X-WIN-9, X-WATER-…, X-PAY-…, X-DEALER-1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from replays import events as ev
from replays.hands import add, complete, is_ready
from replays.referee import rights
from replays.rulebook import Settlement
from replays.settle import decide, facts_of
from replays.shuffle import Stream
from replays.table import AFTER_DRAW, TURN, Table
from replays.tiles import COPIES, Tile
from tests.faults.edits import another, changed, finished, held, is_plain, places, rechained
from tests.faults.kinds import Fault, Plant, Planted, pick
from tests.faults.logs import Log
from tests.faults.of_claims import unclaimed

_GOLDS = 3


def _paid(winner: int, amount: int) -> tuple[int, ...]:
    return tuple(3 * amount if seat == winner else -amount for seat in range(4))


def _won(log: Log, stream: Stream, found: Sequence[tuple[int, int, str, Tile | None, int | None]]) -> Planted | None:
    """One of ``found`` (index, seat, way, tile, from) recorded as a win before event ``index``, and paid."""
    chosen = pick(stream, found)
    if chosen is None:
        return None
    index, seat, way, tile, from_ = chosen
    here: Any = log.events[index]
    won = ev.Won(0, here.at, log.tables[index].hand, seat, way, tile, from_)
    return Planted(finished(log, index, won, _paid(seat, 8 + stream.uniform(30))), index)


def _completes(table: Table, seat: int, tile: Tile) -> bool:
    """Whether a tile that another discards makes the seat's hand complete."""
    slot = table.layout.slots[tile]
    return held(table, seat).count(tile) < COPIES and complete(add(table.hands[seat], slot))


def _golds(table: Table, seat: int) -> int:
    return table.hands[seat][4]


# -- Wins that are none ------------------------------------------------------------------------------------------------


def no_self_draw(log: Log, stream: Stream) -> Planted | None:
    """A self-draw of a hand that is not complete."""
    found = []
    for index, table, event in places(log, ev.Discarded):
        is_own = table.phase == TURN and table.source == AFTER_DRAW and table.drawn >= 0
        if is_own and not complete(table.hands[event.seat]) and _golds(table, event.seat) < _GOLDS:
            found.append((index, event.seat, "self_draw", table.drawn, None))
    return _won(log, stream, found)


def no_discard_win(log: Log, stream: Stream) -> Planted | None:
    """A win on a discard that does not complete the hand."""
    found = []
    for index, table, _ in unclaimed(log):
        if not is_plain(table, table.last) or table.lock:
            continue
        for seat in table.others(table.turn):
            if not _completes(table, seat, table.last) and not table.gold_out >> seat & 1:
                found.append((index, seat, "discard", table.last, table.turn))
    return _won(log, stream, found)


def no_opening_win(way: str) -> Plant:
    """天和 of a hand that is not complete, or 三金倒 without three golds."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = []
        for index, table, event in places(log, ev.Discarded):
            if table.opening and not complete(table.hands[event.seat]) and _golds(table, event.seat) < _GOLDS:
                found.append((index, event.seat, way, None, None))
        return _won(log, stream, found)

    return plant


def win_with_gold(log: Log, stream: Stream) -> Planted | None:
    """A discard that completes a hand with a gold in it."""
    found = []
    for index, table, _ in unclaimed(log):
        for seat in table.others(table.turn) if is_plain(table, table.last) and not table.lock else ():
            is_blocked = _golds(table, seat) and not table.gold_out >> seat & 1
            if is_blocked and _completes(table, seat, table.last):
                found.append((index, seat, "discard", table.last, table.turn))
    return _won(log, stream, found)


def win_on_gold(log: Log, stream: Stream) -> Planted | None:
    """A ready hand that wins on a discarded gold."""
    found = []
    for index, table, _ in unclaimed(log):
        for seat in table.others(table.turn) if table.last in table.golds and not table.lock else ():
            if is_ready(table.hands[seat], table.layout):
                found.append((index, seat, "discard", table.last, table.turn))
    return _won(log, stream, found)


def win_by_gold_discarder(log: Log, stream: Stream) -> Planted | None:
    """A discard that completes the hand of a seat whose own last discard was a gold."""
    found = []
    for index, table, _ in unclaimed(log):
        for seat in table.others(table.turn) if table.last not in table.golds and not table.lock else ():
            if table.gold_out >> seat & 1 and not _golds(table, seat) and _completes(table, seat, table.last):
                found.append((index, seat, "discard", table.last, table.turn))
    return _won(log, stream, found)


def win_in_lock(log: Log, stream: Stream) -> Planted | None:
    """A discard that completes a hand while somebody's 雙游 binds the table."""
    found = []
    for index, table, _ in unclaimed(log):
        found += [(index, seat) for seat in table.others(table.turn) if table.lock and _win_of(table, seat)]
    return _rightly_paid(log, stream, found)


def farther_winner(kind: Any) -> Plant:
    """A win on a discard, or on an added kong, that a nearer seat could win on as well, who says nothing."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = []
        for index, table, _ in _after(log, kind):
            seats = [seat for seat in table.others(table.turn) if _may_win(table, seat)]
            found += [(index, seat) for seat in seats[1:]]
        return _rightly_paid(log, stream, found)

    return plant


def robbed_in_lock(log: Log, stream: Stream) -> Planted | None:
    """The added kong of who is in 雙游, robbed."""
    found = []
    for index, table, _ in _after(log, ev.Konged):
        if table.robbable and table.lock >> table.turn & 1:
            found += [(index, seat) for seat in table.others(table.turn) if _win_of(table, seat)]
    return _rightly_paid(log, stream, found)


def _after(log: Log, kind: Any) -> Iterator[tuple[int, Table, Any]]:
    """Where something of a class has just happened, and the table after it."""
    for index, event in enumerate(log.events[:-1]):
        if isinstance(event, kind):
            yield index + 1, log.tables[index + 1], event


def _may_win(table: Table, seat: int) -> bool:
    return any(act.act == "win" for act in rights(table, seat))


def _win_of(table: Table, seat: int) -> Settlement | None:
    """What the win of a seat on what lies open would be worth, whatever forbids it."""
    facts = facts_of(table, seat)
    found = None if facts is None else decide(table.book, facts)
    return found if isinstance(found, Settlement) else None


def _rightly_paid(log: Log, stream: Stream, found: list[tuple[int, int]]) -> Planted | None:
    """The win of one of ``found`` (index, seat), named and paid as it would be were it allowed."""
    chosen = pick(stream, found)
    if chosen is None:
        return None
    index, seat = chosen
    table, at = log.tables[index], log.events[index].at
    win = _win_of(table, seat)
    assert win is not None
    won = ev.Won(0, at, table.hand, seat, win.win, table.last, table.turn)
    return Planted(finished(log, index, won, win.deltas), index)


# -- What is said and paid ---------------------------------------------------------------------------------------------


def wrong_way(log: Log, stream: Stream) -> Planted | None:
    """A win under the name of another way."""
    index = pick(stream, [index for index, _, _ in places(log, ev.Won)])
    if index is None:
        return None
    event: Any = log.events[index]
    way = pick(stream, [way for way in log.tables[index].book.wins if way != event.win])
    return Planted(changed(log, index, win=way), index)


def _settlements(log: Log) -> list[int]:
    """Where a win was settled."""
    found = []
    for index, table, _ in places(log, ev.Settled):
        if table.outcome is not None and table.outcome.settlement is not None:
            found.append(index)
    return found


def _paying(log: Log, index: int, deltas: tuple[int, ...], items: tuple[ev.Item, ...] | None) -> Planted:
    return Planted(rechained(changed(log, index, deltas=deltas, items=items)), index)


def one_water_more(itemised: bool) -> Plant:
    """A payment of one water too many, or too few; with the server's items, in one of them as well."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = [i for i in _settlements(log) if bool(_water_items(log, i)) or not itemised]
        index = pick(stream, found)
        if index is None:
            return None
        settled: Any = log.events[index]
        outcome: Any = log.tables[index].outcome
        off = outcome.settlement.factor * (1 if stream.uniform(2) else -1)
        extra = _paid(outcome.winner, off)
        deltas = tuple(a + b for a, b in zip(settled.deltas, extra, strict=True))
        items = None
        if itemised:
            which = pick(stream, _water_items(log, index))
            items = tuple(
                item._replace(value=item.value + off // outcome.settlement.factor) if i == which else item
                for i, item in enumerate(settled.items)
            )
        return _paying(log, index, deltas, items)

    return plant


def _water_items(log: Log, index: int) -> list[int]:
    settled: Any = log.events[index]
    return [i for i, item in enumerate(settled.items or ()) if item.code.startswith("X-WATER")]


def paid_beside_items(log: Log, stream: Stream) -> Planted | None:
    """Items as they should be, and one water more paid."""
    index = pick(stream, _settlements(log))
    if index is None:
        return None
    settled: Any = log.events[index]
    outcome: Any = log.tables[index].outcome
    extra = _paid(outcome.winner, outcome.settlement.factor)
    return _paying(log, index, tuple(a + b for a, b in zip(settled.deltas, extra, strict=True)), settled.items)


def moved_between_payers(log: Log, stream: Stream) -> Planted | None:
    """What one payer owes paid in part by another."""
    index = pick(stream, _settlements(log))
    if index is None:
        return None
    settled: Any = log.events[index]
    outcome: Any = log.tables[index].outcome
    payers = [seat for seat in range(4) if seat != outcome.winner]
    a = payers.pop(stream.uniform(3))
    b = payers[stream.uniform(2)]
    by = 1 + stream.uniform(40)
    deltas = [*settled.deltas]
    deltas[a] += by
    deltas[b] -= by
    return _paying(log, index, tuple(deltas), settled.items)


def does_not_add_up(log: Log, stream: Stream) -> Planted | None:
    """Somebody gets or pays more than the others pay or get."""
    index = pick(stream, _settlements(log))
    if index is None:
        return None
    settled: Any = log.events[index]
    deltas = [*settled.deltas]
    deltas[stream.uniform(4)] += 1 + stream.uniform(40)
    return _paying(log, index, tuple(deltas), settled.items)


# -- Who deals ---------------------------------------------------------------------------------------------------------


def wrong_dealer(log: Log, stream: Stream) -> Planted | None:
    """Another dealer than follows, and all goes on from there: every seat is turned from that hand on."""
    index = pick(stream, [index for index, _, event in places(log, ev.HandStarted) if event.hand > 1])
    if index is None:
        return None
    return _turned_from(log, index, stream)


def _turned_from(log: Log, index: int, stream: Stream) -> Planted:
    by = 1 + stream.uniform(3)
    return Planted(rechained([*log.events[:index], *(turned(event, by) for event in log.events[index:])]), index)


def turned(event: Any, by: int) -> Any:
    """The event with every seat moved ``by`` places; seats' numbers too."""
    members: dict[str, Any] = {}
    for name in ("seat", "dealer", "from_", "by"):
        value = getattr(event, name, None)
        if value is not None and name in event._fields:
            members[name] = (value + by) % 4
    for name in ("deltas", "scores"):
        if name in event._fields:
            values = getattr(event, name)
            members[name] = values[-by:] + values[:-by]
    if isinstance(event, ev.Settled) and event.items is not None:
        members["items"] = tuple(item._replace(seat=(item.seat + by) % 4) for item in event.items)
    if isinstance(event, ev.Passed | ev.TurnPrompted):
        members["options"] = tuple(_turned_act(act, by) for act in event.options)
    if isinstance(event, ev.ClaimOverridden):
        members["claim"] = _turned_act(event.claim, by)
    return event._replace(**members) if members else event


def _turned_act(act: ev.Act, by: int) -> ev.Act:
    return act if act.from_ is None else act._replace(from_=(act.from_ + by) % 4)


def wrong_first_dealer(log: Log, stream: Stream) -> Planted:
    """The first hand dealt by another than the game's first dealer."""
    return _turned_from(log, next(index for index, _, _ in places(log, ev.HandStarted)), stream)


def wrong_dealer_alone(log: Log, stream: Stream) -> Planted | None:
    """Another dealer noted than follows, and dealt as it should be."""
    index = pick(stream, [index for index, _, event in places(log, ev.HandStarted) if event.hand > 1])
    if index is None:
        return None
    started: Any = log.events[index]
    return Planted(changed(log, index, dealer=another(started.dealer, stream)), index)


def wrong_streak(log: Log, stream: Stream) -> Planted | None:
    """Another streak than follows, in a hand that the dealer does not win and does not keep."""
    found = []
    started = 0
    for i, event in enumerate(log.events):
        if isinstance(event, ev.HandStarted):
            started = i
        elif isinstance(event, ev.Won) and event.seat != log.tables[i].dealer and log.tables[i].hand > 1:
            found.append(started)
    index = pick(stream, found)
    if index is None:
        return None
    streak = log.events[index].streak + 1 + stream.uniform(4)
    return Planted(changed(log, index, streak=streak), index)


_WATER = tuple(f"X-WATER-{number}" for number in range(1, 8))
_PAY = tuple(f"X-PAY-{number}" for number in range(1, 6))

FAULTS: dict[str, Fault] = {
    "self-draw that is none": Fault(("X-SHAPE-1",), no_self_draw, ("bare", "walls")),
    "discard win that is none": Fault(("X-SHAPE-1",), no_discard_win, ("bare", "walls")),
    "天和 that is none": Fault(("X-SHAPE-1",), no_opening_win("heavenly_win"), ("bare", "walls")),
    "三金倒 that is none": Fault(("X-SHAPE-1",), no_opening_win("three_golds"), ("bare", "walls")),
    "discard win with gold in hand": Fault(("X-GOLD-2",), win_with_gold, ("bare", "walls"), "modest"),
    "win on the gold": Fault(("X-GOLD-3",), win_on_gold, ("bare", "walls"), "reckless"),
    "discard win by who discarded gold": Fault(("X-GOLD-3",), win_by_gold_discarder, ("bare", "walls"), "reckless"),
    "discard win during 雙游": Fault(("X-LOCK-1",), win_in_lock, ("bare", "walls"), "upgrading"),
    "farther winner before the nearer": Fault(
        ("S-CLAIM-1",), farther_winner(ev.Discarded), ("passes", "full"), "nearest-winner"
    ),
    "farther winner, in play": Fault(("S-CLAIM-1",), farther_winner(ev.Discarded), ("passes",), "patient"),
    "farther robber before the nearer": Fault(
        ("S-ROB-1",), farther_winner(ev.Konged), ("passes", "full"), "robbed-kong"
    ),
    "kong robbed during its player's 雙游": Fault(
        ("X-LOCK-1",), robbed_in_lock, ("bare", "walls", "passes"), "lock-own-kong-not-robbed"
    ),
    "wrong way of winning": Fault(("X-WIN-9",), wrong_way, ("bare", "full", "examples")),
    "one water off, itemised": Fault(_WATER, one_water_more(True), ("bare", "full")),
    "one water off": Fault(_WATER, one_water_more(False), ("bare", "full", "examples")),
    "one water more than the items": Fault(_WATER, paid_beside_items, ("bare", "full")),
    "payment moved between payers": Fault(_PAY, moved_between_payers, ("bare", "full", "examples")),
    "payments that do not add up": Fault(("X-PAY-6",), does_not_add_up, ("bare", "full", "examples")),
    "wrong dealer": Fault(("X-DEALER-1",), wrong_dealer, ("bare", "walls", "passes")),
    "wrong first dealer": Fault(("G-DEALER-1",), wrong_first_dealer, ("bare", "walls")),
    "wrong dealer noted": Fault(("X-DEALER-1",), wrong_dealer_alone, ("bare", "full"), most=14, reaches=1),
    "wrong streak": Fault(("X-DEALER-1",), wrong_streak, ("bare", "full")),
}
