"""How long a step of a replay takes to show, and how much the page of a game is, in Chromium on this machine.

A step is measured from the key to the end of the frame that shows it (the page's own measure ``step``), over a whole
hand that is loaded. Goals: 50 ms, and 300 KB with the hand that is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles

import pytest
from playwright.sync_api import Request

from service.embedded import embedded
from service.web.assets import documents
from tests.databases import SAFE, cloned, make_template
from tests.pages.site import EVENING, Chromium, Site, Tab
from tests.pages.site import chromium as started
from tests.pages.site import site as served
from tests.web.browser import needed_chromium

pytestmark = pytest.mark.bench

FIRST, LAST = 429, 606  #: the steps of the evening's longest hand
ANSWER = ("responseHeadersSize", "responseBodySize")
REPLAY = next(key for key, text in documents().items() if text.startswith("query HandReplay"))


def test_replay(tmp_path_factory: pytest.TempPathFactory, report: Callable[[str], None]) -> None:
    path = needed_chromium()
    folder: Path = tmp_path_factory.mktemp("pages")
    with (
        embedded(folder / "data", settings=SAFE) as server,
        cloned(server, make_template(server)) as database,
        served(database) as site,
        started(path) as browser,
    ):
        steps, size = browser.run(lambda: measured(browser, site))
    report(
        f"a step of a replay: {median(steps):.0f} ms, {quantiles(steps, n=20)[-1]:.0f} ms at 95 % (goal 50 ms); "
        f"the page with its hand: {size / 1000:.0f} KB (goal 300 KB)"
    )


def measured(browser: Chromium, site: Site) -> tuple[list[float], int]:
    """Milliseconds of each step of the hand, and bytes up to the hand's answer."""
    tab = Tab.opened(browser.context(), site)
    tab.sign_in("auditor")
    asked: list[Request] = []
    tab.page.on("request", lambda request: asked.append(request))
    page = tab.go(f"/replay?game={EVENING}&step={FIRST}")
    hand = next(at for at, request in enumerate(asked) if REPLAY in (request.post_data or ""))
    size = sum(request.sizes()[name] for request in asked[: hand + 1] for name in ANSWER)  # type: ignore[literal-required]
    for _ in range(FIRST, LAST):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(30)  # as a key that is held
    page.wait_for_function(f"performance.getEntriesByName('step').length > {LAST - FIRST}")
    steps = page.evaluate("performance.getEntriesByName('step').slice(1).map((one) => one.duration)")
    page.context.close()
    return steps, size
