"""Games that go on: opened and appended to as a game server does it, and what of them others may see."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import psycopg

from replays.audit import audit
from replays.events import GameEnded
from schema.paipu import history
from schema.report import report_document
from service.evidence.bundles.sight import sight
from service.store import Store
from service.usecases.append import Intake
from service.usecases.folds import Folds
from tests.usecases.games import Document, id_of

OWNER = "server-1"


class LiveGame:
    """A game that is appended to step by step."""

    def __init__(self, store: Store, documents: list[Document], owner: str | None = OWNER) -> None:
        self.id = id_of(documents)
        self.documents = documents
        self._store = store
        self._intake = Intake(store, Folds(store))
        self._intake.open_game(documents[0], None, owner)
        self.events = 1

    def append(self, count: int = 1) -> int:
        """The next events, fewer at the end; how many there are now."""
        batch = self.documents[self.events : self.events + count]
        if batch:
            self._intake.append(self.id, self.events, None, batch)
            self.events += len(batch)
        return self.events

    def stored(self) -> int:
        """How many events are stored."""
        return self._store.game(self.id).next_seq

    def rest(self) -> None:
        """All events to the end."""
        self.append(len(self.documents))

    def to_hand(self, number: int, steps: int) -> None:
        """Into the hand of this number, ``steps`` events after its ``hand_started``."""
        begun = next(one["seq"] for one in self.documents if one["type"] == "hand_started" and one["hand"] == number)
        self.append(begun + 1 + steps - self.events)


def report_of(store: Store, game: str, events: int | None = None) -> dict[str, Any]:
    """What ``mingpai audit`` says of the first events of a stored game."""
    return report_document(audit(list(history(store.bodies(game)))[:events]))


def settled_of(store: Store, game: str, events: int | None = None) -> tuple[int, dict[str, Any]]:
    """The last event that everybody who sees the game may have audited, and the report up to it."""
    known = list(history(store.bodies(game)))[:events]
    upto = sight(known, is_over=isinstance(known[-1], GameEnded)).under_way
    return upto - 1, report_document(audit(known[:upto]))


def live_rows(database_url: str, game: str) -> list[tuple[int, bool, dict[str, Any]]]:
    """The kept audits of all events of a game: up to where, whether a hand ends there, the report."""
    statement = "SELECT seq, is_hand_end, report FROM mingpai.live_audits WHERE game = %s ORDER BY seq"
    with psycopg.connect(database_url) as connection:
        return [(seq, is_end, json.loads(text)) for seq, is_end, text in connection.execute(statement, (game,))]


def hand_ends(documents: Sequence[Document]) -> Iterator[int]:
    """Where hands end."""
    return (one["seq"] for one in documents if one["type"] == "hand_ended")
