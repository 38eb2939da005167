"""Player pages: what the reports say of a player, over the games that the viewer may see and no others."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from schema.paipu import read
from schema.ports import PUBLIC, Role, Viewer
from service.embedded import Server
from service.store import Store
from service.store.owners import publish
from service.usecases.ingest import ingest
from tests.api.clients import AUDITOR, SERVER, Client, app_for
from tests.databases import cloned
from tests.usecases.games import NAMES, Document, game, id_of, lines, with_violation

PLAYER = """
query($id: String!) { player(id: $id) {
  __typename
  ... on Player {
    id player names
    record { games hands wins { win count } findings { clause count } points { ruleset points } cases }
    games(first: 100) { ... on GameConnection { edges { node { game } } } }
  }
  ... on Problem { code message }
} }
"""
PLAYERS = """
query($id: String, $name: String, $first: Int, $after: String, $last: Int, $before: String) {
  players(idPrefix: $id, namePrefix: $name, first: $first, after: $after, last: $last, before: $before) {
    __typename
    ... on PlayerConnection {
      edges { cursor node { player names } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
    ... on Problem { code message }
} }
"""


def seated(documents: list[Document], *players: str) -> list[Document]:
    """The game with others at its seats."""
    seats = [{"player": player, "name": name} for player, name in zip(players, NAMES, strict=True)]
    return [{**documents[0], "seats": seats}, *documents[1:]]


#: ann sits in all of them at another seat each time, bob in two, cat in one; cat's is public.
GAMES = (
    seated(game(0, hands=3), "ann", "bob", "dan", "eve"),
    seated(with_violation(game(1))[0], "bob", "ann", "dan", "eve"),
    seated(game(2, hands=2), "cat", "dan", "ann", "eve"),
    seated(game(3), "ann", "fay", "ann-2", "eve"),
)
PLAYED = {"ann": (0, 1, 2, 3), "bob": (0, 1), "cat": (2,), "dan": (0, 1, 2), "eve": (0, 1, 2, 3), "fay": (3,)}


def person(player: str, *roles: Role) -> Viewer:
    return Viewer(f"person-{player}", frozenset(roles or {Role.PLAYER}), player, "key")


ANALYST = Viewer("analyst-1", frozenset({Role.ANALYST}), None, "key")


@pytest.fixture(scope="module")
def kept(postgres: Server, migrated_template: str) -> Iterator[Store]:
    with (
        cloned(postgres, migrated_template) as made,
        Store.connect(made.application_url, unsafe_allowed=True) as store,
    ):
        list(ingest(store, read(io.BytesIO(lines(*GAMES)), source="log"), "log"))
        publish(store, id_of(GAMES[2]), "admin-1")
        _accuse(store, GAMES[1], 1, 1, 2)
        _accuse(store, GAMES[2], 1)
        yield store


def _accuse(store: Store, documents: list[Document], *seats: int) -> None:
    """Puts findings at seats into the stored report of a game."""
    report = store.audit(id_of(documents)).report  # type: ignore[union-attr]
    clauses = ("X-FOLLOW-1", "X-LOCK-1", "X-FOLLOW-1")
    common = {"seq": 1, "hand": 1, "code": "c", "severity": "violation", "expected": {}, "recorded": {}}
    found = [{**common, "seat": seat, "clause": clause} for seat, clause in zip(seats, clauses, strict=False)]
    store.save_audit({**report, "findings": [*report["findings"], *found]}, len(documents) - 1)


def page_of(store: Store, viewer: Viewer, player: str) -> dict[str, Any]:
    found: dict[str, Any] = Client(app_for(store, viewer)).ask(PLAYER, id=player)["player"]
    return found


def expected(store: Store, player: str, indices: tuple[int, ...]) -> dict[str, Any]:
    """What the reports of these games say of a player, counted without the database."""
    wins: Counter[str] = Counter()
    findings: Counter[str] = Counter()
    points: Counter[str] = Counter()
    hands = 0
    for index in indices:
        start, kept = GAMES[index][0], store.audit(id_of(GAMES[index]))
        assert kept is not None
        seat = [one["player"] for one in start["seats"]].index(player)
        hands += len(kept.report["hands"])
        wins.update(hand["win"] for hand in kept.report["hands"] if hand["winner"] == seat)
        findings.update(one["clause"] for one in kept.report["findings"] if one["seat"] == seat)
        points[start["ruleset"]["id"]] += sum(hand["deltas"][seat] for hand in kept.report["hands"])
    return {
        "games": len(indices),
        "hands": hands,
        "wins": [{"win": win, "count": count} for win, count in sorted(wins.items())],
        "findings": [{"clause": clause, "count": count} for clause, count in sorted(findings.items())],
        "points": [{"ruleset": ruleset, "points": total} for ruleset, total in sorted(points.items())],
    }


def record_of(page: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in page["record"].items() if name != "cases"}


@pytest.mark.parametrize("player", PLAYED)
def test_staff_see_everything_of_everybody(kept: Store, player: str) -> None:
    page = page_of(kept, AUDITOR, player)
    assert record_of(page) == expected(kept, player, PLAYED[player])
    assert page["record"]["cases"] == 0
    names = [edge["node"]["game"] for edge in page["games"]["edges"]]
    assert names == [id_of(GAMES[index]) for index in reversed(PLAYED[player])]


def test_the_findings_of_the_own_seat_are_there(kept: Store) -> None:
    """Else nothing above would be about findings."""
    assert any(page_of(kept, AUDITOR, player)["record"]["findings"] for player in PLAYED)


def test_a_player_sees_the_own_page_whole(kept: Store) -> None:
    page = page_of(kept, person("bob"), "bob")
    assert record_of(page) == expected(kept, "bob", (0, 1))
    assert page["record"]["cases"] is None
    assert page["names"] == [NAMES[0], NAMES[1]]


def test_a_player_sees_of_others_the_games_that_they_shared_and_public_ones(kept: Store) -> None:
    page = page_of(kept, person("bob"), "ann")
    assert record_of(page) == expected(kept, "ann", (0, 1, 2))
    assert page["names"] == [NAMES[1], NAMES[0]], "names only of games in which the viewer sat"
    assert page_of(kept, person("fay"), "ann")["record"]["games"] == 2


@pytest.mark.parametrize("viewer", [PUBLIC, SERVER, person("bob"), person("nobody")])
def test_who_sat_in_no_game_that_the_viewer_may_see_is_not_there(kept: Store, viewer: Viewer) -> None:
    hidden, unknown = page_of(kept, viewer, "fay"), page_of(kept, viewer, "gil")
    assert hidden["__typename"] == unknown["__typename"] == "PlayerNotFound"
    assert hidden["message"] == unknown["message"].replace("gil", "fay")
    assert found(kept, viewer, id="fay") == found(kept, viewer, id="gil") == []


def test_the_public_sees_public_games_without_names(kept: Store) -> None:
    page = page_of(kept, PUBLIC, "ann")
    assert record_of(page) == expected(kept, "ann", (2,))
    assert page["names"] == []
    assert found(kept, PUBLIC) == ["ann", "cat", "dan", "eve"]


def test_analysts_see_no_names(kept: Store) -> None:
    page = page_of(kept, ANALYST, "ann")
    assert (page["names"], page["record"]["cases"]) == ([], None)
    assert record_of(page) == expected(kept, "ann", PLAYED["ann"])
    body = Client(app_for(kept, ANALYST)).query(PLAYERS, first=1, name="d")
    assert body["errors"][0]["extensions"]["code"] == "FORBIDDEN"


def test_an_erased_name_is_gone(store: Store) -> None:
    list(ingest(store, read(io.BytesIO(lines(GAMES[0])), source="log"), "log"))
    assert page_of(store, AUDITOR, "ann")["names"] == [NAMES[0]]
    assert found(store, AUDITOR, name=NAMES[0]) == ["ann"]
    store.erase_names("ann")
    assert page_of(store, AUDITOR, "ann")["names"] == []
    assert found(store, AUDITOR, name=NAMES[0]) == []


def found(store: Store, viewer: Viewer, **arguments: Any) -> list[str]:
    page = Client(app_for(store, viewer)).ask(PLAYERS, **{"first": 100, **arguments})["players"]
    assert page["__typename"] == "PlayerConnection", page
    return [edge["node"]["player"] for edge in page["edges"]]


def test_players_are_found_by_the_beginning_of_id_and_name(kept: Store) -> None:
    everybody = sorted([*PLAYED, "ann-2"])
    assert found(kept, AUDITOR) == everybody
    assert found(kept, AUDITOR, id="ann") == ["ann", "ann-2"]
    assert found(kept, AUDITOR, id="an%") == found(kept, AUDITOR, id="a_n") == found(kept, AUDITOR, id="A") == []
    assert found(kept, AUDITOR, name="Zo") == ["ann", "bob", "dan", "fay"]
    assert found(kept, AUDITOR, name="Zo", id="f") == ["fay"]
    assert found(kept, AUDITOR, name="%") == found(kept, AUDITOR, id="a\0") == []
    assert found(kept, person("bob")) == ["ann", "bob", "cat", "dan", "eve"]


def test_node_finds_players_for_those_who_may_see_them(kept: Store) -> None:
    query = "query($id: ID!) { node(id: $id) { id ... on Player { player } } }"
    node = page_of(kept, AUDITOR, "fay")["id"]
    assert Client(app_for(kept, AUDITOR)).ask(query, id=node)["node"] == {"id": node, "player": "fay"}
    assert Client(app_for(kept, person("bob"))).ask(query, id=node)["node"] is None


def test_somebody_at_two_seats_of_a_table(store: Store) -> None:
    documents = seated(game(0, hands=3), "bot", "bot", "bot", "ann")
    list(ingest(store, read(io.BytesIO(lines(documents)), source="log"), "log"))
    report = store.audit(id_of(documents)).report  # type: ignore[union-attr]
    record = page_of(store, AUDITOR, "bot")["record"]
    assert (record["games"], record["hands"]) == (1, 3)
    assert record["points"] == [{"ruleset": "xiamen", "points": -sum(hand["deltas"][3] for hand in report["hands"])}]
    assert sum(one["count"] for one in record["wins"]) == sum(hand["winner"] in (0, 1, 2) for hand in report["hands"])
