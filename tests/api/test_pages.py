"""Pages: complete, in order, without repeats; and cursors that are good for their own connection only."""

from __future__ import annotations

import io
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

import pytest

from schema.paipu import read
from service.store import Store
from service.usecases.append import Intake
from service.usecases.folds import Folds
from service.usecases.ingest import ingest
from tests.api.clients import AUDITOR, Client, app_for
from tests.api.conftest import Ask
from tests.usecases.games import Document, game, id_of, lines, with_violation

GAMES = """
query($first: Int!, $after: String, $filter: GamesFilter) { games(first: $first, after: $after, filter: $filter) {
  __typename
  ... on GameConnection {
    edges { cursor node { game verdict status } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
  ... on Problem { code message }
} }
"""


def opened(store: Store, count: int) -> list[str]:
    """Opens so many games, each with players of its own; their ids, the newest first."""
    intake, first = Intake(store, Folds(store)), game()[0]
    for number in range(count):
        seats = [{"player": f"p{number % 3}-{seat}"} for seat in range(4)]
        intake.open_game({**first, "game": f"many-{number:03d}", "seats": seats})
    return [f"many-{number:03d}" for number in reversed(range(count))]


def walk(ask: Ask, first: int, **filter: Any) -> list[list[str]]:
    """All pages of games, as lists of ids."""
    pages: list[list[str]] = []
    after = None
    while True:
        page = ask(GAMES, first=first, after=after, filter=filter or None)["games"]
        assert page["pageInfo"]["hasPreviousPage"] == bool(pages)
        pages.append([edge["node"]["game"] for edge in page["edges"]])
        after = page["pageInfo"]["endCursor"]
        if page["edges"]:
            ends = page["edges"][0]["cursor"], page["edges"][-1]["cursor"]
            assert (page["pageInfo"]["startCursor"], after) == ends
        if not page["pageInfo"]["hasNextPage"]:
            return pages


@pytest.mark.parametrize("first", [1, 7, 50, 100])
def test_many_games(own_library: Store, own_ask: Ask, games: list[list[Document]], first: int) -> None:
    expected = [*opened(own_library, 60), *(id_of(one) for one in reversed(games))]
    pages = walk(own_ask, first)
    assert [name for page in pages for name in page] == expected
    assert [len(page) for page in pages[:-1]] == [first] * (len(pages) - 1)
    of_player = [name for page in walk(own_ask, 7, player="p1-2") for name in page]
    assert of_player == [name for name in expected[:60] if int(name[-3:]) % 3 == 1]


def test_games_that_come_in_between_pages_disturb_nothing(own_library: Store, own_ask: Ask) -> None:
    before = opened(own_library, 10)
    page = own_ask(GAMES, first=4)["games"]
    Intake(own_library, Folds(own_library)).open_game({**game()[0], "game": "newest"})
    rest = own_ask(GAMES, first=6, after=page["pageInfo"]["endCursor"])["games"]
    assert [edge["node"]["game"] for edge in [*page["edges"], *rest["edges"]]] == before


def test_filters(own_library: Store, own_ask: Ask, games: list[list[Document]]) -> None:
    sound, broken, other = map(id_of, games)
    clause = _clause(own_library, broken)
    opened(own_library, 3)

    def found(**filter: Any) -> list[str]:
        return [name for page in walk(own_ask, 2, **filter) for name in page]

    assert found(verdict="CLEAN") == [other, sound]
    assert found(verdict="VIOLATIONS") == [broken]
    assert found(verdict="INCOMPLETE") == []
    assert found(clause=clause) == [broken]
    assert found(clause=clause, verdict="CLEAN") == []
    assert found(clause="X-NONE-1") == []
    assert found(status="FINISHED") == [other, broken, sound]
    assert len(found(status="OPEN")) == 3
    assert len(found(ruleset="xiamen")) == 6
    assert found(ruleset="nowhere") == []
    player = games[0][0]["seats"][0]["player"]
    assert sound in found(player=player)
    assert found(player="nobody") == []
    assert found(player=player, verdict="CLEAN", ruleset="xiamen", status="FINISHED") == [
        id_of(one) for one in (games[2], games[0]) if player in [seat["player"] for seat in one[0]["seats"]]
    ]


def _clause(store: Store, name: str) -> str:
    kept = store.audit(name)
    assert kept is not None
    return str(kept.report["findings"][0]["clause"])


def test_findings_by_page(store: Store) -> None:
    broken = [with_violation(game(index))[0] for index in (0, 2, 3, 5) if _has_payers(index)]
    list(ingest(store, read(io.BytesIO(lines(*broken)), source="log"), "log"))
    client = Client(app_for(store, AUDITOR))
    query = """query($after: String) { findings(first: 1, after: $after) { ... on FoundFindingConnection {
      edges { node { game } } pageInfo { hasNextPage endCursor } } } }"""
    found, after = [], None
    while True:
        page = client.ask(query, after=after)["findings"]
        found += [edge["node"]["game"] for edge in page["edges"]]
        after = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert len(broken) > 1
    assert found == sorted(map(id_of, broken))


def _has_payers(index: int) -> bool:
    return any(sum(delta < 0 for delta in one["deltas"]) > 1 for one in game(index) if one["type"] == "settled")


@pytest.mark.parametrize("first", [0, -1, 101, 2**31 - 1])
def test_first_out_of_range(ask: Ask, first: int) -> None:
    found = ask(GAMES, first=first)["games"]
    assert (found["__typename"], found["code"]) == ("BadArgument", "BAD_ARGUMENT")
    assert "1 to 100" in found["message"]


@pytest.mark.parametrize(
    ("paging", "argument"), [("first: null", "first"), ("first: 1, last: 1", "last"), ("last: 0", "last")]
)
def test_first_or_last_is_required(ask: Ask, paging: str, argument: str) -> None:
    found = ask(f"{{ games({paging}) {{ ... on BadArgument {{ argument }} }} }}")["games"]
    assert found == {"argument": argument}


BOTH = """
query($game: String!, $first: Int, $last: Int, $after: String, $before: String) {
  events(game: $game, first: $first, last: $last, after: $after, before: $before) { ... on EventConnection {
    edges { cursor node { seq } } pageInfo { hasNextPage hasPreviousPage } } } }
"""


def test_both_directions_and_both_bounds(ask: Ask, games: list[list[Document]]) -> None:
    """Relay: the edges between the bounds, and of them the first or the last ones, in the list's own order."""
    name, end = id_of(games[0]), len(games[0])

    def page(**paging: Any) -> tuple[list[int], bool, bool]:
        found = ask(BOTH, game=name, **paging)["events"]
        info = found["pageInfo"]
        return [edge["node"]["seq"] for edge in found["edges"]], info["hasPreviousPage"], info["hasNextPage"]

    every = ask(BOTH, game=name, first=100)["events"]["edges"]
    cursor = {edge["node"]["seq"]: edge["cursor"] for edge in every}
    assert page(first=3) == ([0, 1, 2], False, True)
    assert page(last=3) == ([end - 3, end - 2, end - 1], True, False)
    assert page(first=3, before=cursor[10]) == ([0, 1, 2], False, True)
    assert page(first=3, before=cursor[2]) == ([0, 1], False, False)
    assert page(last=3, before=cursor[10]) == ([7, 8, 9], True, True)
    assert page(last=3, before=cursor[2]) == ([0, 1], False, True)
    assert page(last=2, after=cursor[5]) == ([end - 2, end - 1], True, False)
    assert page(first=9, after=cursor[5], before=cursor[9]) == ([6, 7, 8], True, False)
    assert page(last=2, after=cursor[5], before=cursor[9]) == ([7, 8], True, True)
    assert page(first=2, after=cursor[9], before=cursor[5]) == ([], True, False)


def test_games_backwards_are_the_same_games(own_library: Store, own_ask: Ask) -> None:
    opened(own_library, 23)
    query = """query($last: Int, $before: String) { games(last: $last, before: $before) { ... on GameConnection {
      edges { node { game } } pageInfo { hasPreviousPage startCursor } } } }"""
    found: list[str] = []
    before = None
    while True:
        page = own_ask(query, last=5, before=before)["games"]
        found = [edge["node"]["game"] for edge in page["edges"]] + found
        before = page["pageInfo"]["startCursor"]
        if not page["pageInfo"]["hasPreviousPage"]:
            break
    assert found == [name for part in walk(own_ask, 100) for name in part]


EVENTS = """query($game: String!, $after: String) { events(game: $game, first: 2, after: $after) {
  __typename ... on EventConnection { edges { cursor } } ... on Problem { code message } } }"""


def test_a_cursor_of_another_connection(ask: Ask, games: list[list[Document]]) -> None:
    of_events = ask(EVENTS, game=id_of(games[0]))["events"]["edges"][0]["cursor"]
    of_games = ask(GAMES, first=1)["games"]["edges"][0]["cursor"]
    refused = [
        (ask(GAMES, first=1, after=of_events)["games"], "another connection"),
        (ask(EVENTS, game=id_of(games[0]), after=of_games)["events"], "another connection"),
        (ask(EVENTS, game=id_of(games[1]), after=of_events)["events"], "other arguments"),
        (ask(GAMES, first=1, after=of_games, filter={"verdict": "CLEAN"})["games"], "other arguments"),
    ]
    for found, words in refused:
        assert (found["__typename"], found["code"]) == ("BadCursor", "BAD_CURSOR")
        assert words in found["message"]


def forged(*parts: object) -> str:
    return urlsafe_b64encode(json.dumps(parts).encode()).decode()


@pytest.mark.parametrize(
    "place", [(), (1,), ("x", "y"), ("2026-01-01", "g"), ("2026-01-01T00:00:00+00:00", "g\0"), (None, None), (1, 2, 3)]
)
def test_a_forged_place(ask: Ask, place: tuple[object, ...]) -> None:
    _, mark, *_ = _parts(ask(GAMES, first=1)["games"]["edges"][0]["cursor"])
    assert ask(GAMES, first=1, after=forged("games", mark, *place))["games"]["code"] == "BAD_CURSOR"


@pytest.mark.parametrize("place", [("1",), (-1,), (2**31,), (1.5,), (True,), (1, 2)])
def test_a_forged_seq(ask: Ask, games: list[list[Document]], place: tuple[object, ...]) -> None:
    name = id_of(games[0])
    _, mark, *_ = _parts(ask(EVENTS, game=name)["events"]["edges"][0]["cursor"])
    assert ask(EVENTS, game=name, after=forged("events", mark, *place))["events"]["code"] == "BAD_CURSOR"


@pytest.mark.parametrize("after", ["", "x", "é", "====", "bnVsbA", "W10", "WzFd", "A" * 5000, "[" * 900])
def test_what_is_no_cursor(ask: Ask, after: str) -> None:
    assert ask(GAMES, first=1, after=after)["games"]["code"] == "BAD_CURSOR"


def _parts(cursor: str) -> list[Any]:
    parts: list[Any] = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    return parts
