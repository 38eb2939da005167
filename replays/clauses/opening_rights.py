"""Rights to win at the opening (L-OPEN-1 to L-OPEN-5): who has one by time and turn, what was passed, and which hands
they win on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from replays.clauses.shapes import is_thirteen_orphans
from replays.events import Act, Passed
from replays.hands import Hand, Layout, add, unpack, without
from replays.rulebook import Memory, Rulebook, Settlement, Violation, recall
from replays.table import CLAIMS, TURN, Table
from replays.tiles import Tile

COVERED, HEAVENLY, GOLDS, ROB = "covered_rob_gold", "heavenly_win", "three_golds", "rob_gold"


# -- On what hands ---------------------------------------------------------------------------------------------------


def with_gold(hand: Hand, where: Layout) -> Hand:
    """The hand with the flipped gold taken as its missing tile; of two golds either does."""
    return add(hand, where.slots[where.golds[0]])


def without_one(hand: Hand, where: Layout) -> Iterator[tuple[Tile, Hand]]:
    """Every tile that may be taken out of a dealer's fourteen, with what is left."""
    for tile in dict.fromkeys(unpack(hand, where)):
        yield tile, without(hand, (tile,), where)


def covered(book: Rulebook, hand: Hand, where: Layout, is_dealer: bool) -> Iterator[tuple[Tile | None, Hand]]:
    """L-OPEN-4: what is taken away and the thirteen tiles left with which a seat has 蓋寶搶金: a non-dealer's own
    in you state; a dealer's in you state, or ready if it is a gold that is taken away."""
    if not is_dealer:
        if book.in_you_state(hand, where):
            yield None, hand
        return
    for tile, left in without_one(hand, where):
        if book.in_you_state(left, where) or (tile in where.golds and book.is_ready(left, where)):
            yield tile, left


# -- Who has a right now ---------------------------------------------------------------------------------------------


def rights(table: Table, seat: int) -> tuple[str, ...]:
    """The rights that stand for a seat by time and turn, whatever its hand is: at the opening (L-OPEN-1), and for the
    others still while the dealer's first discard lies open (L-OPEN-2)."""
    if not table.layout.golds:
        return ()  # what was flipped is no gold (S-GOLD-1), and there is none to take
    is_dealer, has_waived = seat == table.dealer, recall(table, WAIVED) >> seat & 1
    if not table.opening or table.phase != TURN:
        is_late = has_waived or is_dealer or not _is_first_discard(table) or _has_passed(table, seat)
        return () if is_late else (ROB,)
    if has_waived:
        return (GOLDS,)
    if not is_dealer:
        return COVERED, GOLDS
    return (COVERED, HEAVENLY, GOLDS) if _is_anybody_ready(table) else (COVERED, HEAVENLY, GOLDS, ROB)


def _is_first_discard(table: Table) -> bool:
    is_dealers = table.phase == CLAIMS and table.turn == table.dealer
    return is_dealers and len(table.river) == 1 and table.thrown.bit_count() == 1


def _is_anybody_ready(table: Table) -> bool:
    """L-OPEN-3: whether a non-dealer has 搶金, as the dealer's first discard will give it."""
    waived = recall(table, WAIVED) | table.doubt
    return any(
        _will_rob(table.book, table.hands[seat], table.layout)
        for seat in table.others(table.dealer)
        if not waived >> seat & 1
    )


def _will_rob(book: Rulebook, hand: Hand, where: Layout) -> bool:
    if book.is_ready(hand, where):
        return not book.in_you_state(hand, where)
    wild = book.options["orphans_wild"]
    return any(is_thirteen_orphans(add(hand, where.slots[gold]), where, wild) for gold in where.golds)


def _after_pass(table: Table, event: Passed, after: Table, waived: Any) -> int:
    """L-OPEN-1: passing 蓋寶搶金 passes 天胡 and 搶金 as well."""
    seat = event.seat
    if not table.opening or table.phase != TURN or table.doubt >> seat & 1:
        return int(waived)
    has_right = any(covered(table.book, table.hands[seat], table.layout, seat == table.dealer))
    return int(waived) | has_right << seat


#: Seats that have passed 蓋寶搶金 on record, as a mask.
WAIVED = Memory(0, {Passed: _after_pass})


# -- Why not ---------------------------------------------------------------------------------------------------------


def why_not_right(table: Table, seat: int, act: Act, verdict: Settlement | Violation) -> Violation | None:
    """The clause of the opening that a win breaks which is none by the name that it has; ``None`` where the hand wins
    in another way, or wins so but for the tile that is said to be taken away."""
    is_dealer = seat == table.dealer
    if act.win == HEAVENLY and is_dealer and not table.opening and not table.thrown:
        return Violation("L-OPEN-5", "no_heavenly_win_after_kong", {"acts": ["discard", "win"]})
    if isinstance(verdict, Settlement) or verdict.code == "wrong_tile_out":
        return None
    if act.tile is not None or act.win not in (ROB, COVERED, HEAVENLY):
        return None
    if recall(table, WAIVED) >> seat & 1 or (act.win == ROB and _has_passed(table, seat)):
        return Violation("L-OPEN-1", "right_passed_before", {"acts": ["pass"]})
    if act.win == HEAVENLY:
        return None
    if act.win == COVERED:
        return Violation("L-OPEN-4", "no_covered_rob_gold", {"acts": ["pass"]}, ("L-SHAPE-1",))
    return Violation("L-OPEN-3" if is_dealer else "L-OPEN-2", "no_rob_gold", {"acts": ["pass"]}, ("L-SHAPE-1",))


def _has_passed(table: Table, seat: int) -> bool:
    """Whether a seat let 蓋寶搶金 go by at the opening, and 搶金 with it: it was in you state and has not won."""
    return _is_first_discard(table) and table.book.in_you_state(table.hands[seat], table.layout)
