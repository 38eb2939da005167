"""The fold, at the opening: a hand begins, seeds, dice, deal, flowers, the flip. Called by ``replays.reducer``."""

from __future__ import annotations

from typing import Any

from replays import events as ev
from replays.clauses.opening import gold_throws
from replays.hands import flipped, layout
from replays.rows import (
    DURING,
    I_AT,
    I_CLIENT_SEEDS,
    I_DEALER,
    I_DEALS,
    I_DOUBT,
    I_DRAWN,
    I_FLIPPED,
    I_FLOWERS,
    I_GOLDS,
    I_HAND_COMMITMENT,
    I_HAND_NUMBER,
    I_HANDS,
    I_HELD,
    I_LAYOUT,
    I_LEFT,
    I_NEXT_DEAL,
    I_OPENING,
    I_OWN,
    I_PHASE,
    I_SCORES,
    I_SEEN,
    I_SEQ,
    I_SOURCE,
    I_STREAK,
    I_TAKEN,
    I_THROWS,
    I_TURN,
    I_UNTOUCHED,
    I_WALL_ROOT,
    Impossible,
    after,
    new,
    noted,
    out_of_place,
    put_tiles,
    replaced,
    require_length,
    without_flowers,
)
from replays.table import (
    AFTER_DEAL,
    DEALING,
    DRY,
    FLIP,
    FLOWER,
    FLOWERS,
    NOTHING,
    TAIL,
    TURN,
    Deal,
    Table,
    Throw,
    change,
    fresh,
    seen_units,
)  # fmt: skip
from replays.tiles import FIRST_FLOWER, Tile, flower_mask


def hand_started(table: Table, event: ev.HandStarted) -> Table:
    """A new hand on a cleared table."""
    require_length(table, event.scores, "scores")
    if event.dealer >= len(table.seats):
        raise Impossible(f"no seat {event.dealer} to deal")
    if table.phase in (DEALING, *DURING) and event.hand != table.hand + 1:
        return noted(table, event)  # a stray event; where the rest of a hand is missing, the next one begins
    n = fresh(table)
    n[I_SEQ] = event.seq
    n[I_AT] = event.at
    n[I_PHASE] = DEALING
    n[I_HAND_NUMBER] = event.hand
    n[I_DEALER] = event.dealer
    n[I_STREAK] = event.streak
    n[I_SCORES] = event.scores
    n[I_HAND_COMMITMENT] = event.commitment
    n[I_CLIENT_SEEDS] = event.client_seeds
    n[I_WALL_ROOT] = event.wall_root
    return new(Table, n)


def seeds_opened(table: Table, event: ev.SeedsOpened) -> Table:
    """The secrets of the seats, once."""
    if table.opened:
        return noted(table, event)
    return change(table, seq=event.seq, at=event.at, opened=event.client_seeds)


def dice_rolled(table: Table, event: ev.DiceRolled) -> Table:
    """One throw on record."""
    n = after(table, event)
    n[I_THROWS] = (*table.throws, new(Throw, (event.seq, event.purpose, event.dice)))
    return new(Table, n)


def dealt(table: Table, event: ev.Dealt) -> Table:
    """One seat's dealt tiles."""
    seq, _, _, seat, tiles = event
    seats = len(table.seats)
    if table.phase != DEALING or seat >= seats:
        return out_of_place(table, event)
    dealt = len(table.deals) + 1
    is_done = dealt == seats
    n = after(table, event)
    put_tiles(n, table, seat, tiles)
    if len(tiles) != table.book.hand_size + (seat == table.dealer):
        n[I_DOUBT] |= 1 << seat
    n[I_PHASE] = FLOWERS if is_done else DEALING
    n[I_NEXT_DEAL] = 0 if is_done else dealt
    n[I_DEALS] = (*table.deals, new(Deal, (seq, seat, tiles)))
    return new(Table, n)


def flowers_replaced(table: Table, event: ev.FlowersReplaced) -> Table:
    """Flowers laid out and tiles drawn for them, at the opening and in play."""
    seat, seats, drawn, phase = event.seat, len(table.seats), event.drawn, table.phase
    if phase not in DURING or seat >= seats:
        return out_of_place(table, event)
    n = after(table, event)
    n[I_HELD] = without_flowers(table.held, seat, event.flowers)
    put_tiles(n, table, seat, drawn)
    n[I_FLOWERS] = replaced(table.flowers, seat, table.flowers[seat] | flower_mask(event.flowers))
    for tile in drawn:
        n[I_TAKEN] += (event.seq << 16 | TAIL << 6 | tile,)
    if phase == FLOWERS:
        n[I_NEXT_DEAL] = (seat - table.dealer) % seats + 1
        return new(Table, n)
    n[I_DRAWN] = drawn[-1] if drawn else NOTHING
    n[I_PHASE] = DRY if not drawn else FLOWER if drawn[-1] >= FIRST_FLOWER else TURN
    n[I_TURN] = seat if drawn else table.turn
    return new(Table, n)


def gold_flipped(table: Table, event: ev.GoldFlipped) -> Table:
    """A gold, and with the last one the beginning of play."""
    if len(table.golds) == table.book.gold_flips:
        return noted(table, event)
    if len(event.tiles) > table.left:
        raise Impossible("more tiles flipped than are left in the wall")
    seq, golds = event.seq, (*table.golds, event.gold)
    flips = zip(places(table, event), event.tiles, strict=True)
    n = after(table, event)
    n[I_GOLDS] = golds
    n[I_FLIPPED] += event.tiles
    n[I_LEFT] -= len(event.tiles)
    n[I_SEEN] += seen_units(event.tiles)
    n[I_TAKEN] = (*table.taken, *[seq << 16 | place << 8 | FLIP << 6 | tile for place, tile in flips])
    if len(golds) == table.book.gold_flips:
        _begin_play(n, table, golds)
    return new(Table, n)


def _begin_play(n: list[Any], table: Table, golds: tuple[Tile, ...]) -> None:
    """The golds are known: hands are counted anew, and it is the dealer's turn."""
    dealer = table.dealer
    where = layout(golds if _are_golds(golds) else ())
    n[I_DOUBT] = _in_doubt_at_flip(table, golds)
    n[I_LAYOUT] = where
    n[I_HANDS] = tuple([flipped(hand, where) for hand in table.hands])
    n[I_PHASE] = TURN
    n[I_TURN] = dealer
    n[I_DRAWN] = NOTHING
    n[I_SOURCE] = AFTER_DEAL
    n[I_OPENING] = True
    n[I_UNTOUCHED] = (1 << len(table.seats)) - 1 & ~(1 << dealer)
    n[I_OWN] = tuple([memory.start for memory in table.book.memories])


def _are_golds(golds: tuple[Tile, ...]) -> bool:
    """Whether the flipped kinds can be golds: no flower, and none twice (L-GOLD-2)."""
    return max(golds) < FIRST_FLOWER and len(dict.fromkeys(golds)) == len(golds)


def _in_doubt_at_flip(table: Table, golds: tuple[Tile, ...]) -> int:
    """A seat that still holds a flower has a tile too few; with a flower for gold, or one kind for both golds,
    nobody's hand can be read."""
    if not _are_golds(golds):
        return (1 << len(table.seats)) - 1
    return table.doubt | sum([1 << seat for seat, flowers in enumerate(table.held) if flowers])


def places(table: Table, event: ev.GoldFlipped) -> tuple[int, ...]:
    """The place of each flipped tile from the tail of the wall as it then was, 1 = last (S-GOLD-1); 0 where the
    record does not say. A rejected tile leaves play, so the next place is counted without it."""
    throws = gold_throws(table)
    step = table.book.gold_step
    if table.book.options["gold_flower"] == "next" and throws:
        return (sum(throws[0].dice) * step,) * len(event.tiles)
    counted = [sum(throw.dice) * step for throw in throws[: len(event.tiles)]]
    if not counted and event.index is not None and len(event.tiles) == 1:
        counted = [event.index]
    return tuple(counted) + (0,) * (len(event.tiles) - len(counted))
