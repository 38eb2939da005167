"""S-TILE-1: 34 playing kinds four times and 8 flowers once are 144 tiles."""

from __future__ import annotations

from collections import Counter

import pytest

from replays.tiles import full_set, is_flower
from replays.variants import rulebook
from tests.rules.builders import Game, chosen_wall


def test_the_set_has_144_tiles() -> None:
    counts = Counter(full_set())
    assert sum(counts.values()) == 144
    assert len([kind for kind in counts if not is_flower(kind)]) == 34
    assert len([kind for kind in counts if is_flower(kind)]) == 8


@pytest.mark.parametrize("kind", range(42))
def test_copies(kind: int) -> None:
    assert full_set().count(kind) == (1 if is_flower(kind) else 4)


def test_a_hand_is_played_with_exactly_these_tiles() -> None:
    assert rulebook("xiamen", "1", {}).wall == full_set()
    game = Game().open(chosen_wall())
    # 65 dealt and one flipped.
    assert game.table.left == 144 - 65 - 1
