"""G-SCORE-1: the scores at the start of a hand, at its end and at the end of the game follow from what was settled."""

from __future__ import annotations

from typing import Any

import pytest

from replays.audit import audit
from tests.rules.builders import Game, altered, audited, chosen_wall, findings, judged, seq_of, without

WRONG = ("G-SCORE-1", "scores_do_not_follow")
WINNER = {0: "111m222m333m444m55m333p"}


def finished(scores: tuple[int, ...] | None = None) -> list[Any]:
    game = Game(scores=scores).open(chosen_wall(WINNER)).win(0).close()
    return list(game.open(chosen_wall()).play_out().exhaust().close().end().events)


@pytest.mark.parametrize("scores", [None, (0, 0, 0, 0), (100, 200, -300, 7)])
def test_a_right_log(scores: tuple[int, ...] | None) -> None:
    events = finished(scores)
    assert audited(events) == []
    begin = scores or (0, 0, 0, 0)
    assert events[1].scores == begin
    assert events[-1].scores == tuple(a + b for a, b in zip(begin, audit(events).hands[0].deltas, strict=True))


@pytest.mark.parametrize("off", [(1, 0, 0, 0), (0, 0, 0, -1), (1, -1, 0, 0)])
@pytest.mark.parametrize(("kind", "nth"), [("hand_ended", -1), ("game_ended", 0)])
def test_scores_that_do_not_follow(kind: str, nth: int, off: tuple[int, ...]) -> None:
    events = finished()
    seq = seq_of(events, kind, nth)
    scores = tuple(a + b for a, b in zip(events[seq].scores, off, strict=True))
    found = audited(altered(events, seq, scores=scores))
    # What follows is measured against the scores on record.
    expected = [(seq, *WRONG)] if kind == "game_ended" else [(seq, *WRONG), (len(events) - 1, *WRONG)]
    assert found == expected


@pytest.mark.parametrize("hand", [0, 1])
def test_scores_at_the_start_of_a_hand(hand: int) -> None:
    events = finished((5, 6, 7, 8))
    seq = seq_of(events, "hand_started", hand)
    scores = tuple(reversed(events[seq].scores))
    found = audited(altered(events, seq, scores=scores))
    assert found[0] == (seq, *WRONG)


def test_what_is_expected() -> None:
    game = Game(scores=(5, 6, 7, 8))
    (found,) = findings(game.table, "hand_started", dealer=0, streak=0, scores=(0, 0, 0, 0), hand=1)
    assert (found.expected, found.recorded) == ({"scores": [5, 6, 7, 8]}, {"scores": [0, 0, 0, 0]})


@pytest.mark.parametrize(("scores", "expected"), [((3, -1, -1, -1), []), ((0, 0, 0, 0), [WRONG])])
def test_they_follow_what_was_settled_not_what_was_due(scores: tuple[int, ...], expected: list[Any]) -> None:
    game = Game().open(chosen_wall(WINNER)).win(0).settle((3, -1, -1, -1))
    assert judged(game.table, "hand_ended", scores=scores) == expected


def test_a_voided_hand_settles_to_nothing() -> None:
    game = Game(scores=(5, 6, 7, 8)).open(chosen_wall()).play("1m").emit("voided", reason="test")
    assert judged(game.table, "game_ended", scores=(5, 6, 7, 8)) == []
    assert judged(game.table, "game_ended", scores=(6, 5, 7, 8)) == [WRONG]


@pytest.mark.parametrize("is_right", [True, False])
def test_a_hand_voided_after_the_settlement(is_right: bool) -> None:
    game = Game().open(chosen_wall(WINNER)).win(0).settle()
    paid = game.table.deltas or ()
    game.emit("voided", reason="test")
    scores = (0, 0, 0, 0) if is_right else tuple(paid)
    assert judged(game.table, "game_ended", scores=scores) == [WRONG] * (not is_right)


def test_no_settlement_on_record() -> None:
    events = finished()
    seq = seq_of(events, "settled")
    assert WRONG not in [found[1:] for found in audited(without(events, seq))]
