"""Recorded against derived: one row for every number and tile that does not follow, none for acts."""

from __future__ import annotations

import pytest

from replays.audit import audit
from replays.differences import DERIVED, Difference, differences
from replays.finding import VIOLATION, Finding
from replays.rulebook import Settlement
from schema.words.findings import MESSAGES
from tests.laws.games import law
from tests.laws.play import Played


def finding(code: str, expected: dict[str, object], recorded: dict[str, object]) -> Finding:
    return Finding(7, 1, 2, "G-SCORE-1", code, VIOLATION, expected, recorded)


def test_every_code_is_one_of_the_engine() -> None:
    assert {*DERIVED} <= {key.rpartition("/")[2] for key in MESSAGES}


@pytest.mark.parametrize(
    ("code", "expected", "recorded", "rows"),
    [
        ("wrong_dealer", {"dealer": 1, "streak": 0}, {"dealer": 2, "streak": 0}, [("dealer", 2, 1)]),
        ("wrong_streak", {"dealer": 1, "streak": 0}, {"dealer": 1, "streak": 3}, [("streak", 3, 0)]),
        ("wrong_payment", {"deltas": [6, -6], "win": "you"}, {"deltas": [5, -5]}, [
            ("deltas[0]", 5, 6), ("deltas[1]", -5, -6),
        ]),
        ("scores_do_not_follow", {"scores": [1, 2]}, {"scores": [1, 2, 3]}, [("scores", [1, 2, 3], [1, 2])]),
        ("does_not_balance", {"sum": 0}, {"deltas": [1, 1]}, [("", {"deltas": [1, 1]}, {"sum": 0})]),
        ("not_the_walls_tile", {"tile": "1m"}, {"tile": "2m"}, [("tile", "2m", "1m")]),
        ("wrong_item", {"seat": 0, "value": 2}, {"seat": 0, "value": 3}, [("value", 3, 2)]),
    ],
)  # fmt: skip
def test_rows(
    code: str, expected: dict[str, object], recorded: dict[str, object], rows: list[tuple[str, object, object]]
) -> None:
    found = differences([finding(code, expected, recorded)])
    assert [(one.member, one.recorded, one.derived) for one in found] == rows
    assert {(one.seq, one.seat, one.clause, one.code) for one in found} == {(7, 2, "G-SCORE-1", code)}


def test_acts_are_no_numbers() -> None:
    assert differences([finding("tiles_not_held", {"hand": ["1m"]}, {"with": ["2m"]})]) == ()


def test_nothing_recorded_says_nothing() -> None:
    assert differences([]) == ()


@law
def test_a_payment_that_is_moved_is_the_only_difference(game: Played) -> None:
    """Against an independent comparison of what is on record with what the engine settles."""
    events = list(game.events)
    at = next((place for place, event in enumerate(events) if event.type == "settled"), None)
    if at is None:
        return
    outcome = game.tables[at].outcome
    if outcome is None or not isinstance(outcome.settlement, Settlement):
        return
    deltas = list(events[at].deltas)
    deltas[0], deltas[1] = deltas[0] + 3, deltas[1] - 3
    events[at] = events[at]._replace(deltas=tuple(deltas), items=None)
    found = [one for one in differences(audit(events).findings) if one.seq == events[at].seq]
    owed = outcome.settlement.deltas
    assert {one.member: (one.recorded, one.derived) for one in found} == {
        f"deltas[{seat}]": (deltas[seat], owed[seat]) for seat in (0, 1)
    }
    assert all(isinstance(one, Difference) for one in found)


@law
def test_a_right_game_differs_nowhere(game: Played) -> None:
    assert differences(audit(game.events).findings) == ()
