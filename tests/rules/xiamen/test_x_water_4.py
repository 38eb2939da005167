"""X-WATER-4: each flower is worth 1 water; four seasons complete 8 in all, four plants complete 8 in all."""

from __future__ import annotations

import pytest

from tests.rules.xiamen.positions import PLAIN, facts, lines, win

CASES = [
    ("", 0),
    ("1f", 1),
    ("8f", 1),
    ("15f", 2),
    ("123f", 3),
    ("567f", 3),
    ("1234f", 8),
    ("5678f", 8),
    ("1235f", 4),
    ("123567f", 6),
    ("12345f", 9),
    ("1234567f", 11),
    ("235678f", 10),
    ("12345678f", 16),
]


@pytest.mark.parametrize(("flowers", "water"), CASES)
def test_flowers(flowers: str, water: int) -> None:
    position = facts(PLAIN, "9p", flowers=flowers)
    assert win(position).water == water
    assert lines(position) == ([("X-WATER-4", water)] if water else [])


def test_in_the_payment_of_any_way() -> None:
    assert win(facts(PLAIN, "9p", "discard", flowers="1234f")).deltas == (-16, 48, -16, -16)
    assert win(facts(PLAIN, "9p", flowers="1234f")).deltas == (-32, 96, -32, -32)
