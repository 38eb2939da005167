"""Who asks: the principal behind a key or a session, and what it may do here."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Role(Enum):
    """What a key or a session may be used for. Somebody without any is the public."""

    SERVER = "server"  #: opens games and appends to its own
    PLAYER = "player"  #: sees the games that it sat in, as its seat saw them
    CLERK = "clerk"  #: works on disputes
    AUDITOR = "auditor"  #: reads and judges all games
    ANALYST = "analyst"  #: asks questions over all games, without names
    ADMIN = "admin"  #: gives out keys and opens games to the public


#: Those who read all games, and whose readings of hidden tiles are recorded.
STAFF = frozenset({Role.CLERK, Role.AUDITOR, Role.ANALYST, Role.ADMIN})
#: Those of them who see the names of players.
NAMED = frozenset({Role.CLERK, Role.AUDITOR, Role.ADMIN})


class AccessError(Exception):
    """A call that its sender may not make; the text is for people."""


class UnauthenticatedError(AccessError):
    """A call that needs a key or a session, without one."""


class ForbiddenError(AccessError):
    """A call that needs another role."""


class Viewer(NamedTuple):
    """Who asks: ``principal`` is a person or a game server and has any number of keys; ``None`` is the public.

    ``player`` is the id under which this person sits at tables; ``key`` the id of the key or session in use (never
    its secret). ``roles`` are those of that key.
    """

    principal: str | None = None
    roles: frozenset[Role] = frozenset()
    player: str | None = None
    key: str | None = None

    @property
    def is_staff(self) -> bool:
        """Whether all games are open to this viewer."""
        return not STAFF.isdisjoint(self.roles)

    def has(self, *roles: Role) -> bool:
        """Whether one of the roles is the viewer's."""
        return not self.roles.isdisjoint(roles)

    def require(self, *roles: Role) -> str:
        """The viewer's principal, if one of the roles is its own.

        Raises ``UnauthenticatedError`` for the public, ``ForbiddenError`` for everybody else.
        """
        if self.principal is None:
            raise UnauthenticatedError("This needs a key.")
        if not self.has(*roles):
            raise ForbiddenError(f"This needs a key with the role {_listed(roles)}.")
        return self.principal


def _listed(roles: tuple[Role, ...]) -> str:
    return " or ".join(role.value for role in roles)


#: Everybody who sends neither key nor session.
PUBLIC = Viewer()
