"""The panels beside the table: they say what the service says of the step, in every language, and ask only once the
reader rests."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

from service.web.assets import documents
from tests.pages.site import EVENING, PHONE, Site, Tab

#: Seat 1's tiles are complete with the discard, and a gold among them bars the win (X-GOLD-2).
BARRED = {"game": EVENING, "seq": 177, "seat": 1}
REST = 150  #: milliseconds, as insight/asked.js has it
STEP = next(key for key, text in documents().items() if text.startswith("query StepInsight"))

INSIGHT = """query ($game: String!, $seq: Int!, $seat: Int!, $lang: Lang!) {
  blockedActs(game: $game, seq: $seq, seat: $seat) {
    ... on BlockedActs { acts { act { act tile } refusal { clause title(lang: $lang) message(lang: $lang) } } }
  }
  waits(game: $game, seq: $seq, seat: $seat) { ... on Waits { waits { tile live } } }
  readings(game: $game, seq: $seq, seat: $seat) {
    ... on Readings { total win readings { counts parts { tiles { tile kind role } } worth { factor water } } }
  }
}"""
WATERFALL = """query ($game: String!, $hand: Int!) {
  scoreWaterfall(game: $game, hand: $hand) {
    ... on Waterfall { deltas strands { payer payee shareOf amount steps { clause code value total } } }
  }
}"""
FINDINGS = """query ($game: String!, $lang: Lang!) {
  audit(game: $game) { ... on Audit { findings { seq clause title(lang: $lang) message(lang: $lang) } } }
}"""


def panel(page: Page, name: str, *, is_open: bool = True) -> Locator:
    """A panel by its name, opened where it is asked for."""
    found = page.locator(f'.insight details[data-panel="{name}"]')
    if is_open and found.get_attribute("open") is None:
        found.locator("summary").click()
    return found


def answered(page: Page, name: str) -> Locator:
    """The body of an opened panel, once its answer is there."""
    found = panel(page, name)
    expect(found.locator(".body > *").first).to_be_visible()
    expect(found).not_to_have_attribute("aria-busy", "true")
    return found.locator(".body")


def codes(place: Locator) -> list[str | None]:
    """The tiles that are drawn in a place, in their order."""
    return [one.get_attribute("data-tile") for one in place.locator("svg.tile").all()]


def replay(tab: Tab, game: str, step: int, **more: Any) -> Page:
    """The replay of a game at a step."""
    return tab.go(f"/replay?game={game}&step={step}" + "".join(f"&{name}={value}" for name, value in more.items()))


# -- What they say -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "zh-Hans", "zh-Hant"])
def test_seat_at_a_step(tabs: Callable[..., Tab], site: Site, lang: str) -> None:
    """Why not, waits and readings are those of the service, in the page's language, gold by gold."""
    told = site.ask("auditor", INSIGHT, **BARRED, lang=lang.replace("-", "_").upper())
    page = replay(tabs("auditor"), EVENING, 177, seat=1, lang=lang)

    barred = answered(page, "blocked")
    [one] = told["blockedActs"]["acts"]
    for text in (one["refusal"]["clause"], one["refusal"]["title"], one["refusal"]["message"]):
        expect(barred).to_contain_text(text)
    assert codes(barred) == [one["act"]["tile"]] == ["2m"]

    waits = answered(page, "waits").locator(".waits li")
    expected = told["waits"]["waits"]
    assert [(codes(each)[0], int(re.findall(r"\d+", each.inner_text())[0])) for each in waits.all()] == [
        (wait["tile"], wait["live"]) for wait in expected
    ]

    readings = answered(page, "readings")
    assert readings.locator(".reading").count() == told["readings"]["total"] == 3
    expect(readings).to_contain_text(one["refusal"]["clause"])
    first = told["readings"]["readings"][0]["parts"]
    assert [codes(each) for each in readings.locator(".reading").first.locator(".set").all()] == [
        [code for placed in part["tiles"] for code in _drawn(placed)] for part in first
    ]
    as_kind = {"en": "the gold south wind as 4 of dots", "zh-Hans": "金牌南风作四筒", "zh-Hant": "金牌南風作四筒"}
    assert readings.locator(f'.set[aria-label*="{as_kind[lang]}"]').count() == 1


def _drawn(placed: dict[str, str]) -> list[str]:
    """A tile of a reading, and after it the kind that it stands for where that is another."""
    return [placed["tile"]] if placed["tile"] == placed["kind"] else [placed["tile"], placed["kind"]]


def test_legal_acts(tabs: Callable[..., Tab], site: Site) -> None:
    """By seat, as tiles and words; what hidden tiles would allow is said to be hidden."""
    page = replay(tabs("player"), EVENING, 99, seat=1)
    acts = answered(page, "acts")
    assert codes(acts.locator(".acts > div", has_text="may chow")) == ["7m", "9m", "8m"]
    expect(acts.locator(".acts > div", has_text="may pass")).to_have_count(1)
    expect(acts).to_contain_text("may do hangs on tiles that are not open to this view")
    expect(acts.locator("h3")).to_have_text(["Seat 1 (player-02)"])
    assert page.locator(".insight .about").is_hidden()  # no other seat's tiles lie open


def test_findings(tabs: Callable[..., Tab], site: Site) -> None:
    """The finding of the step as a table, the way to one elsewhere in the hand, and the way to a dispute."""
    [told] = site.ask("clerk", FINDINGS, game=EVENING, lang="ZH_HANT")["audit"]["findings"]
    page = replay(tabs("clerk"), EVENING, 41, lang="zh-Hant")
    findings = answered(page, "findings")
    expect(findings).to_contain_text(told["title"])
    assert told["message"] not in findings.inner_text()
    findings.get_by_role("button", name="第 42 步").click()
    expect(findings.locator(".message")).to_have_text(told["message"])
    expect(panel(page, "findings").locator("summary")).to_be_focused()  # the button is gone, its place is not
    rows = {
        row.locator("th").inner_text(): row.locator("td").all_inner_texts()
        for row in findings.locator("tbody tr").all()
    }
    assert rows["牌型"] == ["–", "五組一對"]
    assert rows["胡法"] == ["自摸", "–"]
    assert codes(findings) == ["1s"]
    link = urlsplit(findings.get_by_role("link", name="就此提出爭議").get_attribute("href") or "")
    asked = {"game": EVENING, "step": "42", "hand": "1", "clause": "X-SHAPE-1", "lang": "zh-Hant"}
    assert (link.path, dict(parse_qsl(link.query))) == ("/case", asked)


@pytest.mark.parametrize(
    ("game", "step", "hand", "off"), [("xiamen-moved-payment", 334, 2, {1, 2}), ("longyan-1-0", 600, 4, set())]
)
@pytest.mark.slow
def test_score(tabs: Callable[..., Tab], site: Site, game: str, step: int, hand: int, off: set[int]) -> None:
    """The waterfall adds up to the payments, and says where the server paid otherwise."""
    told = site.ask("auditor", WATERFALL, game=game, hand=hand)["scoreWaterfall"]
    page = replay(tabs("auditor"), game, step)
    score = answered(page, "score")

    sums = [row.locator("td").all_inner_texts() for row in score.locator(".sums tbody tr").all()]
    assert [sum(map(int, parts.split())) for parts, _, _ in sums] == [int(due) for _, due, _ in sums] == told["deltas"]
    assert {seat for seat, (_, _, paid) in enumerate(sums) if "≠" in paid} == off

    shown = [_strand(body) for body in score.locator(".waterfall tbody").all()]
    alike = {(one["payee"], tuple(step["total"] for step in one["steps"])) for one in told["strands"]}
    assert {totals for totals, _ in shown} == {totals for _, totals in alike}
    assert all(start >= 0 and width > 0 and start + width < 101 for _, (start, width) in shown)


def _strand(body: Locator) -> tuple[tuple[int, ...], tuple[float, float]]:
    """The running totals of a strand, and where its last bar begins and how long it is."""
    rows = body.locator("tr:not(.strand)").all()
    bar = rows[-1].locator("svg.bar rect").last
    place = float(bar.get_attribute("x") or "nan"), float(bar.get_attribute("width") or "nan")
    return tuple(int(row.locator("td").last.inner_text()) for row in rows), place


VALUES = """async ([members, frame]) => {
  const at = document.querySelector("script[type=module]").src.replace(/pages.*/, "insight/values.js");
  const { compared } = await import(at);
  const rows = compared(members, frame).querySelectorAll("tbody tr");
  return [...rows].map((row) => [...row.children].map((cell) => cell.textContent));
}"""


def test_values(tabs: Callable[..., Tab]) -> None:
    """Members of findings read as words: acts, seats, payments, phrases; an unknown one as it is called."""
    page = replay(tabs("auditor"), EVENING, 41)
    recorded = {
        "options": [{"act": "chow", "tile": "3m", "with": ["1m", "2m"], "from": 1}, {"act": "pass"}],
        "deltas": [8, -8, 0, 0],
        "hand": 2,
        "level": None,
        "odd": "<b>x</b>",
    }
    expected = {
        "with": "2 tiles of the same kind",
        "hand": ["1m", "??"],
        "types": ["drew", "exhausted"],
        "locked_by": [0, 2],
    }
    rows = page.evaluate(VALUES, [{"recorded": recorded, "expected": expected}, {"golds": [], "stand_in": None}])
    tiles = "1 of characters2 of characters"  # the titles inside the tiles
    assert [row[0] for row in rows] == ["Options", "Payments", "Hand", "Level", "odd", "With", "Next", "Locked by"]
    found = {row[0]: row[1:] for row in rows}
    assert found["Payments"] == ["seat 0: +8, seat 1: -8, seat 2: 0, seat 3: 0", "–"]
    assert found["Level"] == ["none", "–"]
    assert found["odd"] == ["<b>x</b>", "–"]
    assert found["With"] == ["–", "2 tiles of the same kind"]
    assert found["Next"] == ["–", "draw and end without a winner"]
    assert found["Locked by"] == ["–", "seat 0 and seat 2"]
    assert found["Options"][0].replace(tiles, "") == "chow+3 of charactersfrom seat 1pass"


# -- When they ask -----------------------------------------------------------------------------------------------------


class Questions:
    """The steps that a page asks the service about, and answers that are held back."""

    def __init__(self, page: Page) -> None:
        self.steps: list[int] = []
        self.held: dict[int, Route] = {}
        self.holds: set[int] = set()
        page.route("**/graphql", self._asked)

    def _asked(self, route: Route, request: Request) -> None:
        body = request.post_data_json
        seq = body["variables"].get("seq")
        if body["documentId"] != STEP:
            route.continue_()
            return
        self.steps.append(seq)
        if seq in self.holds:
            self.held[seq] = route
        else:
            route.continue_()


def test_nothing_is_asked_in_passing(tabs: Callable[..., Tab], site: Site) -> None:
    """Steps that rush by are not asked about, a late answer is not shown, and a known one is not asked for again."""
    page = replay(tabs("auditor"), EVENING, 165, seat=1)
    questions = Questions(page)
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 60_000"))
    blocked = panel(page, "blocked")
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    expect(blocked).to_have_attribute("aria-busy", "true")
    assert questions.steps == []

    questions.holds = {175}
    with page.expect_request("**/graphql"):
        page.clock.run_for(REST)
    page.keyboard.press("ArrowRight")
    page.clock.run_for(REST)
    expect(blocked).to_contain_text("X-GOLD-2")
    with page.expect_response("**/graphql") as late:
        questions.held[175].continue_()
    late.value.finished()
    page.evaluate("() => fetch('/session').then((answer) => answer.text())")  # by then the late one has been read
    expect(blocked).to_contain_text("X-GOLD-2")
    assert questions.steps == [175, 176]

    page.keyboard.press("ArrowLeft")
    expect(blocked).to_contain_text("No rule forbids")
    assert questions.steps == [175, 176]


@pytest.mark.slow
def test_keyboard_and_choices(tabs: Callable[..., Tab]) -> None:
    """Panels open and close by keys and stay as they were left; the seat that is asked about is chosen among those
    whose tiles lie open."""
    page = replay(tabs("auditor"), EVENING, 177)
    waits = panel(page, "waits", is_open=False)
    waits.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(waits).to_have_attribute("open", "")
    about = page.get_by_label("Answers about")
    assert about.locator("option").count() == 5
    about.select_option("1")
    expect(waits.locator(".waits li")).to_have_count(6)
    expect(waits.locator(".brief")).to_have_text("seat 1")
    about.select_option("2")
    expect(waits.locator("summary")).to_contain_text("seat 2")
    expect(waits.locator(".body")).to_contain_text("Seat 2 (player-09)")

    panel(page, "acts", is_open=False).locator("summary").click()
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(panel(page, "waits", is_open=False)).to_have_attribute("open", "")
    expect(panel(page, "acts", is_open=False)).not_to_have_attribute("open", "")


WIDEST = """() => {
  const ends = [...document.querySelectorAll(".insight *")].map((one) => one.getBoundingClientRect().right);
  return Math.max(...ends);
}"""


@pytest.mark.slow
def test_phone(tabs: Callable[..., Tab]) -> None:
    """With every panel open on a phone none is wider than the page, and every tile is named, or its row is."""
    page = replay(tabs("auditor", viewport=PHONE), EVENING, 177, seat=1)
    for name in ("blocked", "waits", "readings", "score"):
        answered(page, name)
    assert page.evaluate(WIDEST) <= PHONE["width"]
    assert page.locator(".insight svg.tile").count() > 40
    nameless = ".insight svg.tile:not([aria-label]):not([role=img][aria-label] svg)"
    assert page.locator(nameless).count() == 0
