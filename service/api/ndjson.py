"""JSON documents as lines, a document a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

NDJSON = "application/x-ndjson"


def line_of(document: Mapping[str, Any]) -> bytes:
    """One line, as the commands print it."""
    try:
        return json.dumps(document, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:  # half of a surrogate pair: JSON can say it, UTF-8 cannot
        return json.dumps(document).encode() + b"\n"
