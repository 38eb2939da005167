"""L-SHAPE-3: 十三幺, the terminals of each suit and all honours with one of them again, all concealed. A white is white
in it and a gold its own face (option ``orphans_wild``: any); it does not go with 游, scores as 三游, and there is none
without dots."""

from __future__ import annotations

from typing import Any

import pytest

from schema.scoring import ScoreError
from tests.rules.builders import after, judged, offered
from tests.rules.longyan.positions import ORPHANS, cited, score, table, way, won

KINDS = "1m 9m 1p 9p 1s 9s 1z 2z 3z 4z 5z 6z 7z".split()
TRIPLE = ("thirteen_orphans", 16)
NOT_WHOLE = ("L-SHAPE-1", "not_complete")


def but(*missing: str) -> str:
    """The thirteen without some."""
    return " ".join(kind for kind in KINDS if kind not in missing)


@pytest.mark.parametrize("tile", KINDS)
def test_one_of_each_and_one_again(tile: str) -> None:
    assert way(ORPHANS, tile, golds="3m") == TRIPLE
    paired = "7z" if tile != "7z" else "6z"
    assert way(f"{but(tile)} {paired}", tile, golds="3m") == TRIPLE


@pytest.mark.parametrize(
    ("hand", "tile"),
    [
        (ORPHANS, "2m"),
        (ORPHANS, "8s"),
        (f"{but('1m')} 7z", "9m"),  # 1m is missing
        (f"{but('1m')} 7z", "7z"),  # three of one
        (f"{but('1m', '9m')} 77z", "1m"),
        (f"{but('1m')} 2m", "1m"),  # thirteen kinds, and 2m is none
    ],
)
def test_anything_else(hand: str, tile: str) -> None:
    assert cited(hand, tile, golds="3m") == NOT_WHOLE


def test_all_concealed() -> None:
    position = table({0: but("1m", "9m", "1p")}, melds={0: ["concealed 2m"]}, drawn="1m", golds="3m")
    assert offered(position, 0, "win") == []


@pytest.mark.parametrize("options", [{}, {"mode": "full"}])
def test_in_either_mode(options: dict[str, Any]) -> None:
    golds = "3m7s" if options else "3m"
    assert way(ORPHANS, "1m", golds=golds, **options) == TRIPLE


# -- White ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("golds", ["2m", "1m", "9s", "6z"])
def test_a_white_is_white(golds: str) -> None:
    """Whatever it stands in for elsewhere; here the gold is drawn last, where it is one of the thirteen."""
    assert way(ORPHANS, "5z", golds=golds) == TRIPLE
    assert way(f"{but('5z')} 7z", "5z", golds=golds) == TRIPLE


def test_a_white_is_not_the_face_kind() -> None:
    """Under the gold 1m a white would be 1m anywhere else."""
    assert cited(f"{but('1m')} 5z", "9m", golds="1m") == NOT_WHOLE
    assert cited(f"{but('1m')} 9m", "5z", golds="1m") == NOT_WHOLE
    assert cited(f"{but('1m')} 9m", "5z", golds="1m9p", mode="full") == NOT_WHOLE


# -- Golds ---------------------------------------------------------------------------------------------------------


def test_a_gold_is_its_own_face() -> None:
    assert way(ORPHANS, "7z", golds="1m") == TRIPLE  # one gold, as 1m
    assert way(f"{but('1m')} 7z", "1m", golds="1m") == TRIPLE  # drawn last
    assert way(ORPHANS, "1m", golds="1m") == TRIPLE  # two, and they are the pair
    assert way(ORPHANS, "7z", golds="5z") == TRIPLE  # white itself is gold
    assert way(ORPHANS, "7z", golds="1m5z", mode="full") == TRIPLE


@pytest.mark.parametrize(
    ("hand", "tile", "golds"),
    [
        (f"{but('7z')} 2m", "7z", "2m"),  # for the pair
        (f"{but('7z')} 2m", "6z", "2m"),  # for 7z
        (f"{but('6z', '7z')} 22m", "6z", "2m"),  # for both
        (f"{but('7z')} 1m", "6z", "1m"),  # 1m twice, one of them for 7z
    ],
)
def test_golds_are_wild_by_option_only(hand: str, tile: str, golds: str) -> None:
    assert cited(hand, tile, golds=golds) == NOT_WHOLE
    assert way(hand, tile, golds=golds, orphans_wild=True) == TRIPLE


def test_a_gold_is_wild_in_either_mode() -> None:
    assert way(f"{but('6z', '7z')} 2m 3s", "6z", golds="2m3s", mode="full", orphans_wild=True) == TRIPLE
    assert cited(f"{but('6z', '7z')} 2m 3s", "6z", golds="2m3s", mode="full") == NOT_WHOLE


def test_one_gold_for_two_missing_kinds() -> None:
    assert cited(f"{but('6z', '7z')} 2m 3m", "6z", golds="2m", orphans_wild=True) == NOT_WHOLE


# -- Its value -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("you_v", "v"), [(4, 16), (5, 20), (1, 4), (99, 396)])
def test_it_scores_as_triple_you(you_v: int, v: int) -> None:
    assert way(ORPHANS, "1m", golds="3m", you_v=you_v) == ("thirteen_orphans", v)


@pytest.mark.parametrize("level", ["double_you", "triple_you"])
def test_it_does_not_go_with_you(level: str) -> None:
    """Golds discarded before make it no better, and a gold that waits for any of it is no lone gold."""
    assert way(ORPHANS, "1m", golds="3m", level=level) == TRIPLE
    wild = f"{but('7z')} 3m"
    assert way(wild, "7z", golds="3m", orphans_wild=True, level="double_you") == TRIPLE
    assert way(wild, "6z", golds="3m", orphans_wild=True) == TRIPLE


def test_it_is_no_you_state() -> None:
    """A gold more than the thirteen need: the discard of one makes no 雙游."""
    position = table({0: f"{but('7z')} 3m"}, drawn="3m", golds="3m", options={"orphans_wild": True})
    assert after(position, "discarded", seat=0, tile="3m").levels[0] == 0


def test_it_has_no_other_name() -> None:
    assert won(ORPHANS, "1m", golds="3m")["names"] == []


# -- Where it is won -----------------------------------------------------------------------------------------------


def test_at_the_table() -> None:
    position = table({0: ORPHANS}, drawn="1m", golds="3m")
    assert offered(position, 0, "win") == ["win thirteen_orphans 1m"]
    assert judged(position, "won", seat=0, win="thirteen_orphans", tile="1m") == []
    assert judged(position, "won", seat=0, win="self_draw", tile="1m") == [("L-WIN-10", "wrong_way_named")]


def test_without_dots_there_is_none() -> None:
    """Eleven kinds and three golds: not even where these are wild."""
    hand = "19m 19s 1234567z 33m"
    assert way(hand, "3m", golds="3m", orphans_wild=True) == TRIPLE
    assert way(hand, "3m", golds="3m", orphans_wild=True, dots=False) == ("three_golds", 4)
    assert score(hand, "1m", golds="3m", orphans_wild=True, dots=False)["wins"] is False


def test_without_dots_no_hand_holds_one() -> None:
    with pytest.raises(ScoreError):
        score(ORPHANS, "1m", golds="3m", dots=False)


def test_without_dots_none_can_be_drawn() -> None:
    """It is none of the rule set's tiles (S-WALL-2)."""
    position = table(turn=1, last="3m", discards={0: "2z"}, options={"dots": False})
    assert [clause for clause, _ in judged(position, "drew", seat=2, tile="5p", tail=False)] == ["S-WALL-2"]
    assert judged(position, "drew", seat=2, tile="5s", tail=False) == []


# -- How it is shown -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tile", "golds"), [("1m", "3m"), ("9s", "9s"), ("5z", "1p")])
def test_its_reading_holds_every_tile(tile: str, golds: str) -> None:
    found = won(ORPHANS, tile, golds=golds)
    shown = [kind for part in found["reading"] for kind in part]
    assert sorted(shown) == sorted([*KINDS, tile])
    assert found["readings"] == 1


# -- Where four copies are out (S-GOLD-3) --------------------------------------------------------------------------


@pytest.mark.parametrize("fifth_copy", [True, False])
@pytest.mark.parametrize(("missing", "discards", "out"), [("7z", "777z", 3), ("7z", "7777z", 4), ("5z", "5555z", 4)])
def test_a_wild_gold_as_the_fifth_copy(missing: str, discards: str, out: int, fifth_copy: bool) -> None:
    """The stand-in is white only, so four whites on the table are four whites out."""
    options = {"orphans_wild": True, "fifth_copy": fifth_copy}
    position = table({0: f"{but(missing)} 1m"}, drawn="3m", golds="3m", discards={2: discards}, options=options)
    assert bool(offered(position, 0, "win")) is (fifth_copy or out < 4)
