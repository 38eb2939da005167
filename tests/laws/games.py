"""Laws, and the games that they are tried on: a few of every setup in every run, many more with ``-m slow``.

A law is a function of one game. ``law`` makes a test of it over the registered rule sets and keeps it for ``laws``,
for whoever has other games to try.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest

from replays.variants import REGISTRY
from tests.laws.play import Played, random_game
from tests.laws.setups import Setup, setups

Law: TypeAlias = Callable[[Played], None]

#: Every law by its name that has been met so far.
_LAWS: dict[str, Law] = {}

#: Games of each rule set in every run, shared by its setups, but so many of each setup at least; and together with
#: those of the long runs (``-m slow``).
FEW = 72
EACH = 14
MANY = 1176
CHUNK = 24  #: games of one test at most


class Games(NamedTuple):
    """Some games of one setup."""

    setup: Setup
    numbers: range

    @property
    def name(self) -> str:
        return f"{self.setup.name}-{self.numbers[0]}"

    def played(self) -> Iterator[Played]:
        """The games, one after the other."""
        return (random_game(self.setup, number) for number in self.numbers)


def few_games(ruleset: str) -> list[Games]:
    """The games of a rule set in every run, as many of each setup."""
    return [games for setup in setups(ruleset) for games in _chunks(setup, 0, _share(ruleset))]


def more_games(ruleset: str) -> list[Games]:
    """The games of a rule set beside them with ``-m slow``."""
    known = setups(ruleset)
    return [games for setup in known for games in _chunks(setup, _share(ruleset), MANY // len(known))]


def _share(ruleset: str) -> int:
    return max(EACH, FEW // len(setups(ruleset)))


def _chunks(setup: Setup, first: int, end: int) -> Iterator[Games]:
    for start in range(first, end, CHUNK):
        yield Games(setup, range(start, min(start + CHUNK, end)))


def hold(games: Games, *laws: Law) -> None:
    """Tries laws on games; whatever fails names the game."""
    for game in games.played():
        for law in laws:
            try:
                law(game)
            except Exception as error:
                error.add_note(game.name)
                raise


def laws() -> dict[str, Law]:
    """Every law by its name."""
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        import_module(f"{__package__}.{path.stem}")
    return _LAWS


def law(check: Law) -> Callable[[Games], None]:
    """A test that tries ``check`` on the games of every registered rule set."""
    _LAWS[check.__name__.removeprefix("test_")] = check
    some = [games for ruleset in REGISTRY for games in few_games(ruleset)]

    @pytest.mark.parametrize("games", some, ids=lambda games: games.name)
    def test(games: Games) -> None:
        hold(games, check)

    for name in ("__name__", "__qualname__", "__module__", "__doc__"):  # wraps() would show pytest the law's argument
        setattr(test, name, getattr(check, name))
    test_of_law: Callable[[Games], None] = test
    return test_of_law
