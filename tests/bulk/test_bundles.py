"""Bundles over HTTP by role, and links that open them without an account."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import psycopg
import pytest

from schema.ports import Role, Viewer
from schema.ports.jobs import TooManyError
from service.api import create_app
from service.evidence.bundles import verify
from service.store import Store
from service.store.owners import publish
from service.usecases.links import StoredLinks
from service.usecases.notary import Notary
from tests.api.clients import Client
from tests.bulk.logs import named, take_in, under_way
from tests.bulk.viewers import VIEWERS, by_header, sent_by
from tests.databases import Database
from tests.usecases.games import Document, game, id_of
from tests.usecases.sealed import notary_at

Get = Callable[..., httpx.Response]
NAME = id_of(game(0))
OWN_SEAT = 1  #: the player's at the first game


@pytest.fixture
def notary(durable_store: Store, tmp_path: Path) -> Notary:
    return notary_at(durable_store, tmp_path / "keys.json")


@pytest.fixture
def client(durable_store: Store, notary: Notary) -> Client:
    return Client(create_app(durable_store, notary, authenticate=by_header))


@pytest.fixture
def get(client: Client) -> Get:
    """A GET as a viewer."""

    def ask(path: str, viewer: str = "public", **query: str) -> httpx.Response:
        return client.request("GET", path, params=query, headers=sent_by(viewer))

    return ask


@pytest.fixture
def over(durable_store: Store) -> str:
    """A game that is over, a server's own."""
    return take_in(durable_store, game(0), owner="server-1")[0]


def path(name: str) -> str:
    return f"/games/{quote(name, safe='')}/bundle"


def hidden(raw: bytes) -> list[int]:
    """The events of a bundle that are only there in their public form."""
    return [seq for seq, entry in enumerate(json.loads(raw)["events"]) if "public" in entry]


def tiles_of(raw: bytes) -> dict[int, Any]:
    """What a bundle shows in full of deals and draws, by place."""
    found = {}
    for seq, entry in enumerate(json.loads(raw)["events"]):
        document = json.loads(b64decode(entry["full"])) if "full" in entry else {}
        if document.get("type") in ("dealt", "drew"):
            found[seq] = document
    return found


# -- By role -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("viewer", ["server-1", "clerk", "auditor", "analyst", "admin"])
def test_whole_for_staff_and_for_its_server(get: Get, notary: Notary, over: str, viewer: str) -> None:
    answer = get(path(over), viewer)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    assert verify(answer.content, *notary.verifiers).verified
    assert hidden(answer.content) == []
    assert json.loads(answer.content)["seal"] is not None
    assert "no-store" in answer.headers["cache-control"]


@pytest.mark.parametrize("query", [{}, {"seat": str(OWN_SEAT)}])
def test_a_player_gets_the_own_seats(get: Get, notary: Notary, over: str, query: dict[str, str]) -> None:
    answer = get(path(over), "player", **query)
    assert verify(answer.content, *notary.verifiers).verified
    assert hidden(answer.content)
    assert answer.content == get(path(over), "auditor", seat=str(OWN_SEAT)).content


@pytest.mark.parametrize("seat", ["0", "2", "3"])
def test_a_player_does_not_get_anothers_seat(get: Get, over: str, seat: str) -> None:
    answer = get(path(over), "player", seat=seat)
    assert (answer.status_code, answer.json()["errors"][0]["extensions"]["code"]) == (403, "HIDDEN")


@pytest.mark.parametrize("seat", ["4", "9", "-1", "x", "10", "²", ""])
def test_seats_that_there_are_not(get: Get, over: str, seat: str) -> None:
    for viewer in ("auditor", "player"):
        answer = get(path(over), viewer, seat=seat)
        assert (answer.status_code, answer.json()["errors"][0]["extensions"]["argument"]) == (400, "seat")


@pytest.mark.parametrize("viewer", ["public", "stranger", "server-2"])
def test_a_hidden_game_is_as_one_that_is_not_there(get: Get, over: str, viewer: str) -> None:
    for query in ({}, {"seat": "1"}, {"seat": "9"}, {"page": "html"}):
        there, absent = get(path(over), viewer, **query), get(path("nobody"), viewer, **query)
        assert there.status_code == absent.status_code == 404 or query == {"seat": "9"}
        assert there.text.replace(over, "nobody") == absent.text


def test_published_games_are_whole_for_everybody(get: Get, durable_store: Store, over: str) -> None:
    publish(durable_store, over, "admin")
    for viewer in ("public", "stranger", "server-2", "player"):
        assert hidden(get(path(over), viewer).content) == []
        assert hidden(get(path(over), viewer, seat="2").content)


def test_readings_by_staff_are_on_record(get: Get, durable_store: Store, durable_database: Database, over: str) -> None:
    get(path(over), "server-1")
    get(path(over), "player")
    assert _reads(durable_database) == []
    get(path(over), "auditor")
    get(path(over), "clerk", seat="2")
    last = len(game(0)) - 1
    assert _reads(durable_database) == [("auditor", "bundle", over, 0, last), ("clerk", "bundle", over, 0, last)]
    publish(durable_store, over, "admin")
    get(path(over), "auditor")
    assert len(_reads(durable_database)) == 2


def test_the_page_to_print(get: Get, over: str) -> None:
    answer = get(path(over), "player", page="html", lang="zh-Hant")
    assert answer.headers["content-type"].startswith("text/html")
    assert '<html lang="zh-Hant">' in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    for query, argument in (({"page": "pdf"}, "page"), ({"lang": "fr"}, "lang")):
        assert get(path(over), "player", **query).json()["errors"][0]["extensions"]["argument"] == argument


@pytest.mark.parametrize("name", ["a/b", "/", "..", ".", "%", "%2F", "a b", "ä🀄", "?x=1", "a/bundle", "#", "'\"<b>"])
def test_odd_ids(get: Get, durable_store: Store, name: str) -> None:
    """By the path where clients leave it as it is, and by the query always."""
    take_in(durable_store, named(game(2), name), owner="server-1")
    assert json.loads(get("/bundle", "server-1", game=name).content)["game"] == name
    if name not in ("..", "."):  # httpx, as browsers do, takes these for steps in the path
        assert json.loads(get(path(name), "server-1").content)["game"] == name
    absent = get("/bundle", "server-2", game=name)
    assert (absent.status_code, absent.json()["errors"][0]["extensions"]["game"]) == (404, name)


@pytest.mark.parametrize("name", ["\0", "\ud800", ""])
def test_ids_that_no_game_has(client: Client, name: str) -> None:
    query = f"/bundle?game={quote(name, safe='', errors='surrogatepass')}"
    assert client.request("GET", query, headers=sent_by("auditor")).status_code == 404


def test_without_a_notary_nothing_is_proven(durable_store: Store, over: str) -> None:
    client = Client(create_app(durable_store, authenticate=by_header))
    assert client.request("GET", path(over), headers=sent_by("auditor")).status_code == 503


# -- While a game goes on ----------------------------------------------------------------------------------------------


@pytest.fixture
def live(durable_store: Store) -> list[Document]:
    """A game with its second hand under way."""
    documents = game(0, hands=2)
    going_on = documents[: under_way(documents, 2)]
    take_in(durable_store, going_on, owner="server-1")
    return going_on


def _begun(documents: list[Document]) -> int:
    return max(place for place, one in enumerate(documents) if one["type"] == "hand_started")


@pytest.mark.parametrize("viewer", ["clerk", "auditor", "analyst", "admin", "server-1"])
def test_nothing_hidden_of_the_hand_under_way(get: Get, live: list[Document], viewer: str) -> None:
    whole = get(path(NAME), viewer).content
    assert max(tiles_of(whole)) < _begun(live)
    assert tiles_of(whole)


@pytest.mark.parametrize("viewer", ["clerk", "auditor", "analyst", "admin"])
@pytest.mark.parametrize("seat", ["0", "1", "2", "3"])
def test_staff_cannot_put_it_together_seat_by_seat(get: Get, live: list[Document], viewer: str, seat: str) -> None:
    answer = get(path(NAME), viewer, seat=seat)
    assert (answer.status_code, answer.json()["errors"][0]["extensions"]["code"]) == (403, "HIDDEN")


def test_a_player_sees_the_own_hand_under_way_and_no_other(get: Get, live: list[Document]) -> None:
    shown = tiles_of(get(path(NAME), "player").content)
    now = [one["seat"] for seq, one in shown.items() if seq >= _begun(live)]
    assert now
    assert set(now) == {OWN_SEAT}
    assert {one["seat"] for seq, one in shown.items() if seq < _begun(live)} == {0, 1, 2, 3}  # that wall is open


def test_staff_get_seats_once_the_hand_is_over(get: Get, durable_store: Store, live: list[Document]) -> None:
    take_in(durable_store, game(0, hands=2), owner="server-1")
    assert get(path(NAME), "auditor", seat="2").status_code == 200


# -- Links -------------------------------------------------------------------------------------------------------------

_CREATE = """mutation($game: String!, $seat: Int, $seconds: Int!) {
  createBundleLink(game: $game, seat: $seat, expiresIn: $seconds) {
    ... on BundleLink { link path game seat expiresAt } ... on Problem { code } } }"""
_REVOKE = """mutation($link: String!) { revokeBundleLink(link: $link) {
  ... on BundleLink { link path } ... on Problem { code } } }"""
_LIST = """{ bundleLinks(first: 10) { ... on BundleLinkConnection { edges { node { link path game seat } } } } }"""


@pytest.fixture
def ask(client: Client) -> Callable[..., dict[str, Any]]:
    """A GraphQL operation as a viewer: the one field of its data, or the code of its error."""

    def send(viewer: str, query: str, **variables: Any) -> dict[str, Any]:
        content = {"query": query, "variables": variables}
        body = client.request("POST", "/graphql", json=content, headers=sent_by(viewer)).json()
        if "errors" in body:
            return {"code": body["errors"][0]["extensions"]["code"]}
        (found,) = body["data"].values()
        return dict(found)

    return send


Ask = Callable[..., dict[str, Any]]


@pytest.mark.parametrize(
    ("viewer", "seat", "shown"),
    [
        ("player", None, OWN_SEAT),
        ("player", OWN_SEAT, OWN_SEAT),
        ("clerk", None, None),
        ("clerk", 3, 3),
        ("auditor", 0, 0),
        ("admin", None, None),
        ("server-1", 2, 2),
    ],
)
def test_a_link_opens_what_its_maker_may_show(
    get: Get, ask: Ask, notary: Notary, over: str, viewer: str, seat: int | None, shown: int | None
) -> None:
    made = ask(viewer, _CREATE, game=over, seat=seat, seconds=3600)
    assert (made["game"], made["seat"]) == (over, shown)
    answer = get(made["path"])
    assert verify(answer.content, *notary.verifiers).verified
    assert answer.content == get(path(over), "auditor", **({} if shown is None else {"seat": str(shown)})).content
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "<html" in get(made["path"], page="html").text


@pytest.mark.parametrize(
    ("viewer", "game", "seat", "seconds", "code"),
    [
        ("public", NAME, None, 3600, "UNAUTHENTICATED"),
        ("analyst", NAME, None, 3600, "FORBIDDEN"),
        ("player", NAME, 0, 3600, "HIDDEN"),
        ("stranger", NAME, None, 3600, "GAME_NOT_FOUND"),
        ("server-2", NAME, None, 3600, "GAME_NOT_FOUND"),
        ("clerk", "nobody", None, 3600, "GAME_NOT_FOUND"),
        ("clerk", "\0", None, 3600, "GAME_NOT_FOUND"),
        ("clerk", NAME, 4, 3600, "SEAT_OUT_OF_RANGE"),
        ("clerk", NAME, -1, 3600, "SEAT_OUT_OF_RANGE"),
        ("clerk", NAME, None, 59, "BAD_ARGUMENT"),
        ("clerk", NAME, None, 30 * 86400 + 1, "BAD_ARGUMENT"),
    ],
)
def test_links_that_are_not_made(
    ask: Ask, over: str, viewer: str, game: str, seat: int | None, seconds: int, code: str
) -> None:
    assert ask(viewer, _CREATE, game=game, seat=seat, seconds=seconds) == {"code": code}


def test_a_published_game_is_not_linked_by_who_else_could_not(ask: Ask, durable_store: Store, over: str) -> None:
    """It may be closed again, and the link would still open it."""
    publish(durable_store, over, "admin")
    assert ask("stranger", _CREATE, game=over, seconds=3600) == {"code": "GAME_NOT_FOUND"}
    assert ask("player", _CREATE, game=over, seat=0, seconds=3600) == {"code": "HIDDEN"}


def test_expired_revoked_and_unknown_are_the_same(get: Get, ask: Ask, durable_database: Database, over: str) -> None:
    expired, revoked = (ask("player", _CREATE, game=over, seconds=60) for _ in range(2))
    assert get(expired["path"]).status_code == get(revoked["path"]).status_code == 200
    with psycopg.connect(durable_database.admin_url, autocommit=True) as admin:
        admin.execute("UPDATE mingpai.bundle_links SET expires_at = now() WHERE link = %s", (expired["link"],))
    assert ask("player", _REVOKE, link=revoked["link"]) == {"link": revoked["link"], "path": None}
    answers = [get(where) for where in (expired["path"], revoked["path"], "/bundles/" + "A" * 43, "/bundles/x")]
    assert {(answer.status_code, answer.content) for answer in answers} == {(404, answers[0].content)}
    assert ask("player", _REVOKE, link=revoked["link"]) == {"code": "LINK_NOT_FOUND"}


def test_a_link_is_revoked_by_its_maker_or_an_admin(get: Get, ask: Ask, over: str) -> None:
    made = [ask("player", _CREATE, game=over, seconds=3600) for _ in range(2)]
    assert ask("clerk", _REVOKE, link=made[0]["link"]) == {"code": "LINK_NOT_FOUND"}
    assert ask("clerk", _REVOKE, link="\0") == {"code": "LINK_NOT_FOUND"}
    assert get(made[0]["path"]).status_code == 200
    ask("player", _REVOKE, link=made[0]["link"])
    ask("admin", _REVOKE, link=made[1]["link"])
    assert [get(one["path"]).status_code for one in made] == [404, 404]


def test_the_list_of_links_has_no_tokens(ask: Ask, over: str) -> None:
    made = ask("player", _CREATE, game=over, seconds=3600)
    other = ask("clerk", _CREATE, game=over, seconds=3600)
    assert _listed(ask("player", _LIST)) == [{"link": made["link"], "path": None, "game": over, "seat": OWN_SEAT}]
    assert [one["link"] for one in _listed(ask("admin", _LIST))] == [other["link"], made["link"]]


def _listed(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [edge["node"] for edge in found["edges"]]


def test_the_token_is_kept_nowhere(ask: Ask, durable_database: Database, over: str) -> None:
    token = ask("player", _CREATE, game=over, seconds=3600)["path"].rsplit("/", 1)[1]
    assert len(token) == 43
    with psycopg.connect(durable_database.admin_url) as admin:
        rows = admin.execute("SELECT t::text FROM mingpai.bundle_links t").fetchall()
    assert len(rows) == 1
    assert all(token not in text for (text,) in rows)


def test_readings_through_staffs_links_are_on_record(get: Get, ask: Ask, durable_database: Database, over: str) -> None:
    get(ask("player", _CREATE, game=over, seconds=3600)["path"])
    assert _reads(durable_database) == []
    made = ask("clerk", _CREATE, game=over, seconds=3600)
    once = ("clerk", "bundle_link", over, 0, len(game(0)) - 1)
    assert _reads(durable_database) == [once]
    get(made["path"])
    assert _reads(durable_database) == [once, once]


def test_a_staffs_link_to_a_seat_waits_for_the_end_of_the_hand(
    get: Get, ask: Ask, durable_store: Store, live: list[Document]
) -> None:
    by_clerk = ask("clerk", _CREATE, game=NAME, seat=2, seconds=3600)["path"]
    whole = ask("clerk", _CREATE, game=NAME, seconds=3600)["path"]
    own = ask("player", _CREATE, game=NAME, seconds=3600)["path"]
    assert get(by_clerk).status_code == 409
    assert max(tiles_of(get(whole).content)) < _begun(live)
    assert {one["seat"] for seq, one in tiles_of(get(own).content).items() if seq >= _begun(live)} == {OWN_SEAT}
    take_in(durable_store, game(0, hands=2), owner="server-1")
    assert get(by_clerk).status_code == 200  # what it opens is made now
    assert hidden(get(whole).content) == []


def test_so_many_links_at_a_time(durable_store: Store, over: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.usecases.links.LINKS_LIMIT", 2)
    links = StoredLinks(durable_store, VIEWERS["player"])
    made = [links.create(over, None, 60) for _ in range(2)]
    with pytest.raises(TooManyError):
        links.create(over, None, 60)
    links.revoke(made[0].link)
    links.create(over, None, 60)


def test_an_analyst_who_plays_links_only_the_own_seat(durable_store: Store, over: str) -> None:
    viewer = Viewer("both", frozenset({Role.PLAYER, Role.ANALYST}), "player-03", "key")
    assert StoredLinks(durable_store, viewer).create(over, None, 60).seat == OWN_SEAT


def _reads(database: Database) -> list[tuple[Any, ...]]:
    with psycopg.connect(database.admin_url) as admin:
        columns = "principal, what, game, first_seq, last_seq"
        return admin.execute(f"SELECT {columns} FROM mingpai.hidden_reads ORDER BY position").fetchall()
