"""L-SHAPE-4: 碰碰胡, all triplets, and 清一色, one suit only, golds aside, are named in the result and multiply the
value by the options ``all_triplets_factor`` and ``pure_suit_factor``, which are 1 unless a room sets them."""

from __future__ import annotations

import pytest

from tests.rules.longyan.positions import FULL, ORPHANS, PLAIN, SEVEN, won

TRIPLETS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "concealed": ("111m 999m 222p 88p 77z", "7z", ()),
    "the pair last": ("111m 999m 222p 888s 7z", "7z", ()),
    "with a pung": ("111m 999m 88p 77z", "7z", ("pung 2p",)),
    "with kongs": ("111m 88p 77z", "7z", ("concealed 2p", "exposed 9m")),
    "four melds": ("7z", "7z", ("pung 2p", "exposed 9m", "added 1z", "concealed 3s")),
    "a gold in a triplet": ("11m 9s 999m 22p 888p 66z", "2p", ()),
    "a gold in the pair": ("111m 99m 222p 888p 7z 9s", "9m", ()),
    "two golds in one triplet": ("111m 999m 22p 8p 66z 99s", "2p", ()),
    "whites for a triplet of the face kind": ("111m 999m 22p 555z 77z", "7z", ()),
    "four equal tiles, one of them with a gold": ("111m 999m 222p 777z 9s", "7z", ()),
    "that might be runs too": ("111222333m 55p 77z", "5p", ()),
}

NO_TRIPLETS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "a run": ("123m 999m 222p 88p 77z", "7z", ()),
    "a run with a gold": ("13m 9s 999m 222p 88p 77z", "7z", ()),
    "runs alone": (PLAIN, "3s", ()),
    "seven pairs": (SEVEN, "7z", ()),
    "four equal tiles in seven pairs": ("1111m 9999p 2255s 7z", "7z", ()),
}

PURE: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "runs": ("123456789m 1113m", "3m", ()),
    "dots": ("123456789p 1113p", "3p", ()),
    "bamboo": ("123456s 22s 333s 44s", "2s", ()),
    "with melds": ("123456m 3m", "3m", ("pung 1m", "concealed 9m")),
    "with a gold of another suit": ("123456789m 113m 9s", "3m", ()),
    "with a white for the gold's own suit": ("123456s 22s 78s 333s", "5z", ()),
    "seven pairs": ("1122445577889m", "9m", ()),
    "seven pairs and a gold": ("112244557788m 9s", "9m", ()),
}

IMPURE: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "two suits": ("123456789m 111p 3m", "3m", ()),
    "a pair of another suit": ("123456789m 111m 3p", "3p", ()),
    "honours": ("123456789m 111z 3m", "3m", ()),
    "a pair of honours": ("123456789m 111m 7z", "7z", ()),
    "a pung of another suit": ("123456789m 3m", "3m", ("pung 1p",)),
    "a pung of honours": ("123456789m 3m", "3m", ("exposed 1z",)),
    "a white for bamboo": ("123456m 111m 33m 78s", "5z", ()),
}


@pytest.mark.parametrize(("hand", "tile", "melds"), TRIPLETS.values(), ids=TRIPLETS)
def test_all_triplets(hand: str, tile: str, melds: tuple[str, ...]) -> None:
    assert "all_triplets" in won(hand, tile, melds=melds)["names"]


@pytest.mark.parametrize(("hand", "tile", "melds"), NO_TRIPLETS.values(), ids=NO_TRIPLETS)
def test_not_all_triplets(hand: str, tile: str, melds: tuple[str, ...]) -> None:
    assert "all_triplets" not in won(hand, tile, melds=melds)["names"]


@pytest.mark.parametrize(("hand", "tile", "melds"), PURE.values(), ids=PURE)
def test_one_suit(hand: str, tile: str, melds: tuple[str, ...]) -> None:
    assert "pure_suit" in won(hand, tile, melds=melds)["names"]


@pytest.mark.parametrize(("hand", "tile", "melds"), IMPURE.values(), ids=IMPURE)
def test_not_one_suit(hand: str, tile: str, melds: tuple[str, ...]) -> None:
    assert "pure_suit" not in won(hand, tile, melds=melds)["names"]


@pytest.mark.parametrize(("golds", "is_pure"), [("9s", True), ("9m", False), ("1z", False)])
def test_a_white_is_of_the_suit_it_stands_in_for(golds: str, is_pure: bool) -> None:
    names = won("123456s 222s 44s 55z", "5z", golds=golds)["names"]
    assert ("pure_suit" in names) == is_pure


def test_under_two_golds() -> None:
    """A white may be of either suit, and golds of any."""
    golds = {"golds": "9s3m", **FULL}
    assert "pure_suit" in won("12m 456789m 11m 22m 5z", "2m", **golds)["names"]
    assert "pure_suit" in won("123456s 78s 22s 44s 5z", "4s", **golds)["names"]
    assert "pure_suit" in won("12m 456789m 11m 44m 9s", "1m", **golds)["names"]
    assert "pure_suit" not in won("12m 456789m 78s 44m 5z", "5z", **golds)["names"]
    assert "all_triplets" in won("111m 999m 22p 88p 66z 3m", "6z", **golds)["names"]


def test_whites_of_which_two_are_the_one_face_kind_and_two_the_other() -> None:
    """55z with a gold 333m, 55z with the other 777p."""
    names = won("5555z 3m7p 111m 222p 7z", "7z", golds="3m7p", **FULL)["names"]
    assert "all_triplets" in names
    assert "all_triplets" in won("111m 999m 222p 55z 77z", "7z", golds="3m7p", **FULL)["names"]
    assert "all_triplets" not in won("12m 999m 222p 555z 77z", "7z", golds="3m7p", **FULL)["names"]


def test_both() -> None:
    names = won("111m 444m 666m 88m 99m", "9m")["names"]
    assert sorted(names) == ["all_triplets", "pure_suit"]
    assert sorted(won("1122445577889m", "9m")["names"]) == ["pure_suit", "seven_pairs"]


def test_no_name() -> None:
    assert won(PLAIN, "3s")["names"] == []
    assert won(ORPHANS, "1m", golds="3m")["names"] == []


def test_also_in_you_and_where_a_kong_is_robbed() -> None:
    assert "all_triplets" in won("111m 999m 222p 888p 9s", "7z")["names"]
    assert "pure_suit" in won("123456789m 111m 9s", "3m")["names"]
    assert "all_triplets" in won("111m 999m 222p 888p 9s", "7z", "rob_kong")["names"]


# -- Factors -----------------------------------------------------------------------------------------------------------

ALL_TRIPLETS = ("111m 999m 222p 88p 77z", "7z")
ONE_SUIT = ("123456789m 1113m", "3m")
BOTH = ("111m 444m 666m 88m 99m", "9m")


@pytest.mark.parametrize("hand", [ALL_TRIPLETS, ONE_SUIT, BOTH])
def test_without_options_they_are_names_only(hand: tuple[str, str]) -> None:
    assert won(*hand)["factor"] == 2


@pytest.mark.parametrize(
    ("hand", "v"), [((PLAIN, "3s"), 2), (ALL_TRIPLETS, 4), (ONE_SUIT, 6), (BOTH, 12), ((SEVEN, "7z"), 2)]
)
def test_factors(hand: tuple[str, str], v: int) -> None:
    found = won(*hand, all_triplets_factor=2, pure_suit_factor=3)
    assert found["factor"] == v
    assert found["deltas"] == [-2 * v, 4 * v, -v, -v]


def test_the_best_reading_counts() -> None:
    """Runs or triplets: three equal kinds in a row may be either."""
    assert won("111222333m 55p 77z", "5p", all_triplets_factor=2)["factor"] == 4
    assert won("111222333m 55p 77z", "7z", all_triplets_factor=99)["factor"] == 198
    assert won("111222333m 456p 7z", "7z", all_triplets_factor=99)["factor"] == 2
