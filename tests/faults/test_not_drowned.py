"""After a finding the audit goes on from the recorded facts, so one fault does not drown the next."""

from __future__ import annotations

import pytest

from replays.audit import audit
from replays.shuffle import Stream
from tests.faults import logs
from tests.faults.kinds import Planted
from tests.faults.planting import CASES, FAULTS, answers, audited, stream_of

#: Faults after which another can be planted: planting the second numbers events and adds up scores anew.
_NUMBERED = [
    name
    for name, fault in FAULTS.items()
    if "bare" in fault.forms
    and fault.table == "ordinary"
    and fault.clauses != ("G-ORDER-1",)
    and fault.clauses[0] not in ("G-SEQ-1", "G-TIME-1", "G-SCORE-1")
] + ["settled before won", "settled twice", "won twice", "hand ended twice", "dice after the deal"]

_PAIRS = 5
_GAMES = 40


@pytest.mark.parametrize(("name", "form"), CASES)
def test_one_fault_makes_few_findings(name: str, form: str) -> None:
    for one in audited(name, form):
        found = [(f.seq, f.hand, f.clause, f.code) for f in one.report.findings]
        assert len(found) <= FAULTS[name].most, f"{one.event}: {len(found)} findings: {found[:8]}"


@pytest.mark.parametrize(("name", "form"), CASES)
def test_the_hands_after_it_are_clean(name: str, form: str) -> None:
    for one in audited(name, form):
        found = [(f.seq, f.hand, f.clause, f.code) for f in one.later]
        assert len(found) <= FAULTS[name].reaches, f"{one.event}: {found[:8]}"


def _second(one: Planted, first: str, stream: Stream) -> tuple[str, Planted] | None:
    """Another kind of fault in a later hand of a log that has one already."""
    log = logs.log_of(one.events)
    for _ in range(20):
        name = _NUMBERED[stream.uniform(len(_NUMBERED))]
        other = FAULTS[name].plant(log, stream) if name != first else None
        if other is not None and one.hand is not None and other.hand is not None and other.hand > one.hand:
            return name, other
    return None


@pytest.mark.parametrize("name", _NUMBERED)
def test_two_faults_in_different_hands_are_both_found(name: str) -> None:
    fault, stream = FAULTS[name], stream_of(name, "two")
    pairs = 0
    for index in range(_GAMES):
        log = logs.log("bare", fault.table, index)
        assert log is not None
        one = fault.plant(log, stream)
        second = None if one is None else _second(one, name, stream)
        if one is None or second is None:
            continue
        other, both = second
        report = audit(both.events)
        found = [(f.seq, f.clause, f.code) for f in report.findings]
        assert answers(fault, one.seqs, report), f"{one.seqs} {fault.clauses} beside {other}: {found[:8]}"
        assert answers(FAULTS[other], both.seqs, report), f"{both.seqs} {other} after {name}: {found[:8]}"
        pairs += 1
        if pairs == _PAIRS:
            return
    assert pairs, "never planted with another after it"
