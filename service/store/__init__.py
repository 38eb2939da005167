"""The store: games, chained events, audits, in PostgreSQL. ``Store`` is its whole interface, ``opened`` the way in."""

from service.store.opening import opened, upgraded
from service.store.records import (
    Appended,
    Audit,
    Entry,
    EventText,
    Finding,
    Game,
    Health,
    Ingested,
    LogLeaf,
    Opening,
    Sender,
    SignedCheckpoint,
    StoredEvent,
    time_text,
)
from service.store.schema import upgrade
from service.store.store import Store

__all__ = [
    "Appended",
    "Audit",
    "Entry",
    "EventText",
    "Finding",
    "Game",
    "Health",
    "Ingested",
    "LogLeaf",
    "Opening",
    "Sender",
    "SignedCheckpoint",
    "Store",
    "StoredEvent",
    "opened",
    "time_text",
    "upgrade",
    "upgraded",
]
