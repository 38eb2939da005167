"""One call to the service, and what its answer means."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, NamedTuple

import httpx

from service.client.records import Batch, Document, Receipt

_RESULT = """{ __typename
  ... on Receipt { game seq head time signature key }
  ... on Problem { code message }
  ... on AppendRefused { index }
}"""
#: What the client asks, by the SHA-256 of the text: the service knows these documents wherever else it takes none.
OPEN = f"mutation($event: JSON!, $key: String) {{ openGame(event: $event, key: $key) {_RESULT} }}"
APPEND = f"""mutation($game: String!, $seq: Int!, $events: [JSON!]!, $key: String) {{
  appendEvents(game: $game, expectedSeq: $seq, events: $events, key: $key) {_RESULT} }}"""


class Refused(NamedTuple):
    """The service will never take this call: ``index`` is the event to blame, where it is one."""

    code: str
    message: str
    index: int | None  # type: ignore[assignment]  # the service's term, which hides tuple.index


class TooLarge(NamedTuple):
    """The call has more bytes than the service takes at once."""


class Away(NamedTuple):
    """No answer that settles anything: to be tried again, not before ``seconds`` where the service says so."""

    reason: str
    seconds: float | None = None


#: The client's documents by the id that is sent in their place.
DOCUMENTS = {sha256(text.encode()).hexdigest(): text for text in (OPEN, APPEND)}
_ID_OF = {text: identifier for identifier, text in DOCUMENTS.items()}

Answer = Receipt | Refused | TooLarge | Away


def send(http: httpx.Client, game: str, batch: Batch, documents: list[Document]) -> Answer:
    """Sends a batch: the first event opens the game, the others are appended."""
    if batch.first == 0:
        return _post(http, OPEN, {"event": documents[0], "key": batch.key})
    return _post(http, APPEND, {"game": game, "seq": batch.first, "events": documents, "key": batch.key})


def _post(http: httpx.Client, document: str, variables: dict[str, Any]) -> Answer:
    try:
        response = http.post("/graphql", json={"documentId": _ID_OF[document], "variables": variables})
    except httpx.HTTPError as error:
        return Away(str(error) or type(error).__name__)
    if response.status_code == 413:
        return TooLarge()
    if response.status_code != 200:
        return Away(f"HTTP {response.status_code}: {response.text[:200]}", _seconds(response))
    try:
        body = response.json()
        return _answer(body)
    except (ValueError, LookupError, TypeError, AttributeError):
        return Away("an answer that is none of the service's")


def _answer(body: dict[str, Any]) -> Answer:
    if body.get("data") is None:
        return Away("; ".join(error["message"] for error in body["errors"]))
    (result,) = body["data"].values()
    if result["__typename"] == "Receipt":
        return Receipt(*(result[name] for name in Receipt._fields))
    return Refused(result["code"], result["message"], result.get("index"))


def _seconds(response: httpx.Response) -> float | None:
    text = response.headers.get("retry-after", "")
    return float(text) if text.isascii() and text.isdigit() else None
