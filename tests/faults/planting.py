"""Every fault of the contract's table (``faults.md``), by name, planted at random places in clean logs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from replays.audit import Report, audit
from replays.events import Event
from replays.finding import Finding
from replays.shuffle import Stream
from tests import seeds
from tests.faults import logs, of_claims, of_fairness, of_the_log, of_the_opening, of_turns, of_wins
from tests.faults.kinds import Fault, Planted

SEED = seeds.FAULTS  #: of all choices; a test that fails prints it
PLACES = 10  #: where each fault is planted in each form

FAULTS: dict[str, Fault] = {
    **of_the_log.FAULTS,
    **of_fairness.FAULTS,
    **of_the_opening.FAULTS,
    **of_turns.FAULTS,
    **of_claims.FAULTS,
    **of_wins.FAULTS,
}

#: Every fault in every form that it is planted in.
CASES: tuple[tuple[str, str], ...] = tuple((name, form) for name, fault in FAULTS.items() for form in fault.forms)

#: Games searched for a place, for each place asked for, before the search is given up.
SEARCHED = 40

_EXAMPLES = 6


class Audited(NamedTuple):
    """One planted fault and what the audit said of the log: the event at the place and where it may be found."""

    event: Event
    seqs: tuple[int, ...]
    report: Report

    @property
    def later(self) -> list[Finding]:
        """What was found in hands after the fault's own."""
        hand = self.event.hand
        return [found for found in self.report.findings if hand and found.hand is not None and found.hand > hand]


def stream_of(name: str, form: str, seed: bytes = SEED) -> Stream:
    """The choices for one fault in one form, always the same ones."""
    return Stream(seed, f"{name} {form}", b"")


def planted(name: str, form: str, count: int, seed: bytes = SEED) -> Iterator[Planted]:
    """Up to ``count`` logs with the fault in them: one place in each game that has any; the contract's examples, which
    are few, are gone through again and again."""
    fault, stream, found = FAULTS[name], stream_of(name, form, seed), 0
    for index in range(SEARCHED * count):
        log = logs.log(form, fault.table, index % _EXAMPLES if form == "examples" else index)
        one = None if log is None else fault.plant(log, stream)
        if one is None:
            continue
        yield one
        found += 1
        if found == count:
            return


@cache
def audited(name: str, form: str, count: int = PLACES) -> tuple[Audited, ...]:
    """The faults planted and their logs audited."""
    return tuple(Audited(one.events[one.at], one.seqs, audit(one.events)) for one in planted(name, form, count))


def answers(fault: Fault, seqs: tuple[int, ...], report: Report) -> list[Finding]:
    """The findings that say what the contract says of the fault: its clause, at its place."""
    return [
        found
        for found in report.findings
        if found.seq in seqs and (found.clause in fault.clauses or set(found.also) & set(fault.clauses))
    ]
