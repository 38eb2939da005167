"""The fields of Subscription: what goes on, as it goes on."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Annotated, Any, TypeVar, cast

import strawberry
from graphql import GraphQLError

from schema.graphql.cases import CaseEvent, CaseNotFound, case_event_of, case_not_found
from schema.graphql.context import Info
from schema.graphql.cursors import CursorError, Cursors, seq_place
from schema.graphql.described import output, subscription
from schema.graphql.enums import Severity
from schema.graphql.errors import BadCursor, GameNotFound, bad_cursor, game_not_found
from schema.graphql.types import Event, Finding, event_of, finding_of
from schema.ports import GameUnknownError
from schema.ports.cases import CaseUnknownError
from schema.ports.live import Live, StoppingError

_Row = TypeVar("_Row")
_POSITION_LIMIT = 2**63


@output
class GameEvent:
    """An event of a game that is followed; cursor is where to go on behind it, in the connection events too."""

    cursor: str
    event: Event


@output
class GameFinding:
    """A finding of a game that is followed, out of the audit up to event uptoSeq."""

    game: str
    upto_seq: int
    finding: Finding


@output
class NewFinding:
    """A finding of any game; cursor is where to go on behind it."""

    cursor: str
    game: str
    found_at: str
    finding: Finding


@output
class CaseChange:
    """An event of a case; cursor is where to go on behind it."""

    cursor: str
    case: str
    event: CaseEvent


GameEventResult = Annotated[GameEvent | GameNotFound | BadCursor, strawberry.union("GameEventResult")]
GameFindingResult = Annotated[GameFinding | GameNotFound, strawberry.union("GameFindingResult")]
NewFindingResult = Annotated[NewFinding | BadCursor, strawberry.union("NewFindingResult")]
CaseChangeResult = Annotated[CaseChange | CaseNotFound | BadCursor, strawberry.union("CaseChangeResult")]


@output
class LiveSubscription:
    """Following games, findings and disputes."""

    @subscription
    async def game_events(
        self, info: Info, game: str, after: str | None = None
    ) -> AsyncGenerator[GameEventResult, None]:
        """The events of a game from its first one, or from behind a cursor, as they are appended: each once, in order,
        as much of it as the viewer may see at that moment. Ends with the game."""
        cursors = Cursors("events", (game,), seq_place)
        try:
            place = cursors.decode(after)
        except CursorError as error:
            yield bad_cursor(str(error))
            return
        try:
            async with _rows(_live(info).game_events(game, None if place is None else place[0])) as rows:
                async for row in rows:
                    yield GameEvent(cursor=cursors.encode((row.seq,)), event=event_of(game, row))
        except GameUnknownError:
            yield game_not_found(game)

    @subscription
    async def game_findings(self, info: Info, game: str) -> AsyncGenerator[GameFindingResult, None]:
        """What the audit has found in a game, and then what it finds as the game goes on: to all but the server that
        runs it nothing of the hand under way. Ends with the audit of the whole game."""
        try:
            async with _rows(_live(info).game_findings(game)) as rows:
                async for row in rows:
                    yield GameFinding(game=game, upto_seq=row.upto_seq, finding=finding_of(row.finding))
        except GameUnknownError:
            yield game_not_found(game)

    @subscription
    async def findings(
        self, info: Info, clause: str | None = None, severity: Severity | None = None, after: str | None = None
    ) -> AsyncGenerator[NewFindingResult, None]:
        """What the audits find in any game, from now on or from behind a cursor; for the platform's staff."""
        grade = None if severity is None else severity.value
        cursors = Cursors("newFindings", (clause, grade), _position_place)
        try:
            place = cursors.decode(after)
        except CursorError as error:
            yield bad_cursor(str(error))
            return
        found = _live(info).findings(clause, grade, None if place is None else place[0])
        async with _rows(found) as rows:
            async for row in rows:
                yield NewFinding(
                    cursor=cursors.encode((row.position,)),
                    game=row.game,
                    found_at=row.found_at,
                    finding=finding_of(row.finding),
                )

    @subscription
    async def case_changes(
        self, info: Info, case: str | None = None, after: str | None = None
    ) -> AsyncGenerator[CaseChangeResult, None]:
        """What happens in a dispute, from its opening or from behind a cursor, as far as the viewer may know of it.
        Without a case what happens in all of them, from now on or from behind a cursor; for the staff that works on
        them."""
        if case is None:
            async for change in _changes_of_all(_live(info), after):
                yield change
            return
        async for change in _changes_of(_live(info), case, after):
            yield change


async def _changes_of(live: Live, case: str, after: str | None) -> AsyncGenerator[Any, None]:
    cursors = Cursors("caseChanges", (case,), seq_place)
    try:
        place = cursors.decode(after)
    except CursorError as error:
        yield bad_cursor(str(error))
        return
    try:
        async with _rows(live.case_events(case, None if place is None else place[0])) as rows:
            async for row in rows:
                yield CaseChange(cursor=cursors.encode((row.seq,)), case=case, event=case_event_of(row))
    except CaseUnknownError:
        yield case_not_found(case)


async def _changes_of_all(live: Live, after: str | None) -> AsyncGenerator[Any, None]:
    cursors = Cursors("caseChanges", (None,), _change_place)
    try:
        place = cursors.decode(after)
    except CursorError as error:
        yield bad_cursor(str(error))
        return
    async with _rows(live.case_changes(place)) as rows:
        async for row in rows:
            cursor = cursors.encode((row.position, row.event.seq))
            yield CaseChange(cursor=cursor, case=row.case, event=case_event_of(row.event))


@asynccontextmanager
async def _rows(rows: AsyncIterator[_Row]) -> AsyncIterator[AsyncIterator[_Row]]:
    """The rows of a subscription, which is closed at the end whoever ends it."""
    async with aclosing(cast("AsyncGenerator[_Row, None]", rows)):
        try:
            yield rows
        except StoppingError as error:
            raise GraphQLError(str(error), extensions={"code": "UNAVAILABLE"}) from None


def _live(info: Info) -> Live:
    live = info.context.live
    if live is None:  # the routes that answer once do not run subscriptions
        raise GraphQLError("There are no subscriptions here.")
    return live


def _position_place(position: Any) -> tuple[int]:
    """The place of a finding among all: its position."""
    if type(position) is not int or not 0 <= position < _POSITION_LIMIT:
        raise TypeError(position)
    return (position,)


def _change_place(position: Any, seq: Any) -> tuple[int, int]:
    """The place of an event among those of all cases: its append's position, and its ``seq``."""
    return *_position_place(position), *seq_place(seq)
