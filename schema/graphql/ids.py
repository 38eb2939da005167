"""Global ids, as the field ``node`` takes them: the type's name and its key, opaque to clients."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode

import msgspec
import strawberry

_LONGEST = 1024  #: characters of an id


def global_id(kind: str, *key: str | int) -> strawberry.ID:
    """The global id of a thing."""
    return strawberry.ID(urlsafe_b64encode(msgspec.json.encode((kind, *key))).decode().rstrip("="))


def parse_id(text: str) -> tuple[str, ...] | tuple[str, str, int] | None:
    """Kind and key of a global id, ``None`` for a text that is none."""
    try:
        if len(text) > _LONGEST:
            return None
        kind, game, *number = json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, TypeError, RecursionError):
        return None
    is_sound = isinstance(kind, str) and isinstance(game, str) and "\0" not in game
    is_sound = is_sound and all(type(part) is int and 0 <= part < 2**31 for part in number) and len(number) <= 1
    return (kind, game, *number) if is_sound else None
