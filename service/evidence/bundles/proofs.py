"""The steps that prove a bundle's events to be those of a signed log: rule set, chain, seal, inclusion, checkpoint."""

from __future__ import annotations

from typing import Any

from replays import merkle
from replays.events import GameEnded, GameStarted
from replays.rulebook import OptionError, Rulebook
from replays.variants import rulebook
from schema.canonical import canonical
from schema.paipu.errors import MismatchError, show
from schema.paipu.parsing import parse
from service.evidence import seals
from service.evidence.bundles.case import Case
from service.evidence.bundles.making import Sealed, ruleset_record
from service.evidence.bundles.steps import failed, left_to, needed, unproven
from service.evidence.checkpoints import Checkpoint, CheckpointError, parse_checkpoint, signed_checkpoint
from service.evidence.leaves import FIRST_HEAD, next_head
from service.evidence.notes import NoteError, parse_note, verified

GIVEN_UP = ("abandoned", "voided")
SEAL_MEMBERS = ("type", "game", "events", "root", "head", "ruleset", "reason")


def ruleset(case: Case) -> dict[str, Any]:
    """The record names all options, and is the rule set that the game's first event names."""
    record = case.form.ruleset
    try:
        book = rulebook(record["id"], record["version"], record["options"])
    except OptionError as error:
        raise failed("unknown_ruleset", reason=show(str(error))) from None
    if canonical(ruleset_record(book)) != canonical(record):
        missing = sorted(set(book.options) - set(record["options"]))
        raise failed("not_resolved", options=missing)
    if _named(case) is not book:
        raise failed("other_ruleset", digest=book.digest)
    case.book = book
    return {"ruleset": book.id, "digest": book.digest}


def _named(case: Case) -> Rulebook | None:
    """The book that the first event names; equal records have one book."""
    first = case.events[0].event
    assert isinstance(first, GameStarted)  # or the step before this one has failed
    try:
        return rulebook(first.ruleset, first.version, first.options)
    except OptionError:
        return None


def chain(case: Case) -> dict[str, Any]:
    """Head and root over the leaves are those of the seal."""
    head, leaves = FIRST_HEAD, [event.leaf for event in case.events]
    for leaf in leaves:
        head = next_head(head, leaf)
    case.head, case.root = head, merkle.root(leaves)
    found = {"head": head.hex(), "root": case.root.hex()}
    if case.form.sealed is None:
        raise unproven("no_seal", events=len(leaves), **found)
    with left_to("seal"):
        sealed = _seal_document(case.form.sealed)
    for name, value in found.items():
        if sealed.get(name) != value:
            raise failed("other_" + name, found=value, expected=show(sealed.get(name)))
    return {"events": len(leaves), **found}


def seal(case: Case) -> dict[str, Any]:
    """The seal is canonical, and each of its members is what the events say."""
    sealed = _sealed(case)
    document = _seal_document(sealed)
    if set(document) != set(SEAL_MEMBERS) or not _is_canonical(document, sealed.seal):
        raise failed("not_canonical", found=show(document))
    for name, value in _expected_seal(case, document["reason"]).items():
        if type(document[name]) is not type(value) or document[name] != value:
            raise failed("wrong_member", member=name, expected=show(value), found=show(document[name]))
    return {"reason": document["reason"], "events": document["events"]}


def _expected_seal(case: Case, reason: object) -> dict[str, Any]:
    """A game without its end may be given up, and for no other ``reason`` be sealed."""
    reasons = [shown.event.reason for shown in case.events if isinstance(shown.event, GameEnded)]
    given_up = reason if reason in GIVEN_UP else None
    return {
        "type": seals.SEAL_TYPE,
        "game": seals.game_digest(case.form.salt0, case.form.game).hex(),
        "events": len(case.events),
        "root": needed(case.root, "chain").hex(),
        "head": needed(case.head, "chain").hex(),
        "ruleset": case.rules.digest,
        "reason": reasons[-1] if reasons else given_up,
    }


def inclusion(case: Case) -> dict[str, Any]:
    """The seal is leaf ``index`` of the log of ``size`` leaves under the checkpoint's root (RFC 9162, 2.1.3.2)."""
    sealed = _sealed(case)
    with left_to("checkpoint"):
        root = _checkpoint(sealed).root
    try:
        merkle.verify_inclusion(seals.seal_leaf(sealed.seal), sealed.index, sealed.size, sealed.inclusion, root)
    except merkle.ProofError as error:
        raise failed("proof_" + error.code, reason=str(error)) from None
    return {"index": sealed.index, "size": sealed.size}


def checkpoint(case: Case) -> dict[str, Any]:
    """The checkpoint is of the bundle's size, and a key that was given has signed it."""
    sealed = _sealed(case)
    found = _checkpoint(sealed)
    case.checkpoint = found
    if found.size != sealed.size:
        raise failed("other_size", expected=sealed.size, found=found.size)
    if not case.verifiers:
        raise unproven("no_key", origin=found.origin)
    note = sealed.checkpoint.encode()
    try:
        signed_checkpoint(note, *case.verifiers)
        keys = [key.vkey for key in verified(parse_note(note), *case.verifiers)]
    except (NoteError, CheckpointError) as error:
        raise failed("not_signed", reason=show(str(error)), origin=found.origin) from None
    return {"origin": found.origin, "size": found.size, "keys": keys}


def _sealed(case: Case) -> Sealed:
    if case.form.sealed is None:
        raise unproven("no_seal")
    return case.form.sealed


def _seal_document(sealed: Sealed) -> dict[str, Any]:
    try:
        document = parse(sealed.seal)
    except MismatchError as error:
        raise failed("unreadable_seal", reason=str(error)) from None
    if type(document) is not dict:
        raise failed("unreadable_seal", reason=show(document))
    return document


def _is_canonical(document: dict[str, Any], raw: bytes) -> bool:
    try:
        return canonical(document) == raw
    except ValueError:  # a number that is no integer of the contract
        return False


def _checkpoint(sealed: Sealed) -> Checkpoint:
    """What the checkpoint says, whoever has signed it."""
    try:
        return parse_checkpoint(parse_note(sealed.checkpoint.encode()).text)
    except (NoteError, CheckpointError) as error:
        raise failed("bad_checkpoint", reason=show(str(error))) from None
