"""X-FOLLOW-2: golds and the stand-in are no honours for 跟打. A hand ready by X-WIN-12 is exempt while it discards the
drawn tile, and so is a gold discard that makes 雙游 or 三游."""

from __future__ import annotations

import pytest

from replays.clauses.follow import is_exempt
from tests.rules.builders import findings, judged, offered, table
from tests.rules.xiamen.positions import PLAIN

MUST = [("X-FOLLOW-1", "must_follow_honour")]
REST = "147m 258p 369s"


@pytest.mark.parametrize(
    ("gold", "held", "thrown", "found"),
    [
        ("1z", "1z", "1z", []),
        ("1z", "5z", "5z", []),
        ("1z", "5z", "1z", []),
        ("1z", "1z", "5z", []),
        ("9s", "5z", "5z", []),
        ("5z", "5z", "5z", []),
        ("5z", "1z", "1z", MUST),
        ("1z", "2z", "2z", MUST),
        ("9s", "1z", "1z", MUST),
    ],
)
def test_golds_and_stand_ins(gold: str, held: str, thrown: str, found: list[tuple[str, str]]) -> None:
    position = table({0: REST + held}, golds=gold, drawn="5m", thrown=thrown)
    assert judged(position, "discarded", seat=0, tile="5m") == found


# ---- heavenly ready ------------------------------------------------------------------------------------

READY = "123456789m 123456p 7z"  # waits for 7z
NOT_READY = "147m 258p 369s 1234z 66z 7z"


@pytest.mark.parametrize(
    ("hand", "untouched", "tile", "found"),
    [
        (READY, [0], "5s", []),
        (READY, [0], "7z", []),
        (READY, [0], "1m", MUST),
        (READY, [1, 2, 3], "5s", MUST),
        (READY, [1, 2, 3], "7z", []),
        (NOT_READY, [0], "5s", MUST),
    ],
)
def test_heavenly_ready(hand: str, untouched: list[int], tile: str, found: list[tuple[str, str]]) -> None:
    position = table({0: hand}, golds="9s", drawn="5s", thrown="7z", untouched=untouched)
    assert judged(position, "discarded", seat=0, tile=tile) == found
    assert (f"discard {tile}" in offered(position, 0)) == (not found)


def test_no_exemption_where_there_is_no_heavenly_ready() -> None:
    position = table({0: READY}, golds="9s", drawn="5s", thrown="7z", untouched=[0], options={"heavenly_ready": "off"})
    assert judged(position, "discarded", seat=0, tile="5s") == MUST


def test_a_lost_exemption_is_named_beside() -> None:
    position = table({0: READY}, golds="9s", drawn="5s", thrown="7z", untouched=[0])
    (found,) = findings(position, "discarded", seat=0, tile="1m")
    assert (found.clause, found.also, found.expected) == ("X-FOLLOW-1", ("X-FOLLOW-2",), {"tiles": ["7z"]})


def test_the_drawn_tile_may_itself_be_the_honour() -> None:
    position = table({0: PLAIN}, golds="9s", drawn="7z", thrown="7z", untouched=[0])
    assert judged(position, "discarded", seat=0, tile="7z") == []
    assert judged(position, "discarded", seat=0, tile="1m") == MUST


# ---- 雙游 and 三游 -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "stale", "is_free"), [(0, [], True), (2, [], True), (2, [0], False)])
def test_the_gold_discard_that_makes_a_level(level: int, stale: list[int], is_free: bool) -> None:
    """No hand of three golds keeps a single honour in you state, so the exemption is asked for by itself."""
    position = table({0: "123456789m 123456p 1z"}, golds="1z", drawn="1z", levels={0: level}, stale=stale, thrown="7z")
    gold, other = 27, 0
    assert is_exempt(position, 0, gold, True) == is_free
    assert not is_exempt(position, 0, other, True)


def test_a_gold_discard_that_makes_none() -> None:
    position = table({0: REST + "7z 1z"}, golds="1z", drawn="1z", thrown="7z")
    assert judged(position, "discarded", seat=0, tile="1z") == MUST
