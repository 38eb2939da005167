"""Rows as a check of the whole store reads them: nothing joined, nothing left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from service.store.store import Store

_PAGE = 1000
_GAMES = f"SELECT game FROM mingpai.games WHERE game > %s ORDER BY game LIMIT {_PAGE}"
_APPENDS = "SELECT first_seq, last_seq, head, recorded_at FROM mingpai.appends WHERE game = %s ORDER BY first_seq"
_STRAYS = """
SELECT e.game, min(e.seq) FROM mingpai.events e LEFT JOIN mingpai.game_heads h USING (game)
WHERE h.game IS NULL OR e.seq NOT BETWEEN 0 AND h.next_seq - 1 GROUP BY e.game ORDER BY e.game
"""
_UNKNOWN = """
SELECT asked FROM unnest(%s::text[]) AS asked
WHERE NOT EXISTS (SELECT FROM mingpai.games g WHERE g.game = asked) ORDER BY asked
"""
_STRAY_COSIGNATURES = """
SELECT DISTINCT o.checkpoint FROM mingpai.cosignatures o LEFT JOIN mingpai.checkpoints c ON c.position = o.checkpoint
WHERE c.position IS NULL ORDER BY o.checkpoint
"""


class Append(NamedTuple):
    """One append: the events that it stored, the head after them, and when that was."""

    first_seq: int
    last_seq: int
    head: bytes
    recorded_at: datetime


def game_ids(store: Store) -> Iterator[str]:
    """The ids of all games in a fixed order."""
    return (game for (game,) in walked(store, _GAMES, _PAGE))


def walked(store: Store, statement: str, size: int) -> Iterator[tuple[Any, ...]]:
    """The rows of a statement that gives ``size`` of them at once, by the id that stands first, behind an id."""
    after = ""
    while True:
        with store.driver() as driver:
            page = driver.execute(statement, (after,)).fetchall()
        yield from page
        if len(page) < size:
            return
        after = page[-1][0]


def appends(store: Store, game: str) -> list[Append]:
    """A game's appends in the order of its chain."""
    with store.driver() as driver:
        return [Append._make(row) for row in driver.execute(_APPENDS, (game,), binary=True).fetchall()]


def stray_events(store: Store) -> list[tuple[str, int]]:
    """Games with events that no chain has, and the first of them: of no game, or behind the end that its row names."""
    with store.driver() as driver:
        return [(game, seq) for game, seq in driver.execute(_STRAYS).fetchall()]


def unknown_games(store: Store, games: Sequence[str]) -> list[str]:
    """Those of ``games`` that are not stored."""
    with store.driver() as driver:
        return [game for (game,) in driver.execute(_UNKNOWN, (list(games),)).fetchall()]


def stray_cosignatures(store: Store) -> list[int]:
    """Numbers of checkpoints that are cosigned and not there."""
    with store.driver() as driver:
        return [position for (position,) in driver.execute(_STRAY_COSIGNATURES).fetchall()]
