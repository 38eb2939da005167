"""Signing in and out in a browser: by key, and at the platform's identity provider."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Page

from service.api import create_app
from service.store import Store
from tests.access.provider import FakeProvider, provided
from tests.access.servers import running
from tests.databases import Database
from tests.pages.site import PHONE, Chromium, Site, Tab

ELSEWHERE = (
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "https://evil.example",
    "https:evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "evil.example",
    " //evil.example",
    "",
)


def enter(page: Page, key: str) -> None:
    """Types a key and sends it."""
    page.get_by_label("Key", exact=True).fill(key)
    page.get_by_label("Key", exact=True).press("Enter")


def test_by_key_and_out_again(site: Site, tab: Tab) -> None:
    page = tab.go("/players?id_prefix=player-1&lang=en")
    with page.expect_navigation():
        page.get_by_role("link", name="Sign in").click()
    page.wait_for_selector("html[data-ready]")
    enter(page, f"  {site.keys['clerk']} ")
    page.wait_for_url("**/players?id_prefix=player-1&lang=en")
    page.wait_for_selector("html[data-ready]")
    (cookie,) = page.context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/")
    assert page.evaluate("document.cookie") == ""
    assert "clerk" in page.locator("header").inner_text()
    assert page.locator("tbody tr").count() > 0
    assert not [url for url in tab.requests if site.keys["clerk"] in url]

    page = tab.go("/sign-in?lang=en")
    assert page.locator("h1").inner_text() == "You are signed in"
    assert page.locator("dl time").count() == 1
    with page.expect_navigation():
        page.locator("header").get_by_role("button", name="Sign out").click()
    page.wait_for_selector("html[data-ready]")
    assert page.context.cookies() == []
    assert page.locator("header").get_by_role("link", name="Sign in").is_visible()


def test_a_key_that_opens_nothing(site: Site, tab: Tab) -> None:
    page = tab.go("/sign-in?lang=en")
    enter(page, "")
    assert page.get_by_role("alert").inner_text() == "Enter your key."
    wrong = site.keys["clerk"][:-1]
    enter(page, wrong)
    page.get_by_text("This key does not open the service").wait_for()
    field = page.get_by_label("Key", exact=True)
    assert field.input_value() == wrong
    assert field.get_attribute("aria-invalid") == "true"
    assert page.evaluate("document.activeElement.id") == "key"
    page.get_by_label("Show the key", exact=True).check()
    assert field.get_attribute("type") == "text"
    assert page.context.cookies() == []
    _only_401(tab)
    enter(page, site.keys["clerk"])
    page.get_by_text("You are signed in").wait_for()


def _only_401(tab: Tab) -> None:
    """Chromium itself writes refusals to the console."""
    assert [text for text in tab.complaints if "401" not in text] == []
    tab.complaints.clear()


def test_requests_that_other_sites_could_make_a_browser_send(site: Site, tabs: Callable[..., Tab]) -> None:
    page = tabs(who="clerk").go("/")
    token = page.request.get(f"{site.base}/session").json()["csrf_token"]
    body = {"query": "{ viewer { roles } }"}
    cases = {
        403: [
            {"origin": site.base},
            {"origin": site.base, "x-csrf-token": "x"},
            {"x-csrf-token": token, "origin": "https://evil.example"},
        ],
        200: [{"x-csrf-token": token, "origin": site.base}],
    }
    for status, sent in cases.items():
        for headers in sent:
            answer = page.request.post(f"{site.base}/graphql", data=body, headers=headers)
            assert answer.status == status, headers


def test_where_one_may_be_sent_afterwards(site: Site, tab: Tab) -> None:
    page = tab.go("/sign-in?lang=en")
    script = """async (paths) => {
      const { destination } = await import("/static/x/access/destination.js");
      return paths.map(destination);
    }"""
    assert page.evaluate(script, [*ELSEWHERE, None]) == [None] * (len(ELSEWHERE) + 1)
    ours = ["/", "/case?id=7#x", "/?to=//evil.example", "/.//evil.example"]
    assert page.evaluate(script, ours) == [site.base + path for path in (*ours[:3], "//evil.example")]
    tab.go(f"/sign-in?lang=en&to={quote('//evil.example')}")
    enter(page, site.keys["clerk"])
    page.get_by_text("You are signed in").wait_for()
    href = page.get_by_role("link", name="Continue").get_attribute("href")
    assert href == "/?lang=en"


@pytest.mark.parametrize(("lang", "heading"), [("en", "Sign in"), ("zh-Hans", "登录"), ("zh-Hant", "登入")])
@pytest.mark.slow
def test_on_a_phone_in_three_languages(tabs: Callable[..., Tab], lang: str, heading: str) -> None:
    page = tabs(viewport=PHONE).go(f"/sign-in?lang={lang}")
    assert page.locator("h1").inner_text() == heading
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


# The identity provider


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    """An identity provider."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with provided() as found:
        yield found


@pytest.fixture
def joined(store: Store, database: Database, provider: FakeProvider) -> Iterator[Site]:
    """A service whose people sign in at ``provider``; it has no games."""
    with running(create_app(store, provider=provider.settings)) as base:
        yield Site(base, {}, database)


@pytest.fixture
def visitor(joined: Site, provider: FakeProvider, chromium: Chromium) -> Iterator[Tab]:
    """A page of that service."""
    found: Tab = chromium.run(lambda: Tab.opened(chromium.context(), joined))
    yield found
    chromium.run(found.page.context.close)
    found.requests[:] = [url for url in found.requests if not url.startswith(f"{provider.issuer}/authorize?")]
    found.check()


@pytest.mark.usefixtures("tabs")
def test_with_an_account(visitor: Tab, provider: FakeProvider) -> None:
    """There and back: the address keeps nothing of it, nor does the tab, and the provider heard no secret of ours."""
    page = visitor.go("/sign-in?to=/players%3Fid_prefix%3Dx")
    page.get_by_role("button", name="Sign in at 127.0.0.1").click()
    page.wait_for_url("**/players?id_prefix=x")
    page.wait_for_selector("html[data-ready]")
    assert "clerk" in page.locator("header").inner_text()
    (asked,) = [url for url in visitor.requests if url.startswith(f"{provider.issuer}/authorize?")]
    for part in ("response_type=code", "code_challenge_method=S256", "scope=openid+profile", "state=", "nonce="):
        assert part in asked
    assert "verifier" not in asked
    assert page.evaluate("sessionStorage.length") == 0
    page.go_back()
    page.wait_for_selector("html[data-ready]")
    assert "code=" not in page.url


@pytest.mark.usefixtures("tabs")
@pytest.mark.slow
def test_the_provider_refuses(visitor: Tab, provider: FakeProvider) -> None:
    provider.who = None
    page = visitor.go("/sign-in?to=/players")
    page.get_by_role("button", name="Sign in at").click()
    told = page.get_by_role("alert").filter(has_text="ended")
    told.wait_for()
    assert "<b>not today</b>" in told.inner_text()
    assert page.url.endswith("/sign-in?to=%2Fplayers")  # from where one can try again


@pytest.mark.usefixtures("tabs")
@pytest.mark.slow
def test_an_answer_that_nobody_here_asked_for(visitor: Tab, provider: FakeProvider) -> None:
    """Somebody else's code would sign the reader in as somebody else."""
    for query in (
        "code=stolen&state=x",
        "code=stolen",
        "error=access_denied&error_description=call+0900",
        "code=x&state=",
    ):
        page = visitor.go(f"/sign-in?lang=en&{query}")
        told = page.get_by_role("alert").filter(has_text="not begun in this tab").inner_text()
        assert "0900" not in told
        assert page.url.endswith("/sign-in?lang=en")
    assert not [url for url in visitor.requests if "stolen" in url and "/sign-in?" not in url]
    assert page.context.cookies() == []


@pytest.mark.usefixtures("tabs")
@pytest.mark.parametrize("name", ["state", "nonce", "code_challenge", "iss"])
@pytest.mark.slow
def test_an_answer_to_another_question(visitor: Tab, provider: FakeProvider, name: str) -> None:
    provider.twists = {name: "x" * 43}
    page = visitor.go("/sign-in?lang=en")
    page.get_by_role("button", name="Sign in at").click()
    page.get_by_role("alert").filter(has_text="egin again").wait_for()
    assert page.context.cookies() == []
    _only_401(visitor)


@pytest.mark.usefixtures("tabs")
def test_the_provider_is_away(visitor: Tab, provider: FakeProvider) -> None:
    """The page is there, and says so."""
    provider.is_down = True
    page = visitor.go("/sign-in?lang=en")
    page.get_by_text("is not available now").wait_for()
    assert page.get_by_label("Key", exact=True).is_visible()
    assert page.get_by_role("button", name="Try again").is_visible()
    assert [text for text in visitor.complaints if "503" not in text] == []
    visitor.complaints.clear()
