"""Audit of files: every game of every input, one after the other, in flat memory.

An input that cannot be read, or a game that cannot be applied, stops neither the games before it nor the inputs
after it: it comes out as an ``Audited`` with an ``error``.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any, NamedTuple

from replays import ENGINE
from replays.audit import UNREADABLE, Auditor, Report
from replays.events import Event, GameStarted
from replays.reducer import Impossible
from replays.table import FINISHED
from schema import paipu
from schema.paipu import LogError, Record
from schema.report import report_document

STANDARD_INPUT = "-"

#: Called now and then with the number of bytes of the input that were read so far.
Progress = Callable[[int], None]


class Fault(NamedTuple):
    """What stopped an input or a game: one line of text that names the place, and the same as JSON values."""

    text: str
    document: dict[str, Any]


class Audited(NamedTuple):
    """One game of an input. ``report`` is ``None`` where not even a game's start could be read; ``fault`` says what
    stopped the reading, and then the report holds what came before."""

    source: str
    report: Report | None
    fault: Fault | None = None

    def document(self, lang: str) -> dict[str, Any] | None:
        """The JSON object of this game, its ``error`` with the place in the input; ``None`` without a game."""
        if self.report is None:
            return None
        document = report_document(self.report, lang)
        return document if self.fault is None else document | {"error": self.fault.document}


def audit_path(path: str, progress: Progress | None = None) -> Iterator[Audited]:
    """Every game of a file, or of standard input for ``-``."""
    if path == STANDARD_INPUT:
        yield from audit_stream(sys.stdin.buffer, "standard input")
        return
    try:
        stream = Path(path).open("rb")  # noqa: SIM115 - closed by the with below
    except OSError as error:
        yield Audited(path, None, unopened(path, error))
        return
    with stream:
        for audited in audit_stream(stream, path):
            yield audited
            if progress is not None:
                progress(stream.tell())


def audit_paths(paths: Sequence[str], jobs: int) -> Iterator[Audited]:
    """Every game of several files, in their order, by ``jobs`` processes, one file each at a time. The reports on a
    file are kept until it is its turn."""
    with ProcessPoolExecutor(jobs) as pool:
        waiting = deque(pool.submit(_audit_whole, path) for path in paths[: 2 * jobs])
        try:
            for path in [*paths[2 * jobs :], *[None] * min(2 * jobs, len(paths))]:
                yield from waiting.popleft().result()
                if path is not None:
                    waiting.append(pool.submit(_audit_whole, path))
        finally:
            pool.shutdown(cancel_futures=True)


def _audit_whole(path: str) -> list[Audited]:
    return list(audit_path(path))


def open_input(path: str) -> Any:
    """A context manager that gives the stream of a file, or of standard input for ``-``; ``OSError`` as ``open``."""
    return nullcontext(sys.stdin.buffer) if path == STANDARD_INPUT else Path(path).open("rb")


def unopened(path: str, error: OSError) -> Fault:
    """A file that cannot be opened or read."""
    reason = error.strerror or str(error)
    return Fault(f"{path}: cannot be read: {reason}", {"source": path, "line": None, "reason": reason})


def audit_stream(stream: IO[bytes], source: str) -> Iterator[Audited]:
    """Every game of a stream; ``source`` is what errors call it."""
    games = paipu.games(paipu.read(stream, source=source))
    while True:
        try:
            game = next(games, None)
        except LogError as error:
            yield Audited(source, None, unread(error))
            return
        except OSError as error:
            yield Audited(source, None, unopened(source, error))
            return
        if game is None:
            return
        yield from _audit_game(game, source)


def unread(error: LogError) -> Fault:
    """A line that cannot be read."""
    place = {"source": error.source, "line": error.line, "member": error.member}
    return Fault(str(error), place | {"expected": error.expected, "found": error.found})


def unapplied(source: str, line: int, seq: int, reason: str) -> Fault:
    """An event that cannot be applied."""
    text = f"{source}, line {line}: event {seq} cannot be applied: {reason}"
    return Fault(text, {"source": source, "line": line, "seq": seq, "reason": reason})


def _audit_game(records: Iterator[Record], source: str) -> Iterator[Audited]:
    first = next(records)
    assert isinstance(first.event, GameStarted)  # the reader lets no game begin otherwise
    try:
        auditor = Auditor(first.event)
    except Impossible as error:
        fault = unapplied(source, first.line, first.event.seq, str(error))
        yield Audited(source, _unopened_game(first.event, str(error)), fault)
        return
    feed = _Feed(records)
    try:
        auditor.feed_all(feed)
    except Impossible as error:
        auditor.events = feed.count
        report = auditor.report()._replace(verdict=UNREADABLE, error=(feed.seq, str(error)))
        yield Audited(source, report, unapplied(source, feed.line, feed.seq, str(error)))
        return
    yield from _read_so_far(source, auditor, feed.stopped)


def _read_so_far(source: str, auditor: Auditor, stopped: Fault | None) -> Iterator[Audited]:
    """The report; where the reading stopped after the game's end, what stopped it is none of this game's."""
    report = auditor.report()
    if stopped is None or auditor.table.phase != FINISHED:
        yield Audited(source, report, stopped)
        return
    yield Audited(source, report)
    yield Audited(source, None, stopped)


def _unopened_game(event: GameStarted, reason: str) -> Report:
    """The report on a game that cannot even start: another rule set, an unknown option, a wrong number of seats."""
    scores = event.scores or (0,) * len(event.seats)
    return Report(
        event.game, event.ruleset, "", ENGINE, UNREADABLE, 0, (), (), scores, 0, 0, (), (event.seq, reason)
    )  # fmt: skip


class _Feed:
    """The events of a game's records; it remembers which one is on hand, and what stopped the reading."""

    def __init__(self, records: Iterator[Record]) -> None:
        self._records = records
        self.count = 0
        self.line = 0
        self.seq = 0
        self.stopped: Fault | None = None

    def __iter__(self) -> Iterator[Event]:
        try:
            for line, _, event in self._records:
                self.count += 1
                self.line = line
                self.seq = event.seq
                yield event
        except LogError as error:
            self.stopped = unread(error)
