"""Search, and the pages of players: what they list is what the API has, and an address finds the same again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page

from replays.variants import REGISTRY
from schema.graphql.cases import CaseState
from schema.graphql.enums import GameStatus
from service.web.assets import words
from tests.access.keys import bearer
from tests.pages.site import EVENING, EVENING_LOG, PHONE, PLAYER, Site, Tab

#: What a name may hold, as it was given.
NAMES = ("<b>丙</b>", "<img src=x onerror=document.title=1>", "{count}|甲", "'\"&amp;")
NAMED = "names-of-all-kinds"

GAMES = """query($filter: GamesFilter) { games(first: 100, filter: $filter) { ... on GameConnection {
  edges { node { game } } } } }"""
RECORD = """query($id: String!) { player(id: $id) { ... on Player {
  record { games hands cases wins { win count } findings { clause count } points { ruleset points } } } } }"""


def games(site: Site, who: str | None, **wanted: Any) -> list[str]:
    """What the API finds, the newest first."""
    return [edge["node"]["game"] for edge in site.ask(who, GAMES, filter=wanted)["games"]["edges"]]


def listed(page: Page) -> list[str]:
    """What a page lists, all of it."""
    while page.locator(".foot button").count():
        page.locator(".foot button").click()
        page.wait_for_function("() => !document.querySelector('.foot [role=status]')")
    return page.locator(".results h3").all_inner_texts()


@pytest.fixture(scope="module")
def named(site: Site) -> Sequence[str]:
    """A game whose players have odd names, and their ids."""
    start, *others = EVENING_LOG.read_text(encoding="utf-8").splitlines()[:40]
    players = [f"named-{seat}" for seat in range(4)]
    seats = [{"player": player, "name": name} for player, name in zip(players, NAMES, strict=True)]
    lines = [json.dumps({**json.loads(start), "game": NAMED, "seats": seats}), *others]
    headers = {**bearer(site.keys["server"]), "content-type": "application/x-ndjson"}
    sent = {"content": "\n".join(lines).encode(), "headers": headers, "trust_env": False, "timeout": 60}
    httpx.post(f"{site.base}/ingest", **sent).raise_for_status()
    return players


#: By what stands in the address: what the API is asked for.
FILTERS: dict[str, dict[str, Any]] = {
    f"player={PLAYER}": {"player": PLAYER},
    "verdict=violations": {"verdict": "VIOLATIONS"},
    "clause=x-shape-1": {"clause": "X-SHAPE-1"},
    "ruleset=longyan": {"ruleset": "longyan"},
    "severity=warning": {"severity": "WARNING"},
    "win=self_draw": {"win": "self_draw"},
    "status=finished": {"status": "FINISHED"},
    "dispute=open": {"dispute": "OPEN"},
    "public=no": {"public": False},
    "swing=60": {"minSwing": 60},
    "from=2026-01-01T00:00Z": {"openedFrom": "2026-01-01T00:00Z"},
    "to=2026-01-01T00:00Z": {"openedUntil": "2026-01-01T00:00Z"},
}
#: Those that tell the site's games apart.
SHOWN = (f"player={PLAYER}", "verdict=violations", "clause=x-shape-1", "ruleset=longyan")


def test_every_filter_finds_what_the_api_finds(site: Site, tabs: Callable[..., Tab]) -> None:
    """What the pages send is what the address says; and a few of them as a reader sees them."""
    tab, found = tabs(who="clerk"), set()
    asked = """async (queries) => {
      const modules = document.querySelector("script[type=module]").src;
      const { filterOf, FIELDS } = await import(new URL("../search/fields.js", modules));
      const { asked } = await import(new URL("../search/form.js", modules));
      return queries.map((query) => filterOf(asked(Object.keys(FIELDS), query)));
    }"""
    assert tab.go("/").evaluate(asked, list(FILTERS)) == list(FILTERS.values())
    for wanted in FILTERS.values():
        games(site, "clerk", **wanted)  # which the API takes as it is
    for query in SHOWN:
        expected = games(site, "clerk", **FILTERS[query])
        assert listed(tab.go(f"/?{query}")) == expected, query
        found.add(tuple(expected))
    assert len(found) == len(SHOWN)


def test_the_form_writes_the_address_and_the_address_the_form(site: Site, tabs: Callable[..., Tab]) -> None:
    """The times of a field are the reader's own, those of an address nobody's."""
    page = tabs(who="clerk", timezone_id="Asia/Shanghai").go("/?lang=en")
    label = page.locator("#clauses option[value=X-SHAPE-1]").get_attribute("label")
    assert label == "X-SHAPE-1 A win is five sets and a pair"
    page.get_by_label("Clause broken").fill("X-SHAPE-1")
    page.get_by_label("Verdict").select_option("violations")
    page.get_by_text("More conditions").click()
    page.get_by_label("Taken in from").fill("2026-01-01T08:30")
    with page.expect_navigation():
        page.get_by_role("button", name="Search").press("Enter")
    page.wait_for_selector("html[data-ready]")
    address = page.url.removeprefix(site.base)
    assert address == "/?verdict=violations&clause=X-SHAPE-1&from=2026-01-01T00%3A30Z&lang=en"
    expected = games(site, "clerk", verdict="VIOLATIONS", clause="X-SHAPE-1")
    assert EVENING in expected
    assert listed(page) == expected

    other = tabs(who="auditor", timezone_id="America/New_York").go(address)
    assert listed(other) == expected
    assert other.get_by_label("Verdict").input_value() == "violations"
    assert other.get_by_label("Taken in from").input_value() == "2025-12-31T19:30"
    other.get_by_role("link", name="Clear").click()
    other.wait_for_function("() => location.search === '?lang=en'")


def test_a_game_leads_to_its_first_finding(tabs: Callable[..., Tab]) -> None:
    page = tabs(who="clerk").go("/?clause=X-SHAPE-1&lang=en")
    row = page.locator(".results > li", has=page.get_by_role("link", name=EVENING))
    assert row.get_by_role("link", name=EVENING).get_attribute("href") == f"/replay?game={EVENING}&step=42&lang=en"
    assert "X-SHAPE-1" in row.inner_text()
    assert "✗ violations" in row.inner_text()


def test_hands_and_findings(site: Site, tabs: Callable[..., Tab]) -> None:
    tab = tabs(who="clerk")
    query = """{ hands(first: 100, filter: {win: "self_draw", minSwing: 12}) { ... on HandConnection { edges {
      node { game number } } } } findings(first: 100, clause: "X-SHAPE-1") { ... on FoundFindingConnection { edges {
      node { game finding { seq message } } } } } }"""
    found = site.ask("clerk", query)
    hands = [f"{node['game']} · Hand {node['number']}" for node in _nodes(found["hands"])]
    assert listed(tab.go("/?view=hands&win=self_draw&swing=12")) == hands != []
    page = tab.go("/?view=findings&clause=X-SHAPE-1")
    places = [(node["game"], node["finding"]["seq"]) for node in _nodes(found["findings"])]
    assert listed(page) == [f"{game} · Step {seq}" for game, seq in places]
    assert (EVENING, 42) in places
    assert _nodes(found["findings"])[0]["finding"]["message"] in page.locator(".results > li").first.inner_text()


def _nodes(connection: Any) -> list[Any]:
    return [edge["node"] for edge in connection["edges"]]


@pytest.mark.parametrize("query", ["verdict=none", "from=yesterday", "view=hands&factor=-1"])
def test_an_address_that_asks_for_what_there_is_not(tab: Tab, query: str) -> None:
    page = tab.go(f"/?lang=zh-Hant&{query}")
    assert query.rpartition("=")[2] in page.get_by_role("alert").inner_text()
    assert page.get_by_role("search").is_visible()


def test_names_are_text(named: Sequence[str], tabs: Callable[..., Tab]) -> None:
    tab = tabs(who="clerk")
    row = tab.go(f"/?player={named[0]}").locator(".results > li")
    assert row.locator(".seats a").all_inner_texts() == list(NAMES)
    page = tab.go(f"/player?id={named[1]}")
    assert page.locator("h1").inner_text() == NAMES[1]
    assert page.title() == f"{named[1]} · Player · Mingpai 明牌"
    page = tab.go("/players?name_prefix=%3Cimg")
    assert page.locator("tbody .names").all_inner_texts() == [NAMES[1]]
    assert page.locator("main img, main b").count() == 0


@pytest.mark.slow
def test_who_sees_no_names_is_not_offered_them(named: Sequence[str], tabs: Callable[..., Tab]) -> None:
    tab = tabs(who="analyst")
    page = tab.go(f"/?player={named[0]}")
    assert page.locator(".seats a").all_inner_texts() == list(named)
    assert tab.go("/players").get_by_role("search").locator("input").count() == 1
    tab.forget()
    tab.go(f"/player?id={named[0]}")
    assert not [name for name in NAMES if json.dumps(name, ensure_ascii=False)[1:-1] in tab.traffic()]


def test_a_players_numbers_are_those_of_the_api(site: Site, tabs: Callable[..., Tab]) -> None:
    record = site.ask("clerk", RECORD, id="player-11")["player"]["record"]
    page = tabs(who="clerk").go("/player?id=player-11&lang=en")
    won = sum(one["count"] for one in record["wins"])
    faults = sum(one["count"] for one in record["findings"])
    counts = [record["games"], record["hands"], won, faults, record["cases"]]
    assert [int(text) for text in page.locator(".counts strong").all_inner_texts()] == counts
    rows = {name: page.locator(f"section[aria-labelledby={name}] tbody tr") for name in ("wins", "points", "clauses")}
    wins = [int(text) for text in rows["wins"].locator("td.number").all_inner_texts()]
    assert wins == sorted((one["count"] for one in record["wins"]), reverse=True)
    points = [f"{one['points']:+d}" if one["points"] else "0" for one in record["points"]]
    assert rows["points"].locator("td.number").all_inner_texts() == points
    clauses = [one["clause"] for one in record["findings"]]
    assert "X-SHAPE-1" in clauses
    assert sorted(rows["clauses"].locator("th").all_inner_texts()) == clauses
    assert "A win is five sets and a pair" in rows["clauses"].first.inner_text()
    assert listed(page) == games(site, "clerk", player="player-11")
    href = page.locator(".counts a").get_attribute("href")
    assert href == "/cases?player=player-11&lang=en"


@pytest.mark.slow
def test_players_by_the_beginning_of_their_ids(tabs: Callable[..., Tab]) -> None:
    tab = tabs(who="clerk")
    assert tab.go("/players?id_prefix=player-1").locator("tbody tr").count() > 1
    for text in tab.page.locator("tbody th").all_inner_texts():
        assert text.startswith("player-1")
    assert "No player is like that" in tab.go("/players?id_prefix=nobody").locator("main").inner_text()


def test_nobody_sees_no_private_game(site: Site, tab: Tab) -> None:
    everything, public = games(site, "admin"), games(site, None)
    private = set(everything) - set(public)
    assert EVENING in everything
    assert private
    for path in ("/?view=hands", "/?view=findings", "/players", "/player?id=player-11"):
        tab.forget()
        page = tab.go(path)
        seen = page.content() + tab.traffic()
        assert not [game for game in private if f'"{game}"' in seen or f">{game}" in seen], path
    page = tab.go("/")
    assert listed(page) == public
    for path in ("/sign-in", "/log", "/verify"):
        assert page.locator(f'.welcome a[href^="{path}"]').is_visible()


def test_a_player_finds_the_own_page(site: Site, tabs: Callable[..., Tab]) -> None:
    page = tabs(who="player").go("/?lang=en")
    assert listed(page) == games(site, "player")
    assert page.get_by_label("Dispute").count() == 0
    with page.expect_navigation():
        page.get_by_role("link", name="Your games, wins and points").click()
    page.wait_for_selector("html[data-ready]")
    assert page.locator(".counts strong").first.inner_text() == str(len(games(site, "player")))


@pytest.mark.slow
def test_on_a_phone_in_three_languages(tabs: Callable[..., Tab]) -> None:
    tab = tabs(who="clerk", viewport=PHONE)
    headings = {
        "/?from=2026-01-01T00:00Z&lang=zh-Hant": "牌局",
        "/?view=hands&lang=zh-Hans": "牌局",
        "/players?lang=en": "Players",
        "/player?id=player-11&lang=zh-Hant": "player-11",
    }
    for path, heading in headings.items():
        page = tab.go(path)
        assert page.locator("h1").inner_text() == heading
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path


@pytest.mark.parametrize(
    ("group", "codes"),
    [
        ("ruleset", set(REGISTRY)),
        ("status", {one.name.lower() for one in GameStatus}),
        ("dispute", {one.name.lower() for one in CaseState}),
    ],
)
def test_all_that_can_be_chosen_has_words(group: str, codes: set[str]) -> None:
    known = {key.removeprefix(f"{group}_") for key in words()["search"] if key.startswith(f"{group}_")}
    assert known == codes
