"""Principals, their keys, and the record of who of the staff read hidden tiles."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any

import strawberry

from schema.graphql.connections import Connection, Paging, page
from schema.graphql.context import Info
from schema.graphql.cursors import Cursors, time_place
from schema.graphql.described import entry, enumeration, field, mutation, output
from schema.graphql.enums import ErrorCode
from schema.graphql.errors import BadArgument, BadCursor, Problem, bad_argument
from schema.graphql.scalars import BigInt
from schema.ports.access import (
    AccessRefusedError,
    HiddenReadRow,
    KeyRow,
    KeyUnknownError,
    PlayerTakenError,
    PrincipalKind,
    PrincipalRow,
    PrincipalUnknownError,
)
from schema.ports.viewer import Role

_LABEL_LIMIT = 255  #: characters of a label or a player's id
_POSITION_LIMIT = 2**53


enumeration(Role)
enumeration(PrincipalKind)


@output
class Principal:
    """A person or a game server, which has any number of keys. player is the id under which a person sits at tables;
    one player is one person. createdBy is null for one made by command or at a first sign-in."""

    principal: str
    kind: PrincipalKind
    label: str
    player: str | None
    created_at: str
    created_by: str | None
    disabled_at: str | None


@output
class AccessKey:
    """A key without its secret; owner is the label of its principal. A key that was made with another one is revoked
    with that one. lastUsedAt is right to a minute."""

    key: str
    principal: str
    owner: str
    roles: list[Role]
    label: str
    created_at: str
    created_by: str | None
    expires_at: str | None
    revoked_at: str | None
    revoked_by: str | None
    last_used_at: str | None


@output
class CreatedKey:
    """A new key. secret is what its bearer sends after Bearer: it is shown this once, and kept nowhere."""

    key: AccessKey
    secret: str


@output
class ViewerInfo:
    """Who asks: principal is null for the public, key the id of the key or session in use."""

    principal: Principal | None
    roles: list[Role]
    player: str | None
    key: str | None


@output
class HiddenRead:
    """A reading of hidden information by one of the staff: what was asked for, and of which steps of which game."""

    read_at: str
    principal: str
    key: str | None
    request: str | None
    what: str
    game: str | None
    first_seq: int | None
    last_seq: int | None
    position: BigInt


@entry
class PrincipalChanges:
    """What is to change of a principal; what is left out stays. A player of null is none."""

    label: str | None = None
    player: str | None = strawberry.UNSET
    disabled: bool | None = None


@output
class PrincipalNotFound(Problem):
    """There is no principal of this id, for this viewer."""

    principal: str


@output
class KeyNotFound(Problem):
    """There is no key of this id, for this viewer."""

    key: str


@output
class PlayerTaken(Problem):
    """Another person sits under this player's id."""

    player: str


@output
class AccessRefused(Problem):
    """It would give more than the viewer may give, or what this principal cannot have."""


PrincipalsResult = Annotated[Connection[Principal] | BadCursor | BadArgument, strawberry.union("PrincipalsResult")]
KeysResult = Annotated[Connection[AccessKey] | BadCursor | BadArgument, strawberry.union("KeysResult")]
HiddenReadsResult = Annotated[Connection[HiddenRead] | BadCursor | BadArgument, strawberry.union("HiddenReadsResult")]
PrincipalResult = Annotated[
    Principal | PrincipalNotFound | PlayerTaken | AccessRefused | BadArgument, strawberry.union("PrincipalResult")
]
CreateKeyResult = Annotated[
    CreatedKey | PrincipalNotFound | AccessRefused | BadArgument, strawberry.union("CreateKeyResult")
]
RevokeKeyResult = Annotated[AccessKey | KeyNotFound, strawberry.union("RevokeKeyResult")]


@output
class AccessQuery:
    """Who may come in."""

    @field
    def viewer(self, info: Info) -> ViewerInfo:
        """Who asks."""
        viewer, me = info.context.viewer, info.context.access.me()
        return ViewerInfo(
            principal=None if me is None else principal_of(me),
            roles=_roles(viewer.roles),
            player=viewer.player,
            key=viewer.key,
        )

    @field
    def principals(
        self,
        info: Info,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
        kind: PrincipalKind | None = None,
    ) -> PrincipalsResult:
        """Principals, the newest first: all of them for admins, for others the own one."""
        access = info.context.access
        return page(
            Cursors("principals", (None if kind is None else kind.value,), time_place),
            Paging(first, after, last, before),
            lambda window: access.principals(kind, window),
            lambda row: (row.created_at, row.principal),
            lambda rows: [principal_of(row) for row in rows],
        )

    @field
    def keys(
        self,
        info: Info,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
        principal: str | None = None,
    ) -> KeysResult:
        """Keys, the newest first: everybody's for admins, for others their own."""
        access = info.context.access
        return page(
            Cursors("keys", (principal,), time_place),
            Paging(first, after, last, before),
            lambda window: access.keys(principal, window),
            lambda row: (row.created_at, row.key),
            lambda rows: [key_of(row) for row in rows],
        )

    @field
    def hidden_reads(
        self,
        info: Info,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
        game: str | None = None,
        principal: str | None = None,
    ) -> HiddenReadsResult:
        """Readings of hidden information by staff, the newest first; for admins and auditors."""
        access = info.context.access
        return page(
            Cursors("hiddenReads", (game, principal), _position_place),
            Paging(first, after, last, before),
            lambda window: access.hidden_reads(game, principal, window),
            lambda row: (row.position,),
            lambda rows: [_hidden_read(row) for row in rows],
        )


@output
class AccessMutation:
    """Giving out keys, and taking them back."""

    @mutation
    def create_principal(
        self, info: Info, kind: PrincipalKind, label: str, player: str | None = None
    ) -> PrincipalResult:
        """Makes a principal; for admins."""
        wrong = _wrong_words(label=label, player=player)
        if wrong is not None:
            return wrong
        try:
            return principal_of(info.context.access.create_principal(kind, label, player))
        except PlayerTakenError:
            return _player_taken(player)
        except AccessRefusedError as error:
            return _refused(error)

    @mutation
    def update_principal(self, info: Info, principal: str, changes: PrincipalChanges) -> PrincipalResult:
        """Changes a principal; for admins. The keys and sessions of one that is disabled open nothing."""
        player = None if changes.player is strawberry.UNSET else changes.player
        wrong = _wrong_words(label=changes.label, player=player)
        if wrong is not None:
            return wrong
        try:
            return principal_of(info.context.access.update_principal(principal, _changes(changes)))
        except PrincipalUnknownError:
            return _principal_not_found(principal)
        except PlayerTakenError:
            return _player_taken(player)
        except AccessRefusedError as error:
            return _refused(error)

    @mutation
    def link_identity(self, info: Info, principal: str, issuer: str, subject: str) -> PrincipalResult:
        """Notes which person an identity of the identity provider is, before its first sign-in: who has keys here and
        signs in there is one person, not two; for admins."""
        wrong = _wrong_words(issuer=issuer, subject=subject)
        if wrong is not None:
            return wrong
        try:
            return principal_of(info.context.access.link_identity(principal, issuer, subject))
        except PrincipalUnknownError:
            return _principal_not_found(principal)
        except AccessRefusedError as error:
            return _refused(error)

    @mutation
    def create_key(
        self,
        info: Info,
        roles: list[Role],
        principal: str | None = None,
        label: str = "",
        expires_at: str | None = None,
    ) -> CreateKeyResult:
        """Makes a key: admins for anybody else, everybody for the own principal with roles of the key in use, with
        which it ends. expiresAt is a time with its offset; without it the key does not end by itself."""
        wrong = None if not label else _wrong_words(label=label)
        if wrong is not None:
            return wrong
        ends = None if expires_at is None else _moment(expires_at)
        if expires_at is not None and ends is None:
            return bad_argument("expiresAt", "expiresAt must be a time such as 2027-01-31T00:00:00Z.")
        try:
            row, secret = info.context.access.create_key(principal, frozenset(roles), label, ends)
        except PrincipalUnknownError:
            return _principal_not_found(str(principal))
        except AccessRefusedError as error:
            return _refused(error)
        return CreatedKey(key=key_of(row), secret=secret)

    @mutation
    def revoke_key(self, info: Info, key: str) -> RevokeKeyResult:
        """Ends a key for good, and with it its sessions and the keys that were made with it: admins anybody's, others
        their own. Other processes know of it within two seconds."""
        try:
            return key_of(info.context.access.revoke_key(key))
        except KeyUnknownError:
            return KeyNotFound(code=ErrorCode.KEY_NOT_FOUND, message=f"No key {key}.", key=key)


def principal_of(row: PrincipalRow) -> Principal:
    """A principal as clients see it."""
    return Principal(**row._asdict())


def key_of(row: KeyRow) -> AccessKey:
    """A key as clients see it."""
    return AccessKey(**{**row._asdict(), "roles": _roles(row.roles)})


def _hidden_read(row: HiddenReadRow) -> HiddenRead:
    return HiddenRead(**{**row._asdict(), "position": BigInt(row.position)})


def _roles(roles: frozenset[Role]) -> list[Role]:
    return [role for role in Role if role in roles]


def _changes(given: PrincipalChanges) -> Mapping[str, Any]:
    changes: dict[str, Any] = {}
    if given.label is not None:
        changes["label"] = given.label
    if given.player is not strawberry.UNSET:
        changes["player"] = given.player
    if given.disabled is not None:
        changes["is_disabled"] = given.disabled
    return changes


def _wrong_words(**words: str | None) -> BadArgument | None:
    """The first of some labels and ids that is empty, too long or holds what cannot be shown."""
    for name, word in words.items():
        if word is not None and not (word.isprintable() and 0 < len(word) <= _LABEL_LIMIT):
            return bad_argument(name, f"{name} must be 1 to {_LABEL_LIMIT} printable characters.")
    return None


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
        return None if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _position_place(position: object) -> tuple[int]:
    """The place of a reading: its number."""
    if type(position) is not int or not 0 <= position < _POSITION_LIMIT:
        raise TypeError(position)
    return (position,)


def _principal_not_found(principal: str) -> PrincipalNotFound:
    message = f"No principal {principal}."
    return PrincipalNotFound(code=ErrorCode.PRINCIPAL_NOT_FOUND, message=message, principal=principal)


def _player_taken(player: str | None) -> PlayerTaken:
    message = f"Another person is the player {player}."
    return PlayerTaken(code=ErrorCode.PLAYER_TAKEN, message=message, player=player or "")


def _refused(error: AccessRefusedError) -> AccessRefused:
    return AccessRefused(code=ErrorCode.ACCESS_REFUSED, message=str(error))
