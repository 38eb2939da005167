"""A stored game as a log: what was taken in, with the names that are still kept."""

from __future__ import annotations

import json
from collections.abc import Iterator

from schema.paipu import encode, join_names
from service.store import Store


def export(store: Store, game: str) -> Iterator[bytes]:
    """The lines of a game's log, line ends included: same events, order and members as taken in.

    Members come in the fixed order of the format, so exporting twice gives the same bytes unless events were added or
    a name was erased in between. Raises ``UnknownGameError`` before the first line.
    """
    store.game(game)
    names = store.names(game)
    for stored in store.events(game):
        yield encode(join_names(json.loads(stored.body), names))
