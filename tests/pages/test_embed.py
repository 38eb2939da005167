"""The embedded replay in a page of another origin: what it shows, what it tells, what it does when asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from tests.pages.site import EVENING, EVENING_LOG, Site, Tab

PUBLISH = """mutation ($game: String!, $public: Boolean!) {
  publishGame(game: $game, public: $public) { ... on Game { isPublic } }
}"""
#: A page that keeps what it is told, and lets a test speak for it.
AROUND = """<!DOCTYPE html><title>Around</title><iframe title="A game" src="{src}" width="1000" height="800"></iframe>
<script>
  window.told = [];
  addEventListener("message", ({{ data, origin }}) => told.push({{ ...data, origin }}));
  window.ask = (message) => document.querySelector("iframe").contentWindow.postMessage(message, "*");
</script>"""


@pytest.fixture
def public(site: Site) -> Iterator[str]:
    """The evening, as long as everybody may see it."""
    site.ask("admin", PUBLISH, game=EVENING, public=True)
    yield EVENING
    site.ask("admin", PUBLISH, game=EVENING, public=False)


class Around(BaseHTTPRequestHandler):
    """Answers ``/?…`` with a page around the replay that the query asks for."""

    base = ""

    def do_GET(self) -> None:
        query = urlsplit(self.path).query
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(AROUND.format(src=f"{self.base}/embed?{query}").encode())

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def elsewhere(site: Site) -> Iterator[str]:
    """The address of another site than ours."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Here", (Around,), {"base": site.base}))
    with server, ThreadPoolExecutor(max_workers=1) as thread:
        thread.submit(server.serve_forever, poll_interval=0.05)
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


@pytest.fixture
def around(elsewhere: str, tabs: Callable[..., Tab]) -> Callable[[str], Page]:
    """Opens a page of another origin with an embedded replay of this query in it; ``tabs`` ends its context."""

    def open_page(query: str) -> Page:
        page = tabs(who="auditor").page.context.new_page()  # the frame must not act for the auditor
        page.goto(f"{elsewhere}/?{query}")
        return page

    return open_page


def told(page: Page, name: str, **values: Any) -> dict[str, Any]:
    """The newest message of this name with these values, once there is one."""
    wanted = {"type": f"mingpai.{name}", **values}
    found = page.wait_for_function(
        "(wanted) => told.findLast((one) => Object.entries(wanted).every(([name, value]) => one[name] === value))",
        arg=wanted,
    )
    message: dict[str, Any] = found.json_value()
    return message


def ask(page: Page, **message: Any) -> None:
    """Sends the frame a message."""
    page.evaluate("(message) => ask(message)", message)


def frame(page: Page) -> FrameLocator:
    """What is in the frame."""
    return page.frame_locator("iframe")


def test_messages(around: Callable[[str], Page], public: str, site: Site) -> None:
    """It tells of every step, and goes where it is asked to go."""
    page = around(f"game={public}&step=41&theme=dark&lang=zh-Hant")
    assert told(page, "ready", game=public)["origin"] == site.base
    assert told(page, "step", step=41) == {
        "type": "mingpai.step",
        "game": public,
        "hand": 1,
        "step": 41,
        "first": 0,
        "last": 606,
        "origin": site.base,
    }
    expect(frame(page).locator(".where")).to_have_text("第 1 盤，第 41/606 步")
    expect(frame(page).locator("html")).to_have_attribute("data-theme", "dark")
    expect(frame(page).locator("header.site")).to_have_count(0)
    ask(page, type="mingpai.go", by="next")
    told(page, "step", step=42)
    ask(page, type="mingpai.go", hand=3)
    told(page, "step", step=203, hand=3)
    ask(page, type="mingpai.go", step=604)
    told(page, "step", step=604)
    ask(page, type="mingpai.play")
    told(page, "step", step=606)
    ask(page, type="mingpai.go", step=607)
    told(page, "problem", code="SEQ_OUT_OF_RANGE")
    assert told(page, "height")["height"] > 300


def test_nobody(around: Callable[[str], Page]) -> None:
    """The frame asks as nobody, whoever is signed in: a game that is not public is not there."""
    page = around(f"game={EVENING}&step=41")
    told(page, "problem", code="GAME_NOT_FOUND")
    expect(frame(page).get_by_role("alert")).to_be_visible()


def test_plain(around: Callable[[str], Page], public: str, site: Site) -> None:
    """Without controls there are table and line; who is not named as the page around is told nothing."""
    page = around(f"game={public}&step=41&controls=0&origin=https://elsewhere.example")
    expect(frame(page).locator(".board .seat")).to_have_count(4)
    expect(frame(page).get_by_role("button")).to_have_count(0)
    ask(page, type="mingpai.go", by="next")
    frame(page).locator(".where").click()
    page.keyboard.press("ArrowRight")
    expect(frame(page).locator(".where")).to_have_text("Hand 1, step 42 of 606")
    assert page.evaluate("told") == []


@pytest.mark.slow
def test_log(around: Callable[[str], Page], site: Site) -> None:
    """A log that the page around gives is shown, and is not stored."""
    asked = "query { games(first: 100) { ... on GameConnection { edges { node { game } } } } }"
    before = site.ask("auditor", asked)
    lines = [json.loads(line) for line in EVENING_LOG.read_text(encoding="utf-8").splitlines()[:203]]
    lines[0]["game"] = "given-by-a-page"
    page = around("lang=en")
    told(page, "ready", game=None)
    ask(page, type="mingpai.load", log="\n".join(map(json.dumps, lines)))
    assert told(page, "step")["game"] == "given-by-a-page"
    ask(page, type="mingpai.go", by="next_finding")
    told(page, "step", step=2)  # under another name the seeds are others
    expect(frame(page).locator(".wrong")).to_contain_text("F-SEED-1")
    assert site.ask("auditor", asked) == before
    ask(page, type="mingpai.load", log=7)
    told(page, "problem", code="BAD_LOG")
