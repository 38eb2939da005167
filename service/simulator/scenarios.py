"""Scenarios by name: chosen walls and what happens on them, for what chance hardly ever deals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from replays.events import Event
from service.simulator import longyan_course, longyan_kongs, longyan_openings, longyan_wins, xiamen_course, xiamen_wins
from service.simulator.scripts import Scenario, play_scenario


def _all(parts: Iterable[Mapping[str, Scenario]]) -> Mapping[str, Scenario]:
    """All parts in one; a name that comes twice is an error of this code."""
    found: dict[str, Scenario] = {}
    for part in parts:
        twice = found.keys() & part.keys()
        if twice:
            raise ValueError(f"scenarios of one name: {', '.join(sorted(twice))}")
        found |= part
    return MappingProxyType(found)


#: Every scenario by its name; no two rule sets share one.
SCENARIOS: Mapping[str, Scenario] = _all(
    (
        xiamen_wins.WINS,
        xiamen_course.LOCKS,
        xiamen_course.OPENINGS,
        xiamen_course.CLAIMS,
        xiamen_course.ENDS,
        longyan_wins.WAYS,
        longyan_openings.RIGHTS,
        longyan_openings.FLIPS,
        longyan_course.LEVELS,
        longyan_course.LOCKS,
        longyan_course.SHARES,
        longyan_course.ENDS,
        longyan_kongs.KONGS,
        longyan_kongs.ROBBED,
        longyan_kongs.CLAIMS,
        longyan_kongs.FLOWERS,
    )
)


def scenario(name: str, seed: int) -> list[Event]:
    """The events of a scenario of ``SCENARIOS``, ``game_started`` to ``game_ended``; ``KeyError`` for another name.

    Walls are committed to under ``wall-hash/1``. ``seed`` fills up what the scenario leaves open.
    """
    return play_scenario(name, SCENARIOS[name], seed)
