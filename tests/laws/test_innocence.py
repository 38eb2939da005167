"""Legal play is never guilty: the referee finds nothing in events made from its own offers, whatever the options."""

from __future__ import annotations

from replays.audit import CLEAN, audit
from replays.referee import judge
from tests.laws.games import Numbers, over_games
from tests.laws.play import random_game


@over_games()
def test_legal_play_is_never_guilty(numbers: Numbers, passes: bool) -> None:
    for number in numbers:
        game = random_game(number, passes=passes)
        for table, event in zip(game.tables, game.events[1:], strict=False):
            assert judge(table, event) == [], (number, event)
        report = audit(game.events)
        assert (report.verdict, report.findings, report.error) == (CLEAN, (), None)
        assert report.events == len(game.events)
        assert ("passes" in report.unproven) is not passes


@over_games()
def test_the_engine_pays_what_was_settled(numbers: Numbers, passes: bool) -> None:
    """A clean log's own settlement is the engine's, and its scores are the engine's."""
    for number in numbers:
        game = random_game(number, passes=passes)
        report = audit(game.events)
        settled = [event.deltas for event in game.events if event.type == "settled"]
        assert settled == [hand.deltas for hand in report.hands if hand.win != "voided"], number
        begin = game.events[0].scores
        totals = tuple(sum(column) for column in zip(begin, *settled, strict=True))
        assert totals == game.events[-1].scores == tuple(map(sum, zip(begin, *settled, strict=True)))
        # The report's scores are those at the end, or what was gained since the start.
        assert report.scores in (totals, tuple(a - b for a, b in zip(totals, begin, strict=True)))
