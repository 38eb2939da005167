"""Players, and what stored games say of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from schema.ports.paging import Window


class PlayerUnknownError(LookupError):
    """No player of this id, to this viewer."""


class PlayerRecord(NamedTuple):
    """What a player did in the games that the viewer may see, as their newest audits have it.

    ``hands`` are the finished ones; ``wins`` counts by way of winning, ``findings`` by clause at the player's own seat,
    ``points`` are what the player won or lost over all hands by rule set. ``cases`` counts the disputes on those games,
    ``None`` for viewers who see no disputes of others.
    """

    games: int = 0
    hands: int = 0
    wins: Mapping[str, int] = {}
    findings: Mapping[str, int] = {}
    points: Mapping[str, int] = {}
    cases: int | None = None


class Players(Protocol):
    """Players, as far as one viewer may know of them: those who sat in a game that the viewer may see.

    All methods may be called from any thread.
    """

    def player(self, player: str) -> str:
        """The id of a player; ``PlayerUnknownError``."""

    def players(self, id_prefix: str | None, name_prefix: str | None, window: Window[tuple[str]]) -> Sequence[str]:
        """Ids of players in order, by the place ``(player,)``: those whose id begins so, and who have gone by a name
        that begins so. ``AccessError`` for a name, by a viewer who sees no names."""

    def names(self, players: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """The names that players have gone by, the last ones first, as far as the viewer sees them."""

    def records(self, players: Sequence[str]) -> Mapping[str, PlayerRecord]:
        """What players did."""
