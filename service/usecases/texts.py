"""Free text apart from the events that it belongs to, so that it can be forgotten without breaking a proof.

An event enters the chain with ``sha256:`` and the digest of salt and text in place of the text; text and salt are rows
of their own, which a deletion request removes (``Store.erase_text``).
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from service.evidence.leaves import SALT_SIZE, TEXT_DIGEST, text_digest
from service.store import EventText, Store

Document = dict[str, Any]

#: The members that hold what somebody wrote, by type of event.
FREE_TEXT: Mapping[str, str] = {"voided": "reason"}

_DIGEST = re.compile(TEXT_DIGEST + "[0-9a-f]{64}")


class Withheld(NamedTuple):
    """Events as they are stored, and the texts that were taken out of them."""

    documents: list[Document]
    texts: list[EventText]


def withhold(store: Store, game: str, documents: Sequence[Document]) -> Withheld:
    """Takes free text out of a game's events.

    A text that is stored already keeps its salt, and one that was erased its digest, so that events that come again are
    the same bytes again.
    """
    if all(free_text(document) is None for document in documents):
        return Withheld(list(documents), [])
    salts = {text.seq: text.salt for text in store.texts(game)}
    done = Withheld([], [])
    for document in documents:
        text = free_text(document)
        if text is None:
            done.documents.append(document)
            continue
        seq, member = document["seq"], FREE_TEXT[document["type"]]
        digest = _stored_digest(store, game, seq, member) if seq not in salts else None
        if digest is None:
            salt = salts.get(seq) or secrets.token_bytes(SALT_SIZE)
            done.texts.append(EventText(seq, salt, text.encode()))
            digest = text_digest(salt, text.encode())
        done.documents.append({**document, member: digest})
    return done


def restored(document: Document, texts: Mapping[int, str]) -> Document:
    """The event with its text, by ``seq``, if that is still kept."""
    text = texts.get(document["seq"])
    return document if text is None else {**document, FREE_TEXT[document["type"]]: text}


def texts_of(store: Store, game: str) -> dict[int, str]:
    """The texts of a game's events that are still kept, by ``seq``."""
    return {kept.seq: bytes(kept.text).decode() for kept in store.texts(game)}


def free_text(document: Mapping[str, Any]) -> str | None:
    """The free text of an event; ``None`` where it has none, or one that was taken out before."""
    member = FREE_TEXT.get(document["type"])
    text: str | None = None if member is None else document[member]
    return None if text is None or _DIGEST.fullmatch(text) else text


def _stored_digest(store: Store, game: str, seq: int, member: str) -> str | None:
    """What stands in a stored event whose text was erased."""
    stored = store.event(game, seq)
    found: str | None = None if stored is None else json.loads(stored.body).get(member)
    return found
