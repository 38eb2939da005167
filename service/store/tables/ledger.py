"""Games, their chained events, the log of seals, and what audits found (revision 0001)."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
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

from service.store.tables.base import DOCUMENT as _JSON
from service.store.tables.base import NOW as _NOW
from service.store.tables.base import TIME as _TIME
from service.store.tables.base import Xid8, metadata


def _game() -> Column[str]:
    return Column("game", Text, ForeignKey("mingpai.games.game"), primary_key=True)


def _of_audit() -> ForeignKeyConstraint:
    columns = ["mingpai.audits.game", "mingpai.audits.engine"]
    return ForeignKeyConstraint(["game", "engine"], columns, ondelete="CASCADE")


games = Table(
    "games",
    metadata,
    Column("game", Text, primary_key=True),
    Column("ruleset_id", Text, nullable=False),
    Column("ruleset_version", Text, nullable=False),
    Column("options", _JSON, nullable=False),
    Column("ruleset_digest", LargeBinary, nullable=False),
    Column("players", ARRAY(Text), nullable=False),
    Column("started_at", Text, nullable=False),
    Column("opened_at", _TIME, nullable=False),
    Index("ix_games_opened", "opened_at", "game"),
    Index("ix_games_players", "players", postgresql_using="gin"),
    Index("ix_games_ruleset", "ruleset_id", "opened_at", "game"),
)

game_heads = Table(
    "game_heads",
    metadata,
    _game(),
    Column("next_seq", Integer, nullable=False),
    Column("head", LargeBinary, nullable=False),
    Column("status", Text, nullable=False, server_default="open"),
    Column("updated_at", _TIME, nullable=False),
    Column("closed_at", _TIME),
    Column("sealed_at", _TIME),
    Index(
        "ix_game_heads_unsealed",
        "closed_at",
        "game",
        postgresql_where=text("status <> 'open' AND sealed_at IS NULL"),
    ),
)

game_secrets = Table("game_secrets", metadata, _game(), Column("secret", LargeBinary, nullable=False))

seat_names = Table(
    "seat_names",
    metadata,
    _game(),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Index("ix_seat_names_name", "name", postgresql_ops={"name": "text_pattern_ops"}),
)

event_texts = Table(
    "event_texts",
    metadata,
    _game(),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("salt", LargeBinary, nullable=False),
    Column("text", LargeBinary, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("game", Text, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("recorded_at", _TIME, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("public_digest", LargeBinary, nullable=False),
    Column("salt", LargeBinary, nullable=False),
    Column("head", LargeBinary, nullable=False),
)

appends = Table(
    "appends",
    metadata,
    Column("position", BigInteger, Identity(always=True), primary_key=True),
    Column("recorded_at", _TIME, nullable=False),
    Column("first_seq", Integer, nullable=False),
    Column("last_seq", Integer, nullable=False),
    Column("game", Text, nullable=False),
    Column("key", Text),
    Column("head", LargeBinary, nullable=False),
    UniqueConstraint("game", "key"),
)

staged_events = Table(
    "staged_events",
    metadata,
    Column("batch", Xid8, primary_key=True, server_default=text("pg_current_xact_id()")),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("body", LargeBinary, nullable=False),
    Column("public_digest", LargeBinary, nullable=False),
    Column("salt", LargeBinary, nullable=False),
    prefixes=["UNLOGGED"],
)

staging = Table(
    "staging",
    metadata,
    Column("batch", Xid8, nullable=False, server_default=text("pg_current_xact_id()")),
    prefixes=["UNLOGGED"],
)

log_leaves = Table(
    "log_leaves",
    metadata,
    Column("index", BigInteger, primary_key=True, autoincrement=False),
    Column("game", Text, ForeignKey("mingpai.games.game"), nullable=False, unique=True),
    Column("seal", LargeBinary, nullable=False),
    Column("leaf", LargeBinary, nullable=False),
    Column("sealed_at", _TIME, nullable=False),
)

log_nodes = Table(
    "log_nodes",
    metadata,
    Column("level", SmallInteger, primary_key=True, autoincrement=False),
    Column("index", BigInteger, primary_key=True, autoincrement=False),
    Column("hash", LargeBinary, nullable=False),
)

log_head = Table(
    "log_head",
    metadata,
    Column("one", Boolean, primary_key=True, server_default=text("true")),
    Column("size", BigInteger, nullable=False),
)

checkpoints = Table(
    "checkpoints",
    metadata,
    Column("position", BigInteger, Identity(always=True), primary_key=True),
    Column("size", BigInteger, nullable=False),
    Column("note", LargeBinary, nullable=False, unique=True),
    Column("signed_at", _TIME, nullable=False),
)

cosignatures = Table(
    "cosignatures",
    metadata,
    Column("checkpoint", BigInteger, primary_key=True, autoincrement=False),
    Column("line", Text, primary_key=True),
    Column("received_at", _TIME, nullable=False),
)

audits = Table(
    "audits",
    metadata,
    _game(),
    Column("engine", Text, primary_key=True),
    Column("upto_seq", Integer, nullable=False),
    Column("verdict", Text, nullable=False),
    Column("report", Text, nullable=False),
    Column("audited_at", _TIME, nullable=False, server_default=_NOW),
)

audit_hands = Table(
    "audit_hands",
    metadata,
    Column("game", Text, primary_key=True),
    Column("engine", Text, primary_key=True),
    Column("hand", BigInteger, primary_key=True, autoincrement=False),
    Column("dealer", SmallInteger),
    Column("streak", BigInteger),
    Column("winner", SmallInteger),
    Column("win", Text),
    Column("deltas", ARRAY(BigInteger)),
    Column("items", _JSON, nullable=False),
    Column("state_hash", Text),
    _of_audit(),
)

findings = Table(
    "findings",
    metadata,
    Column("game", Text, primary_key=True),
    Column("engine", Text, primary_key=True),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    Column("seq", Integer),
    Column("hand", BigInteger),
    Column("seat", SmallInteger),
    Column("clause", Text, nullable=False),
    Column("code", Text, nullable=False),
    Column("severity", Text, nullable=False),
    Column("expected", _JSON),
    Column("recorded", _JSON),
    Column("also", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    _of_audit(),
    Index("ix_findings_clause", "clause", "engine", "game", "ordinal"),
)
