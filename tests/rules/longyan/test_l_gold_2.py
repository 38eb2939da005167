"""L-GOLD-2: in ``full`` mode two different golds are flipped one after the other, each by S-GOLD-1; where the same kind
comes again the flip goes on. A white that stands in plays as either face kind, each as it likes."""

from __future__ import annotations

from typing import Any

import pytest

from replays.audit import audit
from tests.rules.builders import Game, audited, seq_of, tiles
from tests.rules.longyan.positions import FULL, PLAIN, cited, opened, score, way

DEALER = PLAIN + "3s"  # 天胡, so that hands are short
TAIL = "258m 258p 258s 2346z 147m 147p 147s"


def opening(gold: str, place: Any, options: dict[str, Any] | None = None, **throws: Any) -> Game:
    return opened({0: DEALER}, options=options or FULL, gold=gold, place=place, tail=TAIL, opening=throws)


def test_two_golds() -> None:
    game = opening("1z6p", 2).win(0).close().end()
    assert game.table.golds == tiles("1z6p")
    assert [one.type for one in game.events[6:11]] == [
        "dice_rolled",
        "gold_flipped",
        "dice_rolled",
        "gold_flipped",
        "won",
    ]
    assert audited(game.events) == []


def test_one_in_the_half_mode() -> None:
    game = opening("1z", 2, {"mode": "half"}).win(0).close().end()
    assert game.table.golds == tiles("1z")
    assert audited(game.events) == []


def test_the_second_is_counted_on_what_the_first_left() -> None:
    game = opening("1z6p", (3, 5), dice=(1, 2), second=[(2, 3)]).win(0).close().end()
    assert game.table.flipped == (game.whole[-6], game.whole[-11])
    assert audited(game.events) == []


def test_no_play_before_the_second_flip() -> None:
    game = opened({0: DEALER}, options=FULL, gold="1z6p", tail=TAIL, opening={"dice": None})
    game.flip((1, 1))
    game.emit("won", seat=0, win="heavenly_win")
    assert "G-ORDER-1" in [found[1] for found in audited(game.events)]


def test_a_third_flip_is_none() -> None:
    game = opening("1z6p", 2)
    before = game.table.golds
    game.emit("gold_flipped", tiles="7p", gold="7p")
    assert game.table.golds == before
    assert [found[1:] for found in audited(game.events)] == [("G-ORDER-1", "out_of_phase")]


# -- The same kind again -----------------------------------------------------------------------------------------------


def test_the_flip_goes_on() -> None:
    game = opening("1z1z6p", (2, 3, 4), dice=(1, 1), second=[(1, 2), (2, 2)]).win(0).close().end()
    assert game.table.golds == tiles("1z6p")
    flip = game.events[seq_of(game.events, "gold_flipped", 1)]
    assert (flip.tiles, flip.gold) == (tiles("1z6p"), tiles("6p")[0])
    assert audited(game.events) == []


def test_more_than_once_and_over_a_flower() -> None:
    places = (2, 3, 4, 5)
    throws = [(1, 2), (2, 2), (3, 2)]
    game = opening("1z1z3f6p", places, dice=(1, 1), second=throws).win(0).close().end()
    assert game.table.golds == tiles("1z6p")
    assert audited(game.events) == []


def test_the_next_tile_by_the_option() -> None:
    options = {"gold_flower": "next", **FULL}
    game = opening("1z1z6p", (2, 3, 3), options, dice=(1, 1), second=[(1, 2)]).win(0).close().end()
    assert game.table.golds == tiles("1z6p")
    assert audited(game.events) == []


def test_the_same_kind_is_no_second_gold() -> None:
    game = opening("1z1z", (2, 3), dice=(1, 1), second=[(1, 2)])
    events = game.events
    (found,) = audit(events).findings
    assert found.seq == seq_of(events, "gold_flipped", 1)
    assert "L-GOLD-2" in (found.clause, *found.also)


def test_another_kind_is_not_rejected() -> None:
    game = opening("1z6p7p", (2, 3, 4), dice=(1, 1), second=[(1, 2), (2, 2)])
    assert game.table.golds == tiles("1z7p")
    (found,) = audit(game.events).findings
    assert (found.seq, found.clause) == (seq_of(game.events, "gold_flipped", 1), "S-GOLD-1")


@pytest.mark.parametrize("throws", [[], [(1, 2)], [(1, 2), (2, 2), (1, 1)]])
def test_throws_answer_the_flips(throws: list[tuple[int, int]]) -> None:
    """Of each gold by itself."""
    game = opened({0: DEALER}, options=FULL, gold="1z1z6p", place=(2, 3, 4), tail=TAIL, opening={"dice": None})
    game.flip((1, 1))
    game.wall.pop(-6), game.wall.pop(-8)
    for dice in throws:
        game.emit("dice_rolled", purpose="gold", dice=dice, seat=0)
    game.emit("gold_flipped", tiles="1z6p", gold="6p")
    found = [(seq, clause) for seq, clause, _ in audited(game.events)]
    assert found == ([] if not throws else [(game.seq, "S-GOLD-1")])


# -- Golds and stand-ins -----------------------------------------------------------------------------------------------

PLAYS: list[tuple[str, str, bool]] = [
    ("12m 456m 123s 44s 777z", "5z", True),  # as 3m
    ("456m 68p 123s 44s 777z", "5z", True),  # as 7p
    ("12m 68p 123s 44s 77z 5z 7z", "5z", True),  # one as each
    ("12m 68p 123s 444s 5z 77z", "5z", True),
    ("12m 68p 123s 44s 777z 6z", "5z", False),  # one white for two kinds
    ("12m 456m 123s 44s 55z 7z", "7z", False),  # one white too many
    ("456m 123s 44s 777z 55z", "5z", True),  # a triplet of either
    ("456m 123s 444s 777z 5z", "5z", True),  # a pair of either
    ("12m 68p 123s 444s 55z 6z", "5z", False),  # 3m, 7p, and one without its pair
    ("12m 68p 444s 123s 555z", "5z", True),  # one as each, and two are the pair
    ("12m 68p 444s 123s 555z", "7z", False),
    ("12m 68p 123s 55z 77z 46m", "5m", True),
    ("12m 68p 123s 55z 77z 46m", "5z", False),  # a white is no 5m
    ("12m 68p 444s 123s 5z 3m 7z", "7z", True),  # a gold for the other
]


@pytest.mark.parametrize(("hand", "tile", "wins"), PLAYS)
@pytest.mark.parametrize("golds", ["3m7p", "7p3m"])
def test_a_white_plays_as_either(hand: str, tile: str, wins: bool, golds: str) -> None:
    assert score(hand, tile, golds=golds, **FULL)["wins"] == wins


def test_in_the_half_mode_as_the_one_face_kind() -> None:
    assert way("12m 456m 123s 44s 777z", "5z", golds="3m") == ("self_draw", 2)
    assert cited("456m 68p 123s 44s 777z", "5z", golds="3m") == ("L-SHAPE-1", "not_complete")


@pytest.mark.parametrize("golds", ["5z3m", "3m5z"])
def test_a_white_that_is_gold_stands_for_anything(golds: str) -> None:
    assert way("456m 68p 123s 44s 77z 5z", "7z", golds=golds, **FULL) == ("self_draw", 2)
    assert way("456m 789p 123s 44s 5z 7z", "7z", golds=golds, **FULL)[0] == "self_draw"


@pytest.mark.parametrize("gold", ["3m", "7p"])
def test_golds_of_either_kind_are_wild(gold: str) -> None:
    assert way(f"456m 68p 123s 44s 77z {gold}", "7z", golds="3m7p", **FULL) == ("self_draw", 2)
    assert way(f"456m 678p 123s 444s {gold}", "7z", golds="3m7p", **FULL) == ("you", 4)


def test_golds_of_both_kinds_go_together() -> None:
    assert way("456m 678p 123s 44s 3m 7p", "6z", golds="3m7p", **FULL) == ("you", 4)
    assert way("456m 678p 123s 1z 7z 3m 7p", "7z", golds="3m7p", **FULL) == ("self_draw", 2)
