"""Kinds of values in a log, each with its two checks and the way into an event and back.

Every kind knows a type for msgspec (the fast way in: compiled, but its messages name no member of ours) and a check
of its own (the slow way: it finds the words for the error). Tests hold the two to the same language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Annotated, Any, Literal, NamedTuple, Protocol

import msgspec

from schema.canonical import MAX_INTEGER, ordered
from schema.paipu.errors import MismatchError, Number, quote, show
from schema.paipu.parsing import MAX_NESTING

Convert = Callable[[Any], Any]


class Kind(Protocol):
    """What a member may hold."""

    @property
    def annotation(self) -> Any:
        """The type by which msgspec checks and decodes it."""

    @property
    def load(self) -> Convert | None:
        """From the decoded value to an event's; ``None`` where they are the same."""

    @property
    def dump(self) -> Convert | None:
        """From an event's value to the document's; ``None`` where they are the same."""

    def check(self, value: Any, member: str) -> None:
        """``MismatchError`` with the precise member where a document's value is not of this kind."""

    def arrange(self, value: Any) -> Any:
        """A document's value with the members of its objects in their fixed order."""


@dataclass(frozen=True)
class Scalar:
    """One value: ``test`` says whether it is of this kind, ``expected`` what it should be."""

    expected: str
    annotation: Any
    test: Callable[[Any], bool]
    load: Convert | None = None
    dump: Convert | None = None

    def check(self, value: Any, member: str) -> None:
        if not self.test(value):
            raise MismatchError(member, self.expected, show(value))

    def arrange(self, value: Any) -> Any:
        return value


def integer(low: int, high: int = MAX_INTEGER, what: str = "an integer") -> Scalar:
    """An integer from ``low`` to ``high``; ``true`` and ``1.0`` are none."""
    annotation = Annotated[int, msgspec.Meta(ge=low, le=high)]
    expected = f"{what} from {low} to {high}" if low != high else f"{low}"
    return Scalar(expected, annotation, lambda value: type(value) is int and low <= value <= high)


def choice(*values: str, load: Convert | None = None, dump: Convert | None = None) -> Scalar:
    """One of a few words."""
    expected = f"one of {', '.join(values)}"
    return Scalar(expected, Literal[values], lambda value: type(value) is str and value in values, load, dump)


def text(expected: str, pattern: str) -> Scalar:
    """Text that matches ``pattern`` as a whole."""
    whole = re.compile(pattern)
    annotation = Annotated[str, msgspec.Meta(pattern=rf"\A(?:{pattern})\Z")]
    return Scalar(expected, annotation, lambda value: type(value) is str and whole.fullmatch(value) is not None)


def flag() -> Scalar:
    """``true`` or ``false``."""
    return Scalar("true or false", bool, lambda value: type(value) is bool)


@dataclass(frozen=True)
class Options:
    """An object of any JSON values: the options of a rule set, which alone knows what they may be.

    ``depth`` is how deep in an event it lies, the event itself being 1.
    """

    depth: int
    annotation: Any = dict[str, Any]
    load: Convert | None = None
    dump: Convert | None = None

    def check(self, value: Any, member: str) -> None:
        if type(value) is not dict:
            raise MismatchError(member, "an object of options", show(value))
        check_json(value, member, self.depth)

    def arrange(self, value: Any) -> Any:
        return ordered(value)


def check_json(value: Any, member: str, depth: int) -> None:
    """``MismatchError`` unless ``value``, at ``depth`` in an event, is JSON that the canonical form keeps."""
    kind = type(value)
    if kind is bool or value is None:
        return
    if kind is int and -MAX_INTEGER <= value <= MAX_INTEGER:
        return
    if kind is str and not _SURROGATE.search(value):
        return
    if kind not in (dict, list):
        raise MismatchError(member, _JSON_EXPECTED.get(kind, "a JSON value"), show(value))
    if depth > MAX_NESTING:
        raise MismatchError(member, f"nesting of at most {MAX_NESTING}", "deeper nesting")
    if kind is list:
        for index, item in enumerate(value):
            check_json(item, f"{member}[{index}]", depth + 1)
        return
    for name, item in value.items():
        check_json(name, member, depth)
        check_json(item, f"{member}.{quote(name)}", depth + 1)


_SURROGATE = re.compile(r"[\ud800-\udfff]")
_INTEGER_EXPECTED = "an integer within ±(2^53 − 1)"
_JSON_EXPECTED: dict[type, str] = {
    int: _INTEGER_EXPECTED,
    float: _INTEGER_EXPECTED,
    Number: _INTEGER_EXPECTED,
    str: "text without lone surrogates",
}


@dataclass(frozen=True)
class Many:
    """A list of ``low`` to ``high`` values of one kind."""

    item: Kind
    what: str
    high: int
    low: int = 0
    sort: Callable[[Any], Any] | None = None  #: the order in which events are written, where it matters
    load: Convert | None = None
    dump: Convert | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "load", self.load or _each(self.item.load, tuple))
        object.__setattr__(self, "dump", self.dump or _each(self.item.dump, list, self.sort))

    @property
    def annotation(self) -> Any:
        item: Any = self.item.annotation
        return Annotated[tuple[item, ...], msgspec.Meta(min_length=self.low, max_length=self.high)]

    def check(self, value: Any, member: str) -> None:
        if type(value) is not list:
            raise MismatchError(member, self._expected(), show(value))
        if not self.low <= len(value) <= self.high:
            raise MismatchError(member, self._expected(), f"a list of {len(value)}")
        for index, item in enumerate(value):
            self.item.check(item, f"{member}[{index}]")

    def arrange(self, value: Any) -> Any:
        return [self.item.arrange(item) for item in value]

    def _expected(self) -> str:
        count = f"{self.low}" if self.low == self.high else f"{self.low} to {self.high}"
        return f"a list of {count} {self.what}"


def _each(convert: Convert | None, into: type, sort: Callable[[Any], Any] | None = None) -> Convert | None:
    def converted(values: Any) -> Any:
        values = sorted(values, key=sort) if sort else values
        return into(map(convert, values) if convert else values)

    return None if convert is None and into is tuple else converted


class Member(NamedTuple):
    """A member of an object: its name in the log, its kind, and the field of the event's class that holds it.

    ``field`` is given where it is not called as the member is, ``take`` where the value is not simply a field.
    """

    name: str
    kind: Kind
    required: bool = True
    field: str = ""
    take: Callable[[Any], Any] | None = None

    @property
    def attribute(self) -> str:
        return self.field or self.name


@dataclass(frozen=True)
class Shape:
    """An object with fixed members in a fixed order, and the class of events or parts of events that it becomes.

    ``paths`` are the class's fields that lie deeper in the decoded object; a shape with a ``tag`` is an event.
    """

    cls: Any
    members: tuple[Member, ...]
    tag: str | None = None
    paths: Mapping[str, str] = field(default_factory=dict)
    struct: Any = field(init=False)
    load: Convert = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "struct", self._struct())
        object.__setattr__(self, "load", self._loader())

    @property
    def annotation(self) -> Any:
        return self.struct

    def _struct(self) -> Any:
        defaults = self.cls._field_defaults
        fields = [
            (member.attribute, member.kind.annotation)
            if member.required
            else (member.attribute, member.kind.annotation, defaults.get(member.attribute))
            for member in self.members
        ]
        held = {member.attribute for member in self.members} | set(self.paths)
        absent = {name: default for name, default in defaults.items() if name not in held}
        return msgspec.defstruct(
            self.cls.__name__,
            fields,
            namespace=absent,
            rename={member.attribute: member.name for member in self.members},
            tag_field="type" if self.tag else None,
            tag=self.tag,
            kw_only=True,
            forbid_unknown_fields=True,
            omit_defaults=True,
        )

    def _loader(self) -> Convert:
        """One read of all fields, and then only those changed that need it: this runs for every event."""
        make = self.cls._make
        names = self.cls._fields
        fetch = attrgetter(*(self.paths.get(name, name) for name in names))
        loads = {member.attribute: member.kind.load for member in self.members if member.attribute not in self.paths}
        steps = tuple((place, step) for place, name in enumerate(names) if (step := loads.get(name)) is not None)
        defaults = tuple(self.cls._field_defaults.get(name) for name in names)

        def load(decoded: Any) -> Any:
            values = list(fetch(decoded))
            for place, step in steps:
                if values[place] is not defaults[place]:
                    values[place] = step(values[place])
            return make(values)

        return load if steps else lambda decoded: make(fetch(decoded))

    def dump(self, value: Any) -> dict[str, Any]:
        """The document of an event or a part of one; members that hold their default are left out."""
        document: dict[str, Any] = {}
        for member in self.members:
            held = member.take(value) if member.take else getattr(value, member.attribute)
            if not member.required and held == self.cls._field_defaults.get(member.attribute):
                continue
            document[member.name] = member.kind.dump(held) if member.kind.dump else held
        return document

    def parse(self, value: Any, member: str) -> Any:
        """What a document of this shape becomes; ``MismatchError`` under the name ``member``. Not for tagged shapes."""
        self.check(value, member)
        return self.load(msgspec.convert(value, self.struct))

    def check(self, value: Any, member: str) -> None:
        if type(value) is not dict:
            raise MismatchError(member or None, "a JSON object", show(value))
        prefix = f"{member}." if member else ""
        known = {entry.name for entry in self.members}
        for name in value:
            if name not in known:
                raise MismatchError(prefix + (quote(str(name)) or '""'), self._expected(), "an unknown member")
        for entry in self.members:
            if entry.name in value:
                entry.kind.check(value[entry.name], f"{prefix}{entry.name}")
            elif entry.required:
                raise MismatchError(f"{prefix}{entry.name}", "this member", "nothing")

    def _expected(self) -> str:
        names = [entry.name for entry in self.members] + (["type", "x_…"] if self.tag else [])
        return f"one of {', '.join(names)}"

    def arrange(self, value: Any) -> Any:
        arranged = {entry.name: entry.kind.arrange(value[entry.name]) for entry in self.members if entry.name in value}
        if self.tag is None and len(arranged) != len(value):
            raise MismatchError(None, self._expected(), show(value))
        return arranged
