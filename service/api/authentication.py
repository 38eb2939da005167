"""Who sends a request: found once, before any route, and left in the request's state."""

from __future__ import annotations

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from schema.ports import PUBLIC, Viewer

#: Finds the viewer of a request; runs in a worker thread. Raises ``CredentialsError``.
Authenticate = Callable[[HTTPConnection], Viewer]


class CredentialsError(Exception):
    """Credentials that are sent and not good: unknown, expired, revoked or malformed."""


def nobody(connection: HTTPConnection) -> Viewer:
    """Everybody is the public."""
    return PUBLIC


class Authentication:
    """Puts the viewer into the state of every request; 401 for bad credentials, whatever they ask for."""

    def __init__(self, app: ASGIApp, authenticate: Authenticate) -> None:
        self._app = app
        self._authenticate = authenticate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            viewer = await run_in_threadpool(self._authenticate, HTTPConnection(scope))
        except CredentialsError as error:
            body = {"errors": [{"message": str(error), "extensions": {"code": "UNAUTHENTICATED"}}]}
            response = JSONResponse(body, 401, {"www-authenticate": "Bearer"})
            await response(scope, receive, send)
            return
        scope.setdefault("state", {})["viewer"] = viewer
        await self._app(scope, receive, send)


def viewer_of(connection: HTTPConnection) -> Viewer:
    """Who sends this request."""
    found: Viewer = connection.state.viewer
    return found
