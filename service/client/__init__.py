"""For game servers: sends games to the service, keeps them on disk while it is away, loses nothing, doubles nothing.

with MingpaiClient("https://mingpai.example.com", key, spool=Path("/var/spool/mingpai")) as client:
    client.open_game(started)
    client.append(game, drew, discarded)
"""

from service.client.client import MingpaiClient
from service.client.errors import (
    ClientError,
    GameOverError,
    OutOfOrderError,
    RefusedError,
    SpoolBusyError,
    SpoolError,
    UnknownGameError,
)
from service.client.records import GameState, Receipt, Refusal

__all__ = [
    "ClientError",
    "GameOverError",
    "GameState",
    "MingpaiClient",
    "OutOfOrderError",
    "Receipt",
    "Refusal",
    "RefusedError",
    "SpoolBusyError",
    "SpoolError",
    "UnknownGameError",
]
