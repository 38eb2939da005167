"""Links to bundles: the digests of their tokens, what they open, and until when."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from schema.ports import Window
from service.store.keyset import in_order, keyset
from service.store.store import Store

_COLUMNS = "link, game, seat, principal, key, by_staff, created_at, expires_at"
_IS_GOOD = "revoked_at IS NULL AND expires_at > clock_timestamp()"
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('mingpai.bundle_links ' || %s, 0))"
_MAKE = f"""
INSERT INTO mingpai.bundle_links (link, token_digest, game, seat, principal, key, by_staff, expires_at)
SELECT %(link)s, %(token_digest)b, %(game)s, %(seat)s, %(principal)s, %(key)s, %(by_staff)s,
       clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE (SELECT count(*) FROM mingpai.bundle_links WHERE principal = %(principal)s AND {_IS_GOOD}) < %(most)s
RETURNING {_COLUMNS}
"""
_REVOKE = f"""
UPDATE mingpai.bundle_links SET revoked_at = clock_timestamp()
WHERE link = %(link)s AND {_IS_GOOD} AND (%(principal)s::text IS NULL OR principal = %(principal)s)
RETURNING {_COLUMNS}
"""
_FORGET = """
DELETE FROM mingpai.bundle_links WHERE least(expires_at, revoked_at) < clock_timestamp() - make_interval(secs => %s)
"""


class Link(NamedTuple):
    """A link that ``principal`` made to the bundle of a game, whole or of a seat. ``by_staff`` says that only being
    staff opened the game to its maker."""

    link: str
    game: str
    seat: int | None
    principal: str
    key: str | None
    by_staff: bool
    created_at: datetime
    expires_at: datetime


class NewLink(NamedTuple):
    """A link to be made; ``token_digest`` is SHA-256 of its token (32 bytes)."""

    link: str
    token_digest: bytes
    game: str
    seat: int | None
    principal: str
    key: str | None
    by_staff: bool


def make(store: Store, new: NewLink, *, seconds: float, most: int) -> Link | None:
    """A new link for ``seconds``; ``None`` where its maker has ``most`` good ones already."""
    values = {**new._asdict(), "seconds": seconds, "most": most}
    with store.driver() as driver, driver.transaction():
        driver.execute(_LOCK, (new.principal,))
        row = driver.execute(_MAKE, values).fetchone()
    return None if row is None else Link._make(row)


def by_digest(store: Store, token_digest: bytes) -> Link | None:
    """The link of a token, ``None`` where there is none, or none that is still good."""
    statement = f"SELECT {_COLUMNS} FROM mingpai.bundle_links WHERE token_digest = %b AND {_IS_GOOD}"
    with store.driver() as driver:
        row = driver.execute(statement, (token_digest,)).fetchone()
    return None if row is None else Link._make(row)


def links_of(store: Store, principal: str | None, window: Window[tuple[datetime, str]]) -> Sequence[Link]:
    """The good links of a principal, or everybody's, the newest first, by the place ``(created_at, link)``."""
    page = keyset(window, ["created_at", "link"], newest_first=True)
    conditions = [_IS_GOOD, "%(principal)s::text IS NULL OR principal = %(principal)s", *page.conditions]
    where = " AND ".join(f"({condition})" for condition in conditions)
    with store.driver() as driver:
        rows = driver.execute(
            f"SELECT {_COLUMNS} FROM mingpai.bundle_links WHERE {where}{page.tail}",
            {"principal": principal, **page.values},
        ).fetchall()
    return in_order(window, [Link._make(row) for row in rows])


def revoke(store: Store, link: str, principal: str | None) -> Link | None:
    """Ends a good link, if it is the principal's or that is ``None``; ``None`` where there is none to be ended."""
    with store.driver() as driver:
        row = driver.execute(_REVOKE, {"link": link, "principal": principal}).fetchone()
    return None if row is None else Link._make(row)


def forget(store: Store, *, after: float) -> None:
    """Removes what has not been good for ``after`` seconds."""
    with store.driver() as driver:
        driver.execute(_FORGET, (after,))
