"""While a hand is being played, nobody but the server that runs the game can tell what is hidden (S-VIEW-1).

Two worlds take in twins, games that differ only in what a viewer may not see; at every step, to every question, both
answer that viewer the same. The owner is asked too: a difference that nobody could see would prove nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from typing import NamedTuple

import pytest

from schema.ports import Role, Viewer
from service.embedded import Server
from tests.leaks.compare import assert_alike, assert_told_apart
from tests.leaks.probes import probes, sample
from tests.leaks.twins import (
    Log,
    annotated,
    dispossessed,
    end_of,
    of_hand,
    rekonged,
    retimed,
    simulated,
    swapped,
    whispered,
)
from tests.leaks.worlds import OWNER, STAFF, STRANGERS, World, seat_viewer, worlds


class Case(NamedTuple):
    """A game, one of its hands, and the seat from which nothing is hidden that is its own."""

    ruleset: str
    index: int
    players: int
    hand: int
    seat: int

    @property
    def log(self) -> Log:
        return simulated(self.ruleset, self.index, self.players)

    @property
    def keep(self) -> frozenset[int]:
        return frozenset({self.seat})


#: Both rule sets and every number of players; second hands too, so that there is an audit and something to find.
CASES = (
    Case("xiamen", 1, 4, 1, 2),
    Case("longyan", 2, 4, 2, 1),
    Case("longyan", 0, 3, 2, 0),
    Case("longyan", 2, 2, 2, 1),
)
EVERY_SEAT = [
    Case(ruleset, index, players, hand, seat)
    for ruleset, index, players, hand in (("xiamen", 4, 4, 2), ("longyan", 5, 4, 1))
    for seat in range(players)
]


#: For one difference alone; the second for long runs.
ONE_EACH = (Case("xiamen", 4, 4, 1, 0), pytest.param(Case("longyan", 3, 4, 2, 1), marks=pytest.mark.slow))


def hidden(case: Case) -> Log:
    """Other tiles in other hands and in the wall; other offers to others, and other passes."""
    return whispered(swapped(case.log, case.hand, case.keep), case.hand, case.keep)


def watchers(case: Case, log: Log) -> dict[str, Viewer]:
    """Those to whom the difference is hidden, the seat itself first; strangers have tests of their own."""
    own = seat_viewer(log, case.seat)
    also_staff = seat_viewer(log, case.seat, Role.AUDITOR)
    return {"own seat": own, **STAFF, "own seat, also auditor": also_staff, "public": STRANGERS["public"]}


def followed(case: Case, one: World, other: World, steps: Sequence[int], few: int, of: int) -> None:
    """Takes in both games up to each of the steps and asks; the own seat always, of the other watchers ``few``."""
    (own, *others) = watchers(case, one.log).items()
    turning = cycle(others)
    first = of_hand(one.log, case.hand)[0]["seq"]
    for turn, step in enumerate(steps):
        for world in (one, other):
            world.feed(step)
        asked = sample(one.scene(first + 5, (first + step) // 2), turn, of)
        for who, viewer in (own, *islice(turning, few)):
            assert_alike(one, other, who, viewer, asked)
    assert_told_apart(one, other, OWNER, probes(one.scene(first + 4)))


def _spread(case: Case, count: int) -> list[int]:
    """Numbers of events from the beginning of the hand to just before its end."""
    first, end = of_hand(case.log, case.hand)[0]["seq"] + 1, end_of(case.log, case.hand)
    return sorted({first + (end - first) * place // (count - 1) for place in range(count)})


def _id(case: Case) -> str:
    return "-".join(map(str, case))


@pytest.mark.parametrize("case", CASES, ids=_id)
def test_twins_are_alike(postgres: Server, migrated_template: str, case: Case) -> None:
    with worlds(postgres, migrated_template, case.log, hidden(case)) as (one, other):
        followed(case, one, other, _spread(case, 4), few=1, of=25)


@pytest.mark.slow
@pytest.mark.parametrize("case", EVERY_SEAT, ids=_id)
def test_twins_are_alike_at_every_step(postgres: Server, migrated_template: str, case: Case) -> None:
    """The seats of a game take turns: between them they look on at every step."""
    first, end = of_hand(case.log, case.hand)[0]["seq"] + 1, end_of(case.log, case.hand)
    with worlds(postgres, migrated_template, case.log, hidden(case)) as (one, other):
        followed(case, one, other, range(first + case.seat, end + 1, case.players), few=1, of=40)


def _at(case: Case, other: Log) -> Iterator[int]:
    """Just after events that differ, in the middle and at the last, and at the end of the hand."""
    end = end_of(case.log, case.hand)
    differing = [seq + 1 for seq, (a, b) in enumerate(zip(case.log[:end], other[:end], strict=True)) if a != b]
    return iter(sorted({differing[len(differing) // 2], differing[-1], end}))


def _only(make: Callable[[Log, int, frozenset[int]], Log]) -> Callable[[Case], Log]:
    return lambda case: make(case.log, case.hand, case.keep)


#: One kind of difference each, at the events where it is.
DIFFERENCES: dict[str, Callable[[Case], Log]] = {
    "times of offers and passes": _only(retimed),
    "x_ members": _only(annotated),
    "a discard of a tile that was not held": _only(lambda *given: dispossessed(*given)[0]),
}


@pytest.mark.parametrize("kind", DIFFERENCES)
@pytest.mark.parametrize("case", ONE_EACH, ids=_id)
def test_one_difference_alone(postgres: Server, migrated_template: str, case: Case, kind: str) -> None:
    twin = DIFFERENCES[kind](case)
    with worlds(postgres, migrated_template, case.log, twin) as (one, other):
        followed(case, one, other, list(_at(case, twin)), few=1, of=60)


class _Kong(Case):
    @property
    def log(self) -> Log:
        return simulated(self.ruleset, self.index, self.players, concealed_kong_shown=False)


@pytest.mark.parametrize("case", [_Kong("xiamen", 8, 4, 1, 0)], ids=_id)
def test_a_concealed_kong_that_is_not_shown(postgres: Server, migrated_template: str, case: Case) -> None:
    twin = rekonged(case.log, case.hand, case.keep)
    with worlds(postgres, migrated_template, case.log, twin) as (one, other):
        followed(case, one, other, list(_at(case, twin)), few=1, of=60)


def test_chains_cannot_be_linked(postgres: Server, migrated_template: str) -> None:
    """The same game twice: were leaves not salted, equal ones would tell that the hidden tiles are equal."""
    case = CASES[0]
    with worlds(postgres, migrated_template, case.log, case.log) as (one, other):
        for world in (one, other):
            world.feed(end_of(case.log, case.hand))
        chains = [{(row.leaf, row.head) for row in world.store.events(one.game)} for world in (one, other)]
    hashes = [{found for pair in chain for found in pair} for chain in chains]
    assert len(hashes[0]) == len(hashes[1]) == 2 * one.events
    assert not hashes[0] & hashes[1]
