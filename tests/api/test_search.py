"""Searching games and hands: every filter against the reports themselves, what is searched by, and how that runs."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest

from replays import ENGINE
from schema.paipu import read
from schema.ports import GameFilter, HandFilter, Role, Viewer, Window
from service.embedded import Server
from service.store import Store
from service.store.listing import game_rows, hand_rows
from service.store.owners import publish
from service.store.reach import reach
from service.usecases.append import Intake
from service.usecases.audits import audit_stored
from service.usecases.folds import Folds
from service.usecases.ingest import ingest
from tests.api.clients import AUDITOR, Client, app_for
from tests.api.statements import listening
from tests.databases import Database, cloned
from tests.disputes.people import ALICE, ANALYST, CLERK_2, GAME, Table, filled
from tests.usecases.games import Document, game, id_of, lines, with_violation

Report = dict[str, Any]
Listed = tuple[Document, Report]

GAMES = (
    game(0, hands=3),
    with_violation(game(1))[0],
    game(2, hands=2),
    with_violation(game(3))[0],
    game(4),
    game(5, hands=4),
)
PLAYER = Viewer("person-1", frozenset({Role.PLAYER}), GAMES[2][0]["seats"][1]["player"], "key-3")
PUBLIC_PAGE = "games(first: 100, filter: $filter) { __typename ... on GameConnection { edges { node { game } } } }"
LIST = f"query($filter: GamesFilter) {{ {PUBLIC_PAGE} }}"
HANDS = """
query($filter: HandsFilter, $first: Int, $after: String, $last: Int, $before: String) {
  hands(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    __typename
    ... on HandConnection {
      edges { cursor node { id game number winner win factor deltas stateHash engineVersion rulesetDigest } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
    ... on Problem { code message }
} }
"""


@pytest.fixture(scope="module")
def searched(postgres: Server, migrated_template: str) -> Iterator[tuple[Database, Store]]:
    """Six games that ended, one of them public, and one that goes on in its second hand."""
    with (
        cloned(postgres, migrated_template) as made,
        Store.connect(made.application_url, unsafe_allowed=True) as store,
    ):
        list(ingest(store, read(io.BytesIO(lines(*GAMES)), source="log"), "log"))
        publish(store, id_of(GAMES[4]), "admin-1")
        going = game(6, hands=3)
        upto = next(one["seq"] for one in going if one.get("hand") == 2 and one["type"] == "dealt")
        intake = Intake(store, Folds(store))
        intake.open_game(going[0], None, "server-1")
        intake.append(id_of(going), 1, None, going[1 : upto + 1])
        audit_stored(store, id_of(going))
        yield made, store


@pytest.fixture(scope="module")
def known(searched: tuple[Database, Store]) -> dict[str, Listed]:
    """Start and newest report of every game that has one, the newest game first."""
    found: dict[str, Listed] = {}
    for one in reversed([*GAMES, game(6, hands=3)]):
        kept = searched[1].audit(id_of(one))
        found[id_of(one)] = (one[0], {} if kept is None else dict(kept.report))
    return found


def search(store: Store, viewer: Viewer = AUDITOR, **filter: Any) -> list[str]:
    page = Client(app_for(store, viewer)).ask(LIST, filter=filter)["games"]
    assert page["__typename"] == "GameConnection", page
    return [edge["node"]["game"] for edge in page["edges"]]


def swing(report: Report) -> int:
    return max((abs(delta) for hand in report.get("hands", ()) for delta in hand["deltas"]), default=0)


def total_swing(report: Report) -> int:
    hands = [hand["deltas"] for hand in report.get("hands", ())]
    return max((abs(sum(column)) for column in zip(*hands, strict=True)), default=0)


def has_finding(report: Report, **members: str) -> bool:
    return any(all(one[name] == word for name, word in members.items()) for one in report.get("findings", ()))


#: What each filter asks of a game's start and report.
TESTS: dict[str, Callable[[Document, Report, Any], bool]] = {
    "ruleset": lambda start, report, word: start["ruleset"]["id"] == word,
    "verdict": lambda start, report, word: report.get("verdict") == word.lower(),
    "player": lambda start, report, word: word in [seat["player"] for seat in start["seats"]],
    "clause": lambda start, report, word: has_finding(report, clause=word),
    "severity": lambda start, report, word: has_finding(report, severity=word.lower()),
    "win": lambda start, report, word: word in [hand["win"] for hand in report.get("hands", ())],
    "minSwing": lambda start, report, least: swing(report) >= least,
    "minTotalSwing": lambda start, report, least: total_swing(report) >= least,
    "startedFrom": lambda start, report, moment: start["at"] >= moment,
    "startedUntil": lambda start, report, moment: start["at"] < moment,
}


def values_of(known: dict[str, Listed]) -> dict[str, list[Any]]:
    """For each filter values that some games have, and one that none has."""
    starts, reports = zip(*known.values(), strict=True)
    times = sorted(start["at"] for start in starts)
    return {
        "ruleset": ["xiamen", "longyan"],
        "verdict": ["CLEAN", "VIOLATIONS", "INCOMPLETE", "UNREADABLE"],
        "player": [*(start["seats"][1]["player"] for start in starts), "nobody"],
        "clause": [*sorted({one["clause"] for report in reports for one in report.get("findings", ())}), "X-NONE-1"],
        "severity": ["VIOLATION", "WARNING"],
        "win": [*sorted({hand["win"] for report in reports for hand in report.get("hands", ()) if hand["win"]}), "no"],
        "minSwing": [0, *sorted(map(swing, reports)), 10**9],
        "minTotalSwing": [0, *sorted(map(total_swing, reports)), 10**9],
        "startedFrom": times,
        "startedUntil": times,
    }


def test_every_filter_finds_what_the_reports_say(searched: tuple[Database, Store], known: dict[str, Listed]) -> None:
    some: set[str] = set()
    for name, values in values_of(known).items():
        for value in values:
            expected = [game for game, (start, report) in known.items() if TESTS[name](start, report, value)]
            assert search(searched[1], **{name: value}) == expected, (name, value)
            if 0 < len(expected) < len(known):
                some.add(name)
    assert some >= {"verdict", "player", "clause", "severity", "win", "minSwing", "minTotalSwing"}


@pytest.mark.parametrize("seed", range(5))
def test_filters_together_ask_for_all_of_it(
    searched: tuple[Database, Store], known: dict[str, Listed], seed: int
) -> None:
    chance, values = random.Random(seed), values_of(known)
    for _ in range(12):
        chosen = {name: chance.choice(values[name]) for name in chance.sample(sorted(values), chance.randint(2, 4))}
        expected = [
            game
            for game, (start, report) in known.items()
            if all(TESTS[name](start, report, value) for name, value in chosen.items())
            and ({"clause", "severity"} - set(chosen) or _both(report, chosen))
        ]
        assert search(searched[1], **chosen) == expected, (seed, chosen)


def _both(report: Report, chosen: dict[str, Any]) -> bool:
    return has_finding(report, clause=chosen["clause"], severity=chosen["severity"].lower())


def test_times_of_opening_and_what_is_public(searched: tuple[Database, Store], known: dict[str, Listed]) -> None:
    store = searched[1]
    opened = {game: store.game(game).opened_at for game in known}
    for moment in opened.values():
        text = moment.astimezone(UTC).isoformat()
        assert search(store, openedFrom=text) == [game for game, at in opened.items() if at >= moment]
        assert search(store, openedUntil=text) == [game for game, at in opened.items() if at < moment]
    assert search(store, public=True) == [id_of(GAMES[4])]
    assert search(store, public=False) == [game for game in known if game != id_of(GAMES[4])]
    assert search(store, status="OPEN") == [id_of(game(6, hands=3))]


@pytest.mark.parametrize("text", ["", "yesterday", "2026-03-01", "2026-03-01T12:00:00", "9999-12-31T23:59:59-23:00"])
@pytest.mark.parametrize("argument", ["openedFrom", "openedUntil", "startedFrom", "startedUntil"])
def test_what_is_no_time(searched: tuple[Database, Store], text: str, argument: str) -> None:
    query = "query($filter: GamesFilter) { games(first: 1, filter: $filter) { ... on BadArgument { code argument } } }"
    found = Client(app_for(searched[1], AUDITOR)).ask(query, filter={argument: text})["games"]
    assert found == {"code": "BAD_ARGUMENT", "argument": argument}


def test_a_moment_between_two_that_the_log_can_write(
    searched: tuple[Database, Store], known: dict[str, Listed]
) -> None:
    """The log writes milliseconds: from a moment within one on means from the next one on."""
    at = known[id_of(GAMES[0])][0]["at"]
    within = at.replace("Z", "5Z")
    assert id_of(GAMES[0]) in search(searched[1], startedFrom=at)
    assert id_of(GAMES[0]) not in search(searched[1], startedFrom=within)
    assert id_of(GAMES[0]) in search(searched[1], startedUntil=within)
    assert id_of(GAMES[0]) not in search(searched[1], startedUntil=at)


def test_words_that_no_database_can_hold(searched: tuple[Database, Store]) -> None:
    for name in ("ruleset", "player", "clause", "win"):
        assert search(searched[1], **{name: "a\0b"}) == []
        assert search(searched[1], **{name: "a\U0001f004"}) == []


# -- Who sees what -----------------------------------------------------------------------------------------------------


def test_a_search_finds_only_what_the_viewer_may_see(
    searched: tuple[Database, Store], known: dict[str, Listed]
) -> None:
    store = searched[1]
    public = Viewer()
    own = [game for game, (start, _) in known.items() if PLAYER.player in [seat["player"] for seat in start["seats"]]]
    visible = [game for game in known if game in {*own, id_of(GAMES[4])}]
    assert 0 < len(visible) < len(known)
    for name, values in values_of(known).items():
        for value in values:
            everything = search(store, **{name: value})
            assert search(store, PLAYER, **{name: value}) == [game for game in everything if game in visible]
            assert search(store, public, **{name: value}) == [game for game in everything if game == id_of(GAMES[4])]


def test_the_hand_under_way_is_in_no_search(searched: tuple[Database, Store], known: dict[str, Listed]) -> None:
    going = id_of(game(6, hands=3))
    found = hands(searched[1], filter={"game": going})
    assert [node["number"] for node in found] == [1]
    assert known[going][1]["verdict"] == "incomplete"


def test_the_state_of_a_dispute(store: Store) -> None:
    table = Table(filled(store))
    case = table.opened()
    assert search(store, dispute="OPEN") == [GAME]
    assert search(store, dispute="IN_REVIEW") == []
    table.assigned(case)
    assert search(store, dispute="IN_REVIEW", verdict="VIOLATIONS") == [GAME]
    assert search(store, dispute="OPEN") == search(store, dispute="IN_REVIEW", verdict="CLEAN") == []


def test_the_player_of_a_case_does_not_learn_that_a_verdict_waits(store: Store) -> None:
    """Not even with a key of the staff: to that person the case is in review until it is decided."""
    table = Table(filled(store))
    table.proposed(table.opened(ALICE))
    own = CLERK_2._replace(player=ALICE.player)
    assert search(store, CLERK_2, dispute="PENDING_APPROVAL") == search(store, own, dispute="IN_REVIEW") == [GAME]
    assert search(store, CLERK_2, dispute="IN_REVIEW") == search(store, own, dispute="PENDING_APPROVAL") == []


@pytest.mark.parametrize(
    ("viewer", "code"), [(Viewer(), "UNAUTHENTICATED"), (PLAYER, "FORBIDDEN"), (ANALYST, "FORBIDDEN")]
)
def test_disputes_are_searched_by_those_who_work_on_them(store: Store, viewer: Viewer, code: str) -> None:
    body = Client(app_for(store, viewer)).query(LIST, filter={"dispute": "OPEN"})
    assert body["errors"][0]["extensions"]["code"] == code


# -- Hands -------------------------------------------------------------------------------------------------------------


def hands(store: Store, viewer: Viewer = AUDITOR, **arguments: Any) -> list[dict[str, Any]]:
    page = Client(app_for(store, viewer)).ask(HANDS, **{"first": 100, **arguments})["hands"]
    assert page["__typename"] == "HandConnection", page
    return [edge["node"] for edge in page["edges"]]


def listed(known: dict[str, Listed]) -> list[tuple[str, Document, dict[str, Any]]]:
    """Game, start and hand of every finished hand, in the list's order."""
    return [
        (game, start, hand)
        for game, (start, report) in known.items()
        for hand in sorted(report.get("hands", ()), key=lambda hand: -hand["hand"])
    ]


def winner_of(start: Document, hand: dict[str, Any]) -> str | None:
    return None if hand["winner"] is None else start["seats"][hand["winner"]]["player"]


HAND_TESTS: dict[str, Callable[[str, Document, dict[str, Any], Any], bool]] = {
    "game": lambda game, start, hand, word: game == word,
    "ruleset": lambda game, start, hand, word: start["ruleset"]["id"] == word,
    "winner": lambda game, start, hand, word: winner_of(start, hand) == word,
    "win": lambda game, start, hand, word: hand["win"] == word,
    "minFactor": lambda game, start, hand, least: hand["factor"] >= least,
    "minSwing": lambda game, start, hand, least: max(map(abs, hand["deltas"])) >= least,
}


def test_hands_are_those_of_the_reports(searched: tuple[Database, Store], known: dict[str, Listed]) -> None:
    every = listed(known)
    assert len(every) > 8
    found = hands(searched[1])
    assert [(node["game"], node["number"]) for node in found] == [(game, hand["hand"]) for game, _, hand in every]
    for node, (name, _, hand) in zip(found, every, strict=True):
        assert (node["winner"], node["win"], node["factor"]) == (hand["winner"], hand["win"], hand["factor"])
        assert (node["deltas"], node["stateHash"]) == (hand["deltas"], hand["state_hash"])
        assert (node["engineVersion"], node["rulesetDigest"]) == (ENGINE, known[name][1]["ruleset_digest"])


def test_every_filter_of_hands(searched: tuple[Database, Store], known: dict[str, Listed]) -> None:
    every = listed(known)
    values: dict[str, list[Any]] = {
        "game": [*known, "nobody"],
        "ruleset": ["xiamen", "longyan"],
        "winner": [*{winner_of(start, hand) for _, start, hand in every} - {None}, "nobody"],
        "win": [*{hand["win"] for _, _, hand in every} - {None}, "nothing"],
        "minFactor": [*sorted({hand["factor"] for _, _, hand in every}), 10**9],
        "minSwing": [*sorted({max(map(abs, hand["deltas"])) for _, _, hand in every}), 10**9],
    }
    for name, words in values.items():
        for word in words:
            expected = [(one[0], one[2]["hand"]) for one in every if HAND_TESTS[name](*one, word)]
            found = hands(searched[1], filter={name: word})
            assert [(node["game"], node["number"]) for node in found] == expected, (name, word)


def test_hands_of_games_that_the_viewer_may_see(searched: tuple[Database, Store], known: dict[str, Listed]) -> None:
    mine = {game for game, (start, _) in known.items() if PLAYER.player in [seat["player"] for seat in start["seats"]]}
    found = {node["game"] for node in hands(searched[1], PLAYER)}
    assert found == mine | {id_of(GAMES[4])}
    assert {node["game"] for node in hands(searched[1], Viewer())} == {id_of(GAMES[4])}
    hidden = next(game for game in known if game not in found)
    assert hands(searched[1], PLAYER, filter={"game": hidden}) == hands(searched[1], PLAYER, filter={"game": "none"})


def test_staff_readings_of_hands_are_on_record(searched: tuple[Database, Store]) -> None:
    made, store = searched
    assert hands(store, AUDITOR._replace(principal="auditor-of-hands"), filter={"game": id_of(GAMES[0])})
    assert hands(store, PLAYER)
    with psycopg.connect(made.owner_url) as owner:
        rows = owner.execute(
            "SELECT principal, game, first_seq, last_seq FROM mingpai.hidden_reads"
            " WHERE what = 'hands' AND principal IN ('auditor-of-hands', 'person-1')"
        ).fetchall()
    assert rows == [("auditor-of-hands", id_of(GAMES[0]), 0, len(GAMES[0]) - 1)]


# -- What is searched by -----------------------------------------------------------------------------------------------

_KEPT = (
    "SELECT to_jsonb(s) FROM mingpai.search_games s ORDER BY s.game",
    "SELECT to_jsonb(s) FROM mingpai.search_hands s ORDER BY s.game, s.hand",
    "SELECT to_jsonb(s) FROM mingpai.search_players s ORDER BY s.player, s.game",
)


def kept(url: str) -> list[Any]:
    with psycopg.connect(url) as connection:
        return [connection.execute(statement).fetchall() for statement in _KEPT]


def test_made_anew_it_is_the_same(searched: tuple[Database, Store]) -> None:
    made, store = searched
    before = kept(made.owner_url)
    assert all(before)
    with store.driver() as driver:
        driver.execute("SELECT mingpai.rebuild_search()")
    assert kept(made.owner_url) == before


def test_nobody_but_the_triggers_writes_it(searched: tuple[Database, Store]) -> None:
    with psycopg.connect(searched[0].application_url, autocommit=True) as application:
        for table in ("search_games", "search_hands", "search_players"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                application.execute(f"DELETE FROM mingpai.{table}")


def test_an_audit_of_another_engine_counts_once_it_is_the_newest(store: Store, database: Database) -> None:
    list(ingest(store, read(io.BytesIO(lines(game(0))), source="log"), "log"))
    name, report = id_of(game(0)), dict(store.audit(id_of(game(0))).report)  # type: ignore[union-attr]
    finding = {"seq": 3, "hand": 1, "seat": 0, "clause": "X-PAY-1", "code": "c", "severity": "warning"}
    other = {**report, "engine": "0.9", "verdict": "violations", "hands": [], "findings": [{**finding, "expected": {}}]}
    store.save_audit(other, len(game(0)) - 1)
    assert search(store, verdict="VIOLATIONS") == search(store, clause="X-PAY-1", severity="WARNING") == [name]
    assert search(store, clause="X-PAY-1", severity="VIOLATION") == hands(store) == []
    store.save_audit(report, len(game(0)) - 1)
    assert search(store, verdict="CLEAN") == [name]
    assert search(store, clause="X-PAY-1") == []
    assert len(hands(store)) == 1


# -- How it runs -------------------------------------------------------------------------------------------------------

_MANY = 20_000
_FILL = f"""
INSERT INTO mingpai.games
  SELECT 'g' || n, CASE n % 3 WHEN 0 THEN 'longyan' ELSE 'xiamen' END, '1', '{{}}', decode(repeat('00', 32), 'hex'),
    ARRAY['p' || n % 997, 'p' || n % 1009, 'q' || n % 1013, 'q' || n % 1019], '2026-03-01T12:00:00.000Z',
    timestamptz '2026-01-01' + n * interval '1 minute' FROM generate_series(1, {_MANY}) n;
INSERT INTO mingpai.game_heads
  SELECT game, 1, decode(repeat('00', 32), 'hex'), CASE WHEN hashtext(game) % 50 = 0 THEN 'open' ELSE 'finished' END,
    opened_at, NULL, NULL FROM mingpai.games;
INSERT INTO mingpai.events
  SELECT game, 0, opened_at, '{{}}', decode(repeat('00', 32), 'hex'), decode(repeat('00', 16), 'hex'), '\\x00'
  FROM mingpai.games;
INSERT INTO mingpai.audits
  SELECT game, '1', 0, CASE WHEN abs(hashtext(game)) % 40 = 0 THEN 'violations' ELSE 'clean' END, json_build_object(
    'hands', json_build_array(json_build_object('hand', 1, 'winner', 1, 'factor', 1,
      'win', CASE WHEN abs(hashtext(game)) % 200 = 0 THEN 'triple_you' ELSE 'self_draw' END,
      'deltas', json_build_array(abs(hashtext(game)) % 1000, -(abs(hashtext(game)) % 1000), 0, 0))),
    'findings', CASE WHEN abs(hashtext(game)) % 400 = 0
      THEN json_build_array(json_build_object('clause', 'X-PAY-1', 'severity', 'violation')) ELSE '[]' END)
  FROM mingpai.games;
INSERT INTO mingpai.game_owners SELECT game, 'server-' || CASE WHEN hashtext(game) % 100 = 3 THEN 2 ELSE 1 END
  FROM mingpai.games;
INSERT INTO mingpai.published_games SELECT game, 'admin' FROM mingpai.games WHERE abs(hashtext(game)) % 100 = 7;
ANALYZE
"""


@pytest.fixture(scope="module")
def many(postgres: Server, migrated_template: str) -> Iterator[Store]:
    """Twenty thousand games, which nothing but the search looks at."""
    with cloned(postgres, migrated_template) as made:
        with psycopg.connect(made.admin_url) as admin:
            for statement in _FILL.split(";"):
                admin.execute(statement)
        with Store.connect(made.application_url, unsafe_allowed=True) as store:
            yield store


def plans_of(store: Store, run: Callable[[], Any]) -> list[dict[str, Any]]:
    """The nodes of the plans of what ``run`` sends to the database, as they are really run."""
    with listening(store) as sent:
        run()
    assert sent
    nodes: list[dict[str, Any]] = []
    with store.driver() as driver:
        for statement in sent:
            row = driver.execute(f"EXPLAIN (ANALYZE, FORMAT json) {statement.text}", statement.values).fetchone()
            assert row is not None
            nodes += _nodes(row[0][0]["Plan"])
    return nodes


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from _nodes(part)


MOMENT = datetime(2026, 1, 9, tzinfo=UTC)
SEARCHES = [
    GameFilter(),
    GameFilter(player="p5"),
    GameFilter(ruleset="longyan"),
    GameFilter(verdict="violations"),
    GameFilter(clause="X-PAY-1"),
    GameFilter(clause="X-PAY-1", severity="violation"),
    GameFilter(clause="X-NONE-1"),
    GameFilter(win="triple_you"),
    GameFilter(min_swing=998),
    GameFilter(min_swing=10**6),
    GameFilter(opened_from=MOMENT, opened_until=MOMENT.replace(day=10)),
    GameFilter(player="p5", verdict="violations", win="self_draw"),
]
#: Tables that a search must not walk through.
BIG = {"events", "audits", "audit_hands", "findings", "search_hands"}


@pytest.mark.parametrize("wanted", SEARCHES, ids=str)
@pytest.mark.parametrize("is_backward", [False, True])
def test_a_page_of_twenty_thousand_games(many: Store, wanted: GameFilter, is_backward: bool) -> None:
    window: Window[tuple[str, str]] = Window(101, ("2026-01-10T00:00:00+00:00", "g"), None, is_backward)
    nodes = plans_of(many, lambda: game_rows(many, wanted, window, reach(AUDITOR)))
    walked = {node["Relation Name"] for node in nodes if node["Node Type"] == "Seq Scan"}
    assert not walked & BIG
    rows = sum(node["Actual Rows"] * node["Actual Loops"] for node in nodes if "Relation Name" in node)
    assert rows < _MANY, "a page reads less than all games"


@pytest.mark.parametrize(
    "wanted",
    [HandFilter(), HandFilter(win="triple_you"), HandFilter(winner="p5"), HandFilter(min_swing=999), HandFilter("g7")],
    ids=str,
)
def test_a_page_of_twenty_thousand_hands(many: Store, wanted: HandFilter) -> None:
    nodes = plans_of(many, lambda: hand_rows(many, wanted, Window(101), reach(AUDITOR)))
    assert not {node["Relation Name"] for node in nodes if node["Node Type"] == "Seq Scan"} & BIG
    assert any("Index" in node["Node Type"] for node in nodes)
