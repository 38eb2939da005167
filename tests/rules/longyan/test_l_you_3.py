"""L-YOU-3: 雙游 also arises when a player in you state with two golds pungs another's discard, discards a gold and is
in you state again (option ``you_by_pung``, default true)."""

from __future__ import annotations

from typing import Any

import pytest

from replays.table import Table
from tests.rules.builders import judged, offered
from tests.rules.longyan.tables import played, table

PAIR = "123456789m 55p 1z1z"  # 55p and a gold are a set, the other gold is alone
AROUND = ("1 8m", "2 8m", "3 8m")


def punged(hand: str = PAIR, discard: str = "1z", from_: int = 3, **given: Any) -> Table:
    """Seat 0 has punged 5p and discarded."""
    return played(table({0: hand}, turn=from_, last="5p", **given), "0 punged 5p", f"0 discarded {discard}")


@pytest.mark.parametrize("from_", [1, 2, 3])
def test_a_pung_and_a_gold(from_: int) -> None:
    position = punged(from_=from_)
    assert position.levels[0] == 2
    position = played(position, *AROUND, "0 drew 8p")
    assert offered(position, 0, "win") == ["win double_you 8p"]


@pytest.mark.parametrize(("option", "level"), [({}, 2), ({"you_by_pung": True}, 2), ({"you_by_pung": False}, 0)])
def test_option(option: dict[str, bool], level: int) -> None:
    position = punged(options=option)
    assert position.levels[0] == level
    way = "double_you" if level else "you"
    assert offered(played(position, *AROUND, "0 drew 8p"), 0, "win") == [f"win {way} 8p"]


@pytest.mark.parametrize(
    ("hand", "discard", "level"),
    [
        pytest.param("123456m 78m 55p 1z1z1z", "1z", 2, id="three-golds-and-a-wild-in-a-run"),
        pytest.param("123456m 555p 777z 1z", "5p", 0, id="no-gold-discarded"),
        pytest.param(PAIR, "9m", 0, id="no-gold-discarded-out-of-two"),
        pytest.param("123456m 555p 777z 1z", "1z", 0, id="the-only-gold"),
        pytest.param("123456m 78m 55p 7z 1z1z", "1z", 0, id="in-you-state-neither-before-nor-after"),
        pytest.param("11337799m 55p 2p 1z1z", "1z", 0, id="seven-pairs-are-concealed"),
    ],
)
def test_what_makes_it(hand: str, discard: str, level: int) -> None:
    assert punged(hand, discard).levels[0] == level


def test_the_servers_notice() -> None:
    position = played(table({0: PAIR}, turn=3, last="5p"), "0 punged 5p")
    assert judged(position, "discarded", seat=0, tile="1z", level="double_you") == []
    assert judged(position, "discarded", seat=0, tile="9m", level="double_you") == [("S-YOU-3", "wrong_level")]
    off = played(table({0: PAIR}, turn=3, last="5p", options={"you_by_pung": False}), "0 punged 5p")
    assert judged(off, "discarded", seat=0, tile="1z", level="double_you") == [("S-YOU-3", "wrong_level")]


def test_it_is_no_substitution() -> None:
    """That a drawn tile may set a gold free is an option of its own."""
    assert punged(options={"you_by_substitution": False}).levels[0] == 2
    assert punged(options={"you_by_substitution": True, "you_by_pung": False}).levels[0] == 0


@pytest.mark.parametrize(("declared", "level"), [([0], 2), ([], 0), ([1], 0)])
def test_where_you_must_be_declared(declared: list[int], level: int) -> None:
    assert punged(options={"you_declared": True}, declared=declared).levels[0] == level


def test_a_gold_later_is_too_late() -> None:
    """The pung and another discard, and a gold without any draw of use a go-around later."""
    position = played(punged(discard="9m"), *AROUND, "0 drew 8p", "0 discarded 8p")
    assert position.levels[0] == 0


def test_it_is_a_step_to_triple_you() -> None:
    """On the first own draw after it, a gold drawn and one discarded."""
    position = played(punged(), *AROUND, "0 drew 1z", "0 discarded 1z")
    assert position.levels[0] == 3
    assert offered(played(position, "1 6s", "2 6s", "3 6s", "0 drew 8p"), 0, "win") == ["win triple_you 8p"]


def test_from_double_you_it_makes_no_triple_you() -> None:
    position = played(table({0: PAIR}, drawn="1z"), "0 discarded 1z", "1 5p", "0 punged 5p", "0 discarded 1z")
    assert position.levels[0] == 2


def test_behind_an_exposed_kong_it_is_a_draw_like_any_other() -> None:
    position = played(table({0: "12345678m 555p 1z1z"}, turn=3, last="5p"), "0 konged 5p exposed", "0 drew 1z")
    assert played(position, "0 discarded 1z").levels[0] == 2


@pytest.mark.parametrize("code", ["5z", "6z"])
def test_the_kind_punged_does_not_matter(code: str) -> None:
    """A stand-in is white when it is punged."""
    position = table({0: f"123456789m {code[0] * 2}z 1z1z"}, turn=3, last=code)
    assert played(position, f"0 punged {code}", "0 discarded 1z").levels[0] == 2


def test_nobody_elses_level_changes() -> None:
    assert punged().levels == (2, 0, 0, 0)
