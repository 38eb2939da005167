"""All cases derived anew from their stored bytes, and the table of how they stand made anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from service.disputes.chain import Chain, rederived
from service.disputes.events import EvidenceAttached, decode, text_of
from service.disputes.fold import Case, UnfoldableError, fold
from service.disputes.rules import unlawful
from service.evidence.leaves import text_digest
from service.store import Store
from service.store import cases as rows
from service.store.cases import CaseEvent, CaseHead, CaseState


class CaseFault(NamedTuple):
    """One thing that is not as it should be in a case; ``seq`` is the event, where it is about one. ``code`` is
    stable."""

    case: str
    seq: int | None
    code: str
    message: str


def state_of(case: Case) -> CaseState:
    """How a case stands, as the table has it."""
    return CaseState(
        case_id=case.case,
        game=case.game,
        events=case.events,
        state=case.state.value,
        round=case.round,
        hand=case.hand,
        step=case.step,
        clause=case.clause,
        player=case.player,
        opened_by=case.opener.principal,
        opened_at=datetime.fromisoformat(case.opened_at),
        assignee=None if case.assignee is None else case.assignee.principal,
        due=datetime.fromisoformat(case.due),
        appeal_until=None if case.appeal_until is None else datetime.fromisoformat(case.appeal_until),
        outcome=None if case.verdict is None else case.verdict.proposal.outcome,
    )


def rebuild_cases(store: Store) -> int:
    """Makes the table of how cases stand anew from their events; returns how many cases there are."""

    def folded() -> Iterator[CaseState]:
        for head in rows.heads(store):
            yield state_of(fold(decode(one.body) for one in rows.events_of(store, [head.case_id])[head.case_id]))

    return rows.rebuild(store, folded())


def check_cases(store: Store) -> Iterator[CaseFault]:
    """Checks every case: its chain, what was allowed, its appends, texts and evidence, and how it stands by the table.
    Of each case the first thing that is wrong."""
    for head in rows.heads(store):
        # The events behind the head row's end came in since it was read.
        events = rows.events_of(store, [head.case_id]).get(head.case_id, [])[: head.next_seq]
        found = next(_faults(store, head, events), None)
        if found is not None:
            yield found
    for case, seq in rows.stray_events(store):
        yield CaseFault(case, seq, "stray", "an event or an append that no chain has")


def _faults(store: Store, head: CaseHead, stored: Sequence[CaseEvent]) -> Iterator[CaseFault]:
    case = head.case_id
    chain = rederived(case, stored)
    if chain.difference is not None:
        yield CaseFault(case, *chain.difference)
        return
    if (len(chain.events), chain.head) != (head.next_seq, head.head) or not chain.events:
        message = f"the chain ends here, the case's head row says {head.next_seq} events"
        yield CaseFault(case, len(chain.events), "tail", message)
        return
    yield from _history_faults(head, stored, chain)
    yield from _append_faults(store, head, stored, chain)
    yield from _text_faults(store, case, chain)
    yield from _evidence_faults(store, case, chain)
    yield from _state_faults(store, case, chain)


def _history_faults(head: CaseHead, stored: Sequence[CaseEvent], chain: Chain) -> Iterator[CaseFault]:
    try:
        folded, found = fold(chain.events), unlawful(chain.events, tuple(head.players))
    except UnfoldableError as error:
        yield CaseFault(head.case_id, None, "history", str(error))
        return
    if found is not None:
        yield CaseFault(head.case_id, found.seq, "unlawful", f"not allowed: {found.refusal.message}")
    if folded.game != head.game:
        yield CaseFault(head.case_id, 0, "game", "the case's head row has another game than its first event")
    for event, kept in zip(chain.events, stored, strict=True):
        if datetime.fromisoformat(event.at) != kept.recorded_at:
            yield CaseFault(head.case_id, event.seq, "recorded_at", "the event says another time than its row")
    if stored[-1].recorded_at != head.updated_at:
        yield CaseFault(head.case_id, None, "updated_at", "the head row says another time than the last event")


def _append_faults(store: Store, head: CaseHead, stored: Sequence[CaseEvent], chain: Chain) -> Iterator[CaseFault]:
    due = 0
    for row in rows.appends_of(store, head.case_id):
        if row.first_seq >= head.next_seq:
            break  # the case has gone on since
        if row.first_seq != due or not due <= row.last_seq < head.next_seq:
            yield CaseFault(head.case_id, row.first_seq, "appends", "an append that the chain does not have")
            return
        last = stored[row.last_seq]
        said = (row.head, row.recorded_at, row.principal)
        if said != (last.head, last.recorded_at, chain.events[row.last_seq].by.principal):
            yield CaseFault(head.case_id, row.last_seq, "appends", "the append that ends here says something else")
        due = row.last_seq + 1
    if due != head.next_seq:
        yield CaseFault(head.case_id, due, "appends", f"no append brings event {due}")


def _text_faults(store: Store, case: str, chain: Chain) -> Iterator[CaseFault]:
    for seq, kept in rows.texts_of(store, [case]).get(case, {}).items():
        event = chain.events[seq] if seq < len(chain.events) else None
        if event is None or text_of(event) != text_digest(bytes(kept.salt), bytes(kept.text)):
            yield CaseFault(case, seq, "text", "the free text is not the one whose digest the event holds")


def _evidence_faults(store: Store, case: str, chain: Chain) -> Iterator[CaseFault]:
    named: dict[bytes, int] = {}
    for event in chain.events:
        if isinstance(event, EvidenceAttached):
            digests = [event.bundle, *event.seats.values(), *([] if event.report is None else [event.report])]
            named |= {bytes.fromhex(one): event.seq for one in digests}
    for digest, is_there in rows.unsound_evidence(store, list(named)):
        what = "has other bytes" if is_there else "is missing"
        yield CaseFault(case, named[digest], "evidence", f"the evidence {digest.hex()} {what}")


def _state_faults(store: Store, case: str, chain: Chain) -> Iterator[CaseFault]:
    kept = rows.state_of(store, case)
    if kept is not None and kept[0].events > len(chain.events):
        later = rows.events_of(store, [case])[case]
        if len(later) == kept[0].events:
            return  # the case has gone on since
    if kept is None or kept[0] != state_of(fold(chain.events)):
        yield CaseFault(case, None, "state", "the table of how cases stand says something else than the events")
