"""Seals: an ended game becomes one leaf of the log, once its chain has been derived anew from the stored bytes."""

from __future__ import annotations

import logging

from service.evidence.rederiving import OPEN, EvidenceError, Rederived, rederived
from service.store import Store, time_text
from service.store.errors import StoreError, UnknownGameError
from service.store.log import Log, Sealed

_LOG = logging.getLogger("mingpai.evidence")


def chain_of(store: Store, game: str) -> Rederived:
    """A stored game's chain, derived anew. Raises ``UnknownGameError``, ``EvidenceError``."""
    secret = store.secret(game)
    if secret is None:
        raise UnknownGameError(f"no game {game}")
    return rederived(game, secret, store.events(game))


def seal_game(store: Store, game: str) -> Sealed:
    """Seals an ended game, or says where it was sealed before.

    Raises ``UnknownGameError``, ``GameNotEndedError``, and ``EvidenceError`` where the stored bytes do not give what is
    stored of them: such a game is not sealed.
    """
    log = Log(store)
    leaf = log.leaf(game)
    if leaf is not None:
        return Sealed(leaf.index, time_text(leaf.sealed_at))
    chain = chain_of(store, game)
    # An open game has no reason for its seal; what the ledger says to that names the game's head.
    seal = b"{}" if chain.status == OPEN else chain.seal()
    return log.seal(game, seal)


def seal_quietly(store: Store, game: str) -> bool:
    """``seal_game`` for those who have done their own work: what keeps a game from its seal is logged as an error."""
    try:
        seal_game(store, game)
    except (EvidenceError, StoreError) as error:
        _LOG.error("not sealed: %s", error)
        return False
    return True


def seal_ended(store: Store) -> int:
    """Seals every game that has ended and has no seal yet, and returns how many those were.

    A game that cannot be sealed is logged as an error, and the others go on.
    """
    log, sealed, tried = Log(store), 0, set[str]()
    while games := [game for game in log.unsealed(len(tried) + 1000) if game not in tried]:
        sealed += sum(seal_quietly(store, game) for game in games)
        tried |= set(games)
    return sealed
