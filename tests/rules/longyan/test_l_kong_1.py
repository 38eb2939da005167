"""L-KONG-1: an added kong is worth 1 from each, a concealed one 2 (in ``full`` mode 4, option ``full_kong_v``), and an
exposed one 1 for each of the others, paid by the discarder (option ``kong_discarder_pays_all``). A share doubles where
the konging player or the payer is the dealer, the discarder's payment as a whole; without ``dealer_double`` nothing
does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from replays.rulebook import Settlement
from tests.rules.builders import Item, after, audited, judged, seq_of, tile
from tests.rules.longyan.positions import FULL, opened, repaid, table

EACH = {"kong_discarder_pays_all": False}
SINGLE = {"dealer_double": False}


def settled(melds: Mapping[int, Sequence[str]], **rest: Any) -> Settlement:
    """What a hand without winner settles; seat 0 deals unless another is said to."""
    position = table(melds=melds, turn=1, last="9m", left=0, **rest)
    assert judged(position, "exhausted") == []
    outcome = after(position, "exhausted").outcome
    assert outcome is not None
    assert outcome.settlement is not None
    return outcome.settlement


def deltas(melds: Mapping[int, Sequence[str]], **rest: Any) -> tuple[int, ...]:
    return settled(melds, **rest).deltas


# -- Added and concealed -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kong", "seat", "dealer", "expected"),
    [
        ("added 5m@3", 1, 0, (-2, 4, -1, -1)),
        ("added 5m@0", 1, 0, (-2, 4, -1, -1)),  # whose pung it was has no part in it
        ("added 5m@3", 0, 0, (6, -2, -2, -2)),
        ("added 5m@3", 1, 2, (-1, 4, -2, -1)),
        ("concealed 5m", 1, 0, (-4, 8, -2, -2)),
        ("concealed 5m", 0, 0, (12, -4, -4, -4)),
        ("concealed 5m", 3, 2, (-2, -2, -4, 8)),
    ],
)
def test_from_each(kong: str, seat: int, dealer: int, expected: tuple[int, ...]) -> None:
    assert deltas({seat: [kong]}, dealer=dealer) == expected


@pytest.mark.parametrize(
    ("kong", "players", "seat", "expected"),
    [
        ("added 5m@0", 3, 1, (-2, 3, -1)),
        ("added 5m@1", 3, 0, (4, -2, -2)),
        ("concealed 5m", 3, 2, (-4, -2, 6)),
        ("added 5m@0", 2, 1, (-2, 2)),
        ("concealed 5m", 2, 0, (4, -4)),
    ],
)
def test_with_fewer_players(kong: str, players: int, seat: int, expected: tuple[int, ...]) -> None:
    assert deltas({seat: [kong]}, players=players) == expected


@pytest.mark.parametrize(("kong", "expected"), [("added 5m@3", (-1, 3, -1, -1)), ("concealed 5m", (-2, 6, -2, -2))])
def test_without_doubling(kong: str, expected: tuple[int, ...]) -> None:
    assert deltas({1: [kong]}, options=SINGLE) == expected
    by_dealer = (expected[1], *(expected[0],) * 3)
    assert deltas({0: [kong]}, options=SINGLE) == by_dealer


# -- Exposed -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kong", "seat", "dealer", "expected"),
    [
        ("exposed 5m@2", 1, 0, (0, 3, -3, 0)),  # neither of the two deals
        ("exposed 5m@0", 1, 0, (-6, 6, 0, 0)),
        ("exposed 5m@2", 0, 0, (6, 0, -6, 0)),
        ("exposed 5m@1", 3, 2, (0, -3, 0, 3)),
        ("exposed 5m@2", 3, 2, (0, 0, -6, 6)),
    ],
)
def test_the_discarder_pays_for_all(kong: str, seat: int, dealer: int, expected: tuple[int, ...]) -> None:
    assert deltas({seat: [kong]}, dealer=dealer) == expected
    assert deltas({seat: [kong]}, dealer=dealer, options={"kong_discarder_pays_all": True}) == expected
    single = tuple(3 if delta > 0 else -3 if delta < 0 else 0 for delta in expected)
    assert deltas({seat: [kong]}, dealer=dealer, options=SINGLE) == single


@pytest.mark.parametrize(
    ("kong", "players", "seat", "expected"),
    [
        ("exposed 5m@2", 3, 1, (0, 2, -2)),
        ("exposed 5m@0", 3, 1, (-4, 4, 0)),
        ("exposed 5m@1", 3, 0, (4, -4, 0)),
        ("exposed 5m@0", 2, 1, (-2, 2)),
        ("exposed 5m@1", 2, 0, (2, -2)),
    ],
)
def test_for_all_of_fewer_players(kong: str, players: int, seat: int, expected: tuple[int, ...]) -> None:
    assert deltas({seat: [kong]}, players=players) == expected


@pytest.mark.parametrize(
    ("kong", "seat", "expected"),
    [("exposed 5m@2", 1, (-2, 4, -1, -1)), ("exposed 5m@0", 1, (-2, 4, -1, -1)), ("exposed 5m@2", 0, (6, -2, -2, -2))],
)
def test_or_everybody_pays(kong: str, seat: int, expected: tuple[int, ...]) -> None:
    assert deltas({seat: [kong]}, options=EACH) == expected
    single = tuple(3 if delta > 0 else -1 for delta in expected)
    assert deltas({seat: [kong]}, options=EACH | SINGLE) == single


# -- The mode ``full`` -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (FULL, (-8, 16, -4, -4)),
        ({"full_kong_v": 4, **FULL}, (-8, 16, -4, -4)),
        ({"full_kong_v": 2, **FULL}, (-4, 8, -2, -2)),
        ({"full_kong_v": 3, **FULL}, (-6, 12, -3, -3)),
        ({"full_kong_v": 0, **FULL}, (0, 0, 0, 0)),
        ({"full_kong_v": 99, **FULL}, (-198, 396, -99, -99)),
        (FULL | SINGLE, (-4, 12, -4, -4)),
        ({"full_kong_v": 9}, (-4, 8, -2, -2)),  # in the half mode it has no part
    ],
)
def test_a_concealed_kong_in_the_full_mode(options: dict[str, Any], expected: tuple[int, ...]) -> None:
    assert deltas({1: ["concealed 5m"]}, options=options) == expected


# -- Several -----------------------------------------------------------------------------------------------------------


def test_several_kongs_add_up() -> None:
    assert deltas({1: ["added 5m@0", "concealed 5p"]}) == (-6, 12, -3, -3)
    assert deltas({1: ["concealed 5m"], 2: ["concealed 5p"]}) == (-8, 6, 6, -4)
    assert deltas({0: ["exposed 5m@1"], 1: ["exposed 5p@0"]}) == (0, 0, 0, 0)
    assert deltas({1: ["exposed 5m@2", "added 5p@2", "concealed 6p"], 3: ["exposed 2z@1"]}) == (-6, 12, -6, 0)


@pytest.mark.parametrize("melds", [{}, {1: ["pung 5m@0"]}, {2: ["pung 5m@0", "pung 6z@1"]}])
def test_pungs_are_worth_nothing(melds: dict[int, list[str]]) -> None:
    assert deltas(melds) == (0, 0, 0, 0)


def test_items() -> None:
    """One line a seat and kong, with its tile."""
    five = tile("5m")
    assert sorted(settled({1: ["added 5m@3"]}).items) == [
        Item(0, "L-KONG-1", -2, five),
        Item(1, "L-KONG-1", 4, five),
        Item(2, "L-KONG-1", -1, five),
        Item(3, "L-KONG-1", -1, five),
    ]
    assert sorted(settled({1: ["exposed 5m@3"]}).items) == [
        Item(1, "L-KONG-1", 3, five),
        Item(3, "L-KONG-1", -3, five),
    ]


# -- Whole hands -------------------------------------------------------------------------------------------------------


def test_beside_a_win() -> None:
    """Seat 1 kongs a discard of the dealer's, and wins on the replacement: 6 and (-4, 8, -2, -2)."""
    game = opened({0: "5z 147m 258p 1467z 69p 3s", 1: "123456m 77p 12s 666z"}, gold="8s", tail="3s")
    game.discard("6z").kong(1).draw().win(1).close().end()
    assert audited(game.events) == []
    assert game.table.scores == (-4 - 6, 8 + 6, -2, -2)


def test_a_kong_of_the_wrong_value_is_found() -> None:
    game = opened({0: "5z 147m 258p 1467z 69p 3s", 1: "123456m 77p 12s 666z"}, gold="8s", tail="3s")
    game.discard("6z").kong(1).draw().win(1).close().end()
    seq = seq_of(game.events, "settled")
    assert repaid(game, (-10, 14, -2, -2)) == []
    for wrong in [(-7, 11, -2, -2), (-8, 14, -3, -3)]:  # not doubled; from each
        (found,) = repaid(game, wrong)
        assert (found[0], found[2]) == (seq, "wrong_payment")
