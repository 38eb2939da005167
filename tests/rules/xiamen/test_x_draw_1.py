"""X-DRAW-1: sixteen tiles stay in the wall (option ``dead_wall``). When a draw would leave fewer the hand ends; the
last discard may still be won on, chowed or punged, not konged. The flipped tiles do not count."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import Game, after, audited, chosen_wall, findings, judged, kong, offered, table, verdict
from tests.rules.xiamen.positions import PLAIN

WALLS: list[tuple[dict[str, int], int]] = [
    ({}, 16),
    ({"dead_wall": 16}, 16),
    ({"dead_wall": 0}, 0),
    ({"dead_wall": 40}, 40),
]
PAST_THE_END = ("X-DRAW-1", "drawn_past_the_end")
NO_KONG = ("X-DRAW-1", "kong_without_replacement")


@pytest.mark.parametrize(("options", "kept"), WALLS)
def test_the_last_draw(options: dict[str, int], kept: int) -> None:
    last = table(turn=0, last="3m", left=kept + 1, options=options)
    assert judged(last, "drew", seat=1, tile="5s", tail=False) == []
    if kept:
        none = table(turn=0, last="3m", left=kept, options=options)
        assert judged(none, "drew", seat=1, tile="5s", tail=False) == [PAST_THE_END]


@pytest.mark.parametrize(("options", "kept"), WALLS)
def test_the_end(options: dict[str, int], kept: int) -> None:
    assert judged(table(turn=0, last="3m", left=kept, options=options), "exhausted") == []
    early = table(turn=0, last="3m", left=kept + 1, options=options)
    assert judged(early, "exhausted") == [("X-DRAW-1", "ended_too_early")]
    (found,) = findings(early, "exhausted")
    assert found.expected == {"left": kept + 1, "until": kept}


def test_not_before_the_last_discard() -> None:
    """Whoever drew the last tile wins or discards first."""
    assert judged(table(drawn="5s", left=16), "exhausted") == [("X-DRAW-1", "ended_too_early")]


def test_a_tail_draw_counts_the_same() -> None:
    konged: dict[str, Any] = {"melds": {0: ["concealed 7z"]}, "phase": "kong", "last": "7z"}
    assert judged(table(left=17, **konged), "drew", seat=0, tile="5s", tail=True) == []
    assert judged(table(left=16, **konged), "drew", seat=0, tile="5s", tail=True) == [
        ("X-DRAW-1", "drawn_past_the_end")
    ]


# ---- the last discard ----------------------------------------------------------------------------------

OFFERS = [
    (PLAIN, "9p", "win discard 9p", "win discard 9p"),
    ("34m 147p 258s 2234z 6677z", "5m", "chow 5m 3m4m", "chow 5m 3m4m"),
    ("55m 147p 258s 2234z 6677z", "5m", "pung 5m", "pung 5m"),
    ("555m 147p 258s 2234z 667z", "5m", "kong 5m exposed", None),
]


@pytest.mark.parametrize(("hand", "last", "before", "at_the_end"), OFFERS)
def test_what_the_last_discard_allows(hand: str, last: str, before: str, at_the_end: str | None) -> None:
    assert before in offered(table({1: hand}, last=last, golds="1z", left=17), 1)
    found = offered(table({1: hand}, last=last, golds="1z", left=16), 1)
    assert (before in found) == (at_the_end is not None)


@pytest.mark.parametrize(("left", "found"), [(17, None), (16, NO_KONG)])
def test_kongs_need_a_tile(left: int, found: tuple[str, str] | None) -> None:
    hand = "555m 147p 258s 2234z 667z"
    assert verdict(table({1: hand}, last="5m", left=left, golds="1z"), 1, kong("5m", "exposed", 0)) == found
    assert verdict(table({0: hand}, drawn="5m", left=left, golds="1z"), 0, kong("5m", "concealed")) == found
    added = table({0: "147p 258s 2234z 667z"}, melds={0: ["pung 5m@1"]}, drawn="5m", left=left, golds="1z")
    assert verdict(added, 0, kong("5m", "added")) == found


def test_the_shared_clause_stands_beside() -> None:
    position = table({1: "555m 147p 258s 2234z 667z"}, last="5m", left=16, golds="1z")
    (found,) = findings(position, "konged", seat=1, kind="exposed", tile="5m", from_=0, with_="555m")
    assert (found.clause, found.code, found.also) == (*NO_KONG, ("S-CLAIM-2",))


def test_after_a_claim_of_the_last_discard_there_is_another_last_one() -> None:
    position = table({1: "55m 147p 258s 2234z 6677z"}, last="5m", golds="1z", left=16)
    position = after(position, "punged", seat=1, tile="5m", from_=0, with_="55m")
    assert judged(position, "exhausted") == [("X-DRAW-1", "ended_too_early")]
    position = after(position, "discarded", seat=1, tile="1p")
    assert judged(position, "drew", seat=2, tile="5s", tail=False) == [PAST_THE_END]
    assert judged(position, "exhausted") == []


# ---- flowers -------------------------------------------------------------------------------------------


def test_a_flower_is_replaced_as_long_as_a_tile_may_be_drawn() -> None:
    position = table(drawn="1f", left=17)
    assert judged(position, "flowers_replaced", seat=0, flowers="1f", drawn="5s") == []
    assert judged(position, "flowers_replaced", seat=0, flowers="1f", drawn="") == [
        ("S-FLOWER-2", "flower_not_replaced")
    ]


def test_a_flower_as_the_last_tile_ends_the_hand() -> None:
    position = table(drawn="1f", left=16)
    assert judged(position, "flowers_replaced", seat=0, flowers="1f", drawn="5s") == [
        ("X-DRAW-1", "drawn_past_the_end")
    ]
    assert judged(position, "flowers_replaced", seat=0, flowers="1f", drawn="") == []
    dry = after(position, "flowers_replaced", seat=0, flowers="1f", drawn="")
    assert judged(dry, "exhausted") == []
    assert judged(dry, "drew", seat=1, tile="5s", tail=False) != []


# ---- whole hands ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("options", "kept"), WALLS)
def test_a_hand_to_its_end(options: dict[str, int], kept: int) -> None:
    game = Game(options).open(chosen_wall(gold="1z", options=options)).play_out().exhaust().close().end()
    assert audited(game.events) == []
    assert game.table.left == len(game.wall)
    assert game.table.left == kept


def test_the_flipped_tiles_do_not_count() -> None:
    """A rejected flower leaves play, and sixteen tiles stay all the same."""
    game = Game().open(chosen_wall(gold="1f1z", place=4), dice=(1, 3), rethrows=[(2, 2)])
    assert game.table.left == 144 - 65 - 2
    game.play_out().exhaust().close().end()
    assert audited(game.events) == []
    assert len(game.wall) == 16
