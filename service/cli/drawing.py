"""The table drawn for people: one block a seat, in turn order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from replays.tiles import HIDDEN
from schema import catalogue
from schema.catalogue import act_text, label
from service.cli.output import printable

#: Colours of suits, by the letter of a tile's code.
COLOURS = {"m": "red", "p": "blue", "s": "green", "z": "magenta", "f": "yellow"}
DISCARDS_IN_A_ROW = 12


def draw(console: Console, document: Mapping[str, Any], lang: str) -> None:
    """The picture of a table and the acts of each seat, as ``mingpai replay`` has them."""
    table = document["table"]
    console.print(_heading(table, lang))
    console.print(_middle(table, lang))
    for seat, acts in zip(table["seats"], document["acts"], strict=True):
        console.print()
        for line in _seat(table, seat, acts, lang):
            console.print(line, soft_wrap=False)


def _heading(table: Mapping[str, Any], lang: str) -> Text:
    step = label("step", lang, seq=table["seq"])
    hand = f"{label('hand', lang)} {table['hand']}"
    phase = catalogue.phase(table["phase"], lang)
    return Text.assemble((printable(table["game"]), "bold"), f"  {step}  {hand}  ", (phase, "bold"))


def _middle(table: Mapping[str, Any], lang: str) -> Text:
    line = Text(f"{label('wall', lang)} {label('tiles', lang, count=table['left'])}")
    if table["golds"]:
        line.append(f"   {label('gold', lang)} ").append_text(_tiles(table["golds"]))
    if table["open"] is not None:
        act = catalogue.act_text({"act": table["open"]["act"]}, lang)
        line.append(f"   {label('seat', lang)} {table['open']['seat']}{label('colon', lang)}{act} ")
        line.append_text(_tiles([table["open"]["tile"]]))
    if table["outcome"] is not None:
        line.append(f"   {_outcome(table['outcome'], lang)}")
    return line


def _outcome(outcome: Mapping[str, Any], lang: str) -> str:
    if outcome["winner"] is None:
        return label("no_winner", lang) if outcome["win"] is None else catalogue.way(outcome["win"], lang)
    return f"{label('seat', lang)} {outcome['winner']}{label('colon', lang)}{catalogue.way(outcome['win'], lang)}"


def _seat(
    table: Mapping[str, Any], seat: Mapping[str, Any], acts: Sequence[Mapping[str, Any]] | None, lang: str
) -> list[Text]:
    number = seat["seat"]
    marks = "▶" if table["turn"] == number else " "
    dealer = f"  {label('dealer', lang)}" + (f" {table['streak']}" if table["streak"] else "")
    head = Text.assemble(
        f"{marks} ",
        (f"{label('seat', lang)} {number}", "bold"),
        f"  {printable(seat['player'])}  {table['scores'][number]:+d}",
        dealer if table["dealer"] == number else "",
    )
    if seat["level"] is not None:
        head.append(f"  {catalogue.way(seat['level'], lang)}", style="bold yellow")
    if seat.get("in_doubt"):
        head.append(f"  ({label('in_doubt', lang)})", style="red")
    return [head, *_rows(seat, acts, lang)]


def _rows(seat: Mapping[str, Any], acts: Sequence[Mapping[str, Any]] | None, lang: str) -> list[Text]:
    hand = _tiles(seat["concealed"])
    if seat["drawn"] is not None:
        hand.append(f"   ({label('drawn', lang, tile=seat['drawn'])})")
    rows = [_row("concealed", hand, lang)]
    if seat["melds"]:
        rows.append(_row("melds", Text("  ").join(_tiles(meld["tiles"], "") for meld in seat["melds"]), lang))
    if seat["flowers"]:
        rows.append(_row("flowers", _tiles(seat["flowers"]), lang))
    discards = seat["discards"]
    for start in range(0, len(discards), DISCARDS_IN_A_ROW):
        name = "discards" if not start else ""
        rows.append(_row(name, _tiles(discards[start : start + DISCARDS_IN_A_ROW]), lang))
    if acts:
        rows.append(_row("acts", Text(label("comma", lang).join(act_text(act, lang) for act in acts)), lang))
    return rows


def _row(name: str, content: Text, lang: str) -> Text:
    heading = Text(label(name, lang) if name else "", style="dim")
    heading.align("left", 10)
    return Text("    ").append_text(heading).append_text(content)


def _tiles(codes: Sequence[str], between: str = " ") -> Text:
    tiles = (Text(code, style="dim" if code == HIDDEN else COLOURS.get(code[-1], "")) for code in codes)
    return Text(between).join(tiles)
