"""Faults of turns, discards and the end of a hand without winner.

S-TURN-1, S-CLAIM-3, X-FOLLOW-1, X-DRAW-1, L-DRAW-1, L-YOU-1.
"""

from __future__ import annotations

from typing import Any

from replays import events as ev
from replays.hands import add
from replays.reducer import apply
from replays.referee import offers
from replays.shuffle import Stream
from replays.table import AFTER_DRAW, CLAIMS, DRY, TURN, Table
from replays.tiles import FIRST_FLOWER, FIRST_HONOUR, KINDS, WHITE, Tile
from tests.faults.edits import (
    another,
    cancelled,
    changed,
    changed_each,
    finished,
    following,
    hand_span,
    held,
    is_plain,
    is_thrown,
    places,
    spare_tiles,
    spliced,
    thrown_at_once,
)  # fmt: skip
from tests.faults.kinds import Fault, Plant, Planted, pick
from tests.faults.logs import Log


def turns(log: Log, kind: Any = ev.Discarded) -> list[int]:
    """Where a seat acts in its own turn after a draw from the head."""
    return [i for i, table, _ in places(log, kind) if table.phase == TURN and table.source == AFTER_DRAW]


# -- Draws -------------------------------------------------------------------------------------------------------------


def draw_skipped(log: Log, stream: Stream) -> Planted | None:
    """A draw left out: its seat discards without it."""
    found = []
    for i, table, event in places(log, ev.Drew):
        then = log.events[following(log, i)]
        if table.phase == CLAIMS and isinstance(then, ev.Discarded) and then.seat == event.seat:
            found.append(i)
    index = pick(stream, found)
    return None if index is None else Planted(spliced(log, index, index + 1), index)


def turn_skipped(log: Log, stream: Stream) -> Planted | None:
    """A whole turn left out: the seat after draws too early."""
    place = pick(stream, thrown_at_once(log))
    return None if place is None else Planted(spliced(log, place[0], place[1] + 1), place[0])


def draw_doubled(log: Log, stream: Stream) -> Planted | None:
    """A second draw in the same turn."""
    index = pick(stream, [i for i in turns(log) if isinstance(log.events[i - 1], ev.Drew)])
    tile = None if index is None else pick(stream, spare_tiles(log, index))
    if index is None or tile is None:
        return None
    drawn: Any = log.events[index - 1]
    return Planted(spliced(log, index, index, drawn._replace(tile=tile)), index)


def draw_by_another(log: Log, stream: Stream) -> Planted | None:
    """A draw by a seat that is not next."""
    found = [i for i, table, event in places(log, ev.Drew) if table.phase == CLAIMS and event.tile < FIRST_FLOWER]
    index = pick(stream, found)
    if index is None:
        return None
    return Planted(changed(log, index, seat=another(log.tables[index], log.events[index].seat or 0, stream)), index)


# -- Out of turn -------------------------------------------------------------------------------------------------------


def discard_by_another(log: Log, stream: Stream) -> Planted | None:
    """A discard by a seat that is not on turn, of a tile it holds."""
    index = pick(stream, turns(log))
    if index is None:
        return None
    event: Any = log.events[index]
    seat = another(log.tables[index], event.seat, stream)
    tile = pick(stream, held(log.tables[index], seat))
    return None if tile is None else Planted(cancelled(log, index, event._replace(seat=seat, tile=tile)), index)


def discard_doubled(log: Log, stream: Stream) -> Planted | None:
    """A second discard in the same turn."""
    place = pick(stream, thrown_at_once(log))
    if place is None:
        return None
    index = place[1]
    event: Any = log.events[index]
    tiles = [t for t in held(log.tables[index], event.seat) if is_plain(log.tables[index], t) and t != event.tile]
    tile = pick(stream, tiles)
    return None if tile is None else Planted(spliced(log, index + 1, index + 1, event._replace(tile=tile)), index + 1)


def kong_by_another(log: Log, stream: Stream) -> Planted | None:
    """A kong declared in another's turn."""
    index = pick(stream, turns(log))
    if index is None:
        return None
    event: Any = log.events[index]
    seat = another(log.tables[index], event.seat, stream)
    tile = held(log.tables[index], seat)[0]
    kong = ev.Konged(0, event.at, event.hand, seat, "concealed", tile, (tile,) * 4)
    return Planted(cancelled(log, index, kong), index)


def pung_too_late(log: Log, stream: Stream) -> Planted | None:
    """A discard claimed when the next seat has drawn already."""
    found = []
    for index in turns(log):
        table = log.tables[index]
        last, by = table.river[-1] & 63, table.river[-1] >> 6
        if "pung" in table.book.claims:
            others = [seat for seat in table.others(table.turn) if seat != by]
            found += [(index, seat, last, by) for seat in others if held(table, seat).count(last) >= 2]
    chosen = pick(stream, found)
    if chosen is None:
        return None
    index, seat, tile, by = chosen
    here: Any = log.events[index]
    return Planted(cancelled(log, index, ev.Punged(0, here.at, here.hand, seat, tile, by, (tile, tile))), index)


def win_by_another(log: Log, stream: Stream) -> Planted | None:
    """A win in another's turn."""
    index = pick(stream, turns(log))
    if index is None:
        return None
    event: Any = log.events[index]
    seat = another(log.tables[index], event.seat, stream)
    won = ev.Won(0, event.at, event.hand, seat, "self_draw", held(log.tables[index], seat)[0])
    return Planted(finished(log, index, won), index)


# -- Discards ----------------------------------------------------------------------------------------------------------


def discard_not_held(log: Log, stream: Stream) -> Planted | None:
    """A discard of a tile that the seat does not hold."""
    found = []
    for _, index in thrown_at_once(log):
        table, event = log.tables[index], log.events[index]
        assert isinstance(event, ev.Discarded)
        found += [(index, tile) for tile in spare_tiles(log, index) if tile not in held(table, event.seat)]
    chosen = pick(stream, found)
    return None if chosen is None else Planted(changed(log, chosen[0], tile=chosen[1]), chosen[0])


def bound_honours(log: Log, index: int) -> list[int]:
    """The honours of which the seat that discards at ``index`` holds one and that were discarded before
    (X-FOLLOW-1); golds and stand-ins are none (X-FOLLOW-2)."""
    table, seat = log.tables[index], log.events[index].seat
    assert seat is not None
    tiles = held(table, seat)
    free = (*table.golds, *(() if WHITE in table.golds else (WHITE,)))
    return [t for t in range(FIRST_HONOUR, KINDS) if t not in free and tiles.count(t) == 1 and table.thrown >> t & 1]


def _may_hide(log: Log, index: int, tile: int) -> bool:
    """Whether discarding ``tile`` at ``index`` breaks X-FOLLOW-1 whatever else: not what a ready hand drew."""
    table = log.tables[index]
    return is_plain(table, tile) and tile != table.drawn


def not_followed(log: Log, stream: Stream) -> Planted | None:
    """A single honour that was discarded before, kept; the platform cancels the hand."""
    found = []
    for index, table, event in places(log, ev.Discarded):
        if bound_honours(log, index):
            found += [(index, tile) for tile in set(held(table, event.seat)) if _may_hide(log, index, tile)]
    chosen = pick(stream, sorted(found))
    if chosen is None:
        return None
    index, tile = chosen
    kept = log.events[index]._replace(tile=tile, level=None)
    return Planted(cancelled(log, index, kept), index)


def followed_too_late(log: Log, stream: Stream) -> Planted | None:
    """A single honour kept for one turn: the seat's next discard comes before it."""
    found = []
    for index, table, event in places(log, ev.Discarded):
        then = _next_discard(log, index) if event.tile in bound_honours(log, index) else None
        if then is None or not is_thrown(log, index - 1, event.seat, event.tile):
            continue
        tile = log.events[then].tile
        is_free = is_thrown(log, then - 1, event.seat, tile) and tile in held(table, event.seat)
        if is_free and _may_hide(log, index, tile) and event.tile not in log.tables[then].golds:
            found.append((index, then))
    chosen = pick(stream, found)
    if chosen is None:
        return None
    index, then = chosen
    drawn, thrown = log.events[index].tile, log.events[then].tile
    return Planted(changed_each(log, {index: {"tile": thrown}, then: {"tile": drawn}}), index)


def _next_discard(log: Log, index: int) -> int | None:
    _, end = hand_span(log, index)
    seat = log.events[index].seat
    mine = (i for i in range(index + 1, end) if log.events[i].seat == seat)
    return next((i for i in mine if isinstance(log.events[i], ev.Discarded)), None)


def wait_broken(log: Log, stream: Stream) -> Planted | None:
    """A tile out of a wait that was declared, discarded; the platform cancels the hand."""
    found = []
    for index, table, event in places(log, ev.Discarded):
        if table.declared >> event.seat & 1:
            tiles = [tile for tile in set(held(table, event.seat)) if tile != event.tile and tile not in table.golds]
            found += [(index, tile) for tile in tiles if not _keeps_wait(table, event.seat, tile)]
    chosen = pick(stream, sorted(found))
    if chosen is None:
        return None
    index, tile = chosen
    return Planted(cancelled(log, index, log.events[index]._replace(tile=tile)), index)


def _keeps_wait(table: Table, seat: int, tile: Tile) -> bool:
    after = add(table.hands[seat], table.layout.slots[tile], -1)
    return table.book.in_you_state(after, table.layout)


# -- The end of the wall -----------------------------------------------------------------------------------------------


def _at_the_end(log: Log, phase: int) -> list[int]:
    return [index for index, table, _ in places(log, ev.Exhausted) if table.phase == phase]


def drawn_past_the_end(log: Log, stream: Stream) -> Planted | None:
    """One more turn where no tile may be drawn and some are left."""
    index = pick(stream, _at_the_end(log, CLAIMS))
    tile = None if index is None else pick(stream, spare_tiles(log, index))
    if index is None or tile is None:
        return None
    table, here = log.tables[index], log.events[index]
    drew = ev.Drew(0, here.at, table.hand, table.following(table.turn), tile, False)
    after = apply(table, drew)
    act = next((a for a in offers(after)[drew.seat] if a.act == "discard" and is_plain(after, a.tile or 0)), None)
    if act is None:
        return None
    discard = ev.Discarded(0, here.at, table.hand, drew.seat, act.tile or 0)
    return Planted(spliced(log, index, index, drew, discard), index)


def drawn_from_nothing(log: Log, stream: Stream) -> Planted | None:
    """A draw where the wall has no tile left at all; the platform cancels the hand."""
    found = [index for index in _at_the_end(log, CLAIMS) if not log.tables[index].left]
    index = pick(stream, found)
    if index is None:
        return None
    table, here = log.tables[index], log.events[index]
    drew = ev.Drew(0, here.at, table.hand, table.following(table.turn), stream.uniform(FIRST_HONOUR), False)
    return Planted(cancelled(log, index, drew), index)


def flower_past_the_end(log: Log, stream: Stream) -> Planted | None:
    """The last drawn tile is a flower, and it is replaced all the same."""
    index = pick(stream, [i - 1 for i in _at_the_end(log, DRY) if isinstance(log.events[i - 1], ev.FlowersReplaced)])
    tile = None if index is None else pick(stream, spare_tiles(log, index))
    if index is None or tile is None:
        return None
    event: Any = log.events[index]
    replaced = event._replace(drawn=(tile,))
    after = apply(log.tables[index], replaced)
    act = next((a for a in offers(after)[event.seat] if a.act == "discard" and is_plain(after, a.tile or 0)), None)
    if act is None:
        return None
    discard = ev.Discarded(0, event.at, event.hand, event.seat, act.tile or 0)
    return Planted(spliced(log, index, index + 1, replaced, discard), index)


def ended_too_early(kind: Any) -> Plant:
    """A hand ended without winner before a draw, or before a discard, while tiles are left."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        index = pick(stream, [i for i, table, _ in places(log, kind) if table.phase in (CLAIMS, TURN)])
        if index is None:
            return None
        here: Any = log.events[index]
        return Planted(finished(log, index, ev.Exhausted(0, here.at, here.hand)), index)

    return plant


_TURN = ("S-TURN-1",)

SHARED: dict[str, Fault] = {
    "draw skipped": Fault(_TURN, draw_skipped, ("bare", "walls"), most=5),
    "turn skipped": Fault(_TURN, turn_skipped, ("bare", "walls"), most=5),
    "draw doubled": Fault(_TURN, draw_doubled, ("bare", "walls"), most=5),
    "draw by the wrong seat": Fault(_TURN, draw_by_another, ("bare", "walls", "full"), most=3),
    "discard by another seat": Fault(_TURN, discard_by_another, ("bare", "passes")),
    "discard doubled": Fault(_TURN, discard_doubled, ("bare", "walls")),
    "kong by another seat": Fault(_TURN, kong_by_another, ("bare", "passes")),
    "pung too late": Fault(_TURN, pung_too_late, ("bare", "passes")),
    "win by another seat": Fault(_TURN, win_by_another, ("bare", "walls")),
    "discard not held": Fault(("S-CLAIM-3",), discard_not_held, ("bare", "walls", "seeded")),
}

XIAMEN: dict[str, Fault] = {
    "honour not followed": Fault(("X-FOLLOW-1",), not_followed, ("bare",)),
    "honour followed too late": Fault(("X-FOLLOW-1",), followed_too_late, ("bare", "walls", "seeded")),
    "draw past the dead wall": Fault(("X-DRAW-1",), drawn_past_the_end, ("bare", "passes"), ("patient",), most=2),
    "flower past the dead wall": Fault(("X-DRAW-1",), flower_past_the_end, ("bare", "passes"), ("patient",), most=2),
    "hand ended before a draw": Fault(("X-DRAW-1",), ended_too_early(ev.Drew), ("bare", "walls")),
    "hand ended before a discard": Fault(("X-DRAW-1",), ended_too_early(ev.Discarded), ("bare", "walls")),
}

_SCARCE = ("dead-wall", "exhausted-with-kongs", "dead-wall-2", "dead-wall-3-full")

LONGYAN: dict[str, Fault] = {
    "draw past the dead wall": Fault(("L-DRAW-1",), drawn_past_the_end, ("bare", "passes"), _SCARCE, most=2),
    "flower past the dead wall": Fault(
        ("L-DRAW-1",), flower_past_the_end, ("bare", "passes"), ("last-draw-a-flower",), most=2
    ),
    "draw out of an empty wall": Fault(("L-DRAW-1",), drawn_from_nothing, ("bare", "passes"), ("patient",), most=2),
    "hand ended before a draw": Fault(("L-DRAW-1",), ended_too_early(ev.Drew), ("bare", "walls", "examples")),
    "hand ended before a discard": Fault(("L-DRAW-1",), ended_too_early(ev.Discarded), ("bare", "walls", "examples")),
    "wait broken that was declared": Fault(("L-YOU-1",), wait_broken, ("bare", "passes"), ("you-declared-kept",)),
}
