"""A service for the worker process (``site``), and pages in a real browser (``tab``, ``tabs``).

Tests that take one of them run in the browser's thread as a whole, so they are written plainly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from service.embedded import Server
from tests.databases import cloned
from tests.pages.site import Chromium, Site, Tab, make_template
from tests.pages.site import chromium as started
from tests.pages.site import site as served
from tests.web.browser import needed_chromium

_IN_THREAD = ("tab", "tabs")


@pytest.fixture(scope="session")
def site(durable: Server, durable_template: str) -> Iterator[Site]:
    """One service for all tests of a worker process: they leave its games as they are."""
    with cloned(durable, make_template(durable, durable_template)) as database, served(database) as found:
        yield found


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """One Chromium a worker process."""
    with started(needed_chromium()) as found:
        yield found


@pytest.fixture
def tabs(site: Site, chromium: Chromium) -> Iterator[Callable[..., Tab]]:
    """Opens pages, each in a context of its own: ``tabs(who="clerk", viewport=PHONE)``. At the end none of them has
    complained or asked for anything elsewhere."""
    opened: list[Tab] = []

    def open_tab(who: str | None = None, **options: Any) -> Tab:
        tab = Tab.opened(chromium.context(**options), site)
        opened.append(tab)
        if who is not None:
            tab.sign_in(who)
        return tab

    def close() -> None:
        for tab in opened:
            tab.page.context.close()

    yield open_tab
    chromium.run(close)
    for tab in opened:
        tab.check()


@pytest.fixture
def tab(tabs: Callable[..., Tab], chromium: Chromium) -> Tab:
    """One page of somebody who has not signed in."""
    found: Tab = chromium.run(tabs)
    return found


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs a browser's test in the browser's thread."""
    if not any(name in pyfuncitem.funcargs for name in _IN_THREAD):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    arguments = {name: pyfuncitem.funcargs[name] for name in names}
    browser: Chromium = pyfuncitem.funcargs.get("chromium") or pyfuncitem._request.getfixturevalue("chromium")
    browser.run(lambda: pyfuncitem.obj(**arguments))
    return True
