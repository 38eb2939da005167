"""Every law over many more games, each game played once."""

from __future__ import annotations

import pytest

from replays.variants import REGISTRY
from tests.laws.games import Games, hold, laws, more_games

MORE = [games for ruleset in REGISTRY for games in more_games(ruleset)]


@pytest.mark.slow
@pytest.mark.parametrize("games", MORE, ids=lambda games: games.name)
def test_every_law(games: Games) -> None:
    hold(games, *laws().values())
