"""Principals, keys and sessions in the database, and pages of the record of who read hidden tiles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, NamedTuple

import psycopg

from schema.ports import Role, Window
from schema.ports.access import (
    HiddenReadRow,
    KeyRow,
    PlayerTakenError,
    PrincipalKind,
    PrincipalRow,
    PrincipalUnknownError,
)
from service.store.errors import StoreError
from service.store.keyset import by_moment, in_order, keyset
from service.store.store import Store

#: Seconds at most between the uses of a key that its row tells apart: a use is not worth a write.
USE_STEP = 60

_PRINCIPAL_COLUMNS = "principal, kind, label, player, created_at, created_by, disabled_at"
_PRINCIPALS = f"SELECT {_PRINCIPAL_COLUMNS} FROM mingpai.principals"
_ADD_PRINCIPAL = f"""
INSERT INTO mingpai.principals (principal, kind, label, player, created_by)
VALUES (%(principal)s, %(kind)s, %(label)s, %(player)s, %(created_by)s) RETURNING {_PRINCIPAL_COLUMNS}
"""
#: What of a principal changes, and how.
_CHANGES = {
    "label": "label = %(label)s",
    "player": "player = %(player)s",
    "is_disabled": "disabled_at = CASE WHEN %(is_disabled)s THEN coalesce(disabled_at, clock_timestamp()) END",
}

_KEYS = """
SELECT k.key, k.principal, p.label, k.roles, k.label, k.created_at, k.created_by, k.expires_at, k.revoked_at,
       k.revoked_by, k.last_used_at,
       (SELECT min(older.revoked_at) FROM mingpai.access_keys older WHERE older.key = ANY (k.made_with))
FROM mingpai.access_keys k JOIN mingpai.principals p USING (principal)
"""
_ADD_KEY = """
INSERT INTO mingpai.access_keys (key, principal, digest, roles, label, made_with, created_by, expires_at)
VALUES (%(key)s, %(principal)s, %(digest)b, %(roles)s, %(label)s, %(made_with)s, %(created_by)s, %(expires_at)s)
"""
_REVOKE = """
UPDATE mingpai.access_keys SET revoked_at = clock_timestamp(), revoked_by = %s WHERE key = %s AND revoked_at IS NULL
"""
_REVOKE_ALL = """
UPDATE mingpai.access_keys SET revoked_at = clock_timestamp() WHERE principal = %s AND revoked_at IS NULL
"""

_KEY = """
SELECT digest, principal, roles, player, extract(epoch FROM expires_at - clock_timestamp())::float8,
       NOT pg_is_in_recovery()
         AND (last_used_at IS NULL OR last_used_at < clock_timestamp() - %(step)s * interval '1 s')
FROM mingpai.good_keys WHERE key = %(id)s
"""
_KEY_USED = """
UPDATE mingpai.access_keys SET last_used_at = clock_timestamp()
WHERE key = %(id)s AND (last_used_at IS NULL OR last_used_at < clock_timestamp() - %(step)s * interval '1 s')
"""

_ORIGIN = """
SELECT made_with || key, expires_at FROM mingpai.good_keys
WHERE key = %s OR key = (SELECT s.key FROM mingpai.sessions s WHERE s.session = %s)
"""

_ADD_SESSION = """
INSERT INTO mingpai.sessions (session, digest, principal, key, roles, expires_at)
VALUES (%(session)s, %(digest)b, %(principal)s, %(key)s, %(roles)s,
        least(clock_timestamp() + %(seconds)s * interval '1 s',
              (SELECT expires_at FROM mingpai.access_keys WHERE key = %(key)s)))
RETURNING expires_at
"""
# A session dies with its key, or with its principal where an identity opened it.
_SESSION = """
SELECT s.digest, s.principal, s.roles, p.player,
       extract(epoch FROM least(s.expires_at, s.last_used_at + %(idle)s * interval '1 s') - clock_timestamp())::float8,
       NOT pg_is_in_recovery() AND s.last_used_at < clock_timestamp() - %(step)s * interval '1 s'
FROM mingpai.sessions s
JOIN mingpai.principals p USING (principal)
LEFT JOIN mingpai.good_keys k ON k.key = s.key
WHERE s.session = %(id)s AND p.disabled_at IS NULL AND (s.key IS NULL OR k.key IS NOT NULL)
  AND least(s.expires_at, s.last_used_at + %(idle)s * interval '1 s') > clock_timestamp()
"""
_SESSION_USED = """
UPDATE mingpai.sessions SET last_used_at = clock_timestamp()
WHERE session = %(id)s AND last_used_at < clock_timestamp() - %(step)s * interval '1 s'
"""
_SWEEP = "DELETE FROM mingpai.sessions WHERE expires_at < clock_timestamp()"

_IDENTITY = """
SELECT p.principal, p.kind, p.label, p.player, p.created_at, p.created_by, p.disabled_at
FROM mingpai.identities i JOIN mingpai.principals p USING (principal) WHERE i.issuer = %s AND i.subject = %s
"""
# Both rows or none: of two first sights at once one finds the other's.
_ADD_IDENTIFIED = """
WITH new AS (INSERT INTO mingpai.identities (issuer, subject, principal)
             VALUES (%(issuer)s, %(subject)s, %(principal)s) ON CONFLICT DO NOTHING RETURNING principal)
INSERT INTO mingpai.principals (principal, kind, label, player)
SELECT principal, 'person', %(label)s, %(player)s FROM new
"""
_ADD_IDENTITY = """
INSERT INTO mingpai.identities (issuer, subject, principal, linked_by) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING
"""

_READS = "SELECT position, read_at, principal, key, request, what, game, first_seq, last_seq FROM mingpai.hidden_reads"


class Credential(NamedTuple):
    """What a good key or session opens. ``digest`` is the SHA-256 of its secret; ``seconds`` are left until it expires,
    ``None`` without end."""

    digest: bytes
    principal: str
    roles: frozenset[Role]
    player: str | None
    seconds: float | None


class Origin(NamedTuple):
    """The key that others are made with, directly or in a session: ``made_with`` are the keys that they die with."""

    made_with: tuple[str, ...]
    expires_at: datetime | None


class NewKey(NamedTuple):
    """A key to be kept: ``digest`` is the SHA-256 of its secret, ``made_with`` are the keys that it dies with."""

    key: str
    principal: str
    digest: bytes
    roles: list[str]
    label: str
    made_with: list[str]
    created_by: str | None
    expires_at: datetime | None


class NewSession(NamedTuple):
    """A session to be kept: it ends after ``seconds``, or with its key."""

    session: str
    digest: bytes
    principal: str
    key: str | None
    roles: list[str]
    seconds: int


# Principals


def add_principal(
    store: Store, principal: str, kind: PrincipalKind, label: str, player: str | None, created_by: str | None = None
) -> PrincipalRow:
    """A new principal; ``PlayerTakenError`` where another one is that player."""
    values = {
        "principal": principal,
        "kind": kind.value,
        "label": label,
        "player": player,
        "created_by": created_by,
    }
    with _one_person_a_player(player), store.driver() as driver:
        row = driver.execute(_ADD_PRINCIPAL, values).fetchone()
    assert row is not None  # it was inserted
    return _principal(row)


def change_principal(store: Store, principal: str, changes: Mapping[str, Any]) -> PrincipalRow:
    """Changes ``label``, ``player`` or ``is_disabled``; ``PrincipalUnknownError``, ``PlayerTakenError``."""
    parts = ", ".join(_CHANGES[name] for name in changes) or "label = label"
    statement = f"UPDATE mingpai.principals SET {parts} WHERE principal = %(principal)s RETURNING {_PRINCIPAL_COLUMNS}"
    with _one_person_a_player(changes.get("player")), store.driver() as driver:
        row = driver.execute(statement, {**changes, "principal": principal}).fetchone()
    if row is None:
        raise PrincipalUnknownError(principal)
    return _principal(row)


def principal_row(store: Store, principal: str) -> PrincipalRow:
    """One principal; ``PrincipalUnknownError``."""
    with store.driver() as driver:
        row = driver.execute(f"{_PRINCIPALS} WHERE principal = %s", (principal,)).fetchone()
    if row is None:
        raise PrincipalUnknownError(principal)
    return _principal(row)


def principal_rows(
    store: Store, only: str | None, kind: PrincipalKind | None, window: Window[tuple[str, str]]
) -> Sequence[PrincipalRow]:
    """Principals, the newest first, by the place ``(created_at, principal)``: all of them, or ``only`` one."""
    equal = {"principal": only, "kind": None if kind is None else kind.value}
    rows = _page(store, _PRINCIPALS, equal, by_moment(window), ["created_at", "principal"])
    return [_principal(row) for row in rows]


# Keys


def add_key(store: Store, key: NewKey) -> KeyRow:
    """Keeps a key; ``PrincipalUnknownError``."""
    with store.driver() as driver:
        try:
            driver.execute(_ADD_KEY, key._asdict())
        except psycopg.errors.ForeignKeyViolation:
            raise PrincipalUnknownError(key.principal) from None
    found = key_row(store, key.key)
    assert found is not None  # keys are never deleted
    return found


def key_row(store: Store, key: str) -> KeyRow | None:
    """One key, good or not."""
    with store.driver() as driver:
        row = driver.execute(f"{_KEYS} WHERE k.key = %s", (key,)).fetchone()
    return None if row is None else _key(row)


def key_rows(store: Store, principal: str | None, window: Window[tuple[str, str]]) -> Sequence[KeyRow]:
    """Keys, the newest first, by the place ``(created_at, key)``: all of them, or those of one principal."""
    rows = _page(store, _KEYS, {"k.principal": principal}, by_moment(window), ["k.created_at", "k.key"])
    return [_key(row) for row in rows]


def revoke_key(store: Store, key: str, by: str | None = None) -> None:
    """Ends a key for good; one that has been revoked stays as it is."""
    with store.driver() as driver:
        driver.execute(_REVOKE, (by, key))


def revoke_keys_of(store: Store, principal: str) -> None:
    """Ends all keys of a principal for good."""
    with store.driver() as driver:
        driver.execute(_REVOKE_ALL, (principal,))


def key_origin(store: Store, credential: str) -> Origin | None:
    """What keys are made with that are made by means of a good key, or of a session that one opened."""
    with store.driver() as driver:
        row = driver.execute(_ORIGIN, (credential, credential)).fetchone()
    return None if row is None else Origin(tuple(row[0]), row[1])


# What opens the service


def use_key(store: Store, key: str) -> Credential | None:
    """The key of an id if it opens something now; its use is noted, once in ``USE_STEP`` seconds, where
    the database can be written at all."""
    return _used(store, _KEY, _KEY_USED, {"id": key, "step": USE_STEP})


def use_session(store: Store, session: str, idle: int) -> Credential | None:
    """The session of an id if it is open now and was used in the last ``idle`` seconds; its use is noted likewise."""
    return _used(store, _SESSION, _SESSION_USED, {"id": session, "step": USE_STEP, "idle": idle})


def add_session(store: Store, session: NewSession) -> datetime:
    """Opens a session and says when it ends; those that have ended go."""
    with store.driver() as driver:
        driver.execute(_SWEEP)
        row = driver.execute(_ADD_SESSION, session._asdict()).fetchone()
    assert row is not None  # it was inserted
    ends: datetime = row[0]
    return ends


def session_end(store: Store, session: str) -> datetime | None:
    """When an open session ends at the latest."""
    with store.driver() as driver:
        row = driver.execute("SELECT expires_at FROM mingpai.sessions WHERE session = %s", (session,)).fetchone()
    return None if row is None else row[0]


def end_session(store: Store, session: str) -> None:
    """Ends a session."""
    with store.driver() as driver:
        driver.execute("DELETE FROM mingpai.sessions WHERE session = %s", (session,))


def identified(store: Store, issuer: str, subject: str) -> PrincipalRow | None:
    """The person that an identity is, ``None`` at its first sight."""
    with store.driver() as driver:
        row = driver.execute(_IDENTITY, (issuer, subject)).fetchone()
    return None if row is None else _principal(row)


def add_identified(store: Store, issuer: str, subject: str, principal: str, label: str, player: str | None) -> None:
    """A new person for an identity; where the identity is known, nothing changes. ``PlayerTakenError``."""
    values = {"issuer": issuer, "subject": subject, "principal": principal, "label": label, "player": player}
    with _one_person_a_player(player), store.driver() as driver:
        driver.execute(_ADD_IDENTIFIED, values)


def identify(store: Store, issuer: str, subject: str, principal: str, by: str | None = None) -> None:
    """Notes which person an identity is; where that is known, nothing changes."""
    with store.driver() as driver:
        driver.execute(_ADD_IDENTITY, (issuer, subject, principal, by))


def person_of(store: Store, player: str) -> PrincipalRow | None:
    """The person who sits under a player's id."""
    with store.driver() as driver:
        row = driver.execute(f"{_PRINCIPALS} WHERE player = %s", (player,)).fetchone()
    return None if row is None else _principal(row)


# Readings of hidden information


def hidden_read_rows(
    store: Store, game: str | None, principal: str | None, window: Window[tuple[int]]
) -> Sequence[HiddenReadRow]:
    """Readings by staff, the newest first, by the place ``(position,)``."""
    rows = _page(store, _READS, {"game": game, "principal": principal}, window, ["position"])
    return [HiddenReadRow(position, _time(read_at), *rest) for position, read_at, *rest in rows]


def _page(
    store: Store, statement: str, equal: Mapping[str, str | None], window: Window[Any], place: Sequence[str]
) -> Sequence[tuple[Any, ...]]:
    """The rows of one page, the newest first; ``equal`` names columns and their values, ``None`` for any."""
    page = keyset(window, place, newest_first=True)
    wanted = {column: value for column, value in equal.items() if value is not None}
    values = {f"equal_{number}": value for number, value in enumerate(wanted.values())}
    conditions = [f"{column} = %({mark})s" for column, mark in zip(wanted, values, strict=True)] + page.conditions
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    with store.driver() as driver:
        rows = driver.execute(statement + where + page.tail, values | page.values).fetchall()
    return in_order(window, rows)


def _used(store: Store, find: str, note: str, values: Mapping[str, Any]) -> Credential | None:
    with store.driver() as driver:
        row = driver.execute(find, values, binary=True).fetchone()
        if row is not None and row[-1]:
            driver.execute(note, values)
    if row is None:
        return None
    digest, principal, roles, player, seconds, _ = row
    return Credential(digest, principal, frozenset(map(Role, roles)), player, seconds)


@contextmanager
def _one_person_a_player(player: str | None) -> Iterator[None]:
    try:
        yield
    except StoreError as error:
        if not isinstance(error.__cause__, psycopg.errors.UniqueViolation):
            raise
        raise PlayerTakenError(player) from None


def _principal(row: Sequence[Any]) -> PrincipalRow:
    principal, kind, label, player, created_at, created_by, disabled_at = row
    return PrincipalRow(
        principal, PrincipalKind(kind), label, player, _time(created_at), created_by, _time_or_none(disabled_at)
    )


def _key(row: Sequence[Any]) -> KeyRow:
    key, principal, owner, roles, label, created_at, created_by, expires_at, *rest = row
    revoked_at, revoked_by, used_at, older_revoked_at = rest
    return KeyRow(
        key=key,
        principal=principal,
        owner=owner,
        roles=frozenset(map(Role, roles)),
        label=label,
        created_at=_time(created_at),
        created_by=created_by,
        expires_at=_time_or_none(expires_at),
        revoked_at=_time_or_none(min(filter(None, (revoked_at, older_revoked_at)), default=None)),
        revoked_by=revoked_by,
        last_used_at=_time_or_none(used_at),
    )


def _time(moment: datetime) -> str:
    """RFC 3339 UTC with microseconds, so that it names a place in a list."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _time_or_none(moment: datetime | None) -> str | None:
    return None if moment is None else _time(moment)
