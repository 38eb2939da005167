"""Deal, opening flowers and the flip of the gold (S-DEAL-1, S-FLOWER-1, S-GOLD-1, X-GOLD-1, L-GOLD-1)."""

from __future__ import annotations

from replays.events import Dealt, DiceRolled, FlowersReplaced, GoldFlipped
from replays.finding import Finding, finding
from replays.rulebook import Violation, also
from replays.table import DEALING, FLIP, FLOWERS, NOTHING, Table, Throw
from replays.tiles import CODES, FIRST_FLOWER, codes, flower_mask, flowers_in

OUT_OF_PHASE = "out_of_phase"


def out_of_phase(table: Table, *expected: str) -> Violation:
    """G-ORDER-1: an event that does not belong here; ``expected`` are the types that would."""
    return Violation("G-ORDER-1", OUT_OF_PHASE, {"types": list(expected)})


def judge_dealt(table: Table, event: Dealt) -> list[Finding]:
    """S-DEAL-1: from the dealer on in turn order, the dealer one tile more."""
    if table.phase != DEALING:
        return [finding(event, out_of_phase(table, "flowers_replaced", "dice_rolled", "gold_flipped"))]
    seat = (table.dealer + table.next_deal) % len(table.seats)
    tiles = table.book.hand_size + (event.seat == table.dealer)
    if event.seat == seat and len(event.tiles) == tiles:
        return []
    expected = {"seat": seat, "count": table.book.hand_size + (seat == table.dealer)}
    recorded = {"seat": event.seat, "count": len(event.tiles)}
    return [finding(event, Violation("S-DEAL-1", "wrong_deal", expected), recorded)]


def next_flower_seat(table: Table) -> int:
    """The seat whose turn it is in the rounds of S-FLOWER-1, ``NOTHING`` where nobody holds a flower."""
    if not any(table.held):
        return NOTHING
    n: int = len(table.seats)
    for step in range(table.next_deal, table.next_deal + n):
        seat: int = (table.dealer + step) % n
        if table.held[seat]:
            return seat
    return NOTHING


def judge_opening_flowers(table: Table, event: FlowersReplaced) -> list[Finding]:
    """S-FLOWER-1: in rounds from the dealer on, each seat all it holds, as many drawn as laid out."""
    seat = next_flower_seat(table)
    is_whole = flower_mask(event.flowers) == table.held[seat] and len(event.drawn) == len(event.flowers)
    if event.seat == seat and is_whole:
        return []
    held = codes(flowers_in(table.held[seat]))
    expected = {"seat": seat, "flowers": held} if seat >= 0 else {"types": ["gold_flipped"]}
    return [finding(event, Violation("S-FLOWER-1", "wrong_flower_round", expected))]


def judge_dice(table: Table, event: DiceRolled) -> list[Finding]:
    """Break dice before the deal, gold dice after the opening flowers (any seat may throw, S-GOLD-1)."""
    if event.purpose == "break":
        is_in_place = table.phase == DEALING and not table.deals
        return [] if is_in_place else [finding(event, out_of_phase(table, "dice_rolled"))]
    if table.phase != FLOWERS:
        return [finding(event, out_of_phase(table, "dice_rolled"))]
    return _kept_flowers(table, event)


def _kept_flowers(table: Table, event: DiceRolled | GoldFlipped) -> list[Finding]:
    seat = next_flower_seat(table)
    is_known = table.golds or (event.type == "gold_flipped" and gold_throws(table))
    if seat == NOTHING or is_known:
        return []
    held = codes(flowers_in(table.held[seat]))
    violation = Violation("S-FLOWER-1", "flower_kept", {"seat": seat, "flowers": held}, ("S-FLOWER-2",))
    return [finding(event, violation, seat=seat)]


def judge_gold(table: Table, event: GoldFlipped) -> list[Finding]:
    """S-GOLD-1: every throw answered by a tile, flowers rejected, the last tile gold."""
    if table.phase != FLOWERS:
        return [finding(event, out_of_phase(table, "discarded", "drew"))]
    found = _kept_flowers(table, event)
    if not event.tiles:
        return [*found, finding(event, Violation("S-GOLD-1", "nothing_flipped", {}))]
    rejected, gold = event.tiles[:-1], event.tiles[-1]
    if any(tile < FIRST_FLOWER and tile not in table.golds for tile in rejected):
        first = next(tile for tile in rejected if tile < FIRST_FLOWER and tile not in table.golds)
        found.append(finding(event, Violation("S-GOLD-1", "playing_tile_rejected", {"gold": CODES[first]})))
    elif gold != event.gold or gold >= FIRST_FLOWER:
        found.append(finding(event, Violation("S-GOLD-1", "wrong_gold", {"gold": CODES[gold]})))
    elif gold in table.golds:
        clause = table.book.names.gold_again
        found.append(finding(event, Violation(clause, "same_gold_again", {}, also("S-GOLD-1", clause))))
    return found + _unanswered_throws(table, event)


def _unanswered_throws(table: Table, event: GoldFlipped) -> list[Finding]:
    throws = len(gold_throws(table))
    wanted = 1 if table.book.options["gold_flower"] == "next" else len(event.tiles)
    if not throws or throws == wanted:
        return []
    expected = {"throws": wanted}
    return [finding(event, Violation("S-GOLD-1", "throws_do_not_answer", expected), {"throws": throws})]


def gold_throws(table: Table) -> tuple[Throw, ...]:
    """The gold dice since the last flip."""
    # A gold may be on record without a tile that was flipped.
    last_flip = max([code >> 16 for code in table.taken if code >> 6 & 3 == FLIP], default=-1)
    return tuple([throw for throw in table.throws if throw.purpose == "gold" and throw.seq > last_flip])
