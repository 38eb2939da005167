"""L-WIN-4: 三金倒, three golds in hand and any tiles beside them, at the opening without waiting for a turn or at any
own draw before the end, is worth 4. In ``full`` mode it takes four, five or six golds, for 4, 8 and 16."""

from __future__ import annotations

import pytest

from tests.rules.builders import after, audited, judged, offered
from tests.rules.longyan.positions import FULL, JUNK, PLAIN, cited, opened, table, way, won

FULL_WAYS = {3: None, 4: ("four_golds", 4), 5: ("five_golds", 8), 6: ("six_golds", 16)}


def golds(number: int) -> str:
    """So many golds of the full mode, of either kind."""
    return "9s1z9s1z9s1z"[: 2 * number]


def hand(number: int) -> str:
    """Thirteen tiles: ``number`` golds and what comes to nothing beside them."""
    return "1m4m7m2p5p8p3s6s2z4z"[: 2 * (13 - number)] + golds(number)


# -- Half --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tile", ["9s", "7z", "5z", "1m"])
def test_three_golds_whatever_was_drawn(tile: str) -> None:
    held = f"{JUNK} 99s 7z" if tile == "9s" else f"{JUNK} 999s"
    found = won(held, tile)
    assert (found["win"], found["factor"], found["clause"]) == ("three_golds", 4, "L-WIN-4")
    assert found["deltas"] == [-8, 16, -4, -4]


def test_two_golds_are_not_enough() -> None:
    assert cited(f"{JUNK} 99s 7z", "6z") == ("L-SHAPE-1", "not_complete")


def test_the_hand_may_be_given_whole() -> None:
    assert way(f"{JUNK} 999s 7z", None, "self_draw", melds=()) == ("three_golds", 4)


@pytest.mark.parametrize(("melds", "held"), [(("pung 5m",), "147m 258p 3s"), (("pung 5m", "exposed 6z"), "147m 2p")])
def test_beside_melds(melds: tuple[str, ...], held: str) -> None:
    assert way(f"{held} 999s", "7z", melds=melds) == ("three_golds", 4)


@pytest.mark.parametrize(
    ("seat", "held", "deltas"),
    [
        (0, f"{JUNK} 999s 7z", [24, -8, -8, -8]),
        (1, f"{JUNK} 999s", [-8, 16, -4, -4]),
        (3, f"{JUNK} 999s", [-8, -4, -4, 16]),
    ],
)
def test_at_the_opening(seat: int, held: str, deltas: list[int]) -> None:
    found = won(held, None, "opening", seat=seat)
    assert (found["win"], found["factor"], found["deltas"]) == ("three_golds", 4, deltas)


@pytest.mark.parametrize("seat", range(4))
def test_at_the_opening_without_waiting_for_a_turn(seat: int) -> None:
    position = table({seat: f"{JUNK} 999s" + (" 7z" if seat == 0 else "")}, opening=True)
    assert offered(position, seat, "win") == ["win three_golds"]
    assert judged(position, "won", seat=seat, win="three_golds") == []


def test_after_the_opening_only_on_ones_own_draw() -> None:
    held = f"{JUNK} 999s"
    assert offered(after(table({1: held}, opening=True), "discarded", seat=0, tile="1m"), 1, "win") == []
    assert offered(table({1: held}, turn=2, last="1m", discards={0: "3z"}), 1, "win") == []
    assert offered(table({1: held}, turn=1, drawn="7z"), 1, "win") == ["win three_golds 7z"]
    assert offered(table({1: held}, turn=1, drawn="7z", source="kong"), 1, "win") == ["win three_golds 7z"]
    position = table({1: "147m 258p 36s 999s"}, turn=1, melds={1: ["pung 5m@0"]}, source="claim")
    assert offered(position, 1, "win") == []
    assert judged(position, "won", seat=1, win="three_golds") == [("S-CLAIM-2", "win_after_claim")]


def test_at_any_own_draw() -> None:
    """Passed once, it comes again with the next draw, gold or not."""
    game = opened({1: f"{JUNK} 99s 7z"}, gold="9s", draws="9s 3m 3p 3s 6z").discard("1m").draw()
    assert offered(game.table, 1, "win") == ["win three_golds 9s"]
    game.discard("7z").play("3m 3p")
    game.play("3s").draw()
    assert offered(game.table, 1, "win") == ["win three_golds 6z"]
    game.win(1).close().end()
    assert audited(game.events) == []
    assert game.table.scores == (-8, 16, -4, -4)


@pytest.mark.parametrize("left", [1, 0])
def test_with_the_last_tile_too(left: int) -> None:
    position = table({1: f"{JUNK} 999s"}, turn=1, drawn="7z", left=left)
    assert offered(position, 1, "win") == ["win three_golds 7z"]


def test_not_by_robbing() -> None:
    position = table({1: f"{JUNK} 999s"}, melds={0: ["added 3m@2"]}, phase="kong", last="3m")
    assert offered(position, 1, "win") == []


# -- Full --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", FULL_WAYS)
def test_the_full_mode(number: int) -> None:
    expected = FULL_WAYS[number]
    if expected is None:
        assert cited(JUNK + golds(number), "7z", **FULL) == ("L-SHAPE-1", "not_complete")
        return
    found = won(hand(number), "7z", **FULL)
    assert (found["win"], found["factor"], found["clause"]) == (*expected, "L-WIN-4")
    v = expected[1]
    assert found["deltas"] == [-2 * v, 4 * v, -v, -v]


@pytest.mark.parametrize("number", FULL_WAYS)
@pytest.mark.parametrize("seat", [0, 1])
def test_the_full_mode_at_the_opening(number: int, seat: int) -> None:
    held = hand(number) if number > 3 else JUNK + golds(3)
    held += "7z" if seat == 0 else ""
    position = table({seat: held}, opening=True, options=FULL)
    way_ = FULL_WAYS[number]
    assert offered(position, seat, "win") == ([] if way_ is None else [f"win {way_[0]}"])


@pytest.mark.parametrize("four", ["999s1z", "99s11z", "9s111z"])
def test_any_mixture(four: str) -> None:
    assert way("147m 258p 36s 2z" + four, "7z", **FULL) == ("four_golds", 4)


@pytest.mark.parametrize("number", [4, 5, 6])
def test_the_number_is_the_golds_in_hand(number: int) -> None:
    """A lesser name for more golds is wrong, as is a greater one."""
    position = table({0: hand(number)}, drawn="7z", options=FULL)
    for other in (4, 5, 6):
        found = judged(position, "won", seat=0, win=FULL_WAYS[other][0], tile="7z")  # type: ignore[index]
        assert found == ([] if other == number else [("L-WIN-10", "wrong_way_named")])
    assert judged(position, "won", seat=0, win="three_golds", tile="7z") == [("L-WIN-10", "wrong_way_named")]


def test_a_hand_that_is_complete_may_win_so_too() -> None:
    assert way("123456m 77p 12s 999s", "3s") == ("three_golds", 4)
    assert offered(table({0: PLAIN}, drawn="3s"), 0, "win") == ["win self_draw 3s"]


def test_a_whole_hand_in_the_full_mode() -> None:
    game = opened({2: hand(5)}, options=FULL, gold="9s1z").win(2).close().end()
    assert audited(game.events) == []
    assert game.table.scores == (-16, -8, 32, -8)
