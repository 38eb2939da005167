"""Every kept log still gives the report that is kept beside it, to the byte."""

from __future__ import annotations

import pytest

from replays.events import Event
from tests.golden.logs import REPORTS, line, logs

KEPT = REPORTS.read_bytes().splitlines()
LOGS = list(logs())


def test_every_log_has_its_report() -> None:
    assert len(KEPT) == len(LOGS)


@pytest.mark.parametrize(
    ("log", "kept"), list(zip(LOGS, KEPT, strict=False)), ids=[name.replace(" ", "-") for name, _ in LOGS]
)
def test_the_report_is_the_same(log: tuple[str, list[Event]], kept: bytes) -> None:
    assert line(*log) == kept
