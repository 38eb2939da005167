"""The port ``schema.ports.access.Access`` over the store: principals and keys, as one viewer may handle them.

No key gives what it does not have: with a key its principal makes others of the same roles or fewer, which end with it
at the latest. Beyond that only an admin gives, and to others, never to the own person.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from schema.ports import Role, UnauthenticatedError, Viewer, Window
from schema.ports.access import (
    AccessRefusedError,
    HiddenReadRow,
    KeyRow,
    KeyUnknownError,
    PrincipalKind,
    PrincipalRow,
    PrincipalUnknownError,
)
from service.access.authenticator import Authenticator
from service.access.keys import Kind, Token, new_principal_id, role_names
from service.store import Store
from service.store.access import (
    NewKey,
    Origin,
    add_key,
    add_principal,
    change_principal,
    hidden_read_rows,
    identified,
    identify,
    key_origin,
    key_row,
    key_rows,
    principal_row,
    principal_rows,
    revoke_key,
)
from service.usecases.library import is_storable

#: What an admin may not change of the own person: somebody else decides who one is and whether one may come in.
_OTHERS_ONLY = frozenset({"player", "is_disabled"})


@dataclass(frozen=True, slots=True)
class StoredAccess:
    """``schema.ports.access.Access`` over a store for ``viewer``; ``gate`` is told of what opens nothing any more."""

    store: Store
    gate: Authenticator
    viewer: Viewer

    # Reading

    def me(self) -> PrincipalRow | None:
        if self.viewer.principal is None:
            return None
        try:
            return principal_row(self.store, self.viewer.principal)
        except PrincipalUnknownError:
            return None

    def principals(self, kind: PrincipalKind | None, window: Window[tuple[str, str]]) -> Sequence[PrincipalRow]:
        return principal_rows(self.store, self._only_own(), kind, window)

    def keys(self, principal: str | None, window: Window[tuple[str, str]]) -> Sequence[KeyRow]:
        own = self._only_own()
        if not is_storable(principal) or (own is not None and principal not in (None, own)):
            return []
        return key_rows(self.store, principal if own is None else own, window)

    def hidden_reads(
        self, game: str | None, principal: str | None, window: Window[tuple[int]]
    ) -> Sequence[HiddenReadRow]:
        self.viewer.require(Role.ADMIN, Role.AUDITOR)
        if not (is_storable(game) and is_storable(principal)):
            return []
        return hidden_read_rows(self.store, game, principal, window)

    def _only_own(self) -> str | None:
        """The viewer's principal if that is all that it may see of them, ``None`` for an admin."""
        own = self._principal()
        return None if self.viewer.has(Role.ADMIN) else own

    def _principal(self) -> str:
        if self.viewer.principal is None:
            raise UnauthenticatedError("This needs a key.")
        return self.viewer.principal

    # Principals

    def create_principal(self, kind: PrincipalKind, label: str, player: str | None) -> PrincipalRow:
        by = self.viewer.require(Role.ADMIN)
        if kind is PrincipalKind.SERVER and player is not None:
            raise AccessRefusedError("A game server is no player.")
        return add_principal(self.store, new_principal_id(), kind, label, player, by)

    def update_principal(self, principal: str, changes: Mapping[str, Any]) -> PrincipalRow:
        by = self.viewer.require(Role.ADMIN)
        found = self._any_principal(principal)
        if principal == by and not _OTHERS_ONLY.isdisjoint(changes):
            raise AccessRefusedError("Another admin has to change this of your own person.")
        if found.kind is PrincipalKind.SERVER and changes.get("player") is not None:
            raise AccessRefusedError("A game server is no player.")
        changed = change_principal(self.store, principal, changes)
        self.gate.forget()
        return changed

    def link_identity(self, principal: str, issuer: str, subject: str) -> PrincipalRow:
        by = self.viewer.require(Role.ADMIN)
        person = self._any_principal(principal)
        if person.kind is not PrincipalKind.PERSON:
            raise AccessRefusedError("A game server does not sign in.")
        identify(self.store, issuer, subject, principal, by)
        known = identified(self.store, issuer, subject)
        if known is None or known.principal != principal:
            raise AccessRefusedError("This identity has signed in before, as another person.")
        return known

    def _any_principal(self, principal: str) -> PrincipalRow:
        if not is_storable(principal):
            raise PrincipalUnknownError(principal)
        return principal_row(self.store, principal)

    # Keys

    def create_key(
        self, principal: str | None, roles: frozenset[Role], label: str, expires_at: datetime | None
    ) -> tuple[KeyRow, str]:
        by = self._principal()
        owner = by if principal is None else principal
        if owner == by:
            return self._key_like_own(by, roles, label, expires_at)
        if not self.viewer.has(Role.ADMIN):
            raise PrincipalUnknownError(owner)
        check_roles(self._any_principal(owner), roles)
        return new_key(self.store, owner, roles, label, expires_at, created_by=by)

    def _key_like_own(
        self, by: str, roles: frozenset[Role], label: str, expires_at: datetime | None
    ) -> tuple[KeyRow, str]:
        """A key with roles of the one in use, which ends when that one does."""
        if not roles <= self.viewer.roles:
            missing = ", ".join(role_names(roles - self.viewer.roles))
            raise AccessRefusedError(f"The key in use does not have the role {missing}, so it cannot give it.")
        check_roles(principal_row(self.store, by), roles)
        origin = None if self.viewer.key is None else key_origin(self.store, self.viewer.key)
        if origin is None:
            raise AccessRefusedError("Keys of your own are made with a key, or in a session that a key opened.")
        ends = min(filter(None, (expires_at, origin.expires_at)), default=None)
        return new_key(self.store, by, roles, label, ends, created_by=by, origin=origin)

    def revoke_key(self, key: str) -> KeyRow:
        own = self._only_own()
        found = key_row(self.store, key) if is_storable(key) else None
        if found is None or (own is not None and found.principal != own):
            raise KeyUnknownError(key)
        revoke_key(self.store, key, self.viewer.principal)
        self.gate.forget()
        return key_row(self.store, key) or found


def check_roles(owner: PrincipalRow, roles: frozenset[Role]) -> None:
    """``AccessRefusedError`` for roles that a principal cannot have: a server's key is a server's only."""
    is_for_server = roles == {Role.SERVER}
    if not roles:
        raise AccessRefusedError("A key needs a role.")
    if owner.kind is PrincipalKind.SERVER and not is_for_server:
        raise AccessRefusedError("A game server's key has the role server and no other.")
    if owner.kind is PrincipalKind.PERSON and Role.SERVER in roles:
        raise AccessRefusedError("The role server is for game servers, not for persons.")
    if Role.PLAYER in roles and owner.player is None:
        raise AccessRefusedError("The role player needs a person with the id of a player.")
    if owner.disabled_at is not None:
        raise AccessRefusedError("This principal is disabled.")


def new_key(
    store: Store,
    owner: str,
    roles: frozenset[Role],
    label: str,
    expires_at: datetime | None,
    *,
    created_by: str | None = None,
    origin: Origin | None = None,
) -> tuple[KeyRow, str]:
    """A key of ``owner`` and the text that its bearer sends, which is nowhere else; roles are checked by the caller.

    ``origin`` is the key that it is made with, if it is to end with that one. ``AccessRefusedError`` for an end that
    is past.
    """
    if expires_at is not None and expires_at <= datetime.now(UTC):
        raise AccessRefusedError("The key would have ended before it began.")
    token = Token.new(Kind.KEY)
    made_with = [] if origin is None else list(origin.made_with)
    key = NewKey(token.id, owner, token.digest, role_names(roles), label, made_with, created_by, expires_at)
    return add_key(store, key), token.text
