"""The same over HTTP: status, headers and bodies of every route that tells of games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from schema.ports import Viewer
from service.embedded import Server
from service.usecases.notary import Notary
from service.web.pages import PAGES
from tests.api.clients import Client, app_for
from tests.leaks.probes import differences, plain, sample
from tests.leaks.test_live import CASES, hidden, watchers
from tests.leaks.test_strangers import WATCHERS
from tests.leaks.twins import end_of
from tests.leaks.worlds import OWNER, World, quickly, worlds
from tests.usecases.sealed import forgetful

CASE = CASES[0]
EVENTS = end_of(CASE.log, CASE.hand)

#: Routes that tell of one game or many, as they are asked here; cases and subscriptions have tests of their own.
OF_GAMES = ("/graphql", "/export", "/games/{game:path}/bundle", "/bundle")
#: What is about no game, holds hashes of seals only, or needs what the asker was given before. Pages are the same for
#: everybody: what they show they ask for by the other routes.
OF_OTHERS = frozenset(
    [
        *"/graphql/stream /healthz /readyz /metrics /checkpoint /tile/{path:path} /cases/{case}/export".split(),
        *"/session /session/provider /ingest /bundles/{token} /audit /exports/{job}".split(),
        "/static/{digest}/{path:path}",
        *(page.path for page in PAGES),
    ]
)
#: Headers that hang on the clock, or on how long a body is.
_OWN = frozenset(
    "date content-length x-request-id x-mingpai-complete-until ratelimit-remaining ratelimit-reset".split()
)


def _told(answer: httpx.Response) -> Any:
    """What an answer says, without what differs between any two games."""
    headers = {name: value for name, value in answer.headers.items() if name not in _OWN}
    try:
        body = plain(answer.json())
    except ValueError:
        body = [plain(json.loads(line)) for line in answer.text.splitlines()]
    return {"status": answer.status_code, "headers": headers, "body": body}


def _paths(game: str) -> Iterator[str]:
    yield "/export?max=10"
    yield f"/export?id={game}"
    yield f"/export?after={game}"
    for seat in ("", "0", "1", "2", "3", "4"):
        yield f"/games/{game}/bundle" + (f"?seat={seat}" if seat else "")
        yield f"/bundle?game={game}" + (f"&seat={seat}" if seat else "")


#: Requests of the same name: it stands in the record of readings, and is random otherwise.
_NAMED = {"x-request-id": "twin"}


def _asked(world: World, viewer: Viewer, notary: Notary | None = None, turn: int = 0) -> Iterator[tuple[str, Any]]:
    client = Client(app_for(world.store, viewer, notary))
    for path in _paths(world.game):
        yield path, _told(client.request("GET", path, headers=_NAMED))
    for probe in sample(world.scene(20), turn, 40):
        body = {"query": probe.query, "variables": dict(probe.variables)}
        yield probe.name, _told(client.request("POST", "/graphql", json=body, headers=_NAMED))


def _assert_alike(one: Iterator[tuple[str, Any]], other: Iterator[tuple[str, Any]], who: str) -> None:
    for (name, left), (_, right) in zip(one, other, strict=True):
        assert not list(differences(left, right)), f"{who}: {name}"


def test_every_route_is_thought_of(postgres: Server, migrated_template: str) -> None:
    with worlds(postgres, migrated_template, CASE.log) as (world,):
        app = app_for(world.store, OWNER)
        assert isinstance(app, Starlette)
        paths = {getattr(route, "path", str(route)) for route in app.routes}
    assert paths - set(OF_GAMES) <= OF_OTHERS


@pytest.mark.parametrize("who", quickly(watchers(CASE, CASE.log), "own seat", "clerk"))
def test_twins_are_alike(postgres: Server, migrated_template: str, who: str) -> None:
    viewer = watchers(CASE, CASE.log)[who]
    with worlds(postgres, migrated_template, CASE.log, hidden(CASE)) as pair:
        for world in pair:
            world.feed(EVENTS)
        _assert_alike(_asked(pair[0], viewer), _asked(pair[1], viewer), who)
        assert list(_asked(pair[0], OWNER)) != list(_asked(pair[1], OWNER))


@pytest.mark.parametrize("who", quickly(WATCHERS, "public", "foreign server"))
def test_to_strangers_there_is_no_game(postgres: Server, migrated_template: str, who: str) -> None:
    with worlds(postgres, migrated_template, CASE.log, CASE.log) as (there, absent):
        there.feed(EVENTS)
        scene = there.scene(20)
        viewer = WATCHERS[who]
        clients = [Client(app_for(world.store, viewer)) for world in (there, absent)]
        for path in _paths(there.game):
            left, right = (_told(client.request("GET", path)) for client in clients)
            assert left == right, path
        for probe in sample(scene, len(who), 40):
            body = {"query": probe.query, "variables": dict(probe.variables)}
            left, right = (_told(client.request("POST", "/graphql", json=body)) for client in clients)
            assert left == right, probe.name


# -- Bundles need a store on which something is signed -----------------------------------------------------------------


@pytest.fixture
def proven(durable: Server, durable_template: str, tmp_path: Path) -> Iterator[list[tuple[World, Notary]]]:
    """Twins in the middle of a hand, each with its own keys."""
    with worlds(durable, durable_template, CASE.log, hidden(CASE)) as pair:
        for world in pair:
            world.feed(EVENTS)
        yield [(world, forgetful(world.store, tmp_path / f"{place}.json")) for place, world in enumerate(pair)]


def _bundle(world: World, notary: Notary, viewer: Viewer, seat: int | None) -> Any:
    """What a bundle shows: its events as they are shown, and its report; salts and hashes are any game's own."""
    query = f"/games/{world.game}/bundle" + ("" if seat is None else f"?seat={seat}")
    answer = Client(app_for(world.store, viewer, notary)).request("GET", query)
    if answer.status_code != 200:
        return answer.status_code, answer.json()
    bundle = answer.json()
    events = [{name: value for name, value in one.items() if name not in ("salt", "rest")} for one in bundle["events"]]
    return answer.status_code, [plain(one) for one in events], plain(bundle["report"]), bundle["ruleset"]


@pytest.mark.parametrize("who", ["own seat", "own seat, also auditor", "auditor", "clerk", "public"])
def test_bundles_of_twins_show_the_same(proven: list[tuple[World, Notary]], who: str) -> None:
    viewer = watchers(CASE, CASE.log)[who]
    for seat in (None, *range(CASE.players), 9):
        left, right = (_bundle(world, notary, viewer, seat) for world, notary in proven)
        assert left == right, f"seat {seat}"


def test_bundles_of_the_owner_show_what_differs(proven: list[tuple[World, Notary]]) -> None:
    """Of other seats: only they have their own tiles in their bundles."""
    found = [[_bundle(world, notary, OWNER, seat) for seat in range(CASE.players)] for world, notary in proven]
    assert found[0] != found[1]
    assert found[0][CASE.seat] == found[1][CASE.seat]


def _link(world: World, notary: Notary, viewer: Viewer, seat: int | None) -> Any:
    client = Client(app_for(world.store, viewer, notary))
    query = """mutation($game: String!, $seat: Int) { createBundleLink(game: $game, seat: $seat, expiresIn: 600) {
      __typename ... on BundleLink { path } ... on Problem { code message } } }"""
    made = client.ask(query, game=world.game, seat=seat)["createBundleLink"]
    if "path" not in made:
        return made
    answer = Client(app_for(world.store, WATCHERS["public"], notary)).request("GET", made["path"])
    body = answer.json()
    return answer.status_code, [one.get("full") for one in body.get("events", ())], plain(body.get("report"))


@pytest.mark.parametrize("who", ["own seat", "auditor"])
def test_links_of_twins_show_the_same(proven: list[tuple[World, Notary]], who: str) -> None:
    viewer = watchers(CASE, CASE.log)[who]
    for seat in (None, *range(CASE.players)):
        left, right = (_link(world, notary, viewer, seat) for world, notary in proven)
        assert left == right, f"seat {seat}"
