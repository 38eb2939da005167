"""The command ``mingpai`` (明牌: tiles face up). ``main`` is its entry point.

Commands import what they need when they run: the offline ones load no database library and no server, and
``--help`` loads next to nothing.
"""

from __future__ import annotations

import sys
import traceback
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated

import typer

from replays import ENGINE
from service.cli.interrupts import keep_interrupts
from service.cli.output import UNREADABLE, error, show_what_can_be_shown

app = typer.Typer(
    name="mingpai",
    help="Replay and audit of mahjong game logs: the tiles lie face up.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

#: The modules that bring commands, each with ``register(app)``; light to import.
COMMAND_MODULES = (
    "service.cli.audit",
    "service.cli.replay",
    "service.cli.score",
    "service.cli.simulate",
    "service.cli.store_commands",
    "service.cli.database",
    "service.cli.evidence",
    "service.cli.keys",
    "service.cli.reaudit",
    "service.cli.verify",
)


def _print_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"mingpai {ENGINE}")
        raise typer.Exit


@app.callback()
def _mingpai(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Replay and audit of mahjong game logs: the tiles lie face up.

    Exit codes: 0 nothing found, 1 violations, 2 the input cannot be read or the call is wrong, 3 the store cannot be
    reached. With several inputs the highest wins.
    """


for _name in COMMAND_MODULES:
    if find_spec(_name) is not None:
        import_module(_name).register(app)


def main() -> None:
    """Runs the command line of this process."""
    show_what_can_be_shown()
    keep_interrupts()
    try:
        app()
    except Exception as failure:  # a crash must not look like violations, which exit code 1 means
        traceback.print_exc()
        error(f"internal error: {failure!r}")
        sys.exit(UNREADABLE)
