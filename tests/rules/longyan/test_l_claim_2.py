"""L-CLAIM-2: 過手槓. Who could make an exposed kong of a discard and pungs it may not add the fourth tile to that pung
for the rest of the hand; an exposed kong once passed is gone; passing a pung has no consequence."""

from __future__ import annotations

from typing import Any

import pytest

from replays.events import Records
from replays.table import Table
from tests.rules.builders import Game, after, chosen_wall, findings, judged, kong, offered, pung, verdict
from tests.rules.longyan.tables import is_free, played, table

PASSED_BEFORE = ("L-CLAIM-2", "kong_passed_before")
REST = "147m 369s 3467z"
ROUND = ("0 2s", "1 2s")  # the draws and discards that bring the turn to seat 2


def discarded(held: str, code: str = "5p", **given: Any) -> Table:
    """Seat 3 has discarded 5p, and seat 2 holds ``held`` and ten other tiles."""
    return table({2: held + (REST if len(held) == 4 else REST + "8m")}, turn=3, last=code, **given)


def punged(held: str, code: str = "5p") -> Table:
    """Seat 2 has punged it and discarded another tile, and it is its turn again but for the draw."""
    return played(discarded(held, code), f"2 punged {code}", "2 discarded 1m", "3 2p", *ROUND)


def test_three_in_hand_and_punged() -> None:
    position = played(punged("555p"), "2 drew 8p")
    assert verdict(position, 2, kong("5p", "added")) == PASSED_BEFORE
    assert offered(position, 2, "kong") == []
    (found,) = findings(position, "konged", seat=2, tile="5p", with_="5p", kind="added")
    assert (found.clause, found.code, found.seat) == (*PASSED_BEFORE, 2)


def test_two_in_hand_and_the_fourth_drawn_later() -> None:
    position = played(punged("55p"), "2 drew 5p")
    assert is_free(position, 2, kong("5p", "added"))


def test_two_in_hand_and_the_fourth_drawn_later_still() -> None:
    position = played(punged("55p"), "2 8p", "3 2p", *ROUND, "2 drew 5p")
    assert is_free(position, 2, kong("5p", "added"))


@pytest.mark.parametrize("go_arounds", [1, 2])
def test_for_the_rest_of_the_hand(go_arounds: int) -> None:
    rounds = [("2 8p", "3 2p", "0 5s", "1 5s"), ("2 8s", "3 3p", "0 3p", "1 3p")][:go_arounds]
    position = played(punged("555p"), *[step for steps in rounds for step in steps], "2 drew 9p")
    assert verdict(position, 2, kong("5p", "added")) == PASSED_BEFORE


def test_also_once_another_kong_was_made() -> None:
    """The replacement brings a turn of its own, and the kong stays barred."""
    position = table({2: "555p 888p 147m 369s 8m"}, turn=3, last="5p")
    position = played(position, "2 punged 5p", "2 discarded 1m", "3 2p", *ROUND, "2 drew 8p", "2 konged 8p concealed")
    position = played(position, "2 drew 9p")
    assert verdict(position, 2, kong("5p", "added")) == PASSED_BEFORE


@pytest.mark.parametrize(("held", "is_right"), [("555z", False), ("55z", True)])
def test_a_stand_in_is_a_tile_like_others(held: str, is_right: bool) -> None:
    position = played(punged(held, "5z"), "2 drew 8p" if held == "555z" else "2 drew 5z")
    assert verdict(position, 2, kong("5z", "added")) == (None if is_right else PASSED_BEFORE)


def test_no_kong_was_possible_where_no_tile_could_be_drawn() -> None:
    """With the wall drawn out the pung was all there was, so nothing was passed."""
    position = played(discarded("555p", left=0), "2 punged 5p", "2 discarded 1m")
    position = played(position._replace(left=9), "3 2p", *ROUND, "2 drew 8p")
    assert verdict(position, 2, kong("5p", "added")) is None


@pytest.mark.parametrize(("left", "is_barred"), [(10, False), (11, True)])
def test_nor_where_only_the_dead_wall_was_left(left: int, is_barred: bool) -> None:
    position = discarded("555p", left=left, options={"dead_wall": 10})
    position = played(position, "2 punged 5p", "2 discarded 1m")
    position = played(position._replace(left=30), "3 2p", *ROUND, "2 drew 8p")
    assert verdict(position, 2, kong("5p", "added")) == (PASSED_BEFORE if is_barred else None)


def test_other_kinds_are_free() -> None:
    position = table({2: "555p 88p 147m 369s 68m"}, turn=3, last="5p")
    position = played(
        position, "2 punged 5p", "2 discarded 1m", "3 8p", "2 punged 8p", "2 discarded 4m", "3 2p", *ROUND
    )
    position = played(position, "2 drew 8p")
    assert verdict(position, 2, kong("5p", "added")) == PASSED_BEFORE
    assert is_free(position, 2, kong("8p", "added"))


def test_other_seats_are_free() -> None:
    """Seat 0 punged with two in hand after seat 2 had punged with three."""
    position = table({0: "66p 147m 258s 23467z", 2: "555p" + REST}, turn=3, last="5p")
    position = played(
        position, "2 punged 5p", "2 discarded 1m", "3 6p", "0 punged 6p", "0 discarded 2z", "1 8m", "2 8m"
    )
    position = played(position, "3 8m", "0 drew 6p")
    assert is_free(position, 0, kong("6p", "added"))


def test_the_kong_itself_and_the_pung_are_free() -> None:
    position = discarded("555p")
    assert offered(position, 2) == ["kong 5p exposed", "pass", "pung 5p"]
    assert judged(position, "punged", seat=2, tile="5p", with_="55p", from_=3) == []


@pytest.mark.parametrize("passes", [True, False])
def test_an_exposed_kong_once_passed_is_gone(passes: bool) -> None:
    position = discarded("555p", records=Records(passes=passes))
    assert is_free(position, 2, kong("5p", "exposed", 3))
    position = played(position, *(["2 passed"] if passes else []), *ROUND, "2 drew 8p")
    assert offered(position, 2, "kong") == []
    assert verdict(position, 2, kong("5p", "exposed", 3)) is not None
    assert verdict(position, 2, kong("5p", "added")) == ("S-CLAIM-3", "no_pung_to_add_to")


@pytest.mark.parametrize("passes", [True, False])
def test_passing_a_pung_has_no_consequence(passes: bool) -> None:
    """Not even for the tile of the same kind that comes next."""
    position = table({2: "55p" + REST + "8m"}, turn=0, last="5p", records=Records(passes=passes))
    position = played(position, *(["2 passed"] if passes else []), "1 5p")
    assert is_free(position, 2, pung("5p", 1))


def test_another_hand_knows_nothing_of_it() -> None:
    """The same pung with two in hand, in the hand after."""
    hands = {0: "5p", 1: "555p" + REST}
    game = Game(ruleset="longyan").open(chosen_wall(hands, ruleset="longyan"))
    game.discard("5p").pung(1).discard("1m").play_out().exhaust().close()
    hands = {0: "5p", 1: "55p" + REST + "8m"}
    game.open(chosen_wall(hands, draws="1p 1p 1p 5p", ruleset="longyan")).discard("5p").pung(1).discard("1m")
    game.play("1p 1p 1p").draw()
    assert is_free(game.table, 1, kong("5p", "added"))


def test_a_kong_on_record_is_applied_all_the_same() -> None:
    position = played(punged("555p"), "2 drew 8p")
    behind = after(position, "konged", seat=2, tile="5p", with_="5p", kind="added")
    assert [meld.kind for meld in behind.melds[2]] == ["added"]
