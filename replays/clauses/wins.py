"""What makes a hand complete, and when a win on others' tiles is barred."""

from __future__ import annotations

from replays.clauses.water import copies_out
from replays.clauses.whites import hands_as_won
from replays.hands import complete, needs_only, readings
from replays.rulebook import Facts, Options, Rulebook


def is_complete(facts: Facts, options: Options) -> bool:
    """Whether the hand is one pair and sets, under ``fifth_copy`` (S-GOLD-3) and ``white_discard`` (X-SHAPE-2)."""
    where = facts.layout
    hands = [hand for hand in hands_as_won(facts, options) if complete(hand, where)]
    if options["fifth_copy"] or not hands:
        return bool(hands)
    out = copies_out(facts)
    return any(needs_only(reading, out, where) for hand in hands for reading in readings(hand, where))


def is_out_of_you_state(book: Rulebook, facts: Facts) -> bool:
    """Whether a self-draw came out of you state (S-YOU-2); where it must be declared, only if it was."""
    waiting = facts.waiting
    return waiting is not None and facts.may_count_you and book.in_you_state(waiting, facts.layout)


#: Golds in hand that block a win on a discard, by the value of the option (X-GOLD-2).
GOLDS_THAT_BLOCK = {"any": 1, "two_or_more": 2, "none": 5}
