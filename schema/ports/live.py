"""Following what goes on: every method is one subscription, and gives rows as they come, in order, each once.

A subscription goes on until its consumer closes it. It ends by itself where nothing can follow any more, and with an
exception where it must not go on: ``AccessError`` for credentials that are no longer good, ``GameUnknownError`` for a
game that there is not (any more) to this viewer, ``StoppingError``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, NamedTuple, Protocol

from schema.ports.cases import CaseEventRow
from schema.ports.games import EventRow


class StoppingError(Exception):
    """The service is about to stop: subscribe again, elsewhere or later, with the last cursor."""


class GameFindingRow(NamedTuple):
    """A finding of a game that is followed, out of the audit of its events up to ``upto_seq``."""

    upto_seq: int
    finding: Mapping[str, Any]


class NewFindingRow(NamedTuple):
    """A finding as news: ``position`` orders all of them, ``finding`` is its JSON object."""

    position: int
    game: str
    finding: Mapping[str, Any]
    found_at: str


class CaseChangeRow(NamedTuple):
    """An event of a case as news: ``position`` is that of its append among those of all cases."""

    position: int
    case: str
    event: CaseEventRow


class Live(Protocol):
    """What one viewer may follow, through one connection."""

    def game_events(self, game: str, after: int | None) -> AsyncIterator[EventRow]:
        """The events of a game behind ``seq`` ``after``, as the viewer may see each when it comes; ends with the game.

        Raises ``GameUnknownError``.
        """

    def game_findings(self, game: str) -> AsyncIterator[GameFindingRow]:
        """What has been found in a game, and then what is found; ends with the audit of the whole game.

        Raises ``GameUnknownError``.
        """

    def findings(self, clause: str | None, severity: str | None, after: int | None) -> AsyncIterator[NewFindingRow]:
        """What this engine finds in any game from now on, or behind a position; for staff (``AccessError``)."""

    def case_events(self, case: str, after: int | None) -> AsyncIterator[CaseEventRow]:
        """The events of a case behind ``seq`` ``after``, as far as the viewer may know of them.

        Raises ``CaseUnknownError``.
        """

    def case_changes(self, after: tuple[int, int] | None) -> AsyncIterator[CaseChangeRow]:
        """The events of all cases from now on, or behind a place ``(position, seq)``; for the staff that works on them
        (``AccessError``)."""
