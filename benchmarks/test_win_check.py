"""The win check with golds beside ``mahjong`` (PyPI), ``Agari.is_agari``, on the same hands.

Goal, with one gold: one call on the packed counts that the table keeps anyway at least 20 times as fast, and from a
list of tiles at least 4 times. The peer knows no wilds, so its hands are the same tiles without golds' meaning. Where
two kinds are flipped the same calls may have to try every stand-in as either (L-GOLD-2): white is one there.
"""

from __future__ import annotations

from collections.abc import Callable
from timeit import repeat

import pytest
from mahjong.agari import Agari

from replays.hands import complete, complete_tiles, layout, pack
from replays.shuffle import Stream
from replays.tiles import NUMBERS

pytestmark = pytest.mark.bench

HANDS = 500
CALLS = 3


def _hands() -> list[tuple[int, ...]]:
    """Fourteen-tile hands, half of them complete: the peer's own size."""
    stream = Stream(b"benchmark", "hands", bytes(32))
    found: list[tuple[int, ...]] = []
    while len(found) < HANDS:
        tiles = _complete_hand(stream) if len(found) % 2 else _any_hand(stream)
        if all(tiles.count(tile) <= 4 for tile in tiles):
            found.append(tuple(sorted(tiles)))
    return found


def _complete_hand(stream: Stream) -> list[int]:
    tiles = [stream.uniform(34)] * 2
    for _ in range(4):
        first = stream.uniform(3) * 9 + stream.uniform(7)
        tiles += [first, first + 1, first + 2] if stream.uniform(2) else [stream.uniform(34)] * 3
    return tiles


def _any_hand(stream: Stream) -> list[int]:
    wall = [tile for tile in range(34) for _ in range(4)]
    return [wall.pop(stream.uniform(len(wall))) for _ in range(14)]


def _best(call: Callable[[], object]) -> float:
    return min(repeat(call, number=CALLS, repeat=5)) / CALLS / HANDS


#: Flipped kinds: red alone, which few hands hold, and two of which white stands in for either.
FLIPS = {"one gold": (NUMBERS["7z"],), "two golds": (NUMBERS["7z"], NUMBERS["5m"])}


@pytest.mark.parametrize("flips", FLIPS)
def test_win_check(flips: str, benchmark: Callable[..., object], report: Callable[[str], None]) -> None:
    hands = _hands()
    where = layout(FLIPS[flips])
    packed = [pack(hand, where) for hand in hands]
    counts = [[hand.count(tile) for tile in range(34)] for hand in hands]
    agari = Agari()
    benchmark(lambda: [complete(hand, where) for hand in packed])
    peer = _best(lambda: [agari.is_agari(hand) for hand in counts])
    ours = _best(lambda: [complete(hand, where) for hand in packed])
    listed = _best(lambda: [complete_tiles(hand, where) for hand in hands])
    report(
        f"win check, {flips}: {peer / ours:.1f} x Agari.is_agari from packed counts (goal 20 with one), "
        f"{peer / listed:.1f} x from a list of tiles (goal 4 with one); {ours * 1e9:.0f} ns, {listed * 1e9:.0f} ns, "
        f"peer {peer * 1e9:.0f} ns"
    )
