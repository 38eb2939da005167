"""Seats rotate: the same game with its seats renamed in a circle has the same report, renamed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from replays.audit import audit
from replays.events import Act, Item
from replays.finding import Finding
from replays.variants import REGISTRY
from tests.laws.games import few_games, law
from tests.laws.play import Played

#: Members that name a seat, and members with one value a seat.
ONE = frozenset({"seat", "from_", "by", "dealer", "first_dealer"})
EACH = frozenset({"scores", "deltas", "seats"})


class Circle(NamedTuple):
    """Every seat of ``seats`` moved ``by`` places."""

    seats: int
    by: int

    def seat(self, seat: int) -> int:
        return (seat + self.by) % self.seats

    def each(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """Values a seat."""
        return tuple(values[(i - self.by) % self.seats] for i in range(self.seats))

    def event(self, event: Any) -> Any:
        changed = {name: self._member(name, value) for name, value in zip(event._fields, event, strict=True)}
        return event._replace(**changed)

    def _member(self, name: str, value: Any) -> Any:
        if value is None:
            return value
        if name in ONE:
            return self.seat(value)
        if name in EACH:
            return self.each(value)
        if isinstance(value, Act):
            return self._act(value)
        if isinstance(value, tuple) and any(isinstance(part, Act | Item) for part in value):
            return tuple(self._act(part) if isinstance(part, Act) else self.item(part) for part in value)
        return value

    def _act(self, act: Act) -> Act:
        return act if act.from_ is None else act._replace(from_=self.seat(act.from_))

    def item(self, item: Item) -> Item:
        return item._replace(seat=self.seat(item.seat))

    def finding(self, found: Finding) -> tuple[Any, ...]:
        seat = None if found.seat is None else self.seat(found.seat)
        values = self._values(found.expected), self._values(found.recorded)
        return (found.seq, found.hand, seat, found.clause, found.code, *values, found.also)

    def _values(self, values: Any) -> Any:
        """JSON values of a finding."""
        if isinstance(values, Mapping):
            return {name: self._value(name, value) for name, value in sorted(values.items())}
        if isinstance(values, list):
            return [self._values(value) for value in values]
        return tuple(map(self._values, values)) if type(values) is tuple else values

    def _value(self, name: str, value: Any) -> Any:
        if name in {"seat", "from", "by", "dealer"} and isinstance(value, int) and not isinstance(value, bool):
            return self.seat(value)
        if name in {"deltas", "scores"}:
            return list(self.each(value))
        if name in {"locked_by", "seats"} and isinstance(value, list):
            return sorted(map(self.seat, value))
        if name == "items":
            return [tuple(self.item(Item(*item))) for item in value]
        return self._values(value)


def check(events: Sequence[Any], circle: Circle) -> int:
    """Compares the reports of a log and of the same log renamed; how much was found."""
    one, two = audit(events), audit([circle.event(event) for event in events])
    assert (one.verdict, one.unproven, one.error) == (two.verdict, two.unproven, two.error)
    assert circle.each(one.scores) == two.scores
    assert len(one.hands) == len(two.hands)
    for a, b in zip(one.hands, two.hands, strict=True):
        assert (a.win, a.clause, a.factor, a.water, a.streak) == (b.win, b.clause, b.factor, b.water, b.streak)
        assert circle.each(a.deltas) == b.deltas
        assert sorted(map(repr, map(circle.item, a.items))) == sorted(map(repr, b.items))
        assert b.dealer == circle.seat(a.dealer)
        assert b.winner == (None if a.winner is None else circle.seat(a.winner))
    still = Circle(circle.seats, 0)
    assert sorted(map(repr, map(circle.finding, one.findings))) == sorted(map(repr, map(still.finding, two.findings)))
    return len(one.findings)


@law
def test_clean_logs(game: Played) -> None:
    for by in range(1, game.players):
        assert check(game.events, Circle(game.players, by)) == 0


FAULTS = ("tile", "seat", "dealer", "scores", "deltas", "drop", "swap", "options", "win", "items")


def spoilt(game: Played, fault: str) -> list[Any]:
    """The log of a game with one fault in it."""
    events, source = list(game.events), game.stream(f"fault {fault}")
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
    value, n, wins = getattr(event, fault), game.players, game.tables[0].book.wins
    others: dict[str, Callable[[], Any]] = {
        "tile": lambda: (value + 1 + source.uniform(33)) % 34,
        "seat": lambda: (value + 1 + source.uniform(n - 1)) % n,
        "dealer": lambda: (value + 1 + source.uniform(n - 1)) % n,
        "scores": lambda: (*value[1:], value[0] + 1),
        "deltas": lambda: (*value[1:], value[0] + 1),
        "options": lambda: value[1:],
        "win": lambda: wins[source.uniform(len(wins))],
        "items": lambda: value[1:],
    }
    events[seq] = event._replace(**{fault: others[fault]()})
    return events


@law
def test_logs_with_a_fault(game: Played) -> None:
    """Two kinds of faults a game, all of them in turn."""
    for step in (0, len(FAULTS) // 2):
        fault = FAULTS[(game.number // 2 + step) % len(FAULTS)]
        check(spoilt(game, fault), Circle(game.players, 1 + game.number % (game.players - 1)))


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("ruleset", REGISTRY)
def test_a_fault_is_found(ruleset: str, fault: str) -> None:
    """So that the law above compares findings, and not two clean reports."""
    games = (game for some in few_games(ruleset) for game in some.played())
    assert any(audit(spoilt(game, fault)).findings for game in games)
