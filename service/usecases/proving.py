"""Bundles out of the store: what ``mingpai verify`` and the page in the browser check without it."""

from __future__ import annotations

from typing import Any, NamedTuple

from service.evidence.bundles import FAILED, Sealed, Verification, encode, make, verify
from service.evidence.log_tree import inclusion_proof
from service.evidence.rederiving import OPEN, Difference, EvidenceError, rederived
from service.store import Store
from service.store.errors import ConflictError, UnknownGameError
from service.store.log import Log
from service.usecases.notary import Notary

#: What must hold whatever happened in the game; walls and rules are what a bundle is evidence of.
_OURS = ("format", "events", "ruleset", "chain", "seal", "inclusion", "checkpoint", "report")


class Proven(NamedTuple):
    """A bundle, its file's bytes, and what its checker says of it with the log's own keys."""

    bundle: dict[str, Any]
    raw: bytes
    verification: Verification


def prove(store: Store, notary: Notary, game: str, seat: int | None = None) -> Proven:
    """The bundle of a game: whole, or as ``seat`` may see it (``evidence.bundles.make`` says who sees what).

    An ended game is sealed first if it has no seal yet, and a checkpoint is signed over it. Raises
    ``UnknownGameError``, ``ValueError`` for a seat that the game does not have, ``EvidenceError`` where the stored
    bytes do not give what is stored of them, ``BrokenLogError`` where the log does not go on from its last checkpoint.
    """
    secret = store.secret(game)
    if secret is None:
        raise UnknownGameError(f"no game {game}")
    events = list(store.events(game))
    chain = rederived(game, secret, events)
    sealed = None if chain.status == OPEN else _sealed(store, notary, game, chain.seal())
    bundle = make([event.body for event in events], secret, sealed, seat)
    raw = encode(bundle)
    verification = verify(raw, *notary.verifiers)
    for step in verification.steps:
        if step.status == FAILED and step.name in _OURS:
            raise EvidenceError(game, Difference(None, step.name, f"the bundle does not hold: {step.name} {step.code}"))
    return Proven(bundle, raw, verification)


def _sealed(store: Store, notary: Notary, game: str, seal: bytes) -> Sealed | None:
    """Where the log has the game's seal; ``None`` where no checkpoint may be signed over it."""
    log = Log(store)
    index, checkpoint = _index(log, game, seal), notary.checkpoint()
    if checkpoint is None or checkpoint.size <= index:
        return None
    path = inclusion_proof(index, checkpoint.size, log.nodes)
    return Sealed(seal, index, checkpoint.size, tuple(path), log.cosigned(checkpoint).decode())


def _index(log: Log, game: str, seal: bytes) -> int:
    """The place of the seal in the log, which takes it in if it has none of the game yet."""
    leaf = log.leaf(game)
    if leaf is not None and leaf.seal != seal:
        raise EvidenceError(game, Difference(None, "seal", "the seal is not the one that the stored bytes give"))
    if leaf is not None:
        return leaf.index
    try:
        return log.seal(game, seal).index
    except ConflictError as conflict:
        message = f"the rows of the game do not say what its events say: {conflict}"
        raise EvidenceError(game, Difference(None, "rows", message)) from None
