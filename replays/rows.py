"""Parts that the fold is made of: where each field of a table stands in its row, in which phases an event is applied,
and how tiles go in and out of hands."""

from __future__ import annotations

from typing import Any, TypeVar

from replays import events as ev
from replays.hands import Hand, added
from replays.table import (
    DEALING,
    FLOWERS,
    MOST_AT_ONCE,
    NOTHING,
    OVER,
    PLAYING,
    SEEN_UNIT,
    SETTLED,
    Table,
    fields,
    has_too_many,
)  # fmt: skip
from replays.tiles import COPIES, FIRST_FLOWER, Tile

_T = TypeVar("_T")


class Impossible(ValueError):  # noqa: N818 - it says what the event is
    """An event that cannot be applied to the table at all, with the reason in words."""


# The place of each field in a table's row.
(
    I_SCORES, I_HAND_NUMBER, I_DEALER, I_STREAK, I_LAYOUT, I_FLOWERS, I_GOLDS, I_FLIPPED, I_NEXT_DEAL,
    I_GOLD_OUT, I_LEVELS, I_STALE, I_FALLEN, I_LOCK, I_DECLARED, I_OWN, I_HAND_COMMITMENT, I_CLIENT_SEEDS,
    I_WALL_ROOT, I_THROWS, I_DEALS, I_DELTAS, I_OUTCOME, I_IS_REVEALED,
) = fields(
    "scores hand dealer streak layout flowers golds flipped next_deal gold_out levels stale fallen lock declared "
    "own hand_commitment client_seeds wall_root throws deals deltas outcome is_revealed"
)  # fmt: skip
(
    I_SEQ, I_AT, I_PHASE, I_TURN, I_HANDS, I_DOUBT, I_LEFT, I_SEEN, I_HELD, I_MELDS, I_RIVER, I_DRAWN,
    I_SOURCE, I_LAST, I_ROBBABLE, I_OPENING, I_ANSWERED, I_UNTOUCHED, I_TAKEN,
) = fields(
    "seq at phase turn hands doubt left seen held melds river drawn source last robbable opening answered untouched "
    "taken"
)  # fmt: skip

# In which phases an event is applied. Elsewhere it is only noted: the referee finds it out of place, and the table
# that everything after it is judged by stays as it was.
DURING = (FLOWERS, *PLAYING)  # FLOWERS too: a flip that comes late must not make the play before it unreadable
IN_HAND = (DEALING, *DURING, OVER, SETTLED)

new = tuple.__new__  #: makes a table of a row

#: Where a flower is counted among playing tiles: nowhere, for no count reaches so far.
_NO_SLOT = (4, 5**9)


def after(table: Table, event: ev.Event) -> list[Any]:
    """The fields of the table with the event's ``seq`` and ``at``, for a new table to be made of them."""
    n: list[Any] = [*table[:]]
    n[I_SEQ] = event.seq
    n[I_AT] = event.at
    return n


def noted(table: Table, event: ev.Event) -> Table:
    """An event that changes nothing on the table."""
    return new(Table, after(table, event))


def out_of_place(table: Table, event: Any) -> Table:
    """An event where it cannot belong: noted, for it changes nothing; refused where its seat is unknown."""
    if event.seat is not None and event.seat >= len(table.seats):
        raise Impossible(f"no seat {event.seat} at a table of {len(table.seats)}")
    return noted(table, event)


def require_length(table: Table, values: tuple[int, ...], name: str) -> None:
    """``Impossible`` unless there is a number for every seat."""
    if len(values) != len(table.seats):
        raise Impossible(f"{name} must have {len(table.seats)} numbers, not {len(values)}")


def replaced(values: tuple[_T, ...], index: int, value: _T) -> tuple[_T, ...]:
    """The tuple with another value in one place."""
    changed = [*values]
    changed[index] = value
    return tuple(changed)


def put_tiles(n: list[Any], table: Table, seat: int, tiles: tuple[Tile, ...]) -> None:
    """Tiles go out of the wall into the seat's hand; flowers are held until they are laid out."""
    unit, units, flowers, seen = table.layout.units, 0, 0, table.seen
    for tile in tiles:
        seen += SEEN_UNIT[tile]
        if tile < FIRST_FLOWER:
            units += unit[tile]
        else:
            flowers |= 1 << (tile - FIRST_FLOWER)
    is_impossible = len(tiles) > min(table.left, MOST_AT_ONCE)
    n[I_SEEN] = table.seen if is_impossible else seen
    n[I_LEFT] = max(0, table.left - len(tiles))
    if is_impossible or has_too_many(seen):
        hand, doubt = _as_far_as_held(table, seat, tiles)
        n[I_DOUBT] = doubt | is_impossible << seat
    else:
        hand = added(table.hands[seat], units)
    n[I_HANDS] = replaced(table.hands, seat, hand)
    if flowers:
        n[I_HELD] = replaced(n[I_HELD], seat, n[I_HELD][seat] | flowers)


def _as_far_as_held(table: Table, seat: int, tiles: tuple[Tile, ...]) -> tuple[Hand, int]:
    """The seat's counts with the tiles that can be counted: a fifth copy in one hand puts the hand in doubt."""
    packed, doubt = [*table.hands[seat]], table.doubt
    for tile in tiles:
        if tile >= FIRST_FLOWER:
            continue
        index, unit = table.layout.slots[tile]
        if packed[index] // unit % 5 < COPIES:
            packed[index] += unit
        else:
            doubt |= 1 << seat
    return tuple(packed), doubt  # type: ignore[return-value]


def without_tiles(table: Table, seat: int, tiles: tuple[Tile, ...]) -> tuple[tuple[Hand, ...], int]:
    """The hands once the tiles are out of the seat's, and who is in doubt: a seat without such a tile is."""
    packed, doubt = list(table.hands[seat]), table.doubt
    slots = table.layout.slots
    for tile in tiles:
        index, unit = slots[tile] if tile < FIRST_FLOWER else _NO_SLOT
        if packed[index] // unit % 5:
            packed[index] -= unit
        else:
            doubt |= 1 << seat
    return replaced(table.hands, seat, tuple(packed)), doubt  # type: ignore[arg-type]


def with_flower(held: tuple[int, ...], seat: int, tile: Tile) -> tuple[int, ...]:
    """The masks of held flowers with one more."""
    return replaced(held, seat, held[seat] | 1 << (tile - FIRST_FLOWER))


def without_flowers(held: tuple[int, ...], seat: int, tiles: tuple[Tile, ...]) -> tuple[int, ...]:
    """The masks of held flowers without those laid out."""
    mask = held[seat]
    for tile in tiles:
        if tile >= FIRST_FLOWER:
            mask &= ~(1 << (tile - FIRST_FLOWER))
    return replaced(held, seat, mask)


def or_nothing(value: int | None) -> int:
    """``NOTHING`` for a tile or seat that the record leaves out."""
    return NOTHING if value is None else value
