"""One JSON document that holds a case for one reader: every event or what that reader may know of it, the texts that
are still kept, and the evidence; and its check, which needs nothing else.

``mingpai-case/1``: ``{"format", "case", "head", "events", "texts", "evidence"}``. An event is ``{"full": base64,
"salt": hex}`` or ``{"public": base64, "rest": hex of SHA-256(salt ‖ full)}``, as in a bundle; a text is ``{"seq",
"salt", "text"}``; a piece of evidence ``{"digest", "kind", "content": base64}``.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from schema.canonical import canonical
from service.disputes.chain import Linked, public_digest
from service.disputes.events import (
    CaseFormatError,
    Event,
    EvidenceAttached,
    VerdictApproved,
    decode,
    party_form,
    text_of,
)
from service.disputes.events import document as document_of
from service.disputes.fold import UnfoldableError
from service.disputes.rules import unlawful
from service.evidence.leaves import FIRST_HEAD, leaf_from_digest, leaf_from_rest, next_head, rest_digest, text_digest

FORMAT = "mingpai-case/1"


class Text(NamedTuple):
    """The free text of the event ``seq``, with its salt (16 bytes)."""

    seq: int
    salt: bytes
    text: bytes


class Piece(NamedTuple):
    """A frozen file: ``kind`` is ``bundle`` or ``report``."""

    kind: str
    content: bytes

    @property
    def digest(self) -> bytes:
        return sha256(self.content).digest()


class Verified(NamedTuple):
    """What the check of an export gives: its events as far as they are shown in full, the head that all of them lead
    to, what is wrong (nothing, in a sound export), and what its reader was not given."""

    events: tuple[Event, ...]
    head: str
    problems: tuple[str, ...]
    withheld: tuple[str, ...]


def export_document(
    case: str,
    head: bytes,
    events: Sequence[tuple[Event, Linked]],
    texts: Iterable[Text],
    evidence: Iterable[Piece],
    *,
    is_whole: bool,
) -> dict[str, Any]:
    """The document of a case: with every event in full where ``is_whole``, else as its player may see it.

    ``texts`` and ``evidence`` are those that the reader may see.
    """
    return {
        "format": FORMAT,
        "case": case,
        "head": head.hex(),
        "events": [_entry(event, link, is_whole) for event, link in events],
        "texts": [{"seq": one.seq, "salt": one.salt.hex(), "text": one.text.decode()} for one in texts],
        "evidence": [
            {"digest": one.digest.hex(), "kind": one.kind, "content": b64encode(one.content).decode()}
            for one in evidence
        ],
    }


def _entry(event: Event, link: Linked, is_whole: bool) -> dict[str, str]:
    public = canonical(party_form(event))
    if is_whole or public == link.body:
        return {"full": b64encode(link.body).decode(), "salt": link.salt.hex()}
    return {"public": b64encode(public).decode(), "rest": rest_digest(link.salt, link.body).hex()}


def verify_export(document: Mapping[str, Any]) -> Verified:
    """Checks an export by itself: the chain, the texts and the evidence against the digests in it, and, where all
    events are shown, that the rules allow what happened.

    A document of another form raises ``ValueError``. That the head is the store's own is for its reader to compare.
    """
    if document.get("format") != FORMAT:
        raise ValueError(f"not in the format {FORMAT}")
    try:
        return _verified(document)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not in the format {FORMAT}: {error!r}") from error


def _verified(document: Mapping[str, Any]) -> Verified:
    head, shown, problems = FIRST_HEAD, list[dict[str, Any]](), list[str]()
    full: list[Event] = []
    for seq, entry in enumerate(document["events"]):
        leaf, known = _leaf(entry, full, problems)
        head = next_head(head, leaf)
        if (known.get("case"), known.get("seq")) != (document["case"], seq):
            problems.append(f"event {seq}: it is not the event of this place and case")
        shown.append(known)
    if head.hex() != document["head"]:
        problems.append(f"the events give the head {head.hex()}, the document says {document['head']}")
    withheld = [f"event {seq}" for seq, entry in enumerate(document["events"]) if "full" not in entry]
    withheld += _check_texts(document["texts"], shown, problems)
    withheld += _check_evidence(document["evidence"], shown, problems)
    if not problems and len(full) == len(shown):
        problems += _unlawful(full, document["evidence"])
    return Verified(tuple(full), head.hex(), tuple(problems), tuple(withheld))


def _leaf(entry: Mapping[str, str], full: list[Event], problems: list[str]) -> tuple[bytes, dict[str, Any]]:
    """The leaf hash of an event, and what is known of it; one that is shown in full is added to ``full``."""
    if "full" not in entry:
        public = b64decode(entry["public"], validate=True)
        return leaf_from_rest(public, bytes.fromhex(entry["rest"])), json.loads(public)
    body, salt = b64decode(entry["full"], validate=True), bytes.fromhex(entry["salt"])
    try:
        event = decode(body)
    except CaseFormatError as error:
        problems.append(f"an event that cannot be read: {error}")
        return leaf_from_digest(sha256(body).digest(), salt, body), {}
    full.append(event)
    return leaf_from_digest(public_digest(event), salt, body), document_of(event)


def _check_texts(texts: Sequence[Mapping[str, Any]], shown: Sequence[dict[str, Any]], problems: list[str]) -> list[str]:
    """Texts against the digests in the events; the texts that are named and not there."""
    given: dict[int, str] = {}
    for one in texts:
        seq = one["seq"]
        given[seq] = text_digest(bytes.fromhex(one["salt"]), one["text"].encode())
        if not 0 <= seq < len(shown) or shown[seq].get("text") != given[seq]:
            problems.append(f"event {seq}: the text is not the one whose digest the event holds")
    named = {one["text"]: seq for seq, one in enumerate(shown) if one.get("text") is not None}
    return [f"text of event {seq}" for digest, seq in named.items() if digest not in given.values()]


def _check_evidence(
    evidence: Sequence[Mapping[str, Any]], shown: Sequence[dict[str, Any]], problems: list[str]
) -> list[str]:
    """Evidence against the digests in the events; the digests that are named and not there."""
    attached = [one for one in shown if one.get("type") == "evidence_attached"]
    named = [one.get(member) for one in attached for member in ("bundle", "report")]
    named += [digest for one in attached for digest in one.get("seats", {}).values()]
    given = {sha256(b64decode(one["content"], validate=True)).hexdigest(): one["digest"] for one in evidence}
    for digest, said in given.items():
        if digest != said:
            problems.append(f"evidence {said}: its bytes have the digest {digest}")
        elif digest not in named:
            problems.append(f"evidence {said}: no event names it")
    wanted = dict.fromkeys(digest for digest in named if digest is not None)
    return [f"evidence {digest}" for digest in wanted if digest not in given]


def _unlawful(events: Sequence[Event], evidence: Sequence[Mapping[str, Any]]) -> list[str]:
    try:
        found = unlawful(events, _players(events, evidence))
    except UnfoldableError as error:
        return [str(error)]
    return [] if found is None else [f"event {found.seq}: {found.refusal.message}"]


def _players(events: Sequence[Event], evidence: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Who sat in the game, by the first event of a bundle of it."""
    bundles = {one.bundle for one in events if isinstance(one, EvidenceAttached)}
    for one in evidence:
        if one["digest"] in bundles:
            first = json.loads(b64decode(one["content"]))["events"][0]
            start = json.loads(b64decode(first.get("full") or first["public"]))
            return tuple(seat["player"] for seat in start["seats"])
    return ()


def named_texts(events: Iterable[Event], kept: Mapping[int, Text], *, is_whole: bool) -> list[Text]:
    """The texts that an export holds: those still kept, each at the event that its reader sees. The words of a verdict
    are those of its proposal, which a player does not see."""
    found = []
    for event in events:
        place = event.proposal if isinstance(event, VerdictApproved) else event.seq
        is_shown = is_whole or "text" in party_form(event)
        text = kept.get(place)
        if text_of(event) is not None and is_shown and text is not None:
            found.append(Text(event.seq, text.salt, text.text))
    return found
