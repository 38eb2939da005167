"""Which kinds of things the field ``node`` finds again, and how. Each area of the schema enters its own kinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from schema.graphql.context import Context
from schema.graphql.ids import parse_id

#: Finds a thing by its key, as the viewer may see it. ``LookupError`` or ``None`` where there is none to this viewer.
Finder: TypeAlias = Callable[..., Any]

KINDS: dict[str, Finder] = {}


def node_kind(name: str) -> Callable[[Finder], Finder]:
    """Enters a finder for the global ids of a kind: it takes the context and the parts of the key."""

    def enter(finder: Finder) -> Finder:
        KINDS[name] = finder
        return finder

    return enter


def find_node(context: Context, id: str) -> Any:
    """The thing of a global id, ``None`` where there is none to this viewer."""
    parts = parse_id(id)
    if parts is None or parts[0] not in KINDS:
        return None
    try:
        return KINDS[parts[0]](context, *parts[1:])
    except (TypeError, LookupError):
        return None
