"""Why a seat may not do something, how its hand reads, and where the payments of a hand come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from replays.differences import Difference
from replays.events import Act
from replays.readings import Readings, Wait
from replays.refusals import Refusal
from replays.rulebook import Strand, Violation


class WayUnknownError(LookupError):
    """A way of winning that the rule set does not have; ``ways`` are those that it has."""

    def __init__(self, ways: Sequence[str]) -> None:
        super().__init__(ways)
        self.ways = ways


class WhyNotRow(NamedTuple):
    """What the rules say of an act after event ``seq``: ``act`` is the one asked for, made whole from the table,
    ``why`` the clause that forbids it, ``None`` where it is legal."""

    game: str
    seq: int
    hand: int
    seat: int
    act: Act
    why: Violation | None
    ruleset_digest: str


class BlockedRow(NamedTuple):
    """The acts that a seat's tiles would make after event ``seq`` and that a rule forbids."""

    game: str
    seq: int
    hand: int
    seat: int
    refusals: Sequence[Refusal]
    ruleset_digest: str


class WaitsRow(NamedTuple):
    """The tiles that complete a seat's hand after event ``seq``."""

    game: str
    seq: int
    seat: int
    waits: Sequence[Wait]
    ruleset_digest: str


class ReadingsRow(NamedTuple):
    """The readings of what a seat wins with, or might by its tiles; ``None`` where they are not complete."""

    game: str
    seq: int
    hand: int
    seat: int
    readings: Readings | None
    ruleset_digest: str


class WaterfallRow(NamedTuple):
    """How the payments of a finished hand come about, and what each seat gains or loses by them."""

    game: str
    hand: int
    strands: Sequence[Strand]
    deltas: Sequence[int]
    ruleset_digest: str


class DiffRow(NamedTuple):
    """What was recorded otherwise than it follows, in one hand or, where ``hand`` is ``None``, in the whole game, by
    the audit of ``engine``."""

    game: str
    hand: int | None
    differences: Sequence[Difference]
    engine: str
    ruleset_digest: str


class Insight(Protocol):
    """Questions about the tiles of one seat at one step, and about the money of a hand. What a viewer may not see of
    another's tiles decides nothing: for an own seat everything is answered from what that seat sees. All raise
    ``GameUnknownError``; those of a step ``SeqUnknownError``, ``SeatUnknownError``, and ``HiddenError`` for a seat
    whose tiles are not the viewer's to see; those of a hand ``NotAuditedError`` and ``HandUnknownError``.
    """

    def why_not(self, game: str, seq: int, seat: int, act: Act) -> WhyNotRow:
        """Why a seat may not do an act, whoever else has a better right; ``WayUnknownError`` for an unknown win."""

    def blocked(self, game: str, seq: int, seat: int) -> BlockedRow:
        """What the tiles of a seat would make and a rule forbids."""

    def waits(self, game: str, seq: int, seat: int) -> WaitsRow:
        """Which tiles complete a seat's hand, and how many of each it has not seen."""

    def readings(self, game: str, seq: int, seat: int, most: int) -> ReadingsRow:
        """The readings of a seat's complete hand, the one that counts first, at most ``most`` of them."""

    def waterfall(self, game: str, number: int) -> WaterfallRow:
        """The payments of a finished hand, step by step."""

    def diff(self, game: str, number: int | None) -> DiffRow:
        """Recorded against derived, for one finished hand or all of a game."""
