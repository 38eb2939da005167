"""Audits of games that go on, who makes them, and findings in the order in which they came (revision 0005)."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY

from service.store.tables.base import DOCUMENT, NOW, TIME, metadata

live_audits = Table(
    "live_audits",
    metadata,
    Column("game", Text, ForeignKey("mingpai.games.game"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("engine", Text, primary_key=True),
    Column("verdict", Text, nullable=False),
    Column("report", Text, nullable=False),
    Column("is_hand_end", Boolean, nullable=False),
    Column("audited_at", TIME, nullable=False, server_default=NOW),
)

live_cursor = Table(
    "live_cursor",
    metadata,
    Column("one", Boolean, primary_key=True, server_default=text("true")),
    Column("position", BigInteger, nullable=False),
)

live_leases = Table(
    "live_leases",
    metadata,
    Column("game", Text, ForeignKey("mingpai.games.game"), primary_key=True),
    Column("due_seq", Integer, nullable=False),
    Column("audited_seq", Integer, nullable=False, server_default=text("-1")),
    Column("due_since", TIME),
    Column("holder", Text),
    Column("token", BigInteger, nullable=False, server_default=text("0")),
    Column("expires_at", TIME, nullable=False, server_default=text("'-infinity'")),
    Index("ix_live_leases_due", "due_since", postgresql_where=text("due_since IS NOT NULL")),
)

found_findings = Table(
    "found_findings",
    metadata,
    Column("position", BigInteger, Identity(always=True), primary_key=True),
    Column("game", Text, ForeignKey("mingpai.games.game"), nullable=False),
    Column("engine", Text, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("seq", Integer),
    Column("hand", BigInteger),
    Column("seat", SmallInteger),
    Column("clause", Text, nullable=False),
    Column("code", Text, nullable=False),
    Column("severity", Text, nullable=False),
    Column("expected", DOCUMENT),
    Column("recorded", DOCUMENT),
    Column("also", ARRAY(Text), nullable=False),
    Column("found_at", TIME, nullable=False, server_default=NOW),
    UniqueConstraint("game", "engine", "digest"),
)
