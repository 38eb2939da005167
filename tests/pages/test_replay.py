"""The replay page: stepping, jumping, viewpoints, addresses, and what it costs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from service.web.assets import documents
from tests.api.frames import whole
from tests.pages.site import EVENING, EVENING_LOG, PHONE, Site, Tab

CHOSEN = ("discarded", "chowed", "punged", "konged", "won", "passed", "declared")
LARGEST = 300_000  #: bytes of a game's page with the hand that is shown, as they are sent
ANSWER = ("responseHeadersSize", "responseBodySize")
HAND = next(key for key, text in documents().items() if text.startswith("query HandReplay"))

#: What an address asks for that is not there, what is said of it, and the step that is shown instead.
BAD = (
    ("step=607", "This game has no step 607.", 0),
    ("hand=9", "This game has no hand 9.", 0),
    ("step=44&seat=4", "This game has no seat 4.", 44),
    ("step=44&seat=east", "“east” is no number of a step, hand or seat.", 44),
)
#: Step 42 by language: where it is, and how its sentence begins.
SENTENCES = (
    ("en", "Hand 1, step 42 of 606", "Seat 3 (player-11) wins on"),
    ("zh-Hans", "第 1 盘，第 42/606 步", "3 号座（player-11）胡"),
    ("zh-Hant", "第 1 盤，第 42/606 步", "3 號座（player-11）胡"),
)

STATE = """query ($game: String!, $seq: Int!, $seat: Int) {
  stateAt(game: $game, seq: $seq, asSeat: $seat) { ... on State { view asSeat table } }
}"""


def log() -> list[dict[str, Any]]:
    """The evening's events."""
    return [json.loads(line) for line in EVENING_LOG.read_text(encoding="utf-8").splitlines()]


def replay(tab: Tab, step: int | str, **more: Any) -> Page:
    """The replay of the evening at a step."""
    return tab.go(f"/replay?game={EVENING}&step={step}" + "".join(f"&{name}={value}" for name, value in more.items()))


def at(page: Page, step: int, hand: int | None = None) -> None:
    """The page shows this step, and says so: in the line, the field, the slider and, soon, in its address."""
    words = re.compile(rf"^Hand {hand or r'[0-9]+'}, step {step} of 606$")
    expect(page.locator(".sentence .where")).to_have_text(words)
    expect(page.locator(".timeline input")).to_have_value(str(step))
    page.wait_for_url(re.compile(rf"[?&]step={step}(&|$)"))


def picture(page: Page) -> str:
    """All that is drawn of a step."""
    return "".join(
        page.locator(place).inner_html() for place in (".line", ".board", ".timeline", ".controls", ".index")
    )


# -- Going -------------------------------------------------------------------------------------------------------------


def test_hand_by_keyboard(tabs: Callable[..., Tab]) -> None:
    """From the start of the game to the end of its first hand with one key: sentence, table and address follow, and
    nothing is asked for on the way."""
    tab, events = tabs(who="auditor"), log()
    last = next(event["seq"] for event in events if event["type"] == "hand_ended")
    page = replay(tab, 0)
    loaded(tab, 2)
    tab.forget()
    thrown = 0
    for event in events[1 : last + 1]:
        page.keyboard.press("ArrowRight")
        expect(page.locator(".sentence .where")).to_have_text(f"Hand 1, step {event['seq']} of 606")
        thrown += event["type"] == "discarded"
        assert page.locator(".board .river .tile").count() == thrown
        if event["type"] in ("drew", "discarded"):
            assert page.locator(".sentence .tile").get_attribute("data-tile") == event["tile"]
    at(page, last, 1)
    assert not [url for url in tab.requests if url.endswith("/graphql")]
    expect(page.get_by_role("status").last).to_have_text(re.compile(r"^The hand ends; scores: seat 0 -20"))
    page.keyboard.press("ArrowRight")
    at(page, last + 1, 2)


def test_decisions_and_findings(tabs: Callable[..., Tab], site: Site) -> None:
    """Next and previous decision and finding lead to those that the service tells of, over the ends of hands too."""
    events = log()
    chosen = [event["seq"] for event in events if event["type"] in CHOSEN]
    own = [event["seq"] for event in events if event["type"] in CHOSEN and event["seat"] == 1]
    asked = "query ($game: String!) { audit(game: $game) { ... on Audit { findings { seq } } } }"
    found = [one["seq"] for one in site.ask("auditor", asked, game=EVENING)["audit"]["findings"]]
    page = replay(tabs(who="auditor"), 30)
    for step in [seq for seq in chosen if seq > 30][:6]:
        page.keyboard.press("n")
        at(page, step)
    page.keyboard.press("p")
    at(page, [seq for seq in chosen if seq > 30][4])
    page.keyboard.press("Home")
    at(page, 0)
    page.get_by_role("button", name="Next finding").click()
    at(page, found[0])
    expect(page.locator(".wrong")).to_contain_text("X-SHAPE-1")
    page.keyboard.press("f")
    expect(page.get_by_role("status").last).to_have_text("No later finding.")
    at(page, found[0])
    page.keyboard.press("2")
    expect(page.locator(".view")).to_have_text("As seat 1 could see it.")
    page.keyboard.press("n")
    at(page, next(seq for seq in own if seq > found[0]))


@pytest.mark.slow
def test_buttons_and_timeline(tabs: Callable[..., Tab]) -> None:
    """Hands by buttons, the table of hands and marks; the field goes to any step, and says where there is none."""
    events = log()
    page = replay(tabs(who="clerk"), 10)
    page.get_by_role("button", name="Next hand").click()
    at(page, 46, 2)
    page.get_by_role("button", name="Open hand 4").click()
    at(page, 429, 4)
    page.get_by_role("button", name="To the payment of hand 2").click()
    at(page, next(event["seq"] for event in events if event["type"] == "settled" and event["hand"] == 2), 2)
    gold = next(event for event in events if event["type"] == "gold_flipped" and event["hand"] == 2)
    page.get_by_role("button", name=re.compile(rf"^Step {gold['seq']}: ")).click()
    at(page, gold["seq"], 2)
    page.get_by_label("Go to step").fill("9999")
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("This game has no step 9999.")
    page.get_by_label("Go to step").fill("300")
    page.keyboard.press("Enter")
    at(page, 300, 3)
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.slow
def test_playing(tabs: Callable[..., Tab]) -> None:
    """It plays by itself, and stops at the end of the game; the focus stays where it is."""
    page = replay(tabs(who="clerk"), 603)
    page.get_by_label("Speed").select_option("8")
    page.get_by_role("button", name="Play", exact=True).press("Enter")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_focused()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_focused()
    at(page, 606, 4)


# -- Viewpoints --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["player", "auditor"])
def test_no_hidden_tile(tabs: Callable[..., Tab], site: Site, who: str) -> None:
    """As a seat saw it there is nothing of the others' tiles in the page, nor in what it asked for since."""
    tab, seat, step = tabs(who=who), 1, 240
    page = replay(tab, step)
    loaded(tab)
    tab.forget()
    page.get_by_label("Viewpoint").select_option(str(seat))
    expect(page.locator(".view")).to_have_text(f"As seat {seat} could see it.")
    loaded(tab)
    state = site.ask(who, STATE, game=EVENING, seq=step, seat=seat)["stateAt"]
    assert shown_tiles(page) == seen_tiles(state["table"])
    hands = list(replays(tab))
    assert all(hand["asSeat"] == seat and hand["view"] == "SEAT" for hand in hands)
    hand = next(hand for hand in hands if hand["firstSeq"] <= step <= hand["lastSeq"])
    frames = list(whole(hand["frames"]))
    for seq in range(hand["firstSeq"], hand["lastSeq"] + 1, 40):
        known = site.ask(who, STATE, game=EVENING, seq=seq, seat=seat)["stateAt"]["table"]
        assert_known(frames[seq - hand["firstSeq"]], known)


def loaded(tab: Tab, hands: int = 3) -> None:
    """The hand that is shown is there, and so are those beside it."""
    for _ in range(200):
        if len(list(replays(tab))) == hands:
            return
        tab.page.wait_for_timeout(50)
    raise AssertionError(tab.requests)


def assert_known(frame: dict[str, Any], known: dict[str, Any]) -> None:
    """A frame says of the table what ``stateAt`` says, and of seats no more but their rivers. Its time is that of the
    last event that the seat knows of; whoever sees all is told the step's own by ``stateAt``."""
    for name in set(known) - {"seats", "at"}:
        assert frame[name] == known[name], name
    for seat in known["seats"]:
        more = frame["seats"][str(seat["seat"])]
        assert {name: more[name] for name in seat} == seat
        assert {name for name in more if name not in seat and more[name] is not None} == {"river"}


def seen_tiles(table: dict[str, Any]) -> dict[str, list[str]]:
    """What lies in the hands by seat, sorted."""
    return {str(one["seat"]): sorted(one["concealed"]) for one in table["seats"]}


def shown_tiles(page: Page) -> dict[str, list[str]]:
    """The same as the page has drawn it."""
    seats = page.locator(".board .seat").all()
    return {
        str(seat.get_attribute("data-seat")): sorted(
            str(tile.get_attribute("data-tile")) for tile in seat.locator(".hand .tile").all()
        )
        for seat in seats
    }


def replays(tab: Tab) -> Iterator[dict[str, Any]]:
    """The hands that a page was given."""
    for line in tab.traffic().splitlines():
        found = json.loads(line).get("data", {}).get("replay") if line.startswith("{") else None
        if found is not None:
            yield found


def test_wall_ahead(tabs: Callable[..., Tab]) -> None:
    """The wall ahead is shown where it is on record, and never as a seat saw it."""
    page = replay(tabs(who="auditor"), 240)
    ahead = page.get_by_label("Wall ahead")
    assert page.locator(".wall .tile").count() == 0
    ahead.check()
    page.wait_for_url(re.compile("[?&]wall=1"))
    assert page.locator(".wall [data-tile]").count() > 60
    page.keyboard.press("3")
    expect(page.locator(".view")).to_have_text("As seat 2 could see it.")
    assert page.locator(".wall [data-tile]").count() == 0
    expect(ahead).to_have_attribute("aria-disabled", "true")


# -- Addresses ---------------------------------------------------------------------------------------------------------


def test_address_holds_the_picture(tabs: Callable[..., Tab]) -> None:
    """Whoever opens the address sees the same; Back leads back from a jump, not through every step."""
    page = replay(tabs(who="auditor"), 236, seat=2)
    for key in ("ArrowRight", "ArrowRight", "n"):
        page.keyboard.press(key)
    page.wait_for_timeout(200)
    shown, address = picture(page), page.url
    other = tabs(who="clerk").go(address.removeprefix(page.url.split("/replay")[0]))
    assert picture(other) == shown
    page.keyboard.press("]")
    at(page, 429, 4)
    page.go_back()
    expect(page.locator(".sentence .where")).to_have_text(re.compile("^Hand 3, "))
    assert (page.url, picture(page)) == (address, shown)


def test_hand_alone(tabs: Callable[..., Tab]) -> None:
    page = tabs(who="clerk").go(f"/replay?game={EVENING}&hand=3")
    at(page, 203, 3)


@pytest.mark.slow
def test_bad_address(tabs: Callable[..., Tab]) -> None:
    """A clear sentence, and the nearest that there is instead."""
    tab = tabs(who="clerk")
    for query, said, step in BAD:
        page = tab.go(f"/replay?game={EVENING}&{query}")
        expect(page.get_by_role("alert")).to_have_text(said)
        at(page, step)
    page.keyboard.press("ArrowRight")
    at(page, 45)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_unknown_game(tab: Tab) -> None:
    page = tab.go("/replay?game=nowhere&step=3&lang=zh-Hant")
    expect(page.get_by_role("alert")).to_have_text("沒有這場牌局，或您無權檢視。")


# -- For everybody -----------------------------------------------------------------------------------------------------


def test_languages_on_a_phone(tabs: Callable[..., Tab]) -> None:
    """In each language, on a phone: nothing runs out of the page."""
    tab = tabs(who="clerk", viewport=PHONE)
    for lang, where, sentence in SENTENCES:
        page = replay(tab, 42, lang=lang)
        expect(page.locator(".where")).to_have_text(where)
        expect(page.locator(".sentence")).to_contain_text(sentence)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_costs(tabs: Callable[..., Tab], record_property: Callable[[str, object], None]) -> None:
    """The page of a game is small; how long a step takes to show is on record."""
    tab = tabs(who="clerk")
    asked: list[Request] = []
    tab.page.on("request", lambda request: asked.append(request))
    page = replay(tab, 120)
    hand = next(at for at, request in enumerate(asked) if HAND in (request.post_data or ""))
    page_bytes = sum(size for request in asked[: hand + 1] for name, size in request.sizes().items() if name in ANSWER)
    assert 0 < page_bytes < LARGEST
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("() => performance.getEntriesByName('step').length > 20")
    steps = sorted(page.evaluate("performance.getEntriesByName('step').slice(1).map((one) => one.duration)"))
    record_property("step_ms", round(steps[len(steps) // 2], 1))
    record_property("page_bytes", page_bytes)
    print(f"a step: {steps[len(steps) // 2]:.0f} ms (median), a page: {page_bytes:,} bytes")
