"""Trusted documents: the only ones that are executed where an operator has put them up, each asked for by its SHA-256.

They come with a release of the platform's own clients. Nothing that a client sends is ever added to them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from schema.graphql.operations import Operations, RefusedError

_PREFIX = "sha256:"
_SUFFIXES = ("*.graphql", "*.gql")


class DocumentsError(ValueError):
    """Documents that cannot be trusted or executed; the text names the file or the id."""


def digest(text: str) -> str:
    """The id of a document: SHA-256 of its UTF-8 bytes, in hexadecimal."""
    return sha256(text.encode()).hexdigest()


def bare(identifier: str) -> str:
    """An id without the ``sha256:`` that may stand before it."""
    return identifier.removeprefix(_PREFIX).lower()


def load_documents(path: Path, operations: Operations) -> Mapping[str, str]:
    """The documents by id of a folder of ``.graphql`` files, or of a JSON file with one object of ids and texts.

    Every one is checked against schema and limits. ``DocumentsError`` says which one is wrong, and how.
    """
    found: dict[str, str] = {}
    for name, text in _folder(path) if path.is_dir() else _manifest(path):
        _check(name, text, operations)
        found[digest(text)] = text
    if not found:
        raise DocumentsError(f"{path} holds no documents")
    return found


def _folder(path: Path) -> Iterator[tuple[str, str]]:
    for file in sorted(file for suffix in _SUFFIXES for file in path.rglob(suffix)):
        yield str(file), _read(file)


def _manifest(path: Path) -> Iterator[tuple[str, str]]:
    try:
        entries = json.loads(_read(path))
    except ValueError as error:
        raise DocumentsError(f"{path} is no JSON: {error}") from None
    if not isinstance(entries, dict) or not all(isinstance(text, str) for text in entries.values()):
        raise DocumentsError(f"{path}: expected one object of ids and texts")
    for identifier, text in entries.items():
        if bare(identifier) != digest(text):
            raise DocumentsError(f"{path}: {identifier} is not the SHA-256 of its text")
        yield f"{path}: {identifier}", text


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except OSError as error:
        raise DocumentsError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise DocumentsError(f"{path} is not UTF-8: {error}") from None


def _check(name: str, text: str, operations: Operations) -> None:
    try:
        operations.check(text)
    except RefusedError as error:
        raise DocumentsError(f"{name}: {error}") from None
