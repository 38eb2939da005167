"""A service with games, keys and a browser in front of it, for the tests of the pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psycopg
from playwright import sync_api as playwright
from psycopg import sql

from schema.ports import Role
from service import demo
from service.embedded import ADMIN, Server
from service.store import Store
from service.usecases.demo_keys import demo_keys
from tests.access.keys import bearer
from tests.api.test_server import serving
from tests.databases import Database, addresses, create
from tests.web.browser import ARGUMENTS

#: An evening in Xiamen with a false win at step 42 of hand 1; ``player-11`` declared it.
EVENING = "table-7-evening"
EVENING_LOG = Path(__file__).resolve().parents[2] / "docs/examples/false-self-draw.paipu.jsonl"
#: Of the demonstration's games those that the pages are tried on, beside the evening.
GAMES = 2
PLAYER = "player-02"  #: the person behind the player's key, who sat in the evening

PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1366, "height": 850}


@dataclass(frozen=True, slots=True)
class Site:
    """The service's address; ``keys`` by name: ``player``, ``clerk``, ``clerk 2``, ``server``, ``auditor``,
    ``analyst``, ``admin``."""

    base: str
    keys: Mapping[str, str]
    database: Database

    def ask(self, who: str | None, query: str, **variables: Any) -> Any:
        """The data of a GraphQL request by a key's name, for what a test needs to know or to set up."""
        headers = {} if who is None else bearer(self.keys[who])
        body = {"query": query, "variables": variables}
        answer = httpx.post(f"{self.base}/graphql", json=body, headers=headers, trust_env=False, timeout=30)
        found = answer.json()
        assert "errors" not in found, found
        return found["data"]


_TEMPLATE = "mingpai_pages"
_LOCK = 2  #: 1 is that of the migrated template


def make_template(server: Server, migrated: str) -> str:
    """The name of a database with sound games and games with a fault of either rule set, made like ``migrated`` by
    whichever worker process comes first."""
    with psycopg.connect(server.url(ADMIN), autocommit=True) as admin:
        admin.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        if admin.execute("SELECT FROM pg_database WHERE datname = %s", [_TEMPLATE]).rowcount == 0:
            making = f"{_TEMPLATE}_making"
            create(admin, making, migrated)
            with Store.connect(addresses(server, making).application_url) as store:
                for plan in demo.planned(GAMES):
                    demo.take_in(store, plan)
            names = map(sql.Identifier, (making, _TEMPLATE))
            admin.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(*names))
    return _TEMPLATE


@contextmanager
def site(database: Database) -> Iterator[Site]:
    """The service over ``database``, which has the games of ``make_template``, and the evening beside them."""
    with Store.connect(database.application_url) as store:
        keys = dict(_named(store))
    with serving(database) as (_, base):
        headers = {**bearer(keys["server"]), "content-type": "application/x-ndjson"}
        log = EVENING_LOG.read_bytes()
        httpx.post(f"{base}/ingest", content=log, headers=headers, trust_env=False, timeout=60).raise_for_status()
        yield Site(base, keys, database)


def _named(store: Store) -> Iterator[tuple[str, str]]:
    clerks = 0
    for key in demo_keys(store, PLAYER):
        clerks += key.role is Role.CLERK
        yield f"{key.role.value} 2" if key.role is Role.CLERK and clerks == 2 else key.role.value, key.text


@dataclass
class Tab:
    """A page in a browser context of its own, and all that it asked for and complained of."""

    site: Site
    page: playwright.Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    _responses: list[playwright.Response] = field(default_factory=list)

    @classmethod
    def opened(cls, context: playwright.BrowserContext, site: Site) -> Tab:
        """A new page in ``context``."""
        tab = cls(site, context.new_page())
        tab.page.on("console", lambda message: tab.complaints.append(message.text))
        tab.page.on("pageerror", lambda error: tab.complaints.append(str(error)))
        tab.page.on("request", lambda request: tab.requests.append(request.url))
        tab.page.on("response", lambda response: tab._responses.append(response))
        return tab

    def traffic(self) -> str:
        """The bodies of all answers so far that are data, one a line."""
        found = [one for one in self._responses if "/static/" not in one.url and one.status == 200]
        return "\n".join(one.text() for one in found)

    def forget(self) -> None:
        """Forgets what was asked for and answered so far."""
        self.requests.clear()
        self._responses.clear()

    def go(self, path: str) -> playwright.Page:
        """The page at ``path``, once it has built itself."""
        self.page.goto(self.site.base + path)
        self.page.wait_for_selector("html[data-ready]")
        return self.page

    def sign_in(self, who: str) -> None:
        """Signs in with a key, as the sign-in page does."""
        origin = {"origin": self.site.base}
        data = {"key": self.site.keys[who]}
        answer = self.page.request.post(f"{self.site.base}/session", data=data, headers=origin)
        assert answer.ok, answer.text()

    def check(self) -> None:
        """No page complained, and none asked for anything elsewhere."""
        assert not self.complaints, "\n".join(self.complaints)
        elsewhere = [url for url in self.requests if not url.startswith((self.site.base, "blob:", "data:"))]
        assert not elsewhere, elsewhere


class Chromium:
    """Chromium, driven from a thread of its own: its event loop would be in the way of tests that run loops."""

    def __init__(self, thread: ThreadPoolExecutor, executable: str) -> None:
        self._thread = thread
        self._playwright = playwright.sync_playwright().start()
        launch = self._playwright.chromium.launch
        self._browser = launch(executable_path=executable, headless=True, args=list(ARGUMENTS))

    def run(self, work: Callable[[], Any]) -> Any:
        """What ``work`` gives in the browser's thread."""
        return self._thread.submit(work).result()

    def context(self, **options: Any) -> playwright.BrowserContext:
        """A new context; times are those of UTC, words are English unless asked otherwise."""
        return self._browser.new_context(**{"locale": "en", "timezone_id": "UTC", "viewport": DESKTOP, **options})

    def close(self) -> None:
        """Ends the browser."""
        self._browser.close()
        self._playwright.stop()


@contextmanager
def chromium(executable: str) -> Iterator[Chromium]:
    """A browser for the run."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        found = thread.submit(Chromium, thread, executable).result()
        try:
            yield found
        finally:
            thread.submit(found.close).result()
