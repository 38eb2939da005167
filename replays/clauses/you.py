"""游 — the lone-gold wait, its upgrades and its locks (S-YOU-1 to S-YOU-4)."""

from __future__ import annotations

from replays.events import Act, Discarded
from replays.hands import Hand, add, unpack, without
from replays.rulebook import Bar, Judge, Violation
from replays.table import AFTER_CLAIM, DRAWN, Table
from replays.tiles import Tile, codes

DOUBLE, TRIPLE = 2, 3

#: The levels by the names that logs use.
LEVELS = {"double_you": DOUBLE, "triple_you": TRIPLE}
LEVEL_NAMES = {level: name for name, level in LEVELS.items()}


def level_after(table: Table, seat: int, tile: Tile, after: Hand) -> int:
    """The level a seat holds once it has discarded ``tile`` and kept ``after``: 0, 2 (雙游) or 3 (三游).

    S-YOU-3: the wait before the draw and the hand after a gold's discard are both in you state. From 雙游 the
    same on the first own draw makes 三游. Everything else loses the level (S-YOU-4), and what was lost does not come
    back: later wins count 游金 at most (L-YOU-4).
    """
    if tile not in table.golds or not _is_upgrade(table, seat, after):
        return 0
    before = table.levels[seat]
    bit = 1 << seat
    has_drawn_gold = table.drawn in table.golds
    options = table.book.options
    if before == 0:
        allowed = has_drawn_gold or options["you_by_substitution"]
        return DOUBLE if allowed and not table.fallen & bit else 0
    if before == DOUBLE and not table.stale & bit:
        return TRIPLE if has_drawn_gold or options["triple_by_substitution"] else 0
    return 0


def _is_upgrade(table: Table, seat: int, after: Hand) -> bool:
    if seat != table.turn or table.source not in DRAWN or not may_count_you(table, seat):
        return False
    book, where = table.book, table.layout
    return book.in_you_state(after, where) and book.in_you_state(table.waiting(seat), where)


def may_count_you(table: Table, seat: int) -> bool:
    """Whether a seat's 游 counts: where it must be declared, only once it was (S-YOU-2)."""
    return not table.book.options["you_declared"] or bool(table.declared >> seat & 1)


def level_after_kong(table: Table, seat: int, after: Hand) -> int:
    """The level that stays when a seat kongs: what it was while the hand stays in you state (X-LOCK-1, L-YOU-2)."""
    return table.levels[seat] if table.book.in_you_state(after, table.layout) else 0


def after_discard(table: Table, seat: int, tile: Tile) -> Hand:
    """The concealed hand once ``tile``, which it holds, is discarded."""
    return add(table.hands[seat], table.layout.slots[tile], -1)


def lock_on_claims(clause: str) -> Bar:
    """X-LOCK-1: while somebody's 雙游 or 三游 discard binds the table nobody claims a discard, and the others
    declare no kong."""

    def bar(table: Table, seat: int, act: Act) -> Violation | None:
        if not table.lock:
            return None
        is_own_kong = act.act == "kong" and act.kind != "exposed"
        if is_own_kong and not table.lock & ~(1 << seat):
            return None
        return _locked(clause, table)

    return bar


def lock_on_wins(clause: str) -> Bar:
    """X-LOCK-1: no win on a discard while 雙游 or 三游 is on, and its player's own kong is not robbed."""

    def bar(table: Table, seat: int, act: Act) -> Violation | None:
        is_locked = table.lock >> table.turn & 1 if table.robbable else table.lock
        if act.from_ is None or not is_locked:
            return None
        return _locked(clause, table)

    return bar


def _locked(clause: str, table: Table) -> Violation:
    return Violation(clause, "locked_by_you", {"acts": ["draw", "discard"], "locked_by": seats_in(table.lock)})


def seats_in(mask: int) -> list[int]:
    """The seats of a mask, ascending."""
    return [seat for seat in range(mask.bit_length()) if mask >> seat & 1]


# -- Where a pung may keep or make a level ---------------------------------------------------------------------------


def level_after_pung_or_draw(table: Table, seat: int, tile: Tile, after: Hand) -> int:
    """``level_after`` where a pung does not pass the win: a level stays while the hand stays in you state (L-YOU-2),
    and a gold discarded right after a pung makes 雙游 (L-YOU-3, option ``you_by_pung``)."""
    if seat != table.turn or table.source != AFTER_CLAIM:
        return level_after(table, seat, tile, after)
    book, where = table.book, table.layout
    if not book.in_you_state(after, where) or not may_count_you(table, seat):
        return 0
    if table.levels[seat]:
        return table.levels[seat]
    # Before the pung the hand was in you state with two golds: what it was with the pair and a gold more.
    is_upgrade = book.options["you_by_pung"] and tile in table.golds and not table.fallen >> seat & 1
    return DOUBLE if is_upgrade else 0


def keeps_you_state(clause: str) -> Judge:
    """L-YOU-1: who declared 游 discards only what keeps you state."""

    def judge(table: Table, event: Discarded) -> Violation | None:
        seat = event.seat
        if not table.declared >> seat & 1:
            return None
        kept = _keeping(table, table.hands[seat])
        return None if event.tile in kept else Violation(clause, "leaves_you_state", {"tiles": codes(kept)})

    return judge


def _keeping(table: Table, hand: Hand) -> list[Tile]:
    """The tiles of a hand whose discard leaves you state."""
    where, in_you_state = table.layout, table.book.in_you_state
    held = dict.fromkeys(unpack(hand, where))
    return [tile for tile in held if in_you_state(without(hand, (tile,), where), where)]


def leaves_a_keeping_discard(clause: str) -> Bar:
    """L-YOU-1: who declared 游 kongs only where the hand stays in you state, and pungs only where some discard then
    keeps it: else no discard would be left."""

    def bar(table: Table, seat: int, act: Act) -> Violation | None:
        if not table.declared >> seat & 1:
            return None
        left = without(table.hands[seat], act.with_, table.layout)
        if act.act == "kong" and table.book.in_you_state(left, table.layout):
            return None
        if act.act == "pung" and _keeping(table, left):
            return None
        return Violation(clause, "leaves_you_state", {"acts": ["pass"]})

    return bar
