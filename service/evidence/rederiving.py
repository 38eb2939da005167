"""A game's chain derived anew from the stored bytes: before anything is signed, and when a store is checked."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, NamedTuple, Protocol

from replays.events import GameStarted
from replays.merkle import root
from replays.reducer import Impossible, start
from replays.rulebook import Rulebook
from schema.canonical import canonical
from schema.paipu import FORMAT, LogError, load
from service.evidence.leaves import (
    FIRST_HEAD,
    event_salt,
    game_salt,
    leaf_from_digest,
    next_head,
    public_form,
    stored_form,
)
from service.evidence.seals import seal

#: How a game that has not ended stands.
OPEN = "open"


class Stored(Protocol):
    """What is stored of an event."""

    @property
    def seq(self) -> int: ...
    @property
    def body(self) -> bytes: ...
    @property
    def public_digest(self) -> bytes: ...
    @property
    def salt(self) -> bytes: ...
    @property
    def head(self) -> bytes: ...


class Difference(NamedTuple):
    """What is not as the stored bytes say. ``code`` is stable: ``seq`` (a gap, or an event of another place), ``body``
    (no event in canonical form), ``salt``, ``public_digest``, ``head``, ``ended`` (something behind the end)."""

    seq: int | None
    code: str
    message: str


class EvidenceError(Exception):
    """A game whose stored bytes do not give what is stored of them; nothing is signed over it."""

    def __init__(self, game: str, difference: Difference) -> None:
        place = "" if difference.seq is None else f", seq {difference.seq}"
        super().__init__(f"game {game}{place}: {difference.message}")
        self.game = game
        self.difference = difference


class Rederived:
    """The chain of ``game`` as far as ``add`` has taken it. ``secret`` is the game's K (32 bytes)."""

    def __init__(self, game: str, secret: bytes) -> None:
        self.game = game
        self.status = OPEN  #: or the reason of ``game_ended``
        self.leaves: list[bytes] = []
        self.heads: list[bytes] = []  #: after each event
        self.start: GameStarted | None = None  #: event 0
        self._secret = secret
        self._book: Rulebook | None = None

    def add(self, stored: Stored) -> Difference | None:
        """Takes the next event on; the first thing that is wrong with it, and then it is left out."""
        seq = len(self.leaves)
        if stored.seq != seq:
            return Difference(seq, "seq", f"there is no event {seq}; the next one is {stored.seq}")
        if self.status != OPEN:
            return Difference(seq, "ended", "an event behind the end of the game")
        try:
            document = self._document(seq, stored.body)
        except (ValueError, RecursionError) as error:
            return Difference(seq, "body", f"the stored bytes are no event of this place: {error}")
        if stored.salt != event_salt(self._secret, seq):
            return Difference(seq, "salt", "the salt is not the one that the game's secret gives")
        shown = bool(self.book.options["concealed_kong_shown"])
        public = canonical(public_form(document, concealed_kong_shown=shown, format=self._format))
        if stored.public_digest != sha256(public).digest():
            return Difference(seq, "public_digest", "the stored bytes give another digest of the public form")
        leaf = leaf_from_digest(stored.public_digest, stored.salt, stored.body)
        head = next_head(self.head, leaf)
        if stored.head != head:
            return Difference(
                seq, "head", f"the stored bytes give the head {head.hex()}, stored is {stored.head.hex()}"
            )
        self.leaves.append(leaf)
        self.heads.append(head)
        if document["type"] == "game_ended":
            self.status = document.get("reason", "finished")
        return None

    def _document(self, seq: int, body: bytes) -> dict[str, Any]:
        """The event in ``body``; ``ValueError`` where it is not the canonical form of one, or has another place."""
        document = json.loads(body)
        if type(document) is not dict or canonical(document) != body:
            raise ValueError("not in canonical form")
        if document.get("seq") != seq:
            raise ValueError(f"it says seq {document.get('seq')}")
        try:
            event = load(document, format=self._format)
        except LogError as error:
            raise ValueError(f"{error.member or 'document'}: expected {error.expected}, found {error.found}") from None
        if (seq == 0) != isinstance(event, GameStarted):
            raise ValueError(f"an event of type {event.type}")
        if isinstance(event, GameStarted):
            if stored_form(document) != document:
                raise ValueError("it holds names, which are kept apart")
            self._begin(event)
        return document

    def _begin(self, event: GameStarted) -> None:
        if event.game != self.game:
            raise ValueError(f"it starts game {event.game!r}")
        try:
            self._book = start(event).book
        except Impossible as error:
            raise ValueError(str(error)) from None
        self.start = event

    @property
    def head(self) -> bytes:
        """The end of the chain so far."""
        return self.heads[-1] if self.heads else FIRST_HEAD

    @property
    def _format(self) -> str:
        return FORMAT if self.start is None else self.start.format

    @property
    def book(self) -> Rulebook:
        """The rule book that event 0 names."""
        if self._book is None:
            raise ValueError(f"game {self.game} has no first event")
        return self._book

    def seal(self) -> bytes:
        """The canonical bytes of the seal of an ended game."""
        return seal(
            game=self.game,
            salt0=game_salt(self._secret),
            events=len(self.leaves),
            root=root(self.leaves),
            head=self.head,
            ruleset=self.book.digest,
            reason=self.status,
        )


def rederived(game: str, secret: bytes, events: Iterable[Stored]) -> Rederived:
    """The whole chain of a game; ``EvidenceError`` at the first event that is not as its bytes say."""
    chain = Rederived(game, secret)
    for stored in events:
        difference = chain.add(stored)
        if difference is not None:
            raise EvidenceError(game, difference)
    return chain
