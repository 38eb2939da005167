"""``GET /cases/{case}/export``: a whole case in one document, as far as it is for the sender."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from schema.canonical import canonical
from schema.ports.cases import CaseUnknownError
from service.api.answers import refused
from service.api.authentication import viewer_of
from service.api.parts import Parts

_HEADERS = {"Cache-Control": "no-store", "Content-Disposition": "attachment"}


def case_routes(parts: Parts) -> list[Route]:
    """The route over ``parts``; a case that there is not, to the sender, is a 404."""

    async def export(request: Request) -> Response:
        port = parts.context(viewer_of(request)).cases
        try:
            document = await run_in_threadpool(port.export, request.path_params["case"])
        except CaseUnknownError:
            return refused(404, "CASE_NOT_FOUND", "There is no such case.")
        return Response(canonical(dict(document)) + b"\n", media_type="application/json", headers=_HEADERS)

    return [Route("/cases/{case}/export", export)]
