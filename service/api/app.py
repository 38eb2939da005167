"""The ASGI application over a store."""

from __future__ import annotations

from pathlib import Path
from threading import Event

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.routing import BaseRoute, Route

from service.access.oidc import ProviderSettings
from service.api.authentication import Authenticate, Authentication, authenticated
from service.api.bulk import bulk_routes
from service.api.bundles import bundle_routes
from service.api.cases import case_routes
from service.api.exports import export_routes
from service.api.graphql import Endpoint
from service.api.health import health_routes
from service.api.limits import BodyLimit, RequestLimits
from service.api.live import SubscriptionLimits, live_routes
from service.api.log import log_routes
from service.api.oneoff import oneoff_routes
from service.api.pages import page_routes
from service.api.parts import Parts
from service.api.rate import GuessLimit, RateLimit
from service.api.requests import RequestMetrics, Requests, templates_of
from service.api.session import session_routes
from service.store import Store
from service.usecases.notary import Notary

#: Names by which the service answers: a page of another site that has its own name point here gets nothing.
HOSTS = ("127.0.0.1", "localhost")


def create_app(
    store: Store,
    notary: Notary | None = None,
    *,
    hosts: tuple[str, ...] = HOSTS,
    authenticate: Authenticate | None = None,
    provider: ProviderSettings | None = None,
    draining: Event | None = None,
    exports: Path | None = None,
    subscriptions: SubscriptionLimits | None = None,
    limits: RequestLimits | None = None,
) -> Starlette:
    """The application: ``POST /graphql``, the pages, and the routes of the other modules here.

    Without a ``notary`` receipts bear no signature. ``hosts`` are the names by which it answers; where there are others
    than this machine's own, details of its health are for staff. ``draining`` is set by the server before it stops.
    Who sends a request is found by the store's keys and sessions and by the identity ``provider``, unless
    ``authenticate`` says it. ``exports`` is the folder of large exports, if one is served. ``limits`` are those of
    every request and every sender.
    """
    draining, limits = draining or Event(), limits or RequestLimits()
    parts, requests = Parts.of(store, notary, provider), RequestMetrics()
    find, recall = authenticated(parts.gate) if authenticate is None else (authenticate, None)
    is_local = set(hosts) <= set(HOSTS)
    routes: list[BaseRoute] = [
        Route("/graphql", Endpoint(parts, limits.policy), methods=["POST"]),
        *live_routes(parts, find, recall, draining, limits.policy, subscriptions or SubscriptionLimits()),
        *health_routes(store, requests, draining, is_open=is_local),
        *log_routes(store),
        *case_routes(parts),
        *session_routes(parts.gate),
        *bulk_routes(parts),
        *bundle_routes(parts),
        *oneoff_routes(parts.audits),
        *([] if exports is None else export_routes(parts, exports)),
        *page_routes(),
    ]
    return Starlette(
        routes=routes,
        middleware=[
            Middleware(Requests, metrics=requests, templates=templates_of(routes)),
            Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)),
            Middleware(BodyLimit, limit=limits.body),
            Middleware(GuessLimit, rate=limits.public_rate),
            Middleware(Authentication, authenticate=find, recall=recall),
            Middleware(RateLimit, keys=limits.key_rate, public=limits.public_rate),
        ],
    )
