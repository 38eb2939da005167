"""Faults of Longyan's rights at the opening: 蓋寶搶金, 天胡 and 搶金 (L-OPEN-1 to L-OPEN-5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from replays import events as ev
from replays.hands import GOLDS, Hand, add, unpack
from replays.shuffle import Stream
from replays.table import Table
from replays.tiles import Tile
from tests.faults.edits import changed, changed_each, hand_span, places, rechained
from tests.faults.kinds import Fault, Plant, Planted, pick
from tests.faults.logs import Log
from tests.faults.of_claims import unclaimed
from tests.faults.of_wins import (
    after,
    best_win,
    farther_winner,
    is_no_win,
    is_whole,
    openings,
    paid,
    won,
    won_as_it_would,
)

ROB, COVERED, HEAVENLY = "rob_gold", "covered_rob_gold", "heavenly_win"


# -- What a hand at the opening is -------------------------------------------------------------------------------------


def _left(table: Table, seat: int) -> Iterator[tuple[Tile, Hand]]:
    """What a dealer's fourteen tiles are without one of them."""
    for tile in dict.fromkeys(unpack(table.hands[seat], table.layout)):
        yield tile, add(table.hands[seat], table.layout.slots[tile], -1)


def _is_ready(table: Table, hand: Hand) -> bool:
    return table.book.is_ready(hand, table.layout)


def _in_you_state(table: Table, hand: Hand) -> bool:
    return table.book.in_you_state(hand, table.layout)


def _robs(table: Table, hand: Hand) -> bool:
    """Whether a hand has 搶金: one in you state let 蓋寶搶金 pass, and 搶金 with it."""
    return _is_ready(table, hand) and not _in_you_state(table, hand)


def _planted(log: Log, stream: Stream, found: list[tuple[int, int]], way: str) -> Planted | None:
    """A win of one of ``found`` (index, seat) by a right that it has not."""
    chosen = pick(stream, found)
    return None if chosen is None else won(log, chosen[0], stream, chosen[1], way)


# -- Rights that are none ----------------------------------------------------------------------------------------------


def no_rob_gold(log: Log, stream: Stream) -> Planted | None:
    """搶金 on the dealer's first discard by a hand that is not ready."""
    found = []
    for index, table, event in after(log, ev.Discarded):
        if log.tables[index - 1].opening:
            found += [(index, s) for s in table.others(event.seat) if not _is_ready(table, table.hands[s])]
    return _planted(log, stream, found, ROB)


def late_rob_gold(log: Log, stream: Stream) -> Planted | None:
    """搶金 by a hand that is ready, on a discard after the dealer's second."""
    found = []
    for index, table, _ in unclaimed(log):
        begin, _ = hand_span(log, index)
        discards = [e for e in log.events[begin:index] if isinstance(e, ev.Discarded) and e.seat == table.dealer]
        others = [seat for seat in table.others(table.turn) if seat != table.dealer and len(discards) > 1]
        found += [(index, seat) for seat in others if _is_ready(table, table.hands[seat])]
    return _planted(log, stream, found, ROB)


def no_rob_gold_of_dealer(log: Log, stream: Stream) -> Planted | None:
    """搶金 of a dealer whom no discard leaves ready."""
    found = []
    for index, table in openings(log):
        is_near = any(_is_ready(table, hand) for _, hand in _left(table, table.dealer))
        if not is_near and is_no_win(table, table.dealer):
            found.append((index, table.dealer))
    return _planted(log, stream, found, ROB)


def rob_gold_before_the_others(log: Log, stream: Stream) -> Planted | None:
    """搶金 of a dealer whom a discard leaves ready, though another seat is ready and has 搶金."""
    found = []
    for index, table in openings(log):
        left = [hand for _, hand in _left(table, table.dealer)]
        is_dealers = any(_is_ready(table, hand) for hand in left) and not any(
            _in_you_state(table, hand) for hand in left
        )
        is_others = any(_robs(table, table.hands[seat]) for seat in table.others(table.dealer))
        if is_dealers and is_others and is_no_win(table, table.dealer):
            found.append((index, table.dealer))
    return _planted(log, stream, found, ROB)


def no_covered(log: Log, stream: Stream) -> Planted | None:
    """蓋寶搶金 of a seat that is not in you state, and of which no other right is known."""
    found = []
    for index, table in openings(log):
        seats = [seat for seat in table.others(table.dealer) if GOLDS[table.hands[seat][4]] < 2]
        found += [(index, seat) for seat in seats if not _is_ready(table, table.hands[seat])]
        is_near = any(_is_ready(table, hand) for _, hand in _left(table, table.dealer))
        if not is_near and is_no_win(table, table.dealer):
            found.append((index, table.dealer))
    return _planted(log, stream, found, COVERED)


# -- After a kong, after a pass ----------------------------------------------------------------------------------------


def heavenly_after_kong(is_paid: bool) -> Plant:
    """A dealer's win on the replacement of a concealed kong, named 天胡; with what 天胡 pays, or as it should be."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = [i for i, table, event in places(log, ev.Won) if event.seat == table.dealer and not table.thrown]
        index = pick(stream, [i for i in found if log.tables[i].melds[log.events[i].seat]])
        if index is None:
            return None
        tile = None if stream.uniform(2) else log.events[index].tile
        named = {index: {"win": HEAVENLY, "tile": tile}}
        return Planted(rechained(changed_each(log, named | (_as_heavenly(log, index) if is_paid else {}))), index)

    return plant


def _as_heavenly(log: Log, index: int) -> dict[int, dict[str, Any]]:
    """The settlement of a dealer's self-draw with what 天胡 pays: four from each, doubled, for two."""
    table = log.tables[index]
    settled = next(i for i in range(index, len(log.events)) if isinstance(log.events[i], ev.Settled))
    more = paid(table, table.dealer, 4)
    deltas = tuple(a + b for a, b in zip(log.events[settled].deltas, more, strict=True))
    return {settled: {"deltas": deltas, "items": None}}


def passed_right(way: str) -> Plant:
    """天胡 or 搶金 of who passed 蓋寶搶金, and the other with it."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        return _planted(log, stream, [*_PASSED[way](log)], way)

    return plant


def _whole_after_pass(log: Log) -> Iterator[tuple[int, int]]:
    for index, table, event in places(log, ev.Discarded):
        if table.opening and _has_passed(log, index, table.dealer) and is_whole(table, table.hands[event.seat]):
            yield index, table.dealer


def _ready_after_pass(log: Log) -> Iterator[tuple[int, int]]:
    for index, table, event in after(log, ev.Discarded):
        if log.tables[index - 1].opening:
            yield from ((index, seat) for seat in table.others(event.seat) if _has_passed(log, index, seat))


def _has_passed(log: Log, index: int, seat: int) -> bool:
    """Whether the seat passed 蓋寶搶金 on record in the hand of event ``index``."""
    begin, _ = hand_span(log, index)
    passes: list[Any] = [event for event in log.events[begin:index] if isinstance(event, ev.Passed)]
    return any(event.seat == seat and COVERED in [act.win for act in event.options] for event in passes)


_PASSED: dict[str, Callable[[Log], Iterator[tuple[int, int]]]] = {HEAVENLY: _whole_after_pass, ROB: _ready_after_pass}


# -- Who comes first ---------------------------------------------------------------------------------------------------


def later_right(log: Log, stream: Stream) -> Planted | None:
    """A win at the opening before an earlier right was used or passed."""
    found = []
    for index, table in openings(log):
        wins = [(seat, win.win) for seat in range(len(table.seats)) if (win := best_win(table, seat)) is not None]
        ranked = sorted((_place(table, seat, way), seat) for seat, way in wins)
        found += [(index, seat) for _, seat in ranked[1:]]
    return won_as_it_would(log, stream, found)


def _place(table: Table, seat: int, way: str) -> tuple[int, int]:
    """Where a right stands among all of the opening (L-OPEN-1): its place in the order, and the way from the dealer."""
    is_dealer = seat == table.dealer
    right = way if way in (COVERED, HEAVENLY, ROB) else "golds"
    return _ORDER.index((right, is_dealer)), (seat - table.dealer) % len(table.seats)


_ORDER = ((COVERED, False), (COVERED, True), (HEAVENLY, True), ("golds", True), ("golds", False), (ROB, True))


# -- What is taken away ------------------------------------------------------------------------------------------------


def _leaves_covered(table: Table, tile: Tile, hand: Hand) -> bool:
    """L-OPEN-4: you state, or what is ready once a gold is taken away."""
    return _in_you_state(table, hand) or (tile in table.golds and _is_ready(table, hand))


_LEAVES: dict[str, Callable[[Table, Tile, Hand], bool]] = {
    ROB: lambda table, tile, hand: _is_ready(table, hand),
    COVERED: _leaves_covered,
}


def wrong_tile_out(way: str) -> Plant:
    """A dealer's 搶金 or 蓋寶搶金 with a tile taken away that does not leave the hand what it must be."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = []
        for index, table, event in places(log, ev.Won):
            if event.win == way and event.seat == table.dealer:
                found += [
                    (index, tile) for tile, hand in _left(table, event.seat) if not _LEAVES[way](table, tile, hand)
                ]
        chosen = pick(stream, found)
        return None if chosen is None else Planted(changed(log, chosen[0], tile_out=chosen[1]), chosen[0])

    return plant


_FORMS = ("bare", "walls")
_ALL = (*_FORMS, "examples")
_NEAREST = ("passes", "full")
_KONGED = ("opening-kong", "opening-kong-2", "opening-kong-3-full")

LONGYAN: dict[str, Fault] = {
    "搶金 by the farther seat": Fault(
        ("L-OPEN-2",),
        farther_winner(ev.Discarded),
        _NEAREST,
        ("rob-gold-nearest", "rob-gold-nearest-3", "rob-gold-nearest-3-full"),
    ),
    "搶金 that is none": Fault(("L-OPEN-2",), no_rob_gold, _ALL),
    "搶金 too late": Fault(("L-OPEN-2",), late_rob_gold, _ALL),
    "搶金 of the dealer that is none": Fault(("L-OPEN-3",), no_rob_gold_of_dealer, _ALL),
    "搶金 of the dealer before the others'": Fault(
        ("L-OPEN-3",),
        rob_gold_before_the_others,
        (*_FORMS, "passes"),
        ("rob-gold-bars-the-dealers", "rob-gold-bars-the-dealers-2", "rob-gold-bars-the-dealers-3-full"),
    ),
    "蓋寶搶金 that is none": Fault(("L-OPEN-4",), no_covered, _ALL),
    "天胡 after a kong": Fault(("L-OPEN-5",), heavenly_after_kong(False), (*_FORMS, "passes"), _KONGED),
    "天胡 after a kong, paid": Fault(("L-OPEN-5",), heavenly_after_kong(True), _FORMS, _KONGED, most=2),
    "天胡 after 蓋寶搶金 was passed": Fault(
        ("L-OPEN-1",),
        passed_right(HEAVENLY),
        _NEAREST,
        ("covered-passed-no-heavenly", "covered-passed-no-heavenly-3-full"),
    ),
    "搶金 after 蓋寶搶金 was passed": Fault(
        ("L-OPEN-1",), passed_right(ROB), _NEAREST, ("covered-passed-no-rob-gold", "covered-passed-no-rob-gold-2")
    ),
    "later right at the opening": Fault(
        ("L-OPEN-1",),
        later_right,
        _NEAREST,
        ("covered-before-heavenly", "covered-nearest-3", "heavenly-before-three-golds", "heavenly-before-golds-2-full"),
    ),
    "later right of the dealer": Fault(("L-OPEN-3",), later_right, _NEAREST, ("three-golds-before-dealers-rob-gold",)),
    "wrong tile taken away for 搶金": Fault(("L-OPEN-3",), wrong_tile_out(ROB), _FORMS, ("half-rob-gold-dealer",)),
    "wrong tile taken away for 蓋寶搶金": Fault(
        ("L-OPEN-4",), wrong_tile_out(COVERED), _FORMS, ("half-covered-rob-gold-dealer",)
    ),
}
