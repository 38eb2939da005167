"""Connections after Relay, by keyset: pages are found by where the last one ended, never by counting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import strawberry

from schema.graphql.cursors import CursorError, Cursors
from schema.graphql.described import output
from schema.graphql.errors import BadArgument, BadCursor, bad_argument, bad_cursor

#: The most that one page holds.
PAGE_LIMIT = 100

Node = TypeVar("Node")
_Row = TypeVar("_Row")
_Place = TypeVar("_Place", bound=tuple[Any, ...])


@output
class PageInfo:
    """Where a page stands in its connection; pages are read forward only."""

    has_next_page: bool
    has_previous_page: bool
    start_cursor: str | None
    end_cursor: str | None


@strawberry.type(description="One item of a page, with the cursor behind which the next page begins.")
class Edge(Generic[Node]):
    cursor: str
    node: Node


@strawberry.type(description="A page.")
class Connection(Generic[Node]):
    edges: list[Edge[Node]]
    page_info: PageInfo


def page(
    cursors: Cursors[_Place],
    first: int,
    after: str | None,
    fetch: Callable[[_Place | None, int], Sequence[_Row]],
    place: Callable[[_Row], _Place],
    node: Callable[[_Row], Node],
) -> Connection[Node] | BadCursor | BadArgument:
    """The page of ``first`` items behind the cursor ``after``; ``fetch(place, limit)`` reads rows behind a place."""
    if not 1 <= first <= PAGE_LIMIT:
        return bad_argument("first", f"first must be 1 to {PAGE_LIMIT}, not {first}.")
    try:
        behind = cursors.decode(after)
    except CursorError as error:
        return bad_cursor(str(error))
    rows = fetch(behind, first + 1)  # one more than asked for tells whether there is a next page
    edges = [Edge(cursor=cursors.encode(place(row)), node=node(row)) for row in rows[:first]]
    info = PageInfo(
        has_next_page=len(rows) > first,
        has_previous_page=behind is not None,
        start_cursor=edges[0].cursor if edges else None,
        end_cursor=edges[-1].cursor if edges else None,
    )
    return Connection(edges=edges, page_info=info)
