"""Follow the honour, 跟打 (X-FOLLOW-1, X-FOLLOW-2)."""

from __future__ import annotations

from replays.clauses.you import after_discard
from replays.events import Discarded
from replays.hands import count, is_ready
from replays.rulebook import Judge, Violation
from replays.suits import POWERS
from replays.table import Table
from replays.tiles import CODES, FIRST_HONOUR, WHITE, Tile

_HONOURS = 7
_ALL = (1 << _HONOURS) - 1


class _Singles(dict[int, int]):
    """The honours, as a mask, of which a packed honour suit holds exactly one."""

    def __missing__(self, packed: int) -> int:
        self[packed] = singles = sum(1 << i for i in range(_HONOURS) if packed // POWERS[i] % 5 == 1)
        return singles


class _Bound(dict[tuple[Tile, ...], int]):
    """The honours, as a mask, that the rule binds under given golds: golds and the stand-in are none (X-FOLLOW-2)."""

    def __missing__(self, golds: tuple[Tile, ...]) -> int:
        self[golds] = bound = _bound(golds)
        return bound


def _bound(golds: tuple[Tile, ...]) -> int:
    stand_in = (WHITE,) if golds and WHITE not in golds else ()
    bound = _ALL
    for tile in (*golds, *stand_in):
        if tile >= FIRST_HONOUR:
            bound &= ~(1 << (tile - FIRST_HONOUR))
    return bound


_SINGLES, _BOUND = _Singles(), _Bound()


def follow_honour(clause: str, exemption: str, is_ready_exempt: bool) -> Judge:
    """X-FOLLOW-1 with the exemptions of X-FOLLOW-2; ``is_ready_exempt`` where the game knows 天聽."""

    def judge(table: Table, event: Discarded) -> Violation | None:
        out = table.thrown >> FIRST_HONOUR
        if not out:
            return None
        seat = event.seat
        single = out & _SINGLES[table.hands[seat][3]]
        if not single:
            return None
        tile, bound = event.tile, single & _BOUND[table.golds]
        if not bound or (tile >= FIRST_HONOUR and bound >> (tile - FIRST_HONOUR) & 1):
            return None
        if is_exempt(table, seat, tile, is_ready_exempt):
            return None
        tiles = [CODES[FIRST_HONOUR + i] for i in range(_HONOURS) if bound >> i & 1]
        return Violation(
            clause, "must_follow_honour", {"tiles": tiles}, (exemption,) if table.untouched >> seat & 1 else ()
        )

    return judge


def is_exempt(table: Table, seat: int, tile: Tile, is_ready_exempt: bool) -> bool:
    """X-FOLLOW-2: 天聽 discarding what it drew, or the gold discard that makes 雙游 or 三游."""
    if is_ready_exempt and table.untouched >> seat & 1 and tile == table.drawn:
        return is_ready(table.waiting(seat), table.layout)
    if tile not in table.golds or not count(table.hands[seat], table.layout.slots[tile]):
        return False
    return table.book.level_after(table, seat, tile, after_discard(table, seat, tile)) > 0
