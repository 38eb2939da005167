"""Longyan's legal acts once more, found slowly and by other means: the second opinion on the numbers of ways to go on.

Nothing of the engine judges here. Tiles are taken one by one out of plain lists, every stand-in is tried as every face,
and what the clauses remember (golds in a row, levels, kongs passed) is kept along the path in ``Past``, as the rule
book tells it. Of the engine's table only what lies where, whose turn it is and how many tiles are left is read.

Options: ``mode``, ``dots`` and ``gold_lock`` at any value, ``dead_wall``; the others at their defaults.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from replays.events import Act
from replays.table import CLAIMS, KONG, TURN, Table

WHITE, FLOWERS = 31, 34
ORPHANS = frozenset({0, 8, 9, 17, 18, 26, *range(27, 34)})
YOU_V = 4

# How a tile came, by the numbers that tables use.
CLAIMED, DEALT, DRAWN, ON_KONG, ON_CONCEALED_KONG = range(5)

Tiles = tuple[int, ...]


class Past(NamedTuple):
    """What has been played, as far as rights hang on it: how many golds each seat has discarded in a row up to its last
    discard, its level (2 雙游, 3 三游), who has lost one or konged since, and kinds punged that could be konged."""

    golds_in_a_row: tuple[int, ...]
    levels: tuple[int, ...]
    fallen: frozenset[int] = frozenset()
    stale: frozenset[int] = frozenset()
    passed_kongs: frozenset[int] = frozenset()


def past_of(table: Table) -> Past:
    """What a hand-built table says of what was played before."""
    seats = range(len(table.seats))
    return Past(tuple(table.gold_out >> seat & 1 for seat in seats), table.levels)


# -- Shapes ----------------------------------------------------------------------------------------------------------


def playing(table: Table, seat: int) -> Tiles:
    """A seat's concealed tiles but for flowers, sorted."""
    return tuple(tile for tile in table.concealed(seat) if tile < FLOWERS)


def faces(tiles: Tiles, golds: Sequence[int]) -> Iterator[tuple[Tiles, int]]:
    """Every way to play the tiles: each stand-in as a face kind, the golds counted apart (S-GOLD-2, L-GOLD-2)."""
    wilds = sum(tile in golds for tile in tiles)
    real = [tile for tile in tiles if tile not in golds]
    choices = [tuple(golds) if tile == WHITE and WHITE not in golds else (tile,) for tile in real]
    for chosen in {tuple(sorted(choice)) for choice in product(*choices)}:
        yield chosen, wilds


@lru_cache(maxsize=100_000)
def splits(tiles: Tiles, wilds: int, pairs: int) -> bool:
    """Whether sorted tiles and wilds are sets and so many pairs."""
    if not tiles:
        left = wilds - 2 * pairs
        return left >= 0 and left % 3 == 0
    first, rest = tiles[0], list(tiles[1:])
    shapes: list[Tiles] = [(first, first)]
    for low in range(first - 2, first + 1):
        if first < 27 and low // 9 == (low + 2) // 9 == first // 9:
            shapes.append(tuple(kind for kind in range(low, low + 3) if kind != first))
    if pairs and any(splits(left, wilds - used, pairs - 1) for left, used in _without(rest, (first,), wilds)):
        return True
    return any(splits(left, wilds - used, pairs) for shape in shapes for left, used in _without(rest, shape, wilds))


def _without(tiles: list[int], wanted: Sequence[int], wilds: int) -> Iterator[tuple[Tiles, int]]:
    """The tiles without those wanted, each of them either real or a wild."""
    for mask in product((True, False), repeat=len(wanted)):
        left, used = list(tiles), 0
        for kind, is_real in zip(wanted, mask, strict=True):
            if not is_real:
                used += 1
            elif kind in left:
                left.remove(kind)
            else:
                break
        else:
            if used <= wilds:
                yield tuple(left), used


def is_complete(tiles: Tiles, golds: Sequence[int], more_wilds: int = 0) -> bool:
    """L-SHAPE-1, L-SHAPE-2: four sets and a pair, or seven pairs; with wilds added to the tiles."""
    total = len(tiles) + more_wilds
    if any(splits(real, wilds + more_wilds, 1) for real, wilds in faces(tiles, golds)):
        return True
    return total == 14 and any(_odd(real) <= wilds + more_wilds for real, wilds in faces(tiles, golds))


def _odd(tiles: Tiles) -> int:
    return sum(tiles.count(kind) % 2 for kind in set(tiles))


def is_in_you_state(tiles: Tiles, golds: Sequence[int]) -> bool:
    """S-YOU-1, L-SHAPE-2: with one gold put aside, sets alone or six pairs."""
    for real, wilds in faces(tiles, golds):
        if wilds and (splits(real, wilds - 1, 0) or (len(tiles) == 13 and _odd(real) <= wilds - 1)):
            return True
    return False


def is_orphans(tiles: Tiles) -> bool:
    """L-SHAPE-3."""
    return len(tiles) == 14 and set(tiles) == ORPHANS


def waiting(table: Table, seat: int) -> Tiles:
    """A seat's tiles without the one just drawn."""
    tiles = list(playing(table, seat))
    if table.phase == TURN and seat == table.turn and 0 <= table.drawn < FLOWERS:
        tiles.remove(table.drawn)
    return tuple(tiles)


# -- Locks -----------------------------------------------------------------------------------------------------------


def lock_on(table: Table, past: Past, seat: int) -> int:
    """The lock that others have put on a seat: 0, 1 (L-LOCK-1) or 2 (L-LOCK-2)."""
    if table.book.options["gold_lock"] == "off":
        return 0
    others = [other for other in range(len(table.seats)) if other != seat]
    if any(past.golds_in_a_row[other] > 1 or past.levels[other] == 3 for other in others):
        return 2
    return int(any(past.golds_in_a_row[other] or past.levels[other] for other in others))


# -- Wins ------------------------------------------------------------------------------------------------------------

#: L-WIN-10: the order among equal values.
ORDER = (
    "heavenly_win three_golds four_golds five_golds six_golds rob_gold thirteen_orphans triple_you double_you "
    "covered_rob_gold you rob_kong self_draw"
).split()
Values = dict[str, int]


def by_golds(table: Table, tiles: Tiles) -> Values:
    """L-WIN-4."""
    number = sum(tile in table.golds for tile in tiles)
    if table.book.options["mode"] == "half":
        return {"three_golds": 4} if number == 3 else {}
    return {4: {"four_golds": 4}, 5: {"five_golds": 8}, 6: {"six_golds": 16}}.get(number, {})


def on_draw(table: Table, past: Past, seat: int) -> Values:
    """L-WIN-1, L-WIN-4, L-WIN-7, L-WIN-8, under the locks."""
    tiles, golds = playing(table, seat), table.golds
    found = by_golds(table, tiles)
    if is_orphans(tiles):
        found["thirteen_orphans"] = 4 * YOU_V
    if is_complete(tiles, golds):
        found["self_draw"] = 2
        if is_in_you_state(waiting(table, seat), golds):
            name = {0: "you", 2: "double_you", 3: "triple_you"}[past.levels[seat]]
            found[name] = YOU_V * {"you": 1, "double_you": 2, "triple_you": 4}[name]
    lock = lock_on(table, past, seat)
    if table.source == ON_CONCEALED_KONG or not lock:
        return found
    if lock == 2:
        return {}
    return {name: v for name, v in found.items() if name != "self_draw" or table.source == ON_KONG}


def on_kong(table: Table, past: Past, seat: int) -> Values:
    """L-WIN-2, S-ROB-1, under the locks."""
    if table.book.options["mode"] == "full" or table.last in table.golds:
        return {}
    tiles = tuple(sorted((*playing(table, seat), table.last)))
    found = {"rob_kong": 2} if is_complete(tiles, table.golds) else {}
    if is_orphans(tiles):
        found["thirteen_orphans"] = 4 * YOU_V
    lock = lock_on(table, past, seat)
    if not lock:
        return found
    is_spared = lock == 1 and not past.levels[table.turn]
    return {name: v for name, v in found.items() if is_spared and name == "thirteen_orphans"}


def at_opening(table: Table, seat: int) -> Values:
    """L-OPEN-1, L-OPEN-3, L-OPEN-4, L-WIN-3, L-WIN-4."""
    tiles, golds = playing(table, seat), table.golds
    found = by_golds(table, tiles)
    if seat != table.dealer:
        return found | ({"covered_rob_gold": 2 * YOU_V} if is_in_you_state(tiles, golds) else {})
    if is_complete(tiles, golds):
        found["heavenly_win"] = 4
    if is_orphans(tiles):
        found["thirteen_orphans"] = 4 * YOU_V
    left = [(tile, tuple(tiles[:i] + tiles[i + 1 :])) for i, tile in enumerate(tiles)]
    for tile, rest in left:
        if is_in_you_state(rest, golds) or (tile in golds and is_complete(rest, golds, 1)):
            found["covered_rob_gold"] = 2 * YOU_V
    others = (playing(table, other) for other in range(len(table.seats)) if other != seat)
    if not any(by_rob_gold(hand, golds) and not is_in_you_state(hand, golds) for hand in others):
        for _, rest in left:
            found |= by_rob_gold(rest, golds)
    return found


def by_rob_gold(tiles: Tiles, golds: Sequence[int]) -> Values:
    """L-OPEN-2, L-OPEN-3: thirteen tiles that the flipped gold completes."""
    found = {"rob_gold": 4} if is_complete(tiles, golds, 1) else {}
    if any(is_orphans(tuple(sorted((*tiles, gold)))) for gold in golds):
        found["thirteen_orphans"] = 4 * YOU_V
    return found


def on_first_discard(table: Table, seat: int) -> Values:
    """L-OPEN-2: a non-dealer's 搶金; who was in you state has let 蓋寶搶金 go by, and 搶金 with it."""
    is_claimed = any(meld.kind != "concealed" for melds in table.melds for meld in melds)
    is_first = table.turn == table.dealer and len(table.river) == 1 and not is_claimed
    tiles = playing(table, seat)
    if not is_first or seat == table.dealer or is_in_you_state(tiles, table.golds):
        return {}
    return by_rob_gold(tiles, table.golds)


def best(found: Values) -> str | None:
    """L-WIN-10."""
    return max(found, key=lambda name: (found[name], -ORDER.index(name)), default=None)


# -- Acts ------------------------------------------------------------------------------------------------------------


def acts(table: Table, past: Past) -> list[tuple[int, Act]]:
    """Every act of every seat but passes, in no order that matters."""
    found = []
    for seat in range(len(table.seats)):
        if table.phase == TURN and seat == table.turn:
            found += [(seat, act) for act in _own_turn(table, past, seat)]
        elif table.phase == TURN and table.opening:
            found += [(seat, act) for act in _win(best(at_opening(table, seat)))]
        elif table.phase == CLAIMS and seat != table.turn:
            found += [(seat, act) for act in _on_discard(table, past, seat)]
        elif table.phase == KONG and table.robbable and seat != table.turn:
            found += [(seat, act) for act in _win(best(on_kong(table, past, seat)), table.last, table.turn)]
    return found


def _win(name: str | None, tile: int | None = None, from_: int | None = None) -> list[Act]:
    return [] if name is None else [Act("win", tile, win=name, from_=from_)]


def _own_turn(table: Table, past: Past, seat: int) -> Iterator[Act]:
    tiles = playing(table, seat)
    if table.source == DEALT and table.opening:
        yield from _win(best(at_opening(table, seat)))
    if table.source in (DRAWN, ON_KONG, ON_CONCEALED_KONG):
        yield from _win(best(on_draw(table, past, seat)), table.drawn)
    if table.source != CLAIMED and table.left > table.book.dead_wall:
        yield from _own_kongs(table, past, seat, tiles)
    yield from (Act("discard", tile) for tile in set(tiles))


def _own_kongs(table: Table, past: Past, seat: int, tiles: Tiles) -> Iterator[Act]:
    pungs = [meld.tiles[0] for meld in table.melds[seat] if meld.kind == "pung"]
    for kind in sorted(set(tiles) - set(table.golds)):
        if tiles.count(kind) == 4:
            yield Act("kong", kind, (kind,) * 4, "concealed")
        if kind in pungs and kind not in past.passed_kongs and table.book.options["mode"] == "half":
            yield Act("kong", kind, (kind,), "added")


def _on_discard(table: Table, past: Past, seat: int) -> Iterator[Act]:
    yield from _win(best(on_first_discard(table, seat)))
    tile, held = table.last, playing(table, seat).count(table.last)
    if table.book.options["mode"] == "full" or tile in table.golds:
        return
    if held >= 2 and not lock_on(table, past, seat):
        yield Act("pung", tile, (tile,) * 2, from_=table.turn)
    if held >= 3 and table.left > table.book.dead_wall:
        yield Act("kong", tile, (tile,) * 3, "exposed", from_=table.turn)


# -- What is remembered ----------------------------------------------------------------------------------------------


def after(table: Table, past: Past, seat: int, act: Act) -> Past:
    """The past once a seat has acted."""
    if act.act == "discard":
        return _after_discard(table, past, seat, act.tile or 0)
    if act.act == "pung":
        could_kong = playing(table, seat).count(act.tile or 0) > 2 and table.left > table.book.dead_wall
        more = {act.tile or 0} if could_kong else frozenset()
        return past._replace(passed_kongs=past.passed_kongs | more)
    if act.act == "kong":
        return _after_kong(table, past, seat, act)
    return past


def _after_discard(table: Table, past: Past, seat: int, tile: int) -> Past:
    is_gold = tile in table.golds
    level, lost = _level(table, past, seat, tile), past.fallen
    if past.levels[seat] and not level:
        lost |= {seat}
    return past._replace(
        golds_in_a_row=_put(past.golds_in_a_row, seat, past.golds_in_a_row[seat] + 1 if is_gold else 0),
        levels=_put(past.levels, seat, level),
        fallen=lost,
        stale=past.stale - {seat},
    )


def _level(table: Table, past: Past, seat: int, tile: int) -> int:
    """S-YOU-3, S-YOU-4, L-YOU-2 to L-YOU-4."""
    golds, level = table.golds, past.levels[seat]
    kept = list(playing(table, seat))
    kept.remove(tile)
    if not is_in_you_state(tuple(kept), golds):
        return 0
    if table.source == CLAIMED:
        return level or _level_by_pung(table, past, seat, tile)
    if tile not in golds or table.source == DEALT or not is_in_you_state(waiting(table, seat), golds):
        return 0
    if level == 0:
        return 0 if seat in past.fallen else 2
    return 3 if level == 2 and seat not in past.stale and table.drawn in golds else 0


def _level_by_pung(table: Table, past: Past, seat: int, tile: int) -> int:
    """L-YOU-3."""
    claimed = table.melds[seat][-1].tiles[0]
    before = tuple(sorted((*playing(table, seat), claimed, claimed)))
    has_two = sum(one in table.golds for one in before) > 1
    is_upgrade = tile in table.golds and has_two and is_in_you_state(before, table.golds) and seat not in past.fallen
    return 2 if is_upgrade else 0


def _after_kong(table: Table, past: Past, seat: int, act: Act) -> Past:
    left = list(playing(table, seat))
    for tile in act.with_:
        left.remove(tile)
    level = past.levels[seat] if is_in_you_state(tuple(left), table.golds) else 0
    lost = past.fallen | ({seat} if past.levels[seat] and not level else set())
    return past._replace(levels=_put(past.levels, seat, level), fallen=lost, stale=past.stale | {seat})


def _put(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
