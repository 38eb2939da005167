"""X-PAY-2: in every way but a win on a discard each of the three others pays (base + water) · k."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import Item, altered, audited, seq_of
from tests.rules.xiamen.positions import PLAIN, facts, opened, win

YOU = "123456789m 123456p 1z"
ANY = "147m 147p 147s 2347z"

#: Base 8, or 16 for the dealer; the water stands in the second column.
WAYS: dict[str, tuple[Any, int, int]] = {
    "self_draw": (facts(PLAIN, "9p", flowers="1f"), 1, 2),
    "robbed kong": (facts(PLAIN, "9p", "rob_kong", flowers="1f"), 1, 2),
    "you": (facts(YOU, "5s"), 1, 4),
    "double_you": (facts(YOU, "5s", level=2), 1, 8),
    "triple_you": (facts(YOU, "5s", level=3), 1, 12),
    "three_golds at the opening": (facts(ANY + "111z", by="opening"), 3, 4),
    "three_golds later": (facts(ANY + "6z 11z", "1z"), 3, 3),
    "heavenly_ready": (facts(PLAIN, "9p", is_untouched=True), 0, 4),
    "heavenly_ready on a robbed kong": (facts(PLAIN, "9p", "rob_kong", is_untouched=True), 0, 4),
}


@pytest.mark.parametrize(("position", "water", "k"), WAYS.values(), ids=WAYS)
def test_each_of_the_others_pays(position: Any, water: int, k: int) -> None:
    found, share = win(position), (8 + water) * k
    assert found.pays == "X-PAY-2"
    assert found.deltas == (-share, 3 * share, -share, -share)


@pytest.mark.parametrize("seat", range(4))
def test_whoever_wins(seat: int) -> None:
    found = win(facts(PLAIN, "9p", seat=seat, dealer=3))
    share = 32 if seat == 3 else 16
    assert found.deltas == tuple(3 * share if each == seat else -share for each in range(4))


def test_the_dealers_heavenly_win() -> None:
    assert win(facts(PLAIN + "9p", by="opening", seat=0, flowers="1f")).deltas == (204, -68, -68, -68)


# ---- what a server paid --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deltas", "found"),
    [
        ((-36, 108, -36, -36), []),
        ((-40, 120, -40, -40), [("X-WATER-6", "wrong_water")]),
        ((-37, 111, -37, -37), [("X-PAY-2", "wrong_payment")]),
        ((-36, 108, -72, 0), [("X-PAY-2", "wrong_payment")]),
        ((-36, 107, -36, -35), [("X-PAY-2", "wrong_payment")]),
        ((-18, 54, -18, -18), [("X-PAY-2", "wrong_payment")]),
    ],
)
def test_payments_on_record(deltas: tuple[int, ...], found: list[tuple[str, str]]) -> None:
    game = opened({1: PLAIN}, draws="1f", tail="9p").draw().win(1).close().end()
    assert game.audit().hands[0].deltas == (-36, 108, -36, -36)
    seq = seq_of(game.events, "settled")
    events = altered(game.events, seq, deltas=deltas)
    events = [each._replace(scores=deltas) if each.type in ("hand_ended", "game_ended") else each for each in events]
    assert audited(events) == [(seq, *each) for each in found]


@pytest.mark.parametrize(
    ("items", "found"),
    [
        ((Item(1, "X-WATER-4", 1),), []),
        ((Item(1, "X-WATER-4", 2),), [("X-WATER-4", "wrong_item")]),
        ((Item(1, "X-WATER-4", 1), Item(1, "X-WATER-3", 1)), [("X-WATER-3", "wrong_item")]),
        ((), [("X-WATER-4", "wrong_item")]),
        ((Item(1, "X-WATER-4", 1), Item(1, "room", 5)), []),
    ],
)
def test_lines_on_record(items: tuple[Item, ...], found: list[tuple[str, str]]) -> None:
    game = opened({1: PLAIN}, draws="1f", tail="9p").draw().win(1).close().end()
    seq = seq_of(game.events, "settled")
    assert audited(altered(game.events, seq, items=items)) == [(seq, *each) for each in found]
