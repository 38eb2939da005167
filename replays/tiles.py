"""Tiles and their notation (S-TILE-1, S-TILE-2).

A tile is a small integer: 0-8 characters (萬), 9-17 dots (餅), 18-26 bamboo (條), 27-33 honours
(東南西北白發中), 34-41 flowers (春夏秋冬梅蘭竹菊). Copies of one kind are not told apart, for no log tells
them apart. Text is the MPSZ code that mahjong software shares, with ``f`` for flowers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

Tile: TypeAlias = int

#: Every tile's code, by its number.
CODES: tuple[str, ...] = (
    *(f"{n}{suit}" for suit in "mps" for n in range(1, 10)),
    *(f"{n}z" for n in range(1, 8)),
    *(f"{n}f" for n in range(1, 9)),
)
#: Every tile's number, by its code.
NUMBERS: dict[str, Tile] = {code: number for number, code in enumerate(CODES)}

#: How a tile is written that the reader may not see (S-VIEW-1).
HIDDEN = "??"

KINDS = 34  #: playing kinds; flowers follow them
FIRST_HONOUR = 27
WHITE: Tile = NUMBERS["5z"]
FIRST_FLOWER = KINDS
TILES = len(CODES)
COPIES = 4  #: copies of each playing kind; flowers have one

#: The two classes of flowers, 春夏秋冬 and 梅蘭竹菊, as bit masks over the eight flowers.
SEASONS = 0b0000_1111
PLANTS = 0b1111_0000

_DOTS = range(9, 18)


def parse(code: str) -> Tile:
    """The tile that ``code`` names; ``ValueError`` with the code in it where there is none."""
    try:
        return NUMBERS[code]
    except KeyError:
        raise ValueError(f"no tile {code!r}; tiles are 1m-9m 1p-9p 1s-9s 1z-7z 1f-8f") from None


def codes(tiles: Iterable[Tile]) -> list[str]:
    """The codes of ``tiles``, in their order."""
    return [CODES[tile] for tile in tiles]


def is_flower(tile: Tile) -> bool:
    """Whether ``tile`` is laid out and replaced rather than played."""
    return tile >= FIRST_FLOWER


def is_honour(tile: Tile) -> bool:
    """Whether ``tile`` is a wind or a dragon."""
    return FIRST_HONOUR <= tile < KINDS


def flower_bit(tile: Tile) -> int:
    """The bit of a flower in a mask of the eight."""
    return 1 << (tile - FIRST_FLOWER)


def flower_mask(flowers: Iterable[Tile]) -> int:
    """Flowers as a mask of the eight; 0 where a tile among them is no flower or comes twice."""
    mask = 0
    for tile in flowers:
        bit = 1 << tile - FIRST_FLOWER if tile >= FIRST_FLOWER else 0
        if not bit or mask & bit:
            return 0
        mask |= bit
    return mask


def flowers_in(mask: int) -> list[Tile]:
    """The flowers of a mask, ascending."""
    return [FIRST_FLOWER + i for i in range(TILES - FIRST_FLOWER) if mask >> i & 1]


def full_set(dots: bool = True) -> tuple[Tile, ...]:
    """All tiles of a rule set in the order from which a shuffle starts (``mingpai-shuffle/1``, step 6):
    each playing kind four times, then the eight flowers; 144 tiles, or 108 without dots."""
    kinds = [kind for kind in range(KINDS) if dots or kind not in _DOTS]
    return (*(kind for kind in kinds for _ in range(COPIES)), *range(FIRST_FLOWER, TILES))
