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
from replays.hands import GOLD_SLOT, Hand, add, flipped, in_you_state, layout
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
    _SEQ, _AT, _PHASE, _TURN, _HANDS, _HELD, _MELDS, _RIVER, _THROWN, _LEFT, _SEEN, _DRAWN, _SOURCE, _LAST, _ROBBABLE,
    _OPENING, _ANSWERED, _DOUBT, _UNTOUCHED, _GOLD_OUT, _LEVELS, _STALE, _FALLEN, _LOCK, _DECLARED, _TAKEN,
) = fields(
    "seq at phase turn hands held melds river thrown left seen drawn source last robbable opening answered doubt "
    "untouched gold_out levels stale fallen lock declared taken"
)  # fmt: skip

# In which phases an event is applied. Elsewhere it is only noted: the referee finds it out of place, and the table
# that everything after it is judged by stays as it was.
_PLAY = (TURN, CLAIMS, KONG, FLOWER, DRY)
_DURING = (FLOWERS, *_PLAY)  # FLOWERS too: a flip that comes late must not make the play before it unreadable
_HAND = (DEALING, *_DURING, OVER, SETTLED)

_new = tuple.__new__

#: One discard in the river, by seat << 6 | tile.
_RIVER_ENTRY = tuple(bytes((code,)) for code in range(256))


def _drew(table: Table, event: ev.Drew) -> Table:
    seat, tile = event.seat, event.tile
    if table.phase not in _DURING or seat >= len(table.seats):
        return _out_of_place(table, event)
    if not table.left:
        raise Impossible("nothing is left in the wall to draw")
    n: list[Any] = [*table]
    n[_SEQ] = event.seq
    n[_AT] = event.at
    n[_TURN] = seat
    n[_DRAWN] = tile
    n[_LEFT] = table.left - 1
    n[_SEEN] = table.seen + SEEN_UNIT[tile]
    n[_TAKEN] = table.taken + (event.seq << 16 | (TAIL if event.tail else HEAD) << 6 | tile,)  # noqa: RUF005 - twice as fast
    n[_SOURCE] = AFTER_KONG if table.phase == KONG else AFTER_DRAW
    n[_LAST] = NOTHING
    n[_ROBBABLE] = False
    n[_ANSWERED] = 0
    if tile >= FIRST_FLOWER:
        n[_PHASE] = FLOWER
        n[_HELD] = _with_flower(table.held, seat, tile)
        return _new(Table, n)
    n[_PHASE] = TURN
    index, unit = table.layout.slots[tile]
    hands = table.hands
    hand = hands[seat]
    if hand[index] // unit % 5 == COPIES or not _is_next(table, seat):
        n[_DOUBT] = table.doubt | 1 << seat
    if hand[index] // unit % 5 < COPIES:
        packed = list(hand)
        packed[index] += unit
        changed = [*hands]
        changed[seat] = tuple(packed)  # type: ignore[assignment]
        n[_HANDS] = tuple(changed)
    return _new(Table, n)


def _is_next(table: Table, seat: int) -> bool:
    """Whether a draw by ``seat`` leaves it with one tile more than it should hold while it waits."""
    if table.phase == CLAIMS:
        return seat == (table.turn + 1) % len(table.seats)
    return table.phase == KONG and seat == table.turn


def _discarded(table: Table, event: ev.Discarded) -> Table:
    seat, tile = event.seat, event.tile
    if table.phase not in _DURING or seat >= len(table.seats):
        return _out_of_place(table, event)
    bit = 1 << seat
    n: list[Any] = [*table]
    n[_SEQ] = event.seq
    n[_AT] = event.at
    n[_PHASE] = CLAIMS
    n[_TURN] = seat
    n[_LAST] = tile
    n[_DRAWN] = NOTHING
    n[_ANSWERED] = 0
    n[_ROBBABLE] = False
    n[_RIVER] = table.river + _RIVER_ENTRY[seat << 6 | tile]
    n[_THROWN] = table.thrown | 1 << tile
    if table.phase != TURN or seat != table.turn:
        n[_DOUBT] = table.doubt | bit
    if tile >= FIRST_FLOWER:
        n[_HELD] = _without_flowers(table.held, seat, (tile,))
        return _new(Table, n)
    hands = table.hands
    index, unit = table.layout.slots[tile]
    packed = list(hands[seat])
    if not packed[index] // unit % 5:
        n[_DOUBT] = table.doubt | bit
        return _new(Table, n)
    packed[index] -= unit
    after = tuple(packed)
    changed = [*hands]
    changed[seat] = after  # type: ignore[assignment]
    n[_HANDS] = tuple(changed)
    is_gold = index == 4
    if table.untouched & bit and tile != table.drawn:
        n[_UNTOUCHED] = table.untouched & ~bit
    if table.opening:
        n[_OPENING] = False
        n[_UNTOUCHED] = table.untouched | bit
    if is_gold or (table.gold_out | table.lock | table.declared) & bit or table.levels[seat]:
        _settle_waits(n, table, seat, tile, after, is_gold)
    return _new(Table, n)


def _settle_waits(n: list[Any], table: Table, seat: int, tile: Tile, after: Any, is_gold: bool) -> None:
    """What a discard does to gold locks, 游 levels and declarations (X-GOLD-3, S-YOU-3, S-YOU-4, X-LOCK-1)."""
    bit = 1 << seat
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


def _claimed(table: Table, event: ev.Chowed | ev.Punged) -> Table:
    seat, river = event.seat, table.river
    kind = "chow" if event.__class__ is ev.Chowed else "pung"
    hands, doubt = _without_tiles(table, seat, event.with_)
    n: list[Any] = [*table]
    n[_SEQ] = event.seq
    n[_AT] = event.at
    n[_PHASE] = TURN
    n[_TURN] = seat
    n[_SOURCE] = AFTER_CLAIM
    n[_DRAWN] = NOTHING
    n[_LAST] = NOTHING
    n[_HANDS] = hands
    n[_DOUBT] = doubt
    n[_RIVER] = river[:-1] if river and river[-1] & 63 == event.tile else river
    n[_MELDS] = _at(table.melds, seat, (*table.melds[seat], Meld(kind, (event.tile, *event.with_), event.from_)))
    n[_UNTOUCHED] = table.untouched & ~(1 << seat)
    n[_ANSWERED] = 0
    n[_ROBBABLE] = False
    return _new(Table, n)


def _melded(table: Table, event: ev.Konged, meld: Meld) -> dict[str, Any]:
    """What changes as the tiles go out of the hand, and a claimed discard out of the river, into a set."""
    seat, river = event.seat, table.river
    is_open_discard = bool(river) and river[-1] & 63 == event.tile and event.from_ is not None
    hands, doubt = _without_tiles(table, seat, event.with_)
    return {
        "seq": event.seq,
        "at": event.at,
        "turn": seat,
        "hands": hands,
        "doubt": doubt,
        "river": river[:-1] if is_open_discard else river,
        "melds": _at(table.melds, seat, (*table.melds[seat], meld)),
        "untouched": table.untouched & ~(1 << seat),
        "answered": 0,
        "robbable": False,
    }


def _konged(table: Table, event: ev.Konged) -> Table:
    seat, bit = event.seat, 1 << event.seat
    melded = _melded(table, event, Meld(event.kind, (event.tile, *event.with_), _or_nothing(event.from_)))
    if event.kind == "added":
        melded["melds"] = _at(table.melds, seat, _with_added(table.melds[seat], event.tile))
    elif event.kind == "concealed":
        meld = Meld("concealed", event.with_ or (event.tile,) * COPIES)
        melded["melds"] = _at(table.melds, seat, (*table.melds[seat], meld))
    level = level_after_kong(table, seat, melded["hands"][seat])
    melded |= {
        "phase": KONG,
        "last": event.tile,
        "drawn": NOTHING,
        "robbable": event.kind == "added",
        "opening": False,
        "stale": table.stale | bit,
        "levels": _at(table.levels, seat, level),
        "fallen": table.fallen | bit if table.levels[seat] and not level else table.fallen,
    }
    return change(table, **melded)


def _with_added(melds: tuple[Meld, ...], tile: Tile) -> tuple[Meld, ...]:
    """The pung of ``tile`` made a kong; a kong of its own where the record has no such pung."""
    for i, meld in enumerate(melds):
        if meld.kind == "pung" and meld.tiles[0] == tile:
            return _at(melds, i, Meld("added", (*meld.tiles, tile), meld.from_))
    return (*melds, Meld("added", (tile,) * COPIES))


def _dealt(table: Table, event: ev.Dealt) -> Table:
    dealt = len(table.deals) + 1
    is_done = dealt == len(table.seats)
    changes = _with_tiles(table, event.seat, event.tiles, table.held)
    if len(event.tiles) != table.book.hand_size + (event.seat == table.dealer):
        changes["doubt"] |= 1 << event.seat
    return change(
        table,
        **changes,
        seq=event.seq,
        at=event.at,
        phase=FLOWERS if is_done else DEALING,
        next_deal=0 if is_done else dealt,
        deals=(*table.deals, Deal(event.seq, event.seat, event.tiles)),
    )


def _flowers_replaced(table: Table, event: ev.FlowersReplaced) -> Table:
    seat, drawn = event.seat, event.drawn
    laid = flower_mask(event.flowers)
    changes = _with_tiles(table, seat, drawn, _without_flowers(table.held, seat, event.flowers))
    changes |= {
        "seq": event.seq,
        "at": event.at,
        "flowers": _at(table.flowers, seat, table.flowers[seat] | laid),
        "taken": (*table.taken, *[event.seq << 16 | TAIL << 6 | tile for tile in drawn]),
    }
    if table.phase in (DEALING, FLOWERS):
        return change(table, **changes, next_deal=(seat - table.dealer) % len(table.seats) + 1)
    if not drawn:
        return change(table, **changes, phase=DRY, drawn=NOTHING)
    phase = FLOWER if drawn[-1] >= FIRST_FLOWER else TURN
    return change(table, **changes, phase=phase, drawn=drawn[-1], turn=seat)


def _gold_flipped(table: Table, event: ev.GoldFlipped) -> Table:
    if len(table.golds) == table.book.gold_flips:
        return _noted(table, event)
    if len(event.tiles) > table.left:
        raise Impossible("more tiles flipped than are left in the wall")
    counted = places(table, event)
    flips = zip(counted, event.tiles, strict=True)
    golds = (*table.golds, event.gold)
    changes = {
        "seq": event.seq,
        "at": event.at,
        "golds": golds,
        "flipped": table.flipped + event.tiles,
        "left": table.left - len(event.tiles),
        "seen": table.seen + sum([SEEN_UNIT[tile] for tile in event.tiles]),
        "taken": (*table.taken, *[event.seq << 16 | place << 8 | FLIP << 6 | tile for place, tile in flips]),
    }
    if len(golds) < table.book.gold_flips:
        return change(table, **changes)
    where = layout(() if max(golds) >= FIRST_FLOWER else golds)
    return change(
        table,
        **changes,
        doubt=_in_doubt_at_flip(table, golds),
        layout=where,
        hands=tuple([flipped(hand, where) for hand in table.hands]),
        phase=TURN,
        turn=table.dealer,
        drawn=NOTHING,
        source=AFTER_DEAL,
        opening=True,
        untouched=(1 << len(table.seats)) - 1 & ~(1 << table.dealer),
    )


def _in_doubt_at_flip(table: Table, golds: tuple[Tile, ...]) -> int:
    """A seat that still holds a flower has a tile too few; with a flower for gold nobody's hand can be read."""
    if max(golds) >= FIRST_FLOWER:
        return (1 << len(table.seats)) - 1
    return table.doubt | sum(1 << seat for seat, flowers in enumerate(table.held) if flowers)


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
    melds = table.melds
    if table.phase == KONG and table.robbable and event.seat != table.turn:
        melds = _at(melds, table.turn, without_added(melds[table.turn], table.last))
    if event.from_ is not None and event.tile is not None and event.tile < FIRST_FLOWER:
        table = _with_won_tile(table, event.seat, event.tile)
    return change(
        table,
        seq=event.seq,
        at=event.at,
        phase=OVER if table.deltas is None else SETTLED,
        melds=melds,
        outcome=outcome,
        answered=0,
        robbable=False,
    )


def _with_won_tile(table: Table, seat: int, tile: Tile) -> Table:
    index, unit = table.layout.slots[tile]
    hand = table.hands[seat]
    if hand[index] // unit % 5 == COPIES:
        return table
    river = table.river[:-1] if table.phase == CLAIMS else table.river
    return change(table, hands=_at(table.hands, seat, add(hand, (index, unit))), river=river)


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
    phase = SETTLED if table.phase == OVER else table.phase
    return change(table, seq=event.seq, at=event.at, phase=phase, deltas=event.deltas)


def _hand_ended(table: Table, event: ev.HandEnded) -> Table:
    _require_length(table, event.scores, "scores")
    dealer, streak = table.book.next_dealer(table)
    return change(table, seq=event.seq, at=event.at, phase=BETWEEN, scores=event.scores, dealer=dealer, streak=streak)


def _voided(table: Table, event: ev.Voided) -> Table:
    return change(table, seq=event.seq, at=event.at, phase=OVER, outcome=VOIDED, deltas=None, answered=0)


def _hand_started(table: Table, event: ev.HandStarted) -> Table:
    _require_length(table, event.scores, "scores")
    if event.dealer >= len(table.seats):
        raise Impossible(f"no seat {event.dealer} to deal")
    if table.phase in (DEALING, *_DURING) and event.hand != table.hand + 1:
        return _noted(table, event)  # a stray event; where the rest of a hand is missing, the next one begins
    return change(
        fresh(table),
        seq=event.seq,
        at=event.at,
        phase=DEALING,
        hand=event.hand,
        dealer=event.dealer,
        streak=event.streak,
        scores=event.scores,
        hand_commitment=event.commitment,
        client_seeds=event.client_seeds,
        wall_root=event.wall_root,
    )


def _seeds_opened(table: Table, event: ev.SeedsOpened) -> Table:
    if table.opened:
        return _noted(table, event)
    return change(table, seq=event.seq, at=event.at, opened=event.client_seeds)


def _dice_rolled(table: Table, event: ev.DiceRolled) -> Table:
    return change(
        table, seq=event.seq, at=event.at, throws=(*table.throws, Throw(event.seq, event.purpose, event.dice))
    )


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
    return change(table, seq=event.seq, at=event.at, is_revealed=True)


def _presence_changed(table: Table, event: ev.PresenceChanged) -> Table:
    return _out_of_place(table, event)


def _noted(table: Table, event: ev.Event) -> Table:
    """An event that changes nothing on the table."""
    return change(table, seq=event.seq, at=event.at)


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
    ev.Dealt: _within((DEALING,), _dealt),
    ev.FlowersReplaced: _within(_DURING, _flowers_replaced),
    ev.GoldFlipped: _within(_DURING, _gold_flipped),
    ev.TurnPrompted: _within(_HAND, _noted),
    ev.Drew: _drew,
    ev.Discarded: _discarded,
    ev.Chowed: _within(_DURING, _claimed),
    ev.Punged: _within(_DURING, _claimed),
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


def _require_length(table: Table, values: tuple[int, ...], name: str) -> None:
    if len(values) != len(table.seats):
        raise Impossible(f"{name} must have {len(table.seats)} numbers, not {len(values)}")


def _at(values: tuple[_T, ...], index: int, value: _T) -> tuple[_T, ...]:
    changed = [*values]
    changed[index] = value
    return tuple(changed)


def _with_tiles(table: Table, seat: int, tiles: tuple[Tile, ...], held: tuple[int, ...]) -> dict[str, Any]:
    """What changes as tiles go out of the wall into the seat's hand; flowers are held until they are laid out."""
    if len(tiles) > table.left:
        raise Impossible("more tiles drawn than are left in the wall")
    packed, flowers, seen, doubt = [*table.hands[seat]], held[seat], table.seen, table.doubt
    slots = table.layout.slots
    for tile in tiles:
        seen += SEEN_UNIT[tile]
        if tile >= FIRST_FLOWER:
            flowers |= 1 << (tile - FIRST_FLOWER)
            continue
        index, unit = slots[tile]
        packed[index] += unit
    if has_too_many(seen):
        packed, doubt = _as_far_as_held(table, seat, tiles)
    return {
        "hands": _at(table.hands, seat, tuple(packed)),
        "held": _at(held, seat, flowers) if flowers != held[seat] else held,
        "seen": seen,
        "doubt": doubt,
        "left": table.left - len(tiles),
    }


def _as_far_as_held(table: Table, seat: int, tiles: tuple[Tile, ...]) -> tuple[list[int], int]:
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
    return packed, doubt


def _without_tiles(table: Table, seat: int, tiles: tuple[Tile, ...]) -> tuple[tuple[Hand, ...], int]:
    """The hands once the tiles are out of the seat's, and who is in doubt: a seat without such a tile is."""
    packed, doubt = list(table.hands[seat]), table.doubt
    slots = table.layout.slots
    for tile in tiles:
        index, unit = slots[tile] if tile < FIRST_FLOWER else GOLD_SLOT
        if tile < FIRST_FLOWER and packed[index] // unit % 5:
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
