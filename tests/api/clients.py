"""Speaks to the application in this process, the way a server would call it."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
from starlette.types import ASGIApp

from schema.ports import Role, Viewer
from service.api import create_app
from service.api.limits import RequestLimits
from service.store import Store
from service.usecases.notary import Notary

BASE = "http://127.0.0.1:8000"

#: Nobody is turned away for asking too often.
UNHURRIED = RequestLimits(key_rate=10**9, public_rate=10**9)

SERVER = Viewer("server-1", frozenset({Role.SERVER}), None, "key-1")
AUDITOR = Viewer("auditor-1", frozenset({Role.AUDITOR}), None, "key-2")


def app_for(store: Store, viewer: Viewer, notary: Notary | None = None) -> ASGIApp:
    """The application as it is to one viewer, whatever is sent along."""
    return create_app(store, notary, authenticate=lambda connection: viewer, limits=UNHURRIED)


class Client:
    """HTTP requests, one after the other, each in an event loop of its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def request(self, method: str, path: str, **arguments: Any) -> httpx.Response:
        """One request; arguments as for ``httpx``."""
        return asyncio.run(self._request(method, path, arguments))

    async def _request(self, method: str, path: str, arguments: dict[str, Any]) -> httpx.Response:
        transport = httpx.ASGITransport(self._app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
            return await client.request(method, path, **arguments)

    def query(self, query: str, **variables: Any) -> dict[str, Any]:
        """The whole answer to a GraphQL request."""
        content = json.dumps({"query": query, "variables": variables})  # ASCII: escapes can say what UTF-8 cannot
        answer = self.request("POST", "/graphql", content=content, headers={"content-type": "application/json"})
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        return body

    def ask(self, query: str, **variables: Any) -> dict[str, Any]:
        """The ``data`` of an answer without ``errors``."""
        body = self.query(query, **variables)
        assert "errors" not in body, body["errors"]
        data: dict[str, Any] = body["data"]
        return data
