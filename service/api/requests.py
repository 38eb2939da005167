"""Every request by its id: in the answer, in what is logged meanwhile, and in one line and one measurement at its end.

Logged are routes, never paths, queries, headers or bodies: those may hold what is secret.
"""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Mapping, Sequence

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram
from starlette.datastructures import Headers, MutableHeaders
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: The header that names a request, taken from the sender if it is a plain word.
HEADER = "x-request-id"

_WORD = re.compile(r"[A-Za-z0-9._-]{1,64}")
_BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_LOG = logging.getLogger("mingpai.requests")


class RequestMetrics:
    """What Prometheus is told of this process's requests, by method, route and status."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._seconds = Histogram(
            "mingpai_request_seconds",
            "Time until a request was answered whole.",
            ["method", "route", "status"],
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self._errors = Counter(
            "mingpai_request_errors",
            "Requests that ended in an exception.",
            ["route"],
            registry=self.registry,
        )

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """One answered request."""
        self._seconds.labels(method, route, str(status)).observe(seconds)

    def failed(self, route: str) -> None:
        """One request without an answer."""
        self._errors.labels(route).inc()


class Requests:
    """The outermost layer around the application: id, log line, measurement."""

    def __init__(self, app: ASGIApp, metrics: RequestMetrics, templates: Mapping[object, str]) -> None:
        self._app = app
        self._metrics = metrics
        self._templates = templates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        request = _request_id(scope)
        scope.setdefault("state", {})["request"] = request
        status, begun = 0, time.perf_counter()

        async def answered(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = request
            await send(message)

        with structlog.contextvars.bound_contextvars(request=request):
            try:
                await self._app(scope, receive, answered)
            except Exception:
                self._metrics.failed(self._route(scope))
                raise
            finally:
                self._ended(scope, status, time.perf_counter() - begun)

    def _ended(self, scope: Scope, status: int, seconds: float) -> None:
        method, route = scope.get("method", "WEBSOCKET"), self._route(scope)
        if scope["type"] == "http":
            self._metrics.observe(method, route, status, seconds)
        viewer = scope["state"].get("viewer")
        told = {
            "method": method,
            "route": route,
            "status": status,
            "ms": round(seconds * 1000, 1),
            "principal": None if viewer is None else viewer.principal,
            "key": None if viewer is None else viewer.key,
        }
        _LOG.info("request", extra=told)

    def _route(self, scope: Scope) -> str:
        return self._templates.get(scope.get("endpoint"), "none")


def templates_of(routes: Sequence[BaseRoute]) -> dict[object, str]:
    """The paths of routes as they are written, by endpoint."""
    found = ((getattr(route, "endpoint", None), getattr(route, "path", None)) for route in routes)
    return {endpoint: path for endpoint, path in found if endpoint is not None and path is not None}


def _request_id(scope: Scope) -> str:
    given = Headers(scope=scope).get(HEADER, "")
    return given if _WORD.fullmatch(given) else uuid.uuid4().hex
