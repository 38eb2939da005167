"""L-WIN-6: 蓋寶搶金, you state at the opening (L-OPEN-4), is worth as much as 雙游."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import after, audited, judged, offered
from tests.rules.longyan.positions import FULL, PLAIN, YOU, opened, score, table, way, won

RIGHT: dict[str, Any] = {"by": "opening", "right": "covered_rob_gold"}
SEVEN_YOU = "1199m 1199p 2255s 9s"


@pytest.mark.parametrize(("you_v", "v"), [(4, 8), (5, 10), (1, 2), (99, 198)])
@pytest.mark.parametrize("hand", [YOU, SEVEN_YOU])
def test_a_non_dealer_in_you_state(hand: str, you_v: int, v: int) -> None:
    found = won(hand, None, you_v=you_v, **RIGHT)
    assert (found["win"], found["factor"], found["clause"]) == ("covered_rob_gold", v, "L-WIN-6")
    assert found["deltas"] == [-2 * v, 4 * v, -v, -v]


@pytest.mark.parametrize(
    "hand",
    [
        YOU + "7z",  # in you state without 7z
        SEVEN_YOU + "7z",
        PLAIN + "9s",  # ready without the gold
        "123456m 77p 12s 99s 7z 3s",
    ],
)
def test_the_dealer(hand: str) -> None:
    found = won(hand, None, seat=0, **RIGHT)
    assert (found["win"], found["factor"], found["deltas"]) == ("covered_rob_gold", 8, [48, -16, -16, -16])


@pytest.mark.parametrize(
    ("seat", "hand"),
    [
        (1, PLAIN),  # ready, and no gold
        (1, "123456789m 77p 1s 9s"),  # a gold, but none that is alone
        (0, PLAIN + "7z"),  # no gold
        (0, "123456m 77p 14s 9s 247z"),  # not ready without it
    ],
)
def test_other_hands(seat: int, hand: str) -> None:
    assert score(hand, None, seat=seat, **RIGHT)["wins"] is False


@pytest.mark.parametrize(("players", "deltas"), [(2, [-16, 16]), (3, [-16, 24, -8])])
def test_with_fewer_players(players: int, deltas: list[int]) -> None:
    assert won(YOU, None, players=players, **RIGHT)["deltas"] == deltas


def test_factors_multiply_it() -> None:
    """It is 雙游 by another name."""
    assert way("111m 999m 222m 888m 9s", None, all_triplets_factor=2, **RIGHT) == ("covered_rob_gold", 16)
    assert way("111m 999m 222m 888m 9s", None, pure_suit_factor=3, **RIGHT) == ("covered_rob_gold", 24)
    assert way(YOU, None, all_triplets_factor=2, pure_suit_factor=3, **RIGHT) == ("covered_rob_gold", 8)


# -- At the table ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, FULL])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seat", [0, 1])
def test_before_the_first_discard(seat: int, players: int, options: dict[str, Any]) -> None:
    position = table({seat: YOU + "7z" * (not seat)}, opening=True, players=players, options=options)
    assert offered(position, seat, "win") == ["win covered_rob_gold"]
    assert judged(position, "won", seat=seat, win="covered_rob_gold") == []


def test_not_after_it() -> None:
    position = after(table({1: YOU}, opening=True), "discarded", seat=0, tile="1z")
    assert offered(position, 1, "win") == []
    assert len(judged(position, "won", seat=1, win="covered_rob_gold")) == 1


def test_a_seat_without_it() -> None:
    position = table({1: PLAIN}, opening=True)
    assert offered(position, 1, "win") == []
    (found,) = judged(position, "won", seat=1, win="covered_rob_gold")
    assert found[0] == "L-OPEN-4"


def test_whole_hands() -> None:
    game = opened({2: YOU}).win(2).close().end()
    assert audited(game.events) == []
    assert game.table.scores == (-16, -8, 32, -8)
    game = opened({2: YOU + "7z"}, dealer=2, players=3).win(2, tile_out="7z").close().end()
    assert audited(game.events) == []
    assert game.table.scores == (-16, -16, 32)
