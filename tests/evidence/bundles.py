"""Bundles to verify: the contract's games, sealed in a small log of their own."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from replays import merkle
from replays.variants import rulebook
from schema.canonical import canonical
from service.evidence import leaves, seals
from service.evidence.bundles import Sealed, Verification, encode, make, verify
from service.evidence.checkpoints import Checkpoint
from service.evidence.notes import Signer, note_bytes, sign_note
from tests.evidence.vectors import CASES, Case
from tests.shared import contract

SIGNER = Signer("log.example", bytes(range(32, 64)))
KEY = SIGNER.verifier
SECRET = bytes(range(32))
#: The log that a game is sealed in: so many seals, and which of them is the game's.
SIZE, INDEX = 11, 6

EXAMPLES = sorted(contract("examples").glob("*.paipu.jsonl"))
#: Games of the vectors that can be sealed as they are; they stop within a hand.
STOPPED = [case for case in CASES if case.events[-1]["type"] != "game_ended"]


def bodies_of(path: Path) -> list[bytes]:
    """The stored bytes of an example game."""
    return [canonical(leaves.stored_form(json.loads(line))) for line in path.read_bytes().splitlines()]


@cache
def example(name: str) -> tuple[bytes, ...]:
    """The stored bytes of the example game of a name."""
    return tuple(bodies_of(contract("examples") / f"{name}.paipu.jsonl"))


def abandoned(case: Case) -> list[bytes]:
    """The stored bytes of a game of the vectors, ended where they stop."""
    last, first = case.events[-1], case.events[0]
    scores = first.get("scores") or [0] * len(first["seats"])
    end = {"seq": len(case.events), "type": "game_ended", "at": last["at"], "scores": scores, "reason": "abandoned"}
    return [canonical(event) for event in [*case.events, end]]


def leaves_of(bodies: Sequence[bytes], secret: bytes = SECRET) -> list[bytes]:
    """The leaf of each event, as the store keeps it."""
    documents = [json.loads(body) for body in bodies]
    ruleset = documents[0]["ruleset"]
    options = rulebook(ruleset["id"], ruleset["version"], ruleset["options"]).options
    shown = bool(options["concealed_kong_shown"])
    public = [canonical(leaves.public_form(document, concealed_kong_shown=shown)) for document in documents]
    pairs = enumerate(zip(public, bodies, strict=True))
    return [leaves.leaf(form, leaves.event_salt(secret, seq), body) for seq, (form, body) in pairs]


def seal_of(bodies: Sequence[bytes], secret: bytes = SECRET, **changes: Any) -> bytes:
    """The seal of a game; ``changes`` are members that say something else."""
    first, last = json.loads(bodies[0]), json.loads(bodies[-1])
    all_leaves, head = leaves_of(bodies, secret), leaves.FIRST_HEAD
    for leaf in all_leaves:
        head = leaves.next_head(head, leaf)
    ruleset = first["ruleset"]
    digest = rulebook(ruleset["id"], ruleset["version"], ruleset["options"]).digest
    members: dict[str, Any] = {
        "game": first["game"],
        "salt0": leaves.game_salt(secret),
        "events": len(bodies),
        "root": merkle.root(all_leaves),
        "head": head,
        "ruleset": digest,
        "reason": last.get("reason", "finished"),
    }
    return seals.seal(**{**members, **changes})


def logged(seal: bytes, *, size: int = SIZE, index: int = INDEX, signer: Signer = SIGNER) -> Sealed:
    """A seal in a log of ``size``, under a checkpoint that ``signer`` signed."""
    log = [merkle.leaf_hash(b"another seal %d" % place) for place in range(size)]
    log[index] = seals.seal_leaf(seal)
    text = Checkpoint("log.example", size, merkle.root(log)).text
    note = note_bytes(sign_note(text, signer)).decode()
    return Sealed(seal, index, size, tuple(merkle.inclusion_proof(log, index)), note)


def sealed(bodies: Sequence[bytes], secret: bytes = SECRET) -> Sealed:
    """The game sealed as it should be."""
    return logged(seal_of(bodies, secret))


def whole(bodies: Sequence[bytes]) -> dict[str, Any]:
    """The bundle of a sealed game for one who may see all of it."""
    return make(bodies, SECRET, sealed(bodies), None)


def checked(bundle: dict[str, Any]) -> Verification:
    """What the verification says against the log's key."""
    return verify(encode(bundle), KEY)


def statuses(found: Verification) -> dict[str, str]:
    """How each step came out."""
    return {step.name: step.status for step in found.steps}


def failures(found: Verification) -> dict[str, str]:
    """The steps that failed, and their codes."""
    return {step.name: step.code for step in found.steps if step.status == "failed"}


def changed(bundle: dict[str, Any], change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """A copy of a bundle with one change."""
    copy: dict[str, Any] = json.loads(json.dumps(bundle))
    change(copy)
    return copy


def shown(entry: dict[str, str]) -> dict[str, Any]:
    """The document of an event as far as it is shown."""
    document: dict[str, Any] = json.loads(base64.b64decode(entry.get("full") or entry["public"]))
    return document


def text64(document: Any) -> str:
    """A document's canonical bytes, as a bundle holds them."""
    return base64.b64encode(canonical(document)).decode()
