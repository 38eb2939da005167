"""``mingpai simulate``: seeded games into files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from service.cli.options import rule_options
from service.cli.output import (
    Format,
    FormatOption,
    Language,
    LanguageOption,
    console,
    fail,
    print_json,
    reader_may_leave,
    shows_progress,
)

if TYPE_CHECKING:
    from service.simulator.counting import Counts
    from service.simulator.writing import Written

LIST, ALL = "list", "all"


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("simulate")(simulate)


def simulate(
    ruleset: Annotated[str | None, typer.Option("--ruleset", metavar="ID", help="Rule set of the games.")] = None,
    games: Annotated[int, typer.Option("--games", metavar="N", min=1, help="How many games.")] = 1,
    seed: Annotated[int | None, typer.Option("--seed", metavar="S", min=0, help="Same seed, same bytes.")] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Folder for the files, one a game.")] = None,
    scenario: Annotated[
        str | None,
        typer.Option("--scenario", metavar="NAME", help="Deal a chosen wall; 'all' for every one, 'list' to see them."),
    ] = None,
    hands: Annotated[
        int | None, typer.Option("--hands", metavar="H", min=1, help="Hands a game; scenarios have their own.")
    ] = None,
    players: Annotated[
        int | None,
        typer.Option("--players", metavar="N", help="Seats at the table; without it as many as there may be."),
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="An option of the rule set; repeatable.")
    ] = None,
    format: FormatOption = Format.text,
    lang: LanguageOption = Language.en,
) -> None:
    """Play seeded games by simple players, write them as logs, and print how often each way to win came up."""
    if scenario == LIST:
        _print_scenarios(ruleset, format)
        return
    if ruleset is None or seed is None or out is None:
        fail("--ruleset, --seed and --out are needed")
    if scenario is not None and (hands is not None or players is not None or option):
        fail("a scenario has its own hands, players and options")
    from replays.rulebook import OptionError
    from service.simulator.counting import Counts

    counts = Counts()
    try:
        if scenario is None:
            written = _games(out, ruleset, seed, games, hands, players, rule_options(option or []))
        else:
            written = _scenarios(out, ruleset, seed, games, scenario)
        with _progress(games) as advance:
            for one in written:
                counts.add(one.counts)
                advance()
    except (OptionError, FileExistsError) as problem:
        fail(str(problem))
    except OSError as problem:
        fail(f"{out}: cannot be written: {problem.strerror or problem}")
    _print_counts(counts, ruleset, out, format, lang.value)


def _games(
    out: Path, ruleset: str, seed: int, games: int, hands: int | None, players: int | None, options: dict[str, Any]
) -> Iterator[Written]:
    from service.simulator.games import HANDS, book_of, seats_at
    from service.simulator.writing import write_games

    book = book_of(ruleset, options)
    try:
        seats = seats_at(book, players)
    except ValueError as problem:
        fail(str(problem))
    return write_games(out, ruleset, seed, games, hands=hands or HANDS, options=options, players=seats)


def _scenarios(out: Path, ruleset: str, seed: int, games: int, scenario: str) -> Iterator[Written]:
    from service.simulator.games import book_of
    from service.simulator.writing import write_scenarios

    book_of(ruleset, {})
    names = _names(ruleset, scenario)
    return (one for number in range(games) for one in write_scenarios(out, ruleset, seed + number, names))


def _names(ruleset: str, scenario: str) -> tuple[str, ...]:
    from service.simulator.scenarios import SCENARIOS

    known = tuple(name for name, planned in SCENARIOS.items() if planned.ruleset == ruleset)
    if scenario == ALL:
        return known
    if scenario not in known:
        fail(f"no scenario {scenario} of rule set {ruleset}; there are {', '.join(known)}")
    return (scenario,)


def _print_scenarios(ruleset: str | None, format: Format) -> None:
    from service.simulator.scenarios import SCENARIOS

    chosen = {name: planned for name, planned in SCENARIOS.items() if ruleset in (None, planned.ruleset)}
    with reader_may_leave():
        for name, planned in chosen.items():
            if format is Format.json:
                clauses = list(planned.clauses)
                print_json({"scenario": name, "ruleset": planned.ruleset, "shows": planned.shows, "clauses": clauses})
            else:
                typer.echo(f"{name:<36} {planned.ruleset:<10} {planned.shows}")


def _print_counts(counts: Counts, ruleset: str, out: Path, format: Format, lang: str) -> None:
    from replays.variants import REGISTRY, rulebook
    from schema import catalogue

    book = rulebook(ruleset, REGISTRY[ruleset].version, {})
    with reader_may_leave():
        if format is Format.json:
            sums = {"games": counts.games, "hands": counts.hands, "events": counts.events}
            print_json({"ruleset": ruleset, "out": str(out), **sums, "wins": dict(counts.rows(book.wins))})
            return
        page = console()
        page.print(f"{out}: {counts.games} games, {counts.hands} hands, {counts.events} events")
        for way, times in counts.rows(book.wins):
            page.print(f"{times:>8}  {way:<18} {catalogue.ending(way, lang)}")


@contextmanager
def _progress(games: int) -> Iterator[Any]:
    """A bar over the games, on a terminal only; gives what to call after each."""
    if not shows_progress():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("simulate", total=games)
        yield lambda: bar.advance(task)
