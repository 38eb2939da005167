"""Who runs which game, remembered: that is settled when a game is opened, and never changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock


class Owners:
    """The owners of games as far as they were met. May be used from any thread."""

    def __init__(self, *, capacity: int = 100_000) -> None:
        self._capacity = capacity
        self._lock = Lock()
        self._kept: OrderedDict[str, str] = OrderedDict()

    def runs(self, principal: str | None, game: str) -> bool:
        """Whether the principal is known to run the game; ``False`` says nothing."""
        return principal is not None and self._kept.get(game) == principal

    def learn(self, principal: str, games: Iterable[str]) -> None:
        """Remembers who runs games; those that were learnt first are forgotten where there are too many."""
        with self._lock:
            self._kept |= dict.fromkeys(games, principal)
            while len(self._kept) > self._capacity:
                self._kept.popitem(last=False)
