"""Where the code names a rule set: the variant's own file may, and data may, but nothing may branch on it.

A rule set is a value that is handed around. Data may list the names (a demonstration's table of games, a default
for an option, words for people); a comparison, a ``match``, or a table with anything but words in it, looked up by
such a name, would be a rule outside the rule set.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tests.architecture.tree import VARIANTS, docstrings

LOOKUPS = frozenset("get pop setdefault startswith endswith index count __contains__ __eq__".split())


def mentions(tree: ast.Module) -> list[int]:
    """The lines on which an identifier or a text contains a variant's name, docstrings and comments left out."""
    words = docstrings(tree)
    nodes = (node for node in ast.walk(tree) if id(node) not in words)
    return sorted({_line(node) for node in nodes for text in _texts(node) if _names_one(text)})


def branches(tree: ast.Module) -> list[int]:
    """The lines on which code decides by a variant's name."""
    constants = _constants(tree)
    return sorted(
        {_line(node) for node in ast.walk(tree) if any(_is_variant(key, constants) for key in _deciding(node))}
    )


def _deciding(node: ast.AST) -> Iterable[ast.expr]:
    """The expressions that a node compares with, or looks something up by."""
    match node:
        case ast.Compare(left=left, comparators=comparators):
            return [part for side in (left, *comparators) for part in _members(side)]
        case ast.MatchValue(value=value):
            return [value]
        case ast.Subscript(slice=key):
            return [key]
        case ast.Call(func=ast.Attribute(attr=attr), args=args) if attr in LOOKUPS:
            return args[:1]
        case ast.Dict(keys=keys, values=values) if not all(map(_is_words, values)):
            return [key for key in keys if key is not None]
    return []


def _members(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]


def _is_words(node: ast.expr) -> bool:
    """Whether an expression is nothing but text, or text in containers: words for people."""
    match node:
        case ast.Constant(value=str()):
            return True
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return all(map(_is_words, elements))
        case ast.Dict(keys=keys, values=values):
            return all(key is not None and _is_words(key) for key in keys) and all(map(_is_words, values))
    return False


def _is_variant(node: ast.expr, constants: frozenset[str]) -> bool:
    match node:
        case ast.Constant(value=str(text)):
            return text.lower() in VARIANTS
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in constants or name.lower() in VARIANTS
    return False


def _constants(tree: ast.Module) -> frozenset[str]:
    """Names that are bound to a variant's name anywhere in the module."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets, value=ast.Constant(value=str(text))) if text.lower() in VARIANTS:
                found |= {target.id for target in targets if isinstance(target, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=str(text))):
                found |= {name} if text.lower() in VARIANTS and name.isupper() else set()
    return frozenset(found)


def _texts(node: ast.AST) -> Iterator[str]:
    for attribute in ("id", "attr", "arg", "name", "asname", "module", "rest"):
        if isinstance(text := getattr(node, attribute, None), str):
            yield text
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def _names_one(text: str) -> bool:
    return any(variant in text.lower() for variant in VARIANTS)


def _line(node: ast.AST) -> int:
    match node:
        case ast.MatchValue(value=value):
            return value.lineno
    return int(getattr(node, "lineno", 0))
