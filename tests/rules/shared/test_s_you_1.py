"""S-YOU-1: a concealed hand without a drawn tile is in you state if it is sets and one gold that is half of the
pair: any tile then completes it; other golds in it play as wilds inside the sets."""

from __future__ import annotations

import pytest

from replays.hands import add, complete, in_you_state, layout, pack
from replays.tiles import KINDS
from tests.rules.builders import table, tile, tiles

WHERE = layout(tiles("9s"))

CASES = [
    pytest.param("9s", True, id="the-gold-alone"),
    pytest.param("5m", False, id="no-gold"),
    pytest.param("123m 9s", True, id="a-run"),
    pytest.param("555m 9s", True, id="a-triplet"),
    pytest.param("124m 9s", False, id="no-run"),
    pytest.param("55m 7m 9s", False, id="no-set"),
    pytest.param("12m 9s9s", True, id="a-wild-in-a-run"),
    pytest.param("11m 9s9s", True, id="a-wild-in-a-triplet"),
    pytest.param("14m 9s9s", False, id="too-far-for-one-wild"),
    pytest.param("6z6z 9s9s", True, id="a-wild-in-honours"),
    pytest.param("6z7z 9s9s", False, id="no-run-of-honours"),
    pytest.param("1m 9s9s9s", True, id="two-wilds-in-one-set"),
    pytest.param("12m 45p 9s9s9s", True, id="two-wilds-in-two-sets"),
    pytest.param("13m 11s 123p 9s9s9s", True, id="beside-whole-sets"),
    pytest.param("14m 11s 123p 9s9s9s", False, id="one-set-too-far"),
    pytest.param("123m 456m 789m 111z 5p", False, id="ready-without-gold"),
    pytest.param("123m 456m 789m 11z 5p 9s", False, id="the-pair-is-made-already"),
    pytest.param("78s5z 9s", True, id="the-stand-in-in-a-run"),
    pytest.param("5z5z5z 9s", True, id="three-stand-ins"),
    pytest.param("123456789m 111222z 9s", True, id="sixteen-tiles"),
    pytest.param("123456789m 111223z 9s", False, id="sixteen-tiles-one-off"),
]


@pytest.mark.parametrize(("hand", "is_you"), CASES)
def test_you_state(hand: str, is_you: bool) -> None:
    packed = pack(tiles(hand), WHERE)
    assert in_you_state(packed, WHERE) is is_you
    if is_you:
        drawn = [add(packed, WHERE.slots[kind]) for kind in range(KINDS) if tiles(hand).count(kind) < 4]
        assert all(complete(held, WHERE) for held in drawn)


def test_any_tile_must_do_by_the_lone_gold() -> None:
    """A wide wait is not yet you state."""
    assert not in_you_state(pack(tiles("1112345678999m"), WHERE), WHERE)
    assert in_you_state(pack(tiles("12345678m 111222z 9s9s"), WHERE), WHERE)


@pytest.mark.parametrize(
    ("drawn", "phase", "is_you"),
    [("5p", "turn", True), ("9s", "turn", True), ("3f", "flower", True), (None, "claims", True)],
)
def test_the_drawn_tile_is_left_aside(drawn: str | None, phase: str, is_you: bool) -> None:
    position = table({0: "123456789m 111222z 9s"}, drawn=drawn, phase=phase, last="5m" if phase == "claims" else None)
    assert in_you_state(position.waiting(0), position.layout) is is_you
    if drawn == "5p":
        assert not in_you_state(position.hands[0], position.layout)


def test_white_as_gold() -> None:
    where = layout((tile("5z"),))
    assert in_you_state(pack(tiles("123m 5z"), where), where)
    assert not in_you_state(pack(tiles("5z"), WHERE), WHERE)
