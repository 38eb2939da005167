"""The fields of Query. Every answer comes from stored rows, through the ports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeAlias, cast

import strawberry

from schema.graphql.connections import Connection, Paging, page
from schema.graphql.context import Info
from schema.graphql.cursors import Cursors, ordinal_place, seq_place, time_place
from schema.graphql.described import entry, field, output
from schema.graphql.enums import GameStatus, Severity, Verdict
from schema.graphql.errors import (
    BadArgument,
    BadCursor,
    GameNotFound,
    HandNotFound,
    Hidden,
    NotAudited,
    SeatOutOfRange,
    SeqOutOfRange,
    game_not_found,
    hand_not_found,
    hidden,
    not_audited,
    seat_out_of_range,
    seq_out_of_range,
)
from schema.graphql.ids import parse_id
from schema.graphql.types import (
    Audit,
    Event,
    Finding,
    Game,
    Hand,
    LegalActs,
    Node,
    State,
    audit_of,
    event_of,
    finding_of,
    game_of,
    games_of,
    hand_of,
    legal_acts_of,
    state_of,
)
from schema.ports import (
    AuditRow,
    GameFilter,
    GameUnknownError,
    HiddenError,
    Library,
    SeatUnknownError,
    SeqUnknownError,
)


@entry
class GamesFilter:
    """Which games; what is left out stands for any. clause asks for a finding of that clause."""

    ruleset: str | None = None
    verdict: Verdict | None = None
    player: str | None = None
    clause: str | None = None
    status: GameStatus | None = None


@output
class FoundFinding:
    """A finding, and the game that it is in."""

    game: str
    finding: Finding


GameResult = Annotated[Game | GameNotFound, strawberry.union("GameResult")]
GamesResult = Annotated[Connection[Game] | BadCursor | BadArgument, strawberry.union("GamesResult")]
HandResult = Annotated[Hand | GameNotFound | HandNotFound | NotAudited, strawberry.union("HandResult")]
EventsResult = Annotated[Connection[Event] | GameNotFound | BadCursor | BadArgument, strawberry.union("EventsResult")]
FindingsResult = Annotated[Connection[FoundFinding] | BadCursor | BadArgument, strawberry.union("FindingsResult")]
StateResult = Annotated[State | GameNotFound | SeqOutOfRange | SeatOutOfRange | Hidden, strawberry.union("StateResult")]
LegalActsResult = Annotated[LegalActs | GameNotFound | SeqOutOfRange, strawberry.union("LegalActsResult")]
AuditResult = Annotated[Audit | GameNotFound | NotAudited, strawberry.union("AuditResult")]

_Finder: TypeAlias = Callable[..., Node | None]


@output
class GameQuery:
    """Reading stored games."""

    @field
    def node(self, info: Info, id: strawberry.ID) -> Node | None:
        """The thing of a global id, null where there is none."""
        parts = parse_id(id)
        if parts is None or parts[0] not in _NODES:
            return None
        try:
            return _NODES[parts[0]](info.context.library, *parts[1:])
        except (TypeError, LookupError):
            return None

    @field
    def game(self, info: Info, id: str) -> GameResult:
        """One game by its id."""
        try:
            return game_of(info.context.library, info.context.library.game(id))
        except GameUnknownError:
            return game_not_found(id)

    @field
    def games(
        self,
        info: Info,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
        filter: GamesFilter | None = None,
    ) -> GamesResult:
        """Games, the newest first; first or last is 1 to 100."""
        wanted = _wanted(filter)
        library = info.context.library
        return page(
            Cursors("games", _filter_key(wanted), time_place),
            Paging(first, after, last, before),
            lambda window: library.games(wanted, window),
            lambda row: (row.opened_at, row.game),
            lambda rows: games_of(library, rows),
        )

    @field
    def hand(self, info: Info, game: str, number: int) -> HandResult:
        """One finished hand of a game, as its newest audit has it."""
        row = _audit(info.context.library, game)
        if not isinstance(row, AuditRow):
            return row
        found = next((hand for hand in row.report["hands"] if hand["hand"] == number), None)
        return hand_not_found(game, number) if found is None else hand_of(game, found)

    @field
    def events(
        self,
        info: Info,
        game: str,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
    ) -> EventsResult:
        """The events of a game in order; first or last is 1 to 100."""
        library = info.context.library
        try:
            return page(
                Cursors("events", (game,), seq_place),
                Paging(first, after, last, before),
                lambda window: library.events(game, window),
                lambda row: (row.seq,),
                lambda rows: [event_of(game, row) for row in rows],
            )
        except GameUnknownError:
            return game_not_found(game)

    @field
    def findings(
        self,
        info: Info,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
        clause: str | None = None,
        severity: Severity | None = None,
    ) -> FindingsResult:
        """Findings of all games by game and place; first or last is 1 to 100."""
        library = info.context.library
        grade = None if severity is None else severity.value
        return page(
            Cursors("findings", (clause, grade), ordinal_place),
            Paging(first, after, last, before),
            lambda window: library.findings(clause, grade, window),
            lambda row: (row.game, row.ordinal),
            lambda rows: [FoundFinding(game=row.game, finding=finding_of(row.finding)) for row in rows],
        )

    @field
    def state_at(self, info: Info, game: str, seq: int, as_seat: int | None = None) -> StateResult:
        """The table of a game after an event: as asSeat saw it, or as much as the viewer may see."""
        try:
            return state_of(info.context.library.state_at(game, seq, as_seat))
        except GameUnknownError:
            return game_not_found(game)
        except SeqUnknownError as error:
            return seq_out_of_range(game, seq, error.last)
        except SeatUnknownError as error:
            return seat_out_of_range(game, cast(int, as_seat), error.seats)
        except HiddenError as error:
            return hidden(str(error))

    @field
    def legal_acts(self, info: Info, game: str, seq: int) -> LegalActsResult:
        """The legal acts after an event of every seat whose tiles the viewer may see."""
        try:
            return legal_acts_of(info.context.library.legal_acts(game, seq))
        except GameUnknownError:
            return game_not_found(game)
        except SeqUnknownError as error:
            return seq_out_of_range(game, seq, error.last)

    @field
    def audit(self, info: Info, game: str) -> AuditResult:
        """The newest audit of a game."""
        row = _audit(info.context.library, game)
        return audit_of(row) if isinstance(row, AuditRow) else row


def _wanted(given: GamesFilter | None) -> GameFilter:
    if given is None:
        return GameFilter()
    return GameFilter(
        ruleset=given.ruleset,
        verdict=None if given.verdict is None else given.verdict.value,
        player=given.player,
        clause=given.clause,
        status=None if given.status is None else given.status.value,
    )


def _filter_key(wanted: GameFilter) -> tuple[Any, ...]:
    return wanted.ruleset, wanted.verdict, wanted.player, wanted.clause, wanted.status


def _audit(library: Library, game: str) -> AuditRow | GameNotFound | NotAudited:
    try:
        library.game(game)
    except GameUnknownError:
        return game_not_found(game)
    return library.audits([game]).get(game) or not_audited(game)


def _find_game(library: Library, game: str) -> Node:
    return game_of(library, library.game(game))


def _find_hand(library: Library, game: str, number: int) -> Node | None:
    row = _audit(library, game)
    hands = row.report["hands"] if isinstance(row, AuditRow) else ()
    return next((hand_of(game, hand) for hand in hands if hand["hand"] == number), None)


def _find_event(library: Library, game: str, seq: int) -> Node:
    return event_of(game, library.event(game, seq))


_NODES: dict[str, _Finder] = {"Game": _find_game, "Hand": _find_hand, "Event": _find_event}
