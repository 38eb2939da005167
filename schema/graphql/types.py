"""Object types: what the ports' rows look like to a client."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

import strawberry
from strawberry.scalars import JSON

from replays import events
from replays.finding import Finding as EngineFinding
from replays.tiles import CODES, codes
from schema.catalogue import message
from schema.graphql.context import Info
from schema.graphql.described import field, interface, output
from schema.graphql.enums import ActKind, EventType, GameStatus, Lang, Severity, Verdict
from schema.graphql.ids import global_id
from schema.graphql.scalars import BigInt
from schema.ports import AuditRow, EventRow, GameRow, ReceiptRow, StateRow


@interface
class Node:
    """Anything that the field node finds again by its global id."""

    id: strawberry.ID


@output
class Ruleset:
    """The rule set of a game; options holds those that differ from the defaults, digest stands for all of them."""

    id: str
    version: str
    options: JSON
    digest: str


@output
class Seat:
    """A seat of a game; name is null where none was given or it was erased."""

    seat: int
    player: str
    game: strawberry.Private[str]

    @field
    def name(self, info: Info) -> str | None:
        """The player's name at this seat."""
        return info.context.library.names(self.game).get(self.seat)


@output
class Event(Node):
    """An event as stored: its envelope, and body with all its members. leaf and head place it in the game's chain."""

    seq: int
    type: EventType
    at: str
    hand: int | None
    seat: int | None
    leaf: str
    head: str
    recorded_at: str
    raw: strawberry.Private[bytes]

    @field
    def body(self) -> JSON:
        """The whole event as the log format writes it, names left out."""
        return cast(JSON, json.loads(self.raw))


@output
class Finding:
    """A broken clause at one event, which recorded one thing where another was expected."""

    seq: int
    hand: int | None
    seat: int | None
    clause: str
    code: str
    severity: Severity
    expected: JSON
    recorded: JSON
    also: list[str]
    document: strawberry.Private[Mapping[str, Any]]

    @field
    def message(self, lang: Lang = Lang.EN) -> str:
        """What was wrong, in a sentence."""
        return message(_engine_finding(self.document), lang.value)


@output
class Item:
    """One line of a settlement: the clause that gives seat this value."""

    seat: int
    code: str
    value: BigInt
    tile: str | None


@output
class Hand(Node):
    """A finished hand as the engine settles it, whatever the server paid. winner and win are null for a hand without
    a winner; clause, factor and water say by which way it counts."""

    number: int
    dealer: int
    streak: BigInt
    winner: int | None
    win: str | None
    clause: str | None
    factor: BigInt
    water: BigInt
    deltas: list[BigInt]
    items: list[Item]
    state_hash: str


@output
class Fairness:
    """How far the wall was proven: the level of the weakest hand, and how many hands have a proof that holds."""

    level: int
    hands_proven: int
    hands: int


@output
class Audit:
    """An engine's verdict on a game up to event uptoSeq. unproven names what the log cannot show."""

    game: str
    engine: str
    upto_seq: int
    audited_at: str
    verdict: Verdict
    ruleset_digest: str | None
    scores: list[BigInt]
    findings: list[Finding]
    hands: list[Hand]
    fairness: Fairness
    unproven: list[str]


@output
class Game(Node):
    """A stored game: what its first event says, how it stands, and the end of its chain. verdict is the newest
    audit's."""

    game: str
    ruleset: Ruleset
    seats: list[Seat]
    started_at: str
    status: GameStatus
    opened_at: str
    closed_at: str | None
    sealed_at: str | None
    events_count: int
    head: str
    verdict: Verdict | None

    @field
    def audit(self, info: Info) -> Audit | None:
        """The newest audit, null where there is none yet."""
        row = info.context.library.audit(self.game)
        return None if row is None else audit_of(row)


@output
class State:
    """The table after event seq: all of it, or what the seat asSeat could see. stateHash is null for a seat's view."""

    game: str
    seq: int
    as_seat: int | None
    table: JSON
    state_hash: str | None


@output
class Act:
    """Something a seat may do."""

    act: ActKind
    tile: str | None
    with_: list[str] = strawberry.field(name="with")
    kind: str | None
    win: str | None
    from_: int | None = strawberry.field(name="from")


@output
class SeatActs:
    """The legal acts of a seat; which of two seats goes first is not applied."""

    seat: int
    acts: list[Act]


@output
class LegalActs:
    """Every legal act after event seq, by seat."""

    game: str
    seq: int
    seats: list[SeatActs]


@output
class Receipt:
    """The end of what was appended: last seq, the chain's head after it, the time of record. signature (base64) is
    the service's Ed25519 signature over them, key the public key that checks it; both are null on a database that may
    lose events."""

    game: str
    seq: int
    head: str
    time: str
    signature: str | None
    key: str | None


def game_of(row: GameRow) -> Game:
    """A game from its row."""
    return Game(
        id=global_id("Game", row.game),
        game=row.game,
        ruleset=Ruleset(
            id=row.ruleset, version=row.version, options=cast(JSON, dict(row.options)), digest=row.ruleset_digest
        ),
        seats=[Seat(seat=seat, player=player, game=row.game) for seat, player in enumerate(row.players)],
        started_at=row.started_at,
        status=GameStatus(row.status),
        opened_at=row.opened_at,
        closed_at=row.closed_at,
        sealed_at=row.sealed_at,
        events_count=row.events,
        head=row.head,
        verdict=None if row.verdict is None else Verdict(row.verdict),
    )


def event_of(game: str, row: EventRow) -> Event:
    """An event from its row."""
    return Event(
        id=global_id("Event", game, row.seq),
        seq=row.seq,
        type=EventType(row.type),
        at=row.at,
        hand=row.hand,
        seat=row.seat,
        leaf=row.leaf,
        head=row.head,
        recorded_at=row.recorded_at,
        raw=row.body,
    )


def finding_of(document: Mapping[str, Any]) -> Finding:
    """A finding from its member of a report."""
    return Finding(
        seq=document["seq"],
        hand=document["hand"],
        seat=document["seat"],
        clause=document["clause"],
        code=document["code"],
        severity=Severity(document["severity"]),
        expected=cast(JSON, document["expected"] or {}),
        recorded=cast(JSON, document["recorded"] or {}),
        also=list(document.get("also", ())),
        document=document,
    )


def hand_of(game: str, document: Mapping[str, Any]) -> Hand:
    """A hand from its member of a report."""
    return Hand(
        id=global_id("Hand", game, document["hand"]),
        number=document["hand"],
        dealer=document["dealer"],
        streak=document["streak"],
        winner=document["winner"],
        win=document["win"],
        clause=document["clause"],
        factor=document["factor"],
        water=document["water"],
        deltas=document["deltas"],
        items=[
            Item(seat=item["seat"], code=item["code"], value=item["value"], tile=item.get("tile"))
            for item in document["items"]
        ],
        state_hash=document["state_hash"],
    )


def audit_of(row: AuditRow) -> Audit:
    """An audit from its row."""
    report = row.report
    return Audit(
        game=row.game,
        engine=row.engine,
        upto_seq=row.upto_seq,
        audited_at=row.audited_at,
        verdict=Verdict(report["verdict"]),
        ruleset_digest=report["ruleset_digest"],
        scores=report["scores"],
        findings=[finding_of(document) for document in report["findings"]],
        hands=[hand_of(row.game, document) for document in report["hands"]],
        fairness=Fairness(**report["fairness"]),
        unproven=report["unproven"],
    )


def state_of(row: StateRow) -> State:
    """A state from its row."""
    return State(game=row.game, seq=row.seq, as_seat=row.seat, table=cast(JSON, row.table), state_hash=row.state_hash)


def act_of(act: events.Act) -> Act:
    """An act of the engine."""
    return Act(
        act=ActKind(act.act),
        tile=None if act.tile is None else CODES[act.tile],
        with_=codes(act.with_),
        kind=act.kind,
        win=act.win,
        from_=act.from_,
    )


def receipt_of(row: ReceiptRow) -> Receipt:
    """A receipt from its row."""
    return Receipt(**row._asdict())


def _engine_finding(document: Mapping[str, Any]) -> EngineFinding:
    return EngineFinding(
        document["seq"],
        document["hand"],
        document["seat"],
        document["clause"],
        document["code"],
        document["severity"],
        document["expected"] or {},
        document["recorded"] or {},
    )
