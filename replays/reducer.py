"""The fold: ``apply(table, event)`` is the table after the event, as recorded, right or wrong.

It never judges. An event that breaks a rule is applied as far as the record allows: a tile that a seat cannot have
had marks that seat's hand as in doubt, and the rest goes on. Only what cannot be applied at all is ``Impossible``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from replays import events as ev
from replays.clauses.ending import is_between
from replays.dealing import (
    dealt,
    dice_rolled,
    flowers_replaced,
    gold_flipped,
    hand_started,
    seeds_opened,
)
from replays.playing import claimed, declared, discarded, drew, konged, passed, won
from replays.rows import (
    DURING,
    I_DEALER,
    I_DELTAS,
    I_IS_REVEALED,
    I_PHASE,
    I_SCORES,
    I_STREAK,
    IN_HAND,
    Impossible,
    after,
    new,
    noted,
    out_of_place,
    replaced,
    require_length,
)
from replays.rulebook import Memory, OptionError, Rulebook
from replays.settle import without_winner
from replays.table import (
    BETWEEN,
    DEALING,
    FINISHED,
    FLOWERS,
    NOTHING,
    OVER,
    PLAYING,
    SETTLED,
    VOIDED,
    Outcome,
    Table,
    change,
)  # fmt: skip
from replays.variants import rulebook

__all__ = ["CHANGES", "Impossible", "apply", "changes", "start"]

Change: TypeAlias = Callable[[Table, Any], Table]


def start(event: ev.GameStarted) -> Table:
    """The table at the beginning of a game.

    Raises ``Impossible`` for an unknown rule set, version or option, or a number of seats the game is not for.
    """
    try:
        book = rulebook(event.ruleset, event.version, event.options)
    except OptionError as error:
        raise Impossible(str(error)) from error
    n = len(event.seats)
    if n not in book.players:
        allowed = " or ".join(str(players) for players in book.players)
        raise Impossible(f"rule set {book.id} is for {allowed} seats, not {n}")
    scores = (0,) * n if event.scores is None else event.scores
    if len(scores) != n or event.first_dealer >= n:
        raise Impossible(f"scores and first_dealer must fit {n} seats")
    if event.seq != 0:
        raise Impossible("game_started must have seq 0")
    return Table(
        book=book,
        game=event.game,
        seats=event.seats,
        records=event.records,
        commitment=event.commitment,
        seq=0,
        at=event.at,
        phase=BETWEEN,
        scores=scores,
        hand=0,
        dealer=event.first_dealer,
        streak=0,
    )


def apply(table: Table, event: ev.Event) -> Table:
    """The table after ``event``; raises ``Impossible`` where there is none."""
    return changes(table.book)[event.__class__](table, event)


def _exhausted(table: Table, event: ev.Exhausted) -> Table:
    return change(
        table,
        seq=event.seq,
        at=event.at,
        phase=OVER if table.deltas is None else SETTLED,
        outcome=Outcome(NOTHING, None, settlement=without_winner(table)),
        answered=0,
    )


def _settled(table: Table, event: ev.Settled) -> Table:
    require_length(table, event.deltas, "deltas")
    n = after(table, event)
    if table.phase == OVER:
        n[I_PHASE] = SETTLED
    n[I_DELTAS] = event.deltas
    return new(Table, n)


def _hand_ended(table: Table, event: ev.HandEnded) -> Table:
    require_length(table, event.scores, "scores")
    n = after(table, event)
    n[I_PHASE] = BETWEEN
    n[I_SCORES] = event.scores
    n[I_DEALER], n[I_STREAK] = table.book.next_dealer(table)
    return new(Table, n)


def _voided(table: Table, event: ev.Voided) -> Table:
    return change(table, seq=event.seq, at=event.at, phase=OVER, outcome=VOIDED, deltas=None, answered=0)


def _game_ended(table: Table, event: ev.GameEnded) -> Table:
    require_length(table, event.scores, "scores")
    if event.reason == "finished" and not is_between(table):
        return noted(table, event)
    return change(table, seq=event.seq, at=event.at, phase=FINISHED, scores=event.scores)


def _wall_revealed(table: Table, event: ev.WallRevealed) -> Table:
    n = after(table, event)
    n[I_IS_REVEALED] = True
    return new(Table, n)


def _presence_changed(table: Table, event: ev.PresenceChanged) -> Table:
    return out_of_place(table, event)


def _started_again(table: Table, event: ev.GameStarted) -> Table:
    raise Impossible("the game has started before")


def _within(phases: tuple[int, ...], change: Change) -> Change:
    """``change`` for an event that belongs into ``phases`` and names a seat of the game, or none."""

    def checked(table: Table, event: Any) -> Table:
        if table.phase not in phases or (event.seat is not None and event.seat >= len(table.seats)):
            return out_of_place(table, event)
        return change(table, event)

    return checked


#: How each kind of event changes the table.
CHANGES: dict[type, Change] = {
    ev.GameStarted: _started_again,
    ev.HandStarted: hand_started,
    ev.SeedsOpened: _within(IN_HAND, seeds_opened),
    ev.DiceRolled: _within((DEALING, FLOWERS), dice_rolled),
    ev.Dealt: dealt,
    ev.FlowersReplaced: flowers_replaced,
    ev.GoldFlipped: _within(DURING, gold_flipped),
    ev.TurnPrompted: _within(IN_HAND, noted),
    ev.Drew: drew,
    ev.Discarded: discarded,
    ev.Chowed: claimed,
    ev.Punged: claimed,
    ev.Konged: _within(DURING, konged),
    ev.Passed: _within(PLAYING, passed),
    ev.ClaimOverridden: _within(PLAYING, passed),
    ev.Declared: _within(PLAYING, declared),
    ev.Won: _within(DURING, won),
    ev.Exhausted: _within(DURING, _exhausted),
    ev.Settled: _within((*DURING, OVER), _settled),
    ev.WallRevealed: _within((OVER, SETTLED), _wall_revealed),
    ev.HandEnded: _within((OVER, SETTLED), _hand_ended),
    ev.PresenceChanged: _presence_changed,
    ev.Voided: _within(IN_HAND, _voided),
    ev.GameEnded: _game_ended,
}


@lru_cache(maxsize=256)
def changes(book: Rulebook) -> Mapping[type, Change]:
    """``CHANGES`` with what the rule set's own clauses remember of each kind of event (``Rulebook.memories``)."""
    return {kind: _remembered(change_table, kind, book.memories) for kind, change_table in CHANGES.items()}


def _remembered(change_table: Change, kind: type, memories: tuple[Memory, ...]) -> Change:
    """A change of the table, and then of what is remembered of such an event while it is in play."""
    steps = [(place, memory.after[kind]) for place, memory in enumerate(memories) if kind in memory.after]
    if not steps:
        return change_table

    def remembered(table: Table, event: Any) -> Table:
        after, own = change_table(table, event), table.own
        if not own or table.phase not in PLAYING:
            return after
        for place, step in steps:
            value = step(table, event, after, own[place])
            if value != own[place]:
                own = replaced(own, place, value)
        return after if own is table.own else change(after, own=own)

    return remembered
