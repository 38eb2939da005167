"""What an export's query asks for, read member by member."""

from __future__ import annotations

from typing import NamedTuple

from starlette.datastructures import QueryParams

from schema.ports.jobs import UnfitArgumentError
from service.store.bulk import Selection
from service.usecases.bulk import selection_of

#: Games of one answer; what is more is fetched by another request, or by a job.
GAMES_LIMIT = 1000
_ONCE = ("since", "until", "ruleset", "status", "after", "max")
_KNOWN = frozenset({*_ONCE, "ids", "id"})


class Wanted(NamedTuple):
    """A query: which games, behind which one, and how many of them."""

    selection: Selection
    after: str | None
    limit: int


def wanted_of(query: QueryParams) -> Wanted:
    """The query of ``GET /export``; ``UnfitArgumentError`` names what cannot be used."""
    for name in query:
        if name not in _KNOWN:
            raise UnfitArgumentError(name, f"There is no {name!r} here, only {', '.join(sorted(_KNOWN))}.")
    for name in _ONCE:
        if len(query.getlist(name)) > 1:
            raise UnfitArgumentError(name, f"{name} is given more than once.")
    wish = {"ids": _ids(query), **{name: query.get(name) for name in ("since", "until", "ruleset", "status")}}
    return Wanted(selection_of(wish), query.get("after"), _limit(query))


def _ids(query: QueryParams) -> list[str] | None:
    """Each ``id`` is one, whatever is in it; ``ids`` is a list with commas."""
    if "id" not in query and "ids" not in query:
        return None
    listed = [part for text in query.getlist("ids") for part in text.split(",") if part]
    return list(dict.fromkeys([*query.getlist("id"), *listed]))


def _limit(query: QueryParams) -> int:
    text = query.get("max")
    if text is None:
        return GAMES_LIMIT
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and 1 <= int(text) <= GAMES_LIMIT):
        raise UnfitArgumentError("max", f"max must be 1 to {GAMES_LIMIT}.")
    return int(text)
