"""Who is let in, for how long, how many, and what a connection may say."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import psycopg
import pytest
from websockets.exceptions import InvalidStatus

from schema.graphql.limits import Limits
from schema.graphql.operations import Operations
from schema.ports import Role
from service.api import create_app
from service.api.documents import digest
from service.api.graphql import Policy
from service.api.limits import RequestLimits
from service.api.live import SubscriptionLimits
from service.live.hub import Hub, Kind, Topic
from service.store import Store
from tests.access.keys import bearer, key_for
from tests.databases import Database
from tests.live.live_games import LiveGame
from tests.live.subscribers import EVENTS, FINDINGS, PATIENCE, Link, events_in, served, streamed
from tests.usecases.games import game

SMALL = SubscriptionLimits(
    connections=4,
    connections_of_key=2,
    subscriptions=3,
    message_bytes=2000,
    init_seconds=0.5,
    send_seconds=0.5,
    heartbeat_seconds=0.1,
    look_seconds=0.01,
    guess_rate=10,
)


@pytest.fixture
def small(store: Store) -> Iterator[str]:
    """The service with small limits."""
    with served(create_app(store, subscriptions=SMALL)) as found:
        yield found


@pytest.fixture
def auditor(store: Store) -> str:
    return key_for(store, Role.AUDITOR)


def init(**payload: object) -> dict[str, object]:
    return {"type": "connection_init", "payload": payload}


# Who is let in


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"type": "connection_init"}, 4401),
        (init(), 4401),
        (init(authorization="Bearer mp_nobody_nothing"), 4403),
        (init(authorization="Basic eA=="), 4403),
        (init(authorization=""), 4403),
        (init(authorization=7), 4403),
        (init(authorization="Bearer 金"), 4403),
        (init(authorization="Bearer a\r\nx-evil: 1"), 4403),
        ({"type": "connection_init", "payload": []}, 4401),
        ({"type": "connection_init", "payload": "x"}, 4400),
    ],
)
def test_credentials_that_are_none(base: str, message: object, code: int) -> None:
    with Link.raw(base) as link:
        link.say(message)
        assert link.closed()[0] == code


def test_guessing_has_an_end(small: str, auditor: str) -> None:
    """And holds up those at the same address, good credentials or not, as it does for requests."""
    codes: list[int | None] = []
    while codes[-1:] != [4429]:
        with Link.raw(small) as link:
            link.say(init(authorization="Bearer mp_nobody_nothing"))
            codes.append(link.closed()[0])
    assert set(codes[:-1]) == {4403}
    assert len(codes) > 2
    with Link.raw(small) as link:
        link.say(init(authorization=f"Bearer {auditor}"))
        assert link.closed() == (4429, "Too many refusals")


def test_a_key_in_the_handshake(base: str, store: Store, auditor: str) -> None:
    playing = LiveGame(store, game(0))
    with Link.raw(base, additional_headers=bearer(auditor)) as link:
        link.say({"type": "connection_init"})
        assert link.hear() == {"type": "connection_ack"}
        assert link.data(link.subscribe(EVENTS, game=playing.id))["event"]["seq"] == 0


def test_a_session_needs_its_token_and_our_own_page(base: str, store: Store, auditor: str) -> None:
    """The cookie is sent by any page that a browser shows: its Origin must be ours, and the token must be known."""
    signed_in = httpx.post(f"{base}/session", json={"key": auditor}, headers={"origin": base}, trust_env=False)
    assert signed_in.status_code in (200, 201), signed_in.text
    cookie = "; ".join(f"{name}={value}" for name, value in signed_in.cookies.items())
    token = signed_in.json()["csrf_token"]
    own: dict[str, Any] = {"additional_headers": {"cookie": cookie}, "origin": base}
    with Link.raw(base, **own) as link:
        link.say(init(csrfToken=token))
        assert link.hear() == {"type": "connection_ack"}
        assert link.next(link.subscribe(EVENTS, game="none"))["type"] == "next"
    for payload in ({}, {"csrfToken": "wrong"}, {"csrfToken": 7}):
        with Link.raw(base, **own) as link:
            link.say(init(**payload))
            assert link.closed()[0] == 4403
    for origin in ("https://evil.example", "null", base.replace("127.0.0.1", "127.0.0.1.evil.example")):
        with pytest.raises(InvalidStatus) as refused, Link.raw(base, **{**own, "origin": origin}):
            pass
        assert refused.value.response.status_code == 403


def test_another_host_and_another_protocol(base: str, auditor: str) -> None:
    place = ("127.0.0.1", int(base.rsplit(":", 1)[1]))
    with (
        socket.create_connection(place) as plain,
        pytest.raises(InvalidStatus),
        Link.raw("http://evil.example", sock=plain),
    ):
        pass
    with Link.raw(base, subprotocols=["graphql-ws"]) as link:
        assert link.closed()[0] == 4406


def test_who_says_nothing_is_ended(small: str) -> None:
    with Link.raw(small) as link:
        assert link.closed() == (4408, "Connection initialisation timeout")


def test_server_sent_events_need_a_key_and_their_type(base: str, auditor: str) -> None:
    def status(headers: dict[str, str], **arguments: Any) -> int:
        given: dict[str, Any] = {"json": {"query": EVENTS, "variables": {"game": "none"}}} | arguments
        return httpx.post(f"{base}/graphql/stream", headers=headers, trust_env=False, **given).status_code

    sse = {"accept": "text/event-stream"}
    assert status(sse) == 401
    assert status(sse | bearer("mp_nobody_nothing")) == 401
    assert status(bearer(auditor)) == 406
    assert status(sse | bearer(auditor)) == 200
    for content in (b"{", b"[]", b'[{"query": "x"}]', b"7", b"{}", b"[" * 100_000):
        assert status(sse | bearer(auditor) | {"content-type": "application/json"}, json=None, content=content) == 400
    form = {"content-type": "text/plain"}
    assert status(sse | bearer(auditor) | form, json=None, content=b'{"query": "x"}') in (400, 415)
    assert httpx.get(f"{base}/graphql/stream", headers=bearer(auditor), trust_env=False).status_code == 405


# For how long


def revoke(database: Database, key: str) -> None:
    statement = "UPDATE mingpai.access_keys SET revoked_at = clock_timestamp() WHERE key = %s"
    with psycopg.connect(database.admin_url) as admin:
        assert admin.execute(statement, (key.split("_")[1],)).rowcount == 1


def test_a_key_that_is_revoked_ends_its_subscriptions(base: str, store: Store, database: Database) -> None:
    playing = LiveGame(store, game(0))
    revoked, kept = key_for(store, Role.AUDITOR), key_for(store, Role.CLERK)
    with (
        Link.opened(base, revoked) as link,
        Link.opened(base, kept) as other,
        streamed(base, bearer(revoked), EVENTS, game=playing.id) as stream,
    ):
        name, others = link.subscribe(EVENTS, game=playing.id), other.subscribe(EVENTS, game=playing.id)
        events = events_in(stream)
        assert link.data(name)["event"]["seq"] == other.data(others)["event"]["seq"] == 0
        assert next(events)[0] == "next"
        revoke(database, revoked)
        (error,) = link.next(name)["payload"]["errors"]
        assert error["extensions"]["code"] == "UNAUTHENTICATED"
        assert link.next(name)["type"] == "complete"
        _, body = next(events)
        assert body is not None
        assert body["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"
        assert next(events) == ("complete", None)
        again = link.subscribe(EVENTS, game=playing.id)
        assert "errors" in link.next(again)["payload"]
        playing.append(1)
        assert other.data(others)["event"]["seq"] == 1


def test_a_key_that_expires(base: str, store: Store) -> None:
    playing = LiveGame(store, game(0))
    with Link.opened(base, key_for(store, Role.AUDITOR, seconds=3)) as link:
        name = link.subscribe(EVENTS, game=playing.id)
        assert link.data(name)["event"]["seq"] == 0
        (error,) = link.next(name)["payload"]["errors"]
        assert error["extensions"]["code"] == "UNAUTHENTICATED"


def test_a_service_that_stops_says_so(store: Store, auditor: str) -> None:
    """Whoever follows learns that it is not the game that has ended."""
    playing = LiveGame(store, game(0))
    draining = Event()
    with (
        served(create_app(store, draining=draining, subscriptions=SMALL)) as base,
        Link.opened(base, auditor) as link,
        streamed(base, bearer(auditor), EVENTS, game=playing.id) as stream,
    ):
        name = link.subscribe(EVENTS, game=playing.id)
        events = (event for event in events_in(stream))
        link.data(name)
        next(events)
        draining.set()
        (error,) = link.next(name)["payload"]["errors"]
        assert error["extensions"]["code"] == "UNAVAILABLE"
        _, body = next(events)
        assert body is not None
        assert body["errors"][0]["extensions"]["code"] == "UNAVAILABLE"
        assert next(events) == ("complete", None)


# How many


def test_connections_are_capped_by_key_and_by_process(small: str, store: Store, auditor: str) -> None:
    others = [key_for(store, Role.AUDITOR) for _ in range(2)]
    with ExitStack() as stack:
        for key in (auditor, auditor, others[0]):
            stack.enter_context(Link.opened(small, key))
        with Link.raw(small, additional_headers=bearer(auditor)) as link:
            link.say({"type": "connection_init"})
            assert link.closed() == (4429, "Too many connections of this key")
        with streamed(small, bearer(auditor), EVENTS, game="none") as answer:
            assert answer.status_code == 429
            assert answer.headers["retry-after"] == "5"
        last = stack.enter_context(Link.opened(small, others[1]))
        with Link.raw(small) as link:
            assert link.closed() == (4429, "Too many connections")
        with streamed(small, bearer(others[1]), EVENTS, game="none") as answer:
            assert answer.status_code == 503
        last.connection.close()
        with _again(lambda: Link.opened(small, others[1])) as link:  # the place is free again
            assert link.data(link.subscribe(EVENTS, game="none"))["__typename"] == "GameNotFound"
    for _ in range(5):  # streams give their places back too
        with streamed(small, bearer(auditor), EVENTS, game="none") as answer:
            assert [kind for kind, _ in events_in(answer)] == ["next", "complete"]


def _again(opened: Any) -> Any:
    """The first connection that is let in: the server learns a moment later that one has gone."""
    for _ in range(100):
        try:
            stack = ExitStack()
            stack.link = stack.enter_context(opened())  # type: ignore[attr-defined]
            return _Entered(stack)
        except Exception:
            time.sleep(0.05)
    raise AssertionError("no place was given back")


class _Entered:
    def __init__(self, stack: Any) -> None:
        self._stack = stack

    def __enter__(self) -> Link:
        link: Link = self._stack.link
        return link

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def test_subscriptions_of_a_connection_are_capped(small: str, store: Store, auditor: str) -> None:
    playing = LiveGame(store, game(0))
    with Link.opened(small, auditor) as link:
        names = [link.subscribe(EVENTS, game=playing.id) for _ in range(3)]
        for name in names:
            assert link.data(name)["event"]["seq"] == 0
        more = link.subscribe(EVENTS, game=playing.id)
        assert link.next(more)["type"] == "error"
        link.say({"id": names[0], "type": "complete"})
        again = link.subscribe(EVENTS, game=playing.id)
        assert link.data(again)["event"]["seq"] == 0
        playing.append(1)
        assert link.data(names[1])["event"]["seq"] == 1


# What a connection may say


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("{", 4400),
        ("[]", 4400),
        ("7", 4400),
        ("null", 4400),
        ("[" * 1900, 4400),
        ('{"type": 7}', 4400),
        ('{"type": "unheard-of"}', 4400),
        ('{"type": "' + "金" * 200 + '"}', 4400),
        ('{"type": "subscribe"}', 4400),
        ('{"type": "subscribe", "id": "1"}', 4400),
        ('{"type": "subscribe", "id": 1, "payload": {"query": "x"}}', 4400),
        ('{"type": "subscribe", "id": "1", "payload": {"query": "x", "variables": []}}', 4400),
        ('{"type": "complete", "id": {}}', 4400),
        ("x" * 3000, 4413),
        ('{"type": "connection_init"}', 4429),
    ],
)
def test_what_no_client_should_say(small: str, auditor: str, message: str, code: int) -> None:
    with Link.opened(small, auditor) as link:
        link.say(message)
        assert link.closed()[0] == code


def test_an_id_that_is_in_use(small: str, store: Store, auditor: str) -> None:
    playing = LiveGame(store, game(0))
    with Link.opened(small, auditor) as link:
        for _ in range(2):
            payload = {"query": EVENTS, "variables": {"game": playing.id}}
            link.say({"id": "x" * 500, "type": "subscribe", "payload": payload})
        assert link.closed()[0] == 4409


def test_a_store_that_does_not_answer(store: Store, auditor: str, database: Database) -> None:
    """Nobody is let in then, and nobody is told that the credentials are bad."""
    name = database.admin_url.rsplit("/", 1)[1]
    with (
        served(create_app(store, subscriptions=SMALL)) as base,
        psycopg.connect(database.admin_url.rsplit("/", 1)[0] + "/postgres", autocommit=True) as admin,
    ):
        admin.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
        with Link.raw(base) as link:
            link.say(init(authorization=f"Bearer {auditor}"))
            assert link.closed() == (1013, "The store does not answer")
        with streamed(base, bearer(auditor), EVENTS, game="none") as answer:
            assert answer.status_code == 503
        admin.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")
        with Link.opened(base, auditor) as link:
            assert link.data(link.subscribe(EVENTS, game="none"))["__typename"] == "GameNotFound"


def test_bytes_are_no_message(small: str, auditor: str) -> None:
    with Link.opened(small, auditor) as link:
        link.connection.send(b"{}")
        assert link.closed()[0] == 4400


def test_nothing_before_it_is_let_in(small: str) -> None:
    with Link.raw(small) as link:
        link.subscribe(EVENTS, game="none")
        assert link.closed() == (4401, "Unauthorized")


def test_pings_are_answered(small: str, auditor: str) -> None:
    with Link.opened(small, auditor) as link:
        link.say({"type": "ping"})
        assert link.hear() == {"type": "pong"}
        link.say({"type": "pong"})
        link.say({"type": "ping"})
        assert link.hear() == {"type": "pong"}


REFUSED = [
    ("{", "SYNTAX_ERROR"),
    ("query { viewer { principal } }", "BAD_OPERATION"),
    ("mutation { sealGame(game: \"x\") { __typename } }", "BAD_OPERATION"),
    ("subscription { nothing }", "INVALID_DOCUMENT"),
    ('subscription { a: gameFindings(game: "x") { __typename } b: gameFindings(game: "y") { __typename } }',
     "INVALID_DOCUMENT"),
    ("subscription ($game: String!) { gameFindings(game: $game) { __typename } }", "BAD_VARIABLES"),
    ("subscription { findings { ... on NewFinding { " + " ".join(f"a{i}: cursor" for i in range(40)) + " } } }",
     "TOO_MANY_ALIASES"),
    ("subscription { findings { ... on NewFinding { " + "cursor " * 2100 + "} } }", "TOO_MANY_TOKENS"),
    ("", "BAD_REQUEST"),
]  # fmt: skip


@pytest.mark.parametrize(("document", "code"), REFUSED, ids=[code for _, code in REFUSED])
def test_documents_are_held_to_the_limits(base: str, auditor: str, document: str, code: str) -> None:
    """And one that is refused ends no other."""
    with Link.opened(base, auditor) as link:
        message = link.next(link.subscribe(document))
        assert message["type"] == "error"
        assert [error["extensions"]["code"] for error in message["payload"]] == [code]
        assert link.data(link.subscribe(EVENTS, game="none"))["__typename"] == "GameNotFound"
    with streamed(base, bearer(auditor), document) as answer:
        if not document:
            assert answer.status_code == 400
            return
        (_, body), end = events_in(answer)
        assert body is not None
        assert [error["extensions"]["code"] for error in body["errors"]] == [code]
        assert end == ("complete", None)


def test_limits_are_those_of_the_operator(store: Store, auditor: str) -> None:
    policy = Policy(Operations(Limits(depth=1)))
    with (
        served(create_app(store, limits=RequestLimits(policy), subscriptions=SMALL)) as base,
        Link.opened(base, auditor) as link,
    ):
        (error,) = link.next(link.subscribe(FINDINGS))["payload"]
        assert error["extensions"]["code"] == "TOO_DEEP"


def test_only_trusted_documents_where_there_are_some(store: Store, auditor: str, tmp_path: Path) -> None:
    policy = Policy(documents={digest(EVENTS): EVENTS})
    with (
        served(create_app(store, limits=RequestLimits(policy), subscriptions=SMALL)) as base,
        Link.opened(base, auditor) as link,
    ):
        (error,) = link.next(link.subscribe(EVENTS, game="none"))["payload"]
        assert error["extensions"]["code"] == "DOCUMENT_REQUIRED"
        for document, found in ((f"sha256:{digest(EVENTS)}", "next"), ("0" * 64, "error")):
            payload = {"documentId": document, "variables": {"game": "none"}}
            link.say({"id": document, "type": "subscribe", "payload": payload})
            assert link.next(document)["type"] == found
        headers = bearer(auditor) | {"accept": "text/event-stream"}
        for body, status in (
            ({"query": EVENTS, "variables": {"game": "none"}}, 400),
            ({"documentId": digest(EVENTS), "variables": {"game": "none"}}, 200),
        ):
            answer = httpx.post(f"{base}/graphql/stream", json=body, headers=headers, trust_env=False)
            assert answer.status_code == status


def test_posts_do_not_subscribe(base: str, auditor: str) -> None:
    answer = httpx.post(f"{base}/graphql", json={"query": FINDINGS}, headers=bearer(auditor), trust_env=False).json()
    assert answer["errors"][0]["extensions"]["code"] == "BAD_OPERATION"


def test_signs_of_life(small: str, store: Store, auditor: str) -> None:
    playing = LiveGame(store, game(0))
    with streamed(small, bearer(auditor), EVENTS, game=playing.id) as answer:
        lines = answer.iter_lines()
        assert sum(next(lines).startswith(": ping") for _ in range(12)) >= 2


# Clients that do not read


def ended(caplog: pytest.LogCaptureFixture, count: int) -> None:
    """Waits until so many were ended that do not read."""
    deadline = time.monotonic() + PATIENCE
    while sum("does not read" in record.message for record in caplog.records) < count:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_who_does_not_read_is_ended_and_goes_on_later(
    store: Store, auditor: str, caplog: pytest.LogCaptureFixture
) -> None:
    """What it is sent meanwhile is bounded; once it reads again it learns why it was ended, and misses nothing."""
    caplog.set_level(logging.INFO, "mingpai.live")
    documents = game(0, hands=16)
    playing = LiveGame(store, documents)
    playing.rest()
    with served(create_app(store, subscriptions=SMALL), send_buffer=8192) as base:
        host, port = base.removeprefix("http://").split(":")
        link_socket = socket.socket()
        link_socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link_socket.connect((host, int(port)))
        with Link.opened(base, auditor, sock=link_socket, max_queue=1, compression=None) as link:
            name = link.subscribe(EVENTS, game=playing.id)
            ended(caplog, 1)
            seqs, cursor = [], None
            code: tuple[int | None, str] | None = None
            while code is None:
                try:
                    found = link.data(name)
                except Exception as closed:
                    code = closed.args[:2]  # type: ignore[assignment]
                    break
                seqs.append(found["event"]["seq"])
                cursor = found["cursor"]
            assert code == (4410, "Too slow: subscribe again with the last cursor")
        assert 0 < len(seqs) < len(documents)
        with Link.opened(base, auditor) as link:
            name = link.subscribe(EVENTS, game=playing.id, after=cursor)
            while (message := link.next(name))["type"] != "complete":
                seqs.append(message["payload"]["data"]["gameEvents"]["event"]["seq"])
    assert seqs == list(range(len(documents)))


def _request(base: str, key: str, name: str) -> bytes:
    """A request for the events of a game, for sockets that are not read."""
    body = json.dumps({"query": EVENTS, "variables": {"game": name}})
    head = (
        f"POST /graphql/stream HTTP/1.1\r\nhost: {base.removeprefix('http://')}\r\nauthorization: Bearer {key}\r\n"
        f"accept: text/event-stream\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    return (head + body).encode()


def test_a_stream_that_nobody_reads_gives_its_place_back(
    store: Store, auditor: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "mingpai.live")
    documents = game(0, hands=16)
    playing = LiveGame(store, documents)
    playing.rest()
    with served(create_app(store, subscriptions=SMALL), send_buffer=8192) as base:
        host, port = base.removeprefix("http://").split(":")
        with ExitStack() as stack:
            for _ in range(SMALL.connections_of_key):
                link = stack.enter_context(socket.socket())
                link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                link.connect((host, int(port)))
                link.sendall(_request(base, auditor, playing.id))
                assert link.recv(12) == b"HTTP/1.1 200"
            ended(caplog, SMALL.connections_of_key)
            with streamed(base, bearer(auditor), EVENTS, game="none") as answer:
                assert answer.status_code == 200


def test_a_connection_that_is_stuck_is_given_up(
    store: Store, auditor: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits to be sent is not kept for ever for one who takes nothing: the kernel drops the connection."""
    caplog.set_level(logging.INFO, "mingpai.live")
    monkeypatch.setattr("service.api.server.STUCK_SECONDS", 1)
    playing = LiveGame(store, game(0, hands=16))
    playing.rest()
    with served(create_app(store, subscriptions=SMALL), send_buffer=8192) as base, socket.socket() as link:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.connect(("127.0.0.1", int(base.rsplit(":", 1)[1])))
        link.sendall(_request(base, auditor, playing.id))
        ended(caplog, 1)
        time.sleep(5)
        with pytest.raises(ConnectionResetError):
            _read_to_the_end(link)


def _read_to_the_end(link: socket.socket) -> None:
    while link.recv(4096):
        pass


# The hub


def test_the_hub_looks_only_while_somebody_follows(store: Store) -> None:
    playing = LiveGame(store, game(0))

    async def follow() -> None:
        hub = Hub(store, interval=0.01)
        for _ in range(2):
            with hub.watch(Topic(Kind.GAME, playing.id)) as watch, hub.watch(Topic(Kind.GAME, "none")) as other:
                assert await watch.changed(10)
                assert await other.changed(10)
                assert other.standing is None
                assert not await watch.changed(0.1)
                playing.append(1)
                assert await watch.changed(10)
                assert not await other.changed(0.1)
                with hub.watch(Topic(Kind.GAME, playing.id)) as late:
                    assert await late.changed(10)
                assert len(asyncio.all_tasks()) == 2  # this one, and the hub's
            await asyncio.sleep(0)
            assert len(asyncio.all_tasks()) == 1

    asyncio.run(follow())
