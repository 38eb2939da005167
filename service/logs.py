"""What the service writes to standard error: lines for people, or JSON lines for machines. Never anything secret."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

#: What is never written, wherever it comes from: keys and sessions, bearer tokens, passwords in addresses.
_SECRETS = (
    (re.compile(r"\b(m[ps])_[A-Za-z0-9_-]{8,}"), r"\1_…"),
    (re.compile(r"(?i)\b(bearer|basic)\s+[^\s\"',]+"), r"\1 …"),
    (re.compile(r"(\w+://[^\s/:@]*):[^\s/@]*@"), r"\1:…@"),
    (re.compile(r"\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*"), "eyJ…"),
)


def log_as(format: str) -> None:
    """Sets logging up for this process: ``json`` with a line a request, ``text`` with what needs attention only."""
    handler = logging.StreamHandler(sys.stderr)
    if format == "json":
        handler.setFormatter(_json_lines())
    else:
        for level in (logging.WARNING, logging.ERROR, logging.CRITICAL):
            logging.addLevelName(level, logging.getLevelName(level).lower())
        handler.setFormatter(_Plain("%(levelname)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("mingpai").setLevel(logging.INFO if format == "json" else logging.WARNING)


def scrubbed(text: str) -> str:
    """The text without what looks like a secret."""
    for pattern, instead in _SECRETS:
        text = pattern.sub(instead, text)
    return text


class _Plain(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return scrubbed(super().format(record))


def _json_lines() -> logging.Formatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.ExtraAdder(),
        ],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            _scrub,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
    )


def _scrub(_: Any, __: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    return {name: scrubbed(value) if isinstance(value, str) else value for name, value in entry.items()}
