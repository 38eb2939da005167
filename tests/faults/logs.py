"""Clean logs to plant faults in: games of the simulator, scenarios, and the contract's examples, each in several forms.

A form leaves out what a server need not record, so that a fault is found by the rules where nothing else shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from replays import events as ev
from replays import shuffle
from replays.events import Event
from replays.reducer import apply, start
from replays.table import Table
from replays.tiles import NUMBERS
from replays.variants import rulebook
from schema.paipu import events as read
from service.simulator.decks import ShuffledDeck
from service.simulator.games import RECORDS, simulate_game
from service.simulator.play import Hand
from service.simulator.players import Profile, roster, seat_players
from service.simulator.recorder import Recorder, clock
from service.simulator.scenarios import SCENARIOS
from service.simulator.scripts import play_scenario
from service.simulator.seeds import Seeds
from service.simulator.temperaments import TEMPERAMENTS, Temperament
from tests import seeds
from tests.faults.scenes import SCENES
from tests.shared import contract

RULESETS = ("xiamen", "longyan")
SEED = seeds.SIMULATED  #: the run whose games are used
HANDS = 3


class Log(NamedTuple):
    """A game: its events (of any kind: whoever reads a member has looked at the kind before), and the table before each
    of them (for the first: after it)."""

    events: tuple[Any, ...]
    tables: tuple[Table, ...]


def log_of(events: Iterable[Event]) -> Log:
    """The log with the table before each event."""
    first, *rest = events
    assert isinstance(first, ev.GameStarted)
    tables = [start(first)]
    before = [tables[0]]
    for event in rest:
        before.append(tables[-1])
        tables.append(apply(tables[-1], event))
    return Log((first, *rest), tuple(before))


# -- Whose games -----------------------------------------------------------------------------------------------------


class Room(NamedTuple):
    """How many sit at a table, and by which options they play."""

    players: int
    options: Mapping[str, Any] = {}


#: The rooms of each rule set; a table's games are played in one after the other.
ROOMS: dict[str, tuple[Room, ...]] = {
    "xiamen": (Room(4),),
    "longyan": (
        Room(4),
        Room(3, {"mode": "full"}),
        Room(2, {"dots": False}),
        Room(4, {"mode": "full", "dots": False}),
        Room(3, {"dead_wall": 20}),
        Room(2, {"mode": "full"}),
        Room(4, {"dots": False}),
    ),
}


def room(ruleset: str, index: int) -> Room:
    """The room in which game ``index`` of a table is played."""
    rooms = ROOMS[ruleset]
    return rooms[index % len(rooms)]


def _all_alike(name: str, **rates: int) -> tuple[Profile, ...]:
    steady = TEMPERAMENTS[0]
    kinds = {row: row.split(",")[0].split(" to ")[0].replace(" ", "_") for row in steady.rates}
    changed = {row: rates.get(kinds[row], rate) for row, rate in steady.rates.items()}
    return tuple(Profile(f"{name}-{seat}", Temperament(name, changed, 500, 2000)) for seat in range(4))


#: Who sits at the table: anybody; people who never win or kong, so that walls run out, or never win and kong all they
#: can; people who let go of golds.
TABLES: dict[str, tuple[Profile, ...] | None] = {
    "ordinary": None,
    "patient": _all_alike("patient", win=0, kong=0, upgrade=0),
    "reckless": _all_alike("reckless", discard_a_gold=100, upgrade=100, win=15, kong=50),
    "modest": _all_alike("modest", win=10, upgrade=0),
    "upgrading": _all_alike("upgrading", upgrade=100, win=0, kong=0, pung=100),
    "melding": _all_alike("melding", win=0, kong=100, pung=100, upgrade=0),
}


# -- Forms -------------------------------------------------------------------------------------------------------------

_BESIDE = (ev.Passed, ev.TurnPrompted, ev.ClaimOverridden)


def _seeded(events: Iterable[Event]) -> list[Event]:
    """Without offers and passes."""
    kept: list[Event] = [event for event in events if not isinstance(event, _BESIDE)]
    return _recording(kept, passes=False, prompts=False)


def _passes(events: Iterable[Event]) -> list[Event]:
    """Offers and passes, but no wall and no commitment."""
    kept = (event for event in events if not isinstance(event, ev.WallRevealed | ev.SeedsOpened))
    return _recording([_uncommitted(event) for event in kept], wall=False)


def _walls(events: Iterable[Event]) -> list[Event]:
    """The wall alone: nothing committed, no passes."""
    return [_uncommitted(event) for event in _seeded(events) if not isinstance(event, ev.SeedsOpened)]


def _hashed(events: Iterable[Event]) -> list[Event]:
    """The wall committed to under ``wall-hash/1``."""
    found = _walls(events)
    walls = {event.hand: event.wall for event in found if isinstance(event, ev.WallRevealed)}
    return [_under_hash(event, walls) for event in found]


def _bare(events: Iterable[Event]) -> list[Event]:
    """The play alone."""
    return _recording([event for event in _walls(events) if not isinstance(event, ev.WallRevealed)], wall=False)


def _recording(events: list[Event], **records: bool) -> list[Event]:
    first = events[0]
    assert isinstance(first, ev.GameStarted)
    return [first._replace(records=first.records._replace(**records)), *events[1:]]


def _uncommitted(event: Event) -> Event:
    if isinstance(event, ev.GameStarted):
        return event._replace(commitment=None)
    if isinstance(event, ev.HandStarted):
        return event._replace(commitment=None, client_seeds=(), wall_root=None)
    return event._replace(server_seed=None, salt=None) if isinstance(event, ev.WallRevealed) else event


def _under_hash(event: Event, walls: dict[int, tuple[int, ...]]) -> Event:
    if isinstance(event, ev.HandStarted):
        committed = shuffle.wall_hash(_salt(event.hand), walls[event.hand]).hex()
        return event._replace(commitment=ev.HandCommitment(shuffle.WALL_HASH, committed))
    return event._replace(salt=_salt(event.hand).hex()) if isinstance(event, ev.WallRevealed) else event


def _salt(hand: int) -> bytes:
    return sha256(f"salt {hand}".encode()).digest()


#: What a log keeps. ``full`` has passes, offers, walls and seeds; ``rooted`` a tree over each wall as well.
FORMS: dict[str, Callable[[Iterable[Event]], list[Event]]] = {
    "full": list,
    "rooted": list,
    "short": list,
    "examples": list,
    "seeded": _seeded,
    "passes": _passes,
    "walls": _walls,
    "hashed": _hashed,
    "bare": _bare,
}


# -- Logs --------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def log(ruleset: str, form: str, table: str, index: int) -> Log | None:
    """Game ``index`` of a table in a form, or of a scenario filled up in another way for each ``index``; ``None``
    beyond the last of the examples."""
    from tests.faults.edits import renumbered

    if form == "examples":
        files = examples(ruleset)
        return log_of(read(files[index])) if index < len(files) else None
    played = _short_seeds(ruleset, index) if form == "short" else _played(ruleset, table, index, form == "rooted")
    return log_of(renumbered(FORMS[form](played)))


def examples(ruleset: str) -> list[Path]:
    """The contract's example games of a rule set."""
    return sorted(contract("examples").glob(f"{ruleset}-*.jsonl"))


@lru_cache(maxsize=256)
def _played(ruleset: str, table: str, index: int, wall_root: bool) -> tuple[Event, ...]:
    if table not in TABLES:
        return tuple(play_scenario(table, SCENES.get(table) or SCENARIOS[table], index))
    at = room(ruleset, index)
    profiles = TABLES[table]
    played = simulate_game(
        ruleset, SEED, index, options=at.options, hands=HANDS, players=at.players,
        profiles=None if profiles is None else profiles[: at.players], wall_root=wall_root,
    )  # fmt: skip
    return tuple(played)


def _short_seeds(ruleset: str, index: int) -> list[Event]:
    """A game whose server seeds have eight bytes: fair by its own word, but its commitments could be guessed."""
    game, at = f"{ruleset}-short-{index}", room(ruleset, index)
    seeds, book = Seeds(SEED, game), rulebook(ruleset, "1", at.options)
    sitting = roster()[: at.players]
    seats = tuple(ev.Seating(profile.player) for profile in sitting)
    first = ev.GameStarted(0, clock(0), game, ruleset, "1", dict(at.options), seats, 0, None, RECORDS)
    recorder = Recorder(first, 0)
    for number in (1, 2):
        secret, has_dots = seeds.secret(f"short {number}", 8), NUMBERS["1p"] in book.wall
        fixed: Any = shuffle.Shuffle(game, number, ruleset, "1", secret, (), has_dots)
        hand = Hand(recorder, seat_players(sitting, seeds), ShuffledDeck(fixed, (), False))
        hand.open()
        hand.play()
        hand.close()
    recorder.record(ev.GameEnded, recorder.table.scores)
    return list(recorder.written())
