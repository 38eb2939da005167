"""How good a hand is, cheaply: enough for players that mean to win, no more.

The measure of a concealed hand is the sum of its suits in the tables of ``replays.suits``, less what its golds are
worth: eight for every wild that is still wanting. It compares hands of the same number of tiles, or of three fewer
with one set more on the table. Where seven pairs win, what a whole hand wants for them is measured as well, and the
smaller of the two counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from replays.clauses.shapes import odd_kinds
from replays.events import Act
from replays.hands import GOLD_SLOTS, GOLDS, Hand, Layout, layout, pack, without
from replays.rulebook import Rulebook
from replays.suits import HONOURS, POWERS, SUIT
from replays.tiles import NUMBERS, Tile

_TABLES = (SUIT, SUIT, SUIT, HONOURS)
_GOLD = GOLD_SLOTS[0][0]  #: where golds are counted
#: What a single tile wants in seven pairs, and what makes a hand that waits for pairs as good as one for sets.
_SINGLE, _PAIRS = 12, 3

_ONE_GOLD = layout((NUMBERS["9s"],))
_SIX_PAIRS = pack(
    [NUMBERS[code] for code in "1m 4m 7m 1s 4s 1z".split() for _ in range(2)] + [NUMBERS["3z"]], _ONE_GOLD
)


@lru_cache(maxsize=256)
def has_seven_pairs(book: Rulebook) -> bool:
    """Whether seven pairs win by the rule book: it says that six and a single tile are ready."""
    return book.is_ready(_SIX_PAIRS, _ONE_GOLD)


def measure(hand: Hand, with_pairs: bool = False) -> int:
    """The smaller, the nearer to complete; ``with_pairs`` where the hand may also become seven pairs."""
    m, p, s, z, golds = hand
    for_sets = SUIT[m] + SUIT[p] + SUIT[s] + HONOURS[z] - 8 * GOLDS[golds]
    return min(for_sets, _for_pairs(hand)) if with_pairs else for_sets


def _for_pairs(hand: Hand) -> int:
    return _SINGLE * (odd_kinds(hand) - GOLDS[hand[4]]) + _PAIRS


def after_claim(hand: Hand, act: Act, where: Layout) -> int:
    """The measure that a chow or pung and the best discard after it would leave."""
    left = without(hand, act.with_, where)
    held = [tile for tile, slot in enumerate(where.slots) if slot[0] != _GOLD and _holds(left, slot)]
    return min((measure(without(left, (tile,), where)) for tile in held), default=measure(left))


def best_discard(hand: Hand, tiles: Iterable[Tile], where: Layout, with_pairs: bool = False) -> Tile:
    """Of ``tiles``, the one whose discard leaves the best hand; among equals the loneliest."""
    total = measure(hand)
    pairs = _for_pairs(hand) if with_pairs else 0
    best, chosen = 1 << 30, -1
    for tile in tiles:
        index, unit = where.slots[tile]
        if index == _GOLD:
            worth = (total + 8) << 8
        else:
            packed, table = hand[index], _TABLES[index]
            left = total - table[packed] + table[packed - unit]
            if with_pairs:
                is_single = packed // unit % 5 & 1
                left = min(left, pairs - _SINGLE if is_single else pairs + _SINGLE)
            worth = left << 8 | _company(packed, unit, index == 3)
        if worth < best:
            best, chosen = worth, tile
    return chosen


@lru_cache(maxsize=1 << 17)
def _company(packed: int, unit: int, is_honour: bool) -> int:
    """How much a tile's own kind and its neighbours keep it company."""
    same = 6 * (packed // unit % 5)
    if is_honour:
        return same
    place = POWERS.index(unit)
    near = sum(
        weight * min(packed // POWERS[other] % 5, 2)
        for step, weight in ((-2, 2), (-1, 4), (1, 4), (2, 2))
        if 0 <= (other := place + step) < 9
    )
    return same + near + min(place, 8 - place, 2)


def _holds(hand: Hand, slot: tuple[int, int]) -> int:
    index, unit = slot
    return hand[index] // unit % 5
