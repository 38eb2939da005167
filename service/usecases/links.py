"""The port ``schema.ports.jobs.Links`` over the store: links to bundles for those who have no account.

A link is a bearer token of 32 random bytes, of which only the digest is kept. What it opens is made at the moment when
it is asked for, so a link to a game that goes on shows more later.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from hashlib import sha256

from schema.ports import Role, Viewer, Window
from schema.ports.jobs import LinkRow, LinkUnknownError, MadePlace, TooManyError, UnfitArgumentError
from service.store import Store, links, time_text
from service.store.keyset import by_moment, place_text
from service.store.links import Link, NewLink
from service.store.owners import HiddenRead, Standing, note_read
from service.usecases.bundling import seat_of, seen
from service.usecases.library import is_storable

#: Seconds for which a link may be good: a minute to thirty days.
SHORTEST, LONGEST = 60, 30 * 86_400
#: Links of one principal that are good at a time.
LINKS_LIMIT = 1000
#: Those who may make links: analysts see no names, and so hand nothing out.
MAKERS = (Role.PLAYER, Role.SERVER, Role.CLERK, Role.AUDITOR, Role.ADMIN)

_TOKEN_SIZE = 32
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True, slots=True)
class StoredLinks:
    """``schema.ports.jobs.Links`` over a store for ``viewer``; ``request`` names the call in the record of readings."""

    store: Store
    viewer: Viewer
    request: str | None = None

    def create(self, game: str, seat: int | None, seconds: int) -> LinkRow:
        principal = self.viewer.require(*MAKERS)
        if not SHORTEST <= seconds <= LONGEST:
            raise UnfitArgumentError("expiresIn", f"expiresIn must be {SHORTEST} to {LONGEST} seconds, not {seconds}.")
        maker = self.viewer._replace(roles=self.viewer.roles.intersection(MAKERS))
        # A game that is public today may be closed tomorrow, and the link would still open it.
        found, stands = seen(self.store, maker, game, publicly=False)
        shown = seat_of(found, stands, seat)
        token = secrets.token_urlsafe(_TOKEN_SIZE)
        new = NewLink(
            secrets.token_hex(16), digest(token), game, shown, principal, self.viewer.key, stands.reads_as_staff
        )  # fmt: skip
        made = links.make(self.store, new, seconds=seconds, most=LINKS_LIMIT)
        if made is None:
            raise TooManyError(f"There are {LINKS_LIMIT} links of yours already; revoke some, or let them expire.")
        if made.by_staff:
            self._note(principal, game, found)
        return _row(made, f"/bundles/{token}")

    def links(self, window: Window[MadePlace]) -> list[LinkRow]:
        return [_row(link) for link in links.links_of(self.store, self._whose(), by_moment(window))]

    def revoke(self, link: str) -> LinkRow:
        whose = self._whose()
        ended = links.revoke(self.store, link, whose) if is_storable(link) else None
        if ended is None:
            raise LinkUnknownError(link)
        return _row(ended)

    def _whose(self) -> str | None:
        principal = self.viewer.require(*MAKERS)
        return None if self.viewer.has(Role.ADMIN) else principal

    def _note(self, principal: str, game: str, found: Standing) -> None:
        read = HiddenRead(principal, self.viewer.key, self.request, "bundle_link", game, 0, found.events - 1)
        note_read(self.store, read)


def opened(store: Store, token: str) -> Link | None:
    """The link of a token; ``None`` for one that never was, has expired or was revoked."""
    return links.by_digest(store, digest(token)) if _TOKEN.fullmatch(token) else None


def digest(token: str) -> bytes:
    """What is kept of a token: it is random, so a plain SHA-256 cannot be turned back."""
    return sha256(token.encode()).digest()


def _row(link: Link, path: str | None = None) -> LinkRow:
    return LinkRow(
        link=link.link,
        game=link.game,
        seat=link.seat,
        created_at=place_text(link.created_at),
        expires_at=time_text(link.expires_at),
        path=path,
    )
