"""Faults of the log itself: numbers, clock, order of events, totals (G-SEQ-1, G-TIME-1, G-ORDER-1, G-SCORE-1)."""

from __future__ import annotations

from typing import Any

from replays import events as ev
from replays.shuffle import Stream
from replays.table import TURN
from service.simulator.recorder import clock
from tests.faults.edits import changed, changed_each, hand_span, places, rechained, renumbered, spliced
from tests.faults.kinds import Fault, Plant, Planted, pick
from tests.faults.logs import Log


def _any_place(log: Log, stream: Stream) -> int:
    index = pick(stream, range(1, len(log.events)))
    assert index is not None
    return index


# -- seq and clock -----------------------------------------------------------------------------------------------------


def _shifted(log: Log, index: int, by: int) -> Planted:
    moved = [event._replace(seq=event.seq + by) for event in log.events[index:]]
    return Planted([*log.events[:index], *moved], index)


def seq_gap(log: Log, stream: Stream) -> Planted:
    """Numbers left out."""
    return _shifted(log, _any_place(log, stream), 1 + stream.uniform(9))


def seq_repeat(log: Log, stream: Stream) -> Planted:
    """A number used twice."""
    return _shifted(log, _any_place(log, stream), -1)


def clock_backwards(log: Log, stream: Stream) -> Planted | None:
    """One event earlier than the one before it."""
    index = _any_place(log, stream)
    at = clock(0) if stream.uniform(2) else log.events[index - 1].at[:-4] + "000Z"
    if at >= log.events[index - 1].at:
        return None
    return Planted(changed_each(log, {index: {"at": at}}), index)


# -- Order -------------------------------------------------------------------------------------------------------------


def _of(log: Log, kind: str) -> list[int]:
    """The events of a type; of several flips in a hand the last, after which there is none."""
    found = [index for index, event in enumerate(log.events) if event.type == kind]
    return [index for index in found if kind != "gold_flipped" or log.tables[index + 1].phase == TURN]


def doubled(kind: str) -> Plant:
    """An event recorded twice, one right after the other."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        index = pick(stream, _of(log, kind))
        if index is None:
            return None
        return Planted(spliced(log, index, index, log.events[index]), index + 1)

    return plant


def moved(kind: str, before: tuple[str, ...]) -> Plant:
    """An event of a hand moved to just before an earlier one."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        index = pick(stream, _of(log, kind))
        if index is None:
            return None
        begin, _ = hand_span(log, index)
        to = next((i for i in range(begin, index) if log.events[i].type in before), None)
        if to is None:
            return None
        events = [*log.events[:to], log.events[index], *log.events[to:index], *log.events[index + 1 :]]
        return Planted(renumbered(events), to)

    return plant


def delayed(kind: str, after: str) -> Plant:
    """An event of a hand moved to just after the next event of another kind; it is found there."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        index = pick(stream, _of(log, kind))
        if index is None:
            return None
        _, end = hand_span(log, index)
        to = next((i for i in range(index, end) if log.events[i].type == after), None)
        if to is None:
            return None
        events = [*log.events[:index], *log.events[index + 1 : to + 1], log.events[index], *log.events[to + 1 :]]
        return Planted(renumbered(events), to)

    return plant


def gold_after_discard(log: Log, stream: Stream) -> Planted | None:
    """The gold flipped after the first discard: that discard cannot be right."""
    planted = delayed("gold_flipped", "discarded")(log, stream)
    return None if planted is None else planted._replace(at=planted.at - 1)


def seeds_after_the_deal(log: Log, stream: Stream) -> Planted | None:
    """Players' secrets opened when a seat has its tiles already: found there, or where they are opened."""
    planted = delayed("seeds_opened", "dealt")(log, stream)
    return None if planted is None else planted._replace(at=planted.at - 1, others=(planted.at,))


def strayed(kind: str) -> Plant:
    """A copy of one of the hand's (or the game's) own events, which belongs elsewhere, in the middle of its play."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        to = pick(stream, [index for index, _, _ in places(log, ev.Drew)])
        if to is None:
            return None
        begin, end = hand_span(log, to)
        copied = next((event for event in (*log.events[begin:end], log.events[-1]) if event.type == kind), None)
        return None if copied is None else Planted(spliced(log, to, to, copied), to)

    return plant


def between_hands(kind: str) -> Plant:
    """A copy of an event of a hand after the hand has ended."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        index = pick(stream, _of(log, kind))
        if index is None:
            return None
        _, end = hand_span(log, index)
        return Planted(spliced(log, end, end, log.events[index]), end)

    return plant


def after_the_game(kind: str) -> Plant:
    """A copy of an event after ``game_ended``."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = [event for event in log.events if event.type == kind]
        event = pick(stream, found)
        if event is None:
            return None
        return Planted(renumbered([*log.events, event]), len(log.events))

    return plant


def presence_after_the_game(log: Log, stream: Stream) -> Planted:
    """Nothing follows ``game_ended``, not even somebody who leaves."""
    seat = stream.uniform(len(log.tables[0].seats))
    event = ev.PresenceChanged(0, log.events[-1].at, None, seat, "left")
    return Planted(renumbered([*log.events, event]), len(log.events))


def other_hand(log: Log, stream: Stream) -> Planted | None:
    """An event under the number of another hand."""
    found = [i for i, _, event in places(log, ev.Drew | ev.Discarded | ev.Punged | ev.Settled)]
    index = pick(stream, found)
    if index is None:
        return None
    return Planted(changed(log, index, hand=(log.events[index].hand or 0) + 1 + stream.uniform(3)), index)


# -- Totals ------------------------------------------------------------------------------------------------------------


def _off(scores: tuple[int, ...], stream: Stream) -> tuple[int, ...]:
    seat, by = stream.uniform(len(scores)), 1 + stream.uniform(50)
    return (*scores[:seat], scores[seat] + by, *scores[seat + 1 :])


def wrong_scores(kind: str) -> Plant:
    """Scores that do not follow in one event alone."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        index = pick(stream, _of(log, kind))
        if index is None:
            return None
        event: Any = log.events[index]
        return Planted(changed(log, index, scores=_off(event.scores, stream)), index)

    return plant


def carried_scores(log: Log, stream: Stream) -> Planted | None:
    """Scores that do not follow at the end of a hand, and that the server goes on from."""
    index = pick(stream, [index for index, _, _ in places(log, ev.HandEnded)])
    if index is None:
        return None
    ended: Any = log.events[index]
    scores = _off(ended.scores, stream)
    first: Any = log.events[0]
    rest = rechained([first._replace(scores=scores), *log.events[index + 1 :]])[1:]
    return Planted([*log.events[:index], ended._replace(scores=scores), *rest], index)


_ORDER = ("G-ORDER-1",)
_ALL = ("full", "seeded", "bare", "examples")
_PLAY = (
    "drew", "discarded", "punged", "konged", "flowers_replaced", "won", "exhausted", "settled", "dealt",
    "dice_rolled", "gold_flipped",
)  # fmt: skip
_RECORDED = ("passed", "turn_prompted", "seeds_opened", "wall_revealed")
#: What may not come in the middle of play, and how many findings it may make.
_STRAYED = {
    "hand_started": 10,
    "dealt": 3,
    "dice_rolled": 1,
    "gold_flipped": 3,
    "settled": 2,
    "hand_ended": 3,
    "game_ended": 3,
}

SHARED: dict[str, Fault] = {
    "seq gap": Fault(("G-SEQ-1",), seq_gap, _ALL),
    "seq repeat": Fault(("G-SEQ-1",), seq_repeat, _ALL),
    "clock backwards": Fault(("G-TIME-1",), clock_backwards, _ALL),
    "hand started twice": Fault(_ORDER, doubled("hand_started"), ("bare", "full"), most=2),
    "seeds opened twice": Fault(_ORDER, doubled("seeds_opened"), ("full",)),
    "gold flipped twice": Fault(_ORDER, doubled("gold_flipped"), ("bare",)),
    "won twice": Fault(_ORDER, doubled("won"), ("bare", "full")),
    "exhausted twice": Fault(_ORDER, doubled("exhausted"), ("bare",), ("patient",)),
    "settled twice": Fault(_ORDER, doubled("settled"), ("bare", "full")),
    "wall revealed twice": Fault(_ORDER, doubled("wall_revealed"), ("full", "walls")),
    "hand ended twice": Fault(_ORDER, doubled("hand_ended"), ("bare", "full")),
    "game ended twice": Fault(_ORDER, doubled("game_ended"), ("bare", "full")),
    "settled before won": Fault(_ORDER, moved("settled", ("won", "exhausted")), ("bare", "full")),
    "hand ended before settled": Fault(_ORDER, moved("hand_ended", ("settled",)), ("bare", "full"), most=3),
    "wall revealed during play": Fault(_ORDER, moved("wall_revealed", ("discarded",)), ("full", "walls")),
    "wall revealed before settled": Fault(_ORDER, moved("wall_revealed", ("settled",)), ("full", "walls")),
    "dice after the deal": Fault(_ORDER, delayed("dice_rolled", "dealt"), ("bare", "full")),
    "seeds opened after the deal": Fault((*_ORDER, "F-SEED-1"), seeds_after_the_deal, ("full",), most=2),
    "gold flipped after a discard": Fault(_ORDER, gold_after_discard, ("bare",), most=3),
    "other hand's number": Fault(_ORDER, other_hand, ("bare", "passes")),
    "presence after the game": Fault(_ORDER, presence_after_the_game, ("bare", "full")),
    **{
        f"{kind} in the middle of play": Fault(_ORDER, strayed(kind), ("bare",), most=most)
        for kind, most in _STRAYED.items()
    },
    "seeds_opened in the middle of play": Fault(_ORDER, strayed("seeds_opened"), ("full",)),
    "wall_revealed in the middle of play": Fault(_ORDER, strayed("wall_revealed"), ("walls", "full")),
    **{f"{kind} between hands": Fault(_ORDER, between_hands(kind), ("bare",), most=2) for kind in _PLAY},
    **{f"{kind} between hands": Fault(_ORDER, between_hands(kind), ("full",)) for kind in _RECORDED},
    **{
        f"{kind} after the game": Fault(_ORDER, after_the_game(kind), ("bare",), most=4)
        for kind in ("hand_started", "drew", "discarded", "won", "settled", "hand_ended")
    },
    "scores at the start of a hand": Fault(("G-SCORE-1",), wrong_scores("hand_started"), _ALL, most=2),
    "scores at the end of a hand": Fault(("G-SCORE-1",), wrong_scores("hand_ended"), _ALL, most=2, reaches=1),
    "scores carried on": Fault(("G-SCORE-1",), carried_scores, _ALL),
    "final scores": Fault(("G-SCORE-1",), wrong_scores("game_ended"), _ALL),
}

XIAMEN: dict[str, Fault] = {
    "chowed between hands": Fault(_ORDER, between_hands("chowed"), ("bare",), most=2),
    "claim_overridden between hands": Fault(_ORDER, between_hands("claim_overridden"), ("full",)),
}

LONGYAN: dict[str, Fault] = {
    "claim_overridden between hands": Fault(
        _ORDER, between_hands("claim_overridden"), ("full",), ("rob-gold-before-pung", "rob-gold-nearest-3")
    ),
}
