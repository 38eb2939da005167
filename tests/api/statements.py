"""What a store sends to its database, seen at the driver."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import psycopg
from sqlalchemy import event

from service.store import Store


class Sent(NamedTuple):
    """A statement as it was sent."""

    text: str
    values: Any


@contextmanager
def listening(store: Store) -> Iterator[list[Sent]]:
    """The statements that the store sends meanwhile, by whichever connection of its pool."""
    sent: list[Sent] = []

    class Listening(psycopg.Cursor[Any]):
        def execute(self, query: Any, params: Any = None, **rest: Any) -> Any:
            sent.append(Sent(str(query), params))
            return super().execute(query, params, **rest)

    def listen(driver: psycopg.Connection[Any], *_: object) -> None:
        driver.cursor_factory = Listening

    def leave(driver: psycopg.Connection[Any], *_: object) -> None:
        driver.cursor_factory = psycopg.Cursor

    event.listen(store._engine, "checkout", listen)
    event.listen(store._engine, "checkin", leave)
    try:
        yield sent
    finally:
        event.remove(store._engine, "checkout", listen)
        event.remove(store._engine, "checkin", leave)
