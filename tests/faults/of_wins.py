"""Faults of wins: wins that are none, and wins of who may not or not yet.

X-SHAPE-1, X-GOLD-2, X-GOLD-3, S-ROB-1, L-SHAPE-1, L-CLAIM-1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from replays import events as ev
from replays.clauses.shapes import is_seven_pairs, is_thirteen_orphans
from replays.hands import GOLDS, Hand, add, complete, is_ready
from replays.reducer import apply
from replays.referee import offers, rights
from replays.rulebook import Settlement
from replays.settle import decide, occasions
from replays.shuffle import Stream
from replays.table import AFTER_DRAW, CLAIMS, KONG, TURN, Table
from replays.tiles import COPIES, KINDS, Tile
from tests.faults.edits import cancelled, finished, held, is_plain, places
from tests.faults.kinds import Fault, Plant, Planted, pick
from tests.faults.logs import Log
from tests.faults.of_claims import unclaimed

#: Golds in hand that win by themselves, and the way, by how many kinds are golds (X-WIN-10, L-WIN-4).
BY_GOLDS = {1: (3, "three_golds"), 2: (4, "four_golds")}


# -- Recording a win ---------------------------------------------------------------------------------------------------


def won(log: Log, index: int, stream: Stream, seat: int, way: str, *lying: int | None, **members: Any) -> Planted:
    """The win of a seat recorded before event ``index``, with the tile and seat that it is said to be on; paid as it is
    worth by the rules, or where it is worth nothing with something that adds up."""
    table, here = log.tables[index], log.events[index]
    event = ev.Won(0, here.at, table.hand, seat, way, *lying, **members)
    outcome = apply(table, event).outcome
    settlement = None if outcome is None else outcome.settlement
    some = paid(table, seat, 8 + stream.uniform(30))
    return Planted(finished(log, index, event, some if settlement is None else settlement.deltas), index)


def paid(table: Table, winner: int, amount: int) -> tuple[int, ...]:
    """``amount`` from each to the winner."""
    n = len(table.seats)
    return tuple((n - 1) * amount if seat == winner else -amount for seat in range(n))


def best_win(table: Table, seat: int) -> ev.Won | None:
    """The win that a seat's tiles make of what lies open or was drawn, whatever forbids it."""
    for facts in occasions(table, seat):
        found = decide(table.book, facts._replace(lock=None))
        if isinstance(found, Settlement) and found.win is not None:
            return ev.Won(0, table.at, table.hand, seat, found.win, facts.tile, facts.from_)
    return None


def won_as_it_would(log: Log, stream: Stream, found: list[tuple[int, int]]) -> Planted | None:
    """The win of one of ``found`` (index, seat), named and paid as it would be were it allowed."""
    chosen = pick(stream, found)
    if chosen is None:
        return None
    index, seat = chosen
    win = best_win(log.tables[index], seat)
    assert win is not None
    return won(log, index, stream, seat, win.win, win.tile, win.from_)


# -- What a hand is ----------------------------------------------------------------------------------------------------


def is_whole(table: Table, hand: Hand) -> bool:
    """Whether a hand with its last tile is complete: sets and a pair, or what Longyan has besides."""
    where = table.layout
    return complete(hand, where) or is_seven_pairs(hand) or is_thirteen_orphans(hand, where, wild=False)


def wins_by_golds(table: Table, seat: int) -> bool:
    """Whether a seat's golds win by themselves."""
    return GOLDS[table.hands[seat][4]] >= BY_GOLDS[len(table.golds)][0]


def is_no_win(table: Table, seat: int) -> bool:
    """Whether a hand of one tile too many is no win in any way."""
    return not (is_whole(table, table.hands[seat]) or wins_by_golds(table, seat))


def completes(table: Table, seat: int, tile: Tile) -> bool:
    """Whether a tile that another discards makes the seat's hand complete."""
    if tile >= KINDS or held(table, seat).count(tile) == COPIES:
        return False
    return is_whole(table, add(table.hands[seat], table.layout.slots[tile]))


def after(log: Log, kind: Any) -> Iterator[tuple[int, Table, Any]]:
    """Where something of a class has just happened, and the table after it."""
    for index, event in enumerate(log.events[:-1]):
        if isinstance(event, kind):
            yield index + 1, log.tables[index + 1], event


def openings(log: Log) -> Iterator[tuple[int, Table]]:
    """The first event of play of every hand, and the table before it."""
    for index, table, _ in after(log, ev.GoldFlipped):
        if table.phase == TURN and table.opening:
            yield index, table


# -- Wins that are none ------------------------------------------------------------------------------------------------


def no_self_draw(log: Log, stream: Stream) -> Planted | None:
    """A self-draw of a hand that is not complete."""
    found = []
    for index, table, event in places(log, ev.Discarded):
        is_own = table.phase == TURN and table.source == AFTER_DRAW and table.drawn >= 0
        if is_own and is_no_win(table, event.seat):
            found.append((index, event.seat, table.drawn))
    chosen = pick(stream, found)
    if chosen is None:
        return None
    index, seat, tile = chosen
    return won(log, index, stream, seat, "self_draw", tile)


def no_opening_win(way: str | None) -> Plant:
    """天和 or 天胡 of a hand that is not complete, or without ``way`` a win by golds that the hand does not hold; of a
    dealer who cannot win otherwise either."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = []
        for index, table in openings(log):
            has_none = not any(act.act == "win" for act in offers(table)[table.dealer])
            if has_none and is_no_win(table, table.dealer):
                found.append((index, table.dealer))
        chosen = pick(stream, found)
        if chosen is None:
            return None
        index, seat = chosen
        return won(log, index, stream, seat, way or BY_GOLDS[len(log.tables[index].golds)][1])

    return plant


def no_robbing(log: Log, stream: Stream) -> Planted | None:
    """An added kong robbed by a hand that its tile does not complete."""
    found = []
    for index, table, event in after(log, ev.Konged):
        if table.robbable and not (table.gold_out or any(table.levels)):
            seats = [seat for seat in table.others(table.turn) if not completes(table, seat, event.tile)]
            found += [(index, seat, event.tile, event.seat) for seat in seats]
    chosen = pick(stream, found)
    if chosen is None:
        return None
    index, seat, tile, from_ = chosen
    return won(log, index, stream, seat, "rob_kong", tile, from_)


# -- Wins on a discard -------------------------------------------------------------------------------------------------


def _on_discard(log: Log, stream: Stream, found: list[tuple[int, int]], way: str = "discard") -> Planted | None:
    chosen = pick(stream, found)
    if chosen is None:
        return None
    index, seat = chosen
    table = log.tables[index]
    return won(log, index, stream, seat, way, table.last, table.turn)


def no_discard_win(log: Log, stream: Stream) -> Planted | None:
    """A win on a discard that does not complete the hand."""
    found = []
    for index, table, _ in unclaimed(log):
        for seat in table.others(table.turn) if is_plain(table, table.last) and not table.lock else ():
            if not completes(table, seat, table.last) and not table.gold_out >> seat & 1:
                found.append((index, seat))
    return _on_discard(log, stream, found)


def win_with_gold(log: Log, stream: Stream) -> Planted | None:
    """A discard that completes a hand with a gold in it."""
    found = []
    for index, table, _ in unclaimed(log):
        for seat in table.others(table.turn) if is_plain(table, table.last) and not table.lock else ():
            is_blocked = GOLDS[table.hands[seat][4]] and not table.gold_out >> seat & 1
            if is_blocked and completes(table, seat, table.last):
                found.append((index, seat))
    return _on_discard(log, stream, found)


def win_on_gold(log: Log, stream: Stream) -> Planted | None:
    """A ready hand that wins on a discarded gold."""
    found = []
    for index, table, _ in unclaimed(log):
        for seat in table.others(table.turn) if table.last in table.golds and not table.lock else ():
            if is_ready(table.hands[seat], table.layout):
                found.append((index, seat))
    return _on_discard(log, stream, found)


def win_by_gold_discarder(log: Log, stream: Stream) -> Planted | None:
    """A discard that completes the hand of a seat whose own last discard was a gold."""
    found = []
    for index, table, _ in after(log, ev.Discarded):
        for seat in table.others(table.turn) if table.last not in table.golds and not table.lock else ():
            has_no_gold = not GOLDS[table.hands[seat][4]]
            if table.gold_out >> seat & 1 and has_no_gold and completes(table, seat, table.last):
                found.append((index, seat))
    return _on_discard(log, stream, found)


def any_discard_win(log: Log, stream: Stream) -> Planted | None:
    """A win on a discard that completes the hand, where there are no such wins (L-CLAIM-1)."""
    found = []
    for index, table, _ in unclaimed(log):
        seats = [seat for seat in table.others(table.turn) if completes(table, seat, table.last)]
        found += [(index, seat) for seat in seats]
    return _on_discard(log, stream, found, "self_draw")


def robbing_in_full(log: Log, stream: Stream) -> Planted | None:
    """A kong robbed in the mode in which none is: a concealed one, for there are no others (L-CLAIM-1)."""
    found = []
    for index, table, event in after(log, ev.Konged):
        if table.phase == KONG and table.book.options["mode"] == "full":
            found += [(index, seat, event.tile, event.seat) for seat in table.others(table.turn)]
    chosen = pick(stream, found)
    if chosen is None:
        return None
    index, seat, tile, from_ = chosen
    return won(log, index, stream, seat, "rob_kong", tile, from_)


def added_kong_robbed_in_full(log: Log, stream: Stream) -> Planted | None:
    """An added kong in the mode that has none, and robbed by who could win on it; the platform cancels the hand."""
    if "added" in log.tables[0].book.claims:
        return None
    found = []
    for index, table, event in places(log, ev.Discarded):
        if table.phase == TURN and table.source == AFTER_DRAW:
            tiles = sorted({tile for tile in held(table, event.seat) if is_plain(table, tile)})
            seats = table.others(event.seat)
            found += [(index, event, tile, seat) for tile in tiles for seat in seats if completes(table, seat, tile)]
    chosen = pick(stream, found)
    if chosen is None:
        return None
    index, event, tile, seat = chosen
    kong = ev.Konged(0, event.at, event.hand, event.seat, "added", tile, (tile,))
    win = ev.Won(0, event.at, event.hand, seat, "rob_kong", tile, event.seat)
    return Planted(cancelled(log, index, kong, win), index)


# -- Who is nearer -----------------------------------------------------------------------------------------------------


def farther_winner(kind: Any) -> Plant:
    """A win on a discard, or on an added kong, that a nearer seat could win on as well, who says nothing."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = []
        for index, table, _ in after(log, kind):
            seats = [seat for seat in table.others(table.turn) if _may_win(table, seat)]
            found += [(index, seat) for seat in seats[1:] if table.phase in (CLAIMS, KONG)]
        return won_as_it_would(log, stream, found)

    return plant


def _may_win(table: Table, seat: int) -> bool:
    return any(act.act == "win" for act in rights(table, seat))


_FORMS = ("bare", "walls")
_NEAREST = ("passes", "full")

XIAMEN: dict[str, Fault] = {
    "self-draw that is none": Fault(("X-SHAPE-1",), no_self_draw, _FORMS),
    "discard win that is none": Fault(("X-SHAPE-1",), no_discard_win, _FORMS),
    "天和 that is none": Fault(("X-SHAPE-1",), no_opening_win("heavenly_win"), _FORMS),
    "三金倒 that is none": Fault(("X-SHAPE-1",), no_opening_win(None), _FORMS),
    "discard win with gold in hand": Fault(("X-GOLD-2",), win_with_gold, _FORMS, ("modest",)),
    "win on the gold": Fault(("X-GOLD-3",), win_on_gold, _FORMS, ("reckless",)),
    "discard win by who discarded gold": Fault(("X-GOLD-3",), win_by_gold_discarder, _FORMS, ("gold-discarder",)),
    "farther winner before the nearer": Fault(
        ("S-CLAIM-1",), farther_winner(ev.Discarded), _NEAREST, ("nearest-winner",)
    ),
    "farther winner, in play": Fault(
        ("S-CLAIM-1",), farther_winner(ev.Discarded), ("passes",), ("upgrading", "gold-discarder")
    ),
    "farther robber before the nearer": Fault(("S-ROB-1",), farther_winner(ev.Konged), _NEAREST, ("robbed-kong",)),
}

_ALL = (*_FORMS, "examples")

LONGYAN: dict[str, Fault] = {
    "self-draw that is none": Fault(("L-SHAPE-1",), no_self_draw, _ALL),
    "天胡 that is none": Fault(("L-SHAPE-1",), no_opening_win("heavenly_win"), _ALL),
    "金倒 that is none": Fault(("L-SHAPE-1",), no_opening_win(None), _ALL),
    "robbing that is none": Fault(("L-SHAPE-1",), no_robbing, _FORMS, ("melding",)),
    "discard win": Fault(("L-CLAIM-1",), any_discard_win, _ALL),
    "robbing in full": Fault(("L-CLAIM-1",), robbing_in_full, _FORMS, ("kong-full-4", "kong-full-3", "kong-full-2")),
    "added kong robbed in full": Fault(("L-CLAIM-1",), added_kong_robbed_in_full, _FORMS, most=2),
    "farther robber before the nearer": Fault(
        ("S-ROB-1",), farther_winner(ev.Konged), _NEAREST, ("rob-kong-nearest", "rob-kong-nearest-3")
    ),
}
