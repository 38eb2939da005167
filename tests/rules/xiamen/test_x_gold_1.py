"""X-GOLD-1: the gold dice are counted tile by tile: with sum d the d-th tile from the tail, the last tile being 1."""

from __future__ import annotations

import pytest

from replays.audit import audit
from tests.rules.builders import Game, altered, audited, chosen_wall, seq_of

#: The tail, without the gold's own kind, so that a tile beside it is another.
TAIL = "258m 258p 258s 2346z"
WHOLE = "123456789m 123456p 99p"  # the dealer's 天和, so that hands are short


def dice(total: int) -> tuple[int, int]:
    return (total // 2, total - total // 2)


def game_with(total: int, *, hand: str = WHOLE, tail: str = TAIL) -> Game:
    game = Game().open(chosen_wall({0: hand}, gold="1z", place=total, tail=tail), dice=dice(total))
    return game.win(0).close().end()


@pytest.mark.parametrize("total", range(2, 13))
def test_every_sum(total: int) -> None:
    game = game_with(total)
    assert game.table.flipped == game.whole[-total : len(game.whole) - total + 1]
    assert audited(game.events) == []


@pytest.mark.parametrize("total", range(2, 13))
@pytest.mark.parametrize("off", [-1, 1])
def test_a_tile_beside_it(total: int, off: int) -> None:
    game = game_with(total)
    if not 2 <= total + off <= 12:
        return
    events = altered(game.events, seq_of(game.events, "dice_rolled"), dice=dice(total + off))
    assert audited(events) == [(seq_of(game.events, "gold_flipped"), "X-GOLD-1", "wrong_flip")]
    (found,) = audit(events).findings
    assert found.also == ("S-WALL-3",)
    assert found.recorded == {"tile": "1z"}
    assert found.expected["tile"] != "1z"


def test_counted_after_the_opening_replacement() -> None:
    game = game_with(3, hand="123456789m 123456p 9p 1f", tail="9p")
    assert game.table.flipped == (game.whole[-4],)
    assert audited(game.events) == []


def by_index(index: int) -> list[tuple[int, str, str]]:
    game = Game().open(chosen_wall({0: WHOLE}, gold="1z", place=5), dice=None)
    game.wall.pop(-5)
    game.emit("gold_flipped", tiles="1z", gold="1z", index=index)
    return audited(game.win(0).close().end().events)


def test_the_place_on_record_where_there_are_no_dice() -> None:
    assert by_index(5) == []
    assert [found[1:] for found in by_index(4)] == [("X-GOLD-1", "wrong_flip")]
    assert [found[1:] for found in by_index(6)] == [("X-GOLD-1", "wrong_flip")]


@pytest.mark.parametrize("dealer_is_thrower", [True, False])
def test_any_seat_may_throw(dealer_is_thrower: bool) -> None:
    game = game_with(7)
    events = altered(game.events, seq_of(game.events, "dice_rolled"), seat=0 if dealer_is_thrower else 2)
    assert audited(events) == []


def test_a_rejected_flower_leaves_play_before_the_next_count() -> None:
    wall = chosen_wall({0: WHOLE}, gold="1f1z", place=4)
    game = Game().open(wall, dice=(1, 3), rethrows=[(2, 2)]).win(0).close().end()
    assert game.table.flipped == (wall[-4], wall[-5])
    assert audited(game.events) == []
    events = altered(game.events, seq_of(game.events, "dice_rolled", 1), dice=(2, 3))
    assert audited(events) == [(seq_of(game.events, "gold_flipped"), "X-GOLD-1", "wrong_flip")]


def test_or_the_next_tile_towards_the_head() -> None:
    wall = chosen_wall({0: WHOLE}, gold="1f2f1z", place=4)
    game = Game({"gold_flower": "next"}).open(wall, dice=(1, 3)).win(0).close().end()
    assert game.table.flipped == (wall[-4], wall[-5], wall[-6])
    assert audited(game.events) == []
