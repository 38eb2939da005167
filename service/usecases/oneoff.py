"""Audits of logs that are sent, not stored: each in a process of its own, which has bounds and can be ended.

An audit is all processor time, so in a thread of the service it would slow down every other request, and one that takes
too long could not be stopped. Starting a process costs a fifth of a second.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any, NamedTuple

from schema.ports import Viewer
from schema.ports.oneoff import LogUnfitError, OneOffRow
from service.usecases.oneoff_answers import HEADS
from service.usecases.oneoff_process import NO_MEMORY, NO_ROOM
from service.usecases.oneoff_replay import Question

_ROOT = Path(__file__).resolve().parents[2]
_MODULE = "service.usecases.oneoff_process"
_MEMORY = 1024**3  #: bytes of address space: the engine is flat, what it found is not
_OUTPUT = 32 * 1024**2
_PATIENCE = 2  #: times its processor time, where others use the processors too

UNREADABLE, TOO_LARGE, TIME_LIMIT, BUSY = "log_unreadable", "log_too_large", "time_limit", "busy"


class Bounds(NamedTuple):
    """What one audit may take: ``size`` bytes of log as it is sent, ``seconds`` of processor time; ``at_once`` of them
    side by side."""

    size: int
    seconds: int
    at_once: int


#: A game of 100,000 events fits in plainly.
KEYED = Bounds(size=16 * 1024**2, seconds=60, at_once=2)
#: Everybody may have a game looked at, and shares one process.
PUBLIC = Bounds(size=1024**2, seconds=10, at_once=1)


class OneOffAudits:
    """The audits of one service; those without a key cannot take the place of those with one."""

    def __init__(self, keyed: Bounds = KEYED, public: Bounds = PUBLIC) -> None:
        self._keyed = (keyed, BoundedSemaphore(keyed.at_once))
        self._public = (public, BoundedSemaphore(public.at_once))

    def bounds(self, viewer: Viewer) -> Bounds:
        """What an audit for ``viewer`` may take."""
        return self._of(viewer)[0]

    def audit(self, viewer: Viewer, log: bytes, lang: str) -> OneOffRow:
        """The reports on a log. ``LogUnfitError``: see the codes above."""
        return _row(self._found(viewer, log, lang, None))

    def heads(self, viewer: Viewer, log: bytes, lang: str) -> OneOffRow:
        """The same, with what a page shows beside the reports."""
        return _row(self._found(viewer, log, lang, Question(HEADS)))

    def ask(self, viewer: Viewer, log: bytes, lang: str, question: Question) -> Mapping[str, Any]:
        """The answer to a question about one game of a log. ``LogUnfitError``: see the codes above, and what the log
        does not have."""
        (found,) = self._found(viewer, log, lang, question)
        if "refused" in found:
            raise LogUnfitError(**found["refused"])
        answer: Mapping[str, Any] = found["answer"]
        return answer

    def _found(self, viewer: Viewer, log: bytes, lang: str, question: Question | None) -> list[dict[str, Any]]:
        bounds, places = self._of(viewer)
        if len(log) > bounds.size:
            raise too_large(bounds)
        with _place(places):
            return _run(log, lang, bounds, question)

    def _of(self, viewer: Viewer) -> tuple[Bounds, BoundedSemaphore]:
        return self._public if viewer.principal is None else self._keyed


@dataclass(frozen=True, slots=True)
class BoundOneOff:
    """``schema.ports.oneoff.OneOff`` for ``viewer``."""

    audits: OneOffAudits
    viewer: Viewer

    def audit(self, log: bytes, lang: str) -> OneOffRow:
        return self.audits.audit(self.viewer, log, lang)


def too_large(bounds: Bounds) -> LogUnfitError:
    """The error of a log that is larger than may be sent."""
    return LogUnfitError(TOO_LARGE, f"A log has at most {bounds.size} bytes here; larger ones: mingpai audit.")


@contextmanager
def _place(places: BoundedSemaphore) -> Iterator[None]:
    if not places.acquire(blocking=False):
        raise LogUnfitError(BUSY, "As many audits as may be are under way; try again later.")
    try:
        yield
    finally:
        places.release()


def _run(log: bytes, lang: str, bounds: Bounds, question: Question | None) -> list[dict[str, Any]]:
    numbers = map(str, (bounds.seconds, _MEMORY, _OUTPUT))
    asked = [] if question is None else [json.dumps(question._asdict())]
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", _MODULE, lang, *numbers, *asked],
            input=log,
            capture_output=True,
            timeout=_PATIENCE * bounds.seconds,
            env={"PYTHONPATH": str(_ROOT), "PATH": os.environ.get("PATH", "")},  # none of the service's settings
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _too_long(bounds) from None
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise _too_long(bounds)
    if done.returncode in (NO_MEMORY, NO_ROOM):
        raise LogUnfitError(TOO_LARGE, "What there is to say of this log is too much; audit it with: mingpai audit.")
    if done.returncode != 0:
        raise RuntimeError(f"an audit ended with {done.returncode}: {done.stderr.decode(errors='replace')[-2000:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def _too_long(bounds: Bounds) -> LogUnfitError:
    message = f"The audit takes longer than {bounds.seconds} seconds of processor time; audit it with: mingpai audit."
    return LogUnfitError(TIME_LIMIT, message)


def _row(found: list[dict[str, Any]]) -> OneOffRow:
    """The reports, and the fault that belongs to none of them; a log without any report is none."""
    reports = [one["report"] for one in found if one["report"] is not None]
    faults = [one["fault"] for one in found if one["report"] is None]
    details = {name: value for name, value in faults[-1].items() if name != "text"} if faults else None
    if not reports:
        assert details is not None  # whatever is read is a report or a fault
        raise LogUnfitError(UNREADABLE, f"{faults[-1]['text']}.", details)
    return OneOffRow(reports, details)
