"""X-WIN-5: 三游, a self-draw on the wait that a second upgrade has left, counts twelve times (option
``triple_you_k``)."""

from __future__ import annotations

import pytest

from tests.rules.builders import audited, offered, table
from tests.rules.xiamen.positions import facts, opened, win

YOU = "123456789m 123456p 1z"


@pytest.mark.parametrize(("options", "k"), [({}, 12), ({"triple_you_k": 16}, 16), ({"triple_you_k": 99}, 99)])
def test_its_multiplier(options: dict[str, int], k: int) -> None:
    found = win(facts(YOU, "5s", level=3), **options)
    assert (found.win, found.clause, found.factor) == ("triple_you", "X-WIN-5", k)
    assert found.deltas == (-9 * k, 27 * k, -9 * k, -9 * k)


@pytest.mark.parametrize(("k", "way"), [(1, "self_draw"), (2, "triple_you"), (3, "triple_you"), (4, "triple_you")])
def test_a_multiplier_below_the_plain_self_draws(k: int, way: str) -> None:
    """X-WIN-9: the way with the largest payment counts."""
    assert win(facts(YOU, "5s", level=3), triple_you_k=k).win == way


def test_a_game_with_two_upgrades() -> None:
    """Three golds in all: the lone one and two that are drawn and discarded one after the other."""
    game = opened({1: YOU}, draws="1z 258s 1z 258s 9p").draw().discard("1z").play("- - -").draw().discard("1z")
    assert game.table.levels[1] == 3
    game.play("- - -").draw()
    assert offered(game.table, 1, "win") == ["win triple_you 9p"]
    game.win(1).close().end()
    assert audited(game.events) == []
    assert (game.audit().hands[0].win, game.audit().hands[0].factor) == ("triple_you", 12)


def test_one_upgrade_is_not_enough() -> None:
    position = table({0: YOU}, drawn="5s", golds="1z", levels={0: 2})
    assert offered(position, 0, "win") == ["win double_you 5s"]
