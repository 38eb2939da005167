"""L-WIN-1: 自摸, a win on one's own draw with any hand of sets or of pairs, is worth 2."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import audited, judged, offered, verdict
from tests.rules.builders import win as win_act
from tests.rules.longyan.positions import FULL, PLAIN, SEVEN, opened, table, way, won

HANDS = {
    "sets": (PLAIN, "3s", ()),
    "pairs": (SEVEN, "7z", ()),
    "with a gold": ("123456m 789p 13s 9s 6z", "6z", ()),
    "on a gold": (PLAIN, "9s", ()),
    "melds": ("123456m 7z", "7z", ("pung 5s", "concealed 6z")),
    "after a kong": ("123m 77p 12s", "3s", ("concealed 5s", "concealed 6z")),
}


@pytest.mark.parametrize(("hand", "tile", "melds"), HANDS.values(), ids=HANDS)
@pytest.mark.parametrize("options", [{}, FULL, {"dots": True}])
def test_a_self_draw_is_worth_two(hand: str, tile: str, melds: tuple[str, ...], options: dict[str, Any]) -> None:
    found = won(hand, tile, melds=melds, **options)
    assert (found["win"], found["factor"], found["clause"]) == ("self_draw", 2, "L-WIN-1")
    assert found["deltas"] == [-4, 8, -2, -2]
    assert found["water"] == 0


@pytest.mark.parametrize(("players", "deltas"), [(2, [-4, 4]), (3, [-4, 6, -2]), (4, [-4, 8, -2, -2])])
def test_from_each_of_the_others(players: int, deltas: list[int]) -> None:
    assert won(PLAIN, "3s", players=players)["deltas"] == deltas


@pytest.mark.parametrize("options", [{}, FULL])
def test_the_referee_offers_it(options: dict[str, Any]) -> None:
    position = table({0: PLAIN}, drawn="3s", options=options)
    assert offered(position, 0, "win") == ["win self_draw 3s"]
    assert judged(position, "won", seat=0, win="self_draw", tile="3s") == []


@pytest.mark.parametrize("options", [{}, FULL])
def test_only_on_ones_own_draw(options: dict[str, Any]) -> None:
    """Not on a discard, and not after a pung."""
    discarded = table({1: PLAIN}, turn=2, last="3s", options=options, discards={0: "1z"})
    assert offered(discarded, 1, "win") == []
    assert verdict(discarded, 1, win_act("3s", "self_draw", 2)) == ("L-CLAIM-1", "no_discard_win")
    claimed = table({0: "123456m 77p 12s 3s"}, melds={0: ["pung 7z@1"]}, source="claim", options=options)
    assert offered(claimed, 0, "win") == []
    assert verdict(claimed, 0, win_act(None, "self_draw")) == ("S-CLAIM-2", "win_after_claim")


def test_the_tile_drawn_is_the_one_won_on() -> None:
    position = table({0: PLAIN}, drawn="3s")
    found = judged(position, "won", seat=0, win="self_draw", tile="1s")
    assert found == [("S-CLAIM-3", "not_the_winning_tile")]
    assert judged(position, "won", seat=1, win="self_draw", tile="3s")[0][0] in ("S-TURN-1", "S-CLAIM-3")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_hand(players: int) -> None:
    game = opened({1: PLAIN}, players=players, draws="3s").discard("1m").draw().win(1).close().end()
    assert audited(game.events) == []
    (result,) = game.audit().hands
    assert (result.win, result.factor, result.deltas) == ("self_draw", 2, game.table.scores)
    assert game.table.scores == ((-4, 4), (-4, 6, -2), (-4, 8, -2, -2))[players - 2]


def test_on_the_tile_that_replaces_a_flower() -> None:
    game = opened({1: PLAIN}, draws="1f", tail="3s").discard("1m").draw()
    assert offered(game.table, 1, "win") == ["win self_draw 3s"]
    assert audited(game.win(1).close().end().events) == []


def test_seven_pairs_at_the_table() -> None:
    assert offered(table({0: SEVEN}, drawn="7z"), 0, "win") == ["win self_draw 7z"]
    assert way(SEVEN, "7z") == ("self_draw", 2)
