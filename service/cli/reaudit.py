"""``mingpai reaudit``: every stored game audited again, and what the engine judges otherwise than before."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.needs import counting, store_needed
from service.cli.output import (
    NOTHING_FOUND,
    UNREADABLE,
    VIOLATIONS,
    Format,
    FormatOption,
    error,
    note,
    print_json,
    printable,
)

if TYPE_CHECKING:
    from service.usecases.reaudit import Reaudited


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("reaudit")(reaudit)


def reaudit(
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Go on with a run that broke off: leave out what this engine has audited."),
    ] = False,
    jobs: Annotated[int | None, typer.Option(min=1, max=256, help="Processes; default: one a processor.")] = None,
    format: FormatOption = Format.text,
) -> None:
    """Audit all stored games again, after a change of the engine, and report every verdict that changed.

    What earlier engines said stays in the store beside it. Exit code 0: no verdict changed; 1: some did; 2: a game
    cannot be audited, all others are; 3: no store.
    """
    run = _Run(format)
    with store_needed() as settings:
        from service.store import opened
        from service.usecases.reaudit import reaudit as reaudited

        with opened(settings) as store, counting("games", is_shown=sys.stderr.isatty) as advance:
            for done in reaudited(store, jobs=jobs or len(os.sched_getaffinity(0)), is_resumed=resume):
                run.show(done)
                advance(1)
    run.sum_up()
    raise typer.Exit(run.code)


class _Run:
    """Prints what changed and keeps the counts and the exit code."""

    def __init__(self, format: Format) -> None:
        self.code = NOTHING_FOUND
        self._format = format
        self._audited = self._kept = self._changed = 0

    def show(self, done: Reaudited) -> None:
        """One game."""
        self._audited += done.is_new
        self._kept += done.after is not None and not done.is_new
        if done.error is not None:
            sys.stdout.flush()
            error(f"game {done.game} cannot be audited: {done.error}")
            self.code = UNREADABLE
        if done.before is not None:
            self._changed += 1
            self.code = max(self.code, VIOLATIONS)
            self._print(done)

    def _print(self, done: Reaudited) -> None:
        before, after = done.before, done.after
        assert before is not None
        assert after is not None  # what cannot be audited is an error, not a change
        if self._format is Format.json:
            print_json({"game": done.game, "before": before._asdict(), "after": after._asdict()})
            return
        words = " -> ".join(f"{one.verdict} (engine {one.engine}, to seq {one.upto_seq})" for one in (before, after))
        sys.stdout.write(f"{printable(done.game)}: {words}\n")

    def sum_up(self) -> None:
        """The counts, for people."""
        sys.stdout.flush()
        note(f"{self._audited} games audited, {self._kept} left as they were, {self._changed} verdicts changed")
