"""The same seed gives the same bytes: on every Python, under every hash seed, without any library."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from replays.events import Dealt
from service.simulator import simulate_game
from service.simulator.writing import write_games, write_scenarios
from tests.architecture.test_determinism import SUPPORTED, interpreter
from tests.architecture.tree import ROOT

#: Simulates and prints every event; a bare interpreter can, for players and engine need no library.
SCRIPT = """
from service.simulator import SCENARIOS, scenario, simulate_game
for index in range(3):
    print(*simulate_game("xiamen", 11, index, hands=2, wall_root=index == 1), sep="\\n")
    for mode in ("half", "full"):
        options = {"mode": mode, "dots": index != 1}
        print(*simulate_game("longyan", 11, index, hands=2, players=4 - index, options=options), sep="\\n")
for name in SCENARIOS:
    print(*scenario(name, 5), sep="\\n")
"""


def printed(command: str, hash_seed: str) -> str:
    environment = {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": hash_seed, "PYTHONDONTWRITEBYTECODE": "1"}
    environment |= {"PYTHONIOENCODING": "utf-8", "PATH": os.environ.get("PATH", "")}
    call = [command, "-S", "-c", SCRIPT]
    done = subprocess.run(call, env=environment, capture_output=True, encoding="utf-8", timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def expected() -> str:
    return printed(sys.executable, "0")


@pytest.mark.parametrize("hash_seed", ["1", "random"])
@pytest.mark.parametrize("version", SUPPORTED)
def test_same_events_everywhere(version: str, hash_seed: str, expected: str) -> None:
    command = interpreter(version)
    if command is None:
        pytest.skip(f"no Python {version} on this machine")
    assert expected.count("GameEnded(") > 50
    assert printed(command, hash_seed) == expected


@pytest.mark.parametrize(("ruleset", "name"), [("xiamen", "double-you"), ("longyan", "half-double-you")])
def test_same_files(tmp_path: Path, ruleset: str, name: str) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        assert len(list(write_games(folder, ruleset, 3, 3, hands=2))) == 3
        assert list(write_scenarios(folder, ruleset, 3, (name,)))
    first, second = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in folders)
    assert first == second
    assert len(first) == 4


def test_games_of_a_run_differ_and_do_not_hang_on_each_other() -> None:
    games = [list(simulate_game("xiamen", 3, index, hands=1)) for index in (0, 1, 2)]
    other_seed = list(simulate_game("xiamen", 4, 1, hands=1))
    dealt = [[event.tiles for event in game if isinstance(event, Dealt)] for game in (*games, other_seed)]
    assert len({str(tiles) for tiles in dealt}) == 4
    assert list(simulate_game("xiamen", 3, 1, hands=1)) == games[1]
