"""One game, audited as it grows: every event is judged once, whenever a report is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from replays.audit import UNREADABLE, Auditor, Report
from replays.events import Event, GameEnded, GameStarted, HandEnded, HandStarted
from replays.reducer import Impossible
from schema.paipu import FORMAT, decode
from schema.report import report_document
from service.evidence.bundles.sight import Course
from service.store import StoredEvent
from service.store.live import LiveAudit
from service.usecases.audits import STORED_LANG


class Settled(NamedTuple):
    """The report for everybody who may see the game: on the events up to ``seq``, before the hand under way."""

    seq: int
    report: Report

    def document(self) -> dict[str, Any]:
        """The JSON object of ``mingpai audit``."""
        return report_document(self.report, STORED_LANG)


class Following:
    """The audit of one game as far as its events were fed. Its reports are those of ``replays.audit.audit`` on the same
    events, byte for byte; an event that cannot be applied makes them unreadable from there on."""

    def __init__(self) -> None:
        self.seq = -1
        self.is_over = False
        self.settled: Settled | None = None
        self._auditor: Auditor | None = None
        self._course: Course | None = None
        self._format = FORMAT
        self._error: tuple[int, str] | None = None

    def feed(self, stored: Iterable[StoredEvent]) -> list[LiveAudit]:
        """Goes on with the next events; returns the audits at the ends of hands among them.

        ``Impossible`` where the first event starts no game; ``LogError`` for an event that cannot be read.
        """
        ends = []
        for one in stored:
            event = decode(one.body, one.seq + 1, format=self._format).event
            if isinstance(event, GameStarted):
                self._begin(event)
            else:
                self._follow(event)
            self.seq = one.seq
            self.is_over = isinstance(event, GameEnded)
            if isinstance(event, HandEnded):
                ends.append(self.audit(is_hand_end=True))
        if self._is_between() or self.is_over:
            self.settled = Settled(self.seq, self.report())
        return ends

    def report(self) -> Report:
        """The report on all events so far."""
        assert self._auditor is not None  # something was fed
        report = self._auditor.report()
        return report if self._error is None else report._replace(verdict=UNREADABLE, error=self._error)

    def audit(self, *, is_hand_end: bool = False) -> LiveAudit:
        """The same as it is kept."""
        return LiveAudit.of(report_document(self.report(), STORED_LANG), self.seq, is_hand_end=is_hand_end)

    def _begin(self, event: GameStarted) -> None:
        self._format = event.format
        self._auditor = Auditor(event)
        self._course = Course(self._auditor.table)

    def _follow(self, event: Event) -> None:
        if self._error is not None:
            return
        assert self._auditor is not None  # the store keeps no game that begins otherwise
        assert self._course is not None
        # What was settled is told by the last event before a hand: then the hand's own first event tells of the hand.
        before = self.report() if isinstance(event, HandStarted) else None
        try:
            self._auditor.feed(event)
            self._course.follow(event)
        except Impossible as error:
            self._error = event.seq, str(error)
            return
        if before is not None and self._course.under_way == event.seq:
            self.settled = Settled(event.seq - 1, before)

    def _is_between(self) -> bool:
        return self._course is not None and self._course.under_way is None
