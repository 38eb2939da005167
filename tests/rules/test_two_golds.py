"""Hands under two golds (L-GOLD-2) against a search that knows nothing of the engine's tables.

The search puts each stand-in in the place of either face kind and each gold in the place of any kind, and takes the
tiles that are there then apart, one suit after the other. The same is asked of hands under one gold, where nothing
may differ from what it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replays.hands import (
    Layout,
    Part,
    Reading,
    complete,
    complete_tiles,
    flipped,
    in_you_state,
    is_ready,
    layout,
    pack,
    plays,
    readings,
    unpack,
    waits,
)
from replays.tiles import COPIES, FIRST_HONOUR, KINDS, WHITE, Tile, is_honour
from tests.rules.builders import text, tile, tiles

SEED = 20_260_228
WHOLE = (2, 5, 8, 11, 14)
WAITING = (1, 4, 7, 10, 13)

#: Neighbours, kinds that a run may span, one suit's ends, two suits, honours, and white itself as either gold.
PAIRS = ("3m4m", "3m5m", "4s7s", "1p9p", "3m7p", "9s1z", "1z2z", "5z3m", "3m5z", "6z5z", "8s8p", "2s1s")
ONES = ("3m", "9s", "1p", "1z", "5z", "7z")

# -- The search --------------------------------------------------------------------------------------------------------

Counts = tuple[int, ...]  # of each kind of one suit


@cache
def splits(counts: Counts, has_pair: bool) -> bool:
    """Whether all tiles of one suit are sets, with one pair beside them if it ``has_pair``. Seven kinds are honours."""
    lowest = next((kind for kind, held in enumerate(counts) if held), None)
    if lowest is None:
        return not has_pair
    shapes = [(lowest,) * 3, *([(lowest,) * 2] if has_pair else [])]
    if len(counts) == 9 and lowest < 7:
        shapes.append((lowest, lowest + 1, lowest + 2))
    for shape in shapes:
        rest = tuple(held - shape.count(kind) for kind, held in enumerate(counts))
        if min(rest) >= 0 and splits(rest, has_pair and len(shape) == 3):
            return True
    return False


@cache
def splits_with(counts: Counts, golds: int, has_pair: bool) -> bool:
    """``splits`` for some way to put ``golds`` more tiles of any kinds into the suit."""
    if (sum(counts) + golds - 2 * has_pair) % 3:
        return False
    for added in combinations_with_replacement(range(len(counts)), golds):
        if splits(tuple(held + added.count(kind) for kind, held in enumerate(counts)), has_pair):
            return True
    return False


def makes(suits: Sequence[Counts], golds: int, has_pair: bool) -> bool:
    """Whether golds can be dealt out among the suits so that each of them splits, one of them with the pair."""
    if not suits:
        return golds == 0 and not has_pair
    first, *rest = suits
    return any(
        splits_with(first, used, own) and makes(rest, golds - used, has_pair and not own)
        for used in range(golds + 1)
        for own in ((False, True) if has_pair else (False,))
    )


def assigned(held: Sequence[Tile], golds: Sequence[Tile]) -> Iterator[tuple[list[Tile], int]]:
    """The kinds that the tiles stand for, golds apart, and the number of golds: one for each way to assign the
    stand-ins."""
    whites = 0 if WHITE in golds else list(held).count(WHITE)
    plain = [one for one in held if one not in golds and (one != WHITE or WHITE in golds)]
    for faces in combinations_with_replacement(golds, whites):
        yield [*plain, *faces], sum(one in golds for one in held)


def by_suit(kinds: Sequence[Tile]) -> list[Counts]:
    counts = [list(kinds).count(kind) for kind in range(KINDS)]
    return [tuple(counts[first : first + 9]) for first in (0, 9, 18, 27)]


def is_whole(held: Sequence[Tile], golds: Sequence[Tile]) -> bool:
    """Sets and a pair."""
    return any(makes(by_suit(kinds), wild, True) for kinds, wild in assigned(held, golds))


def is_you(held: Sequence[Tile], golds: Sequence[Tile]) -> bool:
    """Sets, and one gold more."""
    return any(wild and makes(by_suit(kinds), wild - 1, False) for kinds, wild in assigned(held, golds))


def completing(held: Sequence[Tile], golds: Sequence[Tile]) -> tuple[Tile, ...]:
    """The kinds that make the hand whole, of which it does not hold all copies that are in play."""
    return tuple(
        kind
        for kind in range(KINDS)
        if list(held).count(kind) < COPIES - (kind in golds) and is_whole((*held, kind), golds)
    )


# -- Hands -------------------------------------------------------------------------------------------------------------


def hand(random: Random, golds: tuple[Tile, ...], size: int) -> tuple[Tile, ...]:
    """A hand of ``size`` tiles: sets, and a pair or a lone gold, with golds and whites for some of their tiles; two
    out of five with one tile changed, and one out of six dealt blindly from few kinds."""
    while True:
        pool = Counter({kind: COPIES - (kind in golds) for kind in range(KINDS)})
        if random.random() < 1 / 6:
            few = sorted({*golds, WHITE, *random.sample(range(KINDS), 4), *range(3), *range(9, 12)})
            return tuple(sorted(random.sample([kind for kind in few for _ in range(pool[kind])], size)))
        wanted = _shapes(random, golds, size)
        taken = [_take(random, pool, golds, kind) for kind in wanted]
        held = [one for one in taken if one is not None]
        if len(held) < size:
            continue
        if random.random() < 2 / 5:
            pool.update([held.pop(random.randrange(size))])
            held.append(random.choice([kind for kind in range(KINDS) if pool[kind]]))
        return tuple(sorted(held))


def _shapes(random: Random, golds: tuple[Tile, ...], size: int) -> list[Tile]:
    """The kinds of sets and what is beside them; a hand that waits has a lone gold or lacks one tile."""
    whole = size % 3 == 2
    lone = not whole and random.random() < 1 / 2
    shapes = [_set(random, golds) for _ in range(size // 3 + (not whole and not lone and size > 1))]
    kinds = [kind for shape in shapes for kind in shape]
    if whole:
        return kinds + [_near(random, golds)] * 2
    if lone or size == 1:
        return [*kinds, random.choice(golds)]
    pair = [_near(random, golds)] * 2
    random.shuffle(kinds)
    return [*kinds[: size - 2], *pair]


def _near(random: Random, golds: tuple[Tile, ...]) -> Tile:
    """Any kind, every other time one close to a gold's."""
    kind = random.choice(golds) + random.randint(-2, 2) if random.random() < 1 / 2 else random.randrange(KINDS)
    return kind % KINDS


def _set(random: Random, golds: tuple[Tile, ...]) -> tuple[Tile, ...]:
    kind = _near(random, golds)
    if is_honour(kind) or random.random() < 1 / 3:
        return (kind,) * 3
    low = min(kind, kind // 9 * 9 + 6)
    return low, low + 1, low + 2


def _take(random: Random, pool: Counter[Tile], golds: tuple[Tile, ...], kind: Tile) -> Tile | None:
    """A tile that stands for ``kind``: itself, a white for a face kind, now and then a gold."""
    plain = kind if kind not in golds else WHITE
    order = [plain, *random.sample(golds, len(golds))]
    if random.random() < 1 / 6:
        order.reverse()
    found = next((one for one in order if pool[one] and (one != WHITE or kind == WHITE or kind in golds)), None)
    if found is not None:
        pool[found] -= 1
    return found


def hands(golds: str, sizes: Sequence[int], number: int) -> Iterator[tuple[tuple[Tile, ...], tuple[Tile, ...], Layout]]:
    """``number`` hands of each size, always the same ones."""
    kinds = tiles(golds)
    random = Random(f"{SEED} {golds}")
    where = layout(kinds)
    for size in sizes:
        for _ in range(number):
            yield hand(random, kinds, size), kinds, where


# -- Checks ------------------------------------------------------------------------------------------------------------


def check_whole(held: tuple[Tile, ...], golds: tuple[Tile, ...], where: Layout) -> bool:
    """The answers on a hand of 3n+2 tiles; gives back whether it is complete."""
    expected = is_whole(held, golds)
    packed = pack(held, where)
    said = complete(packed, where), complete_tiles(held, where), bool(readings(packed, where))
    assert said == (expected,) * 3, (text(golds), text(held))
    return expected


def check_waiting(held: tuple[Tile, ...], golds: tuple[Tile, ...], where: Layout) -> tuple[bool, bool]:
    """The answers on a hand of 3n+1 tiles; gives back whether it is in you state, and whether it is ready."""
    packed, expected = pack(held, where), completing(held, golds)
    assert waits(packed, where) == expected, (text(golds), text(held))
    assert is_ready(packed, where) == bool(expected), (text(golds), text(held))
    assert in_you_state(packed, where) == is_you(held, golds), (text(golds), text(held))
    return is_you(held, golds), bool(expected)


@pytest.mark.parametrize("golds", PAIRS + ONES)
def test_complete(golds: str) -> None:
    found = [check_whole(*each) for each in hands(golds, WHOLE, 40)]
    assert 40 < sum(found) < len(found) - 40  # enough of either kind


@pytest.mark.parametrize("golds", PAIRS + ONES)
def test_waiting(golds: str) -> None:
    found = [check_waiting(*each) for each in hands(golds, WAITING, 20)]
    assert len(found) == 100
    assert 5 < sum(is_you for is_you, _ in found) < 90
    assert any(is_ready and not is_you for is_you, is_ready in found)
    assert any(not is_ready for _, is_ready in found)


@st.composite
def any_hand(draw: st.DrawFn) -> tuple[tuple[Tile, ...], tuple[Tile, ...]]:
    """Two golds and as many tiles as a hand may have, out of few kinds, so that they come together."""
    golds = tuple(draw(st.lists(st.integers(0, KINDS - 1), min_size=2, max_size=2, unique=True)))
    few = draw(st.lists(st.integers(0, KINDS - 1), min_size=4, max_size=7, unique=True))
    pool = [kind for kind in sorted({*golds, WHITE, *few}) for _ in range(COPIES - (kind in golds))]
    size = draw(st.sampled_from([one for one in WHOLE + WAITING if one <= len(pool)]))
    return golds, tuple(sorted(draw(st.permutations(pool))[:size]))


@settings(max_examples=400, deadline=None, derandomize=True)
@given(any_hand())
def test_any_hand(position: tuple[tuple[Tile, ...], tuple[Tile, ...]]) -> None:
    golds, held = position
    check = check_whole if len(held) % 3 == 2 else check_waiting
    check(held, golds, layout(golds))


# -- Hands by hand -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("golds", "held", "expected"),
    [
        ("3m7p", "12m5z77z", True),  # a white as the first face
        ("3m7p", "56p5z77z", True),  # as the second
        ("3m7p", "12m56p55z77z", True),  # one as each
        ("7p3m", "12m56p55z77z", True),
        ("3m7p", "12m456m55z77z", False),  # 3m and a tile too many
        ("3m7p", "55z", True),  # a pair of either
        ("3m7p", "555z77z", True),
        ("3m7p", "5555z12m77z", True),
        ("3m4m", "2m55z77z", True),  # a run with both faces: 2m and 3m, 4m
        ("3m5m", "4m55z77z", True),
        ("3m4m", "3m4m", True),  # two golds of different kinds are a pair
        ("3m4m", "334m77z", True),  # and three are a set
        ("3m4m", "33m44m7z", True),
        ("3m4m", "333444m12s", True),
        ("3m4m", "3m147s5z", False),
        ("5z3m", "5z7z", True),  # white is gold itself, not a stand-in
        ("5z3m", "12m7z5z7z", True),
        ("3m", "12m56p55z77z", False),  # one gold: the whites are 3m, and 7p is missing
        ("3m", "12m55z5z", True),
    ],
)
def test_by_hand(golds: str, held: str, expected: bool) -> None:
    where = layout(tiles(golds))
    assert complete(pack(tiles(held), where), where) is expected
    assert is_whole(tiles(held), tiles(golds)) is expected


@pytest.mark.parametrize(
    ("golds", "held", "is_in_it"),
    [
        ("3m7p", "3m", True),
        ("3m7p", "7p", True),
        ("3m7p", "5z", False),
        ("3m7p", "12m5z3m", True),
        ("3m7p", "56p5z3m", True),
        ("3m7p", "56p5z12m5z7p", True),
        ("3m7p", "12m3m7p", True),  # one gold in the run, the other alone
        ("3m7p", "1m3m7p7z", False),
        ("3m7p", "333m7p", True),
        ("3m7p", "33m77p", True),
        ("3m7p", "12m5z7z", False),  # sets, and no gold
        ("5z7p", "55z56p", True),
    ],
)
def test_you_state_by_hand(golds: str, held: str, is_in_it: bool) -> None:
    where = layout(tiles(golds))
    assert in_you_state(pack(tiles(held), where), where) is is_in_it
    assert is_you(tiles(held), tiles(golds)) is is_in_it


@pytest.mark.parametrize(
    ("golds", "held", "expected"),
    [
        ("3m7p", "5z", "3m7p5z"),  # another white, or a gold
        ("3m7p", "12m77z", "3m7p5z"),
        ("3m7p", "56p77z", "4p3m7p5z"),
        ("3m4m", "2m5z77z", "1m3m4m5z"),
        ("3m7p", "2222m", "3m7p"),  # 222 and 2: the fifth is nobody's, but a gold would do
        ("3m7p", "147m7z", ""),
    ],
)
def test_waits_by_hand(golds: str, held: str, expected: str) -> None:
    where = layout(tiles(golds))
    assert waits(pack(tiles(held), where), where) == tuple(sorted(tiles(expected)))


def test_all_golds_in_one_hand() -> None:
    """Six golds and a tile: the pair may be any, and only what is left in play is waited for."""
    golds = tiles("3m7p")
    where = layout(golds)
    packed = pack(tiles("333m777p1s"), where)
    assert in_you_state(packed, where) is is_you(tiles("333m777p1s"), golds) is True
    assert waits(packed, where) == tuple(kind for kind in range(KINDS) if kind not in golds)
    assert is_ready(packed, where)


# -- Readings ----------------------------------------------------------------------------------------------------------


def slow_readings(held: tuple[Tile, ...], golds: tuple[Tile, ...]) -> set[Reading]:
    """Every way to read the hand: each stand-in as either face, each gold as any kind, every tile in every part."""
    found: set[Reading] = set()
    for kinds, wild in assigned(held, golds):
        near = sorted({*kinds, *_neighbours(kinds), golds[0]})
        for stands in combinations_with_replacement(near, wild):
            items = sorted([(kind, False) for kind in kinds] + [(kind, True) for kind in stands])
            found |= {tuple(sorted(parts)) for parts in _parts(tuple(items), golds[0], True)}
    return found


def _neighbours(kinds: Sequence[Tile]) -> list[Tile]:
    return [
        kind + step
        for kind in kinds
        for step in (-2, -1, 1, 2)
        if kind < FIRST_HONOUR and 0 <= kind + step < FIRST_HONOUR and kind // 9 == (kind + step) // 9
    ]


@cache
def _parts(items: tuple[tuple[Tile, bool], ...], face: Tile, has_pair: bool) -> frozenset[tuple[Part, ...]]:
    """All partitions of tiles, real and wild, into sets and the pair; a part of golds alone stands for ``face``."""
    if not items:
        return frozenset() if has_pair else frozenset([()])
    kind = items[0][0]
    shapes = [(kind,) * 3, *([(kind,) * 2] if has_pair else [])]
    if kind < FIRST_HONOUR and kind % 9 < 7:
        shapes.append((kind, kind + 1, kind + 2))
    found = set()
    for shape in shapes:
        for wild in product((False, True), repeat=len(shape)):
            rest = list(items)
            try:
                for one in zip(shape, wild, strict=True):
                    rest.remove(one)
            except ValueError:
                continue
            alike = shape[0] == shape[-1]
            part = Part(shape, tuple(sorted(wild)) if alike else wild)
            part = Part((face,) * len(shape), wild) if all(wild) else part
            for more in _parts(tuple(rest), face, has_pair and len(shape) == 3):
                found.add(tuple(sorted((part, *more))))
    return frozenset(found)


@pytest.mark.parametrize("golds", PAIRS + ONES)
def test_readings_are_all_there_are(golds: str) -> None:
    """Hands of two, five and eight tiles, with at most two golds: more would make the search long."""
    number = 0
    for held, kinds, where in hands(golds, (2, 5, 8), 20):
        if sum(one in kinds for one in held) <= 2:
            found = readings(pack(held, where), where)
            assert set(found) == slow_readings(held, kinds), (golds, text(held))
            assert found == sorted(set(found))
            number += bool(found)
    assert number > 15


@pytest.mark.parametrize("golds", PAIRS)
def test_readings_hold_the_hand(golds: str) -> None:
    """Every reading is sets and one pair, holds each tile once, a stand-in as either face, and every gold."""
    for held, kinds, where in hands(golds, (11, 14), 15):
        plain = Counter(one for one in held if one not in kinds and one != WHITE)
        whites = 0 if WHITE in kinds else held.count(WHITE)
        for reading in readings(pack(held, where), where):
            assert sorted(len(part.kinds) for part in reading) == [2] + [3] * (len(held) // 3)
            assert all(_is_part(part.kinds) for part in reading)
            real = Counter(
                kind for part in reading for kind, wild in zip(part.kinds, part.wild, strict=True) if not wild
            )
            assert sum(real.pop(kind, 0) for kind in kinds) == whites
            assert real == plain
            assert sum(sum(part.wild) for part in reading) == sum(one in kinds for one in held)


def _is_part(kinds: tuple[Tile, ...]) -> bool:
    if len(set(kinds)) == 1:
        return True
    low = kinds[0]
    return kinds == (low, low + 1, low + 2) and low < FIRST_HONOUR and low % 9 < 7


# -- Counting ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("golds", PAIRS + ONES)
def test_packing_keeps_every_tile(golds: str) -> None:
    for held, kinds, where in hands(golds, (13, 14), 20):
        packed = pack(held, where)
        assert unpack(packed, where) == held
        assert flipped(pack(held, layout()), where) == packed
        assert packed[4] % 5 == held.count(kinds[0])
        assert packed[4] // 5 == (held.count(kinds[1]) if len(kinds) > 1 else 0)


@pytest.mark.parametrize(
    ("golds", "held", "number"),
    [
        ("3m7p", "1s", 1),
        ("3m7p", "5z", 2),
        ("3m7p", "55z1s", 3),
        ("3m7p", "5555z", 5),
        ("3m", "5555z", 1),  # one gold: a stand-in has one face
        ("5z3m", "55z", 1),  # white is gold: there is no stand-in
        ("3m5z", "55z", 1),
        ("5z", "55z", 1),
    ],
)
def test_ways_to_play(golds: str, held: str, number: int) -> None:
    """Whites are alike, so what counts is how many of them play as the second face kind."""
    where = layout(tiles(golds))
    ways = list(plays(pack(tiles(held), where), where))
    assert len(ways) == len(set(ways)) == number
    assert ways[0] == pack(tiles(held), where)


@pytest.mark.parametrize("golds", ONES)
def test_one_gold_is_not_split(golds: str) -> None:
    where = layout(tiles(golds))
    assert where.split is None
    assert where.faces[WHITE] == tile(golds)


@pytest.mark.parametrize("golds", [golds for golds in PAIRS if "5z" not in golds])
def test_two_golds_and_their_stand_in(golds: str) -> None:
    """A white lies in the first face kind's place and may move to the second's; both are empty but for it."""
    where, (first, second) = layout(tiles(golds)), tiles(golds)
    natural = layout().slots
    assert where.split == (natural[first], natural[second])
    assert where.slots[WHITE] == natural[first]
    assert (where.faces[WHITE], where.tiles[first]) == (first, WHITE)
    assert len(set(where.slots)) == KINDS


@pytest.mark.parametrize("golds", [golds for golds in PAIRS if "5z" in golds])
def test_two_golds_without_a_stand_in(golds: str) -> None:
    where = layout(tiles(golds))
    assert where.split is None
    assert where.faces == where.tiles == tuple(range(KINDS))
    assert len(set(where.slots)) == KINDS
