"""S-FLOWER-1: opening flowers are laid out in rounds from the dealer on, each seat all it holds and as many drawn
from the tail; flowers drawn so wait for the next round, which starts at the dealer again; until nobody holds
one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.rules.builders import Game, altered, audited, chosen_wall, findings, judged, seq_of, without

WRONG = ("S-FLOWER-1", "wrong_flower_round")
KEPT = ("S-FLOWER-1", "flower_kept")


def dealt(hands: Mapping[int, str], tail: str, dealer: int = 0) -> Game:
    """A hand with all tiles dealt and no flower laid out."""
    game = Game(first_dealer=dealer)
    game.lay_flowers = lambda: game  # type: ignore[method-assign]
    return game.open(chosen_wall(hands, tail=tail, dealer=dealer), dice=None)


def rounds(hands: Mapping[int, str], tail: str, dealer: int = 0) -> list[tuple[int, int]]:
    """Seat and number of flowers of each replacement in a right log that the referee finds right."""
    game = Game(first_dealer=dealer).open(chosen_wall(hands, tail=tail, dealer=dealer))
    assert audited(game.events) == []
    laid = [event for event in game.events if event.type == "flowers_replaced"]
    return [(event.seat, len(event.flowers)) for event in laid]


@pytest.mark.parametrize(
    ("dealer", "hands", "tail", "expected"),
    [
        pytest.param(0, {}, "", [], id="no-flower"),
        pytest.param(0, {3: "1f"}, "5m", [(3, 1)], id="others-are-skipped"),
        pytest.param(0, {0: "1f", 1: "2f3f", 3: "4f"}, "2s3s5s6s", [(0, 1), (1, 2), (3, 1)], id="from-the-dealer-on"),
        pytest.param(2, {0: "1f", 1: "2f", 3: "4f"}, "2s3s5s6s", [(3, 1), (0, 1), (1, 1)], id="turn-order"),
        pytest.param(0, {1: "1f", 2: "2f"}, "3f5s6s", [(1, 1), (2, 1), (1, 1)], id="drawn-waits-for-the-next-round"),
        pytest.param(
            0, {0: "1f", 2: "2f"}, "3f4f5s6s", [(0, 1), (2, 1), (0, 1), (2, 1)], id="next-round-starts-at-the-dealer"
        ),
        pytest.param(1, {0: "1f2f"}, "3f4f5f5s6s", [(0, 2), (0, 2), (0, 1)], id="one-seat-alone"),
    ],
)
def test_rounds(dealer: int, hands: Mapping[int, str], tail: str, expected: list[tuple[int, int]]) -> None:
    assert rounds(hands, tail, dealer) == expected


@pytest.mark.parametrize(
    ("seat", "flowers", "drawn", "expected"),
    [
        pytest.param(1, "1f2f", "5m6m", [], id="right"),
        pytest.param(1, "2f1f", "5m6m", [], id="in-any-order-within-one"),
        pytest.param(1, "1f", "5m", [WRONG], id="one-kept"),
        pytest.param(1, "1f2f", "5m", [WRONG], id="too-few-drawn"),
        pytest.param(1, "1f2f", "5m6m7m", [WRONG], id="too-many-drawn"),
        pytest.param(1, "1f4f", "5m6m", [WRONG], id="a-flower-not-held"),
        pytest.param(3, "3f", "5m", [WRONG], id="later-seat-first"),
        pytest.param(0, "4f", "5m", [WRONG], id="seat-without-flowers"),
    ],
)
def test_one_replacement(seat: int, flowers: str, drawn: str, expected: list[tuple[str, str]]) -> None:
    game = dealt({1: "1f2f", 3: "3f"}, "5m6m7m")
    found = findings(game.table, "flowers_replaced", seat=seat, flowers=flowers, drawn=drawn)
    assert [(one.clause, one.code) for one in found] == expected
    for one in found:
        assert one.expected == {"seat": 1, "flowers": ["1f", "2f"]}


@pytest.mark.parametrize(("seat", "expected"), [(1, [WRONG]), (2, [])])
def test_a_drawn_flower_is_not_laid_out_in_the_same_round(seat: int, expected: list[tuple[str, str]]) -> None:
    game = dealt({1: "1f", 2: "2f"}, "3f5m6m")
    game.emit("flowers_replaced", seat=1, flowers="1f", drawn="3f")
    flowers = {1: "3f", 2: "2f"}[seat]
    assert judged(game.table, "flowers_replaced", seat=seat, flowers=flowers, drawn="5m") == expected


@pytest.mark.parametrize(("seat", "expected"), [(0, []), (2, [WRONG])])
def test_the_next_round_starts_at_the_dealer(seat: int, expected: list[tuple[str, str]]) -> None:
    game = dealt({0: "1f", 2: "2f"}, "3f4f5m")
    game.emit("flowers_replaced", seat=0, flowers="1f", drawn="3f")
    game.emit("flowers_replaced", seat=2, flowers="2f", drawn="4f")
    flowers = {0: "3f", 2: "4f"}[seat]
    assert judged(game.table, "flowers_replaced", seat=seat, flowers=flowers, drawn="5m") == expected


@pytest.mark.parametrize("kind", ["dice_rolled", "gold_flipped"])
def test_the_gold_waits_until_nobody_holds_a_flower(kind: str) -> None:
    events: dict[str, dict[str, Any]] = {
        "dice_rolled": {"purpose": "gold", "dice": (1, 1), "seat": 0},
        "gold_flipped": {"tiles": "9s", "gold": "9s"},
    }
    members = events[kind]
    game = dealt({2: "1f"}, "5m")
    (found,) = findings(game.table, kind, **members)
    assert (found.clause, found.code, found.also) == (*KEPT, ("S-FLOWER-2",))
    assert (found.seat, found.expected) == (2, {"seat": 2, "flowers": ["1f"]})
    game.emit("flowers_replaced", seat=2, flowers="1f", drawn="5m")
    assert judged(game.table, kind, **members) == []


def test_nothing_to_lay_out_is_found() -> None:
    (found,) = findings(dealt({}, "").table, "flowers_replaced", seat=0, flowers="1f", drawn="5m")
    assert (found.clause, found.expected) == ("S-FLOWER-1", {"types": ["gold_flipped"]})


def test_a_round_left_out_of_a_log() -> None:
    game = Game().open(chosen_wall({1: "1f", 3: "2f"}, tail="5m6m"))
    seq = seq_of(game.events, "flowers_replaced", 1)
    assert audited(without(game.events, seq)) == [(seq, *KEPT)]


def test_rounds_exchanged_in_a_log() -> None:
    game = Game().open(chosen_wall({1: "1f", 3: "2f"}, tail="5m6m"))
    one, two = seq_of(game.events, "flowers_replaced"), seq_of(game.events, "flowers_replaced", 1)
    log = altered(game.events, one, seat=3, flowers="2f")
    log = altered(log, two, seat=1, flowers="1f")
    # The second seat is then the only one left, in whichever round.
    assert audited(log) == [(one, *WRONG)]
