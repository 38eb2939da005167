"""Whose games are, which of them are public, and the record of who of the staff read hidden tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from service.store.records import Appended, Entry, Opening, time_text
from service.store.store import Store

_OPEN = "SELECT * FROM mingpai.open_owned_game(%s, %s, %s::text, %b, %b, %s::text[], %b, %b, %b)"
_PUBLISH = "INSERT INTO mingpai.published_games (game, principal) VALUES (%s, %s) ON CONFLICT DO NOTHING"
_STANDING = """
SELECT g.players, h.next_seq, h.status <> 'open',
       (SELECT o.principal FROM mingpai.game_owners o WHERE o.game = g.game),
       EXISTS (SELECT FROM mingpai.published_games p WHERE p.game = g.game)
FROM mingpai.games g JOIN mingpai.game_heads h USING (game) WHERE g.game = %s
"""
_READ = """
INSERT INTO mingpai.hidden_reads (principal, key, request, what, game, first_seq, last_seq)
VALUES (%s, %s, %s, %s, %s, %s, %s)
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
    with store.driver() as driver:
        row = driver.execute(_STANDING, (game,)).fetchone()
    return None if row is None else Standing._make(row)


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
    with store.driver() as driver:
        driver.execute(_READ, read)
