"""After a finding the audit goes on from the recorded facts, so one fault does not drown the next."""

from __future__ import annotations

import pytest

from replays.audit import audit
from replays.reducer import Impossible, apply, start
from replays.referee import offers
from replays.shuffle import Stream
from replays.view import picture
from tests.faults import logs
from tests.faults.kinds import Planted
from tests.faults.planting import CASES, FAULTS, answers, audited, planted, stream_of

#: Faults after which another can be planted: planting the second numbers events and adds up scores anew.
_NUMBERED = {
    ruleset: [
        name
        for name, fault in faults.items()
        if "bare" in fault.forms
        and fault.tables == ("ordinary",)
        and fault.clauses != ("G-ORDER-1",)
        and fault.clauses[0] not in ("G-SEQ-1", "G-TIME-1", "G-SCORE-1")
    ]
    + ["settled before won", "settled twice", "won twice", "hand ended twice", "dice after the deal"]
    for ruleset, faults in FAULTS.items()
}
_FIRST = [(ruleset, name) for ruleset, names in _NUMBERED.items() for name in names]

_ALL = [(ruleset, name) for ruleset, faults in FAULTS.items() for name in faults]

_STEPS = 12  #: events after a fault at which everybody's rights are asked for
_PAIRS = 2
_GAMES = 40


@pytest.mark.parametrize(("ruleset", "name", "form"), CASES)
def test_one_fault_makes_few_findings(ruleset: str, name: str, form: str) -> None:
    for one in audited(ruleset, name, form):
        found = [(f.seq, f.hand, f.clause, f.code) for f in one.report.findings]
        most = FAULTS[ruleset][name].most
        assert len(found) <= most, f"{one.event}: {len(found)} findings: {found[:8]}"


@pytest.mark.parametrize(("ruleset", "name", "form"), CASES)
def test_the_hands_after_it_are_clean(ruleset: str, name: str, form: str) -> None:
    for one in audited(ruleset, name, form):
        found = [(f.seq, f.hand, f.clause, f.code) for f in one.later]
        assert len(found) <= FAULTS[ruleset][name].reaches, f"{one.event}: {found[:8]}"


@pytest.mark.parametrize(("ruleset", "name"), _ALL)
def test_the_table_can_still_be_shown(ruleset: str, name: str) -> None:
    for one in planted(ruleset, name, FAULTS[ruleset][name].forms[0], 1):
        first, *rest = one.events
        table = start(first)
        for index, event in enumerate(rest[: one.at + _STEPS], 1):
            try:
                table = apply(table, event)
            except Impossible:
                return
            if index >= one.at:
                assert len(offers(table)) == len(table.seats)
                assert picture(table, table.dealer)["seq"] == event.seq


def _second(ruleset: str, one: Planted, first: str, stream: Stream) -> tuple[str, Planted] | None:
    """Another kind of fault in a later hand of a log that has one already."""
    log, names = logs.log_of(one.events), _NUMBERED[ruleset]
    for _ in range(20):
        name = names[stream.uniform(len(names))]
        other = FAULTS[ruleset][name].plant(log, stream) if name != first else None
        if other is not None and one.hand is not None and other.hand is not None and other.hand > one.hand:
            return name, other
    return None


@pytest.mark.parametrize(("ruleset", "name"), _FIRST)
def test_two_faults_in_different_hands_are_both_found(ruleset: str, name: str) -> None:
    faults = FAULTS[ruleset]
    fault, stream = faults[name], stream_of(ruleset, name, "two")
    pairs = 0
    for index in range(_GAMES):
        log = logs.log(ruleset, "bare", fault.tables[0], index)
        assert log is not None
        one = fault.plant(log, stream)
        second = None if one is None else _second(ruleset, one, name, stream)
        if one is None or second is None:
            continue
        other, both = second
        report = audit(both.events)
        found = [(f.seq, f.clause, f.code) for f in report.findings]
        assert answers(fault, one.seqs, report), f"{one.seqs} {fault.clauses} beside {other}: {found[:8]}"
        assert answers(faults[other], both.seqs, report), f"{both.seqs} {other} after {name}: {found[:8]}"
        pairs += 1
        if pairs == _PAIRS:
            return
    assert pairs, "never planted with another after it"
