"""Whose games are, which of them are public, and the record of who of the staff read hidden tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from service.store.records import Appended, Entry, Opening, time_text
from service.store.store import Store

_OPEN = "SELECT * FROM mingpai.open_owned_game(%s, %s, %s::text, %b, %b, %s::text[], %b, %b, %b)"
_PUBLISH = "INSERT INTO mingpai.published_games (game, principal) VALUES (%s, %s) ON CONFLICT DO NOTHING"
_STANDINGS = """
SELECT g.game, g.players, h.next_seq, h.status <> 'open',
       (SELECT o.principal FROM mingpai.game_owners o WHERE o.game = g.game),
       EXISTS (SELECT FROM mingpai.published_games p WHERE p.game = g.game)
FROM mingpai.games g JOIN mingpai.game_heads h USING (game) WHERE g.game = ANY (%s)
"""
_READ = """
INSERT INTO mingpai.hidden_reads (principal, key, request, what, game, first_seq, last_seq)
SELECT * FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::integer[], %s::integer[])
"""


class Standing(NamedTuple):
    """What decides who may see a game: who sits there, how many events it has and
    whether it has ended, who runs it, whether it is public."""

    players: Sequence[str]
    events: int
    is_over: bool
    owner: str | None
    is_public: bool


class HiddenRead(NamedTuple):
    """A reading of hidden information by ``principal``: ``what`` was asked for, of which game and steps."""

    principal: str
    key: str | None
    request: str | None
    what: str
    game: str | None
    first_seq: int | None
    last_seq: int | None


def open_owned(store: Store, principal: str, opening: Opening, entry: Entry, key: str | None) -> Appended:
    """As ``Store.open``, for a game server that owns what it opens, in one transaction."""
    details = (opening.ruleset_digest, opening.secret, list(opening.names))
    game, seq, head, moment = store.call(_OPEN, (principal, opening.game, key, *details, *entry))
    return Appended(game, seq, head, time_text(moment))


def standing(store: Store, game: str) -> Standing | None:
    """How a game stands to its viewers, ``None`` if there is none."""
    return standings(store, [game]).get(game)


def standings(store: Store, games: Sequence[str]) -> dict[str, Standing]:
    """The same of all those of the games that there are, in one statement."""
    with store.driver() as driver:
        rows = driver.execute(_STANDINGS, (list(games),)).fetchall()
    return {game: Standing._make(row) for game, *row in rows}


def publish(store: Store, game: str, principal: str) -> None:
    """Opens a game to everybody; the same again changes nothing."""
    with store.driver() as driver:
        driver.execute(_PUBLISH, (game, principal))


def unpublish(store: Store, game: str) -> None:
    """Closes a game to the public again."""
    with store.driver() as driver:
        driver.execute("DELETE FROM mingpai.published_games WHERE game = %s", (game,))


def note_read(store: Store, read: HiddenRead) -> None:
    """Puts a reading on record; it is there for good when this returns."""
    note_reads(store, [read])


def note_reads(store: Store, reads: Sequence[HiddenRead]) -> None:
    """The same of several readings at once, in one statement."""
    if not reads:
        return
    with store.driver() as driver:
        driver.execute(_READ, [list(column) for column in zip(*reads, strict=True)])
