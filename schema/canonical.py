"""Canonical JSON after RFC 8785: the bytes that are hashed, signed and compared.

Numbers are integers within ±(2^53 − 1) only, as everywhere in the contract, so that every language reads and
writes the same digits; RFC 8785's rules for fractions are not needed.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

#: The largest integer that every JSON reader keeps exactly (RFC 8785 section 3.2.2.3, RFC 7493 section 2.2).
MAX_INTEGER = 2**53 - 1
#: Deepest nesting that is written; twice what any document of the contract needs, and a stop for cycles.
MAX_DEPTH = 64

_PLAIN = frozenset({str, bool, type(None)})
_TEXTS = frozenset({str})
_encode_sorted = msgspec.json.Encoder(order="sorted").encode


def canonical(document: Any) -> bytes:
    """The canonical bytes of ``document``: dicts with text keys, lists or tuples, text, integers, booleans, ``None``.

    Raises ``ValueError`` for anything else: floats, integers beyond ±(2^53 − 1), lone surrogates, keys that are
    not text, other types, and nesting deeper than ``MAX_DEPTH``.
    """
    if _check(document, MAX_DEPTH):
        return _encode_sorted(document)
    return _encode_by_utf16(document)


def ordered(document: Any) -> Any:
    """A copy of ``document`` with the keys of all objects in canonical order (by UTF-16 code units)."""
    if isinstance(document, dict):
        return {key: ordered(document[key]) for key in sorted(document, key=_utf16)}
    if isinstance(document, list | tuple):
        return [ordered(item) for item in document]
    return document


def _encode_by_utf16(document: Any) -> bytes:
    """The reference path: right for all keys; plain ASCII keys sort the same in either way."""
    return json.dumps(ordered(document), ensure_ascii=False, separators=(",", ":")).encode()


def _utf16(key: str) -> bytes:
    return key.encode("utf-16-be")


def _check(value: Any, depth: int) -> bool:
    """Whether all keys are ASCII; ``ValueError`` where a part of ``value`` has no canonical form.

    Text is not looked at here: both encoders refuse lone surrogates by ``UnicodeEncodeError``, a ``ValueError``.
    """
    kind = type(value)
    if kind in _PLAIN:
        return True
    if kind is int:
        return _check_integer(value)
    if depth == 0:
        raise ValueError(f"nested deeper than {MAX_DEPTH}")
    if kind is dict:
        return _check_object(value, depth - 1)
    if kind is list or kind is tuple:
        return _check_array(value, depth - 1)
    raise ValueError(f"no canonical JSON for {kind.__name__}")


def _check_integer(value: int) -> bool:
    if -MAX_INTEGER <= value <= MAX_INTEGER:
        return True
    raise ValueError("integer beyond ±(2^53 − 1)")


def _check_object(value: dict[Any, Any], depth: int) -> bool:
    ascii_keys = True
    for key, item in value.items():
        if type(key) is not str:
            raise ValueError(f"object key of type {type(key).__name__}")
        if not key.isascii():
            ascii_keys = False
        if type(item) is not str and not _check(item, depth):
            ascii_keys = False
    return ascii_keys


def _check_array(value: list[Any] | tuple[Any, ...], depth: int) -> bool:
    if set(map(type, value)) <= _TEXTS:  # lists of tiles, the common case, at C speed
        return True
    ascii_keys = [_check(item, depth) for item in value]  # all of them: each may be one to refuse
    return all(ascii_keys)
