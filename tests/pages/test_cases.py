"""The case desk and its report, as the two sides and two clerks use them."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from service.disputes.rules import RULES
from tests.pages.site import EVENING, PHONE, PLAYER, Site, Tab

FAULT = 42  #: the step of the false win
CLAUSE = "X-SHAPE-1"
NOTE = "Between us: <b>clear</b>."
REASON = "The hand was <i>not</i> complete."

Tabs = Callable[..., Tab]


# -- Cases by the API, where a test begins in the middle ---------------------------------------------------------------


def opened(site: Site, text: str = "It was no win.", who: str = "player") -> str:
    """The id of a new case of the player over the false win."""
    made = f'openCase(case: {{game: "{EVENING}", step: {FAULT}, clause: "{CLAUSE}", text: "{text}"}})'
    found: str = site.ask(who, f"mutation {{ made: {made} {{ ... on Case {{ case }} }} }}")["made"]["case"]
    return found


def done(site: Site, who: str, case: str, field: str, given: str = "") -> None:
    """Does an act to a case."""
    known = site.ask("clerk", "query($id: String!) { case(id: $id) { ... on Case { nextSeq } } }", id=case)
    call = f'{field}(case: "{case}", expectedSeq: {known["case"]["nextSeq"]}{given})'
    answer = site.ask(who, f"mutation {{ done: {call} {{ __typename ... on Problem {{ message }} }} }}")["done"]
    assert answer["__typename"] == "Case", answer


def proposed(site: Site, text: str = "It was no win.") -> str:
    """The id of a new case with a note for the staff, and a proposal of the first clerk's."""
    case = opened(site, text)
    done(site, "clerk", case, "assignCase")
    done(site, "clerk", case, "addStatement", f', text: "{NOTE}", internal: true')
    verdict = f'{{outcome: HAND_VOIDED, reason: "{REASON}", clauses: ["{CLAUSE}"], findings: [0]}}'
    done(site, "clerk", case, "proposeVerdict", f", verdict: {verdict}")
    return case


def decided(site: Site) -> str:
    """The id of a new case with a verdict."""
    case = proposed(site)
    done(site, "clerk 2", case, "approveVerdict")
    return case


def timeline(site: Site, case: str) -> list[dict[str, Any]]:
    """The events of a case, as the staff sees them."""
    query = """query($id: String!) { case(id: $id) { ... on Case { timeline(first: 100) {
        ... on CaseEventConnection { edges { node { type text details } } } } } } }"""
    edges = site.ask("clerk", query, id=case)["case"]["timeline"]["edges"]
    return [edge["node"] for edge in edges]


def by_keyboard(page: Page, selector: str) -> None:
    """Goes from element to element until one that ``selector`` names has the focus."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector):
            return
    pytest.fail(f"no way to {selector} by keyboard")


def told(page: Page) -> str:
    """What the page says of the act that was done last, once it has the focus."""
    page.wait_for_selector(".notice:focus")
    return page.inner_text(".notice")


# -- The course of a case ----------------------------------------------------------------------------------------------


def test_course_by_keyboard(site: Site, tabs: Tabs) -> None:
    """A player opens a case, one clerk takes it and proposes, another approves, and the player reads the verdict."""
    player = tabs(who="player")
    page = player.go(f"/case?game={EVENING}&step={FAULT}")
    assert page.input_value("[name=clause]") == CLAUSE  # of the one finding there
    assert page.locator("[name=player]").count() == 0  # a player opens its own
    by_keyboard(page, "textarea[name=text]")
    page.keyboard.type("It was no win.")
    by_keyboard(page, "form[data-act=open] button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/case?id=*")
    case = page.url.split("id=")[1]

    first = tabs(who="clerk")
    page = first.go(f"/case?id={case}")
    by_keyboard(page, "[data-of=take] button")
    page.keyboard.press("Enter")
    assert "yours" in told(page)
    page.wait_for_selector("[data-of=propose] textarea")
    by_keyboard(page, "[data-of=propose] input[name=outcome]")
    page.keyboard.press("ArrowDown")
    by_keyboard(page, "[data-of=propose] textarea")
    page.keyboard.type(REASON)
    by_keyboard(page, "[data-of=propose] .row > button.primary")
    page.keyboard.press("Enter")
    assert "Another person" in told(page)
    assert page.locator("[data-of=approve], [data-of=reject]").count() == 0
    assert "another person" in page.inner_text("[data-why=same_person]")
    verdict = timeline(site, case)[-1]
    assert verdict["text"] == REASON
    assert verdict["details"]["outcome"] == "partly_upheld"
    assert (verdict["details"]["clauses"], verdict["details"]["findings"]) == ([CLAUSE], [0])

    second = tabs(who="clerk 2")
    page = second.go(f"/case?id={case}")
    by_keyboard(page, "[data-of=approve] button")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")  # nothing is approved by who is not sure
    assert timeline(site, case)[-1]["type"] == "VERDICT_PROPOSED"
    page.click("[data-of=approve] button")
    page.click("dialog .primary")
    assert "verdict now" in told(page)

    page = player.go(f"/case?id={case}")
    box = page.inner_text("[data-verdict=VERDICT_APPROVED]")
    assert REASON in box
    assert "partly upheld" in box
    assert page.locator("[data-of=appeal]").count() == 1


def test_what_the_player_sees(site: Site, tabs: Tabs) -> None:
    """Of a proposal and of the staff's notes nothing is in the page or the traffic; a verdict is."""
    case = proposed(site, "For the <script>player</script>.")
    tab = tabs(who="player")
    page = tab.go(f"/case?id={case}")
    assert page.inner_text("ol.timeline blockquote") == "For the <script>player</script>."
    assert "in review" in page.inner_text("[data-fact=state]")
    for hidden in (NOTE, REASON, "demo-clerk"):
        assert hidden not in page.content()
        assert hidden not in tab.traffic()
    assert [one.get_attribute("data-of") for one in page.locator("[data-of]").all()] == ["state", "withdraw"]
    assert page.locator("[data-kind=REPORT]").count() == 0

    staff = tabs(who="auditor").go(f"/case?id={case}")
    assert NOTE in staff.inner_text("[data-type=NOTED] blockquote")
    assert staff.locator("[data-verdict=VERDICT_PROPOSED]").count() == 1
    assert staff.locator("[data-of=approve]").count() == 1


@pytest.mark.slow
def test_of_two_at_once_one_is_told(site: Site, tabs: Tabs) -> None:
    case = opened(site)
    slow, quick = tabs(who="clerk"), tabs(who="clerk 2")
    page = slow.go(f"/case?id={case}")
    page.click("[data-of=state] summary")
    page.fill("[data-of=state] textarea", "We look at it.")
    other = quick.go(f"/case?id={case}")
    other.click("[data-of=take] button")
    told(other)

    page.click("[data-of=state] form button")
    assert "meanwhile" in told(page)
    assert "demo-clerk-2" in page.inner_text("[data-fact=assignee]")  # what is new is there
    assert page.input_value("[data-of=state] textarea") == "We look at it."
    page.click("[data-of=state] form button")
    assert "on record" in told(page)
    assert [one["text"] for one in timeline(site, case) if one["type"] == "STATEMENT_MADE"] == ["We look at it."]


@pytest.mark.slow
def test_text_for_an_act_that_is_gone(site: Site, tabs: Tabs) -> None:
    """What was typed for an act that another person's act has ended can still be copied."""
    case = proposed(site)
    page = tabs(who="clerk 2").go(f"/case?id={case}")
    page.click("[data-of=reject] summary")
    page.fill("[data-of=reject] textarea", "Which rule?")
    done(site, "auditor", case, "approveVerdict")
    page.click("[data-of=reject] form button")
    assert "meanwhile" in told(page)
    assert page.locator("[data-of=reject]").count() == 0
    assert page.input_value("[aria-label='Not sent'] textarea") == "Which rule?"


@pytest.mark.slow
def test_an_answer_that_is_lost(site: Site, tabs: Tabs) -> None:
    """What went out and was not answered is kept, and is on record once when it is sent again."""
    case = opened(site)
    tab = tabs(who="player")
    page = tab.go(f"/case?id={case}")

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/graphql", lose)
    page.fill("[data-of=state] textarea", "Once.")
    page.click("[data-of=state] form button")
    page.wait_for_selector("[data-of=state] .trouble")
    assert page.input_value("[data-of=state] textarea") == "Once."
    page.unroute("**/graphql")
    page.click("[data-of=state] form button")
    assert "on record" in told(page)
    assert [one["text"] for one in timeline(site, case) if one["type"] == "STATEMENT_MADE"] == ["Once."]
    assert all("ERR_FAILED" in one for one in tab.complaints)
    tab.complaints.clear()


ACTS: dict[str, tuple[tuple[Callable[[Site], str], str, str, str], ...]] = {
    "clerk 2": (
        (opened, "note", NOTE, "NOTED"),
        (opened, "assign", "demo-clerk-1", "ASSIGNED"),
        (opened, "set_due", "2099-01-01T12:00", "DUE_SET"),
        (proposed, "reject", "Which rule?", "VERDICT_REJECTED"),
    ),
    "player": ((decided, "appeal", "It was a win.", "APPEALED"), (opened, "withdraw", "Settled.", "WITHDRAWN")),
}


@pytest.mark.parametrize("who", ACTS)
@pytest.mark.slow
def test_other_acts(site: Site, tabs: Tabs, who: str) -> None:
    tab = tabs(who=who)
    for begin, act, typed, expected in ACTS[who]:
        case = begin(site)
        page = tab.go(f"/case?id={case}")
        if not page.is_visible(f"[data-of={act}] form"):
            page.click(f"[data-of={act}] summary")
        page.fill(f"[data-of={act}] form :is(textarea, input)", typed)
        page.click(f"[data-of={act}] form button")
        if act == "withdraw":
            page.click("dialog .primary")
        told(page)
        last = timeline(site, case)[-1]
        assert last["type"] == expected
        assert typed[:10] in str(last)


def test_what_is_wrong_is_said(site: Site, tabs: Tabs) -> None:
    """A bad value is told at its form, in the page's language, and nothing is lost."""
    page = tabs(who="clerk").go(f"/case?id={opened(site)}&lang=zh-Hant")
    page.click("[data-of=set_due] summary")
    page.fill("[data-of=set_due] input", "2020-01-01T12:00")
    page.click("[data-of=set_due] form button")
    assert page.inner_text("[data-of=set_due] .trouble") == "期限須為將來的時間。"
    assert page.input_value("[data-of=set_due] input") == "2020-01-01T12:00"


# -- Evidence and report -----------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_evidence_is_the_frozen_file(site: Site, tabs: Tabs) -> None:
    page = tabs(who="clerk").go(f"/case?id={opened(site)}")
    row = page.locator("[data-kind=BUNDLE]")
    with page.expect_download() as download:
        row.locator("button").click()
    digest = sha256(Path(download.value.path()).read_bytes()).hexdigest()
    assert digest == row.locator("code").inner_text()
    page.wait_for_selector("text=its SHA-256 was computed here and is the same")
    assert f"digest={digest}" in str(row.locator("a").get_attribute("href"))


def test_frozen_evidence_is_checked_in_the_browser(site: Site, tabs: Tabs) -> None:
    page = tabs(who="clerk").go(f"/case?id={opened(site)}")
    page.click("a[href*='/verify?case=']")
    page.wait_for_selector("[data-verdict=no_key]")  # all holds, and nobody's key is trusted here
    assert page.locator(".step .badge.bad").count() == 0


def test_report(site: Site, tabs: Tabs) -> None:
    """On paper are the step, the finding and the verdict with who made it; nothing that the staff keeps to itself."""
    case = proposed(site)
    page = tabs(who="clerk").go(f"/report?id={case}")
    assert "no verdict yet" in page.inner_text(".paper")
    done(site, "clerk 2", case, "approveVerdict")

    page = tabs(who="clerk", color_scheme="dark").go(f"/report?id={case}")
    page.wait_for_selector(".paper-table .seat")
    page.emulate_media(media="print")
    paper = page.inner_text("main")
    assert REASON in page.inner_text(".verdict")
    assert re.search(r"Proposed: clerk demo-clerk-1 .*\n+Approved: clerk demo-clerk-2", paper)
    for said in (case, EVENING, PLAYER, "Seat 3 declared a win, but its hand is not complete", "mingpai verify"):
        assert said in paper
    assert NOTE not in page.content()
    assert not page.is_visible("header.site")
    assert not page.is_visible(".bar")
    digests = {one.inner_text() for one in page.locator(".paper td code").all()}
    query = "query($id: String!) { case(id: $id) { ... on Case { evidence { digest } } } }"
    assert digests == {one["digest"] for one in site.ask("clerk", query, id=case)["case"]["evidence"]}
    dark = "getComputedStyle(document.querySelector('.paper')).backgroundColor"
    assert page.evaluate(dark) == "rgb(255, 255, 255)"
    pdf = page.pdf(format="A4", prefer_css_page_size=True)
    assert pdf.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) >= 2


@pytest.mark.slow
def test_report_hides_what_the_seat_did_not_see(site: Site, tabs: Tabs) -> None:
    """Of a step within a hand the report to a player has the player's own tiles, also where a clerk makes it."""
    made = f'openCase(case: {{game: "{EVENING}", step: 30, player: "{PLAYER}", text: "Slow."}})'
    case = site.ask("clerk", f"mutation {{ made: {made} {{ ... on Case {{ case }} }} }}")["made"]["case"]
    page = tabs(who="clerk").go(f"/report?id={case}")
    page.wait_for_selector(".paper-table .seat")
    hidden = page.locator(".paper-table .all-hidden").count()
    assert hidden == 3
    page.select_option(".bar select", "all")
    page.wait_for_url("**seat=all*")
    page.wait_for_selector(".paper-table .seat")
    assert page.locator(".paper-table .all-hidden").count() == 0


# -- The list ----------------------------------------------------------------------------------------------------------


def test_list(site: Site, tabs: Tabs) -> None:
    """What is asked for is in the address, and the address asks for it again."""
    taken, waiting = proposed(site), opened(site)
    page = tabs(who="clerk").go("/cases")
    page.select_option("[name=state]", "PENDING_APPROVAL")
    page.check("[name=mine]")
    page.click("form[role=search] button")
    page.wait_for_selector(f"[data-case='{waiting}']", state="detached")
    assert "state=PENDING_APPROVAL" in page.url
    page.reload()
    page.wait_for_selector(f"[data-case='{taken}']")
    assert page.input_value("[name=state]") == "PENDING_APPROVAL"
    assert page.is_checked("[name=mine]")
    states = {one.inner_text() for one in page.locator("tbody [data-label=State]").all()}
    assert states == {"◕ awaiting approval"}
    page.go_back()
    page.wait_for_selector(f"[data-case='{waiting}']")
    page.fill("[name=game]", "no-such-game")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=No dispute is like this")


@pytest.mark.parametrize(
    ("lang", "title", "state"),
    [("en", "Your disputes", "open"), ("zh-Hans", "我的争议案", "待受理"), ("zh-Hant", "我的爭議案", "待受理")],
)
@pytest.mark.slow
def test_list_on_a_phone(site: Site, tabs: Tabs, lang: str, title: str, state: str) -> None:
    case = opened(site)
    page = tabs(who="player", viewport=PHONE).go(f"/cases?lang={lang}")
    assert page.inner_text("h1") == title
    assert state in page.locator(f"[data-case='{case}']").inner_text()
    assert f"lang={lang}" in str(page.locator(f"[data-case='{case}'] a").get_attribute("href"))
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize(
    ("who", "path", "said"),
    [
        (None, "/cases", "Sign in"),
        ("analyst", "/cases", "not for your role"),
        ("analyst", f"/case?game={EVENING}", "not for your role"),
        ("player", "/case?id=none", "no such dispute"),
        ("player", "/report?id=none", "no such dispute"),
    ],
)
def test_others_are_told(tabs: Tabs, who: str | None, path: str, said: str) -> None:
    page = tabs(who=who).go(path)
    assert said in page.inner_text("main [role=alert]")


def test_the_rules_are_the_services(tab: Tab) -> None:
    """The page offers acts by the table that the service judges them by, as far as a page can know."""
    page = tab.go("/cases")
    found = page.evaluate(
        """async () => Object.fromEntries(Object.entries((await import("/static/x/desk/rules.js")).RULES).map(
            ([act, {roles, states, checks}]) => [act, [roles.sort(), states.sort(), checks.map(({name}) => name)]]))"""
    )
    found.pop("take")  # assigning to oneself
    decided = {"roles": ["clerk"], "state": "DECIDED", "sat": False, "appealUntil": "2026-01-15T00:00:00Z"}
    close = """async (stands) => { const { refusal } = await import("/static/x/desk/rules.js");
        return ["14", "16"].map((day) => refusal("close", stands, new Date(`2026-01-${day}T00:00:00Z`))); }"""
    assert page.evaluate(close, decided) == ["term_running", None]
    # Of others, and of what has changed meanwhile, only the service knows.
    only_there = {"_assignee_is_impartial", "_rests_on_newest"}
    expected = {
        act.value: [
            sorted(rule.roles),
            sorted(state.value.upper() for state in rule.states),
            [_camel(check.__name__) for check in rule.checks if check.__name__ not in only_there],
        ]
        for act, rule in RULES.items()
    }
    assert found == expected


def _camel(name: str) -> str:
    first, *rest = name.strip("_").split("_")
    return first + "".join(map(str.capitalize, rest))
