"""A log on the page: audited at once, stepped through, and nothing of it stored."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.pages.site import EVENING, EVENING_LOG, PHONE, Site, Tab
from tests.usecases.games import game, id_of, lines, with_violation

LOG = EVENING_LOG.read_bytes()
EVENTS = [json.loads(line) for line in LOG.splitlines()]
#: A game that the store does not have, with a payment that is wrong.
UNKNOWN, UNKNOWN_AT = with_violation(game(1))
_PATIENCE = 30_000  #: milliseconds; every question about a log starts a process


def bring(tab: Tab, log: bytes, name: str = "evening.paipu.jsonl") -> None:
    """Chooses a file, as a reader does, and waits for what comes of it."""
    with tab.page.expect_file_chooser() as chooser:
        tab.page.get_by_role("button", name="Choose a file").click()
    chooser.value.set_files({"name": name, "mimeType": "application/octet-stream", "buffer": log})
    tab.page.wait_for_selector(".result:not([aria-busy]) > *")


def stands_at(tab: Tab, step: int) -> None:
    """Waits until the replay shows the step."""
    expect(tab.page.locator(".line .where")).to_contain_text(f"step {step} of", timeout=_PATIENCE)


def games(site: Site) -> int:
    """How many games the store has."""
    found = site.ask("admin", "{ games(first: 100) { ... on GameConnection { edges { node { game } } } } }")
    return len(found["games"]["edges"])


def hidden_from(seat: int, step: int) -> list[str]:
    """The tiles that others were dealt and drew in the hand of a step, up to it: as a log has them, with the seats."""
    return [json.dumps(one["tiles"]) for one in EVENTS[:step] if one["type"] == "dealt" and one["seat"] != seat]


def test_a_log_is_audited_and_stepped_through_and_not_stored(tab: Tab, site: Site) -> None:
    before = games(site)
    page = tab.go("/log")
    assert "not stored" in page.locator(".intro").inner_text()
    bring(tab, LOG)
    assert page.evaluate("document.activeElement.textContent") == "evening.paipu.jsonl: 1 game"
    assert "violations" in page.locator(".report").inner_text()
    finding = page.locator(".report .findings li")
    assert "X-SHAPE-1" in finding.inner_text()
    assert "Seat 3 declared a win, but its hand is not complete" in finding.inner_text()
    assert page.locator(".report td.number").all_inner_texts() == ["-42", "+78", "+6", "-42"]
    stands_at(tab, 42)
    page.locator("h2").first.focus()
    page.keyboard.press("ArrowLeft")
    stands_at(tab, 41)
    page.keyboard.press("Home")
    stands_at(tab, 0)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    stands_at(tab, 3)
    finding.get_by_role("button").click()
    stands_at(tab, 42)
    page.keyboard.press("]")
    stands_at(tab, 46)
    assert page.url.endswith("/log")
    assert page.get_by_role("button", name="Copy link").count() == 0
    assert page.get_by_role("button", name="Store this log").count() == 0
    assert {url.split("?")[0] for url in tab.requests if "/static/" not in url} == {
        f"{site.base}{path}" for path in ("/log", "/session", "/audit")
    }
    assert games(site) == before


def test_a_seat_sees_its_own_tiles_only(tab: Tab) -> None:
    """Neither on the page nor in what comes to it, from when the viewpoint is chosen."""
    page = tab.go("/log")
    bring(tab, LOG)
    stands_at(tab, 42)
    page.keyboard.press("ArrowLeft")
    assert page.locator(".board [data-seat], .board").count() > 0
    tab.forget()
    page.keyboard.press("4")
    expect(page.locator(".controls select").last).to_have_value("3", timeout=_PATIENCE)
    stands_at(tab, 41)
    asked = [url for url in tab.requests if "what=replay" in url]
    chosen = next(place for place, url in enumerate(asked) if "seat=3" in url)  # what was asked before is no matter
    assert all("seat=3" in url for url in asked[chosen:])
    answers = [json.loads(line) for line in tab.traffic().splitlines() if '"frames"' in line]
    replay = next(one for one in answers if one["asSeat"] == 3 and one["firstSeq"] == 0)
    assert replay["view"] == "SEAT"
    told = json.dumps([event for event in replay["events"] if event["seq"] < 42])
    assert hidden_from(3, 42)
    assert not [tiles for tiles in hidden_from(3, 42) if tiles in told]
    drawn = [event for event in replay["events"] if event["type"] == "drew" and event["seat"] != 3]
    assert drawn
    assert {event["tile"] for event in drawn} == {"??"}


def test_a_broken_line_and_what_is_before_it(tab: Tab) -> None:
    page = tab.go("/log")
    bring(tab, LOG[:20000])
    line = LOG[:20000].count(b"\n") + 1
    trouble = page.locator(".report .trouble")
    assert f"Line {line} cannot be read." in trouble.inner_text()
    assert "X-SHAPE-1" in page.locator(".report .findings").inner_text()
    stands_at(tab, 42)
    page.keyboard.press("End")
    stands_at(tab, line - 2)
    bring(tab, b'{"format":"mingpai-bundle/1"}')
    assert "Nothing of it could be audited." in page.locator(".result").inner_text()
    assert [text for text in tab.complaints if "422" in text] == tab.complaints
    tab.complaints.clear()
    assert page.locator(".result a").get_attribute("href") == "/verify"


@pytest.mark.slow
def test_two_games_packed(tabs: Callable[..., Tab]) -> None:
    """On a phone, in Chinese; the one with a finding is shown first."""
    tab = tabs(viewport=PHONE)
    page = tab.go("/log?lang=zh-Hant")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="選擇檔案").click()
    log = gzip.compress(lines(game(0), UNKNOWN))
    chooser.value.set_files({"name": "two.gz", "mimeType": "application/gzip", "buffer": log})
    page.wait_for_selector(".stepping .line .where")
    assert page.locator(".games tbody tr").count() == 2
    assert page.locator(".games [aria-current]").inner_text() == id_of(UNKNOWN)
    assert f"第 {UNKNOWN_AT} 步" in page.locator(".report .findings").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.locator(".games button").first.press("Enter")
    expect(page.locator(".report .findings")).to_have_count(0, timeout=_PATIENCE)
    expect(page.locator(".stepping .about")).to_contain_text(id_of(game(0)), timeout=_PATIENCE)


@pytest.mark.slow
def test_pasted_and_dropped(tab: Tab) -> None:
    page = tab.go("/log")
    page.locator("summary", has_text="Paste").press("Enter")
    page.get_by_label("Text of the log").fill(lines(game(0)).decode())
    page.get_by_role("button", name="Audit", exact=True).press("Enter")
    page.wait_for_selector(".result:not([aria-busy]) .report")
    assert page.locator(".result h2").first.inner_text() == "pasted text: 1 game"
    page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.items.add(new File([text], "dropped.jsonl"));
          document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        lines(UNKNOWN).decode(),
    )
    expect(page.locator(".result h2").first).to_have_text("dropped.jsonl: 1 game", timeout=_PATIENCE)
    page.wait_for_selector(".report .findings")


def test_too_large(tab: Tab) -> None:
    """It is told before it is sent."""
    page = tab.go("/log")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a file").click()
    packed = b"\x1f\x8b" + bytes(1024**2)
    chooser.value.set_files({"name": "large.gz", "mimeType": "application/gzip", "buffer": packed})
    page.wait_for_selector(".result:not([aria-busy]) .trouble")
    assert "too large for this page" in page.locator(".result .trouble").inner_text()
    assert not [url for url in tab.requests if "/audit?" in url]


def test_a_server_may_have_it_stored(tabs: Callable[..., Tab], site: Site) -> None:
    """Once it is asked for and confirmed; here a log that the store has already, so that nothing is added."""
    before = games(site)
    tab = tabs(who="server")
    page = tab.go("/log")
    bring(tab, LOG)
    page.get_by_role("button", name="Store this log").click()
    page.get_by_role("button", name="Do not store").press("Enter")
    assert not [url for url in tab.requests if url.endswith("/ingest")]
    page.get_by_role("button", name="Store this log").press("Enter")
    page.get_by_role("button", name="Store", exact=True).click()
    page.wait_for_selector(".stored li")
    assert f"0 new events, {len(EVENTS)} known before" in page.locator(".stored").inner_text()
    assert page.locator(".stored a").get_attribute("href") == f"/replay?game={EVENING}"
    assert games(site) == before


@pytest.mark.slow
def test_others_are_not_asked_to_store(tabs: Callable[..., Tab]) -> None:
    tab = tabs(who="clerk")
    page = tab.go("/log")
    bring(tab, lines(game(0)))
    page.wait_for_selector(".report")
    assert page.locator(".storing").count() == 0


def test_leaving_forgets(tab: Tab) -> None:
    page = tab.go("/log")
    bring(tab, LOG)
    tab.go("/verify")
    page.go_back()
    page.wait_for_selector("html[data-ready]")
    assert page.locator(".result > *").count() == 0


@pytest.mark.slow
def test_a_source_answers_as_that_of_a_stored_game(tabs: Callable[..., Tab]) -> None:
    """What the viewer and its panels ask a source for, of the same game in the store and in a log."""
    tab = tabs(who="auditor")
    page = tab.go("/log")
    both: list[Any] = page.evaluate(
        """async ([log, game]) => {
          await (await import("/static/x/lib/session.js")).session();
          const { dropped } = await import("/static/x/log/source.js");
          const { stored } = await import("/static/x/lib/sources.js");
          const answers = (source) => Promise.all([
            source.head(), source.hand({ hand: 2 }), source.hand({ seq: 50, asSeat: 1 }),
            source.step(41, 3), source.step(60, 1), source.waterfall(2), source.waterfall(9),
          ]);
          return Promise.all([answers(stored(game)), answers(dropped(log, game))]);
        }""",
        [LOG.decode(), EVENING],
    )
    of_store, of_log = both
    for kept, found in zip(of_store, of_log, strict=True):
        assert _common(found, kept) == _common(kept, kept)


#: Of a stored game alone, or words that only GraphQL has.
_APART = frozenset({"__typename", "isStored", "isPublic", "audit", "engineVersion", "version"})


def _common(value: Any, shape: Any) -> Any:
    if isinstance(shape, dict) and isinstance(value, dict):
        return {name: _common(value.get(name), shape[name]) for name in shape if name not in _APART}
    if isinstance(shape, list) and isinstance(value, list) and len(value) == len(shape):
        return [_common(one, other) for one, other in zip(value, shape, strict=True)]
    return value
