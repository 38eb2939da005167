"""What the commands that need the store have in common: their settings, their exit codes, their progress bars."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from service.cli.output import NO_STORE, fail, note, shows_progress
from service.files import write_whole

if TYPE_CHECKING:
    from service.settings import Settings

_INTERRUPTED = 130  #: what shells report for a program that Ctrl-C ended


@contextmanager
def store_needed() -> Iterator[Settings]:
    """The settings; everything that keeps a command from its store ends it with one line and its exit code."""
    try:
        from service.evidence.keyring import KeyRingError
        from service.logs import log_as
        from service.postgres import EmbeddedError
        from service.settings import SettingError, Settings
        from service.store.errors import StoreUnavailableError
    except ModuleNotFoundError as missing:
        fail(f"this command needs the extra `service` ({missing.name} is missing): pip install 'mingpai[service]'")
    log_as("text")
    try:
        settings = Settings.from_environment()
        log_as(settings.log)
        yield settings
    except (SettingError, KeyRingError) as wrong:
        fail(str(wrong))
    except (StoreUnavailableError, EmbeddedError) as unreachable:
        fail(str(unreachable).strip().splitlines()[0], NO_STORE)
    except KeyboardInterrupt:
        note("interrupted")
        raise typer.Exit(_INTERRUPTED) from None


def write_out(content: Iterable[bytes], out: Path | None = None) -> None:
    """To standard output, or to a file that is whole or not there."""
    if out is None:
        for part in content:
            sys.stdout.buffer.write(part)
        sys.stdout.flush()
        return
    try:
        write_whole(out, content)
    except OSError as failure:
        fail(f"{out}: {failure.strerror or failure}")


@contextmanager
def counting(
    unit: str, total: int | None = None, is_shown: Callable[[], bool] = shows_progress
) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, told how many more are done; ``is_shown`` says whether it is of use."""
    if not is_shown():
        yield lambda count: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TimeElapsedColumn

    told = "{task.completed}" if total is None else "{task.completed} of {task.total}"
    columns = (SpinnerColumn(), f"{told} {unit}", TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda count: bar.advance(task, count)
