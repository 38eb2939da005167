"""X-WIN-8: 天和, the dealer's complete opening hand, counts four times."""

from __future__ import annotations

import pytest

from tests.rules.builders import Game, audited, chosen_wall, offered, table
from tests.rules.xiamen.positions import PLAIN, cited, facts, win

WHOLE = PLAIN + "9p"


@pytest.mark.parametrize(("streak", "base"), [(0, 16), (1, 32), (3, 128)])
def test_counts_four_times(streak: int, base: int) -> None:
    found = win(facts(WHOLE, by="opening", seat=0, streak=streak))
    assert (found.win, found.clause, found.factor, found.pays) == ("heavenly_win", "X-WIN-8", 4, "X-PAY-2")
    assert found.deltas == (12 * base, -4 * base, -4 * base, -4 * base)


def test_golds_help() -> None:
    assert win(facts("123456789m 12p 1z 456p 99p", by="opening", seat=0)).win == "heavenly_win"


def test_an_incomplete_hand() -> None:
    assert cited(facts(PLAIN + "8p", by="opening", seat=0)) == ("X-SHAPE-1", "not_complete")


def test_for_the_dealer_only() -> None:
    """Another seat has 16 tiles at the opening, which are never complete."""
    position = table({0: WHOLE, 1: "123456m 123456p 789s 7z"}, golds="1z", opening=True)
    assert offered(position, 0, "win") == ["win heavenly_win"]
    assert offered(position, 1) == []


def test_out_of_you_state_it_is_still_tianhe() -> None:
    """There is no draw at the opening, so no wait that it came out of."""
    assert win(facts("123456789m 123456p 1z 5s", by="opening", seat=0)).win == "heavenly_win"


@pytest.mark.parametrize("opening", [True, False])
def test_only_before_the_first_kong_or_discard(opening: bool) -> None:
    position = table({0: PLAIN}, drawn="9p", golds="1z")
    assert offered(position, 0, "win") == ["win self_draw 9p"]
    position = table({0: WHOLE}, golds="1z", opening=opening, source="deal")
    assert offered(position, 0, "win") == (["win heavenly_win"] if opening else [])


def test_after_a_concealed_kong_it_is_a_self_draw() -> None:
    game = Game().open(chosen_wall({0: "123456789m 123p 7777z 9p"}, tail="9p", gold="1z"))
    game.kong(0, "7z", "concealed").draw()
    assert offered(game.table, 0, "win") == ["win self_draw 9p"]


def test_flowers_first() -> None:
    """The opening replacement may complete it."""
    game = Game().open(chosen_wall({0: PLAIN + "1f"}, tail="9p", gold="1z"))
    assert offered(game.table, 0, "win") == ["win heavenly_win"]
    game.win(0).close().end()
    assert audited(game.events) == []
    assert game.audit().hands[0].deltas == (204, -68, -68, -68)
