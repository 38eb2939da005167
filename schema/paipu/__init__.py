"""The game log, format ``paipu/1``: reading, checking and writing (JSON Lines, one event a line).

``read_file`` and ``read`` give records, ``events`` only the engine's events, ``games`` groups records by game.
``decode`` takes one line, ``load`` one document; both, like the readers, raise ``LogError`` with source, line,
member, what was expected and what was found. ``document`` and ``encode`` are the way back.
"""

from schema.paipu.errors import LogError
from schema.paipu.formats import FORMATS
from schema.paipu.reader import Record, decode, events, games, history, load, read, read_file
from schema.paipu.streams import LINE_LIMIT
from schema.paipu.vocabulary import EVENT_LIMIT, FORMAT
from schema.paipu.writer import (
    act_document,
    arranged,
    document,
    encode,
    join_names,
    parse_act,
    sort_acts,
    split_names,
)

__all__ = [
    "EVENT_LIMIT",
    "FORMAT",
    "FORMATS",
    "LINE_LIMIT",
    "LogError",
    "Record",
    "act_document",
    "arranged",
    "decode",
    "document",
    "encode",
    "events",
    "games",
    "history",
    "join_names",
    "load",
    "parse_act",
    "read",
    "read_file",
    "sort_acts",
    "split_names",
]
