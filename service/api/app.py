"""The ASGI application over a store."""

from __future__ import annotations

import logging

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from replays import ENGINE
from schema.graphql import Context
from service.api.graphql import Endpoint
from service.api.limits import BodyLimit
from service.api.page import HEADERS, page
from service.store import Store
from service.store.errors import StoreError
from service.usecases.folds import Folds
from service.usecases.library import StoredDesk, StoredLibrary

#: Names by which the service answers: a page of another site that has its own name point here gets nothing.
HOSTS = ("127.0.0.1", "localhost")

_LOG = logging.getLogger("mingpai.api")


def create_app(store: Store, *, hosts: tuple[str, ...] = HOSTS) -> Starlette:
    """The application: ``POST /graphql``, ``GET /healthz``, ``GET /``."""
    folds = Folds(store)
    endpoint = Endpoint(Context(StoredLibrary(store, folds), StoredDesk(store, folds)))

    async def health(request: Request) -> Response:
        return await run_in_threadpool(_health, store)

    async def index(request: Request) -> Response:
        return HTMLResponse(page(str(request.base_url).rstrip("/")), headers=HEADERS)

    return Starlette(
        routes=[
            Route("/graphql", endpoint, methods=["POST"]),
            Route("/healthz", health),
            Route("/", index),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)), Middleware(BodyLimit)],
    )


def _health(store: Store) -> Response:
    """200 with what the store says of itself, 503 where it does not answer. ``unsafe`` is why nothing is signed."""
    try:
        found = store.health()
    except StoreError as error:
        _LOG.warning("the store does not answer: %s", error)
        return JSONResponse({"status": "unavailable", "engine": ENGINE}, 503)
    return JSONResponse(
        {
            "status": "ok",
            "engine": ENGINE,
            "schema": found.schema_revision,
            "postgresql": found.server_version,
            "unsafe": list(found.unsafe),
        }
    )
