"""Principals, keys and sessions (revision 0003)."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, LargeBinary, Table, Text, text
from sqlalchemy.dialects.postgresql import ARRAY

from service.store.tables.base import NOW, TIME, metadata


def _principal() -> Column[str]:
    return Column("principal", Text, ForeignKey("mingpai.principals.principal"), nullable=False)


principals = Table(
    "principals",
    metadata,
    Column("principal", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("player", Text),
    Column("created_at", TIME, nullable=False, server_default=NOW),
    Column("created_by", Text),
    Column("disabled_at", TIME),
    Index("ix_principals_player", "player", unique=True),
    Index("ix_principals_created", "created_at", "principal"),
)

identities = Table(
    "identities",
    metadata,
    Column("issuer", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
    _principal(),
    Column("linked_at", TIME, nullable=False, server_default=NOW),
    Column("linked_by", Text),
)

access_keys = Table(
    "access_keys",
    metadata,
    Column("key", Text, primary_key=True),
    _principal(),
    Column("digest", LargeBinary, nullable=False),
    Column("roles", ARRAY(Text), nullable=False),
    Column("label", Text, nullable=False),
    Column("made_with", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    Column("created_at", TIME, nullable=False, server_default=NOW),
    Column("created_by", Text),
    Column("expires_at", TIME),
    Column("revoked_at", TIME),
    Column("revoked_by", Text),
    Column("last_used_at", TIME),
    Index("ix_access_keys_created", "created_at", "key"),
    Index("ix_access_keys_principal", "principal", "created_at", "key"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("session", Text, primary_key=True),
    Column("digest", LargeBinary, nullable=False),
    _principal(),
    Column("key", Text, ForeignKey("mingpai.access_keys.key")),
    Column("roles", ARRAY(Text), nullable=False),
    Column("created_at", TIME, nullable=False, server_default=NOW),
    Column("expires_at", TIME, nullable=False),
    Column("last_used_at", TIME, nullable=False, server_default=NOW),
    Index("ix_sessions_expires", "expires_at"),
)
