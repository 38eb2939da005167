"""X-PAY-1: on a discard each of the three others pays (base + water) · k, with k 1 or that of 天聽; the winner gets it
all (option ``discard_payers``: ``discarder`` pays all three shares)."""

from __future__ import annotations

import pytest

from tests.rules.builders import Game, altered, audited, seq_of
from tests.rules.xiamen.positions import PLAIN, facts, opened, win


@pytest.mark.parametrize("from_", [0, 2, 3])
@pytest.mark.parametrize(("is_untouched", "k"), [(False, 1), (True, 4)])
def test_all_three_pay(from_: int, is_untouched: bool, k: int) -> None:
    found = win(facts(PLAIN, "9p", "discard", from_=from_, flowers="12f", is_untouched=is_untouched))
    assert found.pays == "X-PAY-1"
    assert found.deltas == (-10 * k, 30 * k, -10 * k, -10 * k)


@pytest.mark.parametrize(("from_", "deltas"), [(0, (-30, 30, 0, 0)), (2, (0, 30, -30, 0)), (3, (0, 30, 0, -30))])
def test_the_discarder_pays_all(from_: int, deltas: tuple[int, ...]) -> None:
    position = facts(PLAIN, "9p", "discard", from_=from_, flowers="12f")
    assert win(position, discard_payers="discarder").deltas == deltas
    assert win(position, discard_payers="all").deltas == (-10, 30, -10, -10)
    ready = position._replace(is_untouched=True)
    assert win(ready, discard_payers="discarder").deltas == tuple(4 * delta for delta in deltas)


@pytest.mark.parametrize("by", ["self_draw", "rob_kong"])
def test_on_discards_only(by: str) -> None:
    assert win(facts(PLAIN, "9p", by), discard_payers="discarder").deltas == (-16, 48, -16, -16)


def test_the_dealer_wins_on_a_discard() -> None:
    assert win(facts(PLAIN, "9p", "discard", seat=0, streak=1)).deltas == (96, -32, -32, -32)


# ---- what a server paid --------------------------------------------------------------------------------


def won() -> Game:
    """A hand won on a discard; seat 1 touched its own before, so that it is 平和."""
    game = opened({1: "123456789m 12345p 9p 8s"}, draws="6p 9p").draw().discard("8s").draw().discard("9p")
    return game.win(1).close().end()


def test_a_right_payment() -> None:
    game = won()
    assert audited(game.events) == []
    assert game.audit().hands[0].deltas == (-8, 24, -8, -8)
    assert game.audit().hands[0].win == "discard"


@pytest.mark.parametrize(
    ("deltas", "found"),
    [
        ((-8, 24, -16, 0), ("X-PAY-1", "wrong_payment")),
        ((0, 24, -24, 0), ("X-PAY-1", "wrong_payment")),
        ((-9, 27, -9, -9), ("X-WATER-6", "wrong_water")),
        ((-7, 21, -7, -7), ("X-WATER-6", "wrong_water")),
    ],
)
def test_a_wrong_payment(deltas: tuple[int, ...], found: tuple[str, str]) -> None:
    game = won()
    seq = seq_of(game.events, "settled")
    events = altered(game.events, seq, deltas=deltas)
    events = [each._replace(scores=deltas) if each.type in ("hand_ended", "game_ended") else each for each in events]
    assert audited(events) == [(seq, *found)]
