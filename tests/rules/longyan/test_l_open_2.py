"""L-OPEN-2: 搶金. A non-dealer whose thirteen opening tiles are ready, by shape, may win after the dealer's first
discard, which may be a gold, by taking the flipped gold as the missing tile; the nearest after the dealer first, before
any pung or kong, in the first go-around alone. Who waits only for 十三幺 may if the flipped kind is the missing one."""

from __future__ import annotations

from typing import Any

import pytest

from replays.events import Records
from replays.table import Table
from tests.rules.builders import Game, audited, chosen_wall, findings, judged, offered, seq_of, verdict, win
from tests.rules.longyan.tables import opening, played

READY = "12345678m 123p 99p"
READY_TOO = "12345678s 456p 88p"
PASSES = Records(passes=True)
ROB = win(None, "rob_gold")


def discarded(hands: dict[int, str], code: str = "7z", dealer: int = 0, **given: Any) -> Table:
    """The dealer's first discard lies open."""
    return played(opening(hands, dealer=dealer, **given), f"{dealer} discarded {code}")


SHAPES = [
    pytest.param(READY, True, id="a-run-open-at-both-ends"),
    pytest.param("12356789m 123p 99p", True, id="a-run-open-in-the-middle"),
    pytest.param("123456789m 123p 9p", True, id="half-of-a-pair"),
    pytest.param("123456789m 22p 99p", True, id="two-pairs"),
    pytest.param("1133557799m 11p 3p", True, id="six-pairs"),
    pytest.param("1133557799m 1p 3p 1z", True, id="five-pairs-and-a-gold"),
    pytest.param("123456m 12p 456p 9p 1z", True, id="a-gold-in-a-run"),
    pytest.param("123456m 1245p 9p 1z1z", True, id="two-golds"),
    pytest.param("147m 258p 369s 2346z", False, id="nothing"),
    pytest.param("123456m 1245p 999p", False, id="two-runs-open"),
    pytest.param("123456m 1245p 99p 1z", True, id="two-runs-open-and-a-gold"),
    pytest.param("123456m 1245p 9p 2z 1z", False, id="too-few-golds"),
    pytest.param("147m 258p 369s 23z 1z1z", False, id="a-third-gold-for-three-golds"),
    pytest.param("123m 258p 369s 23z 1z1z", False, id="still-a-third-gold-for-three-golds"),
]


@pytest.mark.parametrize(("hand", "is_ready"), SHAPES)
@pytest.mark.parametrize("seat", [1, 3])
def test_ready_by_shape(hand: str, is_ready: bool, seat: int) -> None:
    position = discarded({seat: hand})
    assert offered(position, seat) == (["pass", "win rob_gold"] if is_ready else [])
    assert (verdict(position, seat, ROB) is None) is is_ready
    assert (judged(position, "won", seat=seat, win="rob_gold") == []) is is_ready


def test_the_gold_taken_is_not_counted() -> None:
    """With two golds in hand it is 搶金 and no 三金倒, though that would come first among equals."""
    position = discarded({1: "123456m 1245p 9p 1z1z"})
    assert offered(position, 1, "win") == ["win rob_gold"]
    assert verdict(position, 1, win(None, "three_golds")) is not None


@pytest.mark.parametrize(
    ("hand", "golds", "is_right"),
    [
        pytest.param("199m 19p 19s 234567z", "1z", True, id="the-flipped-kind-is-missing"),
        pytest.param("199m 19p 19s 134567z", "1z", False, id="another-is-missing"),
        pytest.param("199m 19p 19s 234567z", "5p", False, id="the-flipped-kind-is-no-part"),
        pytest.param("19m 19p 19s 1234567z", "1z", True, id="any-of-thirteen"),
        pytest.param("19m 19p 19s 1234567z", "5p", False, id="any-of-thirteen-and-none-flipped"),
        pytest.param("199m 19p 1s 1234567z", "9s", True, id="a-terminal"),
        pytest.param("199m 19p 19s 123467z", "5z", True, id="white-flipped"),
        pytest.param("199m 19p 19s 123467z", "5p", False, id="white-missing-and-its-face-flipped"),
    ],
)
def test_who_waits_only_for_thirteen_orphans(hand: str, golds: str, is_right: bool) -> None:
    position = discarded({2: hand}, "4m", golds=golds)
    assert offered(position, 2) == (["pass", "win thirteen_orphans"] if is_right else [])
    expected = [] if is_right else [verdict(position, 2, win(None, "thirteen_orphans"))]
    assert judged(position, "won", seat=2, win="thirteen_orphans") == expected


# ---- when ----------------------------------------------------------------------------------------------


def test_not_before_the_dealers_discard() -> None:
    position = opening({1: READY})
    assert offered(position, 1) == []
    assert verdict(position, 1, ROB) is not None


@pytest.mark.parametrize("code", ["7z", "1z", "5z"])
def test_whatever_is_discarded(code: str) -> None:
    """A gold too, and its stand-in."""
    position = discarded({0: "147m 258p 369s 237z 15z", 1: READY}, code)
    assert offered(position, 1) == ["pass", "win rob_gold"]
    assert judged(position, "won", seat=1, win="rob_gold") == []


def test_a_discard_that_would_complete_the_hand_is_not_won_on() -> None:
    position = discarded({0: "147m 258p 369s 2347z 9m", 1: READY}, "9m")
    assert offered(position, 1) == ["pass", "win rob_gold"]
    assert verdict(position, 1, win("9m", "rob_gold", 0)) is not None


@pytest.mark.parametrize(
    "steps",
    [
        pytest.param(("1 drew 5s",), id="the-next-seat-has-drawn"),
        pytest.param(("1 5s",), id="and-discarded"),
        pytest.param(("1 5s", "2 5s", "3 5s", "0 5s"), id="the-dealer's-second-discard"),
    ],
)
def test_not_later(steps: tuple[str, ...]) -> None:
    position = played(discarded({2: READY}), *steps)
    assert offered(position, 2) == []
    assert verdict(position, 2, ROB) is not None


def test_not_after_anothers_pung_of_it() -> None:
    position = discarded({1: "77z 147m 258s 369p 23z", 2: READY})
    position = played(position, "1 punged 7z", "1 discarded 2z")
    assert offered(position, 2) == []
    assert verdict(position, 2, ROB) is not None


def test_after_a_kong_of_the_dealers_it_is_still_the_first_discard() -> None:
    position = opening({0: "7777z 147m 258p 369s 2z", 2: READY})
    position = played(position, "0 konged 7z concealed", "0 drew 5s", "0 discarded 5s")
    assert offered(position, 2) == ["pass", "win rob_gold"]


def test_the_dealer_has_had_its_turn() -> None:
    position = discarded({0: "12345678p 777z 66z 4z"}, "4z")
    assert offered(position, 0) == []
    assert verdict(position, 0, ROB) is not None


@pytest.mark.parametrize("mode", ["half", "full"])
def test_in_both_modes(mode: str) -> None:
    position = discarded({2: READY}, golds={"half": "1z", "full": "1z2z"}[mode], options={"mode": mode})
    assert offered(position, 2) == ["pass", "win rob_gold"]


# ---- who ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize(("near", "far"), [(1, 2), (1, 3), (2, 3)])
def test_the_nearest_first(dealer: int, near: int, far: int) -> None:
    first, second = (dealer + near) % 4, (dealer + far) % 4
    position = discarded({first: READY, second: READY_TOO}, dealer=dealer, records=PASSES)
    assert judged(position, "won", seat=first, win="rob_gold") == []
    (found,) = findings(position, "won", seat=second, win="rob_gold")
    assert (found.clause, found.code, found.expected["seat"]) == ("L-OPEN-2", "better_right", first)
    position = played(position, f"{first} passed")
    assert judged(position, "won", seat=second, win="rob_gold") == []


def test_where_passes_are_not_on_record_nothing_is_proven() -> None:
    assert judged(discarded({1: READY, 3: READY_TOO}), "won", seat=3, win="rob_gold") == []


@pytest.mark.parametrize("players", [2, 3])
def test_with_fewer_players(players: int) -> None:
    position = discarded({players - 1: READY}, players=players)
    assert offered(position, players - 1) == ["pass", "win rob_gold"]


CLAIMS = [("punged", {"with_": "77z"}), ("konged", {"with_": "777z", "kind": "exposed"})]


@pytest.mark.parametrize(("kind", "given"), CLAIMS, ids=["pung", "kong"])
@pytest.mark.parametrize(("seat", "claimer"), [(1, 2), (3, 1)])
def test_before_pung_and_kong(seat: int, claimer: int, kind: str, given: dict[str, str]) -> None:
    hands = {0: "147m 258p 369s 23467z", seat: READY, claimer: "777z 147m 258s 36p 23z"}
    position = discarded(hands, records=PASSES)
    assert judged(position, "won", seat=seat, win="rob_gold") == []
    (found,) = findings(position, kind, seat=claimer, tile="7z", from_=0, **given)
    assert found.code == "better_right"
    assert found.expected["seat"] == seat
    assert {"L-OPEN-2", "S-CLAIM-1"} == {found.clause, *found.also}
    position = played(position, f"{seat} passed")
    assert judged(position, kind, seat=claimer, tile="7z", from_=0, **given) == []


def test_a_clean_log() -> None:
    hands = {0: "147m 258p 369s 23467z", 1: READY, 3: READY_TOO}
    game = Game(ruleset="longyan", records=PASSES).open(chosen_wall(hands, gold="1z", ruleset="longyan"))
    game.discard("7z").win(1).close().end()
    assert audited(game.events) == []


def test_a_log_in_which_the_farther_seat_wins() -> None:
    hands = {0: "147m 258p 369s 23467z", 1: READY, 3: READY_TOO}
    game = Game(ruleset="longyan", records=PASSES).open(chosen_wall(hands, gold="1z", ruleset="longyan"))
    game.discard("7z").emit("won", seat=3, win="rob_gold").close().end()
    assert audited(game.events) == [(seq_of(game.events, "won"), "L-OPEN-2", "better_right")]


def test_a_draw_before_it_leaves_a_right_unmentioned() -> None:
    position = discarded({2: READY}, records=PASSES)
    assert judged(position, "drew", seat=1, tile="5s", tail=False) == [("S-PASS-1", "right_not_on_record")]
