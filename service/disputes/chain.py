"""The chain of a case: leaf and head as ``fairness.md`` ("Evidence") has them for a game.

The public half of a leaf is what the case's player may know of the event.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from schema.canonical import canonical
from service.disputes.events import CaseFormatError, Event, decode, encode, party_form
from service.evidence.leaves import FIRST_HEAD, SALT_SIZE, leaf_from_digest, next_head
from service.evidence.rederiving import Stored


class Linked(NamedTuple):
    """An event as it goes into the chain: its canonical bytes, the SHA-256 of its public half, and its salt."""

    body: bytes
    public_digest: bytes
    salt: bytes

    @property
    def leaf(self) -> bytes:
        return leaf_from_digest(self.public_digest, self.salt, self.body)


class Difference(NamedTuple):
    """What is not as the stored bytes say, at ``seq``. ``code`` is stable: ``seq``, ``body``, ``salt``,
    ``public_digest``, ``head``."""

    seq: int
    code: str
    message: str


class Chain(NamedTuple):
    """Events derived anew from their bytes, as far as those are sound, and the head after them."""

    events: tuple[Event, ...]
    head: bytes
    difference: Difference | None = None


def linked(event: Event, salt: bytes) -> Linked:
    """An event as it goes into the chain; ``salt`` are 16 random bytes of its own."""
    return Linked(encode(event), public_digest(event), salt)


def public_digest(event: Event) -> bytes:
    """SHA-256 of the canonical bytes of what the case's player may know of an event."""
    return sha256(canonical(party_form(event))).digest()


def rederived(case: str, stored: Iterable[Stored]) -> Chain:
    """The chain of a case, derived anew up to the first thing that is wrong with it."""
    events: list[Event] = []
    head = FIRST_HEAD
    for one in stored:
        link = _checked(case, len(events), head, one)
        if isinstance(link, Difference):
            return Chain(tuple(events), head, link)
        event, head = link
        events.append(event)
    return Chain(tuple(events), head)


def _checked(case: str, seq: int, head: bytes, stored: Stored) -> tuple[Event, bytes] | Difference:
    if stored.seq != seq:
        return Difference(seq, "seq", f"there is no event {seq}; the next one is {stored.seq}")
    try:
        event = decode(stored.body)
    except CaseFormatError as error:
        return Difference(seq, "body", f"the stored bytes are no event of this place: {error}")
    if (event.case, event.seq) != (case, seq):
        return Difference(seq, "body", f"the stored bytes are event {event.seq} of case {event.case}")
    if len(stored.salt) != SALT_SIZE:
        return Difference(seq, "salt", f"a salt of {len(stored.salt)} bytes")
    if public_digest(event) != stored.public_digest:
        return Difference(seq, "public_digest", "the stored bytes give another digest of the public half")
    after = next_head(head, leaf_from_digest(stored.public_digest, stored.salt, stored.body))
    if after != stored.head:
        return Difference(seq, "head", f"the stored bytes give the head {after.hex()}, stored is {stored.head.hex()}")
    return event, after
