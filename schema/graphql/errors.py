"""Errors that a client can act on: types of their own, members of each result's union."""

from __future__ import annotations

from schema.graphql.described import interface, output
from schema.graphql.enums import ErrorCode


@interface
class Problem:
    """Something was wrong with the call: a stable code, and a sentence for people."""

    code: ErrorCode
    message: str


@output
class GameNotFound(Problem):
    """There is no game of this id."""

    game: str


@output
class HandNotFound(Problem):
    """The game has no finished hand of this number in its audit."""

    game: str
    number: int


@output
class NotAudited(Problem):
    """The game is stored and has not been audited yet."""

    game: str


@output
class SeqOutOfRange(Problem):
    """The game has no such step; it has those from 0 to lastSeq."""

    game: str
    seq: int
    last_seq: int


@output
class SeatOutOfRange(Problem):
    """The game has no such seat; it has as many as seats says, from 0."""

    game: str
    seat: int
    seats: int


@output
class BadCursor(Problem):
    """The cursor is not one of this connection with these arguments."""


@output
class Hidden(Problem):
    """The viewer may see the game, but not this of it."""


@output
class BadArgument(Problem):
    """A value outside its range; argument names it."""

    argument: str


def game_not_found(game: str) -> GameNotFound:
    """The error of an unknown game."""
    return GameNotFound(code=ErrorCode.GAME_NOT_FOUND, message=f"No game {game}.", game=game)


def hand_not_found(game: str, number: int) -> HandNotFound:
    """The error of an unknown hand."""
    message = f"Game {game} has no finished hand {number}."
    return HandNotFound(code=ErrorCode.HAND_NOT_FOUND, message=message, game=game, number=number)


def not_audited(game: str) -> NotAudited:
    """The error of a game without an audit."""
    return NotAudited(code=ErrorCode.NOT_AUDITED, message=f"Game {game} has not been audited.", game=game)


def seq_out_of_range(game: str, seq: int, last: int) -> SeqOutOfRange:
    """The error of a step that there is not."""
    message = f"Game {game} has the steps 0 to {last}, not {seq}."
    return SeqOutOfRange(code=ErrorCode.SEQ_OUT_OF_RANGE, message=message, game=game, seq=seq, last_seq=last)


def seat_out_of_range(game: str, seat: int, seats: int) -> SeatOutOfRange:
    """The error of a seat that there is not."""
    message = f"Game {game} has the seats 0 to {seats - 1}, not {seat}."
    return SeatOutOfRange(code=ErrorCode.SEAT_OUT_OF_RANGE, message=message, game=game, seat=seat, seats=seats)


def bad_cursor(message: str) -> BadCursor:
    """The error of a cursor that is not taken."""
    return BadCursor(code=ErrorCode.BAD_CURSOR, message=f"{message[:1].upper()}{message[1:]}.")


def hidden(message: str) -> Hidden:
    """The error of something that is not for the viewer."""
    return Hidden(code=ErrorCode.HIDDEN, message=message)


def bad_argument(argument: str, message: str) -> BadArgument:
    """The error of a value outside its range."""
    return BadArgument(code=ErrorCode.BAD_ARGUMENT, message=message, argument=argument)
