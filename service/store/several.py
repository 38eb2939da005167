"""What hangs on several games at once, in one statement however many they are."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import NamedTuple

from service.store.records import Audit
from service.store.store import Store

_AUDITS = """
SELECT game, engine, upto_seq, verdict, report, audited_at FROM mingpai.audits
WHERE game = ANY (%s) ORDER BY game, audited_at DESC, engine DESC
"""
_JUDGEMENTS = """
SELECT h.game, h.next_seq, h.status <> 'open', a.engine, a.verdict, a.upto_seq
FROM mingpai.game_heads h LEFT JOIN mingpai.audits a USING (game)
WHERE h.game = ANY (%s) ORDER BY h.game, a.audited_at DESC, a.engine DESC
"""
_BODIES = """
SELECT e.game, e.seq, e.body FROM unnest(%s::text[], %s::integer[]) AS x(game, seq)
JOIN mingpai.events e ON e.game = x.game COLLATE "C" AND e.seq = x.seq
"""


def audits_by_engine(store: Store, games: Sequence[str]) -> list[Audit]:
    """The audits of games by all engines, each game's newest first."""
    with store.driver() as driver:
        rows = driver.execute(_AUDITS, (list(games),)).fetchall()
    return [Audit(game, engine, seq, verdict, json.loads(text), at) for game, engine, seq, verdict, text, at in rows]


class Judged(NamedTuple):
    """What an engine said of a game up to an event."""

    engine: str
    verdict: str
    upto_seq: int


class Judgements(NamedTuple):
    """How far a game goes, whether it has ended, and what engines said of it, the newest first."""

    events: int
    is_over: bool
    audits: Sequence[Judged]


def judgements(store: Store, games: Sequence[str]) -> dict[str, Judgements]:
    """What was said of each of the games that there are."""
    found: dict[str, Judgements] = {}
    with store.driver() as driver:
        for game, events, is_over, *judged in driver.execute(_JUDGEMENTS, (list(games),)).fetchall():
            audits = found.setdefault(game, Judgements(events, is_over, [])).audits
            if judged[0] is not None:
                found[game] = Judgements(events, is_over, [*audits, Judged._make(judged)])
    return found


def bodies_at(store: Store, places: Collection[tuple[str, int]]) -> dict[tuple[str, int], bytes]:
    """The canonical bytes of the events at places, each a game and a ``seq``."""
    games, seqs = [game for game, _ in places], [seq for _, seq in places]
    with store.driver() as driver:
        rows = driver.execute(_BODIES, (games, seqs)).fetchall()
    return {(game, seq): bytes(body) for game, seq, body in rows}
