"""Hands with golds against a slow brute force: completeness, waits, you state, readings, the most water.

The brute force shares nothing with the engine's tables: it puts every kind in the place of every gold and takes the
lowest tile off again and again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from replays.hands import (
    GOLD_SLOTS,
    Hand,
    Layout,
    Part,
    Reading,
    add,
    complete,
    count,
    flipped,
    in_you_state,
    is_ready,
    layout,
    pack,
    readings,
    size,
    triplet_choices,
    unpack,
    waits,
)
from replays.tiles import COPIES, FIRST_HONOUR, KINDS, WHITE, Tile, is_honour, parse
from tests.rules.builders import tiles
from tests.rules.xiamen.positions import PLAIN, facts, win

MANY = settings(max_examples=250, deadline=None, derandomize=True)

LAYOUTS = [layout(), *(layout((kind,)) for kind in range(KINDS))]

# ---- the brute force -----------------------------------------------------------------------------------

Counts = tuple[int, ...]  # tiles of each kind as they stand, golds apart


def counts_of(held: tuple[Tile, ...], where: Layout) -> tuple[Counts, int]:
    """The tiles of a hand by the kind that they play as, and its golds."""
    faces = Counter(where.faces[tile] for tile in held if tile not in where.golds)
    return tuple(faces[kind] for kind in range(KINDS)), sum(tile in where.golds for tile in held)


@cache
def suit_splits(counts: Counts, with_runs: bool) -> tuple[tuple[tuple[Tile, ...], ...], ...]:
    """Every way to take one suit apart into sets and at most one pair; places for kinds."""
    return tuple(sorted(set(_split(counts, with_runs, True))))


def _split(counts: Counts, with_runs: bool, may_pair: bool) -> Iterator[tuple[tuple[Tile, ...], ...]]:
    lowest = next((kind for kind, held in enumerate(counts) if held), None)
    if lowest is None:
        yield ()
        return
    shapes = [(lowest,) * 3, *([(lowest,) * 2] if may_pair else [])]
    shapes += [(lowest, lowest + 1, lowest + 2)] if with_runs and lowest + 2 < len(counts) else []
    for shape in shapes:
        rest = [held - shape.count(kind) for kind, held in enumerate(counts)]
        if min(rest) >= 0:
            for more in _split(tuple(rest), with_runs, may_pair and len(shape) == 3):
                yield tuple(sorted((shape, *more)))


def all_splits(counts: Counts) -> list[tuple[tuple[Tile, ...], ...]]:
    """Every way to take a hand without golds apart into sets and pairs, at most one pair a suit."""
    found: list[tuple[tuple[Tile, ...], ...]] = [()]
    for first in (0, 9, 18, 27):
        splits = suit_splits(counts[first : first + 9], first < FIRST_HONOUR)
        shifted = [tuple(tuple(first + place for place in shape) for shape in split) for split in splits]
        found = [sets + more for sets in found for more in shifted]
    return found


def whole_splits(counts: Counts) -> list[tuple[tuple[Tile, ...], ...]]:
    """Every way to take a hand without golds apart into sets and one pair."""
    return [sets for sets in all_splits(counts) if sum(len(shape) == 2 for shape in sets) == 1]


def sets_alone(counts: Counts) -> list[tuple[tuple[Tile, ...], ...]]:
    """Every way to take a hand without golds apart into sets without a pair."""
    return [sets for sets in all_splits(counts) if all(len(shape) == 3 for shape in sets)]


def is_whole(counts: Counts, golds: int, pairs: int = 1) -> bool:
    """Whether some kinds in the place of the golds make the hand sets and so many pairs."""
    able = {(0, 0)}  # golds used and pairs made by the suits so far
    for first in (0, 9, 18, 27):
        suit = counts[first : first + 9]
        able = {
            (used + wilds, made + more)
            for used, made in able
            for wilds in range(golds - used + 1)
            for more in suit_pairs(suit, first < FIRST_HONOUR, wilds)
        }
    return (golds, pairs) in able


@cache
def suit_pairs(counts: Counts, with_runs: bool, golds: int) -> frozenset[int]:
    """How many pairs beside sets one suit can make, whatever kinds of the suit its golds stand for."""
    return frozenset(
        sum(len(shape) == 2 for shape in sets)
        for chosen in combinations_with_replacement(range(len(counts)), golds)
        for sets in suit_splits(with_tiles(counts, chosen), with_runs)
    )


def with_tiles(counts: Counts, chosen: tuple[Tile, ...]) -> Counts:
    added = Counter(chosen)
    return tuple(held + added[kind] for kind, held in enumerate(counts))


def brute_waits(held: tuple[Tile, ...], where: Layout) -> tuple[Tile, ...]:
    """The tiles that complete a hand which does not hold all copies of them."""
    most = dict.fromkeys(where.golds, COPIES - 1)
    able = [tile for tile in range(KINDS) if held.count(tile) < most.get(tile, COPIES)]
    return tuple(tile for tile in able if is_whole(*counts_of((*held, tile), where)))


def brute_readings(held: tuple[Tile, ...], where: Layout) -> set[Reading]:
    """Every reading, found by naming the golds, and in each which tile of a part is the gold."""
    counts, golds = counts_of(held, where)
    found: set[Reading] = set()
    for among in range(golds + 1):
        alone = gold_parts(among, where)
        for chosen in combinations_with_replacement(range(KINDS), golds - among):
            if alone is not None:
                found |= set(_named(counts, chosen, alone))
    return found


def gold_parts(number: int, where: Layout) -> list[Part] | None:
    """Parts of golds alone."""
    shapes = {0: [], 2: [2], 3: [3]}
    if number not in shapes:
        return None
    return [Part((where.golds[0],) * length, (True,) * length) for length in shapes[number]]


def _named(counts: Counts, chosen: tuple[Tile, ...], alone: list[Part]) -> Iterator[Reading]:
    has_pair = any(len(part.kinds) == 2 for part in alone)
    splits = sets_alone if has_pair else whole_splits
    for shapes in splits(with_tiles(counts, chosen)):
        for parts in _with_wilds(shapes, Counter(chosen)):
            if not any(all(part.wild) for part in parts):
                yield tuple(sorted((*parts, *alone)))


def _with_wilds(shapes: tuple[tuple[Tile, ...], ...], golds: Counter[Tile]) -> Iterator[tuple[Part, ...]]:
    """Every way to say which tiles of the sets are the golds; within a triplet or pair the golds come last."""
    places = [(i, j) for i, shape in enumerate(shapes) for j in range(len(shape))]
    for wild in combinations(places, golds.total()):
        if Counter(shapes[i][j] for i, j in wild) == golds:
            parts = [Part(shape, tuple((i, j) in wild for j in range(len(shape)))) for i, shape in enumerate(shapes)]
            if all(part.kinds[0] != part.kinds[-1] or part.wild == tuple(sorted(part.wild)) for part in parts):
                yield tuple(parts)


# ---- random hands --------------------------------------------------------------------------------------


@st.composite
def hands(draw: st.DrawFn, sizes: tuple[int, ...]) -> tuple[tuple[Tile, ...], Layout]:
    """Tiles of a hand and its layout: sets and a pair, some tiles of them golds and up to two others changed, so that
    many hands are complete or near it."""
    where = draw(st.sampled_from(LAYOUTS[1:]))
    length = draw(st.sampled_from(sizes))
    golds = min(draw(st.integers(0, GOLDS)), length)
    free = [0 if kind in where.golds else COPIES for kind in range(KINDS)]
    held: list[Tile] = []
    for shape in (draw(_PAIR), *draw(st.lists(_SET, min_size=length // 3, max_size=length // 3))):
        laid = Counter(where.tiles[face] for face in shape)
        if all(free[tile] >= copies for tile, copies in laid.items()):
            held += laid.elements()
            free = [left - laid[tile] for tile, left in enumerate(free)]
    changed = golds + draw(st.integers(0, 2))
    held = draw(st.permutations(held))[: max(0, length - changed)]
    rest = [tile for tile in range(KINDS) for _ in range(COPIES - held.count(tile)) if tile not in where.golds]
    others = draw(st.lists(st.integers(0, len(rest) - 1), min_size=17, max_size=17, unique=True))
    held += [rest[i] for i in others[: length - golds - len(held)]]
    return tuple(sorted((*held, *where.golds * golds))), where


GOLDS = 3
_RUNS = [(kind, kind + 1, kind + 2) for kind in range(FIRST_HONOUR) if kind % 9 < 7]
_PAIR = st.sampled_from([(kind,) * 2 for kind in range(KINDS)])
_SET = st.one_of(st.sampled_from(_RUNS), st.sampled_from([(kind,) * 3 for kind in range(KINDS)]))

WON, WAITING = (2, 5, 8, 11, 14, 17), (1, 4, 7, 10, 13, 16)


def case(text: str, gold: str) -> tuple[tuple[Tile, ...], Layout]:
    return tiles(text), layout((parse(gold),))


# ---- complete ------------------------------------------------------------------------------------------


@MANY
@given(hands(WON))
@example(case("111222333m 11p 1z", "9s"))
@example(case("11m 11p 11s 11z 22z 33z 44z 222m", "9s"))
@example(case("99s", "9s"))
def test_complete_is_brute_force_and_has_readings(hand: tuple[tuple[Tile, ...], Layout]) -> None:
    held, where = hand
    packed = pack(held, where)
    expected = is_whole(*counts_of(held, where))
    assert complete(packed, where) == expected
    assert bool(readings(packed, where)) == expected


@pytest.mark.parametrize("where", LAYOUTS[1:], ids=lambda where: str(where.golds[0]))
def test_a_complete_hand_under_every_gold(where: Layout) -> None:
    gold = where.golds[0]
    suit = next(first for first in (0, 9, 18) if gold // 9 != first // 9)
    runs = [suit + place for place in (0, 1, 2, 3, 4, 5, 6, 7, 8)]
    hand = pack((*runs, *runs[:3], *runs[3:5], gold, gold, gold), where)
    assert complete(hand, where)
    short = (*runs, *runs[:3], *(suit + place for place in (4, 7)), gold, *_apart(where))
    assert not complete(pack(short, where), where)


def _apart(where: Layout) -> list[Tile]:
    """Two single honours that are neither gold nor stand-in."""
    return [kind for kind in range(FIRST_HONOUR, KINDS) if kind not in (*where.golds, WHITE)][:2]


# ---- waits and you state -------------------------------------------------------------------------------


@MANY
@given(hands(WAITING))
@example(case("111m 1p 999s", "9s"))
@example(case("1111m", "9s"))
@example(case("999s 1m", "9s"))
@example(case("1m 9s 22225m", "9s"))
def test_waits_are_brute_force(hand: tuple[tuple[Tile, ...], Layout]) -> None:
    held, where = hand
    packed = pack(held, where)
    expected = brute_waits(held, where)
    assert waits(packed, where) == expected
    assert is_ready(packed, where) == bool(expected)


@MANY
@given(hands(WAITING))
@example(case("9s", "9s"))
@example(case("11m 99s", "9s"))
@example(case("11m 11p 999s", "9s"))
@example(case("999s 1m", "9s"))
def test_you_state_is_a_wait_for_every_kind(hand: tuple[tuple[Tile, ...], Layout]) -> None:
    held, where = hand
    counts, golds = counts_of(held, where)
    completes_all = all(is_whole(with_tiles(counts, (kind,)), golds) for kind in range(KINDS))
    assert in_you_state(pack(held, where), where) == (golds > 0 and completes_all)
    if golds == 0:
        assert not completes_all


@MANY
@given(hands(WAITING))
def test_you_state_is_sets_and_a_lone_gold(hand: tuple[tuple[Tile, ...], Layout]) -> None:
    held, where = hand
    counts, golds = counts_of(held, where)
    has_sets = golds > 0 and is_whole(counts, golds - 1, pairs=0)
    assert in_you_state(pack(held, where), where) == has_sets


# ---- readings and water --------------------------------------------------------------------------------


@MANY
@given(hands((2, 5, 8)))
@example(case("123m 123m 99s", "9s"))
@example(case("111222m 99s", "9s"))
@example(case("12m 999s", "9s"))
def test_readings_are_all_readings(hand: tuple[tuple[Tile, ...], Layout]) -> None:
    held, where = hand
    found = readings(pack(held, where), where)
    assert found == sorted(set(found))
    assert set(found) == brute_readings(held, where)


def most_water(held: tuple[Tile, ...], where: Layout, discard: Tile | None, with_wild: bool, white_set: str) -> int:
    """The most water of the concealed triplets over all readings and all places of a won discard."""
    packed = pack(held, where)
    best = 0
    for reading in readings(packed, where):
        places: list[Part | None] = [None]
        if discard is not None:
            face = where.faces[discard]
            places = [
                part for part in reading if any(k == face and not w for k, w in zip(part.kinds, part.wild, strict=True))
            ]
        best = max(best, *(sum(part_water(part, part is place, where, with_wild, white_set) for part in reading)
                           for place in places))  # fmt: skip
    return best


def part_water(part: Part, is_claimed: bool, where: Layout, with_wild: bool, white_set: str) -> int:
    """X-WATER-1, X-WATER-2, X-WATER-5 for one part of a reading."""
    kind = part.kinds[0]
    if len(part.kinds) != 3 or part.kinds[-1] != kind or (any(part.wild) and not with_wild):
        return 0
    is_stand_in = kind in where.golds and WHITE not in where.golds and not all(part.wild)
    has_honour_water = is_honour(kind) or (is_stand_in and white_set == "dragon")
    return (1 if has_honour_water else 0) + (0 if is_claimed else 1)


@MANY
@given(hands(WON), st.data())
def test_the_most_water_over_all_readings(hand: tuple[tuple[Tile, ...], Layout], data: st.DataObject) -> None:
    held, where = hand
    assume(complete(pack(held, where), where))
    tile = data.draw(st.sampled_from(held))
    on_discard = data.draw(st.booleans()) and tile not in where.golds
    options: dict[str, Any] = {
        "wild_triplet": data.draw(st.booleans()),
        "white_set": data.draw(st.sampled_from(["face", "dragon"])),
        "gold_blocks_discard_win": "none",
    }
    rest = list(held)
    rest.remove(tile)
    position = facts(PLAIN, "9p")._replace(
        layout=where,
        hand=pack(held, where),
        waiting=pack(rest, where),
        tile=tile,
        by="discard" if on_discard else "self_draw",
        from_=2 if on_discard else None,
    )
    golds = counts_of(held, where)[1]
    discard = tile if on_discard else None
    expected = most_water(held, where, discard, options["wild_triplet"], options["white_set"])
    settlement = win(position, **options, three_golds="off")
    assert settlement.water == golds + expected
    assert sum(item.value for item in settlement.items) == settlement.water


@MANY
@given(hands(WON))
def test_triplet_choices_are_those_of_the_readings(hand: tuple[tuple[Tile, ...], Layout]) -> None:
    held, where = hand
    packed = pack(held, where)
    chosen = list(triplet_choices(packed))
    assert len(set(chosen)) == len(chosen)
    read = {
        tuple(sorted(part.kinds[0] for part in reading if part.kinds[0] == part.kinds[-1] and len(part.kinds) == 3
                     and not any(part.wild)))
        for reading in readings(packed, where)
    }  # fmt: skip
    assert read <= {tuple(sorted(kinds)) for kinds in chosen}
    for kinds in chosen:
        assert any(set(kinds) <= set(known) for known in read)


# ---- packing -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", LAYOUTS, ids=lambda where: str(where.golds))
def test_every_tile_comes_back(where: Layout) -> None:
    for tile in range(KINDS):
        for copies in range(COPIES + 1):
            hand = pack((tile,) * copies, where)
            assert unpack(hand, where) == (tile,) * copies
            assert count(hand, where.slots[tile]) == size(hand) == copies


@MANY
@given(st.sampled_from(LAYOUTS), st.lists(st.integers(0, KINDS * COPIES - 1), max_size=17, unique=True))
def test_packing_is_lossless(where: Layout, copies: list[int]) -> None:
    held = tuple(sorted(copy // COPIES for copy in copies))
    hand = pack(held, where)
    assert unpack(hand, where) == held
    assert size(hand) == len(held)
    assert hand[4] == sum(tile in where.golds for tile in held)
    assert flipped(pack(held, layout()), where) == hand


def test_a_fifth_copy_is_refused() -> None:
    with pytest.raises(ValueError, match="more than four"):
        pack((3,) * 5, layout())


def test_the_stand_in_lies_where_the_face_kind_would() -> None:
    where = layout((parse("3m"),))
    assert pack(tiles("555z"), where) == pack(tiles("333m"), layout())
    assert pack(tiles("333m"), where) == add((0, 0, 0, 0, 0), GOLD_SLOTS[0], 3)
    assert layout((WHITE,)).faces[WHITE] == WHITE
    assert unpack(pack(tiles("5z"), layout((WHITE,))), layout((WHITE,))) == (WHITE,)


def test_no_gold_no_wild() -> None:
    hand: Hand = pack(tiles("123m 55z"), layout())
    assert complete(hand, layout())
    assert not in_you_state(pack(tiles("123m 5z"), layout()), layout())
