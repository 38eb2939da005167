"""Who sends a request: found once, before any route, and left in the request's state."""

from __future__ import annotations

import logging
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from schema.ports import PUBLIC, Viewer
from service.access.authenticator import Authenticator
from service.access.errors import CredentialsError, CrossSiteError, SignedOutError
from service.access.sessions import COOKIE
from service.api.refusals import told
from service.store.errors import StoreError

__all__ = [
    "Authenticate",
    "Authentication",
    "CredentialsError",
    "authenticated",
    "check_origin",
    "is_own_page",
    "refusal",
    "unavailable",
    "viewer_of",
]

#: Finds the viewer of a request; runs in a worker thread. Raises ``CredentialsError``.
Authenticate = Callable[[HTTPConnection], Viewer]
#: The same at once, without waiting for anything; ``None`` where it would have to.
Recall = Callable[[HTTPConnection], Viewer | None]

#: The header of a session's token against requests of other sites.
CSRF_HEADER = "x-csrf-token"
#: Signing in needs no credentials, and is open to who has none that are good.
_SIGN_IN = ("POST", "/session")
_RETRY_SECONDS = "5"

_LOG = logging.getLogger("mingpai.access")


def authenticated(authenticator: Authenticator) -> tuple[Authenticate, Recall]:
    """How ``Authentication`` asks an authenticator."""

    def find(connection: HTTPConnection) -> Viewer:
        check_origin(connection)
        try:
            return authenticator.of(*_sent(connection))
        except SignedOutError:
            if connection.scope["method"] in ("GET", "HEAD"):
                return PUBLIC  # who comes back to a page next morning is to see it
            raise

    def recall(connection: HTTPConnection) -> Viewer | None:
        return authenticator.remembered(*_sent(connection)) if _is_same_origin(connection) else None

    return find, recall


def check_origin(connection: HTTPConnection) -> None:
    """``CrossSiteError`` for a request with a session's cookie that another site's page sent."""
    if not _is_same_origin(connection):
        raise CrossSiteError("This request was sent by a page of another site.")


def viewer_of(connection: HTTPConnection) -> Viewer:
    """Who sends this request."""
    found: Viewer = connection.state.viewer
    return found


class Authentication:
    """Puts the viewer into the state of every request; 401 for bad credentials, whatever they ask for."""

    def __init__(self, app: ASGIApp, authenticate: Authenticate, recall: Recall | None = None) -> None:
        self._app = app
        self._authenticate = authenticate
        self._recall = recall

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            viewer = await self._viewer(HTTPConnection(scope))
        except CredentialsError as error:
            await refusal(error)(scope, receive, send)
            return
        except StoreError as error:
            _LOG.warning("nobody can be let in, the store does not answer: %s", error)
            await unavailable()(scope, receive, send)
            return
        scope.setdefault("state", {})["viewer"] = viewer
        await self._app(scope, receive, send)

    async def _viewer(self, connection: HTTPConnection) -> Viewer:
        if (connection.scope["method"], connection.scope["path"]) == _SIGN_IN:
            return PUBLIC
        known = None if self._recall is None else self._recall(connection)
        return known if known is not None else await run_in_threadpool(self._authenticate, connection)


def refusal(error: CredentialsError) -> JSONResponse:
    """The answer to credentials that are not good; the cookie of a session that is over goes."""
    response = JSONResponse(told(str(error), error.code), error.status)
    if error.status == 401:
        response.headers["www-authenticate"] = "Bearer"
    if error.status == 503:
        response.headers["retry-after"] = _RETRY_SECONDS
    if isinstance(error, SignedOutError):
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    return response


def unavailable() -> JSONResponse:
    """The answer where nobody can be let in, as the store does not answer."""
    body = told("The store does not answer.", "UNAVAILABLE")
    return JSONResponse(body, 503, {"retry-after": _RETRY_SECONDS})


def _sent(connection: HTTPConnection) -> tuple[str | None, dict[str, str], str | None, str]:
    headers = connection.headers
    return headers.get("authorization"), connection.cookies, headers.get(CSRF_HEADER), connection.scope["method"]


def _is_same_origin(connection: HTTPConnection) -> bool:
    """Whether nothing says that a session's request comes from elsewhere."""
    is_by_cookie = "authorization" not in connection.headers and COOKIE in connection.cookies
    return not is_by_cookie or is_own_page(connection)


def is_own_page(connection: HTTPConnection) -> bool:
    """Whether a page of ours sends this, or no page at all. Browsers send ``Origin`` with everything but plain
    readings; its scheme is left out, as a proxy may have changed it."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == connection.headers.get("host", "").lower() != ""
    except ValueError:
        return False
