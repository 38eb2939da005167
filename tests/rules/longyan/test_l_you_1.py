"""L-YOU-1: a player who declared 游 may discard only tiles that keep the you state."""

from __future__ import annotations

from typing import Any

import pytest

from replays.table import Table
from replays.tiles import CODES
from tests.rules.builders import judged, kong, offered, pung, tiles, verdict, win
from tests.rules.longyan.tables import is_free, played, table

LEAVES = ("L-YOU-1", "leaves_you_state")
YOU = "123456789m 123p 1z"
DECLARED = {"you_declared": True}


def own_turn(hand: str, drawn: str, *, declared: bool = True, **given: Any) -> Table:
    """Seat 0 has declared 游, and drawn in the go-around after."""
    given = {"options": DECLARED} | given
    position = table({0: hand}, drawn="5s", **given)
    position = played(position, *(["0 declared you"] if declared else []), "0 discarded 5s", "1 6s", "2 6s", "3 6s")
    return played(position, f"0 drew {drawn}")


def found_at(position: Table, code: str) -> list[tuple[str, str]]:
    return judged(position, "discarded", seat=0, tile=code)


KEPT = [
    pytest.param(YOU, "5p", "5p", id="the-drawn-tile"),
    pytest.param(YOU, "4p", "14p", id="either-end-of-a-run"),
    pytest.param(YOU, "3m", "369m", id="runs-that-part-anew"),
    pytest.param(YOU, "5z", "5z", id="a-stand-in-is-no-gold"),
    pytest.param(YOU, "1z", "123456789m 123p 1z", id="a-second-gold-stands-for-anything"),
    pytest.param("12456789m 123p 1z1z", "7p", "7p", id="a-wild-in-a-run"),
    pytest.param("12456789m 123p 1z1z", "3m", "123456789m 123p 1z", id="a-tile-that-frees-a-gold"),
    pytest.param("123456m 777z 555p 1z", "5p", "5p", id="the-fourth-of-a-triplet"),
    pytest.param("1133557799m 11p 1z", "3p", "3p", id="seven-pairs"),
    pytest.param("1133557799m 1p 1z1z", "3p", "1p 3p", id="seven-pairs-and-a-half-of-gold"),
]


@pytest.mark.parametrize(("hand", "drawn", "kept"), KEPT)
def test_what_keeps_the_state(hand: str, drawn: str, kept: str) -> None:
    position = own_turn(hand, drawn)
    free = {CODES[tile] for tile in tiles(kept)}
    assert offered(position, 0, "discard") == [f"discard {code}" for code in sorted(free)]
    for tile in sorted({*position.concealed(0)}):
        assert found_at(position, CODES[tile]) == ([] if CODES[tile] in free else [LEAVES])


@pytest.mark.parametrize(("hand", "drawn", "kept"), KEPT)
def test_who_declared_nothing_is_free(hand: str, drawn: str, kept: str) -> None:
    position = own_turn(hand, drawn, declared=False)
    assert len(offered(position, 0, "discard")) == len({*position.concealed(0)})
    assert all(found_at(position, CODES[tile]) == [] for tile in position.concealed(0))


@pytest.mark.parametrize(("code", "expected"), [("5p", []), ("9m", [LEAVES]), ("1z", [LEAVES])])
def test_a_declaration_binds_also_where_none_is_needed(code: str, expected: list[tuple[str, str]]) -> None:
    assert found_at(own_turn(YOU, "5p", options={}), code) == expected


def test_anothers_declaration_binds_nobody_else() -> None:
    position = table({0: YOU, 1: "123456789m 456p 1z"}, drawn="5s", options=DECLARED)
    position = played(position, "0 declared you", "0 discarded 5s", "1 drew 6s")
    assert judged(position, "discarded", seat=1, tile="9m") == []


def test_the_win_is_free() -> None:
    position = own_turn(YOU, "5p")
    assert is_free(position, 0, win("5p", "you"))


# ---- claims --------------------------------------------------------------------------------------------


def lies_open(hand: str, code: str, *, declared: bool) -> Table:
    position = played(table({0: hand}, drawn="5s", options=DECLARED), *(["0 declared you"] if declared else []))
    return played(position, "0 discarded 5s", f"1 {code}")


@pytest.mark.parametrize("declared", [True, False])
def test_a_pung_after_which_nothing_keeps_it(declared: bool) -> None:
    """Both 2m stand in runs: without them 1133m are left over."""
    position = lies_open("112233456789m 1z", "2m", declared=declared)
    assert is_free(position, 0, pung("2m", 1)) is not declared
    assert verdict(position, 0, pung("2m", 1)) == (LEAVES if declared else None)


def test_a_pung_after_which_one_tile_keeps_it() -> None:
    position = lies_open("123456m 777z 555p 1z", "5p", declared=True)
    assert is_free(position, 0, pung("5p", 1))
    position = played(position, "0 punged 5p")
    assert offered(position, 0) == ["discard 5p"]
    assert found_at(position, "6m") == [LEAVES]


def test_a_kong_that_keeps_it() -> None:
    position = lies_open("123456m 777z 555p 1z", "5p", declared=True)
    assert is_free(position, 0, kong("5p", "exposed", 1))
    position = played(position, "0 konged 5p exposed", "0 drew 8p")
    assert offered(position, 0, "discard") == ["discard 8p"]
