"""G-SEQ-1: a gap or a repeat in ``seq`` is found in a file, and the replay goes on."""

from __future__ import annotations

from typing import Any

import pytest

from replays.audit import audit
from tests.rules.builders import Game, audited, chosen_wall, findings, judged, table

WRONG = ("G-SEQ-1", "wrong_seq")


@pytest.mark.parametrize(("seq", "is_right"), [(9, False), (10, False), (11, True), (12, False), (0, False)])
def test_each_number_follows(seq: int, is_right: bool) -> None:
    position = table(last="2m")
    assert position.seq == 10
    found = judged(position, "presence_changed", seat=0, state="left", seq=seq)
    assert found == [WRONG] * (not is_right)


def test_what_is_expected() -> None:
    (found,) = findings(table(last="2m"), "presence_changed", seat=0, state="left", seq=14)
    assert (found.seq, found.expected, found.recorded) == (14, {"seq": 11}, {"seq": 14})


def log() -> list[Any]:
    """A right log with one event in it that changes nothing."""
    game = Game().open(chosen_wall()).play("1m").emit("presence_changed", seat=0, state="left")
    return list(game.play_out().exhaust().close().end().events)


def idle(events: list[Any]) -> int:
    return int(next(event.seq for event in events if event.type == "presence_changed"))


def test_a_gap_is_found_once_and_the_replay_goes_on() -> None:
    events = log()
    at = idle(events)
    left = [event for event in events if event.seq != at]
    assert audited(left) == [(at + 1, *WRONG)]
    assert len(audit(left).hands) == 1


def test_a_repeat_is_found() -> None:
    events = log()
    at = idle(events)
    twice = [*events[: at + 1], events[at], *events[at + 1 :]]
    assert audited(twice) == [(at, *WRONG)]


def test_a_number_out_of_the_row_and_back() -> None:
    events = log()
    at = idle(events)
    events[at] = events[at]._replace(seq=at + 5)
    assert audited(events) == [(at + 1, *WRONG), (at + 5, *WRONG)]


def test_a_finding_elsewhere_keeps_its_own_number() -> None:
    """After a gap a discard that is not held is found at its own number."""
    game = Game().open(chosen_wall(draws="5m")).play("1m").draw()
    events = list(game.events)
    events.append(events[-1]._replace(seq=events[-1].seq + 3))
    found = audited(events)
    assert (events[-1].seq, *WRONG) in found
    assert (events[-1].seq, "S-TURN-1", "not_to_draw") in found
