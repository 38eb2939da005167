"""One line to a JSON value, strictly: UTF-8, no member twice, no deep nesting, and nothing that costs without bound."""

from __future__ import annotations

import json
import re
from typing import Any

from schema.canonical import MAX_INTEGER
from schema.paipu.errors import MismatchError, Number, quote, show

#: Deepest nesting of objects and lists, the event itself being the first.
MAX_NESTING = 8

# A string, or one bracket. An unclosed string matches too (the parser will tell), so that nothing is ever tried twice.
_STRING_OR_BRACKET = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[{\]}]', re.DOTALL)
_LONGEST_INTEGER = len(str(-MAX_INTEGER))


def parse(line: bytes) -> Any:
    """The JSON value of ``line``; ``MismatchError`` where it is none.

    Numbers that are no integers within ±(2^53 − 1) come as ``Number``, so that whoever checks the member can name it.
    """
    text = _text(line)
    _check_nesting(line)
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        found = f"{quote(text)} ({error.msg} at column {error.colno})"
        raise MismatchError(None, "one complete JSON object", found) from None


def _text(line: bytes) -> str:
    if b"\0" in line:
        raise MismatchError(None, "UTF-8 text", "binary data")
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise MismatchError(None, "UTF-8 text", f"byte 0x{line[error.start]:02x} at place {error.start + 1}") from None


def _check_nesting(line: bytes) -> None:
    """Before parsing, for a parser may recurse."""
    if line.count(b"[") + line.count(b"{") <= MAX_NESTING:
        return
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(line):
        token = match[0]
        if token in (b"[", b"{"):
            depth += 1
        elif token in (b"]", b"}"):
            depth -= 1
        if depth > MAX_NESTING:
            raise MismatchError(None, f"nesting of at most {MAX_NESTING}", "deeper nesting")


def _unique(members: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(members)
    if len(document) == len(members):
        return document
    seen: set[str] = set()
    for name, value in members:
        if name in seen:
            raise MismatchError(quote(name), "each member once", f"it again, with {show(value)}")
        seen.add(name)
    raise AssertionError("a shorter dict has a repeated key")


def _integer(text: str) -> int | Number:
    if len(text) > _LONGEST_INTEGER:
        return Number(text)
    value = int(text)
    return value if -MAX_INTEGER <= value <= MAX_INTEGER else Number(text)


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_int=_integer, parse_float=Number, parse_constant=Number)
