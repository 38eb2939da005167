"""``mingpai audit``: reads logs, replays, re-scores, reports."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.output import (
    NOTHING_FOUND,
    UNREADABLE,
    VIOLATIONS,
    Format,
    FormatOption,
    Language,
    LanguageOption,
    console,
    error,
    note,
    print_json,
    printable,
    reader_may_leave,
    shows_progress,
)

if TYPE_CHECKING:
    from service.audits import Audited


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("audit")(audit)


def audit(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Game logs (paipu/1); - is standard input.")],
    format: FormatOption = Format.text,
    lang: LanguageOption = Language.en,
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="N", min=1, max=256, help="Processes that share the files; - takes one.")
    ] = 1,
) -> None:
    """Read logs, replay and re-score them, and report what was wrong.

    Exit code 0: nothing found; 1: violations; 2: something cannot be read, everything else is still reported.
    """
    run = _Run(format, lang.value)
    with reader_may_leave():
        for audited in _audited(files, jobs):
            run.show(audited)
    raise typer.Exit(run.code)


def _audited(files: list[str], jobs: int) -> Iterator[Audited]:
    from service.audits import STANDARD_INPUT, audit_path, audit_paths

    if min(jobs, len(files)) > 1 and STANDARD_INPUT not in files:
        yield from audit_paths(files, min(jobs, len(files)))
        return
    with _progress(files) as advance:
        for path in files:
            yield from audit_path(path, advance(path))


class _Run:
    """Prints one game after the other and keeps the exit code."""

    def __init__(self, format: Format, lang: str) -> None:
        self.code = NOTHING_FOUND
        self._lang = lang
        self._seen: dict[str, str] = {}
        self._print = self._print_json if format is Format.json else self._print_text
        self._console = console()

    def show(self, audited: Audited) -> None:
        """One game, or what could not be read."""
        from replays.audit import VIOLATIONS as FOUND

        if audited.report is not None:
            self._note_twice(audited.report.game, audited.source)
            self._print(audited)
            if audited.report.verdict == FOUND:
                self.code = max(self.code, VIOLATIONS)
        if audited.fault is not None:
            sys.stdout.flush()
            error(audited.fault.text)
            self.code = UNREADABLE

    def _note_twice(self, game: str, source: str) -> None:
        earlier = self._seen.get(game, "")
        if earlier:
            note(f"game {game} is in {earlier} and again in {source}")
        # Said once a game; a file of copies must not drown everything else.
        self._seen[game] = "" if game in self._seen else source

    def _print_json(self, audited: Audited) -> None:
        document = audited.document(self._lang)
        if document is not None:
            print_json(document)

    def _print_text(self, audited: Audited) -> None:
        from service.cli.report_text import print_report

        assert audited.report is not None
        print_report(self._console, audited.report, audited.source, self._lang)


@contextmanager
def _progress(files: list[str]) -> Iterator[Callable[[str], Callable[[int], None] | None]]:
    """A bar over the bytes of all files, on a terminal only; gives for each file what to call with its bytes read."""
    if not shows_progress():
        yield lambda path: None
        return
    from rich.console import Console
    from rich.progress import Progress

    sizes = {path: _size(path) for path in files}
    done: dict[str, int] = {}
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("audit", total=sum(sizes.values()) or None)

        def advance(path: str) -> Callable[[int], None]:
            bar.update(task, description=printable(Path(path).name))

            def read(size: int) -> None:
                done[path] = size
                bar.update(task, completed=sum(done.values()))

            return read

        yield advance


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0
