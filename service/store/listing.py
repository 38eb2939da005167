"""The list of games with its filters, by keyset: one statement, whatever is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from schema.ports import GameFilter, GameRow
from service.store.records import time_text
from service.store.store import Store

# The newest audit of a game counts, whichever engine made it: the primary key of audits leads there.
_LIST = """
SELECT g.game, g.ruleset_id, g.ruleset_version, g.options, g.ruleset_digest, g.players, g.started_at, h.status,
       g.opened_at, h.closed_at, h.sealed_at, h.next_seq, h.head, a.verdict
FROM mingpai.games g
JOIN mingpai.game_heads h USING (game)
LEFT JOIN LATERAL (
  SELECT engine, verdict FROM mingpai.audits WHERE audits.game = g.game ORDER BY audited_at DESC LIMIT 1
) a ON true
"""
_ORDER = " ORDER BY g.opened_at DESC, g.game DESC LIMIT %(limit)s"
_CONDITIONS = {
    "game": "g.game = %(game)s",
    "ruleset": "g.ruleset_id = %(ruleset)s",
    "verdict": "a.verdict = %(verdict)s",
    "player": "g.players @> ARRAY[%(player)s]::text[]",
    "clause": "EXISTS (SELECT FROM mingpai.findings f"
    " WHERE f.clause = %(clause)s AND f.engine = a.engine AND f.game = g.game)",
    "status": "h.status = %(status)s",
    "opened_at": "(g.opened_at, g.game) < (%(opened_at)s, %(after_game)s)",
}


def game_row(store: Store, game: str) -> GameRow | None:
    """One game as the list shows it."""
    return next(iter(_select(store, {"game": game}, 1)), None)


def game_rows(store: Store, wanted: GameFilter, after: tuple[str, str] | None, limit: int) -> Sequence[GameRow]:
    """Games, the newest first, behind the place ``(opened_at, game)`` of an earlier row."""
    equal = {name: getattr(wanted, name) for name in GameFilter.__dataclass_fields__}
    place = {} if after is None else {"opened_at": datetime.fromisoformat(after[0]), "after_game": after[1]}
    return _select(store, {**equal, **place}, limit)


def _select(store: Store, given: dict[str, Any], limit: int) -> list[GameRow]:
    values = {name: value for name, value in given.items() if value is not None}
    conditions = [text for name, text in _CONDITIONS.items() if name in values]
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    with store.driver() as driver:
        rows = driver.execute(_LIST + where + _ORDER, {**values, "limit": limit}).fetchall()
    return [_game(_Row._make(row)) for row in rows]


class _Row(NamedTuple):
    """The columns of ``_LIST``."""

    game: str
    ruleset: str
    version: str
    options: Mapping[str, Any]
    digest: bytes
    players: Sequence[str]
    started_at: str
    status: str
    opened_at: datetime
    closed_at: datetime | None
    sealed_at: datetime | None
    events: int
    head: bytes
    verdict: str | None


def _game(row: _Row) -> GameRow:
    return GameRow(
        game=row.game,
        ruleset=row.ruleset,
        version=row.version,
        options=row.options,
        ruleset_digest=row.digest.hex(),
        players=row.players,
        started_at=row.started_at,
        status=row.status,
        opened_at=row.opened_at.astimezone(UTC).isoformat(timespec="microseconds"),
        closed_at=_time(row.closed_at),
        sealed_at=_time(row.sealed_at),
        events=row.events,
        head=row.head.hex(),
        verdict=row.verdict,
    )


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else time_text(moment)
