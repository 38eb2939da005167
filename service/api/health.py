"""How the service is: alive (``/healthz``), fit for requests (``/readyz``), and what it measures (``/metrics``).

Details and measurements are for operators: for everybody only where the service listens on this machine alone, else
for keys of staff.
"""

from __future__ import annotations

import logging
from threading import Event

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from replays import ENGINE
from service.api.authentication import viewer_of
from service.api.metrics import exposition, standing
from service.api.requests import RequestMetrics
from service.store import Store
from service.store.errors import StoreError

_LOG = logging.getLogger("mingpai.api")


def health_routes(store: Store, requests: RequestMetrics, draining: Event, *, is_open: bool) -> list[Route]:
    """The routes; ``draining`` is set once the server is to stop, ``is_open`` says that everybody sees details."""

    async def health(request: Request) -> Response:
        found = await run_in_threadpool(_health, store)
        if is_open or viewer_of(request).is_staff:
            return found
        return JSONResponse({"status": "ok" if found.status_code == 200 else "unavailable"}, found.status_code)

    async def ready(request: Request) -> Response:
        status = "draining" if draining.is_set() else await run_in_threadpool(_readiness, store)
        return JSONResponse({"status": status}, 200 if status == "ready" else 503)

    async def metrics(request: Request) -> Response:
        if not (is_open or viewer_of(request).is_staff):
            return PlainTextResponse("Measurements need a key of the platform's staff.\n", 403)
        text = await run_in_threadpool(exposition, store, requests.registry)
        return Response(text, media_type=CONTENT_TYPE_LATEST)

    return [Route("/healthz", health), Route("/readyz", ready), Route("/metrics", metrics)]


def _readiness(store: Store) -> str:
    try:
        store.health()
    except StoreError:
        return "unavailable"
    return "ready"


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
            "live": {"lag_events": now.live.events, "lag_seconds": round(now.live.seconds, 3)},
            "warnings": now.warnings,
        }
    )
