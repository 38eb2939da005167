"""What lies before a seat, and where the wall stands, in random legal play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from replays.events import Dealt, Discarded, Drew, Event
from replays.rivers import Rivers, empty, thrown
from replays.table import BETWEEN, DEALING, FINISHED, Table
from schema.replaying import wall
from tests.laws.games import law
from tests.laws.play import Played


def _followed(game: Played) -> Iterator[tuple[Event, Table, Rivers]]:
    rivers = empty(game.players)
    for event, (before, table) in zip(game.events[1:], pairwise(game.tables), strict=True):
        rivers = thrown(rivers, before, event, table)
        yield event, table, rivers


@law
def test_a_river_is_what_lies_there_and_what_was_claimed(game: Played) -> None:
    for event, table, rivers in _followed(game):
        if table.phase in (BETWEEN, FINISHED):
            continue
        lying = [tuple(one.tile for one in river if one.claimed < 0) for river in rivers]
        is_open = isinstance(event, Discarded)  # the fold lays it down once nobody has claimed it
        open_tile = {event.seat: (event.tile,)} if is_open else {}
        assert lying == [(*table.discards(seat), *open_tile.get(seat, ())) for seat in range(game.players)] or (
            lying == [table.discards(seat) for seat in range(game.players)]
        ), event
        claimed = [one for river in rivers for one in river if one.claimed >= 0]
        melds = [meld for melds in table.melds for meld in melds if meld.from_ >= 0]
        assert 0 <= len(claimed) - len(melds) <= 1


@law
def test_a_tile_thrown_as_it_was_drawn(game: Played) -> None:
    for (first, *_), (second, _, rivers) in pairwise(_followed(game)):
        if isinstance(first, Drew) and isinstance(second, Discarded) and first.seat == second.seat:
            assert rivers[second.seat][-1].is_drawn == (first.tile == second.tile)


@law
def test_slots_that_are_there_hold_what_is_left_of_the_wall(game: Played) -> None:
    whole: tuple[int, ...] = ()
    for event, table, left in zip(game.events, game.tables, game.walls, strict=True):
        if isinstance(event, Dealt):  # no slot before it holds anything now
            whole = (-1,) * (len(table.book.wall) - len(left)) + tuple(left)
        if table.phase in (BETWEEN, DEALING, FINISHED) or event.type == "dice_rolled":
            continue  # the wall of the record is ahead of the table
        shown = wall(table)
        there = range(shown["head"], shown["size"] - shown["tail"])
        assert tuple(whole[slot] for slot in there if slot not in shown["flipped"]) == tuple(left), event
