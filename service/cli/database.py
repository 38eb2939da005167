"""The commands of the store's database: ``db upgrade``, ``db check``, ``db forget``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from service.cli.needs import counting, store_needed
from service.cli.output import NOTHING_FOUND, VIOLATIONS, Format, FormatOption, fail, note, print_json, printable
from service.cli.verify import verifiers_of

if TYPE_CHECKING:
    from service.evidence.notes import Verifier
    from service.settings import Settings
    from service.usecases.checking import Checked

_database = typer.Typer(name="db", help="The database of the store.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.add_typer(_database)


@_database.command("upgrade")
def upgrade() -> None:
    """Bring the database to this program's revision, as the role of MINGPAI_MIGRATION_URL."""
    with store_needed() as settings:
        from service.store import upgraded

        sys.stdout.write(f"the database is at revision {upgraded(settings)}\n")


@_database.command("forget")
def forget(
    player: Annotated[str | None, typer.Option(help="Id of a player whose names are to be forgotten.")] = None,
    game: Annotated[str | None, typer.Option(help="With --seq: the game of the text.")] = None,
    seq: Annotated[int | None, typer.Option(help="With --game: the event whose free text is to be forgotten.")] = None,
) -> None:
    """Forget a player's names in all games, or the free text of an event. No proof hangs on them."""
    if (player is None) == (game is None) or (game is None) != (seq is None):
        fail("expected --player ID, or --game GAME with --seq SEQ")
    with store_needed() as settings:
        from service.store import opened

        with opened(settings) as store:
            if player is not None:
                sys.stdout.write(f"{store.erase_names(player)} names of {printable(player)} are forgotten\n")
            elif game is not None and seq is not None:
                done = "is forgotten" if store.erase_text(game, seq) else "is not there"
                sys.stdout.write(f"the text of {printable(game)}, seq {seq}, {done}\n")


@_database.command("check")
def check(
    checkpoint: Annotated[
        list[Path] | None,
        typer.Option(help="A checkpoint that was kept outside the database; may be given several times."),
    ] = None,
    key: Annotated[
        list[str] | None,
        typer.Option(help="Public key of the log, or a file of such keys; default: those of MINGPAI_LOG_KEYS."),
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, max=256, help="Processes; default: one a processor.")] = None,
    format: FormatOption = Format.text,
) -> None:
    """Derive every game, the log and its checkpoints anew from the stored bytes, and hold them against old checkpoints.

    Only a checkpoint from outside can show that a store was rolled back or rewritten as a whole. Exit code 1:
    something is not as it should be; the first such place of each game is named.
    """
    with store_needed() as settings:
        from service.store import opened
        from service.usecases.checking import check as checked

        outside = [_read(path) for path in checkpoint or []]
        verifiers = _verifiers(settings, key or [])
        if not verifiers:
            note("no key of the log is known here: signatures are not checked")
        with opened(settings) as store, counting("games", is_shown=sys.stderr.isatty) as advance:
            found = checked(store, verifiers, outside, jobs=jobs or len(os.sched_getaffinity(0)), watch=advance)
        _report(found, len(outside), format)
    raise typer.Exit(VIOLATIONS if found.faults else NOTHING_FOUND)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        fail(f"{path}: {error.strerror or error}")


def _verifiers(settings: Settings, given: list[str]) -> tuple[Verifier, ...]:
    """The keys given on the call, else those of the log's own ring, if there is one here."""
    from service.evidence.keyring import KeyRing, KeyRingError

    if given:
        return tuple(one for text in given for one in verifiers_of(text))
    if not settings.key_file.exists():
        return ()
    try:
        return tuple(key.verifier for key in KeyRing.load(settings.key_file).keys)
    except KeyRingError as error:
        fail(str(error))


def _report(found: Checked, outside: int, format: Format) -> None:
    counts = {"games": found.games, "events": found.events, "seals": found.seals, "checkpoints": found.checkpoints}
    if format is Format.json:
        document: dict[str, Any] = {**counts, "outside": outside, "sound": not found.faults}
        print_json({**document, "faults": [fault._asdict() for fault in found.faults]})
        return
    for fault in found.faults:
        sys.stdout.write(f"{printable(str(fault))}\n")
    told = ", ".join(_counted(count, name) for name, count in counts.items())
    if found.faults:
        sys.stdout.write(f"{told}: {_counted(len(found.faults), 'faults')}\n")
        return
    held = f"contains {_counted(outside, 'checkpoints')} from outside" if outside else "no outside checkpoint given"
    sys.stdout.write(f"{told}: sound; {held}\n")


def _counted(count: int, things: str) -> str:
    return f"{count} {things.removesuffix('s') if count == 1 else things}"
