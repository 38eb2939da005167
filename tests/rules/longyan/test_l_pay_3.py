"""L-PAY-3: the robbed player alone pays what all would have paid: with n players (n-1)·2v where the winner or the
robbed player is the dealer, else (n-2)·v + 2v, v being 2, or that of 十三幺; without ``dealer_double`` (n-1)·v. Kongs,
flower kongs and 分餅 settle as always."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import Game, after, judged, offered
from tests.rules.longyan.positions import PLAIN, YOU, opened, repaid, table, won

SINGLE: dict[str, Any] = {"dealer_double": False}

#: Players, winner, robbed, dealer, and what is paid: the numbers that the rules give.
GIVEN = [
    (4, 1, 0, 1, 12),
    (4, 1, 0, 0, 12),
    (4, 1, 0, 2, 8),
    (4, 3, 2, 0, 8),
    (3, 1, 0, 1, 8),
    (3, 1, 0, 0, 8),
    (3, 1, 0, 2, 6),
    (2, 1, 0, 1, 4),
    (2, 1, 0, 0, 4),
]


def one_pays(players: int, winner: int, robbed: int, amount: int) -> list[int]:
    return [amount * ((seat == winner) - (seat == robbed)) for seat in range(players)]


@pytest.mark.parametrize(("players", "winner", "robbed", "dealer", "amount"), GIVEN)
@pytest.mark.parametrize("hand", [PLAIN, YOU, "1199m 1199p 2255s 9s"])
def test_the_given_numbers(players: int, winner: int, robbed: int, dealer: int, amount: int, hand: str) -> None:
    """For sets, out of you state and for seven pairs alike."""
    where: dict[str, Any] = {"players": players, "seat": winner, "from_": robbed, "dealer": dealer}
    found = won(hand, "3s", "rob_kong", **where)
    assert (found["win"], found["factor"]) == ("rob_kong", 2)
    assert found["deltas"] == one_pays(players, winner, robbed, amount)


@pytest.mark.parametrize(("players", "amount"), [(4, 6), (3, 4), (2, 2)])
@pytest.mark.parametrize("dealer", [0, 1])
def test_without_doubling(players: int, amount: int, dealer: int) -> None:
    found = won(PLAIN, "3s", "rob_kong", players=players, dealer=dealer, **SINGLE)
    assert found["deltas"] == one_pays(players, 1, 0, amount)


@pytest.mark.parametrize(
    ("players", "dealer", "amount"), [(4, 0, 96), (4, 1, 96), (4, 2, 64), (3, 0, 64), (3, 2, 48), (2, 0, 32)]
)
def test_thirteen_orphans(players: int, dealer: int, amount: int) -> None:
    found = won("9m 19p 19s 1234567z 7z", "1m", "rob_kong", golds="3m", players=players, dealer=dealer)
    assert (found["win"], found["factor"]) == ("thirteen_orphans", 16)
    assert found["deltas"] == one_pays(players, 1, 0, amount)


def test_thirteen_orphans_by_options() -> None:
    hand = ("9m 19p 19s 1234567z 7z", "1m", "rob_kong")
    assert won(*hand, golds="3m", you_v=5)["deltas"] == [-120, 120, 0, 0]
    assert won(*hand, golds="3m", **SINGLE)["deltas"] == [-48, 48, 0, 0]


@pytest.mark.parametrize(("dealer", "amount"), [(0, 24), (2, 16)])
def test_with_a_factor(dealer: int, amount: int) -> None:
    found = won("111m 999m 222p 888p 9s", "3s", "rob_kong", dealer=dealer, all_triplets_factor=2)
    assert found["deltas"] == [-amount, amount, 0, 0]


# -- At the table ------------------------------------------------------------------------------------------------------


def robbing(**rest: Any) -> Any:
    """Seat 0 adds 3s to its pung, and seat 1 wins on it."""
    given: dict[str, Any] = {"melds": {0: ["added 3s@2"]}} | rest
    position = table({1: PLAIN}, phase="kong", last="3s", **given)
    assert judged(position, "won", seat=1, win="rob_kong", tile="3s", from_=0) == []
    return after(position, "won", seat=1, win="rob_kong", tile="3s", from_=0)


def deltas(position: Any) -> tuple[int, ...]:
    return tuple(position.outcome.settlement.deltas)


@pytest.mark.parametrize(("players", "paid"), [(4, (-12, 12, 0, 0)), (3, (-8, 8, 0)), (2, (-4, 4))])
def test_the_robbed_kong_does_not_count(players: int, paid: tuple[int, ...]) -> None:
    position = robbing(players=players, melds={0: ["added 3s@1"]})
    assert deltas(position) == paid
    assert position.outcome.settlement.pays == "L-PAY-3"


def test_only_the_win_is_covered() -> None:
    """Seat 2 has a concealed kong, and seat 1 all seasons: everybody pays for them."""
    melds = {0: ["added 3s@2"], 2: ["concealed 6z"]}
    # 12 from seat 0; the kong 4 from the dealer and 2 from the others; the flowers 2 from the dealer, 1 from the others
    assert deltas(robbing(melds=melds, flowers={1: "1234f"})) == (-12 - 4 - 2, 12 - 2 + 4, 8 - 1, -2 - 1)


def test_another_kong_of_the_robbed_player() -> None:
    melds = {0: ["concealed 6z", "added 3s@2"]}
    assert deltas(robbing(melds=melds)) == (-12 + 12, 12 - 4, -4, -4)


@pytest.mark.parametrize(
    ("paid", "clause"),
    [
        ((-12, 12, 0, 0), None),
        ((-4, 8, -2, -2), "L-PAY-3"),  # shared among all
        ((-2, 6, -2, -2), "L-PAY-3"),
        ((-4, 4, 0, 0), "L-PAY-3"),  # the robbed player's own share alone
    ],
)
def test_what_was_paid(paid: tuple[int, ...], clause: str | None) -> None:
    found = judged(robbing(), "settled", deltas=paid)
    assert found == ([] if clause is None else [(clause, "wrong_payment")])


# -- A whole hand ------------------------------------------------------------------------------------------------------


def game(dealer: int = 0) -> Game:
    """Seat 0 punges 3s from seat 3 and adds the fourth; seat 1 robs it."""
    hands = {0: "33s 147m 258p 2467z 1m", 1: PLAIN, 3: "3s 147m 258p 2467z 39p"}
    begun = opened(hands, gold="8s", dealer=dealer, draws="5m 6m 9p 8p 7s 6s 3s", players=4)
    begun.discard("1m").play("5m 6m 3s").pung(0).discard("2z").play("8p - -").draw()
    return begun.kong(0, "3s", "added").win(1).close().end()


def test_a_whole_hand() -> None:
    played = game()
    assert offered(played.table, 1) == []
    assert played.table.scores == (-12, 12, 0, 0)
    assert repaid(played, (-12, 12, 0, 0)) == []
    assert [found[1:] for found in repaid(played, (-4, 8, -2, -2))] == [("L-PAY-3", "wrong_payment")]


def test_after_the_win_the_kong_is_a_pung_again() -> None:
    (meld,) = game().table.melds[0]
    assert meld.kind == "pung"
