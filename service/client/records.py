"""What the client knows of its games."""

from __future__ import annotations

from typing import Any, NamedTuple

Document = dict[str, Any]


class Receipt(NamedTuple):
    """The service's word that everything up to event ``seq`` is stored: the chain's ``head`` after it, the ``time`` of
    record, and an Ed25519 ``signature`` (base64) by ``key`` where the service signs."""

    game: str
    seq: int
    head: str
    time: str
    signature: str | None
    key: str | None


class Refusal(NamedTuple):
    """Why the service does not take the events from ``seq`` on: a stable ``code`` and words for people."""

    seq: int
    code: str
    message: str


class Batch(NamedTuple):
    """Events that are sent in one call, always the same ones under the same ``key``."""

    first: int
    last: int
    key: str


class GameState(NamedTuple):
    """How far a game is: events ``taken`` into the spool, of which ``acknowledged`` are stored by the service."""

    game: str
    taken: int
    acknowledged: int
    refusal: Refusal | None

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to be sent."""
        return self.refusal is not None or self.taken == self.acknowledged
