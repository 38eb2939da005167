"""S-PASS-1: a server may record offers and passes; where it does, every right that a seat had and did not use is on
record; where it does not, the engine derives the rights and says that passes are unproven."""

from __future__ import annotations

from typing import Any

import pytest

from replays.referee import offers
from tests.rules.builders import (
    PASS,
    Act,
    Game,
    Records,
    after,
    audited,
    chosen_wall,
    discard,
    findings,
    judged,
    kong,
    pung,
    seq_of,
    table,
    tile,
    without,
)

PASSES = Records(passes=True)
WRONG_PASS = ("S-PASS-1", "wrong_pass")
WRONG_PROMPT = ("S-PASS-1", "wrong_prompt")
NOT_ON_RECORD = ("S-PASS-1", "right_not_on_record")

#: On 5p this hand may kong or pung.
KONGS = "555p 1379m 147s 1234z"
PUNGS = "55p 13799m 147s 1234z"


@pytest.mark.parametrize(
    ("seat", "options", "is_right"),
    [
        pytest.param(2, (pung("5p", 0), kong("5p", "exposed", 0)), True, id="all-rights"),
        pytest.param(2, (kong("5p", "exposed", 0), pung("5p", 0)), True, id="in-any-order"),
        pytest.param(2, (Act("pung"), Act("kong")), True, id="in-short"),
        pytest.param(2, (pung("5p", 0), kong("5p", "exposed", 0), PASS), True, id="with-the-pass-itself"),
        pytest.param(2, (pung("5p", 0),), False, id="one-left-out"),
        pytest.param(2, (), False, id="none-named"),
        pytest.param(2, (pung("5p", 0), kong("5p", "exposed", 0), Act("win")), False, id="one-too-many"),
        pytest.param(2, (pung("6p", 0), kong("5p", "exposed", 0)), False, id="another-tile"),
        pytest.param(1, (pung("5p", 0),), False, id="a-seat-without-rights"),
        pytest.param(1, (), True, id="nothing-declined-by-nobody"),
    ],
)
def test_a_pass_names_the_rights(seat: int, options: tuple[Act, ...], is_right: bool) -> None:
    position = table({2: KONGS}, last="5p", records=PASSES)
    assert judged(position, "passed", seat=seat, options=options) == [WRONG_PASS] * (not is_right)


def test_the_rights_are_named() -> None:
    (found,) = findings(table({2: PUNGS}, last="5p"), "passed", seat=2, options=())
    assert found.expected == {"acts": [{"act": "pung", "tile": "5p", "with": ["5p", "5p"], "from": 0}]}
    assert found.recorded in ({}, {"options": []})


@pytest.mark.parametrize(
    ("options", "is_right"),
    [
        pytest.param((kong("2m", "concealed"),), True, id="a-kong-passed"),
        pytest.param((kong("2m", "concealed"), discard("5p")), True, id="more"),
        pytest.param((kong("3m", "concealed"),), False, id="no-such-right"),
    ],
)
def test_in_ones_own_turn_some_of_them(options: tuple[Act, ...], is_right: bool) -> None:
    position = table({0: "2222m 147p 147s 1234z"}, drawn="5p", records=PASSES)
    assert judged(position, "passed", seat=0, options=options) == [WRONG_PASS] * (not is_right)


@pytest.mark.parametrize(
    ("options", "is_right"),
    [
        pytest.param((pung("5p", 0),), True, id="the-rights"),
        pytest.param((pung("5p", 0), PASS), True, id="and-the-pass"),
        pytest.param((), False, id="not-asked"),
        pytest.param((pung("5p", 0), Act("kong", tile("5p"))), False, id="too-many"),
    ],
)
def test_a_prompt_offers_the_rights(options: tuple[Act, ...], is_right: bool) -> None:
    position = table({2: PUNGS}, last="5p", records=Records(prompts=True))
    assert judged(position, "turn_prompted", seat=2, options=options) == [WRONG_PROMPT] * (not is_right)


@pytest.mark.parametrize("names_discards", [False, True])
@pytest.mark.parametrize("forgets", ["", "kong", "discard"])
def test_a_prompt_in_ones_own_turn(names_discards: bool, forgets: str) -> None:
    position = table({0: "2222m 147p 147s 1234z"}, drawn="5p")
    legal = list(offers(position)[0])
    named = [act for act in legal if names_discards or act.act != "discard"]
    dropped = next((act for act in named if act.act == forgets), None)
    options = tuple(act for act in named if act is not dropped)
    expected = [WRONG_PROMPT] if dropped is not None else []
    assert judged(position, "turn_prompted", seat=0, options=options) == expected


def events_that_go_on() -> list[Any]:
    return [
        pytest.param("drew", {"seat": 1, "tile": "9p", "tail": False}, id="draw"),
        pytest.param("exhausted", {}, id="end"),
    ]


@pytest.mark.parametrize("passes", [True, False])
@pytest.mark.parametrize(("kind", "members"), events_that_go_on())
def test_every_right_is_on_record(kind: str, members: dict[str, Any], passes: bool) -> None:
    left = 16 if kind == "exhausted" else None
    position = table({2: PUNGS}, last="5p", left=left, records=Records(passes=passes))
    assert judged(position, kind, **members) == [NOT_ON_RECORD] * passes
    options = tuple(act for act in offers(position)[2] if act != PASS)
    position = after(position, "passed", seat=2, options=options)
    assert judged(position, kind, **members) == []


def test_without_rights_there_is_nothing_to_pass() -> None:
    position = table({2: "147m147p147s1234z"}, last="5p", records=PASSES)
    assert judged(position, "drew", seat=1, tile="9p", tail=False) == []


def test_a_robbing_passed() -> None:
    hands = {0: "5p", 2: "46p 123456789m 11s 222s"}
    melds = {0: ["added 5p@3"]}
    position = table(hands, last="5p", phase="kong", melds=melds, records=PASSES)
    assert judged(position, "drew", seat=0, tile="9p", tail=True) == [NOT_ON_RECORD]
    options = tuple(act for act in offers(position)[2] if act != PASS)
    position = after(position, "passed", seat=2, options=options)
    assert judged(position, "drew", seat=0, tile="9p", tail=True) == []


def test_the_opening_passed() -> None:
    position = table({3: "9s9s9s"}, golds="9s", opening=True, source="deal", turn=0, records=PASSES)
    code = next(act for act in offers(position)[0] if act.act == "discard")
    assert judged(position, "discarded", seat=0, tile=code.tile) == [NOT_ON_RECORD]
    options = tuple(act for act in offers(position)[3] if act != PASS)
    position = after(position, "passed", seat=3, options=options)
    assert judged(position, "discarded", seat=0, tile=code.tile) == []


@pytest.mark.parametrize("passes", [True, False])
def test_the_opening_ends_with_a_kong_too(passes: bool) -> None:
    hands = {0: "1111m 258p 258s 1234z 67z 5m", 3: "9s9s9s"}
    position = table(hands, opening=True, records=Records(passes=passes))
    members: dict[str, Any] = {"seat": 0, "tile": "1m", "with_": "1111m", "kind": "concealed"}
    assert judged(position, "konged", **members) == [NOT_ON_RECORD] * passes
    options = tuple(act for act in offers(position)[3] if act != PASS)
    assert [act.win for act in options] == ["three_golds"]
    assert judged(after(position, "passed", seat=3, options=options), "konged", **members) == []


HANDS = {0: "5p 258m 258s 1234z 77z 369p", 2: "55p 258m 36s 147m 89m33z6s"}


@pytest.mark.parametrize("passes", [True, False])
def test_a_report_says_whether_passes_are_proven(passes: bool) -> None:
    game = Game(records=Records(passes=passes)).open(chosen_wall(HANDS)).play("5p").draw()
    assert ("passes" in game.audit().unproven) is not passes
    assert audited(game.events) == []


def test_a_pass_left_out_of_a_log() -> None:
    game = Game(records=PASSES).open(chosen_wall(HANDS)).play("5p").draw()
    seq = seq_of(game.events, "passed")
    assert audited(without(game.events, seq)) == [(seq, *NOT_ON_RECORD)]
