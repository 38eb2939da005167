"""Exports that take long, and links to bundles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from schema.ports.paging import Window

#: A place in a list of jobs or links: when it was made, and its id.
MadePlace = tuple[str, str]


class JobUnknownError(LookupError):
    """No export of this id, to this viewer."""


class LinkUnknownError(LookupError):
    """No link of this id, to this viewer."""


class TooManyError(Exception):
    """The viewer has as many of these as one may have; the text is for people."""


class UnfitArgumentError(ValueError):
    """A value that cannot be used; ``argument`` names it, the text is for people."""

    def __init__(self, argument: str, message: str) -> None:
        super().__init__(message)
        self.argument = argument


@dataclass(frozen=True, slots=True)
class ExportWish:
    """Which games an export takes: opened from ``since`` on and before ``until`` (RFC 3339), of these ``ids``, of a
    rule set, of a status. ``None`` stands for any."""

    since: str | None = None
    until: str | None = None
    ids: Sequence[str] | None = None
    ruleset: str | None = None
    status: str | None = None


class JobRow(NamedTuple):
    """An export: ``total`` games were to be taken when it began; ``games``, ``events`` and ``size`` (bytes, packed) is
    how far it has come. ``path`` is where the file is fetched, once it is there."""

    job: str
    state: str  #: ``waiting``, ``running``, ``done``, ``failed``, ``cancelled`` or ``expired``
    wish: Mapping[str, Any]
    created_at: str  #: with microseconds, as cursors need them
    started_at: str | None
    finished_at: str | None
    expires_at: str
    total: int | None
    games: int
    events: int
    size: int
    path: str | None
    error: str | None


class LinkRow(NamedTuple):
    """A link to the bundle of a game, whole or of a seat. ``path`` opens it, and is told once, when it is made."""

    link: str
    game: str
    seat: int | None
    created_at: str
    expires_at: str
    path: str | None


class Exports(Protocol):
    """Large exports, by a worker, into a file that is fetched later. ``AccessError`` for players and the public."""

    def start(self, wish: ExportWish) -> JobRow:
        """A new export; ``TooManyError``, ``UnfitArgumentError``."""

    def job(self, job: str) -> JobRow:
        """One export of the viewer's, any for an admin; ``JobUnknownError``."""

    def jobs(self, window: Window[MadePlace]) -> Sequence[JobRow]:
        """The viewer's exports, an admin's everybody's, the newest first."""

    def cancel(self, job: str) -> JobRow:
        """Ends an export and removes its file; one that has ended stays as it is. ``JobUnknownError``."""


class Links(Protocol):
    """Links by which somebody without an account has a bundle until they expire or are revoked."""

    def create(self, game: str, seat: int | None, seconds: int) -> LinkRow:
        """A new link. ``GameUnknownError``, ``SeatUnknownError``, ``HiddenError`` for what the viewer does not see,
        ``TooManyError``, ``UnfitArgumentError``; ``AccessError`` for those who may make none."""

    def links(self, window: Window[MadePlace]) -> Sequence[LinkRow]:
        """The viewer's links that are good, an admin's everybody's, the newest first."""

    def revoke(self, link: str) -> LinkRow:
        """Ends a link of the viewer's, any for an admin; ``LinkUnknownError`` where there is none that is good."""
