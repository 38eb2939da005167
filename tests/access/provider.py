"""An identity provider (OpenID Connect) on this machine: discovery, keys, and a token endpoint that checks PKCE."""

from __future__ import annotations

import base64
import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, unquote, urlencode

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from service.access.oidc import ProviderSettings
from tests.access.servers import running

AUDIENCE = "mingpai-api"
CLIENT = "mingpai-web"
SECRET = "the client's/secret:%"

_Private = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey
_KINDS: dict[str, Any] = {"RS256": RSAAlgorithm, "ES256": ECAlgorithm, "EdDSA": OKPAlgorithm}


class SigningKey:
    """A key of the provider: its id, its algorithm, and both halves."""

    def __init__(self, kid: str, algorithm: str = "RS256", bits: int = 2048) -> None:
        self.kid, self.algorithm = kid, algorithm
        self.private: _Private = {
            "RS256": lambda: rsa.generate_private_key(65537, bits),
            "ES256": lambda: ec.generate_private_key(ec.SECP256R1()),
            "EdDSA": ed25519.Ed25519PrivateKey.generate,
        }[algorithm]()

    @property
    def jwk(self) -> dict[str, Any]:
        """The public half as the provider shows it."""
        document = json.loads(_KINDS[self.algorithm].to_jwk(self.private.public_key()))
        return {**document, "kid": self.kid, "use": "sig", "alg": self.algorithm}

    @property
    def pem(self) -> bytes:
        """The public half as text, which anybody can have."""
        return self.private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    def sign(self, claims: dict[str, Any], **header: Any) -> str:
        """A token of these claims."""
        headers = {name: value for name, value in {"kid": self.kid, **header}.items() if value is not None}
        return jwt.encode(claims, self.private, self.algorithm, headers)


@cache
def _usual_keys() -> tuple[SigningKey, ...]:
    return SigningKey("rsa"), SigningKey("ec", "ES256"), SigningKey("ed", "EdDSA")


class FakeProvider:
    """What the provider says and gives; tests change it. ``fetches`` counts how often its keys were asked for,
    ``looks`` how often it was asked what it is. ``who`` is let in where a browser comes to sign in, nobody for
    ``None``; ``twists`` are what it then mistakes of what it was asked."""

    def __init__(self) -> None:
        self.issuer = ""
        self.keys = list(_usual_keys())
        self.discovery: dict[str, Any] = {}
        self.codes: dict[str, tuple[str, str, dict[str, Any]]] = {}
        self.fetches = self.looks = 0
        self.who: tuple[str, ...] | None = ("u-1", "clerk")
        self.twists: dict[str, str] = {}
        self.is_down = False
        self.padding = ""

    @property
    def settings(self) -> ProviderSettings:
        """The service's settings for it."""
        return ProviderSettings(self.issuer, AUDIENCE, CLIENT, SECRET, "realm.roles", "mingpai_player")

    def claims(self, subject: str = "u-1", *roles: str, **others: Any) -> dict[str, Any]:
        """What a good access token says."""
        now = int(time.time())
        base = {"iss": self.issuer, "aud": AUDIENCE, "sub": subject, "iat": now, "exp": now + 300}
        return {**base, "realm": {"roles": list(roles)}, "preferred_username": f"user {subject}", **others}

    def token(self, subject: str = "u-1", *roles: str, **others: Any) -> str:
        """A good access token."""
        return self.keys[0].sign(self.claims(subject, *roles, **others))

    def code(
        self, verifier: str, redirect_uri: str, nonce: str, subject: str = "u-1", *roles: str, **others: Any
    ) -> str:
        """A code of a sign-in, as the browser would bring it back."""
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        claims = self.claims(subject, *roles, **{"aud": CLIENT, "nonce": nonce, **others})
        return self._coded(challenge, redirect_uri, claims)

    def _coded(self, challenge: str, redirect_uri: str, claims: dict[str, Any]) -> str:
        code = f"code-{len(self.codes)}"
        self.codes[code] = (challenge, redirect_uri, claims)
        return code

    def _let_in(self, asked: dict[str, str], subject: str, *roles: str) -> str:
        """The code of a sign-in that a browser came with."""
        claims = self.claims(subject, *roles, aud=CLIENT, nonce=asked["nonce"])
        return self._coded(asked["code_challenge"], asked["redirect_uri"], claims)

    @property
    def app(self) -> Starlette:
        """The provider's own server."""
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._discovery),
                Route("/jwks", self._jwks),
                Route("/authorize", self._authorize),
                Route("/token", self._token, methods=["POST"]),
            ]
        )

    async def _discovery(self, request: Request) -> Response:
        self.looks += 1
        if self.is_down:
            return Response(status_code=503)
        base = {
            "issuer": self.issuer,
            "jwks_uri": f"{self.issuer}/jwks",
            "token_endpoint": f"{self.issuer}/token",
            "authorization_endpoint": f"{self.issuer}/authorize",
        }
        return JSONResponse({**base, **self.discovery})

    async def _jwks(self, request: Request) -> Response:
        self.fetches += 1
        if self.is_down:
            return Response(status_code=503)
        return JSONResponse({"keys": [key.jwk for key in self.keys], "padding": self.padding})

    async def _authorize(self, request: Request) -> Response:
        """Sends a browser back at once, as for somebody who is signed in here."""
        asked = dict(request.query_params) | self.twists
        if asked.get("client_id") != CLIENT or asked.get("code_challenge_method") != "S256":
            return Response("not a client of ours", 400)
        answer = {"error": "access_denied", "error_description": "<b>not today</b>"}
        if self.who is not None:
            answer = {"code": self._let_in(asked, *self.who), "iss": asked.get("iss", self.issuer)}
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode({**answer, 'state': asked['state']})}")

    async def _token(self, request: Request) -> Response:
        if self.is_down:
            return Response(status_code=503)
        form = dict(parse_qsl((await request.body()).decode()))
        given = base64.b64decode(request.headers.get("authorization", "").removeprefix("Basic ")).decode()
        if [unquote(part) for part in given.split(":")] != [CLIENT, SECRET]:
            return JSONResponse({"error": "invalid_client"}, 401)
        challenge, redirect_uri, claims = self.codes.pop(str(form.get("code")), ("", "", {}))
        verifier = str(form.get("code_verifier"))
        made = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        is_right = form.get("grant_type") == "authorization_code" and form.get("redirect_uri") == redirect_uri
        if not (claims and is_right and made == challenge):
            return JSONResponse({"error": "invalid_grant"}, 400)
        return JSONResponse({"id_token": self.keys[0].sign(claims), "access_token": "x", "token_type": "Bearer"})


@contextmanager
def provided() -> Iterator[FakeProvider]:
    """A provider that runs."""
    provider = FakeProvider()
    with running(provider.app) as base:
        provider.issuer = base
        yield provider
