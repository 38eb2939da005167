"""L-GOLD-4: in ``full`` mode every rejected flip leaves play, a flower and a second copy of the first gold alike."""

from __future__ import annotations

import pytest

from tests.rules.builders import Game, audited, judged, seq_of, tile, tiles
from tests.rules.longyan.positions import FULL, PLAIN, opened, table

DEALER = PLAIN + "3s"
TAIL = "258m 258p 258s 2346z 147m 147p 147s"
DEALT = 4 * 13 + 1


def flipped(gold: str, place: tuple[int, ...], hands: dict[int, str] | None = None) -> Game:
    """The first flip is the first gold; all others are of the second."""
    second = [(total // 2, total - total // 2) for total in place[1:]]
    opening = {"dice": (place[0] // 2, place[0] - place[0] // 2), "second": second}
    return opened(hands or {0: DEALER}, options=FULL, gold=gold, place=place, tail=TAIL, opening=opening)


@pytest.mark.parametrize(
    ("gold", "places"),
    [
        ("1z6p", (2, 3)),
        ("1z1z6p", (2, 3, 4)),
        ("1z1z1z6p", (2, 3, 4, 5)),
        ("1z1z1z1z6p", (2, 3, 4, 5, 6)),
        ("1z5f6p", (2, 3, 4)),
        ("1z5f1z6p", (2, 3, 4, 5)),
    ],
)
def test_all_that_was_flipped_is_gone(gold: str, places: tuple[int, ...]) -> None:
    game = flipped(gold, places)
    assert game.table.flipped == tiles(gold)
    assert game.table.left == 144 - DEALT - len(places)
    for one in sorted(set(tiles(gold))):
        assert game.table.seen >> 8 * one & 255 >= tiles(gold).count(one)
    assert audited(game.win(0).close().end().events) == []


def test_a_flower_before_the_first_gold() -> None:
    opening = {"dice": (1, 1), "rethrows": [(1, 2)], "second": [(2, 2)]}
    game = opened({0: DEALER}, options=FULL, gold="5f1z6p", place=(2, 3, 4), tail=TAIL, opening=opening)
    assert game.table.flipped == tiles("5f1z6p")
    assert game.table.left == 144 - DEALT - 3
    assert audited(game.win(0).close().end().events) == []


def test_to_the_end_of_the_wall() -> None:
    game = flipped("1z5f1z6p", (2, 3, 4, 5), {}).play_out().exhaust().close().end()
    assert game.table.left == 0
    assert audited(game.events) == []


def test_the_next_place_is_counted_without_it() -> None:
    """A server that put the rejected gold back would flip another tile."""
    places = (2, 3, 4)
    game = flipped("1z1z6p", places).win(0).close().end()
    assert audited(game.events) == []
    kept = opened({0: DEALER}, options=FULL, gold="1z1z6p", place=places, tail=TAIL, opening={"dice": None})
    kept.flip((1, 1))
    for dice in ((1, 2), (2, 2)):
        kept.emit("dice_rolled", purpose="gold", dice=dice, seat=0)
    again = kept.wall.pop(-6)
    one = kept.wall.pop(-7)  # the eighth, had the sixth come back
    assert (again, one != tile("6p")) == (tile("1z"), True)
    kept.emit("gold_flipped", tiles=(again, one), gold=one)
    kept.win(0).close().end()
    assert audited(kept.events) == [(seq_of(kept.events, "gold_flipped", 1), "L-GOLD-1", "wrong_flip")]


def test_a_rejected_copy_is_drawn_by_nobody() -> None:
    """Two copies of the first gold are left: a third in hands is one too many."""
    hand = "11z 147m 258p 258s 27z"
    before = table({3: hand}, turn=2, last="4m", golds="1z6p", flipped="1z1z6p", options=FULL)
    assert judged(before, "drew", seat=3, tile="1z", tail=False) == [("S-WALL-2", "too_many_copies")]
    fine = table({3: hand}, turn=2, last="4m", golds="1z6p", flipped="1z6p", options=FULL)
    assert judged(fine, "drew", seat=3, tile="1z", tail=False) == []


def test_in_the_half_mode_a_flower_leaves_play_too() -> None:
    opening = {"dice": (1, 1), "rethrows": [(1, 2)]}
    game = opened({0: DEALER}, gold="5f1z", place=(2, 3), tail=TAIL, opening=opening)
    assert game.table.left == 144 - DEALT - 2
    assert audited(game.win(0).close().end().events) == []
