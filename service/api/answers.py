"""Refusals of the routes beside GraphQL, in the form of its errors: a message, a stable code, and what else helps."""

from __future__ import annotations

from starlette.responses import Response

from schema.ports import AccessError, UnauthenticatedError
from service.api.ndjson import line_of
from service.api.refusals import JSON, told


def refused(status: int, code: str, message: str, **more: object) -> Response:
    """An answer that says why there is none; ``more`` goes beside the code."""
    headers = {"retry-after": str(more["retry_after"])} if "retry_after" in more else {}
    headers |= {"www-authenticate": "Bearer"} if status == 401 else {}
    return Response(line_of(told(message, code, **more)), status, headers, JSON)


def no_access(error: AccessError) -> Response:
    """401 where a key is needed, 403 where another is."""
    if isinstance(error, UnauthenticatedError):
        return refused(401, "UNAUTHENTICATED", str(error))
    return refused(403, "FORBIDDEN", str(error))


def bad_argument(argument: str, message: str) -> Response:
    """400: a value outside its range."""
    return refused(400, "BAD_ARGUMENT", message, argument=argument)


def unavailable() -> Response:
    """503: the store does not answer."""
    return refused(503, "UNAVAILABLE", "The store does not answer.", retry_after=5)


def busy(seconds: int) -> Response:
    """503: as much is under way as may be."""
    return refused(503, "BUSY", "Too much of this is under way; try again later.", retry_after=seconds)
