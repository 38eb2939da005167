"""The real application over a real database that holds three games: two sound ones, and one with a violation."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from schema.paipu import read
from service.embedded import Server
from service.store import Store
from service.usecases.ingest import ingest
from tests.api.clients import AUDITOR, Client, app_for
from tests.databases import cloned
from tests.usecases.games import Document, game, lines, with_violation

Ask = Callable[..., dict[str, Any]]


#: The games, in the order in which they came in.
GAMES = (game(0, hands=2), with_violation(game(1))[0], game(2))


@pytest.fixture(scope="session")
def games() -> list[list[Document]]:
    """The games of both libraries, in the order in which they came in."""
    return list(GAMES)


@pytest.fixture(scope="session")
def library(postgres: Server, migrated_template: str) -> Iterator[Store]:
    """A store with the games in it, for tests that only read."""
    with (
        cloned(postgres, migrated_template) as made,
        Store.connect(made.application_url, unsafe_allowed=True) as opened,
    ):
        yield _filled(opened)


@pytest.fixture
def own_library(store: Store) -> Store:
    """The same for a test that changes something."""
    return _filled(store)


def _filled(store: Store) -> Store:
    list(ingest(store, read(io.BytesIO(lines(*GAMES)), source="log"), "log"))
    return store


@pytest.fixture(scope="session")
def client(library: Store) -> Client:
    """Speaks to the application over ``library``."""
    return Client(app_for(library, AUDITOR))


@pytest.fixture(scope="session")
def ask(client: Client) -> Ask:
    """Sends a query to it and gives its ``data``."""
    return client.ask


@pytest.fixture
def own_ask(own_library: Store) -> Ask:
    """The same over ``own_library``."""
    return Client(app_for(own_library, AUDITOR)).ask
