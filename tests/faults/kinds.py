"""What a planted fault is: where it was put, and how it must be found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

from replays.shuffle import Stream
from tests.faults.logs import Log

_T = TypeVar("_T")

_WIDE = 256


class Planted(NamedTuple):
    """A log with one fault in it, at the event ``at``. ``others`` are later events at which it may be found
    instead: the first one that cannot be right because of it."""

    events: list[Any]
    at: int
    others: tuple[int, ...] = ()

    @property
    def seqs(self) -> tuple[int, ...]:
        """The ``seq`` at which the fault may be found."""
        return tuple(self.events[index].seq for index in (self.at, *self.others))

    @property
    def hand(self) -> int | None:
        """The hand that the fault is in."""
        hand: int | None = self.events[self.at].hand
        return hand


Plant: TypeAlias = Callable[[Log, Stream], Planted | None]


class Fault(NamedTuple):
    """One kind of fault: the clauses under which it may be found, how it is planted, in which forms of a log
    (``logs.FORMS``), in whose games (``logs.TABLES``) or scenarios, one after the other, and the most findings that
    one such fault may make.

    ``reaches`` is how many findings may come in hands after its own, where scores or dealers cannot but differ.
    """

    clauses: tuple[str, ...]
    plant: Plant
    forms: tuple[str, ...] = ("bare",)
    tables: tuple[str, ...] = ("ordinary",)
    most: int = 1
    reaches: int = 0


def pick(stream: Stream, items: Sequence[_T]) -> _T | None:
    """One of ``items`` by chance, ``None`` where there is none."""
    if not items:
        return None
    if len(items) <= _WIDE:
        return items[stream.uniform(len(items))]
    return items[(stream.uniform(_WIDE) * _WIDE + stream.uniform(_WIDE)) % len(items)]
