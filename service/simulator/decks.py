"""Where the tiles of a hand come from, and what proves it: a shuffle from seeds, or a chosen wall."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from replays import merkle, shuffle
from replays.events import ClientSeed, HandCommitment
from replays.rulebook import Rulebook
from replays.tiles import NUMBERS, Tile
from service.simulator.seeds import Seeds

_DOTS = NUMBERS["1p"]


class Deck(Protocol):
    """One hand's wall (index 0 the head), its dice, and what is published of it before and after."""

    @property
    def wall(self) -> Sequence[Tile]: ...
    @property
    def commitment(self) -> HandCommitment: ...
    @property
    def client_seeds(self) -> tuple[ClientSeed, ...]:
        """Each with its commitment and its secret; empty where the scheme has none."""
        ...

    @property
    def wall_root(self) -> str | None: ...
    @property
    def break_dice(self) -> tuple[int, int]: ...
    def gold_dice(self) -> Iterator[tuple[int, int]]: ...
    @property
    def opening(self) -> tuple[str | None, str | None]:
        """What opens the commitment: server seed and salt, in hex."""
        ...


class ShuffledDeck:
    """A hand under ``mingpai-shuffle/1``: all hands' commitments are in the game's root."""

    def __init__(self, fixed: shuffle.Shuffle, proof: tuple[str, ...], has_wall_root: bool) -> None:
        self._fixed = fixed
        self.wall = fixed.wall
        self.commitment = HandCommitment(shuffle.SCHEME, fixed.commitment.hex(), proof)
        self.client_seeds = tuple(
            ClientSeed(seat, shuffle.client_commitment(fixed.game, seat, secret).hex(), secret.hex())
            for seat, secret in fixed.client_seeds
        )
        self.wall_root = fixed.wall_root.hex() if has_wall_root else None
        self.break_dice = fixed.break_dice
        self.opening = fixed.server_seed.hex(), None

    def gold_dice(self) -> Iterator[tuple[int, int]]:
        return self._fixed.dice("gold")


class Shuffles:
    """All hands of a game, fixed before anyone is seated; ``root`` is over their commitments."""

    def __init__(self, seeds: Seeds, game: str, book: Rulebook, seats: int, hands: int) -> None:
        self._fixed = [_shuffle(seeds, game, book, seats, hand) for hand in range(1, hands + 1)]
        self._leaves = [fixed.commitment for fixed in self._fixed]
        self.root = merkle.root(self._leaves).hex()

    def deck(self, hand: int, has_wall_root: bool) -> ShuffledDeck:
        """The deck of a hand, 1 the first."""
        proof = merkle.inclusion_proof(self._leaves, hand - 1)
        return ShuffledDeck(self._fixed[hand - 1], tuple(node.hex() for node in proof), has_wall_root)


def _shuffle(seeds: Seeds, game: str, book: Rulebook, seats: int, hand: int) -> shuffle.Shuffle:
    secrets = tuple((seat, seeds.client_seed(hand, seat)) for seat in range(seats))
    has_dots = _DOTS in book.wall
    return shuffle.Shuffle(game, hand, book.id, book.version, seeds.server_seed(hand), secrets, has_dots)


class ChosenDeck(NamedTuple):
    """A wall that somebody chose, committed to under ``wall-hash/1``; ``dice`` are the throws for the gold."""

    wall: tuple[Tile, ...]
    salt: bytes
    dice: tuple[tuple[int, int], ...]
    break_dice: tuple[int, int]

    @property
    def commitment(self) -> HandCommitment:
        return HandCommitment(shuffle.WALL_HASH, shuffle.wall_hash(self.salt, self.wall).hex())

    @property
    def client_seeds(self) -> tuple[ClientSeed, ...]:
        return ()

    @property
    def wall_root(self) -> str | None:
        return None

    def gold_dice(self) -> Iterator[tuple[int, int]]:
        return iter(self.dice)

    @property
    def opening(self) -> tuple[str | None, str | None]:
        return None, self.salt.hex()
