"""What goes wrong when a log is read, said in one line."""

from __future__ import annotations

import json
from typing import Any

#: How much of a value or a line is quoted in a message.
QUOTED = 60


class Number(str):
    """The text of a JSON number that is no integer of the contract: a fraction, too large, or not a number."""

    __slots__ = ()


class MismatchError(ValueError):
    """A value that is not what the format asks for; the reader adds source and line to make a ``LogError``."""

    def __init__(self, member: str | None, expected: str, found: str) -> None:
        super().__init__(member, expected, found)
        self.member = member
        self.expected = expected
        self.found = found

    def __str__(self) -> str:
        place = f"{self.member}: " if self.member is not None else ""
        return f"{place}expected {self.expected}, found {self.found}"


class LogError(ValueError):
    """A log that cannot be read: where (``source``, ``line`` from 1, ``member`` if one is to blame), what was
    ``expected`` there and what was ``found``. Its text is one line, and it pickles, for process pools."""

    def __init__(self, source: str, line: int, member: str | None, expected: str, found: str) -> None:
        super().__init__(source, line, member, expected, found)
        self.source = source
        self.line = line
        self.member = member
        self.expected = expected
        self.found = found

    def __str__(self) -> str:
        place = f"{self.source}, line {self.line}" if self.source else f"line {self.line}"
        return f"{place}: {MismatchError(self.member, self.expected, self.found)}"


def located(error: MismatchError, source: str, line: int) -> LogError:
    """The ``LogError`` of a mismatch in a line of a source."""
    return LogError(source, line, error.member, error.expected, error.found)


def show(value: Any) -> str:
    """``value`` as JSON for a message: one line, printable, cut to ``QUOTED`` characters."""
    if isinstance(value, Number):
        return cut(str(value))
    try:
        text = json.dumps(value, ensure_ascii=False)
        return cut(text if text.isprintable() else json.dumps(value))
    except (TypeError, ValueError, RecursionError):
        return f"a value of type {type(value).__name__}"


def quote(text: str) -> str:
    """Text of a log, such as a member's name or a line, for a message: printable, and cut."""
    return cut(text if text.isprintable() else json.dumps(text)[1:-1])


def cut(text: str) -> str:
    """The first ``QUOTED`` characters of ``text``, with a mark where more followed."""
    return text if len(text) <= QUOTED else text[: QUOTED - 1] + "…"
