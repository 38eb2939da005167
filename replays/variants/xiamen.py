"""Xiamen mahjong, 廈門麻將: table of contents of its rule book, and what is its alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import TypeAlias

from replays.clauses.ending import next_dealer
from replays.clauses.follow import follow_honour
from replays.clauses.strands import Steps
from replays.clauses.totals import explained_by_water
from replays.clauses.water import as_read_lines, by_water, of_complete, of_incomplete
from replays.clauses.whites import is_white_discard
from replays.clauses.wins import GOLDS_THAT_BLOCK, is_complete, is_out_of_you_state
from replays.clauses.you import LEVEL_NAMES, level_after, lock_on_claims, lock_on_wins
from replays.events import Act, Item
from replays.hands import Reading, in_you_state, is_ready
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
from replays.table import Table
from replays.tiles import WHITE, full_set

ID, VERSION = "xiamen", "1"

OPTIONS: dict[str, Option] = {
    **SHARED_OPTIONS,
    "white_discard": Choice(("face", "white"), "face", "X-SHAPE-2"),
    "gold_blocks_discard_win": Choice(("any", "two_or_more", "none"), "any", "X-GOLD-2"),
    "rob_kong_k": Number(0, 99, 2, "X-WIN-2"),
    "triple_you_k": Number(1, 99, 12, "X-WIN-5"),
    "three_golds": Choice(("any_time", "opening_only", "off"), "any_time", "X-WIN-10"),
    "three_golds_window": Choice(("third_gold", "any_own_turn"), "third_gold", "X-WIN-10"),
    "heavenly_ready": Choice(("locked", "off"), "locked", "X-WIN-12"),
    "you_lock": Choice(("full", "no_discard_win"), "full", "X-LOCK-1"),
    "follow_honour": Choice(("seen", "off"), "seen", "X-FOLLOW-1"),
    "dead_wall": Number(0, 40, 16, "X-DRAW-1"),
    "next_dealer": Choice(("winner", "next_seat"), "winner", "X-DEALER-1"),
    "base": Number(0, 1_000_000, 8, "X-DEALER-2"),
    "dealer_base": Number(0, 1_000_000, 16, "X-DEALER-2"),
    "streak_cap": Number(0, 60, None, "X-DEALER-2", nullable=True),
    "wild_triplet": switch(False, "X-WATER-5"),
    "white_set": Choice(("face", "dragon"), "face", "X-WATER-5"),
    "discard_payers": Choice(("all", "discarder"), "all", "X-PAY-1"),
    "base_rule": Choice(("winner", "dealer_involved"), "winner", "X-PAY-3"),
    "you_bonus": Number(0, 1_000_000, 0, "X-PAY-4"),
    "loser_water": switch(False, "X-PAY-5"),
}

#: Ways to win, the best first among equal payments (X-WIN-9).
WINS = (
    "heavenly_win", "three_golds", "triple_you", "double_you", "you", "heavenly_ready", "self_draw", "discard",
)  # fmt: skip

GOLDS = 3  #: copies of the gold that stay in play

CLAUSES = (
    "X-SHAPE-1", "X-SHAPE-2", "X-GOLD-1", "X-GOLD-2", "X-GOLD-3",
    "X-WIN-1", "X-WIN-2", "X-WIN-3", "X-WIN-4", "X-WIN-5", "X-WIN-6", "X-WIN-7", "X-WIN-8", "X-WIN-9",
    "X-WIN-10", "X-WIN-11", "X-WIN-12", "X-LOCK-1", "X-FOLLOW-1", "X-FOLLOW-2", "X-DRAW-1", "X-DRAW-2",
    "X-DEALER-1", "X-DEALER-2", "X-WATER-1", "X-WATER-2", "X-WATER-3", "X-WATER-4", "X-WATER-5", "X-WATER-6",
    "X-WATER-7", "X-PAY-1", "X-PAY-2", "X-PAY-3", "X-PAY-4", "X-PAY-5", "X-PAY-6",
)  # fmt: skip

NAMES = Names(
    flip="X-GOLD-1", draw="X-DRAW-1", kong_draw="X-DRAW-1", dealer="X-DEALER-1",
    best_way="X-WIN-9", no_winner="X-DRAW-2", balance="X-PAY-6", claims="S-CLAIM-3", gold_claim="X-GOLD-3",
    gold_again="S-GOLD-1", beside="X-DRAW-2", ready="X-WIN-12",
)  # fmt: skip

#: X-WIN-11: 天和 before another seat's 三金倒.
OPENING_ORDER = (
    Right("heavenly_win", True, "X-WIN-11"),
    Right("three_golds", True, "X-WIN-11"),
    Right("three_golds", False, "X-WIN-11"),
)


def build(ruleset: str, options: Options, digest: str) -> Rulebook:
    """The rule book under resolved options."""
    follows = options["follow_honour"] == "seen"
    is_locked = options["you_lock"] == "full"
    is_white = options["white_discard"] == "white"
    return Rulebook(
        id=ruleset,
        version=VERSION,
        options=options,
        digest=digest,
        names=NAMES,
        clauses=CLAUSES,
        wins=WINS,
        players=range(4, 5),
        wall=full_set(),
        hand_size=16,
        dead_wall=options["dead_wall"],
        gold_flips=1,
        gold_step=1,
        claims=frozenset({"chow", "pung", "exposed", "added", "concealed"}),
        discard_rules=(follow_honour("X-FOLLOW-1", "X-FOLLOW-2", options["heavenly_ready"] == "locked"),) * follows,
        claim_bars=(lock_on_claims("X-LOCK-1"),) * is_locked + (no_chow_of_white,) * is_white,
        win_bars=(lock_on_wins("X-LOCK-1"), heavenly_win_first),
        ways=ways,
        settle=settle,
        explain=explained_by_water("X-WATER-6"),
        read=by_water,
        in_you_state=in_you_state,
        is_ready=is_ready,
        level_after=level_after,
        opening_order=OPENING_ORDER,
        next_dealer=next_dealer,
        as_read=as_read,
        strands=strands,
    )


# -- Ways to win -------------------------------------------------------------------------------------------------


def ways(book: Rulebook, facts: Facts) -> tuple[Way, ...] | Violation:
    """X-WIN-1 to X-WIN-8: every way in which the hand wins, or why it wins in none."""
    return _WAYS[facts.by](book, facts)


def _on_discard(book: Rulebook, facts: Facts) -> tuple[Way, ...] | Violation:
    options = book.options
    if facts.tile in facts.layout.golds:
        return Violation("X-GOLD-3", "win_on_gold", {"acts": ["draw"]}, ("S-GOLD-2",))
    if facts.has_thrown_gold:
        return Violation("X-GOLD-3", "discarded_gold", {"win": "self_draw"})
    if not is_complete(facts, options):
        return _no_shape(facts, options)
    if facts.golds >= GOLDS_THAT_BLOCK[options["gold_blocks_discard_win"]]:
        return Violation("X-GOLD-2", "gold_blocks_discard_win", {"golds": facts.golds})
    return (Way("discard", 1, "X-WIN-1"), *_heavenly_ready(options, facts))


def _no_shape(facts: Facts, options: Options) -> Violation:
    if is_white_discard(facts) and options["white_discard"] == "white":
        return Violation("X-SHAPE-1", "not_complete", {"shape": "five sets and a pair"}, ("X-SHAPE-2",))
    return Violation("X-SHAPE-1", "not_complete", {"shape": "five sets and a pair"})


def _on_robbed_kong(book: Rulebook, facts: Facts) -> tuple[Way, ...] | Violation:
    options = book.options
    if not options["rob_kong_k"]:
        return Violation("X-WIN-2", "no_robbing", {"acts": ["pass"]}, ("S-ROB-1",))
    if not is_complete(facts, options):
        return _no_shape(facts, options)
    return (Way("self_draw", options["rob_kong_k"], "X-WIN-2"), *_heavenly_ready(options, facts))


def _on_self_draw(book: Rulebook, facts: Facts) -> tuple[Way, ...] | Violation:
    options = book.options
    found = [*_later_three_golds(options, facts)]
    if is_complete(facts, options):
        found += [Way("self_draw", 2, "X-WIN-2"), *_heavenly_ready(options, facts), *_you(book, facts)]
    return tuple(found) or _no_shape(facts, options)


def _at_opening(book: Rulebook, facts: Facts) -> tuple[Way, ...] | Violation:
    found, options = [], book.options
    if facts.golds == GOLDS and options["three_golds"] != "off":
        is_whole = facts.seat == facts.dealer and is_complete(facts, options)
        found.append(Way("three_golds", 4, "X-WIN-6", options["you_bonus"], is_whole))
    if facts.seat == facts.dealer and is_complete(facts, options):
        found.append(Way("heavenly_win", 4, "X-WIN-8"))
    return tuple(found) or _no_shape(facts, options)


_WAYS: dict[str, Callable[[Rulebook, Facts], tuple[Way, ...] | Violation]] = {
    "discard": _on_discard,
    "rob_kong": _on_robbed_kong,
    "self_draw": _on_self_draw,
    "opening": _at_opening,
}


def _heavenly_ready(options: Options, facts: Facts) -> Iterable[Way]:
    """X-WIN-12: the hand is what it was at the opening and wins now, so it was ready then."""
    if facts.is_untouched and options["heavenly_ready"] == "locked":
        yield Way("heavenly_ready", 4, "X-WIN-7")


def _you(book: Rulebook, facts: Facts) -> Iterable[Way]:
    """X-WIN-3 to X-WIN-5."""
    if not is_out_of_you_state(book, facts):
        return
    factors = {0: 4, 2: 8, 3: book.options["triple_you_k"]}
    clauses = {0: "X-WIN-3", 2: "X-WIN-4", 3: "X-WIN-5"}
    name = LEVEL_NAMES.get(facts.level, "you")
    yield Way(name, factors[facts.level], clauses[facts.level])


def _later_three_golds(options: Options, facts: Facts) -> Iterable[Way]:
    """X-WIN-10: after the opening, at the own draw of the third gold, or with the option at any own draw."""
    if facts.golds != GOLDS or options["three_golds"] != "any_time":
        return
    if facts.tile in facts.layout.golds or options["three_golds_window"] == "any_own_turn":
        yield Way("three_golds", 3, "X-WIN-6", 0, is_complete(facts, options))


# -- What forbids --------------------------------------------------------------------------------------------------


def no_chow_of_white(table: Table, seat: int, act: Act) -> Violation | None:
    """X-SHAPE-2: with ``white_discard`` = ``white`` a discarded stand-in is white, and no run holds it."""
    if act.act != "chow" or act.tile != WHITE or table.layout.faces[WHITE] == WHITE:
        return None
    return Violation("X-SHAPE-2", "discarded_white_is_white", {"acts": ["pung", "pass"]})


def heavenly_win_first(table: Table, seat: int, act: Act) -> Violation | None:
    """X-WIN-11: another seat's opening 三金倒 waits until the dealer has passed 天和, where passes are on record."""
    if not table.opening or seat == table.dealer or not table.records.passes or table.answered >> table.dealer & 1:
        return None
    hand = table.hands[table.dealer]
    facts = Facts(4, table.dealer, table.dealer, 0, table.layout, hand, None, (), 0, None, "opening")
    if not is_complete(facts, table.book.options):
        return None
    return Violation("X-WIN-11", "heavenly_win_first", {"seat": table.dealer, "win": "heavenly_win"})


# -- Payment -------------------------------------------------------------------------------------------------------


def settle(book: Rulebook, facts: Facts, found: tuple[Way, ...]) -> Settlement:
    """X-WIN-9 and X-PAY-1 to X-PAY-6: the way with the largest payment, its water, and who pays."""
    options = book.options
    water: dict[bool, _Water] = {}
    for way in found:
        if way.is_complete not in water:
            water[way.is_complete] = (of_complete if way.is_complete else of_incomplete)(facts, options)
    between = among_losers(options, facts)
    worth = [(way, payments(options, facts, way, water[way.is_complete][0], between)) for way in found]
    way, deltas = worth[0] if len(worth) == 1 else _best(worth, facts.seat)
    amount, lines = water[way.is_complete]
    extra: tuple[Item, ...] = (Item(facts.seat, "X-PAY-4", way.bonus),) if way.bonus else ()
    extra += tuple([Item(seat, "X-PAY-5", net) for seat, net in enumerate(between) if net])
    pays = "X-PAY-1" if facts.by == "discard" else "X-PAY-2"
    return Settlement(way.win, way.clause, way.factor, amount, lines + extra, deltas, pays)


_Water: TypeAlias = tuple[int, tuple[Item, ...]]
_Worth: TypeAlias = tuple[Way, tuple[int, ...]]


def _best(worth: list[_Worth], winner: int) -> _Worth:
    """X-WIN-9: the largest payment, among equals the first of ``WINS``."""
    return max(worth, key=lambda known: (known[1][winner], -WINS.index(known[0].win)))


def payments(options: Options, facts: Facts, way: Way, water: int, between: tuple[int, ...]) -> tuple[int, ...]:
    """X-PAY-1 to X-PAY-4: what each seat gains or pays, beside what ``among_losers`` moves ``between`` the others."""
    winner, factor, bonus = facts.seat, way.factor, way.bonus
    bearer = facts.from_ if facts.by == "discard" and options["discard_payers"] == "discarder" else None
    deltas = [*between]
    for payer in range(facts.players):
        if payer != winner:
            share = (base(options, facts, payer) + water) * factor + bonus
            deltas[payer if bearer is None else bearer] -= share
            deltas[winner] += share
    return tuple(deltas)


def among_losers(options: Options, facts: Facts) -> tuple[int, ...]:
    """X-PAY-5: with ``loser_water`` every two losers settle their difference in water, without multiplier; a single
    hand that is scored alone has no rivals to settle."""
    water = _water_of_losers(options, facts)
    total = sum(water.values())
    return tuple(len(water) * water[seat] - total if seat in water else 0 for seat in range(facts.players))


def _water_of_losers(options: Options, facts: Facts) -> dict[int, int]:
    """The water that each loser settles with the others; empty where none does."""
    if not facts.rivals or not options["loser_water"]:
        return {}
    losers = [seat for seat in range(facts.players) if seat != facts.seat]
    return {seat: _water_of_rival(options, facts, seat) for seat in losers}


def _water_of_rival(options: Options, facts: Facts, seat: int) -> int:
    hand, melds, flowers = facts.rivals[seat]
    rival = facts._replace(seat=seat, hand=hand, melds=melds, flowers=flowers, by="self_draw", tile=None)
    return of_incomplete(rival, options)[0]


def base(options: Options, facts: Facts, payer: int) -> int:
    """X-DEALER-2, X-PAY-3: the base 底 of one payment."""
    is_involved = facts.dealer == payer and options["base_rule"] == "dealer_involved"
    if facts.dealer != facts.seat and not is_involved:
        return int(options["base"])
    cap = options["streak_cap"]
    return int(options["dealer_base"]) << (facts.streak if cap is None else min(facts.streak, cap))


# -- How a payment comes about ---------------------------------------------------------------------------------------


def strands(book: Rulebook, facts: Facts, settlement: Settlement) -> tuple[Strand, ...]:
    """X-PAY-1 to X-PAY-5 step by step: what each other seat's share is made of, then what losers settle."""
    is_discarders = facts.by == "discard" and book.options["discard_payers"] == "discarder"
    others = [seat for seat in range(facts.players) if seat != facts.seat]
    shares = [
        _share(book.options, facts, settlement, payer).strand(
            facts.from_ if is_discarders and facts.from_ is not None else payer, facts.seat, payer
        )
        for payer in others
    ]
    return (*shares, *_between_losers(book.options, facts))


def _share(options: Options, facts: Facts, settlement: Settlement, payer: int) -> Steps:
    """(底 + 水) · k, and the bonus."""
    is_involved = payer == facts.dealer and options["base_rule"] == "dealer_involved"
    steps = Steps().plus("X-PAY-3" if is_involved else "X-DEALER-2", "base", base(options, facts, payer))
    for line in settlement.items:
        if line.code.startswith("X-WATER-"):
            steps.plus(line.code, "water", line.value, tile=line.tile)
    steps.times(settlement.clause or settlement.pays, "factor", settlement.factor, name=settlement.win)
    for line in settlement.items:
        if line.code == "X-PAY-4":
            steps.plus(line.code, "bonus", line.value)
    return steps


def _between_losers(options: Options, facts: Facts) -> Iterable[Strand]:
    """X-PAY-5: the one with less water pays the difference."""
    water = _water_of_losers(options, facts)
    for one, other in combinations(water, 2):
        payer, payee = sorted((one, other), key=water.__getitem__)
        if water[payer] < water[payee]:
            steps = Steps().plus("X-PAY-5", "water_of_payee", water[payee])
            yield steps.plus("X-PAY-5", "water_of_payer", -water[payer]).strand(payer, payee)


def as_read(book: Rulebook, facts: Facts, settlement: Settlement, reading: Reading) -> Settlement | None:
    """X-WATER-6: the water of one reading, and what it would pay."""
    lines = as_read_lines(facts, book.options, reading)
    if lines is None:
        return None
    water = sum([line.value for line in lines])
    bonus = sum([line.value for line in settlement.items if line.code == "X-PAY-4"])
    way = Way(settlement.win or "", settlement.factor, settlement.clause or "", bonus)
    deltas = payments(book.options, facts, way, water, among_losers(book.options, facts))
    others = tuple([line for line in settlement.items if line.code.startswith("X-PAY-")])
    return settlement._replace(water=water, items=(*lines, *others), deltas=deltas)
