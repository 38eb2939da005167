"""Every kept log still gives the report that is kept beside it, to the byte."""

from __future__ import annotations

import pytest

from replays.audit import audit
from replays.events import Event, GameStarted, Settled
from replays.variants import REGISTRY
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


def test_every_rule_set_is_among_them() -> None:
    assert {log[0].ruleset for _, log in LOGS if isinstance(log[0], GameStarted)} == set(REGISTRY)


PLAYED_ELSEWHERE = [log for log in LOGS if log[0].startswith(tuple(f"{ruleset}-" for ruleset in REGISTRY))]


@pytest.mark.parametrize("log", PLAYED_ELSEWHERE, ids=lambda log: log[0])
def test_an_independent_table_is_paid_the_same(log: tuple[str, list[Event]]) -> None:
    """The example games were played and settled by a table that shares nothing with this engine."""
    report = audit(log[1])
    settled = [event.deltas for event in log[1] if isinstance(event, Settled)]
    assert (report.verdict, report.findings) == ("clean", ())
    assert [hand.deltas for hand in report.hands] == settled
