"""Answers that refuse a request before anything of it is done: GraphQL's form of an error, whatever was asked."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from starlette.responses import Response

from schema.graphql.limits import Code

JSON = "application/json"


def refusal(
    status: int, code: Code, message: str, *, media_type: str = JSON, headers: Mapping[str, str] | None = None
) -> Response:
    """One error with its code."""
    return Response(msgspec.json.encode(told(message, code.value)), status, headers, media_type)


def told(message: str, code: str, **more: object) -> dict[str, object]:
    """The body of a refusal, whatever the route; ``more`` goes beside the code."""
    return {"errors": [{"message": message, "extensions": {"code": code, **more}}]}
