"""Who ever sat at a table, and what the stored audits say of them: one statement each for any number of players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from schema.ports import PlayerRecord, Window
from service.store.keyset import in_order, keyset
from service.store.reach import Reach
from service.store.store import Store

_NAMES = 10  #: names of a player that are told, the last ones

_SAT = """
WITH sat AS MATERIALIZED (
  SELECT x.player, t.seat - 1 AS seat, g.game, g.ruleset_id
  FROM unnest(%(players)s::text[]) AS x(player)
  JOIN mingpai.games g ON g.players @> ARRAY[x.player]
  CROSS JOIN LATERAL unnest(g.players) WITH ORDINALITY AS t(player, seat)
  WHERE t.player = x.player AND {reach}
), tables AS MATERIALIZED (SELECT DISTINCT player, game FROM sat)
"""
#: By member of a record: what is counted, under which word.
_COUNTS = {
    "games": "SELECT player, '', count(*) FROM tables GROUP BY player",
    "hands": """
        SELECT t.player, '', count(*) FROM tables t JOIN mingpai.search_hands h USING (game) GROUP BY t.player""",
    "wins": """
        SELECT s.player, h.win, count(*) FROM sat s JOIN mingpai.search_hands h ON h.game = s.game AND h.winner = s.seat
        GROUP BY s.player, h.win""",
    "findings": """
        SELECT s.player, f.clause, count(*) FROM sat s JOIN mingpai.search_games a ON a.game = s.game
        JOIN mingpai.findings f ON f.game = s.game AND f.engine = a.engine AND f.seat = s.seat
        GROUP BY s.player, f.clause""",
    "points": """
        SELECT s.player, s.ruleset_id, sum((h.document -> 'deltas' ->> s.seat::integer)::bigint)
        FROM sat s JOIN mingpai.search_hands h ON h.game = s.game GROUP BY s.player, s.ruleset_id""",
}
_CASES = "SELECT t.player, '', count(*) FROM tables t JOIN mingpai.case_states c USING (game) GROUP BY t.player"

_EVERYBODY = "(SELECT DISTINCT player FROM mingpai.search_players)"
_SITS = "EXISTS (SELECT FROM mingpai.games g WHERE g.players @> ARRAY[p.player] AND {reach})"
_NAMED = """
p.player IN (SELECT g.players[n.seat + 1] FROM mingpai.seat_names n JOIN mingpai.games g USING (game)
             WHERE n.name ^@ %(name)s)
"""
_GONE_BY = """
SELECT player, name FROM (
  SELECT x.player, n.name, row_number() OVER (PARTITION BY x.player ORDER BY max(g.opened_at) DESC, n.name) AS place
  FROM unnest(%(players)s::text[]) AS x(player)
  JOIN mingpai.games g ON g.players @> ARRAY[x.player]
  JOIN mingpai.seat_names n ON n.game = g.game AND g.players[n.seat + 1] = x.player
  WHERE {reach} GROUP BY x.player, n.name
) AS y WHERE place <= %(limit)s ORDER BY player, place
"""


def is_player(store: Store, player: str, within: Reach) -> bool:
    """Whether somebody of this id sat in a game within reach."""
    return bool(player_ids(store, None, None, Window(1, None, None), within, exactly=player))


def player_ids(
    store: Store,
    id_prefix: str | None,
    name_prefix: str | None,
    window: Window[tuple[str]],
    within: Reach,
    exactly: str | None = None,
) -> Sequence[str]:
    """Ids of those who sat in a game within reach, in order, by the place ``(player,)``."""
    page = keyset(window, ["p.player"])
    values: dict[str, Any] = {"id": id_prefix, "name": name_prefix, "exactly": exactly}
    where = [
        text
        for name, text in (("id", "p.player ^@ %(id)s"), ("name", _NAMED), ("exactly", "p.player = %(exactly)s"))
        if values[name] is not None
    ]
    where += [_SITS.format(reach=within.condition(values)), *page.conditions]
    statement = f"SELECT p.player FROM {_EVERYBODY} p WHERE {' AND '.join(where)}{page.tail}"
    with store.driver() as driver:
        rows = driver.execute(statement, values | page.values).fetchall()
    return in_order(window, [player for (player,) in rows])


def names_gone_by(store: Store, players: Sequence[str], within: Reach) -> dict[str, list[str]]:
    """The names that players have gone by in games within reach, the last ones first."""
    values: dict[str, Any] = {"players": list(players), "limit": _NAMES}
    statement = _GONE_BY.format(reach=within.condition(values))
    found: dict[str, list[str]] = {}
    with store.driver() as driver:
        for player, name in driver.execute(statement, values).fetchall():
            found.setdefault(player, []).append(name)
    return found


def records(store: Store, players: Sequence[str], within: Reach, *, with_cases: bool) -> dict[str, PlayerRecord]:
    """What players did in games within reach; ``cases`` is ``None`` unless they are asked for."""
    values: dict[str, Any] = {"players": list(players)}
    counts = _COUNTS | ({"cases": _CASES} if with_cases else {})
    parts = (f"SELECT '{member}', x.* FROM ({text}) AS x(player, word, amount)" for member, text in counts.items())
    statement = _SAT.format(reach=within.condition(values)) + " UNION ALL ".join(parts) + " ORDER BY 1, 2, 3"
    tallies: dict[str, dict[str, dict[str, int]]] = {player: {member: {} for member in counts} for player in players}
    with store.driver() as driver:
        for member, player, word, amount in driver.execute(statement, values).fetchall():
            tallies[player][member][word] = int(amount)
    return {player: _record(tally) for player, tally in tallies.items()}


def _record(tally: dict[str, dict[str, int]]) -> PlayerRecord:
    return PlayerRecord(
        games=tally["games"].get("", 0),
        hands=tally["hands"].get("", 0),
        wins=tally["wins"],
        findings=tally["findings"],
        points=tally["points"],
        cases=tally["cases"].get("", 0) if "cases" in tally else None,
    )
