"""Signing in and out of browsers: a key, or what the identity provider says, becomes a session."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from schema.ports import Role, Viewer
from service.access.authenticator import Authenticator
from service.access.errors import CredentialsError
from service.access.keys import Kind, Token, role_names
from service.access.oidc import SignIn
from service.access.people import person_for
from service.access.sessions import SESSION_SECONDS
from service.store.access import NewSession, add_session, end_session, session_end


class Opened(NamedTuple):
    """A new session: its token, its viewer, and when it ends at the latest."""

    token: Token
    viewer: Viewer
    ends: datetime


def open_by_key(gate: Authenticator, key: str) -> Opened:
    """A session with the roles of a key, with which it dies; ``CredentialsError``."""
    token = Token.parse(key)
    if token is None or token.kind is not Kind.KEY:
        raise CredentialsError
    viewer = gate.of(f"Bearer {key}", {}, None, "POST")
    return _opened(gate, viewer, token.id)


def open_by_code(gate: Authenticator, sign_in: SignIn) -> Opened:
    """A session with the roles that the identity provider's ID token names; ``CredentialsError``, ``ProviderError``."""
    if gate.provider is None:
        raise CredentialsError("People do not sign in by an identity provider here.")
    claims = gate.provider.signed_in(sign_in)
    person = person_for(gate.store, claims)
    return _opened(gate, Viewer(person.principal, claims.roles, person.player), None)


def end_of(gate: Authenticator, session: Token) -> datetime | None:
    """When an open session ends at the latest."""
    return session_end(gate.store, session.id)


def close(gate: Authenticator, session: Token) -> None:
    """Ends a session: here at once, in other processes within seconds."""
    end_session(gate.store, session.id)
    gate.forget()


def _opened(gate: Authenticator, viewer: Viewer, key: str | None) -> Opened:
    assert viewer.principal is not None  # the public has no credentials
    token = Token.new(Kind.SESSION)
    roles = role_names(viewer.roles - ({Role.SERVER} if key is None else set()))
    session = NewSession(token.id, token.digest, viewer.principal, key, roles, SESSION_SECONDS)
    return Opened(token, viewer._replace(key=token.id), add_session(gate.store, session))
