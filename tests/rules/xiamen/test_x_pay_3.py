"""X-PAY-3: the base is the winner's (option ``base_rule``: ``dealer_involved`` = the dealer's base if the winner or the
payer is the dealer, else the plain one)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.xiamen.positions import PLAIN, facts, win

#: Winner, dealer, streak; then what seats 0 to 3 get for 平和 without water.
CASES: list[tuple[int, int, int, tuple[int, ...], tuple[int, ...]]] = [
    (1, 0, 0, (-8, 24, -8, -8), (-16, 32, -8, -8)),
    (1, 0, 2, (-8, 24, -8, -8), (-64, 80, -8, -8)),
    (2, 3, 1, (-8, -8, 24, -8), (-8, -8, 48, -32)),
    (0, 0, 0, (48, -16, -16, -16), (48, -16, -16, -16)),
    (3, 3, 2, (-64, -64, -64, 192), (-64, -64, -64, 192)),
]


@pytest.mark.parametrize(("seat", "dealer", "streak", "winner", "involved"), CASES)
def test_whose_base(seat: int, dealer: int, streak: int, winner: tuple[int, ...], involved: tuple[int, ...]) -> None:
    position = facts(PLAIN, "9p", "discard", seat=seat, dealer=dealer, streak=streak, from_=(seat + 1) % 4)
    assert win(position).deltas == win(position, base_rule="winner").deltas == winner
    assert win(position, base_rule="dealer_involved").deltas == involved
    drawn = position._replace(by="self_draw", from_=None)
    assert win(drawn, base_rule="dealer_involved").deltas == tuple(2 * delta for delta in involved)


@pytest.mark.parametrize(
    ("options", "deltas"),
    [
        ({"streak_cap": 1}, (-32, 48, -8, -8)),
        ({"dealer_base": 10, "base": 1}, (-40, 42, -1, -1)),
        ({"discard_payers": "discarder"}, (0, 80, 0, -80)),
    ],
)
def test_beside_other_options(options: dict[str, Any], deltas: tuple[int, ...]) -> None:
    position = facts(PLAIN, "9p", "discard", streak=2, from_=3)
    assert win(position, base_rule="dealer_involved", **options).deltas == deltas


def test_the_water_is_the_winners_either_way() -> None:
    position = facts(PLAIN, "9p", flowers="1f")
    assert win(position, base_rule="dealer_involved").deltas == (-34, 70, -18, -18)
