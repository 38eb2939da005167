"""Pages by place: the conditions and the order of a statement that reads one window of a list."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar

from schema.ports import Window

_Row = TypeVar("_Row")


class Keyset(NamedTuple):
    """Parts of a statement: conditions to be joined with AND, its end from ORDER BY on, and the values of both."""

    conditions: list[str]
    tail: str
    values: dict[str, Any]


def keyset(window: Window[Any], columns: Sequence[str], *, newest_first: bool = False) -> Keyset:
    """The parts for a list that is ordered by ``columns`` together, downward where ``newest_first``.

    ``columns`` are SQL of the program's own; places hold one value for each. Rows of a backward window come from its
    end, and ``in_order`` turns them round.
    """
    names = f"({', '.join(columns)})"
    conditions, values = [], {"limit": window.limit}
    for side, place, is_above in (("after", window.after, not newest_first), ("before", window.before, newest_first)):
        if place is not None:
            marks = [f"{side}_{number}" for number in range(len(columns))]
            values |= dict(zip(marks, place, strict=True))
            conditions.append(f"{names} {'>' if is_above else '<'} ({', '.join(f'%({mark})s' for mark in marks)})")
    direction = " DESC" if newest_first != window.is_backward else ""
    order = ", ".join(column + direction for column in columns)
    return Keyset(conditions, f" ORDER BY {order} LIMIT %(limit)s", values)


def place_text(moment: datetime) -> str:
    """A moment as places have it: RFC 3339 UTC with microseconds, for no two places may become one."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def by_moment(window: Window[Any]) -> Window[Any]:
    """The window with moments for the texts with which its places begin."""
    after, before = (
        None if place is None else (datetime.fromisoformat(place[0]), *place[1:])
        for place in (window.after, window.before)
    )
    return Window(window.limit, after, before, window.is_backward)


def in_order(window: Window[Any], rows: Sequence[_Row]) -> Sequence[_Row]:
    """The rows of a window in the list's own order."""
    return rows[::-1] if window.is_backward else rows
