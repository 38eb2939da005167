"""Hands whose walls come from seeds, for the tests of the fairness clauses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from replays import merkle, shuffle
from replays.shuffle import Shuffle
from tests.rules.builders import ClientSeed, Game, GameCommitment, HandCommitment, text

GAME = "fair"
SERVER_SEED = bytes(range(128))
#: One secret a seat.
SECRETS: Mapping[int, bytes] = {seat: bytes([seat + 1]) * 32 for seat in range(4)}


def derived(secrets: Mapping[int, bytes] = {}, seed: bytes = SERVER_SEED, hand: int = 1) -> Shuffle:
    """What the seeds give; the server's seed alone where there are no secrets."""
    return Shuffle(GAME, hand, "xiamen", "1", seed, tuple(sorted(secrets.items())))


def commitments(secrets: Mapping[int, bytes]) -> tuple[ClientSeed, ...]:
    """What the seats publish before."""
    return tuple(
        ClientSeed(seat, shuffle.client_commitment(GAME, seat, secret).hex()) for seat, secret in secrets.items()
    )


def opened(secrets: Mapping[int, bytes]) -> tuple[ClientSeed, ...]:
    return tuple(ClientSeed(seat, None, secret.hex()) for seat, secret in secrets.items())


def rooted(seeds: Sequence[bytes]) -> tuple[GameCommitment, list[tuple[str, ...]]]:
    """The game's root over the commitments of its hands, and the proof of each."""
    leaves = [shuffle.commitment(hand + 1, seed) for hand, seed in enumerate(seeds)]
    root = GameCommitment(shuffle.SCHEME, merkle.root(leaves).hex(), len(leaves))
    return root, [tuple(node.hex() for node in merkle.inclusion_proof(leaves, i)) for i in range(len(leaves))]


def played(
    fair: Shuffle,
    *,
    secrets: Mapping[int, bytes] | None = None,
    game: Game | None = None,
    proof: tuple[str, ...] | None = None,
    reveal: Mapping[str, Any] | None = None,
    **started: Any,
) -> Game:
    """A game of one hand played out from a derived wall, revealed and ended; ``secrets`` are committed before it and
    opened on record after. ``started`` are members of ``hand_started``."""
    game = game or Game(game=GAME)
    secrets = secrets or {}
    given: dict[str, Any] = {
        "commitment": HandCommitment(shuffle.SCHEME, fair.commitment.hex(), proof),
        "client_seeds": commitments(secrets),
        "seeds": opened(secrets),
        "wall_root": fair.wall_root.hex(),
    }
    throws = fair.dice("gold")
    game.open(fair.wall, dice=None, break_dice=fair.break_dice, **(given | started))
    flip(game, throws)
    game.play_out()
    game.exhaust().settle()
    game.reveal(**{"server_seed": fair.server_seed.hex(), **(reveal or {})})
    return game.end_hand().end()


def flip(game: Game, throws: Any) -> None:
    """The gold dice of the stream until no flower turns up."""
    flipped: list[int] = []
    while not flipped or text(flipped[-1:])[-1] == "f":
        dice = next(throws)
        game.emit("dice_rolled", purpose="gold", dice=dice, seat=game.table.dealer)
        flipped.append(game.wall.pop(-sum(dice)))
    game.emit("gold_flipped", tiles=tuple(flipped), gold=flipped[-1])
