"""The ASGI application over a store."""

from __future__ import annotations

import logging

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from replays import ENGINE
from service.api.authentication import Authenticate, Authentication, nobody
from service.api.graphql import Endpoint
from service.api.limits import BodyLimit
from service.api.log import log_routes
from service.api.metrics import exposition, standing
from service.api.page import HEADERS, page
from service.api.parts import Parts
from service.store import Store
from service.store.errors import StoreError
from service.usecases.notary import Notary

#: Names by which the service answers: a page of another site that has its own name point here gets nothing.
HOSTS = ("127.0.0.1", "localhost")

_LOG = logging.getLogger("mingpai.api")


def create_app(
    store: Store,
    notary: Notary | None = None,
    *,
    hosts: tuple[str, ...] = HOSTS,
    authenticate: Authenticate = nobody,
) -> Starlette:
    """The application: ``POST /graphql``, ``GET /healthz``, ``/metrics``, ``/checkpoint``, ``/tile/…``, ``/``.

    Without a ``notary`` receipts bear no signature.
    """
    endpoint = Endpoint(Parts.of(store, notary))

    async def health(request: Request) -> Response:
        return await run_in_threadpool(_health, store)

    async def metrics(request: Request) -> Response:
        return Response(await run_in_threadpool(exposition, store), media_type=CONTENT_TYPE_LATEST)

    async def index(request: Request) -> Response:
        return HTMLResponse(page(str(request.base_url).rstrip("/")), headers=HEADERS)

    return Starlette(
        routes=[
            Route("/graphql", endpoint, methods=["POST"]),
            Route("/healthz", health),
            Route("/metrics", metrics),
            *log_routes(store),
            Route("/", index),
        ],
        middleware=[
            Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)),
            Middleware(BodyLimit),
            Middleware(Authentication, authenticate=authenticate),
        ],
    )


def _health(store: Store) -> Response:
    """200 with what the store says of itself, 503 where it does not answer. ``unsafe`` is why nothing is signed."""
    try:
        found, now = store.health(), standing(store)
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
            "feed": {
                "position": now.feed.position,
                "mark": now.feed.mark,
                "oldest_writer_seconds": round(now.oldest_writer, 3),
            },
            "log": {"seals": now.seals, "unsealed": now.unsealed, "checkpoint": now.signed},
            "warnings": now.warnings,
        }
    )
