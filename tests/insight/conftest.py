"""The application over a store with finished games, and with one whose hand is under way, as each viewer sees it."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from schema.paipu import document, read
from schema.ports import Role, Viewer
from service.embedded import Server
from service.simulator.games import simulate_game
from service.store import Store
from service.usecases.append import Intake
from service.usecases.folds import Folds
from service.usecases.ingest import ingest
from tests.api.clients import AUDITOR, Client, app_for
from tests.databases import cloned
from tests.usecases.games import Document, game, lines, with_violation

Asks = Callable[..., dict[str, Any]]

OWNER = Viewer("server-1", frozenset({Role.SERVER}), None, "key-1")
OTHER_SERVER = Viewer("server-2", frozenset({Role.SERVER}), None, "key-9")

#: Finished: two sound games of both rule sets, and one in which a payment is wrong.
SOUND = game(0, hands=2)
WRONG, WRONG_AT = with_violation(game(1))
SECOND: list[Document] = [document(event) for event in simulate_game("longyan", 7, 2, hands=3)]

#: Under way: a game of which the events of one hand are stored as far as somebody's third discard.
LIVE = game(2)
CUT = [one["seq"] for one in LIVE if one["type"] == "discarded"][2] + 1


def player(documents: list[Document], seat: int) -> Viewer:
    """Who sits at a seat."""
    return Viewer(f"person-{seat}", frozenset({Role.PLAYER}), documents[0]["seats"][seat]["player"], f"key-p{seat}")


@pytest.fixture(scope="session")
def insight_store(postgres: Server, migrated_template: str) -> Iterator[Store]:
    """A store with the games in it, for tests that only read."""
    with (
        cloned(postgres, migrated_template) as made,
        Store.connect(made.application_url, unsafe_allowed=True) as opened,
    ):
        list(ingest(opened, read(io.BytesIO(lines(SOUND, WRONG, SECOND)), source="log"), "log"))
        intake = Intake(opened, Folds(opened))
        intake.open_game(LIVE[0], None, OWNER.principal)
        intake.append(str(LIVE[0]["game"]), 1, None, LIVE[1:CUT])
        yield opened


@pytest.fixture(scope="session")
def ask_as(insight_store: Store) -> Callable[[Viewer], Asks]:
    """Queries as a viewer sends them."""
    return lambda viewer: Client(app_for(insight_store, viewer)).ask


@pytest.fixture(scope="session")
def ask(ask_as: Callable[[Viewer], Asks]) -> Asks:
    """Queries of an auditor."""
    return ask_as(AUDITOR)
