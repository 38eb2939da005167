"""Tiles are conserved: at every step hands, melds, discards, flowers, flipped tiles and wall are the whole set
(S-WALL-2)."""

from __future__ import annotations

from collections.abc import Iterator

from replays.table import BETWEEN, DEALING, FINISHED, Table
from replays.tiles import FIRST_FLOWER, Tile
from tests.laws.games import Numbers, over_games
from tests.laws.play import random_game


def lying(table: Table) -> Iterator[Tile]:
    """Every tile that is not in the wall."""
    for seat in range(len(table.seats)):
        yield from table.concealed(seat)
        yield from (FIRST_FLOWER + i for i in range(8) if table.flowers[seat] >> i & 1)
        for meld in table.melds[seat]:
            yield from meld.tiles
    yield from (code & 63 for code in table.river)
    yield from table.flipped


@over_games()
def test_tiles_are_conserved(numbers: Numbers, passes: bool) -> None:
    for number in numbers:
        game = random_game(number, passes=passes)
        for event, table, wall in zip(game.events, game.tables, game.walls, strict=True):
            if table.phase in (BETWEEN, DEALING, FINISHED) or event.type == "dice_rolled":
                continue  # the wall of the record is ahead of the table
            assert sorted([*lying(table), *wall]) == list(table.book.wall), (number, event)
            assert table.left == len(wall), (number, event)


@over_games()
def test_nothing_is_in_doubt(numbers: Numbers, passes: bool) -> None:
    for number in numbers:
        assert not any(table.doubt for table in random_game(number, passes=passes).tables), number
