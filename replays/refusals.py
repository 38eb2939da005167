"""Why not: for any act of any seat at any step, the clause that forbids it.

The referee judges what is on record, which may leave members out; here an act is made whole first. It is legal exactly
where it is among the seat's offers; a declaration also where it is true, though it changes nothing (S-YOU-3).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from replays.clauses.claims import discard_claims, holds, own_kongs
from replays.clauses.opening import out_of_phase
from replays.events import Act
from replays.finding import act_order
from replays.readings import complete_way
from replays.referee import offers_to, why_not
from replays.rulebook import Rulebook, Violation
from replays.settle import occasions
from replays.table import (
    BETWEEN,
    CLAIMS,
    DEALING,
    FINISHED,
    FLOWERS,
    OVER,
    PLAYING,
    SETTLED,
    TURN,
    Table,
)
from replays.tiles import FIRST_FLOWER, codes


class Refusal(NamedTuple):
    """An act, and what forbids it."""

    act: Act
    why: Violation


#: The events that are due where no seat may do anything.
DUE: dict[int, tuple[str, ...]] = {
    BETWEEN: ("hand_started", "game_ended"),
    DEALING: ("dice_rolled", "dealt"),
    FLOWERS: ("flowers_replaced", "dice_rolled", "gold_flipped"),
    OVER: ("settled",),
    SETTLED: ("wall_revealed", "hand_ended"),
    FINISHED: (),
}


def refusal(table: Table, seat: int, act: Act) -> Violation | None:
    """The clause that forbids ``act`` to ``seat`` now; ``None`` where it is legal, whoever else has a better right.

    ``act`` is as the log writes acts; what it leaves out and what follows from the table is filled in (``whole``).
    """
    if table.phase not in PLAYING:
        return out_of_phase(table, *DUE[table.phase])
    act = whole(table, seat, act)
    if act in offers_to(table, seat):
        return None
    found = why_not(table, seat, act)
    if found is not None or act.act == "declare":
        return found
    return Violation("S-CLAIM-3", "tiles_in_doubt", {"hand": codes(table.concealed(seat))})


# -- Making an act whole ---------------------------------------------------------------------------------------------

_OUT_OF_HAND = {"pung": 2, "exposed": 3, "added": 1, "concealed": 4}


def whole(table: Table, seat: int, act: Act) -> Act:
    """``act`` with what it leaves out and what follows from the table: the discard that it claims and whose it is, the
    equal tiles out of the hand, the occasion and the way of a win. What it says stays as it is."""
    if act.act == "win":
        return _whole_win(table, seat, act)
    claim = act.kind or act.act
    if claim in ("chow", "pung", "exposed"):
        act = _on_discard(table, act)
    if claim in _OUT_OF_HAND and act.tile is not None and not act.with_:
        act = act._replace(with_=(act.tile,) * _OUT_OF_HAND[claim])
    return act._replace(with_=tuple(sorted(act.with_)))


def _on_discard(table: Table, act: Act) -> Act:
    if table.phase != CLAIMS:
        return act
    return act._replace(
        tile=table.last if act.tile is None else act.tile, from_=table.turn if act.from_ is None else act.from_
    )


def _whole_win(table: Table, seat: int, act: Act) -> Act:
    """The win on the occasion that it may mean: the one on which it is legal, else the first; a right of the opening
    is one without a tile, and is named where the tiles say which it would be."""
    meant = [
        facts for facts in occasions(table, seat) if act.tile in (None, facts.tile) and act.from_ in (None, facts.from_)
    ]
    on = [(facts.tile, facts.from_) for facts in meant]
    for known in offers_to(table, seat):
        if known.act == "win" and act.win in (None, known.win) and (known.tile, known.from_) in on:
            return known
    if not meant:
        return act
    facts = meant[-1 if _is_right(table.book, act) else 0]
    way = complete_way(table.book, facts) if act.win is None and facts.by == "opening" else act.win
    return act._replace(tile=facts.tile, from_=facts.from_, win=way)


def _is_right(book: Rulebook, act: Act) -> bool:
    return any(known.right == act.win for known in book.opening_order)


# -- What the tiles would make ---------------------------------------------------------------------------------------


def blocked(table: Table, seat: int) -> tuple[Refusal, ...]:
    """The acts that the tiles of ``seat`` would make and a rule forbids, in the order of acts: wins of a complete hand,
    claims, kongs, and discards of the seat on turn. What is merely out of turn, or not held, is not among them."""
    if table.phase not in PLAYING:
        return ()
    acts = sorted(dict.fromkeys(_shaped(table, seat)), key=act_order)
    found = [(whole(table, seat, act), refusal(table, seat, act)) for act in acts]
    return tuple([Refusal(act, why) for act, why in found if why is not None])


def _shaped(table: Table, seat: int) -> Iterable[Act]:
    for facts in occasions(table, seat):
        if complete_way(table.book, facts) is not None:
            yield Act("win", facts.tile, from_=facts.from_)
    if table.phase == CLAIMS and seat != table.turn:
        yield from _claims(table, seat)
    if table.phase == TURN and seat == table.turn:
        yield from own_kongs(table, seat)
        yield from (Act("discard", tile) for tile in dict.fromkeys(table.concealed(seat)) if tile < FIRST_FLOWER)


def _claims(table: Table, seat: int) -> Iterable[Act]:
    """Also those on a gold, which the seat holds two of (S-GOLD-2)."""
    yield from discard_claims(table, seat)
    if table.last in table.golds and holds(table, seat, table.last) >= _OUT_OF_HAND["pung"]:
        yield Act("pung", table.last, (table.last,) * 2, from_=table.turn)
