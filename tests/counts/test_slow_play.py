"""The slow acts agree with the engine's offers wherever random play of Longyan comes, under the default options."""

from __future__ import annotations

from typing import Any

import pytest

from replays.events import Act
from replays.referee import offers
from replays.table import PLAYING, Table
from tests.counts import slow
from tests.laws.play import Played, random_game
from tests.laws.setups import Setup, setups
from tests.rules.builders import words

FEW, MANY = 6, 60  #: games of each setup; without passes on record, for what they give up the slow acts do not know


def compare(game: Played) -> int:
    """Compares the acts at every step of play; how many steps there were."""
    past, steps = slow.Past((), ()), 0
    for table, event in zip(game.tables, game.events[1:], strict=False):
        if table.phase not in PLAYING:
            continue
        past = slow.past_of(table) if table.opening else past
        engine = [(seat, act) for seat, some in enumerate(offers(table)) for act in some]
        assert _sorted(slow.acts(table, past)) == _sorted(engine), f"step {table.seq}"
        assert past.levels == table.levels, f"step {table.seq}"
        past, steps = _after(table, past, event), steps + 1
    return steps


def _sorted(steps: list[tuple[int, Act]]) -> list[str]:
    return sorted(f"{seat} {words(act)}" for seat, act in steps if act.act != "pass")


def _after(table: Table, past: slow.Past, event: Any) -> slow.Past:
    if event.type == "discarded":
        return slow.after(table, past, event.seat, Act("discard", event.tile))
    if event.type == "punged":
        return slow.after(table, past, event.seat, Act("pung", event.tile, event.with_))
    if event.type == "konged":
        return slow.after(table, past, event.seat, Act("kong", event.tile, event.with_, event.kind))
    return past


NUMBERS = [
    pytest.param(range(0, 2 * FEW, 2), id="few"),
    pytest.param(range(2 * FEW, 2 * MANY, 2), id="many", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize("setup", setups("longyan"), ids=lambda setup: setup.name)
def test_the_slow_acts_agree(setup: Setup, numbers: range) -> None:
    for number in numbers:
        game = random_game(setup, number, is_plain=True)
        try:
            assert compare(game) > 0
        except AssertionError as error:
            error.add_note(game.name)
            raise
