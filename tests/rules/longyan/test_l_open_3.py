"""L-OPEN-3: the dealer, if no non-dealer has 搶金 or 三金倒, may win by 搶金 at once when some discard leaves the hand
ready; nothing is discarded."""

from __future__ import annotations

from typing import Any

import pytest

from replays.events import Records
from replays.table import Table
from tests.rules.builders import after, judged, offered, verdict, win
from tests.rules.longyan.tables import is_free, opening, played

READY = "12345678p 777z 66z 4z"  # 4z is the tile too many
PASSES = Records(passes=True)
ROB = win(None, "rob_gold")
BETTER = [("L-OPEN-3", "better_right")]
NO_RIGHT = [("L-OPEN-3", "no_rob_gold")]

SHAPES = [
    pytest.param(READY, True, id="sets-and-a-pair"),
    pytest.param("12345678p 777z 4z 6z 1z", True, id="with-a-gold-for-the-pair"),
    pytest.param("123456p 12m 45m 99s 4z 1z", True, id="with-a-gold-in-a-run"),
    pytest.param("1133557799p 11m 3m 4z", True, id="six-pairs"),
    pytest.param("123456p 12m 45m 89s 4z 1z", False, id="one-gold-too-few"),
    pytest.param("147m 258p 369s 2346z 7z", False, id="nothing"),
    pytest.param("147m 258p 369s 234z 1z1z", False, id="a-third-gold-for-three-golds"),
]


@pytest.mark.parametrize(("hand", "is_ready"), SHAPES)
@pytest.mark.parametrize("dealer", [0, 2])
def test_some_discard_leaves_it_ready(hand: str, is_ready: bool, dealer: int) -> None:
    position = opening({dealer: hand}, dealer=dealer)
    assert is_free(position, dealer, ROB) is is_ready
    assert (judged(position, "won", seat=dealer, win="rob_gold") == []) is is_ready


def test_nothing_is_discarded() -> None:
    position = after(opening({0: READY}), "won", seat=0, win="rob_gold", tile_out="4z")
    assert position.river == b""
    assert len(position.concealed(0)) == 14


@pytest.mark.parametrize(
    ("hand", "golds", "is_right"),
    [
        pytest.param("199m 19p 19s 234567z 5m", "1z", True, id="the-flipped-kind-is-missing"),
        pytest.param("199m 19p 19s 134567z 5m", "1z", False, id="another-is-missing"),
        pytest.param("199m 19p 19s 234567z 5m", "5p", False, id="the-flipped-kind-is-no-part"),
    ],
)
def test_who_waits_only_for_thirteen_orphans(hand: str, golds: str, is_right: bool) -> None:
    position = opening({0: hand}, golds=golds)
    assert is_free(position, 0, win(None, "thirteen_orphans")) is is_right


# ---- the tile taken away -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "out", "is_right"),
    [
        (READY, "4z", True),
        (READY, "1p", False),
        (READY, "6z", False),
        (READY, None, True),
        ("12345678p 777z 4z 6z 1z", "4z", True),
        ("12345678p 777z 4z 6z 1z", "6z", True),
        ("12345678p 777z 4z 6z 1z", "1z", False),
        (READY, "9s", False),
    ],
)
def test_the_tile_on_record_leaves_it_ready(hand: str, out: str | None, is_right: bool) -> None:
    """No tile need be named; one that is not held never does."""
    expected = [] if is_right else [("L-OPEN-3", "wrong_tile_out")]
    assert judged(opening({0: hand}), "won", seat=0, win="rob_gold", tile_out=out) == expected


# ---- what stands before it -----------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [1, 2, 3])
@pytest.mark.parametrize("records", [PASSES, Records()])
@pytest.mark.parametrize(
    ("hand", "is_barred"),
    [
        pytest.param("12345678m 123s 99s", True, id="ready"),
        pytest.param("1133557799m 11s 3s", True, id="six-pairs"),
        pytest.param("123456m 12s 456s 9s 1z", True, id="ready-with-a-gold"),
        pytest.param("147m 147s 258s 2346z", False, id="not-ready"),
        pytest.param("147m 147s 258s 23z 1z1z", False, id="a-third-gold-is-no-readiness"),
        pytest.param("199m 19p 19s 234567z", True, id="thirteen-orphans-that-the-flipped-kind-completes"),
        pytest.param("199m 19p 19s 134567z", False, id="thirteen-orphans-that-another-kind-completes"),
    ],
)
def test_no_other_has_it(seat: int, records: Records, hand: str, is_barred: bool) -> None:
    """Nobody can have passed it before the dealer's discard."""
    position = opening({0: READY, seat: hand}, records=records)
    assert judged(position, "won", seat=0, win="rob_gold") == (NO_RIGHT if is_barred else [])


THREE = "147m 258s 369s 2z 1z1z1z"


def test_nor_three_golds() -> None:
    position = opening({0: READY, 2: THREE}, records=PASSES)
    assert judged(position, "won", seat=0, win="rob_gold") == BETTER
    position = played(position, "2 passed")
    assert judged(position, "won", seat=0, win="rob_gold") == []


YOU = "123456789m 123s 1z"


def test_who_passed_covered_rob_gold_has_passed_this_too() -> None:
    position = opening({0: READY, 2: YOU}, records=PASSES)
    assert judged(position, "won", seat=0, win="rob_gold") == BETTER
    position = played(position, "2 passed")
    assert judged(position, "won", seat=0, win="rob_gold") == []


def test_where_passes_are_not_on_record_it_is_taken_as_passed() -> None:
    assert judged(opening({0: READY, 2: YOU}), "won", seat=0, win="rob_gold") == []


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize(("hand", "expected"), [("12345678m 123s 99s", NO_RIGHT), ("147m 147s 258s 2346z", [])])
def test_with_fewer_players(players: int, hand: str, expected: Any) -> None:
    position = opening({0: READY, players - 1: hand}, players=players)
    assert judged(position, "won", seat=0, win="rob_gold") == expected


# ---- when ----------------------------------------------------------------------------------------------


def refused(position: Table) -> bool:
    return verdict(position, 0, ROB) is not None


def test_not_once_it_has_discarded() -> None:
    position = played(opening({0: READY}), "0 discarded 4z")
    assert refused(position)
    assert refused(played(position, "1 5s", "2 5s", "3 5s", "0 drew 2s"))


def test_heavenly_win_comes_first_among_equals() -> None:
    position = opening({0: "123456789p 777z 66z"})
    assert offered(position, 0, "win") == ["win heavenly_win"]
    assert verdict(position, 0, ROB) == ("L-WIN-10", "wrong_way_named")
