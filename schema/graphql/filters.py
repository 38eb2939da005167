"""What lists of games and hands are filtered by."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any

from schema.graphql.cases import CaseState
from schema.graphql.described import entry
from schema.graphql.enums import GameStatus, Severity, Verdict
from schema.graphql.scalars import BigInt
from schema.ports import GameFilter, HandFilter

_MILLISECOND = timedelta(milliseconds=1)


class BadTimeError(ValueError):
    """A text that is no moment; ``argument`` names it as clients write it."""

    def __init__(self, argument: str) -> None:
        super().__init__(f"{argument} must be a time with its zone, such as 2026-03-01T12:00:00Z.")
        self.argument = argument


@entry
class GamesFilter:
    """Which games; what is left out stands for any. What an audit says is what the newest one says: clause and severity
    together ask for one finding that has both, win is a way by which some hand was won, minSwing the least that the
    largest gain or loss of a seat in some hand must be, minTotalSwing over all hands. opened is when the service took
    the game in, started what the game server says; from is inclusive, until is not (RFC 3339, with a zone). dispute is
    the state of some case on the game, and for those who work on cases."""

    ruleset: str | None = None
    verdict: Verdict | None = None
    player: str | None = None
    clause: str | None = None
    severity: Severity | None = None
    win: str | None = None
    min_swing: BigInt | None = None
    min_total_swing: BigInt | None = None
    status: GameStatus | None = None
    public: bool | None = None
    dispute: CaseState | None = None
    opened_from: str | None = None
    opened_until: str | None = None
    started_from: str | None = None
    started_until: str | None = None


@entry
class HandsFilter:
    """Which finished hands; what is left out stands for any. winner is the winning player's id, win the way of winning,
    minFactor what that multiplies by at least, minSwing the least that the largest gain or loss of a seat must be.
    opened is when the service took the game in; openedFrom is inclusive, openedUntil is not (RFC 3339, with a zone)."""

    game: str | None = None
    ruleset: str | None = None
    winner: str | None = None
    win: str | None = None
    min_factor: BigInt | None = None
    min_swing: BigInt | None = None
    opened_from: str | None = None
    opened_until: str | None = None


def games_wanted(given: GamesFilter | None) -> GameFilter:
    """The filter as the port takes it; ``BadTimeError``."""
    if given is None:
        return GameFilter()
    return GameFilter(
        ruleset=given.ruleset,
        verdict=_word(given.verdict),
        player=given.player,
        clause=given.clause,
        severity=_word(given.severity),
        win=given.win,
        min_swing=given.min_swing,
        min_total_swing=given.min_total_swing,
        status=_word(given.status),
        is_public=given.public,
        dispute=_word(given.dispute),
        opened_from=_moment("openedFrom", given.opened_from),
        opened_until=_moment("openedUntil", given.opened_until),
        started_from=_log_time("startedFrom", given.started_from),
        started_until=_log_time("startedUntil", given.started_until),
    )


def hands_wanted(given: HandsFilter | None) -> HandFilter:
    """The same for hands; ``BadTimeError``."""
    if given is None:
        return HandFilter()
    return HandFilter(
        game=given.game,
        ruleset=given.ruleset,
        winner=given.winner,
        win=given.win,
        min_factor=given.min_factor,
        min_swing=given.min_swing,
        opened_from=_moment("openedFrom", given.opened_from),
        opened_until=_moment("openedUntil", given.opened_until),
    )


def filter_key(wanted: GameFilter | HandFilter) -> tuple[Any, ...]:
    """What tells a filter from others, for the cursors that were made under it."""
    values = (getattr(wanted, field.name) for field in fields(wanted))
    return tuple(value.isoformat() if isinstance(value, datetime) else value for value in values)


def _word(value: Enum | None) -> str | None:
    return None if value is None else str(value.value)


def _moment(argument: str, text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            raise BadTimeError(argument)
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadTimeError(argument) from None


def _log_time(argument: str, text: str | None) -> str | None:
    """The first moment from then on that the log can write, as it writes it."""
    moment = _moment(argument, text)
    if moment is None:
        return None
    try:
        whole = moment + (-timedelta(microseconds=moment.microsecond) % _MILLISECOND)
    except OverflowError:
        raise BadTimeError(argument) from None
    return whole.isoformat(timespec="milliseconds").replace("+00:00", "Z")
