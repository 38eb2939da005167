"""Which person an identity of the provider is: made at its first sight, or found by the player that it sits as."""

from __future__ import annotations

from schema.ports.access import PlayerTakenError, PrincipalRow
from service.access.errors import CredentialsError
from service.access.keys import new_principal_id
from service.access.oidc import Claims
from service.store import Store
from service.store.access import add_identified, change_principal, identified, identify, person_of


def person_for(store: Store, claims: Claims) -> PrincipalRow:
    """The person that a good token speaks of.

    One player is one person, however they come in. ``CredentialsError`` for a person that is disabled, or who is
    another player here than the token says.
    """
    person = identified(store, claims.issuer, claims.subject) or _first_seen(store, claims)
    if person.disabled_at is not None:
        raise CredentialsError
    if claims.player is None or claims.player == person.player:
        return person
    if person.player is not None:
        raise CredentialsError
    try:
        return change_principal(store, person.principal, {"player": claims.player})
    except PlayerTakenError:
        raise CredentialsError from None


def _first_seen(store: Store, claims: Claims) -> PrincipalRow:
    known = None if claims.player is None else person_of(store, claims.player)
    if known is not None:
        identify(store, claims.issuer, claims.subject, known.principal)
    else:
        try:
            new = new_principal_id()
            add_identified(store, claims.issuer, claims.subject, new, claims.name, claims.player)
        except PlayerTakenError:  # by somebody who came in at the same time
            raise CredentialsError from None
    found = identified(store, claims.issuer, claims.subject)
    assert found is not None  # identities are never deleted
    return found
