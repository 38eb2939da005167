"""L-PAY-1: each other player pays v, and twice that where the winner or the payer is the dealer (option
``dealer_double``)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import Game, Item, after, seq_of
from tests.rules.longyan.positions import FULL, JUNK, ORPHANS, PLAIN, YOU, opened, repaid, table, won

SINGLE: dict[str, Any] = {"dealer_double": False}

# players, winner, dealer: what v = 2 comes to
SHARES: list[tuple[int, int, int, list[int], list[int]]] = [
    (4, 0, 0, [12, -4, -4, -4], [6, -2, -2, -2]),
    (4, 1, 0, [-4, 8, -2, -2], [-2, 6, -2, -2]),
    (4, 3, 1, [-2, -4, -2, 8], [-2, -2, -2, 6]),
    (4, 2, 2, [-4, -4, 12, -4], [-2, -2, 6, -2]),
    (3, 0, 0, [8, -4, -4], [4, -2, -2]),
    (3, 2, 0, [-4, -2, 6], [-2, -2, 4]),
    (3, 1, 2, [-2, 6, -4], [-2, 4, -2]),
    (2, 0, 0, [4, -4], [2, -2]),
    (2, 1, 0, [-4, 4], [-2, 2]),
]


@pytest.mark.parametrize(("players", "seat", "dealer", "doubled", "single"), SHARES)
def test_shares(players: int, seat: int, dealer: int, doubled: list[int], single: list[int]) -> None:
    where: dict[str, Any] = {"players": players, "seat": seat, "dealer": dealer}
    assert won(PLAIN, "3s", **where)["deltas"] == doubled
    assert won(PLAIN, "3s", dealer_double=True, **where)["deltas"] == doubled
    assert won(PLAIN, "3s", **where, **SINGLE)["deltas"] == single


WAYS: dict[str, tuple[tuple[Any, ...], dict[str, Any], int]] = {
    "游金": ((YOU, "7z"), {}, 4),
    "雙游": ((YOU, "7z"), {"level": "double_you"}, 8),
    "三游 of 5": ((YOU, "7z"), {"level": "triple_you", "you_v": 5}, 20),
    "三金倒": ((f"{JUNK} 999s", "7z"), {}, 4),
    "六金倒": (("123456m 7p 999s 111z", "7z"), FULL, 16),
    "十三幺": ((ORPHANS, "1m"), {"golds": "3m"}, 16),
    "搶金": ((PLAIN, None, "opening"), {"right": "rob_gold"}, 4),
    "蓋寶搶金": ((YOU, None, "opening"), {"right": "covered_rob_gold"}, 8),
    "三金倒 at the opening": ((f"{JUNK} 999s", None, "opening"), {}, 4),
}


@pytest.mark.parametrize(("hand", "rest", "v"), WAYS.values(), ids=WAYS)
def test_every_way(hand: tuple[Any, ...], rest: dict[str, Any], v: int) -> None:
    assert won(*hand, **rest)["deltas"] == [-2 * v, 4 * v, -v, -v]
    assert won(*hand, dealer=2, **rest)["deltas"] == [-v, 4 * v, -2 * v, -v]
    assert won(*hand, **(rest | SINGLE))["deltas"] == [-v, 3 * v, -v, -v]


def test_heavenly_win_is_always_doubled() -> None:
    hand = (PLAIN + "3s", None, "opening")
    assert won(*hand, seat=0)["deltas"] == [24, -8, -8, -8]
    assert won(*hand, seat=0, **SINGLE)["deltas"] == [12, -4, -4, -4]


def test_items_say_who_pays() -> None:
    position = after(
        table({1: PLAIN}, turn=1, drawn="3s", discards={0: "2z"}), "won", seat=1, win="self_draw", tile="3s"
    )
    assert position.outcome is not None
    assert position.outcome.settlement is not None
    assert sorted(position.outcome.settlement.items) == [
        Item(0, "L-PAY-1", -4),
        Item(1, "L-PAY-1", 8),
        Item(2, "L-PAY-1", -2),
        Item(3, "L-PAY-1", -2),
    ]
    assert won(PLAIN, "3s")["items"] == [{"code": "L-PAY-1", "value": 8}]


# -- What a server paid ------------------------------------------------------------------------------------------------


def game(dealer: int = 0, **options: Any) -> Game:
    """Seat 1 draws its tile after the first round; (-4, 8, -2, -2)."""
    begun = opened({1: PLAIN}, dealer=dealer, options=options, draws="4s 4s 4s 4s 3s")
    begun.discard("1m" if dealer != 1 else "4s")
    while begun.table.following(begun.table.turn) != 1 or begun.wall[0] != 20:
        begun.play("-")
    return begun.draw().win(1).close().end()


def test_a_right_payment() -> None:
    played = game()
    assert played.table.scores == (-4, 8, -2, -2)
    assert repaid(played, (-4, 8, -2, -2)) == []
    assert game(dealer=2).table.scores == (-2, 8, -4, -2)
    assert game(dealer_double=False).table.scores == (-2, 6, -2, -2)


@pytest.mark.parametrize(
    "deltas",
    [
        (-2, 6, -2, -2),  # the doubling forgotten
        (-4, 12, -4, -4),  # everything doubled
        (-4, 8, 0, -4),  # by the wrong ones
        (-8, 8, 0, 0),  # by one for all, as for a robbery
        (-8, 16, -4, -4),
        (0, 0, 0, 0),
        (4, -8, 2, 2),
    ],
)
def test_a_wrong_payment(deltas: tuple[int, ...]) -> None:
    played = game()
    found = repaid(played, deltas)
    assert found == [(seq_of(played.events, "settled"), "L-PAY-1", "wrong_payment")]


def test_doubled_where_a_room_does_not() -> None:
    played = game(dealer_double=False)
    found = repaid(played, (-4, 8, -2, -2))
    assert found == [(seq_of(played.events, "settled"), "L-PAY-1", "wrong_payment")]
