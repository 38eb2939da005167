"""Keys for those who try the demonstration: one for each role, and two people for the cases that need four eyes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from schema.ports import Role
from schema.ports.access import PrincipalKind, PrincipalRow, PrincipalUnknownError
from service.store import Store
from service.store.access import add_principal, change_principal, principal_row, revoke_keys_of
from service.store.owners import publish
from service.usecases.access import new_key

#: Days for which a key of the demonstration is good.
DAYS = 30

_ADMIN = "demo-admin"
_PEOPLE: tuple[tuple[str, str, Role], ...] = (
    ("demo-server", "the game server", Role.SERVER),
    ("demo-player", "a player", Role.PLAYER),
    ("demo-clerk-1", "a clerk", Role.CLERK),
    ("demo-clerk-2", "another clerk", Role.CLERK),
    ("demo-auditor", "an auditor", Role.AUDITOR),
    ("demo-analyst", "an analyst", Role.ANALYST),
    (_ADMIN, "an admin", Role.ADMIN),
)


class DemoKey(NamedTuple):
    """A key's text, what it may be used for, and who has it."""

    role: Role
    who: str
    text: str


def demo_keys(store: Store, player: str) -> Iterator[DemoKey]:
    """A new key for each of the demonstration's principals, whose earlier ones end; the player sits as ``player``."""
    ends = datetime.now(UTC) + timedelta(days=DAYS)
    for name, who, role in _PEOPLE:
        owner = _principal(store, name, who, role, player)
        revoke_keys_of(store, owner.principal)
        _, text = new_key(store, owner.principal, frozenset({role}), "demo", ends)
        yield DemoKey(role, f"{who} ({player})" if role is Role.PLAYER else who, text)


def _principal(store: Store, name: str, who: str, role: Role, player: str) -> PrincipalRow:
    kind = PrincipalKind.SERVER if role is Role.SERVER else PrincipalKind.PERSON
    seat = player if role is Role.PLAYER else None
    try:
        found = principal_row(store, name)
        return found if found.player == seat else change_principal(store, name, {"player": seat})
    except PrincipalUnknownError:
        return add_principal(store, name, kind, who, seat)


def open_to_all(store: Store, games: Sequence[str]) -> None:
    """Opens sealed games to everybody, as the demonstration's admin would."""
    for game in games:
        publish(store, game, _ADMIN)
