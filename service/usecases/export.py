"""A stored game as a log: what was taken in, with the names and texts that are still kept."""

from __future__ import annotations

import json
from collections.abc import Iterator

from schema.paipu import FORMAT, encode, join_names
from service.store import Store
from service.usecases.texts import restored, texts_of


def export(store: Store, game: str) -> Iterator[bytes]:
    """The lines of a game's log, line ends included: same events, order and members as taken in.

    Members come in the fixed order of the format, so exporting twice gives the same bytes unless events were added or
    a name or text was erased in between. Raises ``UnknownGameError`` before the first line.
    """
    store.game(game)
    names, texts = store.names(game), texts_of(store, game)
    format = FORMAT
    for stored in store.events(game):
        document = json.loads(stored.body)
        format = document.get("format", format)  # the first event names it
        yield encode(join_names(restored(document, texts), names), format)
