"""X-WIN-6: 三金倒, three golds in hand with any other tiles, counts four times at the opening, with the room's
bonus, and three times later."""

from __future__ import annotations

import pytest

from tests.rules.builders import Game, audited, chosen_wall, offered, table
from tests.rules.xiamen.positions import cited, facts, opened, win

ANY = "147m 147p 147s 2347z"  # waits for nothing


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_at_the_opening(seat: int) -> None:
    found = win(facts(ANY + "111z", by="opening", seat=seat))
    assert (found.win, found.clause, found.factor) == ("three_golds", "X-WIN-6", 4)
    assert found.deltas[seat] == 3 * (8 + 3) * 4


def test_at_the_dealers_opening() -> None:
    found = win(facts(ANY + "111z 6z", by="opening", seat=0))
    assert (found.win, found.factor, found.deltas) == ("three_golds", 4, (228, -76, -76, -76))


def test_later() -> None:
    found = win(facts(ANY + "6z 11z", "1z"))
    assert (found.win, found.clause, found.factor) == ("three_golds", "X-WIN-6", 3)
    assert found.deltas == (-33, 99, -33, -33)


@pytest.mark.parametrize(("bonus", "share"), [(0, 44), (25, 69)])
def test_the_bonus_comes_on_top_at_the_opening(bonus: int, share: int) -> None:
    assert win(facts(ANY + "111z", by="opening"), you_bonus=bonus).deltas == (-share, 3 * share, -share, -share)
    assert win(facts(ANY + "6z 11z", "1z"), you_bonus=bonus).deltas == (-33, 99, -33, -33)


@pytest.mark.parametrize("rest", ["666z", "66z 1z", "6z 11z"])
def test_fewer_golds(rest: str) -> None:
    assert cited(facts(ANY + rest, by="opening")) == ("X-SHAPE-1", "not_complete")
    assert cited(facts(ANY + rest, "9s")) == ("X-SHAPE-1", "not_complete")


def test_whites_that_are_golds() -> None:
    assert win(facts(ANY + "555z", by="opening", gold="5z")).win == "three_golds"
    assert cited(facts(ANY + "555z", by="opening", gold="1z")) == ("X-SHAPE-1", "not_complete")


def test_never_on_others_tiles() -> None:
    for by in ("discard", "rob_kong"):
        assert cited(facts(ANY + "111z", "9s", by), gold_blocks_discard_win="none") == ("X-SHAPE-1", "not_complete")
        whole = facts("123456789m 12p 46p 9p 11z", "9p", by)
        assert win(whole, gold_blocks_discard_win="none").win in ("discard", "self_draw")


def test_a_game_that_ends_at_once() -> None:
    game = Game({"you_bonus": 10}).open(chosen_wall({2: ANY + "111z"}, gold="1z"))
    assert offered(game.table, 2) == ["pass", "win three_golds"]
    game.win(2).close().end()
    assert audited(game.events) == []
    assert game.audit().hands[0].deltas == (-54, -54, 162, -54)


def test_a_game_that_ends_later() -> None:
    game = opened({1: ANY + "6z 11z"}, draws="1z").draw().win(1).close().end()
    assert audited(game.events) == []
    assert game.audit().hands[0].deltas == (-33, 99, -33, -33)


def test_the_third_gold_may_be_a_kongs_replacement() -> None:
    position = table({0: "147m 147p 147s 2z 11z"}, melds={0: ["concealed 7z"]}, drawn="1z", source="kong", golds="1z")
    assert offered(position, 0, "win") == ["win three_golds 1z"]
