"""Seals of finished games, receipts of appends, and their Ed25519 signatures (``fairness.md``, "Evidence")."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from replays.digest import resolved_digest
from replays.merkle import leaf_hash
from schema.canonical import canonical
from service.evidence.leaves import HASH_SIZE, SALT_SIZE, u64

SEAL_TYPE = "mingpai-seal/1"

#: Why a game is sealed: the reasons of ``game_ended``.
SEAL_REASONS = ("finished", "abandoned", "voided")

_RECEIPT_LABEL = b"mingpai-receipt/1\x00"


class SignatureError(ValueError):
    """A signature that the key did not make over these bytes."""


def ruleset_digest(ruleset: str, version: str, options: Mapping[str, object]) -> str:
    """The digest of a rule set with all its options resolved, lower-case hex; see ``replays.digest``."""
    return resolved_digest(ruleset, version, options)


def game_digest(salt0: bytes, game: str) -> bytes:
    """What stands for a game's id in its seal: 32 bytes; ``salt0`` is ``leaves.game_salt``."""
    if len(salt0) != SALT_SIZE:
        raise ValueError(f"a salt of {len(salt0)} bytes, expected {SALT_SIZE}")
    return sha256(salt0 + game.encode()).digest()


def seal(*, game: str, salt0: bytes, events: int, root: bytes, head: bytes, ruleset: str, reason: str) -> bytes:
    """The canonical JSON that seals a game: the input of its leaf in the global log.

    ``events`` counts the game's events, ``root`` and ``head`` are its tree's and its chain's (32 bytes each),
    ``ruleset`` is ``ruleset_digest``; ``ValueError`` for a reason not in ``SEAL_REASONS`` or a value out of range.
    """
    if reason not in SEAL_REASONS:
        raise ValueError(f"reason {reason!r}, expected one of {', '.join(SEAL_REASONS)}")
    if events < 1:
        raise ValueError(f"a game of {events} events cannot be sealed")
    if len(root) != HASH_SIZE or len(head) != HASH_SIZE or len(ruleset) != 2 * HASH_SIZE:
        raise ValueError(f"root, head and rule-set digest have {HASH_SIZE} bytes each")
    return canonical(
        {
            "type": SEAL_TYPE,
            "game": game_digest(salt0, game).hex(),
            "events": events,
            "root": root.hex(),
            "head": head.hex(),
            "ruleset": ruleset,
            "reason": reason,
        }
    )


def seal_leaf(sealed: bytes) -> bytes:
    """The leaf hash of a seal in the global log: 32 bytes."""
    return leaf_hash(sealed)


def receipt_message(game: str, seq: int, head: bytes, time: str) -> bytes:
    """What a receipt signs: that ``head`` was the game's chain after event ``seq`` at ``time`` (RFC 3339 UTC text)."""
    if len(head) != HASH_SIZE:
        raise ValueError(f"a head of {len(head)} bytes, expected {HASH_SIZE}")
    return _RECEIPT_LABEL + _prefixed(game) + u64(seq) + head + _prefixed(time)


def signing_key(seed: bytes) -> Ed25519PrivateKey:
    """The private key of a 32-byte seed (RFC 8032); ``ValueError`` for another length."""
    return Ed25519PrivateKey.from_private_bytes(seed)


def verifying_key(raw: bytes) -> Ed25519PublicKey:
    """The public key of its 32 bytes; ``ValueError`` for another length."""
    return Ed25519PublicKey.from_public_bytes(raw)


def sign(key: Ed25519PrivateKey, message: bytes) -> bytes:
    """The Ed25519 signature, 64 bytes; the same message gives the same bytes."""
    return key.sign(message)


def verify(key: Ed25519PublicKey, message: bytes, signature: bytes) -> None:
    """Check that ``key`` signed ``message``; ``SignatureError`` if not."""
    try:
        key.verify(signature, message)
    except InvalidSignature:
        raise SignatureError("the signature is not this key's over these bytes") from None


def _prefixed(text: str) -> bytes:
    raw = text.encode()
    return len(raw).to_bytes(4, "big") + raw
