"""Hands with golds: packed counts, exact checks by table, and all readings.

A concealed hand is five small numbers: one base-5 count per suit (characters, dots, bamboo, honours) and one of the
golds, a place for each flipped kind. Golds are taken out of their suit, and the stand-in (S-WHITE-1) is counted in
the face kind's place, which its golds have left empty; so no place ever holds more than four, and a check is five
table reads (``replays.suits``), three additions and one comparison, with nothing to search.

Where two kinds are flipped, the stand-ins lie in the first one's place, and may play as either (L-GOLD-2): ``plays``
gives every such hand, and the checks here ask it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

from replays.suits import HONOURS, POWERS, SUIT
from replays.tiles import COPIES, FIRST_HONOUR, KINDS, WHITE, Tile

#: Packed counts: characters, dots, bamboo, honours, golds (the first flipped kind, then the second).
Hand: TypeAlias = tuple[int, int, int, int, int]

#: Where a kind is counted: index into the hand, and the unit one copy adds there.
Slot: TypeAlias = tuple[int, int]

EMPTY: Hand = (0, 0, 0, 0, 0)
#: Where the golds of the first and of the second flipped kind are counted.
GOLD_SLOTS: tuple[Slot, ...] = ((4, 1), (4, 5))
#: How many golds a hand's fifth number is, whatever their kind.
GOLDS: bytes = bytes(packed // 5 + packed % 5 for packed in range(25))
#: By a hand's fifth number, what its suits must stay below to be sets and a pair: see ``replays.suits``.
_ROOM_FOR_SETS: tuple[int, ...] = tuple(8 * golds + 8 for golds in GOLDS)

_NATURAL: tuple[Slot, ...] = tuple((kind // 9, POWERS[kind % 9]) for kind in range(KINDS))
#: Where the five counts begin in a single number: 5^9 < 2^21, 5^7 < 2^17.
_SHIFTS = (0, 21, 42, 63, 80)
_SUIT_MASK, _HONOUR_MASK = (1 << 21) - 1, (1 << 17) - 1
_WHITE_UNIT = _NATURAL[WHITE][1]


class Layout(NamedTuple):
    """Where each kind is counted under given golds, and which kind a place stands for."""

    golds: tuple[Tile, ...]
    slots: tuple[Slot, ...]
    #: per kind: the kind that the tile plays as in a set (the stand-in plays as the face kind)
    faces: tuple[Tile, ...]
    #: per face kind: the tile that is really there (white in the face kind's place)
    tiles: tuple[Tile, ...]
    #: per kind: one copy in a single number that holds all five counts side by side
    units: tuple[int, ...]
    #: where the stand-ins lie, and the other place that they may play in; ``None`` unless two kinds are flipped
    split: tuple[Slot, Slot] | None

    def __hash__(self) -> int:
        """By the golds alone, from which all the rest follows."""
        return self.golds.__hash__()


@cache
def layout(golds: tuple[Tile, ...] = ()) -> Layout:
    """The layout for the flipped ``golds``: none before the flip, one kind or two after it."""
    slots, faces = list(_NATURAL), list(range(KINDS))
    tiles = list(range(KINDS))
    has_stand_in = bool(golds) and WHITE not in golds
    if has_stand_in:
        first = golds[0]
        slots[WHITE], faces[WHITE], tiles[first] = _NATURAL[first], first, WHITE
    for face, slot in zip(golds, GOLD_SLOTS, strict=False):
        slots[face] = slot
    units = tuple(unit << _SHIFTS[index] for index, unit in slots)
    split = (_NATURAL[golds[0]], _NATURAL[golds[1]]) if has_stand_in and len(golds) > 1 else None
    return Layout(golds, tuple(slots), tuple(faces), tuple(tiles), units, split)


def count(hand: Hand, slot: Slot) -> int:
    """How many tiles lie in ``slot``."""
    index, unit = slot
    return hand[index] // unit % 5


def add(hand: Hand, slot: Slot, copies: int = 1) -> Hand:
    """The hand with ``copies`` more (or, negative, fewer) tiles in ``slot``."""
    index, unit = slot
    packed = list(hand)
    packed[index] += copies * unit
    return tuple(packed)  # type: ignore[return-value]


def without(hand: Hand, tiles: Iterable[Tile], where: Layout) -> Hand:
    """The hand less ``tiles``, which it holds."""
    packed = [*hand]
    for tile in tiles:
        index, unit = where.slots[tile]
        packed[index] -= unit
    return tuple(packed)  # type: ignore[return-value]


def added(hand: Hand, units: int) -> Hand:
    """The hand with more tiles in it, given as the sum of their ``Layout.units``."""
    m, p, s, z, golds = hand
    return (
        m + (units & _SUIT_MASK), p + (units >> 21 & _SUIT_MASK), s + (units >> 42 & _SUIT_MASK),
        z + (units >> 63 & _HONOUR_MASK), golds + (units >> 80),
    )  # fmt: skip


def pack(tiles: Iterable[Tile], where: Layout) -> Hand:
    """The packed counts of playing tiles; ``ValueError`` for a fifth copy."""
    packed, slots = [0, 0, 0, 0, 0], where.slots
    for tile in tiles:
        index, unit = slots[tile]
        if packed[index] // unit % 5 == COPIES:
            raise ValueError("more than four tiles of one kind")
        packed[index] += unit
    return tuple(packed)  # type: ignore[return-value]


def unpack(hand: Hand, where: Layout) -> tuple[Tile, ...]:
    """The tiles of a hand in the order of their numbers."""
    found: list[Tile] = []
    for tile, (index, unit) in enumerate(where.slots):
        copies = hand[index] // unit % 5
        if copies:
            found += [tile] * copies
    return tuple(found)


def flipped(hand: Hand, where: Layout) -> Hand:
    """A hand counted without golds, counted anew once ``where`` has them: golds set apart, stand-ins moved into the
    place that the golds leave empty."""
    packed = [*hand]
    for face, (gold_index, gold_unit) in zip(where.golds, GOLD_SLOTS, strict=False):
        index, unit = _NATURAL[face]
        golds = packed[index] // unit % 5
        packed[index] -= golds * unit
        packed[gold_index] += golds * gold_unit
    whites = packed[3] // _WHITE_UNIT % 5
    if whites:  # none where white is gold itself
        index, unit = where.slots[WHITE]
        packed[3] -= whites * _WHITE_UNIT
        packed[index] += whites * unit
    return tuple(packed)  # type: ignore[return-value]


def size(hand: Hand) -> int:
    """The number of tiles."""
    return sum(hand[kind // 9] // POWERS[kind % 9] % 5 for kind in range(KINDS)) + GOLDS[hand[4]]


def plays(hand: Hand, where: Layout) -> list[Hand]:
    """The hand with its stand-ins as each may play: in the first face kind's place, where they lie, and under two
    flipped kinds every number of them in the second's (L-GOLD-2)."""
    return [hand, *_moved(hand, where)]


def _moved(hand: Hand, where: Layout) -> list[Hand]:
    """The hand with one or more of its stand-ins in the second face kind's place."""
    if where.split is None:
        return []
    (index, unit), (other, other_unit) = where.split
    moved, packed = [], [*hand]
    for _ in range(hand[index] // unit % 5):
        packed[index] -= unit
        packed[other] += other_unit
        moved.append(tuple(packed))
    return moved  # type: ignore[return-value]


def complete(hand: Hand, where: Layout) -> bool:
    """Whether the hand is one pair and sets (X-SHAPE-1, L-SHAPE-1), golds wild; for hands of 3n+2 tiles."""
    m, p, s, z, golds = hand
    if SUIT[m] + SUIT[p] + SUIT[s] + HONOURS[z] < _ROOM_FOR_SETS[golds]:
        return True
    return where.split is not None and any(map(_is_complete, _moved(hand, where)))


def _is_complete(hand: Hand) -> bool:
    m, p, s, z, golds = hand
    return SUIT[m] + SUIT[p] + SUIT[s] + HONOURS[z] < _ROOM_FOR_SETS[golds]


def complete_tiles(tiles: Iterable[Tile], where: Layout) -> bool:
    """``complete`` for a list of 3n+2 tiles, at most four of a kind, without packing it first."""
    units, packed = where.units, 0
    for tile in tiles:
        packed += units[tile]
    is_complete = (
        SUIT[packed & _SUIT_MASK] + SUIT[packed >> 21 & _SUIT_MASK] + SUIT[packed >> 42 & _SUIT_MASK]
        + HONOURS[packed >> 63 & _HONOUR_MASK]
    ) < _ROOM_FOR_SETS[packed >> 80]  # fmt: skip
    return is_complete or (where.split is not None and complete(added(EMPTY, packed), where))


def in_you_state(hand: Hand, where: Layout) -> bool:
    """Whether the hand is sets plus a lone gold (S-YOU-1); for hands of 3n+1 tiles, nothing drawn."""
    m, p, s, z, golds = hand
    if not golds:
        return False
    if (SUIT[m] + SUIT[p] + SUIT[s] + HONOURS[z] + 7) >> 3 < GOLDS[golds]:
        return True
    return where.split is not None and any(map(_is_in_you_state, _moved(hand, where)))


def _is_in_you_state(hand: Hand) -> bool:
    m, p, s, z, golds = hand
    return (SUIT[m] + SUIT[p] + SUIT[s] + HONOURS[z] + 7) >> 3 < GOLDS[golds]


def is_one_short(hand: Hand, where: Layout) -> bool:
    """Whether a gold would complete the hand: whether it is ready by its shape; for hands of 3n+1 tiles."""
    return any(
        SUIT[m] + SUIT[p] + SUIT[s] + HONOURS[z] < _ROOM_FOR_SETS[golds] + 8 for m, p, s, z, golds in plays(hand, where)
    )


def is_ready(hand: Hand, where: Layout) -> bool:
    """Whether some tile completes the hand (X-WIN-12); for hands of 3n+1 tiles, nothing drawn."""
    if not is_one_short(hand, where):
        return False
    # A gold would do; where all golds are held already, a real tile must be left.
    return GOLDS[hand[4]] < len(where.golds) * (COPIES - 1) or bool(waits(hand, where))


def waits(hand: Hand, where: Layout) -> tuple[Tile, ...]:
    """The tiles that complete a hand of 3n+1 tiles, of which the hand does not hold all copies itself."""
    found = []
    for tile in range(KINDS):
        slot = where.slots[tile]
        copies = COPIES - 1 if tile in where.golds else COPIES
        if count(hand, slot) < copies and complete(add(hand, slot), where):
            found.append(tile)
    return tuple(found)


class Part(NamedTuple):
    """One set or the pair of a reading: the kinds as they stand, and which of them are golds."""

    kinds: tuple[Tile, ...]
    wild: tuple[bool, ...]


#: All parts of a concealed hand, in the order of their kinds.
Reading: TypeAlias = tuple[Part, ...]

_Split: TypeAlias = tuple[tuple[Part, ...], int, bool]  # parts, golds used, whether the pair is among them


def readings(hand: Hand, where: Layout) -> list[Reading]:
    """Every way to read a concealed hand of 3n+2 tiles as sets and a pair, each gold named (S-GOLD-2).

    Sets of golds alone stand for the face kind. Sorted; empty where the hand is not complete. This searches,
    and is for showing and for rare options; verdicts use the tables.
    """
    found = {reading for played in plays(hand, where) if _is_complete(played) for reading in _readings(played, where)}
    return sorted(found)


def _readings(hand: Hand, where: Layout) -> Iterator[Reading]:
    """The readings of a hand whose stand-ins are where they play."""
    golds = GOLDS[hand[4]]
    partial: list[_Split] = [((), 0, False)]
    for index in range(4):
        splits = _suit_splits(hand[index], index * 9, golds)
        partial = [
            (parts + more, used + wilds, pair or own)
            for parts, used, pair in partial
            for more, wilds, own in splits
            if used + wilds <= golds and not (pair and own)
        ]
    for parts, used, pair in partial:
        rest = _gold_parts(golds - used, pair, where)
        if rest is not None:
            yield tuple(sorted(parts + rest))


def _gold_parts(left: int, pair: bool, where: Layout) -> tuple[Part, ...] | None:
    """What the golds that no suit needed make among themselves, or ``None`` where they do not come out even."""
    pairs = () if pair else (2,)
    if (left - sum(pairs)) % 3 or left < sum(pairs):
        return None
    sizes = (*pairs, *((3,) * ((left - sum(pairs)) // 3)))
    return tuple(Part((where.golds[0],) * n, (True,) * n) for n in sizes)


@lru_cache(maxsize=4096)
def _suit_splits(packed: int, first: Tile, golds: int) -> tuple[_Split, ...]:
    counts = tuple(packed // unit % 5 for unit in POWERS)
    return tuple(sorted(set(_split(counts, first, golds, False))))


def _split(counts: tuple[int, ...], first: Tile, golds: int, pair: bool) -> Iterator[_Split]:
    lowest = next((i for i, n in enumerate(counts) if n), None)
    if lowest is None:
        yield (), 0, False
        return
    for part, wilds, rest in _parts_with(counts, lowest, first, golds, pair):
        is_pair = len(part.kinds) == 2
        for parts, used, own in _split(rest, first, golds - wilds, pair or is_pair):
            yield tuple(sorted((part, *parts))), used + wilds, own or is_pair


def _parts_with(
    counts: tuple[int, ...], lowest: int, first: Tile, golds: int, pair: bool
) -> Iterator[tuple[Part, int, tuple[int, ...]]]:
    """Every part that takes a real tile of the lowest kind there is, with the golds it needs."""
    shapes: list[tuple[int, ...]] = [(lowest,) * 3]
    if not pair:
        shapes.append((lowest,) * 2)
    if first < FIRST_HONOUR:
        shapes += [(i, i + 1, i + 2) for i in range(max(0, lowest - 2), min(lowest, 6) + 1)]
    for shape in shapes:
        kinds = tuple(first + i for i in shape)
        for wild in _wild_choices(shape, counts, lowest):
            if sum(wild) <= golds:
                taken = [shape[i] for i, is_wild in enumerate(wild) if not is_wild]
                rest = tuple(n - taken.count(i) for i, n in enumerate(counts))
                yield Part(kinds, wild), sum(wild), rest


def _wild_choices(shape: tuple[int, ...], counts: tuple[int, ...], lowest: int) -> Iterator[tuple[bool, ...]]:
    if shape[0] == shape[-1]:
        for real in range(1, min(len(shape), counts[lowest]) + 1):
            yield (False,) * real + (True,) * (len(shape) - real)
        return
    for mask in range(8):
        wild = tuple(bool(mask >> i & 1) for i in range(3))
        takes_lowest = any(shape[i] == lowest and not wild[i] for i in range(3))
        if takes_lowest and all(wild[i] or counts[shape[i]] for i in range(3)):
            yield wild


#: For three neighbouring kinds, packed: the places of those that are held three or four times.
_THRICE = tuple(tuple(place for place in range(3) if packed // POWERS[place] % 5 > 2) for packed in range(POWERS[3]))


def held_thrice(hand: Hand) -> list[Tile]:
    """The kinds, as they stand, of which a hand holds three or four."""
    found: list[Tile] = []
    for first, packed in zip((0, 9, 18, 27), hand, strict=False):
        kind = first
        while packed > 2:
            for place in _THRICE[packed % 125]:
                found.append(kind + place)
            packed //= 125
            kind += 3
    return found


def triplet_choices(hand: Hand) -> Iterator[tuple[Tile, ...]]:
    """Every choice of real triplets that leaves the rest of a complete hand complete (X-WATER-6).

    ``hand`` has 3n+2 tiles; kinds come as they stand; the empty choice comes first.
    """
    kinds = held_thrice(hand)
    for mask in range(1 << len(kinds)):
        chosen = tuple([kind for i, kind in enumerate(kinds) if mask >> i & 1])
        rest = list(hand)
        for kind in chosen:
            index, unit = _NATURAL[kind]
            rest[index] -= 3 * unit
        if _is_complete(tuple(rest)):  # type: ignore[arg-type]
            yield chosen


def needs_only(reading: Reading, out: Mapping[Tile, int], where: Layout) -> bool:
    """Whether no gold of the reading stands for a kind of which four copies are out already (S-GOLD-3 with
    ``fifth_copy`` false); ``out`` counts copies by the kind they stand for, the reading's own tiles included. A gold
    as its own face kind is that tile, and is always there."""
    return all(
        not wild or kind in where.golds or out.get(kind, 0) < COPIES
        for part in reading
        for kind, wild in zip(part.kinds, part.wild, strict=True)
    )
