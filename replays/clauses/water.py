"""Water 水, the scoring unit (X-WATER-1 to X-WATER-7)."""

from __future__ import annotations

from collections.abc import Iterable

from replays.clauses.whites import claimed_kind, hands_as_won
from replays.events import Item
from replays.hands import Part, Reading, count, held_thrice, needs_only, readings, triplet_choices
from replays.rulebook import Facts, Options, Rulebook
from replays.tiles import COPIES, KINDS, PLANTS, SEASONS, WHITE, Tile, is_honour

SUITS, HONOURS, GOLDS, FLOWERS = "X-WATER-1", "X-WATER-2", "X-WATER-3", "X-WATER-4"

TRIPLET = "triplet"  #: concealed

#: Water of a set by its kind: of a suit, of winds and dragons. An added kong is an exposed kong (X-WATER-5).
SET_WATER: dict[str, tuple[int, int]] = {
    "chow": (0, 0),
    "pung": (0, 1),
    TRIPLET: (1, 2),
    "exposed": (2, 3),
    "added": (2, 3),
    "concealed": (3, 4),
}
FLOWER_CLASS_WATER = 8


def of_set(facts: Facts, options: Options, kind: str, tile: Tile) -> Item:
    """The water of one set of ``tile``s as they lie; stand-ins score as the face kind or as dragons
    (X-WATER-5, option ``white_set``)."""
    as_face = tile == WHITE and options["white_set"] == "face"
    honour = is_honour(facts.layout.faces[tile] if as_face else tile)
    return Item(facts.seat, HONOURS if honour else SUITS, SET_WATER[kind][honour], tile)


def of_flowers(seat: int, flowers: int) -> Item:
    """X-WATER-4: one a flower, eight for a complete class."""
    water = flowers.bit_count()
    for of_class in (SEASONS, PLANTS):
        if flowers & of_class == of_class:
            water += FLOWER_CLASS_WATER - of_class.bit_count()
    return Item(seat, FLOWERS, water)


def around(facts: Facts, options: Options) -> list[Item]:
    """The lines that do not hang on how the concealed hand is read: melds, golds, flowers."""
    lines = [of_set(facts, options, meld.kind, meld.tiles[0]) for meld in facts.melds]
    if facts.golds:
        lines.append(Item(facts.seat, GOLDS, facts.golds, facts.layout.golds[0]))
    lines.append(of_flowers(facts.seat, facts.flowers))
    return [line for line in lines if line.value]


def of_complete(facts: Facts, options: Options) -> tuple[int, tuple[Item, ...]]:
    """Water and lines of a complete hand, read for the most water (X-WATER-6)."""
    best: tuple[Item, ...] = ()
    most = 0
    for hand in hands_as_won(facts, options):
        read = facts if hand is facts.hand else facts._replace(hand=hand)
        for lines in _triplet_lines(read, options):
            water = _total(lines)
            if water > most:
                best, most = lines, water
    lines = (*around(facts, options), *best)
    return _total(lines), lines


def of_incomplete(facts: Facts, options: Options) -> tuple[int, tuple[Item, ...]]:
    """Water and lines of any hand, every kind but gold held three or four times as a triplet (X-WATER-7)."""
    triplets = (of_set(facts, options, TRIPLET, facts.layout.tiles[kind]) for kind in held_thrice(facts.hand))
    lines = (*around(facts, options), *(line for line in triplets if line.value))
    return _total(lines), lines


def _total(lines: Iterable[Item]) -> int:
    return sum([line.value for line in lines])


def _triplet_lines(facts: Facts, options: Options) -> Iterable[tuple[Item, ...]]:
    if options["wild_triplet"] or not options["fifth_copy"]:
        return _read_lines(facts, options)
    return (
        tuple([line for kind in kinds if (line := _triplet(facts, options, kind)).value])
        for kinds in triplet_choices(facts.hand)
    )


def _triplet(facts: Facts, options: Options, kind: Tile) -> Item:
    """The line of a concealed triplet; completed by a discard it is a pung, unless the discard can stand
    elsewhere (X-WATER-5, X-WATER-6)."""
    tile = facts.layout.tiles[kind]
    is_claimed = claimed_kind(facts, options) == kind
    held = count(facts.hand, (kind // 9, 5 ** (kind % 9)))
    return of_set(facts, options, "pung" if is_claimed and held < COPIES else TRIPLET, tile)


def _read_lines(facts: Facts, options: Options) -> Iterable[tuple[Item, ...]]:
    """The same by full reading, for the options under which golds matter in a triplet or may run out."""
    out = copies_out(facts)
    for reading in readings(facts.hand, facts.layout):
        if not options["fifth_copy"] and not needs_only(reading, out, facts.layout):
            continue
        yield _lines_of(facts, options, reading)


def by_water(book: Rulebook, facts: Facts) -> list[Reading]:
    """Every reading, the one with the most water first; empty where the hand is not complete."""
    options = book.options
    found = [reading for hand in hands_as_won(facts, options) for reading in readings(hand, facts.layout)]
    return sorted(dict.fromkeys(found), key=lambda reading: -_total(_lines_of(facts, options, reading)))


def as_read_lines(facts: Facts, options: Options, reading: Reading) -> tuple[Item, ...] | None:
    """All lines of a complete hand that is read in one way; ``None`` where a gold would stand for a kind that has run
    out (S-GOLD-3)."""
    if not options["fifth_copy"] and not needs_only(reading, copies_out(facts), facts.layout):
        return None
    return (*around(facts, options), *_lines_of(facts, options, reading))


def _lines_of(facts: Facts, options: Options, reading: Reading) -> tuple[Item, ...]:
    """The lines of a reading's triplets; the one that a discard completed is a pung, unless the discard can stand in
    another part (X-WATER-5, X-WATER-6)."""
    claimed = claimed_kind(facts, options)
    lines, is_placed = [], claimed is None
    triplets = [part for part in reading if _is_triplet(part, options)]
    if any(_holds(part, claimed) for part in reading if part not in triplets):
        is_placed = True
    for part in triplets:
        is_claimed = not is_placed and _holds(part, claimed)
        is_placed = is_placed or is_claimed
        tile = part.kinds[0] if all(part.wild) else facts.layout.tiles[part.kinds[0]]
        lines.append(of_set(facts, options, "pung" if is_claimed else TRIPLET, tile))
    return tuple(line for line in lines if line.value)


def _is_triplet(part: Part, options: Options) -> bool:
    """Whether a part counts as a triplet; one that needs a gold only with ``wild_triplet`` (X-WATER-5)."""
    is_triplet = len(part.kinds) == 3 and part.kinds[0] == part.kinds[2]
    return is_triplet and (options["wild_triplet"] or not any(part.wild))


def _holds(part: Part, kind: Tile | None) -> bool:
    """Whether a real tile of ``kind`` stands in the part."""
    return any(known == kind and not wild for known, wild in zip(part.kinds, part.wild, strict=True))


def copies_out(facts: Facts) -> dict[Tile, int]:
    """Copies of each kind, as they stand, that are out: the hand, the melds, and what lies open (S-GOLD-3)."""
    out = dict(enumerate(facts.out or (0,) * KINDS))
    for kind in range(KINDS):
        out[kind] += count(facts.hand, (kind // 9, 5 ** (kind % 9)))
    for meld in facts.melds:
        for tile in meld.tiles:
            out[facts.layout.faces[tile]] += 1
    return out
