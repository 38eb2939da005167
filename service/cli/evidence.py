"""The commands of the log: ``prove``, ``checkpoint``, ``log-key``. (``verify`` needs no store and stands apart.)"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.needs import store_needed, write_out
from service.cli.output import VIOLATIONS, Language, LanguageOption, fail, note, printable
from service.cli.verify import verifiers_of

if TYPE_CHECKING:
    from service.settings import Settings
    from service.store import Store
    from service.usecases.notary import Notary

_checkpoint = typer.Typer(name="checkpoint", help="The signed head of the log of sealed games.", no_args_is_help=True)
_log_key = typer.Typer(name="log-key", help="The keys that sign checkpoints and receipts.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command("prove")(prove)
    app.add_typer(_checkpoint)
    app.add_typer(_log_key)


@contextmanager
def _log() -> Iterator[tuple[Store, Notary, Settings]]:
    """The store and who signs over it; a log that is not what was signed before ends the command with exit code 1."""
    with store_needed() as settings:
        from service.evidence.rederiving import EvidenceError
        from service.store import opened
        from service.store.errors import StoreError, StoreUnavailableError, UnknownGameError
        from service.usecases.notary import notary_of

        try:
            with opened(settings) as store:
                yield store, notary_of(store, settings), settings
        except UnknownGameError as error:
            fail(str(error))
        except StoreUnavailableError:
            raise
        except (StoreError, EvidenceError) as error:
            fail(str(error), VIOLATIONS)


# -- Bundles -----------------------------------------------------------------------------------------------------------


def prove(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's id.")],
    as_seat: Annotated[int | None, typer.Option(min=0, max=3, help="Only what this seat may see.")] = None,
    out: Annotated[Path | None, typer.Option(help="File to write; standard output without it.")] = None,
    html: Annotated[Path | None, typer.Option(help="Also write it as a page to be printed.")] = None,
    lang: LanguageOption = Language.en,
) -> None:
    """Write the evidence bundle of a stored game, for `mingpai verify` and for anybody's own checker.

    A game that has ended is sealed first, and a checkpoint signed over it.
    """
    with _log() as (store, notary, _):
        from service.evidence.bundle_page import page
        from service.usecases.proving import prove as proven

        try:
            done = proven(store, notary, game, as_seat)
        except ValueError as error:
            fail(str(error))
        if html is not None:
            write_out([page(done.bundle, done.verification, lang.value).encode()], html)
        write_out([done.raw], out)
        if done.bundle["seal"] is None:
            note("the game is not sealed: the bundle proves nothing to others yet")
        else:
            note(f"to be verified with the key {notary.verifiers[-1].vkey}")


# -- Checkpoints -------------------------------------------------------------------------------------------------------


@_checkpoint.command("show")
def show() -> None:
    """Write the newest checkpoint, signed now if the log has grown, to standard output."""
    with _log() as (store, notary, _):
        from service.store.log import Log
        from service.usecases.sealing import seal_ended

        seal_ended(store)
        newest = notary.checkpoint()
        if newest is None:
            fail(_nothing(store))
        write_out([Log(store).cosigned(newest)])


@_checkpoint.command("export")
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where it goes, best on another machine.")],
) -> None:
    """Write the newest checkpoint to a file.

    One that is there and shows the log to be rolled back or rewritten is evidence, and stays.
    """
    with _log() as (store, notary, _):
        from service.usecases.publishing import export as exported
        from service.usecases.sealing import seal_ended

        seal_ended(store)
        try:
            checkpoint = exported(store, notary, file)
        except OSError as failure:
            fail(f"{file}: {failure.strerror or failure}")
        if checkpoint is None:
            fail(_nothing(store))
        sys.stdout.write(f"checkpoint of {checkpoint.size} seals, root {checkpoint.root.hex()}, is in {file}\n")


@_checkpoint.command("push")
def push(
    url: Annotated[str, typer.Argument(metavar="URL", help="The witness's submission prefix (C2SP tlog-witness).")],
    witness: Annotated[str, typer.Option(help="The witness's public key, or a file that holds it.")],
) -> None:
    """Have a witness cosign the newest checkpoint, and keep its cosignature."""
    with _log() as (store, notary, _):
        from service.evidence.witness import WitnessError
        from service.usecases.publishing import push_to
        from service.usecases.sealing import seal_ended

        keys = verifiers_of(witness)
        if len(keys) != 1:
            fail(f"--witness: expected one key, found {len(keys)}")
        seal_ended(store)
        try:
            lines = push_to(store, notary, url, keys[0])
        except LookupError:
            fail(_nothing(store))
        except WitnessError as refused:
            fail(str(refused), VIOLATIONS if refused.code in ("ahead", "conflict") else 2)
        sys.stdout.write(printable(lines.decode().rstrip("\n")) + "\n")


def _nothing(store: Store) -> str:
    if store.unsafe:
        return f"no checkpoint is signed on an unsafe database: {', '.join(store.unsafe)}"
    return "there is no checkpoint yet: no game has ended"


# -- Keys --------------------------------------------------------------------------------------------------------------


@_log_key.command("show")
def show_keys() -> None:
    """Write the public keys of the log, one a line, the newest last: for `mingpai verify --key` and for witnesses.

    A key that has leaked is not among them.
    """
    with _log() as (_, notary, _settings):
        for key in notary.ring.keys:
            if key.signer is None:
                note(f"leaked, not to be trusted alone: {key.verifier.vkey}")
            else:
                sys.stdout.write(f"{key.verifier.vkey}\n")


@_log_key.command("rotate")
def rotate(
    leaked: Annotated[
        bool, typer.Option("--leaked", help="The old key is known to others: forget its private half.")
    ] = False,
) -> None:
    """Sign with a new key from now on. The newest checkpoint is signed by both keys, unless the old one has leaked."""
    with _log() as (_, notary, settings):
        ring = notary.rotate(leaked=leaked)
        sys.stdout.write(f"{ring.vkeys[-1]}\n")
        note(f"{settings.key_file} holds {len(ring.keys)} keys; give the new public key to those who verify")
