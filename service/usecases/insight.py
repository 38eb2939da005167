"""The port ``schema.ports.insight.Insight`` over the library of one viewer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from replays.differences import differences
from replays.events import Act, Won
from replays.finding import Finding
from replays.readings import Readings, readings_at, readings_of, waits
from replays.refusals import blocked, refusal, whole
from replays.seen import as_seen
from replays.settle import occasion
from replays.table import OVER, PLAYING, SETTLED
from replays.waterfall import ENDINGS, nets, waterfall
from schema.ports import HandUnknownError, NotAuditedError
from schema.ports.insight import (
    BlockedRow,
    DiffRow,
    ReadingsRow,
    WaitsRow,
    WaterfallRow,
    WayUnknownError,
    WhyNotRow,
)
from service.usecases.folds import Folds
from service.usecases.library import StoredLibrary


@dataclass(frozen=True, slots=True)
class StoredInsight:
    """Answers from what the viewer of ``library`` may see; the readings of staff go on record there."""

    library: StoredLibrary
    folds: Folds

    # A seat at a step

    def why_not(self, game: str, seq: int, seat: int, act: Act) -> WhyNotRow:
        table = self.library.table_of(game, seq, seat, "acts")
        if act.win is not None and act.win not in table.book.wins:
            raise WayUnknownError(table.book.wins)
        made = whole(table, seat, act) if table.phase in PLAYING else act
        return WhyNotRow(game, seq, table.hand, seat, made, refusal(table, seat, act), table.book.digest)

    def blocked(self, game: str, seq: int, seat: int) -> BlockedRow:
        table = self.library.table_of(game, seq, seat, "acts")
        return BlockedRow(game, seq, table.hand, seat, blocked(table, seat), table.book.digest)

    def waits(self, game: str, seq: int, seat: int) -> WaitsRow:
        table = as_seen(self.library.table_of(game, seq, seat, "hand"), seat)
        return WaitsRow(game, seq, seat, waits(table, seat), table.book.digest)

    def readings(self, game: str, seq: int, seat: int, most: int) -> ReadingsRow:
        table = self.library.table_of(game, seq, seat, "hand")
        is_won = table.phase in (OVER, SETTLED) and table.outcome is not None and table.outcome.winner == seat
        found = self._of_win(game, seq, most) if is_won else readings_at(table, seat, most)
        return ReadingsRow(game, seq, table.hand, seat, found, table.book.digest)

    def _of_win(self, game: str, seq: int, most: int) -> Readings | None:
        """The readings of the win that ended the hand at or before event ``seq``."""
        event = next((one for one in reversed(self.folds.events(game, seq + 1)) if isinstance(one, Won)), None)
        facts = None if event is None else occasion(self.folds.at(game, event.seq - 1), event)
        return None if facts is None else readings_of(self.folds.at(game, seq).book, facts, most)

    # A hand

    def waterfall(self, game: str, number: int) -> WaterfallRow:
        row = self.library.hand(game, number)
        events = self.folds.events(game, row.upto_seq + 1)
        end = next((one for one in reversed(events) if isinstance(one, ENDINGS) and one.hand == number), None)
        if end is None:
            raise HandUnknownError(number)
        table = self.folds.at(game, end.seq)
        strands = waterfall(self.folds.at(game, end.seq - 1), end, table)
        return WaterfallRow(game, number, strands, nets(strands, table.players), table.book.digest)

    def diff(self, game: str, number: int | None) -> DiffRow:
        self.library.game(game)
        if number is not None:
            self.library.hand(game, number)
        audit = self.library.audits([game]).get(game)
        if audit is None:
            raise NotAuditedError(game)
        found = [_finding(one) for one in audit.report["findings"] if number in (None, one["hand"])]
        return DiffRow(game, number, differences(found), audit.engine, audit.report["ruleset_digest"])


def _finding(document: Mapping[str, Any]) -> Finding:
    """A finding of a report, as the engine made it."""
    values = {**document, "also": tuple(document.get("also", ()))}
    values |= {name: document[name] or {} for name in ("expected", "recorded")}
    return Finding(**{name: values[name] for name in Finding._fields})
