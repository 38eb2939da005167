"""S-GOLD-2: a gold stands for any kind except flowers, in the concealed hand only: never in a chow, pung or kong; a
discarded gold can be claimed by nobody and won on by nobody."""

from __future__ import annotations

import pytest

from replays.tiles import CODES, KINDS
from tests.rules.builders import Act, chow, kong, offered, pung, table, tile, tiles, verdict, win

MELDS = {1: ["pung 1z@0", "pung 2z@0", "pung 3z@0", "pung 4z@0"]}


@pytest.mark.parametrize("kind", [kind for kind in range(KINDS) if kind not in tiles("9s5z")])
def test_a_gold_stands_for_any_kind(kind: int) -> None:
    # Five sets lie on the table, and the gold is the other half of the pair.
    lying = ["pung 2p@0", "pung 3p@0", "chow 123m@0"] if kind >= tile("1z") else ["pung 1z@0", "pung 2z@0", "pung 3z@0"]
    position = table({1: "9s"}, turn=1, drawn=CODES[kind], melds={1: [*lying, "chow 678p@0", "chow 678m@0"]})
    assert f"win you {CODES[kind]}" in offered(position, 1)


@pytest.mark.parametrize(
    ("hand", "drawn", "is_win"),
    [
        pytest.param("46m11p9s", "2p", False, id="gold-cannot-be-two-tiles"),
        pytest.param("46m1p9s", "1p", True, id="middle-of-a-run"),
        pytest.param("12m1p9s", "1p", True, id="end-of-a-run"),
        pytest.param("44m1p9s", "1p", True, id="third-of-a-triplet"),
        pytest.param("6z6z1p9s", "1p", True, id="third-honour"),
        pytest.param("6z7z1p9s", "1p", False, id="no-run-of-honours"),
        pytest.param("89m1p9s", "1p", True, id="before-the-end"),
        pytest.param("9m1p11m9s", "1p", False, id="no-run-over-the-edge"),
    ],
)
def test_a_gold_in_a_set(hand: str, drawn: str, is_win: bool) -> None:
    position = table({1: hand[:-2] + "9s"}, turn=1, drawn=drawn, melds={1: MELDS[1][: 4 - (len(tiles(hand)) - 4) // 3]})
    assert bool(offered(position, 1, "win")) is is_win


HAND = "99s 78s 55m 444p 123m 11z 2z"


@pytest.mark.parametrize(
    ("last", "act", "clause"),
    [
        pytest.param("8s", chow("8s", "7s9s", 0), "S-GOLD-2", id="chow-with-its-own-face"),
        pytest.param("6s", chow("6s", "7s8s", 0), None, id="chow-without-gold"),
        pytest.param("1m", chow("1m", "2m9s", 0), "S-GOLD-2", id="chow-with-a-wild"),
        pytest.param("5m", pung("5m", 0), None, id="pung-without-gold"),
        pytest.param("5m", Act("pung", tile("5m"), tiles("5m9s"), from_=0), "S-GOLD-2", id="pung-with-a-wild"),
        pytest.param("1z", Act("pung", tile("1z"), tiles("9s9s"), from_=0), "S-GOLD-2", id="pung-with-two-wilds"),
        pytest.param("4p", kong("4p", "exposed", 0), None, id="kong-without-gold"),
        pytest.param(
            "5m", Act("kong", tile("5m"), tiles("55m9s"), "exposed", from_=0), "S-GOLD-2", id="exposed-kong-with-a-wild"
        ),
    ],
)
def test_no_gold_in_a_claim(last: str, act: Act, clause: str | None) -> None:
    found = verdict(table({1: HAND}, last=last), 1, act)
    assert (found and found[0]) == clause


@pytest.mark.parametrize(
    ("act", "clause"),
    [
        pytest.param(kong("4p", "concealed"), None, id="four-of-a-kind"),
        pytest.param(Act("kong", tile("5m"), tiles("555m9s"), "concealed"), "S-GOLD-2", id="three-and-a-gold"),
        pytest.param(kong("9s", "concealed"), "S-GOLD-2", id="golds"),
        pytest.param(kong("1z", "added"), None, id="added-to-a-pung"),
        pytest.param(Act("kong", tile("2z"), tiles("9s"), "added"), "S-GOLD-2", id="gold-added"),
    ],
)
def test_no_gold_in_a_kong_of_ones_own(act: Act, clause: str | None) -> None:
    position = table({1: "9s9s9s 555m 4444p"}, turn=1, drawn="1z", melds={1: ["pung 1z@0", "pung 2z@0"]})
    found = verdict(position, 1, act)
    assert (found and found[0]) == clause


def test_offers_hold_no_gold() -> None:
    assert offered(table({1: HAND}, last="8s"), 1) == []
    assert offered(table({1: HAND}, last="6s"), 1) == ["chow 6s 7s8s", "pass"]
    assert offered(table({1: HAND}, last="7m"), 1) == []


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (chow("9s", "7s8s", 0), "gold_claimed"),
        (pung("9s", 0), "gold_claimed"),
        (kong("9s", "exposed", 0), "gold_claimed"),
        (win("9s", "discard", 0), "win_on_gold"),
    ],
    ids=["chow", "pung", "kong", "win"],
)
def test_a_discarded_gold_is_nobodys(act: Act, code: str) -> None:
    position = table({1: "78s99s 123m 456m 11p 111z 22z"}, last="9s")
    assert verdict(position, 1, act) == ("X-GOLD-3", code)
    assert offered(position, 1) == []


@pytest.mark.parametrize(("last", "is_offered"), [("9s", False), ("6s", True)])
def test_nobody_wins_on_the_gold(last: str, is_offered: bool) -> None:
    hand = "78s 123m 456m 789m 11p 111z"
    assert bool(offered(table({2: hand}, last=last), 2, "win")) is is_offered
