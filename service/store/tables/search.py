"""What games, hands and players are searched by (revision 0007)."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, SmallInteger, Table, Text, text
from sqlalchemy.dialects.postgresql import ARRAY

from service.store.tables.base import DOCUMENT, TIME, metadata

search_games = Table(
    "search_games",
    metadata,
    Column("game", Text, ForeignKey("mingpai.games.game"), primary_key=True),
    Column("started_at", Text, nullable=False),
    Column("engine", Text),
    Column("upto_seq", Integer),
    Column("verdict", Text),
    Column("findings", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    Column("wins", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    Column("swing", BigInteger, nullable=False, server_default=text("0")),
    Column("total_swing", BigInteger, nullable=False, server_default=text("0")),
    Index("ix_search_games_started", "started_at"),
    Index("ix_search_games_verdict", "verdict"),
    Index("ix_search_games_findings", "findings", postgresql_using="gin"),
    Index("ix_search_games_wins", "wins", postgresql_using="gin"),
    Index("ix_search_games_swing", "swing"),
    Index("ix_search_games_total_swing", "total_swing"),
)

search_hands = Table(
    "search_hands",
    metadata,
    Column("game", Text, ForeignKey("mingpai.games.game"), primary_key=True),
    Column("hand", BigInteger, primary_key=True, autoincrement=False),
    Column("opened_at", TIME, nullable=False),
    Column("winner", SmallInteger),
    Column("player", Text),
    Column("win", Text),
    Column("factor", BigInteger),
    Column("swing", BigInteger, nullable=False),
    Column("document", DOCUMENT, nullable=False),
    Index("ix_search_hands_place", "opened_at", "game", "hand"),
    Index("ix_search_hands_player", "player", "opened_at", "game", "hand"),
    Index("ix_search_hands_win", "win", "opened_at", "game", "hand"),
    Index("ix_search_hands_swing", "swing"),
)

search_players = Table(
    "search_players",
    metadata,
    Column("player", Text, primary_key=True),
    Column("game", Text, ForeignKey("mingpai.games.game"), primary_key=True),
)
