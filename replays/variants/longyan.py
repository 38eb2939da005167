"""Longyan mahjong, 龍巖麻將: table of contents of its rule book, and what is its alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from operator import add as add_amounts
from typing import TypeAlias

from replays.clauses.ending import next_dealer_without_streak
from replays.clauses.gold_locks import TWICE, is_barred, lock_on, lock_on_pungs, locked
from replays.clauses.kongs import (
    PASSED_KONGS,
    KongRules,
    Lines,
    flower_kongs,
    from_each,
    kongs,
    net_lines,
    no_passed_kong,
)
from replays.clauses.opening_rights import (
    COVERED,
    GOLDS,
    HEAVENLY,
    ROB,
    WAIVED,
    covered,
    rights,
    why_not_right,
    with_gold,
    without_one,
)
from replays.clauses.shapes import (
    are_triplets,
    in_you_state_with_pairs,
    is_all_triplets,
    is_one_short_with_pairs,
    is_pure_suit,
    is_seven_pairs,
    is_thirteen_orphans,
    missing_orphans,
    orphans_of,
    pairs_of,
)
from replays.clauses.shares import ROUNDS, one_more_share, shares
from replays.clauses.strands import Steps, pairs
from replays.clauses.water import copies_out
from replays.clauses.wins import is_out_of_you_state
from replays.clauses.you import LEVEL_NAMES, keeps_you_state, leaves_a_keeping_discard, level_after_pung_or_draw
from replays.events import Act, Item
from replays.hands import Hand, Reading, add, complete, needs_only, readings, size
from replays.rulebook import (
    SHARED_OPTIONS,
    Choice,
    Facts,
    Names,
    Number,
    Option,
    Options,
    Right,
    Rulebook,
    Settlement,
    Strand,
    Violation,
    Way,
    switch,
)  # fmt: skip
from replays.settle import decide, paid_with
from replays.table import KONG, Table
from replays.tiles import COPIES, FIRST_HONOUR, Tile, full_set

ID, VERSION = "longyan", "1"

OPTIONS: dict[str, Option] = {
    **SHARED_OPTIONS,
    "mode": Choice(("half", "full"), "half", "L-CLAIM-1"),
    "dots": switch(True, "L-SHAPE-3"),
    "orphans_wild": switch(False, "L-SHAPE-3"),
    "all_triplets_factor": Number(1, 99, 1, "L-SHAPE-4"),
    "pure_suit_factor": Number(1, 99, 1, "L-SHAPE-4"),
    "you_by_pung": switch(True, "L-YOU-3"),
    "gold_count": Choice(("stack", "tile"), "stack", "L-GOLD-1"),
    "you_v": Number(1, 99, 4, "L-WIN-7"),
    "gold_lock": Choice(("strict", "off"), "strict", "L-LOCK-1"),
    "full_kong_v": Number(0, 99, 4, "L-KONG-1"),
    "kong_discarder_pays_all": switch(True, "L-KONG-1"),
    "flower_kong": Choice(("class", "count", "off"), "class", "L-KONG-2"),
    "dealer_double": switch(True, "L-PAY-1"),
    "dead_wall": Number(0, 40, 0, "L-DRAW-1"),
}

#: Ways to win, the first first among equal values (L-WIN-10).
WINS = (
    "heavenly_win", "three_golds", "four_golds", "five_golds", "six_golds", "rob_gold", "thirteen_orphans",
    "triple_you", "double_you", "covered_rob_gold", "you", "rob_kong", "self_draw",
)  # fmt: skip

CLAUSES = (
    "L-SHAPE-1", "L-SHAPE-2", "L-SHAPE-3", "L-SHAPE-4", "L-GOLD-1", "L-GOLD-2", "L-GOLD-3", "L-GOLD-4", "L-CLAIM-1",
    "L-CLAIM-2", "L-WIN-1", "L-WIN-2", "L-WIN-3", "L-WIN-4", "L-WIN-5", "L-WIN-6", "L-WIN-7", "L-WIN-8", "L-WIN-9",
    "L-WIN-10", "L-OPEN-1", "L-OPEN-2", "L-OPEN-3", "L-OPEN-4", "L-OPEN-5", "L-YOU-1", "L-YOU-2", "L-YOU-3", "L-YOU-4",
    "L-LOCK-1", "L-LOCK-2", "L-LOCK-3", "L-SHARE-1", "L-KONG-1", "L-KONG-2", "L-KONG-3", "L-PAY-1", "L-PAY-2",
    "L-PAY-3", "L-PAY-4", "L-DRAW-1", "L-DEALER-1",
)  # fmt: skip

NAMES = Names(
    flip="L-GOLD-1", draw="L-DRAW-1", kong_draw="S-CLAIM-2", dealer="L-DEALER-1",
    best_way="L-WIN-10", no_winner="L-DRAW-1", balance="L-PAY-4", claims="L-CLAIM-1", gold_claim="S-GOLD-2",
    gold_again="L-GOLD-2", beside="L-KONG-3", ready="L-WIN-3",
)  # fmt: skip

#: Golds in hand that win by themselves: way and value, by mode (L-WIN-4).
GOLD_WAYS: dict[str, dict[int, tuple[str, int]]] = {
    "half": {3: ("three_golds", 4)},
    "full": {4: ("four_golds", 4), 5: ("five_golds", 8), 6: ("six_golds", 16)},
}
_BY_GOLDS = tuple(name for ways in GOLD_WAYS.values() for name, _ in ways.values())

#: L-OPEN-1: who goes first at the opening.
OPENING_ORDER = (
    Right(COVERED, False, "L-OPEN-1"),
    Right(COVERED, True, "L-OPEN-1"),
    Right(HEAVENLY, True, "L-OPEN-1"),
    *(Right(name, True, "L-OPEN-1") for name in _BY_GOLDS),
    *(Right(name, False, "L-OPEN-1") for name in _BY_GOLDS),
    Right(ROB, False, "L-OPEN-2"),
    Right(ROB, True, "L-OPEN-3"),
)


def build(ruleset: str, options: Options, digest: str) -> Rulebook:
    """The rule book under resolved options."""
    is_full, is_locked = options["mode"] == "full", options["gold_lock"] == "strict"
    exposed = frozenset() if is_full else frozenset({"pung", "exposed", "added"})
    return Rulebook(
        id=ruleset,
        version=VERSION,
        options=options,
        digest=digest,
        names=NAMES,
        clauses=CLAUSES,
        wins=WINS,
        players=range(2, 5),
        wall=full_set(options["dots"]),
        hand_size=13,
        dead_wall=options["dead_wall"],
        gold_flips=2 if is_full else 1,
        gold_step=2 if options["gold_count"] == "stack" else 1,
        claims=exposed | {"concealed"},
        discard_rules=(keeps_you_state("L-YOU-1"),),
        claim_bars=(lock_on_pungs("L-LOCK-1", "L-LOCK-2"),) * is_locked
        + (no_passed_kong("L-CLAIM-2"), leaves_a_keeping_discard("L-YOU-1")),
        win_bars=(),
        ways=ways,
        settle=settle,
        explain=explain,
        read=read,
        in_you_state=in_you_state_with_pairs,
        is_ready=is_one_short_with_pairs,
        level_after=level_after_pung_or_draw,
        opening_order=OPENING_ORDER,
        next_dealer=next_dealer_without_streak,
        memories=(TWICE, PASSED_KONGS, ROUNDS, WAIVED),
        more_facts=more_facts,
        rights=rights,
        misnamed=misnamed,
        beside=beside,
        as_read=as_read,
        strands=strands,
        strands_beside=strands_beside,
    )


def more_facts(table: Table, seat: int, facts: Facts) -> Facts:
    """With the rights of the opening, the source of the tile, and the lock that binds the seat."""
    is_locked = facts.by in ("self_draw", "rob_kong") and table.book.options["gold_lock"] == "strict"
    lock = lock_on(table, seat, "L-LOCK-1", "L-LOCK-2") if is_locked else None
    open_rights = rights(table, seat) if facts.by == "opening" else ()
    return facts._replace(source=table.source, lock=lock, rights=open_rights)


# -- Ways to win -------------------------------------------------------------------------------------------------


_Ways: TypeAlias = tuple[Way, ...] | Violation


def ways(book: Rulebook, facts: Facts) -> _Ways:
    """L-WIN-1 to L-WIN-9: every way in which the hand wins, or why it wins in none."""
    return _WAYS[facts.by](book, facts)


def _on_discard(book: Rulebook, facts: Facts) -> _Ways:
    return Violation("L-CLAIM-1", "no_discard_win", {"acts": ["pass"]})


def _on_robbed_kong(book: Rulebook, facts: Facts) -> _Ways:
    if book.options["mode"] == "full":
        return Violation("L-WIN-2", "no_robbing", {"acts": ["pass"]}, ("L-CLAIM-1", "S-ROB-1"))
    if facts.tile in facts.layout.golds:
        return Violation("S-GOLD-2", "win_on_gold", {"acts": ["pass"]})
    found = [*_orphans(book, facts, facts.hand)]
    if is_whole(book, facts, facts.hand):
        found.append(_multiplied(book, Way("rob_kong", 2, "L-WIN-2", names=names_of(book, facts, facts.hand))))
    return _unbarred(facts, found)


def _on_self_draw(book: Rulebook, facts: Facts) -> _Ways:
    found = [*_golds(book, facts), *_orphans(book, facts, facts.hand)]
    if is_whole(book, facts, facts.hand):
        names = names_of(book, facts, facts.hand)
        found.append(_multiplied(book, Way("self_draw", 2, "L-WIN-1", names=names)))
        if is_out_of_you_state(book, facts):
            name, times = _YOU[facts.level]
            found.append(_multiplied(book, Way(name, times * book.options["you_v"], "L-WIN-7", names=names)))
    return _unbarred(facts, found)


#: L-WIN-7: by the level of 游, the way and how often ``you_v`` it is worth.
_YOU = {0: ("you", 1), **{level: (name, 1 << level - 1) for level, name in LEVEL_NAMES.items()}}
COVERED_TIMES, ORPHANS_TIMES = 2, 4  #: as 雙游 (L-WIN-6), as 三游 (L-WIN-8)


def _unbarred(facts: Facts, found: list[Way]) -> _Ways:
    """The ways that no lock forbids (L-LOCK-1, L-LOCK-2)."""
    lock = facts.lock
    if lock is None or not found:
        return tuple(found) or _no_shape()
    return tuple([way for way in found if not is_barred(lock, facts, way)]) or locked(lock)


def _at_opening(book: Rulebook, facts: Facts) -> _Ways:
    by_right = [*_covered(book, facts), *_rob_gold(book, facts)]
    golds = _golds(book, facts) if GOLDS in facts.rights else ()
    found = [*golds, *_heavenly(book, facts), *(way for _, way in by_right)]
    if not found:
        return _no_shape()
    best = _best(found)
    if facts.tile_out is None or best.right not in _TAKING:
        return tuple(found)
    taken = tuple([way for tile, way in by_right if tile == facts.tile_out and way.win == best.win])
    return taken or Violation(_TAKING[best.right], "wrong_tile_out", {"win": best.win})


#: The rights by which a dealer takes a tile away, and the clauses that say which.
_TAKING = {COVERED: "L-OPEN-4", ROB: "L-OPEN-3"}

_WAYS: dict[str, Callable[[Rulebook, Facts], _Ways]] = {
    "discard": _on_discard,
    "rob_kong": _on_robbed_kong,
    "self_draw": _on_self_draw,
    "opening": _at_opening,
}


def _no_shape() -> Violation:
    return Violation("L-SHAPE-1", "not_complete", {"shape": "four sets and a pair"})


def is_whole(book: Rulebook, facts: Facts, hand: Hand) -> bool:
    """L-SHAPE-1, L-SHAPE-2: whether a hand of 3n+2 tiles is sets and a pair, or seven pairs, under ``fifth_copy``."""
    if book.options["fifth_copy"]:
        return complete(hand, facts.layout) or is_seven_pairs(hand)
    return bool(_readings(book, facts, hand))


def _readings(book: Rulebook, facts: Facts, hand: Hand) -> list[Reading]:
    """Every reading as sets and a pair, or as seven pairs, that ``fifth_copy`` allows (S-GOLD-3)."""
    where = facts.layout
    found = readings(hand, where)
    if is_seven_pairs(hand):
        found.append(pairs_of(hand, where))
    if book.options["fifth_copy"]:
        return found
    out = copies_out(facts)
    return [reading for reading in found if needs_only(reading, out, where)]


def _orphans(book: Rulebook, facts: Facts, hand: Hand, right: str = "") -> Iterator[Way]:
    """L-WIN-8, L-SHAPE-3."""
    where, is_wild = facts.layout, book.options["orphans_wild"]
    can_be = book.options["dots"] and not facts.melds
    if not can_be or not is_thirteen_orphans(hand, where, is_wild):
        return
    if not book.options["fifth_copy"]:
        out = copies_out(facts)  # whites are counted as the face kind that they stand in for
        missing = [kind for kind in missing_orphans(hand, where, is_wild) or () if kind not in where.golds]
        if any(out[where.faces[kind]] >= COPIES for kind in missing):
            return
    yield Way("thirteen_orphans", ORPHANS_TIMES * book.options["you_v"], "L-WIN-8", right=right)


def _golds(book: Rulebook, facts: Facts) -> Iterator[Way]:
    """L-WIN-4."""
    known = GOLD_WAYS[book.options["mode"]].get(facts.golds)
    if known is not None:
        yield Way(*known, "L-WIN-4", is_complete=False)


def _multiplied(book: Rulebook, way: Way) -> Way:
    """The way with its value times the factors of what the hand is besides (L-SHAPE-4, L-PAY-2)."""
    v = way.factor
    for name in way.names:
        v *= _factor(book, name)
    return way._replace(factor=v)


def _factor(book: Rulebook, name: str) -> int:
    """What a shape multiplies by (L-SHAPE-4)."""
    return int(book.options.get(f"{name}_factor", 1))


def names_of(book: Rulebook, facts: Facts, hand: Hand) -> tuple[str, ...]:
    """L-SHAPE-2, L-SHAPE-4: what a complete hand is besides."""
    known = (
        ("all_triplets", _is_in_triplets(book, facts, hand)),
        ("pure_suit", is_pure_suit(hand, facts.melds, facts.layout)),
        ("seven_pairs", is_seven_pairs(hand)),
    )
    return tuple([name for name, is_so in known if is_so])


def _is_in_triplets(book: Rulebook, facts: Facts, hand: Hand) -> bool:
    if not is_all_triplets(hand, facts.layout):
        return False
    return book.options["fifth_copy"] or any(map(are_triplets, _readings(book, facts, hand)))


# -- Ways at the opening -------------------------------------------------------------------------------------------


def _heavenly(book: Rulebook, facts: Facts) -> Iterator[Way]:
    """L-WIN-3."""
    if facts.seat != facts.dealer or HEAVENLY not in facts.rights:
        return
    orphans = [*_orphans(book, facts, facts.hand, HEAVENLY)]
    yield from orphans
    if orphans or is_whole(book, facts, facts.hand):
        way = Way("heavenly_win", 4, "L-WIN-3", right=HEAVENLY, names=names_of(book, facts, facts.hand))
        yield _multiplied(book, way)


def _covered(book: Rulebook, facts: Facts) -> Iterator[tuple[Tile | None, Way]]:
    """L-WIN-6, L-OPEN-4, with what is taken away."""
    v = COVERED_TIMES * book.options["you_v"]
    for tile, hand in _left(book, facts, COVERED):
        names = names_of(book, facts, with_gold(hand, facts.layout))
        yield tile, _multiplied(book, Way("covered_rob_gold", v, "L-WIN-6", right=COVERED, names=names))


def _rob_gold(book: Rulebook, facts: Facts) -> Iterator[tuple[Tile | None, Way]]:
    """L-WIN-5, L-OPEN-2, L-OPEN-3, with what is taken away; 十三幺 only with the flipped kind itself."""
    where = facts.layout
    for tile, hand in _left(book, facts, ROB):
        whole = with_gold(hand, where)
        if is_whole(book, facts, whole):
            yield tile, Way("rob_gold", 4, "L-WIN-5", right=ROB, names=names_of(book, facts, whole))
        for gold in where.golds:
            for way in _orphans(book, facts, add(hand, where.slots[gold]), ROB):
                yield tile, way


def _left(book: Rulebook, facts: Facts, right: str) -> Iterator[tuple[Tile | None, Hand]]:
    """What may be taken away for a right of the opening, and the thirteen tiles left; none where it does not stand."""
    is_dealer = facts.seat == facts.dealer
    if right not in facts.rights:
        return
    if right == COVERED:
        yield from covered(book, facts.hand, facts.layout, is_dealer)
    elif is_dealer:
        yield from without_one(facts.hand, facts.layout)
    else:
        yield None, facts.hand


# -- What is no win ------------------------------------------------------------------------------------------------


def misnamed(table: Table, seat: int, act: Act, verdict: Settlement | Violation) -> Violation | None:
    """The clause of a win that is none by its name: no wins on discards, no robbing in ``full`` (L-CLAIM-1), and the
    rights of the opening."""
    is_full, is_robbing = table.book.options["mode"] == "full", table.phase == KONG or act.win == "rob_kong"
    if is_full and is_robbing:
        return Violation("L-CLAIM-1", "no_robbing", {"acts": ["pass"]}, ("L-WIN-2",))
    return why_not_right(table, seat, act, verdict)


# -- Payment -------------------------------------------------------------------------------------------------------


def _best(found: list[Way] | tuple[Way, ...]) -> Way:
    """L-WIN-10: the largest value, among equals the first of ``WINS``."""
    return max(found, key=lambda way: (way.factor, -WINS.index(way.win)))


def read(book: Rulebook, facts: Facts) -> list[Reading]:
    """Every reading of the hand as it wins; one in triplets first where that counts."""
    settlement = decide(book, facts)
    if isinstance(settlement, Violation):
        return []
    found: dict[Reading, None] = {}
    for hand in _as_won(book, facts, settlement):
        if settlement.win == "thirteen_orphans":
            found[orphans_of(hand, facts.layout, book.options["orphans_wild"])] = None
        else:
            found |= dict.fromkeys(_readings(book, facts, hand))
    is_in_triplets = "all_triplets" in settlement.names
    return sorted(found, key=lambda reading: is_in_triplets and not are_triplets(reading))


def _as_won(book: Rulebook, facts: Facts, settlement: Settlement) -> list[Hand]:
    """The complete hands that a win may be read from: by a right of the opening, with the gold that it takes."""
    where, right = facts.layout, settlement.right
    if right not in _TAKING:
        return [facts.hand] if size(facts.hand) % 3 == 2 else []
    left = [hand for _, hand in _left(book, facts, right)]
    if settlement.win == "thirteen_orphans":
        whole = [add(hand, where.slots[gold]) for hand in left for gold in where.golds]
        return [hand for hand in whole if is_thirteen_orphans(hand, where, book.options["orphans_wild"])][:1]
    return [with_gold(hand, where) for hand in left]


def settle(book: Rulebook, facts: Facts, found: tuple[Way, ...]) -> Settlement:
    """L-WIN-10, L-PAY-1 to L-PAY-3: the way with the largest value, and who pays it."""
    way = _best(found)
    pays = "L-PAY-3" if facts.by == "rob_kong" else "L-PAY-1"
    deltas = payments(book.options["dealer_double"], facts.players, facts.dealer, facts.seat, facts.from_, way.factor)
    items = net_lines(pays, deltas)
    return Settlement(way.win, way.clause, way.factor, 0, items, deltas, pays, way.names, way.right)


def payments(doubles: bool, players: int, dealer: int, winner: int, robbed: int | None, v: int) -> tuple[int, ...]:
    """L-PAY-1: v from each, doubled where winner or payer is the dealer; L-PAY-3: all of it from the robbed player."""
    if robbed is None:
        return tuple(from_each(players, dealer, winner, v, doubles))
    is_dealers = doubles and dealer in (winner, robbed)
    total = v * (2 * (players - 1) if is_dealers else players - 1 + doubles)
    return tuple((seat == winner) * total - (seat == robbed) * total for seat in range(players))


# -- What is settled beside the win, and what explains a wrong payment ----------------------------------------------


def beside(table: Table) -> tuple[Item, ...]:
    """L-KONG-1 to L-KONG-3, L-SHARE-1: kongs, flower kongs and 分餅, net, whether the hand is won or not."""
    return tuple([line for lines in _payments_beside(table) for line in lines])


def _payments_beside(table: Table) -> list[Lines]:
    rules = kong_rules(table.book.options)
    found = (
        *kongs(table, rules, "L-KONG-1"),
        *flower_kongs(table, rules, "L-KONG-2"),
        *shares(table, "L-SHARE-1"),
    )
    return [lines for lines in found if lines]


def kong_rules(options: Options) -> KongRules:
    """L-KONG-1, L-KONG-2 under these options."""
    concealed = options["full_kong_v"] if options["mode"] == "full" else 2
    return KongRules(concealed, options["kong_discarder_pays_all"], options["dealer_double"], options["flower_kong"])


def explain(table: Table, settlement: Settlement, deltas: tuple[int, ...]) -> Violation | None:
    """The clause that was forgotten, where the payments on record are right but for that; in a hand without winner,
    the clause of what it settles."""
    for clause, otherwise in _mistakes(table, settlement):
        if otherwise == deltas:
            return Violation(clause, "wrong_payment")
    codes = [line.code for line in settlement.items]
    return Violation(codes[0], "wrong_payment") if codes and settlement.win is None else None


def _mistakes(table: Table, settlement: Settlement) -> Iterator[tuple[str, tuple[int, ...]]]:
    """What would be paid if something were forgotten or paid too often."""
    for left_out in _left_out(_payments_beside(table)):
        codes = list(dict.fromkeys(lines[0].code for lines in left_out))
        clause = codes[0] if codes in (["L-KONG-2"], ["L-SHARE-1"]) else "L-KONG-3"
        yield clause, _less(settlement.deltas, [line for lines in left_out for line in lines])
    yield from _undoubled(table, settlement)
    for lines in one_more_share(table, "L-SHARE-1"):
        yield "L-SHARE-1", paid_with(settlement.deltas, lines)


MOST_LEFT_OUT = 8  #: of more payments than this, only one or all are looked at: a log may hold any number of kongs


def _left_out(beside: list[Lines]) -> Iterator[tuple[Lines, ...]]:
    """What a server may have left out of the payments beside the win, the least first."""
    n = len(beside)
    for count in range(1, n + 1) if n <= MOST_LEFT_OUT else (1, n):
        yield from combinations(beside, count)


def _less(deltas: tuple[int, ...], lines: Iterable[Item]) -> tuple[int, ...]:
    return paid_with(deltas, [line._replace(value=-line.value) for line in lines])


def _undoubled(table: Table, settlement: Settlement) -> Iterator[tuple[str, tuple[int, ...]]]:
    """L-PAY-1, L-KONG-1: what would be paid if the dealer's doubling were forgotten, in the win, in the kongs, in
    both."""
    rules = kong_rules(table.book.options)._replace(doubles=False)
    single = [*kongs(table, rules, "L-KONG-1"), *flower_kongs(table, rules, "L-KONG-2")]
    doubled = [line for line in settlement.items if line.code in ("L-KONG-1", "L-KONG-2")]
    in_kongs = paid_with(_less(settlement.deltas, doubled), [line for lines in single for line in lines])
    if settlement.win is not None and table.outcome is not None:
        robbed = table.outcome.from_ if settlement.pays == "L-PAY-3" else None
        won = payments(False, len(table.seats), table.dealer, table.outcome.winner, robbed, settlement.factor)
        paid = [line for line in settlement.items if line.code == settlement.pays]
        for deltas in (settlement.deltas, in_kongs):
            yield "L-PAY-1", _sum(won, _less(deltas, paid))
    yield "L-KONG-1", in_kongs


def _sum(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(add_amounts, first, second))


# -- How a payment comes about ---------------------------------------------------------------------------------------

UNMULTIPLIED = frozenset({"rob_gold"})  #: ways with names whose value no shape multiplies (L-PAY-2)


def _multiplying(book: Rulebook, settlement: Settlement) -> list[tuple[str, int]]:
    """The shapes that the value of a win was multiplied by, with their factors."""
    names = () if settlement.win in UNMULTIPLIED else settlement.names
    return [(name, _factor(book, name)) for name in names if _factor(book, name) != 1]


def strands(book: Rulebook, facts: Facts, settlement: Settlement) -> tuple[Strand, ...]:
    """L-PAY-1, L-PAY-3 step by step: each other seat's share, which in robbing a kong the robbed player bears."""
    robbed = facts.from_ if settlement.pays == "L-PAY-3" else None
    others = [seat for seat in range(facts.players) if seat != facts.seat]
    return tuple(
        [
            _share(book, facts, settlement, (facts.seat, other, robbed)).strand(
                other if robbed is None else robbed, facts.seat, other
            )
            for other in others
        ]
    )


def _share(book: Rulebook, facts: Facts, settlement: Settlement, involved: tuple[int | None, ...]) -> Steps:
    """v, multiplied by the hand's shapes, and doubled where the dealer is ``involved``."""
    multiplying = _multiplying(book, settlement)
    plain = settlement.factor
    for _, factor in multiplying:
        plain //= factor
    steps = Steps().plus(settlement.clause or settlement.pays, "value", plain)
    for name, factor in multiplying:
        steps.times("L-PAY-2", "shape", factor, name=name)
    if book.options["dealer_double"] and facts.dealer in involved:
        steps.times(settlement.pays, "dealer_double", 2)
    return steps


def strands_beside(table: Table) -> tuple[Strand, ...]:
    """L-KONG-1, L-KONG-2, L-SHARE-1 step by step."""
    found: list[Strand] = []
    rounds = 0
    for lines in _payments_beside(table):
        is_round = lines[0].code == "L-SHARE-1"
        for payer, payee, amount in pairs(lines):
            steps = _round(lines, amount, rounds) if is_round else _kong(table, lines, amount, (payer, payee))
            found.append(steps.strand(payer, payee))
        rounds += is_round
    return tuple(found)


def _round(lines: Lines, amount: int, number: int) -> Steps:
    """A go-around of 分餅, doubled from one to the next."""
    steps = Steps().plus("L-SHARE-1", "go_around", amount >> number, tile=lines[0].tile)
    return steps.times("L-SHARE-1", "go_around_again", 1 << number) if number else steps


_KONG_STEPS = {"L-KONG-1": "kong", "L-KONG-2": "flower_kong"}


def _kong(table: Table, lines: Lines, amount: int, involved: tuple[int, int]) -> Steps:
    """A kong or flower kong, doubled where the dealer is ``involved``."""
    clause = lines[0].code
    is_doubled = table.book.options["dealer_double"] and table.dealer in involved
    steps = Steps().plus(clause, _KONG_STEPS[clause], amount >> is_doubled, tile=lines[0].tile)
    return steps.times(clause, "dealer_double", 2) if is_doubled else steps


# -- What a reading is worth -----------------------------------------------------------------------------------------


def as_read(book: Rulebook, facts: Facts, settlement: Settlement, reading: Reading) -> Settlement | None:
    """L-SHAPE-4: what the hand is besides if it is read in one way, and what it then pays."""
    names = tuple([name for name in settlement.names if _SHAPE_OF[name](facts, reading)])
    v = settlement.factor
    for name, factor in _multiplying(book, settlement):
        v //= 1 if name in names else factor
    robbed = facts.from_ if settlement.pays == "L-PAY-3" else None
    deltas = payments(book.options["dealer_double"], facts.players, facts.dealer, facts.seat, robbed, v)
    items = net_lines(settlement.pays, deltas)
    return settlement._replace(names=names, factor=v, deltas=deltas, items=items)


def _is_read_in_one_suit(facts: Facts, reading: Reading) -> bool:
    """Whether every real tile of a reading, and every meld, is of one number suit."""
    real = [kind for part in reading for kind, is_wild in zip(part.kinds, part.wild, strict=True) if not is_wild]
    suits = dict.fromkeys([kind // 9 for kind in (*real, *(meld.tiles[0] for meld in facts.melds))])
    return len(suits) == 1 and FIRST_HONOUR // 9 not in suits


#: Whether a reading has each of the shapes that a hand may be besides.
_SHAPE_OF: dict[str, Callable[[Facts, Reading], bool]] = {
    "all_triplets": lambda facts, reading: are_triplets(reading),
    "pure_suit": _is_read_in_one_suit,
    "seven_pairs": lambda facts, reading: all(len(part.kinds) == 2 for part in reading),
}
