"""Who may see which event of a game in full (S-VIEW-1).

It hangs on the course of the game: which hand is under way, and of which hands the whole wall lies open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from replays.events import Event, GameStarted, HandStarted, WallRevealed
from replays.reducer import Impossible, apply, start
from replays.rows import DURING
from replays.table import BETWEEN, DEALING, FINISHED, OVER, SETTLED, Table
from schema.paipu.formats import EXTENSION, PRIVATE


@dataclass(frozen=True)
class Sight:
    """What the receivers of a game's bundle may see, by the place of an event.

    ``under_way`` is the place of the ``hand_started`` of the hand that is being played, the number of events where
    none is; ``opened`` says of each event whether the whole wall of its hand has been revealed, ``private`` whether it
    is an act that a seat was offered, or declined: for nobody else, not even after the hand. ``begun`` are the places
    where the game and its hands begin.
    """

    under_way: int
    opened: tuple[bool, ...]
    private: tuple[bool, ...]
    begun: tuple[int, ...]

    def may_see(self, place: int, document: Mapping[str, Any], seat: int | None) -> bool:
        """Whether ``seat`` (``None``: one who may see the whole game) sees the full form of an event that is not
        public as it stands.

        One who may see the whole game sees everything but the hand under way. A seat sees what is its own; of others
        what their hands hold once the wall lies open, and never what they were offered or declined, nor ``x_`` members.
        """
        if seat is None:
            return place < self.under_way or self.opened[place]
        if document.get("seat") == seat:
            return True
        return self.opened[place] and not self.private[place] and not _has_free_members(document)


def sight(events: Sequence[Event], *, is_over: bool) -> Sight:
    """What the course of a game opens; no hand is under way in one that ``is_over``.

    After an event that cannot be applied nothing more is opened, and a hand that was under way stays so.
    ``Impossible`` where the first event starts no game.
    """
    first, *others = events
    if not isinstance(first, GameStarted):
        raise Impossible("a log begins with game_started")
    course = Course(start(first))
    for event in others:
        try:
            course.follow(event)
        except Impossible:
            break
    return course.sight(events, is_over)


class Course:
    """Follows a game event by event (``Impossible`` as ``apply``).

    ``under_way`` is the place of the ``hand_started`` of the hand that is being played, ``None`` where none is;
    ``begun`` are the places where hands begin.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.begun = [0]
        self.is_open = [False]
        self.under_way: int | None = None
        self.place = 0

    def follow(self, event: Event) -> None:
        before, self.table = self.table, apply(self.table, event)
        self.place += 1
        if _begins_hand(before, event):
            self._begin(before)
        elif _opens_wall(before, event):
            self.is_open[-1] = True
        if self.table.phase in (BETWEEN, FINISHED):
            self.under_way = None

    def _begin(self, before: Table) -> None:
        """Where the rest of a hand is missing, the next one begins; until that has ended, both stay closed."""
        self.begun.append(self.place)
        self.is_open.append(False)
        if self.under_way is None or before.phase in (OVER, SETTLED):
            self.under_way = self.place

    def sight(self, events: Sequence[Event], is_over: bool) -> Sight:
        ends = [*self.begun[1:], len(events)]
        opened: list[bool] = []
        for end, is_open in zip(ends, self.is_open, strict=True):
            opened += [is_open] * (end - len(opened))
        under_way = len(events) if is_over or self.under_way is None else self.under_way
        private = tuple(isinstance(event, PRIVATE) for event in events)
        return Sight(under_way, tuple(opened), private, tuple(self.begun))


def _begins_hand(before: Table, event: Event) -> bool:
    """Whether the fold takes this as a new hand: a ``hand_started`` astray within another one changes nothing."""
    return isinstance(event, HandStarted) and (before.phase not in (DEALING, *DURING) or event.hand == before.hand + 1)


def _opens_wall(before: Table, event: Event) -> bool:
    if not isinstance(event, WallRevealed) or before.phase not in (OVER, SETTLED):
        return False
    return tuple(sorted(event.wall)) == before.book.wall


def _has_free_members(document: Mapping[str, Any]) -> bool:
    return any(member.startswith(EXTENSION) for member in document)
