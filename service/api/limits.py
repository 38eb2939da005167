"""The limits of the API together, and the one on the size of what is sent to us, enforced while it comes in."""

from __future__ import annotations

from typing import NamedTuple

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from schema.graphql.limits import Code, Limits
from schema.graphql.operations import Operations
from service.api.documents import load_documents
from service.api.graphql import Introspection, Policy
from service.api.rate import KEY_RATE, PUBLIC_RATE
from service.api.refusals import refusal
from service.settings import Settings

#: Bytes of a request's body: a thousand events fit in several times over.
BODY_LIMIT = 4 * 1024 * 1024
#: Routes that read their bodies piece by piece, with limits of their own.
STREAMED = frozenset({"/ingest", "/audit"})


class RequestLimits(NamedTuple):
    """What one request and one sender may ask for. All of it is on unless an operator says otherwise."""

    policy: Policy = Policy()
    body: int = BODY_LIMIT  #: bytes of a request
    key_rate: int = KEY_RATE  #: points a second of a key
    public_rate: int = PUBLIC_RATE  #: points a second of an address without one


def limits_of(settings: Settings) -> RequestLimits:
    """The limits that the settings ask for. Raises ``DocumentsError`` for trusted documents that cannot be used."""
    bounds = Limits(settings.max_depth, settings.max_aliases, settings.max_tokens, settings.max_cost)
    operations = Operations(bounds)
    documents = None if settings.documents is None else load_documents(settings.documents, operations)
    policy = Policy(operations, documents, Introspection(settings.introspection), settings.request_seconds)
    return RequestLimits(policy, settings.max_body, settings.key_rate, settings.public_rate)


class _TooLargeError(Exception):
    pass


class BodyLimit:
    """Answers 413 to a request whose body is larger than ``limit`` bytes, announced or not."""

    def __init__(self, app: ASGIApp, limit: int = BODY_LIMIT) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in STREAMED:
            await self._app(scope, receive, send)
            return
        left = self._limit

        async def counted() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise _TooLargeError
            return message

        try:
            if _announced(scope) > self._limit:
                raise _TooLargeError
            await self._app(scope, counted, send)
        except _TooLargeError:
            message = f"A request has at most {self._limit} bytes."
            response = refusal(413, Code.BODY_TOO_LARGE, message, headers={"connection": "close"})
            await response(scope, receive, send)


def _announced(scope: Scope) -> int:
    values = [value for name, value in scope["headers"] if name == b"content-length"]
    return int(values[0]) if values and values[0].isdigit() else 0
