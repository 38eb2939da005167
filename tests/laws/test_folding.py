"""The fold: any prefix of a log gives the table at that step, and nothing that is recorded ever changes."""

from __future__ import annotations

from replays.audit import Auditor, audit
from replays.reducer import apply, start
from replays.referee import judge, offers
from schema.paipu import document, load
from tests.laws.games import law
from tests.laws.play import Played


@law
def test_a_prefix_gives_the_table_at_that_step(game: Played) -> None:
    source = game.stream("prefix")
    for _ in range(3):
        length = source.uniform(min(len(game.events), 256))
        table = start(game.events[0])
        for event in game.events[1 : length + 1]:
            table = apply(table, event)
        assert table.state_hash() == game.tables[length].state_hash(), length
        assert table == game.tables[length]


@law
def test_one_by_one_and_all_at_once(game: Played) -> None:
    events = game.events
    one, many = Auditor(events[0]), Auditor(events[0])
    for event in events[1:]:
        one.feed(event)
    many.feed_all(events[1:])
    assert one.report() == many.report() == audit(events)
    assert one.table == many.table


@law
def test_an_incomplete_log_is_incomplete_and_clean(game: Played) -> None:
    length = 1 + game.stream("cut").uniform(min(len(game.events) - 1, 256))
    report = audit(game.events[:length])
    assert (report.verdict, report.findings) == ("incomplete", ()), length


@law
def test_recorded_events_and_tables_never_change(game: Played) -> None:
    events, tables = repr(game.events), [repr(table) for table in game.tables[::7]]
    audit(game.events)
    for table, event in zip(game.tables[:-1:7], game.events[1::7], strict=True):
        judge(table, event)
        if table.hands:
            offers(table)
        apply(table, event)
    assert repr(game.events) == events
    assert [repr(table) for table in game.tables[::7]] == tables


@law
def test_the_wire_changes_nothing(game: Played) -> None:
    """A log written and read again is the same log with the same report."""
    again = [load(document(event)) for event in game.events]
    assert audit(again) == audit(game.events)
