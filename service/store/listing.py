"""The lists of games and of hands that a viewer may know of, with their filters, by keyset: one statement each,
whatever is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any, NamedTuple

from schema.ports import GameFilter, GameRow, HandFilter, HandRow, Window
from service.store.keyset import by_moment, in_order, keyset, place_text
from service.store.reach import EVERYTHING, Reach
from service.store.records import time_text
from service.store.store import Store

_IS_PUBLIC = "EXISTS (SELECT FROM mingpai.published_games p WHERE p.game = g.game)"
_LIST = f"""
SELECT g.game, g.ruleset_id, g.ruleset_version, g.options, g.ruleset_digest, g.players, g.started_at, h.status,
       g.opened_at, h.closed_at, h.sealed_at, h.next_seq, h.head, s.verdict, {_IS_PUBLIC}
FROM mingpai.games g
JOIN mingpai.game_heads h USING (game)
LEFT JOIN mingpai.search_games s USING (game)
"""
# To the player of a case, whoever that is besides, a verdict that waits for approval is none yet.
_DISPUTE = """
CASE WHEN c.state = 'pending_approval' AND (c.player = %(own)s::text) IS TRUE THEN 'in_review' ELSE c.state END
"""
_GAMES = {
    "ruleset": "g.ruleset_id = %(ruleset)s",
    "verdict": "s.verdict = %(verdict)s",
    "player": "g.players @> ARRAY[%(player)s]::text[]",
    "finding": "s.findings @> ARRAY[%(finding)s]::text[]",
    "win": "s.wins @> ARRAY[%(win)s]::text[]",
    "min_swing": "s.swing >= %(min_swing)s",
    "min_total_swing": "s.total_swing >= %(min_total_swing)s",
    "status": "h.status = %(status)s",
    "is_public": f"{_IS_PUBLIC} = %(is_public)s",
    "dispute": f"EXISTS (SELECT FROM mingpai.case_states c WHERE c.game = g.game AND {_DISPUTE} = %(dispute)s)",
    "opened_from": "g.opened_at >= %(opened_from)s",
    "opened_until": "g.opened_at < %(opened_until)s",
    "started_from": "s.started_at >= %(started_from)s",
    "started_until": "s.started_at < %(started_until)s",
}

_HAND_LIST = """
SELECT h.game, h.hand, h.opened_at, h.document, s.engine, s.upto_seq, g.ruleset_digest
FROM mingpai.search_hands h
JOIN mingpai.games g USING (game)
JOIN mingpai.search_games s USING (game)
"""
_HANDS = {
    "game": "h.game = %(game)s",
    "hand": "h.hand = %(hand)s",
    "ruleset": "g.ruleset_id = %(ruleset)s",
    "winner": "h.player = %(winner)s",
    "win": "h.win = %(win)s",
    "min_factor": "h.factor >= %(min_factor)s",
    "min_swing": "h.swing >= %(min_swing)s",
    "opened_from": "h.opened_at >= %(opened_from)s",
    "opened_until": "h.opened_at < %(opened_until)s",
}


def game_row(store: Store, game: str, within: Reach = EVERYTHING) -> GameRow | None:
    """One game as the list shows it."""
    return next(iter(_games(store, ["g.game = %(game)s"], {"game": game}, Window(1), within)), None)


def game_rows(
    store: Store,
    wanted: GameFilter,
    window: Window[tuple[str, str]],
    within: Reach = EVERYTHING,
    own: str | None = None,
) -> Sequence[GameRow]:
    """Games, the newest first, by the place ``(opened_at, game)``. ``own`` is the id under which the viewer plays: how
    a case stands is told to its player otherwise than to others."""
    given = _given(wanted)
    finding = _finding(given.pop("severity", None), given.pop("clause", None))
    asked = given if finding is None else given | {"finding": finding}
    return _games(store, [_GAMES[name] for name in asked], asked | {"own": own}, window, within)


def games_of(
    store: Store, players: Sequence[str], window: Window[tuple[str, str]], within: Reach = EVERYTHING
) -> dict[str, Sequence[GameRow]]:
    """Of each of the players one window of the games that they sat in, the newest first, by the place
    ``(opened_at, game)``."""
    page = keyset(by_moment(window), ["g.opened_at", "g.game"], newest_first=True)
    values: dict[str, Any] = {"players": list(players)}
    where = ["g.players @> ARRAY[x.player]", within.condition(values), *page.conditions]
    statement = f"""
        SELECT x.player, games.* FROM unnest(%(players)s::text[]) AS x(player)
        CROSS JOIN LATERAL ({_LIST} WHERE {" AND ".join(where)}{page.tail}) games
    """
    found: dict[str, list[GameRow]] = {}
    with store.driver() as driver:
        for player, *row in driver.execute(statement, values | page.values).fetchall():
            found.setdefault(player, []).append(_game(_Row._make(row)))
    return {player: sorted(rows, key=_by_opening, reverse=True) for player, rows in found.items()}


def hand_row(store: Store, game: str, number: int, within: Reach = EVERYTHING) -> HandRow | None:
    """One finished hand."""
    return next(iter(_hands(store, {"game": game, "hand": number}, Window(1), within)), None)


def hand_rows(
    store: Store, wanted: HandFilter, window: Window[tuple[str, str, int]], within: Reach = EVERYTHING
) -> Sequence[HandRow]:
    """Finished hands, those of the newest game first, by the place ``(opened_at, game, number)``."""
    return _hands(store, _given(wanted), window, within)


def hands_of(
    store: Store, games: Sequence[str], window: Window[tuple[int]], within: Reach = EVERYTHING
) -> dict[str, Sequence[HandRow]]:
    """Of each of the games one window of its finished hands in order, by the place ``(number,)``."""
    page = keyset(window, ["h.hand"])
    values: dict[str, Any] = {"games": list(games)}
    where = ['h.game = x.game COLLATE "C"', within.condition(values), *page.conditions]
    statement = f"""
        SELECT hands.* FROM unnest(%(games)s::text[]) AS x(game)
        CROSS JOIN LATERAL ({_HAND_LIST} WHERE {" AND ".join(where)}{page.tail}) hands
    """
    found: dict[str, list[HandRow]] = {}
    with store.driver() as driver:
        for row in driver.execute(statement, values | page.values).fetchall():
            found.setdefault(row[0], []).append(_hand(*row))
    return {game: sorted(rows, key=lambda row: row.number) for game, rows in found.items()}


def _given(wanted: GameFilter | HandFilter) -> dict[str, Any]:
    values = {field.name: getattr(wanted, field.name) for field in fields(wanted)}
    return {name: value for name, value in values.items() if value is not None}


def _finding(severity: str | None, clause: str | None) -> str | None:
    """What stands in ``search_games.findings`` for such a finding."""
    return " ".join(word for word in (severity, clause) if word is not None) or None


def _games(
    store: Store, conditions: Sequence[str], given: dict[str, Any], window: Window[Any], within: Reach
) -> Sequence[GameRow]:
    page = keyset(by_moment(window), ["g.opened_at", "g.game"], newest_first=True)
    where = [*conditions, within.condition(given), *page.conditions]
    with store.driver() as driver:
        rows = driver.execute(_LIST + f" WHERE {' AND '.join(where)}" + page.tail, given | page.values).fetchall()
    return in_order(window, [_game(_Row._make(row)) for row in rows])


def _hands(store: Store, given: dict[str, Any], window: Window[Any], within: Reach) -> Sequence[HandRow]:
    page = keyset(by_moment(window), ["h.opened_at", "h.game", "h.hand"], newest_first=True)
    where = [_HANDS[name] for name in given]
    where += [within.condition(given), *page.conditions]
    with store.driver() as driver:
        rows = driver.execute(_HAND_LIST + f" WHERE {' AND '.join(where)}" + page.tail, given | page.values).fetchall()
    return in_order(window, [_hand(*row) for row in rows])


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
        opened_at=place_text(row.opened_at),
        closed_at=_time(row.closed_at),
        sealed_at=_time(row.sealed_at),
        events=row.events,
        head=row.head.hex(),
        verdict=row.verdict,
        is_public=row.is_public,
    )


def _hand(
    game: str, number: int, opened_at: datetime, document: Mapping[str, Any], engine: str, upto_seq: int, digest: bytes
) -> HandRow:
    return HandRow(game, number, place_text(opened_at), document, engine, upto_seq, digest.hex())


def _by_opening(row: GameRow) -> tuple[str, bytes]:
    return row.opened_at, row.game.encode()


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else time_text(moment)
