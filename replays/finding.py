"""What an audit finds: the clause, what was recorded, and what would have been right."""

from __future__ import annotations

from typing import Any, NamedTuple

from replays.events import Act, Event
from replays.rulebook import Violation
from replays.tiles import CODES, Tile, codes

VIOLATION, WARNING = "violation", "warning"


class Finding(NamedTuple):
    """One broken clause at one event. ``expected`` and ``recorded`` hold JSON values; ``code`` never changes its
    meaning, and its words in each language are in ``schema.catalogue``."""

    seq: int
    hand: int | None
    seat: int | None
    clause: str
    code: str
    severity: str
    expected: dict[str, Any]
    recorded: dict[str, Any]
    also: tuple[str, ...] = ()


_ENVELOPE = frozenset({"seq", "at", "hand", "seat"})
_TILE = frozenset({"tile", "gold", "tile_out"})
_TILES = frozenset({"tiles", "with_", "flowers", "drawn", "wall"})
_ACTS = frozenset({"options"})


def recorded(event: Event, *names: str) -> dict[str, Any]:
    """The members of an event by their names in the log; only ``names`` (of the class) where some are given."""
    chosen = names or tuple(name for name in event._fields if name not in _ENVELOPE)
    values = {name: getattr(event, name) for name in chosen}
    return {name.rstrip("_"): _plain(name, value) for name, value in values.items() if value not in (None, ())}


def _plain(name: str, value: Any) -> Any:
    if name in _TILE:
        return CODES[value]
    if name in _TILES:
        return codes(value)
    if name in _ACTS:
        return [act_document(act) for act in value]
    if isinstance(value, Act):
        return act_document(value)
    return list(value) if isinstance(value, tuple) else value


def act_document(act: Act) -> dict[str, Any]:
    """An act as the log writes it."""
    document: dict[str, Any] = {"act": act.act}
    if act.tile is not None:
        document["tile"] = CODES[act.tile]
    if act.with_:
        document["with"] = codes(act.with_)
    for name, value in (("kind", act.kind), ("win", act.win), ("from", act.from_)):
        if value is not None:
            document[name] = value
    return document


def act_order(act: Act) -> tuple[Any, ...]:
    """Sorting key of acts: by act, tile, with, as the log's contract orders them."""
    return (act.act, _code(act.tile), tuple(codes(act.with_)), act.kind or "", act.win or "")


def _code(tile: Tile | None) -> str:
    return "" if tile is None else CODES[tile]


def finding(
    event: Event,
    violation: Violation,
    what: dict[str, Any] | None = None,
    *,
    seq: int | None = None,
    seat: int | None = None,
) -> Finding:
    """A violation found at an event, or by it at an earlier ``seq``; ``what`` is what was recorded there."""
    return Finding(
        event.seq if seq is None else seq,
        event.hand,
        event.seat if seat is None else seat,
        violation.clause,
        violation.code,
        VIOLATION,
        violation.expected,
        recorded(event) if what is None else what,
        violation.also,
    )
