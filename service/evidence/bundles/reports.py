"""The steps ``rules`` and ``report``: the audit done again over what is shown, and held against the bundle's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from replays import ENGINE
from replays.audit import CLEAN, INCOMPLETE, UNREADABLE, VIOLATIONS, Report, audit
from replays.events import Event, GameEnded, GameStarted, HandStarted
from replays.finding import VIOLATION
from replays.reducer import Impossible
from schema.canonical import canonical
from schema.report import report_document
from service.evidence.bundles.case import Case
from service.evidence.bundles.shown import Shown
from service.evidence.bundles.steps import failed, needed, unproven

#: What a report says of a game whatever is hidden, and what it says of all hands together.
_ALWAYS = ("game", "ruleset", "ruleset_digest")
_OVERALL = ("scores", "fairness")
#: What the result of a hand takes from the record.
_FACTS = ("hand", "dealer", "streak", "winner")


class Reach(NamedTuple):
    """How far an audit can see: the number of events before the first hand with hidden tiles, the numbers of all such
    hands, and how many of the events before are hidden acts."""

    events: int
    hidden_hands: tuple[int, ...]
    hidden_acts: int


def reach(events: Sequence[Shown]) -> Reach:
    """How far what is shown can be audited."""
    places = [place for place, shown in enumerate(events) if shown.is_hidden]
    hands = sorted({events[place].document["hand"] for place in places})
    end = _hand_start(events, places[0]) if places else len(events)
    return Reach(end, tuple(hands), sum(shown.is_private for shown in events[:end]))


def _hand_start(events: Sequence[Shown], place: int) -> int:
    starts = (i for i in range(place, 0, -1) if isinstance(events[i].event, HandStarted))
    return next(starts, 1)


def rules(case: Case) -> dict[str, Any]:
    """The audit of what is shown. Findings are the game's, not the bundle's: the step says how many there are."""
    seen = reach(case.events)
    try:
        report = rederived(case.events[: seen.events])
    except Impossible as error:
        raise failed("cannot_be_applied", seq=0, reason=str(error)) from None
    if report.verdict == UNREADABLE and report.error is not None:
        raise failed("cannot_be_applied", seq=report.error[0], reason=report.error[1])
    case.report = report_document(report, "en")
    if seen.hidden_acts:
        case.report = _vouched(case.report, case.form.report, has_ended=isinstance(case.events[-1].event, GameEnded))
    found = {"events": seen.events, "findings": len(report.findings), "verdict": report.verdict}
    if seen.hidden_hands:
        raise unproven("hidden_tiles", hands=list(seen.hidden_hands), acts=seen.hidden_acts, **found)
    if seen.hidden_acts:
        raise unproven("hidden_acts", acts=seen.hidden_acts, **found)
    return found


def _vouched(derived: dict[str, Any], claimed: Mapping[str, Any], *, has_ended: bool) -> dict[str, Any]:
    """A report without the findings that the bundle's own does not have: where acts are hidden, what looks like a fault
    may be a right that was passed, and nobody is accused on half of a record."""
    known = _keys(claimed)
    kept = [found for found in derived["findings"] if (found["seq"], found["clause"], found["code"]) in known]
    if derived["verdict"] != VIOLATIONS or any(found["severity"] == VIOLATION for found in kept):
        return {**derived, "findings": kept}
    return {**derived, "findings": kept, "verdict": CLEAN if has_ended else INCOMPLETE}


def rederived(events: Sequence[Shown]) -> Report:
    """The report on ``events``, none of which hides a tile; ``Impossible`` where they start no game.

    Where acts are hidden the log is audited as one without passes: all events about acts are left out, and the others
    numbered without gaps while it lasts.
    """
    if not any(shown.is_private for shown in events):
        return audit(_engine_events(events))
    kept = [shown for shown in events if not shown.is_act_only]
    numbers = [shown.document["seq"] for shown in kept]
    report = audit(_without_passes(_engine_events(kept)))
    findings = tuple(found._replace(seq=_back(numbers, found.seq)) for found in report.findings)
    error = None if report.error is None else (_back(numbers, report.error[0]), report.error[1])
    return report._replace(findings=findings, events=len(events), error=error)


def _engine_events(events: Iterable[Shown]) -> list[Event]:
    return [shown.event for shown in events if shown.event is not None]


def _without_passes(events: Sequence[Event]) -> Iterable[Event]:
    for number, event in enumerate(events):
        if isinstance(event, GameStarted):
            event = event._replace(records=event.records._replace(passes=False, prompts=False))
        yield event._replace(seq=number)


def _back(numbers: Sequence[int], seq: int) -> int:
    return numbers[seq] if seq < len(numbers) else seq


def report(case: Case) -> dict[str, Any]:
    """The bundle's report says what the audit says, as far as that can be seen."""
    claimed, events = case.form.report, case.events
    needed(case.report, "rules")
    if claimed.get("engine") != case.form.engine:
        raise failed("differs", members=["engine"])
    seen = reach(events)
    span = _span(claimed, events, is_live=case.form.sealed is None)
    derived = report_document(rederived(events[: min(span, seen.events)]), "en")
    is_whole = not seen.hidden_acts and span <= seen.events
    differing = _differences(claimed, derived) if is_whole else _contradictions(claimed, derived, span <= seen.events)
    certain = differing if not seen.hidden_acts else _whatever_was_passed(claimed, derived)
    if certain and case.form.engine != ENGINE:
        raise unproven("other_engine", engine=case.form.engine, members=certain)
    if certain:
        raise failed("differs", members=certain)
    if is_whole:
        return {"events": span, "findings": len(derived["findings"]), "verdict": derived["verdict"]}
    told = _not_rederived(claimed, derived)
    raise unproven("partly", events=min(span, seen.events), of=span, members=differing, findings=told)


def _span(claimed: Mapping[str, Any], events: Sequence[Shown], *, is_live: bool) -> int:
    """How many events the report is of: all, or in a live game those before the hand under way."""
    count = claimed.get("events")
    if is_live and type(count) is int and 0 < count < len(events) and isinstance(events[count].event, HandStarted):
        return count
    return len(events)


def _differences(claimed: Mapping[str, Any], derived: Mapping[str, Any]) -> list[str]:
    """The members in which a report differs from that of the same events; the words of its messages do not count."""
    names = [*derived, *(name for name in claimed if name not in derived)]
    return [
        name for name in names if name != "engine" and not _same(_plain(name, claimed), _plain(name, derived))
    ]  # fmt: skip


def _plain(name: str, document: Mapping[str, Any]) -> Any:
    """A member of a report without the words of its findings, which are a language's."""
    value = document.get(name, _MISSING)
    if name != "findings" or type(value) is not list:
        return value
    return [{**found, "message": None} if type(found) is dict else found for found in value]


_MISSING = "no such member"


def _same(one: Any, other: Any) -> bool:
    return canonical(one) == canonical(other)


def _contradictions(claimed: Mapping[str, Any], derived: Mapping[str, Any], are_tiles_shown: bool) -> list[str]:
    """The members that what is shown contradicts, whatever the hidden parts hold: names, the hands and payments that
    were seen, and findings that were left out."""
    wrong = [name for name in _ALWAYS if not _same(claimed.get(name), derived[name])]
    ours = [_hand(hand) for hand in derived["hands"]]
    theirs = [_hand(hand) for hand in _listed(claimed, "hands")]
    if not _same(theirs[: len(ours)], ours) or (are_tiles_shown and len(theirs) != len(ours)):
        wrong.append("hands")
    if _keys(derived) - _keys(claimed):
        wrong.append("findings")
    if are_tiles_shown:
        wrong += [name for name in _OVERALL if not _same(claimed.get(name), derived[name])]
    return wrong


def _whatever_was_passed(claimed: Mapping[str, Any], derived: Mapping[str, Any]) -> list[str]:
    """The members that are contradicted even where passes are hidden, on which rights and so payments may hang."""
    wrong = [name for name in _ALWAYS if not _same(claimed.get(name), derived[name])]
    ours, theirs = _listed(derived, "hands"), _listed(claimed, "hands")
    if [_recorded(hand) for hand in theirs[: len(ours)]] != [_recorded(hand) for hand in ours]:
        wrong.append("hands")
    return wrong


def _recorded(hand: Any) -> list[str]:
    """What a hand's result takes from the record, as text: values are of any kind in a report that is a claim."""
    return [repr(hand.get(name)) for name in _FACTS] if type(hand) is dict else []


def _hand(hand: Any) -> Any:
    """A hand without its ``state_hash``, which is of a table with passes on record."""
    return {**hand, "state_hash": None} if type(hand) is dict else hand


def _not_rederived(claimed: Mapping[str, Any], derived: Mapping[str, Any]) -> list[int]:
    """The ``seq`` of findings that stand on the bundle's word alone."""
    return sorted({seq for seq, _, _ in _keys(claimed) - _keys(derived)})


def _keys(document: Mapping[str, Any]) -> set[tuple[int, str, str]]:
    found = [found for found in _listed(document, "findings") if type(found) is dict]
    keys = [(found.get("seq"), found.get("clause"), found.get("code")) for found in found]
    return {
        (seq, clause, code) for seq, clause, code in keys if type(seq) is int and type(clause) is type(code) is str
    }  # fmt: skip


def _listed(document: Mapping[str, Any], name: str) -> list[Any]:
    value = document.get(name)
    return value if type(value) is list else []
