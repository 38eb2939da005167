"""The digest that names a rule set with all its options (``fairness.md``, "Rule-set digest")."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256

_LARGEST = 2**53 - 1  # beyond it canonical JSON would round (RFC 8785, 3.2.2.3)


def resolved_digest(ruleset: str, version: str, options: Mapping[str, object]) -> str:
    """Lower-case hex SHA-256 of the canonical JSON of ``{"id", "version", "options"}``.

    ``options`` holds *every* option of the rule set, defaults included. Such a record is ASCII with no number but
    integers, for which sorted compact JSON is the canonical form (RFC 8785); ``ValueError`` for any other record.
    """
    for name, value in options.items():
        if not _is_plain(value):
            raise ValueError(f"option {name!r} is {value!r}, expected a boolean, integer, text or null")
    record = {"id": ruleset, "version": version, "options": dict(options)}
    text = json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    if not text.isascii():
        raise ValueError("a rule set's id, version, options and their values are ASCII")
    return sha256(text.encode("ascii")).hexdigest()


def _is_plain(value: object) -> bool:
    if isinstance(value, int):
        return -_LARGEST <= value <= _LARGEST
    return value is None or isinstance(value, str)
