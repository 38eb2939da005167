"""Requests a second of the GraphQL endpoint beside a raw Starlette endpoint over the same rows.

Eight connections on loopback against uvicorn and the embedded PostgreSQL with its safe settings, each server a process
of its own; ours with keys and every limit on. Rounds of all of them in turn, the best of each: other people's work on
the machine should not count. Goal, as ratios in the same run: 0.4 for a step and for a hand with its events, 0.35 for a
page of 100 games. ``raw`` reads through the same port for the same viewer, so that it decides as well who may see what;
``bare`` asks the store alone, and decides nothing.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from benchmarks.api_load import Request, get, post, rate
from benchmarks.api_servers import KINDS, Who, running
from schema.paipu import read
from schema.ports import Role
from schema.ports.access import PrincipalKind
from service.embedded import APPLICATION, OWNER, embedded
from service.store import Store, upgrade
from service.usecases.append import Intake
from service.usecases.folds import Folds
from service.usecases.ingest import ingest
from tests.access.keys import bearer, key_for, principal_for
from tests.usecases.games import game, id_of, lines

pytestmark = pytest.mark.bench

ROUNDS = 5
SECONDS = 1.5
GAMES = 100
STEP = 40

QUERIES = {
    "step": """query($game: String!) { stateAt(game: $game, seq: 40) { ... on State {
      game seq view asSeat table stateHash rulesetDigest engineVersion } } }""",
    "hand": """query($game: String!) {
      hand(game: $game, number: 1) { ... on Hand { id number dealer streak winner win clause factor water deltas
        items { seat code value tile } stateHash } }
      events(game: $game, first: 100) { ... on EventConnection {
        edges { cursor node { id seq type at hand seat isFull leaf head recordedAt body } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }""",
    "page": """query { games(first: 100) { ... on GameConnection {
      edges { cursor node { id game ruleset { id version options digest } seats { seat player } startedAt status
        openedAt closedAt sealedAt eventsCount head verdict isPublic } }
      pageInfo { hasNextPage endCursor } } } }""",
}
#: What only a real answer holds.
EXPECTED = {"step": b'"stateHash":"', "hand": b'"items":[{', "page": b'"many-050"'}
GOALS = {"step": 0.4, "hand": 0.4, "page": 0.35}
ROLES = (Role.SERVER, Role.AUDITOR)


class Setting(NamedTuple):
    """The database, the game that is asked for, and who asks by role: a principal and its key."""

    url: str
    game: str
    keys: dict[Role, tuple[str, str]]


@pytest.fixture(scope="module")
def setting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Setting]:
    folder: Path = tmp_path_factory.mktemp("api")
    with embedded(folder / "data") as server:
        upgrade(server.url(OWNER))
        url = server.url(APPLICATION)
        with Store.connect(url) as store:
            kinds = {Role.SERVER: PrincipalKind.SERVER, Role.AUDITOR: PrincipalKind.PERSON}
            principals = {role: principal_for(store, kind) for role, kind in kinds.items()}
            name = filled(store, principals[Role.SERVER])
            keys = {role: (who, key_for(store, role, principal=who)) for role, who in principals.items()}
        yield Setting(url, name, keys)


def filled(store: Store, owner: str) -> str:
    """Stores a whole game and 99 that have just begun; the whole one's id."""
    intake, documents = Intake(store, Folds(store)), game()
    intake.open_game(documents[0], None, owner)
    intake.append(id_of(documents), 1, None, documents[1:])
    list(ingest(store, read(io.BytesIO(lines(documents)), source="log"), "log"))  # with its audit
    for number in range(GAMES - 1):
        seats = [{"player": f"p{number % 3}-{seat}"} for seat in range(4)]
        intake.open_game({**documents[0], "game": f"many-{number:03d}", "seats": seats}, None, owner)
    return id_of(documents)


def request_of(kind: str, base: str, what: str, setting: Setting, role: Role) -> Request:
    """The request for one of ``QUERIES`` to a server of this kind."""
    if kind != "ours":
        number = STEP if what == "step" else 1
        return get(f"{base}/{what}?game={setting.game}&number={number}", EXPECTED[what])
    body = json.dumps({"query": QUERIES[what], "variables": {"game": setting.game} if what != "page" else {}})
    return post(f"{base}/graphql", body.encode(), EXPECTED[what], bearer(setting.keys[role][1])["authorization"])


@pytest.mark.parametrize("role", ROLES, ids=lambda role: role.value)
def test_requests(setting: Setting, role: Role, report: Callable[[str], None]) -> None:
    who = Who(setting.keys[role][0], role.value)
    best: dict[tuple[str, str], float] = {}
    with ExitStack() as stack:
        bases = {kind: stack.enter_context(running(kind, setting.url, who)) for kind in KINDS}
        for _ in range(ROUNDS):
            for what in QUERIES:
                for kind, base in bases.items():
                    found = rate(base, request_of(kind, base, what, setting, role), SECONDS)
                    best[what, kind] = max(best.get((what, kind), 0.0), found)
    for what in QUERIES:
        ours, raw, bare = (best[what, kind] for kind in KINDS)
        report(
            f"{what} as {role.value}: {ours:,.0f} requests/s; raw {raw:,.0f}, ratio {ours / raw:.2f} "
            f"(goal {GOALS[what]}); bare {bare:,.0f}, ratio {ours / bare:.2f}"
        )
