"""Faults of the tiles' way into hands: wall, deal, flowers and gold.

S-WALL-1 to S-WALL-3, S-DEAL-1, S-FLOWER-1, S-FLOWER-2, S-GOLD-1, X-GOLD-1, L-GOLD-1, L-GOLD-2.
"""

from __future__ import annotations

from typing import Any

from replays import events as ev
from replays.events import Event
from replays.shuffle import Stream
from replays.table import FLOWER, FLOWERS, KONG, Table
from replays.tiles import COPIES, FIRST_FLOWER, FIRST_HONOUR, PLANTS, SEASONS, TILES, Tile
from tests.faults.edits import (
    cancelled,
    changed,
    changed_each,
    copies,
    following,
    hand_span,
    held,
    is_plain,
    is_thrown,
    places,
    renumbered,
    spare_tiles,
    spliced,
    thrown_at_once,
)  # fmt: skip
from tests.faults.kinds import Fault, Plant, Planted, pick
from tests.faults.logs import Log
from tests.faults.of_fairness import undrawn

# -- Copies and the wall's tiles ---------------------------------------------------------------------------------------


def _other_draw(log: Log, place: tuple[int, int], tile: Tile) -> Planted:
    """Another tile drawn and thrown at once."""
    drawn, thrown = place
    return Planted(changed_each(log, {drawn: {"tile": tile}, thrown: {"tile": tile}}), drawn)


def fifth_copy_drawn(log: Log, stream: Stream) -> Planted | None:
    """A kind drawn of which four copies have been seen."""
    found = [
        (place, tile)
        for place in thrown_at_once(log)
        for tile in range(FIRST_HONOUR)
        if is_plain(log.tables[place[0]], tile) and copies(log.tables[place[0]], tile) == COPIES
    ]
    chosen = pick(stream, found)
    return None if chosen is None else _other_draw(log, *chosen)


def fifth_copy_dealt(log: Log, stream: Stream) -> Planted | None:
    """A kind dealt of which the seats before, and this one, have four copies."""
    found = []
    for index, table, event in places(log, ev.Dealt):
        full = [t for t in range(FIRST_HONOUR) if copies(table, t) + event.tiles.count(t) == COPIES]
        found += [(index, tile, i) for tile in full for i, other in enumerate(event.tiles) if _is_other(tile, other)]
    chosen = pick(stream, found)
    if chosen is None:
        return None
    index, tile, i = chosen
    tiles = [*log.events[index].tiles]
    tiles[i] = tile
    return Planted(changed(log, index, tiles=tuple(tiles)), index)


def _is_other(tile: Tile, other: Tile) -> bool:
    return other < FIRST_HONOUR and other != tile  # an honour that is not there would have to follow again and again


def flower_twice(log: Log, stream: Stream) -> Planted | None:
    """A flower drawn that was laid out before, by a seat for which flowers count nothing: it does not win, and has no
    three of a class."""
    found = []
    for index, table, event in places(log, ev.Drew):
        seen = [tile for tile in range(FIRST_FLOWER, TILES) if copies(table, tile) and tile != event.tile]
        is_laid = isinstance(log.events[following(log, index)], ev.FlowersReplaced)
        if is_laid and seen and not (_wins(log, index, event.seat) or _nears_a_class(log, index)):
            found.append((index, seen))
    chosen = pick(stream, found)
    if chosen is None:
        return None
    index, tiles = chosen
    tile = pick(stream, tiles)
    then = following(log, index)
    return Planted(changed_each(log, {index: {"tile": tile}, then: {"flowers": (tile,)}}), index)


def _wins(log: Log, index: int, seat: int) -> bool:
    begin, end = hand_span(log, index)
    return any(isinstance(event, ev.Won) and event.seat == seat for event in log.events[begin:end])


def _nears_a_class(log: Log, index: int) -> bool:
    """Whether the seat of event ``index`` has three flowers of a class when the hand ends (L-KONG-2)."""
    _, end = hand_span(log, index)
    flowers = log.tables[end - 1].flowers[log.events[index].seat]
    return any((flowers & of_class).bit_count() > 2 for of_class in (SEASONS, PLANTS))


def tile_of_no_suit(log: Log, stream: Stream) -> Planted | None:
    """A tile drawn that is none of the rule set's, such as a dot where they play without dots."""
    place = pick(stream, thrown_at_once(log))
    if place is None:
        return None
    others = [tile for tile in range(FIRST_HONOUR) if tile not in log.tables[place[0]].book.wall]
    tile = pick(stream, others)
    return None if tile is None else _other_draw(log, place, tile)


def wall_not_whole(log: Log, stream: Stream) -> Planted | None:
    """A revealed wall with one tile replaced that nobody drew."""
    index = pick(stream, [index for index, table, _ in places(log, ev.WallRevealed) if undrawn(table)])
    if index is None:
        return None
    wall, rest = [*log.events[index].wall], undrawn(log.tables[index])
    place = rest[stream.uniform(len(rest))]
    wall[place] = (wall[place] + 1 + stream.uniform(20)) % FIRST_FLOWER
    return Planted(changed(log, index, wall=tuple(wall)), index)


def not_the_walls(log: Log, stream: Stream) -> Planted | None:
    """Another tile drawn than the wall's; all else is a legal game."""
    place = pick(stream, thrown_at_once(log))
    if place is None:
        return None
    tile = pick(stream, [t for t in spare_tiles(log, place[0]) if t != log.events[place[0]].tile])
    return None if tile is None else _other_draw(log, place, tile)


def not_the_walls_kept(log: Log, stream: Stream) -> Planted | None:
    """Another tile in one draw, whatever comes of it."""
    found = [index for index, _, event in places(log, ev.Drew) if event.tile < FIRST_FLOWER]
    index = pick(stream, found)
    if index is None:
        return None
    tile = pick(stream, [t for t in spare_tiles(log, index) if t != log.events[index].tile])
    return None if tile is None else Planted(changed(log, index, tile=tile), index)


def dealt_not_the_walls(log: Log, stream: Stream) -> Planted | None:
    """Another tile in one seat's deal, who does not win."""
    index = pick(stream, [index for index, _, event in places(log, ev.Dealt) if not _wins(log, index, event.seat)])
    if index is None:
        return None
    tiles = [*log.events[index].tiles]
    place = pick(stream, [i for i, tile in enumerate(tiles) if tile < FIRST_HONOUR])
    tile = pick(stream, spare_tiles(log, index))
    if place is None or tile is None or tile in tiles:
        return None
    tiles[place] = tile
    return Planted(changed(log, index, tiles=tuple(tiles)), index)


# -- Wrong end ---------------------------------------------------------------------------------------------------------


def _is_replacement(table: Table) -> bool:
    return table.phase == KONG


def kong_from_head(log: Log, stream: Stream) -> Planted | None:
    """A kong's replacement said to be from the head."""
    index = pick(stream, [i for i, table, _ in places(log, ev.Drew) if _is_replacement(table)])
    return None if index is None else Planted(changed(log, index, tail=False), index)


def draw_from_tail(log: Log, stream: Stream) -> Planted | None:
    """A turn's draw said to be from the tail."""
    index = pick(stream, [i for i, table, _ in places(log, ev.Drew) if not _is_replacement(table)])
    return None if index is None else Planted(changed(log, index, tail=True), index)


def head_tile(log: Log, index: int) -> Tile | None:
    """The tile at the head of the wall before event ``index``, where it may come again: neither gold nor fifth copy."""
    begin, end = hand_span(log, index)
    wall = next(event.wall for event in log.events[begin:end] if isinstance(event, ev.WallRevealed))
    tile = wall[undrawn(log.tables[index])[0]]
    return tile if tile in spare_tiles(log, index) else None


def kong_tile_of_head(log: Log, stream: Stream) -> Planted | None:
    """A kong's replacement that is the head's tile, thrown at once."""
    found = []
    for index, table, event in places(log, ev.Drew):
        tile = head_tile(log, index) if _is_replacement(table) and is_plain(table, event.tile) else None
        if tile not in (None, event.tile) and is_thrown(log, index, event.seat, event.tile):
            found.append((index, tile))
    chosen = pick(stream, found)
    return None if chosen is None else _other_draw(log, (chosen[0], following(log, chosen[0])), chosen[1] or 0)


def flower_tile_of_head(log: Log, stream: Stream) -> Planted | None:
    """A flower's replacement that is the head's tile, thrown at once."""
    found = []
    for index, table, event in places(log, ev.FlowersReplaced):
        if table.phase != FLOWER or not event.drawn or not is_plain(table, event.drawn[0]):
            continue
        tile = head_tile(log, index)
        if tile not in (None, event.drawn[0]) and is_thrown(log, index, event.seat, event.drawn[0]):
            found.append((index, tile))
    chosen = pick(stream, found)
    if chosen is None:
        return None
    index, tile = chosen
    then = following(log, index)
    return Planted(changed_each(log, {index: {"drawn": (tile,)}, then: {"tile": tile}}), index)


# -- Deal --------------------------------------------------------------------------------------------------------------


def deal_swapped(log: Log, stream: Stream) -> Planted | None:
    """Two seats dealt in the wrong order."""
    found = [i for i, _, _ in places(log, ev.Dealt) if isinstance(log.events[i + 1], ev.Dealt)]
    index = pick(stream, found)
    if index is None:
        return None
    return Planted(spliced(log, index, index + 2, log.events[index + 1], log.events[index]), index)


def deal_tiles_swapped(log: Log, stream: Stream) -> Planted | None:
    """A seat's tiles in another order than that of the wall."""
    index = pick(stream, [index for index, _, _ in places(log, ev.Dealt)])
    if index is None:
        return None
    tiles = [*log.events[index].tiles]
    a, b = stream.uniform(len(tiles)), stream.uniform(len(tiles))
    if tiles[a] == tiles[b]:
        return None
    tiles[a], tiles[b] = tiles[b], tiles[a]
    return Planted(changed(log, index, tiles=tuple(tiles)), index)


def deal_count(by: int) -> Plant:
    """A seat dealt one tile too few or too many."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        index = pick(stream, [index for index, _, _ in places(log, ev.Dealt)])
        if index is None:
            return None
        tiles = log.events[index].tiles
        spare = pick(stream, spare_tiles(log, index))
        if spare is None or tiles[-1] >= FIRST_FLOWER:
            return None
        return Planted(changed(log, index, tiles=tiles[:-1] if by < 0 else (*tiles, spare)), index)

    return plant


# -- Flowers -----------------------------------------------------------------------------------------------------------


def _opening_rounds(log: Log) -> list[int]:
    return [index for index, table, _ in places(log, ev.FlowersReplaced) if table.phase == FLOWERS]


def flower_round_swapped(log: Log, stream: Stream) -> Planted | None:
    """Two seats of a round in the wrong order."""
    found = []
    for i in _opening_rounds(log):
        a, b, table = log.events[i], log.events[i + 1], log.tables[i]
        if isinstance(b, ev.FlowersReplaced) and _after_dealer(table, a) < _after_dealer(table, b):
            found.append(i)
    index = pick(stream, found)
    if index is None:
        return None
    return Planted(spliced(log, index, index + 2, log.events[index + 1], log.events[index]), index)


def _after_dealer(table: Table, event: Any) -> int:
    return int((event.seat - table.dealer) % len(table.seats))


def flower_at_once(log: Log, stream: Stream) -> Planted | None:
    """A flower drawn in a round and laid out before the round is over."""
    rounds = _opening_rounds(log)
    found = []
    for index in rounds:
        first: Any = log.events[index]
        again = next((i for i in rounds if i > index and log.events[i].seat == first.seat), 0)
        if again > index + 1 and log.events[again].hand == first.hand:
            found.append((index, again))
    chosen = pick(stream, found)
    if chosen is None:
        return None
    index, again = chosen
    moved = (*log.events[: index + 1], log.events[again], *log.events[index + 1 : again], *log.events[again + 1 :])
    return Planted(renumbered(moved), index + 1)


def flower_kept_at_opening(log: Log, stream: Stream) -> Planted | None:
    """A flower not laid out when the gold is thrown for."""
    found = [i for i in _opening_rounds(log) if not isinstance(log.events[i + 1], ev.FlowersReplaced)]
    index = pick(stream, found)
    return None if index is None else Planted(spliced(log, index, index + 1), index)


def flower_kept_of_several(log: Log, stream: Stream) -> Planted | None:
    """One of several flowers kept back in a round, and one tile fewer drawn."""
    found = [i for i in _opening_rounds(log) if len(log.events[i].flowers) > 1]
    index = pick(stream, found)
    if index is None:
        return None
    event: Any = log.events[index]
    return Planted(changed(log, index, flowers=event.flowers[1:], drawn=event.drawn[1:]), index)


def flower_kept_before(kind: type[Event]) -> Plant:
    """A drawn flower kept while its seat goes on to discard, kong or win."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = []
        for i, table, event in places(log, ev.FlowersReplaced):
            then: Any = log.events[following(log, i)] if table.phase == FLOWER else None
            if isinstance(then, kind) and then.seat == event.seat:
                found.append(i)
        index = pick(stream, found)
        if index is None:
            return None
        return Planted(spliced(log, index, index + 1), following(log, index) - 1)

    return plant


def flower_discarded(log: Log, stream: Stream) -> Planted | None:
    """A drawn flower discarded."""
    found = []
    for i, table, event in places(log, ev.FlowersReplaced):
        if table.phase == FLOWER and event.drawn and is_thrown(log, i, event.seat, event.drawn[0]):
            found.append(i)
    index = pick(stream, found)
    if index is None:
        return None
    discard = log.events[following(log, index)]
    flower = log.events[index].flowers[0]
    events = spliced(log, index, following(log, index) + 1, discard._replace(tile=flower))
    return Planted(events, index)


def flower_not_replaced(log: Log, stream: Stream) -> Planted | None:
    """A drawn flower laid out and no tile drawn for it, though there are tiles."""
    found = [i for i, table, event in places(log, ev.FlowersReplaced) if table.phase == FLOWER and event.drawn]
    index = pick(stream, found)
    return None if index is None else Planted(changed(log, index, drawn=()), index)


# -- Gold --------------------------------------------------------------------------------------------------------------


def gold_against_dice(log: Log, stream: Stream) -> Planted | None:
    """Gold dice that point at another tile of the wall than the one flipped."""
    found = []
    for index, table, event in places(log, ev.GoldFlipped):
        if len(event.tiles) == 1 and isinstance(log.events[index - 1], ev.DiceRolled):
            others = _other_places(log, index, event.gold)
            found += [(index, total) for total in range(2, 13) if total * table.book.gold_step in others]
    chosen = pick(stream, found)
    if chosen is None:
        return None
    index, total = chosen
    first = max(1, total - 6)
    events = changed(log, index - 1, dice=(first, total - first))
    return Planted(events, index)


def gold_against_index(log: Log, stream: Stream) -> Planted | None:
    """No dice on record, and a place from the tail where another tile lies."""
    found = []
    for index, _, event in places(log, ev.GoldFlipped):
        if len(event.tiles) == 1 and isinstance(log.events[index - 1], ev.DiceRolled):
            found += [(index, place) for place in _other_places(log, index, event.gold)]
    chosen = pick(stream, found)
    if chosen is None:
        return None
    index, place = chosen
    flip: Any = log.events[index]
    return Planted(spliced(log, index - 1, index + 1, flip._replace(index=place)), index - 1)


def _other_places(log: Log, index: int, gold: Tile) -> list[int]:
    """Places from the tail, 1 the last, of other tiles than the gold."""
    begin, end = hand_span(log, index)
    wall = next(event.wall for event in log.events[begin:end] if isinstance(event, ev.WallRevealed))
    rest = [wall[place] for place in undrawn(log.tables[index])]
    return [place for place in range(1, 25) if rest[-place] != gold]


def flower_as_gold(log: Log, stream: Stream) -> Planted | None:
    """A flower flipped and taken for gold."""
    found = []
    for index, _, _ in places(log, ev.GoldFlipped):
        _, end = hand_span(log, index)
        found += [(index, tile) for tile in range(FIRST_FLOWER, TILES) if not copies(log.tables[end - 1], tile)]
    chosen = pick(stream, found)
    if chosen is None:
        return None
    index, tile = chosen
    flips: Any = log.events[index]
    return Planted(changed(log, index, tiles=(*flips.tiles[:-1], tile), gold=tile), index)


def rejected_flower_as_gold(log: Log, stream: Stream) -> Planted | None:
    """A flipped flower taken for gold where it should have been thrown for again."""
    flips = [(index, event.tiles) for index, _, event in places(log, ev.GoldFlipped)]
    found = [index for index, tiles in flips if len(tiles) == 2 and tiles[0] >= FIRST_FLOWER]
    index = pick(stream, found)
    if index is None:
        return None
    flip: Any = log.events[index]
    flower = flip.tiles[0]
    return Planted(spliced(log, index - 1, index + 1, flip._replace(tiles=(flower,), gold=flower)), index - 1)


def gold_not_the_flipped(log: Log, stream: Stream) -> Planted | None:
    """Another kind named gold than the one flipped last."""
    index = pick(stream, [index for index, _, _ in places(log, ev.GoldFlipped)])
    if index is None:
        return None
    flip: Any = log.events[index]
    tiles = (*flip.tiles[:-1], (flip.gold + 1 + stream.uniform(20)) % FIRST_HONOUR)
    return None if tiles[-1] == flip.gold else Planted(changed(log, index, tiles=tiles), index)


def same_gold_twice(log: Log, stream: Stream) -> Planted | None:
    """The second flip finds the first gold's kind, and it is taken for the second gold; the platform cancels the
    hand."""
    flips = [(i, table) for i, table, event in places(log, ev.GoldFlipped) if table.golds and len(event.tiles) == 1]
    index = pick(stream, [i for i, table in flips if copies(table, table.golds[0]) < COPIES])
    if index is None:
        return None
    gold = log.tables[index].golds[0]
    flip: Any = log.events[index]
    return Planted(cancelled(log, index, flip._replace(tiles=(gold,), gold=gold)), index)


def rejected_gold_as_gold(log: Log, stream: Stream) -> Planted | None:
    """The first gold's kind, flipped again and rejected, taken for the second gold where the dice should have been
    thrown again; the platform cancels the hand."""
    found = [i for i, table, event in places(log, ev.GoldFlipped) if table.golds and event.tiles[0] in table.golds]
    index = pick(stream, found)
    if index is None:
        return None
    flip: Any = log.events[index]
    throws = [i for i in range(index - len(flip.tiles), index) if isinstance(log.events[i], ev.DiceRolled)]
    start, gold = throws[0] + 1, flip.tiles[0]
    return Planted(cancelled(log, start, flip._replace(tiles=(gold,), gold=gold)), start)


def gold_left_out(known: int) -> Plant:
    """Play that begins before the gold is flipped, or the second one where ``known`` is one: a discard and the next
    seat's draw; the platform cancels the hand."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = [index for index, table, _ in places(log, ev.GoldFlipped) if len(table.golds) == known]
        index = pick(stream, found)
        if index is None:
            return None
        start = next(i for i in range(index, 0, -1) if not isinstance(log.events[i - 1], ev.DiceRolled))
        table, here = log.tables[start], log.events[start - 1]
        dealer, tile = table.dealer, held(table, table.dealer)[0]
        drawn = pick(stream, spare_tiles(log, index))
        if drawn is None:
            return None
        discard = ev.Discarded(0, here.at, table.hand, dealer, tile)
        drew = ev.Drew(0, here.at, table.hand, table.following(dealer), drawn, False)
        return Planted(cancelled(log, start, discard, drew), start)

    return plant


_KEPT = ("S-FLOWER-2",)

SHARED: dict[str, Fault] = {
    "fifth copy drawn": Fault(("S-WALL-2",), fifth_copy_drawn, ("bare", "walls"), most=2),
    "fifth copy dealt": Fault(("S-WALL-2",), fifth_copy_dealt, ("bare",), most=2),
    "flower drawn twice": Fault(("S-WALL-2",), flower_twice, ("bare",)),
    "wall not the whole set": Fault(("S-WALL-2",), wall_not_whole, ("walls", "full"), most=2),
    "drawn tile not the wall's": Fault(("S-WALL-3",), not_the_walls, ("walls", "seeded", "hashed")),
    "drawn tile not the wall's, kept": Fault(("S-WALL-3",), not_the_walls_kept, ("walls", "seeded"), most=2),
    "dealt tile not the wall's": Fault(("S-WALL-3",), dealt_not_the_walls, ("walls", "seeded"), most=2),
    "kong's replacement from the head": Fault(("S-WALL-1",), kong_from_head, ("bare", "walls", "full"), most=4),
    "draw from the tail": Fault(("S-WALL-1",), draw_from_tail, ("bare", "walls", "full"), most=4),
    "kong's replacement is the head's tile": Fault(("S-WALL-1",), kong_tile_of_head, ("walls",)),
    "flower's replacement is the head's tile": Fault(("S-WALL-1",), flower_tile_of_head, ("walls", "seeded")),
    "seats dealt in the wrong order": Fault(("S-DEAL-1",), deal_swapped, ("bare", "full"), most=2),
    "tiles dealt in the wrong order": Fault(("S-DEAL-1",), deal_tiles_swapped, ("walls", "full", "examples")),
    "one tile dealt too few": Fault(("S-DEAL-1",), deal_count(-1), ("bare", "walls"), most=4),
    "one tile dealt too many": Fault(("S-DEAL-1",), deal_count(1), ("bare", "walls"), most=4),
    "flower round swapped": Fault(("S-FLOWER-1",), flower_round_swapped, ("bare",), most=4),
    "flower laid out at once": Fault(("S-FLOWER-1",), flower_at_once, ("bare",), most=4),
    "flower kept at the opening": Fault(_KEPT, flower_kept_at_opening, ("bare",), most=5),
    "flower kept of several": Fault(("S-FLOWER-1", *_KEPT), flower_kept_of_several, ("bare",), most=8),
    "flower kept and a tile discarded": Fault(_KEPT, flower_kept_before(ev.Discarded), ("bare",), most=4),
    "flower kept and a kong declared": Fault(
        _KEPT, flower_kept_before(ev.Konged), ("bare",), ("ordinary", "melding"), most=8
    ),
    "flower kept and the hand won": Fault(_KEPT, flower_kept_before(ev.Won), ("bare",)),
    "flower discarded": Fault(_KEPT, flower_discarded, ("bare",), most=3),
    "flower not replaced": Fault(_KEPT, flower_not_replaced, ("bare",), most=3),
    "gold left out": Fault(("G-ORDER-1",), gold_left_out(0), ("bare", "passes"), most=2),
    "flower as gold": Fault(("S-GOLD-1",), flower_as_gold, ("bare",), most=4),
    "rejected flower as gold": Fault(("S-GOLD-1",), rejected_flower_as_gold, ("bare",), most=4),
    "gold not the flipped tile": Fault(("S-GOLD-1",), gold_not_the_flipped, ("bare",), most=2),
}

XIAMEN: dict[str, Fault] = {
    "gold flip against the dice": Fault(("X-GOLD-1",), gold_against_dice, ("walls", "hashed"), most=4),
    "gold flip against its place": Fault(("X-GOLD-1",), gold_against_index, ("walls", "hashed"), most=4),
}

LONGYAN: dict[str, Fault] = {
    "gold flip against the dice": Fault(("L-GOLD-1",), gold_against_dice, ("walls", "hashed"), most=4),
    "gold flip against its place": Fault(("L-GOLD-1",), gold_against_index, ("walls", "hashed"), most=4),
    "same gold twice": Fault(("L-GOLD-2",), same_gold_twice, ("bare",)),
    "rejected gold as gold": Fault(("L-GOLD-2",), rejected_gold_as_gold, ("bare", "passes"), ("full-same-kind-again",)),
    "second gold left out": Fault(("G-ORDER-1",), gold_left_out(1), ("bare", "passes"), most=2),
    "tile of no suit in the game": Fault(("S-WALL-2",), tile_of_no_suit, ("bare", "walls"), most=2),
}
