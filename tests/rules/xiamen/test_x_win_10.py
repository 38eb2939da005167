"""X-WIN-10: 三金倒 at the opening, before the first kong or discard, by any seat without waiting for a turn; later in
one's own turn at the draw of the third gold (options ``three_golds``, ``three_golds_window``). It is optional."""

from __future__ import annotations

import pytest

from replays.rulebook import Settlement
from replays.settle import decide
from tests.rules.builders import Game, audited, chosen_wall, offered, table
from tests.rules.xiamen.positions import book, facts, opened, win

ANY = "147m 147p 147s 2347z"  # waits for nothing

OPENING = facts(ANY + "111z", by="opening")
DEALER = facts(ANY + "111z 6z", by="opening", seat=0)
THIRD = facts(ANY + "6z 11z", "1z")
ANOTHER = facts(ANY + "111z", "6z")
WINDOWS = [
    ({}, True, True, False),
    ({"three_golds": "any_time"}, True, True, False),
    ({"three_golds": "any_time", "three_golds_window": "any_own_turn"}, True, True, True),
    ({"three_golds": "any_time", "three_golds_window": "third_gold"}, True, True, False),
    ({"three_golds": "opening_only"}, True, False, False),
    ({"three_golds": "opening_only", "three_golds_window": "any_own_turn"}, True, False, False),
    ({"three_golds": "off"}, False, False, False),
    ({"three_golds": "off", "three_golds_window": "any_own_turn"}, False, False, False),
]


@pytest.mark.parametrize(("options", "at_opening", "at_third", "at_another"), WINDOWS)
def test_windows(options: dict[str, str], at_opening: bool, at_third: bool, at_another: bool) -> None:
    found = [isinstance(decide(book(**options), each), Settlement) for each in (OPENING, DEALER, THIRD, ANOTHER)]
    assert found == [at_opening, at_opening, at_third, at_another]


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_any_seat_at_the_opening_without_waiting_for_a_turn(seat: int) -> None:
    position = table({seat: ANY + "111z"}, golds="1z", opening=True)
    assert offered(position, seat) == ["pass", "win three_golds"]
    others = [other for other in (1, 2, 3) if other != seat]
    assert [offered(position, other) for other in others] == [[], []]


def test_the_dealer_at_the_opening() -> None:
    position = table({0: ANY + "111z 6z"}, golds="1z", opening=True)
    assert offered(position, 0, "win") == ["win three_golds"]


def test_the_opening_ends_with_the_first_discard() -> None:
    game = opened({2: ANY + "111z"})
    assert not game.table.opening
    assert offered(game.table, 2, "win") == []


def test_the_opening_ends_with_the_first_kong() -> None:
    game = Game().open(chosen_wall({0: "9999m 258p 258s", 2: ANY + "111z"}, gold="1z", tail="6s"))
    assert offered(game.table, 2) == ["pass", "win three_golds"]
    game.kong(0, "9m", "concealed")
    assert offered(game.table, 2, "win") == []
    assert offered(game.draw().table, 2, "win") == []


def test_a_dealer_who_kongs_first_has_the_later_one() -> None:
    """A kong ends the opening; a gold as its replacement is the draw of the third gold."""
    game = Game().open(chosen_wall({0: "9999m 258p 258s 2347z 6z 11z"}, gold="1z", tail="1z"))
    game.kong(0, "9m", "concealed").draw().win(0).close().end()
    assert audited(game.events) == []
    assert (game.audit().hands[0].win, game.audit().hands[0].factor) == ("three_golds", 3)


@pytest.mark.parametrize(("window", "offers"), [("third_gold", []), ("any_own_turn", ["win three_golds 6s"])])
def test_the_window_at_the_table(window: str, offers: list[str]) -> None:
    position = table({0: ANY + "111z"}, drawn="6s", golds="1z", options={"three_golds_window": window})
    assert offered(position, 0, "win") == offers
    position = table({0: ANY + "6z 11z"}, drawn="1z", golds="1z", options={"three_golds_window": window})
    assert offered(position, 0, "win") == ["win three_golds 1z"]


def test_never_in_anothers_turn_later() -> None:
    position = table({1: ANY + "111z"}, last="9p", golds="1z", options={"three_golds_window": "any_own_turn"})
    assert offered(position, 1, "win") == []


def test_never_after_a_claim() -> None:
    position = table(
        {0: "147m 147p 24z 111z 36s"}, melds={0: ["pung 7z@1"]}, source="claim", golds="1z",
        options={"three_golds_window": "any_own_turn"},
    )  # fmt: skip
    assert offered(position, 0, "win") == []


def test_it_is_optional() -> None:
    game = opened({1: ANY + "6z 11z"}, draws="1z").draw()
    assert offered(game.table, 1, "win") == ["win three_golds 1z"]
    game.discard("4z")
    assert game.audit().findings == ()


def test_its_worth_by_the_window() -> None:
    assert (win(OPENING).factor, win(THIRD).factor) == (4, 3)
    assert win(ANOTHER, three_golds_window="any_own_turn").factor == 3
