"""Subscriptions: what is sent while a game goes on is what the viewer may see at that moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from dataclasses import replace
from typing import Any, cast

import pytest

from schema.graphql import schema
from schema.ports import Viewer
from service.embedded import Server
from service.live.hub import Hub
from service.live.stored import StoredLive
from tests.leaks.probes import UNEXPECTED, Answer, document, plain
from tests.leaks.test_live import CASES, Case, hidden, watchers
from tests.leaks.test_strangers import WATCHERS
from tests.leaks.twins import end_of
from tests.leaks.worlds import OWNER, STRANGERS, World, worlds


def follow(world: World, viewer: Viewer, name: str, variables: Mapping[str, Any], most: int) -> list[Answer]:
    """The first answers of a subscription, ``most`` of them or as many as there are."""
    return asyncio.run(_follow(world, viewer, name, variables, most))


async def _follow(world: World, viewer: Viewer, name: str, variables: Mapping[str, Any], most: int) -> list[Answer]:
    async def recheck() -> Viewer:
        return viewer

    context = world.parts.context(viewer, "request-1")
    live = StoredLive(
        store=world.store,
        hub=Hub(world.store),
        library=context.library,
        cases=context.cases,
        viewer=viewer,
        recheck=recheck,
        request="request-1",
    )
    query, found = document("Subscription", name), list[Answer]()
    given = {argument: value for argument, value in variables.items() if value is not None}
    begun = await schema.subscribe(query, variable_values=given, context_value=replace(context, live=live))
    if not hasattr(begun, "__aiter__"):
        return [{"data": None, "errors": [error.formatted for error in cast(Any, begun).errors]}]
    async with aclosing(cast(Any, begun)) as answers:
        async for answer in cast(AsyncIterator[Any], answers):
            found.append({"data": answer.data, "errors": [error.formatted for error in answer.errors or ()]})
            if len(found) == most:
                break
    return found


@pytest.mark.parametrize("case", CASES[:2], ids=lambda case: f"{case.ruleset}-{case.players}")
def test_events_of_twins_are_sent_alike(postgres: Server, migrated_template: str, case: Case) -> None:
    with worlds(postgres, migrated_template, case.log, hidden(case)) as pair:
        events = end_of(case.log, case.hand)
        for world in pair:
            world.feed(events)
        asked = {"game": pair[0].game}
        for who, viewer in watchers(case, case.log).items():
            left, right = (follow(world, viewer, "gameEvents", asked, events) for world in pair)
            assert plain(left) == plain(right), who
            assert len(left) == (1 if who in STRANGERS else events), who
        left, right = (follow(world, OWNER, "gameEvents", asked, events) for world in pair)
        assert plain(left) != plain(right)


@pytest.mark.parametrize("who", WATCHERS)
def test_following_does_not_tell_strangers_that_there_is_a_game(
    postgres: Server, migrated_template: str, who: str
) -> None:
    case = CASES[0]
    with worlds(postgres, migrated_template, case.log, case.log) as (there, absent):
        there.feed(60)
        viewer = WATCHERS[who]
        for name, variables in (
            ("gameEvents", {"game": there.game}),
            ("gameEvents", {"game": there.game, "after": "x"}),
            ("gameFindings", {"game": there.game}),
            ("findings", {"clause": "S-PASS-1"}),
        ):
            left, right = (follow(world, viewer, name, variables, 1) for world in (there, absent))
            assert plain(left) == plain(right), name
            assert len(left) == 1
            assert UNEXPECTED not in str(left), name
