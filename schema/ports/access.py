"""Who may come in: principals, their keys, and the record of who of the staff read hidden tiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import Enum
from typing import Any, NamedTuple, Protocol

from schema.ports.paging import Window
from schema.ports.viewer import Role


class PrincipalKind(Enum):
    """What a principal is."""

    PERSON = "person"
    SERVER = "server"


class PrincipalUnknownError(LookupError):
    """No principal of this id, for this viewer."""


class KeyUnknownError(LookupError):
    """No key of this id, for this viewer."""


class PlayerTakenError(ValueError):
    """Another person sits under this player's id."""


class AccessRefusedError(ValueError):
    """Something that would give more than its sender may give; the text is for people."""


class PrincipalRow(NamedTuple):
    """A person or a game server; ``player`` is the id under which a person sits at tables."""

    principal: str
    kind: PrincipalKind
    label: str
    player: str | None
    created_at: str
    created_by: str | None
    disabled_at: str | None


class KeyRow(NamedTuple):
    """A key without its secret; ``owner`` is its principal's label. A key counts as revoked when one is that it was
    made with; ``last_used_at`` is right to a minute."""

    key: str
    principal: str
    owner: str
    roles: frozenset[Role]
    label: str
    created_at: str
    created_by: str | None
    expires_at: str | None
    revoked_at: str | None
    revoked_by: str | None
    last_used_at: str | None


class HiddenReadRow(NamedTuple):
    """A reading of hidden information by staff, as it was put on record."""

    position: int
    read_at: str
    principal: str
    key: str | None
    request: str | None
    what: str
    game: str | None
    first_seq: int | None
    last_seq: int | None


class Access(Protocol):
    """Principals and keys, as one viewer may handle them: an admin everybody's, others their own.

    ``AccessError`` for a viewer that may not call something at all.
    """

    def me(self) -> PrincipalRow | None:
        """The viewer's own principal, ``None`` for the public."""

    def principals(self, kind: PrincipalKind | None, window: Window[tuple[str, str]]) -> Sequence[PrincipalRow]:
        """Principals, the newest first, by the place ``(created_at, principal)``."""

    def keys(self, principal: str | None, window: Window[tuple[str, str]]) -> Sequence[KeyRow]:
        """Keys, the newest first, by the place ``(created_at, key)``."""

    def hidden_reads(
        self, game: str | None, principal: str | None, window: Window[tuple[int]]
    ) -> Sequence[HiddenReadRow]:
        """Readings by staff, the newest first, by the place ``(position,)``; for admins and auditors."""

    def create_principal(self, kind: PrincipalKind, label: str, player: str | None) -> PrincipalRow:
        """A new principal; for admins. ``AccessRefusedError``, ``PlayerTakenError``."""

    def update_principal(self, principal: str, changes: Mapping[str, Any]) -> PrincipalRow:
        """Changes ``label``, ``player`` or ``is_disabled``; for admins. ``PrincipalUnknownError``,
        ``AccessRefusedError``, ``PlayerTakenError``."""

    def link_identity(self, principal: str, issuer: str, subject: str) -> PrincipalRow:
        """Notes that an identity of the provider, before its first sign-in, is a person that there is; for admins.
        ``PrincipalUnknownError``, ``AccessRefusedError``."""

    def create_key(
        self, principal: str | None, roles: frozenset[Role], label: str, expires_at: datetime | None
    ) -> tuple[KeyRow, str]:
        """A new key, of the viewer's own if ``principal`` is ``None``, and the text that its bearer sends: it is shown
        this once. ``PrincipalUnknownError``, ``AccessRefusedError``."""

    def revoke_key(self, key: str) -> KeyRow:
        """Ends a key for good; ``KeyUnknownError``."""
