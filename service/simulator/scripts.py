"""Scripts: what happens on a chosen wall, line by line.

A scenario is played through the same engine and the same steps as any simulated game; only its players follow a
script. They do what its next line says as soon as they may, and otherwise pass, and discard what they drew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from replays import events as ev
from replays.events import Act
from replays.referee import PASS
from replays.table import OVER, Table
from service.simulator.decks import ChosenDeck
from service.simulator.games import RECORDS, SERVER, book_of, seats_at
from service.simulator.play import Answer, Hand
from service.simulator.recorder import Recorder, clock
from service.simulator.seeds import Seeds
from service.simulator.walls import Deal, compose, tiles

_SALT = 32  #: bytes
_FILLINGS = 64  #: how many ways of filling up a wall are tried before a scenario counts as impossible
_THINK = 800  #: milliseconds


class Line(NamedTuple):
    """One line of a script: ``2 chow 4p 56p`` is seat, act, tile and the tiles out of the hand; a word after the act
    that is no tile is a way of winning, a kind of kong or a declaration."""

    seat: int
    act: str
    tile: int | None
    with_: tuple[int, ...]
    word: str | None

    def is_meant(self, seat: int, act: Act) -> bool:
        """Whether ``act`` of ``seat`` is what the line says."""
        return (
            (seat, act.act) == (self.seat, self.act)
            and self.tile in (None, act.tile)
            and self.with_ in ((), act.with_)
            and self.word in (None, act.kind, act.win)
        )


def parse_line(text: str) -> Line:
    """A line of a script; ``ValueError`` for a text that is none."""
    seat, act, *rest = text.split()
    word = rest.pop(0) if rest and not rest[0][0].isdigit() else None
    named = [tuple(sorted(tiles(part))) for part in rest]
    tile = named[0][0] if named else None
    return Line(int(seat), act, tile, named[1] if len(named) > 1 else (), word)


class Scene(NamedTuple):
    """One hand of a scenario: the wall, the script, and for a hand that is cancelled when the script is through, the
    reason."""

    deal: Deal
    script: str
    void: str | None = None


class Scenario(NamedTuple):
    """What it shows, in a line; the clauses and, where somebody wins, the way of its last hand. Without ``players`` as
    many sit at the table as the rule set allows."""

    ruleset: str
    shows: str
    clauses: tuple[str, ...]
    scenes: tuple[Scene, ...]
    win: str | None = None
    options: Mapping[str, Any] = {}
    players: int | None = None


class Script:
    """All seats' players in one: what the script says, else the least that may be done."""

    def __init__(self, text: str) -> None:
        self.lines = [parse_line(line) for line in text.strip().splitlines()]

    def decide(self, table: Table, seat: int, acts: Sequence[Act]) -> Answer:
        chosen = self._next(seat, acts)
        return Answer(chosen if chosen is not None else _least(table, acts), _THINK)

    def answer(self, table: Table, seat: int, acts: Sequence[Act]) -> Answer:
        chosen = self._next(seat, acts)
        return Answer(chosen if chosen is not None else PASS, _THINK)

    def _next(self, seat: int, acts: Sequence[Act]) -> Act | None:
        meant = next((act for act in acts if self.lines and self.lines[0].is_meant(seat, act)), None)
        if meant is not None:
            del self.lines[0]
        return meant


def _least(table: Table, acts: Sequence[Act]) -> Act:
    """The drawn tile discarded, or another where it may not be; golds last."""
    discards = [act for act in acts if act.act == "discard"]
    return min(discards, key=lambda act: (act.tile in table.golds, act.tile != table.drawn, -(act.tile or 0)))


class ScriptError(RuntimeError):
    """A scenario whose script cannot be played to its end."""


def play_scenario(name: str, planned: Scenario, seed: int) -> list[ev.Event]:
    """The scenario as a game of its own. Walls are filled up by chance until the script runs through to its last line;
    ``ScriptError`` where it never does."""
    game = f"{planned.ruleset}-{seed}-{name}"
    for filling in range(_FILLINGS):
        events = _played(game, planned, Seeds(seed, f"{game} {filling}"))
        if events:
            return events
    raise ScriptError(f"the script of scenario {name} does not run through")


def _played(game: str, planned: Scenario, seeds: Seeds) -> list[ev.Event]:
    book = book_of(planned.ruleset, planned.options)
    n = seats_at(book, planned.players)
    seats = tuple(ev.Seating(f"player-{seat + 1:02d}") for seat in range(n))
    first = ev.GameStarted(
        0, clock(0), game, book.id, book.version, dict(planned.options), seats, 0, (0,) * n, RECORDS, SERVER
    )
    log = Recorder(first, 0)
    for scene in planned.scenes:
        if not _played_through(log, scene, seeds):
            return []
    log.record(ev.GameEnded, log.table.scores)
    return list(log.written())


def _played_through(log: Recorder, scene: Scene, seeds: Seeds) -> bool:
    """Plays one scene; whether its script ran through."""
    table, number = log.table, log.table.hand + 1
    n = len(table.seats)
    wall = compose(table.book, scene.deal, table.dealer, n, seeds.stream(f"wall {number}"))
    throws = tuple(flip.dice for flip in scene.deal.flips if flip.dice is not None)
    deck = ChosenDeck(wall, seeds.secret(f"salt {number}", _SALT), throws, (3, 4))
    script = Script(scene.script)
    hand = Hand(log, (script,) * n, deck)
    hand.open()
    while log.table.phase != OVER and not (scene.void and not script.lines):
        hand.step()
    if scene.void is None:
        hand.close()
    else:
        log.note(ev.Voided, scene.void)
    return not script.lines
