"""Whole logs into the store and out of it again."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import zstandard

from replays.variants import REGISTRY
from schema.paipu import encode, read
from service.store import Store
from service.usecases.audits import audit_stored
from service.usecases.export import export
from service.usecases.ingest import Outcome, Refused, Stored, ingest, ingest_file
from tests.shared import contract
from tests.usecases.games import Document, game, id_of, lines, with_violation, write


def take_in(store: Store, log: bytes) -> list[Outcome]:
    return list(ingest(store, read(io.BytesIO(log), source="log"), "log"))


def stored(store: Store, documents: Iterable[Document]) -> int:
    """How many events of a game are stored; 0 for an unknown game."""
    return len(store.bodies(id_of(documents)))


def test_several_games_in_several_files(store: Store, tmp_path: Path) -> None:
    games = [game(index) for index in range(3)]
    paths = [write(tmp_path / "a.paipu.jsonl", games[0], games[1]), write(tmp_path / "b.paipu.jsonl", games[2])]
    done = [outcome for path in paths for outcome in ingest_file(store, path)]
    assert done == [
        Stored(path, id_of(one), len(one), 0, "clean") for path, one in zip([paths[0], *paths], games, strict=True)
    ]
    again = [outcome for path in paths for outcome in ingest_file(store, path)]
    assert [(one.added, one.skipped) for one in again if isinstance(one, Stored)] == [(0, len(one)) for one in games]
    assert len(store.games()) == 3


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_compressed_files(store: Store, tmp_path: Path, pack: object) -> None:
    path = tmp_path / "log"
    path.write_bytes(pack(lines(game())))  # type: ignore[operator]
    assert [type(outcome) for outcome in ingest_file(store, str(path))] == [Stored]


def test_the_report_is_kept(store: Store) -> None:
    documents, at = with_violation(game(0, hands=2))
    (done,) = take_in(store, lines(documents))
    assert isinstance(done, Stored)
    assert done.verdict == "violations"
    kept = store.audit(id_of(documents))
    assert kept is not None
    assert (kept.upto_seq, kept.report["verdict"]) == (len(documents) - 1, "violations")
    assert [hand["hand"] for hand in kept.report["hands"]] == [1, 2]
    (found,) = store.findings(kept.engine, game=id_of(documents))
    assert (found.seq, found.clause) == (at, kept.report["findings"][0]["clause"])
    assert audit_stored(store, id_of(documents)) == kept.report


def test_a_game_that_goes_on(store: Store) -> None:
    """A log that just stops is stored as far as it is there, and a longer one adds the rest."""
    documents = game()
    (first,) = take_in(store, lines(documents[:50]))
    assert first == Stored("log", id_of(documents), 50, 0, "incomplete")
    (second,) = take_in(store, lines(documents))
    assert second == Stored("log", id_of(documents), len(documents) - 50, 50, "clean")
    (third,) = take_in(store, lines(documents[:50]))
    assert third == Stored("log", id_of(documents), 0, 50, "clean")
    kept = store.audit(id_of(documents))
    assert kept is not None
    assert kept.upto_seq == len(documents) - 1


def test_other_content_is_a_conflict_that_names_game_and_seq(store: Store) -> None:
    documents = game()
    take_in(store, lines(documents))
    changed, at = with_violation(documents)
    (refused, after) = take_in(store, lines(changed, game(1)))
    assert isinstance(refused, Refused)
    assert (refused.game, refused.line) == (id_of(documents), at + 1)
    assert f"from seq {at} on" in refused.reason
    assert isinstance(after, Stored)
    assert b"".join(export(store, id_of(documents))) == lines(documents)


def test_a_longer_log_that_differs_adds_nothing(store: Store) -> None:
    documents = game()
    take_in(store, lines(documents[:50]))
    changed = [*documents[:20], documents[20] | {"x_other": 1}, *documents[21:]]
    (refused,) = take_in(store, lines(changed))
    assert isinstance(refused, Refused)
    assert stored(store, documents) == 50


def test_many_at_once(store: Store) -> None:
    """Whoever comes first stores the game, the others find it; a shorter log of it may be among them."""
    documents = game()
    logs = [lines(documents[: 40 + 20 * number]) for number in range(4)] + [lines(documents)] * 4
    with ThreadPoolExecutor(8) as pool:
        done = [outcome for outcomes in pool.map(lambda log: take_in(store, log), logs) for outcome in outcomes]
    assert all(isinstance(outcome, Stored) for outcome in done), done
    assert sum(outcome.added for outcome in done if isinstance(outcome, Stored)) == len(documents)
    assert b"".join(export(store, id_of(documents))) == lines(documents)
    kept = store.audit(id_of(documents))
    assert kept is not None
    assert (kept.upto_seq, kept.verdict) == (len(documents) - 1, "clean")


@pytest.mark.parametrize("cut", [1, 40])
def test_a_truncated_file(store: Store, cut: int) -> None:
    """The complete games before are kept, the one that the broken line belongs to is not there at all."""
    whole, broken = game(0), game(1)
    log = lines(whole, broken)[: -cut - 1]
    done, refused = take_in(store, log)
    assert isinstance(done, Stored)
    assert isinstance(refused, Refused)
    assert (refused.game, refused.line) == (id_of(broken), len(whole) + len(broken))
    assert f"line {refused.line}" in refused.reason
    assert (stored(store, whole), stored(store, broken)) == (len(whole), 0)


@pytest.mark.parametrize("line", [b"{}\n", b"not json\n", b'{"seq": 5, "type": "drew"}\n', b"\xff\n"])
def test_a_line_that_is_no_event(store: Store, line: bytes) -> None:
    documents = game()
    log = lines(documents[:30]) + line + lines(documents[30:], game(1))
    (refused,) = take_in(store, log)
    assert isinstance(refused, Refused)
    assert refused.line == 31
    assert store.games() == []


def test_nothing_at_all(store: Store) -> None:
    (refused,) = take_in(store, b"")
    assert isinstance(refused, Refused)
    assert refused.game is None


def test_a_gap_is_refused_whole(store: Store) -> None:
    documents = game()
    (refused,) = take_in(store, lines([*documents[:20], *documents[21:]]))
    assert isinstance(refused, Refused)
    assert refused.line == 21
    assert "seq: expected 20, found 21 (G-SEQ-1)" in refused.reason
    assert store.games() == []


def test_an_event_that_cannot_be_applied(store: Store) -> None:
    documents = game()
    at = next(one["seq"] for one in documents if one["type"] == "won")
    changed = [*documents[:at], documents[at] | {"win": "no_such_way"}, *documents[at + 1 :]]
    refused, after = take_in(store, lines(changed, game(1)))
    assert isinstance(refused, Refused)
    assert refused.line == at + 1
    assert "no_such_way" in refused.reason
    assert isinstance(after, Stored)
    assert stored(store, documents) == 0


def test_an_unknown_rule_set(store: Store) -> None:
    documents = game()
    documents[0] = {**documents[0], "ruleset": {"id": "nowhere", "version": "1", "options": {}}}
    (refused,) = take_in(store, lines(documents))
    assert isinstance(refused, Refused)
    assert (refused.line, stored(store, documents)) == (1, 0)


def test_more_after_the_end(store: Store) -> None:
    """The engine can apply an event after the end; the store does not take one, and keeps nothing of the game."""
    documents = game()
    last = documents[-1]
    (refused,) = take_in(store, lines([*documents, last | {"seq": len(documents)}]))
    assert isinstance(refused, Refused)
    assert stored(store, documents) == 0


def test_export_gives_back_what_came_in(store: Store) -> None:
    documents = game(0, hands=2)
    take_in(store, lines(documents))
    out = b"".join(export(store, id_of(documents)))
    assert out == lines(documents)
    assert [json.loads(line) for line in out.splitlines()] == documents
    assert b"".join(export(store, id_of(documents))) == out
    (again,) = take_in(store, out)
    assert isinstance(again, Stored)
    assert (again.added, again.skipped) == (0, len(documents))


def test_members_in_any_order_come_back_in_the_fixed_one(store: Store) -> None:
    documents = game()
    shuffled = [dict(reversed(one.items())) for one in documents]
    log = b"".join(json.dumps(one, ensure_ascii=True).encode() + b"\r\n" for one in shuffled)
    take_in(store, log)
    assert b"".join(export(store, id_of(documents))) == b"".join(encode(one) for one in documents)


def test_an_erased_name_does_not_come_back(store: Store) -> None:
    documents = game()
    take_in(store, lines(documents))
    store.erase_name(id_of(documents), 1)
    first = json.loads(next(export(store, id_of(documents))))
    assert [seat.get("name") for seat in first["seats"]] == ["甲", None, "<b>丙</b>", "d"]


EXAMPLES = [
    path
    for path in sorted(contract("examples").glob("*.paipu.jsonl"))
    if json.loads(path.read_bytes().split(b"\n", 1)[0])["ruleset"]["id"] in REGISTRY
]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_examples_of_the_contract(store: Store, path: Path) -> None:
    done = list(ingest_file(store, str(path)))
    assert [type(outcome) for outcome in done] == [Stored]
    events = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert [json.loads(line) for line in export(store, id_of(events))] == events
