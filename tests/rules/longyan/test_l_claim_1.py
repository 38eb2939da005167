"""L-CLAIM-1: in ``half`` mode there are pungs and exposed, added and concealed kongs, in ``full`` mode concealed kongs
alone; nobody chows in Longyan, and in neither mode does anybody win on a discard."""

from __future__ import annotations

from typing import Any

import pytest

from replays.table import Table
from tests.rules.builders import chow, findings, judged, kong, offered, pung, tiles, verdict, win
from tests.rules.longyan.tables import GOLDS, is_free, table

NO_CLAIM, NO_WIN = ("L-CLAIM-1", "no_such_claim"), ("L-CLAIM-1", "no_discard_win")
REST = "147m 369s 3467z"
MODES = pytest.mark.parametrize("mode", ["half", "full"])


def in_mode(mode: str, hands: dict[int, str], **given: Any) -> Table:
    return table(hands, golds=GOLDS[mode], options={"mode": mode}, **given)


CLAIMS = [
    ("pung", {"last": "5p", "turn": 2}, "555p", pung("5p", 2), False),
    ("exposed", {"last": "5p", "turn": 2}, "555p", kong("5p", "exposed", 2), False),
    ("added", {"drawn": "5p", "turn": 3, "melds": {3: ["pung 5p@1"]}}, "", kong("5p", "added"), False),
    ("concealed", {"drawn": "5p", "turn": 3}, "555p", kong("5p", "concealed"), True),
]


@MODES
@pytest.mark.parametrize(("given", "held", "act", "always"), [c[1:] for c in CLAIMS], ids=[c[0] for c in CLAIMS])
def test_claims(given: dict[str, Any], held: str, act: Any, always: bool, mode: str) -> None:
    position = in_mode(mode, {3: held + REST}, **given)
    is_right = always or mode == "half"
    assert is_free(position, 3, act) is is_right
    kind = "punged" if act.act == "pung" else "konged"
    more = {"kind": act.kind} if kind == "konged" else {}
    found = judged(position, kind, seat=3, tile=act.tile, with_=act.with_, from_=act.from_, **more)
    assert found == ([] if is_right else [NO_CLAIM])


@pytest.mark.parametrize(("mode", "expected"), [("half", ["kong 5p exposed", "pass", "pung 5p"]), ("full", [])])
def test_what_a_discard_offers(mode: str, expected: list[str]) -> None:
    position = in_mode(mode, {3: "555p" + REST}, turn=2, last="5p")
    assert offered(position, 3) == expected


@MODES
@pytest.mark.parametrize("pair", ["34m", "46m", "67m"])
def test_nobody_chows(mode: str, pair: str) -> None:
    """Not even the next seat, which holds the two other tiles of the run."""
    position = in_mode(mode, {3: pair + "147p 369s 34677z"}, turn=2, last="5m")
    assert offered(position, 3) == []
    found = verdict(position, 3, chow("5m", pair, 2))
    assert found is not None
    assert found[1] == "no_such_claim"
    assert judged(position, "chowed", seat=3, tile="5m", with_=tiles(pair), from_=2) == [found]


HANDS = [
    pytest.param("123456789m 123p 9p", "9p", "self_draw", id="sets-and-a-pair"),
    pytest.param("12345678m 123p 1z 9p", "9p", "self_draw", id="with-a-gold"),
    pytest.param("123456789m 123p 1z", "9p", "you", id="out-of-you-state"),
    pytest.param("1133557799m 11p 9p", "9p", "self_draw", id="seven-pairs"),
    pytest.param("199m 19p 19s 124567z", "3z", "thirteen_orphans", id="thirteen-orphans"),
]


@MODES
@pytest.mark.parametrize(("hand", "code", "way"), HANDS)
def test_nobody_wins_on_a_discard(hand: str, code: str, way: str, mode: str) -> None:
    """What wins when it is drawn does not win when another discards it."""
    drawn = in_mode(mode, {3: hand}, turn=3, drawn=code)
    assert offered(drawn, 3, "win") == [f"win {way} {code}"]
    position = in_mode(mode, {3: hand}, turn=2, last=code, thrown="8s")
    assert offered(position, 3, "win") == []
    for named in (way, None):
        assert verdict(position, 3, win(code, named, 2)) == NO_WIN
    assert judged(position, "won", seat=3, win=way, tile=code, from_=2) == [NO_WIN]


@MODES
def test_nor_does_a_hand_that_is_not_complete(mode: str) -> None:
    position = in_mode(mode, {3: "555p" + REST}, turn=2, last="5p", thrown="8s")
    assert verdict(position, 3, win("5p", "self_draw", 2)) == NO_WIN


@MODES
def test_a_kong_is_robbed_in_half_mode_alone(mode: str) -> None:
    given: dict[str, Any] = {"phase": "kong", "turn": 2, "last": "3p", "melds": {2: ["added 3p@0"]}}
    position = in_mode(mode, {3: "123456789m 99s 12p"}, **given)
    if mode == "half":
        assert offered(position, 3) == ["pass", "win rob_kong 3p"]
        assert judged(position, "won", seat=3, win="rob_kong", tile="3p", from_=2) == []
        return
    assert offered(position, 3) == []
    (found,) = findings(position, "won", seat=3, win="rob_kong", tile="3p", from_=2)
    assert (found.clause, found.code, found.also) == ("L-CLAIM-1", "no_robbing", ("L-WIN-2",))
