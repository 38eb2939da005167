"""``POST /audit``: a log comes in, its reports go out as ``mingpai audit --format json`` prints them.

Nothing is stored. Where the reading stops after some games, the last line says where: ``{"error": {…}}``; a log that
gives no report at all is a refusal that names line and member.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio
from anyio import CapacityLimiter, to_thread
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from replays import ENGINE
from schema.ports import Viewer
from schema.ports.oneoff import LogUnfitError
from schema.words import LANGUAGES
from service.api.answers import bad_argument, refused
from service.api.authentication import viewer_of
from service.api.encodings import PACKINGS
from service.api.ndjson import NDJSON, line_of
from service.usecases.oneoff import BUSY, TIME_LIMIT, TOO_LARGE, UNREADABLE, OneOffAudits, too_large

#: Seconds that a body may take to come.
_PATIENCE = 60.0
_STATUS = {UNREADABLE: 422, TOO_LARGE: 413, TIME_LIMIT: 422, BUSY: 503}
#: Threads of their own, more than audits may run: whoever finds no place is told so at once.
_THREADS = 8


def oneoff_routes(audits: OneOffAudits) -> list[BaseRoute]:
    """The route over a service's audits."""
    threads = CapacityLimiter(_THREADS)

    async def audit(request: Request) -> Response:
        lang = request.query_params.get("lang", "en")
        if lang not in LANGUAGES:
            return bad_argument("lang", f"lang must be one of {', '.join(LANGUAGES)}.")
        packing = request.headers.get("content-encoding", "identity").strip().lower()
        if packing not in ("identity", *PACKINGS):
            return refused(415, "BAD_ENCODING", f"A log comes plain, or packed as one of {', '.join(PACKINGS)}.")
        viewer = viewer_of(request)
        try:
            log = await _body(request, audits, viewer)
            found = await to_thread.run_sync(audits.audit, viewer, log, lang, limiter=threads)
        except LogUnfitError as error:
            return _refusal(error)
        except TimeoutError:
            return refused(408, "TOO_SLOW", f"A log must come within {_PATIENCE:.0f} seconds.")
        except ClientDisconnect:
            return Response(status_code=400)  # to nobody
        lines: list[Mapping[str, Any]] = [
            *found.reports,
            *([] if found.stopped is None else [{"error": found.stopped}]),
        ]
        return Response(b"".join(map(line_of, lines)), media_type=NDJSON, headers={"x-mingpai-engine": ENGINE})

    return [Route("/audit", audit, methods=["POST"])]


async def _body(request: Request, audits: OneOffAudits, viewer: Viewer) -> bytes:
    """The body; ``LogUnfitError`` as soon as it is too large, ``TimeoutError`` where it does not come."""
    bounds, parts, size = audits.bounds(viewer), [], 0
    announced = request.headers.get("content-length", "")
    if announced.isdigit() and int(announced) > bounds.size:
        raise too_large(bounds)
    with anyio.fail_after(_PATIENCE):
        async for part in request.stream():
            parts.append(part)
            size += len(part)
            if size > bounds.size:
                raise too_large(bounds)
    return b"".join(parts)


def _refusal(error: LogUnfitError) -> Response:
    more = {"retry_after": 5} if error.code == BUSY else {}
    answer = refused(_STATUS[error.code], error.code.upper(), str(error), **error.details, **more)
    if error.code == TOO_LARGE:
        answer.headers["connection"] = "close"  # with its body unread
    return answer
