"""What a viewer may see of a game (S-VIEW-1): the one place where that is decided.

- The game server that runs a game sees all of it, also while a hand is being played.
- Staff, and everybody where a sealed game was opened to the public, see all but the hand under way; of that one what
  any spectator could see, until its wall is revealed.
- A player sees what the own seat could see; others' hidden tiles once the whole wall of that hand is revealed, and
  never what others were offered or declined.
- To anybody else there is no such game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from schema.ports import NAMED, Role, Viewer
from service.evidence.bundles.sight import Sight
from service.store.owners import Standing


class Standpoint(NamedTuple):
    """How a viewer stands to one game. ``seats`` are the viewer's own; ``reads_as_staff`` says that only being staff
    opens it, so that every reading of hidden tiles is recorded."""

    runs_it: bool
    sees_whole: bool
    seats: tuple[int, ...]
    reads_as_staff: bool
    sees_names: bool

    def may_see(self, sight: Sight, place: int, document: Mapping[str, Any]) -> bool:
        """Whether the full form of the event at ``place`` is shown, where that says more than its public form."""
        if self.runs_it:
            return True
        if place >= len(sight.opened):  # stored since the sight was taken
            return False
        if self.sees_whole and sight.may_see(place, document, None):
            return True
        return any(sight.may_see(place, document, seat) for seat in self.seats)

    def sees_all(self, sight: Sight, place: int) -> bool:
        """Whether all tiles on the table after the event at ``place`` are shown."""
        if self.runs_it:
            return True
        if place >= len(sight.opened):
            return False
        is_open = sight.opened[place]
        return (self.sees_whole and (is_open or place < sight.under_way)) or (bool(self.seats) and is_open)


#: How the game server stands to a game that it runs.
RUNS_IT = Standpoint(runs_it=True, sees_whole=False, seats=(), reads_as_staff=False, sees_names=True)


def standpoint(viewer: Viewer, standing: Standing) -> Standpoint | None:
    """How a viewer stands to a game; ``None`` for one who may not even know that it is there."""
    runs_it = viewer.has(Role.SERVER) and standing.owner is not None and standing.owner == viewer.principal
    seats = _seats(viewer, standing)
    is_public = standing.is_public and standing.is_over
    if not (runs_it or viewer.is_staff or seats or is_public):
        return None
    return Standpoint(
        runs_it=runs_it,
        sees_whole=viewer.is_staff or is_public,
        seats=seats,
        reads_as_staff=viewer.is_staff and not (runs_it or is_public),
        sees_names=runs_it or bool(seats) or viewer.has(*NAMED),
    )


def _seats(viewer: Viewer, standing: Standing) -> tuple[int, ...]:
    if viewer.player is None or not viewer.has(Role.PLAYER):
        return ()
    return tuple(seat for seat, player in enumerate(standing.players) if player == viewer.player)
