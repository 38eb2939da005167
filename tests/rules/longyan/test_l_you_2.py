"""L-YOU-2: a 雙游 or 三游 player may pung and kong; the level stays, also on a kong's replacement, while the hand stays
in you state; declaring a kong is not passing the win."""

from __future__ import annotations

import pytest

from replays.table import Table
from tests.rules.builders import kong, offered, pung, win
from tests.rules.longyan.tables import ONE, TWO, is_free, played, thrown

AROUND = ("1 8m", "2 8m", "3 8m")
TRIPLETS = "123456m 555p 777z 1z"  # 5p and 7z may be konged, and 5p punged with one left over
LEVELS = pytest.mark.parametrize(
    ("discards", "level", "way"), [(ONE, 2, "double_you"), (TWO, 3, "triple_you")], ids=["double", "triple"]
)


def raised(discards: tuple[str, ...], hand: str = TRIPLETS, melds: tuple[str, ...] = ()) -> Table:
    """Seat 0 has made its level with its last discard."""
    position = thrown({0: hand}, discards, melds={0: list(melds)})
    assert position.levels[0] == (2 if discards is ONE else 3)
    return position


def wins_at(position: Table, way: str, code: str = "8p") -> None:
    assert offered(position, 0, "win") == [f"win {way} {code}"]


@LEVELS
def test_a_pung(discards: tuple[str, ...], level: int, way: str) -> None:
    position = played(raised(discards), "1 5p")
    assert is_free(position, 0, pung("5p", 1))
    position = played(position, "0 punged 5p", "0 discarded 5p")
    assert position.levels[0] == level
    wins_at(played(position, *AROUND, "0 drew 8p"), way)


@LEVELS
@pytest.mark.parametrize("code", ["6m", "7z", "1z"])
def test_a_pung_and_a_discard_that_breaks_the_state(discards: tuple[str, ...], level: int, way: str, code: str) -> None:
    position = played(raised(discards), "1 5p", "0 punged 5p", f"0 discarded {code}")
    assert position.levels[0] == 0


def test_a_pung_and_a_gold_that_keeps_the_state() -> None:
    """No draw lies between, so it makes no 三游, and no win was passed."""
    position = played(raised(ONE, "123456789m 55p 1z1z"), "1 5p", "0 punged 5p", "0 discarded 1z")
    assert position.levels[0] == 2
    wins_at(played(position, *AROUND, "0 drew 8p"), "double_you")


@LEVELS
def test_an_exposed_kong(discards: tuple[str, ...], level: int, way: str) -> None:
    position = played(raised(discards), "1 5p")
    assert is_free(position, 0, kong("5p", "exposed", 1))
    position = played(position, "0 konged 5p exposed")
    assert position.levels[0] == level
    wins_at(played(position, "0 drew 8p"), way)


@LEVELS
def test_a_concealed_kong(discards: tuple[str, ...], level: int, way: str) -> None:
    """In its own turn, in which it could have won on what it drew."""
    position = played(raised(discards), *AROUND, "0 drew 7z")
    wins_at(position, way, "7z")
    assert is_free(position, 0, kong("7z", "concealed"))
    position = played(position, "0 konged 7z concealed")
    assert position.levels[0] == level
    wins_at(played(position, "0 drew 8p"), way)


@LEVELS
def test_an_added_kong(discards: tuple[str, ...], level: int, way: str) -> None:
    position = played(raised(discards, "123456m 777z 1z", ("pung 5p@2",)), *AROUND, "0 drew 5p")
    assert is_free(position, 0, kong("5p", "added"))
    position = played(position, "0 konged 5p added")
    assert position.levels[0] == level
    wins_at(played(position, "0 drew 8p"), way)


@LEVELS
def test_kong_after_kong(discards: tuple[str, ...], level: int, way: str) -> None:
    position = played(raised(discards), *AROUND, "0 drew 7z", "0 konged 7z concealed", "0 drew 5p")
    assert is_free(position, 0, kong("5p", "concealed"))
    position = played(position, "0 konged 5p concealed", "0 drew 3f", "0 laid 3f 8p")
    wins_at(position, way)


@LEVELS
def test_a_kong_that_breaks_the_state(discards: tuple[str, ...], level: int, way: str) -> None:
    """One of the four 3p was a run's: 12p are left behind."""
    position = played(raised(discards, "123456m 123333p 1z"), *AROUND, "0 drew 5s", "0 konged 3p concealed")
    assert position.levels[0] == 0


@LEVELS
def test_a_kong_out_of_seven_pairs_breaks_it(discards: tuple[str, ...], level: int, way: str) -> None:
    """Four equal tiles are two of the pairs, and seven pairs are concealed."""
    position = played(raised(discards, "1111335577m 99p 1z"), *AROUND, "0 drew 8p")
    wins_at(position, way)
    assert played(position, "0 konged 1m concealed").levels[0] == 0


@LEVELS
def test_seven_pairs(discards: tuple[str, ...], level: int, way: str) -> None:
    position = played(raised(discards, "1133557799m 22p 1z"), *AROUND, "0 drew 8p")
    wins_at(position, way)


@LEVELS
def test_no_win_is_passed_before_the_replacement_is_discarded(discards: tuple[str, ...], level: int, way: str) -> None:
    position = played(raised(discards), *AROUND, "0 drew 7z", "0 konged 7z concealed", "0 drew 8p", "0 discarded 8p")
    assert position.levels[0] == 0


def test_others_kongs_leave_it() -> None:
    position = thrown({0: TRIPLETS, 2: "666s 147m 258p 3467z"}, ONE)
    position = played(position, "1 8m", "2 drew 6s", "2 konged 6s concealed", "2 drew 2s", "2 discarded 2s", "3 8m")
    assert position.levels[0] == 2
    assert is_free(played(position, "0 drew 8p"), 0, win("8p", "double_you"))
