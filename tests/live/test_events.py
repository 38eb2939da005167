"""Events of a game that goes on: each once, in order, whatever happens to connections, and nothing that is hidden."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Any

import httpx
import psycopg
import pytest

from replays.variants import REGISTRY
from schema.ports import Role
from service.evidence.leaves import public_form, stored_form
from service.store import Store
from service.store.errors import UnreachableError
from tests.access.keys import bearer, key_for, principal_for
from tests.databases import Database
from tests.live.live_games import LiveGame
from tests.live.subscribers import EVENTS, Link, events_in, streamed
from tests.usecases.games import Document, game, id_of

_APPEND = """
mutation ($game: String!, $seq: Int!, $events: [JSON!]!) {
  appendEvents(game: $game, expectedSeq: $seq, events: $events) { __typename ... on Receipt { seq } }
}
"""
_OPEN = "mutation ($event: JSON!) { openGame(event: $event) { __typename } }"


class GameServer:
    """Plays a game into the service by its API."""

    def __init__(self, base: str, store: Store, documents: list[Document]) -> None:
        self.documents = documents
        self._client = httpx.Client(base_url=base, headers=bearer(key_for(store, Role.SERVER)), trust_env=False)

    def _do(self, query: str, **variables: Any) -> dict[str, Any]:
        answer = self._client.post("/graphql", json={"query": query, "variables": variables}).json()
        assert "errors" not in answer, answer
        (found,) = answer["data"].values()
        assert found["__typename"] == "Receipt", found
        return dict(found)

    def play(self, batch: int = 7) -> None:
        """The whole game, ``batch`` events at a time."""
        self._do(_OPEN, event=self.documents[0])
        for first in range(1, len(self.documents), batch):
            events = self.documents[first : first + batch]
            self._do(_APPEND, game=id_of(self.documents), seq=first, events=events)


def test_a_game_is_followed_to_its_end_over_many_connections(base: str, store: Store) -> None:
    documents = game(0, hands=2)
    auditor = key_for(store, Role.AUDITOR)
    server = threading.Thread(target=GameServer(base, store, documents).play)
    seqs: list[int] = []
    cursor, connections, is_over = None, 0, False
    server.start()
    while not is_over:
        connections += 1
        with Link.opened(base, auditor) as link:
            name = link.subscribe(EVENTS, game=id_of(documents), after=cursor)
            for _ in range(40):
                message = link.next(name)
                if message["type"] == "complete":
                    is_over = True
                    break
                found = message["payload"]["data"]["gameEvents"]
                if found["__typename"] == "GameNotFound":  # it has not been opened yet
                    break
                cursor = found["cursor"]
                seqs.append(found["event"]["seq"])
    server.join()
    assert seqs == list(range(len(documents)))
    assert connections > len(documents) // 40


def test_the_same_by_server_sent_events(base: str, store: Store) -> None:
    documents = game(1)
    playing = LiveGame(store, documents)
    auditor = bearer(key_for(store, Role.AUDITOR))
    server = threading.Thread(target=playing.rest)
    seqs: list[int] = []
    cursor, is_over = None, False
    server.start()
    while not is_over:
        with streamed(base, auditor, EVENTS, game=playing.id, after=cursor) as answer:
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith("text/event-stream")
            for number, (kind, body) in enumerate(events_in(answer)):
                if kind == "complete":
                    is_over = True
                    break
                assert body is not None
                found = body["data"]["gameEvents"]
                cursor = found["cursor"]
                seqs.append(found["event"]["seq"])
                if number == 30:
                    break
    server.join()
    assert seqs == list(range(len(documents)))


def test_the_cursor_is_that_of_the_connection(base: str, store: Store) -> None:
    """A client that pages through what was goes on with what comes."""
    playing = LiveGame(store, game(0))
    playing.append(20)
    key = key_for(store, Role.AUDITOR)
    page = (
        "query ($game: String!) { events(game: $game, first: 10) { ... on EventConnection { pageInfo { endCursor } }}}"
    )
    answer = httpx.post(
        f"{base}/graphql",
        json={"query": page, "variables": {"game": playing.id}},
        headers=bearer(key),
        trust_env=False,
    ).json()
    with Link.opened(base, key) as link:
        name = link.subscribe(EVENTS, game=playing.id, after=answer["data"]["events"]["pageInfo"]["endCursor"])
        assert link.data(name)["event"]["seq"] == 10
        other = link.subscribe(EVENTS, game="another", after=answer["data"]["events"]["pageInfo"]["endCursor"])
        assert link.data(other)["code"] == "BAD_CURSOR"
        assert link.next(other)["type"] == "complete"


class Following:
    """One viewer's subscription, and what it may see: its own seat, staff's or nobody's."""

    def __init__(self, link: Link, game: str, seat: int | None) -> None:
        self.link = link
        self.seat = seat
        self.name = link.subscribe(EVENTS, game=game)

    def event(self) -> dict[str, Any]:
        return dict(self.link.data(self.name)["event"])


@pytest.mark.parametrize("variant", sorted(REGISTRY))
def test_nobody_sees_a_hidden_tile_at_any_step(base: str, store: Store, variant: str) -> None:
    """A player sees its own events and the public form of others'; staff sees the public form of all, until the wall
    of the hand lies open. The game's own server sees everything."""
    from schema.paipu import document
    from service.simulator.games import simulate_game

    documents = [document(event) for event in simulate_game(variant, 7, 3, hands=2)]
    owner = principal_for(store)
    server = key_for(store, Role.SERVER, principal=owner)
    playing = LiveGame(store, documents, owner)
    seats = [one["player"] for one in documents[0]["seats"]]
    with ExitStack() as stack:

        def link(*roles: Role, player: str | None = None, key: str | None = None) -> Link:
            return stack.enter_context(Link.opened(base, key or key_for(store, *roles, player=player)))

        players = [Following(link(Role.PLAYER, player=player), playing.id, seat) for seat, player in enumerate(seats)]
        staff = [
            Following(link(role), playing.id, None) for role in (Role.CLERK, Role.AUDITOR, Role.ANALYST, Role.ADMIN)
        ]
        own = Following(link(key=server), playing.id, None)
        hidden = 0
        for place, full in enumerate(map(stored_form, documents)):
            if place:
                playing.append()
            public = public_form(full, concealed_kong_shown=_is_kong_shown(documents))
            assert own.event()["body"] == full
            for one in [*players, *staff]:
                found = one.event()
                assert found["seq"] == place
                is_own = one.seat is not None and full.get("seat") == one.seat
                expected = full if is_own else public
                if found["type"] == "PRIVATE":
                    assert found["body"] == public
                assert found["body"] == expected, (place, one.seat)
                hidden += expected != full
        assert hidden > len(documents)  # else nothing was tested


def _is_kong_shown(documents: list[Document]) -> bool:
    from replays.reducer import start
    from schema.paipu import load

    return bool(start(load(documents[0])).book.options["concealed_kong_shown"])  # type: ignore[arg-type]


def test_a_game_that_is_not_ones_own_is_none(base: str, store: Store) -> None:
    """To another player and to another server there is no such game, and no game that there is not differs from it."""
    playing = LiveGame(store, game(0))
    for key in (key_for(store, Role.PLAYER, player="nobody"), key_for(store, Role.SERVER)):
        with Link.opened(base, key) as link:
            answers = []
            for name in (playing.id, "no-such-game", "nul\0", "\ud800"):
                subscription = link.subscribe(EVENTS, game=name)
                answers.append((link.data(subscription), link.next(subscription)["type"]))
            assert {(found["__typename"], found["code"], end) for found, end in answers} == {
                ("GameNotFound", "GAME_NOT_FOUND", "complete")
            }


def test_readings_of_staff_are_recorded(base: str, store: Store, database: Database) -> None:
    """Those of finished hands; of the hand under way staff sees nothing that is hidden."""
    playing = LiveGame(store, game(0, hands=2))
    playing.to_hand(2, 30)
    with Link.opened(base, key_for(store, Role.AUDITOR)) as link:
        name = link.subscribe(EVENTS, game=playing.id)
        for _ in range(playing.events):
            link.data(name)
    statement = "SELECT min(first_seq), max(last_seq) FROM mingpai.hidden_reads WHERE game = %s AND what = 'events'"
    with psycopg.connect(database.admin_url) as admin:
        first, last = admin.execute(statement, (playing.id,)).fetchone() or (None, None)
    begun = next(one["seq"] for one in playing.documents if one["type"] == "hand_started" and one["hand"] == 2)
    assert first is not None
    assert first < last < begun


@pytest.fixture
def terminated(database: Database) -> Callable[[], None]:
    """Ends all sessions of the service, as a restart of the database does."""

    def end() -> None:
        name = database.admin_url.rsplit("/", 1)[1]
        with psycopg.connect(database.admin_url.rsplit("/", 1)[0] + "/postgres", autocommit=True) as admin:
            admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])

    return end


def test_sessions_of_the_database_that_end_cost_no_event(
    base: str, store: Store, terminated: Callable[[], None]
) -> None:
    playing = LiveGame(store, game(0))
    with Link.opened(base, key_for(store, Role.AUDITOR)) as link:
        name = link.subscribe(EVENTS, game=playing.id)
        seqs = [link.data(name)["event"]["seq"]]
        for _ in range(5):
            terminated()
            with suppress(UnreachableError):  # of the session that has just ended, which stores nothing
                playing.append(3)
            while playing.events < len(seqs) + 3:
                playing.append(3)
            seqs += [link.data(name)["event"]["seq"] for _ in range(3)]
    assert seqs == list(range(16))
