"""What random games are played as: every registered rule set, at every number of seats, in every shape of its game.

Nothing here knows a rule set. An option that changes how many golds are flipped, which tiles there are, what may be
claimed or how many sit down *shapes* the game; every combination of such options is a setup of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from replays.rulebook import Choice, Number, Option, Rulebook
from replays.shuffle import Stream
from replays.variants import REGISTRY, rulebook


class Setup(NamedTuple):
    """A rule set, how many play, and the values of the options that shape the game."""

    ruleset: str
    players: int
    shape: tuple[tuple[str, Any], ...] = ()

    @property
    def name(self) -> str:
        """As tests are called, and part of every seed: ``ruleset-3-mode=full``."""
        return "-".join([self.ruleset, str(self.players), *(f"{name}={value}" for name, value in self.shape)])

    def book(self, options: Mapping[str, Any] | None = None) -> Rulebook:
        """The rule book under the shape and further options."""
        return _book(self.ruleset, {**(options or {}), **dict(self.shape)})


def setups(ruleset: str) -> list[Setup]:
    """Every setup of a rule set."""
    known = REGISTRY[ruleset].options
    names = shaping(ruleset)
    shapes = [tuple(zip(names, values, strict=True)) for values in product(*(values_of(known[name]) for name in names))]
    return [Setup(ruleset, players, shape) for shape in shapes for players in Setup(ruleset, 0, shape).book().players]


def shaping(ruleset: str) -> list[str]:
    """The options that change what lies on the table or who sits at it."""
    plain = _shape(_book(ruleset, {}))
    return [
        name
        for name, option in REGISTRY[ruleset].options.items()
        if isinstance(option, Choice)
        and any(_shape(_book(ruleset, {name: value})) != plain for value in values_of(option))
    ]


def _shape(book: Rulebook) -> tuple[Any, ...]:
    return book.players, book.wall, book.hand_size, book.gold_flips, book.claims


def _book(ruleset: str, options: Mapping[str, Any]) -> Rulebook:
    return rulebook(ruleset, REGISTRY[ruleset].version, options)


def values_of(option: Option) -> Sequence[Any]:
    """The values of an option that random games try: all listed ones, or the edges of its range and the default."""
    if isinstance(option, Number):
        values = [option.low, option.low + 1, option.default, option.high, *((None,) if option.nullable else ())]
        return list(dict.fromkeys(values))
    return option.values


def random_options(source: Stream, setup: Setup) -> dict[str, Any]:
    """The setup's shape, and about half of the other options at a random value."""
    chosen: dict[str, Any] = {}
    for name, option in REGISTRY[setup.ruleset].options.items():
        values = values_of(option)
        if name not in dict(setup.shape) and source.uniform(2):
            chosen[name] = values[source.uniform(len(values))]
    return chosen | dict(setup.shape)
