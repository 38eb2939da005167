"""``POST /ingest``: whole games come in as a stream, one line of answer each."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import psycopg
import pytest
import zstandard

from schema.paipu import encode
from service.api import create_app
from service.store import Sender, Store
from service.store.errors import GameExistsError
from service.store.owners import standing
from service.usecases.export import export
from tests.api.clients import Client
from tests.bulk.logs import copies, named, take_in
from tests.bulk.viewers import by_header, sent_by
from tests.databases import Database
from tests.store.games import entry, opening, start
from tests.usecases.games import Document, game, id_of, lines, with_violation

Post = Callable[..., httpx.Response]


@pytest.fixture
def post(store: Store) -> Post:
    """``POST /ingest`` of a log as a viewer."""
    client = Client(create_app(store, authenticate=by_header))

    def send(viewer: str, log: bytes, packing: str | None = None) -> httpx.Response:
        headers = sent_by(viewer) | ({} if packing is None else {"content-encoding": packing})
        return client.request("POST", "/ingest", content=log, headers=headers)

    return send


def answers(answer: httpx.Response) -> list[dict[str, Any]]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.content.splitlines()]


def owner(store: Store, name: str) -> str | None:
    found = standing(store, name)
    assert found is not None
    return found.owner


def test_games_become_their_servers_own(store: Store, post: Post) -> None:
    games = [game(0), with_violation(game(1))[0], game(2)[:40]]
    found = answers(post("server-1", lines(*games)))
    assert found == [
        {"source": "request", "game": id_of(one), "added": len(one), "skipped": 0, "verdict": verdict}
        for one, verdict in zip(games, ("clean", "violations", "incomplete"), strict=True)
    ]
    assert [owner(store, id_of(one)) for one in games] == ["server-1"] * 3
    assert b"".join(export(store, id_of(games[0]))) == lines(games[0])


def test_again_adds_nothing_and_more_of_a_game_is_added(store: Store, post: Post) -> None:
    documents = game(0)
    answers(post("server-1", lines(documents[:50])))
    for log, added in ((documents[:50], 0), (documents, len(documents) - 50), (documents, 0)):
        (found,) = answers(post("server-1", lines(log)))
        assert found["added"] == added
    assert b"".join(export(store, id_of(documents))) == lines(documents)


@pytest.mark.parametrize(("packing", "pack"), [("gzip", gzip.compress), ("zstd", zstandard.compress)])
def test_packed(store: Store, post: Post, packing: str, pack: Callable[[bytes], bytes]) -> None:
    (found,) = answers(post("server-1", pack(lines(game(0))), packing))
    assert found["added"] == len(game(0))


def test_other_packings_are_refused(store: Store, post: Post) -> None:
    answer = post("server-1", lines(game(0)), "br")
    assert answer.status_code == 415
    assert "zstd, gzip" in answer.text
    assert store.games() == []


@pytest.mark.parametrize(
    ("viewer", "status"), [("public", 401), ("player", 403), ("clerk", 403), ("auditor", 403), ("analyst", 403)]
)
def test_who_may_not(store: Store, post: Post, viewer: str, status: int) -> None:
    assert post(viewer, lines(game(0))).status_code == status
    assert store.games() == []


def test_what_cannot_be_read_names_line_and_member(store: Store, post: Post) -> None:
    first, second = game(0), game(1)
    broken = {**second[30], "at": "yesterday"}
    log = lines(first, second[:30]) + json.dumps(broken).encode() + b"\n" + lines(second[31:], game(2))
    done, refused = answers(post("server-1", log))
    assert (done["game"], done["added"]) == (id_of(first), len(first))
    assert (refused["game"], refused["line"], refused["member"]) == (id_of(second), len(first) + 31, "at")
    assert [one.game for one in store.games()] == [id_of(first)]


def test_a_game_that_cannot_be_stored_does_not_stop_the_others(store: Store, post: Post) -> None:
    gap = [*game(0)[:20], *game(0)[21:]]
    refused, done = answers(post("server-1", lines(gap, game(1))))
    assert (refused["game"], refused["line"], refused["member"]) == (id_of(gap), 21, "seq")
    assert done["game"] == id_of(game(1))
    assert [one.game for one in store.games()] == [id_of(game(1))]


@pytest.mark.parametrize("name", ["a/b", "..", "%", "ä🀄", " "])
def test_odd_ids(store: Store, post: Post, name: str) -> None:
    (found,) = answers(post("server-1", lines(named(game(2), name))))
    assert (found["game"], owner(store, name)) == (name, "server-1")


@pytest.mark.parametrize("name", ["\\u0000", "\\ud800", "x" * 1025])
def test_ids_that_cannot_be_stored(store: Store, post: Post, name: str) -> None:
    log = lines(named(game(2), "ID"), game(0)).replace(b'"ID"', f'"{name}"'.encode())
    refused, *others = answers(post("server-1", log))
    assert "reason" in refused
    assert [one["game"] for one in others] == [one.game for one in store.games()]


# -- Another's games ---------------------------------------------------------------------------------------------------


def _variants(documents: list[Document]) -> dict[str, list[Document]]:
    """The same game, a part of it, more of it, and another content of it."""
    changed, _ = with_violation(documents)
    other = [{**documents[0], "x_other": 1}, *documents[1:]]
    return {"same": documents, "part": documents[:20], "changed": changed, "other": other, "start": documents[:1]}


@pytest.mark.parametrize("sender", ["server-2", "admin"])
@pytest.mark.parametrize("what", ["same", "part", "changed", "other", "start"])
def test_another_servers_game_is_there_and_no_more_is_said(
    store: Store, post: Post, database: Database, sender: str, what: str
) -> None:
    documents = game(0)
    take_in(store, documents[:60], owner="server-1")
    before = _rows(database)
    (refused,) = answers(post(sender, lines(_variants(documents)[what])))
    assert refused == {
        "source": "request",
        "game": id_of(documents),
        "line": 1,
        "reason": f"request, line 1: game {id_of(documents)}: the game exists",
        "member": "game",
    }
    assert _rows(database) == before


def test_a_game_without_a_server_is_not_a_servers_own(store: Store, post: Post) -> None:
    (name,) = take_in(store, game(0)[:60])
    (refused,) = answers(post("server-1", lines(game(0))))
    assert refused["reason"].endswith("the game exists")
    assert (owner(store, name), store.game(name).next_seq) == (None, 60)
    (done,) = answers(post("admin", lines(game(0))))
    assert (done["added"], owner(store, name)) == (len(game(0)) - 60, None)


def test_the_ledger_itself_refuses_what_is_anothers(store: Store) -> None:
    """Whatever was asked before: between the question and the append another server may have opened the game."""
    entries = [entry(start("g"))]
    store.ingest(opening("g"), entries, sender=Sender("server-1"))
    store.ingest(opening("g"), entries, sender=Sender("server-1"))
    for other in (Sender("server-2"), Sender(None)):
        for content in (entries, [entry(start("g", x_other=1))]):
            with pytest.raises(GameExistsError, match="game g exists"):
                store.ingest(opening("g"), content, sender=other)
    assert owner(store, "g") == "server-1"


def test_two_servers_send_the_same_new_game_at_once(store: Store, post: Post) -> None:
    """One of them has it, whole; the other is told that it exists."""
    for round in range(5):
        log = lines(named(game(2), f"raced-{round}"))
        with ThreadPoolExecutor(4) as pool:
            senders = ["server-1", "server-2"] * 2
            found = [answers(done)[0] for done in pool.map(lambda sender: post(sender, log), senders)]  # noqa: B023
        own = owner(store, f"raced-{round}")
        assert own in ("server-1", "server-2")
        for sender, line in zip(senders, found, strict=True):
            assert ("added" in line) == (sender == own), found
            assert "added" in line or "exists" in line["reason"]
        assert sum(line.get("added", 0) for line in found) == len(game(2))


def test_many_games(store: Store, post: Post) -> None:
    found = answers(post("server-1", b"".join(encode(one) for documents in copies(40) for one in documents)))
    assert [line["game"] for line in found] == [f"copy-{number:05}" for number in range(40)]
    assert {line["added"] for line in found} == {len(game(2))}


def _rows(database: Database) -> list[tuple[Any, ...]]:
    statement = """
        SELECT (SELECT count(*) FROM mingpai.events), (SELECT count(*) FROM mingpai.appends),
               (SELECT count(*) FROM mingpai.audits), (SELECT array_agg(o::text) FROM mingpai.game_owners o)
    """
    with psycopg.connect(database.admin_url) as admin:
        return admin.execute(statement).fetchall()
