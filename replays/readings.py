"""How a hand can be read, what it waits for, and whether its tiles alone would win."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from replays.hands import Layout, Reading, add, count, size
from replays.rulebook import Facts, Rulebook, Settlement, Violation
from replays.settle import decide, facts_of, occasions
from replays.table import AFTER_DRAW, PLAYING, TURN, Table, change
from replays.tiles import COPIES, KINDS, WHITE, Tile
from replays.view import may_see

NATURAL, GOLD, STAND_IN = "natural", "gold", "stand_in"


class Placed(NamedTuple):
    """A tile in a reading: which it is, the kind that it stands for, and as what (``natural``, ``gold``,
    ``stand_in``)."""

    tile: Tile
    kind: Tile
    role: str


class Alternative(NamedTuple):
    """One way to read a hand, and what the hand would be worth if it were read so; nothing is, where no win is."""

    parts: tuple[tuple[Placed, ...], ...]
    settlement: Settlement | None


class Readings(NamedTuple):
    """The readings of a hand that wins, or would by its tiles: the verdict, how many there are, and the first of them,
    the one that counts at their head."""

    verdict: Settlement | Violation
    total: int
    first: tuple[Alternative, ...]


class Wait(NamedTuple):
    """A tile that completes a hand, and how many of it its seat has not seen yet."""

    tile: Tile
    live: int


# -- Readings ------------------------------------------------------------------------------------------------------


def readings_at(table: Table, seat: int, most: int) -> Readings | None:
    """The readings of what ``seat`` might win with now, at most ``most`` of them; ``None`` where its tiles are not
    complete."""
    found = [readings_of(table.book, facts, most) for facts in occasions(table, seat)]
    known = [one for one in found if one is not None]
    return next((one for one in known if isinstance(one.verdict, Settlement)), known[0] if known else None)


def readings_of(book: Rulebook, facts: Facts, most: int) -> Readings | None:
    """The readings of a hand."""
    verdict = decide(book, facts)
    if isinstance(verdict, Violation):
        found = book.read(book, facts) or book.read(book, unbound(book, facts))
        read = [Alternative(_placed(reading, facts), None) for reading in found[:most]]
    else:
        worth = [(one, book.as_read(book, facts, verdict, one)) for one in book.read(book, facts)]
        found = [one for one, settlement in worth if settlement is not None]
        read = [Alternative(_placed(one, facts), settlement) for one, settlement in worth if settlement is not None]
    return Readings(verdict, len(found), tuple(read[:most])) if found else None


def _placed(reading: Reading, facts: Facts) -> tuple[tuple[Placed, ...], ...]:
    """The tiles of a reading. Golds of two kinds are wild alike, so those of the first are named first; one that is not
    held is the flipped one, taken by a right of the opening."""
    golds, is_in_sets = _golds(facts), all(len(part.kinds) > 1 for part in reading)
    return tuple(
        [
            tuple([_place(kind, is_wild, facts.layout, golds, is_in_sets) for kind, is_wild in zip(*part, strict=True)])
            for part in reading
        ]
    )


def _golds(facts: Facts) -> Iterator[Tile]:
    where = facts.layout
    for gold in where.golds:
        yield from (gold,) * count(facts.hand, where.slots[gold])
    while where.golds:
        yield where.golds[0]


def _place(kind: Tile, is_wild: bool, where: Layout, golds: Iterator[Tile], is_in_sets: bool) -> Placed:
    """In sets and pairs a tile in the place of a flipped kind is the stand-in (S-WHITE-1); in thirteen orphans it is a
    gold as its own face (L-SHAPE-3)."""
    if is_wild:
        return Placed(next(golds), kind, GOLD)
    if kind not in where.golds:
        return Placed(kind, kind, NATURAL)
    return Placed(WHITE, kind, STAND_IN) if is_in_sets else Placed(kind, kind, GOLD)


# -- Whether the tiles alone would win -------------------------------------------------------------------------------


def unbound(book: Rulebook, facts: Facts) -> Facts:
    """The facts as if nothing but the tiles mattered: no lock, every right of the opening, a tile of one's own draw."""
    if facts.by == "opening":
        return facts._replace(rights=tuple(dict.fromkeys([known.right for known in book.opening_order])), lock=None)
    return facts._replace(by="self_draw", from_=None, has_thrown_gold=False, lock=None)


def complete_way(book: Rulebook, facts: Facts) -> str | None:
    """The way, or the right of the opening, by which the whole hand would win by its tiles, whatever else forbids it;
    ``None`` where it would not."""
    ways = book.ways(book, unbound(book, facts))
    return (
        None if isinstance(ways, Violation) else next((way.right or way.win for way in ways if way.is_complete), None)
    )


# -- Waits -----------------------------------------------------------------------------------------------------------


def waits(table: Table, seat: int) -> tuple[Wait, ...]:
    """The tiles that complete the hand of ``seat`` before it draws, by kind, with those that it has not seen; none for
    a hand with a tile too many, whose discard is due, and out of play."""
    if table.phase not in PLAYING or size(table.waiting(seat)) % 3 != 1:
        return ()
    found = []
    for tile in dict.fromkeys(table.book.wall):
        if tile < KINDS and _completes(table, seat, tile):
            found.append(Wait(tile, _unseen(table, seat, tile)))
    return tuple(found)


def _completes(table: Table, seat: int, tile: Tile) -> bool:
    slot, waiting = table.layout.slots[tile], table.waiting(seat)
    copies = COPIES - table.flipped.count(tile)
    if count(waiting, slot) >= copies:
        return False
    hands = tuple(add(waiting, slot) if one == seat else hand for one, hand in enumerate(table.hands))
    drawn = change(table, hands=hands, phase=TURN, turn=seat, source=AFTER_DRAW, drawn=tile, opening=False)
    facts = facts_of(drawn, seat)
    return facts is not None and complete_way(table.book, facts) is not None


def _unseen(table: Table, seat: int, tile: Tile) -> int:
    """The copies of a tile that do not lie open and are not in the seat's own hand."""
    seen = [code & 63 for code in table.river] + [*table.flipped]
    for other in range(table.players):
        seen += [one for meld in table.melds[other] for one in meld.tiles]
        seen += table.concealed(other) if may_see(table, other, seat) else ()
    return max(0, COPIES - seen.count(tile))
