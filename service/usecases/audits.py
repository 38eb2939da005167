"""Audits of stored games, kept in the store with their hands and findings.

Where an audit is kept decides who can ever see it. ``audits``, with its hands and findings, is for everybody who may
see the game: of a game that goes on it holds the audit of the events before the hand under way. The audit of all events
of a game that goes on is kept apart, for the server that runs it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from replays import ENGINE
from replays.audit import Report, audit
from replays.events import Event, GameEnded, HandEnded
from schema.paipu import history
from schema.report import report_document
from service.evidence.bundles.sight import sight
from service.store import Store
from service.store.errors import UnknownGameError
from service.store.live import LiveAudit, keep_live

#: The language of the messages in stored reports; answers are worded anew in the language asked for.
STORED_LANG = "en"


class Kept(NamedTuple):
    """The JSON objects of ``mingpai audit`` on a stored game: on all of it, for those who run the game or have its log,
    and on what others may know of it. Of a game that has ended they are the same."""

    whole: dict[str, Any]
    shown: dict[str, Any]


def audit_stored(store: Store, game: str) -> dict[str, Any]:
    """Audits a game as it is stored and keeps the reports; returns the one for everybody who may see the game.

    Raises ``UnknownGameError``.
    """
    return _audited(store, game).shown


def keep(store: Store, report: Report, events: Sequence[Event]) -> Kept:
    """Keeps the report on a stored game whose first events are ``events``, each where it belongs."""
    whole = report_document(report, STORED_LANG)
    is_over = isinstance(events[-1], GameEnded)
    if not is_over:
        keep_live(store, LiveAudit.of(whole, len(events) - 1, is_hand_end=isinstance(events[-1], HandEnded)))
    settled = sight(events, is_over=is_over).under_way
    shown = whole if settled == len(events) else report_document(audit(events[:settled]), STORED_LANG)
    store.save_audit(shown, settled - 1)
    return Kept(whole, shown)


def verdict_of(store: Store, game: str, upto_seq: int) -> str:
    """The verdict of this engine on all of a game, at least up to event ``upto_seq``: the stored one, or a new audit's.

    It may tell of the hand under way: it is for those who have these events.
    """
    known = store.audit(game, ENGINE)
    if known is not None and known.upto_seq >= upto_seq:
        return known.verdict
    return str(_audited(store, game).whole["verdict"])


def _audited(store: Store, game: str) -> Kept:
    bodies = store.bodies(game)
    if not bodies:
        raise UnknownGameError(f"no game {game}")
    events = list(history(bodies))
    return keep(store, audit(events), events)
