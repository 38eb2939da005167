"""``mingpai score``: one hand, or a file of hands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from service.cli.options import meld_documents, one_tile, rule_options, tile_codes
from service.cli.output import (
    NOTHING_FOUND,
    UNREADABLE,
    Format,
    Language,
    LanguageOption,
    console,
    error,
    fail,
    print_json,
    reader_may_leave,
)


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("score")(score)


def score(
    batch: Annotated[
        str | None, typer.Option("--batch", metavar="FILE", help="One hand (JSON) a line; - is standard input.")
    ] = None,
    ruleset: Annotated[str | None, typer.Option("--ruleset", metavar="ID", help="Rule set of the hand.")] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="An option of the rule set; repeatable.")
    ] = None,
    golds: Annotated[str, typer.Option("--golds", metavar="TILES", help="The flipped face kinds, such as 3m.")] = "",
    concealed: Annotated[
        str, typer.Option("--concealed", metavar="TILES", help="The hand without the winning tile: 123m 45p 11z.")
    ] = "",
    melds: Annotated[
        str, typer.Option("--melds", metavar="MELDS", help="chow:123p pung:1z exposed:5s added:5s concealed:5s.")
    ] = "",
    flowers: Annotated[str, typer.Option("--flowers", metavar="TILES", help="Flowers laid out, such as 13f.")] = "",
    tile: Annotated[
        str | None, typer.Option("--tile", metavar="TILE", help="The winning tile; none for an opening win.")
    ] = None,
    by: Annotated[
        str, typer.Option("--by", metavar="BY", help="self_draw, discard, rob_kong or opening.")
    ] = "self_draw",
    from_seat: Annotated[
        int | None, typer.Option("--from", metavar="N", help="The seat that discarded the tile or was robbed.")
    ] = None,
    players: Annotated[int, typer.Option("--players", help="Seats at the table.")] = 4,
    seat: Annotated[int, typer.Option("--seat", help="The winner's seat.")] = 0,
    dealer: Annotated[int, typer.Option("--dealer", help="The dealer's seat.")] = 0,
    streak: Annotated[int, typer.Option("--streak", help="How often the dealer has kept the deal.")] = 0,
    level: Annotated[
        str | None, typer.Option("--level", metavar="LEVEL", help="double_you or triple_you, if golds were discarded.")
    ] = None,
    heavenly_ready: Annotated[
        bool, typer.Option("--heavenly-ready", help="Ready at the opening, and the hand unchanged since.")
    ] = False,
    kong_replacement: Annotated[
        bool, typer.Option("--kong-replacement", help="The tile was drawn to replace a kong.")
    ] = False,
    right: Annotated[
        str | None, typer.Option("--right", metavar="RIGHT", help="rob_gold or covered_rob_gold, at the opening.")
    ] = None,
    format: Annotated[
        Format | None, typer.Option("--format", help="For people, or JSON; a batch gives JSON unless asked otherwise.")
    ] = None,
    lang: LanguageOption = Language.en,
) -> None:
    """Score one hand given by options, or every hand of a file.

    A hand that cannot be read or cannot exist is an error, and the exit code 2; in a batch its line has the error.
    """
    if batch is not None:
        if ruleset is not None or concealed:
            fail("--batch FILE has its hands in the file: give no other hand")
        raise typer.Exit(_score_batch(batch, format or Format.json, lang))
    if ruleset is None:
        fail("give a hand by --ruleset, --golds, --concealed …, or a file by --batch")
    hand: dict[str, Any] = {
        "ruleset": ruleset,
        "options": rule_options(option or []),
        "players": players,
        "seat": seat,
        "dealer": dealer,
        "streak": streak,
        "golds": tile_codes("--golds", golds),
        "concealed": tile_codes("--concealed", concealed),
        "melds": meld_documents("--melds", melds),
        "flowers": tile_codes("--flowers", flowers),
        "tile": one_tile("--tile", tile),
        "by": by,
        "from": from_seat,
        "kong_replacement": kong_replacement,
        "opening": by == "opening",
        "level": level,
        "heavenly_ready": heavenly_ready,
        "right": right,
    }
    _score_one(hand, format or Format.text, lang)


def _score_one(hand: dict[str, Any], format: Format, lang: Language) -> None:
    from schema.scoring import ScoreError, score_document

    try:
        result = score_document(hand)
    except ScoreError as problem:
        fail(str(problem))
    with reader_may_leave():
        _show(hand, result, format, lang)


def _show(hand: dict[str, Any], result: dict[str, Any], format: Format, lang: Language) -> None:
    if format is Format.json:
        print_json(result)
        return
    from service.cli.score_text import print_score

    print_score(console(), hand, result, lang.value)


def _score_batch(path: str, format: Format, lang: Language) -> int:
    """One result a line, in the order of the hands; the exit code."""
    from schema.paipu import LogError
    from service.audits import open_input, unopened

    code = NOTHING_FOUND
    try:
        with open_input(path) as stream, reader_may_leave():
            for place, hand, result in _results(stream, "standard input" if path == "-" else path):
                if "error" in result:
                    error(f"{place}: {result['error']['message']}")
                    code = UNREADABLE
                if "error" in result and format is Format.text:
                    continue
                _show(hand, result, format, lang)
    except LogError as problem:  # a line too long, or packed data that breaks off: no more lines can be told apart
        fail(str(problem))
    except OSError as problem:
        fail(unopened(path, problem).text)
    return code


def _results(stream: Any, source: str) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Each hand's place, document and result."""
    from schema.paipu.errors import MismatchError
    from schema.paipu.parsing import parse
    from schema.paipu.streams import lines
    from schema.scoring import ScoreError, score_document

    for number, line in lines(stream, source):
        place = f"{source}, line {number}"
        try:
            hand = parse(line)
            yield place, hand, score_document(hand)
        except MismatchError as problem:
            about = {"member": problem.member, "expected": problem.expected, "message": str(problem)}
            yield place, {}, {"error": about}
        except ScoreError as problem:
            yield place, {}, problem.document()
