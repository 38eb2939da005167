"""Frames and acts out of what changed from one to the next, by the rule that the field ``replay`` states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def whole(changes: Sequence[Any]) -> Iterator[Any]:
    """Each of them whole."""
    current: Any = None
    for change in changes:
        current = _changed(current, change)
        yield current


def _changed(before: Any, change: Any) -> Any:
    if not isinstance(before, Mapping) or not isinstance(change, Mapping):
        return change
    return {**before, **{name: _changed(before.get(name), value) for name, value in change.items()}}
