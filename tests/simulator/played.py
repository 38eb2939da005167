"""Scenarios as played: their events with the tables between them, and what was refused at those."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from replays.events import Act, Event
from replays.reducer import apply, start
from replays.referee import why_not
from replays.rulebook import Violation
from replays.table import Table
from service.simulator import scenario


@cache
def played(name: str) -> tuple[Event, ...]:
    """The events of a scenario."""
    return tuple(scenario(name, 1))


def steps(name: str) -> Iterator[tuple[Table, Any]]:
    """Every event with the table before it."""
    events = played(name)
    table = start(events[0])  # type: ignore[arg-type]
    for event in events[1:]:
        yield table, event
        table = apply(table, event)


def of(name: str, kind: type) -> list[tuple[Table, Any]]:
    """Every event of a kind with the table before it."""
    return [(table, event) for table, event in steps(name) if isinstance(event, kind)]


def violation(table: Table, seat: int, act: Act) -> Violation:
    """What forbids an act that must be forbidden."""
    found = why_not(table, seat, act)
    assert found is not None
    return found


def refused(table: Table, seat: int, act: Act) -> tuple[str, str]:
    """Clause and code of what forbids an act that must be forbidden."""
    found = violation(table, seat, act)
    return found.clause, found.code
