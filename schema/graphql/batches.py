"""One statement for a whole page: what hangs on each of its items is read for all of them when one is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from schema.ports import Window

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Batch(Generic[_Key, _Value]):
    """What ``load`` gives for the keys of one page, read at the first question and kept for the others."""

    def __init__(self, keys: Sequence[_Key], load: Callable[[Sequence[_Key]], Mapping[_Key, _Value]]) -> None:
        self._keys = keys
        self._load = load
        self._found: Mapping[_Key, _Value] | None = None

    def get(self, key: _Key) -> _Value | None:
        """The value of one key, ``None`` where it has none."""
        if self._found is None:
            self._found = self._load(self._keys)
        return self._found.get(key)


class Windows(Generic[_Key, _Value]):
    """The same for a connection on each of the items: ``load`` gives the rows of one window for each of the keys.

    A cursor is good for one item only, so a window with one is read for that item alone.
    """

    def __init__(
        self, keys: Sequence[_Key], load: Callable[[Sequence[_Key], Window[Any]], Mapping[_Key, Sequence[_Value]]]
    ) -> None:
        self._keys = keys
        self._load = load
        self._found: dict[Window[Any], Mapping[_Key, Sequence[_Value]]] = {}

    def get(self, key: _Key, window: Window[Any]) -> Sequence[_Value]:
        """The rows of one key."""
        if window.after is not None or window.before is not None:
            return self._load([key], window).get(key, ())
        if window not in self._found:
            self._found[window] = self._load(self._keys, window)
        return self._found[window].get(key, ())
