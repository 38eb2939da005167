"""L-KONG-2: a flower kong, 春夏秋冬 or 梅蘭竹菊 complete, is worth 1 from each as an added kong (option
``flower_kong``: ``class``; ``count`` = four flowers are worth 1, and each further one 1 more; ``off``)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import after, audited, judged, seq_of
from tests.rules.longyan.positions import FULL, PLAIN, opened, repaid, table
from tests.rules.longyan.test_l_kong_1 import settled

COUNT, OFF = {"flower_kong": "count"}, {"flower_kong": "off"}


def worth(flowers: str, seat: int = 1, **rest: Any) -> tuple[int, ...]:
    """What a hand without winner settles where a seat has laid out ``flowers``."""
    return settled({}, flowers={seat: flowers}, **rest).deltas


def each(v: int) -> tuple[int, ...]:
    """``v`` from each to seat 1, twice that from the dealer."""
    return -2 * v, 4 * v, -v, -v


@pytest.mark.parametrize(
    ("flowers", "v"),
    [
        ("", 0),
        ("123f", 0),
        ("1234f", 1),
        ("5678f", 1),
        ("12345f", 1),
        ("1235678f", 1),
        ("12345678f", 2),
        ("3456f", 0),  # four, and no class
        ("123567f", 0),
    ],
)
def test_by_class(flowers: str, v: int) -> None:
    assert worth(flowers) == each(v)
    assert worth(flowers, options={"flower_kong": "class"}) == each(v)


@pytest.mark.parametrize(
    ("flowers", "v"),
    [("123f", 0), ("1234f", 1), ("3456f", 1), ("12345f", 2), ("123567f", 3), ("1234567f", 4), ("12345678f", 5)],
)
def test_by_count(flowers: str, v: int) -> None:
    assert worth(flowers, options=COUNT) == each(v)


@pytest.mark.parametrize("flowers", ["1234f", "5678f", "12345678f"])
def test_off(flowers: str) -> None:
    assert worth(flowers, options=OFF) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("players", "seat", "dealer", "expected"),
    [
        (4, 0, 0, (6, -2, -2, -2)),
        (4, 3, 2, (-1, -1, -2, 4)),
        (3, 1, 0, (-2, 3, -1)),
        (3, 2, 2, (-2, -2, 4)),
        (2, 0, 0, (2, -2)),
        (2, 1, 0, (-2, 2)),
    ],
)
def test_as_an_added_kong(players: int, seat: int, dealer: int, expected: tuple[int, ...]) -> None:
    assert worth("1234f", seat, players=players, dealer=dealer) == expected


def test_without_doubling() -> None:
    assert worth("1234f", options={"dealer_double": False}) == (-1, 3, -1, -1)


def test_the_full_mode_makes_no_difference() -> None:
    """``full_kong_v`` is that of concealed kongs."""
    assert worth("1234f", options={"full_kong_v": 9, **FULL}) == each(1)


def test_several_seats() -> None:
    assert settled({}, flowers={1: "1234f", 2: "5678f"}).deltas == (-4, 3, 3, -2)
    assert settled({1: ["added 5m@0"]}, flowers={2: "1234f"}).deltas == (-4, 3, 3, -2)


def test_items() -> None:
    assert sorted((item.seat, item.code, item.value) for item in settled({}, flowers={1: "1234f"}).items) == [
        (0, "L-KONG-2", -2),
        (1, "L-KONG-2", 4),
        (2, "L-KONG-2", -1),
        (3, "L-KONG-2", -1),
    ]


def test_beside_a_win() -> None:
    """Whoever wins: seat 2 has the flowers."""
    position = table({1: PLAIN}, turn=1, drawn="3s", flowers={2: "5678f"}, discards={0: "2z"})
    position = after(position, "won", seat=1, win="self_draw", tile="3s")
    assert judged(position, "settled", deltas=(-4 - 2, 8 - 1, -2 + 4, -2 - 1)) == []
    assert judged(position, "settled", deltas=(-4, 8, -2, -2)) == [("L-KONG-2", "wrong_payment")]


def test_missed_by_a_server() -> None:
    position = after(table(turn=1, last="9m", left=0, flowers={1: "1234f"}), "exhausted")
    assert judged(position, "settled", deltas=each(1)) == []
    assert judged(position, "settled", deltas=(0, 0, 0, 0)) == [("L-KONG-2", "wrong_payment")]


def test_paid_where_there_is_none() -> None:
    position = after(table(turn=1, last="9m", left=0, flowers={1: "123f"}), "exhausted")
    (found,) = judged(position, "settled", deltas=each(1))
    assert found[1] != "does_not_balance"


def test_a_whole_hand() -> None:
    """Laid out at the opening and in play."""
    game = opened({1: "123456789m 7p 123f"}, draws="4f", tail="7p 1s 2s 3s", gold="8s").discard("1m").draw()
    game.win(1).close().end()
    assert audited(game.events) == []
    assert game.table.scores == (-4 - 2, 8 + 4, -2 - 1, -2 - 1)
    found = repaid(game, (-4, 8, -2, -2))
    assert found == [(seq_of(game.events, "settled"), "L-KONG-2", "wrong_payment")]
