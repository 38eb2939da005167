"""Lists of a wrong length and odd numbers, in every event and member: the audit finds or refuses, it never breaks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from replays.audit import Auditor
from replays.events import Event, GameStarted
from replays.reducer import Impossible
from replays.referee import offers
from replays.view import picture
from schema.paipu import LogError, load
from tests.shared import contract

EXAMPLES = sorted(contract("examples").glob("*.jsonl"))
_EVERY = 17  # of the places where the same member was tried before

_CHANGES: dict[str, tuple[type, Callable[[Any], Any]]] = {
    "emptied": (list, lambda items: []),
    "shortened": (list, lambda items: items[:1]),
    "doubled": (list, lambda items: items + items),
    "reversed": (list, lambda items: items[::-1]),
    "none": (int, lambda number: 0),
    "three": (int, lambda number: 3),
    "one-more": (int, lambda number: number + 1),
    "huge": (int, lambda number: 2**31),
}


def members(document: Any, kind: type, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of everything of a kind in a document."""
    if type(document) is kind:
        yield path
    inner = (
        document.items() if isinstance(document, dict) else enumerate(document if isinstance(document, list) else ())
    )
    for name, value in inner:
        yield from members(value, kind, (*path, name))


def edited(document: dict[str, Any], path: tuple[Any, ...], change: Callable[[Any], Any]) -> dict[str, Any]:
    copied: dict[str, Any] = json.loads(json.dumps(document))
    holder: Any = copied
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = change(holder[path[-1]])
    return copied


def play_on(auditor: Auditor, events: list[Event]) -> None:
    """The rest of a log, with what people ask for after each step."""
    for event in events:
        auditor.feed(event)
        offers(auditor.table)
        picture(auditor.table)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name.partition(".")[0])
@pytest.mark.parametrize("change", _CHANGES)
def test_no_odd_member_breaks_an_audit(path: Any, change: str) -> None:
    documents = [json.loads(line) for line in path.read_text().splitlines()]
    events = [load(document) for document in documents]
    tried: dict[tuple[Any, ...], int] = {}
    kind, changed = _CHANGES[change]
    judged = 0
    for place, document in enumerate(documents[1:], 1):
        for member in members(document, kind):
            times = tried[key] = tried.get(key := (document["type"], member), -1) + 1
            if times % _EVERY:
                continue
            try:
                event = load(edited(document, member, changed))
            except LogError:
                continue
            judged += 1
            start = events[0]
            assert isinstance(start, GameStarted)
            auditor = Auditor(start)
            auditor.feed_all(events[1:place])
            try:
                play_on(auditor, [event, *events[place + 1 : place + 20]])
                auditor.feed_all(events[place + 20 :])
            except Impossible:
                continue
    assert judged > 3
