"""L-WIN-5: 搶金, a ready hand at the opening takes the flipped gold as its missing tile (L-OPEN-2, L-OPEN-3), is worth
4."""

from __future__ import annotations

from typing import Any

import pytest

from replays.table import Table
from tests.rules.builders import after, audited, judged, offered
from tests.rules.longyan.positions import FULL, JUNK, PLAIN, SEVEN, cited, opened, score, table, way, won

RIGHT: dict[str, Any] = {"by": "opening", "right": "rob_gold"}


@pytest.mark.parametrize("options", [{}, FULL, {"you_v": 5}])
@pytest.mark.parametrize(
    "hand",
    [
        PLAIN,
        SEVEN,
        "123456m 77p 55s 777z",  # either pair may become a triplet
        "123456m 77p 12s 99s 7z",  # with golds
        "111m 999m 222p 88p 77z",
    ],
)
def test_a_ready_hand(hand: str, options: dict[str, Any]) -> None:
    found = won(hand, None, **RIGHT, **options)
    assert (found["win"], found["factor"], found["clause"]) == ("rob_gold", 4, "L-WIN-5")
    assert found["deltas"] == [-8, 16, -4, -4]


@pytest.mark.parametrize("hand", [PLAIN + "7z", SEVEN + "6z", PLAIN + "4s"])
def test_the_dealer_with_one_tile_too_many(hand: str) -> None:
    found = won(hand, None, seat=0, **RIGHT)
    assert (found["win"], found["factor"], found["deltas"]) == ("rob_gold", 4, [24, -8, -8, -8])


@pytest.mark.parametrize(("players", "deltas"), [(2, [-8, 8]), (3, [-8, 12, -4])])
def test_with_fewer_players(players: int, deltas: list[int]) -> None:
    assert won(PLAIN, None, players=players, **RIGHT)["deltas"] == deltas


@pytest.mark.parametrize(
    ("seat", "hand"),
    [
        (1, "123456m 77p 12s 47z 1p"),
        (1, f"{JUNK} 367z"),
        (1, "1199m 1199p 225s 67z"),
        (0, f"{JUNK} 367z 8m"),  # the dealer, whatever is discarded
        (0, "123456m 77p 12s 47z 14p"),
    ],
)
def test_a_hand_that_is_not_ready(seat: int, hand: str) -> None:
    assert score(hand, None, seat=seat, **RIGHT)["wins"] is False


def test_without_the_right_a_ready_hand_is_no_hand() -> None:
    assert cited(PLAIN, None, "opening") == ("L-SHAPE-1", "not_complete")


@pytest.mark.parametrize("name", ["all_triplets_factor", "pure_suit_factor"])
def test_no_factor_multiplies_it(name: str) -> None:
    hand = "111m 999m 222m 88m 77m"
    options: dict[str, Any] = {name: 3}
    assert way(hand, None, **RIGHT, **options) == ("rob_gold", 4)


def test_you_v_has_no_part_in_it() -> None:
    assert way(PLAIN, None, you_v=99, **RIGHT) == ("rob_gold", 4)


# -- At the table ------------------------------------------------------------------------------------------------------


def first_discard(hands: dict[int, str], tile: str = "1z", **rest: Any) -> Table:
    return after(table(hands, opening=True, **rest), "discarded", seat=0, tile=tile)


@pytest.mark.parametrize("options", [{}, FULL])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_non_dealer_after_the_dealers_first_discard(players: int, options: dict[str, Any]) -> None:
    position = first_discard({1: PLAIN}, "2z", players=players, options=options)
    assert offered(position, 1, "win") == ["win rob_gold"]
    assert judged(position, "won", seat=1, win="rob_gold") == []


def test_not_before_it() -> None:
    position = table({1: PLAIN}, opening=True)
    assert offered(position, 1, "win") == []
    assert len(judged(position, "won", seat=1, win="rob_gold")) == 1


def test_the_dealer_at_once() -> None:
    position = table({0: PLAIN + "7z"}, opening=True)
    assert offered(position, 0, "win") == ["win rob_gold"]
    assert judged(position, "won", seat=0, win="rob_gold") == []
    assert judged(position, "won", seat=0, win="rob_gold", tile_out="7z") == []
    assert offered(after(position, "discarded", seat=0, tile="7z"), 0, "win") == []


def test_a_dealer_who_is_not_ready() -> None:
    position = table(opening=True)
    assert offered(position, 0, "win") == []
    (found,) = judged(position, "won", seat=0, win="rob_gold")
    assert found[0] == "L-OPEN-3"


def test_a_seat_that_is_not_ready() -> None:
    position = first_discard({1: PLAIN}, "2z")
    assert offered(position, 2, "win") == []
    (found,) = judged(position, "won", seat=2, win="rob_gold")
    assert found[0] == "L-OPEN-2"


def test_not_on_a_later_discard() -> None:
    position = table({3: PLAIN}, turn=2, last="2z", discards={0: "1z", 1: "6z"})
    assert offered(position, 3, "win") == []


# -- Whole hands -------------------------------------------------------------------------------------------------------


def test_a_whole_hand() -> None:
    game = opened({3: PLAIN}, gold="1z").discard("2z").win(3).close().end()
    assert audited(game.events) == []
    assert game.table.scores == (-8, -4, -4, 16)


def test_a_whole_hand_of_the_dealer() -> None:
    game = opened({1: PLAIN + "7z"}, dealer=1, players=3).win(1, tile_out="7z").close().end()
    assert audited(game.events) == []
    assert game.table.scores == (-8, 16, -8)
