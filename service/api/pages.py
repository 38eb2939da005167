"""The pages and their files over HTTP."""

from __future__ import annotations

from functools import cache, partial

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from service.api.answers import refused
from service.web.assets import Asset, assets
from service.web.pages import PAGES, Page, html

#: The address names the content, so what was fetched once stays good.
_KEPT = "public, max-age=31536000, immutable"


def page_routes() -> list[BaseRoute]:
    """The routes of all pages, and of their files."""
    return [*map(_page_route, PAGES), Route("/static/{digest}/{path:path}", _static)]


def _page_route(page: Page) -> Route:
    return Route(page.path, partial(_page, page))


async def _page(page: Page, request: Request) -> Response:
    return HTMLResponse(_document(page), headers=page.headers)


@cache
def _document(page: Page) -> str:
    """The page's document, worked out once: it is the same for everybody."""
    return html(page, assets())


async def _static(request: Request) -> Response:
    """A file. A page that was opened under an earlier release gets today's, which nobody is to keep for it."""
    files = assets()
    asset = files.files.get(request.path_params["path"])
    if asset is None:
        return refused(404, "NOT_FOUND", "There is no such file.")
    is_current = request.path_params["digest"] == files.digest
    return _sent(asset, request.headers.get("accept-encoding", ""), _KEPT if is_current else "no-store")


def _sent(asset: Asset, accepted: str, cache: str) -> Response:
    headers = {"cache-control": cache, "x-content-type-options": "nosniff", "vary": "accept-encoding"}
    if asset.packed is None or "gzip" not in accepted:
        return Response(asset.body, media_type=asset.media_type, headers=headers)
    return Response(asset.packed, media_type=asset.media_type, headers={**headers, "content-encoding": "gzip"})
