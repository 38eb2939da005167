"""Scenarios by name: chosen walls and what happens on them, for what chance hardly ever deals."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from replays.events import Event
from service.simulator.scripts import Scenario, play_scenario
from service.simulator.xiamen_course import CLAIMS, ENDS, LOCKS, OPENINGS
from service.simulator.xiamen_wins import WINS

#: Every scenario by its name.
SCENARIOS: Mapping[str, Scenario] = MappingProxyType({**WINS, **LOCKS, **OPENINGS, **CLAIMS, **ENDS})


def scenario(name: str, seed: int) -> list[Event]:
    """The events of a scenario of ``SCENARIOS``, ``game_started`` to ``game_ended``; ``KeyError`` for another name.

    Walls are committed to under ``wall-hash/1``. ``seed`` fills up what the scenario leaves open.
    """
    return play_scenario(name, SCENARIOS[name], seed)
