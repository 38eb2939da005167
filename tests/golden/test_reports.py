"""Every kept log still gives the report that is kept beside it, to the byte."""

from __future__ import annotations

import pytest

from replays.audit import audit
from replays.events import Event, Settled
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


@pytest.mark.parametrize("log", [log for log in LOGS if log[0].startswith("xiamen-")], ids=lambda log: log[0])
def test_an_independent_table_is_paid_the_same(log: tuple[str, list[Event]]) -> None:
    """The example games were played and settled by a table that shares nothing with this engine."""
    report = audit(log[1])
    settled = [event.deltas for event in log[1] if isinstance(event, Settled)]
    assert (report.verdict, report.findings) == ("clean", ())
    assert [hand.deltas for hand in report.hands] == settled
