"""How far each suit of a hand is from being complete, looked up in one step.

A hand is cut into its suits, for no set spans two of them. The tiles of one suit are a count for each
kind, 0 to 4, written as one number in base five: ``sum(count[i] * POWERS[i])``, where ``i`` is the
tile's place in its suit (1 is place 0). Nine kinds make a number suit and seven the honours.

For every such number the tables hold one byte, ``8 * sets - saves``:

- ``sets`` is the fewest wild tiles that, added to the suit, split all of it into sets: triplets, and
  runs of three in a number suit. A wild stands for any kind of the suit, a set may be wild
  throughout, and wilds may bring a kind above four;
- ``saves`` is 1 where a split into sets *and one pair* takes one wild fewer than that, else 0.

Nothing between is possible. A split into sets and a pair needs one fewer or two more: at most two more,
since two wilds are a pair; at least one fewer, since one more wild makes the pair a triplet; and by the
number of tiles it can only be one of these.

The bytes of a hand's four suits add up without mixing, as ``saves`` of four suits stay below 8. With
``total`` their sum and ``wilds`` the wilds in hand,

- sets and one pair, where tiles and wilds number two above a multiple of three:
  ``total < 8 * (wilds + 1)``. The sum of ``sets`` is then ``wilds + 1`` or differs from it by threes.
  Below, the wilds left over hold a pair of their own and triplets; at ``wilds + 1``, some suit must save
  one;
- sets alone, where tiles and wilds are a multiple of three: ``(total + 7) >> 3 <= wilds``.

The tables come as blocks that share their parts (``tools/build_suits.py`` makes them), since a table
of five to the ninth bytes has few parts that differ by more than a constant.
"""

from __future__ import annotations

from replays._suits_packed import HONOURS_LEVELS, SUIT_LEVELS

#: What one tile at each place of its suit adds to the suit's number.
POWERS: tuple[int, ...] = tuple(5**place for place in range(9))

_RECORD = 10  # bytes of a packed block: five parts, each its number one level down and what to add
_BYTES = bytes(range(256))


def unpack(levels: tuple[str, ...]) -> bytes:
    """The table that ``levels`` describe, ``5 ** len(levels)`` bytes.

    A level is hexadecimal text, one record of ten bytes for each distinct block. The block is five
    blocks of the level before in a row, for 0 to 4 copies of the level's kind; the record names each by
    its number there and gives the constant to add to its bytes. Before the first level there is one
    block, a zero byte; the last level has one block, the table.
    """
    blocks = [b"\0"]
    for level in levels:
        records = bytes.fromhex(level)
        blocks = [_block(blocks, records[at : at + _RECORD]) for at in range(0, len(records), _RECORD)]
    return blocks[0]


def _block(parts: list[bytes], record: bytes) -> bytes:
    """The block of one record, put together from ``parts``."""
    pairs = zip(record[::2], record[1::2], strict=True)
    return b"".join(parts[number].translate(_adding(constant)) for number, constant in pairs)


def _adding(constant: int) -> bytes:
    """The translation that adds ``constant`` to a byte; no table reaches 256, so the end is padding."""
    return _BYTES[constant:] + bytes(constant)


#: For the number of each number suit (nine kinds), ``8 * sets - saves``.
SUIT: bytes = unpack(SUIT_LEVELS)
#: For the number of the honours (seven kinds), ``8 * sets - saves``.
HONOURS: bytes = unpack(HONOURS_LEVELS)
