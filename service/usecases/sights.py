"""What the course of stored games opens to whom, kept as long as a game stands as it stood."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

from service.evidence.bundles.sight import Sight, sight
from service.usecases.folds import Folds


class _Key(NamedTuple):
    game: str
    events: int
    is_over: bool


class Sights:
    """Answers ``of`` anew only where a game has gone on. May be used from any thread."""

    def __init__(self, folds: Folds, *, capacity: int = 1000) -> None:
        self._folds = folds
        self._capacity = capacity
        self._lock = Lock()
        self._kept: OrderedDict[_Key, Sight] = OrderedDict()

    def of(self, game: str, events: int, *, is_over: bool) -> Sight:
        """What the first ``events`` events of a game open; ``is_over`` says that it has ended.

        Raises ``UnknownGameError``, ``SeqRangeError``.
        """
        key = _Key(game, events, is_over)
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        made = sight(self._folds.events(game, events), is_over=is_over)
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > self._capacity:
                self._kept.popitem(last=False)
        return made
