"""A stored game as a log: what was taken in, with the names and texts that are still kept."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from schema.paipu import FORMAT, encode, join_names
from service.store import Store, StoredEvent
from service.usecases.texts import restored, texts_of


def log_lines(events: Iterable[StoredEvent], names: Mapping[int, str], texts: Mapping[int, str]) -> Iterator[bytes]:
    """The lines of a game's log from its first event on, with the ``names`` by seat and ``texts`` by ``seq`` given."""
    format = FORMAT
    for stored in events:
        document = json.loads(stored.body)
        format = document.get("format", format)  # the first event names it
        yield encode(join_names(restored(document, texts), names), format)


def export(store: Store, game: str) -> Iterator[bytes]:
    """The lines of a game's log, line ends included: same events, order and members as taken in.

    Members come in the fixed order of the format, so exporting twice gives the same bytes unless events were added or
    a name or text was erased in between. Raises ``UnknownGameError`` before the first line.
    """
    store.game(game)
    yield from log_lines(store.events(game), store.names(game), texts_of(store, game))
