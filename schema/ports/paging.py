"""Which rows of a list make a page: by place, never by counting."""

from __future__ import annotations

from typing import Any, Generic, NamedTuple, TypeVar

Place = TypeVar("Place", bound=tuple[Any, ...])


class Window(NamedTuple, Generic[Place]):
    """At most ``limit`` rows strictly between two places of a list, ``None`` being its ends: the first ones, or the
    last ones where ``is_backward``. They come in the list's own order either way."""

    limit: int
    after: Place | None = None
    before: Place | None = None
    is_backward: bool = False
