"""Random legal play without a simulator: acts chosen from what the referee offers, on walls that make things happen.

Everything follows from a number: the stream of ``mingpai-shuffle/1`` gives the options, the walls and the choices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from replays.events import Act, Records
from replays.referee import RANKS, offers
from replays.rulebook import Choice
from replays.shuffle import Stream
from replays.table import BETWEEN, CLAIMS, DRY, KONG, OVER, TURN, Table
from replays.tiles import FIRST_HONOUR, KINDS, Tile, is_flower
from replays.variants import REGISTRY
from tests.rules.games import Game, deal_order

RULESET = "xiamen"
PASS = Act("pass")

#: Numbers that an option may take in random play, the edges among them.
NUMBERS: Mapping[str, tuple[int | None, ...]] = {
    "rob_kong_k": (0, 1, 2, 99),
    "triple_you_k": (1, 12, 16, 99),
    "dead_wall": (0, 1, 16, 40),
    "base": (0, 8, 1_000_000),
    "dealer_base": (0, 16, 1_000_000),
    "streak_cap": (None, 0, 1, 60),
    "you_bonus": (0, 25, 1_000_000),
}


class Played(NamedTuple):
    """A game, and the table and what was left of the wall after each of its events."""

    events: tuple[Any, ...]
    tables: tuple[Table, ...]
    walls: tuple[tuple[Tile, ...], ...]


def stream(number: int, label: str = "play") -> Stream:
    return Stream(number.to_bytes(16, "big"), label, b"")


def random_options(source: Stream, ruleset: str = RULESET) -> dict[str, Any]:
    """About half of the options at a random value, the others left to their defaults."""
    chosen: dict[str, Any] = {}
    for name, option in REGISTRY[ruleset].options.items():
        values = option.values if isinstance(option, Choice) else NUMBERS.get(name, (option.default,))
        if source.uniform(2):
            chosen[name] = values[source.uniform(len(values))]
    return chosen


def shuffled(tiles: Sequence[Tile], source: Stream) -> list[Tile]:
    some = list(tiles)
    for i in range(len(some) - 1, 0, -1):
        j = source.uniform(i + 1)
        some[i], some[j] = some[j], some[i]
    return some


def stacked_wall(source: Stream, wall: Sequence[Tile], players: int, size: int, dealer: int) -> list[Tile]:
    """A wall whose deal gives each seat up to four whole sets, so that hands come to something."""
    pool = shuffled(wall, source)
    dealt: dict[int, list[Tile]] = {}
    for seat in range(players):
        hand: list[Tile] = []
        for _ in range(source.uniform(6)):
            part = _random_set(source, pool)
            if len(hand) + 3 <= size and part is not None:
                hand += part
                for tile in part:
                    pool.remove(tile)
        dealt[seat] = hand
    for seat in range(players):
        while len(dealt[seat]) < size + (seat == dealer):
            dealt[seat].append(pool.pop())
    return [*deal_order(dealt, dealer, players, size), *pool]


def _random_set(source: Stream, pool: Sequence[Tile]) -> list[Tile] | None:
    """A triplet or a run, if the pool has it."""
    kind = source.uniform(KINDS)
    is_run = kind < FIRST_HONOUR and kind % 9 < 7 and source.uniform(2)
    part = [kind, kind + 1, kind + 2] if is_run else [kind] * 3
    return part if all(pool.count(tile) >= part.count(tile) for tile in part) else None


@lru_cache(maxsize=512)
def random_game(number: int, *, passes: bool = False, hands: int = 2, with_options: bool = True) -> Played:
    """A whole game of legal play, right in everything."""
    source = stream(number)
    options = random_options(source) if with_options else {}
    records = Records(passes=passes, wall=True, prompts=bool(source.uniform(2)))
    scores = [source.uniform(200) - 100 for _ in range(4)]
    game = Recorded(options, records=records, first_dealer=source.uniform(4), scores=scores, game=f"r{number}")
    for _ in range(hands):
        play_hand(game, source)
    game.end()
    return Played(tuple(game.events), tuple(game.tables), tuple(game.walls))


class Recorded(Game):
    """A game that remembers every table and wall on its way."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.tables = [self.table]
        self.walls: list[tuple[Tile, ...]] = [()]

    def emit(self, kind: str, /, **given: Any) -> Recorded:
        super().emit(kind, **given)
        self.tables.append(self.table)
        self.walls.append(tuple(self.wall))
        return self


def play_hand(game: Recorded, source: Stream) -> None:
    """One hand: opening, play until it ends, and its end; now and then it is voided instead."""
    table = game.table
    book, n = table.book, len(table.seats)
    wall = stacked_wall(source, book.wall, n, book.hand_size, table.dealer)
    dice = (source.uniform(6) + 1, source.uniform(6) + 1)
    game.open(wall, dice=None, break_dice=dice if source.uniform(2) else None)
    game.flip(*_throws(game, source))
    is_voided = not source.uniform(12)
    steps = 0
    while game.table.phase not in (OVER, BETWEEN):
        steps += 1
        if is_voided and steps == 20:
            game.emit("voided", reason="random")
            return
        play_step(game, source)
    game.close(reveal=True)


def _throws(game: Game, source: Stream) -> list[tuple[int, int]]:
    """Gold dice until they turn up a playing tile; one throw with the option ``next``. Half of them are loaded, so that
    somebody has golds in hand."""
    throws, wall = [], list(game.wall)
    while True:
        dice = (source.uniform(6) + 1, source.uniform(6) + 1)
        throws.append(_loaded(game.table, wall) if source.uniform(2) else dice)
        flipped = wall.pop(-sum(throws[-1]))
        if game.table.book.options["gold_flower"] == "next" or not is_flower(flipped):
            return throws


def _loaded(table: Table, wall: Sequence[Tile]) -> tuple[int, int]:
    """The dice that flip the kind of which one seat holds the most."""
    hands = [table.concealed(seat) for seat in range(len(table.seats))]
    best = max(range(2, 13), key=lambda place: max(hand.count(wall[-place]) for hand in hands))
    return best // 2, best - best // 2


def play_step(game: Recorded, source: Stream) -> None:
    """What happens next: a claim or win that is chosen, else the draw, the discard or the end."""
    table = game.table
    if table.phase == DRY:
        game.exhaust()
        return
    legal = offers(table)
    _prompt(game, legal, source)
    chosen = {seat: choose(table, seat, legal[seat], source) for seat in range(len(legal)) if legal[seat]}
    claims = {seat: act for seat, act in chosen.items() if act.act in RANKS and seat != table.turn}
    if claims:
        _best_claim(game, claims, source)
    elif table.phase == TURN:
        own_turn(game, chosen[table.turn], source)
    elif table.phase in (CLAIMS, KONG) and table.left > table.book.dead_wall:
        game.draw()
    else:
        game.exhaust()


def _prompt(game: Recorded, legal: Sequence[Sequence[Act]], source: Stream) -> None:
    if game.table.records.prompts and not source.uniform(8):
        seat = source.uniform(len(legal))
        if legal[seat]:
            game.emit("turn_prompted", seat=seat, options=tuple(legal[seat]))


def choose(table: Table, seat: int, acts: Sequence[Act], source: Stream) -> Act:
    """One of the acts, by name first, so that many discards do not drown a win; discards mostly let go what fits least,
    so that hands come to something."""
    names = list(dict.fromkeys(act.act for act in acts))
    if "win" in names and source.uniform(3):
        names = ["win"]
    elif len(names) > 1 and "discard" in names and source.uniform(2):
        names = ["discard"]
    name = names[source.uniform(len(names))]
    some = [act for act in acts if act.act == name]
    gold = [act for act in some if name == "discard" and act.tile == table.drawn and act.tile in table.golds]
    if gold and source.uniform(2):
        return gold[0]
    if name == "discard" and source.uniform(8):
        hand = table.concealed(seat)
        fits = [_fit(act.tile, hand, table.golds) for act in some]
        some = [act for act, fit in zip(some, fits, strict=True) if fit == min(fits)]
    return some[source.uniform(len(some))]


def _fit(tile: Tile | None, hand: Sequence[Tile], golds: Sequence[Tile]) -> int:
    """How well a tile goes with the rest of the hand."""
    if tile is None or tile in golds:
        return 9
    near = [other for other in hand if other // 9 == tile // 9 and abs(other - tile) < 3]
    return 2 * hand.count(tile) + (0 if tile >= FIRST_HONOUR else len(set(near)))


def _best_claim(game: Recorded, claims: Mapping[int, Act], source: Stream) -> None:
    """The best of the claims made; who lost is overridden, where passes are on record or by chance."""
    table = game.table
    order = [seat for seat in table.others(table.turn) if seat in claims]
    best = max(order, key=lambda seat: RANKS[claims[seat].act])
    for seat in order:
        if seat != best and (table.records.passes or source.uniform(2)):
            game.emit("claim_overridden", seat=seat, claim=claims[seat], by=best)
    game.act(best, claims[best])


def own_turn(game: Recorded, act: Act, source: Stream) -> None:
    """The act of the seat on turn; an opening right of another seat is passed before it by ``Game.act``."""
    if act.act == "discard" and not source.uniform(10):
        game.emit("presence_changed", seat=source.uniform(4), state="left")
    game.act(game.table.turn, act)
