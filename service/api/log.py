"""The log for everybody's monitors: ``GET /checkpoint`` and tiles as C2SP tlog-tiles has them.

Seals hold no id of a game, so this is public; how many games there are is public by design.
"""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from service.evidence.checkpoints import parse_checkpoint
from service.evidence.log_tree import Node
from service.evidence.notes import parse_note
from service.evidence.tiles import Tile, TileError, encode_bundle, parse_path
from service.store import Store
from service.store.log import Log

_FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}
_NEWEST = {"Cache-Control": "no-cache"}
_BINARY = "application/octet-stream"


def log_routes(store: Store) -> list[Route]:
    """The routes over ``store``; no checkpoint yet, or a tile that its tree does not have, is a 404."""
    log = Log(store)

    async def checkpoint(request: Request) -> Response:
        note = await run_in_threadpool(_newest, log)
        if note is None:
            return PlainTextResponse("There is no checkpoint yet.\n", 404)
        return PlainTextResponse(note, headers=_NEWEST)

    async def tile(request: Request) -> Response:
        try:
            asked = parse_path(f"tile/{request.path_params['path']}")
        except TileError as error:
            return PlainTextResponse(f"{error}\n", 404)
        content = await run_in_threadpool(_tile, log, asked)
        if content is None:
            return PlainTextResponse("The tree of the newest checkpoint has no such tile.\n", 404)
        return Response(content, media_type=_BINARY, headers=_FOREVER)

    return [Route("/checkpoint", checkpoint), Route("/tile/{path:path}", tile)]


def _newest(log: Log) -> bytes | None:
    kept = log.checkpoint()
    return None if kept is None else log.cosigned(kept)


def _tile(log: Log, tile: Tile) -> bytes | None:
    """A tile's hashes, or a bundle's entries; ``None`` beyond the newest checkpoint."""
    kept = log.checkpoint()
    if kept is None or not tile.is_in(parse_checkpoint(parse_note(kept.note).text).size):
        return None
    span = tile.nodes
    if tile.level is None:
        return encode_bundle(leaf.seal for leaf in log.leaves(span.start, span.stop))
    nodes = [Node(span.level, index) for index in range(span.start, span.stop)]
    hashes = log.nodes(nodes)
    return b"".join(hashes[node] for node in nodes)
