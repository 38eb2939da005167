"""The tables as SQLAlchemy Core sees them, a module an area.

The migrations make them; a test holds the two together.
"""

from service.store.tables import access, cases, jobs, live, owners, search
from service.store.tables.base import REVISION, SCHEMA, Xid8, metadata
from service.store.tables.ledger import (
    appends,
    audit_hands,
    audits,
    checkpoints,
    cosignatures,
    event_texts,
    events,
    findings,
    game_heads,
    game_secrets,
    games,
    log_head,
    log_leaves,
    log_nodes,
    seat_names,
    staged_events,
    staging,
)

__all__ = [
    "REVISION",
    "SCHEMA",
    "Xid8",
    "access",
    "appends",
    "audit_hands",
    "audits",
    "cases",
    "checkpoints",
    "cosignatures",
    "event_texts",
    "events",
    "findings",
    "game_heads",
    "game_secrets",
    "games",
    "jobs",
    "live",
    "log_head",
    "log_leaves",
    "log_nodes",
    "metadata",
    "owners",
    "search",
    "seat_names",
    "staged_events",
    "staging",
]
