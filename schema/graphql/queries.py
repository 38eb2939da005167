"""The fields of Query. Every answer comes from stored rows, through the ports."""

from __future__ import annotations

from typing import Annotated, cast

import strawberry

from schema.graphql.connections import Connection, Paging, page
from schema.graphql.context import Context, Info
from schema.graphql.cursors import Cursors, hand_place, ordinal_place, seq_place, time_place
from schema.graphql.described import field, output
from schema.graphql.enums import Severity
from schema.graphql.errors import (
    BadArgument,
    BadCursor,
    GameNotFound,
    HandNotFound,
    Hidden,
    NotAudited,
    SeatOutOfRange,
    SeqOutOfRange,
    bad_argument,
    game_not_found,
    hand_not_found,
    hidden,
    not_audited,
    seat_out_of_range,
    seq_out_of_range,
)
from schema.graphql.filters import (
    BadTimeError,
    GamesFilter,
    HandsFilter,
    filter_key,
    games_wanted,
    hands_wanted,
)
from schema.graphql.nodes import find_node, node_kind
from schema.graphql.types import (
    Audit,
    Event,
    Finding,
    Game,
    Hand,
    HandReplay,
    LegalActs,
    Node,
    State,
    audit_of,
    event_of,
    finding_of,
    game_of,
    games_of,
    hand_of_row,
    legal_acts_of,
    replay_of,
    state_of,
)
from schema.ports import (
    AuditRow,
    FindingRow,
    GameUnknownError,
    HandUnknownError,
    HiddenError,
    Library,
    NotAuditedError,
    SeatUnknownError,
    SeqUnknownError,
)


@output
class FoundFinding:
    """A finding of the engine of engineVersion, and the game that it is in: game and finding.seq are its place."""

    game: str
    finding: Finding
    engine_version: str


GameResult = Annotated[Game | GameNotFound, strawberry.union("GameResult")]
GamesResult = Annotated[Connection[Game] | BadCursor | BadArgument, strawberry.union("GamesResult")]
HandResult = Annotated[Hand | GameNotFound | HandNotFound | NotAudited, strawberry.union("HandResult")]
HandsResult = Annotated[Connection[Hand] | BadCursor | BadArgument, strawberry.union("HandsResult")]
EventsResult = Annotated[Connection[Event] | GameNotFound | BadCursor | BadArgument, strawberry.union("EventsResult")]
FindingsResult = Annotated[Connection[FoundFinding] | BadCursor | BadArgument, strawberry.union("FindingsResult")]
StateResult = Annotated[State | GameNotFound | SeqOutOfRange | SeatOutOfRange | Hidden, strawberry.union("StateResult")]
ReplayResult = Annotated[
    HandReplay | GameNotFound | HandNotFound | SeqOutOfRange | SeatOutOfRange | Hidden | BadArgument,
    strawberry.union("ReplayResult"),
]
LegalActsResult = Annotated[LegalActs | GameNotFound | SeqOutOfRange, strawberry.union("LegalActsResult")]
AuditResult = Annotated[Audit | GameNotFound | NotAudited, strawberry.union("AuditResult")]


@output
class GameQuery:
    """Reading stored games."""

    @field
    def node(self, info: Info, id: strawberry.ID) -> Node | None:
        """The thing of a global id, null where there is none."""
        return cast(Node | None, find_node(info.context, id))

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
        try:
            wanted = games_wanted(filter)
        except BadTimeError as error:
            return bad_argument(error.argument, str(error))
        library = info.context.library
        return page(
            Cursors("games", filter_key(wanted), time_place),
            Paging(first, after, last, before),
            lambda window: library.games(wanted, window),
            lambda row: (row.opened_at, row.game),
            lambda rows: games_of(library, rows),
        )

    @field
    def hand(self, info: Info, game: str, number: int) -> HandResult:
        """One finished hand of a game, as its newest audit has it."""
        try:
            return hand_of_row(info.context.library.hand(game, number))
        except GameUnknownError:
            return game_not_found(game)
        except NotAuditedError:
            return not_audited(game)
        except HandUnknownError:
            return hand_not_found(game, number)

    @field
    def hands(
        self,
        info: Info,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
        filter: HandsFilter | None = None,
    ) -> HandsResult:
        """Finished hands of all games, those of the newest game first; first or last is 1 to 100."""
        try:
            wanted = hands_wanted(filter)
        except BadTimeError as error:
            return bad_argument(error.argument, str(error))
        library = info.context.library
        return page(
            Cursors("hands", filter_key(wanted), hand_place),
            Paging(first, after, last, before),
            lambda window: library.hands(wanted, window),
            lambda row: (row.opened_at, row.game, row.number),
            lambda rows: [hand_of_row(row) for row in rows],
        )

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
            lambda rows: [found_finding_of(row) for row in rows],
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
    def replay(
        self, info: Info, game: str, hand: int | None = None, seq: int | None = None, as_seat: int | None = None
    ) -> ReplayResult:
        """A hand to be stepped through, by its number or by a step in it, the first one where neither is given: as
        asSeat saw it, or as much as the viewer may see."""
        if hand is not None and seq is not None:
            return bad_argument("seq", "A hand is asked for by its number or by a step in it, not by both.")
        try:
            return replay_of(info.context.library.replay(game, hand=hand, seq=seq, seat=as_seat))
        except GameUnknownError:
            return game_not_found(game)
        except HandUnknownError:
            return hand_not_found(game, cast(int, hand))
        except SeqUnknownError as error:
            return seq_out_of_range(game, cast(int, seq), error.last)
        except SeatUnknownError as error:
            return seat_out_of_range(game, cast(int, as_seat), error.seats)
        except HiddenError as error:
            return hidden(str(error))

    @field
    def audit(self, info: Info, game: str) -> AuditResult:
        """The newest audit of a game."""
        row = _audit(info.context.library, game)
        return audit_of(row) if isinstance(row, AuditRow) else row


def found_finding_of(row: FindingRow) -> FoundFinding:
    """A finding from its row."""
    return FoundFinding(game=row.game, finding=finding_of(row.finding), engine_version=row.engine)


def _audit(library: Library, game: str) -> AuditRow | GameNotFound | NotAudited:
    try:
        library.game(game)
    except GameUnknownError:
        return game_not_found(game)
    return library.audits([game]).get(game) or not_audited(game)


@node_kind("Game")
def _find_game(context: Context, game: str) -> Node:
    return game_of(context.library, context.library.game(game))


@node_kind("Hand")
def _find_hand(context: Context, game: str, number: int) -> Node:
    return hand_of_row(context.library.hand(game, number))


@node_kind("Event")
def _find_event(context: Context, game: str, seq: int) -> Node:
    return event_of(game, context.library.event(game, seq))
