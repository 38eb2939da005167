"""The fields of Mutation: live events come in."""

from __future__ import annotations

from typing import Annotated

import strawberry
from strawberry.scalars import JSON

from schema.graphql.context import Info
from schema.graphql.described import mutation, output
from schema.graphql.enums import ErrorCode
from schema.graphql.errors import BadArgument, GameNotFound, Problem, bad_argument, game_not_found
from schema.graphql.types import Game, Receipt, Seal, game_of, receipt_of, seal_of
from schema.ports import GameUnknownError, IntakeError

#: The most events that one call appends.
BATCH_LIMIT = 1000
_KEY_LIMIT = 255  #: bytes of an idempotency key


@output
class AppendRefused(Problem):
    """Nothing of the call was stored. index and member say which event is to blame, where one is; nextSeq and
    storedHead are the end of the stored game, where that stands against the call."""

    index: int | None
    member: str | None
    next_seq: int | None
    stored_head: str | None


AppendResult = Annotated[Receipt | GameNotFound | AppendRefused | BadArgument, strawberry.union("AppendResult")]
SealResult = Annotated[Seal | GameNotFound | AppendRefused, strawberry.union("SealResult")]
PublishResult = Annotated[Game | GameNotFound | AppendRefused, strawberry.union("PublishResult")]


@output
class GameMutation:
    """Taking in live events: all of a call or nothing. A call repeated with the same key gives the first receipt."""

    @mutation
    def open_game(self, info: Info, event: JSON, key: str | None = None) -> AppendResult:
        """Starts a game with its game_started event."""
        if not _is_key(key):
            return _bad_key()
        try:
            return receipt_of(info.context.desk.open_game(event, key))
        except IntakeError as error:
            return _refused(error)

    @mutation
    def append_events(
        self, info: Info, game: str, expected_seq: int, events: list[JSON], key: str | None = None
    ) -> AppendResult:
        """Appends events to a game, the first of them at expectedSeq."""
        if not _is_key(key):
            return _bad_key()
        if not 1 <= len(events) <= BATCH_LIMIT:
            return bad_argument("events", f"events must be 1 to {BATCH_LIMIT}, not {len(events)}.")
        try:
            return receipt_of(info.context.desk.append(game, expected_seq, key, events))
        except GameUnknownError:
            return game_not_found(game)
        except IntakeError as error:
            return _refused(error)

    @mutation
    def void_hand(
        self,
        info: Info,
        game: str,
        expected_seq: int,
        hand: int,
        reason: str,
        at: str,
        key: str | None = None,
    ) -> AppendResult:
        """Appends that the platform cancelled a hand, at the game server's time at: it settles to zero."""
        if not _is_key(key):
            return _bad_key()
        try:
            return receipt_of(info.context.desk.void_hand(game, expected_seq, key, hand, reason, at))
        except GameUnknownError:
            return game_not_found(game)
        except IntakeError as error:
            return _refused(error)

    @mutation
    def seal_game(self, info: Info, game: str) -> SealResult:
        """Seals an ended game, or says where it was sealed before: the service does so itself once a game has ended."""
        try:
            return seal_of(info.context.desk.seal(game))
        except GameUnknownError:
            return game_not_found(game)
        except IntakeError as error:
            return _refused(error)

    @mutation
    def publish_game(self, info: Info, game: str, public: bool = True) -> PublishResult:
        """Opens a sealed game to everybody, or closes it again."""
        try:
            return game_of(info.context.library, info.context.desk.publish(game, public))
        except GameUnknownError:
            return game_not_found(game)
        except IntakeError as error:
            return _refused(error)


def _is_key(key: str | None) -> bool:
    return key is None or (key.isprintable() and 0 < len(key.encode()) <= _KEY_LIMIT)


def _bad_key() -> BadArgument:
    return bad_argument("key", f"key must be 1 to {_KEY_LIMIT} bytes of printable characters.")


def _refused(error: IntakeError) -> AppendRefused:
    return AppendRefused(
        code=ErrorCode(error.code),
        message=f"{str(error)[:1].upper()}{str(error)[1:]}.",
        index=error.index,
        member=error.member,
        next_seq=error.next_seq,
        stored_head=error.head,
    )
