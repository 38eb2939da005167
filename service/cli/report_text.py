"""An audit's report for people."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from replays.audit import CLEAN, INCOMPLETE, UNREADABLE, VIOLATIONS, HandResult, Report
from replays.finding import Finding
from replays.tiles import CODES
from schema import catalogue
from schema.catalogue import label
from service.cli.output import printable

STYLES = {CLEAN: "bold green", VIOLATIONS: "bold red", INCOMPLETE: "bold yellow", UNREADABLE: "bold red"}


def print_report(console: Console, report: Report, source: str, lang: str) -> None:
    """One game: the verdict on one line, then what was found, the hands, and what is proven."""
    console.print(_verdict(report, source, lang), soft_wrap=True)
    if report.findings:
        console.print(_findings(report.findings, lang))
    if report.hands:
        console.print(_hands(report, lang))
    for line in _proof(report, lang):
        console.print(Text("  " + line))
    console.print()


def _verdict(report: Report, source: str, lang: str) -> Text:
    events = label("events", lang, count=report.events)
    return Text.assemble(
        (printable(report.game), "bold"),
        f" ({printable(report.ruleset)}, {events}, {printable(source)})" + label("colon", lang),
        (catalogue.verdict(report.verdict, lang), STYLES[report.verdict]),
    )


def _grid(*headings: str) -> Grid:
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 2), collapse_padding=True, header_style="dim")
    for heading in headings[:-1]:
        grid.add_column(heading, no_wrap=True)
    grid.add_column(headings[-1])  # the only one that may need more than a line
    return grid


def _findings(findings: tuple[Finding, ...], lang: str) -> Grid:
    grid = _grid("", "seq", label("hand", lang), label("seat", lang), "", "")
    for found in findings:
        grid.add_row(
            "  ",
            str(found.seq),
            _number(found.hand),
            _number(found.seat),
            Text(found.clause, style="red"),
            Text(printable(catalogue.message(found, lang))),
        )
    return grid


def _hands(report: Report, lang: str) -> Grid:
    names = ("hand", "dealer", "streak", "winner", "way", "factor", "water", "payments", "items")
    grid = _grid("", *(label(name, lang) for name in names))
    for hand in report.hands:
        grid.add_row("  ", *_hand(hand, lang))
    total = [""] * (len(names) - 2) + [_amounts(report.scores), label("total", lang)]
    grid.add_row("  ", *total, style="bold")
    return grid


def _hand(hand: HandResult, lang: str) -> list[str]:
    way = label("no_winner", lang) if hand.win is None else catalogue.way(hand.win, lang)
    factor = f"×{hand.factor}" if hand.factor else "-"
    water = str(hand.water) if hand.factor else "-"
    seats = [str(hand.hand), str(hand.dealer), str(hand.streak), _number(hand.winner)]
    return [*seats, way, factor, water, _amounts(hand.deltas), ", ".join(_lines(hand))]


def _lines(hand: HandResult) -> Iterable[str]:
    """The items of a hand: the winner's own as one number; those that move several seats' as the amounts of all."""
    for code, tile in dict.fromkeys((item.code, item.tile) for item in hand.items):
        values = [0] * len(hand.deltas)
        for item in hand.items:
            if (item.code, item.tile) == (code, tile):
                values[item.seat] += item.value
        is_winners = not any(value for seat, value in enumerate(values) if seat != hand.winner)
        amounts = str(sum(values)) if is_winners else _amounts(tuple(values))
        yield f"{code}{'' if tile is None else ' ' + CODES[tile]} {amounts}"


def _amounts(amounts: tuple[int, ...]) -> str:
    return " ".join(f"{amount:+d}" for amount in amounts)


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)


def _proof(report: Report, lang: str) -> list[str]:
    colon, comma, stop = (label(mark, lang) for mark in ("colon", "comma", "semicolon"))
    lines = []
    if report.hands:
        proven = label("proven", lang, proven=report.hands_proven, hands=len(report.hands))
        level = f"{report.fairness_level}{comma}{catalogue.fairness(report.fairness_level, lang)}"
        lines.append(label("fairness", lang) + colon + level + stop + proven)
    if report.unproven:
        lines.append(
            label("unproven", lang) + colon + stop.join(catalogue.unproven(code, lang) for code in report.unproven)
        )
    return lines
