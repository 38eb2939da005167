"""L-SHAPE-1: a hand is one pair and four sets, fourteen tiles and one more a kong; golds stand for what is missing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import audited, judged, offered, verdict
from tests.rules.builders import win as win_act
from tests.rules.longyan.positions import FULL, PLAIN, cited, opened, score, table, won

WHOLE: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "runs": (PLAIN, "3s", ()),
    "triplets": ("111m 999m 222p 88p 77z", "7z", ()),
    "honour triplets": ("222z 333z 444z 66z 11m", "1m", ()),
    "runs and triplets": ("123m 123m 555p 567s 7z", "7z", ()),
    "the middle of a run last": ("123456m 789p 13s 66z", "2s", ()),
    "the edge of a run last": ("123456m 789p 56s 66z", "7s", ()),
    "the pair last": ("123456789m 123p 7z", "7z", ()),
    "one meld": ("123456m 123p 7z", "7z", ("pung 5s",)),
    "two melds": ("123456m 7z", "7z", ("pung 5s", "pung 6z")),
    "three melds": ("123m 7z", "7z", ("pung 5s", "pung 6z", "exposed 2z")),
    "four melds, a bare wait": ("7z", "7z", ("pung 5s", "exposed 6z", "added 2z", "concealed 3p")),
    "four kongs": ("7z", "7z", ("exposed 1m", "added 2z", "concealed 4z", "exposed 5s")),
    "a gold for a missing tile": ("123456m 789p 13s 9s 6z", "6z", ()),
    "a gold in the pair": ("123456789m 13s 9s 7z", "2s", ()),
    "two golds in one set": ("123456789m 1p 99s 7z", "7z", ()),
    "three golds and a run": ("123456m 789p 999s 7z", "7z", ()),
    "a white for the face kind": ("123456m 789p 78s 66z", "5z", ()),
    "whites for a triplet of the face kind": ("123456m 789p 55z 6z 9s", "6z", ()),
}

BROKEN: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "one tile off": (PLAIN, "4s", ()),
    "no pair": ("123456789m 123p 7z", "6z", ()),
    "two pairs and three sets": ("123456m 123p 55s 77z", "3z", ()),
    "six pairs and two single tiles": ("1199m 1199p 2255s 7z", "6z", ()),
    "a run round the corner": ("456m 123p 789p 89m 66z", "1m", ()),
    "a run over two suits": ("123456m 789p 89m 66z", "1p", ()),
    "a run of winds": ("123456789m 7p 23z 7p", "4z", ()),
    "a run of dragons": ("123456789m 7p 67z 7p", "5z", ()),
    "one set is missing beside the meld": ("123m 258m 123p 7z", "7z", ("pung 5s",)),
    "four melds, the wrong tile": ("7z", "6z", ("pung 5s", "exposed 1z", "added 2z", "concealed 3p")),
    "one gold for two missing tiles": ("123456m 79p 13s 9s 66z", "1z", ()),
    "a white as itself": ("123456m 789p 123s 5z", "6z", ()),
    "one white too many": ("123456m 789p 78s 55z", "7z", ()),
}


@pytest.mark.parametrize(("hand", "tile", "melds"), WHOLE.values(), ids=WHOLE)
def test_four_sets_and_a_pair(hand: str, tile: str, melds: tuple[str, ...]) -> None:
    assert won(hand, tile, melds=melds)["win"] in ("self_draw", "three_golds")


@pytest.mark.parametrize(("hand", "tile", "melds"), BROKEN.values(), ids=BROKEN)
def test_anything_else(hand: str, tile: str, melds: tuple[str, ...]) -> None:
    assert cited(hand, tile, melds=melds) == ("L-SHAPE-1", "not_complete")


def test_by_robbing_too() -> None:
    assert won(PLAIN, "3s", "rob_kong")["win"] == "rob_kong"
    assert cited(PLAIN, "4s", "rob_kong") == ("L-SHAPE-1", "not_complete")


FULL_HANDS: list[tuple[str, str, bool]] = [
    ("123456m 789p 13s 9s 6z", "6z", True),
    ("123456m 789p 1z 13s 6z", "6z", True),  # the second gold
    ("12m 456m 79p 12s 9s 1z 66z", "3s", True),  # both golds, each in a run
    ("12m 456m 79p 15s 9s 1z 66z", "3s", False),
    ("12m 46m 79p 12s 9s 1z 666z", "3s", False),
    ("123456m 789p 78s 66z", "5z", True),  # a white as 9s
    ("123456m 789p 55z 66z", "5z", True),
    ("123456789m 78s 5z 5z", "5z", True),  # one white as 9s, two as either
]


@pytest.mark.parametrize(("hand", "tile", "is_whole"), FULL_HANDS)
def test_under_two_golds(hand: str, tile: str, is_whole: bool) -> None:
    if is_whole:
        assert won(hand, tile, **FULL)["win"] == "self_draw"
    else:
        assert cited(hand, tile, **FULL) == ("L-SHAPE-1", "not_complete")


@pytest.mark.parametrize(("hand", "wins"), [(PLAIN + "3s", True), (PLAIN + "4s", False)])
def test_the_dealers_opening_hand(hand: str, wins: bool) -> None:
    found = score(hand, None, "opening", seat=0)
    assert found["wins"] == wins
    if not wins:
        assert found["why"]["clause"] == "L-SHAPE-1"


@pytest.mark.parametrize("options", [{}, FULL])
def test_the_referee_cites_it(options: dict[str, Any]) -> None:
    right = table({0: PLAIN}, drawn="3s", options=options)
    assert offered(right, 0, "win") == ["win self_draw 3s"]
    assert verdict(right, 0, win_act("3s", "self_draw")) is None
    wrong = table({0: PLAIN}, drawn="4s", options=options)
    assert offered(wrong, 0, "win") == []
    assert verdict(wrong, 0, win_act("4s", "self_draw")) == ("L-SHAPE-1", "not_complete")
    assert judged(wrong, "won", seat=0, win="self_draw", tile="4s") == [("L-SHAPE-1", "not_complete")]


def test_a_win_that_is_none_is_found_in_a_log() -> None:
    game = opened({1: PLAIN}, draws="4s").discard("1m").draw()
    seq = game.seq + 1
    game.emit("won", seat=1, win="self_draw", tile="4s")
    game.settle((0, 0, 0, 0)).reveal().end_hand().end()
    assert audited(game.events) == [(seq, "L-SHAPE-1", "not_complete")]


# -- Where four copies are out (S-GOLD-3) --------------------------------------------------------------------------


@pytest.mark.parametrize("fifth_copy", [True, False])
@pytest.mark.parametrize(("discards", "out"), [("888m", 3), ("8888m", 4)])
def test_either_gold_as_the_fifth_copy(discards: str, out: int, fifth_copy: bool) -> None:
    kongs = {0: ["concealed 2p", "concealed 3p", "concealed 4p"]}
    rest = {"melds": kongs, "discards": {2: discards}, "options": FULL | {"fifth_copy": fifth_copy}}
    for gold in ("9s", "1z"):
        position = table({0: f"79m {gold} 1p"}, drawn="1p", golds="9s1z", **rest)
        assert bool(offered(position, 0, "win")) is (fifth_copy or out < 4)
