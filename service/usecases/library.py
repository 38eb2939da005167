"""The port ``schema.ports.Library`` over the store: what one viewer may read, and the record of what staff read."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import msgspec

from replays.referee import offers, offers_to
from replays.seen import as_seen
from replays.table import Table
from replays.view import SPECTATOR, is_open, picture
from schema.canonical import canonical
from schema.paipu.formats import EXTENSION, PRIVATE
from schema.ports import (
    NAMED,
    AuditRow,
    EventRow,
    FindingRow,
    GameFilter,
    GameRow,
    GameUnknownError,
    HandFilter,
    HandRow,
    HandUnknownError,
    HiddenError,
    LegalActsRow,
    NotAuditedError,
    ReplayRow,
    Role,
    SeatUnknownError,
    SeqUnknownError,
    StateRow,
    Viewer,
    Window,
)
from schema.replaying import Span, frames, offered, span_of, spans, view_of
from service.access.standpoint import RUNS_IT, Standpoint, standpoint
from service.evidence.bundles.sight import Sight
from service.evidence.leaves import public_form
from service.store import Audit, Store, StoredEvent, time_text
from service.store.errors import UnknownGameError
from service.store.listing import game_row, game_rows, games_of, hand_row, hand_rows, hands_of
from service.store.live import newest_live
from service.store.owners import HiddenRead, Standing, note_reads, standings
from service.store.reach import reach
from service.store.several import audits_by_engine, bodies_at
from service.usecases.errors import SeqRangeError
from service.usecases.folds import Folds
from service.usecases.owners import Owners
from service.usecases.replaying import eyes_of, is_of_seat, seat_forms, steps
from service.usecases.sights import Sights


class _Game(NamedTuple):
    """A game as its viewer stands to it."""

    game: str
    standpoint: Standpoint
    standing: Standing | None  #: not asked for where the viewer is known to run the game


@dataclass(frozen=True, slots=True)
class StoredLibrary:
    """``schema.ports.Library`` over a store for ``viewer``; ``request`` names the call in the record of readings."""

    store: Store
    folds: Folds
    sights: Sights
    owners: Owners
    viewer: Viewer
    request: str | None = None

    # Games

    def game(self, game: str) -> GameRow:
        row = game_row(self.store, storable(game), reach(self.viewer))
        if row is None:
            raise GameUnknownError(game)
        return row

    def games(self, wanted: GameFilter, window: Window[tuple[str, str]]) -> Sequence[GameRow]:
        if wanted.dispute is not None:
            self.viewer.require(*NAMED)
        if not _are_storable(wanted):
            return []
        return game_rows(self.store, wanted, window, reach(self.viewer), self.viewer.player)

    def games_of(self, players: Sequence[str], window: Window[tuple[str, str]]) -> Mapping[str, Sequence[GameRow]]:
        return games_of(self.store, players, window, reach(self.viewer))

    def names(self, games: Sequence[str]) -> Mapping[str, Mapping[int, str]]:
        seen = [one.game for one in self._seen_of(games).values() if one.standpoint.sees_names]
        return self.store.names_of(seen) if seen else {}

    # Events

    def events(self, game: str, window: Window[tuple[int]]) -> Sequence[EventRow]:
        seen = self._seen(game)
        return self._shown(seen, self.store.window(game, window))

    def event(self, game: str, seq: int) -> EventRow:
        seen = self._seen(game)
        found = self.store.event(game, seq)
        if found is None:
            raise SeqUnknownError(self.game(game).events - 1)
        return self._shown(seen, [found])[0]

    def _shown(self, seen: _Game, events: Sequence[StoredEvent]) -> list[EventRow]:
        """The events as the viewer may see them; what is hidden from others in them goes on record as read."""
        rows, hidden = self._rows(seen, events)
        if hidden:
            self._note(seen, "events", hidden[0], hidden[-1])
        return rows

    def _rows(self, seen: _Game, events: Sequence[StoredEvent]) -> tuple[list[EventRow], list[int]]:
        """The same, and the places of those that not everybody may see."""
        if seen.standpoint.runs_it or not events:
            return [_event_row(event, event.body, is_full=True) for event in events], []
        format = self.folds.format_of(seen.game)
        is_kong_shown = bool(self.folds.at(seen.game, 0).book.options["concealed_kong_shown"])
        sight = self._sight(seen)
        rows, hidden = [], []
        for event in events:
            document = msgspec.json.decode(event.body)
            public = public_form(document, concealed_kong_shown=is_kong_shown, format=format)
            if public == document:
                rows.append(_event_row(event, event.body, is_full=True))
                continue
            plain = _without_free_members(document)
            shown = next(
                (form for form in (document, plain) if seen.standpoint.may_see(sight, event.seq, form)), public
            )
            if shown is not public:
                hidden.append(event.seq)
            body = event.body if shown is document else canonical(dict(shown))
            # That there are free members is their owner's business too.
            rows.append(_event_row(event, body, is_full=shown is not public or public == plain))
        return rows, hidden

    # Audits

    def audits(self, games: Sequence[str]) -> Mapping[str, AuditRow]:
        asked = [storable(game) for game in games]
        found = {audit.game: audit for audit in self.store.audits_of(asked)}
        for live in self._live_audits(asked):
            if live.game not in found or found[live.game].upto_seq < live.upto_seq:
                found[live.game] = live
        return {row.game: row for row in self._audit_rows(list(found.values()))}

    def _live_audits(self, games: Sequence[str]) -> Sequence[Audit]:
        """The audits of all events of games that go on, for the server that runs them."""
        if self.viewer.principal is None or not self.viewer.has(Role.SERVER):
            return []
        return newest_live(self.store, games, self.viewer.principal)

    def audits_by_engine(self, games: Sequence[str]) -> Mapping[str, Sequence[AuditRow]]:
        found: dict[str, list[AuditRow]] = {}
        for row in self._audit_rows(audits_by_engine(self.store, [storable(game) for game in games])):
            found.setdefault(row.game, []).append(row)
        return found

    def _audit_rows(self, audits: Sequence[Audit]) -> list[AuditRow]:
        """The audits of games that the viewer may see, as it may see them."""
        seen = self._seen_of([audit.game for audit in audits])
        audits = [audit for audit in audits if audit.game in seen]
        self._note_all(self._read(seen[audit.game], "audit", 0, audit.upto_seq) for audit in audits)
        private = self._private(seen, [(audit.game, one["seq"]) for audit in audits for one in _findings(audit)])
        rows = []
        for audit in audits:
            shown = [_redacted(one, (audit.game, one["seq"]) in private) for one in _findings(audit)]
            report, time = {**audit.report, "findings": shown}, time_text(audit.audited_at)
            rows.append(AuditRow(audit.game, audit.engine, audit.upto_seq, report, time))
        return rows

    def hand(self, game: str, number: int) -> HandRow:
        row = hand_row(self.store, storable(game), number, reach(self.viewer)) if number >= 0 else None
        if row is None:
            raise NotAuditedError(game) if self.game(game).verdict is None else HandUnknownError(number)
        self._note_hands([row])
        return row

    def hands(self, wanted: HandFilter, window: Window[tuple[str, str, int]]) -> Sequence[HandRow]:
        if not _are_storable(wanted):
            return []
        rows = hand_rows(self.store, wanted, window, reach(self.viewer))
        self._note_hands(rows)
        return rows

    def hands_of(self, games: Sequence[str], window: Window[tuple[int]]) -> Mapping[str, Sequence[HandRow]]:
        found = hands_of(self.store, games, window, reach(self.viewer))
        self._note_hands([row for rows in found.values() for row in rows])
        return found

    def _note_hands(self, rows: Sequence[HandRow]) -> None:
        if not self.viewer.is_staff:
            return
        upto = {row.game: row.upto_seq for row in rows}
        seen = self._seen_of(list(upto))
        self._note_all(self._read(one, "hands", 0, upto[one.game]) for one in seen.values())

    def findings(
        self, clause: str | None, severity: str | None, window: Window[tuple[str, int]]
    ) -> Sequence[FindingRow]:
        if not is_storable(clause):
            return []
        found = self.store.findings_of(reach(self.viewer), window, clause=clause, severity=severity)
        seen = self._seen_of([row.game for row, _ in found])
        found = [(row, document) for row, document in found if row.game in seen]
        places = [(row.game, document["seq"]) for row, document in found]
        self._note_all(self._read(seen[game], "findings", *_span(places, game)) for game in seen)
        private = self._private(seen, places)
        return [
            FindingRow(row.game, row.ordinal, _redacted(document, place in private), row.engine)
            for (row, document), place in zip(found, places, strict=True)
        ]

    def _private(self, seen: Mapping[str, _Game], places: Sequence[tuple[str, int]]) -> set[tuple[str, int]]:
        """Those of the places where something happened to others than the viewer's seats that was not for everybody.

        What was opened since counts as well: which walls were, it would take whole games to know.
        """
        partly = [place for place in places if not _sees_offers(seen[place[0]])]
        if not partly:
            return set()
        bodies = bodies_at(self.store, {*partly, *((game, 0) for game, _ in partly)})
        private = set()
        for game, seq in partly:
            document, format = json.loads(bodies[game, seq]), json.loads(bodies[game, 0])["format"]
            public = public_form(document, concealed_kong_shown=False, format=format)
            if public != _without_free_members(document) and document["seat"] not in seen[game].standpoint.seats:
                private.add((game, seq))
        return private

    # Tables

    def state_at(self, game: str, seq: int, seat: int | None) -> StateRow:
        seen, table = self._seen(game), self._table(game, seq)
        if seat is not None and not 0 <= seat < table.players:
            raise SeatUnknownError(table.players)
        digest, sees_all = table.book.digest, self._sees_all(seen, seq)
        time = {} if sees_all and _sees_offers(seen) else self._time(seen, seq)
        if sees_all:
            self._note(seen, "state", seq, seq)
            shown = picture(table, seat) | time
            if seat is not None:
                return StateRow(game, seq, "seat", seat, shown, None, digest)
            # The hash is over who has declined what as well.
            state_hash = table.state_hash() if _sees_offers(seen) else None
            return StateRow(game, seq, "all", None, shown, state_hash, digest)
        own = seen.standpoint.seats
        if seat is not None and seat not in own:
            raise HiddenError(f"Seat {seat} is another's, and not open at step {seq}.")
        eyes = seat if seat is not None else next(iter(own), SPECTATOR)
        shown = picture(table, eyes) | time
        view, whose = ("spectator", None) if eyes == SPECTATOR else ("seat", eyes)
        return StateRow(game, seq, view, whose, shown, None, digest)

    def _time(self, seen: _Game, seq: int) -> dict[str, str]:
        """The time that a picture shows: of the last event that is not somebody else's business."""
        seats, events = seen.standpoint.seats, self.folds.events(seen.game, seq + 1)
        return {"at": next(e.at for e in reversed(events) if not isinstance(e, PRIVATE) or e.seat in seats)}

    def legal_acts(self, game: str, seq: int) -> LegalActsRow:
        seen, table = self._seen(game), self._table(game, seq)
        if self._sees_all(seen, seq):
            self._note(seen, "acts", seq, seq)
            legal = dict(enumerate(offers(table)))
        else:  # a right may hang on another's hidden hand (X-WIN-11, L-OPEN-3)
            legal = {seat: offers_to(as_seen(table, seat), seat) for seat in seen.standpoint.seats}
        return LegalActsRow(game, seq, legal, table.book.digest)

    def replay(self, game: str, *, hand: int | None, seq: int | None, seat: int | None) -> ReplayRow:
        seen = self._seen(game)
        sight = self._sight(seen)
        all_events = self.folds.events(game, len(sight.opened))
        hands = spans(all_events, sight.begun)
        span = span_of(hands, hand=hand, seq=seq)
        if span is None:
            raise HandUnknownError(hand) if hand is not None else SeqUnknownError(len(all_events) - 1)
        tables = self.folds.tables(game, span.first, span.last)
        eyes = self._eyes(seen, sight, tables, seat)
        if any(seen.standpoint.sees_all(sight, table.seq) for table in tables):
            self._note(seen, "replay", span.first, span.last)
        events = all_events[span.first : span.last + 1]
        knows = range(tables[0].players) if _sees_offers(seen) else seen.standpoint.seats
        seen_by = steps(tables, events, self._documents(seen, span, seat, knows), eyes, knows)
        view, digest = view_of(eyes[-1]), tables[0].book.digest
        return ReplayRow(
            game=game,
            hand=span.number,
            first=span.first,
            last=span.last,
            hands=hands,
            view=view,
            seat=None if eyes[-1] == SPECTATOR else eyes[-1],
            frames=frames(seen_by),
            acts=offered(seen_by),
            events=[step.event for step in seen_by],
            findings=self._findings_in(game, span, seat),
            ruleset_digest=digest,
        )

    def _eyes(self, seen: _Game, sight: Sight, tables: Sequence[Table], seat: int | None) -> list[int | None]:
        """Who looks at each of the tables; ``SeatUnknownError``, ``HiddenError`` for a seat that is not to be seen."""
        players, own = tables[0].players, seen.standpoint.seats
        if seat is not None and not 0 <= seat < players:
            raise SeatUnknownError(players)
        if seat is not None and seat not in own and not seen.standpoint.sees_all(sight, tables[-1].seq):
            raise HiddenError(f"Seat {seat} is another's, and not open in this hand.")
        mine = seat if seat in own else next(iter(own), None)
        return eyes_of(tables, seat, mine, lambda place: seen.standpoint.sees_all(sight, place))

    def _findings_in(self, game: str, span: Span, seat: int | None) -> list[Mapping[str, Any]]:
        """The findings of a hand; to a ``seat`` without what was others' business, or is the wall's."""
        audit = self.audits([game]).get(game)
        found = (
            [] if audit is None else [one for one in audit.report["findings"] if span.first <= one["seq"] <= span.last]
        )
        return [_redacted(one, seat is not None and not is_of_seat(one, seat)) for one in found]

    def _documents(self, seen: _Game, span: Span, seat: int | None, knows: Collection[int]) -> list[Mapping[str, Any]]:
        """The events of a hand as the viewer may see them, or as a seat knew them when they happened; ``knows`` are the
        seats of which it may be known what they were offered."""
        stored = list(self.store.events(seen.game, span.first - 1, span.last + 1 - span.first))
        if seat is None:
            rows, _ = self._rows(seen, stored)
            return [msgspec.json.decode(row.body) for row in rows]
        documents = (msgspec.json.decode(event.body) for event in stored)
        book, format = self.folds.at(seen.game, 0).book, self.folds.format_of(seen.game)
        return seat_forms(documents, seat, book=book, format=format, knows_seat=seat in knows)

    def table_of(self, game: str, seq: int, seat: int, what: str) -> Table:
        """The table after an event for a question about the tiles of ``seat``: whole where the viewer sees all of it,
        which is put on record as ``what``, else as that seat knows it.

        ``GameUnknownError``, ``SeqUnknownError``, ``SeatUnknownError``, ``HiddenError`` for another's seat.
        """
        seen, table = self._seen(game), self._table(game, seq)
        if not 0 <= seat < table.players:
            raise SeatUnknownError(table.players)
        if self._sees_all(seen, seq):
            self._note(seen, what, seq, seq)
            return table
        if seat not in seen.standpoint.seats and not is_open(table):
            raise HiddenError(f"Seat {seat} is another's, and not open at step {seq}.")
        return as_seen(table, seat)

    def _table(self, game: str, seq: int) -> Table:
        try:
            return self.folds.at(game, seq)
        except UnknownGameError:
            raise GameUnknownError(game) from None
        except SeqRangeError as error:
            raise SeqUnknownError(error.last) from None

    # Who may see what

    def _seen(self, game: str) -> _Game:
        """The game as the viewer stands to it; ``GameUnknownError`` for one that there is not, to this viewer."""
        seen = self._seen_of([storable(game)]).get(game)
        if seen is None:
            raise GameUnknownError(game)
        return seen

    def _seen_of(self, games: Sequence[str]) -> dict[str, _Game]:
        """Those of the games that there are to this viewer, in their order."""
        if not games:
            return {}
        if self._runs_all(games):
            return {game: _Game(game, RUNS_IT, None) for game in games}
        found = standings(self.store, games)
        principal = self.viewer.principal
        if principal is not None:
            self.owners.learn(principal, [game for game, one in found.items() if one.owner == principal])
        stands = {game: standpoint(self.viewer, found[game]) for game in games if game in found}
        return {game: _Game(game, one, found[game]) for game, one in stands.items() if one is not None}

    def _runs_all(self, games: Sequence[str]) -> bool:
        """Whether the viewer is known to run every one of the games: that never changes."""
        return self.viewer.has(Role.SERVER) and all(self.owners.runs(self.viewer.principal, game) for game in games)

    def _sight(self, seen: _Game) -> Sight:
        standing = standings(self.store, [seen.game])[seen.game] if seen.standing is None else seen.standing
        return self.sights.of(seen.game, standing.events, is_over=standing.is_over)

    def _sees_all(self, seen: _Game, seq: int) -> bool:
        return seen.standpoint.runs_it or seen.standpoint.sees_all(self._sight(seen), seq)

    def _note(self, seen: _Game, what: str, first: int, last: int) -> None:
        self._note_all([self._read(seen, what, first, last)])

    def _note_all(self, reads: Iterable[HiddenRead | None]) -> None:
        note_reads(self.store, [read for read in reads if read is not None])

    def _read(self, seen: _Game, what: str, first: int, last: int) -> HiddenRead | None:
        """What is put on record of a reading, ``None`` where nothing is: hidden tiles are the viewer's own business."""
        if not seen.standpoint.reads_as_staff:
            return None
        assert self.viewer.principal is not None  # the public is no staff
        return HiddenRead(self.viewer.principal, self.viewer.key, self.request, what, seen.game, first, last)


def is_storable(text: str | None) -> bool:
    """Whether PostgreSQL can hold the text at all: JSON can say zero characters and halves of pairs, it cannot."""
    return text is None or not any(character == "\0" or "\ud800" <= character <= "\udfff" for character in text)


def _are_storable(wanted: GameFilter | HandFilter) -> bool:
    values = (getattr(wanted, field.name) for field in fields(wanted))
    return all(is_storable(value) for value in values if isinstance(value, str))


def storable(game: str) -> str:
    """The id of a game that may be there; ``GameUnknownError`` for one that cannot."""
    if not is_storable(game):
        raise GameUnknownError(game)
    return game


def _without_free_members(document: Mapping[str, Any]) -> Mapping[str, Any]:
    return {member: value for member, value in document.items() if not member.startswith(EXTENSION)}


def _sees_offers(seen: _Game) -> bool:
    """Whether the viewer sees what every seat was offered and declined."""
    return seen.standpoint.runs_it or seen.standpoint.sees_whole


def _findings(audit: Audit) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = audit.report.get("findings", ())
    return found


def _redacted(finding: Mapping[str, Any], is_private: bool) -> Mapping[str, Any]:
    """A finding without what it quotes of something that the viewer may not know of."""
    return {**finding, "expected": {}, "recorded": {}} if is_private else finding


def _span(places: Sequence[tuple[str, int]], game: str) -> tuple[int, int]:
    """The first and the last of a game's places."""
    seqs = [seq for at, seq in places if at == game]
    return min(seqs), max(seqs)


class _Envelope(msgspec.Struct):
    """What every event says; the rest is passed over."""

    type: str
    at: str | None = None
    hand: int | None = None
    seat: int | None = None


_ENVELOPE = msgspec.json.Decoder(_Envelope)


def _event_row(stored: StoredEvent, body: bytes, *, is_full: bool) -> EventRow:
    """The row of an event of which ``body`` is shown, in canonical JSON."""
    shown = _ENVELOPE.decode(body)
    is_private = shown.type == "private"
    return EventRow(
        seq=stored.seq,
        type=shown.type,
        at=shown.at,
        hand=shown.hand,
        seat=shown.seat,
        body=bytes(body),
        is_full=is_full,
        leaf=stored.leaf.hex(),
        head=stored.head.hex(),
        recorded_at=None if is_private else stored.time,
    )
