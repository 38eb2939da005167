"""How many ways a game can go on from a table, act by act (what chess calls perft)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from replays.events import Act
from replays.referee import offers
from replays.table import CLAIMS, DRY, FLOWER, KONG, Table
from replays.tiles import Tile, is_flower
from tests.rules.builders import after

#: The wall from which everybody draws here, head and tail alike, whatever lies elsewhere.
DRAWS: Sequence[Tile] = (8, 17, 25, 30)


def drawn_tile(table: Table, drawn: int) -> Tile:
    """The next of ``DRAWS`` that the rule set has."""
    some = [tile for tile in DRAWS if tile in table.book.wall]
    return some[drawn % len(some)]


def count(table: Table, depth: int, drawn: int = 0) -> int:
    """The number of sequences of ``depth`` steps. A step is any act on offer but a pass; where a tile is due and may be
    drawn, the draw (everybody passes) is one step more, and so is laying out a flower; a hand that is over has none."""
    if depth == 0:
        return 1
    steps = [(seat, act) for seat, acts in enumerate(offers(table)) for act in acts if act.act != "pass"]
    if depth == 1:
        return len(steps) + len(dues(table))
    total = sum(count(acted(table, seat, act), depth - 1, drawn) for seat, act in steps)
    return total + sum(count(due(table, drawn), depth - 1, drawn + 1) for due in dues(table))


def acted(table: Table, seat: int, act: Act) -> Table:
    """The table after an act."""
    if act.act == "win":
        return after(table, "won", seat=seat, win=act.win, tile=act.tile, from_=act.from_)
    if act.act == "discard":
        return after(table, "discarded", seat=seat, tile=act.tile)
    if act.act == "declare":
        return after(table, "declared", seat=seat, declaration=act.kind)
    members = {"seat": seat, "tile": act.tile, "with_": act.with_, "from_": act.from_}
    if act.act == "kong":
        return after(table, "konged", kind=act.kind, **members)
    return after(table, "chowed" if act.act == "chow" else "punged", **members)


def dues(table: Table) -> list[Any]:
    """What happens of itself where nobody acts."""
    may_draw = table.left > table.book.dead_wall
    if table.phase in (CLAIMS, KONG):
        return [draw] if may_draw else [end]
    if table.phase == FLOWER:
        return [replace]
    return [end] if table.phase == DRY else []


def draw(table: Table, drawn: int) -> Table:
    seat = table.turn if table.phase == KONG else table.following(table.turn)
    return after(table, "drew", seat=seat, tile=drawn_tile(table, drawn), tail=table.phase == KONG)


def replace(table: Table, drawn: int) -> Table:
    laid = tuple(tile for tile in table.concealed(table.turn) if is_flower(tile))
    replaced = (drawn_tile(table, drawn),) if table.left > table.book.dead_wall else ()
    return after(table, "flowers_replaced", seat=table.turn, flowers=laid, drawn=replaced)


def end(table: Table, drawn: int) -> Table:
    return after(table, "exhausted")
