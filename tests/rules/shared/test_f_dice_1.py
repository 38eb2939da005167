"""F-DICE-1: the dice of the break and of the gold are those that the seed gives; a re-throw goes on in the same
stream."""

from __future__ import annotations

import pytest

from replays.audit import audit
from replays.shuffle import Shuffle
from tests.rules.builders import altered, audited, seq_of
from tests.rules.shared.fair import derived, played


def rethrowing() -> Shuffle:
    """A seed whose first gold dice turn up a flower."""
    seeds = (bytes([n, n >> 8]) * 64 for n in range(1, 4000))
    return next(fair for fair in (derived(seed=seed) for seed in seeds) if _throws(fair) == 2)


def _throws(fair: Shuffle) -> int:
    return [event.type for event in played(fair).events].count("dice_rolled") - 1


def test_right_dice() -> None:
    assert audited(played(derived()).events) == []


@pytest.mark.parametrize(("nth", "purpose"), [(0, "break"), (1, "gold")])
def test_other_dice(nth: int, purpose: str) -> None:
    events = played(derived()).events
    seq = seq_of(events, "dice_rolled", nth)
    dice = events[seq].dice
    assert events[seq].purpose == purpose
    # The same sum, so that only the seed can tell.
    other = (dice[1], dice[0]) if dice[0] != dice[1] else (dice[0] - 1, dice[1] + 1)
    assert audited(altered(events, seq, dice=other)) == [(seq, "F-DICE-1", "not_the_seeds_dice")]


def test_what_is_expected() -> None:
    game = played(derived())
    seq = seq_of(game.events, "dice_rolled")
    dice = game.events[seq].dice
    log = altered(game.events, seq, dice=(dice[0] % 6 + 1, dice[1]))
    (found,) = audit(log).findings
    assert (found.seq, found.expected, found.recorded) == (
        seq,
        {"dice": list(dice)},
        {"dice": [dice[0] % 6 + 1, dice[1]]},
    )


def test_a_rethrow_goes_on_in_the_same_stream() -> None:
    game = played(rethrowing())
    assert audited(game.events) == []
    first, second = seq_of(game.events, "dice_rolled", 1), seq_of(game.events, "dice_rolled", 2)
    assert game.events[second].purpose == "gold"
    dice = game.events[second].dice
    other = (dice[1], dice[0]) if dice[0] != dice[1] else (dice[0] - 1, dice[1] + 1)
    assert audited(altered(game.events, second, dice=other)) == [(second, "F-DICE-1", "not_the_seeds_dice")]
    # The first throw again is not the second of the stream.
    assert first + 1 == second


def test_without_the_seed_dice_are_not_judged() -> None:
    game = played(derived(), commitment=None)
    seq = seq_of(game.events, "dice_rolled")
    assert audited(altered(game.events, seq, dice=(1, 1))) == []
