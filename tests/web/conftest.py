"""The run's browser (``browser``): one Chromium a worker process."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.web.browser import Browser, chromium
from tests.web.browser import browser as opened


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A page of the static folder in Chromium. Without Chromium its tests are skipped, unless
    ``MINGPAI_REQUIRE_BROWSER`` is 1."""
    executable = chromium()
    if executable is None:
        without = pytest.fail if os.environ.get("MINGPAI_REQUIRE_BROWSER") == "1" else pytest.skip
        without("no chromium on this machine (Debian's package chromium)")
    with opened(executable) as found:
        yield found
