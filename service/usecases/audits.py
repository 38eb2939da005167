"""Audits of stored games, kept in the store with their hands and findings."""

from __future__ import annotations

from typing import Any

from replays import ENGINE
from replays.audit import Report, audit
from schema.paipu import history
from schema.report import report_document
from service.store import Store
from service.store.errors import UnknownGameError

#: The language of the messages in stored reports; answers are worded anew in the language asked for.
STORED_LANG = "en"


def audit_stored(store: Store, game: str) -> dict[str, Any]:
    """Audits a game as it is stored and keeps the report; returns the JSON object of ``mingpai audit``.

    Raises ``UnknownGameError``.
    """
    bodies = store.bodies(game)
    if not bodies:
        raise UnknownGameError(f"no game {game}")
    report = audit(history(bodies))
    return keep(store, report, len(bodies) - 1)


def keep(store: Store, report: Report, upto_seq: int) -> dict[str, Any]:
    """Keeps a report on a stored game up to event ``upto_seq``, and returns it as a document."""
    document = report_document(report, STORED_LANG)
    store.save_audit(document, upto_seq)
    return document


def verdict_of(store: Store, game: str, upto_seq: int) -> str:
    """The verdict of this engine on a game up to event ``upto_seq``: the stored one, or a new audit's."""
    known = store.audit(game, ENGINE)
    if known is not None and known.upto_seq >= upto_seq:
        return known.verdict
    return str(audit_stored(store, game)["verdict"])
