"""Disputes (revision 0004)."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
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

from service.store.tables.base import TIME, metadata

case_heads = Table(
    "case_heads",
    metadata,
    Column("case_id", Text, primary_key=True),
    Column("game", Text, ForeignKey("mingpai.games.game"), nullable=False),
    Column("next_seq", Integer, nullable=False),
    Column("head", LargeBinary, nullable=False),
    Column("updated_at", TIME, nullable=False),
    Index("ix_case_heads_game", "game", "case_id"),
)

case_events = Table(
    "case_events",
    metadata,
    Column("case_id", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("recorded_at", TIME, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("public_digest", LargeBinary, nullable=False),
    Column("salt", LargeBinary, nullable=False),
    Column("head", LargeBinary, nullable=False),
)

case_appends = Table(
    "case_appends",
    metadata,
    Column("position", BigInteger, Identity(always=True), primary_key=True),
    Column("recorded_at", TIME, nullable=False),
    Column("first_seq", Integer, nullable=False),
    Column("last_seq", Integer, nullable=False),
    Column("case_id", Text, nullable=False),
    Column("principal", Text, nullable=False),
    Column("key", Text),
    Column("head", LargeBinary, nullable=False),
    UniqueConstraint("principal", "key"),
    Index("ix_case_appends_case", "case_id", "first_seq"),
)

case_evidence = Table(
    "case_evidence",
    metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("kept_at", TIME, nullable=False),
)

case_texts = Table(
    "case_texts",
    metadata,
    Column("case_id", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("salt", LargeBinary, nullable=False),
    Column("text", LargeBinary, nullable=False),
)

case_states = Table(
    "case_states",
    metadata,
    Column("case_id", Text, ForeignKey("mingpai.case_heads.case_id"), primary_key=True),
    Column("game", Text, nullable=False),
    Column("events", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("round", SmallInteger, nullable=False),
    Column("hand", BigInteger),
    Column("step", Integer),
    Column("clause", Text),
    Column("player", Text),
    Column("opened_by", Text, nullable=False),
    Column("opened_at", TIME, nullable=False),
    Column("assignee", Text),
    Column("due", TIME, nullable=False),
    Column("appeal_until", TIME),
    Column("outcome", Text),
    Index("ix_case_states_opened", "opened_at", "case_id"),
    Index("ix_case_states_game", "game", "state"),
    Index("ix_case_states_player", "player", "opened_at", "case_id"),
    Index(
        "ix_case_states_due",
        "due",
        "case_id",
        postgresql_where=text("state IN ('open', 'in_review', 'pending_approval', 'appealed')"),
    ),
)
