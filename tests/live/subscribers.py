"""Follows games the way a client does: over real sockets, against the application on a real server."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self

import httpx
import uvicorn
from starlette.types import ASGIApp
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from service.api import address, bound

#: What a test waits for that fails if it does not come.
PATIENCE = 60.0

EVENTS = """
subscription ($game: String!, $after: String) {
  gameEvents(game: $game, after: $after) {
    __typename
    ... on GameEvent { cursor event { seq type seat isFull body } }
    ... on Problem { code message }
  }
}
"""
FINDINGS_OF = """
subscription ($game: String!) {
  gameFindings(game: $game) {
    __typename
    ... on GameFinding { game uptoSeq finding { seq clause code } }
    ... on Problem { code message }
  }
}
"""
FINDINGS = """
subscription ($after: String, $clause: String, $severity: Severity) {
  findings(after: $after, clause: $clause, severity: $severity) {
    __typename
    ... on NewFinding { cursor game finding { seq clause code message } }
    ... on Problem { code message }
  }
}
"""

CHANGES = """
subscription ($case: String, $after: String) {
  caseChanges(case: $case, after: $after) {
    __typename
    ... on CaseChange { cursor case event { seq type principal text } }
    ... on Problem { code message }
  }
}
"""


class _Server(uvicorn.Server):
    def install_signal_handlers(self) -> None:
        """Signals are the tests' own."""


@contextmanager
def served(app: ASGIApp, send_buffer: int | None = None) -> Iterator[str]:
    """The application on a server of its own in this process; its address. ``send_buffer`` bounds the kernel's."""
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, lifespan="off", ws="websockets-sansio", timeout_graceful_shutdown=2
    )
    server = _Server(config)
    with bound("127.0.0.1", 0) as listener:
        if send_buffer is not None:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            yield address(listener)
        finally:
            server.should_exit = True
            thread.join()


class ClosedError(Exception):
    """The server has ended the connection."""

    def __init__(self, code: int | None, reason: str) -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason


class Link:
    """A WebSocket as a client of graphql-transport-ws uses it."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self._kept: list[dict[str, Any]] = []
        self._next = 0

    @classmethod
    @contextmanager
    def raw(cls, base: str, **arguments: Any) -> Iterator[Self]:
        """A connection on which nothing was said yet."""
        url = base.replace("http:", "ws:") + "/graphql"
        given = {"subprotocols": ["graphql-transport-ws"], "proxy": None, "max_size": None} | arguments
        with connect(url, **given) as connection:
            yield cls(connection)

    @classmethod
    @contextmanager
    def opened(cls, base: str, key: str, **arguments: Any) -> Iterator[Self]:
        """A connection that was let in by a key in its payload."""
        with cls.raw(base, **arguments) as link:
            link.say({"type": "connection_init", "payload": {"authorization": f"Bearer {key}"}})
            assert link.hear() == {"type": "connection_ack"}
            yield link

    def say(self, message: object) -> None:
        """Sends a message; text goes as it is."""
        self.connection.send(message if isinstance(message, str) else json.dumps(message))

    def hear(self, seconds: float = PATIENCE) -> dict[str, Any]:
        """The next message. Raises ``ClosedError``, ``TimeoutError``."""
        try:
            text = self.connection.recv(timeout=seconds)
        except ConnectionClosed as closed:
            received = closed.rcvd
            raise ClosedError(
                None if received is None else received.code, "" if received is None else received.reason
            ) from None
        message: dict[str, Any] = json.loads(text)
        return message

    def closed(self) -> tuple[int | None, str]:
        """Reads to the end: code and reason with which the server closes."""
        try:
            while True:
                self.hear()
        except ClosedError as closed:
            return closed.code, closed.reason

    def subscribe(self, query: str, **variables: Any) -> str:
        """Begins a subscription; its id."""
        self._next += 1
        name = str(self._next)
        self.say({"id": name, "type": "subscribe", "payload": {"query": query, "variables": variables}})
        return name

    def next(self, name: str, seconds: float = PATIENCE) -> dict[str, Any]:
        """The next message of one subscription; those of others are kept for their own."""
        for place, message in enumerate(self._kept):
            if message.get("id") == name:
                return self._kept.pop(place)
        while True:
            message = self.hear(seconds)
            if message.get("id") == name:
                return message
            self._kept.append(message)

    def data(self, name: str, seconds: float = PATIENCE) -> dict[str, Any]:
        """The result of the next message of a subscription, which must be one without errors."""
        message = self.next(name, seconds)
        assert message["type"] == "next", message
        assert "errors" not in message["payload"], message
        (found,) = message["payload"]["data"].values()
        assert isinstance(found, dict)
        return found


@contextmanager
def streamed(base: str, headers: Mapping[str, str], query: str, **variables: Any) -> Iterator[httpx.Response]:
    """A subscription by server-sent events."""
    accepted = {"accept": "text/event-stream", **headers}
    body = {"query": query, "variables": variables}
    with (
        httpx.Client(trust_env=False, timeout=PATIENCE) as client,
        client.stream("POST", f"{base}/graphql/stream", json=body, headers=accepted) as answer,
    ):
        yield answer


def events_in(answer: httpx.Response) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """Names and data of server-sent events."""
    name = ""
    for line in answer.iter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data:"):
            text = line.removeprefix("data:").strip()
            yield name, json.loads(text) if text else None
