"""Bundles over HTTP: ``GET /games/{id}/bundle`` for viewers, ``GET /bundles/{token}`` for whoever was given a link.

``?page=html`` is the page to print, ``?lang=`` its language. An id may be any text, percent-encoded; some clients tidy
paths up (``..``), so ``GET /bundle?game=`` takes it as well.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from schema.ports import GameUnknownError, HiddenError, SeatUnknownError
from schema.words import LANGUAGES
from service.api.answers import bad_argument, refused, unavailable
from service.api.authentication import viewer_of
from service.api.bulk import request_id
from service.api.parts import Parts
from service.evidence.bundle_page import page
from service.evidence.keyring import KeyRingError
from service.evidence.rederiving import EvidenceError
from service.store.errors import BrokenLogError, StoreError
from service.usecases.bundling import Bundler
from service.usecases.links import opened
from service.usecases.notary import Notary
from service.usecases.proving import Proven

#: Bundles made at a time: each replays its game twice.
_AT_ONCE = 2
_HEADERS = {
    "cache-control": "private, no-store",
    "referrer-policy": "no-referrer",  # the address of a link is what opens it
    "x-content-type-options": "nosniff",
}
_PAGE_HEADERS = _HEADERS | {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
}
_NO_LINK = "There is no such link; it may have expired or been revoked."

_LOG = logging.getLogger("mingpai.bundles")


def bundle_routes(parts: Parts) -> list[BaseRoute]:
    """The routes over a service's parts."""
    threads = CapacityLimiter(_AT_ONCE)

    def route(path: str, answer: Callable[[Parts, Notary, Request], Response]) -> Route:
        async def handle(request: Request) -> Response:
            if parts.notary is None:
                return refused(503, "UNSIGNED", "Nothing is signed here, so nothing can be proven.")
            return await to_thread.run_sync(partial(_guarded, answer, parts, parts.notary, request), limiter=threads)

        return Route(path, handle)

    return [
        route("/games/{game:path}/bundle", _of_game),
        route("/bundle", _of_game),
        route("/bundles/{token}", _of_link),
    ]


def _guarded(
    answer: Callable[[Parts, Notary, Request], Response], parts: Parts, notary: Notary, request: Request
) -> Response:
    lang = request.query_params.get("lang", "en")
    if lang not in LANGUAGES:
        return bad_argument("lang", f"lang must be one of {', '.join(LANGUAGES)}.")
    if request.query_params.get("page", "html") != "html":
        return bad_argument("page", "page must be html, or be left out.")
    try:
        return answer(parts, notary, request)
    except (EvidenceError, BrokenLogError, KeyRingError) as error:
        _LOG.error("no bundle: %s", error)
        return refused(500, "BROKEN", "What is stored does not hold, so nothing is proven; the operator is told.")
    except StoreError as error:
        _LOG.warning("no bundle: %s", error)
        return unavailable()


def _of_game(parts: Parts, notary: Notary, request: Request) -> Response:
    game = request.path_params.get("game", request.query_params.get("game", ""))
    seat = request.query_params.get("seat")
    if seat is not None and not (seat.isascii() and seat.isdigit() and len(seat) == 1):
        return bad_argument("seat", "seat must be the number of a seat, from 0.")
    bundler = Bundler(parts.store, notary, parts.sights, request_id(request))
    try:
        return _shown(bundler.bundle(viewer_of(request), game, None if seat is None else int(seat)), request)
    except GameUnknownError:
        return refused(404, "GAME_NOT_FOUND", f"No game {game}.", game=game)
    except SeatUnknownError as error:
        return bad_argument("seat", f"The game has the seats 0 to {error.seats - 1}, not {seat}.")
    except HiddenError as error:
        return refused(403, "HIDDEN", str(error))


def _of_link(parts: Parts, notary: Notary, request: Request) -> Response:
    """An expired link, a revoked one and one that never was are the same to whoever comes with it."""
    link = opened(parts.store, request.path_params["token"])
    if link is None:
        return refused(404, "LINK_NOT_FOUND", _NO_LINK)
    bundler = Bundler(parts.store, notary, parts.sights, request_id(request))
    try:
        proven = bundler.made(link.game, link.seat, is_own=not link.by_staff)
    except HiddenError as error:
        return refused(409, "HIDDEN", str(error))
    if link.by_staff:
        bundler.note(link.principal, link.key, "bundle_link", link.game, len(proven.bundle["events"]) - 1)
    return _shown(proven, request)


def _shown(proven: Proven, request: Request) -> Response:
    if "page" not in request.query_params:
        return Response(proven.raw, media_type="application/json", headers=_HEADERS)
    text = page(proven.bundle, proven.verification, request.query_params.get("lang", "en"))
    return Response(text, media_type="text/html", headers=_PAGE_HEADERS)
