"""A rule set is a value: only its own file names it, and no code anywhere decides by its name."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT, VARIANTS, name_of, parse, sources
from tests.architecture.variants import branches, mentions

SHARED_ENGINE = [path for path in sources("replays") if (ROOT / "replays" / "variants") not in path.parents]


@pytest.mark.parametrize("path", SHARED_ENGINE, ids=name_of)
def test_shared_engine_names_no_variant(path: Path) -> None:
    assert mentions(parse(path)) == []


@pytest.mark.parametrize("path", sources("replays", "schema", "service"), ids=name_of)
def test_nothing_branches_on_a_variant(path: Path) -> None:
    assert branches(parse(path)) == []


def test_registered_variants_are_known_here() -> None:
    from replays.variants import REGISTRY

    assert set(REGISTRY) <= set(VARIANTS), "add the new rule set to tests/architecture/tree.py"


MENTIONS = {
    "text": "x = 'Xiamen rules'",
    "function": "def xiamen_water(): ...",
    "attribute": "x = book.is_longyan",
    "argument": "def f(xiamen): ...",
    "keyword": "f(longyan=True)",
    "import": "from replays.variants import xiamen",
    "class": "class Xiamen: ...",
    "f-string": "x = f'longyan-{n}'",
}


@pytest.mark.parametrize("source", MENTIONS.values(), ids=MENTIONS.keys())
def test_a_mention_is_seen(source: str) -> None:
    assert mentions(ast.parse(source)) == [1]


def test_docstrings_and_comments_are_no_mentions() -> None:
    assert mentions(ast.parse('"""As in Xiamen."""\ndef f():\n    """Longyan."""  # xiamen\n')) == []


BRANCHES = {
    "comparison": "x = book.id == 'xiamen'",
    "comparison the other way": "x = 'longyan' != book.id",
    "membership": "x = book.id in ('xiamen', 'other')",
    "match": "match book.id:\n    case 'xiamen': pass",
    "match of a member": "match book.id:\n    case Ruleset.LONGYAN: pass",
    "enumeration": "x = book.ruleset is Ruleset.XIAMEN",
    "named constant": "FIRST = 'xiamen'\nx = book.id == FIRST",
    "table of functions": "x = {'xiamen': f, 'longyan': g}[book.id]",
    "table of numbers": "TILES = {'xiamen': 16, 'longyan': 13}",
    "lookup": "x = REGISTRY['xiamen']",
    "lookup with get": "x = table.get('longyan')",
    "prefix": "x = book.id.startswith('xiamen')",
}


@pytest.mark.parametrize("source", BRANCHES.values(), ids=BRANCHES.keys())
def test_a_branch_is_seen(source: str) -> None:
    assert branches(ast.parse(source)) != []


DATA = {
    "a demonstration's games": "GAMES = [('xiamen', 4, 8), ('longyan', 3, 8)]",
    "a default": "def f(ruleset: str = 'xiamen'): ...",
    "an argument": "book = rulebook('xiamen')",
    "words for people": "NAMES = {'xiamen': {'en': 'Xiamen', 'zh-Hans': '厦门'}, 'longyan': {'en': 'Longyan'}}",
}


@pytest.mark.parametrize("source", DATA.values(), ids=DATA.keys())
def test_data_may_list_names(source: str) -> None:
    assert branches(ast.parse(source)) == []
