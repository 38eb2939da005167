"""The schema, put together once, and its SDL."""

from __future__ import annotations

from pathlib import Path

import strawberry
from graphql import GraphQLError
from strawberry.types import ExecutionContext

from schema.graphql.described import output
from schema.graphql.limits import EXTENSIONS, log_errors, name_errors
from schema.graphql.mutations import GameMutation
from schema.graphql.queries import GameQuery
from schema.graphql.scalars import CONFIG
from schema.graphql.types import Event, Game, Hand

#: Where the exported SDL lies; a test holds it to the schema.
SDL_PATH = Path(__file__).resolve().parents[1] / "schema.graphql"


@output
class Query(GameQuery):
    """What can be asked."""


@output
class Mutation(GameMutation):
    """What can be done."""


class _Schema(strawberry.Schema):
    def process_errors(self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None) -> None:
        name_errors(errors)
        log_errors(errors, execution_context)


schema = _Schema(Query, Mutation, types=[Game, Hand, Event], extensions=EXTENSIONS, config=CONFIG)


def sdl() -> str:
    """The schema in GraphQL's schema definition language."""
    return schema.as_str().rstrip("\n") + "\n"
