"""X-WIN-2: 自摸, on one's own draw, also a kong's replacement, counts twice; a robbed kong counts as a self-draw
with its own multiplier (option ``rob_kong_k``, 0 = no robbing)."""

from __future__ import annotations

import pytest

from tests.rules.builders import judged, offered, table, verdict
from tests.rules.builders import win as won
from tests.rules.xiamen.positions import PLAIN, cited, facts, refusal, win


def test_a_self_draw_counts_twice() -> None:
    found = win(facts(PLAIN, "9p"))
    assert (found.win, found.clause, found.factor, found.pays) == ("self_draw", "X-WIN-2", 2, "X-PAY-2")
    assert found.deltas == (-16, 48, -16, -16)


@pytest.mark.parametrize("source", ["draw", "kong"])
def test_a_kongs_replacement_is_a_self_draw(source: str) -> None:
    position = table({0: "123456789m 123p 9p"}, melds={0: ["exposed 7z@2"]}, drawn="9p", source=source, golds="1z")
    assert offered(position, 0, "win") == ["win self_draw 9p"]


def test_after_a_claim_there_is_no_win() -> None:
    position = table({0: "123456789m 123p 99p"}, melds={0: ["chow 456p@3"]}, source="claim", golds="1z")
    assert offered(position, 0, "win") == []
    assert verdict(position, 0, won(None, "self_draw")) == ("S-CLAIM-2", "win_after_claim")


@pytest.mark.parametrize("k", [1, 2, 3, 99])
def test_a_robbed_kong(k: int) -> None:
    found = win(facts(PLAIN, "9p", "rob_kong"), rob_kong_k=k)
    assert (found.win, found.clause, found.factor) == ("self_draw", "X-WIN-2", k)
    assert found.deltas == (-8 * k, 24 * k, -8 * k, -8 * k)


def test_a_robbed_kong_counts_twice_by_default() -> None:
    assert win(facts(PLAIN, "9p", "rob_kong")).factor == 2


def test_no_robbing() -> None:
    position = facts(PLAIN, "9p", "rob_kong")
    assert cited(position, rob_kong_k=0) == ("X-WIN-2", "no_robbing")
    assert refusal(position, rob_kong_k=0).also == ("S-ROB-1",)


@pytest.mark.parametrize(("k", "offer"), [(2, ["win self_draw 9p"]), (0, [])])
def test_the_referee_on_a_robbed_kong(k: int, offer: list[str]) -> None:
    position = table(
        {1: PLAIN}, melds={0: ["added 9p@2"]}, phase="kong", last="9p", golds="1z", options={"rob_kong_k": k}
    )
    assert offered(position, 1, "win") == offer
    found = judged(position, "won", seat=1, win="self_draw", tile="9p", from_=0)
    assert found == ([] if k else [("X-WIN-2", "no_robbing")])


def test_robbing_is_recorded_as_a_self_draw() -> None:
    position = table({1: PLAIN}, melds={0: ["added 9p@2"]}, phase="kong", last="9p", golds="1z")
    assert judged(position, "won", seat=1, win="discard", tile="9p", from_=0) == [("X-WIN-9", "wrong_way_named")]
    assert judged(position, "won", seat=1, win="self_draw", tile="9p") == [("S-CLAIM-3", "not_the_winning_tile")]


def test_robbing_out_of_you_state_is_no_self_draw_out_of_it() -> None:
    assert win(facts("123456789m 123456p 1z", "9p", "rob_kong")).win == "self_draw"
