"""X-WIN-1: 平和, a win on another's discard, counts once."""

from __future__ import annotations

import pytest

from tests.rules.builders import offered, table
from tests.rules.xiamen.positions import PLAIN, facts, win


@pytest.mark.parametrize("from_", [0, 2, 3])
def test_a_discard_counts_once(from_: int) -> None:
    found = win(facts(PLAIN, "9p", "discard", from_=from_))
    assert (found.win, found.clause, found.factor, found.pays) == ("discard", "X-WIN-1", 1, "X-PAY-1")
    assert found.deltas == (-8, 24, -8, -8)


def test_you_state_does_not_matter_on_a_discard() -> None:
    position = facts("123456789m 123456p 1z", "9p", "discard")
    assert win(position, gold_blocks_discard_win="none").win == "discard"


def test_every_seat_that_waits_is_offered_it() -> None:
    position = table({1: PLAIN, 2: "123456789m 123p 456p 9p", 3: "111m 333s 555s 777s 666z 7z"}, last="9p", golds="1z")
    assert offered(position, 1, "win") == ["win discard 9p"]
    assert offered(position, 2, "win") == ["win discard 9p"]
    assert offered(position, 3, "win") == []
