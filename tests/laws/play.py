"""Random legal play without a simulator: acts chosen from what the referee offers, on walls that make things happen.

Everything follows from a setup and a number: a stream of ``mingpai-shuffle/1`` under the fixed seed ``seeds.LAWS``
gives the options, the walls and the choices. Passes are on record in games with an odd number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from replays.clauses.you import after_discard
from replays.events import Act, Records
from replays.referee import RANKS, offers, opening_wins, why_not_win
from replays.shuffle import Stream
from replays.table import BETWEEN, CLAIMS, DRY, KONG, OVER, TURN, Table
from replays.tiles import FIRST_HONOUR, KINDS, Tile
from tests import seeds
from tests.laws.setups import Setup, random_options
from tests.laws.walls import stacked_wall, throws
from tests.rules.games import Game

HANDS = 2


class Played(NamedTuple):
    """A game, and the table and what was left of the wall after each of its events."""

    setup: Setup
    number: int
    events: tuple[Any, ...]
    tables: tuple[Table, ...]
    walls: tuple[tuple[Tile, ...], ...]

    @property
    def name(self) -> str:
        """What it takes to play the game again."""
        return f"game {self.number} of {self.setup.name}, seed {seeds.LAWS}"

    @property
    def players(self) -> int:
        return self.setup.players

    def stream(self, label: str) -> Stream:
        """A stream of the game's own for what is tried on it."""
        return stream(self.setup, self.number, label)


def stream(setup: Setup, number: int, label: str = "play") -> Stream:
    key = seeds.LAWS.to_bytes(8, "big") + number.to_bytes(8, "big")
    return Stream(key, f"{label} {setup.name}", b"")


@lru_cache(maxsize=512)
def random_game(setup: Setup, number: int, is_plain: bool = False) -> Played:
    """A whole game of legal play, right in everything; a plain one leaves all options to the setup and the defaults."""
    source, n = stream(setup, number), setup.players
    options = random_options(source, setup)
    game = Recorded(
        dict(setup.shape) if is_plain else options,
        ruleset=setup.ruleset,
        players=n,
        records=Records(passes=bool(number % 2), wall=True, prompts=bool(source.uniform(2))),
        first_dealer=source.uniform(n),
        scores=[source.uniform(200) - 100 for _ in range(n)],
        game=f"r{number}",
    )
    for _ in range(HANDS):
        play_hand(game, source)
    game.end()
    return Played(setup, number, tuple(game.events), tuple(game.tables), tuple(game.walls))


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
    wall, golds = stacked_wall(source, table.book, len(table.seats), table.dealer)
    dice = (source.uniform(6) + 1, source.uniform(6) + 1)
    game.open(wall, dice=None, break_dice=dice if source.uniform(2) else None)
    for _ in range(table.book.gold_flips):
        game.flip(*throws(source, game.table, game.wall, golds))
    is_voided = not source.uniform(12)
    steps = 0
    if not win_at_opening(game, source):
        while game.table.phase not in (OVER, BETWEEN):
            steps += 1
            if is_voided and steps == 20:
                game.emit("voided", reason="random")
                return
            play_step(game, source)
    settle(game, source)


def settle(game: Recorded, source: Stream) -> None:
    """The end of a hand, with or without the lines of its settlement."""
    outcome = game.table.outcome
    lines = outcome.settlement.items if outcome and outcome.settlement else ()
    more: dict[str, Any] = {"items": lines} if lines and source.uniform(2) else {}
    game.settle(**more)
    game.reveal()
    game.end_hand()


# -- At the opening --------------------------------------------------------------------------------------------------


def win_at_opening(game: Recorded, source: Stream) -> bool:
    """Whether anybody wins on the dealt hand. Everybody who may is asked in the order of the rights; who passes says
    so, where passes are on record, and may have another right then."""
    passed: set[tuple[int, int]] = set()
    while True:
        asked = next((win for win in opening_wins(game.table) if (win.seat, win.place) not in passed), None)
        if asked is None:
            return False
        if not source.uniform(4):
            _win_at_opening(game, asked.seat, asked.act, source)
            return True
        passed.add((asked.seat, asked.place))
        if game.table.records.passes:
            game.emit("passed", seat=asked.seat, options=(asked.act,), on=game.seq)


def _win_at_opening(game: Recorded, seat: int, act: Act, source: Stream) -> None:
    """A win by a right of the opening, sometimes with the tile that it takes away."""
    table = game.table
    taken = [tile for tile in range(KINDS) if why_not_win(table, seat, act, tile) is None]
    is_named = 0 < len(taken) < KINDS and source.uniform(2)
    out = {"tile_out": taken[source.uniform(len(taken))]} if is_named else {}
    game.emit("won", seat=seat, win=act.win, **out)


# -- In play ---------------------------------------------------------------------------------------------------------


def play_step(game: Recorded, source: Stream) -> None:
    """What happens next: a claim or win that is chosen, else the draw, the discard or the end."""
    table = game.table
    if table.phase == DRY:
        game.exhaust()
        return
    legal = offers(table)
    _prompt(game, legal, source)
    if table.phase == TURN:
        own_turn(game, legal[table.turn], source)
        return
    wanted = [_without_rights(acts, source) for acts in legal]
    chosen = {seat: choose(table, seat, acts, source) for seat, acts in enumerate(wanted) if acts}
    claims = {seat: act for seat, act in chosen.items() if act.act in RANKS}
    if claims:
        _best_claim(game, claims, source)
    elif table.phase in (CLAIMS, KONG) and table.left > table.book.dead_wall:
        game.draw()
    else:
        game.exhaust()


def _without_rights(acts: Sequence[Act], source: Stream) -> Sequence[Act]:
    """A right of the opening that outlives the first discard is mostly let go, so that play goes on."""
    return [act for act in acts if act.act != "win" or act.tile is not None] if source.uniform(4) else acts


def _prompt(game: Recorded, legal: Sequence[Sequence[Act]], source: Stream) -> None:
    if game.table.records.prompts and not source.uniform(8):
        seat = source.uniform(len(legal))
        if legal[seat]:
            game.emit("turn_prompted", seat=seat, options=tuple(legal[seat]))


def own_turn(game: Recorded, acts: Sequence[Act], source: Stream) -> None:
    """The act of the seat on turn; at the opening its wins were asked for before."""
    table = game.table
    if table.opening:
        acts = [act for act in acts if act.act != "win"]
    act = choose(table, table.turn, acts, source)
    if act.act == "discard" and not source.uniform(10):
        game.emit("presence_changed", seat=source.uniform(len(table.seats)), state="left")
    game.act(table.turn, act)


def choose(table: Table, seat: int, acts: Sequence[Act], source: Stream) -> Act:
    """One of the acts. A gold that makes 雙游 or 三游 goes first, then what hardly ever comes up; otherwise by name, so
    that many discards do not drown a claim."""
    upgrades = [act for act in acts if _is_upgrade(table, seat, act)]
    if upgrades and source.uniform(4):
        return upgrades[0]
    names = list(dict.fromkeys(act.act for act in acts))
    favourite = next((name for name in _FAVOURITES if name in names and source.uniform(2)), None)
    name = favourite or names[source.uniform(len(names))]
    some: Sequence[Act] = [act for act in acts if act.act == name]
    if name == "discard":
        some = _wise_discards(table, seat, some, source)
    return some[source.uniform(len(some))]


#: Acts that are chosen half of the time, each before those after it.
_FAVOURITES = ("declare", "win", "kong", "pung", "discard")


def _wise_discards(table: Table, seat: int, acts: Sequence[Act], source: Stream) -> Sequence[Act]:
    """The discards that are thought of: now and then all, now and then the gold just drawn, mostly what fits least."""
    gold = [act for act in acts if act.tile == table.drawn and act.tile in table.golds]
    if gold and source.uniform(2):
        return gold
    if not source.uniform(8):
        return acts
    hand = table.concealed(seat)
    fits = [_fit(act.tile, hand, table.golds) for act in acts]
    return [act for act, fit in zip(acts, fits, strict=True) if fit == min(fits)]


def _is_upgrade(table: Table, seat: int, act: Act) -> bool:
    """Whether a discard raises the seat's level."""
    if act.act != "discard" or act.tile is None or act.tile not in table.golds:
        return False
    after = after_discard(table, seat, act.tile)
    return table.book.level_after(table, seat, act.tile, after) > table.levels[seat]


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
