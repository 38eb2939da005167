"""A deployment with a game that comes in event by event, as a game server sends it, and those who look on."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from schema.graphql import schema
from schema.paipu import read
from schema.ports import PUBLIC, Role, Viewer
from service.api.parts import Parts
from service.embedded import Server
from service.store import Store
from service.store.owners import publish
from service.usecases.audits import verdict_of
from service.usecases.ingest import Stored, ingest
from tests.databases import Database, cloned
from tests.leaks.probes import Answer, Probe, Scene
from tests.leaks.twins import Log, simulated
from tests.usecases.games import id_of, lines

OWNER = Viewer("server-1", frozenset({Role.SERVER}), None, "key-owner")

#: Those to whom a game that is not public does not exist.
STRANGERS: Mapping[str, Viewer] = {
    "public": PUBLIC,
    "foreign player": Viewer("person-x", frozenset({Role.PLAYER}), "stranger", "key-x"),
    "foreign server": Viewer("server-2", frozenset({Role.SERVER}), None, "key-y"),
    "person without role": Viewer("person-y", frozenset(), None, "key-z"),
}
STAFF: Mapping[str, Viewer] = {
    "clerk": Viewer("clerk-1", frozenset({Role.CLERK}), None, "key-c"),
    "auditor": Viewer("auditor-1", frozenset({Role.AUDITOR}), None, "key-u"),
    "analyst": Viewer("analyst-1", frozenset({Role.ANALYST}), None, "key-n"),
    "admin": Viewer("admin-1", frozenset({Role.ADMIN}), None, "key-d"),
    # The person that runs the server, with a key for something else.
    "owner as admin": Viewer("server-1", frozenset({Role.ADMIN}), None, "key-e"),
}


def seat_viewer(log: Log, seat: int, *others: Role) -> Viewer:
    """Who sits at a seat; ``others`` are roles beside being a player."""
    player = log[0]["seats"][seat]["player"]
    return Viewer(f"person-{player}", frozenset({Role.PLAYER, *others}), player, f"key-{seat}")


class World:
    """One deployment: another game lies there, sealed and public, and ``log`` comes in."""

    def __init__(self, database: Database, store: Store, log: Log) -> None:
        self.database = database
        self.store = store
        self.log = log
        self.game = id_of(log)
        self.events = 0
        self.parts = Parts.of(store)

    def feed(self, upto: int, *, is_audited: bool = True) -> None:
        """Takes in events until there are ``upto``, by the same calls as a game server's, and audits them."""
        if not self.events and upto:
            self.parts.intake.open_game(self.log[0], None, OWNER.principal)
            self.events = 1
        if upto > self.events:
            self.parts.intake.append(self.game, self.events, None, self.log[self.events : upto])
            self.events = upto
        if is_audited and self.events:
            verdict_of(self.store, self.game, self.events - 1)

    def ask(self, viewer: Viewer, query: str, variables: Mapping[str, Any]) -> Answer:
        """The whole answer to a viewer, errors included."""
        done = schema.execute_sync(
            query, variable_values=dict(variables), context_value=self.parts.context(viewer, "request-1")
        )
        errors = [error.formatted for error in done.errors or ()]
        return {"data": done.data, "errors": errors}

    def probe(self, viewer: Viewer, probe: Probe) -> Answer:
        """The whole answer to a probe."""
        return self.ask(viewer, probe.query, probe.variables)

    def scene(self, *steps: int) -> Scene:
        """This game as it stands, with steps of interest; the newest is always one."""
        players = tuple(seat["player"] for seat in self.log[0]["seats"])
        known = sorted({step for step in (0, *steps, self.events - 1) if 0 <= step < self.events})
        return Scene(self.game, self.events, players, tuple(known))


def quickly(values: Mapping[str, Any], *chosen: str) -> list[Any]:
    """The names of values as parameters of a test: all but the ``chosen`` ones for long runs only."""
    return [name if name in chosen else pytest.param(name, marks=pytest.mark.slow) for name in values]


BESIDE = simulated("xiamen", 9, 4, hands=1)


def take_in(store: Store, *logs: Log) -> None:
    """Whole games by command, without an owner."""
    done = list(ingest(store, read(io.BytesIO(lines(*logs)), source="log"), "log"))
    assert all(isinstance(outcome, Stored) for outcome in done), done


@contextmanager
def worlds(server: Server, template: str, *logs: Log) -> Iterator[list[World]]:
    """One deployment for each log, alike in everything else."""
    with ExitStack() as stack:
        yield [_world(stack, server, template, log) for log in logs]


def _world(stack: ExitStack, server: Server, template: str, log: Log) -> World:
    database = stack.enter_context(cloned(server, template))
    store = stack.enter_context(Store.connect(database.application_url, unsafe_allowed=True))
    take_in(store, BESIDE)
    publish(store, id_of(BESIDE), "admin-1")
    return World(database, store, log)
