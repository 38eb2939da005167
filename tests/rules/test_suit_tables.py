"""The suit tables against their definition (``replays.suits``).

The whole of both tables is compared with a search that shares nothing with the build script: it does not
take tiles away but chooses how many runs and triplets to lay, and counts what of them is wild. Whole hands
are compared with a solver that puts every kind in the place of every wild.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from replays.suits import HONOURS, POWERS, SUIT
from replays.tiles import COPIES, FIRST_HONOUR, KINDS, parse

BUILD = Path(__file__).resolve().parents[2] / "tools" / "build_suits.py"
PACKED = Path(__file__).resolve().parents[2] / "replays" / "_suits_packed.py"

# ---- the whole tables ----------------------------------------------------------------------------------

# A suit is laid from its highest kind down to its lowest. A state is (runs that reach down two kinds
# further, runs that reach one kind further, whether the pair is laid). A fifth run from one kind would be
# wild throughout, and so never fewer wilds than none.
RUNS = range(COPIES + 1)
STATES = tuple(product(RUNS, RUNS, (0, 1)))
Costs = tuple[int, ...]  # for each state, the fewest tiles laid less the tiles held
NEVER = 99
START: Costs = tuple(0 if state == (0, 0, 0) else NEVER for state in STATES)


@cache
def lay(costs: Costs, held: int, may_run: bool) -> Costs:
    """The costs once ``held`` tiles of the next kind down lie in sets; ``may_run``: runs can start here."""
    best = dict.fromkeys(STATES, NEVER)
    for (two, one, pair), cost in zip(STATES, costs, strict=True):
        if cost >= NEVER:
            continue
        for runs, new_pair in product(RUNS if may_run else (0,), (0, 1 - pair)):
            covered = two + one + runs + 2 * new_pair
            triplets = -(-max(0, held - covered) // 3)
            state = (runs, two, pair + new_pair)
            laid = cost + 3 * runs + 3 * triplets + 2 * new_pair - held
            best[state] = min(best[state], laid)
    return tuple(best.values())


def table_by_laying(kinds: int, with_runs: bool) -> bytes:
    """The table of a suit, every number of it; prefixes of the highest kinds come in the table's order."""
    prefixes = [START]
    for kind in reversed(range(kinds)):
        may_run = with_runs and kind >= 2
        prefixes = [lay(costs, held, may_run) for costs in prefixes for held in RUNS]
    return bytes(map(entry, prefixes))


@cache
def entry(costs: Costs) -> int:
    """The byte for a suit laid to its end: no run reaches below the lowest kind."""
    sets, pair = costs[STATES.index((0, 0, 0))], costs[STATES.index((0, 0, 1))]
    assert pair in (sets - 1, sets + 2)
    return 8 * sets - (pair == sets - 1)


@pytest.mark.parametrize(
    ("table", "kinds", "with_runs"), [(SUIT, 9, True), (HONOURS, 7, False)], ids=["suit", "honours"]
)
def test_every_entry_is_the_fewest_wilds(table: bytes, kinds: int, with_runs: bool) -> None:
    expected = table_by_laying(kinds, with_runs)
    assert len(table) == len(expected) == 5**kinds
    differing = [number for number in range(5**kinds) if table[number] != expected[number]]
    assert differing == []


def test_a_suit_reads_the_same_from_either_end() -> None:
    for counts in product(range(5), repeat=5):
        up = sum(count * POWERS[place] for place, count in enumerate(counts))
        down = sum(count * POWERS[8 - place] for place, count in enumerate(counts))
        assert SUIT[up] == SUIT[down]


# ---- small cases by hand -------------------------------------------------------------------------------


def number_of(digits: str) -> int:
    """The number of a suit written as its tiles' digits: ``"112"`` is two ones and a two."""
    return sum(POWERS[int(digit) - 1] for digit in digits)


@pytest.mark.parametrize(
    ("digits", "sets", "saves"),
    [
        ("", 0, 0),  # the pair would be two wilds
        ("5", 2, 1),  # one wild makes the pair
        ("55", 1, 1),  # a pair as it stands
        ("555", 0, 0),
        ("5555", 2, 1),  # 555 + 5, the single tile pairs
        ("123", 0, 0),
        ("789", 0, 0),
        ("12", 1, 0),  # one wild for the run; with a pair, three
        ("13", 1, 0),
        ("89", 1, 0),  # the run's wild lies below
        ("14", 4, 1),  # too far apart for one run
        ("19", 4, 1),
        ("891", 3, 1),  # no run goes round from nine to one: 89 and its wild, the 1 with two, or with one as the pair
        ("1122", 2, 1),  # 11 + 22
        ("2345", 2, 1),  # 22 + 345, or 234 + 55
        ("1245", 2, 0),  # 12 + 45
        ("1379", 2, 0),
        ("1369", 5, 1),  # 13 + 6 + 9
        ("112233", 0, 0),
        ("11223344", 1, 1),  # 11 + 234 + 234
        ("1112345678999", 2, 1),  # the nine gates wait for anything
        ("111122223333444455556666777788889999", 0, 0),
        ("11114444", 4, 1),  # 111 + 1 + 444 + 4
        ("1111444477779", 5, 1),  # 111 + 1 + 444 + 4 + 777 + 79
    ],
)
def test_number_suit_by_hand(digits: str, sets: int, saves: int) -> None:
    assert SUIT[number_of(digits)] == 8 * sets - saves


@pytest.mark.parametrize(
    ("digits", "sets", "saves"),
    [
        ("", 0, 0),
        ("1", 2, 1),
        ("11", 1, 1),
        ("111", 0, 0),
        ("1111", 2, 1),
        ("123", 6, 1),  # honours make no runs
        ("567", 6, 1),
        ("1122", 2, 1),
        ("111222", 0, 0),
        ("1112", 2, 1),
        ("1234567", 14, 1),
    ],
)
def test_honours_by_hand(digits: str, sets: int, saves: int) -> None:
    assert HONOURS[number_of(digits)] == 8 * sets - saves


# ---- whole hands ---------------------------------------------------------------------------------------

Counts = tuple[int, ...]  # of the 34 playing kinds
SUITS = (slice(0, 9), slice(9, 18), slice(18, 27), slice(27, 34))


def total(counts: Counts) -> int:
    """The bytes of a hand's suits, added up."""
    *suits, honours = (sum(n * p for n, p in zip(counts[suit], POWERS, strict=False)) for suit in SUITS)
    return sum(SUIT[number] for number in suits) + HONOURS[honours]


def splits(counts: Counts, pairs: int) -> bool:
    """Whether real tiles split into sets and ``pairs`` pairs, none or one; suit by suit, tile by tile."""
    needed = [sum(counts[suit]) % 3 for suit in SUITS]
    if sorted(needed) != sorted((0, 0, 0, 2 * pairs)):
        return False
    return all(
        splits_suit(counts[suit], need // 2, suit.start < FIRST_HONOUR)
        for suit, need in zip(SUITS, needed, strict=True)
    )


@lru_cache(maxsize=100_000)
def splits_suit(counts: Counts, pairs: int, runs: bool) -> bool:
    """The same for one suit: the lowest tile is in a triplet, in a run that it begins, or in the pair."""
    lowest = next((kind for kind, held in enumerate(counts) if held), None)
    if lowest is None:
        return pairs == 0
    groups: list[tuple[tuple[int, ...], int]] = [((lowest,) * 3, pairs)]
    if runs:
        groups.append(((lowest, lowest + 1, lowest + 2), pairs))
    if pairs:
        groups.append(((lowest,) * 2, 0))
    return any(splits_suit(rest, left, runs) for group, left in groups if (rest := without(counts, group)))


def without(counts: Counts, group: Iterable[int]) -> Counts:
    """``counts`` less the kinds in ``group``; empty where they are not all there."""
    left = list(counts)
    for kind in group:
        if kind >= len(left) or not left[kind]:
            return ()
        left[kind] -= 1
    return tuple(left)


def splits_with_wilds(counts: Counts, wilds: int, pairs: int) -> bool:
    """Whether the hand splits once its wilds are some kinds; all choices of kinds are tried."""
    return any(
        splits(tuple(held + stand_ins.count(kind) for kind, held in enumerate(counts)), pairs)
        for stand_ins in combinations_with_replacement(range(KINDS), wilds)
    )


def counts_of(tiles: Iterable[int]) -> Counts:
    held = list(tiles)
    return tuple(held.count(kind) for kind in range(KINDS))


RUN_STARTS = [kind for kind in range(FIRST_HONOUR) if kind % 9 < 7]
SETS = [(kind,) * 3 for kind in range(KINDS)] + [(kind, kind + 1, kind + 2) for kind in RUN_STARTS]


@st.composite
def hands(draw: st.DrawFn, pairs: int) -> tuple[Counts, int]:
    """A hand of sets and ``pairs`` pairs near to complete: 0 to 3 of its tiles are wilds and 0 to 4 others are
    changed; with the number of wilds. Few suits, so that tiles meet."""
    suits = draw(st.sets(st.integers(0, 3), min_size=1, max_size=3))
    usable = [group for group in SETS if group[0] // 9 in suits]
    size = draw(st.integers(1, 4))
    sets = draw(st.lists(st.sampled_from(usable), min_size=size, max_size=size))
    pair = draw(st.sampled_from(usable))[:1] * 2 * pairs
    tiles = draw(st.permutations([*pair, *(tile for group in sets for tile in group)]))
    wilds = draw(st.integers(0, min(3, len(tiles))))
    held = tiles[wilds:]
    for place in range(min(len(held), draw(st.integers(0, 4)))):
        held[place] = draw(st.sampled_from([kind for kind in range(KINDS) if kind // 9 in suits]))
    return counts_of(held), wilds


def is_dealable(hand: tuple[Counts, int]) -> bool:
    return max(hand[0]) <= COPIES


def hand_of(codes: str, wilds: int) -> tuple[Counts, int]:
    return counts_of(map(parse, codes.split())), wilds


@settings(max_examples=300, deadline=None)
@given(hands(pairs=1).filter(is_dealable))
@example(hand_of("", 2))
@example(hand_of("1m 1p", 3))  # one pairs, the other is a triplet
@example(hand_of("1m 4m", 3))
@example(hand_of("1m 2m 1z 2z 3z", 3))
def test_sets_and_a_pair(hand: tuple[Counts, int]) -> None:
    counts, wilds = hand
    assert (total(counts) < 8 * (wilds + 1)) == splits_with_wilds(counts, wilds, pairs=1)


@settings(max_examples=300, deadline=None)
@given(hands(pairs=0).filter(is_dealable))
@example(hand_of("", 3))
@example(hand_of("1m 1p 1s", 3))
@example(hand_of("1m 1m 1p 1p 1z 1z", 3))
def test_sets_alone(hand: tuple[Counts, int]) -> None:
    counts, wilds = hand
    assert ((total(counts) + 7) >> 3 <= wilds) == splits_with_wilds(counts, wilds, pairs=0)


@pytest.mark.parametrize(
    ("codes", "wilds", "wins"),
    [
        ("1m 1m", 0, True),
        ("1m 2m", 0, False),
        ("1m", 1, True),
        ("", 2, True),
        ("1m 2m", 3, True),  # one wild ends the run, two are the pair
        ("1m 5m", 3, True),  # sets alone take four, one above the wilds, and the suit saves one
        ("1m 2m 4m 5m 7m 8m 1p 2p", 3, False),  # four again, but no suit saves
        ("1m 2m 4p 5p 7s 8s", 2, False),  # three for the sets and none of them saves: the pair makes it five
        ("1m 2m 4p 5p 7s 8s 1z", 1, False),
        ("1m 2m 4p 5p 7s 8s 1z 1z", 3, True),
        ("1m 2m 4p 5p 7s 8s 1z 2z", 3, False),
        ("1m 1m 1p 1p 1s 1s 1z 1z", 3, True),  # all four suits save, and the sum still does not mix
        ("1m 1m 1p 1p 1s 1s 1z 1z 2z 2z 2z", 3, True),
        ("1m 1m 1p 1p 1s 1s 1z 1z 2z 2z 3z", 3, False),
        ("1m 1m 1m 2m 3m 4m 5m 6m 7m 8m 9m 9m 9m", 1, True),
        ("1m 9m 1p 9p 1s 9s 1z 2z 3z 4z 5z 6z 7z 7z", 0, False),
    ],
)
def test_wins_by_hand(codes: str, wilds: int, wins: bool) -> None:
    counts, _ = hand_of(codes, wilds)
    assert (total(counts) < 8 * (wilds + 1)) is wins
    assert splits_with_wilds(counts, wilds, pairs=1) is wins


@pytest.mark.parametrize(
    ("codes", "wilds"),
    [("", 0), ("1m 2m 3m", 0), ("1m 1m", 1), ("1m 2m", 1), ("1m 1m 1p 1p 1s 1s 1z 1z", 4), ("1m 1p 1s 1z", 8)],
)
def test_fewest_wilds_for_sets_are_read_off(codes: str, wilds: int) -> None:
    counts, _ = hand_of(codes, 0)
    assert (total(counts) + 7) >> 3 == wilds


# ---- the build script ----------------------------------------------------------------------------------


def build(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(BUILD), *arguments], capture_output=True, text=True, check=False)


def test_building_anew_gives_the_same_file(tmp_path: Path) -> None:
    anew = tmp_path / "packed.py"
    assert build(["--path", str(anew)]).returncode == 0
    assert anew.read_bytes() == PACKED.read_bytes()


@pytest.mark.slow
def test_the_check_tells_a_changed_file(tmp_path: Path) -> None:
    changed = tmp_path / "packed.py"
    text = PACKED.read_text(encoding="utf-8")
    assert build(["--check", "--path", str(PACKED)]).returncode == 0
    changed.write_text(text.replace('"0000000f0007', '"0000000f0008', 1), encoding="utf-8")
    done = build(["--check", "--path", str(changed)])
    assert done.returncode == 1
    assert "out of date" in done.stderr
