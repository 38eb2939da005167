"""Asking the identity provider: short, bounded, and never led elsewhere."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

import httpx

from service.access.addresses import is_safe

#: Seconds for one answer, all of it.
PATIENCE = 10.0
#: Bytes of one answer.
SIZE_LIMIT = 256 * 1024

_STEP = httpx.Timeout(5.0)  # of every single wait


class FetchError(Exception):
    """No answer that can be used; the text is for operators and holds nothing that was sent."""


class RefusedError(FetchError):
    """An answer of the status 400: what was sent is not taken."""


def get_document(url: str) -> dict[str, Any]:
    """The JSON object at ``url``; ``FetchError``."""
    return _document("GET", url)


def post_form(url: str, form: Mapping[str, str], auth: tuple[str, str] | None) -> dict[str, Any]:
    """The JSON object that answers a form; ``FetchError``, ``RefusedError``."""
    return _document("POST", url, data=dict(form), auth=auth)


def _document(method: str, url: str, **arguments: Any) -> dict[str, Any]:
    if not is_safe(url):
        raise FetchError(f"{url} is neither https nor on this machine")
    try:
        document = json.loads(_answer(method, url, arguments))
    except httpx.HTTPError as error:
        raise FetchError(f"{url}: {str(error) or type(error).__name__}") from None
    except (ValueError, RecursionError):
        raise FetchError(f"{url}: the answer is no JSON") from None
    if not isinstance(document, dict):
        raise FetchError(f"{url}: the answer is no JSON object")
    return document


def _answer(method: str, url: str, arguments: Mapping[str, Any]) -> bytes:
    ends = time.monotonic() + PATIENCE
    parts, size = [], 0
    with (
        httpx.Client(timeout=_STEP, follow_redirects=False, headers={"accept": "application/json"}) as client,
        client.stream(method, url, **arguments) as response,
    ):
        if response.status_code != 200:
            error = RefusedError if response.status_code == 400 else FetchError
            raise error(f"{url} answers {response.status_code}")
        for part in response.iter_bytes():
            parts.append(part)
            size += len(part)
            if size > SIZE_LIMIT:
                raise FetchError(f"{url}: the answer is longer than {SIZE_LIMIT} bytes")
            if time.monotonic() > ends:
                raise FetchError(f"{url}: no whole answer within {PATIENCE:.0f} s")
    return b"".join(parts)
