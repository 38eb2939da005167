"""What an event leaves in a game's chain and tree (``fairness.md``, "Evidence").

Documents are events as the log format writes them, parsed into plain dictionaries. Every event has two forms: the
*full* one as stored, and the *public* one with what everybody may know when it happens. A leaf commits to both, the
full one behind a salt, so that the public half can be shown and the hidden half not be guessed.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import Any

from replays.merkle import leaf_hash
from replays.tiles import HIDDEN
from schema.paipu import FORMAT, FORMATS
from schema.paipu.formats import EXTENSION, Format

SECRET_SIZE = 32  #: bytes of a game's secret K
SALT_SIZE = 16  #: bytes of every salt
HASH_SIZE = 32  #: bytes of every digest, leaf and head

#: How the digest of a free text begins, where the text itself would stand.
TEXT_DIGEST = "sha256:"

#: The head before a game's first event.
FIRST_HEAD = bytes(HASH_SIZE)


def stored_form(document: dict[str, Any]) -> dict[str, Any]:
    """``document`` without its seats' names, which are kept apart from the event so that they can be erased."""
    if document.get("type") != "game_started":
        return document
    seats = [{member: value for member, value in seat.items() if member != "name"} for seat in document["seats"]]
    return {**document, "seats": seats}


def public_form(document: dict[str, Any], *, concealed_kong_shown: bool, format: str = FORMAT) -> dict[str, Any]:
    """What everybody may know of an event when it happens; ``document`` itself is left as it is.

    ``concealed_kong_shown`` is the game's option of that name (S-VIEW-1), ``format`` the version of the log that the
    event is written in. ``ValueError`` for a document that is no event. The public form of a public form is itself.
    """
    version = FORMATS[format]
    try:
        if document["type"] in version.private:
            return {"seq": document["seq"], "type": "private", "hand": document["hand"]}
        hidden = _hidden_members(document, version, concealed_kong_shown)
        return {
            member: _hide(value) if member in hidden else _without_free_members(value)
            for member, value in stored_form(document).items()
            if not member.startswith(EXTENSION)
        }
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"no event of the log format: {error}") from error


def game_salt(game_secret: bytes) -> bytes:
    """salt0, which hides a game's id in its seal: 16 bytes, from the game's secret of 32."""
    return _derived(game_secret, b"mingpai-game/1\x00")


def event_salt(game_secret: bytes, seq: int) -> bytes:
    """The salt of event ``seq``: 16 bytes, from the game's secret of 32."""
    return _derived(game_secret, b"mingpai-leaf/1\x00" + u64(seq))


def leaf(public: bytes, salt: bytes, full: bytes) -> bytes:
    """The leaf hash of an event from the canonical bytes of both its forms: 32 bytes."""
    return leaf_from_digest(sha256(public).digest(), salt, full)


def leaf_from_digest(public_digest: bytes, salt: bytes, full: bytes) -> bytes:
    """``leaf`` where only the SHA-256 of the public form is at hand."""
    return _joined(public_digest, rest_digest(salt, full))


def leaf_from_rest(public: bytes, rest: bytes) -> bytes:
    """``leaf`` for one who may not see the full form and has only its ``rest_digest``."""
    return _joined(sha256(public).digest(), rest)


def rest_digest(salt: bytes, full: bytes) -> bytes:
    """What stands for a full form that is not shown (``rest`` of a bundle): 32 bytes."""
    if len(salt) != SALT_SIZE:
        raise ValueError(f"a salt of {len(salt)} bytes, expected {SALT_SIZE}")
    return sha256(salt + full).digest()


def next_head(previous: bytes, leaf: bytes) -> bytes:
    """The head of a game's chain after one more leaf; the first follows ``FIRST_HEAD``."""
    _require_digests(previous, leaf)
    return sha256(b"\x02" + previous + leaf).digest()


def text_digest(salt: bytes, text: bytes) -> str:
    """What stands in an event for a free text (UTF-8) that is kept apart, so that it can be forgotten: ``salt`` has 16
    bytes."""
    if len(salt) != SALT_SIZE:
        raise ValueError(f"a salt of {len(salt)} bytes, expected {SALT_SIZE}")
    return TEXT_DIGEST + sha256(salt + text).hexdigest()


def u64(number: int) -> bytes:
    """``number`` as 8 bytes, big-endian; ``ValueError`` where it does not fit."""
    if not 0 <= number < 1 << 64:
        raise ValueError(f"{number} does not fit 64 bits")
    return number.to_bytes(8, "big")


def _hidden_members(document: dict[str, Any], version: Format, concealed_kong_shown: bool) -> tuple[str, ...]:
    tag = document["type"]
    if tag in version.hidden_kong and document["kind"] == "concealed" and not concealed_kong_shown:
        return version.hidden_kong[tag]
    return version.hidden.get(tag, ())


def _hide(value: Any) -> Any:
    """Hidden tiles keep their number: how many a seat got is no secret."""
    if isinstance(value, list):
        return [HIDDEN] * len(value)
    if isinstance(value, str):
        return HIDDEN
    raise TypeError(f"{value!r} where tiles belong")


def _without_free_members(value: Any) -> Any:
    """``value`` without ``x_`` members at any depth."""
    if isinstance(value, dict):
        return {m: _without_free_members(v) for m, v in value.items() if not m.startswith(EXTENSION)}
    if isinstance(value, list):
        return [_without_free_members(item) for item in value]
    return value


def _derived(game_secret: bytes, message: bytes) -> bytes:
    if len(game_secret) != SECRET_SIZE:
        raise ValueError(f"a game's secret of {len(game_secret)} bytes, expected {SECRET_SIZE}")
    return hmac.digest(game_secret, message, "sha256")[:SALT_SIZE]


def _joined(public_digest: bytes, rest: bytes) -> bytes:
    _require_digests(public_digest, rest)
    return leaf_hash(public_digest + rest)


def _require_digests(*digests: bytes) -> None:
    for digest in digests:
        if len(digest) != HASH_SIZE:
            raise ValueError(f"a digest of {len(digest)} bytes, expected {HASH_SIZE}")
