"""``GET /export``: which games, whole logs of them, and who gets what."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
from collections.abc import Callable
from typing import Any

import httpx
import psycopg
import pytest
import zstandard

from replays import ENGINE
from schema.paipu import games as grouped
from schema.paipu import read
from service.api import create_app
from service.api.encodings import negotiated
from service.store import Store
from service.store.bulk import Selection
from service.store.owners import publish
from service.usecases.bulk import Exporter
from service.usecases.export import export
from service.usecases.folds import Folds
from service.usecases.sights import Sights
from tests.api.clients import Client
from tests.bulk.logs import copies, named, take_in, under_way
from tests.bulk.viewers import VIEWERS, by_header, sent_by
from tests.databases import Database
from tests.store.games import entry, opening, start
from tests.usecases.games import NAMES, Document, game, id_of, lines

Get = Callable[..., httpx.Response]


@pytest.fixture
def get(store: Store) -> Get:
    """``GET /export`` as a viewer, with a query and headers."""
    client = Client(create_app(store, authenticate=by_header))

    def ask(viewer: str, query: Any = (), headers: dict[str, str] | None = None) -> httpx.Response:
        plain = {"accept-encoding": "identity"}
        return client.request("GET", "/export", params=query, headers=plain | sent_by(viewer) | (headers or {}))

    return ask


def log_of(store: Store, *names: str) -> bytes:
    """The games as ``mingpai export`` writes them."""
    return b"".join(line for name in names for line in export(store, name))


def ids_in(log: bytes) -> list[str]:
    """The games of a log, in their order; a log without any is none that the reader takes."""
    if not log:
        return []
    return [next(group).document["game"] for group in grouped(read(io.BytesIO(log), source="log"))]


def test_all_games_oldest_first(store: Store, get: Get) -> None:
    names = take_in(store, game(1), game(0), game(2))
    answer = get("auditor")
    assert answer.status_code == 200
    assert answer.content == log_of(store, *names)
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert (answer.headers["x-mingpai-engine"], answer.headers["x-mingpai-format"]) == (ENGINE, "paipu/1")


@pytest.mark.parametrize(("packing", "unpack"), [("gzip", gzip.decompress), ("zstd", None)])
def test_packed(store: Store, packing: str, unpack: Callable[[bytes], bytes] | None) -> None:
    names = take_in(store, *copies(5))
    raw = _raw(create_app(store, authenticate=by_header), packing)
    text = unpack(raw) if unpack is not None else zstandard.ZstdDecompressor().decompressobj().decompress(raw)
    assert text == log_of(store, *names)
    assert len(raw) < len(text) / 4
    assert ids_in(raw) == names  # whatever reads logs reads it as it is


def _raw(app: Any, packing: str) -> bytes:
    """The body as it is sent: httpx would unpack it."""
    parts: list[bytes] = []
    headers = {"host": "127.0.0.1", "x-viewer": "auditor", "accept-encoding": packing}
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "path": "/export",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(3600)
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            assert (b"content-encoding", packing.encode()) in message["headers"]
        parts.append(message.get("body", b""))

    asyncio.run(app(scope, receive, send))
    return b"".join(parts)


@pytest.mark.parametrize(
    ("header", "packing"),
    [
        (None, None),
        ("", None),
        ("gzip", "gzip"),
        ("gzip, deflate, br, zstd", "zstd"),
        ("zstd;q=0.2, gzip;q=0.5", "gzip"),
        ("zstd;q=0, *", "gzip"),
        ("*", "zstd"),
        ("br", None),
        ("identity, gzip;q=0.5", None),
        ("gzip;q=x", None),
        ("GZIP; q=1.0", "gzip"),
    ],
)
def test_what_is_negotiated(header: str | None, packing: str | None) -> None:
    assert negotiated(header) == packing


# -- Which games -------------------------------------------------------------------------------------------------------


def test_selections(store: Store, get: Get) -> None:
    names = take_in(store, *copies(4))
    moments = [store.game(name).opened_at.isoformat() for name in names]
    live = take_in(store, game(0)[:40])
    for query, found in [
        ({"since": moments[1]}, [*names[1:], *live]),
        ({"until": moments[1]}, names[:1]),
        ({"since": moments[1], "until": moments[3]}, names[1:3]),
        ({"ids": f"{names[3]},{names[0]}"}, [names[0], names[3]]),
        ([("id", names[2]), ("ids", names[1]), ("id", names[2])], names[1:3]),
        ({"ids": "nobody"}, []),
        ({"ruleset": "longyan"}, []),
        ({"ruleset": "xiamen", "status": "open"}, live),
        ({"status": "finished"}, names),
        ({"max": "2"}, names[:2]),
        ({"after": names[2]}, [*names[3:], *live]),
        ({"after": names[0], "max": "1"}, names[1:2]),
    ]:
        answer = get("auditor", query)
        assert (answer.status_code, ids_in(answer.content)) == (200, found), query


def test_page_by_page_it_is_the_same_log(store: Store, get: Get) -> None:
    """Also beyond the number of games that are looked up at once."""
    names = take_in(store, *copies(7))
    parts, after = [], None
    while True:
        query = {"max": "3"} | ({} if after is None else {"after": after})
        part = get("auditor", query).content
        parts.append(part)
        if len(ids_in(part)) < 3:
            break
        after = ids_in(part)[-1]
    assert b"".join(parts) == log_of(store, *names)


def test_more_games_than_are_looked_up_at_once(store: Store, get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.usecases.bulk.PAGE", 2)
    names = take_in(store, *copies(5))
    assert ids_in(get("auditor").content) == names
    assert ids_in(get("auditor", {"max": "3"}).content) == names[:3]


@pytest.mark.parametrize("name", ["a/b", "..", "%", "a,b", "a b", "ä🀄", "?x=1", "'\"", "\u202e"])
def test_odd_ids(store: Store, get: Get, name: str) -> None:
    take_in(store, named(game(2), name), *copies(1))
    assert ids_in(get("auditor", [("id", name)]).content) == [name]
    assert ids_in(get("auditor", {"after": name}).content) == ["copy-00000"]


@pytest.mark.parametrize(
    ("query", "argument"),
    [
        ({"since": "yesterday"}, "since"),
        ({"until": "2026-01-01T00:00:00"}, "until"),
        ({"since": "9999-12-31T23:59:59-14:00"}, "since"),
        ({"max": "0"}, "max"),
        ({"max": "1001"}, "max"),
        ({"max": "-1"}, "max"),
        ({"status": "OPEN"}, "status"),
        ({"ids": ""}, "ids"),
        ({"after": "nobody"}, "after"),
        ({"after": "\0"}, "after"),
        ({"ids": "\0"}, "ids"),
        ({"limit": "3"}, "limit"),
        ([("max", "1"), ("max", "2")], "max"),
    ],
)
def test_a_query_that_cannot_be_used(store: Store, get: Get, query: Any, argument: str) -> None:
    answer = get("auditor", query)
    (error,) = answer.json()["errors"]
    assert (answer.status_code, error["extensions"]) == (400, {"code": "BAD_ARGUMENT", "argument": argument})


def test_until_when_it_is_complete(store: Store, get: Get, database: Database) -> None:
    """An append that is not committed yet may have opened a game: the moment named is before it."""
    take_in(store, *copies(1))
    settled = get("auditor").headers["x-mingpai-complete-until"]
    assert settled > store.game("copy-00000").opened_at.isoformat()
    with psycopg.connect(database.application_url) as other:
        (begun,) = other.execute("SELECT clock_timestamp()").fetchone() or ("",)
        one = entry(start("late"))
        details = opening("late")
        other.execute(
            "SELECT mingpai.open_game(%s, NULL, %b, %b, '{}', %b, %b, %b)",
            ("late", details.ruleset_digest, details.secret, *one),
        )
        assert get("auditor").headers["x-mingpai-complete-until"] <= begun.isoformat()


# -- Who gets what -----------------------------------------------------------------------------------------------------


def test_names_are_for_those_who_see_names(store: Store, get: Get) -> None:
    take_in(store, game(0), owner="server-1")
    publish(store, id_of(game(0)), "admin")
    for viewer, names in [
        ("auditor", list(NAMES)),
        ("clerk", list(NAMES)),
        ("admin", list(NAMES)),
        ("server-1", list(NAMES)),
        ("analyst", [None] * 4),
        ("server-2", [None] * 4),
        ("public", [None] * 4),
    ]:
        first = json.loads(get(viewer).content.split(b"\n", 1)[0])
        assert [seat.get("name") for seat in first["seats"]] == names, viewer


def test_free_text_is_for_those_who_see_names(store: Store, get: Get) -> None:
    documents = _voided(game(0, hands=2))
    take_in(store, documents)
    assert json.loads(get("auditor").content.splitlines()[-2])["reason"] == "the server of 甲 broke"
    hidden = json.loads(get("analyst").content.splitlines()[-2])["reason"]
    assert hidden.startswith("sha256:")
    assert ids_in(get("analyst").content) == [id_of(documents)]


def _voided(documents: list[Document]) -> list[Document]:
    """The game with its second hand voided just after it was dealt."""
    at = under_way(documents, 2)
    seq, moment = documents[at]["seq"], documents[at]["at"]
    void = {"seq": seq, "type": "voided", "at": moment, "hand": 2, "reason": "the server of 甲 broke"}
    scores = next(one["scores"] for one in reversed(documents[:at]) if "scores" in one)
    end = {"seq": seq + 1, "type": "game_ended", "at": moment, "reason": "abandoned", "scores": scores}
    return [*documents[:at], void, end]


def test_a_player_gets_bundles_and_no_export(store: Store, get: Get) -> None:
    take_in(store, game(0))
    for viewer in ("player", "stranger"):
        answer = get(viewer)
        assert answer.status_code == 403
        assert "bundle" in answer.json()["errors"][0]["message"]


def test_the_public_gets_what_is_published(store: Store, get: Get) -> None:
    names = take_in(store, game(0), game(1), game(2)[:50])
    assert get("public").content == b""
    publish(store, names[1], "admin")
    publish(store, names[2], "admin")  # it goes on: nothing of it is open
    assert ids_in(get("public").content) == [names[1]]
    assert ids_in(get("server-2").content) == [names[1]]


def test_a_server_gets_its_own_games(store: Store, get: Get) -> None:
    own, others = take_in(store, game(0), owner="server-1"), take_in(store, game(1), owner="server-2")
    assert ids_in(get("server-1").content) == own
    assert ids_in(get("server-2").content) == others


@pytest.mark.parametrize("viewer", ["server-2", "public"])
def test_a_hidden_game_is_as_one_that_is_not_there(store: Store, get: Get, viewer: str) -> None:
    """In answers, headers and errors, side by side."""
    take_in(store, named(game(0), "hidden-one"), owner="server-1")
    for query in ({"ids": "{}"}, {"after": "{}"}):
        there, not_there = (
            get(viewer, {name: value.format(game) for name, value in query.items()})
            for game in ("hidden-one", "absent-one")
        )
        assert there.status_code == not_there.status_code
        assert there.text.replace("hidden-one", "absent-one") == not_there.text
        assert set(there.headers) == set(not_there.headers)


@pytest.mark.parametrize("viewer", ["auditor", "clerk", "analyst", "admin"])
@pytest.mark.parametrize("hand", [1, 2])
def test_the_hand_under_way_is_its_servers_alone(store: Store, get: Get, viewer: str, hand: int) -> None:
    documents = game(0, hands=2)
    at = under_way(documents, hand)
    begun = next(place for place, one in enumerate(documents) if one["type"] == "hand_started" and one["hand"] == hand)
    take_in(store, documents[:at], owner="server-1")
    kept = [json.loads(line)["seq"] for line in get(viewer).content.splitlines()]
    assert kept == list(range(begun))
    assert get("server-1").content == lines(documents[:at])
    take_in(store, documents, owner="server-1")
    assert len(get(viewer).content.splitlines()) == len(documents)


def test_readings_by_staff_are_on_record_before_anything_goes_out(store: Store, database: Database) -> None:
    names = take_in(store, game(0), game(1), owner="server-1")
    exporter = Exporter(store, Sights(Folds(store)), VIEWERS["auditor"], "request-9")
    games = exporter.games(Selection())
    assert reads(database) == []
    for name, one in zip(names, games, strict=True):
        last = store.game(name).next_seq - 1
        assert reads(database)[-1] == ("auditor", "key-of-auditor", "request-9", "export", name, 0, last)
        next(one.lines)
        list(one.lines)
    assert len(reads(database)) == 2


def test_readings_that_need_no_record(store: Store, get: Get, database: Database) -> None:
    (name,) = take_in(store, game(0), owner="server-1")
    get("server-1")
    publish(store, name, "admin")
    get("public")
    get("analyst")
    assert reads(database) == []


def reads(database: Database) -> list[tuple[Any, ...]]:
    with psycopg.connect(database.admin_url) as admin:
        columns = "principal, key, request, what, game, first_seq, last_seq"
        return admin.execute(f"SELECT {columns} FROM mingpai.hidden_reads ORDER BY position").fetchall()
