"""What commands share: exit codes, languages, where each kind of output goes.

JSON and reports go to standard output; errors, notes and progress bars to standard error. Text out of a log is data:
it is never read as markup, and control characters in it are shown, not obeyed.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console

NOTHING_FOUND = 0  #: warnings, and a log that just stops, count as nothing
VIOLATIONS = 1
UNREADABLE = 2  #: the input cannot be read, or the call is wrong
NO_STORE = 3

#: Columns of a report that goes into a file or a pipe: no line of it is ever broken.
FILE_WIDTH = 500


class Format(StrEnum):
    """How a report is printed."""

    text = "text"
    json = "json"


class Language(StrEnum):
    """The languages of ``schema.catalogue``."""

    en = "en"
    zh_hans = "zh-Hans"
    zh_hant = "zh-Hant"


FormatOption = Annotated[Format, typer.Option("--format", help="For people, or one JSON object a line.")]
LanguageOption = Annotated[Language, typer.Option("--lang", help="Language of messages and reports.")]


def fail(message: str, code: int = UNREADABLE) -> NoReturn:
    """Ends the command with one line on standard error."""
    error(message)
    raise typer.Exit(code)


def error(message: str) -> None:
    """One line on standard error about what cannot be read or done."""
    _say("error", message)


def note(message: str) -> None:
    """One line on standard error that changes nothing."""
    _say("note", message)


def _say(kind: str, message: str) -> None:
    sys.stderr.write(f"{kind}: {printable(message)}\n")


def printable(text: str) -> str:
    """``text`` with every control character (line ends too) as its escape, so that it stays one line of plain text."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)


def print_json(document: Mapping[str, Any]) -> None:
    """One JSON object on a line of its own, UTF-8 whatever the terminal's encoding."""
    text = json.dumps(document, ensure_ascii=False, separators=(", ", ": "))
    try:
        line = text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair: JSON can say it, UTF-8 cannot
        line = json.dumps(document).encode()
    sys.stdout.flush()
    sys.stdout.buffer.write(line + b"\n")


class _Page(Console):
    """A console that leaves it to ``reader_may_leave`` what happens when nobody reads any more."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console() -> Console:
    """Standard output for people: colours on a terminal only, and in a file or pipe no line ever broken."""
    width = None if sys.stdout.isatty() else FILE_WIDTH
    return _Page(file=sys.stdout, width=width, markup=False, highlight=False, emoji=False, safe_box=True)


def show_what_can_be_shown() -> None:
    """Makes standard output and error write as an escape what the terminal's encoding does not have."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def shows_progress() -> bool:
    """Whether a progress bar is of use: standard error is a terminal, and standard output does not scroll over it."""
    return sys.stderr.isatty() and not sys.stdout.isatty()


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """A reader such as ``head`` that has seen enough ends the output without a word."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())  # what is still to be flushed at exit goes there
        os.close(nowhere)
