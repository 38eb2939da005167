"""The waterfall by hand: every kind of step, in the order in which a payment comes about."""

from __future__ import annotations

from typing import Any

from replays.rulebook import Strand
from replays.table import Table
from replays.waterfall import nets, waterfall
from tests.rules.builders import after, event, table
from tests.rules.longyan import tables as longyan
from tests.rules.longyan.tables import opening
from tests.rules.xiamen.positions import PLAIN

Steps = list[tuple[str, str, int, int]]


def of(position: Table, **won: Any) -> tuple[Strand, ...]:
    """The waterfall of a win, or of a hand without one; it adds up to what the engine pays."""
    kind = "won" if won else "exhausted"
    ended = after(position, kind, **won)
    found = waterfall(position, event(position, kind, **won), ended)
    assert ended.outcome is not None
    assert ended.outcome.settlement is not None
    assert nets(found, position.players) == ended.outcome.settlement.deltas
    return found


def steps(strand: Strand) -> Steps:
    return [(step.clause, step.code, step.value, step.total) for step in strand.steps]


def ways(strands: tuple[Strand, ...]) -> list[tuple[int, int, int, int]]:
    """Payer, payee, whose share, amount."""
    return [(one.payer, one.payee, one.share_of, one.amount) for one in strands]


def test_base_water_factor() -> None:
    position = table({3: PLAIN}, turn=3, drawn="9p", golds="1z", flowers={3: "1f2f"})
    found = of(position, seat=3, win="self_draw", tile="9p")
    assert steps(found[0]) == [
        ("X-DEALER-2", "base", 8, 8),
        ("X-WATER-4", "water", 2, 10),
        ("X-WIN-2", "factor", 10, 20),
    ]
    assert ways(found) == [(seat, 3, seat, 20) for seat in range(3)]


def test_the_dealers_base_with_a_streak() -> None:
    position = table({0: PLAIN}, drawn="9p", golds="1z", streak=2)
    found = of(position, seat=0, win="self_draw", tile="9p")
    assert steps(found[0]) == [("X-DEALER-2", "base", 64, 64), ("X-WIN-2", "factor", 64, 128)]


def test_whose_base_where_the_dealer_is_involved() -> None:
    position = table({3: PLAIN}, turn=3, drawn="9p", golds="1z", options={"base_rule": "dealer_involved"})
    found = of(position, seat=3, win="self_draw", tile="9p")
    assert [steps(one)[0] for one in found] == [
        ("X-PAY-3", "base", 16, 16), ("X-DEALER-2", "base", 8, 8), ("X-DEALER-2", "base", 8, 8),
    ]  # fmt: skip


def test_the_discarder_bears_every_share() -> None:
    position = table({3: PLAIN}, turn=2, last="9p", golds="1z", options={"discard_payers": "discarder"})
    found = of(position, seat=3, win="discard", tile="9p", from_=2)
    assert ways(found) == [(2, 3, seat, 8) for seat in range(3)]


def test_the_bonus_is_outside_the_factor() -> None:
    hand = "147m 258s 147s 2347z 111z"
    position = table({2: hand}, golds="1z", opening=True, options={"you_bonus": 5})
    found = of(position, seat=2, win="three_golds")
    assert steps(found[0]) == [
        ("X-DEALER-2", "base", 8, 8),
        ("X-WATER-3", "water", 3, 11),
        ("X-WIN-6", "factor", 33, 44),
        ("X-PAY-4", "bonus", 5, 49),
    ]


def test_losers_settle_their_water_pair_by_pair() -> None:
    position = table(
        {3: PLAIN}, turn=3, drawn="9p", golds="1z", flowers={0: "1f2f3f", 1: "5f"}, options={"loser_water": True}
    )
    found = of(position, seat=3, win="self_draw", tile="9p")
    among = [one for one in found if one.payee != 3]
    assert ways(tuple(among)) == [(1, 0, 1, 2), (2, 0, 2, 3), (2, 1, 2, 1)]
    assert steps(among[0]) == [("X-PAY-5", "water_of_payee", 3, 3), ("X-PAY-5", "water_of_payer", -1, 2)]


def test_value_and_the_dealers_doubling() -> None:
    position = longyan.table({1: "12345678m 123p 99p"}, turn=1, drawn="9m")
    found = of(position, seat=1, win="self_draw", tile="9m")
    assert steps(found[0]) == [("L-WIN-1", "value", 2, 2), ("L-PAY-1", "dealer_double", 2, 4)]
    assert steps(found[1]) == [("L-WIN-1", "value", 2, 2)]


def test_the_factors_of_shapes() -> None:
    options = {"all_triplets_factor": 3, "pure_suit_factor": 2}
    position = longyan.table({1: "111222333m 444m 9m"}, turn=1, drawn="9m", options=options)
    found = of(position, seat=1, win="self_draw", tile="9m")
    assert steps(found[1]) == [
        ("L-WIN-1", "value", 2, 2),
        ("L-PAY-2", "shape", 4, 6),
        ("L-PAY-2", "shape", 6, 12),
    ]
    assert [step.name for step in found[1].steps] == [None, "all_triplets", "pure_suit"]


def test_no_factor_for_rob_gold() -> None:
    options = {"pure_suit_factor": 2}
    position = longyan.played(opening({1: "12345678m 11199m"}, options=options), "0 discarded 7z")
    found = of(position, seat=1, win="rob_gold")
    assert steps(found[1]) == [("L-WIN-5", "value", 4, 4)]


def test_the_robbed_player_bears_every_share() -> None:
    position = longyan.table({2: "12345678m 123p 99p"}, turn=1, melds={1: ["added 9m@0"]}, last="9m", phase="kong")
    found = of(position, seat=2, win="rob_kong", tile="9m", from_=1)
    assert ways(found) == [(1, 2, 0, 4), (1, 2, 1, 2), (1, 2, 3, 2)]
    assert steps(found[0]) == [("L-WIN-2", "value", 2, 2), ("L-PAY-3", "dealer_double", 2, 4)]


def test_kongs_and_flower_kongs_of_a_hand_without_winner() -> None:
    position = longyan.table(
        {}, turn=3, last="5m", left=0, flowers={2: "1f2f3f4f"},
        melds={0: ["concealed 9m"], 1: ["exposed 9p@2"], 2: ["added 9s@3"]},
    )  # fmt: skip
    found = of(position)
    by_step = {(one.payee, one.steps[0].code): steps(one) for one in found}
    assert by_step[0, "kong"] == [("L-KONG-1", "kong", 2, 2), ("L-KONG-1", "dealer_double", 2, 4)]
    assert by_step[1, "kong"] == [("L-KONG-1", "kong", 3, 3)]
    assert by_step[2, "flower_kong"][0][:2] == ("L-KONG-2", "flower_kong")
    assert [one[:3] for one in ways(found) if one[1] == 1] == [(2, 1, 2)]


def test_go_arounds_double() -> None:
    position = longyan.table({0: "147m 258p 369s 2346z"}, drawn="7z")
    steps_ = [f"{seat} 7z" for seat in (1, 2, 3)]
    position = longyan.played(position, "0 discarded 7z", *steps_, "0 2s", "1 2s", "2 2s", "3 2s")
    found = of(position._replace(left=0))
    assert ways(found) == [(0, 1, 0, 1), (0, 2, 0, 1), (0, 3, 0, 1), (0, 1, 0, 4), (0, 2, 0, 4), (0, 3, 0, 4)]
    assert steps(found[3]) == [("L-SHARE-1", "go_around", 2, 2), ("L-SHARE-1", "go_around_again", 2, 4)]


def test_nothing_is_owed_for_a_voided_hand_or_a_win_that_is_none() -> None:
    position = table({3: PLAIN}, turn=3, drawn="8p", golds="1z")
    won = event(position, "won", seat=3, win="self_draw", tile="8p")
    assert waterfall(position, won, after(position, "won", seat=3, win="self_draw", tile="8p")) == ()
    voided = event(position, "voided", reason="x")
    assert waterfall(position, voided, after(position, "voided", reason="x")) == ()
