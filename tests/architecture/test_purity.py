"""The engine reaches for nothing outside itself and depends on no order that may differ between runs."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.purity import faults, set_attributes
from tests.architecture.tree import name_of, parse, sources

ENGINE = sources("replays")


@cache
def attributes() -> frozenset[str]:
    """The fields anywhere in the engine that hold sets."""
    return frozenset(name for path in ENGINE for name in set_attributes(parse(path)))


@pytest.mark.parametrize("path", ENGINE, ids=name_of)
def test_engine_is_pure(path: Path) -> None:
    assert faults(parse(path), attributes()) == []


IMPURE = {
    "clock": "import time",
    "randomness": "from random import choice",
    "environment": "import os.path",
    "outer layer": "from schema.paipu import read",
    "file": "open('x')",
    "hash as a key": "sorted(x, key=hash)",
    "float literal": "x = 1.5",
    "float type": "def f(x: float): ...",
    "true division": "x = a / b",
    "true division in place": "x /= b",
    "loop over a display": "for x in {1, 2}: f(x)",
    "loop over a named set": "s = set(a)\nfor x in s: f(x)",
    "comprehension over a set": "[f(x) for x in frozenset(a)]",
    "comprehension over a difference": "[x for x in a.keys() - b]",
    "generator into a list": "list(x for x in {1, 2})",
    "tuple of a set": "x = tuple({y for y in a})",
    "first of a set": "x = next(iter(set(a)))",
    "a set's pop": "s = {1, 2}\ns.pop()",
    "joined": "','.join({a, b})",
    "unpacked": "x = (*{1, 2},)",
    "ties keep a set's order": "x = sorted(set(a), key=f)",
    "annotated argument": "def f(s: set[int]):\n    return [x for x in s]",
    "annotated field": "def f(table):\n    return [x for x in table.locked]",
}


@pytest.mark.parametrize("source", IMPURE.values(), ids=IMPURE.keys())
def test_the_check_sees(source: str) -> None:
    assert faults(ast.parse(source), frozenset({"locked"})) != []


PURE = {
    "standard modules": "from collections.abc import Iterator\nimport hashlib, hmac, json",
    "own modules": "from replays.tiles import Tile",
    "floor division": "x = a // b",
    "membership": "x = a in {1, 2}",
    "sorted set": "x = sorted({1, 2})\nfor y in sorted(set(a)): f(y)",
    "order-free question": "x = any(f(y) for y in {1, 2})",
    "set out of a set": "x = {f(y) for y in set(a)}",
    "order of a dict": "[x for x in {1: 2}]",
    "a field called id": "class Clause:\n    id: str\nx = clause.id",
    "a list of the same name elsewhere": "def f():\n    s = set(a)\ndef g(s: list[int]):\n    return [x for x in s]",
}


@pytest.mark.parametrize("source", PURE.values(), ids=PURE.keys())
def test_the_check_allows(source: str) -> None:
    assert faults(ast.parse(source)) == []
