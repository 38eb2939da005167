"""The whole audit, every rule on, of each rule set's example games, beside the reading of files and ``riichienv``.

Goal: 300,000 events a second a core, passes and prompts not counted. ``riichienv`` is a simulator with its core in
Rust that keeps its own event log: it gives the scale of what a compiled engine for another mahjong does.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest
from riichienv import RiichiEnv  # type: ignore[import-untyped]

from replays.audit import Auditor
from replays.events import Event
from replays.variants import REGISTRY
from schema import paipu

pytestmark = pytest.mark.bench

EXAMPLES = Path(__file__).parents[1] / "tests" / "data" / "contract" / "examples"
ROUNDS = 50  # of some 35 ms each: enough that some of them have the core for themselves
UNCOUNTED = ("passed", "turn_prompted")


def _audit(games: list[list[Event]]) -> None:
    for first, *rest in games:
        auditor = Auditor(first)  # type: ignore[arg-type]
        auditor.feed_all(rest)
        assert auditor.report().verdict == "clean"


def _per_second(count: int, call: Callable[[], object]) -> float:
    """Best of several rounds, by processor time: other people's work on the machine should not count."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = process_time()
        call()
        best = min(best, process_time() - start)
    return count / best


@pytest.mark.parametrize("ruleset", sorted(REGISTRY))
def test_audit(ruleset: str, benchmark: Callable[..., object], report: Callable[[str], None]) -> None:
    paths = sorted(EXAMPLES.glob(f"{ruleset}-*.jsonl"))
    games = [list(paipu.events(path)) for path in paths] * 10
    events = sum(event.type not in UNCOUNTED for game in games for event in game)
    benchmark(_audit, games)
    ours = _per_second(events, lambda: _audit(games))
    reading = _per_second(events, lambda: [sum(1 for _ in paipu.events(path)) for path in paths * 10])
    peer = _riichienv()
    report(
        f"audit, {ruleset}: {ours:,.0f} events/s a core (goal 300,000); reading files {reading:,.0f}; riichienv (Rust) "
        f"plays {peer:,.0f}; ratio to riichienv {ours / peer:.2f}"
    )


def _riichienv() -> float:
    """Events a second that riichienv logs while every seat takes its first legal action."""
    logged = 0
    start = process_time()
    while process_time() - start < 1:
        env = RiichiEnv()
        seen = env.reset()
        while not env.done():
            seen = env.step({player: view.legal_actions()[0] for player, view in seen.items()})
        logged += len(env.mjai_log)
    return logged / (process_time() - start)
