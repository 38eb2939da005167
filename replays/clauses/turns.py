"""Whose turn it is: draws, flowers in play, discards (S-TURN-1, S-FLOWER-2, S-FLOWER-3, S-WALL-1, S-WALL-2)."""

from __future__ import annotations

from typing import Any

from replays.clauses.claims import flower_first, may_draw, turn_of
from replays.clauses.opening import judge_opening_flowers, out_of_phase
from replays.clauses.you import LEVEL_NAMES, after_discard
from replays.events import Discarded, Drew, Exhausted, FlowersReplaced
from replays.finding import Finding, finding, recorded
from replays.rulebook import Violation
from replays.table import (
    CLAIMS,
    DRY,
    FLOWER,
    FLOWERS,
    KONG,
    MOST_AT_ONCE,
    PLAYING,
    POSITION,
    POSITION_AND_WALL,
    SEEN_ALL,
    TURN,
    Table,
    has_too_many,
    seen_units,
)
from replays.tiles import CODES, COPIES, FIRST_FLOWER, Tile, codes, flower_mask, flowers_in


def judge_drew(table: Table, event: Drew) -> list[Finding]:
    """A draw: by the next seat from the head, or by who konged from the tail, and only where one may be drawn."""
    found = []
    position: Any = table[POSITION_AND_WALL]
    phase, turn, hands, _, left, seen = position
    seat, tile = event.seat, event.tile
    if phase == CLAIMS:
        is_right = seat == (turn + 1) % len(hands)
        tail = False
    elif phase in PLAYING:
        is_right = phase == KONG and seat == turn
        tail = True
    else:
        return [finding(event, out_of_phase(table, "hand_started"))]
    if not is_right:
        found.append(finding(event, _not_to_draw(table)))
    elif event.tail is not tail:
        expected = {"from": "tail" if tail else "head"}
        found.append(
            finding(event, Violation("S-WALL-1", "wrong_end", expected), {"from": "tail" if event.tail else "head"})
        )
    if left <= table.book.dead_wall:
        found.append(finding(event, _dry(table)))
    if seen & SEEN_ALL[tile] and left:  # out of an empty wall every tile is one too many
        found.append(finding(event, _too_many(table, tile)))
    return found


def _not_to_draw(table: Table) -> Violation:
    if table.phase == FLOWER:
        return flower_first(table)
    return Violation("S-TURN-1", "not_to_draw", turn_of(table))


def _dry(table: Table) -> Violation:
    return Violation(table.book.names.draw, "drawn_past_the_end", {"types": ["exhausted"], "left": table.left})


def _too_many(table: Table, tile: Tile) -> Violation:
    return Violation("S-WALL-2", "too_many_copies", {"copies": table.book.wall.count(tile), "tile": CODES[tile]})


def too_many(table: Table, event: Any, tiles: tuple[Tile, ...]) -> list[Finding]:
    """S-WALL-2 for several tiles that come at once: each kind at most four times, each flower once."""
    if len(tiles) <= MOST_AT_ONCE and not has_too_many(table.seen + seen_units(tiles)):
        return []
    found = []
    for tile in dict.fromkeys(tiles):
        copies = COPIES if tile < FIRST_FLOWER else 1
        too_many = (table.seen >> 8 * tile & 255) + tiles.count(tile) - copies
        if too_many > 0:
            copies = table.book.wall.count(tile) + too_many
            found.append(finding(event, _too_many(table, tile), {"tile": CODES[tile], "copies": copies}))
    return found


def judge_discarded(table: Table, event: Discarded) -> list[Finding]:
    """A discard: in one's own turn, of a tile held, flowers laid out before, and by the rule set's own rules."""
    position: Any = table[POSITION]
    phase, turn, hands, doubt = position
    seat, tile = event.seat, event.tile
    if phase != TURN or seat != turn:
        return [finding(event, _not_to_discard(table))]
    if tile >= FIRST_FLOWER:
        return [finding(event, Violation("S-FLOWER-2", "flower_discarded", {"types": ["flowers_replaced"]}))]
    if doubt >> seat & 1:
        return []
    index, unit = table.layout.slots[tile]
    if not hands[seat][index] // unit % 5:
        expected = {"hand": codes(table.concealed(seat))}
        return [finding(event, Violation("S-CLAIM-3", "tile_not_held", expected))]
    found = []
    for rule in table.book.discard_rules:
        violation = rule(table, event)
        if violation is not None:
            found.append(finding(event, violation))
    if event.level is not None:
        found += _judge_level(table, event)
    return found


def _not_to_discard(table: Table) -> Violation:
    if table.phase == FLOWER:
        return flower_first(table)
    if table.phase not in PLAYING:
        return out_of_phase(table, "hand_started")
    return Violation("S-TURN-1", "not_to_discard", turn_of(table))


def _judge_level(table: Table, event: Discarded) -> list[Finding]:
    """S-YOU-3: the server's own notice of an upgrade."""
    level = table.book.level_after(table, event.seat, event.tile, after_discard(table, event.seat, event.tile))
    name = LEVEL_NAMES.get(level)
    if name == event.level:
        return []
    return [finding(event, Violation("S-YOU-3", "wrong_level", {"level": name}), recorded(event, "tile", "level"))]


def judge_flowers(table: Table, event: FlowersReplaced) -> list[Finding]:
    """S-FLOWER-1 at the opening, S-FLOWER-2 and S-FLOWER-3 in play."""
    if table.phase not in (FLOWERS, *PLAYING):
        return [finding(event, out_of_phase(table, "hand_started"))]
    found = too_many(table, event, event.drawn)
    if table.phase == FLOWERS:
        return judge_opening_flowers(table, event) + found
    if table.phase != FLOWER or event.seat != table.turn:
        what = out_of_phase(table, "discarded", "drew")
        violation = Violation("S-TURN-1", "out_of_turn", turn_of(table)) if table.phase == FLOWER else what
        return [finding(event, violation), *found]
    held = table.held[event.seat]
    drawn = 1 if may_draw(table) else 0
    if flower_mask(event.flowers) != held:
        expected = {"flowers": codes(flowers_in(held))}
        found.append(finding(event, Violation("S-FLOWER-2", "wrong_flowers", expected)))
    elif len(event.drawn) > drawn == 0:
        found.append(finding(event, _dry(table)))
    elif len(event.drawn) != drawn:
        found.append(finding(event, Violation("S-FLOWER-2", "flower_not_replaced", {"drawn": 1}, ("S-FLOWER-3",))))
    return found


def judge_exhausted(table: Table, event: Exhausted) -> list[Finding]:
    """X-DRAW-1, L-DRAW-1: the hand ends without a winner only when a tile is due and none may be drawn."""
    if table.phase == DRY:
        return []
    if table.phase in (CLAIMS, KONG) and not may_draw(table):
        return []
    if table.phase not in PLAYING:
        return [finding(event, out_of_phase(table, "settled"))]
    left = {"left": table.left, "until": table.book.dead_wall}
    return [finding(event, Violation(table.book.names.draw, "ended_too_early", left))]
