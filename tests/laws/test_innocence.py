"""Legal play is never guilty: the referee finds nothing in events made from its own offers, whatever the options."""

from __future__ import annotations

from replays.audit import CLEAN, audit
from replays.referee import judge
from tests.laws.games import law
from tests.laws.play import Played


@law
def test_legal_play_is_never_guilty(game: Played) -> None:
    for table, event in zip(game.tables, game.events[1:], strict=False):
        assert judge(table, event) == [], event
    report = audit(game.events)
    assert (report.verdict, report.findings, report.error) == (CLEAN, (), None)
    assert report.events == len(game.events)
    assert ("passes" in report.unproven) is not game.tables[0].records.passes


@law
def test_the_engine_pays_what_was_settled(game: Played) -> None:
    """A clean log's own settlement is the engine's, and its scores are the engine's."""
    report = audit(game.events)
    settled = [event.deltas for event in game.events if event.type == "settled"]
    assert settled == [hand.deltas for hand in report.hands if hand.win != "voided"]
    totals = tuple(sum(column) for column in zip(game.events[0].scores, *settled, strict=True))
    assert totals == game.events[-1].scores == report.scores
