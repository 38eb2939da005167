"""Every clause of the rule book has a home in the engine and a test named after it.

The rule book and the log format lie in ``tests/data``; a clause is defined where its id stands in bold.
"""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from tests.architecture.tree import ROOT, VARIANTS, name_of, parse, sources

#: The clauses' first letters and the folder of their tests: a rule set's own, or ``shared``.
FOLDERS = {"S": "shared", "X": "xiamen", "L": "longyan", "G": "shared", "F": "shared"}
BOOKS = (*sorted((ROOT / "tests/data/rulebook").glob("*.md")), ROOT / "tests/data/contract/log-format.md")
CLAUSE = re.compile(r"\b[SXLGF]-[A-Z]+-\d+\b")
DEFINITION = re.compile(r"\*\*([SXLGF]-[A-Z]+-\d+)\*\*")


@cache
def defined() -> tuple[str, ...]:
    """Every clause id of the rule book and the log format, sorted."""
    return tuple(sorted({clause for book in BOOKS for clause in DEFINITION.findall(book.read_text(encoding="utf-8"))}))


@cache
def cited() -> dict[str, tuple[str, ...]]:
    """The clause ids in the texts and docstrings of the engine, and the files that hold them."""
    homes: dict[str, list[str]] = {}
    for path in sources("replays"):
        for clause in sorted({clause for text in _texts(parse(path)) for clause in CLAUSE.findall(text)}):
            homes.setdefault(clause, []).append(name_of(path))
    return {clause: tuple(files) for clause, files in homes.items()}


def _texts(tree: ast.Module) -> list[str]:
    return [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def in_force() -> list[str]:
    """The clauses that are to be held: the shared ones, and those of every rule set that has its file."""
    written = {name for name in VARIANTS if (ROOT / "replays/variants" / f"{name}.py").is_file()}
    return [clause for clause in defined() if FOLDERS[clause[0]] in {"shared", *written}]


def test_rule_book_is_whole() -> None:
    counts = {letter: sum(clause[0] == letter for clause in defined()) for letter in FOLDERS}
    assert counts == {"S": 24, "X": 37, "L": 42, "G": 5, "F": 5}


@pytest.mark.parametrize("clause", in_force())
def test_clause_has_a_home(clause: str) -> None:
    assert cited().get(clause), f"{clause} stands in no text or docstring of replays/"


@pytest.mark.parametrize("clause", in_force())
def test_clause_has_a_test(clause: str) -> None:
    path = ROOT / "tests/rules" / FOLDERS[clause[0]] / f"test_{clause.lower().replace('-', '_')}.py"
    assert path.is_file(), f"{name_of(path)} is missing"
    tree = parse(path)
    assert ast.get_docstring(tree), f"{name_of(path)} does not say what the clause means"
    assert any(isinstance(node, ast.FunctionDef) and node.name.startswith("test_") for node in tree.body)


def test_engine_cites_no_clause_that_is_not_in_the_rule_book() -> None:
    assert {clause: files for clause, files in cited().items() if clause not in defined()} == {}


def test_no_test_is_named_after_a_clause_that_is_not_in_the_rule_book() -> None:
    names = {f"test_{clause.lower().replace('-', '_')}" for clause in defined()}
    files = (ROOT / "tests/rules").rglob("test_[sxlgf]_*.py")
    assert sorted(name_of(path) for path in files if path.stem not in names) == []
