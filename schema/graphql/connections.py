"""Connections after Relay, by keyset: pages are found by where others end, never by counting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import strawberry

from schema.graphql.cursors import CursorError, Cursors
from schema.graphql.described import output
from schema.graphql.errors import BadArgument, BadCursor, bad_argument, bad_cursor
from schema.ports import Window

#: The most that one page holds.
PAGE_LIMIT = 100

Node = TypeVar("Node")
_Row = TypeVar("_Row")
_Place = TypeVar("_Place", bound=tuple[Any, ...])


@output
class PageInfo:
    """Where a page stands in its connection."""

    has_next_page: bool
    has_previous_page: bool
    start_cursor: str | None
    end_cursor: str | None


@strawberry.type(description="One item of a page, with the cursor that names its place.")
class Edge(Generic[Node]):
    cursor: str
    node: Node


@strawberry.type(description="A page.")
class Connection(Generic[Node]):
    edges: list[Edge[Node]]
    page_info: PageInfo


class Paging(NamedTuple):
    """The paging arguments of a connection: ``first`` or ``last``, and the cursors that bound it."""

    first: int | None = None
    after: str | None = None
    last: int | None = None
    before: str | None = None


def page(
    cursors: Cursors[_Place],
    paging: Paging,
    fetch: Callable[[Window[_Place]], Sequence[_Row]],
    place: Callable[[_Row], _Place],
    nodes: Callable[[Sequence[_Row]], Sequence[Node]],
) -> Connection[Node] | BadCursor | BadArgument:
    """The page that is asked for; ``fetch`` reads a window's rows, ``nodes`` makes what they look like to a client."""
    name, count = ("last", paging.last) if paging.first is None else ("first", paging.first)
    if paging.first is not None and paging.last is not None:
        return bad_argument("last", "A page is the first ones or the last ones, not both.")
    if count is None:
        return bad_argument("first", f"A page needs first or last, 1 to {PAGE_LIMIT}.")
    if not 1 <= count <= PAGE_LIMIT:
        return bad_argument(name, f"{name} must be 1 to {PAGE_LIMIT}, not {count}.")
    try:
        after, before = cursors.decode(paging.after), cursors.decode(paging.before)
    except CursorError as error:
        return bad_cursor(str(error))
    is_backward = paging.first is None
    # One more than asked for tells whether there are others beyond.
    rows = fetch(Window(count + 1, after, before, is_backward))
    has_more = len(rows) > count
    rows = (rows[-count:] if is_backward else rows[:count]) if has_more else rows
    edges = [Edge(cursor=cursors.encode(place(row)), node=node) for row, node in zip(rows, nodes(rows), strict=True)]
    info = PageInfo(
        has_next_page=before is not None if is_backward else has_more,
        has_previous_page=has_more if is_backward else after is not None,
        start_cursor=edges[0].cursor if edges else None,
        end_cursor=edges[-1].cursor if edges else None,
    )
    return Connection(edges=edges, page_info=info)
