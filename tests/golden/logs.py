"""The logs whose reports are kept: the example games, the worked dispute, every scenario, some simulated games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from replays.audit import audit
from replays.events import Event
from schema import paipu
from schema.report import report_document
from service.simulator import SCENARIOS, scenario, simulate_game

ROOT = Path(__file__).parents[2]
REPORTS = Path(__file__).with_name("reports.jsonl")
SEED = 1
GAMES = 3


class Simulated(NamedTuple):
    """What simulated games are played as; by default as many sit down as the rule set allows."""

    ruleset: str
    options: dict[str, Any] = {}  # noqa: RUF012 - never written to
    players: int | None = None

    @property
    def name(self) -> str:
        shape = [f"{name}={value}".lower() for name, value in self.options.items()]
        seats = [] if self.players is None else [f"{self.players} seats"]
        return " ".join(["simulated", self.ruleset, *shape, *seats])


SIMULATED = (
    Simulated("longyan"),
    Simulated("longyan", {"dots": False}, 2),
    Simulated("longyan", {"mode": "full"}, 3),
    Simulated("xiamen"),
)


def logs() -> Iterator[tuple[str, list[Event]]]:
    """Every log by its name, in a fixed order."""
    examples = sorted((ROOT / "tests" / "data" / "contract" / "examples").glob("*.paipu.jsonl"))
    for path in (*examples, *sorted((ROOT / "docs" / "examples").glob("*.paipu.jsonl"))):
        yield path.name, list(paipu.events(path))
    for name in sorted(SCENARIOS):
        yield f"scenario {name}", scenario(name, SEED)
    for game in SIMULATED:
        for index in range(GAMES):
            played = simulate_game(game.ruleset, SEED, index, options=game.options, players=game.players)
            yield f"{game.name} {index}", list(played)


def line(name: str, events: list[Event]) -> bytes:
    """What is kept of a log: its name and its report."""
    return msgspec.json.encode({"log": name, "report": report_document(audit(events), "en")})
