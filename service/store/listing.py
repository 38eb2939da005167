"""The list of games that a viewer may know of, with its filters, by keyset: one statement, whatever is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from schema.ports import GameFilter, GameRow, Window
from service.store.keyset import in_order, keyset
from service.store.reach import EVERYTHING, Reach
from service.store.records import time_text
from service.store.store import Store

# The newest audit of a game counts, whichever engine made it: the primary key of audits leads there.
_LIST = """
SELECT g.game, g.ruleset_id, g.ruleset_version, g.options, g.ruleset_digest, g.players, g.started_at, h.status,
       g.opened_at, h.closed_at, h.sealed_at, h.next_seq, h.head, a.verdict,
       EXISTS (SELECT FROM mingpai.published_games p WHERE p.game = g.game)
FROM mingpai.games g
JOIN mingpai.game_heads h USING (game)
LEFT JOIN LATERAL (
  SELECT engine, verdict FROM mingpai.audits WHERE audits.game = g.game ORDER BY audited_at DESC LIMIT 1
) a ON true
"""
_CONDITIONS = {
    "game": "g.game = %(game)s",
    "ruleset": "g.ruleset_id = %(ruleset)s",
    "verdict": "a.verdict = %(verdict)s",
    "player": "g.players @> ARRAY[%(player)s]::text[]",
    "clause": "EXISTS (SELECT FROM mingpai.findings f"
    " WHERE f.clause = %(clause)s AND f.engine = a.engine AND f.game = g.game)",
    "status": "h.status = %(status)s",
}


def game_row(store: Store, game: str, within: Reach = EVERYTHING) -> GameRow | None:
    """One game as the list shows it."""
    return next(iter(_select(store, {"game": game}, Window(1), within)), None)


def game_rows(
    store: Store, wanted: GameFilter, window: Window[tuple[str, str]], within: Reach = EVERYTHING
) -> Sequence[GameRow]:
    """Games, the newest first, by the place ``(opened_at, game)``."""
    equal = {name: getattr(wanted, name) for name in GameFilter.__dataclass_fields__}
    return _select(store, equal, window, within)


def _select(store: Store, given: dict[str, Any], window: Window[tuple[str, str]], within: Reach) -> Sequence[GameRow]:
    values = {name: value for name, value in given.items() if value is not None}
    page = keyset(_by_time(window), ["g.opened_at", "g.game"], newest_first=True)
    conditions = [text for name, text in _CONDITIONS.items() if name in values]
    conditions += [within.condition(values), *page.conditions]
    with store.driver() as driver:
        rows = driver.execute(_LIST + f" WHERE {' AND '.join(conditions)}" + page.tail, values | page.values).fetchall()
    return in_order(window, [_game(_Row._make(row)) for row in rows])


def _by_time(window: Window[tuple[str, str]]) -> Window[tuple[datetime, str]]:
    """The window with moments for the texts of its places."""
    after, before = (
        None if place is None else (datetime.fromisoformat(place[0]), place[1])
        for place in (window.after, window.before)
    )
    return Window(window.limit, after, before, window.is_backward)


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
    is_public: bool


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
        is_public=row.is_public,
    )


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else time_text(moment)
