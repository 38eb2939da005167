"""L-LOCK-3: the gold discarder is not restricted by its own lock, only by another's, and locks never keep anybody from
being in you state."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import declare, findings, kong, pung, verdict, win
from tests.rules.longyan.tables import (
    CLAIMER,
    KONGS,
    ONE,
    PLAIN,
    ROBBER,
    TWO,
    YOU_MAKER,
    is_free,
    played,
    table,
    thrown,
)

BOTH = pytest.mark.parametrize("discards", [ONE, TWO], ids=["one-gold", "two-golds"])
AROUND = ("1 8m", "2 8m", "3 8m")

#: What the maker, seat 0, does: its hand, what is played after its gold, the act.
ACTS = {
    "pung": (CLAIMER, ("1 5p",), pung("5p", 1), {}),
    "exposed kong": (CLAIMER, ("1 5p",), kong("5p", "exposed", 1), {}),
    "self-draw": (PLAIN, (*AROUND, "0 drew 9p"), win("9p", "self_draw"), {}),
    "exposed kong's replacement": (
        KONGS, ("1 5p", "0 konged 5p exposed", "0 drew 9s"), win("9s", "self_draw"), {},
    ),
    "robbing": (
        ROBBER, ("1 drew 3p", "1 konged 3p added"), win("3p", "rob_kong", 1), {"melds": {1: ["pung 3p@3"]}},
    ),
}  # fmt: skip
EVERY_ACT = pytest.mark.parametrize(("hand", "steps", "act", "given"), ACTS.values(), ids=[*ACTS])


@BOTH
@EVERY_ACT
def test_the_maker_is_free(
    hand: str, steps: tuple[str, ...], act: Any, given: dict[str, Any], discards: tuple[str, ...]
) -> None:
    assert is_free(played(thrown({0: hand}, discards, **given), *steps), 0, act)


@pytest.mark.parametrize(("discards", "way"), [(ONE, "double_you"), (TWO, "triple_you")])
def test_the_maker_wins_by_the_level_that_it_made(discards: tuple[str, ...], way: str) -> None:
    position = played(thrown({0: YOU_MAKER}, discards), *AROUND, "0 drew 9p")
    assert is_free(position, 0, win("9p", way))


def test_and_by_you_alone() -> None:
    """A gold discarded in you state that makes no level, since the option asks for a gold drawn."""
    position = table({0: "123456789m 12p 1z1z"}, drawn="3p", options={"you_by_substitution": False})
    position = played(position, "0 discarded 1z", *AROUND, "0 drew 9p")
    assert is_free(position, 0, win("9p", "you"))


@BOTH
def test_the_maker_is_bound_by_anothers(discards: tuple[str, ...]) -> None:
    """Seat 1 discards a gold after it."""
    position = played(thrown({0: PLAIN}, discards), "1 1z", "2 6s", "3 6s", "0 drew 9p")
    (found,) = findings(position, "won", seat=0, win="self_draw", tile="9p")
    assert (found.clause, found.code) == ("L-LOCK-1", "locked_by_gold")
    assert found.expected["locked_by"] == [1]


# ---- you state under a lock ----------------------------------------------------------------------------

FULL: dict[str, Any] = {"options": {"mode": "full"}, "golds": "1z2z"}
OTHERS_YOU = "123456789m 123p 2z"


@BOTH
def test_another_upgrades_all_the_same(discards: tuple[str, ...]) -> None:
    position = played(thrown({2: OTHERS_YOU}, discards, **FULL), "1 6s", "2 2z")
    assert position.levels[2] == 2


@BOTH
def test_and_wins_by_the_level_once_the_lock_is_over(discards: tuple[str, ...]) -> None:
    position = played(thrown({2: OTHERS_YOU}, discards, **FULL), "1 6s", "2 2z", "3 6s", "0 5p", "1 6s", "2 drew 9p")
    assert is_free(position, 2, win("9p", "double_you"))


@BOTH
def test_you_state_outlasts_the_lock(discards: tuple[str, ...]) -> None:
    """Whether it could win meanwhile or not, the hand is what it is."""
    position = played(thrown({2: OTHERS_YOU}, discards, **FULL), "1 6s", "2 5s", "3 6s", "0 5p", "1 6s", "2 drew 9p")
    assert is_free(position, 2, win("9p", "you"))


@BOTH
def test_you_is_declared_under_it(discards: tuple[str, ...]) -> None:
    given: dict[str, Any] = {"golds": "1z2z", "options": {"mode": "full", "you_declared": True}}
    position = played(thrown({2: OTHERS_YOU}, discards, **given), "1 6s", "2 drew 5s")
    assert verdict(position, 2, declare("you")) is None
    position = played(position, "2 declared you", "2 discarded 5s", "3 6s", "0 5p", "1 6s", "2 drew 9p")
    assert is_free(position, 2, win("9p", "you"))


def test_what_another_makes_binds_the_first_maker() -> None:
    """Seat 0 has discarded one gold, seat 2 has made 雙游 after it."""
    hands = {0: PLAIN, 2: "123456789s 123p 1z"}
    position = played(thrown(hands, ONE), "1 6s", "2 1z", "3 6s", "0 drew 9p")
    (found,) = findings(position, "won", seat=0, win="self_draw", tile="9p")
    assert (found.clause, found.expected["locked_by"]) == ("L-LOCK-1", [2])
