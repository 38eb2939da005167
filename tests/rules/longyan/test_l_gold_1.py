"""L-GOLD-1: the gold dice count stacks of two: with sum d the tile 2·d from the tail is flipped, the upper one of the
d-th stack (option ``gold_count``: ``tile`` = the d-th tile)."""

from __future__ import annotations

from typing import Any

import pytest

from replays.audit import audit
from tests.rules.builders import Game, altered, audited, seq_of
from tests.rules.longyan.positions import FULL, PLAIN, opened

WRONG = ("L-GOLD-1", "wrong_flip")
COUNTS: list[tuple[dict[str, Any], int]] = [({}, 2), ({"gold_count": "stack"}, 2), ({"gold_count": "tile"}, 1)]
#: The tail without the gold's own kind, no kind twice in a row, so that every tile beside the flip is another.
TAIL = "258m 258p 258s 2346z 147m 147p 147s"


def dice(total: int) -> tuple[int, int]:
    return total // 2, total - total // 2


def flipped(total: int, options: dict[str, Any], hand: str = PLAIN + "3s", tail: str = TAIL, players: int = 4) -> Game:
    """A hand that the dealer wins at once, its gold 1z flipped with ``total``."""
    opening = {"dice": dice(total)}
    return opened({0: hand}, options=options, players=players, gold="1z", place=total, tail=tail, opening=opening)


@pytest.mark.parametrize(("options", "step"), COUNTS)
@pytest.mark.parametrize("total", range(2, 13))
def test_every_sum(total: int, options: dict[str, Any], step: int) -> None:
    game = flipped(total, options).win(0).close().end()
    assert game.table.flipped == (game.whole[-step * total],)
    assert audited(game.events) == []


@pytest.mark.parametrize("players", [2, 3])
def test_with_fewer_players(players: int) -> None:
    game = flipped(7, {}, players=players).win(0).close().end()
    assert game.table.flipped == (game.whole[-14],)
    assert audited(game.events) == []


@pytest.mark.parametrize(("options", "step"), COUNTS)
@pytest.mark.parametrize(("total", "off"), [(2, 1), (7, -1), (7, 1), (12, -1)])
def test_other_dice(total: int, off: int, options: dict[str, Any], step: int) -> None:
    game = flipped(total, options).win(0).close().end()
    events = altered(game.events, seq_of(game.events, "dice_rolled"), dice=dice(total + off))
    assert audited(events) == [(seq_of(game.events, "gold_flipped"), *WRONG)]
    (found,) = audit(events).findings
    assert found.also == ("S-WALL-3",)


def at(place: int, total: int, options: dict[str, Any]) -> list[tuple[int, str, str]]:
    """What is found where the dice say ``total`` and the tile at ``place`` from the tail was flipped."""
    game = opened({0: PLAIN + "3s"}, options=options, gold="1z", place=6, tail=TAIL, opening={"dice": None})
    game.emit("dice_rolled", purpose="gold", dice=dice(total), seat=0)
    one = game.wall.pop(-place)
    game.emit("gold_flipped", tiles=(one,), gold=one)
    return audited(game.emit("won", seat=0, win="heavenly_win").close().end().events)


@pytest.mark.parametrize(
    ("place", "total", "options", "is_right"),
    [
        (12, 6, {}, True),
        (11, 6, {}, False),  # the lower one of the same stack
        (13, 6, {}, False),
        (10, 6, {}, False),
        (6, 6, {}, False),  # counted by tiles
        (6, 6, {"gold_count": "tile"}, True),
        (12, 6, {"gold_count": "tile"}, False),
        (7, 6, {"gold_count": "tile"}, False),
    ],
)
def test_the_upper_tile_of_a_stack(place: int, total: int, options: dict[str, Any], is_right: bool) -> None:
    assert [found[1:] for found in at(place, total, options)] == ([] if is_right else [WRONG])


def test_counted_after_the_opening_replacement() -> None:
    """One tile of the tail went for a flower: the stacks are those of what is left."""
    game = flipped(3, {}, hand=PLAIN + "1f", tail="3s" + TAIL).win(0).close().end()
    assert game.table.flipped == (game.whole[-7],)
    assert audited(game.events) == []


@pytest.mark.parametrize(("index", "is_right"), [(10, True), (5, False), (9, False), (11, False)])
def test_the_place_on_record_where_there_are_no_dice(index: int, is_right: bool) -> None:
    """It is the place from the tail by tiles, whatever the dice would count."""
    game = opened({0: PLAIN + "3s"}, gold="1z", place=5, tail=TAIL, opening={"dice": None})
    game.emit("gold_flipped", tiles=(game.wall.pop(-10),), gold="1z", index=index)
    found = audited(game.win(0).close().end().events)
    assert [each[1:] for each in found] == ([] if is_right else [WRONG])


def test_a_rejected_flower_leaves_play_before_the_next_count() -> None:
    opening = {"dice": (1, 3), "rethrows": [(2, 1)]}
    game = opened({0: PLAIN + "3s"}, gold="1f1z", place=(4, 3), tail=TAIL, opening=opening).win(0).close().end()
    assert game.table.flipped == (game.whole[-8], game.whole[-6])
    assert audited(game.events) == []
    events = altered(game.events, seq_of(game.events, "dice_rolled", 1), dice=(2, 2))
    assert audited(events) == [(seq_of(game.events, "gold_flipped"), *WRONG)]


def test_farther_in_it_is_counted_without_it() -> None:
    opening = {"dice": (1, 1), "rethrows": [(2, 3)]}
    game = opened({0: PLAIN + "3s"}, gold="1f1z", place=(2, 5), tail=TAIL, opening=opening).win(0).close().end()
    assert game.table.flipped == (game.whole[-4], game.whole[-11])
    assert audited(game.events) == []


def test_or_the_next_tile_towards_the_head() -> None:
    options = {"gold_flower": "next"}
    game = opened({0: PLAIN + "3s"}, options=options, gold="1f2f1z", place=4, tail=TAIL, opening={"dice": (1, 3)})
    game.win(0).close().end()
    assert game.table.flipped == (game.whole[-8], game.whole[-9], game.whole[-10])
    assert audited(game.events) == []


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize(("options", "step"), [(FULL, 2), ({"gold_count": "tile", **FULL}, 1)])
def test_both_golds_of_the_full_mode(which: int, options: dict[str, Any], step: int) -> None:
    opening = {"dice": (2, 3), "second": [(1, 2)]}
    game = opened({0: PLAIN + "3s"}, options=options, gold="1z6p", place=(5, 3), tail=TAIL, opening=opening)
    game.win(0).close().end()
    assert game.table.flipped == (game.whole[-5 * step], game.whole[-3 * step])
    assert audited(game.events) == []
    events = altered(game.events, seq_of(game.events, "dice_rolled", which), dice=(3, 3))
    assert audited(events) == [(seq_of(game.events, "gold_flipped", which), *WRONG)]
