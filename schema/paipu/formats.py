"""A format of the log: from one line to an event, fast where that is safe, else slowly and with words for the error."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import Any

import msgspec

from replays.events import ClaimOverridden, Dealt, Drew, Event, FlowersReplaced, Konged, Passed, TurnPrompted
from schema.paipu.errors import MismatchError, show
from schema.paipu.kinds import Shape, check_json
from schema.paipu.parsing import parse
from schema.paipu.vocabulary import FORMAT, SHAPES, is_time

#: Members that begin so are anybody's own: kept, and never looked into.
EXTENSION = "x_"
#: The event that starts a game and names the format of all that follow.
START = "game_started"

_decode = msgspec.json.decode
_encode = msgspec.json.Encoder().encode


#: What others do not see when it happens, by today's events and their fields (``fairness.md``, "Evidence").
_HIDDEN: Mapping[type, tuple[str, ...]] = {Dealt: ("tiles",), FlowersReplaced: ("drawn",), Drew: ("tile",)}
_HIDDEN_KONG = ("tile", "with_")
#: Acts that a seat was offered, or declined: others see no more than their place.
PRIVATE = (TurnPrompted, Passed, ClaimOverridden)


class Format:
    """One version of the vocabulary, by the shapes of its events.

    A version may call members by other names and shape them otherwise, and still its events load as today's. The
    envelope, the types and ``reason`` are the same in all versions: the store goes by them.
    """

    def __init__(self, name: str, shapes: Mapping[str, Shape]) -> None:
        self.name = name
        self.shapes = shapes
        #: Types of events that others only see the place of.
        self.private = frozenset(tag for tag, shape in shapes.items() if shape.cls in PRIVATE)
        #: The members that hold hidden tiles, by type.
        self.hidden = {tag: _names(shape, _HIDDEN.get(shape.cls, ())) for tag, shape in shapes.items()}
        #: The same for a concealed kong whose kind is not shown.
        self.hidden_kong = {tag: _names(shape, _HIDDEN_KONG) for tag, shape in shapes.items() if shape.cls is Konged}
        # The start of a game is rare and has free-form options: it always goes the slow way.
        fast = [shape for tag, shape in shapes.items() if tag != START]
        any_of: Any = reduce(or_, (shape.struct for shape in fast))
        self._wire = msgspec.json.Decoder(any_of).decode
        self._loads = {shape.struct: shape.load for shape in fast}

    def fast(self, line: bytes) -> Event | None:
        """The event of ``line``, or ``None`` where only the slow way can tell.

        msgspec takes the last of two members with one name. Written again, every member is there once, so as many
        colons as before mean that none was doubled; this holds because a line without escapes keeps its texts as
        they are.
        """
        if b"\\" in line or not line.isascii():
            return None
        try:
            decoded = self._wire(line)
        except (msgspec.MsgspecError, RecursionError):
            return None
        if not is_time(decoded.at) or _encode(decoded).count(b":") != line.count(b":"):
            return None
        event: Event = self._loads[type(decoded)](decoded)
        return event

    def load(self, document: Mapping[str, Any]) -> Event:
        """The event of a document; ``MismatchError`` names the member that is not as it should be."""
        own, shape = self._split(document)
        shape.check(own, "")
        event: Event = shape.load(msgspec.convert({"type": document["type"], **own}, shape.struct))
        return event

    def _split(self, document: Mapping[str, Any]) -> tuple[dict[str, Any], Shape]:
        """The members that the format defines, without ``type``; the others are only checked to be plain JSON."""
        shape = self._shape(document)
        own: dict[str, Any] = {}
        for name, value in document.items():
            if type(name) is str and name.startswith(EXTENSION):
                check_json(name, EXTENSION, depth=2)
                check_json(value, name, depth=2)
            elif name != "type":
                own[name] = value
        return own, shape

    def _shape(self, document: Mapping[str, Any]) -> Shape:
        tag = document.get("type")
        if "type" not in document:
            raise MismatchError("type", "this member", "nothing")
        if type(tag) is not str or tag not in self.shapes:
            raise MismatchError("type", f"a type of event of {self.name}", show(tag))
        return self.shapes[tag]


def _names(shape: Shape, attributes: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(member.name for member in shape.members if member.attribute in attributes)


#: Every format that is read, by its name.
FORMATS: dict[str, Format] = {FORMAT: Format(FORMAT, SHAPES)}


def named(document: Any, otherwise: str) -> Format:
    """The format that a start of a game names; that of its game, ``otherwise``, for all other documents."""
    if type(document) is not dict:
        raise MismatchError(None, "a JSON object", show(document))
    if document.get("type") != START:
        return FORMATS[otherwise]
    name = document.get("format")
    if type(name) is str and name in FORMATS:
        return FORMATS[name]
    found = show(name) if "format" in document else "nothing"
    raise MismatchError("format", f"one of {', '.join(FORMATS)}", found)


def read_line(line: bytes, format: str) -> tuple[Event, dict[str, Any] | None]:
    """The event of a line in a game of ``format``, and its document if it was made on the way."""
    event = FORMATS[format].fast(line)
    if event is not None:
        return event, None
    document = parse(line)
    return named(document, format).load(document), document


def read_document(line: bytes) -> dict[str, Any]:
    """The document of a line that was accepted the fast way."""
    document: dict[str, Any] = _decode(line)
    return document
