"""Many games at once: ``GET /export`` and ``POST /ingest``, logs (paipu/1) as streams.

An export is a log and nothing else, so that whatever reads logs reads it; its place is known by the games themselves.
Games come oldest first, by the time of their opening, and never change places. So one that broke off goes on with
``after=`` the id of the last game that has come whole: the last one before the game that was cut, or the last of an
answer that came to its end. An answer with fewer games than ``max`` is the last.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from functools import partial
from itertools import chain

import anyio
from anyio import CapacityLimiter, WouldBlock, from_thread, to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from replays import ENGINE
from schema.paipu import FORMAT, read
from schema.ports import AccessError, Role, Viewer
from schema.ports.jobs import UnfitArgumentError
from service.api.answers import bad_argument, busy, no_access, refused, unavailable
from service.api.authentication import viewer_of
from service.api.encodings import PACKINGS, negotiated, packed
from service.api.ndjson import NDJSON, line_of
from service.api.parts import Parts
from service.api.selections import Wanted, wanted_of
from service.store import Sender, Store
from service.store.bulk import settled_until
from service.store.errors import StoreError
from service.usecases.bulk import Exported, Exporter
from service.usecases.ingest import Outcome, Refused, ingest

#: Bytes of a log that go out at once.
_PIECE = 128 * 1024
#: Ingests of one process at a time: each holds a thread, and a game in memory.
INGESTS = 4
#: Lines of an answer that wait for a sender who does not read them yet; many read only once they have sent everything.
_UNREAD = 10_000
#: Seconds after which a sender that neither sends nor reads is taken to be gone.
_PATIENCE = 60.0

_LOG = logging.getLogger("mingpai.bulk")


def bulk_routes(parts: Parts) -> list[BaseRoute]:
    """The routes over a service's parts."""

    async def export(request: Request) -> Response:
        return await run_in_threadpool(_export, parts, request)

    return [Route("/export", export), Route("/ingest", Ingestion(parts.store), methods=["POST"])]


# -- Out ---------------------------------------------------------------------------------------------------------------


def _export(parts: Parts, request: Request) -> Response:
    exporter = Exporter(parts.store, parts.sights, viewer_of(request), request_id(request))
    try:
        wanted = wanted_of(request.query_params)
        return _streamed(exporter, wanted, negotiated(request.headers.get("accept-encoding")))
    except UnfitArgumentError as error:
        return bad_argument(error.argument, str(error))
    except AccessError as error:
        return no_access(error)
    except StoreError as error:
        _LOG.warning("no export: %s", error)
        return unavailable()


def _streamed(exporter: Exporter, wanted: Wanted, packing: str | None) -> Response:
    """The answer, its first piece made before its status is known: what fails at once is no answer that breaks off."""
    after = None if wanted.after is None else exporter.place(wanted.after)
    if wanted.after is not None and after is None:
        return bad_argument("after", f"There is no game {wanted.after} to go on behind.")
    complete = settled_until(exporter.store)
    pieces = packed(pieces_of(exporter.games(wanted.selection, after, wanted.limit)), packing)
    first = next(pieces, b"")
    headers = {"x-mingpai-engine": ENGINE, "x-mingpai-format": FORMAT, "x-mingpai-max": str(wanted.limit)}
    headers |= {"vary": "accept-encoding", "cache-control": "private, no-store"}
    if complete is not None:
        headers["x-mingpai-complete-until"] = complete.isoformat(timespec="microseconds")
    if packing is not None:
        headers["content-encoding"] = packing
    return StreamingResponse(chain([first], pieces), headers=headers, media_type=NDJSON)


def pieces_of(games: Iterator[Exported]) -> Iterator[bytes]:
    """The lines of games in pieces of some size, for a line a time would be slow."""
    held: list[bytes] = []
    size = 0
    for game in games:
        for line in game.lines:
            held.append(line)
            size += len(line)
            if size >= _PIECE:
                yield b"".join(held)
                held, size = [], 0
    if held:
        yield b"".join(held)


def request_id(request: Request) -> str | None:
    """The id of a request, as the record of readings names it."""
    return getattr(request.state, "request", None)


# -- In ----------------------------------------------------------------------------------------------------------------


class Ingestion:
    """``POST /ingest``: a log comes in, and one line a game goes out as soon as it is stored, or refused.

    What has been read of the body waits for the store, and the sender with it. A connection that breaks leaves whole
    games only; sending the same again adds what is missing.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._limiter = CapacityLimiter(INGESTS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        refusal = _refusal(request)
        if refusal is not None:
            refusal.headers["connection"] = "close"  # with its body unread
            await refusal(scope, receive, send)
            return
        try:
            self._limiter.acquire_nowait()
        except WouldBlock:
            await busy(10)(scope, receive, send)
            return
        try:
            await self._take_in(sender_of(viewer_of(request)), receive, send)
        finally:
            self._limiter.release()

    async def _take_in(self, sender: Sender, receive: Receive, send: Send) -> None:
        lines, outgoing = anyio.create_memory_object_stream[bytes](_UNREAD)
        work = partial(_ingest, self._store, _Body(receive), sender, lines)
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(_answer, outgoing, send)
                async with lines:
                    # A thread of its own: those that wait for slow senders are not taken from the others.
                    await to_thread.run_sync(work, limiter=CapacityLimiter(1))
        except* OSError as gone:  # what was sent whole is stored
            _LOG.info("an ingest breaks off: %s", gone.exceptions[0])


def _refusal(request: Request) -> Response | None:
    """Why a request is not taken in, before anything of its body is read."""
    try:
        viewer_of(request).require(Role.SERVER, Role.ADMIN)
    except AccessError as error:
        return no_access(error)
    packing = request.headers.get("content-encoding", "identity").strip().lower()
    if packing not in ("identity", *PACKINGS):
        return refused(415, "BAD_ENCODING", f"A log comes plain, or packed as one of {', '.join(PACKINGS)}.")
    return None


def sender_of(viewer: Viewer) -> Sender:
    """Whose the games become: a game server's own, or nobody's where an admin sends them."""
    return Sender(viewer.principal if viewer.has(Role.SERVER) else None)


async def _answer(outgoing: MemoryObjectReceiveStream[bytes], send: Send) -> None:
    headers = [(b"content-type", NDJSON.encode()), (b"x-mingpai-engine", ENGINE.encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    async with outgoing:
        async for line in outgoing:
            await send({"type": "http.response.body", "body": line, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def _ingest(store: Store, body: _Body, sender: Sender, lines: MemoryObjectSendStream[bytes]) -> None:
    """Runs in a thread. A store that does not answer ends the ingest with a line that says so."""
    stream = io.BufferedReader(body)
    try:
        for outcome in ingest(store, read(stream, source="request"), "request", sender=sender):
            from_thread.run(_put, lines, outcome)
    except StoreError as error:
        _LOG.warning("an ingest ends: %s", error)
        reason = "request: the store does not answer; send it again, what is stored is skipped"
        from_thread.run(_put, lines, Refused("request", None, None, reason))


async def _put(lines: MemoryObjectSendStream[bytes], outcome: Outcome) -> None:
    """``ConnectionAbortedError`` where nobody takes the line."""
    try:
        with anyio.fail_after(_PATIENCE):
            await lines.send(line_of(outcome._asdict()))
    except TimeoutError:
        raise ConnectionAbortedError("the sender does not read what it is answered") from None


class _Body(io.RawIOBase):
    """A request's body as a stream for a worker thread: each reading waits for the event loop to receive more.

    ``ConnectionResetError`` where the sender goes away before the end.
    """

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._ready = memoryview(b"")
        self._has_more = True

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not self._ready and self._has_more:
            self._ready = memoryview(from_thread.run(self._next))
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    async def _next(self) -> bytes:
        try:
            with anyio.fail_after(_PATIENCE):
                message = await self._receive()
        except TimeoutError:
            raise ConnectionResetError("the sender has stopped sending") from None
        if message["type"] == "http.disconnect":
            raise ConnectionResetError("the sender has gone")
        self._has_more = message.get("more_body", False)
        body: bytes = message.get("body", b"")
        return body
