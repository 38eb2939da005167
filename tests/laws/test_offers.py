"""Offers and judgement agree: what is offered is not forbidden, and what is not offered is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

from replays.events import Act
from replays.referee import offers, why_not
from replays.table import CLAIMS, NOTHING, TURN, Table
from replays.tiles import KINDS, TILES, WHITE
from tests.laws.games import law
from tests.laws.play import Played


def universe(table: Table, seat: int) -> Iterator[Act]:
    """Acts of every sort, legal or not, that a seat might try as the table stands."""
    yield Act("pass")
    yield from (Act("discard", tile) for tile in range(TILES))
    last = table.last if table.last != NOTHING else 0
    turn = table.turn
    for way in table.book.wins:
        yield from (Act("win", tile, win=way, from_=from_) for tile in (None, last) for from_ in (None, turn))
        yield Act("win", table.drawn if table.drawn != NOTHING else None, win=way)
    yield Act("pung", last, (last,) * 2, from_=turn)
    yield Act("kong", last, (last,) * 3, "exposed", from_=turn)
    near = [tile for tile in range(KINDS) if abs(tile - last) < 3 or tile in (WHITE, *table.golds)]
    yield from (Act("chow", last, pair, from_=turn) for pair in combinations_with_replacement(near, 2))
    for tile in range(KINDS):
        yield Act("kong", tile, (tile,), "added")
        yield Act("kong", tile, (tile,) * 4, "concealed")


@law
def test_what_is_offered_is_not_forbidden(game: Played) -> None:
    for table in game.tables:
        for seat, acts in enumerate(offers(table) if table.hands else ()):
            for act in acts:
                assert why_not(table, seat, act) is None, (table.seq, seat, act)


@law
def test_what_is_not_offered_is_forbidden(game: Played) -> None:
    source = game.stream("sample")
    for table in game.tables:
        if table.phase not in (TURN, CLAIMS) and source.uniform(4):
            continue
        if not table.hands or source.uniform(8):
            continue
        offered = offers(table)
        for seat in range(len(table.seats)):
            for act in universe(table, seat):
                if act not in offered[seat]:
                    assert why_not(table, seat, act) is not None, (table.seq, seat, act)


@law
def test_offers_are_sorted_and_none_comes_twice(game: Played) -> None:
    for table in game.tables:
        for acts in offers(table) if table.hands else ():
            names = [act.act for act in acts]
            assert names == sorted(names)
            assert len(set(acts)) == len(acts)


@law
def test_who_may_act_at_all(game: Played) -> None:
    """On turn a seat always may discard; another seat with a right may always pass, and without one has nothing."""
    for table in game.tables:
        for seat, acts in enumerate(offers(table) if table.hands else ()):
            names = {act.act for act in acts}
            if table.phase == TURN and seat == table.turn:
                assert "discard" in names, table.seq
                assert "pass" not in names
            else:
                assert ("pass" in names) is bool(names)
                assert names != {"pass"}
