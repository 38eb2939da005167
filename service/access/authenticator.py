"""Who sends a request: by its key, by the token of the identity provider, or by the cookie of a session.

What was good stays so for ``REMEMBERED`` seconds without a look into the database. A key that is revoked, a person that
is disabled, a session that is signed out: in this process that counts at once, in others after that time at most.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from hmac import compare_digest
from typing import NamedTuple

from schema.ports import PUBLIC, Viewer
from service.access.errors import CredentialsError, CrossSiteError, SignedOutError
from service.access.keys import Kind, Token
from service.access.oidc import Provider
from service.access.people import person_for
from service.access.sessions import COOKIE, IDLE_SECONDS, csrf_token
from service.store import Store
from service.store.access import Credential, use_key, use_session

#: Seconds for which what was good is good without another look.
REMEMBERED = 2.0

_SAFE_METHODS = frozenset({"GET", "HEAD"})
_BEARER = "bearer "
_LONGEST = 16_384  #: characters of credentials
_MOST = 10_000  #: credentials remembered at once
#: What a secret is compared with where there is none, so that it takes as long.
_NO_DIGEST = bytes(32)


class _Remembered(NamedTuple):
    """A viewer, the SHA-256 of the secret that it came by, and until when (``time.monotonic``)."""

    digest: bytes
    viewer: Viewer
    until: float


class Authenticator:
    """Finds viewers over one store. All methods may be called from any thread; only ``remembered`` never waits."""

    def __init__(self, store: Store, provider: Provider | None = None) -> None:
        self.store = store
        self.provider = provider
        self._found: dict[str, _Remembered] = {}
        self._turn = 0  # grows when everything is forgotten: what was looked up before that is not remembered
        self._lock = threading.Lock()

    def of(self, authorization: str | None, cookies: Mapping[str, str], csrf: str | None, method: str) -> Viewer:
        """The viewer of a request; ``authorization`` wins over a cookie, and who sends neither is the public.

        ``csrf`` is the header ``x-csrf-token``, which a session's request needs unless its method is GET or HEAD.
        Raises ``CredentialsError``; ``SignedOutError`` for a cookie that opens nothing, ``CrossSiteError`` for a
        missing or wrong ``csrf``, ``ProviderError``.
        """
        return self._of(authorization, cookies, csrf, method, self._look_up)

    def remembered(
        self, authorization: str | None, cookies: Mapping[str, str], csrf: str | None, method: str
    ) -> Viewer | None:
        """The viewer as ``of`` finds it, if that takes no look into the database; ``None`` if it would."""
        try:
            return self._of(authorization, cookies, csrf, method, self._recall)
        except (_NotRememberedError, CredentialsError):
            return None

    def forget(self) -> None:
        """Makes every credential be looked up again: called when one of them has ended."""
        with self._lock:
            self._turn += 1
            self._found.clear()

    # Where a viewer comes from

    def _of(
        self,
        authorization: str | None,
        cookies: Mapping[str, str],
        csrf: str | None,
        method: str,
        find: Callable[[str], Viewer],
    ) -> Viewer:
        if authorization is not None:
            return find(_bearer(authorization))
        cookie = cookies.get(COOKIE)
        if not cookie:
            return PUBLIC
        token = Token.parse(cookie)
        if token is None or token.kind is not Kind.SESSION:
            raise SignedOutError
        viewer = find(cookie)
        if method not in _SAFE_METHODS and not compare_digest((csrf or "").encode(), csrf_token(token).encode()):
            raise CrossSiteError("A session's request needs its token in the header x-csrf-token.")
        return viewer

    def _recall(self, credentials: str) -> Viewer:
        token = Token.parse(credentials)
        name, digest = _name_of(credentials, token)
        found = self._found.get(name)
        if found is None or found.until <= time.monotonic() or not compare_digest(found.digest, digest):
            raise _NotRememberedError
        return found.viewer

    def _look_up(self, credentials: str) -> Viewer:
        try:
            return self._recall(credentials)
        except _NotRememberedError:
            pass
        turn, begun = self._turn, time.monotonic()
        token = Token.parse(credentials)
        viewer, seconds = self._by_claims(credentials) if token is None else self._by_token(token)
        name, digest = _name_of(credentials, token)
        self._remember(name, _Remembered(digest, viewer, begun + min(REMEMBERED, seconds)), turn)
        return viewer

    def _by_token(self, token: Token) -> tuple[Viewer, float]:
        """The viewer of a key or session, and the seconds that it is good for."""
        is_key = token.kind is Kind.KEY
        found = use_key(self.store, token.id) if is_key else use_session(self.store, token.id, IDLE_SECONDS)
        is_right = compare_digest(_NO_DIGEST if found is None else found.digest, token.digest)
        if found is None or not is_right:
            raise CredentialsError if is_key else SignedOutError
        return _viewer(token, found), REMEMBERED if found.seconds is None else found.seconds

    def _by_claims(self, token: str) -> tuple[Viewer, float]:
        """The viewer of an access token of the identity provider, and the seconds that it is good for."""
        if self.provider is None:
            raise CredentialsError
        claims = self.provider.bearer(token)
        person = person_for(self.store, claims)
        viewer = Viewer(person.principal, claims.roles, person.player, f"oidc:{person.principal}")
        return viewer, claims.expires_at - time.time()

    def _remember(self, name: str, found: _Remembered, turn: int) -> None:
        with self._lock:
            if turn != self._turn:
                return
            if len(self._found) >= _MOST:
                now = time.monotonic()
                self._found = {name: one for name, one in self._found.items() if one.until > now}
            if len(self._found) < _MOST:
                self._found[name] = found


class _NotRememberedError(Exception):
    pass


def _bearer(authorization: str) -> str:
    """What stands behind ``Bearer``; a session's token is for cookies alone."""
    scheme, credentials = authorization[: len(_BEARER)], authorization[len(_BEARER) :].strip()
    is_session = credentials.startswith(f"{Kind.SESSION.value}_")
    if scheme.lower() != _BEARER or not credentials or len(credentials) > _LONGEST or is_session:
        raise CredentialsError
    return credentials


def _name_of(credentials: str, token: Token | None) -> tuple[str, bytes]:
    """Under what name credentials are remembered, and the digest that must agree."""
    if token is not None:
        return f"{token.kind.value}_{token.id}", token.digest
    digest = sha256(credentials.encode(errors="surrogatepass")).digest()
    return digest.hex(), digest


def _viewer(token: Token, found: Credential) -> Viewer:
    return Viewer(found.principal, found.roles, found.player, token.id)
