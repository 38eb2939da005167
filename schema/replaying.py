"""A hand to be stepped through: its tables, events and legal acts as one document, for pages and programs that show it.

A frame is the picture of the table after a step (``replays.view.picture``) with what lies between pictures: rivers with
their marks, and the wall by its slots. Of every frame but the first only what changed is written: an object stands for
the members in it that changed, anything else for itself. No member ever vanishes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from replays.events import Act, Event, HandStarted
from replays.finding import act_document
from replays.rivers import Rivers, Thrown
from replays.table import FLIP, HEAD, NOTHING, TAIL, Table
from replays.tiles import CODES
from replays.view import SPECTATOR, picture

#: Members of a seat that a picture leaves out where they are not to be seen.
_SEEN_ONLY = {"declared_you": None, "in_doubt": None}


class Span(NamedTuple):
    """The steps of a hand: those before the first hand are its, those after a hand belong to that hand."""

    number: int
    first: int
    last: int


class Step(NamedTuple):
    """One step as somebody sees it: ``eyes`` are a seat, a ``SPECTATOR``, or ``None`` for one who sees all. ``at`` is
    the time of the last event that these eyes know of, ``event`` the step's own as they see it; ``acts`` the legal
    acts of the seats that they look over the shoulder of."""

    table: Table
    rivers: Rivers
    eyes: int | None
    at: str
    event: Mapping[str, Any]
    acts: Mapping[int, Sequence[Act]]


def spans(events: Sequence[Event], begun: Sequence[int]) -> list[Span]:
    """The hands of a game whose hands began at the places ``begun`` (the first of which is the game's own start)."""
    starts = [0, *begun[2:]]
    ends = [start - 1 for start in starts[1:]] + [len(events) - 1]
    names = [*begun[1:]] or [0]
    return [Span(_number(events[name]), first, last) for name, first, last in zip(names, starts, ends, strict=True)]


def _number(event: Event) -> int:
    return event.hand if isinstance(event, HandStarted) else 1


def span_of(found: Sequence[Span], *, hand: int | None = None, seq: int | None = None) -> Span | None:
    """The hand of this number, or that a step is in; the first one where neither is asked for. Of several hands that a
    log gives one number the first."""
    if hand is None and seq is None:
        return found[0]
    return next(
        (one for one in found if one.number == hand or (seq is not None and one.first <= seq <= one.last)), None
    )


def frames(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """The frames of steps, each but the first as what changed."""
    return _told([frame(step) for step in steps])


def offered(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """The legal acts after each step by seat, each but the first as what changed; a seat without any has none."""
    seats = sorted({seat for step in steps for seat in step.acts})
    whole = [{str(seat): [act_document(act) for act in step.acts.get(seat, ())] for seat in seats} for step in steps]
    return _told(whole)


def _told(whole: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return whole[:1] + [changes(before, after) for before, after in pairwise(whole)]


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """What of ``after`` is not as in ``before``, which has no other members."""
    return {name: _change(before.get(name), value) for name, value in after.items() if before.get(name, after) != value}


def _change(before: Any, after: Any) -> Any:
    is_inside = isinstance(before, dict) and isinstance(after, dict)
    return changes(before, after) if is_inside else after


def frame(step: Step) -> dict[str, Any]:
    """The whole frame of a step."""
    shown = picture(step.table, step.eyes)
    seats = {str(one["seat"]): _seat(step, one) for one in shown["seats"]}
    return {**shown, "at": step.at, "view": view_of(step.eyes), "wall": wall(step.table), "seats": seats}


def view_of(eyes: int | None) -> str:
    """How much of a table these eyes see: ``all``, what a ``seat`` could see, or a ``spectator``."""
    return "all" if eyes is None else "spectator" if eyes == SPECTATOR else "seat"


def _seat(step: Step, shown: Mapping[str, Any]) -> dict[str, Any]:
    seat = shown["seat"]
    knows_draws = step.eyes in (None, seat)
    return {**_SEEN_ONLY, **shown, "river": [_thrown(one, knows_draws) for one in step.rivers[seat]]}


def _thrown(one: Thrown, knows_draws: bool) -> dict[str, Any]:
    return {
        "tile": CODES[one.tile],
        "seq": one.seq,
        "drawn": one.is_drawn if knows_draws else None,
        "claimed": None if one.claimed == NOTHING else one.claimed,
    }


def wall(table: Table) -> dict[str, Any]:
    """The wall of the hand by its slots, which are in drawing order (S-WALL-1): ``head`` and ``tail`` are how many
    slots are gone from either end, ``flipped`` the slots whose tiles were flipped, where that is on record; ``stay`` is
    how many tiles are never drawn (X-DRAW-1, L-DRAW-1)."""
    size = len(table.book.wall)
    slots = list(range(min(size, sum(len(deal.tiles) for deal in table.deals)), size))
    slots.reverse()  # counted from the tail, as flips are
    flipped = []
    for code in table.taken:
        source, place = code >> 6 & 3, code >> 8 & 255
        if source == FLIP and 0 < place <= len(slots):
            flipped.append(slots.pop(place - 1))
        elif source == HEAD and slots:
            slots.pop()
        elif source == TAIL and slots:
            slots.pop(0)
    ends = (slots[-1], size - 1 - slots[0]) if slots else (size, 0)
    return {"size": size, "head": ends[0], "tail": ends[1], "flipped": flipped, "stay": table.book.dead_wall}
