"""All chance of a run, derived from its seed: the same seed gives the same bytes on every machine and Python.

Secrets come from HMAC-SHA-512, choices from the ``uniform`` stream of ``fairness.md``. A real server draws its seeds
where nobody can repeat them; a simulated one must not.
"""

from __future__ import annotations

import hmac
from hashlib import sha256

from replays.shuffle import CLIENT_SEED_SIZE, SERVER_SEED_SIZE, Stream

_LABEL = b"mingpai-simulator/1"


class Seeds:
    """The secrets and choices of one game (or one scenario), by what they are for."""

    def __init__(self, seed: int, game: str) -> None:
        self._key = sha256(b"\x00".join((_LABEL, str(seed).encode()))).digest()
        self._scope = sha256(game.encode()).digest()

    def secret(self, purpose: str, size: int) -> bytes:
        """``size`` bytes for ``purpose``, always the same ones."""
        blocks = range(-(-size // 64))
        message = purpose.encode() + b"\x00" + self._scope
        parts = (hmac.digest(self._key, message + block.to_bytes(4, "big"), "sha512") for block in blocks)
        return b"".join(parts)[:size]

    def server_seed(self, hand: int) -> bytes:
        """The server's seed of a hand, 128 bytes."""
        return self.secret(f"server {hand}", SERVER_SEED_SIZE)

    def client_seed(self, hand: int, seat: int) -> bytes:
        """A seat's secret of a hand, 32 bytes."""
        return self.secret(f"client {hand} {seat}", CLIENT_SEED_SIZE)

    def stream(self, purpose: str) -> Stream:
        """Choices for ``purpose``, from the beginning."""
        return Stream(self._key, purpose, self._scope)
