"""What makes a hand complete, and when a win on others' tiles is barred."""

from __future__ import annotations

from replays.clauses.water import copies_out
from replays.clauses.whites import hands_as_won
from replays.hands import complete, in_you_state, needs_only, readings
from replays.rulebook import Facts, Options


def is_complete(facts: Facts, options: Options) -> bool:
    """Whether the hand is one pair and sets, under ``fifth_copy`` (S-GOLD-3) and ``white_discard`` (X-SHAPE-2)."""
    hands = [hand for hand in hands_as_won(facts, options) if complete(hand)]
    if options["fifth_copy"] or not hands:
        return bool(hands)
    out = copies_out(facts)
    return any(needs_only(reading, out, facts.layout) for hand in hands for reading in readings(hand, facts.layout))


def is_out_of_you_state(facts: Facts) -> bool:
    """Whether a self-draw came out of you state (S-YOU-2); where it must be declared, only if it was."""
    return facts.waiting is not None and facts.may_count_you and in_you_state(facts.waiting)


#: Golds in hand that block a win on a discard, by the value of the option (X-GOLD-2).
GOLDS_THAT_BLOCK = {"any": 1, "two_or_more": 2, "none": 5}
