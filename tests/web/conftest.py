"""The run's browser (``browser``): one Chromium a worker process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.browser import Browser, needed_chromium
from tests.web.browser import browser as opened


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A page of the static folder in Chromium."""
    with opened(needed_chromium()) as found:
        yield found
