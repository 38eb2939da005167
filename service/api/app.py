"""The ASGI application over a store."""

from __future__ import annotations

from threading import Event

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from service.api.authentication import Authenticate, Authentication, nobody
from service.api.graphql import Endpoint
from service.api.health import health_routes
from service.api.limits import BodyLimit
from service.api.log import log_routes
from service.api.page import HEADERS, page
from service.api.parts import Parts
from service.api.requests import RequestMetrics, Requests, templates_of
from service.store import Store
from service.usecases.notary import Notary

#: Names by which the service answers: a page of another site that has its own name point here gets nothing.
HOSTS = ("127.0.0.1", "localhost")


def create_app(
    store: Store,
    notary: Notary | None = None,
    *,
    hosts: tuple[str, ...] = HOSTS,
    authenticate: Authenticate = nobody,
    draining: Event | None = None,
) -> Starlette:
    """The application: ``POST /graphql`` and the routes of the other modules here.

    Without a ``notary`` receipts bear no signature. ``hosts`` are the names by which it answers; where there are others
    than this machine's own, details of its health are for staff. ``draining`` is set by the server before it stops.
    """
    parts, requests = Parts.of(store, notary), RequestMetrics()
    is_local = set(hosts) <= set(HOSTS)
    routes: list[BaseRoute] = [
        Route("/graphql", Endpoint(parts), methods=["POST"]),
        *health_routes(store, requests, draining or Event(), is_open=is_local),
        *log_routes(store),
        Route("/", _index),
    ]
    return Starlette(
        routes=routes,
        middleware=[
            Middleware(Requests, metrics=requests, templates=templates_of(routes)),
            Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)),
            Middleware(BodyLimit),
            Middleware(Authentication, authenticate=authenticate),
        ],
    )


async def _index(request: Request) -> Response:
    return HTMLResponse(page(str(request.base_url).rstrip("/")), headers=HEADERS)
