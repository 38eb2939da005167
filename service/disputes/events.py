"""What is on record of a case: facts in the past tense, in canonical JSON, chained like the events of a game.

Every event names its case, its place, when it happened by the database's clock, and who acted. Free text stands as
``sha256:`` and the digest of salt and text, so that it can be forgotten. Times are RFC 3339 UTC with milliseconds, so
that they compare as text; digests are lower-case hex.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from schema.canonical import canonical


class Person(NamedTuple):
    """Somebody who acts, whatever key was used: a principal, and the player whom that one is at tables."""

    principal: str
    player: str | None = None

    def is_same(self, other: Person) -> bool:
        """Whether both are one person: the same principal, or two principals of one player."""
        return self.principal == other.principal or (self.player is not None and self.player == other.player)


class By(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who acted, and as what: ``player``, or a role of the staff."""

    role: str
    principal: str
    player: str | None = None

    @property
    def person(self) -> Person:
        return Person(self.principal, self.player)


class _Event(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type"):
    case: str
    seq: int
    at: str
    by: By


class Opened(_Event, frozen=True, tag="opened"):
    """A case was opened: on a game, there on a hand and on the event ``step``, for ``player`` (whose case it is;
    ``None`` for one of the staff alone), who says that ``clause`` was broken and what happened; to be decided until
    ``due``."""

    game: str
    due: str
    text: str
    hand: int | None = None
    step: int | None = None
    clause: str | None = None
    player: str | None = None


class EvidenceAttached(_Event, frozen=True, tag="evidence_attached"):
    """The bundle of the game and the newest audit's ``report`` were frozen, by their digests, with the game's head
    after event ``upto_seq``. ``seats`` are bundles as the case's player may see them, by seat."""

    bundle: str
    game_head: str
    upto_seq: int
    engine: str
    report: str | None = None
    verdict: str | None = None
    seats: dict[str, str] = {}


class Assigned(_Event, frozen=True, tag="assigned"):
    """Somebody of the staff got the case to decide."""

    assignee: str
    assignee_player: str | None = None


class StatementMade(_Event, frozen=True, tag="statement_made"):
    """The player or the staff said something that both sides read."""

    text: str


class Noted(_Event, frozen=True, tag="noted"):
    """The staff wrote something down for itself."""

    text: str


class DueSet(_Event, frozen=True, tag="due_set"):
    """The case is to be decided until another time."""

    due: str


class VerdictProposed(_Event, frozen=True, tag="verdict_proposed"):
    """A verdict with its reason, which rests on the evidence attached at ``evidence``; ``findings`` are places in the
    frozen report."""

    outcome: str
    text: str
    evidence: int
    clauses: list[str] = []
    findings: list[int] = []


class VerdictApproved(_Event, frozen=True, tag="verdict_approved"):
    """Another person agreed to the proposal at ``proposal``: it is the verdict now, in its words (``text`` is the
    proposal's). An appeal is possible until ``appeal_until``, ``None`` where it is not at all."""

    proposal: int
    outcome: str
    text: str
    clauses: list[str] = []
    appeal_until: str | None = None


class VerdictRejected(_Event, frozen=True, tag="verdict_rejected"):
    """Another person did not agree."""

    proposal: int
    text: str


class ApprovalVoided(_Event, frozen=True, tag="approval_voided"):
    """The evidence is no longer what the proposal rested on, so it waits for nobody's approval any more."""

    proposal: int


class Appealed(_Event, frozen=True, tag="appealed"):
    """The player does not accept the verdict: others decide anew, until ``due``."""

    text: str
    due: str


class Withdrawn(_Event, frozen=True, tag="withdrawn"):
    """Who opened the case wants it no more; of an appeal: the first verdict stands."""

    text: str | None = None


class Closed(_Event, frozen=True, tag="closed"):
    """Nobody appealed in time: the verdict stands."""


Event: TypeAlias = (
    Opened
    | EvidenceAttached
    | Assigned
    | StatementMade
    | Noted
    | DueSet
    | VerdictProposed
    | VerdictApproved
    | VerdictRejected
    | ApprovalVoided
    | Appealed
    | Withdrawn
    | Closed
)

_DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)

#: What the case's player may know of each type of event; of those that are not here no more than that there was one.
_SHOWN: Mapping[str, tuple[str, ...]] = {
    "opened": ("game", "hand", "step", "clause", "player", "due", "text"),
    "evidence_attached": ("game_head", "upto_seq", "engine", "verdict", "seats"),
    "statement_made": ("text",),
    "due_set": ("due",),
    "verdict_approved": ("outcome", "clauses", "text", "appeal_until"),
    "appealed": ("text", "due"),
    "withdrawn": ("text",),
    "closed": (),
}
#: How an event begins to its reader where no more of it is shown.
INTERNAL = "internal"
#: The role of those whose case it is.
PLAYER = "player"


class CaseFormatError(ValueError):
    """Bytes that are no event of a case in canonical form."""


def document(event: Event) -> dict[str, Any]:
    """The event as a JSON object."""
    made: dict[str, Any] = msgspec.to_builtins(event)
    return made


def encode(event: Event) -> bytes:
    """The canonical bytes of an event: what is hashed."""
    return canonical(document(event))


def decode(body: bytes) -> Event:
    """The event in stored bytes; ``CaseFormatError`` where they are none."""
    try:
        event = _DECODER.decode(body)
        is_canonical = encode(event) == bytes(body)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise CaseFormatError(f"no event of a case: {error}") from None
    if not is_canonical:
        raise CaseFormatError("not in canonical form")
    return event


def party_form(event: Event) -> dict[str, Any]:
    """What the case's player may know of an event: of the staff only in which role it acted, of its internal work only
    that there was some."""
    whole = document(event)
    shown = _SHOWN.get(whole["type"])
    if shown is None:
        return {"case": event.case, "seq": event.seq, "type": INTERNAL}
    by = whole["by"] if event.by.role == PLAYER else {"role": event.by.role}
    members = {member: whole[member] for member in shown if member in whole}
    return {"case": event.case, "seq": event.seq, "type": whole["type"], "at": event.at, "by": by} | members


def is_internal(event: Event) -> bool:
    """Whether an event is the staff's alone."""
    return document(event)["type"] not in _SHOWN


def text_of(event: Event) -> str | None:
    """The digest that stands for the free text of an event, ``None`` where it has none."""
    found: str | None = getattr(event, "text", None)
    return found


def text_place(event: Event) -> int:
    """The event under whose ``seq`` the text is kept: a verdict has the words of its proposal."""
    return event.proposal if isinstance(event, VerdictApproved) else event.seq
