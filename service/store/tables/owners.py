"""Whose games are, which of them are public, and who of the staff read hidden tiles (revision 0002)."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Identity, Index, Integer, Table, Text

from service.store.tables.base import NOW, TIME, metadata

game_owners = Table(
    "game_owners",
    metadata,
    Column("game", Text, ForeignKey("mingpai.games.game"), primary_key=True),
    Column("principal", Text, nullable=False),
    Index("ix_game_owners_principal", "principal", "game"),
)

published_games = Table(
    "published_games",
    metadata,
    Column("game", Text, ForeignKey("mingpai.games.game"), primary_key=True),
    Column("principal", Text, nullable=False),
    Column("published_at", TIME, nullable=False, server_default=NOW),
)

hidden_reads = Table(
    "hidden_reads",
    metadata,
    Column("position", BigInteger, Identity(always=True), primary_key=True),
    Column("read_at", TIME, nullable=False, server_default=NOW),
    Column("principal", Text, nullable=False),
    Column("key", Text),
    Column("request", Text),
    Column("what", Text, nullable=False),
    Column("game", Text),
    Column("first_seq", Integer),
    Column("last_seq", Integer),
    Index("ix_hidden_reads_game", "game", "position"),
    Index("ix_hidden_reads_principal", "principal", "position"),
)
