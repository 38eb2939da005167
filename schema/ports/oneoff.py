"""Audits of logs that are not stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol


class LogUnfitError(ValueError):
    """A log that gives no report: ``code`` is stable, ``details`` name the place where there is one."""

    def __init__(self, code: str, message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.details = details or {}


class OneOffRow(NamedTuple):
    """What was found in a log: the JSON objects of ``mingpai audit``, one a game, and what stopped the reading after
    the last of them, if anything did."""

    reports: Sequence[Mapping[str, Any]]
    stopped: Mapping[str, Any] | None


class OneOff(Protocol):
    """Audits a log, and keeps nothing of it."""

    def audit(self, log: bytes, lang: str) -> OneOffRow:
        """The reports on a log (paipu/1, plain or packed). ``LogUnfitError``."""
