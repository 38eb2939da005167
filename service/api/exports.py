"""``GET /exports/{job}``: the file of a large export, whole or in ranges, for whoever asked for it."""

from __future__ import annotations

from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route

from schema.ports import AccessError
from schema.ports.jobs import JobUnknownError
from service.api.answers import no_access, refused, unavailable
from service.api.authentication import viewer_of
from service.api.bulk import request_id
from service.api.parts import Parts
from service.store.errors import StoreError
from service.store.jobs import DONE, Job
from service.store.owners import HiddenRead, note_read
from service.usecases.jobs import SUFFIX, StoredExports, path_of


def export_routes(parts: Parts, folder: Path) -> list[BaseRoute]:
    """The route over the files in ``folder``."""

    async def fetch(request: Request) -> Response:
        return await run_in_threadpool(_fetch, parts, folder, request)

    return [Route("/exports/{job}", fetch)]


def _fetch(parts: Parts, folder: Path, request: Request) -> Response:
    viewer = viewer_of(request)
    try:
        job = StoredExports(parts.store, viewer).own(request.path_params["job"])
        if job.state == DONE and job.principal != viewer.principal and viewer.principal is not None:
            note_read(parts.store, _reading(job, viewer.principal, viewer.key, request_id(request)))
    except AccessError as error:
        return no_access(error)
    except JobUnknownError:
        return refused(404, "JOB_NOT_FOUND", "There is no such export.")
    except StoreError:
        return unavailable()
    if job.state != DONE:
        return refused(409, "NOT_DONE", f"The export is {job.state}.", state=job.state)
    path = path_of(folder, job.job)
    if not path.is_file():
        return refused(503, "ELSEWHERE", "The file is not here: MINGPAI_EXPORTS must be one folder for all processes.")
    headers = {"cache-control": "private, no-store"}
    return FileResponse(path, media_type="application/zstd", filename=f"export{SUFFIX}", headers=headers)


def _reading(job: Job, principal: str, key: str | None, request: str | None) -> HiddenRead:
    """An admin who fetches what another may see reads it too."""
    return HiddenRead(principal, key, request, f"export {job.job}", None, None, None)
