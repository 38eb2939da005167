"""A rule set is a value: numbers, switches and clauses.

``replays.variants`` builds one for a rule set's options; reducer, referee and settlement know no variant and read
everything from here. The mechanisms are in ``replays.clauses``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from replays.events import Act, Discarded, Item
from replays.hands import Hand, Layout
from replays.table import Meld, Table
from replays.tiles import Tile


class OptionError(ValueError):
    """A rule set, version or option that is not known, with what would have been."""


class Choice(NamedTuple):
    """An option with listed values."""

    values: tuple[bool | str, ...]
    default: bool | str
    clause: str

    def accepts(self, value: Any) -> bool:
        return any(value is known or (isinstance(value, str) and value == known) for known in self.values)

    def expected(self) -> str:
        return "one of " + ", ".join(str(value).lower() for value in self.values)


class Number(NamedTuple):
    """An option with a range of integers; ``nullable`` where none at all is a value too."""

    low: int
    high: int
    default: int | None
    clause: str
    nullable: bool = False

    def accepts(self, value: Any) -> bool:
        if value is None:
            return self.nullable
        return isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high

    def expected(self) -> str:
        return f"{'null or ' if self.nullable else ''}an integer {self.low}-{self.high}"


Option: TypeAlias = Choice | Number
Options: TypeAlias = Mapping[str, Any]


def resolve(known: Mapping[str, Option], given: Options, ruleset: str) -> dict[str, Any]:
    """All options of a rule set, in the order of its table, the given ones over the defaults.

    Raises ``OptionError`` for an unknown option or a value outside its range: the engine never guesses.
    """
    for name, value in given.items():
        if name not in known:
            raise OptionError(f"rule set {ruleset} has no option {name!r}; it has {', '.join(known)}")
        if not known[name].accepts(value):
            raise OptionError(f"option {name} of rule set {ruleset}: {value!r} is not {known[name].expected()}")
    return {name: option.default for name, option in known.items()} | dict(given)


class Violation(NamedTuple):
    """Why something was not right: the clause, a stable code, and what would have been right (JSON values)."""

    clause: str
    code: str
    expected: dict[str, Any] = {}  # noqa: RUF012 - never written to
    also: tuple[str, ...] = ()


def also(shared: str, cited: str) -> tuple[str, ...]:
    """The shared clause to name beside the one that is cited, unless it is the same."""
    return () if shared == cited else (shared,)


class Way(NamedTuple):
    """One way to win a hand: its name, its multiplier, what is added outside the multiplier, and whether the whole
    hand is complete (三金倒 need not be)."""

    win: str
    factor: int
    clause: str
    bonus: int = 0
    is_complete: bool = True


class Facts(NamedTuple):
    """All that a win hangs on, taken from the table or from a single hand to be scored.

    ``hand`` holds the winning tile, ``waiting`` is the hand without it (``None`` at the opening). ``by`` is
    ``self_draw``, ``discard``, ``rob_kong`` or ``opening``.
    """

    players: int
    seat: int
    dealer: int
    streak: int
    layout: Layout
    hand: Hand
    waiting: Hand | None
    melds: tuple[Meld, ...]
    flowers: int
    tile: Tile | None
    by: str
    from_: int | None = None
    level: int = 0
    is_untouched: bool = False
    has_thrown_gold: bool = False
    may_count_you: bool = True
    out: tuple[int, ...] = ()  #: copies per kind, as they stand, that lie open on the table
    rivals: tuple[tuple[Hand, tuple[Meld, ...], int], ...] = ()  #: hand, melds, flowers of each seat, if asked

    @property
    def golds(self) -> int:
        """The golds in the hand."""
        return self.hand[4]


class Settlement(NamedTuple):
    """What a hand is worth: the way that counts, its multiplier, the water, its lines, and who pays what."""

    win: str
    clause: str
    factor: int
    water: int
    items: tuple[Item, ...]
    deltas: tuple[int, ...]
    pays: str  #: the clause that says who pays


class Names(NamedTuple):
    """Which of the variant's own clauses is cited for what both games have in common."""

    shape: str
    flip: str
    draw: str
    kong_draw: str
    dealer: str
    best_way: str
    water: str
    no_winner: str
    balance: str
    gold_claim: str
    ready: str


Judge: TypeAlias = Callable[[Table, Discarded], Violation | None]
Bar: TypeAlias = Callable[[Table, int, Act], Violation | None]


@dataclass(frozen=True, slots=True, eq=False)
class Rulebook:
    """One rule set under given options. Compared by identity: ``replays.variants.rulebook`` keeps one a digest."""

    id: str
    version: str
    options: Mapping[str, Any]
    digest: str
    names: Names
    clauses: tuple[str, ...]  #: every clause id of the rule set, the shared ones included
    wins: tuple[str, ...]  #: every way of winning by name, the best first among equals
    players: range
    wall: tuple[Tile, ...]  #: all tiles, in the order from which a shuffle starts
    hand_size: int
    dead_wall: int
    gold_flips: int  #: how many golds are flipped
    gold_step: int  #: tiles a counted place at the flip has
    claims: frozenset[str]  #: which there are: chow, pung, and the kinds of kong
    discard_rules: tuple[Judge, ...]  #: what a discard must not be
    claim_bars: tuple[Bar, ...]  #: what forbids a chow, pung or kong beyond the tiles it takes
    win_bars: tuple[Bar, ...]  #: what forbids a win beyond the hand
    ways: Callable[[Rulebook, Facts], tuple[Way, ...] | Violation]
    settle: Callable[[Rulebook, Facts, tuple[Way, ...]], Settlement]
    level_after: Callable[[Table, int, Tile, Hand], int]  #: the 游 level that a discard leaves
    opening_ways: tuple[str, ...]  #: ways to win that need no turn at the opening
    next_dealer: Callable[[Table], tuple[int, int]]  #: dealer and streak of the next hand
