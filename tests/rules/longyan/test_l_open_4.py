"""L-OPEN-4: 蓋寶搶金 is a non-dealer's opening hand in you state, or a dealer's fourteen tiles that leave you state
after taking one away, or that are ready after taking a gold away."""

from __future__ import annotations

from typing import Any

import pytest

from replays.events import Records
from replays.table import Table
from tests.rules.builders import judged, offered, verdict, win
from tests.rules.longyan.tables import is_free, opening, played

COVERED = win(None, "covered_rob_gold")
YOU = "123456789m 123p 1z"
BOTH = "123456789p 777z 1z 6z"  # you state without 6z, ready without 1z
TAKEN = "12345678p 777z 66z 1z"  # ready without 1z, in you state without nothing


@pytest.mark.parametrize(
    ("hand", "is_right"),
    [
        pytest.param(YOU, True, id="sets-and-a-gold"),
        pytest.param("12345678m 123p 1z1z", True, id="a-wild-in-a-run"),
        pytest.param("123456m 78m 12p 1z1z1z", True, id="two-wilds"),
        pytest.param("1133557799m 11p 1z", True, id="six-pairs-and-a-gold"),
        pytest.param("1133557799m 1p 1z1z", True, id="a-wild-in-a-pair"),
        pytest.param("12345678m 123p 99p", False, id="ready-without-a-gold"),
        pytest.param("123456m 12p 456p 9p 1z", False, id="ready-with-a-gold"),
        pytest.param("123456m 1245p 9p 1z1z", False, id="ready-with-two-golds"),
        pytest.param("123456789m 123p 5z", False, id="a-stand-in-is-no-gold"),
        pytest.param("147m 258p 369s 2z 1z1z1z", False, id="three-golds"),
        pytest.param("147m 258p 369s 2346z", False, id="nothing"),
    ],
)
@pytest.mark.parametrize("seat", [1, 3])
def test_a_non_dealers_hand_in_you_state(hand: str, is_right: bool, seat: int) -> None:
    position = opening({seat: hand})
    assert is_free(position, seat, COVERED) is is_right
    assert (judged(position, "won", seat=seat, win="covered_rob_gold") == []) is is_right


@pytest.mark.parametrize(
    ("hand", "is_right"),
    [
        pytest.param(BOTH, True, id="you-state-after-taking-one-away"),
        pytest.param("12345678p 777z 1z1z 6z", True, id="with-a-wild-in-a-run"),
        pytest.param("123456789p 777z 1z1z", True, id="with-a-gold-taken-away"),
        pytest.param("1133557799p 11m 1z 6z", True, id="six-pairs-and-a-gold"),
        pytest.param(TAKEN, True, id="ready-after-taking-a-gold-away"),
        pytest.param("1133557799p 11m 3m 1z", True, id="six-pairs-after-taking-a-gold-away"),
        pytest.param("123456789p 777z 66z", False, id="complete-without-a-gold"),
        pytest.param("12345678p 777z 66z 4z", False, id="ready-after-taking-another-away"),
        pytest.param("12345678p 777z 4z 6z 1z", False, id="ready-with-the-gold-alone"),
        pytest.param("123456789p 777z 5z 6z", False, id="a-stand-in-is-no-gold"),
        pytest.param("147m 258p 369s 23z 1z1z1z", False, id="three-golds"),
        pytest.param("147m 258p 369s 23467z", False, id="nothing"),
    ],
)
@pytest.mark.parametrize("dealer", [0, 2])
def test_the_dealers_fourteen_tiles(hand: str, is_right: bool, dealer: int) -> None:
    position = opening({dealer: hand}, dealer=dealer)
    assert is_free(position, dealer, COVERED) is is_right
    assert (judged(position, "won", seat=dealer, win="covered_rob_gold") == []) is is_right


@pytest.mark.parametrize(
    ("hand", "out", "is_right"),
    [
        (BOTH, "6z", True),
        (BOTH, "1z", True),
        (BOTH, "1p", False),
        (BOTH, "7z", False),
        (BOTH, None, True),
        (TAKEN, "1z", True),
        (TAKEN, "6z", False),
        (TAKEN, "8p", False),
        (TAKEN, "9s", False),
        ("1133557799p 11m 1z 6z", "6z", True),
        ("1133557799p 11m 1z 6z", "1p", False),
    ],
)
def test_the_tile_on_record_is_one_that_does(hand: str, out: str | None, is_right: bool) -> None:
    expected = [] if is_right else [("L-OPEN-4", "wrong_tile_out")]
    assert judged(opening({0: hand}), "won", seat=0, win="covered_rob_gold", tile_out=out) == expected


@pytest.mark.parametrize("gold", ["1z", "2z"])
def test_either_of_two_golds(gold: str) -> None:
    given: dict[str, Any] = {"options": {"mode": "full"}, "golds": "1z2z"}
    position = opening({0: f"12345678p 777z 66z {gold}", 2: "123456789m 123p 1z"}, **given)
    assert is_free(position, 0, COVERED)
    assert is_free(position, 2, COVERED)
    for out, found in ((gold, []), ("6z", [("L-OPEN-4", "wrong_tile_out")])):
        assert judged(position, "won", seat=0, win="covered_rob_gold", tile_out=out) == found


def test_it_is_worth_more_than_heavenly_win() -> None:
    position = opening({0: BOTH})
    assert offered(position, 0, "win") == ["win covered_rob_gold"]
    assert verdict(position, 0, win(None, "heavenly_win")) == ("L-WIN-10", "wrong_way_named")


@pytest.mark.parametrize(("you_v", "way"), [(1, "heavenly_win"), (2, "heavenly_win"), (3, "covered_rob_gold")])
def test_unless_you_is_worth_less(you_v: int, way: str) -> None:
    """It counts as 雙游, twice ``you_v``; 天胡 counts 4 and comes first among equals."""
    position = opening({0: BOTH}, options={"you_v": you_v})
    assert offered(position, 0, "win") == [f"win {way}"]


# ---- when ----------------------------------------------------------------------------------------------


def refused(position: Table, seat: int) -> bool:
    assert "win covered_rob_gold" not in offered(position, seat)
    return verdict(position, seat, COVERED) is not None


@pytest.mark.parametrize("records", [Records(), Records(passes=True)])
def test_not_after_the_dealers_first_discard(records: Records) -> None:
    position = opening({2: YOU}, records=records)
    position = played(position, *(["2 passed"] if records.passes else []), "0 discarded 7z")
    assert refused(position, 2)
    position = played(position, "1 5s", "2 drew 5s")
    assert refused(position, 2)
    assert offered(position, 2, "win") == ["win you 5s"]


def test_nor_for_the_dealer() -> None:
    position = played(opening({0: BOTH}), "0 discarded 6z", "1 5s", "2 5s", "3 5s", "0 drew 2s")
    assert refused(position, 0)
    assert offered(position, 0, "win") == ["win you 2s"]
