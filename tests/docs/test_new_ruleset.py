"""The guide to a new rule set names what there is: files, fields, functions, options, and code of the toy."""

from __future__ import annotations

import dataclasses
import importlib
import re
from pathlib import Path

import pytest

from replays.rulebook import Names, Rulebook

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "new-ruleset.md").read_text(encoding="utf-8")
TOY = (ROOT / "tests" / "variants" / "toy.py").read_text(encoding="utf-8")

BLOCKS = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
PROSE = re.sub(r"```.*?```", "", GUIDE, flags=re.DOTALL)
TERMS = sorted(set(re.findall(r"`([^`\n]+)`", PROSE)))
PATHS = [term for term in TERMS if "/" in term]
MODULES = [term for term in TERMS if term.startswith(("replays.", "tests."))]


def rows(after: str) -> list[list[str]]:
    """The cells of the first table after a text, its head left out."""
    lines = GUIDE.split(after, 1)[1].split("\n|---", 1)[1].split("\n\n", 1)[0].split("\n")
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[1:]]


def first_terms(after: str) -> list[str]:
    return [row[0].strip("`") for row in rows(after)]


def test_there_is_something_to_look_at() -> None:
    assert len(BLOCKS) == 9
    assert len(PATHS) > 20
    assert len(MODULES) > 20


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_code_is_that_of_the_toy(block: str) -> None:
    assert block in TOY


@pytest.mark.parametrize("path", PATHS)
def test_a_path_exists(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("name", MODULES)
def test_a_name_exists(name: str) -> None:
    """A module, or something in one."""
    module, _, member = name.rpartition(".")
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        assert hasattr(importlib.import_module(module), member)


def test_every_field_of_the_rule_book_is_there() -> None:
    assert first_terms("## The rule book, field by field") == [field.name for field in dataclasses.fields(Rulebook)]


def test_every_field_of_the_names_is_there() -> None:
    said = GUIDE.split("The fields of `Names` are", 1)[1].split("\n\n", 1)[0]
    assert tuple(re.findall(r"`(\w+)`", said)) == Names._fields


def asked(pattern: str, read: str = r'options\["(\w+)"\]') -> set[str]:
    """The options that some modules of the engine read by name."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "replays").glob(pattern))]
    return {name for text in texts for name in re.findall(read, text)}


def test_options_that_the_engine_asks_for() -> None:
    """What the modules read that play every rule set."""
    assert set(first_terms("Options that the engine itself asks")) == asked("*.py")


@pytest.mark.parametrize("row", rows("## What can be reused"), ids=lambda row: row[0])
def test_a_mechanism_is_what_it_says(row: list[str]) -> None:
    """The fields that the function is for, those beside it in its module, and options that the engine reads."""
    name, use, options = row
    module = importlib.import_module(name.strip("`").rpartition(".")[0])
    fields = {field.name for field in dataclasses.fields(Rulebook)}
    for term in re.findall(r"`(\w+)`", use):
        assert term in fields or hasattr(module, term), term
    known = asked("**/*.py", r'options(?:\[|\.get\()"(\w+)"')
    assert set(re.findall(r"`(\w+)`", options)) <= known


def test_objects_of_the_text_exist() -> None:
    """Capitalised names are classes of the rule book, or constants of the toy and the tests."""
    known = importlib.import_module("replays.rulebook")
    constants = {"REGISTRY", "VARIANTS", "FOLDERS", "TWICE", "PASSED_KONGS", "ROUNDS", "WAIVED"}
    capitals = {term.split("(")[0] for term in TERMS if re.fullmatch(r"[A-Z]\w+(\(.*\))?", term)}
    assert {name for name in capitals - constants if not hasattr(known, name)} == set()
