"""Object types: what the ports' rows look like to a client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any, cast

import msgspec
import strawberry
from strawberry.scalars import JSON

from replays import ENGINE, events
from replays.finding import Finding as EngineFinding
from replays.tiles import CODES, codes
from schema.catalogue import message, title
from schema.graphql.batches import Batch, Windows
from schema.graphql.connections import Connection, Paging, page
from schema.graphql.cursors import Cursors, seq_place
from schema.graphql.described import field, interface, output
from schema.graphql.enums import ActKind, EventType, GameStatus, Lang, Severity, Verdict, View
from schema.graphql.errors import BadArgument, BadCursor
from schema.graphql.ids import global_id
from schema.graphql.scalars import BigInt
from schema.ports import (
    AuditRow,
    EventRow,
    GameRow,
    HandRow,
    LegalActsRow,
    Library,
    ReceiptRow,
    ReplayRow,
    SealRow,
    StateRow,
)


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
    names: strawberry.Private[Batch[str, Mapping[int, str]]]

    @field
    def name(self) -> str | None:
        """The player's name at this seat, null too for viewers who see no names."""
        return (self.names.get(self.game) or {}).get(self.seat)


@output
class Event(Node):
    """An event as the viewer may see it: its envelope, and body with its members. isFull says that no
    tile or act in it is hidden. leaf and head place it in the game's chain, and hold for the whole event. at and
    recordedAt are null for an event that is private."""

    seq: int
    type: EventType
    at: str | None
    hand: int | None
    seat: int | None
    is_full: bool
    leaf: str
    head: str
    recorded_at: str | None
    raw: strawberry.Private[bytes]

    @field
    def body(self) -> JSON:
        """The event as the log format writes it, without names: where isFull with all that the format knows of, else in
        its public form. Others' x_ members may be left out either way."""
        return cast(JSON, msgspec.json.decode(self.raw))


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

    @field
    def title(self, lang: Lang = Lang.EN) -> str:
        """The clause's short title."""
        return title(self.clause, lang.value)


@output
class Item:
    """One line of a settlement: the clause that gives seat this value."""

    seat: int
    code: str
    value: BigInt
    tile: str | None


@output
class Hand(Node):
    """A finished hand as the engine of engineVersion settles it, whatever the server paid. winner and win are null for
    a hand without a winner; clause, factor and water say by which way it counts. stateHash is that of the table at the
    hand's end."""

    game: str
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
    engine_version: str
    ruleset_digest: str | None


GameHandsResult = Annotated[Connection[Hand] | BadCursor | BadArgument, strawberry.union("GameHandsResult")]


@output
class Fairness:
    """How far the wall was proven: the level of the weakest hand, and how many hands have a proof that holds."""

    level: int
    hands_proven: int
    hands: int


@output
class Audit:
    """The verdict of the engine of engineVersion on a game up to event uptoSeq. unproven names what the log cannot
    show."""

    game: str
    engine: str = strawberry.field(deprecation_reason="The same as engineVersion.")
    engine_version: str
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
class VerdictChange:
    """That the engine of one audit judged a game otherwise than that of the audit before. removed and added are the
    findings that only the one or only the other has."""

    before: Audit
    after: Audit
    removed: list[Finding]
    added: list[Finding]


@output
class Game(Node):
    """A stored game: what its first event says, how it stands, and the end of its chain. verdict is the newest
    audit's; isPublic says that everybody may see the game."""

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
    is_public: bool
    newest: strawberry.Private[Batch[str, AuditRow]]
    all_audits: strawberry.Private[Batch[str, Sequence[AuditRow]]]
    finished: strawberry.Private[Windows[str, HandRow]]

    @field
    def audit(self) -> Audit | None:
        """The newest audit, null where there is none yet."""
        row = self.newest.get(self.game)
        return None if row is None else audit_of(row)

    @field
    def audits(self) -> list[Audit]:
        """The last audit of every engine that has audited the game, the newest first."""
        return [audit_of(row) for row in self.all_audits.get(self.game) or ()]

    @field
    def verdict_changes(self) -> list[VerdictChange]:
        """Where the verdict changed from one engine to the next, the newest change first."""
        rows = self.all_audits.get(self.game) or ()
        changes = (change_of(before, after) for after, before in pairwise(rows))
        return [change for change in changes if change is not None]

    @field
    def hands(
        self,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
    ) -> GameHandsResult:
        """The finished hands of the game in order, as its newest audit has them; first or last is 1 to 100."""
        return page(
            Cursors("game.hands", (self.game,), seq_place),
            Paging(first, after, last, before),
            lambda window: self.finished.get(self.game, window),
            lambda row: (row.number,),
            lambda rows: [hand_of_row(row) for row in rows],
        )


@output
class State:
    """The table after event seq, as much of it as view says; asSeat is whose view it is where it is a seat's.
    stateHash is null unless all of it is shown."""

    game: str
    seq: int
    view: View
    as_seat: int | None
    table: JSON
    state_hash: str | None
    ruleset_digest: str
    engine_version: str


@output
class HandSpan:
    """The steps of a hand: those before the first hand are its, those after a hand belong to that hand."""

    number: int
    first_seq: int
    last_seq: int


@output
class HandReplay:
    """A hand to be stepped through, from step firstSeq to step lastSeq, as much of it as view says at its last step;
    asSeat is whose view it is where it is a seat's. frames are the tables after each step (State.table, with view, the
    wall by slots, and the seats by number, each with its river), acts the legal acts after each step by seat: of both
    each but the first says what changed, an object standing for the members in it that did. events are as the log
    format writes them. findings are those of these steps, without what they quote where that is not for the view.
    hands are all hands of the game."""

    game: str
    hand: int
    first_seq: int
    last_seq: int
    hands: list[HandSpan]
    view: View
    as_seat: int | None
    frames: JSON
    acts: JSON
    events: JSON
    findings: list[Finding]
    ruleset_digest: str
    engine_version: str


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
    """The legal acts after event seq, by seat, of those seats whose tiles the viewer may see."""

    game: str
    seq: int
    seats: list[SeatActs]
    ruleset_digest: str
    engine_version: str


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


@output
class Seal:
    """A game's leaf in the log of sealed games: its place there, and the seal itself (mingpai-seal/1) as the bytes that
    are hashed."""

    game: str
    index: BigInt
    seal: str
    sealed_at: str


def game_of(library: Library, row: GameRow) -> Game:
    """A game from its row."""
    return games_of(library, [row])[0]


def games_of(library: Library, rows: Sequence[GameRow]) -> list[Game]:
    """The games of a page from their rows; what hangs on them is read for all at once."""
    ids = [row.game for row in rows]
    names, newest, every = Batch(ids, library.names), Batch(ids, library.audits), Batch(ids, library.audits_by_engine)
    finished = Windows(ids, library.hands_of)
    return [_game(row, names, newest, every, finished) for row in rows]


def _game(
    row: GameRow,
    names: Batch[str, Mapping[int, str]],
    newest: Batch[str, AuditRow],
    every: Batch[str, Sequence[AuditRow]],
    finished: Windows[str, HandRow],
) -> Game:
    return Game(
        id=global_id("Game", row.game),
        game=row.game,
        ruleset=Ruleset(
            id=row.ruleset, version=row.version, options=cast(JSON, dict(row.options)), digest=row.ruleset_digest
        ),
        seats=[Seat(seat=seat, player=player, game=row.game, names=names) for seat, player in enumerate(row.players)],
        started_at=row.started_at,
        status=GameStatus(row.status),
        opened_at=row.opened_at,
        closed_at=row.closed_at,
        sealed_at=row.sealed_at,
        events_count=row.events,
        head=row.head,
        verdict=None if row.verdict is None else Verdict(row.verdict),
        is_public=row.is_public,
        newest=newest,
        all_audits=every,
        finished=finished,
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
        is_full=row.is_full,
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


def hand_of_row(row: HandRow) -> Hand:
    """A hand from its row."""
    return hand_of(row.game, row.hand, row.engine, row.ruleset_digest)


def hand_of(game: str, document: Mapping[str, Any], engine: str, ruleset_digest: str | None) -> Hand:
    """A hand from its member of a report."""
    return Hand(
        id=global_id("Hand", game, document["hand"]),
        game=game,
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
        engine_version=engine,
        ruleset_digest=ruleset_digest,
    )


def audit_of(row: AuditRow) -> Audit:
    """An audit from its row."""
    report = row.report
    return Audit(
        game=row.game,
        engine=row.engine,
        engine_version=row.engine,
        upto_seq=row.upto_seq,
        audited_at=row.audited_at,
        verdict=Verdict(report["verdict"]),
        ruleset_digest=report["ruleset_digest"],
        scores=report["scores"],
        findings=[finding_of(document) for document in report["findings"]],
        hands=[hand_of(row.game, document, row.engine, report["ruleset_digest"]) for document in report["hands"]],
        fairness=Fairness(**report["fairness"]),
        unproven=report["unproven"],
    )


def change_of(before: AuditRow, after: AuditRow) -> VerdictChange | None:
    """What changed between two audits of a game, ``None`` where the verdict did not."""
    if before.report["verdict"] == after.report["verdict"]:
        return None
    return VerdictChange(
        before=audit_of(before),
        after=audit_of(after),
        removed=findings_only_in(before, after),
        added=findings_only_in(after, before),
    )


def findings_only_in(one: AuditRow, other: AuditRow) -> list[Finding]:
    """The findings of an audit that another audit of the game has not: another clause, code or severity at a place."""
    known = {_mark(document) for document in other.report["findings"]}
    return [finding_of(document) for document in one.report["findings"] if _mark(document) not in known]


def _mark(document: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(document[member] for member in ("seq", "seat", "clause", "code", "severity"))


def state_of(row: StateRow) -> State:
    """A state from its row."""
    return State(
        game=row.game,
        seq=row.seq,
        view=View(row.view),
        as_seat=row.seat,
        table=cast(JSON, row.table),
        state_hash=row.state_hash,
        ruleset_digest=row.ruleset_digest,
        engine_version=ENGINE,
    )


def legal_acts_of(row: LegalActsRow) -> LegalActs:
    """The legal acts from their row."""
    seats = [SeatActs(seat=seat, acts=[act_of(act) for act in acts]) for seat, acts in row.acts.items()]
    return LegalActs(game=row.game, seq=row.seq, seats=seats, ruleset_digest=row.ruleset_digest, engine_version=ENGINE)


def replay_of(row: ReplayRow) -> HandReplay:
    """A hand's replay from its row."""
    return HandReplay(
        game=row.game,
        hand=row.hand,
        first_seq=row.first,
        last_seq=row.last,
        hands=[HandSpan(number=one.number, first_seq=one.first, last_seq=one.last) for one in row.hands],
        view=View(row.view),
        as_seat=row.seat,
        frames=cast(JSON, row.frames),
        acts=cast(JSON, row.acts),
        events=cast(JSON, row.events),
        findings=[finding_of(one) for one in row.findings],
        ruleset_digest=row.ruleset_digest,
        engine_version=ENGINE,
    )


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


def seal_of(row: SealRow) -> Seal:
    """A seal from its row."""
    return Seal(game=row.game, index=BigInt(row.index), seal=row.seal, sealed_at=row.sealed_at)


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
