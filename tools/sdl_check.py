"""Whether a change of the GraphQL schema only adds to it: ``python -m tools.sdl_check OLD NEW``.

What clients were told stays: nothing of the old SDL may go or change, but what it already called deprecated. Exit code
0: nothing does; 1: each line says what does; 2: a file cannot be read as SDL.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphql import (
    IDLE,
    REMOVE,
    DangerousChangeType,
    DocumentNode,
    EnumValueDefinitionNode,
    FieldDefinitionNode,
    GraphQLError,
    GraphQLSchema,
    InputValueDefinitionNode,
    TypeDefinitionNode,
    Visitor,
    build_ast_schema,
    find_breaking_changes,
    find_dangerous_changes,
    parse,
    visit,
)

#: Changes that break no query but what clients were told. New values, members and optional arguments are additions:
#: clients are told to expect those.
_DANGEROUS = frozenset({DangerousChangeType.ARG_DEFAULT_VALUE_CHANGE})


def refused(old: DocumentNode, new: DocumentNode) -> list[str]:
    """What of a change is no addition, a sentence each."""
    after = build_ast_schema(new)
    before = build_ast_schema(visit(old, _WithoutWithdrawn(after)))
    dangerous = [change for change in find_dangerous_changes(before, after) if change.type in _DANGEROUS]
    breaking = [change.description for change in find_breaking_changes(before, after)]
    return breaking + [change.description for change in dangerous]


class _WithoutWithdrawn(Visitor):
    """Takes out of a document what it calls deprecated and ``after`` has no more: that was announced."""

    def __init__(self, after: GraphQLSchema) -> None:
        super().__init__()
        self._after = after

    def enter_field_definition(self, node: FieldDefinitionNode, *place: Any) -> Any:
        """A field of an object or interface."""
        return self._kept(node, getattr(self._owner(place), "fields", {}))

    def enter_enum_value_definition(self, node: EnumValueDefinitionNode, *place: Any) -> Any:
        """A value of an enumeration."""
        return self._kept(node, getattr(self._owner(place), "values", {}))

    def enter_input_value_definition(self, node: InputValueDefinitionNode, *place: Any) -> Any:
        """A member of an input, or an argument of a field."""
        fields = getattr(self._owner(place), "fields", {})
        field = next((one for one in reversed(place[-1]) if isinstance(one, FieldDefinitionNode)), None)
        if field is None:
            return self._kept(node, fields)
        return self._kept(node, fields[field.name.value].args if field.name.value in fields else {})

    def _owner(self, place: tuple[Any, ...]) -> Any:
        """The type of the new schema that has the name of the one around a node."""
        around = next(one for one in reversed(place[-1]) if isinstance(one, TypeDefinitionNode))
        return self._after.type_map.get(around.name.value)

    def _kept(self, node: Any, there: Mapping[str, Any]) -> Any:
        is_deprecated = any(one.name.value == "deprecated" for one in node.directives or ())
        return REMOVE if is_deprecated and node.name.value not in there else IDLE


def main(arguments: list[str] | None = None) -> int:
    """The command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.sdl_check", description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    given = parser.parse_args(arguments)
    documents = []
    for path in (given.old, given.new):
        try:
            documents.append(parse(path.read_text(encoding="utf-8")))
            build_ast_schema(documents[-1])
        except (OSError, UnicodeDecodeError, GraphQLError, TypeError) as error:
            sys.stderr.write(f"error: {path}: {str(error).splitlines()[0]}\n")
            return 2
    lines = refused(*documents)
    for line in lines:
        sys.stdout.write(f"{line}\n")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
