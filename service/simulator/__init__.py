"""Seeded games and chosen scenarios, played through the engine: the same seed gives the same bytes.

``simulate_game`` plays one game of a run, ``scenario`` one of ``SCENARIOS``; ``count_wins`` says what came up. How
often players take what they are offered stands in one table, ``temperaments.RATES``. Files of them are made by
``service.simulator.writing``, which is not loaded here: to play needs no library.
"""

from service.simulator.counting import Counts, count_wins
from service.simulator.games import HANDS, random_options, simulate_game
from service.simulator.players import Profile, roster
from service.simulator.scenarios import SCENARIOS, scenario
from service.simulator.scripts import Scenario, ScriptError
from service.simulator.seeds import Seeds

__all__ = [
    "HANDS",
    "SCENARIOS",
    "Counts",
    "Profile",
    "Scenario",
    "ScriptError",
    "Seeds",
    "count_wins",
    "random_options",
    "roster",
    "scenario",
    "simulate_game",
]
