"""Readings by hand: what each gold and stand-in stands for, what each reading is worth, and what a hand waits for."""

from __future__ import annotations

import pytest

from replays.readings import GOLD, NATURAL, STAND_IN, Alternative, Readings, readings_at, waits
from replays.rulebook import Settlement, Violation
from replays.tiles import CODES
from tests.rules.builders import table
from tests.rules.longyan import tables as longyan
from tests.rules.longyan.tables import opening


def shown(one: Alternative) -> list[str]:
    """The parts of a reading: ``1m2m3m``, a gold as ``(1z=3m)``, a stand-in as ``[5z=3m]``."""
    marks = {NATURAL: "{tile}", GOLD: "({tile}={kind})", STAND_IN: "[{tile}={kind}]"}
    return [
        "".join(marks[placed.role].format(tile=CODES[placed.tile], kind=CODES[placed.kind]) for placed in part)
        for part in one.parts
    ]


def of(found: Readings | None) -> tuple[Settlement, list[list[str]]]:
    assert found is not None
    assert isinstance(found.verdict, Settlement)
    assert found.total == len(found.first)
    return found.verdict, [shown(one) for one in found.first]


def test_a_hand_with_one_reading() -> None:
    _, read = of(readings_at(table({0: "123456789m 123p 777z 9p"}, drawn="9p", golds="1z"), 0, 10))
    assert read == [["1m2m3m", "4m5m6m", "7m8m9m", "1p2p3p", "9p9p", "7z7z7z"]]


def test_what_golds_stand_for() -> None:
    verdict, read = of(readings_at(table({0: "123456789m 12p 456p 9p 1z"}, drawn="9p", golds="1z"), 0, 10))
    assert ["1m2m3m", "4m5m6m", "7m8m9m", "1p2p(1z=3p)", "4p5p6p", "9p9p"] in read
    assert verdict.win == "self_draw"


def test_a_stand_in_is_the_flipped_kind() -> None:
    _, read = of(readings_at(table({0: "123456789m 123p 46p 9p 5z"}, drawn="9p", golds="5p"), 0, 10))
    assert read == [["1m2m3m", "4m5m6m", "7m8m9m", "1p2p3p", "4p[5z=5p]6p", "9p9p"]]


def test_two_kinds_of_gold_are_named_first_kind_first() -> None:
    position = longyan.table({0: "123456m 12p 9s 88s 2z 1z"}, drawn="9s", golds="1z2z", options={"mode": "full"})
    _, read = of(readings_at(position, 0, 10))
    for one in read:
        text = " ".join(one)
        assert text.index("(1z=") < text.index("(2z=")


def test_the_reading_with_the_most_water_comes_first() -> None:
    """Three triplets or three runs: the triplets count."""
    hand = "111222333m 456p 123s 9p"
    found = readings_at(table({0: hand}, drawn="9p", golds="1z"), 0, 10)
    verdict, read = of(found)
    assert found is not None
    assert read[0][:3] == ["1m1m1m", "2m2m2m", "3m3m3m"]
    worth = [one.settlement for one in found.first if one.settlement is not None]
    assert [one.water for one in worth] == [3, 0]
    assert worth[0].deltas == verdict.deltas
    assert worth[1].deltas == (3 * 16 * 2, -32, -32, -32)


def test_the_shapes_of_each_reading() -> None:
    """With factors, what a hand is besides hangs on how it is read."""
    options = {"all_triplets_factor": 3}
    position = longyan.table({0: "111222333m 444p 9s"}, drawn="9s", options=options)
    found = readings_at(position, 0, 10)
    verdict, _ = of(found)
    assert found is not None
    assert verdict.names == ("all_triplets",)
    worth = [one.settlement for one in found.first if one.settlement is not None]
    assert [(one.names, one.factor) for one in worth] == [(("all_triplets",), 6), ((), 2)]


def test_a_hand_that_may_not_win_is_read_without_worth() -> None:
    position = table({3: "123456789m 12p 456p 9p 1z"}, turn=2, last="9p", golds="1z")
    found = readings_at(position, 3, 10)
    assert found is not None
    assert isinstance(found.verdict, Violation)
    assert found.verdict.clause == "X-GOLD-2"
    assert found.total > 0
    assert all(one.settlement is None for one in found.first)


def test_a_lock_is_no_reading_either() -> None:
    found = readings_at(longyan.table({1: "12345678m 123p 99p"}, turn=1, drawn="9m", gold_out=[3]), 1, 10)
    assert found is not None
    assert isinstance(found.verdict, Violation)
    assert found.verdict.clause == "L-LOCK-1"
    assert [shown(one) for one in found.first] == [["1m2m3m", "4m5m6m", "7m8m9m", "1p2p3p", "9p9p"]]


def test_a_right_of_the_opening_reads_the_gold_that_it_takes() -> None:
    _, read = of(readings_at(opening({1: "123456789m 123p 1z"}), 1, 100))
    assert any("(1z=1z)(1z=1z)" in one for one in read)


def test_golds_in_thirteen_orphans_are_their_own_face() -> None:
    position = longyan.table({0: "199m 19p 19s 234567z"}, drawn="1z")
    found = readings_at(position, 0, 10)
    verdict, read = of(found)
    assert verdict.win == "thirteen_orphans"
    assert "(1z=1z)" in read[0]
    assert "5z" in read[0]


def test_fewer_are_listed_than_there_are() -> None:
    position = table({0: "123456789m 12p 45p 9p 11z"}, drawn="9p", golds="1z")
    every, some = readings_at(position, 0, 100), readings_at(position, 0, 1)
    assert every is not None
    assert some is not None
    assert some.total == every.total == len(every.first) > 1
    assert some.first == every.first[:1]


def test_no_readings_where_the_tiles_are_not_complete() -> None:
    assert readings_at(table({0: "147m 258p 258s 22346z1s"}, drawn="5m", golds="9s"), 0, 10) is None
    assert readings_at(table({3: "147m 258p 258s 22346z1s"}, turn=2, last="9p", golds="9s"), 3, 10) is None


# -- Waits -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("123456789m 123456p 9p", {"9p": 3, "1z": 3}),
        ("123456789m 123p 23p 99p", {"1p": 3, "4p": 4, "1z": 3}),
        ("147m 258p 258s 2234z 666z", {}),
    ],
)
def test_waits_and_how_many_are_left(hand: str, expected: dict[str, int]) -> None:
    position = table({3: hand}, turn=2, last="5s", golds="1z")
    assert {CODES[wait.tile]: wait.live for wait in waits(position, 3)} == expected


def test_what_lies_open_is_not_live() -> None:
    position = table(
        {3: "123456789m 123p 23p 99p"}, turn=2, last="4p", golds="1z", discards={1: "4p"}, melds={0: ["pung 1p@1"]}
    )
    assert {CODES[wait.tile]: wait.live for wait in waits(position, 3)} == {"1p": 0, "4p": 2, "1z": 3}


def test_you_state_waits_for_every_kind() -> None:
    found = waits(longyan.table({0: "123456789m 123p 1z"}, drawn="5s"), 0)
    assert len(found) == 34


def test_pairs_and_orphans_are_waited_for() -> None:
    pairs = longyan.table({0: "1133557799m 11p 3p"}, turn=2, last="5s")
    assert {CODES[wait.tile] for wait in waits(pairs, 0)} == {"3p", "1z"}
    orphans = longyan.table({0: "19m 19p 19s 1234567z"}, turn=2, last="5s", golds="5p")
    assert len(waits(orphans, 0)) == 13


def test_a_drawn_tile_is_not_part_of_the_wait() -> None:
    position = table({0: "123456789m 123456p 9p"}, drawn="5s", golds="1z")
    assert {CODES[wait.tile] for wait in waits(position, 0)} == {"9p", "1z"}


def test_nobody_waits_with_a_tile_too_many_or_out_of_play() -> None:
    assert waits(table({0: "123456789m 123p 99p"}, source="claim", melds={0: ["pung 7z@1"]}, golds="1z"), 0) == ()
    over = table({3: "123456789m 123456p 9p"}, turn=2, last="5s", golds="1z", phase="over")
    assert waits(over, 3) == ()
