"""The port ``schema.ports.Library`` over the store: what one viewer may read, and the record of what staff read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from replays import ENGINE
from replays.referee import offers
from replays.table import Table
from replays.view import SPECTATOR, picture
from schema.canonical import canonical
from schema.paipu.formats import PRIVATE
from schema.ports import (
    AuditRow,
    EventRow,
    FindingRow,
    GameFilter,
    GameRow,
    GameUnknownError,
    HiddenError,
    LegalActsRow,
    SeatUnknownError,
    SeqUnknownError,
    StateRow,
    Viewer,
    Window,
)
from service.access.standpoint import Standpoint, standpoint
from service.evidence.bundles.sight import Sight
from service.evidence.leaves import public_form
from service.store import Store, StoredEvent, time_text
from service.store.errors import UnknownGameError
from service.store.listing import game_row, game_rows
from service.store.owners import HiddenRead, Standing, note_read, standing
from service.store.reach import reach
from service.usecases.errors import SeqRangeError
from service.usecases.folds import Folds
from service.usecases.sights import Sights


class _Game(NamedTuple):
    """A game as its viewer stands to it."""

    game: str
    standing: Standing
    standpoint: Standpoint


@dataclass(frozen=True, slots=True)
class StoredLibrary:
    """``schema.ports.Library`` over a store for ``viewer``; ``request`` names the call in the record of readings."""

    store: Store
    folds: Folds
    sights: Sights
    viewer: Viewer
    request: str | None = None

    # Games

    def game(self, game: str) -> GameRow:
        row = game_row(self.store, storable(game), reach(self.viewer))
        if row is None:
            raise GameUnknownError(game)
        return row

    def games(self, wanted: GameFilter, window: Window[tuple[str, str]]) -> Sequence[GameRow]:
        if not all(map(is_storable, (wanted.ruleset, wanted.player, wanted.clause))):
            return []
        return game_rows(self.store, wanted, window, reach(self.viewer))

    def names(self, games: Sequence[str]) -> Mapping[str, Mapping[int, str]]:
        seen = [game for game in games if self._seen(game).standpoint.sees_names]
        return self.store.names_of(seen)

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
        if not events:
            return []
        if seen.standpoint.runs_it:
            return [_event_row(event, json.loads(event.body), is_full=True) for event in events]
        format = self.folds.format_of(seen.game)
        is_kong_shown = bool(self.folds.at(seen.game, 0).book.options["concealed_kong_shown"])
        sight = self._sight(seen)
        rows, hidden = [], []
        for event in events:
            document = json.loads(event.body)
            public = public_form(document, concealed_kong_shown=is_kong_shown, format=format)
            is_public = public == document
            is_full = is_public or seen.standpoint.may_see(sight, event.seq, document)
            rows.append(_event_row(event, document if is_full else public, is_full=is_full))
            if is_full and not is_public:
                hidden.append(event.seq)
        if hidden:
            self._note(seen, "events", hidden[0], hidden[-1])
        return rows

    # Audits

    def audits(self, games: Sequence[str]) -> Mapping[str, AuditRow]:
        found = {}
        for audit in self.store.audits_of([storable(game) for game in games]):
            seen = self._seen(audit.game)
            self._note(seen, "audit", 0, audit.upto_seq)
            report = {**audit.report, "findings": self._redacted(seen, audit.report.get("findings", ()))}
            time = time_text(audit.audited_at)
            found[audit.game] = AuditRow(audit.game, audit.engine, audit.upto_seq, report, time)
        return found

    def findings(
        self, clause: str | None, severity: str | None, window: Window[tuple[str, int]]
    ) -> Sequence[FindingRow]:
        if not is_storable(clause):
            return []
        found = self.store.findings_of(ENGINE, reach(self.viewer), window, clause=clause, severity=severity)
        seen = {game: self._seen(game) for game in dict.fromkeys(row.game for row, _ in found)}
        for one in seen.values():
            seqs = [document["seq"] for row, document in found if row.game == one.game]
            self._note(one, "findings", min(seqs), max(seqs))
        return [
            FindingRow(row.game, row.ordinal, next(iter(self._redacted(seen[row.game], [document]))))
            for row, document in found
        ]

    def _redacted(self, seen: _Game, findings: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """Findings without what they quote of acts that others than the viewer's seats were offered or declined."""
        if seen.standpoint.runs_it or seen.standpoint.sees_whole:
            return list(findings)
        return [{**one, "recorded": {}} if self._is_private(seen, one["seq"]) else one for one in findings]

    def _is_private(self, seen: _Game, seq: int) -> bool:
        event = self.folds.events(seen.game, seq + 1)[seq]
        return isinstance(event, PRIVATE) and event.seat not in seen.standpoint.seats

    # Tables

    def state_at(self, game: str, seq: int, seat: int | None) -> StateRow:
        seen, table = self._seen(game), self._table(game, seq)
        if seat is not None and not 0 <= seat < table.players:
            raise SeatUnknownError(table.players)
        digest = table.book.digest
        if self._sees_all(seen, seq):
            self._note(seen, "state", seq, seq)
            if seat is None:
                return StateRow(game, seq, "all", None, picture(table), table.state_hash(), digest)
            return StateRow(game, seq, "seat", seat, picture(table, seat), None, digest)
        own = seen.standpoint.seats
        if seat is not None and seat not in own:
            raise HiddenError(f"Seat {seat} is another's, and not open at step {seq}.")
        eyes = seat if seat is not None else next(iter(own), SPECTATOR)
        view = "spectator" if eyes == SPECTATOR else "seat"
        return StateRow(game, seq, view, None if eyes == SPECTATOR else eyes, picture(table, eyes), None, digest)

    def legal_acts(self, game: str, seq: int) -> LegalActsRow:
        seen, table = self._seen(game), self._table(game, seq)
        if self._sees_all(seen, seq):
            self._note(seen, "acts", seq, seq)
            seats: Sequence[int] = range(table.players)
        else:
            seats = seen.standpoint.seats
        legal = offers(table)
        return LegalActsRow(game, seq, {seat: legal[seat] for seat in seats}, table.book.digest)

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
        found = standing(self.store, storable(game))
        stands = None if found is None else standpoint(self.viewer, found)
        if found is None or stands is None:
            raise GameUnknownError(game)
        return _Game(game, found, stands)

    def _sight(self, seen: _Game) -> Sight:
        return self.sights.of(seen.game, seen.standing.events, is_over=seen.standing.is_over)

    def _sees_all(self, seen: _Game, seq: int) -> bool:
        return seen.standpoint.runs_it or seen.standpoint.sees_all(self._sight(seen), seq)

    def _note(self, seen: _Game, what: str, first: int, last: int) -> None:
        if not seen.standpoint.reads_as_staff:
            return
        assert self.viewer.principal is not None  # the public is no staff
        read = HiddenRead(self.viewer.principal, self.viewer.key, self.request, what, seen.game, first, last)
        note_read(self.store, read)


def is_storable(text: str | None) -> bool:
    """Whether PostgreSQL can hold the text at all: JSON can say zero characters and halves of pairs, it cannot."""
    return text is None or not any(character == "\0" or "\ud800" <= character <= "\udfff" for character in text)


def storable(game: str) -> str:
    """The id of a game that may be there; ``GameUnknownError`` for one that cannot."""
    if not is_storable(game):
        raise GameUnknownError(game)
    return game


def _event_row(stored: StoredEvent, document: Mapping[str, Any], *, is_full: bool) -> EventRow:
    """The row of an event of which ``document`` is shown."""
    is_private = document["type"] == "private"
    return EventRow(
        seq=stored.seq,
        type=document["type"],
        at=document.get("at"),
        hand=document.get("hand"),
        seat=document.get("seat"),
        body=bytes(stored.body) if is_full else canonical(dict(document)),
        is_full=is_full,
        leaf=stored.leaf.hex(),
        head=stored.head.hex(),
        recorded_at=None if is_private else stored.time,
    )
