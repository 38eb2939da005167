"""What the client refuses, all of it before anything is put into the spool."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from service.client.records import Refusal


class ClientError(Exception):
    """A call of the client that it does not take."""


class UnknownGameError(ClientError):
    """Events of a game that was not opened with this spool."""


class OutOfOrderError(ClientError):
    """An event that is not the next one of its game; ``expected`` is the ``seq`` that is."""

    def __init__(self, game: str, expected: int, found: object) -> None:
        super().__init__(f"game {game} goes on with seq {expected}, not {found}")
        self.expected = expected


class GameOverError(ClientError):
    """Events after a game's ``game_ended``."""


class RefusedError(ClientError):
    """The service has refused an earlier event of this game for good; ``refusal`` says why."""

    def __init__(self, game: str, refusal: Refusal) -> None:
        super().__init__(f"game {game} was refused at seq {refusal.seq}: {refusal.message}")
        self.refusal = refusal


class SpoolError(ClientError):
    """The spool cannot be read, or has no room."""


class SpoolBusyError(SpoolError):
    """Another process uses this spool."""
