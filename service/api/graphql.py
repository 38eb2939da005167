"""``POST /graphql``: GraphQL over HTTP, every operation in a worker thread, for the store is synchronous.

POST only: a GET could be sent by any page that a browser shows, and would stand in histories and logs. JSON only: a
form of another site can send every other type without asking first. No answer names another origin (CORS).
"""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from enum import Enum
from typing import Annotated, Any, NamedTuple, NoReturn

import msgspec
from graphql import GraphQLError
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from schema.graphql.limits import Code
from schema.graphql.operations import Operations, RefusedError
from schema.ports import Role, Viewer
from service.api.authentication import viewer_of
from service.api.documents import bare
from service.api.parts import Parts
from service.api.rate import Account, limited
from service.api.refusals import JSON, refusal
from service.client.calls import DOCUMENTS as CLIENT_DOCUMENTS
from service.store.deadlines import Deadline
from service.web.assets import documents as page_documents

GRAPHQL = "application/graphql-response+json"
#: Seconds that a request may take.
REQUEST_SECONDS = 10
#: Points of a request whose document is refused: somebody had to read it.
REFUSED_COST = 50

_WORKERS = 40
_PACKED_FROM = 2048  #: bytes of an answer to a page that is packed
_LEVEL = 5  #: of gzip: a hand of 100 KB takes 2 ms, and 8 KB are left


class Introspection(Enum):
    """Who may ask for the schema."""

    STAFF = "staff"  #: staff and game servers
    EVERYBODY = "everybody"
    NOBODY = "nobody"


class Policy(NamedTuple):
    """How the endpoint deals with requests. Where there are ``documents``, by id, no other one is executed, whoever
    sends it."""

    operations: Operations = Operations()
    documents: Mapping[str, str] | None = None
    introspection: Introspection = Introspection.STAFF
    seconds: float = REQUEST_SECONDS

    def may_introspect(self, viewer: Viewer) -> bool:
        """Whether a viewer may ask for the schema, and is told what a wrong name may have meant."""
        if self.introspection is Introspection.STAFF:
            return viewer.is_staff or viewer.has(Role.SERVER)
        return self.introspection is Introspection.EVERYBODY


class _Body(msgspec.Struct, rename="camel"):
    """A request as it is sent. Members that nobody knows are passed over, as the specification asks."""

    query: str | None = None
    operation_name: str | None = None
    variables: dict[str, Any] | None = None
    extensions: dict[str, Any] | None = None
    document_id: Annotated[str, Meta(max_length=80)] | None = None


class Endpoint:
    """The ASGI application of the route."""

    def __init__(self, parts: Parts, policy: Policy = Policy()) -> None:  # noqa: B008  (a value, never changed)
        self._parts = parts
        self._policy = policy
        self._workers = ThreadPoolExecutor(_WORKERS, "graphql")
        self._cancellers = ThreadPoolExecutor(1, "cancel")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        await (await self._response(request))(scope, receive, send)

    async def _response(self, request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
            return refusal(415, Code.BAD_REQUEST, f"A request is {JSON}.")
        media_type = _accepted(request.headers.get("accept"))
        if media_type is None:
            return refusal(406, Code.BAD_REQUEST, f"An answer is {JSON} or {GRAPHQL}.")
        packs = "gzip" in request.headers.get("accept-encoding", "")
        call = _Call(self._parts, self._policy, await request.body(), request.scope["state"], media_type, packs)
        return await self._in_time(call, viewer_of(request))

    async def _in_time(self, call: _Call, viewer: Viewer) -> Response:
        """The answer in a worker thread; 504 once its time is over, and what it asked of the database is cancelled."""
        loop = asyncio.get_running_loop()
        deadline = Deadline()
        work = loop.run_in_executor(self._workers, copy_context().run, call.answer, viewer, deadline)
        timer = loop.call_later(self._policy.seconds, _expire, work, deadline)
        try:
            return await work
        except asyncio.CancelledError:
            if not deadline.is_over:
                raise  # it is the request that is cancelled, not its work
            loop.run_in_executor(self._cancellers, deadline.expire)
            message = (
                f"The request took more than {self._policy.seconds:g} s and was given up. "
                "Whether a mutation was done is seen by sending it again with the same key."
            )
            return refusal(504, Code.TIMED_OUT, message, media_type=call.media_type)
        finally:
            timer.cancel()


def _expire(work: asyncio.Future[Any], deadline: Deadline) -> None:
    deadline.is_over = True
    work.cancel()


class _RefusalError(Exception):
    def __init__(self, status: int, code: Code, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class _Call(NamedTuple):
    """One request, to be answered in a worker thread."""

    parts: Parts
    policy: Policy
    body: bytes
    state: Mapping[str, Any]
    media_type: str
    packs: bool  #: whether the sender takes packed answers

    def answer(self, viewer: Viewer, deadline: Deadline) -> Response:
        """The answer, whatever was sent."""
        account: Account | None = self.state.get("account")
        with deadline.applied():
            try:
                return self._answer(viewer, account, deadline)
            except _RefusalError as error:
                return refusal(error.status, error.code, str(error), media_type=self.media_type)
            except RefusedError as error:
                if account is not None and account.take(REFUSED_COST).wait:
                    return limited()
                # A request that was well-formed is answered with 200 where the client knows no other way (GraphQL over
                # HTTP, section 6.4): the errors say the rest.
                return self._response(400 if self.media_type == GRAPHQL else 200, {}, error.errors)

    def _answer(self, viewer: Viewer, account: Account | None, deadline: Deadline) -> Response:
        operations, may_introspect = self.policy.operations, self.policy.may_introspect(viewer)
        body = self._read()
        asked = operations.ask(
            self._text(body), body.variables or {}, body.operation_name, may_introspect=may_introspect
        )
        if account is not None and account.take(asked.cost).wait:
            return limited()
        context = self.parts.context(viewer, self.state.get("request"))
        found = operations.execute(asked, context, may_introspect=may_introspect)
        # What a cancelled statement leaves behind is no fault of the program's, and nobody is there to read it.
        errors = () if deadline.is_over else operations.errors(found)
        cost = {"cost": {"requested": asked.cost, "limit": operations.limits.cost}}
        response = self._response(200, {"data": found.data}, errors, cost)
        return _packed(response) if self.packs and _is_of_page(body) else response

    def _read(self) -> _Body:
        try:
            return _read_body(self.body)
        except (ValueError, RecursionError) as error:
            if self.body.lstrip()[:1] == b"[":
                message = "A request is one JSON object: batches are not taken."
                raise _RefusalError(400, Code.BATCHING_OFF, message) from None
            raise _RefusalError(400, Code.BAD_REQUEST, f"The body is no GraphQL request: {error}.") from None

    def _text(self, body: _Body) -> str:
        documents = self.policy.documents
        if body.document_id is not None:
            name = bare(body.document_id)
            found = (documents or {}).get(name) or CLIENT_DOCUMENTS.get(name) or page_documents().get(name)
            if found is None:
                raise _RefusalError(400, Code.DOCUMENT_UNKNOWN, "No document has this id.")
            return found
        if documents is not None:
            raise _RefusalError(400, Code.DOCUMENT_REQUIRED, "Only known documents are executed: send documentId.")
        if not body.query:
            raise _RefusalError(400, Code.BAD_REQUEST, "The request has no query.")
        return body.query

    def _response(
        self,
        status: int,
        data: dict[str, Any],
        errors: Sequence[GraphQLError],
        extensions: Mapping[str, Any] | None = None,
    ) -> Response:
        answer: dict[str, Any] = {"errors": [error.formatted for error in errors]} if errors else {}
        answer |= data
        if extensions is not None:
            answer["extensions"] = extensions
        return Response(_encode(answer), status, media_type=self.media_type)


def _is_of_page(body: _Body) -> bool:
    return body.document_id is not None and bare(body.document_id) in page_documents()


def _packed(response: Response) -> Response:
    """The answer to one of our pages, whose readers may be far away; a program's on the next machine comes sooner as it
    is. A page of another site, which could guess at what is in an answer by its length, cannot have it asked for with
    a reader's session."""
    if len(response.body) < _PACKED_FROM:
        return response
    headers = {"content-encoding": "gzip", "vary": "accept-encoding"}
    body = gzip.compress(bytes(response.body), _LEVEL, mtime=0)
    return Response(body, response.status_code, headers, response.media_type)


_decode = msgspec.json.Decoder(_Body).decode


def _read_body(body: bytes) -> _Body:
    """The request; ``ValueError`` for what is none."""
    try:
        return _decode(body)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        # Half of a surrogate pair, which msgspec does not take, can be said in JSON, and is for each field to judge.
        return msgspec.convert(json.loads(body, parse_constant=_no_number), _Body)


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _encode(answer: object) -> bytes:
    """The answer as JSON; half of a surrogate pair, which a client may have sent, goes back as an escape."""
    try:
        return msgspec.json.encode(answer)
    except UnicodeEncodeError:
        return json.dumps(answer, separators=(",", ":")).encode()


def _accepted(header: str | None) -> str | None:
    """The type of the answer: the first of those in the header that can be had, JSON where all are welcome."""
    if not header:
        return JSON
    for part in header.split(","):
        wanted, _, parameters = part.partition(";")
        if parameters.replace(" ", "").startswith(("q=0;", "q=0.0")) or parameters.strip() == "q=0":
            continue
        found = _TYPES.get(wanted.strip().lower())
        if found is not None:
            return found
    return None


_TYPES = {JSON: JSON, GRAPHQL: GRAPHQL, "application/*": JSON, "*/*": JSON}
