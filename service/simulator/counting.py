"""What came up in simulated games: the ways to win, and the acts that lead there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from replays import events as ev
from replays.events import Event


@dataclass
class Counts:
    """Sums over games. ``wins`` by the way in the log; ``acts`` by kind: ``discard``, ``chow``, ``pung``, the kinds of
    kong, ``gold`` (a gold discarded), ``double_you`` and ``triple_you`` (upgrades), ``robbed`` (a kong), ``pass``,
    ``timeout``, ``overridden``, ``declare`` and ``flower``; ``lines`` by the clause: hands in which the settlement has
    lines of it."""

    games: int = 0
    hands: int = 0
    events: int = 0
    exhausted: int = 0
    voided: int = 0
    wins: Counter[str] = field(default_factory=Counter)
    acts: Counter[str] = field(default_factory=Counter)
    lines: Counter[str] = field(default_factory=Counter)

    def add(self, other: Counts) -> None:
        """Adds another's sums to these."""
        for name in ("games", "hands", "events", "exhausted", "voided"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.wins += other.wins
        self.acts += other.acts
        self.lines += other.lines

    def rows(self, ways: Iterable[str]) -> list[tuple[str, int]]:
        """The summary for people: every way of ``ways`` (those of a rule book), also one that did not come up, then
        hands without a winner and voided ones."""
        return [*((way, self.wins[way]) for way in ways), ("exhausted", self.exhausted), ("voided", self.voided)]


def count_wins(events: Iterable[Event]) -> Counts:
    """The sums of one game or several."""
    counts = Counts()
    golds: list[int] = []
    was_added = False
    for event in events:
        counts.events += 1
        kind = event.__class__
        if kind is ev.HandStarted:
            golds = []
        elif isinstance(event, ev.GoldFlipped):
            golds.append(event.gold)
        elif isinstance(event, ev.Won):
            counts.wins[event.win] += 1
            counts.acts["robbed"] += was_added and event.from_ is not None
        elif isinstance(event, ev.Discarded):
            _count_discard(counts, event, golds)
        elif kind in _ACTS:
            counts.acts[_ACTS[kind]] += 1
        elif isinstance(event, ev.Konged):
            counts.acts[event.kind] += 1
        elif isinstance(event, ev.Settled):
            counts.lines.update({item.code for item in event.items or ()})
        if isinstance(event, ev.Passed):
            counts.acts["timeout"] += bool(event.auto)
        if kind in _SUMS:
            setattr(counts, _SUMS[kind], getattr(counts, _SUMS[kind]) + 1)
        if kind not in _BESIDE:
            was_added = isinstance(event, ev.Konged) and event.kind == "added"
    return counts


def _count_discard(counts: Counts, event: ev.Discarded, golds: list[int]) -> None:
    counts.acts["discard"] += 1
    counts.acts["gold"] += event.tile in golds
    if event.level is not None:
        counts.acts[event.level] += 1


_ACTS: dict[type, str] = {
    ev.Chowed: "chow",
    ev.Punged: "pung",
    ev.Passed: "pass",
    ev.ClaimOverridden: "overridden",
    ev.Declared: "declare",
    ev.FlowersReplaced: "flower",
}
_SUMS: dict[type, str] = {
    ev.GameStarted: "games",
    ev.HandStarted: "hands",
    ev.Exhausted: "exhausted",
    ev.Voided: "voided",
}
#: What may stand between a kong and its robbing.
_BESIDE = frozenset({ev.TurnPrompted, ev.Passed, ev.ClaimOverridden})
