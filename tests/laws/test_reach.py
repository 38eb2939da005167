"""What the laws are tried on: random play of every run reaches what is rare, and every value of every option."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from replays.clauses.claims import discard_claims
from replays.events import Act
from replays.referee import why_not
from replays.table import CLAIMS, DRAWN, KONG, NOTHING, TURN, Table
from replays.tiles import KINDS
from replays.variants import REGISTRY, rulebook
from tests.laws.games import few_games
from tests.laws.play import Played
from tests.laws.setups import Setup, setups, shaping, values_of


@cache
def reached(ruleset: str) -> frozenset[str]:
    """Words for what the games of a rule set in every run come to."""
    games = (game for some in few_games(ruleset) for game in some.played())
    return frozenset(word for game in games for word in _words(game))


def _words(game: Played) -> Iterator[str]:
    for table, event, after in zip(game.tables, game.events[1:], game.tables[1:], strict=False):
        yield event.type
        if event.type == "won":
            yield from _win_words(table, event)
        if event.type == "konged":
            yield f"kong {event.kind}"
        if event.type in ("chowed", "punged"):
            yield event.type.removesuffix("ed")
        if event.type == "passed" and table.opening and table.phase == TURN:
            yield "pass at the opening"
        yield from (f"level {level}" for level in after.levels)


def _win_words(table: Table, event: Any) -> Iterator[str]:
    yield f"win {event.win}"
    if table.phase == KONG:
        yield "robbed kong"
    if table.opening and table.phase == TURN:
        yield f"opening {'dealer' if event.seat == table.dealer else 'other'}"
    if event.tile_out is not None:
        yield "tile out"


def is_locked(table: Table) -> bool:
    """Whether a gold that somebody discarded, or somebody's wait, keeps a seat from what its tiles would let it do."""
    acts = [(seat, act) for seat in range(len(table.seats)) for act in _tempting(table, seat)]
    found = [why_not(table, seat, act) for seat, act in acts]
    return any(violation is not None and violation.code.startswith("locked_") for violation in found)


def _tempting(table: Table, seat: int) -> Iterator[Act]:
    if table.phase == CLAIMS and seat != table.turn:
        yield from discard_claims(table, seat)
        yield Act("win", table.last, from_=table.turn)
    if table.phase == KONG and table.robbable and seat != table.turn:
        yield Act("win", table.last, from_=table.turn)
    if table.phase == TURN and seat == table.turn and table.source in DRAWN and NOTHING < table.drawn < KINDS:
        yield Act("win", table.drawn)


def claims(ruleset: str) -> set[str]:
    """Every claim that there is under some options."""
    return {claim for setup in setups(ruleset) for claim in setup.book().claims}


@pytest.mark.parametrize("ruleset", REGISTRY)
def test_every_claim_is_made(ruleset: str) -> None:
    made = {word.removeprefix("kong ") for word in reached(ruleset)}
    assert claims(ruleset) <= made


@pytest.mark.parametrize("ruleset", REGISTRY)
def test_every_way_to_win_is_won_by(ruleset: str) -> None:
    ways = rulebook(ruleset, REGISTRY[ruleset].version, {}).wins
    assert [way for way in ways if f"win {way}" not in reached(ruleset)] == []


RARE = ("level 2", "level 3", "robbed kong", "opening dealer", "opening other", "pass at the opening", "declared")


@pytest.mark.parametrize("word", RARE)
@pytest.mark.parametrize("ruleset", REGISTRY)
def test_what_is_rare_comes_up(ruleset: str, word: str) -> None:
    assert word in reached(ruleset)


@pytest.mark.parametrize("ruleset", REGISTRY)
def test_a_lock_binds(ruleset: str) -> None:
    tables = (table for some in few_games(ruleset) for game in some.played() for table in game.tables)
    assert any(is_locked(table) for table in tables if table.hands)


def test_a_tile_is_taken_out_on_record() -> None:
    """Where a rule set has a right that takes one."""
    assert any("tile out" in reached(ruleset) for ruleset in REGISTRY)


# -- Options and seats ---------------------------------------------------------------------------------------------


@cache
def chosen(ruleset: str) -> frozenset[tuple[str, Any]]:
    """The values of options that the games of every run have, named so that true and 1 differ."""
    found = set()
    for some in few_games(ruleset):
        for game in some.played():
            options = game.tables[0].book.options
            found |= {(name, repr(value)) for name, value in options.items()}
    return frozenset(found)


OPTIONS = [
    pytest.param(ruleset, name, value, id=f"{ruleset}-{name}={value}")
    for ruleset, variant in REGISTRY.items()
    for name, option in variant.options.items()
    for value in values_of(option)
]


@pytest.mark.parametrize(("ruleset", "name", "value"), OPTIONS)
def test_every_value_of_every_option_comes_up(ruleset: str, name: str, value: Any) -> None:
    assert (name, repr(value)) in chosen(ruleset)


@pytest.mark.parametrize("ruleset", REGISTRY)
def test_every_number_of_seats_and_every_shape_has_setups(ruleset: str) -> None:
    known = REGISTRY[ruleset].options
    shapes = 1
    for name in shaping(ruleset):
        shapes *= len(values_of(known[name]))
    seats = rulebook(ruleset, REGISTRY[ruleset].version, {}).players
    assert len(setups(ruleset)) == shapes * len(seats)
    assert {setup.players for setup in setups(ruleset)} == set(seats)


def test_shapes() -> None:
    """Both modes of one rule set, with dots and without; the other has one shape alone."""
    shapes = {ruleset: sorted({setup.shape for setup in setups(ruleset)}) for ruleset in ("xiamen", "longyan")}
    assert shapes["xiamen"] == [()]
    modes = {("half", True): (1, 144), ("half", False): (1, 108), ("full", True): (2, 144), ("full", False): (2, 108)}
    books = {tuple(dict(shape).values()): Setup("longyan", 4, shape).book() for shape in shapes["longyan"]}
    assert {values: (book.gold_flips, len(book.wall)) for values, book in books.items()} == modes
