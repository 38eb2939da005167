"""Giving up what a request asked of the database: its time is over, and nobody waits for the answer any more."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Any

import psycopg

from service.store.errors import StoreError

_LOG = logging.getLogger("mingpai.store")
_CANCEL_SECONDS = 5.0  #: for the server to take note of a cancellation


class GivenUpError(StoreError):
    """The request for which this was to be done is over."""


class Deadline:
    """What one request uses of the database, so that it can be stopped from outside. May be used from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._in_use: list[psycopg.Connection[Any]] = []
        self.is_over = False

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Connections that this thread takes meanwhile are the request's."""
        token = _CURRENT.set(self)
        try:
            yield
        finally:
            _CURRENT.reset(token)

    def expire(self) -> None:
        """Cancels the statements that run for the request, and refuses it any further one.

        No connection goes back to the pool while its cancellation is under way, so it never hits a later statement.
        """
        with self._lock:
            self.is_over = True
            for connection in self._in_use:
                try:
                    connection.cancel_safe(timeout=_CANCEL_SECONDS)
                except psycopg.Error as error:
                    _LOG.warning("a statement could not be cancelled: %s", error)

    def take(self, connection: psycopg.Connection[Any]) -> None:
        """A connection goes to the request; ``GivenUpError`` once that is over."""
        with self._lock:
            if self.is_over:
                raise GivenUpError("the request is over")
            self._in_use.append(connection)

    def give_back(self, connection: psycopg.Connection[Any]) -> None:
        """The request is done with the connection."""
        with self._lock:
            if connection in self._in_use:
                self._in_use.remove(connection)


_CURRENT: ContextVar[Deadline | None] = ContextVar("deadline", default=None)


def taken(connection: psycopg.Connection[Any], *_: object) -> None:
    """Listens to a pool: a connection is taken out of it."""
    deadline = _CURRENT.get()
    if deadline is not None:
        deadline.take(connection)


def given_back(connection: psycopg.Connection[Any] | None, *_: object) -> None:
    """Listens to a pool: a connection comes back to it, ``None`` for one that is lost."""
    deadline = _CURRENT.get()
    if deadline is not None and connection is not None:
        deadline.give_back(connection)
