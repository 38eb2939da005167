"""F-GUESS-1: a commitment must not be guessable: a hash without 128 bits of salt or seed is found."""

from __future__ import annotations

import pytest

from replays import shuffle
from replays.events import HandCommitment
from tests.rules.builders import Game, audited, chosen_wall, seq_of
from tests.rules.shared.fair import derived, played

GUESSED = ("F-GUESS-1", "guessable")


@pytest.mark.parametrize(
    ("size", "is_guessable"), [(0, True), (1, True), (8, True), (15, True), (16, False), (17, False), (32, False)]
)
def test_the_salt_of_a_hashed_wall(size: int, is_guessable: bool) -> None:
    wall, salt = chosen_wall(), bytes(range(size))
    commitment = HandCommitment(shuffle.WALL_HASH, shuffle.wall_hash(salt, wall).hex())
    game = Game().open(wall, commitment=commitment).play_out().exhaust().settle().reveal(salt=salt.hex()).end_hand()
    seq = seq_of(game.events, "wall_revealed")
    assert audited(game.events) == [(seq, *GUESSED)] * is_guessable
    assert game.audit().hands_proven == (not is_guessable)


@pytest.mark.parametrize(("size", "is_guessable"), [(0, True), (15, True), (16, False), (128, False)])
def test_the_servers_seed(size: int, is_guessable: bool) -> None:
    game = played(derived(seed=bytes(range(size))))
    seq = seq_of(game.events, "wall_revealed")
    assert audited(game.events) == [(seq, *GUESSED)] * is_guessable


def test_what_is_expected() -> None:
    game = played(derived(seed=bytes(15)))
    (found,) = game.audit().findings
    assert (found.expected, found.recorded) == ({"bits": 128}, {"bits": 120})


def test_guessable_and_wrong_are_two_findings() -> None:
    wall = chosen_wall()
    commitment = HandCommitment(shuffle.WALL_HASH, "00" * 32)
    game = Game().open(wall, commitment=commitment).play_out().exhaust().settle().reveal(salt="00").end_hand()
    assert [found[1:] for found in audited(game.events)] == [("F-COMMIT-1", "does_not_open"), GUESSED]
