"""Exports of many games as one log, for one viewer, page by page out of the store.

What a viewer gets is what it may see of a game as a whole (``service.access.standpoint``): a log with hidden tiles
would be none. So a game that goes on is exported up to the end of its last finished hand, to all but the server that
runs it, and a player's own games are not among them: those come as bundles. Names and free text are for those who see
names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from schema.ports import ForbiddenError, Role, Viewer
from schema.ports.jobs import UnfitArgumentError
from service.access.standpoint import Standpoint, standpoint
from service.store import Store
from service.store.bulk import Place, Selected, Selection, place_of, selected
from service.store.owners import HiddenRead, note_read
from service.store.reach import Reach, reach
from service.usecases.export import log_lines
from service.usecases.library import is_storable
from service.usecases.sights import Sights
from service.usecases.texts import texts_of

PAGE = 100  #: games that are looked up at once
IDS_LIMIT = 10_000  #: ids that one selection names
STATUSES = ("open", "finished", "abandoned", "voided")


class Exported(NamedTuple):
    """A game on its way out: its place among all games, how many events it has here, and its lines.

    ``lines`` must be used up before the next game is asked for.
    """

    game: str
    place: Place
    events: int
    lines: Iterator[bytes]


@dataclass(frozen=True, slots=True)
class Exporter:
    """Exports as ``viewer`` may have them; ``request`` names the call in the record of readings.

    ``to_the_end`` gives a game server the hand under way of its own games as well; an export that lies about for a
    while never has it.
    """

    store: Store
    sights: Sights
    viewer: Viewer
    request: str | None = None
    to_the_end: bool = True

    @property
    def within(self) -> Reach:
        """Which games may be exported at all. ``ForbiddenError`` for a player, who gets bundles."""
        return reach(exporting(self.viewer))

    def place(self, game: str) -> Place | None:
        """The place of a game, ``None`` where the viewer may export no such game."""
        return place_of(self.store, game, self.within) if is_storable(game) else None

    def games(self, wanted: Selection, after: Place | None = None, limit: int | None = None) -> Iterator[Exported]:
        """The games of a selection behind the place ``after``, oldest first, at most ``limit``.

        A reading by staff is on record before a game's first line is made.
        """
        left = limit
        while left is None or left > 0:
            size = PAGE if left is None else min(PAGE, left)
            page = selected(self.store, wanted, self.within, after, size)
            yield from self._page(page)
            if len(page) < size:
                return
            after, left = page[-1].place, None if left is None else left - size

    def _page(self, page: Sequence[Selected]) -> Iterator[Exported]:
        viewer = exporting(self.viewer)
        stands = [(one, standpoint(viewer, one.standing)) for one in page]
        named = [one.game for one, seen in stands if seen is not None and seen.sees_names]
        names = self.store.names_of(named)
        for one, seen in stands:
            if seen is not None:
                yield self._game(one, seen, names.get(one.game, {}))

    def _game(self, one: Selected, seen: Standpoint, names: dict[int, str]) -> Exported:
        events = self._shown(one, seen)
        if seen.reads_as_staff:
            self._note(one.game, events - 1)
        texts = texts_of(self.store, one.game) if seen.sees_names else {}
        stored = self.store.events(one.game, limit=events)
        return Exported(one.game, one.place, events, log_lines(stored, names, texts))

    def _shown(self, one: Selected, seen: Standpoint) -> int:
        """How many of a game's events are exported."""
        stands = one.standing
        if stands.is_over or (seen.runs_it and self.to_the_end):
            return stands.events
        return self.sights.of(one.game, stands.events, is_over=False).under_way

    def _note(self, game: str, last: int) -> None:
        assert self.viewer.principal is not None  # the public is no staff
        read = HiddenRead(self.viewer.principal, self.viewer.key, self.request, "export", game, 0, last)
        note_read(self.store, read)


def exporting(viewer: Viewer) -> Viewer:
    """The viewer without what it may see as a player. ``ForbiddenError`` where nothing else is left of a key."""
    roles = viewer.roles - {Role.PLAYER}
    if viewer.roles and not roles:
        raise ForbiddenError("A player's games are exported as bundles, one by one: GET /games/{id}/bundle.")
    return viewer._replace(roles=roles, player=None)


def selection_of(wish: Mapping[str, Any]) -> Selection:
    """The selection that members of ``ExportWish`` ask for; ``UnfitArgumentError`` for what cannot be used."""
    ids, status = wish.get("ids"), wish.get("status")
    if ids is not None and not 1 <= len(ids) <= IDS_LIMIT:
        raise UnfitArgumentError("ids", f"ids must name 1 to {IDS_LIMIT} games, not {len(ids)}.")
    if status is not None and status not in STATUSES:
        raise UnfitArgumentError("status", f"status must be one of {', '.join(STATUSES)}.")
    if not all(map(is_storable, [wish.get("ruleset"), *(ids or [])])):
        raise UnfitArgumentError("ids", "There is a character that no text here can have.")
    return Selection(_moment(wish, "since"), _moment(wish, "until"), ids, wish.get("ruleset"), status)


def _moment(wish: Mapping[str, Any], name: str) -> datetime | None:
    text = wish.get(name)
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            raise ValueError
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        message = f"{name} must be a time with its zone, such as 2026-03-01T00:00:00Z."
        raise UnfitArgumentError(name, message) from None
