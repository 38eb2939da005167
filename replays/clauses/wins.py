"""What makes a hand complete, and when a win on others' tiles is barred."""

from __future__ import annotations

from replays.clauses.water import copies_out
from replays.hands import Hand, add, complete, count, in_you_state, needs_only, readings
from replays.rulebook import Facts, Options
from replays.suits import POWERS
from replays.tiles import FIRST_HONOUR, WHITE

_WHITE_SLOT = (3, POWERS[WHITE - FIRST_HONOUR])


def is_complete(facts: Facts, options: Options) -> bool:
    """Whether the hand is one pair and sets, under ``fifth_copy`` (S-GOLD-3) and ``white_discard`` (X-SHAPE-2)."""
    if is_white_discard(facts) and options.get("white_discard") == "white":
        return any(complete(hand) for hand in _with_real_white(facts))
    if not complete(facts.hand):
        return False
    if options["fifth_copy"]:
        return True
    out = copies_out(facts)
    return any(needs_only(reading, out, facts.layout) for reading in readings(facts.hand, facts.layout))


def is_white_discard(facts: Facts) -> bool:
    """Whether the hand is won on a discarded stand-in."""
    return facts.by == "discard" and facts.tile == WHITE and facts.layout.faces[WHITE] != WHITE


def _with_real_white(facts: Facts) -> list[Hand]:
    """The hand with the discarded white as white, joined by none, one or two whites out of the hand."""
    assert facts.waiting is not None
    stand_ins = facts.layout.slots[WHITE]
    held = count(facts.waiting, stand_ins)
    return [add(add(facts.waiting, stand_ins, -joined), _WHITE_SLOT, 1 + joined) for joined in range(min(held, 2) + 1)]


def is_out_of_you_state(facts: Facts) -> bool:
    """Whether a self-draw came out of you state (S-YOU-2); where it must be declared, only if it was."""
    return facts.waiting is not None and facts.may_count_you and in_you_state(facts.waiting)


#: Golds in hand that block a win on a discard, by the value of the option (X-GOLD-2).
GOLDS_THAT_BLOCK = {"any": 1, "two_or_more": 2, "none": 5}
