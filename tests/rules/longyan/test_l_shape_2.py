"""L-SHAPE-2: seven pairs, all concealed, are a hand too; golds may be halves of pairs, four equal tiles are two pairs,
and six pairs with a lone gold are you state."""

from __future__ import annotations

import pytest

from tests.rules.builders import after, offered
from tests.rules.longyan.positions import FULL, SEVEN, cited, score, table, way, won

PAIRS: dict[str, tuple[str, str]] = {
    "seven kinds": (SEVEN, "7z"),
    "honours": ("1133446677z 11m 9m", "9m"),
    "four equal tiles": ("1111m 1199p 2255s 7z", "7z"),
    "four equal tiles at last": ("111m 99m 1199p 2255s", "1m"),
    "two times four equal tiles": ("1111m 9999p 2255s 7z", "7z"),
    "a gold for a half": ("1199m 1199p 225s 7z 9s", "7z"),
    "a drawn gold for a half": (SEVEN, "9s"),
    "two golds for halves": ("1199m 119p 225s 7z 99s", "7z"),
    "a pair of whites": ("1199m 1199p 22s 55z 7z", "7z"),
    "a white and a gold": ("1199m 1199p 22s 5z 9s 7z", "7z"),
}

BROKEN: dict[str, tuple[str, str]] = {
    "the wrong tile": (SEVEN, "6z"),
    "three equal tiles are a pair and one more": ("111m 99m 1199p 2255s", "7z"),
    "two single tiles and no gold": ("1199m 1199p 225s 67z", "7z"),
    "two halves missing and one gold": ("1199m 119p 225s 67z 9s", "4z"),
    "a white is not the pair of a dragon": ("1199m 1199p 2255s 6z", "5z"),
}


@pytest.mark.parametrize(("hand", "tile"), PAIRS.values(), ids=PAIRS)
def test_seven_pairs(hand: str, tile: str) -> None:
    found = won(hand, tile)
    assert (found["win"], found["factor"]) == ("self_draw", 2)
    assert "seven_pairs" in found["names"]


@pytest.mark.parametrize(("hand", "tile"), BROKEN.values(), ids=BROKEN)
def test_anything_else(hand: str, tile: str) -> None:
    assert cited(hand, tile) == ("L-SHAPE-1", "not_complete")


@pytest.mark.parametrize("meld", ["pung 5m", "exposed 5m", "added 5m", "concealed 5m"])
def test_all_concealed(meld: str) -> None:
    """Five pairs beside any set are nothing, be it a kong of the seat's own."""
    assert cited("1199p 2255s 67z", "6z", melds=[meld]) == ("L-SHAPE-1", "not_complete")
    assert cited("1199p 2255s 7z 9s", "6z", melds=[meld]) == ("L-SHAPE-1", "not_complete")


@pytest.mark.parametrize(
    ("hand", "tile", "wins"),
    [
        ("1199m 1199p 225s 7z 1z", "7z", True),  # the second gold for 5s
        ("1199m 1199p 22s 7z 9s 1z", "7z", True),  # two golds that are not alike: a pair
        ("1199m 1199p 225s 67z", "1z", False),
        ("1199m 1199p 22s 55z 7z", "7z", True),  # two whites: either face
        ("1199m 1199p 22s 5z 1z 7z", "7z", True),  # a white and the gold that it stands in for
        ("1199m 1199p 22s 5z 9s 7z", "7z", True),
        ("1199m 1199p 225s 5z 7z", "7z", False),  # a white is no gold
    ],
)
def test_under_two_golds(hand: str, tile: str, wins: bool) -> None:
    assert score(hand, tile, **FULL)["wins"] == wins


def test_a_hand_of_runs_that_is_seven_pairs_too() -> None:
    found = won("112233m 445566p 7s", "7s")
    assert found["win"] == "self_draw"
    assert "seven_pairs" in found["names"]


def test_its_reading_is_pairs() -> None:
    found = won(SEVEN, "7z")
    assert found["reading"] == [[kind, kind] for kind in ("1m", "9m", "1p", "9p", "2s", "5s", "7z")]
    assert (found["readings"], found["golds"]) == (1, [])
    (gold,) = won("1199m 1199p 225s 7z 9s", "7z")["golds"]
    assert (gold["tile"], gold["stands_for"]) == ("9s", "5s")


def test_the_dealers_opening_hand() -> None:
    assert way(SEVEN + "7z", None, "opening", seat=0) == ("heavenly_win", 4)


# -- You state -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "tile", "expected"),
    [
        ("1199m 1199p 2255s 9s", "7z", "you"),
        ("1199m 1199p 2255s 9s", "2s", "you"),
        ("1111m 1199p 2255s 9s", "9s", "you"),
        ("1199m 1199p 225s 99s", "3z", "you"),  # one gold for 5s, the other alone
        ("1199m 1199p 55z 22s 9s", "3z", "you"),
        ("1199m 1199p 225s 7z 9s", "5s", "self_draw"),  # five pairs: it waits for two kinds
        ("1199m 1199p 225s 7z 9s", "7z", "self_draw"),
        ("1199m 119p 2255s 79s", "9p", "self_draw"),
    ],
)
def test_six_pairs_and_a_lone_gold(hand: str, tile: str, expected: str) -> None:
    assert way(hand, tile)[0] == expected


def test_five_pairs_do_not_wait_for_any_tile() -> None:
    assert cited("1199m 1199p 225s 7z 9s", "3z") == ("L-SHAPE-1", "not_complete")


def test_under_two_golds_either_may_be_alone() -> None:
    for gold in ("9s", "1z"):
        assert way("1199m 1199p 2255s" + gold, "7z", **FULL)[0] == "you"
    assert way("1199m 1199p 225s 9s 1z", "7z", **FULL)[0] == "you"
    assert way("1199m 1199p 225s 7z 1z", "7z", **FULL)[0] == "self_draw"


@pytest.mark.parametrize(
    ("hand", "drawn", "level"),
    [
        ("1199m 1199p 2255s 9s", "9s", 2),  # the drawn gold goes out again
        ("1199m 1199p 225s 99s", "5s", 2),  # 5s sets one free
        ("1199m 1199p 225s 99s", "3z", 0),  # and without it one gold is for 5s
        ("1199m 1199p 225s 7z 9s", "9s", 0),
    ],
)
def test_the_upgrade(hand: str, drawn: str, level: int) -> None:
    """S-YOU-3 for seven pairs: a gold goes out and the hand is in you state again."""
    position = table({0: hand}, drawn=drawn)
    assert after(position, "discarded", seat=0, tile="9s").levels[0] == level


def test_a_meld_ends_it() -> None:
    position = table({0: "1199p 2255s 9s 7z"}, melds={0: ["pung 5m@1"]}, drawn="7z")
    assert offered(position, 0, "win") == []
    position = table({0: SEVEN}, drawn="7z")
    assert offered(position, 0, "win") == ["win self_draw 7z"]


# -- Where four copies are out (S-GOLD-3) --------------------------------------------------------------------------


@pytest.mark.parametrize("fifth_copy", [True, False])
@pytest.mark.parametrize(("discards", "out"), [("55s", 3), ("555s", 4)])
def test_a_gold_as_the_fifth_copy_of_a_pair(discards: str, out: int, fifth_copy: bool) -> None:
    hand, options = "1199m 1199p 22s 5s 77z", {"fifth_copy": fifth_copy}
    position = table({0: hand}, drawn="9s", discards={2: discards}, options=options)
    assert bool(offered(position, 0, "win")) is (fifth_copy or out < 4)
