"""Every fault of the contract's table, planted at random places in clean logs of either rule set, is found.

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
from tests.faults.kinds import Fault
from tests.faults.planting import CASES, FAULTS, PLACES, SEED, Audited, answers, audited

MANY = 30  #: places of the long run

_SOURCES = sorted({(rs, table, form) for rs, name, form in CASES for table in FAULTS[rs][name].tables})


def _said(one: Audited) -> str:
    found = [(f.seq, f.clause, f.code, f.also) for f in one.report.findings[:5]]
    return f"seed {SEED!r}: {one.event} at {one.seqs}: {one.report.verdict} {one.report.error or ''} {found}"


def _check(fault: Fault, one: Audited) -> None:
    found = answers(fault, one.seqs, one.report)
    assert found, f"not found: {_said(one)}"
    assert {finding.severity for finding in found} == {VIOLATION}
    assert one.report.verdict == VIOLATIONS, _said(one)
    assert min(finding.seq for finding in one.report.findings) >= min(one.seqs), f"found before: {_said(one)}"


@pytest.mark.parametrize(("ruleset", "table", "form"), _SOURCES)
def test_the_logs_are_clean_before_anything_is_planted(ruleset: str, table: str, form: str) -> None:
    for index in range(2 if table in logs.TABLES else 1):
        log = logs.log(ruleset, form, table, index)
        assert log is not None
        report = audit(log.events)
        is_expected = form == "short"  # seeds that could be guessed are the fault itself
        assert is_expected or (report.verdict, report.findings) == (CLEAN, ())


@pytest.mark.parametrize(("ruleset", "name", "form"), CASES)
def test_it_is_found_where_it_is(ruleset: str, name: str, form: str) -> None:
    found = audited(ruleset, name, form)
    assert len(found) == PLACES, f"planted in only {len(found)} places"
    for one in found:
        _check(FAULTS[ruleset][name], one)


@pytest.mark.parametrize(("ruleset", "name", "form"), CASES)
def test_what_is_found_has_words(ruleset: str, name: str, form: str) -> None:
    fault = FAULTS[ruleset][name]
    for finding in [
        finding for one in audited(ruleset, name, form) for finding in answers(fault, one.seqs, one.report)
    ]:
        assert finding.code in MESSAGES or f"{finding.clause}/{finding.code}" in MESSAGES
        for lang in LANGUAGES:
            assert finding.clause in message(finding, lang)


def test_a_kong_that_there_is_not_and_its_robbing_are_both_found() -> None:
    for one in audited("longyan", "added kong robbed in full", "bare"):
        found = [(finding.seq, finding.clause) for finding in one.report.findings]
        assert found == [(one.event.seq, "L-CLAIM-1"), (one.event.seq + 1, "L-CLAIM-1")], _said(one)


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "name", "form"), CASES)
def test_it_is_found_in_many_places(ruleset: str, name: str, form: str) -> None:
    fault = FAULTS[ruleset][name]
    found = audited(ruleset, name, form, MANY)
    assert len(found) >= PLACES
    for one in found:
        _check(fault, one)
        assert len(one.report.findings) <= fault.most, _said(one)
