"""``POST /audit``: a log comes in, its reports go out as ``mingpai audit --format json`` prints them, or with ``what``
the answer to a question about it: what a page needs to step through it. ``GET /audit`` tells what a log may take.

Nothing is stored. Where the reading stops after some games, the last line says where: ``{"error": {…}}``; a log that
gives no report at all is a refusal that names line and member.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

import anyio
from anyio import CapacityLimiter, to_thread
from starlette.datastructures import QueryParams
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from replays import ENGINE
from schema.ports import Viewer
from schema.ports.jobs import UnfitArgumentError
from schema.ports.oneoff import LogUnfitError
from schema.words import LANGUAGES
from service.api.answers import bad_argument, refused
from service.api.authentication import viewer_of
from service.api.encodings import PACKINGS
from service.api.ndjson import NDJSON, line_of
from service.api.refusals import JSON
from service.usecases.oneoff import BUSY, TIME_LIMIT, TOO_LARGE, UNREADABLE, OneOffAudits, too_large
from service.usecases.oneoff_answers import ANSWERS, HEADS, Question

#: Seconds that a body may take to come.
_PATIENCE = 60.0
_STATUS = {UNREADABLE: 422, TOO_LARGE: 413, TIME_LIMIT: 422, BUSY: 503}
_NOT_FOUND = 404  #: a game, hand, step or seat that the log does not have
_NUMBER_DIGITS = 9
#: Seconds between the tries of a question that finds no place, and how many: a page has a reader who looks on.
_PAUSE, _TRIES = 0.2, 25
#: Threads of their own, more than audits may run: whoever finds no place is told so at once.
_THREADS = 8


def oneoff_routes(audits: OneOffAudits) -> list[BaseRoute]:
    """The routes over a service's audits."""
    threads = CapacityLimiter(_THREADS)

    async def audit(request: Request) -> Response:
        try:
            lang, question = _asked(request.query_params)
        except UnfitArgumentError as error:
            return bad_argument(error.argument, str(error))
        packing = request.headers.get("content-encoding", "identity").strip().lower()
        if packing not in ("identity", *PACKINGS):
            return refused(415, "BAD_ENCODING", f"A log comes plain, or packed as one of {', '.join(PACKINGS)}.")
        viewer = viewer_of(request)
        try:
            log = await _body(request, audits, viewer)
            work = partial(_answer, audits, viewer, log, lang, question)
            return await _placed(partial(to_thread.run_sync, work, limiter=threads), 1 if question is None else _TRIES)
        except LogUnfitError as error:
            return _refusal(error)
        except TimeoutError:
            return refused(408, "TOO_SLOW", f"A log must come within {_PATIENCE:.0f} seconds.")
        except ClientDisconnect:
            return Response(status_code=400)  # to nobody

    async def bounds(request: Request) -> Response:
        return Response(line_of(audits.bounds(viewer_of(request))._asdict()), media_type=JSON)

    return [Route("/audit", audit, methods=["POST"]), Route("/audit", bounds, methods=["GET"])]


# -- What is asked -----------------------------------------------------------------------------------------------------


def _asked(query: QueryParams) -> tuple[str, Question | None]:
    """The language, and the question where it is not for the reports; ``UnfitArgumentError``."""
    lang, what = query.get("lang", "en"), query.get("what")
    if lang not in LANGUAGES:
        raise UnfitArgumentError("lang", f"lang must be one of {', '.join(LANGUAGES)}.")
    if what is None:
        return lang, None
    if what not in (HEADS, *ANSWERS):
        raise UnfitArgumentError("what", f"what must be one of {', '.join((HEADS, *ANSWERS))}.")
    numbers = {name: _number(query, name) for name in ("place", "hand", "seq", "seat")}
    if numbers["hand"] is not None and numbers["seq"] is not None:
        raise UnfitArgumentError("seq", "A hand is asked for by its number or by a step in it, not by both.")
    return lang, Question(what, query.get("game"), **numbers)


def _number(query: QueryParams, name: str) -> int | None:
    text = query.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= _NUMBER_DIGITS):
        raise UnfitArgumentError(name, f"{name} is a number from 0.")
    return int(text)


async def _placed(work: Callable[[], Awaitable[Response]], tries: int) -> Response:
    """The answer of ``work``, tried again while there is no place for it: no thread is held meanwhile."""
    for _ in range(tries - 1):
        try:
            return await work()
        except LogUnfitError as error:
            if error.code != BUSY:
                raise
        await anyio.sleep(_PAUSE)
    return await work()


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
    answer = refused(_STATUS.get(error.code, _NOT_FOUND), error.code.upper(), str(error), **error.details, **more)
    if error.code == TOO_LARGE:
        answer.headers["connection"] = "close"  # with its body unread
    return answer


# -- What is answered --------------------------------------------------------------------------------------------------


def _answer(audits: OneOffAudits, viewer: Viewer, log: bytes, lang: str, question: Question | None) -> Response:
    headers = {"x-mingpai-engine": ENGINE, "cache-control": "no-store"}
    if question is not None and question.what in ANSWERS:
        return Response(line_of(audits.ask(viewer, log, lang, question)), headers=headers, media_type=JSON)
    found = (audits.audit if question is None else audits.heads)(viewer, log, lang)
    stopped = [] if found.stopped is None else [{"error": found.stopped}]
    return Response(b"".join(map(line_of, [*found.reports, *stopped])), headers=headers, media_type=NDJSON)
