"""Cursors: opaque texts that name a place in one connection, and are good for that connection only."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from typing import Any, Generic, TypeVar

import msgspec

from schema.canonical import canonical

_Place = TypeVar("_Place", bound=tuple[Any, ...])
_LONGEST = 1024  #: characters of a cursor
_INT_LIMIT = 2**31  #: what PostgreSQL's integer holds
_BOUND_SIZE = 8  #: bytes that tell one connection's arguments from another's


class CursorError(ValueError):
    """A text that is no cursor of this connection."""


@dataclass(frozen=True)
class Cursors(Generic[_Place]):
    """The cursors of one connection.

    ``name`` is the field's, ``bound`` its arguments apart from paging: a cursor made under others is refused.
    ``check`` turns the parts of a place back into one and raises ``ValueError`` or ``TypeError`` for what is none.
    """

    name: str
    bound: tuple[Any, ...]
    check: Callable[..., _Place]

    @cached_property
    def mark(self) -> str:
        """What tells the arguments from others: the same for all cursors of a page."""
        return sha256(canonical(list(self.bound))).hexdigest()[: 2 * _BOUND_SIZE]

    def encode(self, place: _Place) -> str:
        """The cursor of a place."""
        raw = msgspec.json.encode((self.name, self.mark, *place))
        return urlsafe_b64encode(raw).decode().rstrip("=")

    def decode(self, cursor: str | None) -> _Place | None:
        """The place of a cursor, ``None`` for none; ``CursorError`` says why it is not taken."""
        if cursor is None:
            return None
        name, mark, *place = _parts(cursor)
        if name != self.name:
            raise CursorError(f"this cursor belongs to another connection, not to {self.name}")
        if mark != self.mark:
            raise CursorError(f"this cursor belongs to {self.name} with other arguments")
        try:
            return self.check(*place)
        except (TypeError, ValueError):
            raise CursorError("this is no cursor") from None


def _parts(cursor: str) -> list[Any]:
    try:
        if len(cursor) > _LONGEST:
            raise ValueError
        parts = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if not isinstance(parts, list) or len(parts) < 2:
            raise ValueError
    except (ValueError, RecursionError):
        raise CursorError("this is no cursor") from None
    return parts


def seq_place(seq: object) -> tuple[int]:
    """The place of an event: its ``seq``."""
    return (_integer(seq),)


def time_place(moment: object, game: object) -> tuple[str, str]:
    """The place of a game: when it was opened, and its id."""
    text = _text(moment)
    if datetime.fromisoformat(text).tzinfo is None:
        raise ValueError(text)
    return text, _text(game)


def hand_place(moment: object, game: object, number: object) -> tuple[str, str, int]:
    """The place of a hand: when its game was opened, the game's id, and its number."""
    return *time_place(moment, game), _integer(number)


def player_place(player: object) -> tuple[str]:
    """The place of a player: the id."""
    return (_text(player),)


def ordinal_place(game: object, ordinal: object) -> tuple[str, int]:
    """The place of a finding: its game's id, and its place in the report."""
    return _text(game), _integer(ordinal)


def _text(value: object) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise TypeError(value)
    value.encode()  # a lone surrogate is a UnicodeEncodeError, which is a ValueError
    return value


def _integer(value: object) -> int:
    if type(value) is not int or not 0 <= value < _INT_LIMIT:
        raise TypeError(value)
    return value
