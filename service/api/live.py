"""Subscriptions: graphql-transport-ws at ``/graphql``, and server-sent events at ``POST /graphql/stream`` (graphql-sse,
distinct connections).

Both run subscriptions only. A connection is let in by its credentials, which are looked at again while it lasts; it is
capped, and it ends when its client does not read: what is sent is read from the store as fast as the client takes it.

Codes with which a WebSocket is closed, beside those of the protocol: 4401 no credentials, 4403 credentials that are not
good, 4410 a client that does not read, 4413 a message that is too large, 4429 too many connections; and 1013 where the
store does not answer.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from threading import Event
from typing import Any, cast

from cross_web import AsyncHTTPRequestAdapter, HTTPException
from graphql import GraphQLError, OperationType
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect
from strawberry.asgi import ASGIWebSocketAdapter, GraphQL
from strawberry.http import GraphQLRequestData
from strawberry.http.exceptions import NonTextMessageReceived, WebSocketDisconnected
from strawberry.subscriptions import GRAPHQL_SSE_PROTOCOL, GRAPHQL_TRANSPORT_WS_PROTOCOL
from strawberry.subscriptions.protocols.graphql_transport_ws import types as protocol
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import BaseGraphQLTransportWSHandler
from strawberry.types import ExecutionResult, SubscriptionExecutionResult
from strawberry.types.execution import PreExecutionError

from schema.graphql import Context, schema
from schema.graphql.limits import Code, coded
from schema.graphql.operations import RefusedError
from schema.ports import UnauthenticatedError, Viewer
from service.api.authentication import CSRF_HEADER, Authenticate, CredentialsError, Recall, viewer_of
from service.api.documents import bare
from service.api.graphql import Policy
from service.api.parts import Parts
from service.api.rate import GUESS_COST, PUBLIC_RATE, Buckets, address_of
from service.api.refusals import refusal
from service.live.hub import INTERVAL, Hub
from service.live.stored import StoredLive
from service.store.errors import StoreError

_LOG = logging.getLogger("mingpai.live")

#: "Try again later", as the WebSocket registry has it.
UNAVAILABLE = 1013
UNAUTHENTICATED, FORBIDDEN, TOO_SLOW, TOO_LARGE, TOO_MANY = 4401, 4403, 4410, 4413, 4429
_ONLY = frozenset({OperationType.SUBSCRIPTION})
_PACE = 0.02  #: seconds between two subscriptions of a connection, at least
_LONGEST = 20_000  #: characters of credentials; what is longer is none
_LONGEST_REASON = 123  #: bytes that a frame has for it (RFC 6455, 5.5)
_RETRY_SECONDS = "5"


@dataclass(frozen=True, slots=True)
class SubscriptionLimits:
    """How many may follow, and how patient the service is: connections of a process and of a key (or session), a
    connection's subscriptions, bytes of a message from the client; seconds to wait for the credentials, for a client
    to take what it is sent, and then for it to take the farewell; seconds between signs of life to those who wait for
    server-sent events, and between two looks for news; points a second of an address whose credentials are refused."""

    connections: int = 500
    connections_of_key: int = 20
    subscriptions: int = 20
    message_bytes: int = 64 * 1024
    init_seconds: float = 10.0
    send_seconds: float = 20.0
    farewell_seconds: float = 60.0
    heartbeat_seconds: float = 15.0
    look_seconds: float = INTERVAL
    guess_rate: int = PUBLIC_RATE


class _SlowError(Exception):
    """A client that does not take what it is sent."""


class Slots:
    """Counts the connections of a process, and of each key. For one event loop."""

    def __init__(self, limits: SubscriptionLimits) -> None:
        self._limits = limits
        self._of_key: Counter[str] = Counter()
        self.open = 0

    def enter(self) -> bool:
        """Takes a place in the process, if there is one."""
        if self.open >= self._limits.connections:
            return False
        self.open += 1
        return True

    def leave(self) -> None:
        """Gives it back."""
        self.open -= 1

    def take(self, key: str) -> bool:
        """Takes one of a key's places, if there is one."""
        if self._of_key[key] >= self._limits.connections_of_key:
            return False
        self._of_key[key] += 1
        return True

    def give_back(self, key: str) -> None:
        """Gives it back."""
        self._of_key[key] -= 1
        if not self._of_key[key]:
            del self._of_key[key]


def live_routes(
    parts: Parts,
    authenticate: Authenticate,
    recall: Recall | None,
    draining: Event,
    policy: Policy,
    limits: SubscriptionLimits,
) -> list[BaseRoute]:
    """The routes of subscriptions, which end once ``draining`` is set; ``policy`` is that of all GraphQL documents."""
    hub = Hub(parts.store, draining, interval=limits.look_seconds)
    gate = _Gate(parts, hub, authenticate, recall, policy, Slots(limits), limits.guess_rate)
    return [
        WebSocketRoute("/graphql", _Sockets(gate, limits)),
        Route("/graphql/stream", _Streams(gate, limits), methods=["POST"]),
    ]


class _Gate:
    """Lets connections in: finds who they are of, and runs their subscriptions with what these may use."""

    def __init__(
        self,
        parts: Parts,
        hub: Hub,
        authenticate: Authenticate,
        recall: Recall | None,
        policy: Policy,
        slots: Slots,
        guess_rate: int,
    ) -> None:
        self._parts = parts
        self._hub = hub
        self._authenticate = authenticate
        self._recall = recall
        self._policy = policy
        self.slots = slots
        #: As for requests: an address whose credentials are refused too often is turned away for a while.
        self.guesses = Buckets(guess_rate)

    async def viewer(self, connection: HTTPConnection) -> Viewer:
        """Who a connection is of. Raises ``CredentialsError``, ``StoreError``."""
        known = None if self._recall is None else self._recall(connection)
        return known if known is not None else await run_in_threadpool(self._authenticate, connection)

    def context(self, connection: HTTPConnection, viewer: Viewer) -> Context:
        """What the subscriptions of a connection find in their context."""

        async def recheck() -> Viewer:
            try:
                return await self.viewer(connection)
            except CredentialsError as error:
                raise UnauthenticatedError(str(error)) from None

        request = connection.scope["state"].get("request")
        context = self._parts.context(viewer, request)
        live = StoredLive(self._parts.store, self._hub, context.library, context.cases, viewer, recheck, request)
        return replace(context, live=live)

    def text(self, payload: Mapping[str, Any]) -> str:
        """The document that is asked for, by its text or by the id of a trusted one. Raises ``RefusedError``."""
        documents, document = self._policy.documents, payload.get("documentId")
        if isinstance(document, str):
            found = (documents or {}).get(bare(document))
            if found is None:
                raise RefusedError(coded(Code.DOCUMENT_UNKNOWN, "No document has this id."))
            return found
        if documents is not None:
            message = "Only known documents are executed: send documentId."
            raise RefusedError(coded(Code.DOCUMENT_REQUIRED, message))
        query = payload.get("query")
        if not isinstance(query, str) or not query:
            raise RefusedError(coded(Code.BAD_REQUEST, "The request has no query."))
        return query

    async def stream(
        self, text: str | None, variables: dict[str, Any] | None, name: str | None, context: Context
    ) -> AsyncGenerator[Any, None]:
        """Runs a subscription within the limits of every operation; a refusal is the one result of one that is none."""
        may_introspect = self._policy.may_introspect(context.viewer)
        try:
            self._policy.operations.ask(text or "", variables or {}, name, may_introspect=may_introspect, kinds=_ONLY)
        except RefusedError as error:
            return _refused(error.errors)
        return await schema.stream(text, variable_values=variables, context_value=context, operation_name=name)


async def _refused(errors: Sequence[GraphQLError]) -> AsyncGenerator[Any, None]:
    yield PreExecutionError(data=None, errors=list(errors))


def _key_of(viewer: Viewer) -> str:
    """What a viewer's connections are counted by."""
    return viewer.key or viewer.principal or ""


class _View(GraphQL[Context, None]):
    """What both ways have in common: subscriptions only, in text."""

    def __init__(self, gate: _Gate, limits: SubscriptionLimits, protocols: tuple[str, ...]) -> None:
        super().__init__(
            schema,
            graphql_ide=None,
            allow_queries_via_get=False,
            subscription_protocols=protocols,
            connection_init_wait_timeout=timedelta(seconds=limits.init_seconds),
            max_subscriptions_per_connection=limits.subscriptions,
        )
        self.gate = gate
        self.limits = limits

    def encode_json(self, data: object) -> str:
        """Plain ASCII: halves of surrogate pairs, which a client may have sent, go back as escapes."""
        return json.dumps(data, separators=(",", ":"))


# WebSockets


class _Socket(ASGIWebSocketAdapter):
    """Takes text of a bounded size, and waits for its client only so long."""

    view: _Sockets  # type: ignore[assignment]  # the one that made it
    #: Set once the client is to hear nothing but why it was ended.
    is_ended = False

    async def iter_json(self, *, ignore_parsing_errors: bool = False) -> AsyncGenerator[object, None]:
        try:
            while True:
                text = await self.ws.receive_text()
                if len(text) > self.view.limits.message_bytes:
                    await self.close(TOO_LARGE, f"A message has at most {self.view.limits.message_bytes} bytes")
                    return
                yield _parsed(text)
        except KeyError as error:
            raise NonTextMessageReceived from error
        except WebSocketDisconnect:
            return

    async def send_json(self, message: Mapping[str, object]) -> None:
        if self.is_ended:
            raise WebSocketDisconnected
        try:
            async with asyncio.timeout(self.view.limits.send_seconds):
                await super().send_json(message)
        except TimeoutError:
            self.is_ended = True
            raise _SlowError from None
        except RuntimeError as error:  # what Starlette says of a socket that has been closed meanwhile
            raise WebSocketDisconnected from error

    async def close(self, code: int, reason: str) -> None:
        try:
            async with asyncio.timeout(self.view.limits.farewell_seconds):
                await super().close(code, reason.encode()[:_LONGEST_REASON].decode(errors="ignore"))
        except (TimeoutError, RuntimeError, WebSocketDisconnect):
            return  # it is gone, or will not listen


class _Handler(BaseGraphQLTransportWSHandler[Context, None]):
    """One connection by the protocol, with what the service asks beside it."""

    view: _Sockets
    websocket: _Socket

    def __init__(self, *arguments: Any, **others: Any) -> None:
        super().__init__(*arguments, **others)
        self.schema = cast(Any, _SubscriptionsOnly(self.view.gate))
        self._key: str | None = None
        self._task: asyncio.Task[Any] | None = None
        self._farewell: asyncio.Task[None] | None = None

    async def handle(self) -> None:
        """The connection, from its acceptance to its end."""
        self._task = asyncio.current_task()
        try:
            await super().handle()
        except asyncio.CancelledError:
            if self._farewell is None:
                raise
        except _SlowError:
            await self._end_slow()
        finally:
            if self._key is not None:
                self.view.gate.slots.give_back(self._key)

    async def handle_message(self, message: Any) -> None:
        """A message of the client; one of another shape than the protocol's ends the connection."""
        if not _is_message(message):
            await self.handle_invalid_message("Failed to parse message")
            return
        if message["type"] == "subscribe" and self.connection_acknowledged:
            try:
                message["payload"]["query"] = self.view.gate.text(message["payload"])
            except RefusedError as error:
                await self._refuse(message["id"], error)
                return
            # Who subscribes without end is slowed down: the next message is read after this.
            await asyncio.sleep(_PACE)
        await super().handle_message(message)

    async def _refuse(self, operation: str, error: RefusedError) -> None:
        payload = [one.formatted for one in error.errors]
        await self.send_message({"id": operation, "type": "error", "payload": payload})

    @staticmethod
    def _get_pre_execution_close_reason(error: GraphQLError) -> str | None:
        """A document that is wrong is no reason to end the others."""
        return None

    async def handle_connection_init(self, message: protocol.ConnectionInitMessage) -> None:
        """Lets the connection in, by the credentials in the payload or those that came with the handshake."""
        payload: object = message.get("payload") or {}
        message["payload"] = cast(Any, payload)
        if isinstance(payload, dict) and not self.connection_init_received and not self.connection_timed_out:
            refusal = await self._admit(payload)
            if refusal is not None:
                await self.websocket.close(*refusal)
                return
        await super().handle_connection_init(message)

    async def _admit(self, payload: Mapping[str, object]) -> tuple[int, str] | None:
        """Finds the viewer and takes a place; else the code and the reason for closing."""
        connection = _with_credentials(self.websocket.ws.scope, payload)
        if connection is None:
            return FORBIDDEN, "Forbidden"
        guesses, address = self.view.gate.guesses, address_of(connection)
        if guesses.peek(address, GUESS_COST).wait:
            return TOO_MANY, "Too many refusals"
        try:
            viewer = await self.view.gate.viewer(connection)
        except CredentialsError:
            guesses.take(address, GUESS_COST)
            return FORBIDDEN, "Forbidden"
        except StoreError as error:
            _LOG.warning("nobody can be let in, the store does not answer: %s", error)
            return UNAVAILABLE, "The store does not answer"
        if viewer.principal is None:
            return UNAUTHENTICATED, "Unauthorized"
        key = _key_of(viewer)
        if not self.view.gate.slots.take(key):
            return TOO_MANY, "Too many connections of this key"
        self._key = key
        self.websocket.ws.scope["state"]["viewer"] = viewer
        self.context = self.view.gate.context(connection, viewer)
        return None

    async def handle_task_exception(self, error: Exception) -> None:
        """What ends a subscription beside its own end: mostly that its client is gone, or does not read."""
        if isinstance(error, _SlowError):
            if self._farewell is None:
                self._farewell = asyncio.create_task(self._end_slow())
        elif not isinstance(error, WebSocketDisconnected):
            await super().handle_task_exception(error)

    async def _end_slow(self) -> None:
        """Ends a connection whose client does not read: it learns why if it reads again before long."""
        _LOG.info("a subscriber does not read, and is ended")
        for operation in list(self.operations):
            await self.cleanup_operation(operation)
        await self.websocket.close(TOO_SLOW, "Too slow: subscribe again with the last cursor")
        if self._task is not None and self._task is not asyncio.current_task():
            self._task.cancel()


class _SubscriptionsOnly:
    """The schema as a socket may use it: what is asked once goes by POST, where it is limited and measured."""

    def __init__(self, gate: _Gate) -> None:
        self._gate = gate

    async def stream(
        self,
        query: str,
        *,
        variable_values: dict[str, Any] | None,
        context_value: Context,
        operation_name: str | None,
        root_value: object = None,
    ) -> Any:
        """Runs a subscription, as ``Schema.stream`` would."""
        return await self._gate.stream(query, variable_values, operation_name, context_value)


class _Sockets(_View):
    """graphql-transport-ws. A page of another site is refused, whatever it sends along: Strawberry compares ``Origin``
    with ``Host``."""

    graphql_transport_ws_handler_class = _Handler
    websocket_adapter_class = cast(Any, _Socket)

    def __init__(self, gate: _Gate, limits: SubscriptionLimits) -> None:
        super().__init__(gate, limits, (GRAPHQL_TRANSPORT_WS_PROTOCOL,))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self.gate.slots.enter():
            socket = WebSocket(scope, receive, send)
            await socket.accept(subprotocol=GRAPHQL_TRANSPORT_WS_PROTOCOL)
            await socket.close(TOO_MANY, "Too many connections")
            return
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.gate.slots.leave()

    async def get_context(self, request: Request | WebSocket, response: Response | WebSocket) -> Context:
        """What is there before the client has said who it is: nothing runs with it."""
        return cast(Context, None)


def _parsed(text: str) -> object:
    """A message, ``None`` for a text that is none: the handler refuses it."""
    try:
        return cast(object, json.loads(text))
    except (ValueError, RecursionError):
        return None


def _is_message(message: object) -> bool:
    """Whether a message has the protocol's shape, as far as Strawberry relies on it."""
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        return False
    if message["type"] in ("subscribe", "complete") and not isinstance(message.get("id"), str):
        return False
    if message["type"] != "subscribe":
        return True
    payload = message.get("payload")
    if not isinstance(payload, dict):
        return False
    return isinstance(payload.get("variables"), dict | None) and isinstance(payload.get("operationName"), str | None)


def _with_credentials(scope: Scope, payload: Mapping[str, object]) -> HTTPConnection | None:
    """The handshake as if it were a POST with the payload's ``authorization`` and ``csrfToken`` in its headers: so it
    is let in, or not, exactly as a request is. ``None`` where these are no credentials at all."""
    headers = [(name, value) for name, value in scope["headers"] if name != CSRF_HEADER.encode()]
    for member, header in (("authorization", "authorization"), ("csrfToken", CSRF_HEADER)):
        given = payload.get(member)
        if given is None:
            continue
        if not isinstance(given, str) or len(given) > _LONGEST or not given.isascii() or not given.isprintable():
            return None
        headers = [(name, value) for name, value in headers if name != header.encode()]
        headers.append((header.encode(), given.encode()))
    return HTTPConnection({**scope, "type": "http", "method": "POST", "headers": headers})


# Server-sent events


class _Streams(_View):
    """graphql-sse, distinct connections: one subscription a request, which ends with it."""

    def __init__(self, gate: _Gate, limits: SubscriptionLimits) -> None:
        super().__init__(gate, limits, (GRAPHQL_SSE_PROTOCOL,))
        for transport in self._stream_transport_map.values():
            transport.heartbeat_interval = limits.heartbeat_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        viewer, slots = viewer_of(HTTPConnection(scope)), self.gate.slots
        refused = self._refusal(viewer, Headers(scope=scope))
        if refused is not None:
            await refused(scope, receive, send)
            return
        key = _key_of(viewer)
        try:
            await super().__call__(scope, receive, self._patient(send))
        except _SlowError:
            _LOG.info("a subscriber does not read, and is ended")
        finally:
            slots.give_back(key)
            slots.leave()

    def _refusal(self, viewer: Viewer, headers: Headers) -> Response | None:
        """Why a request gets no stream; where it gets one it has its places."""
        if viewer.principal is None:
            return refusal(
                401, Code.UNAUTHENTICATED, "A subscription needs a key.", headers={"www-authenticate": "Bearer"}
            )
        if self._get_stream_transport_from_headers(headers) is None:
            return refusal(406, Code.BAD_REQUEST, "Subscriptions are sent as text/event-stream.")
        slots = self.gate.slots
        if not slots.enter():
            return refusal(503, Code.RATE_LIMITED, "Too many connections.", headers={"retry-after": _RETRY_SECONDS})
        if not slots.take(_key_of(viewer)):
            slots.leave()
            return refusal(
                429, Code.RATE_LIMITED, "Too many connections of this key.", headers={"retry-after": _RETRY_SECONDS}
            )
        return None

    def _patient(self, send: Send) -> Send:
        async def patient(message: Message) -> None:
            try:
                async with asyncio.timeout(self.limits.send_seconds):
                    await send(message)
            except TimeoutError:
                raise _SlowError from None

        return patient

    async def get_context(self, request: Request | WebSocket, response: Response | WebSocket) -> Context:
        """The ports as the sender of the request may use them, as long as it may."""
        return self.gate.context(request, viewer_of(request))

    def parse_json(self, data: str | bytes) -> Any:
        """A request's body; ``HTTPException`` 400 where it is no JSON object."""
        try:
            parsed = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise HTTPException(400, "Unable to parse request body as JSON") from error
        if not isinstance(parsed, dict):
            raise HTTPException(400, "A request is a JSON object")
        try:
            return {**parsed, "query": self.gate.text(parsed)}
        except RefusedError as error:
            raise HTTPException(400, str(error)) from None

    async def execute_operation(
        self,
        request: Request,
        request_adapter: AsyncHTTPRequestAdapter,
        request_data: GraphQLRequestData | list[GraphQLRequestData],
        context: Context,
        root_value: None,
        sub_response: Response,
    ) -> ExecutionResult | list[ExecutionResult] | SubscriptionExecutionResult:
        """The subscription of a request."""
        assert isinstance(request_data, GraphQLRequestData)  # a list is no JSON object
        streamed = await self.gate.stream(
            request_data.query, request_data.variables, request_data.operation_name, context
        )
        return cast(SubscriptionExecutionResult, streamed)
