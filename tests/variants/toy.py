"""Pebble: a third rule set, made up and small. It shows that a rule set is one file; ``docs/new-ruleset.md`` walks
through it.

- P-SHAPE-1: two or three play with ten tiles each, the dealer eleven; a win is three sets and a pair.
- P-FLIP-1: one gold is flipped, counted in single tiles.
- P-CLAIM-1: the only claim is pung; nobody wins on a discard.
- P-WIN-1: a self-draw is worth 1. P-WIN-2: out of you state (S-YOU-2) it is worth ``you_v``; there is no 雙游.
- P-WIN-3: only the better way counts.
- P-FIRST-1: the kind of the hand's first discard cannot be punged (option ``first_kind``: ``closed``, ``open``).
- P-FIRST-2: whoever discards that kind later pays ``echo`` to the player who did first, at the end of the hand.
- P-PAY-1: each other player pays what the win is worth. P-PAY-2: payments add up to zero.
- P-DRAW-1: the wall is drawn out; then nobody wins. P-DEALER-1: a dealer who wins, or a hand without winner, keeps the
  deal; otherwise the next seat deals.
"""

from __future__ import annotations

from typing import Any

from replays.clauses.ending import next_dealer_without_streak
from replays.clauses.wins import is_complete, is_out_of_you_state
from replays.events import Act, Discarded, Item
from replays.hands import Hand, Reading, in_you_state, is_ready, readings
from replays.rulebook import (
    Choice,
    Facts,
    Memory,
    Names,
    Number,
    Option,
    Options,
    Rulebook,
    Settlement,
    Violation,
    Way,
    recall,
)
from replays.settle import paid_with
from replays.table import NOTHING, Table
from replays.tiles import Tile, full_set
from replays.variants import Variant

ID, VERSION = "pebble", "1"

OPTIONS: dict[str, Option] = {
    # The engine asks these four of every rule set.
    "gold_flower": Choice(("rethrow", "next"), "rethrow", "S-GOLD-1"),
    "fifth_copy": Choice((True, False), True, "S-GOLD-3"),
    "concealed_kong_shown": Choice((True, False), True, "S-VIEW-1"),
    "you_declared": Choice((True, False), False, "S-YOU-2"),
    # These are its own.
    "first_kind": Choice(("closed", "open"), "closed", "P-FIRST-1"),
    "echo": Number(0, 9, 1, "P-FIRST-2"),
    "you_v": Number(1, 9, 2, "P-WIN-2"),
    "dead_wall": Number(0, 40, 0, "P-DRAW-1"),
}

#: Ways to win, the better one first.
WINS = ("you", "self_draw")

CLAUSES = (
    "P-SHAPE-1", "P-FLIP-1", "P-CLAIM-1", "P-WIN-1", "P-WIN-2", "P-WIN-3", "P-FIRST-1", "P-FIRST-2", "P-PAY-1",
    "P-PAY-2", "P-DRAW-1", "P-DEALER-1",
)  # fmt: skip

NAMES = Names(
    flip="P-FLIP-1", draw="P-DRAW-1", kong_draw="P-CLAIM-1", dealer="P-DEALER-1",
    best_way="P-WIN-3", no_winner="P-DRAW-1", balance="P-PAY-2", claims="P-CLAIM-1", gold_claim="S-GOLD-2",
    gold_again="S-GOLD-1", beside="P-PAY-1", ready="P-SHAPE-1",
)  # fmt: skip


def build(ruleset: str, options: Options, digest: str) -> Rulebook:
    """The rule book under resolved options."""
    return Rulebook(
        id=ruleset,
        version=VERSION,
        options=options,
        digest=digest,
        names=NAMES,
        clauses=CLAUSES,
        wins=WINS,
        players=range(2, 4),
        wall=full_set(),
        hand_size=10,
        dead_wall=options["dead_wall"],
        gold_flips=1,
        gold_step=1,
        claims=frozenset({"pung"}),
        discard_rules=(),
        claim_bars=(first_kind_is_closed,) * (options["first_kind"] == "closed"),
        win_bars=(),
        ways=ways,
        settle=settle,
        explain=explain,
        read=read,
        in_you_state=in_you_state,
        is_ready=is_ready,
        level_after=no_level,
        opening_order=(),
        next_dealer=next_dealer_without_streak,
        memories=(FIRST,),
        beside=beside,
    )


# -- Ways to win -------------------------------------------------------------------------------------------------


def ways(book: Rulebook, facts: Facts) -> tuple[Way, ...] | Violation:
    """P-WIN-1, P-WIN-2: only a draw wins."""
    if facts.by == "discard":
        return Violation("P-CLAIM-1", "no_discard_win", {"acts": ["pass"]})
    if facts.by != "self_draw" or not is_complete(facts, book.options):
        return Violation("P-SHAPE-1", "not_complete", {"shape": "three sets and a pair"})
    plain = Way("self_draw", 1, "P-WIN-1")
    if not is_out_of_you_state(book, facts):
        return (plain,)
    return (Way("you", book.options["you_v"], "P-WIN-2"), plain)


def settle(book: Rulebook, facts: Facts, found: tuple[Way, ...]) -> Settlement:
    """P-WIN-3, P-PAY-1."""
    way = max(found, key=lambda known: (known.factor, -WINS.index(known.win)))
    deltas = [-way.factor] * facts.players
    deltas[facts.seat] = way.factor * (facts.players - 1)
    lines = tuple(Item(seat, "P-PAY-1", delta) for seat, delta in enumerate(deltas))
    return Settlement(way.win, way.clause, way.factor, 0, lines, tuple(deltas), "P-PAY-1")


def read(book: Rulebook, facts: Facts) -> list[Reading]:
    """Every reading of a hand that wins; none is better than another."""
    return readings(facts.hand, facts.layout) if isinstance(ways(book, facts), tuple) else []


def no_level(table: Table, seat: int, tile: Tile, after: Hand) -> int:
    """No discard makes 雙游 here."""
    return 0


# -- The first discard -------------------------------------------------------------------------------------------


def _after_discard(table: Table, event: Discarded, after: Table, value: Any) -> Any:
    kind, first, echoes = value
    if kind == NOTHING:
        return event.tile, event.seat, ()
    return (kind, first, (*echoes, event.seat)) if event.tile == kind else value


#: The kind of the hand's first discard, who discarded it, and who has done so since.
FIRST = Memory((NOTHING, NOTHING, ()), {Discarded: _after_discard})


def first_kind_is_closed(table: Table, seat: int, act: Act) -> Violation | None:
    """P-FIRST-1."""
    kind, _, _ = recall(table, FIRST)
    return Violation("P-FIRST-1", "no_such_claim", {"acts": ["pass"]}) if act.tile == kind else None


def beside(table: Table) -> tuple[Item, ...]:
    """P-FIRST-2: net lines, whether the hand is won or not."""
    _, first, echoes = recall(table, FIRST)
    paid = [0] * len(table.seats)
    for seat in echoes:
        paid[seat] -= table.book.options["echo"]
        paid[first] += table.book.options["echo"]
    return tuple(Item(seat, "P-FIRST-2", delta) for seat, delta in enumerate(paid) if delta)


def explain(table: Table, settlement: Settlement, deltas: tuple[int, ...]) -> Violation | None:
    """P-FIRST-2: whether the payments on record are right but for the echoes, which were forgotten."""
    forgotten = [line._replace(value=-line.value) for line in beside(table)]
    return Violation("P-FIRST-2", "wrong_payment") if paid_with(settlement.deltas, forgotten) == deltas else None


VARIANT = Variant(VERSION, OPTIONS, build)
