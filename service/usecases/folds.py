"""Tables of stored games at any step, folded from the stored rows by the engine and kept for the next question."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from replays.events import Event, GameStarted
from replays.reducer import apply, start
from replays.table import Table
from schema.paipu import FORMAT, decode
from service.store import Store
from service.store.errors import UnknownGameError
from service.usecases.errors import SeqRangeError

_STRIDE = 64  #: events between two tables that are kept
_READ = 512  #: events read at once, at least


class Folds:
    """Answers ``at`` from what it has folded before as far as possible. May be used from any thread.

    Stored events never change, so what is kept never grows stale; the games asked for longest ago are dropped once
    more than ``capacity`` events are kept.
    """

    def __init__(self, store: Store, *, capacity: int = 200_000) -> None:
        self._store = store
        self._capacity = capacity
        self._lock = Lock()
        self._folds: OrderedDict[str, _Fold] = OrderedDict()

    def at(self, game: str, seq: int) -> Table:
        """The table of ``game`` after event ``seq``. Raises ``UnknownGameError``, ``SeqRangeError``."""
        fold = self._asked(game, seq)
        return fold.at(seq)

    def tables(self, game: str, first: int, last: int) -> list[Table]:
        """The tables of ``game`` after events ``first`` to ``last``. Raises ``UnknownGameError``, ``SeqRangeError``."""
        fold = self._asked(game, last)
        found = [fold.at(first)]
        for event in fold.events[first + 1 : last + 1]:
            found.append(apply(found[-1], event))
        return found

    def events(self, game: str, count: int) -> list[Event]:
        """The first ``count`` events of ``game``. Raises ``UnknownGameError``, ``SeqRangeError``."""
        return self._asked(game, count - 1).events[:count]

    def format_of(self, game: str) -> str:
        """The version of the log format in which ``game`` is written. Raises ``UnknownGameError``."""
        return self._asked(game, 0).format

    def _asked(self, game: str, seq: int) -> _Fold:
        """The fold of a game, up to event ``seq`` at least."""
        with self._lock:
            fold = self._folds.setdefault(game, _Fold(game))
            self._folds.move_to_end(game)
        try:
            fold.reach(self._store, seq)
            return fold
        finally:
            self._shrink()

    def _shrink(self) -> None:
        with self._lock:
            for unknown in [game for game, fold in self._folds.items() if not fold.events]:
                del self._folds[unknown]
            kept = sum(len(fold.events) for fold in self._folds.values())
            while kept > self._capacity and len(self._folds) > 1:
                kept -= len(self._folds.popitem(last=False)[1].events)


class _Fold:
    """One game as far as it was folded: its events, and the table after every ``_STRIDE``-th of them."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.events: list[Event] = []
        self.tables: list[Table] = []
        self._newest: Table | None = None
        self._lock = Lock()

    @property
    def format(self) -> str:
        """The version in which the game is written."""
        first = self.events[0] if self.events else None
        return first.format if isinstance(first, GameStarted) else FORMAT

    def reach(self, store: Store, seq: int) -> None:
        with self._lock:
            if seq >= len(self.events) or not self.events:
                self._extend(store, max(seq + 1 - len(self.events), _READ))
        if not self.events:
            raise UnknownGameError(f"no game {self.game}")
        if not 0 <= seq < len(self.events):
            raise SeqRangeError(self.game, seq, len(self.events) - 1)

    def _extend(self, store: Store, count: int) -> None:
        for stored in store.events(self.game, len(self.events) - 1, count):
            event = decode(stored.body, format=self.format).event
            self._newest = _next(self._newest, event)
            if stored.seq % _STRIDE == 0:
                self.tables.append(self._newest)
            self.events.append(event)

    def at(self, seq: int) -> Table:
        nearest = seq // _STRIDE
        table = self.tables[nearest]
        for event in self.events[nearest * _STRIDE + 1 : seq + 1]:
            table = apply(table, event)
        return table


def _next(table: Table | None, event: Event) -> Table:
    if table is not None:
        return apply(table, event)
    assert isinstance(event, GameStarted)  # the store keeps no game that begins otherwise
    return start(event)
