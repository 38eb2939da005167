"""The provably fair shuffle ``mingpai-shuffle/1``, and the plain commitment ``wall-hash/1`` (``fairness.md``).

Seeds, secrets, salts and hashes are bytes here and lower-case hex in a log: ``read_hex`` takes that text strictly.
Nothing here draws a seed; everything follows from the seeds that a log reveals. Functions take a server seed of any
length, so that a log with a bad one can still be replayed: whether it could be guessed is ``is_guessable``.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256, sha512
from itertools import chain, count

from replays.merkle import leaf_hash, root
from replays.tiles import CODES, Tile, full_set

SCHEME = "mingpai-shuffle/1"
WALL_HASH = "wall-hash/1"

SERVER_SEED_SIZE = 128  #: bytes that a server draws (step 1)
CLIENT_SEED_SIZE = 32  #: bytes of a seat's secret (step 2)
HASH_SIZE = 32  #: bytes of a commitment, a transcript and a root
TILE_SALT_SIZE = 16  #: bytes that hide a tile in the wall's tree (step 8)
LEAST_SECRET = 16  #: 128 bits: a commitment over fewer could be guessed (F-GUESS-1)

_U8, _U32 = 1 << 8, 1 << 32
_LABEL = SCHEME.encode()
_CLIENT, _TRANSCRIPT, _COMMIT = (_LABEL + step for step in (b" client\x00", b" transcript\x00", b" commit\x00"))
_STARTS = {dots: full_set(dots) for dots in (True, False)}

#: For each n the first byte that ``uniform(n)`` refuses (step 5).
_REFUSED = (0, *(_U8 - _U8 % n for n in range(1, _U8 + 1)))
#: The steps of a Fisher-Yates shuffle of 256 items, last index first: index, n, first refused byte.
_STEPS = tuple((n - 1, n, _REFUSED[n]) for n in range(_U8, 1, -1))


def read_hex(text: str, size: int | None = None) -> bytes:
    """The bytes of lower-case hex ``text``; ``ValueError`` for anything else, or for another ``size`` in bytes."""
    raw = bytes.fromhex(text)
    if raw.hex() != text:
        raise ValueError("hex text must be lower-case digits and nothing else")
    if size is not None and len(raw) != size:
        raise ValueError(f"hex text of {len(raw)} bytes, expected {size}")
    return raw


def is_guessable(secret: bytes) -> bool:
    """Whether a commitment hidden by ``secret`` (salt or seed) alone could be guessed: under 128 bits (F-GUESS-1)."""
    return len(secret) < LEAST_SECRET


def commitment(hand: int, server_seed: bytes) -> bytes:
    """What the server publishes before a hand (step 1): 32 bytes, also an RFC 9162 leaf hash."""
    return leaf_hash(_COMMIT + _u32(hand, "hand") + server_seed)


def client_commitment(game: str, seat: int, secret: bytes) -> bytes:
    """What a seat publishes before it opens its secret of 32 bytes (step 2): 32 bytes."""
    return sha256(_CLIENT + _prefixed(game) + _seat_and_secret(seat, secret)).digest()


def transcript(
    game: str,
    hand: int,
    ruleset: str,
    version: str,
    committed: bytes,
    client_seeds: Iterable[tuple[int, bytes]] = (),
) -> bytes:
    """What binds a hand's randomness to its game, rule set, commitment and opened secrets (step 3): 32 bytes.

    ``client_seeds`` are (seat, secret) in any order; ``ValueError`` for a seat named twice or a secret of wrong size.
    """
    if len(committed) != HASH_SIZE:
        raise ValueError(f"a commitment of {len(committed)} bytes, expected {HASH_SIZE}")
    opened = sorted(client_seeds)
    if len(dict(opened)) != len(opened):
        raise ValueError("a seat has two client seeds")
    return sha256(
        _TRANSCRIPT
        + _prefixed(game)
        + _u32(hand, "hand")
        + _prefixed(ruleset)
        + _prefixed(version)
        + committed
        + _u32(len(opened), "number of client seeds")
        + b"".join([_seat_and_secret(seat, secret) for seat, secret in opened])
    ).digest()


class Keyed:
    """HMAC-SHA-512 (RFC 2104) under one key, which is absorbed once for any number of messages: several times faster
    than ``hmac`` for the few short messages of a hand."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes) -> None:
        block = (key if len(key) <= _BLOCK else sha512(key).digest()).ljust(_BLOCK, b"\x00")
        self._inner, self._outer = sha512(block.translate(_INNER)), sha512(block.translate(_OUTER))

    def digest(self, message: bytes) -> bytes:
        """The 64 bytes of the code for ``message``."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(message)
        outer.update(inner.digest())
        return outer.digest()


_BLOCK = 128  # bytes of a block of SHA-512
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


class Stream:
    """The bytes of one label, endless, each used once (steps 4 and 5); the seed may be keyed already."""

    __slots__ = ("_bytes",)

    def __init__(self, server_seed: bytes | Keyed, label: str, transcript: bytes) -> None:
        keyed = server_seed if isinstance(server_seed, Keyed) else Keyed(server_seed)
        self._bytes = chain.from_iterable(_blocks(keyed, label.encode() + b"\x00" + transcript))

    def uniform(self, n: int) -> int:
        """The next number of 0..n-1, all equally likely; ``ValueError`` unless 1 <= n <= 256."""
        if not 1 <= n <= _U8:
            raise ValueError(f"uniform({n}): n must be 1 to {_U8}")
        refused = _REFUSED[n]
        for byte in self._bytes:
            if byte < refused:
                break
        return byte % n

    def shuffled(self, items: Sequence[Tile]) -> tuple[Tile, ...]:
        """``items`` (at most 256) after a Fisher-Yates shuffle from the last index down (step 6)."""
        if len(items) > _U8:
            raise ValueError(f"{len(items)} items to shuffle, at most {_U8}")
        # The same draws as uniform(index + 1), written out: an audit does this for every hand.
        row = list(items)
        stream = self._bytes
        for index, n, refused in _STEPS[_U8 - len(row) :]:
            for byte in stream:
                if byte < refused:
                    break
            other = byte % n
            row[index], row[other] = row[other], row[index]
        return tuple(row)


def wall(server_seed: bytes | Keyed, transcript: bytes, dots: bool = True) -> tuple[Tile, ...]:
    """The wall in drawing order, index 0 the head (step 6): 144 tiles, or 108 without dots."""
    return Stream(server_seed, "wall", transcript).shuffled(_STARTS[dots])


def dice(server_seed: bytes | Keyed, transcript: bytes, purpose: str) -> Iterator[tuple[int, int]]:
    """The throws of ``purpose`` (``break`` or ``gold``) one after another, endless: a re-throw is the next (step 7)."""
    if purpose not in ("break", "gold"):
        raise ValueError(f"dice are thrown for 'break' or 'gold', not {purpose!r}")
    uniform = Stream(server_seed, f"dice {purpose}", transcript).uniform
    return ((uniform(6) + 1, uniform(6) + 1) for _ in count())


def tile_salt(server_seed: bytes, transcript: bytes, index: int) -> bytes:
    """The 16 bytes that hide the tile at ``index`` of the wall until it is shown (step 8)."""
    message = b"salt\x00" + transcript + _u32(index, "index")
    return hmac.digest(server_seed, message, "sha256")[:TILE_SALT_SIZE]


def wall_leaf(salt: bytes, tile: Tile) -> bytes:
    """The leaf hash of a tile in the wall's tree (step 8), for ``replays.merkle``: 32 bytes."""
    return leaf_hash(salt + CODES[tile].encode())


def wall_root(server_seed: bytes, transcript: bytes, tiles: Sequence[Tile]) -> bytes:
    """The root over one leaf a tile of the wall ``tiles`` (step 8): 32 bytes."""
    return root([wall_leaf(tile_salt(server_seed, transcript, index), tile) for index, tile in enumerate(tiles)])


def wall_hash(salt: bytes, tiles: Iterable[Tile]) -> bytes:
    """The commitment of the scheme ``wall-hash/1``: SHA-256 of the salt and the tile codes joined by commas."""
    return sha256(salt + ",".join(CODES[tile] for tile in tiles).encode()).digest()


@dataclass(frozen=True)
class Shuffle:
    """All that fixes a hand, and what follows from it, each derived once when first asked for.

    ``client_seeds`` are the opened secrets, (seat, 32 bytes). Derived values raise ``ValueError`` where a member is
    out of its range (a hand beyond 32 bits, a secret of wrong size, a seat named twice).
    """

    game: str
    hand: int
    ruleset: str
    version: str
    server_seed: bytes
    client_seeds: tuple[tuple[int, bytes], ...] = ()
    dots: bool = True

    @cached_property
    def commitment(self) -> bytes:
        """``commitment`` of this hand: what the server must have published before it."""
        return commitment(self.hand, self.server_seed)

    @cached_property
    def transcript(self) -> bytes:
        """``transcript`` of this hand."""
        return transcript(self.game, self.hand, self.ruleset, self.version, self.commitment, self.client_seeds)

    @cached_property
    def wall(self) -> tuple[Tile, ...]:
        """``wall`` of this hand."""
        return wall(self.server_seed, self.transcript, self.dots)

    @cached_property
    def wall_root(self) -> bytes:
        """``wall_root`` of this hand."""
        return wall_root(self.server_seed, self.transcript, self.wall)

    @cached_property
    def break_dice(self) -> tuple[int, int]:
        """The throw that breaks the wall."""
        return next(self.dice("break"))

    def dice(self, purpose: str) -> Iterator[tuple[int, int]]:
        """``dice`` of this hand, from the first throw on at every call."""
        return dice(self.server_seed, self.transcript, purpose)

    def tile_salt(self, index: int) -> bytes:
        """``tile_salt`` of this hand's wall."""
        return tile_salt(self.server_seed, self.transcript, index)


def _blocks(keyed: Keyed, start: bytes) -> Iterator[bytes]:
    for counter in count():
        yield keyed.digest(start + counter.to_bytes(4, "big"))


def _seat_and_secret(seat: int, secret: bytes) -> bytes:
    if not 0 <= seat < _U8:
        raise ValueError(f"seat {seat} does not fit a byte")
    if len(secret) != CLIENT_SEED_SIZE:
        raise ValueError(f"a client seed of {len(secret)} bytes, expected {CLIENT_SEED_SIZE}")
    return bytes((seat,)) + secret


@lru_cache(maxsize=16)
def _prefixed(text: str) -> bytes:
    raw = text.encode()
    return _u32(len(raw), "length") + raw


def _u32(number: int, name: str) -> bytes:
    if not 0 <= number < _U32:
        raise ValueError(f"{name} {number} does not fit 32 bits")
    return number.to_bytes(4, "big")
