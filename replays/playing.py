"""The fold, in play: draws, discards, claims, kongs, wins. Called by ``replays.reducer``."""

from __future__ import annotations

from typing import Any

from replays import events as ev
from replays.clauses.you import level_after_kong
from replays.hands import add, count
from replays.rows import (
    DURING,
    I_ANSWERED,
    I_DECLARED,
    I_DOUBT,
    I_DRAWN,
    I_FALLEN,
    I_GOLD_OUT,
    I_HANDS,
    I_LAST,
    I_LEVELS,
    I_LOCK,
    I_MELDS,
    I_OPENING,
    I_OUTCOME,
    I_PHASE,
    I_RIVER,
    I_ROBBABLE,
    I_SOURCE,
    I_STALE,
    I_TURN,
    I_UNTOUCHED,
    Impossible,
    after,
    new,
    or_nothing,
    out_of_place,
    replaced,
    with_flower,
    without_flowers,
    without_tiles,
)
from replays.rulebook import Settlement
from replays.settle import verdict, with_lines_beside, without_added
from replays.table import (
    AFTER_CLAIM,
    AFTER_CONCEALED_KONG,
    AFTER_DRAW,
    AFTER_KONG,
    CLAIMS,
    FLOWER,
    HEAD,
    KONG,
    NOTHING,
    OVER,
    PLAY,
    REST,
    SEEN_UNIT,
    SETTLED,
    TAIL,
    TURN,
    Meld,
    Outcome,
    Table,
    change,
)  # fmt: skip
from replays.tiles import COPIES, FIRST_FLOWER, Tile

#: The source of a draw in ``taken``, by whether it is from the tail.
_SOURCE_BITS = (HEAD << 6, TAIL << 6)
#: One discard in the river, by seat << 6 | tile.
_RIVER_ENTRY = tuple(bytes((code,)) for code in range(256))


def drew(table: Table, event: ev.Drew) -> Table:
    """A tile from the wall into a hand, or a flower to be laid out."""
    play: Any = table[PLAY]
    (
        _, _, phase, turn, hands, doubt, left, seen, held, melds, river, thrown, _, konged, _, _, opening, _,
        untouched, taken,
    ) = play  # fmt: skip
    seq, at, _, seat, tile, is_from_tail = event
    source, doubtful = AFTER_DRAW, 0
    if phase != CLAIMS or seat != (turn + 1) % len(hands):
        if phase not in DURING or seat >= len(hands):
            return out_of_place(table, event)
        if phase == KONG:
            source = konged
        if phase != KONG or seat != turn:
            doubtful = 1 << seat
    if not left:
        # Past the end, which is a finding: it comes from nowhere, and the hand is one that nobody knows.
        left, seen, doubtful = 1, seen - SEEN_UNIT[tile], 1 << seat
    if tile >= FIRST_FLOWER:
        phase, held = FLOWER, with_flower(held, seat, tile)
    else:
        phase = TURN
        index, unit = table.layout.slots[tile]
        hand = [*hands[seat]]
        if hand[index] // unit % 5 == COPIES:
            doubtful = 1 << seat
        else:
            hand[index] += unit
            changed = [*hands]
            changed[seat] = tuple(hand)
            hands = tuple(changed)
        doubt |= doubtful
    rest: Any = table[REST]
    play = (
        seq, at, phase, seat, hands, doubt, left - 1, seen + SEEN_UNIT[tile], held, melds, river, thrown, tile,
        source, NOTHING, False, opening, 0, untouched,
        taken + (seq << 16 | _SOURCE_BITS[is_from_tail] | tile,),  # noqa: RUF005 - twice as fast
    )  # fmt: skip
    return new(Table, rest + play)


def discarded(table: Table, event: ev.Discarded) -> Table:
    """A tile out of a hand, before the others; what it does to waits and locks."""
    play: Any = table[PLAY]
    (
        _, _, phase, turn, hands, doubt, left, seen, held, melds, river, thrown, drawn, source, _, _, opening, _,
        untouched, taken,
    ) = play  # fmt: skip
    seq, at, _, seat, tile, _ = event
    if phase != TURN or seat != turn:
        if phase not in DURING or seat >= len(hands):
            return out_of_place(table, event)
        doubt |= 1 << seat
    rest: Any = table[REST]
    if tile >= FIRST_FLOWER:
        held = without_flowers(held, seat, (tile,))
    else:
        index, unit = table.layout.slots[tile]
        hand = [*hands[seat]]
        if not hand[index] // unit % 5:
            doubt |= 1 << seat
        else:
            hand[index] -= unit
            changed = [*hands]
            changed[seat] = after = tuple(hand)
            hands = tuple(changed)
            bit = 1 << seat
            if opening:
                opening = False
                untouched |= bit
            elif tile != drawn and untouched & bit:
                untouched &= ~bit
            if index == 4 or (table.gold_out | table.lock | table.declared) & bit or table.levels[seat]:
                rest = _settled_waits(table, seat, tile, after, index == 4)
    play = (
        seq, at, CLAIMS, seat, hands, doubt, left, seen, held, melds,
        river + _RIVER_ENTRY[seat << 6 | tile], thrown | 1 << tile, NOTHING, source, tile, False, opening, 0,
        untouched, taken,
    )  # fmt: skip
    return new(Table, rest + play)


def _settled_waits(table: Table, seat: int, tile: Tile, after: Any, is_gold: bool) -> tuple[Any, ...]:
    """What a discard does to gold locks, 游 levels and declarations (X-GOLD-3, S-YOU-3, S-YOU-4, X-LOCK-1)."""
    bit = 1 << seat
    rest: Any = table[REST]
    n: list[Any] = [*rest]
    before = table.levels[seat]
    level = table.book.level_after(table, seat, tile, after)
    n[I_GOLD_OUT] = table.gold_out | bit if is_gold else table.gold_out & ~bit
    n[I_LOCK] = table.lock | bit if level else table.lock & ~bit
    n[I_STALE] = table.stale & ~bit
    if level != before:
        n[I_LEVELS] = replaced(table.levels, seat, level)
    if before and not level:
        n[I_FALLEN] = table.fallen | bit
    if table.declared & bit and not table.book.in_you_state(after, table.layout):
        n[I_DECLARED] = table.declared & ~bit
    return tuple(n)


def claimed(table: Table, event: ev.Chowed | ev.Punged) -> Table:
    """A chow or pung: the discard and the tiles out of the hand lie as a set, and a discard is due."""
    play: Any = table[PLAY]
    (
        _, _, phase, _, hands, _, left, seen, held, melds, river, thrown, _, _, _, _, opening, _, untouched, taken,
    ) = play  # fmt: skip
    seq, at, _, seat, tile, from_, with_ = event
    if phase not in DURING or seat >= len(hands):
        return out_of_place(table, event)
    meld = new(Meld, ("chow" if event.__class__ is ev.Chowed else "pung", (tile, *with_), from_))
    hands, doubt = without_tiles(table, seat, with_)
    rest: Any = table[REST]
    play = (
        seq, at, TURN, seat, hands, doubt, left, seen, held, replaced(melds, seat, (*melds[seat], meld)),
        _without_claimed(river, tile), thrown, NOTHING, AFTER_CLAIM, NOTHING, False, opening, 0,
        untouched & ~(1 << seat), taken,
    )  # fmt: skip
    return new(Table, rest + play)


def _without_claimed(river: bytes, tile: Tile) -> bytes:
    """The river without its last discard, if that is the tile that was claimed."""
    return river[:-1] if river and river[-1] & 63 == tile else river


def konged(table: Table, event: ev.Konged) -> Table:
    """A kong of any kind: the set lies, and a replacement is due; an added one may be robbed."""
    seat, tile, kind = event.seat, event.tile, event.kind
    bit = 1 << seat
    hands, doubt = without_tiles(table, seat, event.with_)
    level, before = level_after_kong(table, seat, hands[seat]), table.levels[seat]
    n = after(table, event)
    n[I_PHASE] = KONG
    n[I_TURN] = seat
    n[I_HANDS] = hands
    n[I_DOUBT] = doubt
    if event.from_ is not None:
        n[I_RIVER] = _without_claimed(table.river, tile)
    n[I_MELDS] = replaced(table.melds, seat, _konged_melds(table.melds[seat], event))
    n[I_LAST] = tile
    n[I_DRAWN] = NOTHING
    n[I_SOURCE] = AFTER_CONCEALED_KONG if kind == "concealed" else AFTER_KONG
    n[I_ROBBABLE] = kind == "added"
    n[I_OPENING] = False
    n[I_ANSWERED] = 0
    n[I_UNTOUCHED] = table.untouched & ~bit
    if kind != "exposed":  # which comes before the first own draw
        n[I_STALE] = table.stale | bit
    n[I_LEVELS] = replaced(table.levels, seat, level)
    if before and not level:
        n[I_FALLEN] = table.fallen | bit
    return new(Table, n)


def _konged_melds(melds: tuple[Meld, ...], event: ev.Konged) -> tuple[Meld, ...]:
    if event.kind == "added":
        return _with_added(melds, event.tile)
    if event.kind == "concealed":
        return (*melds, Meld("concealed", event.with_ or (event.tile,) * COPIES))
    return (*melds, Meld(event.kind, (event.tile, *event.with_), or_nothing(event.from_)))


def _with_added(melds: tuple[Meld, ...], tile: Tile) -> tuple[Meld, ...]:
    """The pung of ``tile`` made a kong; a kong of its own where the record has no such pung."""
    for i, meld in enumerate(melds):
        if meld.kind == "pung" and meld.tiles[0] == tile:
            return replaced(melds, i, Meld("added", (*meld.tiles, tile), meld.from_))
    return (*melds, Meld("added", (tile,) * COPIES))


def won(table: Table, event: ev.Won) -> Table:
    """A win as recorded, with what it is worth by the rules."""
    if event.win not in table.book.wins:
        raise Impossible(f"no way of winning {event.win!r}; rule set {table.book.id} has {', '.join(table.book.wins)}")
    found = verdict(table, event)
    settlement = found if isinstance(found, Settlement) else None
    n = after(table, event)
    n[I_PHASE] = OVER if table.deltas is None else SETTLED
    n[I_ANSWERED] = 0
    n[I_ROBBABLE] = False
    if table.phase == KONG and table.robbable and event.seat != table.turn:
        n[I_MELDS] = replaced(table.melds, table.turn, without_added(table.melds[table.turn], table.last))
    if event.from_ is not None and event.tile is not None and event.tile < FIRST_FLOWER:
        _take_won_tile(n, table, event.seat, event.tile)
    if settlement is not None:
        settlement = with_lines_beside(new(Table, n), settlement)
    tile, from_ = or_nothing(event.tile), or_nothing(event.from_)
    n[I_OUTCOME] = Outcome(event.seat, event.win, tile, from_, settlement, found is None)
    return new(Table, n)


def _take_won_tile(n: list[Any], table: Table, seat: int, tile: Tile) -> None:
    slot, hand = table.layout.slots[tile], table.hands[seat]
    if count(hand, slot) == COPIES:
        return
    n[I_HANDS] = replaced(table.hands, seat, add(hand, slot))
    if table.phase == CLAIMS:
        n[I_RIVER] = table.river[:-1]


def passed(table: Table, event: ev.Passed | ev.ClaimOverridden) -> Table:
    """A seat that let what lies open pass, or whose claim lost."""
    return change(table, seq=event.seq, at=event.at, answered=table.answered | 1 << event.seat)


def declared(table: Table, event: ev.Declared) -> Table:
    """A declaration on record."""
    declared = table.declared | 1 << event.seat if event.declaration != "heavenly_ready" else table.declared
    return change(table, seq=event.seq, at=event.at, declared=declared)
