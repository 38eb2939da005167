"""From documents to what the store keeps: canonical bytes, the digest of the public form, the salt."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from replays.rulebook import Rulebook
from schema.canonical import canonical
from schema.paipu import FORMAT, split_names
from service.evidence.leaves import SECRET_SIZE, event_salt, public_form, stored_form
from service.store import Entry, Opening


def new_secret() -> bytes:
    """A game's secret K: 32 random bytes, from which its salts are made."""
    return secrets.token_bytes(SECRET_SIZE)


@dataclass(frozen=True, slots=True)
class Sealer:
    """Makes the stored entries of one game from its documents; ``secret`` is the game's K (32 bytes)."""

    secret: bytes
    concealed_kong_shown: bool
    format: str = FORMAT

    @classmethod
    def of(cls, book: Rulebook, secret: bytes, format: str = FORMAT) -> Sealer:
        """The one for a game under ``book``, written in ``format``: whether concealed kongs lie open is the rule set's
        (S-VIEW-1)."""
        return cls(secret, bool(book.options["concealed_kong_shown"]), format)

    def entry(self, document: dict[str, Any]) -> Entry:
        """One event, its names left out; ``document`` must have been read as an event of the log format."""
        body = canonical(stored_form(document))
        form = public_form(document, concealed_kong_shown=self.concealed_kong_shown, format=self.format)
        public = canonical(form)
        return Entry(body, sha256(public).digest(), event_salt(self.secret, document["seq"]))


def opening(document: Mapping[str, Any], book: Rulebook, secret: bytes) -> Opening:
    """What a game needs beside its events, from its ``game_started``."""
    _, names = split_names(document)
    by_seat = [names.get(seat) for seat in range(len(document["seats"]))]
    return Opening(document["game"], bytes.fromhex(book.digest), secret, by_seat)
