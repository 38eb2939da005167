"""A limit on the size of what is sent to us, enforced while it comes in."""

from __future__ import annotations

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Bytes of a request's body: a thousand events fit in several times over.
BODY_LIMIT = 4 * 1024 * 1024


class _TooLargeError(Exception):
    pass


class BodyLimit:
    """Answers 413 to a request whose body is larger than ``limit`` bytes, announced or not."""

    def __init__(self, app: ASGIApp, limit: int = BODY_LIMIT) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
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
            response = PlainTextResponse(f"A request has at most {self._limit} bytes.\n", 413, {"connection": "close"})
            await response(scope, receive, send)


def _announced(scope: Scope) -> int:
    values = [value for name, value in scope["headers"] if name == b"content-length"]
    return int(values[0]) if values and values[0].isdigit() else 0
