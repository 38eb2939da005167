"""A scored hand for people: the way, its breakdown, and how its golds can be read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from replays.hands import Reading
from replays.tiles import CODES
from schema import catalogue
from schema.catalogue import label
from schema.scoring import readings_of

#: More readings than anybody reads; how many there are stands above them.
SHOWN_READINGS = 50


def print_score(console: Console, hand: Mapping[str, Any], result: Mapping[str, Any], lang: str) -> None:
    """The result of ``mingpai score`` on one hand."""
    if not result["wins"]:
        console.print(_no_win(result["why"], lang))
        return
    console.print(_headline(result, lang))
    for line in (*_items(result, lang), _payments(result, lang), *_readings(hand, lang)):
        console.print(line)
    console.print()


def _no_win(why: Mapping[str, Any], lang: str) -> Text:
    clause = str(why["clause"])
    reason = f"{label('colon', lang)}{catalogue.title(clause, lang)} ({clause})"
    return Text.assemble((label("no_win", lang), "bold yellow"), reason)


def _headline(result: Mapping[str, Any], lang: str) -> Text:
    colon, comma = label("colon", lang), label("comma", lang)
    parts = [catalogue.way(result["win"], lang), *(catalogue.shape(name, lang) for name in result.get("names") or ())]
    numbers = f"×{result['factor']}"
    if result["water"]:
        numbers += f"{comma}{label('water', lang)} {result['water']}"
    return Text.assemble((label("wins", lang), "bold green"), f"{colon}{comma.join(parts)}{comma}{numbers}")


def _items(result: Mapping[str, Any], lang: str) -> Iterable[Text]:
    for item in result["items"]:
        about = f" {item['tile']}" if item.get("tile") else ""
        yield Text(f"  {item['value']:>4}  {item['code']:<10}  {catalogue.title(item['code'], lang)}{about}")


def _payments(result: Mapping[str, Any], lang: str) -> Text:
    amounts = " ".join(f"{amount:+d}" for amount in result["deltas"])
    return Text(f"  {label('payments', lang)}{label('colon', lang)}{amounts}")


def _readings(hand: Mapping[str, Any], lang: str) -> Iterable[Text]:
    """Every reading, golds in brackets as what they stand for; the one that counts first."""
    found = readings_of(hand)
    if not found:
        return
    yield Text(f"  {label('readings', lang, count=len(found))}{label('colon', lang)}")
    for number, reading in enumerate(found[:SHOWN_READINGS]):
        yield Text(f"    {' ' if number else '*'} {_reading_text(reading)}")
    if len(found) > SHOWN_READINGS:
        yield Text("      …")


def _reading_text(reading: Reading) -> str:
    return "  ".join(
        " ".join(f"[{CODES[kind]}]" if wild else CODES[kind] for kind, wild in zip(part.kinds, part.wild, strict=True))
        for part in reading
    )
