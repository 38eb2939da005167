"""Complete hands beside sets and a pair: seven pairs and thirteen orphans, and what a hand may be besides
(L-SHAPE-2 to L-SHAPE-4)."""

from __future__ import annotations

from replays.hands import (
    GOLDS,
    Hand,
    Layout,
    Part,
    Reading,
    complete,
    in_you_state,
    is_one_short,
    plays,
    size,
    unpack,
)
from replays.suits import POWERS
from replays.table import Meld
from replays.tiles import FIRST_HONOUR, KINDS, Tile

#: The 1 and 9 of each suit and the seven honours (L-SHAPE-3).
ORPHANS: tuple[Tile, ...] = (0, 8, 9, 17, 18, 26, *range(FIRST_HONOUR, KINDS))
WHOLE = 14  #: tiles of seven pairs and of thirteen orphans

#: How many of five neighbouring kinds are held an odd number of times, by their packed counts.
_ODD = bytes(sum(packed // unit % 5 % 2 for unit in POWERS[:5]) for packed in range(5**5))
_FIVE = 5**5


def odd_kinds(hand: Hand) -> int:
    """How many kinds, as they stand, a hand holds an odd number of times."""
    m, p, s, z, _ = hand
    return (
        _ODD[m % _FIVE] + _ODD[m // _FIVE] + _ODD[p % _FIVE] + _ODD[p // _FIVE] + _ODD[s % _FIVE] + _ODD[s // _FIVE]
        + _ODD[z % _FIVE] + _ODD[z // _FIVE]
    )  # fmt: skip


# -- Seven pairs -----------------------------------------------------------------------------------------------------


def is_seven_pairs(hand: Hand) -> bool:
    """Whether a hand is seven pairs, golds as halves of pairs and four equal tiles as two (L-SHAPE-2)."""
    return odd_kinds(hand) <= GOLDS[hand[4]] and size(hand) == WHOLE


def is_six_pairs_and_a_gold(hand: Hand) -> bool:
    """Whether a hand is six pairs and a lone gold, the you state of seven pairs (L-SHAPE-2, S-YOU-1)."""
    return odd_kinds(hand) < GOLDS[hand[4]] and size(hand) == WHOLE - 1


def in_you_state_with_pairs(hand: Hand, where: Layout) -> bool:
    """You state where seven pairs are a complete hand; for hands of 3n+1 tiles."""
    return in_you_state(hand, where) or is_six_pairs_and_a_gold(hand)


def is_one_short_with_pairs(hand: Hand, where: Layout) -> bool:
    """Whether a gold would complete the hand, seven pairs included; for hands of 3n+1 tiles."""
    return is_one_short(hand, where) or (odd_kinds(hand) <= GOLDS[hand[4]] + 1 and size(hand) == WHOLE - 1)


def pairs_of(hand: Hand, where: Layout) -> Reading:
    """A hand of seven pairs, pair by pair; the golds that no pair needs are pairs of the face kind."""
    parts, golds = [], GOLDS[hand[4]]
    for kind in range(KINDS):
        held = hand[kind // 9] // POWERS[kind % 9] % 5
        parts += [Part((kind, kind), (False, False))] * (held // 2)
        if held % 2:
            parts.append(Part((kind, kind), (False, True)))
            golds -= 1
    if golds:
        parts += [Part((where.golds[0],) * 2, (True, True))] * (golds // 2)
    return tuple(sorted(parts))


# -- Thirteen orphans ------------------------------------------------------------------------------------------------


def is_thirteen_orphans(hand: Hand, where: Layout, wild: bool) -> bool:
    """Whether a hand is each of the orphans and one of them again (L-SHAPE-3). A gold counts as its own face and a
    stand-in as white, or with ``wild`` golds stand for any orphan."""
    return size(hand) == WHOLE and missing_orphans(hand, where, wild) is not None


def missing_orphans(hand: Hand, where: Layout, wild: bool) -> tuple[Tile, ...] | None:
    """The orphans that golds stand for, where a hand of fourteen tiles is thirteen orphans; else ``None``."""
    tiles = unpack(hand, where)
    golds = [tile for tile in tiles if wild and tile in where.golds]
    natural = [tile for tile in tiles if tile not in golds]
    kinds = dict.fromkeys(natural)
    if any(kind not in ORPHANS for kind in kinds) or len(kinds) < len(natural) - 1:
        return None
    missing = tuple(kind for kind in ORPHANS if kind not in kinds)
    return missing if len(missing) <= len(golds) else None


def orphans_of(hand: Hand, where: Layout, wild: bool) -> Reading:
    """A hand of thirteen orphans, kind by kind, the pair among them."""
    natural = [tile for tile in unpack(hand, where) if not (wild and tile in where.golds)]
    pair = next((kind for kind in ORPHANS if natural.count(kind) > 1), ORPHANS[0])
    parts = []
    for kind in ORPHANS:
        real, copies = natural.count(kind), 1 + (kind == pair)
        parts.append(Part((kind,) * copies, (False,) * real + (True,) * (copies - real)))
    return tuple(parts)


# -- What a hand is besides ------------------------------------------------------------------------------------------


def is_all_triplets(hand: Hand, where: Layout) -> bool:
    """Whether a hand of 3n+2 tiles is triplets and a pair, 碰碰胡 where its melds are none but pungs and kongs
    (L-SHAPE-4)."""
    return any(_is_all_triplets(played) for played in plays(hand, where))


def _is_all_triplets(hand: Hand) -> bool:
    needed, saves = 0, False
    for kind in range(KINDS):
        held = hand[kind // 9] // POWERS[kind % 9] % 5
        needed += _NEEDED[held]
        saves = saves or held in _PAIRS
    return needed - saves <= GOLDS[hand[4]]


#: By the copies held of a kind: the golds that make them triplets.
_NEEDED = (0, 2, 1, 0, 2)
#: With these numbers of copies a pair among them needs one gold fewer.
_PAIRS = (1, 2, 4)


def are_triplets(reading: Reading) -> bool:
    """Whether a reading is triplets and a pair."""
    return all(part.kinds[0] == part.kinds[-1] for part in reading) and len(reading[0].kinds) != 1


def is_pure_suit(hand: Hand, melds: tuple[Meld, ...], where: Layout) -> bool:
    """Whether hand and melds are of one number suit, golds aside, 清一色 (L-SHAPE-4); for complete hands."""
    return any(
        _is_pure_suit(played, melds)
        for played in plays(hand, where)
        if complete(played, where) or is_seven_pairs(played)
    )


def _is_pure_suit(hand: Hand, melds: tuple[Meld, ...]) -> bool:
    suits = dict.fromkeys([index for index in range(4) if hand[index]])
    suits |= dict.fromkeys([meld.tiles[0] // 9 for meld in melds])  # a meld of whites is white (L-GOLD-3)
    return len(suits) == 1 and _HONOURS not in suits


_HONOURS = 3
