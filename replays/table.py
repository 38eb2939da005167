"""Where we stand: the table as one immutable value.

Everything that later rights, scores and verdicts depend on is in here and nowhere else, so two tables that are
equal have the same future. The value is one flat tuple with bit masks over seats (bit ``seat``) and packed hands:
the audit makes a new one for every event.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from replays.events import ClientSeed, GameCommitment, HandCommitment, Records, Seating
from replays.hands import EMPTY, Hand, Layout, layout, unpack
from replays.tiles import COPIES, FIRST_FLOWER, TILES, Tile, flowers_in

if TYPE_CHECKING:
    from replays.rulebook import Rulebook, Settlement

# Phases of a game: what may come next.
BETWEEN = 0  #: no hand is on: a new one, or the end of the game
DEALING = 1  #: break dice and deal
FLOWERS = 2  #: opening replacement, gold dice and flip
TURN = 3  #: the seat ``turn`` decides; it holds a tile too many
CLAIMS = 4  #: the discard ``last`` of ``turn`` lies on the table
KONG = 5  #: ``turn`` has konged and takes a replacement; an added kong may be robbed
FLOWER = 6  #: ``turn`` has drawn a flower and lays it out
DRY = 7  #: nothing may be drawn any more, and something had to be
OVER = 8  #: won or exhausted: settlement is due
SETTLED = 9  #: settled: the wall and the end of the hand are due
FINISHED = 10  #: the game has ended

#: The phases of play, between the flip and the end of the hand.
PLAYING = (TURN, CLAIMS, KONG, FLOWER, DRY)

PHASES = (
    "between", "dealing", "flowers", "turn", "claims", "kong", "flower", "dry", "over", "settled", "finished",
)  # fmt: skip

# How the seat on turn came by its extra tile.
AFTER_CLAIM = 0  #: by a chow or pung: only a discard may follow (S-CLAIM-2)
AFTER_DEAL = 1  #: the dealer's first turn
AFTER_DRAW = 2  #: from the head
AFTER_KONG = 3  #: as the replacement of an exposed or added kong
AFTER_CONCEALED_KONG = 4  #: as the replacement of a concealed kong

#: The sources of a tile of one's own, on which a hand may win.
DRAWN = (AFTER_DRAW, AFTER_KONG, AFTER_CONCEALED_KONG)

NOTHING = -1  #: no tile, no seat

# Sources in ``taken``.
HEAD, TAIL, FLIP = 0, 1, 2


NO_GOLDS = layout()


class Meld(NamedTuple):
    """A claimed or declared set.

    ``kind`` is ``chow``, ``pung``, ``exposed``, ``added`` or ``concealed``; ``tiles`` are as they lie, the claimed one
    first; ``from_`` the discarder's seat, ``NOTHING`` for a concealed kong.
    """

    kind: str
    tiles: tuple[Tile, ...]
    from_: int = NOTHING

    @property
    def is_kong(self) -> bool:
        return len(self.tiles) == 4


class Throw(NamedTuple):
    """Two dice on record."""

    seq: int
    purpose: str
    dice: tuple[int, int]


class Deal(NamedTuple):
    """One seat's dealt tiles on record."""

    seq: int
    seat: int
    tiles: tuple[Tile, ...]


class Outcome(NamedTuple):
    """How a hand ended: ``win`` is what was recorded, ``None`` where nobody won. ``settlement`` is what it is worth
    by the rules, ``None`` where it is no win; ``is_in_doubt`` where the record does not let one say."""

    winner: int
    win: str | None
    tile: Tile = NOTHING
    from_: int = NOTHING
    settlement: Settlement | None = None
    is_in_doubt: bool = False


VOIDED = Outcome(NOTHING, "voided")


class Table(NamedTuple):
    """One game at one step; ``scores``, ``dealer`` and ``streak`` are those on record."""

    book: Rulebook
    game: str
    seats: tuple[Seating, ...]
    records: Records
    commitment: GameCommitment | None
    scores: tuple[int, ...]
    hand: int
    dealer: int
    streak: int
    # -- this hand --
    layout: Layout = NO_GOLDS
    flowers: tuple[int, ...] = ()  #: laid out, a mask a seat
    golds: tuple[Tile, ...] = ()
    flipped: tuple[Tile, ...] = ()  #: all that left play at the flip
    next_deal: int = 0  #: who is next in the deal and in a round of flowers: seats after the dealer
    # -- facts that wins hang on --
    gold_out: int = 0  #: has discarded a gold and not discarded since (X-GOLD-3)
    levels: tuple[int, ...] = ()  #: 2 after the discard that makes 雙游, 3 for 三游 (S-YOU-3)
    stale: int = 0  #: has konged in its own turn since it reached its level: no longer the first own draw
    fallen: int = 0  #: has lost a level: 游金 at most from then on (S-YOU-4)
    lock: int = 0  #: its 雙游 or 三游 discard binds the others (X-LOCK-1)
    declared: int = 0  #: has declared 游 and kept it
    own: tuple[Any, ...] = ()  #: what the rule set's own clauses remember of the hand (``Rulebook.memories``)
    # -- what the proof of the hand hangs on --
    hand_commitment: HandCommitment | None = None
    client_seeds: tuple[ClientSeed, ...] = ()
    opened: tuple[ClientSeed, ...] = ()
    wall_root: str | None = None
    throws: tuple[Throw, ...] = ()
    deals: tuple[Deal, ...] = ()
    deltas: tuple[int, ...] | None = None  #: as settled by the server
    outcome: Outcome | None = None
    is_revealed: bool = False  #: the wall of this hand is on record
    # -- play: what draws, discards and claims change; the reducer takes it apart and puts it together as a whole --
    seq: int = 0
    at: str = ""
    phase: int = BETWEEN
    turn: int = NOTHING
    hands: tuple[Hand, ...] = ()
    doubt: int = 0  #: seats whose concealed tiles the record contradicts
    left: int = 0  #: tiles in the wall
    seen: int = 0  #: eight bits a tile number: copies that have left the wall, or were never there
    held: tuple[int, ...] = ()  #: flowers not yet laid out, a mask a seat
    melds: tuple[tuple[Meld, ...], ...] = ()
    river: bytes = b""  #: discards that nobody claimed, in order: seat << 6 | tile
    thrown: int = 0  #: kinds discarded in this hand by anybody, claimed or not: a mask over kinds
    drawn: Tile = NOTHING  #: what the seat on turn drew
    source: int = AFTER_DRAW
    last: Tile = NOTHING  #: the discard, or the added kong's tile, that others may act on
    robbable: bool = False
    opening: bool = False  #: before the first kong or discard
    answered: int = 0  #: seats that have passed on what lies open
    untouched: int = 0  #: no claim, no kong, only drawn tiles discarded since the opening (X-WIN-12)
    taken: tuple[int, ...] = ()  #: every draw and flip: seq << 16 | place from the tail << 8 | source << 6 | tile

    @property
    def players(self) -> int:
        return len(self.seats)

    def following(self, seat: int) -> int:
        """The next seat in turn order."""
        return (seat + 1) % len(self.seats)

    def discards(self, seat: int) -> tuple[Tile, ...]:
        """What lies before a seat."""
        return tuple(code & 63 for code in self.river if code >> 6 == seat)

    def waiting(self, seat: int) -> Hand:
        """The concealed hand without the tile just drawn (S-YOU-1)."""
        hand = self.hands[seat]
        if seat != self.turn or self.drawn < 0 or self.drawn >= FIRST_FLOWER or self.phase != TURN:
            return hand
        index, unit = self.layout.slots[self.drawn]
        packed = list(hand)
        packed[index] -= unit
        return tuple(packed)  # type: ignore[return-value]

    def concealed(self, seat: int) -> tuple[Tile, ...]:
        """The concealed tiles of a seat, in the order of their numbers, flowers not laid out last."""
        return (*unpack(self.hands[seat], self.layout), *flowers_in(self.held[seat]))

    def others(self, seat: int) -> list[int]:
        """The other seats, nearest in turn order first."""
        return [(seat + step) % len(self.seats) for step in range(1, len(self.seats))]

    def document(self) -> list[Any]:
        """The whole table as plain values, one a member of ``_DOCUMENT``: the canonical form that is hashed. The book
        is its digest, masks and packed numbers are integers, the river and ``seen`` are hex. Who sits where, and the
        records that prove a hand but are no part of play (commitments, seeds, throws, the order of draws), are not in
        it."""
        values: list[Any] = [*_document(self)]
        values[_BOOK] = self.book.digest
        values[_SEATS] = len(self.seats)
        values[_RIVER] = self.river.hex()
        values[_SEEN] = f"{self.seen:x}"
        values[_LAYOUT] = self.layout.golds
        values[_OUTCOME] = None if self.outcome is None else self.outcome[:4]
        return values

    def state_hash(self) -> str:
        """SHA-256, in hex, over the JSON of ``document``: equal on every machine, Python version and hash seed."""
        return hashlib.sha256(_compact(self.document()).encode()).hexdigest()


_compact = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode  # tuples cannot hold themselves
#: The members of a document in their order, which never changes: hashes hang on it.
_DOCUMENT = (
    "book game seats records seq at phase scores hand dealer streak turn hands layout flowers held melds "
    "river thrown golds flipped left seen next_deal drawn source last robbable opening answered doubt untouched "
    "gold_out levels stale fallen lock declared deltas outcome own"
).split()
_BOOK, _SEATS, _RIVER, _SEEN, _LAYOUT, _OUTCOME = map(
    _DOCUMENT.index, ("book", "seats", "river", "seen", "layout", "outcome")
)

_INDEX = {name: index for index, name in enumerate(Table._fields)}
_document = itemgetter(*(_INDEX[name] for name in _DOCUMENT))

#: What the fields from ``layout`` on are cleared to for a new hand.
_NEW_HAND = tuple(Table._field_defaults[name] for name in Table._fields[_INDEX["layout"] :])

# Fields taken out together, several times faster than one by one by name.
#: The two parts of a table: what stays, mostly, while a hand is played, and what draws and discards change.
REST: Any = slice(0, _INDEX["seq"])
PLAY: Any = slice(_INDEX["seq"], None)
#: For the referee: phase, turn, hands, doubt; and with the wall: left, seen.
POSITION: Any = slice(_INDEX["phase"], _INDEX["left"])
POSITION_AND_WALL: Any = slice(_INDEX["phase"], _INDEX["held"])


def change(table: Table, **changes: Any) -> Table:
    """The table with other values in some fields: ``_replace``, several times faster for so many fields."""
    values: list[Any] = [*table[:]]  # of the plain tuple, which is copied faster
    for name, value in changes.items():
        values[_INDEX[name]] = value
    return tuple.__new__(Table, values)


def fields(names: str) -> tuple[int, ...]:
    """The places of fields in the tuple, for code that makes a new table out of a list."""
    return tuple(_INDEX[name] for name in names.split())


def fresh(table: Table) -> list[Any]:
    """The fields of the table cleared for a new hand, for a new table to be made of them."""
    n = len(table.seats)
    values = [*table[: _INDEX["layout"]], *_NEW_HAND]
    for name, value in (("hands", EMPTY), ("flowers", 0), ("held", 0), ("melds", ()), ("levels", 0)):
        values[_INDEX[name]] = (value,) * n
    values[_INDEX["left"]] = len(table.book.wall)
    values[_INDEX["seen"]] = never_there(table.book)
    return values


@lru_cache(maxsize=256)
def never_there(book: Rulebook) -> int:
    """``seen`` for a new hand: of a kind that the rule set does not have, such as dots, all copies are gone."""
    there = dict.fromkeys(book.wall)
    return sum([COPIES * SEEN_UNIT[kind] for kind in range(FIRST_FLOWER) if kind not in there])


#: One copy of each tile number in ``seen``.
SEEN_UNIT: tuple[int, ...] = tuple(1 << 8 * tile for tile in range(TILES))

#: The bits of ``seen`` of which one is set once all copies of a tile number have left the wall.
SEEN_ALL: tuple[int, ...] = tuple(
    unit * (256 - (COPIES if tile < FIRST_FLOWER else 1)) for tile, unit in enumerate(SEEN_UNIT)
)

# A field of ``seen`` that holds too many copies carries into its top bit once this is added.
_ROOM = sum(unit * (127 - (COPIES if tile < FIRST_FLOWER else 1)) for tile, unit in enumerate(SEEN_UNIT))
_TOP_BITS = sum(unit << 7 for unit in SEEN_UNIT)


#: More tiles than this in one event are not added to ``seen``, whose eight bits they might not fit into.
MOST_AT_ONCE = 64


def has_too_many(seen: int) -> bool:
    """Whether some playing kind has left the wall more than four times, or a flower more than once (S-WALL-2)."""
    return bool(seen + _ROOM & _TOP_BITS)


def seen_units(tiles: tuple[Tile, ...]) -> int:
    """What tiles add to ``seen``."""
    seen = 0
    for tile in tiles:
        seen += SEEN_UNIT[tile]
    return seen
