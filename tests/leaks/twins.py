"""Twins of a game: logs that differ only in what somebody may not see, so that their answers to that one must be equal.

Every function gives a new log with the same public forms, event by event, until the hand is over. Documents are
events as the log format writes them; ``keep`` are the seats from which nothing is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any, NamedTuple

from replays.clauses.fairness import dealt_places
from replays.reducer import start
from schema.paipu import document, load
from service.simulator.games import simulate_game
from tests.usecases.games import NAMES

Document = dict[str, Any]
Log = list[Document]

PRIVATE = ("turn_prompted", "passed", "claim_overridden")
#: Types whose tiles only their seat sees, and the member that holds them.
_HIDDEN = {"dealt": "tiles", "flowers_replaced": "drawn", "drew": "tile"}
_ENDS = ("won", "exhausted", "voided")
_PARTS = ("commitment", "client_seeds", "wall_root", "server_seed", "salt")
WALL = -1  #: the "seat" of a tile that nobody was given


class Place(NamedTuple):
    """Where a hidden tile stands in a log: the ``index``-th of the event ``seq``, and place ``wall`` of the wall."""

    seat: int
    seq: int
    index: int
    wall: int


@cache
def _simulated(ruleset: str, index: int, players: int, hands: int, options: tuple[tuple[str, Any], ...]) -> Log:
    events = simulate_game(ruleset, 7, index, hands=hands, players=players, options=dict(options))
    return [document(event) for event in events]


def simulated(ruleset: str, index: int, players: int, *, hands: int = 2, **options: Any) -> Log:
    """A sound game with names at its seats; prompts, passes and walls are on record."""
    log = deepcopy(_simulated(ruleset, index, players, hands, tuple(sorted(options.items()))))
    for seat, name in zip(log[0]["seats"], NAMES, strict=False):
        seat["name"] = name
    return log


def of_hand(log: Log, hand: int) -> Log:
    """The events of one hand."""
    return [one for one in log if one.get("hand") == hand]


def end_of(log: Log, hand: int) -> int:
    """The ``seq`` of the event that ends the play of a hand, from which on its hands lie open (S-VIEW-1)."""
    return int(next(one["seq"] for one in of_hand(log, hand) if one["type"] in _ENDS))


def bare(log: Log, *, wall: bool = True) -> Log:
    """The game without prompts, passes and proofs of fairness, and with ``wall`` false without revealed walls: a log
    whose every wall is as good as any other."""
    left_out = {*PRIVATE, "seeds_opened"} | (set() if wall else {"wall_revealed"})
    kept = [deepcopy(one) for one in log if one["type"] not in left_out]
    for seq, one in enumerate(kept):
        one["seq"] = seq
        for member in _PARTS:
            one.pop(member, None)
    kept[0]["records"] = {"passes": False, "wall": wall, "prompts": False}
    return kept


# -- Tiles -------------------------------------------------------------------------------------------------------------


class _Course:
    """Follows one hand: which places each seat holds in secret, and what is left of the wall."""

    def __init__(self, log: Log, hand: int) -> None:
        self.book = start(load(log[0])).book  # type: ignore[arg-type]
        self.players = len(log[0]["seats"])
        self.events = of_hand(log, hand)
        self.tiles: dict[Place, str] = {}
        self.spent: dict[int, list[Place]] = {}  #: places by the event that laid them out
        self.held: dict[int, list[Place]] = {seat: [] for seat in range(self.players)}
        self.wall = list(range(sum(self.book.wall and (1,) * len(self.book.wall))))
        self.throws: list[int] = []

    def follow(self) -> None:
        for one in self.events:
            step = getattr(self, f"_{one['type']}", None)
            if step is not None:
                step(one)

    def _dealt(self, one: Document) -> None:
        dealer = next(event["dealer"] for event in self.events if event["type"] == "hand_started")
        places = dealt_places((one["seat"] - dealer) % self.players, self.players, self.book.hand_size)
        self._give(one, one["tiles"], places)
        if (one["seat"] + 1) % self.players == dealer:
            del self.wall[: self.players * self.book.hand_size + 1]

    def _flowers_replaced(self, one: Document) -> None:
        self._lay(one, one["flowers"])
        self._give(one, one["drawn"], [self.wall.pop() for _ in one["drawn"]])

    def _dice_rolled(self, one: Document) -> None:
        if one["purpose"] == "gold":
            self.throws.append(sum(one["dice"]) * self.book.gold_step)

    def _gold_flipped(self, one: Document) -> None:
        for _ in one["tiles"]:
            self.wall.pop(-self.throws.pop(0))

    def _drew(self, one: Document) -> None:
        self._give(one, [one["tile"]], [self.wall.pop(0 if one["from"] == "head" else -1)])

    def _discarded(self, one: Document) -> None:
        self._lay(one, [one["tile"]])

    def _chowed(self, one: Document) -> None:
        self._lay(one, one["with"])

    _punged = _chowed

    def _konged(self, one: Document) -> None:
        own = [one["tile"]] if one["kind"] == "added" else one["with"]
        self._lay(one, own)

    def _won(self, one: Document) -> None:
        if "tile" in one and "from" not in one:
            self._lay(one, [one["tile"]])

    def _give(self, one: Document, tiles: Sequence[str], walls: Sequence[int]) -> None:
        for index, (tile, wall) in enumerate(zip(tiles, walls, strict=True)):
            place = Place(one["seat"], one["seq"], index, wall)
            self.tiles[place] = tile
            self.held[one["seat"]].append(place)

    def _lay(self, one: Document, tiles: Sequence[str]) -> None:
        """The newest of equal tiles goes: which one it is, no log tells."""
        for tile in tiles:
            held = self.held[one["seat"]]
            place = next((place for place in reversed(held) if self.tiles[place] == tile), None)
            if place is not None:
                held.remove(place)
                self.spent.setdefault(one["seq"], []).append(place)


def _course(log: Log, hand: int) -> _Course:
    course = _Course(log, hand)
    course.follow()
    revealed = next((one for one in course.events if one["type"] == "wall_revealed"), None)
    if revealed is not None:
        course.tiles |= {Place(WALL, 0, 0, wall): revealed["wall"][wall] for wall in course.wall}
        for place, tile in course.tiles.items():
            assert revealed["wall"][place.wall] == tile, place  # the course of the wall is understood
    return course


def held_places(log: Log, hand: int) -> list[Place]:
    """Where the tiles came from that seats still hold at the end of a hand."""
    return [place for held in _course(log, hand).held.values() for place in held]


def _moved(log: Log, hand: int, pairs: Iterable[tuple[Place, Place]], tiles: Mapping[Place, str]) -> Log:
    """The log with the tiles of each pair of places exchanged, in the hands and in the wall."""
    twin = deepcopy(log)
    revealed = next((one for one in of_hand(twin, hand) if one["type"] == "wall_revealed"), None)
    for one, other in pairs:
        for place, tile in ((one, tiles[other]), (other, tiles[one])):
            if place.seat != WALL:
                _put(twin[place.seq], place.index, tile)
            if revealed is not None:
                revealed["wall"][place.wall] = tile
    return twin


def _put(one: Document, index: int, tile: str) -> None:
    member = _HIDDEN[one["type"]]
    if isinstance(one[member], list):
        one[member][index] = tile
    else:
        one[member] = tile


def _pairs(places: Sequence[Place], is_pair: Callable[[Place, Place], bool], count: int) -> list[tuple[Place, Place]]:
    """At most ``count`` pairs of different places, none twice."""
    found: list[tuple[Place, Place]] = []
    rest = list(places)
    while rest and len(found) < count:
        one = rest.pop()
        other = next((other for other in rest if is_pair(one, other)), None)
        if other is not None:
            rest.remove(other)
            found.append((one, other))
    return found


def swapped(log: Log, hand: int, keep: frozenset[int], seed: str = "swap", count: int = 20) -> Log:
    """Tiles that stay hidden until the end of the hand, exchanged among the hands of others and the undealt wall.
    What is laid out is still held, and the wall is still the one that was dealt from."""
    course = _course(log, hand)
    kept = {place for seat, places in course.held.items() for place in places if seat not in keep}
    kept |= {place for place in course.tiles if place.seat == WALL}
    places = [place for place in sorted(kept) if not course.tiles[place].endswith("f")]
    Random(f"{seed}").shuffle(places)
    pairs = _pairs(places, lambda a, b: a.seat != b.seat and course.tiles[a] != course.tiles[b], count)
    assert len(pairs) > 3, "nothing to exchange"
    return _moved(log, hand, pairs, course.tiles)


def reordered(log: Log, hand: int, keep: frozenset[int], seed: str = "order", count: int = 8) -> Log:
    """Tiles that a seat still holds in the end, got in another order: in the end all hands are the same."""
    course = _course(log, hand)
    places = [
        place
        for seat, held in course.held.items()
        if seat not in keep
        for place in held
        if course.tiles[place][1] not in "zf"
    ]
    Random(f"{seed}").shuffle(places)
    is_pair = lambda a, b: a.seat == b.seat and a.seq != b.seq and course.tiles[a] != course.tiles[b]  # noqa: E731
    pairs = _pairs(places, is_pair, count)
    assert pairs, "nothing to exchange"
    return _moved(log, hand, pairs, course.tiles)


def dispossessed(log: Log, hand: int, keep: frozenset[int], seed: str = "fault") -> tuple[Log, int]:
    """A seat discards what it did not hold, though all that others see is the same; and the ``seq`` of the discard."""
    course = _course(log, hand)
    spent = [
        (seq, place)
        for seq, places in course.spent.items()
        for place in places
        if log[seq]["type"] == "discarded" and place.seat not in keep and log[place.seq]["type"] == "dealt"
    ]
    alone = [(seq, place) for seq, place in spent if _copies(course, place) == 1]
    seq, place = alone[len(alone) // 2]
    held = [other for seat, places in course.held.items() if seat not in (*keep, place.seat) for other in places]
    others = [other for other in [*course.tiles, *held] if other in held or other.seat == WALL]
    # What comes in its place has no copy in the hand either, so that nothing else of it is in doubt.
    fit = [other for other in others if course.tiles[other][1] != "f" and not _held(course, place.seat, other)]
    return _moved(log, hand, [(place, Random(seed).choice(sorted(fit)))], course.tiles), seq


def _copies(course: _Course, place: Place) -> int:
    """How many tiles of this kind the seat ever had in the hand."""
    return sum(tile == course.tiles[place] for other, tile in course.tiles.items() if other.seat == place.seat)


def _held(course: _Course, seat: int, place: Place) -> bool:
    return any(tile == course.tiles[place] for other, tile in course.tiles.items() if other.seat == seat)


# -- What was offered and declined, and what servers note besides ------------------------------------------------------


def whispered(log: Log, hand: int, keep: frozenset[int], seed: str = "whisper") -> Log:
    """Other prompts and passes of others, and other ``x_`` members in what is not public of them anyway."""
    random, twin = Random(seed), deepcopy(log)
    for one in _of_others(twin, hand, keep):
        if one["type"] in PRIVATE:
            _whisper(twin, one, keep, random)
        if one["type"] in (*PRIVATE, *_HIDDEN) and random.random() < 0.5:
            one["x_note"] = {"server": [random.randrange(1000)]}
    return twin


def retimed(log: Log, hand: int, keep: frozenset[int]) -> Log:
    """Others were prompted and passed as soon as they could: how long they thought is theirs."""
    twin = deepcopy(log)
    for one in _of_others(twin, hand, keep):
        if one["type"] in PRIVATE:
            one["at"] = twin[one["seq"] - 1]["at"]
    return twin


def annotated(log: Log, hand: int, keep: frozenset[int]) -> Log:
    """``x_`` members in what is public of others, and in what is nobody's."""
    twin = deepcopy(log)
    for one in _of_others(twin, hand, keep):
        if one["type"] not in (*PRIVATE, *_HIDDEN):
            one["x_note"] = {"server": one["seq"]}
    return twin


def rekonged(log: Log, hand: int, keep: frozenset[int]) -> Log:
    """Another kind in a concealed kong that the options keep hidden."""
    twin, course = deepcopy(log), _course(log, hand)
    kong = next(one for one in _of_others(twin, hand, keep) if one.get("kind") == "concealed")
    mine = {tile for place, tile in course.tiles.items() if place.seat == kong["seat"]}
    other = next(tile for tile in sorted(course.tiles.values()) if tile not in mine and tile[1] not in "fz")
    for place, tile in course.tiles.items():
        if place.seat == kong["seat"] and tile == kong["tile"]:
            _put(twin[place.seq], place.index, other)
    kong["tile"], kong["with"] = other, [other] * len(kong["with"])
    return twin


def _of_others(log: Log, hand: int, keep: frozenset[int]) -> list[Document]:
    return [one for one in of_hand(log, hand) if one.get("seat") not in keep]


def _whisper(log: Log, one: Document, keep: frozenset[int], random: Random) -> None:
    if random.random() < 0.5:
        one["seat"] = random.choice([seat for seat in range(len(log[0]["seats"])) if seat not in keep])
    if one["type"] == "claim_overridden":
        one["type"], one["options"] = "passed", [one.pop("claim")]
        del one["by"]
    elif random.random() < 0.5:
        one["type"] = "passed" if one["type"] == "turn_prompted" else "turn_prompted"
        one.pop("on", None)
        one.pop("auto", None)
    if random.random() < 0.7:
        one["options"] = [] if one["options"] else [{"act": "pass"}]


def hushed(log: Log, keep: frozenset[int], mark: int) -> Log:
    """What no rule looks at in what is not public of others: whether a pass was timed out, and what servers note."""
    twin = deepcopy(log)
    for one in twin[1:]:
        if one.get("seat") in keep or one["type"] not in (*PRIVATE, *_HIDDEN):
            continue
        one["x_note"] = {"mark": mark}
        if one["type"] == "passed":
            one["auto"] = bool(mark % 2)
    return twin


def mispassed(log: Log, keep: frozenset[int], mark: int) -> Log:
    """Passes of others on rights that they did not have, on one or another by ``mark``: findings either way."""
    twin = deepcopy(log)
    act = ({"act": "win", "win": "self_draw"}, {"act": "win", "win": "you"})[mark]
    for one in twin[1:]:
        if one["type"] == "passed" and one.get("seat") not in keep:
            one["options"] = [act]
    return twin
