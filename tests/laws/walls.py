"""Walls on which things happen. A plan deals some seats what leads somewhere (a wait for a tile that another will add
to a pung, the lone-gold wait with more golds to come); everybody else gets sets or pairs, and what is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from replays.rulebook import Rulebook
from replays.shuffle import Stream
from replays.table import Table
from replays.tiles import FIRST_HONOUR, KINDS, Tile, is_flower, is_honour
from tests.rules.games import deal_order

#: How many tail tiles are kept free of flowers, so that the places of the flips are known.
_TAIL = 40
_PER_SUIT = 9


class Stack:
    """A wall in the making: what each seat is dealt, the first draws, the golds to be flipped, and the other tiles."""

    def __init__(self, source: Stream, book: Rulebook, players: int, dealer: int) -> None:
        self.source, self.book = source, book
        self.players, self.dealer = players, dealer
        self.pool = list(source.shuffled(book.wall))
        self.dealt: dict[int, list[Tile]] = {}
        self.draws: dict[int, Tile] = {}
        self.golds: list[Tile] = []

    def size(self, seat: int) -> int:
        return self.book.hand_size + (seat == self.dealer)

    def seat(self, after_dealer: int) -> int:
        return (self.dealer + after_dealer) % self.players

    def take(self, part: Sequence[Tile]) -> list[Tile]:
        """The tiles out of the pool if all are there, else none of them."""
        if any(self.pool.count(tile) < part.count(tile) for tile in part):
            return []
        for tile in part:
            self.pool.remove(tile)
        return list(part)

    def any_kind(self, kinds: Sequence[Tile], copies: int = 1) -> Tile:
        """One of the kinds of which so many copies are left."""
        some = [kind for kind in kinds if self.pool.count(kind) >= copies]
        return some[self.source.uniform(len(some))]

    # -- Parts of hands

    def sets(self, number: int) -> list[Tile]:
        """So many triplets and runs."""
        found: list[Tile] = []
        while len(found) < 3 * number:
            kind = self.source.uniform(KINDS)
            is_run = kind < FIRST_HONOUR and kind % _PER_SUIT < 7 and self.source.uniform(2)
            found += self.take([kind, kind + 1, kind + 2] if is_run else [kind] * 3)
        return found

    def pairs(self, number: int) -> list[Tile]:
        """At most so many pairs."""
        return [tile for _ in range(number) for tile in self.take([self.source.uniform(KINDS)] * 2)]

    def orphans(self, size: int) -> list[Tile]:
        """One of each terminal and honour there is, at most ``size`` tiles."""
        orphans = [kind for kind in range(KINDS) if is_honour(kind) or kind % _PER_SUIT in (0, _PER_SUIT - 1)]
        return self.take([kind for kind in orphans if kind in self.pool][:size])

    # -- The wall

    def finished(self) -> list[Tile]:
        """The wall: every seat's hand filled up, the draws and the flips in their places."""
        for seat in range(self.players):
            if seat not in self.dealt:
                self.dealt[seat] = self._hand(seat)
            hand = self.dealt[seat]
            hand += [self.pool.pop() for _ in range(self.size(seat) - len(hand))]
        flowers = sum(map(is_flower, [tile for hand in self.dealt.values() for tile in hand]))
        for place, tile in sorted(self.draws.items()):
            self.pool.insert(place, tile)
        self._put_flips(flowers)
        return [*deal_order(self.dealt, self.dealer, self.players, self.book.hand_size), *self.pool]

    def _hand(self, seat: int) -> list[Tile]:
        """Mostly sets and a pair, now and then pairs."""
        size = self.size(seat)
        if not self.source.uniform(12):
            return self.pairs(size // 2)
        sets = self.sets(min(self.source.uniform(7), size // 3))
        return sets + (self.pairs(1) if size - len(sets) > 1 and self.source.uniform(2) else [])

    def _put_flips(self, flowers: int) -> None:
        """The golds come where the dice may count to, once ``flowers`` have been replaced from the tail."""
        early = [tile for tile in self.pool[-_TAIL:] if is_flower(tile)]
        self.pool[-_TAIL:] = [tile for tile in self.pool[-_TAIL:] if not is_flower(tile)]
        middle = len(self.pool) // 2
        self.pool[middle:middle] = early
        for gold in reversed(self.golds):  # each place is counted without what the flips before it took
            place = flowers + self.book.gold_step * (self.source.uniform(11) + 2)
            self.pool.insert(len(self.pool) + 1 - place, gold)


def stacked_wall(source: Stream, book: Rulebook, players: int, dealer: int) -> tuple[list[Tile], list[Tile]]:
    """A wall by one of the plans, and the kinds that shall be golds, if it cares."""
    stack = Stack(source, book, players, dealer)
    _PLANS[source.uniform(len(_PLANS))](stack)
    return stack.finished(), stack.golds


# -- Plans ---------------------------------------------------------------------------------------------------------


def _plan_nothing(stack: Stack) -> None:
    """Hands that are on their way, and no more."""


def _plan_golds(stack: Stack) -> None:
    """Golds for half of the seats; those that are left come to one seat, draw after draw."""
    _choose_golds(stack)
    for seat in range(stack.players):
        if stack.source.uniform(2):
            wanted = [gold for gold in stack.golds for _ in range((1, 1, 2, 3)[stack.source.uniform(4)])]
            golds = [tile for gold in wanted for tile in stack.take([gold])]
            rest = stack.size(seat) - len(golds)
            stack.dealt[seat] = golds + stack.sets(min(stack.source.uniform(5), rest // 3))
    _draw_golds(stack, stack.source.uniform(stack.players))


def _plan_you(stack: Stack) -> None:
    """A seat whose hand is sets and a lone gold, and golds to come; the others have pairs to pung each other's discards
    with."""
    _choose_golds(stack)
    seat = stack.seat(stack.source.uniform(stack.players))
    golds = stack.take([stack.golds[0]])
    others = [other for other in range(stack.players) if other != seat]
    for other in others:
        stack.dealt[other] = []
    for place in range(3):
        kind = stack.any_kind(range(FIRST_HONOUR, KINDS), 3)
        stack.dealt[others[place % len(others)]] += stack.take([kind] * 2)
        stack.dealt[others[(place + 1) % len(others)]] += stack.take([kind] * (len(others) > 1))
    stack.dealt[seat] = golds + stack.sets((stack.book.hand_size - 1) // 3)
    for other in others:
        stack.dealt[other] += stack.sets(stack.book.hand_size // 3 - 2)
    _draw_golds(stack, (seat - stack.dealer - 1) % stack.players)


def _plan_robbing(stack: Stack) -> None:
    """The dealer has a tile that fits nowhere, another seat two of its kind and the fourth to come, a third waits for
    it."""
    middle = [kind for kind in range(FIRST_HONOUR) if 0 < kind % _PER_SUIT < _PER_SUIT - 1]
    kind = stack.any_kind(middle)
    seats = [stack.seat(step) for step in range(stack.players)]
    konger = seats[-1]
    stack.take([kind] * 4)
    stack.draws[stack.players - 1] = kind  # what the konger draws after its pung
    stack.dealt[konger] = [kind] * 2
    if konger != seats[1]:
        waiting = stack.take([kind - 1, kind + 1])
        stack.dealt[seats[1]] = waiting + stack.sets((stack.book.hand_size - 4) // 3)
        stack.dealt[seats[1]] += stack.pairs(1)
    stack.dealt[stack.dealer] = [kind, *stack.sets((stack.book.hand_size - 4) // 3), *stack.pairs(2)]


def _plan_waiting(stack: Stack) -> None:
    """Everybody is nearly there, and nobody has golds."""
    for seat in range(stack.players):
        stack.dealt[seat] = stack.sets(stack.book.hand_size // 3 - 1) + stack.pairs(1)


def _plan_orphans(stack: Stack) -> None:
    """A seat with every orphan there is, and one of them again to come."""
    place = stack.source.uniform(stack.players)
    orphans = stack.orphans(stack.book.hand_size)
    stack.dealt[stack.seat(place + 1)] = orphans
    stack.draws[place] = stack.take([stack.any_kind(orphans)])[0]


_PLANS: tuple[Callable[[Stack], None], ...] = (
    _plan_nothing, _plan_golds, _plan_golds, _plan_you, _plan_you, _plan_robbing, _plan_robbing, _plan_waiting,
    _plan_orphans,
)  # fmt: skip


def _choose_golds(stack: Stack) -> None:
    """The kinds that shall be golds; one copy of each is kept for the flip."""
    for _ in range(stack.book.gold_flips):
        kinds = [kind for kind in range(KINDS) if kind not in stack.golds]
        stack.golds += stack.take([stack.any_kind(kinds)])


def _draw_golds(stack: Stack, place: int) -> None:
    """The golds that nobody was dealt come to the seat that makes the draw at ``place``, draw after draw."""
    for gold in stack.golds:
        for _ in range(stack.pool.count(gold)):
            stack.pool.remove(gold)
            stack.draws[place] = gold
            place += stack.players


# -- Dice ----------------------------------------------------------------------------------------------------------


def throws(source: Stream, table: Table, wall: Sequence[Tile], wanted: Sequence[Tile]) -> list[tuple[int, int]]:
    """Gold dice until they turn up a playing tile that is not gold yet; one throw with the option ``next``. Most of
    them are loaded."""
    made, left = list[tuple[int, int]](), list(wall)
    while True:
        dice = (source.uniform(6) + 1, source.uniform(6) + 1)
        made.append(_loaded(table, left, wanted) if source.uniform(8) else dice)
        flipped = left.pop(-sum(made[-1]) * table.book.gold_step)
        is_gold = not is_flower(flipped) and flipped not in table.golds
        if is_gold or table.book.options["gold_flower"] == "next":
            return made


def _loaded(table: Table, wall: Sequence[Tile], wanted: Sequence[Tile]) -> tuple[int, int]:
    """The dice that flip a wanted kind, or else the kind of which one seat holds the most."""
    hands = [table.concealed(seat) for seat in range(len(table.seats))]
    step = table.book.gold_step

    def worth(total: int) -> int:
        flipped = wall[-total * step]
        if flipped in table.golds:
            return -1
        return 4 if flipped in wanted else max(hand.count(flipped) for hand in hands)

    best = max(range(2, 13), key=worth)
    return best // 2, best - best // 2
