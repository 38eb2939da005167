"""People who come by the platform's identity provider (OpenID Connect Core 1.0, RFC 7636 for PKCE).

Either they bear an access token of it, a JWT for our audience, or a browser brings the code of a sign-in, which is
turned into an ID token here. What a token says of roles and player is taken from the claims that the settings name.
Nobody becomes a game server this way.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import Any, NamedTuple, TypeGuard
from urllib.parse import quote

import jwt

from schema.ports import Role
from service.access.addresses import is_safe
from service.access.errors import CredentialsError, ProviderError
from service.access.fetching import FetchError, RefusedError, get_document, post_form
from service.access.jwks import ALGORITHMS, KeySet
from service.settings import SettingError, Settings

#: Seconds by which the provider's clock may differ from ours.
LEEWAY = 30
#: Seconds for which what the provider says of itself is good.
_DISCOVERED = 3600.0
#: Seconds for which it is not asked again where it did not answer: many people wait for one answer, not in a row.
AWAY = 10.0
_LONGEST = 255  #: characters of a subject, a player's id or a name
_REQUIRED = ["exp", "iss", "aud", "sub"]
_ROLES = {role.value: role for role in Role if role is not Role.SERVER}

_LOG = logging.getLogger("mingpai.access")


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """Where the provider is, and what its tokens look like.

    ``audience`` is ours in access tokens, without which none is taken; ``client_id`` is ours at sign-ins, without
    which there are none. ``roles_claim`` and ``player_claim`` name claims, with dots for claims inside of claims.
    """

    issuer: str
    audience: str | None = None
    client_id: str | None = None
    client_secret: str | None = field(default=None, repr=False)
    roles_claim: str = "roles"
    player_claim: str = "player"


def provider_settings(settings: Settings) -> ProviderSettings | None:
    """The provider that the service's settings name, ``None`` for none; ``SettingError`` for half of one."""
    if settings.oidc_issuer is None:
        if settings.oidc_audience is not None or settings.oidc_client_id is not None:
            raise SettingError("MINGPAI_OIDC_ISSUER is not set: an audience or a client needs its provider")
        return None
    return ProviderSettings(
        issuer=settings.oidc_issuer,
        audience=settings.oidc_audience,
        client_id=settings.oidc_client_id,
        client_secret=settings.oidc_client_secret,
        roles_claim=settings.oidc_roles_claim,
        player_claim=settings.oidc_player_claim,
    )


class Claims(NamedTuple):
    """What a good token says of its bearer; ``expires_at`` in seconds since 1970."""

    issuer: str
    subject: str
    roles: frozenset[Role]
    player: str | None
    name: str
    expires_at: float


class SignIn(NamedTuple):
    """What a browser brings back from the provider, and what it kept for itself meanwhile."""

    code: str
    code_verifier: str
    redirect_uri: str
    nonce: str


class Provider:
    """One identity provider. All methods may be called from any thread."""

    def __init__(self, settings: ProviderSettings, clock: Callable[[], float] = time.monotonic) -> None:
        self.settings = settings
        self._clock = clock
        self._document: tuple[float, Mapping[str, Any]] | None = None
        self._failed: float | None = None
        self._lock = threading.Lock()
        self._keys = KeySet(lambda: get_document(self._endpoint("jwks_uri")), clock)

    def bearer(self, token: str) -> Claims:
        """What an access token says; ``CredentialsError`` for one that is not good, ``ProviderError``."""
        if self.settings.audience is None:
            raise CredentialsError
        return self._claims(self._checked(token, self.settings.audience))

    def signed_in(self, sign_in: SignIn) -> Claims:
        """What the ID token says that the provider gives for a code; ``CredentialsError``, ``ProviderError``."""
        if self.settings.client_id is None:
            raise CredentialsError
        token = self._exchanged(sign_in, self.settings.client_id)
        claims = self._checked(token, self.settings.client_id)
        nonce = claims.get("nonce")
        is_ours = isinstance(nonce, str) and compare_digest(nonce.encode(), sign_in.nonce.encode())
        if not is_ours or _party(claims, self.settings.client_id) != self.settings.client_id:
            raise CredentialsError
        return self._claims(claims)

    def authorization_endpoint(self) -> str:
        """Where browsers are sent to sign in, by the provider's own description; ``ProviderError``."""
        endpoint = self._told("authorization_endpoint")
        if not is_safe(endpoint):
            raise _unreachable(FetchError(f"{endpoint} is neither https nor on this machine"))
        return endpoint

    def _checked(self, token: str, audience: str) -> dict[str, Any]:
        """The claims of a token that the provider signed for ``audience`` and that is good now."""
        try:
            kid = jwt.get_unverified_header(token).get("kid")
            key = self._keys.get(kid)
            if key is None:
                raise CredentialsError
            return jwt.decode(
                token,
                key,
                algorithms=ALGORITHMS,
                audience=audience,
                issuer=self.settings.issuer,
                leeway=LEEWAY,
                options={"require": _REQUIRED},
            )
        except (jwt.PyJWTError, ValueError, TypeError, RecursionError):
            raise CredentialsError from None
        except FetchError as error:
            raise _unreachable(error) from None

    def _claims(self, claims: Mapping[str, Any]) -> Claims:
        subject = claims["sub"]
        if not _is_name(subject):
            raise CredentialsError
        player = _claim(claims, self.settings.player_claim)
        name = claims.get("preferred_username")
        return Claims(
            issuer=self.settings.issuer,
            subject=subject,
            roles=_roles(_claim(claims, self.settings.roles_claim)),
            player=player if _is_name(player) else None,
            name=name if _is_name(name) else subject,
            expires_at=float(claims["exp"]) + LEEWAY,
        )

    def _exchanged(self, sign_in: SignIn, client_id: str) -> str:
        """The ID token that the provider gives for a code."""
        form = {**sign_in._asdict(), "grant_type": "authorization_code", "client_id": client_id}
        del form["nonce"]  # it stays here, to be compared
        secret = self.settings.client_secret
        auth = None if secret is None else (quote(client_id, safe=""), quote(secret, safe=""))
        endpoint = self._told("token_endpoint")
        try:
            answer = post_form(endpoint, form, auth)
        except RefusedError:
            raise CredentialsError from None
        except FetchError as error:
            raise _unreachable(error) from None
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise CredentialsError
        return token

    def _told(self, name: str) -> str:
        """The same for who waits for it; ``ProviderError``."""
        try:
            return self._endpoint(name)
        except FetchError as error:
            raise _unreachable(error) from None

    def _endpoint(self, name: str) -> str:
        """An address that the provider's own description names; ``FetchError``."""
        with self._lock:
            found = self._description().get(name)
        if not isinstance(found, str):
            raise FetchError(f"{self.settings.issuer} names no {name}")
        return found

    def _description(self) -> Mapping[str, Any]:
        """What the provider says of itself, as it was asked last; ``FetchError``."""
        now = self._clock()
        if self._document is not None and now - self._document[0] <= _DISCOVERED:
            return self._document[1]
        if self._failed is not None and now - self._failed < AWAY:
            raise FetchError(f"{self.settings.issuer} did not say what it is a moment ago")
        try:
            document = self._described()
        except FetchError:
            self._failed = now
            raise
        self._document = (now, document)
        return document

    def _described(self) -> Mapping[str, Any]:
        issuer = self.settings.issuer
        document = get_document(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
        if document.get("issuer") != issuer:
            raise FetchError(f"what {issuer} says of itself is about another issuer")
        return document


def _party(claims: Mapping[str, Any], client_id: str) -> object:
    """Whom an ID token was given to; where it is for several, it has to say so."""
    audience = claims["aud"]
    is_for_several = isinstance(audience, list) and len(audience) > 1
    return claims.get("azp", None if is_for_several else client_id)


def _claim(claims: Mapping[str, Any], name: str) -> object:
    """A claim by its name, or by the path that its dots make; ``None`` if it is not there."""
    if name in claims:
        return claims[name]
    found: object = claims
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _roles(claim: object) -> frozenset[Role]:
    """The roles that a claim names, in a list or between spaces; other words are the provider's own business."""
    words = claim.split() if isinstance(claim, str) else claim
    if not isinstance(words, list):
        return frozenset()
    return frozenset(_ROLES[word] for word in words if isinstance(word, str) and word in _ROLES)


def _is_name(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and value.isprintable() and 0 < len(value) <= _LONGEST


def _unreachable(error: FetchError) -> ProviderError:
    _LOG.warning("the identity provider cannot be asked: %s", error)
    return ProviderError("The identity provider cannot be asked now.")
