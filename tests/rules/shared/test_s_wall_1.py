"""S-WALL-1: the wall is one row; deals and draws take from the head, replacements of flowers and kongs from the
tail, the last tile first."""

from __future__ import annotations

import pytest

from replays.tiles import CODES
from tests.rules.builders import Game, altered, audited, chosen_wall, judged, seq_of, table, tiles

HAND = "2222m456p456s123p89m"


def played() -> Game:
    """A hand in which the dealer kongs in the first turn and takes the tail's last tile."""
    wall = chosen_wall({0: HAND + "9p"}, draws="1p2p4p5p", tail="8p7p1p1p")
    return Game().open(wall).kong(0, "2m", "concealed").draw()


def test_deal_and_draws_come_from_the_head() -> None:
    wall = chosen_wall(draws="5p6p")
    game = Game().open(wall)
    assert game.table.deals[0].tiles[:4] == wall[:4]
    assert game.table.deals[1].tiles[:4] == wall[4:8]
    game.play("1m -")
    assert CODES[game.table.last] == "5p"


def test_replacements_come_from_the_tail() -> None:
    game = played()
    assert CODES[game.table.drawn] == "8p"
    flower = Game().open(chosen_wall({0: "1f3f"}, tail="8p7p6p"))
    assert [event.drawn for event in flower.events if event.type == "flowers_replaced"] == [tiles("8p7p")]


@pytest.mark.parametrize(
    ("phase", "turn", "seat", "tail", "expected"),
    [
        pytest.param("claims", 0, 1, False, [], id="draw-from-the-head"),
        pytest.param("claims", 0, 1, True, [("S-WALL-1", "wrong_end")], id="draw-from-the-tail"),
        pytest.param("kong", 2, 2, True, [], id="kong-from-the-tail"),
        pytest.param("kong", 2, 2, False, [("S-WALL-1", "wrong_end")], id="kong-from-the-head"),
    ],
)
def test_the_end_on_record(phase: str, turn: int, seat: int, tail: bool, expected: list[tuple[str, str]]) -> None:
    position = table(turn=turn, last="1p", phase=phase)
    assert judged(position, "drew", seat=seat, tile="2p", tail=tail) == expected


def test_the_right_end_is_named() -> None:
    game = played()
    seq = seq_of(game.events, "drew")
    log = altered(game.events, seq, tail=False)
    assert audited(log) == [(seq, "S-WALL-1", "wrong_end")]


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [
        pytest.param("8p", [], id="tail"),
        pytest.param("1p", [("S-WALL-1", "from_the_wrong_end")], id="head"),
        pytest.param("7p", [("S-WALL-3", "not_the_walls_tile")], id="last-but-one"),
    ],
)
def test_the_tile_tells_the_end_where_the_wall_is_known(drawn: str, expected: list[tuple[str, str]]) -> None:
    game = played().play("9m").play_out().exhaust().close().end()
    seq = seq_of(game.events, "drew")
    # The record shows another tile for the replacement and is right everywhere else.
    log = altered(game.events, seq, tile=drawn)
    assert audited(log) == [(seq, *found) for found in expected]


def test_a_flower_replaced_from_the_head() -> None:
    wall = chosen_wall({0: HAND}, draws="1f3p4p", tail="8p7p3p")
    game = Game().open(wall).play("9m")
    game.play("-").play_out().exhaust().close().end()
    seq = seq_of(game.events, "flowers_replaced")
    assert audited(game.events) == []
    laid = game.events[seq]
    assert laid.drawn == tiles("8p")
    # The next tile of the head, not the tail's.
    log = altered(altered(game.events, seq, drawn="3p"), seq + 1, tile="3p")
    assert (seq, "S-WALL-1", "from_the_wrong_end") in audited(log)
