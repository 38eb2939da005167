"""Numbers of ways to go on from named Longyan tables, fixed here: a change in any rule of play shows in one of them.

The first number of each is counted by hand, as its comment says. All of them are found twice: from the engine's offers,
and by ``tests.counts.slow``, which shares nothing with the engine's rules and compares act by act at every step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from replays.events import Act
from replays.referee import offers
from replays.table import FLOWER, TURN, Table, has_too_many
from tests.counts import slow
from tests.counts.counting import acted, count, dues
from tests.rules import builders
from tests.rules.builders import words

#: Thirteen tiles of which no two make anything.
DULL = "147m258p368s1234z"


def table(*, hands: dict[int, str], **given: Any) -> Table:
    """A table of ``longyan``, by default of four under the half mode with 9s gold; seats left out hold dull hands."""
    more: dict[str, Any] = {"ruleset": "longyan", "left": 50} | given
    return builders.table(hands, **more)


def full(*, hands: dict[int, str], **given: Any) -> Table:
    """The same under the full mode, with 9s and 1z gold."""
    return table(hands=hands, options={"mode": "full"}, **given)


# -- The opening -----------------------------------------------------------------------------------------------------


def opening() -> Table:
    # Fourteen different tiles, no kong, no win: 14 discards.
    return table(hands={0: DULL + "6z"}, opening=True)


def heavenly_win() -> Table:
    # 天胡, a kong of four 1m, and the kinds 1m-3m 4p-9p 2z: 1 + 1 + 10.
    return table(hands={0: "1111m23m456p789p22z"}, opening=True)


def rights_in_a_row() -> Table:
    # 蓋寶搶金 of seat 1. The dealer could be left ready, but seat 2 is ready too, so no 搶金 yet; 13 kinds: 1 + 13.
    hands = {0: "123m456m789m45p11s7z", 1: "123p123p789p666z9s", 2: "456s456s78p11p222s"}
    return table(hands=hands, opening=True)


def dealers_rob_gold() -> Table:
    # The same dealer among dull hands may win by 搶金 at once: 1 + 13.
    return table(hands={0: "123m456m789m45p11s7z"}, opening=True)


def dealers_covered_rob_gold() -> Table:
    # Taking 7z away leaves you state; the kinds 1m-9m 1s 7z and the gold: 1 + 12.
    return table(hands={0: "123m456m789m111s9s7z"}, opening=True)


def golds_at_the_opening() -> Table:
    # 三金倒 of seat 2 out of turn; the dealer's 14 discards: 1 + 14.
    return table(hands={0: DULL + "6z", 2: "9s9s9s147p258m1367z"}, opening=True)


def first_discard() -> Table:
    # Seats 1 and 3 have 搶金, seat 2 pungs or kongs; and the draw: 1 + 1 + 2 + 1.
    hands = {1: "123m456m789m45p11s", 2: "888p147m258s1234z", 3: "123s456s78s66z123p"}
    return table(hands=hands, last="8p")


def first_discard_in_you_state() -> Table:
    # Seat 1 let 蓋寶搶金 go by and 搶金 with it; seat 2 waits only for 十三幺 and the flipped 9s is its tile: 1 + 1.
    hands = {1: "123p123p789p666z9s", 2: "199m19p1s1234567z"}
    return table(hands=hands, last="8m", flipped="9s")


def later_discard() -> Table:
    # No 搶金 after the first go-around: the pung, the kong, and the draw: 2 + 1.
    hands = {1: "123m456m789m45p11s", 2: "888p147m258s1234z"}
    return table(hands=hands, last="8p", discards={0: "1z", 1: "2z", 2: "3z", 3: "4z"})


# -- Play ------------------------------------------------------------------------------------------------------------


def self_draw() -> Table:
    # 自摸 by 6p, and the kinds 1m-9m 4p 5p 6p 1s: 1 + 13.
    return table(hands={0: "123m456m789m45p11s"}, drawn="6p")


def seven_pairs() -> Table:
    # Four equal tiles are two pairs, and a kong: 1 + 1 + 6.
    return table(hands={0: "1111m44m55p88p33z7z"}, drawn="7z")


def orphans() -> Table:
    # 十三幺 with the gold as its own face; 13 kinds: 1 + 13.
    return table(hands={0: "19m19p19s1234567z"}, drawn="1m")


def three_golds() -> Table:
    # 三金倒 at the draw of the third; 147m 258p 36s 123z and the gold: 1 + 12.
    return table(hands={0: "147m258p36s123z9s9s"}, drawn="9s")


def in_you_state() -> Table:
    # 游金 by any tile; the kinds 1m-9m 1s 5p and the gold: 1 + 12.
    return table(hands={0: "123m456m789m111s9s"}, drawn="5p")


def in_you_state_with_a_gold() -> Table:
    # The same with a gold drawn, whose discard makes 雙游: 1 + 11; seat 1 may then pung nothing, but kong 2z.
    return table(hands={0: "123m456m789m111s9s", 1: "222z44p147m258s77z", 3: "369m147p258p15s2z5s"}, drawn="9s")


def stand_in() -> Table:
    # White stands for 9s in 789s, and completes it: 1 + the kinds 1m-6m 7p 8p 9p 7s 8s 5z 2z = 1 + 13.
    return table(hands={0: "123m456m789p78s22z"}, drawn="5z")


def own_kongs() -> Table:
    # A concealed and an added kong, and the discards 2m 3p 4p 1z 7s: 2 + 5.
    return table(hands={0: "2222m3p4p11z77s"}, drawn="1z", melds={0: ["pung 3p@1"]})


def after_a_pung() -> Table:
    # Four 2m make no kong now: 2m 5p 1z 7s.
    return table(hands={0: "2222m5p111z777s"}, melds={0: ["pung 3p@1"]})


def last_discard() -> Table:
    # Nothing is left to draw: the pung without the kong, and the end: 1 + 1.
    return table(hands={2: "555p147m258s1234z"}, last="5p", left=0, turn=1)


def robbing() -> Table:
    # Seats 1 and 3 may rob 5p; and the replacement: 2 + 1.
    hands = {1: "123m456m789m46p11s", 3: "123s456s789m46p22z", 0: "147m258s1234z"}
    return table(hands=hands, last="5p", phase="kong", melds={0: ["added 5p@2"]})


def gold_discarded() -> Table:
    # Nobody's: the draw alone.
    return table(hands={1: "123m456m789m45p11s"}, turn=2, last="9s", gold_out=[2])


# -- Locks -----------------------------------------------------------------------------------------------------------


def locked_pung() -> Table:
    # Seat 0 has discarded a gold: seat 1 may not pung 5m; the draw alone.
    return table(hands={1: "55m147p258s1234z7z"}, turn=3, last="5m", gold_out=[0], discards={0: "9s"})


def locked_but_a_kong() -> Table:
    # Seat 1 may kong 5m all the same, but not pung it; and the draw: 1 + 1.
    return table(hands={1: "555m147p258s1234z"}, turn=3, last="5m", gold_out=[0], discards={0: "9s"})


def locked_self_draw() -> Table:
    # No plain self-draw: the 13 kinds.
    return table(hands={1: "123m456m789m45p11s"}, turn=1, drawn="6p", gold_out=[0], discards={0: "9s"})


def locked_but_on_a_kong() -> Table:
    # On a kong's replacement: 1 + the kinds 4m-9m 4p-6p 1s.
    hands = {1: "456m789m45p11s"}
    melds = {1: ["exposed 3z@2"]}
    return table(hands=hands, melds=melds, turn=1, drawn="6p", source="kong", gold_out=[0], discards={0: "9s"})


def locked_but_in_you_state() -> Table:
    # 游金 is better than plain: 1 + 12.
    return table(hands={1: "123m456m789m111s9s"}, turn=1, drawn="5p", gold_out=[0], discards={0: "9s"})


def locked_by_oneself() -> Table:
    # Nobody is bound by a lock of one's own: 1 + 13.
    return table(hands={1: "123m456m789m45p11s"}, turn=1, drawn="6p", gold_out=[1], discards={1: "9s"})


def locked_robbing() -> Table:
    # Seat 2 has discarded a gold: seat 3 may not rob 1p plainly; the replacement alone.
    given: dict[str, Any] = {"last": "1p", "phase": "kong", "melds": {0: ["added 1p@2"]}}
    hands = {0: "147m258s2346z", 3: "123s456s789m11m23p"}
    return table(hands=hands, gold_out=[2], discards={2: "9s"}, **given)


def locked_robbing_with_orphans() -> Table:
    # Seat 1 may rob it with 十三幺, where seat 2 is not the one who kongs: 1 + 1.
    given: dict[str, Any] = {"last": "1p", "phase": "kong", "melds": {0: ["added 1p@2"]}}
    hands = {0: "147m258s2346z", 1: "19m99p19s1234567z", 3: "123s456s789m11m23p"}
    return table(hands=hands, gold_out=[2], discards={2: "9s"}, **given)


def second_gold() -> Table:
    # Seat 0 may discard a second gold in a row, or 1m 3m 5m 7m 9m 1z 2z 6z: 9; after the gold even 游金 is locked.
    hands = {0: "1133557799m1z6z2z", 1: "123p456p789p111s9s", 2: "666z147p258s2347z"}
    return table(hands=hands, drawn="9s", gold_out=[0], discards={0: "9s"})


def triple_you() -> Table:
    # 三游 binds as a second gold does: seat 2 may kong 6z, but not pung it; and the draw: 1 + 1.
    hands = {0: "123m456m789m111s9s", 2: "666z147p258s2347z"}
    return table(hands=hands, turn=3, last="6z", levels={0: 3}, gold_out=[0], discards={0: "9s9s"})


def double_you() -> Table:
    # A wait of 雙游 binds too once its player has discarded something else; it wins by any tile: 1 + 12.
    return table(hands={0: "123m456m789m111s9s"}, drawn="5p", levels={0: 2}, discards={0: "9s"})


# -- The full mode ---------------------------------------------------------------------------------------------------


def full_discard() -> Table:
    # Nobody claims a discard: the draw alone.
    return full(hands={1: "555p147m258s2346z", 2: "123m456m789m46p22s"}, turn=3, last="5p", discards={0: "2z"})


def full_kong() -> Table:
    # A concealed kong: 1 + the kinds 2m 3p 4p 5p 7s 2z 3z.
    return full(hands={0: "2222m3p4p5p22z77s33z"}, drawn="3z")


def full_golds() -> Table:
    # 四金倒 of seat 2 out of turn; the dealer's 14 kinds: 1 + 14.
    return full(hands={0: "147m258p368s2346z7z", 2: "9s9s1z1z147p258m236z"}, opening=True)


def full_you() -> Table:
    # One white in 789s, two with a gold in a triplet of the east wind, the other gold alone: 游金 by 5p, whatever the
    # whites are; the kinds 1m-6m 7s 8s 5z 5p and both golds: 1 + 12.
    return full(hands={0: "123m456m78s555z9s1z"}, drawn="5p")


def full_three_seats() -> Table:
    # Of three; seat 0 draws next: the draw alone.
    return full(hands={0: "123m456m789m111p9s", 1: "555p147m258s2346z"}, players=3, turn=2, last="5p")


def full_three_seats_opening() -> Table:
    # Of three, with whites as either gold: 蓋寶搶金 of seat 1 by three whites and a lone gold; the dealer's 14: 1 + 14.
    hands = {0: "147m258p368s2346z7z", 1: "123m456m789m555z9s"}
    return full(hands=hands, players=3, opening=True)


# -- Other seats and walls -------------------------------------------------------------------------------------------


def two_seats_without_dots() -> Table:
    # Seat 1 kongs or pungs 5s; and the draw: 2 + 1.
    hands = {0: "147m258m36s1234z7z", 1: "555s147m258m2346z"}
    return table(hands=hands, options={"dots": False}, players=2, last="5s", discards={0: "6z", 1: "6z"})


def flower() -> Table:
    # The flower is laid out.
    return table(hands={}, drawn="3f")


def last_flower() -> Table:
    # The same when no tile may be drawn any more.
    return table(hands={}, drawn="3f", left=0)


NUMBERS: list[tuple[Callable[[], Table], tuple[int, int, int]]] = [
    (opening, (14, 14, 196)),
    (heavenly_win, (12, 11, 150)),
    (rights_in_a_row, (14, 26, 130)),
    (dealers_rob_gold, (14, 13, 182)),
    (dealers_covered_rob_gold, (13, 12, 168)),
    (golds_at_the_opening, (15, 14, 196)),
    (first_discard, (5, 24, 34)),
    (first_discard_in_you_state, (2, 10, 10)),
    (later_discard, (3, 24, 34)),
    (self_draw, (14, 13, 182)),
    (seven_pairs, (8, 7, 90)),
    (orphans, (14, 13, 182)),
    (three_golds, (13, 12, 168)),
    (in_you_state, (13, 12, 168)),
    (in_you_state_with_a_gold, (12, 11, 110)),
    (stand_in, (14, 13, 182)),
    (own_kongs, (7, 7, 82)),
    (after_a_pung, (4, 4, 56)),
    (last_discard, (2, 11, 11)),
    (robbing, (3, 11, 12)),
    (gold_discarded, (1, 14, 14)),
    (locked_pung, (1, 14, 14)),
    (locked_but_a_kong, (2, 15, 25)),
    (locked_self_draw, (13, 13, 182)),
    (locked_but_on_a_kong, (11, 10, 140)),
    (locked_but_in_you_state, (13, 12, 168)),
    (locked_by_oneself, (14, 13, 182)),
    (locked_robbing, (1, 11, 11)),
    (locked_robbing_with_orphans, (2, 11, 11)),
    (second_gold, (9, 11, 128)),
    (triple_you, (2, 13, 22)),
    (double_you, (13, 12, 168)),
    (full_discard, (1, 14, 14)),
    (full_kong, (8, 8, 105)),
    (full_golds, (15, 14, 196)),
    (full_you, (13, 12, 168)),
    (full_three_seats, (1, 12, 11)),
    (full_three_seats_opening, (15, 14, 168)),
    (two_seats_without_dots, (3, 24, 34)),
    (flower, (1, 14, 14)),
    (last_flower, (1, 1, 0)),
]
IDS = [position.__name__ for position, _ in NUMBERS]


@pytest.mark.parametrize("position", [position for position, _ in NUMBERS], ids=IDS)
def test_the_table_can_be(position: Callable[[], Table]) -> None:
    table = position()
    for seat, melds in enumerate(table.melds):
        is_full = table.phase in (TURN, FLOWER) and seat == table.turn
        assert len(table.concealed(seat)) + 3 * len(melds) == table.book.hand_size + is_full, seat
    assert not has_too_many(table.seen)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(("position", "numbers"), NUMBERS, ids=IDS)
def test_ways_to_go_on(position: Callable[[], Table], numbers: tuple[int, int, int], depth: int) -> None:
    assert count(position(), depth) == numbers[depth - 1]


@pytest.mark.parametrize(("position", "numbers"), NUMBERS, ids=IDS)
def test_a_slow_count_agrees(position: Callable[[], Table], numbers: tuple[int, int, int]) -> None:
    start = position()
    assert tuple(slow_count(start, slow.past_of(start), depth) for depth in (1, 2, 3)) == numbers


def slow_count(table: Table, past: slow.Past, depth: int, drawn: int = 0) -> int:
    """``count`` by the slow acts; on the way they are compared with the engine's."""
    if depth == 0:
        return 1
    steps = slow.acts(table, past)
    assert _sorted(steps) == _sorted([(seat, act) for seat, some in enumerate(offers(table)) for act in some])
    assert table.hands == () or past.levels == table.levels
    total = sum(
        slow_count(acted(table, seat, act), slow.after(table, past, seat, act), depth - 1, drawn) for seat, act in steps
    )
    return total + sum(slow_count(due(table, drawn), past, depth - 1, drawn + 1) for due in dues(table))


def _sorted(steps: list[tuple[int, Act]]) -> list[str]:
    return sorted(f"{seat} {words(act)}" for seat, act in steps if act.act != "pass")
