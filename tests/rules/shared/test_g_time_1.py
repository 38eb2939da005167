"""G-TIME-1: the clock of a log may stand still, but must not run backwards."""

from __future__ import annotations

import pytest

from tests.rules.builders import Game, altered, audited, chosen_wall, findings, judged, table

BACKWARDS = ("G-TIME-1", "clock_backwards")
NOW = "2026-03-01T00:00:10.000Z"


@pytest.mark.parametrize(
    ("at", "is_right"),
    [
        pytest.param("2026-03-01T00:00:10.000Z", True, id="the-same"),
        pytest.param("2026-03-01T00:00:10.001Z", True, id="a-millisecond-later"),
        pytest.param("2026-03-01T00:00:09.999Z", False, id="a-millisecond-earlier"),
        pytest.param("2026-03-02T00:00:00.000Z", True, id="a-day-later"),
        pytest.param("2026-02-28T23:59:59.999Z", False, id="a-month-earlier"),
        pytest.param("2027-01-01T00:00:00.000Z", True, id="a-year-later"),
        pytest.param("2025-12-31T23:59:59.999Z", False, id="a-year-earlier"),
    ],
)
def test_the_clock(at: str, is_right: bool) -> None:
    position = table(last="2m")
    assert position.at == NOW
    assert judged(position, "presence_changed", seat=0, state="left", at=at) == [BACKWARDS] * (not is_right)


def test_what_is_expected() -> None:
    early = "2026-03-01T00:00:09.000Z"
    (found,) = findings(table(last="2m"), "presence_changed", seat=0, state="left", at=early)
    assert found.expected == {"from": NOW}
    assert found.recorded == {"at": early}


@pytest.mark.parametrize("seq", [1, 3, 8, -1])
def test_in_a_whole_log(seq: int) -> None:
    events = Game().open(chosen_wall()).play_out().exhaust().close().end().events
    at = events[seq].seq
    log = altered(events, at, at="2026-02-01T00:00:00.000Z")
    assert audited(log) == [(at, *BACKWARDS)]


def test_a_clock_far_ahead_is_found_at_the_next_event() -> None:
    events = Game().open(chosen_wall()).play_out().exhaust().close().end().events
    log = altered(events, 5, at="2027-01-01T00:00:00.000Z")
    assert audited(log) == [(6, *BACKWARDS)]
