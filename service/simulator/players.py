"""Simple players: each takes what it is offered at its temperament's rates, and otherwise plays to win."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from replays import events as ev
from replays.clauses.claims import holds
from replays.clauses.you import LEVEL_NAMES
from replays.events import Act
from replays.hands import GOLDS, without
from replays.reducer import apply
from replays.referee import PASS
from replays.shuffle import Stream
from replays.table import KONG, Table
from service.simulator.measure import after_claim, best_discard, has_seven_pairs, measure
from service.simulator.play import Answer
from service.simulator.seeds import Seeds
from service.simulator.temperaments import TEMPERAMENTS, Temperament

ROSTER = 20  #: people who play in a run; four of them (or fewer) at each table
TIME_LIMIT = 15_000  #: milliseconds after which a claim is passed for a player

#: Wins first, then what ends a wait, then claims: the order in which a player thinks about offers.
_ORDER = ("win", "declare", "kong", "pung", "chow")


class Profile(NamedTuple):
    """Somebody on the roster: the id in the log, and how they play."""

    player: str
    temperament: Temperament


def roster() -> tuple[Profile, ...]:
    """Everybody who plays in a run; the temperaments take turns."""
    return tuple(
        Profile(f"player-{number + 1:02d}", TEMPERAMENTS[number % len(TEMPERAMENTS)]) for number in range(ROSTER)
    )


def seated(seeds: Seeds, seats: int) -> tuple[Profile, ...]:
    """Who sits at a game's table."""
    everybody = roster()
    order = seeds.stream("seats").shuffled(range(len(everybody)))
    return tuple(everybody[number] for number in order[:seats])


class TemperedPlayer:
    """A ``Player`` whose choices come from a temperament and a stream."""

    def __init__(self, temperament: Temperament, stream: Stream) -> None:
        self.temperament = temperament
        self.stream = stream

    # -- One's own turn ----------------------------------------------------------------------------------------------

    def decide(self, table: Table, seat: int, acts: Sequence[Act]) -> Answer:
        return Answer(self._decide(table, seat, acts), self._think())

    def _decide(self, table: Table, seat: int, acts: Sequence[Act]) -> Act:
        discards = {act.tile: act for act in acts if act.act == "discard" and act.tile is not None}
        upgrade = self._upgrade(table, seat, discards)
        if upgrade is not None:
            return upgrade
        chosen = self._first_taken(table, seat, [act for act in acts if act.act != "discard"])
        return chosen if chosen is not None else self._discard(table, seat, discards)

    def _upgrade(self, table: Table, seat: int, discards: dict[int, Act]) -> Act | None:
        """The gold discard that makes 雙游 or 三游, where there is one and the player goes for it."""
        for gold, level in upgrades(table, seat):
            if gold in discards:
                return discards[gold] if self._takes(f"upgrade to {LEVEL_NAMES[level]}") else None
        return None

    def _discard(self, table: Table, seat: int, discards: dict[int, Act]) -> Act:
        drawn, golds = table.drawn, [tile for tile in table.golds if tile in discards]
        if drawn in discards and _may_hold(table, seat) and self._takes("hold heavenly_ready"):
            return discards[drawn]
        if self._takes("discard at random"):
            return list(discards.values())[self.stream.uniform(len(discards))]
        if golds and self._takes("discard a gold"):
            return discards[golds[0]]
        kept = [tile for tile in discards if tile not in golds] or golds
        return discards[best_discard(table.hands[seat], kept, table.layout, _may_pair(table, seat))]

    # -- Others' discards and kongs ----------------------------------------------------------------------------------

    def answer(self, table: Table, seat: int, acts: Sequence[Act]) -> Answer:
        if self._takes("let the time run out"):
            return Answer(PASS, TIME_LIMIT, True)
        chosen = self._first_taken(table, seat, acts)
        return Answer(PASS if chosen is None else chosen, self._think())

    def _first_taken(self, table: Table, seat: int, acts: Sequence[Act]) -> Act | None:
        for kind in _ORDER:
            for act in acts:
                if act.act == kind and self._takes(_row(table, seat, act)):
                    return act
        return None

    # -- Chance ------------------------------------------------------------------------------------------------------

    def _takes(self, of: str) -> bool:
        """Whether it happens this time; what always or never happens takes nothing out of the stream."""
        rate = self.temperament.rate(of)
        return rate >= 100 or (rate > 0 and self.stream.uniform(100) < rate)

    def _think(self) -> int:
        """A think time in milliseconds, short ones likelier than long ones."""
        shares = self.stream.uniform(256) * self.stream.uniform(256)
        return self.temperament.pace + (self.temperament.spread * shares >> 16)


def upgrades(table: Table, seat: int) -> list[tuple[int, int]]:
    """The golds whose discard would now raise the seat's 游 level, each with that level (S-YOU-3, L-YOU-3)."""
    hand, book = table.hands[seat], table.book
    held = [gold for gold in dict.fromkeys(table.golds) if holds(table, seat, gold)]
    levels = [(gold, book.level_after(table, seat, gold, without(hand, (gold,), table.layout))) for gold in held]
    return [(gold, level) for gold, level in levels if level > table.levels[seat]]


def _may_hold(table: Table, seat: int) -> bool:
    """Whether the seat waits as it was dealt, where that is a way to win."""
    is_untouched = table.untouched >> seat & 1 and "heavenly_ready" in table.book.wins
    return bool(is_untouched) and table.book.is_ready(table.waiting(seat), table.layout)


def _may_pair(table: Table, seat: int) -> bool:
    """Whether the seat's hand may become seven pairs."""
    return not table.melds[seat] and has_seven_pairs(table.book)


def _row(table: Table, seat: int, act: Act) -> str:
    """The row of ``RATES`` that an offer other than a discard falls under."""
    if act.act == "win":
        return "win, robbed kong" if table.phase == KONG else f"win, {act.win}"
    if act.act == "kong":
        return f"kong, {act.kind}"
    if act.act == "declare":
        return f"declare {act.kind}"
    if act.act == "pung" and _makes_level(table, seat, act):
        return "pung, upgrade"
    hand, where = table.hands[seat], table.layout
    is_useful = after_claim(hand, act, where) < measure(hand, _may_pair(table, seat))
    return f"{act.act}, {'useful' if is_useful else 'useless'}"


def _makes_level(table: Table, seat: int, act: Act) -> bool:
    """Whether a pung leaves a gold to discard that makes 雙游 (L-YOU-3); that takes two golds in hand."""
    hand, tile, discarder = table.hands[seat], act.tile, act.from_
    if tile is None or discarder is None or GOLDS[hand[4]] < 2 or not table.book.in_you_state(hand, table.layout):
        return False
    pung = ev.Punged(table.seq + 1, table.at, table.hand, seat, tile, discarder, act.with_)
    return bool(upgrades(apply(table, pung), seat))


def seat_players(profiles: Sequence[Profile], seeds: Seeds) -> list[TemperedPlayer]:
    """A player for each profile, each with a stream of its own."""
    streams = (seeds.stream(f"choices {seat}") for seat in range(len(profiles)))
    return [TemperedPlayer(profile.temperament, stream) for profile, stream in zip(profiles, streams, strict=True)]
