"""Simulated games as files, ``<game>.paipu.jsonl`` each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from replays.events import Event, GameStarted
from schema.paipu import document, encode
from service.files import write_whole
from service.simulator.counting import Counts, count_wins
from service.simulator.games import HANDS, simulate_game
from service.simulator.scenarios import SCENARIOS, scenario

SUFFIX = ".paipu.jsonl"


class Written(NamedTuple):
    """One file that is there now: its game, and what came up in it."""

    path: Path
    game: str
    counts: Counts


def write_games(
    out: Path,
    ruleset: str,
    seed: int,
    games: int,
    *,
    hands: int = HANDS,
    options: Mapping[str, Any] | None = None,
    players: int | None = None,
    first: int = 0,
) -> Iterator[Written]:
    """Games ``first`` to ``first + games - 1`` of the run of ``seed``, one file after the other into the folder
    ``out``, which is made where it is missing.

    A file is whole or not there. Raises as ``simulate_game``, ``FileExistsError`` for a file of that name with other
    contents, and ``OSError`` where it cannot be written.
    """
    for index in range(first, first + games):
        events = simulate_game(ruleset, seed, index, options=options, hands=hands, players=players)
        yield write_game(out, list(events))


def write_scenarios(out: Path, ruleset: str, seed: int, names: tuple[str, ...] = ()) -> Iterator[Written]:
    """The named scenarios (without names: all of the rule set), one file each; raises as ``write_games``, ``KeyError``
    for an unknown name, and ``ValueError`` for one of another rule set."""
    chosen = names or tuple(name for name, known in SCENARIOS.items() if known.ruleset == ruleset)
    for name in chosen:
        if SCENARIOS[name].ruleset != ruleset:
            raise ValueError(f"scenario {name} is of rule set {SCENARIOS[name].ruleset}, not {ruleset}")
        yield write_game(out, scenario(name, seed))


def write_game(out: Path, events: list[Event]) -> Written:
    """One game's file; raises as ``write_games``, and ``ValueError`` where the events are no game."""
    first = events[0] if events else None
    if not isinstance(first, GameStarted):
        raise ValueError("a log begins with game_started")
    data = b"".join(encode(document(event)) for event in events)
    path = out / f"{first.game}{SUFFIX}"
    out.mkdir(parents=True, exist_ok=True)
    _write(path, data)
    return Written(path, first.game, count_wins(events))


def _write(path: Path, data: bytes) -> None:
    if path.exists():
        if path.read_bytes() != data:
            raise FileExistsError(f"{path} is there already and holds something else")
        return
    write_whole(path, [data])
