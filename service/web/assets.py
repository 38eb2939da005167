"""What a browser loads, read once: files of ``static/``, and modules made of words and of the pages' documents.

All of it lies under one address that names its content, so that it is asked for once and kept; modules find each other
by relative paths.
"""

from __future__ import annotations

import gzip
import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from schema.words import LANGUAGES, Rows, clauses, terms

_HERE = Path(__file__).resolve().parent
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_IMPORT = re.compile(rb"""^(?:import|export)\b[^;]*?["'](\.{1,2}/[^"']+)["']""", re.MULTILINE)
#: The groups of words that pages have from the service: the names that reports and commands use too.
_TERMS: Mapping[str, Rows] = {
    "acts": terms.ACTS,
    "ends": terms.ENDS,
    "events": terms.EVENTS,
    "fairness": terms.FAIRNESS,
    "kongs": terms.KONGS,
    "members": terms.MEMBERS,
    "phases": terms.PHASES,
    "severities": terms.SEVERITIES,
    "shapes": terms.SHAPES,
    "unproven": terms.UNPROVEN,
    "verdicts": terms.VERDICTS,
    "ways": terms.WAYS,
}


class Asset(NamedTuple):
    """One file as it is sent: plain, and packed with gzip where that is smaller."""

    body: bytes
    packed: bytes | None
    media_type: str


class Assets(NamedTuple):
    """All files by their paths; ``digest`` (hexadecimal) changes with any of them."""

    files: Mapping[str, Asset]
    digest: str

    def modules(self, entry: str) -> list[str]:
        """The paths of the modules that ``entry`` needs before it can run, itself first."""
        found, waiting = dict[str, None](), [entry]
        while waiting:
            path = waiting.pop(0)
            if path in found:
                continue
            found[path] = None
            imports = _IMPORT.findall(self.files[path].body)
            waiting += [posixpath.normpath(posixpath.join(posixpath.dirname(path), one.decode())) for one in imports]
        return list(found)


@cache
def assets() -> Assets:
    """The files of this release."""
    files = {path: _asset(path, body) for path, body in sorted({**dict(_static()), **dict(_made())}.items())}
    digest = sha256(b"".join(sha256(path.encode() + b"\0" + one.body).digest() for path, one in files.items()))
    return Assets(files, digest.hexdigest()[:16])


@cache
def documents() -> Mapping[str, str]:
    """The texts of the GraphQL documents that pages send, by their ids (SHA-256, hexadecimal)."""
    return {_id(text): text for text in _documents().values()}


def _documents() -> dict[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted((_HERE / "documents").glob("*.graphql"))}


def _id(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _static() -> Iterator[tuple[str, bytes]]:
    root = _HERE / "static"
    for path in root.rglob("*"):
        if path.suffix in _TYPES:
            yield path.relative_to(root).as_posix(), path.read_bytes()


def _made() -> Iterator[tuple[str, bytes]]:
    yield "documents.js", _module({name: _id(text) for name, text in _documents().items()})
    for at, lang in enumerate(LANGUAGES):
        for area, rows in words().items():
            yield f"words/{area}.{lang}.js", _module({key: row[at] for key, row in rows.items()})


def words() -> dict[str, Rows]:
    """The words of pages by area: those of ``words/*.json``, and the rule book's as ``terms`` and ``clauses``."""
    own = {path.stem: json.loads(path.read_bytes()) for path in sorted((_HERE / "words").glob("*.json"))}
    grouped = {f"{group}.{code}": row for group, rows in _TERMS.items() for code, row in rows.items()}
    return {**own, "terms": grouped, "clauses": clauses.TITLES}


def _module(value: object) -> bytes:
    return f"export default {json.dumps(value, ensure_ascii=False, separators=(',', ':'))};\n".encode()


def _asset(path: str, body: bytes) -> Asset:
    packed = gzip.compress(body, mtime=0)
    suffix = posixpath.splitext(path)[1]
    return Asset(body, packed if len(packed) < len(body) else None, f"{_TYPES[suffix]}; charset=utf-8")
