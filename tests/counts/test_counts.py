"""Numbers of ways to go on from named tables, fixed here: a change in any rule of play shows in one of them.

The first number of each is counted by hand, as its comment says; the others follow from the engine and were fixed when
the first were right. A number that changes needs a reason in the rule book.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from replays.table import Table
from tests.counts.counting import count
from tests.rules.builders import table

#: Seats that nobody looks at: nothing to claim, nothing to win, and the same at every table.
DULL = {
    0: "147m147p147s1234z6z7z8m",
    1: "147m147p147s1234z6z7z8m",
    2: "258m258p258s1234z6z7z9p",
    3: "369m369p36s1234z6z7z8s2p",
}


def hands(**some: str) -> dict[int, str]:
    """Hands by seat, ``s0`` to ``s3``; the others are dull."""
    return DULL | {int(name[1:]): hand for name, hand in some.items()}


def opening() -> Table:
    # Seventeen different tiles, no kong, no win: 17 discards.
    return table(hands(s0="147m147p147s12346z7z8m5p"), golds="9s", opening=True, dealer=0, left=70)


def opening_win() -> Table:
    # 天和, a kong of four 1m, and the kinds 1m-3m, 4p-9p, 7s, 2z to discard: 1 + 1 + 11.
    return table(hands(s0="1111m23m456p789p777s22z"), golds="9s", opening=True, dealer=0, left=70)


def opening_golds() -> Table:
    # 三金倒 of seat 2 out of turn, beside the dealer's 17 discards: 1 + 17.
    return table(
        hands(s0="147m147p147s12346z7z8m5p", s2="9s9s9s258m258p258s1234z"), golds="9s", opening=True, dealer=0, left=70
    )


def many_chows() -> Table:
    # 5m into 34, 46, 67; the pung of seat 1 too; and the draw: 3 + 1 + 1.
    return table(hands(s1="34567m5m17p147s1234z"), last="5m", left=70)


def all_claims() -> Table:
    # Seat 1 chows 46p, seat 2 wins on 5p, seat 3 pungs it; and the draw: 1 + 1 + 1 + 1.
    seats = hands(s1="46p137m147s1234z6z7z9p9m", s2="46p123456789m11s222s", s3="55p369m36s1234z6z7z8s2s")
    return table(seats, last="5p", left=70)


def kong_on_a_discard() -> Table:
    # A kong or a pung of three 5p; and the draw: 2 + 1.
    return table(hands(s2="555p258m258s1234z6z7z9p"), last="5p", left=70)


def last_discard() -> Table:
    # No tile may be drawn: the pung without the kong, and the end: 1 + 1.
    return table(hands(s2="555p258m258s1234z6z7z9p"), last="5p", left=16)


def gold_discarded() -> Table:
    # Nobody's: the draw alone.
    return table(hands(s1="78s55m17p14s1234z67z1m"), last="9s", left=70, gold_out=[0])


def own_kongs() -> Table:
    # A concealed and an added kong, and the discards 2m 3p 1z 4z 7s 9p: 2 + 6.
    return table(
        hands(s0="2222m3p11z4z7s7s9p"), drawn="1z", melds={0: ["pung 3p@1", "chow 456s@3"]}, golds="9s", left=70,
    )  # fmt: skip


def after_a_pung() -> Table:
    # Four 2m make no kong now: 2m 3p 4z 7s 9p.
    return table(hands(s0="2222m3p444z77s9p"), melds={0: ["pung 3s@1", "chow 456s@3"]}, golds="9s", left=70)


def robbing() -> Table:
    # Seats 1 and 3 may rob 5p; and the replacement: 2 + 1.
    seats = hands(s1="46p123456789m11s222s", s3="46p123456789m33s222z", s0="147m147s1234z")
    return table(seats, last="5p", phase="kong", melds={0: ["added 5p@2"]}, left=70)


def follow_the_honour() -> Table:
    # 3z and 4z have been seen and are held once, 1z twice: two discards.
    seats = hands(s0="11z3z4z147m147p147s58p9m")
    return table(seats, drawn="5m", discards={1: "134z"}, left=70)


def in_you_state() -> Table:
    # 游金 by any tile; and the kinds 1m-9m, 1z, 2z, the gold: 1 + 12; the drawn 9m is no other kind.
    return table(hands(s0="123456789m111222z9s"), drawn="9m", left=70)


def double_you() -> Table:
    # Everybody else only draws: the 5m that seat 1 could pung and seat 2 win on is nobody's.
    seats = hands(s0="123456789m111222z9s", s1="55m147p147s1234z67z9m8p", s2="46m123p456p789p11s222s")
    return table(seats, turn=3, last="5m", levels={0: 2}, lock=[0], left=70)


def flower() -> Table:
    # The flower is laid out.
    return table(hands(), turn=0, drawn="3f", left=70)


def last_flower() -> Table:
    # The same when no tile may be drawn any more.
    return table(hands(), turn=0, drawn="3f", left=16)


NUMBERS: list[tuple[Callable[[], Table], tuple[int, int, int]]] = [
    (opening, (17, 17, 193)),
    (opening_win, (13, 12, 182)),
    (opening_golds, (18, 17, 193)),
    (many_chows, (5, 64, 69)),
    (all_claims, (4, 43, 65)),
    (kong_on_a_discard, (3, 32, 45)),
    (last_discard, (2, 14, 14)),
    (gold_discarded, (1, 15, 16)),
    (own_kongs, (8, 8, 84)),
    (after_a_pung, (5, 5, 69)),
    (robbing, (3, 11, 22)),
    (follow_the_honour, (2, 2, 6)),
    (in_you_state, (13, 14, 200)),
    (double_you, (1, 13, 14)),
    (flower, (1, 17, 18)),
    (last_flower, (1, 1, 0)),
]


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(("position", "numbers"), NUMBERS, ids=[position.__name__ for position, _ in NUMBERS])
def test_ways_to_go_on(position: Callable[[], Table], numbers: tuple[int, int, int], depth: int) -> None:
    assert count(position(), depth) == numbers[depth - 1]
