"""Logs for these tests: many games that are copies of one, and games that go on."""

from __future__ import annotations

import io
from collections.abc import Iterator

from schema.paipu import read
from service.store import Sender, Store
from service.usecases.ingest import Stored, ingest
from tests.usecases.games import Document, game, id_of, lines


def named(documents: list[Document], name: str) -> list[Document]:
    """The game under another id."""
    return [{**documents[0], "game": name}, *documents[1:]]


def copies(count: int, prefix: str = "copy") -> Iterator[list[Document]]:
    """One short game, under so many ids, in their order."""
    documents = game(2)
    for number in range(count):
        yield named(documents, f"{prefix}-{number:05}")


def under_way(documents: list[Document], hand: int) -> int:
    """A place in the middle of a hand, where its tiles are dealt and some are discarded."""
    begun = next(place for place, one in enumerate(documents) if one["type"] == "hand_started" and one["hand"] == hand)
    ends = [place for place, one in enumerate(documents) if place > begun and one["type"] in ("won", "exhausted")]
    return (begun + ends[0]) // 2


def take_in(store: Store, *games: list[Document], owner: str | None = None) -> list[str]:
    """Games into the store, a game server's where ``owner`` says whose."""
    sender = None if owner is None else Sender(owner)
    log = io.BytesIO(lines(*games))
    done = list(ingest(store, read(log, source="log"), "log", sender=sender))
    assert all(isinstance(outcome, Stored) for outcome in done), done
    return [id_of(one) for one in games]
