"""Tiles are conserved: at every step hands, melds, discards, flowers, flipped tiles and wall are the whole set
(S-WALL-2)."""

from __future__ import annotations

from collections.abc import Iterator

from replays.table import BETWEEN, DEALING, FINISHED, Table
from replays.tiles import FIRST_FLOWER, Tile
from tests.laws.games import law
from tests.laws.play import Played


def lying(table: Table) -> Iterator[Tile]:
    """Every tile that is not in the wall."""
    for seat in range(len(table.seats)):
        yield from table.concealed(seat)
        yield from (FIRST_FLOWER + i for i in range(8) if table.flowers[seat] >> i & 1)
        for meld in table.melds[seat]:
            yield from meld.tiles
    yield from (code & 63 for code in table.river)
    yield from table.flipped


@law
def test_tiles_are_conserved(game: Played) -> None:
    for event, table, wall in zip(game.events, game.tables, game.walls, strict=True):
        if table.phase in (BETWEEN, DEALING, FINISHED) or event.type == "dice_rolled":
            continue  # the wall of the record is ahead of the table
        assert sorted([*lying(table), *wall]) == list(table.book.wall), event
        assert table.left == len(wall), event


@law
def test_nothing_is_in_doubt(game: Played) -> None:
    assert not any(table.doubt for table in game.tables)
