"""Audits, findings and lists of games: what is kept, what replaces what, and how pages join."""

from __future__ import annotations

from typing import Any

import pytest

from service.store import Store
from service.store.errors import UnknownGameError
from tests.store.games import append, assert_sound, end, entry, open_game, opening, start


def report(game: str, *, engine: str = "1.0.0", clauses: tuple[str, ...] = ()) -> dict[str, Any]:
    found = [
        {
            "seq": 17 + number,
            "hand": 1,
            "seat": None if number else 2,
            "clause": clause,
            "code": "must_follow_honour",
            "severity": "warning" if clause.startswith("G-") else "violation",
            "expected": {"tiles": ["1z"]},
            "recorded": None if number else {"tile": "3m"},
            "message": "跟",
        }
        for number, clause in enumerate(clauses)
    ]
    hands = [
        {
            "hand": 1,
            "dealer": 0,
            "streak": 0,
            "winner": 2,
            "win": "you",
            "deltas": [-52, -52, 156, -52],
            "items": [{"seat": 2, "code": "X-WATER-3", "value": 1}],
            "state_hash": "ab",
        },
        {"hand": 2, "dealer": 0, "streak": 1, "winner": None, "win": None, "deltas": None},
    ]
    verdict = "violations" if clauses else "clean"
    return {"game": game, "engine": engine, "verdict": verdict, "findings": found, "hands": hands}


def test_report_comes_back_as_it_was(store: Store) -> None:
    open_game(store)
    assert store.audit("g") is None
    written = report("g", clauses=("X-FOLLOW-1", "G-TIME-1"))
    assert store.save_audit(written, 40)
    audit = store.audit("g", "1.0.0")
    assert audit is not None
    assert list(audit.report.items()) == list(written.items())
    assert (audit.game, audit.engine, audit.upto_seq, audit.verdict) == ("g", "1.0.0", 40, "violations")
    first, second = store.findings("1.0.0")
    assert (first.clause, first.seat, first.expected, first.recorded) == (
        "X-FOLLOW-1", 2, {"tiles": ["1z"]}, {"tile": "3m"},
    )  # fmt: skip
    assert (second.ordinal, second.seat, second.recorded) == (1, None, None)


def test_later_audit_replaces_and_earlier_one_does_not(store: Store) -> None:
    open_game(store)
    assert store.save_audit(report("g", clauses=("X-FOLLOW-1", "X-FOLLOW-1")), 40)
    assert store.save_audit(report("g", clauses=("X-GOLD-2",)), 41)
    assert not store.save_audit(report("g"), 40)
    assert [finding.clause for finding in store.findings("1.0.0")] == ["X-GOLD-2"]
    assert store.save_audit(report("g"), 41)
    assert store.findings("1.0.0") == []


def test_engines_stand_side_by_side_and_the_newest_is_returned(store: Store) -> None:
    open_game(store)
    store.save_audit(report("g", clauses=("X-GOLD-2",)), 9)
    store.save_audit(report("g", engine="1.1.0"), 9)
    newest, older = store.audit("g"), store.audit("g", "1.0.0")
    assert newest is not None
    assert older is not None
    assert (newest.engine, newest.verdict, older.verdict) == ("1.1.0", "clean", "violations")
    assert store.findings("1.1.0") == []


def test_audit_of_a_game_that_is_not_there(store: Store) -> None:
    with pytest.raises(UnknownGameError):
        store.save_audit(report("g"), 1)


def test_pages_of_findings(store: Store) -> None:
    for game in ("a", "b", "c"):
        open_game(store, game)
        store.save_audit(report(game, clauses=("X-FOLLOW-1", "G-TIME-1", "X-FOLLOW-1")), 20)
    seen, after = [], None
    while page := store.findings("1.0.0", clause="X-FOLLOW-1", after=after, limit=4):
        seen += [finding.cursor for finding in page]
        after = page[-1].cursor
    assert seen == [("a", 0), ("a", 2), ("b", 0), ("b", 2), ("c", 0), ("c", 2)]
    assert [finding.cursor for finding in store.findings("1.0.0", game="b", severity="warning")] == [("b", 1)]


def test_pages_of_games(store: Store) -> None:
    names = [f"g{number}" for number in range(7)]
    for name in names:
        open_game(store, name)
    append(store, "g3", 1, None, end(1))
    seen, after = [], None
    while page := store.games(after, 3):
        seen += [game.game for game in page]
        after = page[-1].cursor
    assert seen == names
    first = store.games(limit=3, newest_first=True)
    rest = store.games(first[-1].cursor, newest_first=True)
    assert [game.game for game in first + rest] == names[::-1]
    assert [game.game for game in store.games(status="finished")] == ["g3"]
    assert len(store.games(player="p2")) == 7
    assert store.games(player="p9") == []


def test_name_is_erased_and_the_chain_stays(store: Store) -> None:
    store.open(opening("g", ["甲", "乙"]), entry(start("g")))
    assert store.erase_name("g", 0)
    assert not store.erase_name("g", 0)
    assert store.names("g") == {1: "乙"}
    assert assert_sound(store, "g") == 1
