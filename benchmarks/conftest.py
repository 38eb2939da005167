"""Collects one line a benchmark and prints them together at the end, each with its peer and its goal."""

from __future__ import annotations

from collections.abc import Callable

import pytest

_LINES = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_LINES] = []


@pytest.fixture
def report(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Adds a line to the summary."""
    return request.config.stash[_LINES].append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if config.stash[_LINES]:
        terminalreporter.section("ratios")
        for line in config.stash[_LINES]:
            terminalreporter.write_line(line)
