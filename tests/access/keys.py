"""Keys for tests: real ones, as the command makes them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from schema.ports import Role
from schema.ports.access import PrincipalKind
from service.access.keys import Kind, Token, new_principal_id, role_names
from service.store import Store
from service.store.access import NewKey, add_key, add_principal


def principal_for(store: Store, kind: PrincipalKind = PrincipalKind.PERSON, player: str | None = None) -> str:
    """A new principal; its id."""
    return add_principal(store, new_principal_id(), kind, "somebody", player).principal


def key_for(
    store: Store,
    *roles: Role,
    player: str | None = None,
    principal: str | None = None,
    seconds: float | None = None,
    made_with: tuple[str, ...] = (),
) -> str:
    """The text of a new key with these roles, of a new principal unless one is given; it ends after ``seconds``."""
    kind = PrincipalKind.SERVER if Role.SERVER in roles else PrincipalKind.PERSON
    owner = principal or principal_for(store, kind, player)
    token = Token.new(Kind.KEY)
    ends = None if seconds is None else datetime.now(UTC) + timedelta(seconds=seconds)
    words = role_names(frozenset(roles))
    add_key(store, NewKey(token.id, owner, token.digest, words, "a test's", list(made_with), None, ends))
    return token.text


def bearer(key: str) -> dict[str, str]:
    """The header that a key is sent in."""
    return {"authorization": f"Bearer {key}"}
