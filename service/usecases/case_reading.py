"""Cases as one viewer may read them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from schema.ports import Viewer, Window
from schema.ports.cases import (
    CaseEventRow,
    CaseFilter,
    CaseRow,
    CaseUnknownError,
    EvidenceRow,
    EvidenceUnknownError,
)
from service.disputes.chain import Linked
from service.disputes.events import Event, EvidenceAttached, Opened, decode, text_place
from service.disputes.export import Piece, Text, export_document, named_texts
from service.disputes.fold import Case, fold
from service.disputes.rules import Actor
from service.disputes.sight import Side, actor, files, shown, shown_state, side
from service.store import Store, time_text
from service.store import cases as rows
from service.store.cases import CaseReach, CaseState, CaseText
from service.store.keyset import by_moment, place_text
from service.store.owners import HiddenRead, note_read
from service.usecases.library import is_storable

#: What every event has, beside the members of its type.
_ENVELOPE = frozenset({"case", "seq", "type", "at", "by", "text"})


class Seen(NamedTuple):
    """A case as its viewer stands to it."""

    case: Case
    events: Sequence[Event]
    side: Side
    actor: Actor


@dataclass(frozen=True, slots=True)
class CaseReader:
    """The reading half of ``schema.ports.Cases`` over a store for ``viewer``; ``request`` names the call in the record
    of readings."""

    store: Store
    viewer: Viewer
    request: str | None = None

    def case(self, case: str) -> CaseRow:
        found = rows.state_of(self.store, storable_case(case))
        stands = None if found is None else side(self.viewer, found[0].player)
        if found is None or stands is None:
            raise CaseUnknownError(case)
        return self._row(*found, stands)

    def cases(self, wanted: CaseFilter, window: Window[tuple[str, str]]) -> Sequence[CaseRow]:
        reach = self._reach()
        asked = (wanted.game, wanted.player, wanted.assignee, wanted.opened_by, wanted.state)
        if reach is None or not all(map(is_storable, asked)):
            return []
        found = []
        for state, is_late in rows.states(self.store, wanted, by_moment(window), reach):
            stands = side(self.viewer, state.player)
            assert stands is not None  # the statement gives no other cases
            found.append(self._row(state, is_late, stands))
        return found

    def timelines(self, cases: Sequence[str]) -> Mapping[str, Sequence[CaseEventRow]]:
        stored, texts = rows.events_of(self.store, cases), rows.texts_of(self.store, cases)
        found = {}
        for case, kept in stored.items():
            events = [decode(one.body) for one in kept]
            stands = self._side(events)
            if stands is not None:
                found[case] = [
                    _event_row(event, known, texts.get(case, {}).get(text_place(event)), kept[event.seq].head)
                    for event, known in shown(stands, events)
                ]
        return found

    def evidence(self, cases: Sequence[str]) -> Mapping[str, Sequence[EvidenceRow]]:
        found = {}
        for case, kept in rows.events_of(self.store, cases).items():
            events = [decode(one.body) for one in kept]
            stands = self._side(events)
            if stands is not None:
                found[case] = list(_evidence_rows(stands, events))
        return found

    def content(self, case: str, digest: str) -> Mapping[str, Any]:
        seen = self.seen(case)
        row = next((one for one in _evidence_rows(seen.side, seen.events) if one.digest == digest), None)
        if row is None:
            raise EvidenceUnknownError(digest)
        self._note(seen, "case_evidence", row.upto_seq)
        return self.frozen(digest)

    def export(self, case: str) -> Mapping[str, Any]:
        seen = self.seen(case)
        stored = rows.events_of(self.store, [case])[case][: len(seen.events)]
        attached = list(_evidence_rows(seen.side, seen.events))
        self._note(seen, "case_export", max((one.upto_seq for one in attached), default=0))
        texts = {seq: Text(*text) for seq, text in rows.texts_of(self.store, [case]).get(case, {}).items()}
        wanted = [bytes.fromhex(digest) for digest in dict.fromkeys(one.digest for one in attached)]
        found = rows.evidence_of(self.store, wanted)
        is_whole = seen.side is Side.STAFF
        links = [Linked(one.body, one.public_digest, one.salt) for one in stored]
        return export_document(
            case,
            stored[-1].head,
            list(zip(seen.events, links, strict=True)),
            named_texts(seen.events, texts, is_whole=is_whole),
            [Piece(*found[digest]) for digest in wanted],
            is_whole=is_whole,
        )

    # Who may see what

    def seen(self, case: str) -> Seen:
        """The case as the viewer stands to it; ``CaseUnknownError`` for one that there is not, to this viewer."""
        stored = rows.events_of(self.store, [storable_case(case)]).get(case, [])
        events = [decode(one.body) for one in stored]
        stands = self._side(events)
        if stands is None:
            raise CaseUnknownError(case)
        folded = fold(events)
        return Seen(folded, events, stands, actor(self.viewer, folded.player))

    def frozen(self, digest: str) -> dict[str, Any]:
        """The document of a frozen file that an event names."""
        key = bytes.fromhex(digest)
        found: dict[str, Any] = json.loads(rows.evidence_of(self.store, [key])[key].content)
        return found

    def _side(self, events: Sequence[Event]) -> Side | None:
        first = events[0] if events else None
        return side(self.viewer, first.player) if isinstance(first, Opened) else None

    def _reach(self) -> CaseReach | None:
        """As who the viewer asks for cases; ``None`` for one to whom there are none."""
        is_staff = side(self.viewer, None) is Side.STAFF
        is_party = side(self.viewer, self.viewer.player) is Side.PARTY
        if self.viewer.principal is None or not (is_staff or is_party):
            return None
        return CaseReach(self.viewer.principal, self.viewer.player, is_staff)

    def _row(self, one: CaseState, is_late: bool, stands: Side) -> CaseRow:
        is_staff = stands is Side.STAFF
        return CaseRow(
            case=one.case_id,
            game=one.game,
            hand=one.hand,
            step=one.step,
            clause=one.clause,
            player=one.player,
            state=shown_state(stands, one.state),
            round=one.round,
            opened_by=one.opened_by if is_staff or one.opened_by == self.viewer.principal else None,
            opened_at=place_text(one.opened_at),
            assignee=one.assignee if is_staff else None,
            due=time_text(one.due),
            is_overdue=is_late,
            appeal_until=None if one.appeal_until is None else time_text(one.appeal_until),
            outcome=one.outcome,
            next_seq=one.events,
        )

    def _note(self, seen: Seen, what: str, last: int) -> None:
        if seen.side is not Side.STAFF:
            return
        assert self.viewer.principal is not None  # the public is no staff
        read = HiddenRead(self.viewer.principal, self.viewer.key, self.request, what, seen.case.game, 0, last)
        note_read(self.store, read)


def storable_case(case: str) -> str:
    """The id of a case that may be there; ``CaseUnknownError`` for one that cannot."""
    if not is_storable(case):
        raise CaseUnknownError(case)
    return case


def _event_row(event: Event, known: Mapping[str, Any], text: CaseText | None, head: bytes) -> CaseEventRow:
    return CaseEventRow(
        seq=event.seq,
        type=known["type"],
        at=event.at,
        role=event.by.role,
        principal=known["by"].get("principal"),
        members={name: value for name, value in known.items() if name not in _ENVELOPE},
        text=None if text is None or "text" not in known else bytes(text.text).decode(),
        head=head.hex(),
    )


def _evidence_rows(stands: Side, events: Sequence[Event]) -> Iterator[EvidenceRow]:
    for event in events:
        if isinstance(event, EvidenceAttached):
            for kind, digest, seat in files(stands, event):
                yield EvidenceRow(event.seq, kind, digest, seat, event.engine, event.upto_seq, event.game_head)
