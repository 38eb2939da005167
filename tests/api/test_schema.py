"""The exported SDL is the schema's, and the enumerations are complete."""

from __future__ import annotations

from enum import Enum

import pytest
from graphql import GraphQLInterfaceType, GraphQLUnionType, build_schema, validate_schema
from graphql.type import GraphQLEnumType

from replays.audit import CLEAN, INCOMPLETE, UNREADABLE, VIOLATIONS
from replays.events import TYPES
from schema.catalogue import LANGUAGES
from schema.graphql import SDL_PATH, sdl
from schema.graphql.enums import EventType, Lang, Verdict


def test_exported_sdl_is_the_schemas() -> None:
    assert SDL_PATH.read_text(encoding="utf-8") == sdl(), "run python -m schema.graphql"


def test_sdl_is_valid() -> None:
    assert validate_schema(build_schema(SDL_PATH.read_text(encoding="utf-8"))) == []


def test_every_result_has_an_error_or_two() -> None:
    built = build_schema(sdl())
    problem = built.type_map["Problem"]
    assert isinstance(problem, GraphQLInterfaceType)
    errors = set(built.get_implementations(problem).objects)
    unions = [kind for kind in built.type_map.values() if isinstance(kind, GraphQLUnionType)]
    assert unions
    for union in unions:
        assert len([kind for kind in union.types if kind not in errors]) == 1, union.name
        assert any(kind in errors for kind in union.types), union.name


def test_enumerations_are_upper_case() -> None:
    own = [kind for name, kind in build_schema(sdl()).type_map.items() if not name.startswith("__")]
    for kind in own:
        if isinstance(kind, GraphQLEnumType):
            assert all(name == name.upper() for name in kind.values), kind.name


@pytest.mark.parametrize(
    ("kind", "words"),
    [(EventType, (*TYPES, "private")), (Lang, LANGUAGES), (Verdict, (CLEAN, VIOLATIONS, INCOMPLETE, UNREADABLE))],
)
def test_enumerations_are_complete(kind: type[Enum], words: tuple[str, ...]) -> None:
    assert [member.value for member in kind] == list(words)
