"""X-DEALER-2: the base is 8 for non-dealers and 16 · 2^n for the dealer with streak n (options ``base``,
``dealer_base``, ``streak_cap``)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.xiamen.positions import PLAIN, facts, win


def base(seat: int, streak: int, **options: Any) -> int:
    """What one other pays for a hand without water on a discard, where the multiplier is 1."""
    deltas = win(facts(PLAIN, "9p", "discard", seat=seat, streak=streak, from_=2), **options).deltas
    assert deltas[seat] == -3 * deltas[3]
    return -deltas[3]


@pytest.mark.parametrize(("streak", "expected"), [(0, 16), (1, 32), (2, 64), (3, 128), (10, 16384), (40, 16 << 40)])
def test_the_dealers_base_doubles(streak: int, expected: int) -> None:
    assert base(0, streak) == expected


@pytest.mark.parametrize("streak", [0, 1, 5, 40])
def test_the_others_base_does_not(streak: int) -> None:
    assert base(1, streak) == 8


@pytest.mark.parametrize(
    ("options", "dealer", "other"),
    [
        ({"base": 5}, 32, 5),
        ({"base": 0}, 32, 0),
        ({"dealer_base": 10}, 20, 8),
        ({"dealer_base": 0}, 0, 8),
        ({"base": 1000000, "dealer_base": 1000000}, 2000000, 1000000),
        ({"base": 5, "dealer_base": 10}, 20, 5),
    ],
)
def test_the_rooms_bases(options: dict[str, int], dealer: int, other: int) -> None:
    assert base(0, 1, **options) == dealer
    assert base(1, 1, **options) == other


@pytest.mark.parametrize(
    ("cap", "streak", "expected"),
    [(None, 4, 256), (0, 0, 16), (0, 4, 16), (2, 1, 32), (2, 2, 64), (2, 3, 64), (2, 9, 64), (60, 4, 256)],
)
def test_the_cap(cap: int | None, streak: int, expected: int) -> None:
    assert base(0, streak, streak_cap=cap) == expected


def test_no_cap_by_default() -> None:
    assert base(0, 61) == 16 << 61


def test_the_base_stands_beside_the_water_before_the_multiplier() -> None:
    found = win(facts(PLAIN, "9p", seat=0, streak=1, flowers="123f"))
    assert found.deltas == (3 * 70, -70, -70, -70)
