"""G-DEALER-1: the dealer and the streak that a hand names follow from the game's first dealer and from the hand
before; the rule set's own clause is cited where it has one."""

from __future__ import annotations

import pytest

from tests.rules.builders import Game, altered, audited, chosen_wall, findings, seq_of

WINNER = {0: "111m222m333m444m55m333p"}


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("streak", [0, 1])
def test_the_first_hand(first: int, dealer: int, streak: int) -> None:
    game = Game(first_dealer=first)
    found = findings(game.table, "hand_started", dealer=dealer, streak=streak, scores=(0, 0, 0, 0), hand=1)
    code = "wrong_dealer" if dealer != first else "wrong_streak"
    expected = [] if (dealer, streak) == (first, 0) else [("G-DEALER-1", code)]
    assert [(one.clause, one.code) for one in found] == expected
    for one in found:
        assert one.expected == {"dealer": first, "streak": 0}
        assert one.recorded == {"dealer": dealer, "streak": streak}


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("streak", [0, 1, 2])
def test_later_the_rule_sets_own_clause(dealer: int, streak: int) -> None:
    """The dealer has won, stays, and has a streak of one."""
    game = Game().open(chosen_wall(WINNER)).win(0).close()
    found = findings(game.table, "hand_started", dealer=dealer, streak=streak, scores=game.table.scores, hand=2)
    code = "wrong_dealer" if dealer else "wrong_streak"
    expected = [] if (dealer, streak) == (0, 1) else [("X-DEALER-1", code, ("G-DEALER-1",))]
    assert [(one.clause, one.code, one.also) for one in found] == expected


@pytest.mark.parametrize(("dealer", "streak", "is_right"), [(2, 0, True), (3, 0, False), (2, 1, False)])
def test_a_voided_hand_changes_nothing(dealer: int, streak: int, is_right: bool) -> None:
    game = Game(first_dealer=2).open(chosen_wall(dealer=2)).emit("voided", reason="test")
    found = findings(game.table, "hand_started", dealer=dealer, streak=streak, scores=(0, 0, 0, 0), hand=2)
    assert (found == []) is is_right
    for one in found:
        assert "G-DEALER-1" in (one.clause, *one.also)


def test_in_a_whole_log() -> None:
    game = Game().open(chosen_wall(WINNER)).win(0).close().open(chosen_wall()).play_out().exhaust().close().end()
    seq = seq_of(game.events, "hand_started")
    assert audited(game.events) == []
    found = audited(altered(game.events, seq, streak=1))
    assert found[0] == (seq, "G-DEALER-1", "wrong_streak")
