"""An audit that goes on is the audit of the same events made at once; what it shows others stops before the hand."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from random import Random

import pytest

from replays.audit import audit
from replays.events import Event, GameEnded, HandEnded
from schema.canonical import canonical
from schema.paipu import history
from schema.report import report_document
from service.evidence.bundles.sight import sight
from service.evidence.leaves import stored_form
from service.live.following import Following
from service.store import StoredEvent
from tests import seeds
from tests.usecases.games import Document, game, with_violation

_NOW = datetime.now(UTC)


def stored(documents: list[Document]) -> list[StoredEvent]:
    """Events as the store gives them; nobody looks at their digests here."""
    return [
        StoredEvent(number, canonical(stored_form(one)), b"", b"", b"", _NOW) for number, one in enumerate(documents)
    ]


def events_of(rows: list[StoredEvent]) -> list[Event]:
    return list(history(row.body for row in rows))


GAMES = [game(0, hands=3), with_violation(game(1, hands=2))[0], game(2)]


@pytest.mark.parametrize("documents", GAMES, ids=["sound", "with a violation", "short"])
def test_every_prefix(documents: list[Document]) -> None:
    rows = stored(documents)
    events = events_of(rows)
    following = Following()
    for place, row in enumerate(rows):
        ends = following.feed([row])
        prefix = events[: place + 1]
        assert following.report() == audit(prefix)
        is_over = isinstance(prefix[-1], GameEnded)
        settled = sight(prefix, is_over=is_over).under_way
        assert following.settled is not None
        assert following.settled.seq == settled - 1
        assert following.settled.document() == report_document(audit(events[:settled]))
        assert [end.seq for end in ends] == [place] * isinstance(prefix[-1], HandEnded)
        assert following.is_over == is_over
    assert following.is_over


@pytest.mark.parametrize("documents", GAMES, ids=["sound", "with a violation", "short"])
def test_however_they_are_cut_into_portions(documents: list[Document]) -> None:
    rows = stored(documents)
    events = events_of(rows)
    random = Random(seeds.LAWS)
    for _ in range(5):
        cuts = [0, *sorted(random.sample(range(1, len(rows)), 6)), len(rows)]
        following, ends = Following(), []
        for first, last in pairwise(cuts):
            ends += following.feed(rows[first:last])
            assert following.settled is not None
            settled = sight(events[:last], is_over=last == len(rows)).under_way
            assert following.settled.document() == report_document(audit(events[:settled]))
        assert following.report() == audit(events)
        expected = [event.seq for event in events if isinstance(event, HandEnded)]
        assert [end.seq for end in ends] == expected
        for end in ends:
            assert end.report == report_document(audit(events[: end.seq + 1]))
            assert end.is_hand_end


def test_an_event_that_cannot_be_applied() -> None:
    """The store takes none; should one be there all the same, the report says so and stays as it is."""
    documents = [dict(one) for one in game(0)]
    place = next(one["seq"] for one in documents if one["type"] == "won")
    documents[place] = {**documents[place], "win": "four_golds"}  # the other game's
    rows = stored(documents)
    following = Following()
    following.feed(rows)
    report = following.report()
    assert report.verdict == "unreadable"
    assert report == audit(events_of(rows))
