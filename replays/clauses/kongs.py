"""What kongs and flower kongs are worth, and the fourth tile that may not be added (L-KONG-1 to -3, L-CLAIM-2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from replays.clauses.claims import holds, may_draw
from replays.events import Act, Item, Punged
from replays.rulebook import Bar, Memory, Violation, recall
from replays.table import Meld, Table
from replays.tiles import PLANTS, SEASONS, Tile

#: Net lines of one payment, one a seat that it moves.
Lines: TypeAlias = tuple[Item, ...]


class KongRules(NamedTuple):
    """What a rule set pays for kongs: the share of a concealed one, whether the discarder bears all of an exposed one,
    whether shares double with the dealer, and how flowers are counted (``class``, ``count``, ``off``)."""

    concealed: int
    discarder_pays_all: bool
    doubles: bool
    flowers: str


def kongs(table: Table, rules: KongRules, clause: str) -> Iterator[Lines]:
    """L-KONG-1: the net lines of every kong on the table."""
    for seat, melds in enumerate(table.melds):
        for meld in melds:
            if meld.is_kong:
                yield net_lines(clause, _kong_deltas(table, rules, seat, meld), meld.tiles[0])


def _kong_deltas(table: Table, rules: KongRules, seat: int, meld: Meld) -> list[int]:
    if meld.kind == "exposed" and rules.discarder_pays_all and 0 <= meld.from_ < len(table.seats):
        deltas = [0] * len(table.seats)
        share = len(table.seats) - 1 << (rules.doubles and table.dealer in (seat, meld.from_))
        deltas[seat] += share
        deltas[meld.from_] -= share
        return deltas
    share = rules.concealed if meld.kind == "concealed" else 1
    return from_each(len(table.seats), table.dealer, seat, share, rules.doubles)


def from_each(players: int, dealer: int, seat: int, share: int, doubles: bool) -> list[int]:
    """What each seat gains or pays where every other pays ``seat`` its share, doubled, if it ``doubles``, where either
    is the dealer (L-KONG-1, L-PAY-1)."""
    deltas = [-share << (doubles and dealer in (seat, payer)) for payer in range(players)]
    deltas[seat] = 0
    deltas[seat] = -sum(deltas)
    return deltas


def flower_kongs(table: Table, rules: KongRules, clause: str) -> Iterator[Lines]:
    """L-KONG-2: the net lines of complete classes of flowers, or of four flowers and more, of each seat that has
    them."""
    for seat, flowers in enumerate(table.flowers):
        share = _FLOWER_SHARES[rules.flowers](flowers)
        if share:
            yield net_lines(clause, from_each(len(table.seats), table.dealer, seat, share, rules.doubles))


def _of_classes(flowers: int) -> int:
    return sum(flowers & of_class == of_class for of_class in (SEASONS, PLANTS))


def _of_count(flowers: int) -> int:
    return max(0, flowers.bit_count() - 3)


#: What a mask of flowers is worth from each, by the value of the option.
_FLOWER_SHARES: dict[str, Callable[[int], int]] = {"class": _of_classes, "count": _of_count, "off": lambda flowers: 0}


def net_lines(clause: str, deltas: Sequence[int], tile: Tile | None = None) -> Lines:
    """One line a seat that gains or pays."""
    return tuple([Item(seat, clause, delta, tile) for seat, delta in enumerate(deltas) if delta])


# -- 過手槓 ------------------------------------------------------------------------------------------------------------


def _after_pung(table: Table, event: Punged, after: Table, kinds: Any) -> int:
    """The kind of a pung whose player held a third: an exposed kong was passed."""
    could_kong = holds(table, event.seat, event.tile) > 2 and may_draw(table)
    return int(kinds) | could_kong << event.tile


#: Kinds that somebody punged who could have konged them, as a mask.
PASSED_KONGS = Memory(0, {Punged: _after_pung})


def no_passed_kong(clause: str) -> Bar:
    """L-CLAIM-2: who could make an exposed kong and punged may not add the fourth tile in this hand."""

    def bar(table: Table, seat: int, act: Act) -> Violation | None:
        if act.kind != "added" or act.tile is None or not recall(table, PASSED_KONGS) >> act.tile & 1:
            return None
        return Violation(clause, "kong_passed_before", {"acts": ["discard"]})

    return bar
