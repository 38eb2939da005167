"""S-ROB-1: an added kong may be robbed by who wins on its tile, before the kong counts, the nearest after the
konging player first; the robbed kong does not score; concealed kongs cannot be robbed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import Records, after, findings, judged, kong, offered, table, tiles, verdict, win

WINS = "46p 123456789m 11s 222s"
PASSES = Records(passes=True)


def konged(hands: dict[int, str], kind: str = "added", turn: int = 0, **more: Any) -> Any:
    """``turn`` has konged 5p."""
    lying = {"added": "added 5p@3", "concealed": "concealed 5p", "exposed": "exposed 5p@3"}[kind]
    return table(hands, turn=turn, last="5p", phase="kong", melds={turn: [lying]}, **more)


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("step", [1, 2, 3])
def test_anybody_else_may_rob(turn: int, step: int) -> None:
    seat = (turn + step) % 4
    position = konged({seat: WINS}, turn=turn)
    assert offered(position, seat) == ["pass", "win self_draw 5p"]
    assert judged(position, "won", seat=seat, win="self_draw", tile="5p", from_=turn) == []


@pytest.mark.parametrize(("kind", "is_robbed"), [("added", True), ("concealed", False), ("exposed", False)])
def test_only_an_added_kong(kind: str, is_robbed: bool) -> None:
    position = konged({2: WINS}, kind)
    assert bool(offered(position, 2)) is is_robbed
    found = verdict(position, 2, win("5p", "self_draw", 0))
    assert (found is None) is is_robbed


@pytest.mark.parametrize(("code", "is_win"), [("46p", True), ("47p", False)])
def test_only_by_who_wins_on_it(code: str, is_win: bool) -> None:
    position = konged({2: code + WINS[3:]})
    assert bool(offered(position, 2, "win")) is is_win
    expected = None if is_win else ("X-SHAPE-1", "not_complete")
    assert verdict(position, 2, win("5p", "self_draw", 0)) == expected


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("passes", [True, False])
def test_the_nearest_first(turn: int, passes: bool) -> None:
    near, far = (turn + 1) % 4, (turn + 3) % 4
    position = konged({near: WINS, far: WINS}, turn=turn, records=Records(passes=passes))
    assert judged(position, "won", seat=near, win="self_draw", tile="5p", from_=turn) == []
    found = findings(position, "won", seat=far, win="self_draw", tile="5p", from_=turn)
    assert [(one.clause, one.code) for one in found] == [("S-ROB-1", "better_right")] * passes
    for one in found:
        assert one.expected["seat"] == near


def test_who_passed_is_no_longer_nearest() -> None:
    position = konged({1: WINS, 3: WINS}, records=PASSES)
    position = after(position, "passed", seat=1, options=(win("5p", "self_draw", 0),))
    assert judged(position, "won", seat=3, win="self_draw", tile="5p", from_=0) == []


def test_before_the_kong_counts() -> None:
    position = konged({2: WINS})
    position = after(position, "drew", seat=0, tile="9p", tail=True)
    assert offered(position, 2) == []
    assert verdict(position, 2, win("5p", "self_draw", 0)) == ("S-TURN-1", "nothing_to_win_on")


def test_the_robbed_kong_is_a_pung_again() -> None:
    position = table({0: "5p 1379m", 2: WINS}, drawn="9p", melds={0: ["pung 5p@3"]})
    position = after(position, "konged", seat=0, tile="5p", with_="5p", kind="added")
    assert position.melds[0][0].kind == "added"
    position = after(position, "won", seat=2, win="self_draw", tile="5p", from_=0)
    assert [(meld.kind, meld.tiles) for meld in position.melds[0]] == [("pung", tiles("555p"))]
    assert position.concealed(2).count(tiles("5p")[0]) == 1


@pytest.mark.parametrize(("k", "is_robbed"), [(0, False), (1, True), (2, True), (99, True)])
def test_a_rule_set_may_know_no_robbing(k: int, is_robbed: bool) -> None:
    position = konged({2: WINS}, options={"rob_kong_k": k})
    assert bool(offered(position, 2)) is is_robbed
    expected = None if is_robbed else ("X-WIN-2", "no_robbing")
    assert verdict(position, 2, win("5p", "self_draw", 0)) == expected


def test_a_robbed_kong_names_the_konging_seat() -> None:
    position = konged({2: WINS})
    assert verdict(position, 2, win("5p", "self_draw", 3)) == ("S-CLAIM-3", "not_the_winning_tile")
    assert verdict(position, 0, win("5p", "self_draw", 0)) is not None


def test_nobody_claims_a_kong_tile() -> None:
    position = konged({1: "46p 55s 147m 258m 13s 1234z"})
    assert offered(position, 1) == []
    assert verdict(position, 1, kong("5p", "exposed", 0)) == ("S-TURN-1", "out_of_turn")
