"""Why not, readings, waits, waterfall and differences: fields of Query, and their types."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Annotated, Any, TypeVar, cast

import strawberry
from strawberry.scalars import JSON

from replays import ENGINE, events
from replays import readings as engine_readings
from replays.differences import Difference as EngineDifference
from replays.finding import act_document
from replays.rulebook import Settlement, Violation
from replays.rulebook import Step as EngineStep
from replays.rulebook import Strand as EngineStrand
from replays.table import NOTHING
from replays.tiles import CODES
from schema.catalogue import message_of, title, waterfall_step
from schema.graphql.context import Info
from schema.graphql.described import entry, enumeration, field, output
from schema.graphql.enums import ActKind, Lang
from schema.graphql.errors import (
    BadArgument,
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
from schema.graphql.scalars import BigInt
from schema.graphql.types import Act, Item, act_of
from schema.paipu import parse_act
from schema.ports import (
    GameUnknownError,
    HandUnknownError,
    HiddenError,
    NotAuditedError,
    SeatUnknownError,
    SeqUnknownError,
)
from schema.ports.insight import BlockedRow, DiffRow, ReadingsRow, WaitsRow, WaterfallRow, WayUnknownError, WhyNotRow

# -- Acts and what forbids them --------------------------------------------------------------------------------------


@entry
class ActInput:
    """An act as the log writes it. What follows from the table may be left out: the discard that is claimed and whose
    it is, equal tiles out of the hand, the tile and the way of a win."""

    act: ActKind
    tile: str | None = None
    with_: list[str] | None = strawberry.field(name="with", default=None)
    kind: str | None = None
    win: str | None = None
    from_: int | None = strawberry.field(name="from", default=None)


@output
class Refusal:
    """The clause that forbids an act, a stable code, and what would have been right; also names a shared clause
    beside the rule set's own."""

    clause: str
    code: str
    also: list[str]
    expected: JSON
    document: strawberry.Private[dict[str, Any]]

    @field
    def title(self, lang: Lang = Lang.EN) -> str:
        """The clause's short title."""
        return title(self.clause, lang.value)

    @field
    def message(self, lang: Lang = Lang.EN) -> str:
        """What forbids the act, in a sentence."""
        return message_of(self.document, lang.value)


@output
class WhyNot:
    """What the rules say of an act after event seq, whoever else has a better right: act is the one asked for, made
    whole; refusal is null where it is legal. For a viewer who does not see all tiles, others' hidden hands decide
    nothing."""

    game: str
    seq: int
    seat: int
    act: Act
    legal: bool
    refusal: Refusal | None
    ruleset_digest: str
    engine_version: str


@output
class BlockedAct:
    """An act that a seat's tiles would make, and what forbids it."""

    act: Act
    refusal: Refusal


@output
class BlockedActs:
    """The acts that a seat's tiles would make after event seq and that a rule forbids: wins of a complete hand, claims,
    kongs, discards."""

    game: str
    seq: int
    seat: int
    acts: list[BlockedAct]
    ruleset_digest: str
    engine_version: str


# -- Hands -----------------------------------------------------------------------------------------------------------


@output
class Wait:
    """A tile that completes a hand, and how many of it the seat has not seen."""

    tile: str
    live: int


@output
class Waits:
    """The tiles that complete a seat's hand after event seq, by kind; none for a hand whose discard is due."""

    game: str
    seq: int
    seat: int
    waits: list[Wait]
    ruleset_digest: str
    engine_version: str


@enumeration
class TileRole(Enum):
    """As what a tile stands in a reading: NATURAL for itself, GOLD for any kind, STAND_IN for the flipped kind."""

    NATURAL = engine_readings.NATURAL
    GOLD = engine_readings.GOLD
    STAND_IN = engine_readings.STAND_IN


@output
class PlacedTile:
    """A tile in a reading, and the kind that it stands for."""

    tile: str
    kind: str
    role: TileRole


@output
class ReadingPart:
    """A set or pair of a reading."""

    tiles: list[PlacedTile]


@output
class Worth:
    """What a hand pays if it is read in one way: water and factor as in a hand, names what it is besides."""

    factor: BigInt
    water: BigInt
    names: list[str]
    items: list[Item]
    deltas: list[BigInt]


@output
class Reading:
    """One way to see a concealed hand as sets and a pair, or as another whole shape. worth is null where the hand does
    not win; counts says that this is the reading that was scored."""

    parts: list[ReadingPart]
    counts: bool
    worth: Worth | None


@output
class Readings:
    """The readings of what a seat has won with, or might by its tiles after event seq: total is how many there are, the
    first of them listed, the one that counts at their head. refusal says why a complete hand does not win. There are
    none where the tiles are not complete, or win by their golds alone."""

    game: str
    seq: int
    seat: int
    wins: bool
    win: str | None
    refusal: Refusal | None
    total: int
    readings: list[Reading]
    ruleset_digest: str
    engine_version: str


# -- Payments --------------------------------------------------------------------------------------------------------


@output
class WaterfallStep:
    """A step on the way to a payment: value is by how much the amount grows, total the amount so far, times what the
    step multiplies by. tile and name say which set or shape it is about."""

    clause: str
    code: str
    value: BigInt
    total: BigInt
    times: BigInt | None
    tile: str | None
    name: str | None

    @field
    def label(self, lang: Lang = Lang.EN) -> str:
        """What the step is called."""
        return waterfall_step(self.code, lang.value)

    @field
    def title(self, lang: Lang = Lang.EN) -> str:
        """The clause's short title."""
        return title(self.clause, lang.value)


@output
class WaterfallStrand:
    """What one seat pays another for one thing. shareOf is the seat whose share it is, where payer bears it for
    another; payer is null where a line names nobody in particular."""

    payer: int | None
    payee: int
    share_of: int
    amount: BigInt
    steps: list[WaterfallStep]


@output
class Waterfall:
    """How the payments of a finished hand come about by the rules; the strands add up to deltas."""

    game: str
    hand: int
    strands: list[WaterfallStrand]
    deltas: list[BigInt]
    ruleset_digest: str
    engine_version: str


@output
class Difference:
    """One member of the event seq that was recorded otherwise than it follows; member is empty where the event as a
    whole does."""

    seq: int
    seat: int | None
    member: str
    recorded: JSON | None
    derived: JSON | None
    clause: str
    code: str

    @field
    def title(self, lang: Lang = Lang.EN) -> str:
        """The clause's short title."""
        return title(self.clause, lang.value)


@output
class Diff:
    """Recorded against derived, by the newest audit: numbers, ways of winning, wall and dice that do not follow. hand
    is null for the whole game."""

    game: str
    hand: int | None
    differences: list[Difference]
    ruleset_digest: str
    engine_version: str


# -- Queries ---------------------------------------------------------------------------------------------------------

WhyNotResult = Annotated[
    WhyNot | GameNotFound | SeqOutOfRange | SeatOutOfRange | Hidden | BadArgument, strawberry.union("WhyNotResult")
]
BlockedActsResult = Annotated[
    BlockedActs | GameNotFound | SeqOutOfRange | SeatOutOfRange | Hidden, strawberry.union("BlockedActsResult")
]
WaitsResult = Annotated[Waits | GameNotFound | SeqOutOfRange | SeatOutOfRange | Hidden, strawberry.union("WaitsResult")]
ReadingsResult = Annotated[
    Readings | GameNotFound | SeqOutOfRange | SeatOutOfRange | Hidden | BadArgument, strawberry.union("ReadingsResult")
]
WaterfallResult = Annotated[Waterfall | GameNotFound | HandNotFound | NotAudited, strawberry.union("WaterfallResult")]
DiffResult = Annotated[Diff | GameNotFound | HandNotFound | NotAudited, strawberry.union("DiffResult")]

MOST_READINGS = 100
_Answer = TypeVar("_Answer")


@output
class InsightQuery:
    """Why not, and where it comes from."""

    @field
    def why_not(self, info: Info, game: str, seq: int, seat: int, act: ActInput) -> WhyNotResult:
        """Whether an act is legal for a seat after an event, and if not, by which clause."""
        asked = _asked(act)
        if isinstance(asked, BadArgument):
            return asked
        try:
            return _of_seat((game, seq, seat), lambda: _why_not(info.context.insight.why_not(game, seq, seat, asked)))
        except WayUnknownError as error:
            return bad_argument("act.win", f"The rule set has the ways {', '.join(error.ways)}.")

    @field
    def blocked_acts(self, info: Info, game: str, seq: int, seat: int) -> BlockedActsResult:
        """What a seat's tiles would make after an event and a rule forbids."""
        return _of_seat((game, seq, seat), lambda: _blocked(info.context.insight.blocked(game, seq, seat)))

    @field
    def waits(self, info: Info, game: str, seq: int, seat: int) -> WaitsResult:
        """Which tiles complete a seat's hand after an event."""
        return _of_seat((game, seq, seat), lambda: _waits(info.context.insight.waits(game, seq, seat)))

    @field
    def readings(self, info: Info, game: str, seq: int, seat: int, first: int = 20) -> ReadingsResult:
        """The readings of a seat's complete hand after an event, or of the hand that it has won with; first is 1 to
        100."""
        if not 1 <= first <= MOST_READINGS:
            return bad_argument("first", f"first is 1 to {MOST_READINGS}.")
        return _of_seat((game, seq, seat), lambda: _readings(info.context.insight.readings(game, seq, seat, first)))

    @field
    def score_waterfall(self, info: Info, game: str, hand: int) -> WaterfallResult:
        """The payments of a finished hand, step by step."""
        return _of_hand((game, hand), lambda: _waterfall(info.context.insight.waterfall(game, hand)))

    @field
    def diff(self, info: Info, game: str, hand: int | None = None) -> DiffResult:
        """What was recorded otherwise than it follows, in a finished hand or in all of a game."""
        return _of_hand((game, hand or 0), lambda: _diff(info.context.insight.diff(game, hand)))


def _of_seat(
    asked: tuple[str, int, int], answer: Callable[[], _Answer]
) -> _Answer | GameNotFound | SeqOutOfRange | SeatOutOfRange | Hidden:
    """The answer about a seat at a step, or what is wrong with the question."""
    game, seq, seat = asked
    try:
        return answer()
    except GameUnknownError:
        return game_not_found(game)
    except SeqUnknownError as error:
        return seq_out_of_range(game, seq, error.last)
    except SeatUnknownError as error:
        return seat_out_of_range(game, seat, error.seats)
    except HiddenError as error:
        return hidden(str(error))


def _of_hand(
    asked: tuple[str, int], answer: Callable[[], _Answer]
) -> _Answer | GameNotFound | HandNotFound | NotAudited:
    """The answer about a finished hand, or what is wrong with the question."""
    game, number = asked
    try:
        return answer()
    except GameUnknownError:
        return game_not_found(game)
    except HandUnknownError:
        return hand_not_found(game, number)
    except NotAuditedError:
        return not_audited(game)


# -- Reading an act --------------------------------------------------------------------------------------------------

_KONGS, _DECLARATIONS = ("exposed", "added", "concealed"), ("you", "double_you", "triple_you", "heavenly_ready")

#: By act, the members that it must have and those that it may have.
_MEMBERS: dict[ActKind, tuple[tuple[str, ...], tuple[str, ...]]] = {
    ActKind.DISCARD: (("tile",), ()),
    ActKind.CHOW: (("with",), ("tile", "from")),
    ActKind.PUNG: ((), ("tile", "with", "from")),
    ActKind.KONG: (("kind",), ("tile", "with", "from")),
    ActKind.WIN: ((), ("tile", "win", "from")),
    ActKind.PASS: ((), ()),
    ActKind.DECLARE: (("kind",), ()),
}
_KINDS = {ActKind.KONG: _KONGS, ActKind.DECLARE: _DECLARATIONS}


def _asked(given: ActInput) -> events.Act | BadArgument:
    """The engine's act, or which member is not as it should be."""
    values = {"tile": given.tile, "with": given.with_, "kind": given.kind, "win": given.win, "from": given.from_}
    document = {name: value for name, value in values.items() if value is not None}
    needed, possible = _MEMBERS[given.act]
    for name in values:
        if name in needed and name not in document:
            return bad_argument(f"act.{name}", f"{given.act.name} needs {name}.")
        if name in document and name not in (*needed, *possible):
            return bad_argument(f"act.{name}", f"{given.act.name} has no {name}.")
    kinds = _KINDS.get(given.act, ())
    if kinds and given.kind not in kinds:
        return bad_argument("act.kind", f"{given.act.name} has the kinds {', '.join(kinds)}.")
    try:
        return parse_act({"act": given.act.value, **document})
    except ValueError as error:
        return bad_argument("act", str(error))


# -- From rows -------------------------------------------------------------------------------------------------------


def _refusal(row: WhyNotRow | BlockedRow | ReadingsRow, act: events.Act, why: Violation) -> Refusal:
    document = {
        "clause": why.clause,
        "code": why.code,
        "expected": why.expected,
        "recorded": act_document(act),
        "seq": row.seq,
        "hand": row.hand,
        "seat": row.seat,
    }
    return Refusal(
        clause=why.clause, code=why.code, also=list(why.also), expected=cast(JSON, why.expected), document=document
    )


def _why_not(row: WhyNotRow) -> WhyNot:
    return WhyNot(
        game=row.game,
        seq=row.seq,
        seat=row.seat,
        act=act_of(row.act),
        legal=row.why is None,
        refusal=None if row.why is None else _refusal(row, row.act, row.why),
        ruleset_digest=row.ruleset_digest,
        engine_version=ENGINE,
    )


def _blocked(row: BlockedRow) -> BlockedActs:
    return BlockedActs(
        game=row.game,
        seq=row.seq,
        seat=row.seat,
        acts=[BlockedAct(act=act_of(act), refusal=_refusal(row, act, why)) for act, why in row.refusals],
        ruleset_digest=row.ruleset_digest,
        engine_version=ENGINE,
    )


def _waits(row: WaitsRow) -> Waits:
    return Waits(
        game=row.game,
        seq=row.seq,
        seat=row.seat,
        waits=[Wait(tile=CODES[wait.tile], live=wait.live) for wait in row.waits],
        ruleset_digest=row.ruleset_digest,
        engine_version=ENGINE,
    )


def _readings(row: ReadingsRow) -> Readings:
    found = row.readings
    verdict = None if found is None else found.verdict
    is_win = isinstance(verdict, Settlement)
    return Readings(
        game=row.game,
        seq=row.seq,
        seat=row.seat,
        wins=is_win,
        win=verdict.win if isinstance(verdict, Settlement) else None,
        refusal=_refusal(row, events.Act("win"), verdict) if isinstance(verdict, Violation) else None,
        total=0 if found is None else found.total,
        readings=[_reading(one, is_win and place == 0) for place, one in enumerate(found.first if found else ())],
        ruleset_digest=row.ruleset_digest,
        engine_version=ENGINE,
    )


def _reading(one: engine_readings.Alternative, counts: bool) -> Reading:
    parts = [
        ReadingPart(
            tiles=[
                PlacedTile(tile=CODES[placed.tile], kind=CODES[placed.kind], role=TileRole(placed.role))
                for placed in part
            ]
        )
        for part in one.parts
    ]
    return Reading(parts=parts, counts=counts, worth=None if one.settlement is None else _worth(one.settlement))


def _worth(settlement: Settlement) -> Worth:
    return Worth(
        factor=BigInt(settlement.factor),
        water=BigInt(settlement.water),
        names=list(settlement.names),
        items=[
            Item(seat=item.seat, code=item.code, value=BigInt(item.value), tile=_code(item.tile))
            for item in settlement.items
        ],
        deltas=[BigInt(delta) for delta in settlement.deltas],
    )


def _waterfall(row: WaterfallRow) -> Waterfall:
    return Waterfall(
        game=row.game,
        hand=row.hand,
        strands=[_strand(strand) for strand in row.strands],
        deltas=[BigInt(delta) for delta in row.deltas],
        ruleset_digest=row.ruleset_digest,
        engine_version=ENGINE,
    )


def _strand(strand: EngineStrand) -> WaterfallStrand:
    return WaterfallStrand(
        payer=None if strand.payer == NOTHING else strand.payer,
        payee=strand.payee,
        share_of=strand.share_of,
        amount=BigInt(strand.amount),
        steps=[_step(step) for step in strand.steps],
    )


def _step(step: EngineStep) -> WaterfallStep:
    return WaterfallStep(
        clause=step.clause,
        code=step.code,
        value=BigInt(step.value),
        total=BigInt(step.total),
        times=None if step.times is None else BigInt(step.times),
        tile=_code(step.tile),
        name=step.name,
    )


def _diff(row: DiffRow) -> Diff:
    return Diff(
        game=row.game,
        hand=row.hand,
        differences=[_difference(one) for one in row.differences],
        ruleset_digest=row.ruleset_digest,
        engine_version=row.engine,
    )


def _difference(one: EngineDifference) -> Difference:
    return Difference(
        seq=one.seq,
        seat=one.seat,
        member=one.member,
        recorded=cast(JSON, one.recorded),
        derived=cast(JSON, one.derived),
        clause=one.clause,
        code=one.code,
    )


def _code(tile: int | None) -> str | None:
    return None if tile is None else CODES[tile]
