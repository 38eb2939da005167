"""The table as one seat knows it (S-VIEW-1), for questions about what that seat may do."""

from __future__ import annotations

from functools import cache

from replays.hands import Hand, layout, pack
from replays.table import FLOWER, NOTHING, TURN, Meld, Table, change
from replays.tiles import FIRST_FLOWER, FIRST_HONOUR, KINDS, WHITE, Tile
from replays.view import is_open, may_see

#: Kinds of which no two make a set.
_APART: tuple[Tile, ...] = (*range(0, FIRST_HONOUR, 3), *range(FIRST_HONOUR, KINDS))
#: A kong whose kind is not known: of no kind that counts anywhere.
_HIDDEN_KONG = Meld("concealed", (FIRST_FLOWER,) * 4)


def as_seen(table: Table, seat: int) -> Table:
    """The table with nothing in it that hangs on what ``seat`` may not see: in place of another's hand lies one that
    can do nothing, and a flower that another has drawn shows no more than any draw.

    A right that hangs on another's hidden tiles (X-WIN-11, L-OPEN-3) is therefore judged as far as ``seat`` can know.
    Once all hands lie open this is the table itself.
    """
    if is_open(table) or not table.hands:
        return table
    own, is_own_turn = 1 << seat, seat == table.turn
    dull = _dull(table.golds)
    return change(
        table,
        hands=tuple(hand if one == seat else dull for one, hand in enumerate(table.hands)),
        held=tuple(held if one == seat else 0 for one, held in enumerate(table.held)),
        melds=tuple(_melds(table, one, seat) for one in range(table.players)),
        phase=table.phase if is_own_turn or table.phase != FLOWER else TURN,
        drawn=table.drawn if is_own_turn else NOTHING,
        doubt=table.doubt & own,
        declared=table.declared & own,
        fallen=table.fallen & own,
        untouched=table.untouched & own,
        answered=table.answered & own,
        deals=(),
        seen=0,
        taken=(),
    )


@cache
def _dull(golds: tuple[Tile, ...]) -> Hand:
    """A hand far from every win and claim."""
    barred = (*golds, WHITE)
    return pack([kind for kind in _APART if kind not in barred], layout(golds))


def _melds(table: Table, seat: int, viewer: int) -> tuple[Meld, ...]:
    if table.book.options["concealed_kong_shown"] or may_see(table, seat, viewer):
        return table.melds[seat]
    return tuple(_HIDDEN_KONG if meld.kind == "concealed" else meld for meld in table.melds[seat])
