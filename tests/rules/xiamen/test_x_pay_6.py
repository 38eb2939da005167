"""X-PAY-6: a hand's payments add up to zero, always."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replays.rulebook import Facts
from tests.rules.builders import Game, altered, audited, chosen_wall, seq_of
from tests.rules.xiamen.positions import PLAIN, facts, opened, win

YOU = "123456789m 123456p 1z"
ANY = "147m 147p 147s 2347z"
WINS = [
    facts(PLAIN, "9p"), facts(PLAIN, "9p", "discard"), facts(PLAIN, "9p", "rob_kong"), facts(YOU, "5s"),
    facts(YOU, "5s", level=2), facts(YOU, "5s", level=3), facts(ANY + "6z 11z", "1z"),
    facts(ANY + "111z", by="opening"), facts(PLAIN, "9p", is_untouched=True),
    facts(PLAIN, "9p", "discard", is_untouched=True),
]  # fmt: skip

OPTIONS = st.fixed_dictionaries(
    {
        "base": st.integers(0, 1_000_000),
        "dealer_base": st.integers(0, 1_000_000),
        "streak_cap": st.none() | st.integers(0, 60),
        "base_rule": st.sampled_from(["winner", "dealer_involved"]),
        "discard_payers": st.sampled_from(["all", "discarder"]),
        "you_bonus": st.integers(0, 1_000_000),
        "rob_kong_k": st.integers(1, 99),
        "triple_you_k": st.integers(1, 99),
        "loser_water": st.booleans(),
    }
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.sampled_from(WINS), st.permutations(range(4)), st.integers(0, 3), st.integers(0, 60), OPTIONS)
def test_they_add_up(position: Facts, seats: list[int], dealer: int, streak: int, options: dict[str, Any]) -> None:
    from_ = None if position.from_ is None else seats[1]
    found = win(position._replace(seat=seats[0], dealer=dealer, streak=streak, from_=from_), **options)
    assert sum(found.deltas) == 0
    assert all(type(delta) is int for delta in found.deltas)
    assert found.deltas[seats[0]] >= 0
    assert all(delta <= 0 for seat, delta in enumerate(found.deltas) if seat != seats[0])


@pytest.mark.parametrize("deltas", [(-16, 49, -16, -16), (-16, 48, -16, -15), (0, 48, 0, 0), (-32, 96, -32, -31)])
def test_a_sum_that_is_not_zero(deltas: tuple[int, ...]) -> None:
    game = opened({1: PLAIN}, draws="9p").draw().win(1).close().end()
    seq = seq_of(game.events, "settled")
    events = altered(game.events, seq, deltas=deltas)
    events = [each._replace(scores=deltas) if each.type in ("hand_ended", "game_ended") else each for each in events]
    assert audited(events) == [(seq, "X-PAY-6", "does_not_balance")]


def test_also_where_nobody_won() -> None:
    game = Game({"dead_wall": 40}).open(chosen_wall(gold="1z")).play_out().exhaust().settle((0, 0, 0, -1))
    assert audited(game.events) == [(game.seq, "X-PAY-6", "does_not_balance")]


def test_also_where_the_win_is_none() -> None:
    """Nobody can say what is owed then, but what was paid must add up."""
    game = opened({1: PLAIN}, draws="8p").draw().emit("won", seat=1, win="self_draw", tile="8p")
    shape = (game.seq, "X-SHAPE-1", "not_complete")
    assert audited(game.settle((-16, 48, -16, -16)).events) == [shape]
    events = altered(game.events, game.seq, deltas=(-16, 48, -16, -15))
    assert audited(events) == [shape, (game.seq, "X-PAY-6", "does_not_balance")]
