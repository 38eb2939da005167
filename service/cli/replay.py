"""``mingpai replay``: the table at one step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from service.cli.output import (
    Format,
    FormatOption,
    Language,
    LanguageOption,
    console,
    fail,
    print_json,
    reader_may_leave,
)

if TYPE_CHECKING:
    from replays.table import Table
    from schema.paipu import Record


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("replay")(replay)


def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A game log (paipu/1); - is standard input.")],
    at: Annotated[int, typer.Option("--at", metavar="SEQ", min=0, help="The event after which to look.")],
    as_seat: Annotated[
        int | None, typer.Option("--as-seat", metavar="N", min=0, help="Hide what this seat could not see.")
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", metavar="ID", help="Which game of the file; without it the first.")
    ] = None,
    format: FormatOption = Format.text,
    lang: LanguageOption = Language.en,
) -> None:
    """Show the table after event SEQ and what every seat may do there."""
    table = _table_at(file, game, at)
    if as_seat is not None and as_seat >= table.players:
        fail(f"--as-seat {as_seat}: the seats of this game are 0-{table.players - 1}")
    document = _document(table, as_seat)
    with reader_may_leave():
        if format is Format.json:
            print_json(document)
            return
        from service.cli.drawing import draw

        draw(console(), document, lang.value)


def _document(table: Table, seat: int | None) -> dict[str, Any]:
    """The table and the legal acts, one list a seat; with ``seat`` only its own, and no hash over what it cannot
    see."""
    from replays.finding import act_document
    from replays.referee import offers
    from replays.view import picture

    acts = [[act_document(act) for act in one] for one in offers(table)]
    if seat is None:
        return {"table": picture(table), "acts": acts, "state_hash": table.state_hash()}
    return {"table": picture(table, seat), "acts": [one if i == seat else None for i, one in enumerate(acts)]}


def _table_at(file: str, game: str | None, seq: int) -> Table:
    from schema import paipu
    from schema.paipu import LogError
    from service.audits import open_input, unopened

    source = "standard input" if file == "-" else file
    try:
        with open_input(file) as stream:
            for records in paipu.games(paipu.read(stream, source=source)):
                first = next(records)
                if game is None or getattr(first.event, "game", None) == game:
                    return _replay(source, first, records, seq)
    except LogError as error:
        fail(str(error))
    except OSError as error:
        fail(unopened(file, error).text)
    return fail(f"{source}: no game {game}")


def _replay(source: str, first: Record, records: Iterator[Record], seq: int) -> Table:
    from replays.reducer import Impossible, apply, start
    from service.audits import unapplied

    place = first
    try:
        table = start(place.event)  # type: ignore[arg-type] # a game's first event is game_started
        while place.event.seq != seq:
            following = next(records, None)
            if following is None:
                fail(f"{source}: game {table.game} has no event {seq}; the last one is {place.event.seq}")
            place = following
            table = apply(table, place.event)
    except Impossible as error:
        fail(unapplied(source, place.line, place.event.seq, str(error)).text)
    return table
