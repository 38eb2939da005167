"""Bundles to verify: the example games, sealed in a small log of their own, and ways to change what they hold."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from replays import merkle
from replays.variants import rulebook
from schema import paipu
from schema.canonical import canonical
from service.evidence import leaves, seals
from service.evidence.bundles import Sealed, make
from service.evidence.checkpoints import Checkpoint
from service.evidence.notes import Signer, note_bytes, sign_note
from service.simulator.games import simulate_game
from tests.shared import contract

EXAMPLES = sorted(path.name.partition(".")[0] for path in contract("examples").iterdir())
ORIGIN = "log.example/web"
SIGNER = Signer(ORIGIN, bytes(range(32)))
VKEY = SIGNER.verifier.vkey
SECRET = bytes(range(100, 132))

#: How many leaves the log has, and where among them the game is.
SIZE, INDEX = 11, 6

#: The steps that both verifiers take, and all of them.
PROOF = ("format", "events", "ruleset", "chain", "seal", "inclusion", "checkpoint", "shuffle")
STEPS = (*PROOF, "rules", "report")
#: What the browser says of a whole and untouched bundle: the rules are the engine's.
SOUND = {**dict.fromkeys(PROOF, "ok"), "rules": "skipped", "report": "skipped"}
LIVE = {**SOUND, **dict.fromkeys(("ruleset", "chain", "seal", "inclusion", "checkpoint"), "unproven")}


class Game(NamedTuple):
    """A game as the store keeps it: the bytes of its events, and the proof of its seal."""

    bodies: tuple[bytes, ...]
    sealed: Sealed

    def bundle(self, seat: int | None = None, events: int | None = None) -> dict[str, Any]:
        """The bundle for a receiver; with a number of events that of the live game of so many."""
        if events is None:
            return make(self.bodies, SECRET, self.sealed, seat)
        return make(self.bodies[:events], SECRET, None, seat)


@cache
def example(name: str) -> Game:
    """One of the contract's example games."""
    lines = contract(f"examples/{name}.paipu.jsonl").read_bytes().splitlines()
    return game([json.loads(line) for line in lines])


@cache
def simulated(ruleset: str, hands: int = 2, index: int = 0, **options: Any) -> Game:
    """A game with everything that a log can have: offers and passes, the root over all hands, secrets opened by an
    event of their own, and the root over each wall."""
    events = simulate_game(ruleset, 1, index, hands=hands, options=options, wall_root=True)
    return game([paipu.document(event) for event in events])


def game(events: Sequence[dict[str, Any]]) -> Game:
    """A game of these events, sealed among others."""
    documents = [leaves.stored_form(event) for event in events]
    bodies = tuple(canonical(document) for document in documents)
    return Game(bodies, sealed(documents, bodies))


def sealed(documents: Sequence[dict[str, Any]], bodies: Sequence[bytes], secret: bytes = SECRET) -> Sealed:
    """The proof of a game's seal in a log of ``SIZE`` leaves that ``SIGNER`` vouches for."""
    named = documents[0]["ruleset"]
    book = rulebook(named["id"], named["version"], named["options"])
    shown = bool(book.options["concealed_kong_shown"])
    hashes, head = [], leaves.FIRST_HEAD
    for seq, (document, body) in enumerate(zip(documents, bodies, strict=True)):
        public = canonical(leaves.public_form(document, concealed_kong_shown=shown))
        hashes.append(leaves.leaf(public, leaves.event_salt(secret, seq), body))
        head = leaves.next_head(head, hashes[-1])
    seal = seals.seal(
        game=documents[0]["game"],
        salt0=leaves.game_salt(secret),
        events=len(bodies),
        root=merkle.root(hashes),
        head=head,
        ruleset=book.digest,
        reason=reason_of(documents[-1]),
    )
    return in_log(seal)


def reason_of(last: dict[str, Any]) -> str:
    """Why a game was sealed whose last event this is."""
    reason: str = last.get("reason", "finished") if last["type"] == "game_ended" else "abandoned"
    return reason


def in_log(seal: bytes) -> Sealed:
    """A seal at ``INDEX`` of a log whose other leaves are of no interest."""
    log = [merkle.leaf_hash(bytes([place])) for place in range(SIZE)]
    log[INDEX] = seals.seal_leaf(seal)
    return Sealed(seal, INDEX, SIZE, tuple(merkle.inclusion_proof(log, INDEX)), note(SIZE, merkle.root(log)))


def note(size: int, root: bytes, signer: Signer = SIGNER, origin: str = ORIGIN) -> str:
    """The signed text of a checkpoint."""
    return note_bytes(sign_note(Checkpoint(origin, size, root).text, signer)).decode()


def encoded(raw: bytes) -> str:
    """Bytes as a bundle writes them."""
    return b64encode(raw).decode()


def decoded(text: str) -> bytes:
    """Bytes as a bundle writes them, back."""
    return b64decode(text)


def statuses(verification: dict[str, Any]) -> dict[str, str]:
    """The status of each step by its name."""
    return {step["name"]: step["status"] for step in verification["steps"]}


def the(events: list[dict[str, Any]], type: str, **members: Any) -> dict[str, Any]:
    return next(e for e in events if e["type"] == type and all(e.get(name) == value for name, value in members.items()))


def flip_hex(text: str) -> str:
    return ("0" if text[0] != "0" else "1") + text[1:]


def step(verification: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(step for step in verification["steps"] if step["name"] == name)
    return found


def seats(played: Game) -> int:
    return len(json.loads(played.bodies[0])["seats"])
