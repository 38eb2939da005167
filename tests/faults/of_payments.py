"""Faults of what is said of a hand and paid for it, and of who deals next.

X-WIN-9, X-WATER-…, X-PAY-…, X-DEALER-1, L-WIN-10, L-PAY-…, L-KONG-2, L-KONG-3, L-SHARE-1, L-DEALER-1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from replays import events as ev
from replays.shuffle import Stream
from replays.table import NOTHING, Table
from replays.tiles import FIRST_HONOUR
from tests.faults.edits import another, changed, hand_span, places, rechained
from tests.faults.kinds import Fault, Plant, Planted, pick
from tests.faults.logs import Log
from tests.faults.of_wins import paid

# -- What is said ------------------------------------------------------------------------------------------------------


def wrong_way(log: Log, stream: Stream) -> Planted | None:
    """A win under the name of another way, one that there may be for such a tile."""
    index = pick(stream, [index for index, _, _ in places(log, ev.Won)])
    if index is None:
        return None
    event: Any = log.events[index]
    table = log.tables[index]
    ways = [way for way in table.book.wins if way != event.win and way not in _barred_names(table, event)]
    return Planted(changed(log, index, win=pick(stream, ways)), index)


def _barred_names(table: Table, event: ev.Won) -> tuple[str, ...]:
    """Names that break another clause as well: a right of the opening that the seat may not have (L-OPEN-2 to -5),
    robbing where nobody robs (L-CLAIM-1)."""
    is_full = table.book.options.get("mode") == "full"
    at_opening = ("rob_gold", "covered_rob_gold", "heavenly_win") if event.tile is None else ()
    after_kong = ("heavenly_win",) if not table.thrown else ()
    return (*at_opening, *after_kong, *(("rob_kong",) if is_full else ()))


def lesser_right(log: Log, stream: Stream) -> Planted | None:
    """天胡 under the name of the dealer's 搶金, which stands as well and is worth as much."""
    index = pick(stream, [index for index, _, event in places(log, ev.Won) if event.win == "heavenly_win"])
    return None if index is None else Planted(changed(log, index, win="rob_gold"), index)


# -- What is paid ------------------------------------------------------------------------------------------------------


def _wins(log: Log) -> list[int]:
    """Where a win was settled."""
    found = []
    for index, table, _ in places(log, ev.Settled):
        outcome = table.outcome
        if outcome is not None and outcome.settlement is not None and outcome.winner != NOTHING:
            found.append(index)
    return found


def _draws(log: Log) -> list[int]:
    """Where a hand without winner was settled."""
    return [index for index, table, _ in places(log, ev.Settled) if table.outcome and table.outcome.winner == NOTHING]


def _paying(log: Log, index: int, deltas: Sequence[int], items: tuple[ev.Item, ...] | None) -> Planted:
    return Planted(rechained(changed(log, index, deltas=tuple(deltas), items=items)), index)


def _added(deltas: Sequence[int], more: Sequence[int]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(deltas, more, strict=True))


def moved_between_payers(log: Log, stream: Stream) -> Planted | None:
    """What one payer owes paid in part by another."""
    index = pick(stream, [index for index in _wins(log) if len(log.tables[index].seats) > 2])
    if index is None:
        return None
    settled: Any = log.events[index]
    outcome: Any = log.tables[index].outcome
    payers = log.tables[index].others(outcome.winner)
    a = payers.pop(stream.uniform(len(payers)))
    b = payers[stream.uniform(len(payers))]
    by = 13 + 2 * stream.uniform(20)  # no kong, flower kong or 分餅 comes to so much that is odd
    deltas = [*settled.deltas]
    deltas[a] += by
    deltas[b] -= by
    return _paying(log, index, deltas, settled.items)


def does_not_add_up(log: Log, stream: Stream) -> Planted | None:
    """Somebody gets or pays more than the others pay or get."""
    index = pick(stream, [*_wins(log), *_draws(log)])
    if index is None:
        return None
    settled: Any = log.events[index]
    deltas = [*settled.deltas]
    deltas[stream.uniform(len(deltas))] += 1 + stream.uniform(40)
    return _paying(log, index, deltas, settled.items)


# -- What is paid in Xiamen --------------------------------------------------------------------------------------------


def one_water_more(itemised: bool) -> Plant:
    """A payment of one water too many, or too few; with the server's items, in one of them as well."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = [i for i in _wins(log) if bool(_water_items(log, i)) or not itemised]
        index = pick(stream, found)
        if index is None:
            return None
        settled: Any = log.events[index]
        outcome: Any = log.tables[index].outcome
        off = outcome.settlement.factor * (1 if stream.uniform(2) else -1)
        deltas = _added(settled.deltas, paid(log.tables[index], outcome.winner, off))
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
    index = pick(stream, _wins(log))
    if index is None:
        return None
    settled: Any = log.events[index]
    outcome: Any = log.tables[index].outcome
    extra = paid(log.tables[index], outcome.winner, outcome.settlement.factor)
    return _paying(log, index, _added(settled.deltas, extra), settled.items)


# -- What is paid in Longyan -------------------------------------------------------------------------------------------

_WIN, _KONGS, _FLOWERS, _SHARES = ("L-PAY-1", "L-PAY-3"), ("L-KONG-1",), ("L-KONG-2",), ("L-SHARE-1",)


def _lines(table: Table, codes: Sequence[str]) -> list[ev.Item]:
    """The lines of what the hand is worth that fall under some clauses."""
    outcome: Any = table.outcome
    return [line for line in outcome.settlement.items if line.code in codes]


def _sums(table: Table, lines: Sequence[ev.Item]) -> list[int]:
    return [sum(line.value for line in lines if line.seat == seat) for seat in range(len(table.seats))]


def _paid_otherwise(log: Log, index: int, more: Sequence[int], code: str, itemised: bool) -> Planted:
    """So much more or less paid to each seat under a clause; with the server's items, in them as well."""
    settled: Any = log.events[index]
    items = None
    if itemised and settled.items is not None:
        line = [ev.Item(seat, code, value) for seat, value in enumerate(more) if value]
        items = (*settled.items, *line)
    return _paying(log, index, _added(settled.deltas, more), items)


def left_out(codes: tuple[str, ...], among: str, itemised: bool = False) -> Plant:
    """Lines of a clause not paid, in a hand that was won or in one that nobody won."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = [i for i in (_wins if among == "won" else _draws)(log) if any(_sums(log.tables[i], _of(log, i, codes)))]
        index = pick(stream, found)
        if index is None:
            return None
        less = [-value for value in _sums(log.tables[index], _of(log, index, codes))]
        settled: Any = log.events[index]
        items = tuple(item for item in settled.items or () if item.code not in codes) if itemised else None
        return _paying(log, index, _added(settled.deltas, less), items)

    return plant


def _of(log: Log, index: int, codes: tuple[str, ...]) -> list[ev.Item]:
    return _lines(log.tables[index], codes)


def doubling_forgotten(itemised: bool) -> Plant:
    """A self-draw for which nobody pays double although the winner or a payer is the dealer; in hands with nothing
    else to settle."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = [index for index in _wins(log) if _is_win_alone(log.tables[index])]
        index = pick(stream, found)
        if index is None:
            return None
        table = log.tables[index]
        outcome: Any = table.outcome
        single = paid(table, outcome.winner, outcome.settlement.factor)
        more = [a - b for a, b in zip(single, log.events[index].deltas, strict=True)]
        return _paid_otherwise(log, index, more, "L-PAY-1", itemised)

    return plant


def _is_win_alone(table: Table) -> bool:
    outcome: Any = table.outcome
    has_more = any(line.code != "L-PAY-1" for line in outcome.settlement.items)
    return not has_more and table.book.options["dealer_double"]


def value_doubled(itemised: bool) -> Plant:
    """A win paid with twice its value."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        index = pick(stream, _wins(log))
        if index is None:
            return None
        lines = _lines(log.tables[index], _WIN)
        return _paid_otherwise(log, index, _sums(log.tables[index], lines), lines[0].code, itemised)

    return plant


def robbed_with_others(itemised: bool) -> Plant:
    """A robbed kong paid by all, as a self-draw is."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = [i for i in _wins(log) if _of(log, i, ("L-PAY-3",)) and len(log.tables[i].seats) > 2]
        index = pick(stream, found)
        if index is None:
            return None
        table = log.tables[index]
        outcome: Any = table.outcome
        winner, v = outcome.winner, outcome.settlement.factor
        shares = [v * (2 if table.dealer in (winner, seat) else 1) for seat in range(len(table.seats))]
        paid_by_all = [-share for share in shares]
        paid_by_all[winner] = sum(shares) - shares[winner]
        owed = _sums(table, _of(log, index, ("L-PAY-3",)))
        more = [a - b for a, b in zip(paid_by_all, owed, strict=True)]
        return _paid_otherwise(log, index, more, "L-PAY-3", itemised)

    return plant


def share_not_earned(itemised: bool) -> Plant:
    """分餅 paid for a go-around that does not count, as the next one after those that do: the dealer pays each."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        index = pick(stream, [*_wins(log), *_draws(log)])
        if index is None:
            return None
        table = log.tables[index]
        rounds = len(_of(log, index, _SHARES)) // len(table.seats)
        each = _last_kind_value(log, index) << rounds
        more = [-value for value in paid(table, table.dealer, each)]
        return _paid_otherwise(log, index, more, "L-SHARE-1", itemised)

    return plant


def _last_kind_value(log: Log, index: int) -> int:
    """What 分餅 pays for the kind of the dealer's last discard in the hand: 1 for an honour, 2 for a suit kind."""
    begin, _ = hand_span(log, index)
    dealer = log.tables[index].dealer
    kinds = [e.tile for e in log.events[begin:index] if isinstance(e, ev.Discarded) and e.seat == dealer]
    return 1 if kinds[-1] >= FIRST_HONOUR else 2


# -- Who deals ---------------------------------------------------------------------------------------------------------


def wrong_dealer(log: Log, stream: Stream) -> Planted | None:
    """Another dealer than follows, and all goes on from there: every seat is turned from that hand on."""
    index = pick(stream, [index for index, _, event in places(log, ev.HandStarted) if event.hand > 1])
    if index is None:
        return None
    return _turned_from(log, index, stream)


def _turned_from(log: Log, index: int, stream: Stream) -> Planted:
    n = len(log.tables[index].seats)
    by = 1 + stream.uniform(n - 1)
    return Planted(rechained([*log.events[:index], *(turned(event, by, n) for event in log.events[index:])]), index)


def turned(event: Any, by: int, n: int) -> Any:
    """The event with every seat of ``n`` moved ``by`` places; seats' numbers too."""
    members: dict[str, Any] = {}
    for name in ("seat", "dealer", "from_", "by"):
        value = getattr(event, name, None)
        if value is not None and name in event._fields:
            members[name] = (value + by) % n
    for name in ("deltas", "scores"):
        if name in event._fields:
            values = getattr(event, name)
            members[name] = values[-by:] + values[:-by]
    if isinstance(event, ev.Settled) and event.items is not None:
        members["items"] = tuple(item._replace(seat=(item.seat + by) % n) for item in event.items)
    if isinstance(event, ev.Passed | ev.TurnPrompted):
        members["options"] = tuple(_turned_act(act, by, n) for act in event.options)
    if isinstance(event, ev.ClaimOverridden):
        members["claim"] = _turned_act(event.claim, by, n)
    return event._replace(**members) if members else event


def _turned_act(act: ev.Act, by: int, n: int) -> ev.Act:
    return act if act.from_ is None else act._replace(from_=(act.from_ + by) % n)


def wrong_first_dealer(log: Log, stream: Stream) -> Planted:
    """The first hand dealt by another than the game's first dealer."""
    return _turned_from(log, next(index for index, _, _ in places(log, ev.HandStarted)), stream)


def wrong_dealer_alone(log: Log, stream: Stream) -> Planted | None:
    """Another dealer noted than follows, and dealt as it should be."""
    index = pick(stream, [index for index, _, event in places(log, ev.HandStarted) if event.hand > 1])
    if index is None:
        return None
    started: Any = log.events[index]
    return Planted(changed(log, index, dealer=another(log.tables[index], started.dealer, stream)), index)


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
_SAID = ("bare", "full", "examples")
_TWO = ("bare", "full")

SHARED: dict[str, Fault] = {
    "wrong first dealer": Fault(("G-DEALER-1",), wrong_first_dealer, ("bare", "walls")),
}

XIAMEN: dict[str, Fault] = {
    "wrong way of winning": Fault(("X-WIN-9",), wrong_way, _SAID),
    "one water off, itemised": Fault(_WATER, one_water_more(True), _TWO),
    "one water off": Fault(_WATER, one_water_more(False), _SAID),
    "one water more than the items": Fault(_WATER, paid_beside_items, _TWO),
    "payment moved between payers": Fault(_PAY, moved_between_payers, _SAID),
    "payments that do not add up": Fault(("X-PAY-6",), does_not_add_up, _SAID),
    "wrong dealer": Fault(("X-DEALER-1",), wrong_dealer, ("bare", "walls", "passes")),
    "wrong dealer noted": Fault(("X-DEALER-1",), wrong_dealer_alone, _TWO, most=14, reaches=1),
    "wrong streak": Fault(("X-DEALER-1",), wrong_streak, _TWO),
}

_ROBBED = ("rob-kong-4", "rob-kong-3", "rob-kong-4-by-dealer", "rob-kong-3-from-dealer", "rob-kong-leaves-kongs")
_SHARED_OUT = ("share-honour", "share-suit", "share-white", "share-two-rounds")
_BROKEN = ("share-broken", "share-broken-later", "share-broken-by-kong", "share-broken-by-pung")
_KONGED = ("exhausted-with-kongs", "exhausted-with-kong-2", "exhausted-with-kong-3-full", "exhausted-with-added-kong")
_FLOWERED = ("exhausted-with-flowers", "exhausted-with-flowers-2", "exhausted-with-flowers-3")

LONGYAN: dict[str, Fault] = {
    "wrong way of winning": Fault(("L-WIN-10",), wrong_way, _SAID),
    "天胡 named 搶金": Fault(("L-WIN-10",), lesser_right, _TWO, ("half-heavenly-win", "dealer-wins-and-stays")),
    "payment moved between payers": Fault(("L-PAY-1", "L-PAY-3"), moved_between_payers, _SAID),
    "payments that do not add up": Fault(("L-PAY-4",), does_not_add_up, _SAID),
    "value doubled": Fault(("L-PAY-1", "L-PAY-3"), value_doubled(False), _SAID),
    "value doubled, itemised": Fault(("L-PAY-1", "L-PAY-3"), value_doubled(True), _TWO, most=4),
    "doubling with the dealer forgotten": Fault(("L-PAY-1",), doubling_forgotten(False), _SAID),
    "doubling with the dealer forgotten, itemised": Fault(("L-PAY-1",), doubling_forgotten(True), _TWO, most=4),
    "robbed player not paying all": Fault(("L-PAY-3",), robbed_with_others(False), _SAID, _ROBBED),
    "robbed player not paying all, itemised": Fault(("L-PAY-3",), robbed_with_others(True), _TWO, _ROBBED, most=4),
    "kong not settled at a draw": Fault(("L-KONG-3",), left_out(_KONGS, "drawn"), _SAID, (*_KONGED, "melding")),
    "kong not settled at a draw, itemised": Fault(
        ("L-KONG-3",), left_out(_KONGS, "drawn", True), _TWO, (*_KONGED, "melding"), most=4
    ),
    "kong not settled with a win": Fault(("L-KONG-3",), left_out(_KONGS, "won"), _SAID),
    "flower kong missed": Fault(
        ("L-KONG-2",), left_out(_FLOWERS, "won"), _TWO, ("flower-kong", "flower-kong-dealer", "flower-kong-full")
    ),
    "flower kong missed, itemised": Fault(
        ("L-KONG-2",), left_out(_FLOWERS, "won", True), _TWO, ("flower-kong", "flower-kong-in-play"), most=4
    ),
    "flower kong missed at a draw": Fault(("L-KONG-2",), left_out(_FLOWERS, "drawn"), _TWO, _FLOWERED),
    "分餅 after a break": Fault(("L-SHARE-1",), share_not_earned(False), _TWO, _BROKEN),
    "分餅 after a break, itemised": Fault(("L-SHARE-1",), share_not_earned(True), _TWO, _BROKEN, most=4),
    "分餅 among three": Fault(("L-SHARE-1",), share_not_earned(False), _TWO, ("share-three-players",)),
    "分餅 missed": Fault(("L-SHARE-1",), left_out(_SHARES, "won"), _TWO, _SHARED_OUT),
    "分餅 missed at a draw": Fault(("L-SHARE-1",), left_out(_SHARES, "drawn"), _TWO, ("share-exhausted",)),
    "wrong dealer": Fault(("L-DEALER-1",), wrong_dealer, ("bare", "walls", "passes")),
    "wrong dealer noted": Fault(("L-DEALER-1",), wrong_dealer_alone, _SAID, most=20, reaches=1),
    "wrong streak": Fault(("L-DEALER-1",), wrong_streak, _SAID),
}
