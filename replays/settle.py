"""What a win is worth: from the table, or from a single hand, to the one way that counts."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from replays.events import Item, Won
from replays.hands import Hand, add, count
from replays.rulebook import Facts, Rulebook, Settlement, Violation
from replays.table import CLAIMS, DRAWN, KONG, TURN, Meld, Table
from replays.tiles import COPIES, KINDS, Tile


@lru_cache(maxsize=4)
def decide(book: Rulebook, facts: Facts) -> Settlement | Violation:
    """The way that counts, its water and its payments (X-WIN-9, L-WIN-10), or why the hand does not win.

    Reducer and referee ask for the same win one after the other: hence the cache.
    """
    ways = book.ways(book, facts)
    return ways if isinstance(ways, Violation) else book.settle(book, facts, ways)


def occasions(table: Table, seat: int) -> tuple[Facts, ...]:
    """All that a win of ``seat`` hangs on as the table stands, once for each thing that it may win on; empty where
    there is nothing.

    On its own turn a seat wins on what it drew, or at the opening on what it was dealt; a seat not on turn wins on
    the discard or on the kong's tile that lies open, or at the opening on its dealt hand. Where a right of the opening
    outlives the first discard (L-OPEN-2), that is one more.
    """
    found = [facts_of(table, seat)]
    if table.phase == CLAIMS and table.book.rights(table, seat):
        found.append(_facts(table, seat, "opening", None, None))
    return tuple([facts for facts in found if facts is not None])


def facts_of(table: Table, seat: int) -> Facts | None:
    """The first of ``occasions``; ``None`` where the seat has nothing to win on."""
    if table.opening and table.phase == TURN:
        return _facts(table, seat, "opening", None, None)
    if table.phase == TURN:
        is_drawn = seat == table.turn and table.source in DRAWN and table.drawn >= 0
        return _facts(table, seat, "self_draw", table.drawn, None) if is_drawn else None
    if seat == table.turn:
        return None
    if table.phase == CLAIMS:
        return _facts(table, seat, "discard", table.last, table.turn)
    if table.phase == KONG and table.robbable:
        return _facts(table, seat, "rob_kong", table.last, table.turn)
    return None


def _facts(table: Table, seat: int, by: str, tile: Tile | None, from_: int | None) -> Facts | None:
    hand, waiting = table.hands[seat], None
    bit, options = 1 << seat, table.book.options
    if by == "self_draw":
        waiting = table.waiting(seat)
    elif tile is not None:
        if tile >= KINDS:
            return None
        waiting, slot = hand, table.layout.slots[tile]
        if count(hand, slot) == COPIES:
            return None
        hand = add(hand, slot)
    facts = Facts(  # in the order of its fields: by name it takes three times as long
        len(table.seats),
        seat,
        table.dealer,
        table.streak,
        table.layout,
        hand,
        waiting,
        table.melds[seat],
        table.flowers[seat],
        tile,
        by,
        from_,
        table.levels[seat],
        bool(table.untouched & bit),
        bool(table.gold_out & bit),
        not options["you_declared"] or bool(table.declared & bit),
        _open_copies(table, seat) if not options["fifth_copy"] else (),
        _rivals(table) if options.get("loser_water") else (),
    )
    return table.book.more_facts(table, seat, facts)


def _rivals(table: Table) -> tuple[tuple[Hand, tuple[Meld, ...], int], ...]:
    """Every seat's hand, melds and flowers; a kong that is being robbed is the pung it was (S-ROB-1)."""
    melds = list(table.melds)
    if table.phase == KONG and table.robbable:
        melds[table.turn] = without_added(melds[table.turn], table.last)
    return tuple(zip(table.hands, melds, table.flowers, strict=True))


def without_added(melds: tuple[Meld, ...], tile: Tile) -> tuple[Meld, ...]:
    """The melds with the added kong of ``tile`` a pung again, as when it is robbed (S-ROB-1)."""
    return tuple(
        Meld("pung", meld.tiles[:3], meld.from_) if meld.kind == "added" and meld.tiles[0] == tile else meld
        for meld in melds
    )


def _open_copies(table: Table, seat: int) -> tuple[int, ...]:
    """Copies of each kind, as they stand, that lie open outside the seat's own hand and melds (S-GOLD-3)."""
    out = [0] * KINDS
    lying = [code & 63 for code in table.river]
    for other in table.others(seat):
        lying += [tile for meld in table.melds[other] for tile in meld.tiles]
    for tile in lying:
        if tile < KINDS and tile not in table.golds:
            out[table.layout.faces[tile]] += 1
    return tuple(out)


def verdict(table: Table, event: Won) -> Settlement | Violation | None:
    """What the win on record is worth by the rules, or why it is none; ``None`` where the record contradicts the
    seat's tiles, so that nothing can be said."""
    if table.doubt >> event.seat & 1:
        return None
    facts = occasion(table, event)
    if facts is None:
        return Violation("S-TURN-1", "nothing_to_win_on", {"acts": []})
    return decide(table.book, facts)


def occasion(table: Table, event: Won) -> Facts | None:
    """What the win on record hangs on; ``None`` where the seat has nothing to win on."""
    found = occasions(table, event.seat)
    if not found:
        return None
    facts = next((facts for facts in found if (facts.tile, facts.from_) == (event.tile, event.from_)), found[0])
    return facts._replace(tile_out=event.tile_out)


def without_winner(table: Table) -> Settlement:
    """What a hand is worth that nobody won: nothing, but for what is settled beside the win."""
    n = len(table.seats)
    return with_lines_beside(table, Settlement(None, None, 0, 0, (), (0,) * n, table.book.names.no_winner))


def with_lines_beside(table: Table, settlement: Settlement) -> Settlement:
    """The settlement with what the rule set settles whether the hand is won or not, such as kongs (L-KONG-3)."""
    lines = table.book.beside(table)
    if not lines:
        return settlement
    return settlement._replace(items=settlement.items + lines, deltas=paid_with(settlement.deltas, lines))


def paid_with(deltas: tuple[int, ...], lines: Iterable[Item]) -> tuple[int, ...]:
    """Payments with those of net ``lines`` added."""
    paid = [*deltas]
    for line in lines:
        paid[line.seat] += line.value
    return tuple(paid)
