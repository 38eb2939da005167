"""Every fault of the contract's table that concerns this rule set, planted at random places in clean logs, is found.

It is found at its own ``seq`` (or at the first event that cannot be right because of it), with its clause, and nothing
is found before it.
"""

from __future__ import annotations

import pytest

from replays.audit import CLEAN, VIOLATIONS, audit
from replays.finding import VIOLATION
from schema.catalogue import LANGUAGES, message
from schema.words.findings import MESSAGES
from tests.faults import logs
from tests.faults.planting import CASES, FAULTS, PLACES, SEED, Audited, answers, audited

MANY = 30  #: places of the long run

_SOURCES = sorted({(FAULTS[name].table, form) for name, form in CASES})


def _said(one: Audited) -> str:
    found = [(f.seq, f.clause, f.code, f.also) for f in one.report.findings[:5]]
    return f"seed {SEED!r}: {one.event} at {one.seqs}: {one.report.verdict} {one.report.error or ''} {found}"


def _check(name: str, one: Audited) -> None:
    fault = FAULTS[name]
    found = answers(fault, one.seqs, one.report)
    assert found, f"not found: {_said(one)}"
    assert {finding.severity for finding in found} == {VIOLATION}
    assert one.report.verdict == VIOLATIONS, _said(one)
    assert min(finding.seq for finding in one.report.findings) >= min(one.seqs), f"found before: {_said(one)}"


@pytest.mark.parametrize(("table", "form"), _SOURCES)
def test_the_logs_are_clean_before_anything_is_planted(table: str, form: str) -> None:
    for index in range(3):
        log = logs.log(form, table, index)
        assert log is not None
        report = audit(log.events)
        is_expected = form == "short"  # seeds that could be guessed are the fault itself
        assert is_expected or (report.verdict, report.findings) == (CLEAN, ())


@pytest.mark.parametrize(("name", "form"), CASES)
def test_it_is_found_where_it_is(name: str, form: str) -> None:
    found = audited(name, form)
    assert len(found) == PLACES, f"planted in only {len(found)} places"
    for one in found:
        _check(name, one)


@pytest.mark.parametrize(("name", "form"), CASES)
def test_what_is_found_has_words(name: str, form: str) -> None:
    findings = [finding for one in audited(name, form) for finding in answers(FAULTS[name], one.seqs, one.report)]
    for finding in findings:
        assert finding.code in MESSAGES or f"{finding.clause}/{finding.code}" in MESSAGES
        for lang in LANGUAGES:
            assert finding.clause in message(finding, lang)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "form"), CASES)
def test_it_is_found_in_many_places(name: str, form: str) -> None:
    found = audited(name, form, MANY)
    assert len(found) >= PLACES
    for one in found:
        _check(name, one)
        assert len(one.report.findings) <= FAULTS[name].most, _said(one)
