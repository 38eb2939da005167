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
    content = msgspec.json.encode({"errors": [{"message": message, "extensions": {"code": code.value}}]})
    return Response(content, status, headers, media_type)
