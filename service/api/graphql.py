"""The GraphQL endpoint: Strawberry's view, every operation in a worker thread, for the store is synchronous."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from cross_web import AsyncHTTPRequestAdapter, HTTPException
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.websockets import WebSocket
from strawberry.asgi import GraphQL
from strawberry.exceptions import MissingQueryError
from strawberry.http import GraphQLRequestData
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.types import ExecutionResult
from strawberry.types.graphql import OperationType

from schema.graphql import Context, schema
from service.api.authentication import viewer_of
from service.api.parts import Parts

_ALLOWED = frozenset({OperationType.QUERY, OperationType.MUTATION})


class Endpoint(GraphQL[Context, None]):
    """POST only: a GET could be sent by any page that a browser shows, and would stand in histories and logs."""

    def __init__(self, parts: Parts) -> None:
        # No editor in the browser: the ones there are load their code from a public server.
        super().__init__(schema, graphql_ide=None, allow_queries_via_get=False, subscription_protocols=())
        self._parts = parts

    async def get_context(self, request: Request | WebSocket, response: Response | WebSocket) -> Context:
        """The service's ports as the sender of the request may use them."""
        return self._parts.context(viewer_of(request))

    async def execute_single(
        self,
        request: Request,
        request_adapter: AsyncHTTPRequestAdapter,
        sub_response: Response,
        context: Context,
        root_value: None,
        request_data: GraphQLRequestData,
    ) -> ExecutionResult:
        """One operation in a worker thread; ``HTTPException`` 400 where there is none to run."""
        try:
            return await run_in_threadpool(
                schema.execute_sync,
                request_data.query,
                variable_values=request_data.variables,
                context_value=context,
                operation_name=request_data.operation_name,
                allowed_operation_types=_ALLOWED if request_adapter.method == "POST" else (),
            )
        except CannotGetOperationTypeError as error:
            raise HTTPException(400, error.as_http_error_reason()) from error
        except InvalidOperationTypeError as error:
            raise HTTPException(400, error.as_http_error_reason(request_adapter.method)) from error
        except MissingQueryError as error:
            raise HTTPException(400, "No GraphQL query found in the request") from error

    def parse_json(self, data: str | bytes) -> Any:
        """A request's body; ``HTTPException`` 400 where it is no JSON object, nor a list of them."""
        try:
            parsed = super().parse_json(data)
        except (ValueError, RecursionError) as error:
            raise HTTPException(400, "Unable to parse request body as JSON") from error
        if not isinstance(parsed, dict | list):
            raise HTTPException(400, "A request is a JSON object")
        return parsed

    def encode_json(self, data: object) -> bytes:
        """The answer as JSON; half of a surrogate pair, which a client may have sent, goes back as an escape."""
        try:
            return msgspec.json.encode(data)
        except UnicodeEncodeError:
            return json.dumps(data, separators=(",", ":")).encode()
