"""Browsers sign in and out: ``POST``, ``GET`` and ``DELETE /session``, and ``GET /session/provider``.

The session's token is in a cookie that no script can read and no other site's page makes a browser send. Everything but
a plain reading needs the session's second token in ``x-csrf-token``, which only a page of ours gets to see.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import Annotated, Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from schema.ports import Viewer
from service.access.authenticator import Authenticator
from service.access.errors import CredentialsError
from service.access.keys import Kind, Token, role_names
from service.access.oidc import SignIn
from service.access.sessions import COOKIE, csrf_token
from service.api.authentication import is_own_page, refusal, unavailable, viewer_of
from service.api.refusals import told
from service.store.errors import StoreError
from service.usecases.signing_in import Opened, close, end_of, open_by_code, open_by_key

_LOG = logging.getLogger("mingpai.access")
_JSON = "application/json"
_UNSEEN = {"cache-control": "no-store"}
_Text = Annotated[str, msgspec.Meta(min_length=1, max_length=4096)]


class _ByKey(msgspec.Struct, forbid_unknown_fields=True):
    key: _Text


class _ByCode(msgspec.Struct, forbid_unknown_fields=True):
    code: _Text
    code_verifier: _Text
    redirect_uri: _Text
    nonce: _Text


def session_routes(gate: Authenticator) -> list[Route]:
    """The routes of ``/session``."""

    async def sign_in(request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
            return _bad("A sign-in is JSON.", 415)
        if not is_own_page(request):
            return _bad("A sign-in comes from a page of this service.", 403)
        try:
            asked = _asked(await request.body())
            opened = await run_in_threadpool(_open, gate, asked)
        except msgspec.MsgspecError as error:
            return _bad(f"A sign-in is a key, or a code with its code_verifier, redirect_uri and nonce: {error}.", 400)
        except CredentialsError as error:
            return refusal(error)
        except StoreError as error:
            _LOG.warning("nobody can be let in, the store does not answer: %s", error)
            return unavailable()
        return _signed_in(request, opened)

    async def who(request: Request) -> Response:
        viewer, token = viewer_of(request), _session(request)
        ends = None if token is None else await run_in_threadpool(end_of, gate, token)
        return JSONResponse({**_shown(viewer, token, ends), "oidc": _provider(gate)}, headers=_UNSEEN)

    async def provider(request: Request) -> Response:
        """Where the identity provider lets people sign in. Every page waits for ``/session``, this one page for it."""
        if _provider(gate) is None or gate.provider is None:
            return JSONResponse(told("People do not sign in by an identity provider here.", "NOT_FOUND"), 404, _UNSEEN)
        try:
            endpoint = await run_in_threadpool(gate.provider.authorization_endpoint)
        except CredentialsError as error:
            return refusal(error)
        return JSONResponse({"authorization_endpoint": endpoint}, headers=_UNSEEN)

    async def sign_out(request: Request) -> Response:
        token = _session(request)
        if token is not None:
            await run_in_threadpool(close, gate, token)
        response = Response(status_code=204, headers=_UNSEEN)
        response.delete_cookie(COOKIE, **_cookie(request))
        return response

    return [
        Route("/session", sign_in, methods=["POST"]),
        Route("/session", who, methods=["GET"]),
        Route("/session", sign_out, methods=["DELETE"]),
        Route("/session/provider", provider, methods=["GET"]),
    ]


def _asked(body: bytes) -> _ByKey | _ByCode:
    """The sign-in of a request's body; ``msgspec.MsgspecError``, whose text shows no value."""
    members = msgspec.json.decode(body, type=dict[str, Any])
    if "code" in members:
        return msgspec.convert(members, _ByCode)
    return msgspec.convert(members, _ByKey)


def _open(gate: Authenticator, asked: _ByKey | _ByCode) -> Opened:
    if isinstance(asked, _ByKey):
        return open_by_key(gate, asked.key)
    return open_by_code(gate, SignIn(**msgspec.structs.asdict(asked)))


def _signed_in(request: Request, opened: Opened) -> Response:
    response = JSONResponse(_shown(opened.viewer, opened.token, opened.ends), headers=_UNSEEN)
    seconds = max(0, int((opened.ends - datetime.now(UTC)).total_seconds()))
    response.set_cookie(COOKIE, opened.token.text, max_age=seconds, **_cookie(request))
    return response


def _shown(viewer: Viewer, session: Token | None, ends: datetime | None) -> dict[str, Any]:
    return {
        "principal": viewer.principal,
        "player": viewer.player,
        "roles": role_names(viewer.roles),
        "expires_at": None if ends is None else ends.astimezone(UTC).isoformat(timespec="seconds"),
        "csrf_token": None if session is None else csrf_token(session),
    }


def _provider(gate: Authenticator) -> dict[str, str] | None:
    """The provider that people can sign in at, and who we are to it."""
    if gate.provider is None or gate.provider.settings.client_id is None:
        return None
    return {"issuer": gate.provider.settings.issuer, "client_id": gate.provider.settings.client_id}


def _session(request: Request) -> Token | None:
    """The session that the request was let in by."""
    viewer = viewer_of(request)
    token = Token.parse(request.cookies.get(COOKIE, ""))
    is_used = token is not None and token.kind is Kind.SESSION and token.id == viewer.key
    return token if is_used else None


def _cookie(request: Request) -> dict[str, Any]:
    return {"path": "/", "httponly": True, "samesite": "strict", "secure": request.url.scheme == "https"}


def _bad(message: str, status: int) -> Response:
    code = "FORBIDDEN" if status == 403 else "BAD_REQUEST"
    return JSONResponse(told(message, code), status, _UNSEEN)
