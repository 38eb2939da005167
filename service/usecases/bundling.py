"""Bundles for viewers: who may have which, and the record of what staff read so."""

from __future__ import annotations

from dataclasses import dataclass

from schema.ports import GameUnknownError, HiddenError, SeatUnknownError, Viewer
from service.access.standpoint import Standpoint, standpoint
from service.store import Store
from service.store.owners import HiddenRead, Standing, note_read, standing
from service.usecases.library import storable
from service.usecases.notary import Notary
from service.usecases.proving import Proven, prove
from service.usecases.sights import Sights


@dataclass(frozen=True, slots=True)
class Bundler:
    """Makes bundles of stored games; ``request`` names the call in the record of readings."""

    store: Store
    notary: Notary
    sights: Sights
    request: str | None = None

    def bundle(self, viewer: Viewer, game: str, seat: int | None) -> Proven:
        """The bundle of a game as ``viewer`` may have it: whole or of ``seat``; a player's without one is of the own.

        ``GameUnknownError``, ``SeatUnknownError``, ``HiddenError``; and what ``proving.prove`` raises.
        """
        found, stands = seen(self.store, viewer, game)
        shown = seat_of(found, stands, seat)
        if stands.reads_as_staff:
            assert viewer.principal is not None  # the public is no staff
            self.note(viewer.principal, viewer.key, "bundle", game, found.events - 1)
        is_own = stands.runs_it or shown in stands.seats
        return self.made(game, shown, is_own=is_own)

    def made(self, game: str, seat: int | None, *, is_own: bool) -> Proven:
        """The bundle of a game for one who may have it. ``HiddenError`` for a seat's while a hand is under way, unless
        it ``is_own``: there that seat's hidden tiles are in it."""
        proven = prove(self.store, self.notary, game, seat)
        if seat is not None and not is_own:
            self._require_rest(game, len(proven.bundle["events"]))
        return proven

    def _require_rest(self, game: str, events: int) -> None:
        """Asked of the very events that the bundle has: a hand may have begun while it was made."""
        found = standing(self.store, game)
        is_over = found is not None and found.is_over
        if self.sights.of(game, events, is_over=is_over).under_way < events:
            raise HiddenError("A hand is under way: until it is over, only the seat itself has its bundle.")

    def note(self, principal: str, key: str | None, what: str, game: str, last: int) -> None:
        """Puts a reading on record."""
        note_read(self.store, HiddenRead(principal, key, self.request, what, game, 0, last))


def seen(store: Store, viewer: Viewer, game: str, *, publicly: bool = True) -> tuple[Standing, Standpoint]:
    """A game as ``viewer`` stands to it, ``publicly`` with what is open to everybody; ``GameUnknownError`` for one
    that there is not, to this viewer."""
    found = standing(store, storable(game))
    if found is not None and not publicly:
        found = found._replace(is_public=False)
    stands = None if found is None else standpoint(viewer, found)
    if found is None or stands is None:
        raise GameUnknownError(game)
    return found, stands


def seat_of(found: Standing, stands: Standpoint, seat: int | None) -> int | None:
    """The seat whose bundle a viewer gets that asks for ``seat``, ``None`` for the whole game's.

    ``SeatUnknownError``; ``HiddenError`` for another's.
    """
    if seat is not None and not 0 <= seat < len(found.players):
        raise SeatUnknownError(len(found.players))
    if stands.runs_it or stands.sees_whole:
        return seat
    if seat is None:
        return stands.seats[0]
    if seat not in stands.seats:
        raise HiddenError(f"Seat {seat} is another's.")
    return seat
