"""The audit: fold, judge and settle over a log, and say what came out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from operator import add
from typing import Any, NamedTuple

from replays import ENGINE
from replays.clauses.ending import is_between
from replays.clauses.fairness import NONE, level_of
from replays.events import Event, GameEnded, GameStarted, HandEnded, HandStarted, Item, WallRevealed
from replays.finding import VIOLATION, Finding
from replays.reducer import Impossible, changes, start
from replays.referee import judge_envelope, judges
from replays.rulebook import Rulebook
from replays.table import BETWEEN, FINISHED, NOTHING, VOIDED, Table

CLEAN, VIOLATIONS, INCOMPLETE, UNREADABLE = "clean", "violations", "incomplete", "unreadable"


class HandResult(NamedTuple):
    """One finished hand. ``deltas`` are the engine's own, whatever the server recorded; ``win`` is the way that counts,
    or the recorded one where it is no win by the rules (then nothing is owed)."""

    hand: int
    dealer: int
    streak: int
    winner: int | None
    win: str | None
    clause: str | None
    factor: int
    water: int
    deltas: tuple[int, ...]
    items: tuple[Item, ...]
    state_hash: str


class Report(NamedTuple):
    """What an audit says of one game; ``scores`` are the engine's own. ``unproven`` names what the log cannot show:
    ``passes``, ``walls``, ``shuffle``, ``hands`` (a record that contradicts a hand's tiles). ``error`` says, in an
    unreadable log, which event could not be applied and why."""

    game: str
    ruleset: str
    ruleset_digest: str
    engine: str
    verdict: str
    events: int
    findings: tuple[Finding, ...]
    hands: tuple[HandResult, ...]
    scores: tuple[int, ...]
    fairness_level: int
    hands_proven: int
    unproven: tuple[str, ...]
    error: tuple[int, str] | None = None


class Auditor:
    """Audits one game event by event, in flat memory apart from what it reports.

    ``feed`` raises ``Impossible`` for an event that cannot be applied; the auditor then stays where it was.
    """

    def __init__(self, first: GameStarted) -> None:
        self.table: Table = start(first)
        self.events = 1
        self.findings: list[Finding] = []
        self.hands: list[HandResult] = []
        self.scores: tuple[int, ...] = self.table.scores
        self._proof: tuple[int, bool] | None = None  # level of the hand on hand, and whether it was re-derived
        self._levels: list[int] = []
        self._proven = 0
        self._unproven: dict[str, None] = {} if self.table.records.passes else {"passes": None}

    def feed(self, event: Event) -> list[Finding]:
        """Judges and applies one event; gives back what was found at it."""
        known = len(self.findings)
        self.feed_all((event,))
        return self.findings[known:]

    def feed_all(self, events: Iterable[Event]) -> None:
        """``feed`` for many events."""
        table, count = self.table, self.events
        steps = _steps(table.book, table.records.passes)
        due, before, hand = table.seq + 1, table.at, table.hand
        try:
            for event in events:
                change, judge, conclude = steps[type(event)]
                after = change(table, event)
                found = judge(table, event)
                seq, at = event.seq, event.at
                if seq != due or at < before or event.hand != hand:
                    found = judge_envelope(table, event) + found
                if conclude is not None:
                    conclude(self, table, after, found)
                    hand = after.hand
                if found:
                    self.findings += found
                table, due, before = after, seq + 1, at
                count += 1
        finally:
            self.table, self.events = table, count

    def _reveal(self, table: Table, after: Table, found: list[Finding]) -> None:
        if not after.is_revealed or table.is_revealed:
            return
        level = level_of(table)
        self._proof = level, level != NONE and not any(fault.clause.startswith("F-") for fault in found)

    def _end_hand(self, table: Table, after: Table, found: list[Finding]) -> None:
        if after.phase == BETWEEN != table.phase:
            self._close_hand(table, after)

    def _go_on(self, table: Table, after: Table, found: list[Finding]) -> None:
        """The next hand, or the end of the game, closes a voided hand that did not end."""
        if table.outcome == VOIDED and is_between(table):
            self._close_hand(table, table)

    def _close_hand(self, before: Table, after: Table) -> None:
        result = _result(before, after)
        self.hands.append(result)
        self.scores = tuple(map(add, self.scores, result.deltas))
        proof, self._proof = self._proof, None
        outcome = after.outcome
        if outcome is not None and outcome.is_in_doubt:
            self._unproven["hands"] = None
        if proof is None:
            self._unproven["walls"] = None
        elif proof[0] == NONE:
            self._unproven["shuffle"] = None
        level, is_proven = proof or (NONE, False)
        self._levels.append(level)
        self._proven += is_proven

    def report(self) -> Report:
        """What is known so far: ``incomplete`` until the game has ended, unless something was found."""
        table = self.table
        return Report(
            game=table.game,
            ruleset=table.book.id,
            ruleset_digest=table.book.digest,
            engine=ENGINE,
            verdict=self._verdict(),
            events=self.events,
            findings=tuple(sorted(self.findings, key=_by_seq)),
            hands=tuple(self.hands),
            scores=self.scores,
            fairness_level=min(self._levels, default=NONE),
            hands_proven=self._proven,
            unproven=tuple(sorted(self._unproven)),
        )

    def _verdict(self) -> str:
        if any(found.severity == VIOLATION for found in self.findings):
            return VIOLATIONS
        return CLEAN if self.table.phase == FINISHED else INCOMPLETE


_Conclude = Callable[[Auditor, Table, Table, list[Finding]], None]
_Step = tuple[Callable[[Table, Any], Table], Callable[[Table, Any], list[Finding]], _Conclude | None]

#: What the audit itself makes of some kinds of event: results of hands hang on them.
_CONCLUSIONS: dict[type, _Conclude] = {
    HandStarted: Auditor._go_on,
    WallRevealed: Auditor._reveal,
    HandEnded: Auditor._end_hand,
    GameEnded: Auditor._go_on,
}


@lru_cache(maxsize=256)
def _steps(book: Rulebook, passes: bool) -> dict[type, _Step]:
    """How each kind of event is applied, judged and concluded, without and with passes on record."""
    judged = judges(passes)
    return {kind: (change, judged[kind], _CONCLUSIONS.get(kind)) for kind, change in changes(book).items()}


def _by_seq(found: Finding) -> tuple[int, str, str]:
    return found.seq, found.clause, found.code


def _result(before: Table, after: Table) -> HandResult:
    outcome = after.outcome
    n = len(after.seats)
    settlement = outcome.settlement if outcome else None
    winner = outcome.winner if outcome and outcome.winner != NOTHING else None
    deltas = settlement.deltas if settlement else (0,) * n
    if outcome is not None and outcome.is_in_doubt and before.deltas is not None:
        deltas = before.deltas
    return HandResult(
        hand=before.hand,
        dealer=before.dealer,
        streak=before.streak,
        winner=winner,
        win=settlement.win if settlement else outcome.win if outcome else None,
        clause=settlement.clause if settlement else None,
        factor=settlement.factor if settlement else 0,
        water=settlement.water if settlement else 0,
        deltas=deltas,
        items=settlement.items if settlement else (),
        state_hash=after.state_hash(),
    )


def audit(events: Iterable[Event]) -> Report:
    """The report on one game, its events in order, the first one ``game_started``.

    Raises ``Impossible`` where that first event does not open a game; a later event that cannot be applied makes the
    report ``unreadable``, with everything before it still in.
    """
    iterator = iter(events)
    auditor = Auditor(_first(iterator))
    position = _Position(iterator)
    try:
        auditor.feed_all(position)
    except Impossible as error:
        auditor.events = position.count
        report = auditor.report()
        return report._replace(verdict=UNREADABLE, error=(position.seq, str(error)))
    return auditor.report()


def _first(events: Iterator[Any]) -> GameStarted:
    first = next(events, None)
    if not isinstance(first, GameStarted):
        raise Impossible("a log begins with game_started")
    return first


class _Position:
    """Passes events on and remembers which one is on hand, for the error that names it."""

    def __init__(self, events: Iterator[Event]) -> None:
        self.events = events
        self.count = 0
        self.seq = 0

    def __iter__(self) -> Iterator[Event]:
        for event in self.events:
            self.count += 1
            self.seq = event.seq
            yield event
