"""L-OPEN-1: the order of rights after the flip: 蓋寶搶金 (the others first, from the dealer's next seat on, then the
dealer), 天胡, 三金倒, a non-dealer's 搶金, the dealer's 搶金. Passing 蓋寶搶金 passes 天胡 and 搶金 as well, not
三金倒."""

from __future__ import annotations

from typing import Any

import pytest

from replays.events import Records
from replays.table import Table
from tests.rules.builders import findings, judged, offered, verdict, win
from tests.rules.longyan.tables import opening, played

PASSES = Records(passes=True)

#: Opening hands by the best right that they have with 1z gold. The others' thirteen tiles:
COVERED = "123456789m 123p 1z"  # in you state
COVERED_TOO = "123456789s 456p 1z"
THREE = "147m 258p 369s 2z 1z1z1z"
READY = "12345678m 123p 99p"  # without a gold
#: The dealer's fourteen:
DEALER_COVERED = "123456789p 777z 1z 6z"
DEALER_COMPLETE = "123456789p 777z 66z"
DEALER_READY = "12345678p 777z 66z 4z"

OPEN_1, OPEN_2, OPEN_3 = (((f"L-OPEN-{n}", "better_right"),) for n in (1, 2, 3))


def won(position: Table, seat: int, way: str) -> tuple[tuple[str, str], ...]:
    """What is found on a win at the opening."""
    return tuple(judged(position, "won", seat=seat, win=way))


#: Neighbours in the order: hands, who has the better right and by what, who the next and by what, and what is found
#: on the next.
NEIGHBOURS = {
    "蓋寶搶金 of two": ({1: COVERED, 2: COVERED_TOO}, 1, "covered_rob_gold", 2, "covered_rob_gold", OPEN_1),
    "蓋寶搶金 of the last seat, and of the dealer": (
        {0: DEALER_COVERED, 3: COVERED}, 3, "covered_rob_gold", 0, "covered_rob_gold", OPEN_1,
    ),
    "another's 蓋寶搶金 and 天胡": (
        {0: DEALER_COMPLETE, 2: COVERED}, 2, "covered_rob_gold", 0, "heavenly_win", OPEN_1,
    ),
    "天胡 and 三金倒": ({0: DEALER_COMPLETE, 2: THREE}, 0, "heavenly_win", 2, "three_golds", OPEN_1),
    "another's 蓋寶搶金, and the dealer's 搶金": (
        {0: DEALER_READY, 3: COVERED}, 3, "covered_rob_gold", 0, "rob_gold", OPEN_3,
    ),
    "三金倒 and the dealer's 搶金": ({0: DEALER_READY, 3: THREE}, 3, "three_golds", 0, "rob_gold", OPEN_3),
}  # fmt: skip
EVERY_PAIR = pytest.mark.parametrize(
    ("hands", "first", "by", "second", "way", "found"), NEIGHBOURS.values(), ids=[*NEIGHBOURS]
)


@EVERY_PAIR
def test_the_better_right_goes_first(
    hands: dict[int, str], first: int, by: str, second: int, way: str, found: tuple[tuple[str, str], ...]
) -> None:
    position = opening(hands, records=PASSES)
    assert won(position, first, by) == ()
    assert won(position, second, way) == found
    (one,) = findings(position, "won", seat=second, win=way)
    assert one.expected["seat"] == first


@EVERY_PAIR
def test_once_it_is_passed_the_next_is_free(
    hands: dict[int, str], first: int, by: str, second: int, way: str, found: tuple[tuple[str, str], ...]
) -> None:
    position = played(opening(hands, records=PASSES), f"{first} passed")
    assert won(position, second, way) == ()


@EVERY_PAIR
def test_where_passes_are_not_on_record_nothing_is_proven(
    hands: dict[int, str], first: int, by: str, second: int, way: str, found: tuple[tuple[str, str], ...]
) -> None:
    position = opening(hands)
    assert won(position, first, by) == ()
    assert won(position, second, way) == ()


@EVERY_PAIR
def test_all_of_them_are_offered(
    hands: dict[int, str], first: int, by: str, second: int, way: str, found: tuple[tuple[str, str], ...]
) -> None:
    """Who has the better right goes first; these are rights."""
    position = opening(hands)
    assert offered(position, first, "win") == [f"win {by}"]
    assert f"win {way}" in offered(position, second, "win") or way == "rob_gold"


#: Pairs that need more golds than one kind has, with 1z and 2z: four golds in place of three.
FULL: dict[str, Any] = {"options": {"mode": "full"}, "golds": "1z2z"}
FOUR = "147m 258p 369s 1z 2z2z2z"


@pytest.mark.parametrize(
    ("hands", "first", "seat"),
    [
        pytest.param({1: COVERED, 3: FOUR}, 1, 3, id="another's-before"),
        pytest.param({0: DEALER_COVERED, 3: FOUR}, 0, 3, id="the-dealer's"),
        pytest.param({1: FOUR, 3: COVERED}, 3, 1, id="another's-behind"),
        pytest.param({0: FOUR + "3z", 2: COVERED}, 2, 0, id="another's-before-the-dealer's-golds"),
    ],
)
def test_covered_before_the_golds(hands: dict[int, str], first: int, seat: int) -> None:
    position = opening(hands, records=PASSES, **FULL)
    assert won(position, first, "covered_rob_gold") == ()
    assert won(position, seat, "four_golds") == OPEN_1
    position = played(position, f"{first} passed")
    assert won(position, seat, "four_golds") == ()


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize(("near", "far"), [(1, 2), (1, 3), (2, 3)])
def test_covered_from_the_dealers_next_seat_on(dealer: int, near: int, far: int) -> None:
    first, second = (dealer + near) % 4, (dealer + far) % 4
    position = opening({first: COVERED, second: COVERED_TOO}, dealer=dealer, records=PASSES)
    assert won(position, first, "covered_rob_gold") == ()
    assert won(position, second, "covered_rob_gold") == OPEN_1


@pytest.mark.parametrize("players", [2, 3])
def test_with_fewer_players(players: int) -> None:
    last = players - 1
    position = opening({0: DEALER_COVERED, last: COVERED}, players=players, records=PASSES)
    assert won(position, 0, "covered_rob_gold") == OPEN_1
    assert won(position, last, "covered_rob_gold") == ()


@pytest.mark.parametrize(("seat", "three"), [(1, 3), (3, 1)])
def test_three_golds_before_anothers_rob_gold(seat: int, three: int) -> None:
    """Nearer or farther, whoever holds them goes first: before the dealer's discard, which gives the other its right.
    Not used until then, they win on the next own draw only."""
    position = opening({seat: READY, three: THREE}, records=PASSES)
    assert judged(position, "discarded", seat=0, tile="7z") == [("S-PASS-1", "right_not_on_record")]
    position = played(position, f"{three} passed", "0 discarded 7z")
    assert offered(position, three) == []
    assert offered(position, seat, "win") == ["win rob_gold"]
    assert won(position, seat, "rob_gold") == ()


@pytest.mark.parametrize("records", [PASSES, Records()])
@pytest.mark.parametrize(("hand", "found"), [(READY, (("L-OPEN-3", "no_rob_gold"),)), ("147m 258s 369s 2346z", ())])
def test_anothers_rob_gold_before_the_dealers(records: Records, hand: str, found: tuple[tuple[str, str], ...]) -> None:
    """It can be passed only once the dealer has discarded, and then the dealer's is over."""
    assert won(opening({0: DEALER_READY, 2: hand}, records=records), 0, "rob_gold") == found


def test_the_dealers_three_golds_before_anothers_rob_gold() -> None:
    """At once, in a turn in which the other has no right yet."""
    position = opening({0: THREE + "3z", 1: READY}, records=PASSES)
    assert won(position, 0, "three_golds") == ()
    assert offered(position, 1) == []


def test_every_right_of_the_opening_is_on_record() -> None:
    position = opening({1: COVERED}, records=PASSES)
    assert judged(position, "discarded", seat=0, tile="7z") == [("S-PASS-1", "right_not_on_record")]
    position = played(position, "1 passed")
    assert judged(position, "discarded", seat=0, tile="7z") == []


# ---- passing 蓋寶搶金 ----------------------------------------------------------------------------------


def refused(position: Table, seat: int, way: str) -> bool:
    return verdict(position, seat, win(None, way)) is not None


def test_the_dealer_who_passes_it_has_passed_heavenly_win_and_rob_gold() -> None:
    position = opening({0: DEALER_COVERED}, records=PASSES)
    assert offered(position, 0, "win") == ["win covered_rob_gold"]
    position = played(position, "0 passed")
    assert offered(position, 0, "win") == []
    for way in ("covered_rob_gold", "heavenly_win", "rob_gold"):
        assert refused(position, 0, way)


def test_but_not_three_golds() -> None:
    position = opening({0: "123456789p 7z 6z 1z1z1z"}, records=PASSES)
    assert offered(position, 0, "win") == ["win covered_rob_gold"]
    position = played(position, "0 passed")
    assert offered(position, 0, "win") == ["win three_golds"]
    assert won(position, 0, "three_golds") == ()
    assert refused(position, 0, "heavenly_win")


def test_another_who_passes_it_has_passed_rob_gold() -> None:
    position = played(opening({2: COVERED}, records=PASSES), "2 passed")
    assert offered(position, 2) == []
    position = played(position, "0 discarded 7z")
    assert offered(position, 2) == []
    assert refused(position, 2, "rob_gold")
    assert refused(position, 2, "covered_rob_gold")


def test_also_where_passes_are_not_on_record() -> None:
    """Who is in you state and lets the dealer discard has not used 蓋寶搶金."""
    position = played(opening({2: COVERED}), "0 discarded 7z")
    assert offered(position, 2) == []
    assert refused(position, 2, "rob_gold")


def test_but_another_keeps_three_golds() -> None:
    position = opening({2: "123456789p 7z 1z1z1z"}, records=PASSES)
    assert offered(position, 2) == ["pass", "win covered_rob_gold"]
    position = played(position, "2 passed")
    assert offered(position, 2) == ["pass", "win three_golds"]
    assert won(position, 2, "three_golds") == ()
