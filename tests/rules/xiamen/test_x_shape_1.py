"""X-SHAPE-1: a win is one pair and five sets, 17 tiles plus one a kong, sets in any mix; there is no other shape."""

from __future__ import annotations

import pytest

from replays.rulebook import Settlement
from replays.settle import decide
from tests.rules.builders import audited, judged, table, verdict
from tests.rules.builders import win as won
from tests.rules.xiamen.positions import PLAIN, book, cited, facts, opened, refusal, win

WHOLE = {
    "runs": (PLAIN, "9p", ()),
    "triplets": ("111m 999m 222p 888p 33s 77z", "7z", ()),
    "honour triplets": ("222z 333z 444z 666z 77z 11m", "1m", ()),
    "runs and triplets": ("123m 123m 555p 789s 222z 7z", "7z", ()),
    "the middle of a run last": ("123456789m 13456p 99p", "2p", ()),
    "the edge of a run last": ("123456789m 12456p 99p", "3p", ()),
    "the pair last": ("123456789m 123456p 7z", "7z", ()),
    "two pairs become one and a triplet": ("123456789m 123p 55s 77z", "7z", ()),
    "one meld": ("123456789m 123p 7z", "7z", ("chow 456p",)),
    "two melds": ("123456789m 7z", "7z", ("chow 456p", "pung 3s")),
    "three melds": ("123456m 7z", "7z", ("chow 456p", "pung 3s", "exposed 2z")),
    "four melds": ("123m 7z", "7z", ("chow 456p", "pung 3s", "exposed 2z", "concealed 4z")),
    "five melds, a bare wait": ("7z", "7z", ("chow 456p", "pung 3s", "exposed 2z", "added 4z", "concealed 9m")),
    "five kongs": ("7z", "7z", ("exposed 1m", "added 2z", "concealed 4z", "concealed 9m", "exposed 5s")),
    "a gold for a missing tile": ("123456789m 13p 456p 9p 1z", "9p", ()),
    "a gold in the pair": ("123456789m 123456p 1z", "7z", ()),
    "two golds in one set": ("123456789m 123p 7s 11z 9p", "9p", ()),
    "three golds are a set": ("123456789m 123p 111z 9p", "9p", ()),
    "a gold ends a run of honours' neighbours": ("123456789m 12p 1z 456p 7z", "7z", ()),
}

BROKEN = {
    "one tile off": ("123456789m 123456p 9p", "8p", ()),
    "no pair": ("123456789m 123456p 7z", "6z", ()),
    "two pairs and four sets": ("123456789m 123p 55s 77z", "3z", ()),
    "seven pairs and a triplet": ("1199m 1199p 1199s 222z 7z", "7z", ()),
    "eight pairs and a gold": ("1199m 1199p 1199s 22z 7z 1z", "7z", ()),
    "thirteen orphans": ("19m 19p 19s 22334567z 22p", "5z", ()),
    "a run round the corner": ("123456789m 189p 99p 77p", "7p", ()),
    "a run over two suits": ("123456789m 89m 1p 456p 7z", "7z", ()),
    "a run of winds": ("123456789m 123p 234z 7z", "7z", ()),
    "a run of dragons": ("123456789m 123p 67z 7z 9p", "9p", ()),
    "one set is missing beside the meld": ("123456m 258m 123p 7z", "7z", ("chow 456p",)),
    "five melds, the wrong tile": ("7z", "6z", ("chow 456p", "pung 3s", "exposed 2z", "added 4z", "concealed 9m")),
    "one gold for two missing tiles": ("123456789m 13p 46p 9p 7z 1z", "9p", ()),
    "a gold beside three singles": ("123456789m 123p 147s 1z", "7z", ()),
    "a gold is no flower": ("123456789m 123p 258s 1z", "9p", ()),
}


@pytest.mark.parametrize(("hand", "tile", "melds"), WHOLE.values(), ids=WHOLE)
def test_five_sets_and_a_pair(hand: str, tile: str, melds: tuple[str, ...]) -> None:
    for by in ("self_draw", "discard", "rob_kong"):
        found = decide(book(gold_blocks_discard_win="none"), facts(hand, tile, by, melds=melds))
        assert isinstance(found, Settlement), (by, found)


@pytest.mark.parametrize(("hand", "tile", "melds"), BROKEN.values(), ids=BROKEN)
def test_anything_else(hand: str, tile: str, melds: tuple[str, ...]) -> None:
    for by in ("self_draw", "discard", "rob_kong"):
        position = facts(hand, tile, by, melds=melds)
        assert cited(position, gold_blocks_discard_win="none") == ("X-SHAPE-1", "not_complete")


def test_expected_says_the_shape() -> None:
    assert refusal(facts("123456789m 123456p 7z", "6z")).expected == {"shape": "five sets and a pair"}


def test_the_dealers_opening_hand() -> None:
    assert win(facts(PLAIN + "9p", by="opening", seat=0)).win == "heavenly_win"
    assert cited(facts(PLAIN + "8p", by="opening", seat=0)) == ("X-SHAPE-1", "not_complete")


def test_the_referee_cites_it() -> None:
    position = table({0: PLAIN}, drawn="9p", golds="1z")
    assert verdict(position, 0, won("9p", "self_draw")) is None
    position = table({0: PLAIN}, drawn="8p", golds="1z")
    assert verdict(position, 0, won("8p", "self_draw")) == ("X-SHAPE-1", "not_complete")
    position = table({1: PLAIN}, last="8p", turn=0, golds="1z")
    found = judged(position, "won", seat=1, win="discard", tile="8p", from_=0)
    assert found == [("X-SHAPE-1", "not_complete")]


def test_a_win_that_is_none_is_found_in_a_log() -> None:
    game = opened({1: PLAIN}, draws="8p").draw()
    seq = game.seq + 1
    game.emit("won", seat=1, win="self_draw", tile="8p")
    game.settle((0, 0, 0, 0)).reveal().end_hand().end()
    assert audited(game.events) == [(seq, "X-SHAPE-1", "not_complete")]
