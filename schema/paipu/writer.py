"""Writing logs: events to documents, documents to lines, and names kept apart from what is chained."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from replays.events import Act, Event
from schema.canonical import ordered
from schema.paipu.errors import MismatchError, show
from schema.paipu.formats import EXTENSION, FORMATS
from schema.paipu.kinds import Shape
from schema.paipu.vocabulary import ACT, FORMAT, SHAPES, act_order


def document(event: Event) -> dict[str, Any]:
    """The document of an event, members in their fixed order; members that hold their default are left out."""
    members = SHAPES[event.type].dump(event)
    return {"seq": members.pop("seq"), "type": event.type, **members}


def encode(document: Mapping[str, Any], format: str = FORMAT) -> bytes:
    """One line, with its line end: members in the order of the contract, ``x_`` members last and sorted.

    The document is taken to be one that was read or made here, of a game of ``format``. ``ValueError`` where it has an
    unknown type, a member that would be lost, or something that is not JSON.
    """
    return json.dumps(arranged(document, format), ensure_ascii=False, allow_nan=False).encode() + b"\n"


def arranged(document: Mapping[str, Any], format: str = FORMAT) -> dict[str, Any]:
    """A copy of ``document`` with all members in their fixed order; ``ValueError`` as ``encode``."""
    shape = _shape(document, format)
    members = shape.arrange(document)
    extensions = {name: document[name] for name in document if name.startswith(EXTENSION)}
    whole = {"seq": members.pop("seq", None), "type": document["type"], **members, **ordered(extensions)}
    for name in document:
        if name not in whole:
            raise MismatchError(name, "a member of its type", show(document[name]))
    return whole


def _shape(document: Mapping[str, Any], format: str) -> Shape:
    try:
        return FORMATS[format].shapes[document["type"]]
    except KeyError:
        raise MismatchError("type", "a type of event", show(document.get("type"))) from None


def split_names(document: Mapping[str, Any]) -> tuple[dict[str, Any], dict[int, str]]:
    """A ``game_started`` without its players' names, and the names by seat; other documents have none.

    The names are kept where they can be erased; the event without them is what is hashed.
    """
    if document["type"] != "game_started":
        return dict(document), {}
    names = {seat: entry["name"] for seat, entry in enumerate(document["seats"]) if "name" in entry}
    seats = [{member: value for member, value in entry.items() if member != "name"} for entry in document["seats"]]
    return {**document, "seats": seats}, names


def join_names(document: Mapping[str, Any], names: Mapping[int, str]) -> dict[str, Any]:
    """A ``game_started`` with the names, by seat, that are still kept; other documents are copied."""
    if document["type"] != "game_started":
        return dict(document)
    seats = [
        {**entry, "name": names[seat]} if seat in names else dict(entry) for seat, entry in enumerate(document["seats"])
    ]
    return {**document, "seats": seats}


def act_document(act: Act) -> dict[str, Any]:
    """The document of an act, as in ``options``, ``claim`` and findings."""
    return ACT.dump(act)


def parse_act(document: Any, member: str = "act") -> Act:
    """The act of a document; ``ValueError`` naming the member (under ``member``) that is not as it should be."""
    act: Act = ACT.parse(document, member)
    return act


def sort_acts(acts: Iterable[Act]) -> tuple[Act, ...]:
    """Acts in the order in which they are listed: by act, tile, with."""
    return tuple(sorted(acts, key=act_order))
