"""A rule set is a value: numbers, switches and clauses.

``replays.variants`` builds one for a rule set's options; reducer, referee and settlement know no variant and read
everything from here. The mechanisms are in ``replays.clauses``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from replays.events import Act, Discarded, Item
from replays.hands import GOLDS, Hand, Layout, Reading
from replays.table import AFTER_DRAW, NOTHING, Meld, Table
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


def switch(default: bool, clause: str) -> Choice:
    """An option that is on or off."""
    return Choice((True, False), default, clause)


#: The options of shared play, for the tables of rule sets that have all of it.
SHARED_OPTIONS: Mapping[str, Option] = {
    "gold_flower": Choice(("rethrow", "next"), "rethrow", "S-GOLD-1"),
    "fifth_copy": switch(True, "S-GOLD-3"),
    "concealed_kong_shown": switch(True, "S-VIEW-1"),
    "you_declared": switch(False, "S-YOU-2"),
    "you_by_substitution": switch(True, "S-YOU-3"),
    "triple_by_substitution": switch(False, "S-YOU-3"),
}


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
    """One way to win a hand: its name, its multiplier (Xiamen's k, Longyan's v), what is added outside the multiplier,
    whether the whole hand is complete (三金倒 need not be), the opening right that it wins by, and what else the hand
    is, such as ``pure_suit``."""

    win: str
    factor: int
    clause: str
    bonus: int = 0
    is_complete: bool = True
    right: str = ""
    names: tuple[str, ...] = ()


class Lock(NamedTuple):
    """What others' discards or waits forbid a seat that might win: by which clause and which seats; ``is_total`` where
    only a concealed kong's replacement is left; ``spares_orphans`` where 十三幺 may rob the kong that lies open."""

    clause: str
    by: tuple[int, ...]
    is_total: bool
    spares_orphans: bool


class Facts(NamedTuple):
    """All that a win hangs on, taken from the table or from a single hand to be scored.

    ``hand`` holds the winning tile, ``waiting`` is the hand without it (``None`` at the opening). ``by`` is
    ``self_draw``, ``discard``, ``rob_kong`` or ``opening``. ``source`` says where a drawn tile came from, as on the
    table; ``rights`` are the rights of the opening that stand by time and turn, and ``tile_out`` is what one of them
    took away, where the record says.
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
    source: int = AFTER_DRAW
    lock: Lock | None = None
    rights: tuple[str, ...] = ()
    tile_out: Tile | None = None

    @property
    def golds(self) -> int:
        """The golds in the hand."""
        return GOLDS[self.hand[4]]


class Settlement(NamedTuple):
    """What a hand is worth: the way that counts, its multiplier, the water, its lines, and who pays what. A hand
    without winner has none of the first four, but may have lines."""

    win: str | None
    clause: str | None
    factor: int
    water: int
    items: tuple[Item, ...]
    deltas: tuple[int, ...]
    pays: str  #: the clause that says who pays
    names: tuple[str, ...] = ()  #: what else the hand is, such as ``pure_suit``
    right: str = ""  #: the opening right that it wins by, where it does


class Names(NamedTuple):
    """Which of the variant's own clauses is cited for what both games have in common."""

    flip: str
    draw: str
    kong_draw: str
    dealer: str
    best_way: str
    no_winner: str
    balance: str
    claims: str
    gold_claim: str
    gold_again: str
    beside: str
    ready: str


class Right(NamedTuple):
    """One right of the opening by its place in the order of all: the way or right, whether it is the dealer's, and the
    clause that a win before it breaks."""

    right: str
    is_dealers: bool
    clause: str


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """Something that a rule set's own clauses remember of the hand. ``start`` is its value at the flip, ``after`` by
    the type of an event in play makes the next one: ``(table before, event, table after, value)``. Values are plain:
    integers, booleans, and tuples of them. Compared by identity; ``recall`` reads it."""

    start: Any
    after: Mapping[type, Callable[[Table, Any, Table, Any], Any]]


def recall(table: Table, memory: Memory) -> Any:
    """The value of ``memory`` at the table; its start where the hand is not in play yet."""
    if not table.own:
        return memory.start
    return table.own[table.book.memories.index(memory)]


Judge: TypeAlias = Callable[[Table, Discarded], Violation | None]
Bar: TypeAlias = Callable[[Table, int, Act], Violation | None]
#: Says by clause and code what mistake explains the payments on record, ``None`` where none of its kind does.
Explain: TypeAlias = Callable[[Table, Settlement, tuple[int, ...]], Violation | None]


def nothing_more(table: Table, seat: int, facts: Facts) -> Facts:
    """The facts of a rule set whose ways ask for no more."""
    return facts


#: For a win that is none, or not by the name that it has (the verdict on the hand says which): the clause that says so
#: more precisely, ``None`` where none does.
Misnamed: TypeAlias = Callable[[Table, int, Act, Settlement | Violation], Violation | None]


def never_misnamed(table: Table, seat: int, act: Act, verdict: Settlement | Violation) -> Violation | None:
    """Where no clause says more of a win that is none than that it is none."""
    return None


def no_rights(table: Table, seat: int) -> tuple[str, ...]:
    """The opening rights of a rule set in which they hang on the hand alone."""
    return ()


def nothing_beside(table: Table) -> tuple[Item, ...]:
    """What a rule set settles beside the win in which that is nothing."""
    return ()


class Step(NamedTuple):
    """One step on the way to what one seat pays another: the clause, what the step is (``schema.words.waterfall`` has
    its words), by how much the amount grows, and the amount so far. ``times`` is what a step multiplies by, ``tile``
    and ``name`` say which set or which shape it is about."""

    clause: str
    code: str
    value: int
    total: int
    times: int | None = None
    tile: Tile | None = None
    name: str | None = None


class Strand(NamedTuple):
    """What one seat pays another for one thing, step by step. ``share_of`` is the seat whose share it is where
    ``payer`` bears it for another. Where nobody in particular pays, ``payer`` is ``NOTHING`` and the amount may be
    negative."""

    payer: int
    payee: int
    share_of: int
    steps: tuple[Step, ...]

    @property
    def amount(self) -> int:
        """What is paid."""
        return self.steps[-1].total if self.steps else 0


#: The settlement of a hand that wins if it were read in one way and no other; ``None`` where it may not be.
AsRead: TypeAlias = Callable[["Rulebook", Facts, Settlement, Reading], Settlement | None]


def however_read(book: Rulebook, facts: Facts, settlement: Settlement, reading: Reading) -> Settlement | None:
    """Where no payment hangs on how a hand is read."""
    return settlement


#: How the payments for a win come about, step by step.
Strands: TypeAlias = Callable[["Rulebook", Facts, Settlement], tuple[Strand, ...]]


def net_strands(book: Rulebook, facts: Facts, settlement: Settlement) -> tuple[Strand, ...]:
    """Where no more is known of the payments for a win than what each seat gains or pays."""
    return strands_of_nets([(seat, settlement.pays, delta) for seat, delta in enumerate(settlement.deltas)])


def strands_of_nets(nets: Iterable[tuple[int, str, int]]) -> tuple[Strand, ...]:
    """What seats gain or pay by a clause, one strand of one step each."""
    return tuple(Strand(NOTHING, seat, seat, (Step(clause, "net", net, net),)) for seat, clause, net in nets if net)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Rulebook:
    """One rule set under given options. Compared by identity: ``replays.variants.rulebook`` keeps one a digest."""

    id: str
    version: str
    options: Mapping[str, Any]
    digest: str
    names: Names
    clauses: tuple[str, ...]  #: every clause id of the rule set's own
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
    explain: Explain
    read: Callable[[Rulebook, Facts], list[Reading]]  #: every reading of a hand that wins, the best first
    in_you_state: Callable[[Hand, Layout], bool]  #: of a hand of 3n+1 tiles (S-YOU-1)
    is_ready: Callable[[Hand, Layout], bool]  #: of a hand of 3n+1 tiles: whether some tile completes it
    level_after: Callable[[Table, int, Tile, Hand], int]  #: the 游 level that a discard leaves
    opening_order: tuple[Right, ...]  #: the rights of the opening, the first first
    next_dealer: Callable[[Table], tuple[int, int]]  #: dealer and streak of the next hand
    memories: tuple[Memory, ...] = ()  #: what the clauses remember of a hand, in ``Table.own``
    more_facts: Callable[[Table, int, Facts], Facts] = nothing_more  #: what its ways ask beside the common facts
    rights: Callable[[Table, int], tuple[str, ...]] = no_rights  #: opening rights that stand by time and turn
    misnamed: Misnamed = never_misnamed
    beside: Callable[[Table], tuple[Item, ...]] = nothing_beside  #: net lines settled whether won or not
    as_read: AsRead = however_read
    strands: Strands = net_strands
    strands_beside: Callable[[Table], tuple[Strand, ...]] | None = None  #: how what is settled beside comes about
