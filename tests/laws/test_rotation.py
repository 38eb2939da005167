"""Seats rotate: the same game with its seats renamed in a circle has the same report, renamed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from replays.audit import audit
from replays.events import Act, Item
from replays.finding import Finding
from tests.laws.games import Numbers, over_games
from tests.laws.play import random_game, stream

SEATS = 4
#: Members that name a seat, and members with one value a seat.
ONE = frozenset({"seat", "from_", "by", "dealer", "first_dealer"})
EACH = frozenset({"scores", "deltas", "seats"})


def circled(values: Sequence[Any], by: int) -> tuple[Any, ...]:
    return tuple(values[(i - by) % SEATS] for i in range(SEATS))


def renamed(event: Any, by: int) -> Any:
    """The event with every seat moved ``by`` places."""
    changed: dict[str, Any] = {}
    for name, value in zip(event._fields, event, strict=True):
        if name in ONE and value is not None:
            changed[name] = (value + by) % SEATS
        elif name in EACH and value is not None:
            changed[name] = circled(value, by)
        elif name == "options" and isinstance(value, tuple):
            changed[name] = tuple(_act(act, by) for act in value)
        elif isinstance(value, Act):
            changed[name] = _act(value, by)
    return event._replace(**changed)


def _act(act: Act, by: int) -> Act:
    return act if act.from_ is None else act._replace(from_=(act.from_ + by) % SEATS)


def renamed_items(items: Sequence[Item], by: int) -> list[Item]:
    return [item._replace(seat=(item.seat + by) % SEATS) for item in items]


def renamed_finding(found: Finding, by: int) -> tuple[Any, ...]:
    seat = None if found.seat is None else (found.seat + by) % SEATS
    return (
        found.seq,
        found.hand,
        seat,
        found.clause,
        found.code,
        _values(found.expected, by),
        _values(found.recorded, by),
    )


def _values(values: Any, by: int) -> Any:
    """JSON values of a finding with their seats moved."""
    if isinstance(values, Mapping):
        return {name: _value(name, value, by) for name, value in sorted(values.items())}
    if isinstance(values, list):
        return [_values(value, by) for value in values]
    return values


def _value(name: str, value: Any, by: int) -> Any:
    if name in {"seat", "from", "by", "dealer"} and isinstance(value, int) and not isinstance(value, bool):
        return (value + by) % SEATS
    if name in {"deltas", "scores"}:
        return list(circled(value, by))
    if name in {"locked_by", "seats"} and isinstance(value, list):
        return sorted((seat + by) % SEATS for seat in value)
    return _values(value, by)


def check(events: Sequence[Any], by: int, number: int) -> int:
    one, two = audit(events), audit([renamed(event, by) for event in events])
    assert (one.verdict, one.unproven, one.error) == (two.verdict, two.unproven, two.error), number
    assert circled(one.scores, by) == two.scores
    assert len(one.hands) == len(two.hands)
    for a, b in zip(one.hands, two.hands, strict=True):
        assert (a.win, a.clause, a.factor, a.water, a.streak) == (b.win, b.clause, b.factor, b.water, b.streak)
        assert circled(a.deltas, by) == b.deltas
        assert sorted(renamed_items(a.items, by), key=repr) == sorted(b.items, key=repr)
        assert b.dealer == (a.dealer + by) % SEATS
        assert b.winner == (None if a.winner is None else (a.winner + by) % SEATS)
    found = sorted((renamed_finding(one, by) for one in one.findings), key=repr)
    assert found == sorted((renamed_finding(one, 0) for one in two.findings), key=repr), number
    return len(found)


@over_games(few=60)
def test_clean_logs(numbers: Numbers, passes: bool) -> None:
    for number in numbers:
        for by in (1, 2, 3):
            assert check(random_game(number, passes=passes).events, by, number) == 0


FAULTS = ("tile", "seat", "dealer", "scores", "deltas", "drop", "swap", "options")


def spoilt(number: int, passes: bool, fault: str) -> list[Any]:
    """A random game with one fault in it."""
    events = list(random_game(number, passes=passes).events)
    source = stream(number, f"fault {fault}")
    some = [e.seq for e in events[1:-1] if fault in {"drop", "swap"} or getattr(e, fault, None) not in (None, ())]
    if not some:
        return events
    seq = some[(source.uniform(256) << 8 | source.uniform(256)) % len(some)]
    event = events[seq]
    if fault == "drop":
        return [e for e in events if e.seq != seq]
    if fault == "swap":
        events[seq], events[seq + 1] = events[seq + 1], events[seq]
        return events
    value = getattr(event, fault)
    others: dict[str, Callable[[], Any]] = {
        "tile": lambda: (value + 1 + source.uniform(33)) % 34,
        "seat": lambda: (value + 1 + source.uniform(3)) % SEATS,
        "dealer": lambda: (value + 1 + source.uniform(3)) % SEATS,
        "scores": lambda: circled(value, 1),
        "deltas": lambda: circled(value, 1),
        "options": lambda: value[1:],
    }
    events[seq] = event._replace(**{fault: others[fault]()})
    return events


@pytest.mark.parametrize("fault", FAULTS)
@over_games(few=60, many=200)
def test_logs_with_a_fault(numbers: Numbers, passes: bool, fault: str) -> None:
    found = 0
    for number in numbers:
        found += check(spoilt(number, passes, fault), 1 + number % 3, number)
    assert found or fault == "options"
