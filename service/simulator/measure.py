"""How good a hand is, cheaply: enough for players that mean to win, no more.

The measure of a concealed hand is the sum of its suits in the tables of ``replays.suits``, less what its golds are
worth: eight for every wild that is still wanting. It compares hands of the same number of tiles, or of three fewer
with one set more on the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from replays.events import Act
from replays.hands import GOLD_SLOT, Hand, Layout
from replays.suits import HONOURS, POWERS, SUIT
from replays.tiles import Tile

_TABLES = (SUIT, SUIT, SUIT, HONOURS)


def measure(hand: Hand) -> int:
    """The smaller, the nearer to complete."""
    m, p, s, z, golds = hand
    return SUIT[m] + SUIT[p] + SUIT[s] + HONOURS[z] - 8 * golds


def without(hand: Hand, tiles: Iterable[Tile], where: Layout) -> Hand:
    """The hand less ``tiles``, which it holds."""
    packed = list(hand)
    for tile in tiles:
        index, unit = where.slots[tile]
        packed[index] -= unit
    return tuple(packed)  # type: ignore[return-value]


def after_claim(hand: Hand, act: Act, where: Layout) -> int:
    """The measure that a chow or pung and the best discard after it would leave."""
    left = without(hand, act.with_, where)
    held = [tile for tile, slot in enumerate(where.slots) if slot != GOLD_SLOT and _holds(left, slot)]
    return min((measure(without(left, (tile,), where)) for tile in held), default=measure(left))


def best_discard(hand: Hand, tiles: Iterable[Tile], where: Layout) -> Tile:
    """Of ``tiles``, the one whose discard leaves the best hand; among equals the loneliest."""
    total = measure(hand)
    best, chosen = 1 << 30, -1
    for tile in tiles:
        index, unit = where.slots[tile]
        if index == GOLD_SLOT[0]:
            worth = (total + 8) << 8
        else:
            packed, table = hand[index], _TABLES[index]
            worth = (total - table[packed] + table[packed - unit]) << 8 | _company(packed, unit, index == 3)
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
