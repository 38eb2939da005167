"""Faults of chow, pung and kong (S-CLAIM-1 to S-CLAIM-3, S-GOLD-2, X-GOLD-3, X-DRAW-1, L-CLAIM-1, L-CLAIM-2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from replays import events as ev
from replays.clauses.claims import discard_claims, own_kongs
from replays.events import Act, Event
from replays.referee import RANKS, act_of, rights
from replays.shuffle import Stream
from replays.table import AFTER_CLAIM, AFTER_DRAW, CLAIMS, DRAWN, TURN, Table
from replays.tiles import FIRST_HONOUR, Tile
from tests.faults.edits import cancelled, changed, hand_span, held, is_plain, places, spliced
from tests.faults.kinds import Fault, Plant, Planted, pick
from tests.faults.logs import Log


def event_of(table: Table, at: str, seat: int, act: Act) -> Event:
    """A claim or kong as an event."""
    assert act.tile is not None
    if act.act == "kong":
        return ev.Konged(0, at, table.hand, seat, act.kind or "", act.tile, act.with_, act.from_)
    kind = ev.Chowed if act.act == "chow" else ev.Punged
    return kind(0, at, table.hand, seat, act.tile, table.turn if act.from_ is None else act.from_, act.with_)


def unclaimed(log: Log) -> Iterator[tuple[int, Table, Any]]:
    """Where a discard lies that nobody claims: the next seat draws."""
    for index, table, event in places(log, ev.Drew):
        if table.phase == CLAIMS:
            yield index, table, event


def claimed(log: Log, stream: Stream, found: list[tuple[int, int, Act]]) -> Planted | None:
    """One of ``found`` (index, seat, act) done before event ``index``; then the platform cancels the hand."""
    chosen = pick(stream, found)
    if chosen is None:
        return None
    index, seat, act = chosen
    return Planted(cancelled(log, index, event_of(log.tables[index], log.events[index].at, seat, act)), index)


def runs_with(tile: Tile) -> list[tuple[Tile, Tile]]:
    """The pairs of suit tiles that make a run with ``tile``."""
    first = tile - tile % 9
    pairs = [(tile - 2, tile - 1), (tile - 1, tile + 1), (tile + 1, tile + 2)]
    return [pair for pair in pairs if tile < FIRST_HONOUR and pair[0] >= first and pair[1] < first + 9]


def _holds(table: Table, seat: int, tiles: tuple[Tile, ...]) -> bool:
    return all(held(table, seat).count(tile) >= tiles.count(tile) for tile in tiles)


# -- Whose claim -------------------------------------------------------------------------------------------------------


def chow_by_wrong_seat(log: Log, stream: Stream) -> Planted | None:
    """A chow by a seat that has the tiles and is not next."""
    found = []
    for index, table, event in unclaimed(log):
        for seat in table.others(table.turn)[1:]:
            for pair in runs_with(table.last) if is_plain(table, table.last) else ():
                if seat != event.seat and all(is_plain(table, t) for t in pair) and _holds(table, seat, pair):
                    found.append((index, seat, Act("chow", table.last, pair)))
    return claimed(log, stream, found)


def better_right_ignored(log: Log, stream: Stream) -> Planted | None:
    """A claim, and no word of the seat that had a better right."""
    found = []
    for index, _, claim in places(log, ev.Chowed | ev.Punged | ev.Konged):
        rank = 1 if isinstance(claim, ev.Chowed) else 2
        passed = index - 1
        while isinstance(log.events[passed], ev.Passed | ev.TurnPrompted | ev.ClaimOverridden):
            one = log.events[passed]
            if isinstance(one, ev.Passed) and any(RANKS.get(act.act, 0) > rank for act in one.options):
                found.append((index, passed))
            passed -= 1
    chosen = pick(stream, found)
    if chosen is None:
        return None
    index, passed = chosen
    return Planted(spliced(log, passed, passed + 1), index - 1)


def better_claim_overridden(log: Log, stream: Stream) -> Planted | None:
    """A claim overridden by a lesser one on record, instead of the other way round; it is found at either."""
    found = []
    for i, table, lost in places(log, ev.ClaimOverridden):
        then = log.events[i + 1]
        is_claim = table.phase == CLAIMS and isinstance(then, ev.Punged | ev.Konged | ev.Won)
        if is_claim and RANKS[lost.claim.act] < RANKS[act_of(then).act]:
            found.append(i)
    index = pick(stream, found)
    if index is None:
        return None
    lost, better = log.events[index : index + 2]
    swapped = lost._replace(seat=better.seat, claim=act_of(better), by=lost.seat)
    lesser = event_of(log.tables[index], better.at, lost.seat, lost.claim)
    return Planted(cancelled(log, index, swapped, lesser), index, (index + 1,))


# -- Without the tiles -------------------------------------------------------------------------------------------------


def claim_without_tiles(copies: int) -> Plant:
    """A pung (2) or exposed kong (3) by the next seat instead of its draw, without the tiles."""
    claim_of = {2: "pung", 3: "exposed"}[copies]

    def plant(log: Log, stream: Stream) -> Planted | None:
        if claim_of not in log.tables[0].book.claims:
            return None
        found = []
        for i, table, event in unclaimed(log):
            tiles = held(table, event.seat).count(table.last)
            if tiles < copies and is_plain(table, table.last) and is_plain(table, event.tile):
                found.append(i)
        index = pick(stream, found)
        if index is None:
            return None
        table, drew = log.tables[index], log.events[index]
        assert isinstance(drew, ev.Drew)
        kind = "kong" if copies == 3 else "pung"
        act = Act(kind, table.last, (table.last,) * copies, "exposed" if copies == 3 else None, from_=table.turn)
        claim = event_of(table, drew.at, drew.seat, act)
        rest = (drew._replace(tail=True),) if copies == 3 else ()
        return Planted(spliced(log, index, index + 1, claim, *rest), index)

    return plant


def kong_without_tiles(kind: str) -> Plant:
    """A concealed kong without four tiles, or an added one without a pung, in a seat's own turn."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = []
        for index, table, event in places(log, ev.Discarded) if kind in log.tables[0].book.claims else ():
            if table.phase == TURN and table.source == AFTER_DRAW and table.left > table.book.dead_wall:
                pungs = [meld.tiles[0] for meld in table.melds[event.seat]]
                tiles = [t for t in sorted(set(held(table, event.seat))) if is_plain(table, t) and t not in pungs]
                found += [(index, event.seat, t) for t in tiles if held(table, event.seat).count(t) < 4]
        chosen = pick(stream, found)
        if chosen is None:
            return None
        index, seat, tile = chosen
        act = Act("kong", tile, (tile,) * (4 if kind == "concealed" else 1), kind)
        return claimed(log, stream, [(index, seat, act)])

    return plant


def chow_without_tiles(log: Log, stream: Stream) -> Planted | None:
    """A chow with tiles that make a run but are not held."""
    found = []
    for index, table, event in places(log, ev.Chowed):
        for pair in runs_with(event.tile) if is_plain(table, event.tile) else ():
            missing = [tile for tile in pair if tile not in held(table, event.seat)]
            if missing and all(is_plain(table, tile) for tile in pair):
                found.append((index, pair))
    chosen = pick(stream, found)
    return None if chosen is None else Planted(changed(log, chosen[0], with_=chosen[1]), chosen[0])


def chow_of_no_run(log: Log, stream: Stream) -> Planted | None:
    """A chow with tiles that are held and make no run."""
    index = pick(stream, [index for index, _, _ in places(log, ev.Chowed)])
    if index is None:
        return None
    table = log.tables[index]
    event: Any = log.events[index]
    tiles = [t for t in held(table, event.seat) if is_plain(table, t) and t // 9 != event.tile // 9]
    if len(tiles) < 2:
        return None
    act = Act("chow", event.tile, (tiles[0], tiles[-1]), from_=event.from_)
    return claimed(log, stream, [(index, event.seat, act)])


# -- When there is no kong ---------------------------------------------------------------------------------------------


def kong_after_pung(log: Log, stream: Stream) -> Planted | None:
    """Three in hand and the discard made a pung, and the fourth added at once."""
    found = []
    for index, table in enumerate(log.tables):
        for seat in table.others(table.turn) if table.phase == CLAIMS else ():
            may_pung = any(act.act == "pung" for act in rights(table, seat))
            if may_pung and held(table, seat).count(table.last) == 3:
                found.append((index, seat))
    chosen = pick(stream, found)
    if chosen is None:
        return None
    index, seat = chosen
    table, at = log.tables[index], log.events[index].at
    tile = table.last
    pung = event_of(table, at, seat, Act("pung", tile, (tile,) * 2))
    kong = event_of(table, at, seat, Act("kong", tile, (tile,), "added"))
    return Planted(cancelled(log, index, pung, kong), index + 1)


def kong_after_claim(log: Log, stream: Stream) -> Planted | None:
    """A concealed or added kong right after a chow or pung, with the tiles for it."""
    found = []
    for index, table, event in places(log, ev.Discarded):
        if table.phase == TURN and table.source == AFTER_CLAIM:
            found += [(index, event.seat, act) for act in own_kongs(table, event.seat)]
    return claimed(log, stream, found)


def kong_at_the_end(*kinds: str) -> Plant:
    """A kong for which no tile may be drawn any more."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = []
        for index, table in enumerate(log.tables):
            if table.left > table.book.dead_wall or table.phase not in (TURN, CLAIMS):
                continue
            for seat in range(len(table.seats)):
                found += [(index, seat, act) for act in _kongs(table, seat) if act.kind in kinds]
        return claimed(log, stream, found)

    return plant


def _kongs(table: Table, seat: int) -> list[Act]:
    """The kongs that the tiles of a seat would make, were there a tile to draw."""
    if table.phase == TURN:
        return [*own_kongs(table, seat)] if seat == table.turn and table.source != AFTER_CLAIM else []
    kongs = discard_claims(table, seat) if seat != table.turn else ()
    return [act for act in kongs if act.kind in table.book.claims]


# -- Golds -------------------------------------------------------------------------------------------------------------


def gold_claimed(log: Log, stream: Stream) -> Planted | None:
    """A discarded gold taken: into a pung with two others, or into a chow by the next seat."""
    found = []
    for index, table, _ in unclaimed(log):
        if table.last not in table.golds:
            continue
        for seat in table.others(table.turn) if "pung" in table.book.claims else ():
            if held(table, seat).count(table.last) >= 2:
                found.append((index, seat, Act("pung", table.last, (table.last,) * 2)))
        seat = table.following(table.turn)
        pairs = runs_with(table.last) if "chow" in table.book.claims else ()
        found += [(index, seat, Act("chow", table.last, pair)) for pair in pairs if _holds(table, seat, pair)]
    return claimed(log, stream, found)


def gold_in_a_claim(act: str) -> Plant:
    """A gold out of the hand used for a missing tile of a chow, pung or exposed kong."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = []
        for index, table, _ in unclaimed(log) if act in log.tables[0].book.claims else ():
            if is_plain(table, table.last):
                found += [(index, seat, one) for gold in table.golds for seat, one in _with_gold(table, act, gold)]
        return claimed(log, stream, found)

    return plant


def _with_gold(table: Table, act: str, gold: Tile) -> Iterator[tuple[int, Act]]:
    tile = table.last
    for seat in table.others(table.turn):
        tiles = held(table, seat)
        if gold not in tiles:
            continue
        if act == "chow" and seat == table.following(table.turn):
            neighbours = sorted({t for pair in runs_with(tile) for t in pair if t in tiles and t not in table.golds})
            yield from ((seat, Act("chow", tile, (t, gold))) for t in neighbours)
        if act == "pung" and tile in tiles:
            yield seat, Act("pung", tile, (tile, gold))
        if act == "exposed" and tiles.count(tile) == 2:
            yield seat, Act("kong", tile, (tile, tile, gold), "exposed", from_=table.turn)


def gold_in_a_concealed_kong(log: Log, stream: Stream) -> Planted | None:
    """A gold as the fourth tile of a concealed kong."""
    found = []
    for index, table, event in places(log, ev.Discarded):
        is_own_turn = table.phase == TURN and table.source == AFTER_DRAW and table.left > table.book.dead_wall
        tiles = held(table, event.seat) if is_own_turn else ()
        thrice = [tile for tile in sorted(set(tiles)) if is_plain(table, tile) and tiles.count(tile) == 3]
        golds = [gold for gold in table.golds if gold in tiles]
        found += [(index, event.seat, Act("kong", t, (t, t, t, gold), "concealed")) for t in thrice for gold in golds]
    return claimed(log, stream, found)


# -- Claims that there are not in Longyan ------------------------------------------------------------------------------


def chow_where_there_is_none(log: Log, stream: Stream) -> Planted | None:
    """A chow by the next seat, with the tiles for it (L-CLAIM-1)."""
    found = []
    for index, table, event in unclaimed(log) if "chow" not in log.tables[0].book.claims else ():
        pairs = runs_with(table.last) if is_plain(table, table.last) else ()
        held_pairs = [pair for pair in pairs if _holds(table, event.seat, pair) and not set(pair) & set(table.golds)]
        found += [(index, event.seat, Act("chow", table.last, pair)) for pair in held_pairs]
    return claimed(log, stream, found)


def claim_in_full(kind: str) -> Plant:
    """A pung or exposed kong with the tiles for it, in the mode that has concealed kongs only (L-CLAIM-1)."""

    def plant(log: Log, stream: Stream) -> Planted | None:
        found = []
        for index, table, _ in unclaimed(log) if kind not in log.tables[0].book.claims else ():
            for seat in table.others(table.turn):
                acts = discard_claims(table, seat)
                found += [(index, seat, act) for act in acts if kind in (act.act, act.kind)]
        return claimed(log, stream, found)

    return plant


def added_in_full(log: Log, stream: Stream) -> Planted | None:
    """A tile of one's own laid out as an added kong, in the mode that has concealed kongs only (L-CLAIM-1)."""
    found = []
    for index, table, event in places(log, ev.Discarded) if "added" not in log.tables[0].book.claims else ():
        tiles = sorted({tile for tile in held(table, event.seat) if is_plain(table, tile)})
        found += [(index, event.seat, Act("kong", tile, (tile,), "added")) for tile in tiles]
    return claimed(log, stream, found)


def passed_kong_added(log: Log, stream: Stream) -> Planted | None:
    """The fourth tile added to a pung whose player held three when the kind was discarded (L-CLAIM-2)."""
    found = []
    for index, table, event in places(log, ev.Discarded):
        may_kong = table.phase == TURN and table.source in DRAWN and table.left > table.book.dead_wall
        for act in own_kongs(table, event.seat) if may_kong else ():
            if act.kind == "added" and _had_three(log, index, event.seat, act.tile):
                found.append((index, event.seat, act))
    return claimed(log, stream, found)


def _had_three(log: Log, index: int, seat: int, tile: Tile | None) -> bool:
    """Whether the seat punged ``tile`` in the hand of event ``index`` with a third in hand, and could have konged."""
    begin, _ = hand_span(log, index)
    for i in range(begin, index):
        event, table = log.events[i], log.tables[i]
        if isinstance(event, ev.Punged) and (event.seat, event.tile) == (seat, tile):
            return held(table, seat).count(event.tile) == 3 and table.left > table.book.dead_wall
    return False


_FORMS = ("bare", "passes")

SHARED: dict[str, Fault] = {
    "pung without the tiles": Fault(("S-CLAIM-3",), claim_without_tiles(2), ("bare", "walls"), most=5),
    "exposed kong without the tiles": Fault(("S-CLAIM-3",), claim_without_tiles(3), ("bare", "walls"), most=8),
    "concealed kong without the tiles": Fault(("S-CLAIM-3",), kong_without_tiles("concealed")),
    "added kong without a pung": Fault(("S-CLAIM-3",), kong_without_tiles("added")),
    "kong right after a pung": Fault(("S-CLAIM-2",), kong_after_pung),
    "kong right after a claim": Fault(("S-CLAIM-2",), kong_after_claim, _FORMS, ("patient",)),
    "gold in a pung": Fault(("S-GOLD-2",), gold_in_a_claim("pung")),
    "gold in a kong": Fault(("S-GOLD-2",), gold_in_a_claim("exposed")),
    "gold in a concealed kong": Fault(("S-GOLD-2",), gold_in_a_concealed_kong),
}

XIAMEN: dict[str, Fault] = {
    "chow by the wrong seat": Fault(("S-CLAIM-1",), chow_by_wrong_seat),
    "better right ignored": Fault(("S-CLAIM-1",), better_right_ignored, ("passes", "full")),
    "better claim overridden": Fault(("S-CLAIM-1",), better_claim_overridden, ("passes",), most=2),
    "chow without the tiles": Fault(("S-CLAIM-3",), chow_without_tiles, ("bare", "walls")),
    "chow of no run": Fault(("S-CLAIM-3",), chow_of_no_run),
    "own kong with too few tiles left": Fault(
        ("X-DRAW-1",), kong_at_the_end("concealed", "added"), tables=("patient",)
    ),
    "exposed kong with too few tiles left": Fault(("X-DRAW-1",), kong_at_the_end("exposed"), tables=("patient",)),
    "gold claimed": Fault(("X-GOLD-3",), gold_claimed, _FORMS, ("reckless",)),
    "gold in a chow": Fault(("S-GOLD-2",), gold_in_a_claim("chow")),
}

LONGYAN: dict[str, Fault] = {
    "better right ignored": Fault(
        ("S-CLAIM-1",), better_right_ignored, ("passes", "full"), ("rob-gold-passed-pung", "rob-gold-passed-pung-3")
    ),
    "better claim overridden": Fault(
        ("S-CLAIM-1",), better_claim_overridden, ("passes",), ("rob-gold-before-pung",), most=2
    ),
    "own kong with too few tiles left": Fault(
        ("S-CLAIM-2",), kong_at_the_end("concealed", "added"), tables=("patient",)
    ),
    "exposed kong with too few tiles left": Fault(
        ("S-CLAIM-2",), kong_at_the_end("exposed"), _FORMS, ("last-discard-not-konged", "last-kong-3", "last-kong-2")
    ),
    "gold claimed": Fault(("S-GOLD-2",), gold_claimed, _FORMS, ("gold-let-go", "gold-let-go-3", "gold-let-go-2")),
    "chow": Fault(("L-CLAIM-1",), chow_where_there_is_none, _FORMS),
    "pung in full": Fault(("L-CLAIM-1",), claim_in_full("pung"), _FORMS),
    "exposed kong in full": Fault(("L-CLAIM-1",), claim_in_full("exposed"), _FORMS),
    "added kong in full": Fault(("L-CLAIM-1",), added_in_full, _FORMS),
    "passed kong added": Fault(
        ("L-CLAIM-2",), passed_kong_added, _FORMS, ("patient", "kong-passed-3", "kong-passed-2")
    ),
}
