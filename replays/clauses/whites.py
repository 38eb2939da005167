"""The white dragon when it is discarded (S-WHITE-1, X-SHAPE-2)."""

from __future__ import annotations

from replays.hands import Hand, add, count
from replays.rulebook import Facts, Options
from replays.suits import POWERS
from replays.tiles import FIRST_HONOUR, WHITE, Tile

_WHITE_SLOT = (3, POWERS[WHITE - FIRST_HONOUR])


def is_white_discard(facts: Facts) -> bool:
    """Whether the hand is won on a discarded stand-in."""
    return facts.by == "discard" and facts.tile == WHITE and facts.layout.faces[WHITE] != WHITE


def _is_won_as_white(facts: Facts, options: Options) -> bool:
    return is_white_discard(facts) and options.get("white_discard") == "white"


def claimed_kind(facts: Facts, options: Options) -> Tile | None:
    """The kind, as it stands, of a discard that is won on; ``None`` for every other win."""
    if facts.by != "discard" or facts.tile is None:
        return None
    return WHITE if _is_won_as_white(facts, options) else facts.layout.faces[facts.tile]


def hands_as_won(facts: Facts, options: Options) -> tuple[Hand, ...]:
    """How the hand may be counted with the tile it wins on: one way, except that with ``white_discard`` = ``white`` a
    discarded stand-in is white, joined by none, one or two whites out of the hand (X-SHAPE-2)."""
    if not _is_won_as_white(facts, options) or facts.waiting is None:
        return (facts.hand,)
    stand_ins = facts.layout.slots[WHITE]
    most = min(count(facts.waiting, stand_ins), 2)
    waiting = facts.waiting
    return tuple(add(add(waiting, stand_ins, -joined), _WHITE_SLOT, 1 + joined) for joined in range(most + 1))
