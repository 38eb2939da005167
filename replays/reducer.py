"""The fold: ``apply(table, event)`` is the table after the event, as recorded, right or wrong.

It never judges. An event that breaks a rule is applied as far as the record allows: a tile that a seat cannot have
had marks that seat's hand as in doubt, and the rest goes on. Only what cannot be applied at all is ``Impossible``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from replays import events as ev
from replays.clauses.ending import is_between
from replays.clauses.you import level_after_kong
from replays.hands import Hand, add, added, count, flipped, in_you_state, layout
from replays.rulebook import OptionError, Settlement
from replays.settle import verdict, without_added
from replays.table import (
    AFTER_CLAIM,
    AFTER_DEAL,
    AFTER_DRAW,
    AFTER_KONG,
    BETWEEN,
    CLAIMS,
    DEALING,
    DRY,
    FINISHED,
    FLIP,
    FLOWER,
    FLOWERS,
    HEAD,
    KONG,
    NO_WINNER,
    NOTHING,
    OVER,
    PLAY,
    REST,
    SEEN_UNIT,
    SETTLED,
    TAIL,
    TURN,
    VOIDED,
    Deal,
    Meld,
    Outcome,
    Table,
    Throw,
    change,
    fields,
    fresh,
    has_too_many,
    seen_units,
)  # fmt: skip
from replays.tiles import COPIES, FIRST_FLOWER, Tile, flower_mask
from replays.variants import rulebook

_T = TypeVar("_T")


class Impossible(ValueError):  # noqa: N818 - it says what the event is
    """An event that cannot be applied to the table at all, with the reason in words."""


def start(event: ev.GameStarted) -> Table:
    """The table at the beginning of a game.

    Raises ``Impossible`` for an unknown rule set, version or option, or a number of seats the game is not for.
    """
    try:
        book = rulebook(event.ruleset, event.version, event.options)
    except OptionError as error:
        raise Impossible(str(error)) from error
    n = len(event.seats)
    if n not in book.players:
        allowed = " or ".join(str(players) for players in book.players)
        raise Impossible(f"rule set {book.id} is for {allowed} seats, not {n}")
    scores = (0,) * n if event.scores is None else event.scores
    if len(scores) != n or event.first_dealer >= n:
        raise Impossible(f"scores and first_dealer must fit {n} seats")
    if event.seq != 0:
        raise Impossible("game_started must have seq 0")
    return Table(
        book=book,
        game=event.game,
        seats=event.seats,
        records=event.records,
        commitment=event.commitment,
        seq=0,
        at=event.at,
        phase=BETWEEN,
        scores=scores,
        hand=0,
        dealer=event.first_dealer,
        streak=0,
    )


def apply(table: Table, event: ev.Event) -> Table:
    """The table after ``event``; raises ``Impossible`` where there is none."""
    return CHANGES[event.__class__](table, event)


(
    _SCORES, _HAND_NUMBER, _DEALER, _STREAK, _LAYOUT, _FLOWERS, _GOLDS, _FLIPPED, _NEXT_DEAL, _GOLD_OUT, _LEVELS,
    _STALE, _FALLEN, _LOCK, _DECLARED, _HAND_COMMITMENT, _CLIENT_SEEDS, _WALL_ROOT, _THROWS, _DEALS, _DELTAS, _OUTCOME,
    _IS_REVEALED,
) = fields(
    "scores hand dealer streak layout flowers golds flipped next_deal gold_out levels stale fallen lock declared "
    "hand_commitment client_seeds wall_root throws deals deltas outcome is_revealed"
)  # fmt: skip
(
    _SEQ, _AT, _PHASE, _TURN, _HANDS, _DOUBT, _LEFT, _SEEN, _HELD, _MELDS, _RIVER, _DRAWN, _SOURCE, _LAST, _ROBBABLE,
    _OPENING, _ANSWERED, _UNTOUCHED, _TAKEN,
) = fields(
    "seq at phase turn hands doubt left seen held melds river drawn source last robbable opening answered untouched "
    "taken"
)  # fmt: skip

# In which phases an event is applied. Elsewhere it is only noted: the referee finds it out of place, and the table
# that everything after it is judged by stays as it was.
_PLAY = (TURN, CLAIMS, KONG, FLOWER, DRY)
_DURING = (FLOWERS, *_PLAY)  # FLOWERS too: a flip that comes late must not make the play before it unreadable
_HAND = (DEALING, *_DURING, OVER, SETTLED)

_new = tuple.__new__

#: Where a flower is counted among playing tiles: nowhere, for no count reaches so far.
_NO_SLOT = (4, 5**9)

#: The source of a draw in ``taken``, by whether it is from the tail.
_SOURCE_BITS = (HEAD << 6, TAIL << 6)
#: One discard in the river, by seat << 6 | tile.
_RIVER_ENTRY = tuple(bytes((code,)) for code in range(256))


def _drew(table: Table, event: ev.Drew) -> Table:
    play: Any = table[PLAY]
    (
        _, _, phase, turn, hands, doubt, left, seen, held, melds, river, thrown, _, _, _, _, opening, _, untouched,
        taken,
    ) = play  # fmt: skip
    seat, tile, seq = event.seat, event.tile, event.seq
    source = AFTER_DRAW
    if phase == CLAIMS:
        is_next = seat == (turn + 1) % len(hands)
    elif phase == KONG:
        is_next, source = seat == turn, AFTER_KONG
    elif phase in _DURING:
        is_next = False
    else:
        return _out_of_place(table, event)
    if seat >= len(hands):
        return _out_of_place(table, event)
    if not left:
        raise Impossible("nothing is left in the wall to draw")
    if tile >= FIRST_FLOWER:
        phase, held = FLOWER, _with_flower(held, seat, tile)
    else:
        phase = TURN
        index, unit = table.layout.slots[tile]
        hand = [*hands[seat]]
        is_fifth = hand[index] // unit % 5 == COPIES
        if is_fifth or not is_next:
            doubt |= 1 << seat
        if not is_fifth:
            hand[index] += unit
            changed = [*hands]
            changed[seat] = tuple(hand)
            hands = tuple(changed)
    rest: Any = table[REST]
    play = (
        seq, event.at, phase, seat, hands, doubt, left - 1, seen + SEEN_UNIT[tile], held, melds, river, thrown, tile,
        source, NOTHING, False, opening, 0, untouched,
        taken + (seq << 16 | _SOURCE_BITS[event.tail] | tile,),  # noqa: RUF005 - twice as fast
    )  # fmt: skip
    return _new(Table, rest + play)


def _discarded(table: Table, event: ev.Discarded) -> Table:
    play: Any = table[PLAY]
    (
        _, _, phase, turn, hands, doubt, left, seen, held, melds, river, thrown, drawn, source, _, _, opening, _,
        untouched, taken,
    ) = play  # fmt: skip
    seat, tile = event.seat, event.tile
    if phase != TURN or seat != turn:
        if phase not in _DURING or seat >= len(hands):
            return _out_of_place(table, event)
        doubt |= 1 << seat
    rest: Any = table[REST]
    if tile >= FIRST_FLOWER:
        held = _without_flowers(held, seat, (tile,))
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
        event.seq, event.at, CLAIMS, seat, hands, doubt, left, seen, held, melds,
        river + _RIVER_ENTRY[seat << 6 | tile], thrown | 1 << tile, NOTHING, source, tile, False, opening, 0,
        untouched, taken,
    )  # fmt: skip
    return _new(Table, rest + play)


def _settled_waits(table: Table, seat: int, tile: Tile, after: Any, is_gold: bool) -> tuple[Any, ...]:
    """What a discard does to gold locks, 游 levels and declarations (X-GOLD-3, S-YOU-3, S-YOU-4, X-LOCK-1)."""
    bit = 1 << seat
    rest: Any = table[REST]
    n: list[Any] = [*rest]
    before = table.levels[seat]
    level = table.book.level_after(table, seat, tile, after)
    n[_GOLD_OUT] = table.gold_out | bit if is_gold else table.gold_out & ~bit
    n[_LOCK] = table.lock | bit if level else table.lock & ~bit
    n[_STALE] = table.stale & ~bit
    if level != before:
        n[_LEVELS] = (*table.levels[:seat], level, *table.levels[seat + 1 :])
    if before and not level:
        n[_FALLEN] = table.fallen | bit
    if table.declared & bit and not in_you_state(after):
        n[_DECLARED] = table.declared & ~bit
    return tuple(n)


def _claimed(table: Table, event: ev.Chowed | ev.Punged) -> Table:
    play: Any = table[PLAY]
    (
        _, _, phase, _, hands, _, left, seen, held, melds, river, thrown, _, _, _, _, opening, _, untouched, taken,
    ) = play  # fmt: skip
    seat, tile, with_ = event.seat, event.tile, event.with_
    if phase not in _DURING or seat >= len(hands):
        return _out_of_place(table, event)
    meld = Meld("chow" if event.__class__ is ev.Chowed else "pung", (tile, *with_), event.from_)
    hands, doubt = _without_tiles(table, seat, with_)
    rest: Any = table[REST]
    play = (
        event.seq, event.at, TURN, seat, hands, doubt, left, seen, held, _at(melds, seat, (*melds[seat], meld)),
        river[:-1] if river and river[-1] & 63 == tile else river, thrown, NOTHING, AFTER_CLAIM, NOTHING, False,
        opening, 0, untouched & ~(1 << seat), taken,
    )  # fmt: skip
    return _new(Table, rest + play)


def _konged(table: Table, event: ev.Konged) -> Table:
    seat, tile, kind = event.seat, event.tile, event.kind
    bit, river = 1 << seat, table.river
    hands, doubt = _without_tiles(table, seat, event.with_)
    level, before = level_after_kong(table, seat, hands[seat]), table.levels[seat]
    n = _after(table, event)
    n[_PHASE] = KONG
    n[_TURN] = seat
    n[_HANDS] = hands
    n[_DOUBT] = doubt
    if event.from_ is not None and river and river[-1] & 63 == tile:
        n[_RIVER] = river[:-1]
    n[_MELDS] = _at(table.melds, seat, _konged_melds(table.melds[seat], event))
    n[_LAST] = tile
    n[_DRAWN] = NOTHING
    n[_ROBBABLE] = kind == "added"
    n[_OPENING] = False
    n[_ANSWERED] = 0
    n[_UNTOUCHED] = table.untouched & ~bit
    n[_STALE] = table.stale | bit
    n[_LEVELS] = _at(table.levels, seat, level)
    if before and not level:
        n[_FALLEN] = table.fallen | bit
    return _new(Table, n)


def _konged_melds(melds: tuple[Meld, ...], event: ev.Konged) -> tuple[Meld, ...]:
    if event.kind == "added":
        return _with_added(melds, event.tile)
    if event.kind == "concealed":
        return (*melds, Meld("concealed", event.with_ or (event.tile,) * COPIES))
    return (*melds, Meld(event.kind, (event.tile, *event.with_), _or_nothing(event.from_)))


def _with_added(melds: tuple[Meld, ...], tile: Tile) -> tuple[Meld, ...]:
    """The pung of ``tile`` made a kong; a kong of its own where the record has no such pung."""
    for i, meld in enumerate(melds):
        if meld.kind == "pung" and meld.tiles[0] == tile:
            return _at(melds, i, Meld("added", (*meld.tiles, tile), meld.from_))
    return (*melds, Meld("added", (tile,) * COPIES))


def _dealt(table: Table, event: ev.Dealt) -> Table:
    seat, seats, tiles = event.seat, len(table.seats), event.tiles
    if table.phase != DEALING or seat >= seats:
        return _out_of_place(table, event)
    dealt = len(table.deals) + 1
    is_done = dealt == seats
    n = _after(table, event)
    _put_tiles(n, table, seat, tiles)
    if len(tiles) != table.book.hand_size + (seat == table.dealer):
        n[_DOUBT] |= 1 << seat
    n[_PHASE] = FLOWERS if is_done else DEALING
    n[_NEXT_DEAL] = 0 if is_done else dealt
    n[_DEALS] = (*table.deals, Deal(event.seq, seat, tiles))
    return _new(Table, n)


def _flowers_replaced(table: Table, event: ev.FlowersReplaced) -> Table:
    seat, seats, drawn, phase = event.seat, len(table.seats), event.drawn, table.phase
    if phase not in _DURING or seat >= seats:
        return _out_of_place(table, event)
    n = _after(table, event)
    n[_HELD] = _without_flowers(table.held, seat, event.flowers)
    _put_tiles(n, table, seat, drawn)
    n[_FLOWERS] = _at(table.flowers, seat, table.flowers[seat] | flower_mask(event.flowers))
    for tile in drawn:
        n[_TAKEN] += (event.seq << 16 | TAIL << 6 | tile,)
    if phase == FLOWERS:
        n[_NEXT_DEAL] = (seat - table.dealer) % seats + 1
        return _new(Table, n)
    n[_DRAWN] = drawn[-1] if drawn else NOTHING
    n[_PHASE] = DRY if not drawn else FLOWER if drawn[-1] >= FIRST_FLOWER else TURN
    n[_TURN] = seat if drawn else table.turn
    return _new(Table, n)


def _gold_flipped(table: Table, event: ev.GoldFlipped) -> Table:
    if len(table.golds) == table.book.gold_flips:
        return _noted(table, event)
    if len(event.tiles) > table.left:
        raise Impossible("more tiles flipped than are left in the wall")
    seq, golds = event.seq, (*table.golds, event.gold)
    flips = zip(places(table, event), event.tiles, strict=True)
    n = _after(table, event)
    n[_GOLDS] = golds
    n[_FLIPPED] += event.tiles
    n[_LEFT] -= len(event.tiles)
    n[_SEEN] += seen_units(event.tiles)
    n[_TAKEN] = (*table.taken, *[seq << 16 | place << 8 | FLIP << 6 | tile for place, tile in flips])
    if len(golds) == table.book.gold_flips:
        _begin_play(n, table, golds)
    return _new(Table, n)


def _begin_play(n: list[Any], table: Table, golds: tuple[Tile, ...]) -> None:
    """The golds are known: hands are counted anew, and it is the dealer's turn."""
    dealer = table.dealer
    where = layout(() if max(golds) >= FIRST_FLOWER else golds)
    n[_DOUBT] = _in_doubt_at_flip(table, golds)
    n[_LAYOUT] = where
    n[_HANDS] = tuple([flipped(hand, where) for hand in table.hands])
    n[_PHASE] = TURN
    n[_TURN] = dealer
    n[_DRAWN] = NOTHING
    n[_SOURCE] = AFTER_DEAL
    n[_OPENING] = True
    n[_UNTOUCHED] = (1 << len(table.seats)) - 1 & ~(1 << dealer)


def _in_doubt_at_flip(table: Table, golds: tuple[Tile, ...]) -> int:
    """A seat that still holds a flower has a tile too few; with a flower for gold nobody's hand can be read."""
    if max(golds) >= FIRST_FLOWER:
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


def gold_throws(table: Table) -> tuple[Throw, ...]:
    """The gold dice since the last flip."""
    last_flip = -1
    if table.golds:
        last_flip = max(code >> 16 for code in table.taken if code >> 6 & 3 == FLIP)
    return tuple([throw for throw in table.throws if throw.purpose == "gold" and throw.seq > last_flip])


def _won(table: Table, event: ev.Won) -> Table:
    if event.win not in table.book.wins:
        raise Impossible(f"no way of winning {event.win!r}; rule set {table.book.id} has {', '.join(table.book.wins)}")
    found = verdict(table, event)
    settlement = found if isinstance(found, Settlement) else None
    outcome = Outcome(
        event.seat, event.win, _or_nothing(event.tile), _or_nothing(event.from_), settlement, found is None
    )
    n = _after(table, event)
    n[_PHASE] = OVER if table.deltas is None else SETTLED
    n[_OUTCOME] = outcome
    n[_ANSWERED] = 0
    n[_ROBBABLE] = False
    if table.phase == KONG and table.robbable and event.seat != table.turn:
        n[_MELDS] = _at(table.melds, table.turn, without_added(table.melds[table.turn], table.last))
    if event.from_ is not None and event.tile is not None and event.tile < FIRST_FLOWER:
        _take_won_tile(n, table, event.seat, event.tile)
    return _new(Table, n)


def _take_won_tile(n: list[Any], table: Table, seat: int, tile: Tile) -> None:
    slot, hand = table.layout.slots[tile], table.hands[seat]
    if count(hand, slot) == COPIES:
        return
    n[_HANDS] = _at(table.hands, seat, add(hand, slot))
    if table.phase == CLAIMS:
        n[_RIVER] = table.river[:-1]


def _exhausted(table: Table, event: ev.Exhausted) -> Table:
    return change(
        table,
        seq=event.seq,
        at=event.at,
        phase=OVER if table.deltas is None else SETTLED,
        outcome=NO_WINNER,
        answered=0,
    )


def _settled(table: Table, event: ev.Settled) -> Table:
    _require_length(table, event.deltas, "deltas")
    n = _after(table, event)
    if table.phase == OVER:
        n[_PHASE] = SETTLED
    n[_DELTAS] = event.deltas
    return _new(Table, n)


def _hand_ended(table: Table, event: ev.HandEnded) -> Table:
    _require_length(table, event.scores, "scores")
    n = _after(table, event)
    n[_PHASE] = BETWEEN
    n[_SCORES] = event.scores
    n[_DEALER], n[_STREAK] = table.book.next_dealer(table)
    return _new(Table, n)


def _voided(table: Table, event: ev.Voided) -> Table:
    return change(table, seq=event.seq, at=event.at, phase=OVER, outcome=VOIDED, deltas=None, answered=0)


def _hand_started(table: Table, event: ev.HandStarted) -> Table:
    _require_length(table, event.scores, "scores")
    if event.dealer >= len(table.seats):
        raise Impossible(f"no seat {event.dealer} to deal")
    if table.phase in (DEALING, *_DURING) and event.hand != table.hand + 1:
        return _noted(table, event)  # a stray event; where the rest of a hand is missing, the next one begins
    n = fresh(table)
    n[_SEQ] = event.seq
    n[_AT] = event.at
    n[_PHASE] = DEALING
    n[_HAND_NUMBER] = event.hand
    n[_DEALER] = event.dealer
    n[_STREAK] = event.streak
    n[_SCORES] = event.scores
    n[_HAND_COMMITMENT] = event.commitment
    n[_CLIENT_SEEDS] = event.client_seeds
    n[_WALL_ROOT] = event.wall_root
    return _new(Table, n)


def _seeds_opened(table: Table, event: ev.SeedsOpened) -> Table:
    if table.opened:
        return _noted(table, event)
    return change(table, seq=event.seq, at=event.at, opened=event.client_seeds)


def _dice_rolled(table: Table, event: ev.DiceRolled) -> Table:
    n = _after(table, event)
    n[_THROWS] = (*table.throws, Throw(event.seq, event.purpose, event.dice))
    return _new(Table, n)


def _game_ended(table: Table, event: ev.GameEnded) -> Table:
    _require_length(table, event.scores, "scores")
    if event.reason == "finished" and not is_between(table):
        return _noted(table, event)
    return change(table, seq=event.seq, at=event.at, phase=FINISHED, scores=event.scores)


def _passed(table: Table, event: ev.Passed | ev.ClaimOverridden) -> Table:
    return change(table, seq=event.seq, at=event.at, answered=table.answered | 1 << event.seat)


def _declared(table: Table, event: ev.Declared) -> Table:
    declared = table.declared | 1 << event.seat if event.declaration != "heavenly_ready" else table.declared
    return change(table, seq=event.seq, at=event.at, declared=declared)


def _wall_revealed(table: Table, event: ev.WallRevealed) -> Table:
    n = _after(table, event)
    n[_IS_REVEALED] = True
    return _new(Table, n)


def _presence_changed(table: Table, event: ev.PresenceChanged) -> Table:
    return _out_of_place(table, event)


def _noted(table: Table, event: ev.Event) -> Table:
    """An event that changes nothing on the table."""
    return _new(Table, _after(table, event))


def _started_again(table: Table, event: ev.GameStarted) -> Table:
    raise Impossible("the game has started before")


def _out_of_place(table: Table, event: Any) -> Table:
    """An event where it cannot belong: noted, for it changes nothing; refused where its seat is unknown."""
    if event.seat is not None and event.seat >= len(table.seats):
        raise Impossible(f"no seat {event.seat} at a table of {len(table.seats)}")
    return _noted(table, event)


def _within(phases: tuple[int, ...], change: Callable[[Table, Any], Table]) -> Callable[[Table, Any], Table]:
    """``change`` for an event that belongs into ``phases`` and names a seat of the game, or none."""

    def checked(table: Table, event: Any) -> Table:
        if table.phase not in phases or (event.seat is not None and event.seat >= len(table.seats)):
            return _out_of_place(table, event)
        return change(table, event)

    return checked


#: How each kind of event changes the table.
CHANGES: dict[type, Callable[[Table, Any], Table]] = {
    ev.GameStarted: _started_again,
    ev.HandStarted: _hand_started,
    ev.SeedsOpened: _within(_HAND, _seeds_opened),
    ev.DiceRolled: _within((DEALING, FLOWERS), _dice_rolled),
    ev.Dealt: _dealt,
    ev.FlowersReplaced: _flowers_replaced,
    ev.GoldFlipped: _within(_DURING, _gold_flipped),
    ev.TurnPrompted: _within(_HAND, _noted),
    ev.Drew: _drew,
    ev.Discarded: _discarded,
    ev.Chowed: _claimed,
    ev.Punged: _claimed,
    ev.Konged: _within(_DURING, _konged),
    ev.Passed: _within(_PLAY, _passed),
    ev.ClaimOverridden: _within(_PLAY, _passed),
    ev.Declared: _within(_PLAY, _declared),
    ev.Won: _within(_DURING, _won),
    ev.Exhausted: _within(_DURING, _exhausted),
    ev.Settled: _within((*_DURING, OVER), _settled),
    ev.WallRevealed: _within((OVER, SETTLED), _wall_revealed),
    ev.HandEnded: _within((OVER, SETTLED), _hand_ended),
    ev.PresenceChanged: _presence_changed,
    ev.Voided: _within(_HAND, _voided),
    ev.GameEnded: _game_ended,
}


# -- Small parts ---------------------------------------------------------------------------------------------------


def _after(table: Table, event: ev.Event) -> list[Any]:
    """The fields of the table with the event's ``seq`` and ``at``, for a new table to be made of them."""
    n: list[Any] = [*table[:]]
    n[_SEQ] = event.seq
    n[_AT] = event.at
    return n


def _require_length(table: Table, values: tuple[int, ...], name: str) -> None:
    if len(values) != len(table.seats):
        raise Impossible(f"{name} must have {len(table.seats)} numbers, not {len(values)}")


def _at(values: tuple[_T, ...], index: int, value: _T) -> tuple[_T, ...]:
    changed = [*values]
    changed[index] = value
    return tuple(changed)


def _put_tiles(n: list[Any], table: Table, seat: int, tiles: tuple[Tile, ...]) -> None:
    """Tiles go out of the wall into the seat's hand; flowers are held until they are laid out."""
    if len(tiles) > table.left:
        raise Impossible("more tiles drawn than are left in the wall")
    unit, units, flowers, seen = table.layout.units, 0, 0, table.seen
    for tile in tiles:
        seen += SEEN_UNIT[tile]
        if tile < FIRST_FLOWER:
            units += unit[tile]
        else:
            flowers |= 1 << (tile - FIRST_FLOWER)
    n[_SEEN] = seen
    n[_LEFT] = table.left - len(tiles)
    if has_too_many(seen):
        hand, n[_DOUBT] = _as_far_as_held(table, seat, tiles)
    else:
        hand = added(table.hands[seat], units)
    n[_HANDS] = _at(table.hands, seat, hand)
    if flowers:
        n[_HELD] = _at(n[_HELD], seat, n[_HELD][seat] | flowers)


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


def _without_tiles(table: Table, seat: int, tiles: tuple[Tile, ...]) -> tuple[tuple[Hand, ...], int]:
    """The hands once the tiles are out of the seat's, and who is in doubt: a seat without such a tile is."""
    packed, doubt = list(table.hands[seat]), table.doubt
    slots = table.layout.slots
    for tile in tiles:
        index, unit = slots[tile] if tile < FIRST_FLOWER else _NO_SLOT
        if packed[index] // unit % 5:
            packed[index] -= unit
        else:
            doubt |= 1 << seat
    return _at(table.hands, seat, tuple(packed)), doubt  # type: ignore[arg-type]


def _with_flower(held: tuple[int, ...], seat: int, tile: Tile) -> tuple[int, ...]:
    return _at(held, seat, held[seat] | 1 << (tile - FIRST_FLOWER))


def _without_flowers(held: tuple[int, ...], seat: int, tiles: tuple[Tile, ...]) -> tuple[int, ...]:
    mask = held[seat]
    for tile in tiles:
        if tile >= FIRST_FLOWER:
            mask &= ~(1 << (tile - FIRST_FLOWER))
    return _at(held, seat, mask)


def _or_nothing(value: int | None) -> int:
    return NOTHING if value is None else value
