"""The schema, put together once, and its SDL."""

from __future__ import annotations

from pathlib import Path

import strawberry
from graphql import GraphQLError
from strawberry.types import ExecutionContext

from schema.graphql.access import AccessMutation, AccessQuery
from schema.graphql.cases import Case, CaseMutation, CaseQuery
from schema.graphql.described import output
from schema.graphql.insight import InsightQuery
from schema.graphql.jobs import JobMutation, JobQuery
from schema.graphql.limits import EXTENSIONS, log_errors, name_errors
from schema.graphql.live import LiveSubscription
from schema.graphql.mutations import GameMutation
from schema.graphql.oneoff import OneOffMutation
from schema.graphql.players import Player, PlayerQuery
from schema.graphql.queries import GameQuery
from schema.graphql.reaudits import ReauditMutation
from schema.graphql.scalars import CONFIG
from schema.graphql.types import Event, Game, Hand

#: Where the exported SDL lies; a test holds it to the schema.
SDL_PATH = Path(__file__).resolve().parents[1] / "schema.graphql"


@output
class Query(AccessQuery, CaseQuery, GameQuery, InsightQuery, PlayerQuery, JobQuery):
    """What can be asked."""


@output
class Mutation(AccessMutation, CaseMutation, GameMutation, ReauditMutation, JobMutation, OneOffMutation):
    """What can be done."""


@output
class Subscription(LiveSubscription):
    """What can be followed."""


class _Schema(strawberry.Schema):
    def process_errors(self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None) -> None:
        name_errors(errors)
        log_errors(errors, execution_context)


schema = _Schema(
    Query, Mutation, Subscription, types=[Case, Game, Hand, Event, Player], extensions=EXTENSIONS, config=CONFIG
)


def sdl() -> str:
    """The schema in GraphQL's schema definition language."""
    return schema.as_str().rstrip("\n") + "\n"
