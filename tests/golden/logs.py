"""The logs whose reports are kept: the example games, the worked dispute, every scenario, some simulated games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

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


def logs() -> Iterator[tuple[str, list[Event]]]:
    """Every log by its name, in a fixed order."""
    examples = sorted((ROOT / "tests" / "data" / "contract" / "examples").glob("*.paipu.jsonl"))
    for path in (*examples, *sorted((ROOT / "docs" / "examples").glob("*.paipu.jsonl"))):
        events = list(paipu.events(path))
        if events[0].ruleset in {game.ruleset for game in SCENARIOS.values()}:  # type: ignore[union-attr]
            yield path.name, events
    for name in sorted(SCENARIOS):
        yield f"scenario {name}", scenario(name, SEED)
    for ruleset in sorted({game.ruleset for game in SCENARIOS.values()}):
        for index in range(GAMES):
            yield f"simulated {ruleset} {index}", list(simulate_game(ruleset, SEED, index))


def line(name: str, events: list[Event]) -> bytes:
    """What is kept of a log: its name and its report."""
    return msgspec.json.encode({"log": name, "report": report_document(audit(events), "en")})
