"""Making a bundle out of a game's stored events, for one receiver."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from replays import ENGINE
from replays.audit import audit
from replays.events import Event, GameStarted
from replays.reducer import start
from replays.rulebook import Rulebook
from schema import paipu
from schema.canonical import canonical
from schema.paipu.formats import PRIVATE
from schema.report import report_document
from service.evidence.bundles.sight import sight
from service.evidence.leaves import event_salt, game_salt, public_form, rest_digest

FORMAT = "mingpai-bundle/1"

#: The members that prove a game's seal, all there or all ``null``.
SEALING = ("seal", "salt0", "index", "size", "inclusion", "checkpoint")


class Sealed(NamedTuple):
    """A game's seal in the global log: the seal's bytes, its place among ``size`` leaves, the path from it to the root
    (nodes of 32 bytes), and the signed note of the checkpoint of that size."""

    seal: bytes
    index: int  # type: ignore[assignment]  # the contract's name; it hides tuple.index
    size: int
    inclusion: tuple[bytes, ...]
    checkpoint: str


def make(bodies: Sequence[bytes], secret: bytes, sealed: Sealed | None, seat: int | None) -> dict[str, Any]:
    """The bundle (``mingpai-bundle/1``) of a game for ``seat``, or for one who may see all of it where ``None``.

    ``bodies`` are the stored canonical bytes of all its events in order, ``secret`` its K of 32 bytes. Without a seal
    the game is live: what proves the seal is ``null`` then. Who sees what (S-VIEW-1):

    - an event that is public as it stands is shown in full to everybody;
    - one who may see the whole game sees everything, but of a live game's hand under way only the public forms, until
      its wall is revealed;
    - a seat sees its own events in full. Others' hidden tiles it sees once the whole wall of that hand is revealed,
      never the acts that others were offered or declined, and never the ``x_`` members of others' events;
    - the report is that of all events; in a live game with a hand under way that of the events before it. A seat's has
      nothing ``recorded`` in findings at what others were offered or declined.

    ``ValueError`` where the events are none of a game that can be read and started, for a seat that the game does not
    have and for a secret of another length.
    """
    documents = [json.loads(body) for body in bodies]
    events = list(paipu.history(bodies))
    book, seats = _opening(events)
    if seat is not None and not 0 <= seat < seats:
        raise ValueError(f"no seat {seat} in a game of {seats}")
    seen = sight(events, is_over=sealed is not None)
    is_kong_shown = bool(book.options["concealed_kong_shown"])
    entries = []
    for place, (body, document) in enumerate(zip(bodies, documents, strict=True)):
        public = canonical(public_form(document, concealed_kong_shown=is_kong_shown, format=documents[0]["format"]))
        is_full = public == body or seen.may_see(place, document, seat)
        entries.append(_full(body, event_salt(secret, place)) if is_full else _public(public, secret, place, body))
    return {
        "format": FORMAT,
        "game": documents[0]["game"],
        "ruleset": ruleset_record(book),
        "events": entries,
        **_sealing(sealed, secret),
        "engine": ENGINE,
        "report": _report(events[: seen.under_way], seat),
    }


def encode(bundle: Mapping[str, Any]) -> bytes:
    """The bytes of a bundle's file: canonical JSON and a line end, so that the same bundle is the same file."""
    return canonical(dict(bundle)) + b"\n"


def ruleset_record(book: Rulebook) -> dict[str, Any]:
    """A rule set with all its options: the record that its digest is over."""
    return {"id": book.id, "version": book.version, "options": dict(book.options)}


def _opening(events: Sequence[Event]) -> tuple[Rulebook, int]:
    """The rule book and the number of seats of a game that starts as it should; ``ValueError`` for another."""
    first = events[0] if events else None
    if not isinstance(first, GameStarted):
        raise ValueError("a game begins with game_started")
    table = start(first)
    return table.book, table.players


def _full(body: bytes, salt: bytes) -> dict[str, str]:
    return {"full": _base64(body), "salt": salt.hex()}


def _public(public: bytes, secret: bytes, place: int, body: bytes) -> dict[str, str]:
    return {"public": _base64(public), "rest": rest_digest(event_salt(secret, place), body).hex()}


def _sealing(sealed: Sealed | None, secret: bytes) -> dict[str, Any]:
    """What proves the seal; ``null`` throughout for a live game."""
    if sealed is None:
        return dict.fromkeys(SEALING)
    return {
        "seal": _base64(sealed.seal),
        "salt0": game_salt(secret).hex(),
        "index": sealed.index,
        "size": sealed.size,
        "inclusion": [_base64(node) for node in sealed.inclusion],
        "checkpoint": sealed.checkpoint,
    }


def _report(events: Sequence[Event], seat: int | None) -> dict[str, Any]:
    """The audit's document, without what it quotes of acts that others were offered or declined."""
    report = audit(events)
    hidden = {event.seq for event in events if isinstance(event, PRIVATE) and event.seat != seat}
    if seat is not None and hidden:
        findings = [found._replace(recorded={}) if found.seq in hidden else found for found in report.findings]
        report = report._replace(findings=tuple(findings))
    return report_document(report, "en")


def _base64(raw: bytes) -> str:
    return b64encode(raw).decode()
