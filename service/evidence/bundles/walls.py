"""The step ``shuffle``: what is shown of every hand, against its revealed wall and the seeds that give it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Any, NamedTuple

from replays.clauses import fairness
from replays.events import (
    Dealt,
    DiceRolled,
    Drew,
    Event,
    FlowersReplaced,
    GameStarted,
    GoldFlipped,
    HandStarted,
    SeedsOpened,
    WallRevealed,
)
from replays.finding import Finding
from replays.reducer import Impossible, apply, start
from replays.table import FLIP, SETTLED, TAIL, Table, change
from replays.tiles import Tile
from service.evidence.bundles.case import Case
from service.evidence.bundles.shown import Shown
from service.evidence.bundles.steps import failed, unproven

#: The events that a hand's wall and seeds hang on; nothing of play is needed.
_OF_THE_WALL = (SeedsOpened, DiceRolled, Dealt, FlowersReplaced, GoldFlipped, Drew)
#: Clauses beside F-… that a revealed wall can break.
_WALL_CLAUSES = frozenset({"S-WALL-1", "S-WALL-2", "S-WALL-3", "S-DEAL-1"})


#: What may be missing for the proof of a hand.
_LACKS = ("no_wall", "no_commitment", "hidden_tiles")


class _Hand(NamedTuple):
    """What came out of one hand: what was found, and what is missing for a proof (``""`` where nothing is)."""

    hand: int
    found: tuple[Finding, ...]
    lacks: str


def shuffle(case: Case) -> dict[str, Any]:
    """F-… and S-WALL-3 of every hand whose wall is revealed, as far as its tiles are shown."""
    first = case.events[0].event
    assert isinstance(first, GameStarted)  # or the step of the events has failed
    try:
        before = start(first)
        hands = [_judged(before, hand) for hand in _hands(case.events)]
    except Impossible as error:
        raise failed("cannot_be_applied", reason=str(error)) from None
    faults = [found for hand in hands for found in hand.found]
    if faults:
        places = [f"{found.seq} {found.clause}" for found in faults]
        raise failed("findings", places=places, findings=[_place(found) for found in faults])
    if any(hand.lacks for hand in hands):
        lacking = {lack: [hand.hand for hand in hands if hand.lacks == lack] for lack in _LACKS}
        raise unproven("lacking", proven=[hand.hand for hand in hands if not hand.lacks], **lacking)
    return {"hands": len(hands)}


def _place(found: Finding) -> dict[str, Any]:
    return {"seq": found.seq, "hand": found.hand, "clause": found.clause, "code": found.code}


def _hands(events: Sequence[Shown]) -> Iterator[list[Shown]]:
    """The events of each hand, from its ``hand_started`` on."""
    starts = [place for place, shown in enumerate(events) if isinstance(shown.event, HandStarted)]
    for begin, end in pairwise((*starts, len(events))):
        yield list(events[begin:end])


def _judged(game: Table, hand: Sequence[Shown]) -> _Hand:
    started = hand[0].event
    assert isinstance(started, HandStarted)
    table = apply(game, started)
    found = fairness.judge_commitments(game, started)
    revealed = next((shown.event for shown in hand if isinstance(shown.event, WallRevealed)), None)
    for shown in takewhile(lambda shown: shown.event is not revealed, hand[1:]):
        found += _judge_seeds(table, shown.event)
        if isinstance(shown.event, _OF_THE_WALL):
            table = apply(table, shown.event)
    if isinstance(revealed, WallRevealed):
        hidden = frozenset(shown.document["seq"] for shown in hand if shown.is_hidden)
        found += fairness.judge_wall(_as_the_wall_has_it(table, revealed.wall, hidden), revealed)
    broken = tuple(fault for fault in found if _is_of_the_wall(fault))
    return _Hand(started.hand, broken, _lacks(table, revealed, hand))


def _judge_seeds(table: Table, event: Event | None) -> list[Finding]:
    if isinstance(event, SeedsOpened):
        return fairness.judge_seeds(table, event)
    if isinstance(event, Dealt) and table.client_seeds and not table.deals:
        return fairness.judge_unopened(table, event)
    return []


def _is_of_the_wall(found: Finding) -> bool:
    return found.clause.startswith("F-") or not _WALL_CLAUSES.isdisjoint((found.clause, *found.also))


def _lacks(table: Table, revealed: object, hand: Sequence[Shown]) -> str:
    if revealed is None:
        return "no_wall"
    if fairness.level_of(table) == fairness.NONE:
        return "no_commitment"
    return "hidden_tiles" if any(shown.is_hidden for shown in hand) else ""


def _as_the_wall_has_it(table: Table, wall: tuple[Tile, ...], hidden: frozenset[int]) -> Table:
    """The settled table; what was taken at a hidden event is what the wall gives, so that only what is shown counts."""
    if not hidden:
        return change(table, phase=SETTLED)
    n, size = table.players, table.book.hand_size
    deals = tuple(
        deal._replace(tiles=_dealt(wall, (deal.seat - table.dealer) % n, n, size)) if deal.seq in hidden else deal
        for deal in table.deals
    )
    rest = list(reversed(wall[n * size + 1 :]))
    taken = []
    for code in table.taken:
        expected = _take(code, rest)
        is_given = code >> 16 in hidden and expected is not None
        taken.append(code & ~63 | expected if is_given and expected is not None else code)
    return change(table, phase=SETTLED, deals=deals, taken=tuple(taken))


def _dealt(wall: tuple[Tile, ...], step: int, players: int, size: int) -> tuple[Tile, ...]:
    return tuple(wall[place] for place in fairness.dealt_places(step, players, size) if place < len(wall))


def _take(code: int, rest: list[Tile]) -> Tile | None:
    """The tile that the wall gives for an entry of ``Table.taken``; ``rest`` has the tail first."""
    tile, source, place = code & 63, code >> 6 & 3, code >> 8 & 255
    if not rest:
        return None
    if source == FLIP:
        index = place - 1 if 0 < place <= len(rest) else rest.index(tile) if tile in rest else -1
        return rest.pop(index) if index >= 0 else None
    return rest.pop(0 if source == TAIL else -1)
