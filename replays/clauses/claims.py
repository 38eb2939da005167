"""Chow, pung and kong: what makes them legal (S-CLAIM-1 to S-CLAIM-3, S-GOLD-2).

Each function says why a seat may not do an act now, or ``None``: the referee's offers and its findings both come
from here, so they cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from replays.events import Act
from replays.hands import count
from replays.rulebook import Violation, also
from replays.table import AFTER_CLAIM, CLAIMS, FLOWER, TURN, Table
from replays.tiles import CODES, FIRST_FLOWER, FIRST_HONOUR, Tile, codes, flowers_in

_COPIES_OUT_OF_HAND = {"pung": 2, "exposed": 3, "added": 1, "concealed": 4}


def why_not_claim(table: Table, seat: int, act: Act) -> Violation | None:
    """Why ``seat`` may not chow, pung or kong as ``act`` says, whoever else has a better right."""
    book, claim = table.book, act.kind or act.act
    if claim not in book.claims:
        clause = book.names.claims
        return Violation(clause, "no_such_claim", {"act": "pass"}, also("S-CLAIM-3", clause))
    for check in _CHECKS[claim] + book.claim_bars:
        violation = check(table, seat, act)
        if violation is not None:
            return violation
    return None


def _lies_open(table: Table, seat: int, act: Act) -> Violation | None:
    turn, tile = table.turn, act.tile
    if table.phase != CLAIMS or seat == turn:
        return Violation("S-TURN-1", "out_of_turn", turn_of(table))
    if tile != table.last or act.from_ != turn:
        return Violation("S-CLAIM-3", "not_the_last_discard", {"tile": CODES[table.last], "from": turn})
    if tile in table.golds:
        clause = table.book.names.gold_claim
        return Violation(clause, "gold_claimed", {"acts": ["draw"]}, also("S-GOLD-2", clause))
    return None


def _is_next_seat(table: Table, seat: int, act: Act) -> Violation | None:
    following = table.following(table.turn)
    return None if seat == following else Violation("S-CLAIM-1", "chow_by_wrong_seat", {"seat": following})


def _is_run(table: Table, seat: int, act: Act) -> Violation | None:
    tile, with_, known = act.tile, act.with_, table.layout.faces
    for gold in table.golds:
        if gold in with_:
            return Violation("S-GOLD-2", "gold_in_a_claim", {"with": "no golds"})
    faces = sorted([known[each] for each in (tile, *with_) if each is not None and each < FIRST_FLOWER])
    if len(faces) == 3:
        low, middle, high = faces
        if low + 1 == middle == high - 1 and high < FIRST_HONOUR and low // 9 == high // 9:
            return None
    return Violation("S-CLAIM-3", "not_a_run", {"with": "two tiles that make a run"})


def _is_same_kind(table: Table, seat: int, act: Act) -> Violation | None:
    tile, with_ = act.tile, act.with_
    needed = _COPIES_OUT_OF_HAND[act.kind or act.act]
    for gold in table.golds:
        if gold == tile or gold in with_:
            return Violation("S-GOLD-2", "gold_in_a_claim", {"with": "no golds"})
    if tile is None or tile >= FIRST_FLOWER or with_ != (tile,) * needed:
        return Violation("S-CLAIM-3", "not_one_kind", {"with": f"{needed} tiles of the same kind"})
    return None


def _holds(table: Table, seat: int, act: Act) -> Violation | None:
    if table.doubt >> seat & 1:
        return None
    hand, slots, with_ = table.hands[seat], table.layout.slots, act.with_
    for tile in with_:
        index, unit = slots[tile]
        if hand[index] // unit % 5 < with_.count(tile):
            return Violation("S-CLAIM-3", "tiles_not_held", {"hand": codes(table.concealed(seat))})
    return None


def _is_own_full_turn(table: Table, seat: int, act: Act) -> Violation | None:
    if table.phase == FLOWER and seat == table.turn:
        return flower_first(table)
    if table.phase != TURN or seat != table.turn:
        return Violation("S-TURN-1", "out_of_turn", turn_of(table))
    if table.source == AFTER_CLAIM:
        return Violation("S-CLAIM-2", "kong_after_claim", {"acts": ["discard"]})
    return None


def _has_pung(table: Table, seat: int, act: Act) -> Violation | None:
    for meld in table.melds[seat]:
        if meld.kind == "pung" and meld.tiles[0] == act.tile:
            return None
    return Violation("S-CLAIM-3", "no_pung_to_add_to", {"pungs": _pungs(table, seat)})


def _pungs(table: Table, seat: int) -> list[str]:
    return [CODES[meld.tiles[0]] for meld in table.melds[seat] if meld.kind == "pung"]


def _leaves_a_draw(table: Table, seat: int, act: Act) -> Violation | None:
    """A kong needs a tile that may still be drawn."""
    if may_draw(table):
        return None
    clause = table.book.names.kong_draw
    return Violation(clause, "kong_without_replacement", {"left": table.left}, also("S-CLAIM-2", clause))


def may_draw(table: Table) -> bool:
    """Whether another tile may be drawn, from either end (X-DRAW-1, L-DRAW-1)."""
    return table.left > table.book.dead_wall


def holds(table: Table, seat: int, tile: Tile) -> int:
    """How many of ``tile`` a seat holds concealed."""
    if tile >= FIRST_FLOWER:
        return table.held[seat] >> (tile - FIRST_FLOWER) & 1
    return count(table.hands[seat], table.layout.slots[tile])


def flower_first(table: Table) -> Violation:
    """S-FLOWER-2: a drawn flower is laid out and replaced before anything else."""
    held = codes(flowers_in(table.held[table.turn]))
    return Violation("S-FLOWER-2", "flower_kept", {"seat": table.turn, "flowers": held})


def turn_of(table: Table) -> dict[str, object]:
    """Whose turn it is, for people: the ``expected`` of an act out of turn."""
    if table.phase == CLAIMS:
        return {"seat": table.following(table.turn), "act": "draw"}
    return {"seat": table.turn, "act": "decide"}


_Check = Callable[[Table, int, Act], Violation | None]

_CHECKS: dict[str, tuple[_Check, ...]] = {
    "chow": (_lies_open, _is_next_seat, _is_run, _holds),
    "pung": (_lies_open, _is_same_kind, _holds),
    "exposed": (_lies_open, _is_same_kind, _holds, _leaves_a_draw),
    "added": (_is_own_full_turn, _is_same_kind, _has_pung, _holds, _leaves_a_draw),
    "concealed": (_is_own_full_turn, _is_same_kind, _holds, _leaves_a_draw),
}


def discard_claims(table: Table, seat: int) -> Iterable[Act]:
    """Every chow, pung and exposed kong that the tiles would make on the discard that lies open."""
    tile, discarder = table.last, table.turn
    if tile in table.golds or tile >= FIRST_FLOWER:
        return
    held = holds(table, seat, tile)
    if held >= 2:
        yield Act("pung", tile, (tile,) * 2, from_=discarder)
    if held >= 3:
        yield Act("kong", tile, (tile,) * 3, "exposed", from_=discarder)
    if seat == table.following(discarder) and "chow" in table.book.claims:
        yield from _chows(table, seat, tile, discarder)


def _chows(table: Table, seat: int, tile: Tile, discarder: int) -> Iterable[Act]:
    face = table.layout.faces[tile]
    if face >= FIRST_HONOUR:
        return
    for first in range(max(face - 2, face // 9 * 9), min(face, face // 9 * 9 + 6) + 1):
        wanted = tuple(table.layout.tiles[kind] for kind in range(first, first + 3) if kind != face)
        if all(other not in table.golds and holds(table, seat, other) for other in wanted):
            yield Act("chow", tile, tuple(sorted(wanted)), from_=discarder)


def own_kongs(table: Table, seat: int) -> Iterable[Act]:
    """Every added and concealed kong that the tiles of the seat on turn would make."""
    for tile in dict.fromkeys(table.concealed(seat)):
        if tile in table.golds or tile >= FIRST_FLOWER:
            continue
        if holds(table, seat, tile) == 4:
            yield Act("kong", tile, (tile,) * 4, "concealed")
        elif any(meld.kind == "pung" and meld.tiles[0] == tile for meld in table.melds[seat]):
            yield Act("kong", tile, (tile,), "added")
