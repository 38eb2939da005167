"""S-GOLD-1: after the opening flowers the gold is flipped by two dice, counted from the tail as the wall then is;
the flipped tile leaves play and three copies are golds; a flipped flower cannot be gold and the flip is
repeated (option ``gold_flower``: ``rethrow``, or ``next`` for the next tile towards the head)."""

from __future__ import annotations

from typing import Any

import pytest

from replays.audit import audit
from tests.rules.builders import (
    Game,
    altered,
    audited,
    chosen_wall,
    findings,
    inserted,
    judged,
    seq_of,
    tile,
    tiles,
    without,
)

THROWS = ("S-GOLD-1", "throws_do_not_answer")


def waiting(options: dict[str, Any] | None = None, tail: str = "", **chosen: Any) -> Game:
    """A hand up to the flip."""
    return Game(options).open(chosen_wall(tail=tail, **chosen), dice=None)


@pytest.mark.parametrize("dice", [(1, 1), (2, 1), (3, 4), (6, 6)])
def test_the_sum_counts_from_the_tail(dice: tuple[int, int]) -> None:
    wall = chosen_wall({0: "1f"}, tail="5m", gold="8s", place=sum(dice))
    game = Game().open(wall, dice=dice)
    # One tile has gone to the replacement before.
    assert wall[-1 - sum(dice)] == tile("8s")
    assert game.table.golds == tiles("8s")


def test_the_flipped_tile_leaves_play() -> None:
    game = waiting()
    before = game.table.left
    game.flip((1, 1))
    assert game.table.left == before - 1
    assert game.table.flipped == game.table.golds
    assert game.table.seen >> 8 * game.table.golds[0] & 255 >= 1


@pytest.mark.parametrize("seat", range(4))
def test_any_seat_may_throw(seat: int) -> None:
    assert judged(waiting().table, "dice_rolled", purpose="gold", dice=(1, 1), seat=seat) == []


def test_a_place_may_stand_for_the_dice() -> None:
    game = Game().open(chosen_wall(gold="8s", place=5), dice=None)
    game.wall.pop(-5)
    game.emit("gold_flipped", tiles="8s", gold="8s", index=5)
    game.play_out().exhaust().close().end()
    assert audited(game.events) == []
    seq = seq_of(game.events, "gold_flipped")
    assert (seq, "X-GOLD-1", "wrong_flip") in audited(altered(game.events, seq, index=4))


def rethrown(gold_flower: str = "rethrow") -> Game:
    """The tail is 1m 2f 8s 6s 7s: the second throw counts on the wall without the flower."""
    wall = chosen_wall(tail="1m2f8s6s7s", gold="5s", place=8)
    game = Game({"gold_flower": gold_flower})
    if gold_flower == "next":
        return game.open(wall, dice=(1, 1))
    return game.open(wall, dice=(1, 1), rethrows=[(1, 2)])


@pytest.mark.parametrize(("gold_flower", "gold"), [("rethrow", "6s"), ("next", "8s")])
def test_a_flower_is_no_gold(gold_flower: str, gold: str) -> None:
    game = rethrown(gold_flower)
    flip = game.events[seq_of(game.events, "gold_flipped")]
    assert (flip.tiles, flip.gold) == (tiles("2f" + gold), tile(gold))
    assert game.table.left == 144 - 65 - 2
    game.play_out().exhaust().close().end()
    assert audited(game.events) == []


@pytest.mark.parametrize(
    ("gold_flower", "tiles", "throws", "expected"),
    [
        pytest.param("rethrow", "8s", 1, [], id="one-throw-one-tile"),
        pytest.param("rethrow", "2f8s", 2, [], id="rethrow-two-throws"),
        pytest.param("rethrow", "2f8s", 1, [THROWS], id="rethrow-one-throw-for-two"),
        pytest.param("rethrow", "8s", 2, [THROWS], id="two-throws-for-one"),
        pytest.param("rethrow", "2f8s", 0, [], id="no-dice-on-record"),
        pytest.param("rethrow", "2f3f8s", 3, [], id="rethrow-twice"),
        pytest.param("next", "2f8s", 1, [], id="next-one-throw-for-two"),
        pytest.param("next", "2f3f8s", 1, [], id="next-past-two-flowers"),
        pytest.param("next", "2f8s", 2, [THROWS], id="next-needs-no-second-throw"),
    ],
)
def test_every_throw_is_answered(gold_flower: str, tiles: str, throws: int, expected: list[tuple[str, str]]) -> None:
    game = waiting({"gold_flower": gold_flower})
    for _ in range(throws):
        game.emit("dice_rolled", purpose="gold", dice=(1, 1), seat=0)
    assert judged(game.table, "gold_flipped", tiles=tiles, gold="8s") == expected


@pytest.mark.parametrize(
    ("tiles", "gold", "expected"),
    [
        pytest.param("8s", "8s", [], id="right"),
        pytest.param("8s", "7s", [("S-GOLD-1", "wrong_gold")], id="another-kind-named"),
        pytest.param("2f8s", "8s", [], id="flower-rejected"),
        pytest.param("", "8s", [("S-GOLD-1", "nothing_flipped")], id="nothing-flipped"),
        pytest.param("7s8s", "8s", [("S-GOLD-1", "playing_tile_rejected")], id="playing-tile-rejected"),
        pytest.param("8s2f", "8s", [("S-GOLD-1", "playing_tile_rejected")], id="flipped-on-after-the-gold"),
    ],
)
def test_which_tile_is_gold(tiles: str, gold: str, expected: list[tuple[str, str]]) -> None:
    assert judged(waiting(tail="1m7s8s").table, "gold_flipped", tiles=tiles, gold=gold) == expected


def test_a_flower_as_gold_is_found() -> None:
    game = Game().open(chosen_wall(tail="1m2f8s6s7s", gold="5s", place=8), dice=None)
    game.emit("dice_rolled", purpose="gold", dice=(1, 1), seat=0)
    (found,) = findings(game.table, "gold_flipped", tiles="2f", gold="2f")
    assert found.clause == "S-GOLD-1"
    log = game.emit("dice_rolled", purpose="gold", dice=(1, 2), seat=0).emit("gold_flipped", tiles="2f6s", gold="6s")
    report = audit(altered(log.events, log.seq, tiles="2f", gold="2f"))
    assert report.error is None
    assert (log.seq, "S-GOLD-1") in [(one.seq, one.clause) for one in report.findings]


def test_dice_against_the_flip() -> None:
    game = Game().open(chosen_wall()).play_out().exhaust().close().end()
    seq = seq_of(game.events, "dice_rolled")
    assert audited(altered(game.events, seq, dice=(2, 2))) == [(seq + 1, "X-GOLD-1", "wrong_flip")]


def test_the_rethrow_counts_on_the_wall_without_the_flower() -> None:
    game = rethrown().play_out().exhaust().close().end()
    seq = seq_of(game.events, "dice_rolled", 1)
    assert audited(game.events) == []
    assert (seq + 1, "X-GOLD-1", "wrong_flip") in audited(altered(game.events, seq, dice=(1, 1)))


def test_a_throw_too_many_in_a_log() -> None:
    game = Game().open(chosen_wall())
    seq = seq_of(game.events, "gold_flipped")
    log = inserted(game.events, seq, "dice_rolled", purpose="gold", dice=(1, 1), seat=0)
    assert audited(log) == [(seq + 1, *THROWS)]


@pytest.mark.parametrize("kind", ["discarded", "drew", "won"])
def test_nothing_is_played_before_the_flip(kind: str) -> None:
    members: dict[str, Any] = {
        "discarded": {"seat": 0, "tile": "1m"},
        "drew": {"seat": 0, "tile": "5m", "tail": False},
        "won": {"seat": 0, "win": "heavenly_win"},
    }[kind]
    assert judged(waiting().table, kind, **members) == [("G-ORDER-1", "out_of_phase")]


def test_the_flip_left_out_of_a_log() -> None:
    game = Game().open(chosen_wall()).play("1m")
    seq = seq_of(game.events, "gold_flipped")
    assert audited(without(game.events, seq)) == [(seq, "G-ORDER-1", "out_of_phase")]
