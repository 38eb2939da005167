"""The commands that fill the store and serve it: ``ingest``, ``export``, ``serve``, ``demo``.

Nothing of the store or the server is imported before one of them runs.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import quote

import typer

from service.cli.needs import counting, store_needed, write_out
from service.cli.output import (
    NOTHING_FOUND,
    UNREADABLE,
    VIOLATIONS,
    Format,
    FormatOption,
    console,
    error,
    fail,
    note,
    print_json,
    printable,
)

if TYPE_CHECKING:
    from service.api.limits import RequestLimits
    from service.demo import Shown
    from service.settings import Settings
    from service.store import Store
    from service.usecases.demo_keys import DemoKey
    from service.usecases.ingest import Outcome

PORT = 8000
_WIDE = 140  #: columns from which a sentence a game fits beside the rest

HostOption = Annotated[str, typer.Option(help="Address to listen on; others than 127.0.0.1 need MINGPAI_HOSTS.")]
PortOption = Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command("ingest")(ingest)
    app.command("export")(export)
    app.command("serve")(serve)
    app.command("demo")(demo)


# -- Into and out of the store -----------------------------------------------------------------------------------------


def ingest(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Game logs (paipu/1); - is standard input.")],
    format: FormatOption = Format.text,
) -> None:
    """Take whole logs into the store and audit them. Doing it again adds nothing.

    A game is stored whole or not at all; of a file that cannot be read to its end, the games before the bad line are
    kept. Exit code 1: violations found; 2: something was refused; 3: no store.
    """
    with store_needed() as settings:
        from service.store import opened
        from service.usecases.ingest import ingest_file

        code = NOTHING_FOUND
        with opened(settings) as store, counting("events") as advance:
            for path in files:
                try:
                    for outcome in ingest_file(store, path, lambda event: advance(1)):
                        code = max(code, _report(outcome, format))
                except OSError as unreadable:
                    error(f"{path}: {unreadable.strerror or unreadable}")
                    code = UNREADABLE
    raise typer.Exit(code)


def _report(outcome: Outcome, format: Format) -> int:
    """Prints what became of one game, and gives its exit code."""
    from service.usecases.ingest import Refused

    if isinstance(outcome, Refused):
        sys.stdout.flush()
        error(outcome.reason)
        return UNREADABLE
    if format is Format.json:
        print_json(outcome._asdict())
    else:
        counts = f"{outcome.added} events added, {outcome.skipped} there before"
        sys.stdout.write(f"{printable(outcome.game)}: {counts}; {outcome.verdict}\n")
    return VIOLATIONS if outcome.verdict == "violations" else NOTHING_FOUND


def export(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's id.")],
    out: Annotated[Path | None, typer.Option(help="File to write; standard output without it.")] = None,
) -> None:
    """Write a stored game as a log: the same events, in the same order, with the same members."""
    with store_needed() as settings:
        from service.store import opened
        from service.store.errors import UnknownGameError
        from service.usecases.export import export as exported

        try:
            with opened(settings) as store:
                write_out(exported(store, game), out)
        except UnknownGameError as unknown:
            fail(str(unknown))


# -- Serving -----------------------------------------------------------------------------------------------------------


def serve(
    host: HostOption = "127.0.0.1",
    port: PortOption = PORT,
) -> None:
    """Serve the API over MINGPAI_DATABASE_URL, or over the embedded server. Ctrl-C ends it."""
    with store_needed() as settings:
        from service.api import HOSTS
        from service.store import opened

        if settings.hosts is None and host not in HOSTS:
            fail(f"--host {host}: set MINGPAI_HOSTS to the names by which the service is to answer there")
        with _listening(host, port) as listener, opened(settings) as store:
            _serve(store, settings, listener)


@contextmanager
def _listening(host: str, port: int) -> Iterator[Any]:
    from service.api import PortError, bound

    try:
        with bound(host, port) as listener:
            yield listener
    except PortError as refused:
        fail(str(refused))


def _serve(
    store: Store, settings: Settings, listener: Any, keys: Sequence[DemoKey] = (), first: str | None = None
) -> None:
    """Serves until it is told to stop. ``keys`` are printed before, and the example is sent with one of them; ``first``
    is the path of a page to begin with."""
    from service.access.oidc import provider_settings
    from service.api import HOSTS, address, create_app
    from service.api import serve as run
    from service.api.example import curl
    from service.live.worker import audited_live
    from service.usecases.jobs import Worker, exporting_to
    from service.usecases.notary import notary_of
    from service.usecases.publishing import published

    limits = _limits(settings)
    base, draining, provider = address(listener), Event(), provider_settings(settings)
    notary = notary_of(store, settings)
    sys.stdout.write(f"\nServing at {base}/ (GraphQL: {base}/graphql, health: {base}/healthz)\n")
    if first is not None:
        sys.stdout.write(f"A disputed step, in the browser: {base}/{first}\n")
    sys.stdout.write(f"Evidence: {base}/checkpoint, signed by {notary.ring.vkeys[-1]}\n")
    sys.stdout.write("".join(f"{line}\n" for line in ("", *_key_lines(keys), curl(base, _example_key(keys)), "")))
    sys.stdout.write("Ctrl-C ends it.\n")
    sys.stdout.flush()
    publishing = published(store, notary, settings.checkpoint_seconds, settings.checkpoint_file)
    exporting = exporting_to(Worker(store, settings.export_folder))
    with publishing, audited_live(store, lease=settings.live_lease_seconds), exporting:
        hosts = settings.hosts or HOSTS
        app = create_app(
            store,
            notary,
            hosts=hosts,
            draining=draining,
            provider=provider,
            limits=limits,
            exports=settings.export_folder,
        )
        run(app, listener, draining=draining, drain_seconds=settings.drain_seconds, proxies=settings.proxies)
    note("stopped")


def _limits(settings: Settings) -> RequestLimits:
    from service.api.documents import DocumentsError
    from service.api.limits import limits_of

    try:
        return limits_of(settings)
    except DocumentsError as error:
        fail(f"MINGPAI_DOCUMENTS: {error}")


# -- The demonstration -------------------------------------------------------------------------------------------------


def demo(
    data: Annotated[Path | None, typer.Option(help="Data folder (default: MINGPAI_DATA).")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help=f"Port (default: {PORT}, or a free one where that is taken).")
    ] = None,
    games: Annotated[int, typer.Option(min=1, max=1000, help="Games without a fault for each rule set.")] = 6,
    once: Annotated[bool, typer.Option("--once", help="Do everything but serve.")] = False,
) -> None:
    """Start an own PostgreSQL, fill it with simulated games, some with a planted fault, audit them, and serve.

    The games stay in the data folder: a second run finds them there. A database of MINGPAI_DATABASE_URL is not used.
    """
    with store_needed() as settings:
        from service.store import opened

        folder = settings.data if data is None else data.expanduser().absolute()
        own = dataclasses.replace(settings, data=folder, database_url=None, migration_url=None)
        with nullcontext(None) if once else _listening("127.0.0.1", _demo_port(port)) as listener:
            note(f"starting PostgreSQL in {folder}")
            with opened(own) as store:
                shown = _take_in(store, games)
                _print_games(shown)
                if listener is not None:
                    _serve(store, own, listener, _demo_keys(store, shown), _first_fault(shown))


def _demo_port(asked: int | None) -> int:
    """The port that was asked for, else the usual one, else 0: a demonstration should not end at a taken port."""
    from service.api import PortError, bound

    if asked is not None:
        return asked
    try:
        with bound("127.0.0.1", PORT):
            return PORT
    except PortError:
        note(f"port {PORT} is taken: a free one is used")
        return 0


def _demo_keys(store: Store, shown: Sequence[Shown]) -> list[DemoKey]:
    """A key for each role; those of an earlier demonstration end. The player is one of the first game's. The games are
    opened to everybody, so that there is something to see without a key."""
    from service.usecases.demo_keys import demo_keys, open_to_all

    keys = list(demo_keys(store, store.game(shown[0].game).players[0]))
    open_to_all(store, [game.game for game in shown])
    return keys


def _first_fault(shown: Sequence[Shown]) -> str:
    """The path of the page at the first step at which something was found."""
    game, finding = next((game.game, game.report["findings"][0]) for game in shown if game.report["findings"])
    return f"replay?game={quote(game)}&step={finding['seq']}"


def _key_lines(keys: Sequence[DemoKey]) -> list[str]:
    """Keys as they are printed, each whole on a line of its own."""
    if not keys:
        return ["Without a key (mingpai keys create) there is what is open to everybody:", ""]
    lines = [f"{key.role.value:8} {key.text}  {printable(key.who)}" for key in keys]
    use = "Keys, to sign in with or to send (-H 'authorization: Bearer KEY'); those of an earlier run have ended:"
    return [use, *lines, ""]


def _example_key(keys: Sequence[DemoKey]) -> str | None:
    return next((key.text for key in keys if key.role.value == "auditor"), None)


def _take_in(store: Store, games: int) -> list[Shown]:
    """Every game of the demonstration, played where it is not stored yet."""
    from service.demo import DemoError, planned, take_in

    plans = list(planned(games))
    note(f"simulating, storing and auditing {len(plans)} games")
    shown = []
    with counting("games", len(plans), sys.stderr.isatty) as advance:
        for plan in plans:
            try:
                done = take_in(store, plan)
            except DemoError as refused:
                fail(str(refused))
            shown += [done] if done is not None else []
            advance(1)
    new = sum(game.is_new for game in shown)
    note(f"{new} games added, {len(shown) - new} were there before")
    return shown


def _print_games(shown: list[Shown]) -> None:
    """The table: what was planted, and what the audit found; its sentence where there is room for it."""
    from rich.table import Table

    paper = console()
    names = ("game", "shows", "verdict", "clause", *["first finding"] * (paper.width >= _WIDE))
    table = Table(*names, title="Games and their audits")
    for game in shown:
        first = next(iter(game.report["findings"]), {"clause": "", "message": ""})
        row = (game.game, game.shows, game.report["verdict"], first["clause"], first["message"])
        table.add_row(*row[: len(names)])
    paper.print(table)
