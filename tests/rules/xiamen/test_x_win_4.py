"""X-WIN-4: 雙游, a self-draw on the wait that the discard of a gold out of you state has left (S-YOU-3), counts eight
times."""

from __future__ import annotations

import pytest

from tests.rules.builders import Game, audited, judged, offered, table
from tests.rules.xiamen.positions import facts, opened, win

YOU = "123456789m 123456p 1z"


def test_counts_eight_times() -> None:
    found = win(facts(YOU, "5s", level=2))
    assert (found.win, found.clause, found.factor) == ("double_you", "X-WIN-4", 8)
    assert found.deltas == (-72, 216, -72, -72)


@pytest.mark.parametrize(("level", "way"), [(0, "you"), (2, "double_you"), (3, "triple_you")])
def test_the_level_tells_them_apart(level: int, way: str) -> None:
    position = table({0: YOU}, drawn="5s", golds="1z", levels={0: level})
    assert offered(position, 0, "win") == [f"win {way} 5s"]
    others = {"you", "double_you", "triple_you", "self_draw"} - {way}
    for other in sorted(others):
        assert judged(position, "won", seat=0, win=other, tile="5s") == [("X-WIN-9", "wrong_way_named")]


def upgraded(discard: str) -> Game:
    """Seat 1 waits on 游金, draws a second gold and discards; then it is its turn again, with a drawn 9p."""
    game = opened({1: YOU}, draws="1z 258s 9p").draw()
    return game.discard(discard).play("- - -").draw()


def test_a_game_with_the_upgrade() -> None:
    game = upgraded("1z")
    assert offered(game.table, 1, "win") == ["win double_you 9p"]
    game.win(1).close().end()
    assert audited(game.events) == []
    assert (game.audit().hands[0].win, game.audit().hands[0].factor) == ("double_you", 8)


def test_a_game_where_the_gold_is_kept() -> None:
    """The drawn gold ends a run and a tile of that run goes: 游金 again, but not 雙游."""
    game = upgraded("6p")
    assert offered(game.table, 1, "win") == ["win you 9p"]
    assert game.table.levels[1] == 0


def test_a_flower_on_the_way_does_not_matter() -> None:
    game = opened({1: YOU}, draws="1z 258s 1f", tail="9p").draw().discard("1z").play("- - -").draw()
    assert offered(game.table, 1, "win") == ["win double_you 9p"]


def test_once_lost_it_does_not_come_back() -> None:
    """The win is given up for nothing; a gold discarded later makes no 雙游 any more, and 游金 is left (S-YOU-4)."""
    game = opened({1: YOU}, draws="1z 258s 3s 369s 1z 258s 9p").draw().discard("1z")
    assert game.table.levels[1] == 2
    game.play("- - -").draw().discard("3s")
    assert game.table.levels[1] == 0
    game.play("- - -").draw().discard("1z")
    assert game.table.levels[1] == 0
    game.play("- - -").draw()
    assert offered(game.table, 1, "win") == ["win you 9p"]
