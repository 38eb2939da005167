"""L-PAY-4: a hand's payments add up to zero, always."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.builders import after, altered, audited, judged, seq_of
from tests.rules.longyan.positions import JUNK, ORPHANS, PLAIN, SEVEN, YOU, opened, table, won

#: A hand, its tile, by what it wins, and members of the hand beside.
WINS: list[tuple[str, str | None, str, dict[str, Any]]] = [
    (PLAIN, "3s", "self_draw", {}),
    (SEVEN, "7z", "self_draw", {}),
    (YOU, "7z", "self_draw", {}),
    (YOU, "7z", "self_draw", {"level": "double_you"}),
    (YOU, "7z", "self_draw", {"level": "triple_you"}),
    (f"{JUNK} 999s", "7z", "self_draw", {}),
    (ORPHANS, "1m", "self_draw", {"golds": "3m"}),
    (PLAIN, "3s", "rob_kong", {}),
    ("9m 19p 19s 1234567z 7z", "1m", "rob_kong", {"golds": "3m"}),
    ("111m 999m 222m 88m 77m", "7m", "self_draw", {}),
]

OPTIONS = st.fixed_dictionaries(
    {
        "you_v": st.integers(1, 99),
        "all_triplets_factor": st.integers(1, 99),
        "pure_suit_factor": st.integers(1, 99),
        "dealer_double": st.booleans(),
    }
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.sampled_from(WINS), st.integers(2, 4), st.data(), OPTIONS)
def test_wins_add_up(
    win: tuple[str, str | None, str, dict[str, Any]], players: int, data: st.DataObject, options: dict[str, Any]
) -> None:
    hand, tile, by, rest = win
    seats = data.draw(st.permutations(range(players)))
    from_ = seats[1] if by == "rob_kong" else None
    dealer = data.draw(st.integers(0, players - 1))
    found = won(hand, tile, by, players=players, seat=seats[0], from_=from_, dealer=dealer, **rest, **options)
    assert sum(found["deltas"]) == 0
    assert all(type(delta) is int for delta in found["deltas"])
    assert found["deltas"][seats[0]] > 0
    assert all(delta <= 0 for seat, delta in enumerate(found["deltas"]) if seat != seats[0])


BESIDE = st.fixed_dictionaries(
    {
        "dealer_double": st.booleans(),
        "kong_discarder_pays_all": st.booleans(),
        "flower_kong": st.sampled_from(["class", "count", "off"]),
    }
)
KONGS = ["concealed 1z", "exposed 2z", "added 3z", "concealed 4z"]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.integers(2, 4), st.data(), BESIDE, st.booleans())
def test_hands_add_up_with_all_that_is_settled_beside(
    players: int, data: st.DataObject, options: dict[str, Any], is_won: bool
) -> None:
    seat = st.integers(0, players - 1)
    melds: dict[int, list[str]] = {}
    for words in data.draw(st.lists(st.sampled_from(KONGS), unique=True)):
        owner = data.draw(seat)
        discarder = (owner + data.draw(st.integers(1, players - 1))) % players
        melds.setdefault(owner, []).append(words if "concealed" in words else f"{words}@{discarder}")
    flowers = {owner: data.draw(st.sampled_from(["", "1234f"])) for owner in [data.draw(seat)]}
    rest: dict[str, Any] = {
        "players": players,
        "dealer": data.draw(seat),
        "options": options,
        "melds": melds,
        "flowers": flowers,
    }
    sizes = {0: PLAIN, 1: "123456m 77p 12s", 2: "123m 77p 12s", 3: "77p 12s", 4: "3s"}
    if is_won:
        position = table({1: sizes[len(melds.get(1, ()))]}, turn=1, drawn="3s", **rest)
        assert judged(position, "won", seat=1, win="self_draw", tile="3s") == []
        position = after(position, "won", seat=1, win="self_draw", tile="3s")
    else:
        position = after(table(turn=1, last="9m", left=0, **rest), "exhausted")
    assert position.outcome is not None
    settlement = position.outcome.settlement
    assert settlement is not None
    assert sum(settlement.deltas) == 0
    paid = [0] * players
    for item in settlement.items:
        paid[item.seat] += item.value
    assert tuple(paid) == settlement.deltas


# -- What a server paid ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("deltas", [(-4, 9, -2, -2), (-4, 8, -2, -1), (0, 8, 0, 0), (-8, 16, -4, -3)])
def test_a_sum_that_is_not_zero(deltas: tuple[int, ...]) -> None:
    game = opened({1: PLAIN}, draws="3s").discard("1m").draw().win(1).close().end()
    seq = seq_of(game.events, "settled")
    events = altered(game.events, seq, deltas=deltas)
    events = [each._replace(scores=deltas) if each.type in ("hand_ended", "game_ended") else each for each in events]
    assert audited(events) == [(seq, "L-PAY-4", "does_not_balance")]


@pytest.mark.parametrize("flowers", [{}, {1: "1234f"}])
def test_also_where_nobody_won(flowers: dict[int, str]) -> None:
    position = after(table(turn=1, last="9m", left=0, flowers=flowers), "exhausted")
    assert judged(position, "settled", deltas=(0, 0, 0, -1)) == [("L-PAY-4", "does_not_balance")]


def test_also_where_the_win_is_none() -> None:
    """Nobody can say what is owed then, but what was paid must add up."""
    game = opened({1: PLAIN}, draws="4s").discard("1m").draw().emit("won", seat=1, win="self_draw", tile="4s")
    shape = (game.seq, "L-SHAPE-1", "not_complete")
    assert audited(game.settle((-4, 8, -2, -2)).events) == [shape]
    events = altered(game.events, game.seq, deltas=(-4, 8, -2, -1))
    assert audited(events) == [shape, (game.seq, "L-PAY-4", "does_not_balance")]
