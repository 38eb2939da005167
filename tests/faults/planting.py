"""Every fault of the contract's table (``faults.md``), by name, planted at random places in clean logs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple

from replays.audit import Report, audit
from replays.events import Event
from replays.finding import Finding
from replays.shuffle import Stream
from tests import seeds
from tests.faults import (
    logs,
    of_claims,
    of_fairness,
    of_locks,
    of_opening_rights,
    of_payments,
    of_the_log,
    of_the_opening,
    of_turns,
    of_wins,
)  # fmt: skip
from tests.faults.kinds import Fault, Planted

SEED = seeds.FAULTS  #: of all choices; a test that fails prints it
PLACES = 4  #: where each fault is planted in each form

_SHARED = (
    of_the_log.SHARED
    | of_fairness.SHARED
    | of_the_opening.SHARED
    | of_turns.SHARED
    | of_claims.SHARED
    | of_payments.SHARED
)
_XIAMEN = (
    of_the_log.XIAMEN
    | of_the_opening.XIAMEN
    | of_turns.XIAMEN
    | of_claims.XIAMEN
    | of_locks.XIAMEN
    | of_wins.XIAMEN
    | of_payments.XIAMEN
)
_LONGYAN = (
    of_the_log.LONGYAN
    | of_the_opening.LONGYAN
    | of_turns.LONGYAN
    | of_claims.LONGYAN
    | of_locks.LONGYAN
    | of_wins.LONGYAN
    | of_opening_rights.LONGYAN
    | of_payments.LONGYAN
)

#: Every fault of a rule set by its name: those of both rule sets, and its own.
FAULTS: dict[str, dict[str, Fault]] = {"xiamen": _SHARED | _XIAMEN, "longyan": _SHARED | _LONGYAN}

#: Every fault in every form that it is planted in, by rule set and name.
CASES: tuple[tuple[str, str, str], ...] = tuple(
    (ruleset, name, form)
    for ruleset, faults in FAULTS.items()
    for name, fault in faults.items()
    for form in fault.forms
)

#: Games searched for a place, for each place asked for, before the search is given up.
SEARCHED = 40


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


def stream_of(ruleset: str, name: str, form: str, seed: bytes = SEED) -> Stream:
    """The choices for one fault in one form, always the same ones."""
    return Stream(seed, f"{ruleset} {name} {form}", b"")


def sources(ruleset: str, fault: Fault, form: str, count: int) -> Iterator[logs.Log]:
    """The first ``count`` logs to plant a fault in: its tables take turns; the contract's examples, which are few, are
    gone through again and again."""
    several = len(logs.examples(ruleset)) if form == "examples" else count
    for number in range(count):
        index, which = divmod(number, len(fault.tables))
        log = logs.log(ruleset, form, fault.tables[which], index % several)
        if log is not None:
            yield log


def planted(ruleset: str, name: str, form: str, count: int, seed: bytes = SEED) -> Iterator[Planted]:
    """Up to ``count`` logs with the fault in them: one place in each log that has any."""
    fault, stream = FAULTS[ruleset][name], stream_of(ruleset, name, form, seed)
    places = (fault.plant(log, stream) for log in sources(ruleset, fault, form, SEARCHED * count))
    return islice((one for one in places if one is not None), count)


@cache
def audited(ruleset: str, name: str, form: str, count: int = PLACES) -> tuple[Audited, ...]:
    """The faults planted and their logs audited."""
    found = planted(ruleset, name, form, count)
    return tuple(Audited(one.events[one.at], one.seqs, audit(one.events)) for one in found)


def answers(fault: Fault, seqs: tuple[int, ...], report: Report) -> list[Finding]:
    """The findings that say what the contract says of the fault: its clause, at its place."""
    return [
        found
        for found in report.findings
        if found.seq in seqs and (found.clause in fault.clauses or set(found.also) & set(fault.clauses))
    ]
