"""X-SHAPE-2: chow, pung and kong are allowed. A chow may use the stand-in as the face kind, and a discarded stand-in
may be chowed or won on as the face kind; pung and kong of whites need real whites (option ``white_discard``)."""

from __future__ import annotations

import pytest

from tests.rules.builders import Act, chow, judged, kong, offered, pung, table, tiles, verdict
from tests.rules.xiamen.positions import cited, facts, refusal, win

FACE, WHITE = {"white_discard": "face"}, {"white_discard": "white"}
REST = "258p 258s 2234z"  # stands beside the tiles of interest and claims none of them


@pytest.mark.parametrize(
    ("held", "last", "offers"),
    [
        ("46m", "5m", ["chow 5m 4m6m", "pass"]),
        ("34m", "5m", ["chow 5m 3m4m", "pass"]),
        ("3467m", "5m", ["chow 5m 3m4m", "chow 5m 4m6m", "chow 5m 6m7m", "pass"]),
        ("55m", "5m", ["pass", "pung 5m"]),
        ("555m", "5m", ["kong 5m exposed", "pass", "pung 5m"]),
        ("5m", "5m", []),
        ("89m", "7m", ["chow 7m 8m9m", "pass"]),
        ("89m", "1m", []),
        ("66z", "6z", ["pass", "pung 6z"]),
        ("67z", "5z", []),
    ],
)
def test_claims(held: str, last: str, offers: list[str]) -> None:
    position = table({1: REST + held}, last=last, golds="9s")
    assert offered(position, 1) == offers


def test_a_chow_uses_the_stand_in_as_the_face_kind() -> None:
    for options in ({}, FACE, WHITE):
        position = table({1: REST + "6m5z"}, last="5m", golds="4m", options=options)
        assert offered(position, 1) == ["chow 5m 6m5z", "pass"]
        assert judged(position, "chowed", seat=1, tile="5m", from_=0, with_="6m5z") == []


def test_but_not_as_itself_nor_with_golds() -> None:
    position = table({1: REST + "46m"}, last="5m", golds="4m")
    assert offered(position, 1) == []
    assert verdict(position, 1, chow("5m", "4m6m", 0)) == ("S-GOLD-2", "gold_in_a_claim")
    position = table({1: REST + "6m5z"}, last="5m", golds="3p")
    assert verdict(position, 1, chow("5m", "6m5z", 0)) == ("S-CLAIM-3", "not_a_run")


@pytest.mark.parametrize(("options", "is_free"), [({}, True), (FACE, True), (WHITE, False)])
def test_a_discarded_stand_in_is_chowed(options: dict[str, str], is_free: bool) -> None:
    position = table({1: REST + "35m"}, last="5z", golds="4m", options=options)
    assert offered(position, 1) == (["chow 5z 3m5m", "pass"] if is_free else [])
    found = judged(position, "chowed", seat=1, tile="5z", from_=0, with_="3m5m")
    assert found == ([] if is_free else [("X-SHAPE-2", "discarded_white_is_white")])


def test_an_honour_as_face_kind_makes_no_chow() -> None:
    position = table({1: REST + "23z"}, last="5z", golds="1z")
    assert offered(position, 1) == []
    assert verdict(position, 1, chow("5z", "2z3z", 0)) == ("S-CLAIM-3", "not_a_run")


@pytest.mark.parametrize("options", [{}, FACE, WHITE])
def test_pung_and_kong_of_whites_need_whites(options: dict[str, str]) -> None:
    position = table({1: REST + "555z"}, last="5z", golds="4m", options=options)
    assert offered(position, 1) == ["kong 5z exposed", "pass", "pung 5z"]
    position = table({1: REST + "44m5z"}, last="5z", golds="4m", options=options)
    assert offered(position, 1) == []
    assert verdict(position, 1, pung("5z", 0)) == ("S-CLAIM-3", "tiles_not_held")
    with_golds = Act("pung", tiles("5z")[0], tiles("44m"), from_=0)
    assert verdict(position, 1, with_golds) == ("S-GOLD-2", "gold_in_a_claim")


def test_concealed_and_added_kongs_of_whites() -> None:
    position = table({0: REST + "555z"}, drawn="5z", golds="4m")
    assert offered(position, 0, "kong") == ["kong 5z concealed"]
    position = table({0: REST}, melds={0: ["pung 5z@2"]}, drawn="5z", golds="4m")
    assert offered(position, 0, "kong") == ["kong 5z added"]
    position = table({0: REST + "4m"}, melds={0: ["pung 5z@2"]}, drawn="9p", golds="4m")
    assert verdict(position, 0, kong("4m", "added")) == ("S-GOLD-2", "gold_in_a_claim")


# ---- winning on it -------------------------------------------------------------------------------------

RUN = "123789m 56m 123456p 7z 7z"  # waits for the face kind 4m, and 7m
PAIR = "123789m 123456p 777z 5z"  # waits for 5z, as white or as 4m
TRIPLET = "123789m 123456p 55z 77z"  # the same, with a triplet


@pytest.mark.parametrize("hand", [RUN, PAIR, TRIPLET])
def test_won_on_as_the_face_kind(hand: str) -> None:
    for options in ({}, FACE):
        assert win(facts(hand, "5z", "discard", gold="4m"), **options).win == "discard"


def test_won_on_as_white_alone() -> None:
    assert cited(facts(RUN, "5z", "discard", gold="4m"), **WHITE) == ("X-SHAPE-1", "not_complete")
    assert refusal(facts(RUN, "5z", "discard", gold="4m"), **WHITE).also == ("X-SHAPE-2",)
    for hand in (PAIR, TRIPLET):
        assert win(facts(hand, "5z", "discard", gold="4m"), **WHITE).win == "discard"


def test_white_and_a_gold_are_a_pair_whatever_white_is() -> None:
    position = facts("123789m 123456p 777z 4m", "5z", "discard", gold="4m")
    for options in (FACE, WHITE):
        assert win(position, gold_blocks_discard_win="none", **options).win == "discard"


@pytest.mark.parametrize("options", [{}, FACE, WHITE])
def test_a_drawn_or_held_stand_in_is_the_face_kind(options: dict[str, str]) -> None:
    assert win(facts(RUN, "5z", gold="4m"), **options).win == "self_draw"
    held = facts("123789m 5z 56m 123456p 7z", "7z", "discard", gold="4m")
    assert win(held, **options).win == "discard"


def test_the_referee_on_a_win() -> None:
    for options, offers in ((FACE, ["win discard 5z"]), (WHITE, [])):
        assert offered(table({1: RUN}, last="5z", golds="4m", options=options), 1, "win") == offers


def test_no_stand_in_where_white_is_gold() -> None:
    assert cited(facts(RUN, "7z", "discard", gold="5z")) == ("X-SHAPE-1", "not_complete")
    assert offered(table({1: REST + "55z"}, last="5z", golds="5z"), 1) == []
