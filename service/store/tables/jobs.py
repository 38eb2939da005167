"""Exports that take long, and links to bundles (revision 0006)."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Table,
    Text,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY

from service.store.tables.base import DOCUMENT, NOW, TIME, metadata

export_jobs = Table(
    "export_jobs",
    metadata,
    Column("job", Text, primary_key=True),
    Column("principal", Text, nullable=False),
    Column("roles", ARRAY(Text), nullable=False),
    Column("key", Text),
    Column("filter", DOCUMENT, nullable=False),
    Column("state", Text, nullable=False, server_default="waiting"),
    Column("created_at", TIME, nullable=False, server_default=NOW),
    Column("started_at", TIME),
    Column("finished_at", TIME),
    Column("expires_at", TIME, nullable=False),
    Column("attempt", Integer, nullable=False, server_default=text("0")),
    Column("lease_until", TIME),
    Column("total", BigInteger),
    Column("games", BigInteger, nullable=False, server_default=text("0")),
    Column("events", BigInteger, nullable=False, server_default=text("0")),
    Column("file_size", BigInteger, nullable=False, server_default=text("0")),
    Column("after_opened_at", TIME),
    Column("after_game", Text),
    Column("error", Text),
    Index("ix_export_jobs_created", "created_at", "job"),
    Index("ix_export_jobs_principal", "principal", "created_at", "job"),
)

bundle_links = Table(
    "bundle_links",
    metadata,
    Column("link", Text, primary_key=True),
    Column("token_digest", LargeBinary, nullable=False, unique=True),
    Column("game", Text, ForeignKey("mingpai.games.game"), nullable=False),
    Column("seat", SmallInteger),
    Column("principal", Text, nullable=False),
    Column("key", Text),
    Column("by_staff", Boolean, nullable=False),
    Column("created_at", TIME, nullable=False, server_default=NOW),
    Column("expires_at", TIME, nullable=False),
    Column("revoked_at", TIME),
    Index("ix_bundle_links_principal", "principal", "created_at", "link"),
)
