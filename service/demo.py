"""The demonstration: simulated games of every registered rule set, some with a planted fault, taken into a store.

A fault is planted while the game is played, and the simulator goes on from the table as it then stands: so everything
but the fault is as it should be, and the audit has to find that one thing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from replays import events as ev
from replays.clauses.claims import discard_claims
from replays.clauses.totals import derived_deltas
from replays.referee import offers, why_not_discard
from replays.rulebook import Rulebook
from replays.shuffle import SCHEME
from replays.table import AFTER_DRAW, CLAIMS, TURN, Table
from replays.tiles import COPIES
from replays.variants import REGISTRY
from schema.paipu import Record, document
from service.simulator.decks import Deck, Shuffles
from service.simulator.games import HANDS, RECORDS, SERVER, book_of, game_id, seats_at, simulate_game
from service.simulator.play import Hand, Player
from service.simulator.players import seat_players, seated
from service.simulator.recorder import Recorder, clock
from service.simulator.seeds import Seeds
from service.store import Audit, Store
from service.usecases.ingest import Refused, ingest

SEED = 1  #: of every demonstration: the same games everywhere
GAMES = 6  #: sound games of a rule set, unless asked for otherwise

_TRIES = 50  #: games looked through for one in which a fault finds its place
_HOUR = 3_600_000  # milliseconds
_FALSE_PRICE = 20  #: what everybody pays for a win that is none

Payment = tuple[int, ...]


class Fault(NamedTuple):
    """Something that a dishonest or broken server would do, and where in a hand it is planted.

    ``before`` is asked ahead of a hand and ``step`` ahead of every step of play: each plants the fault and says
    whether it could. ``pays`` gives the payment of a finished hand, ``None`` for the right one.
    """

    name: str
    shows: str
    before: Callable[[Hand], bool] | None = None
    step: Callable[[Hand], bool] | None = None
    pays: Callable[[Table], Payment | None] | None = None


class FaultyHand(Hand):
    """A hand in which a fault is planted once there is a place for it, unless it was in an earlier one."""

    def __init__(self, log: Recorder, players: Sequence[Player], deck: Deck, fault: Fault, is_planted: bool) -> None:
        super().__init__(log, players, deck)
        self.fault = fault
        self.is_planted = is_planted

    def open(self) -> None:
        """The opening, with the fault ahead of it."""
        if self.fault.before is not None and not self.is_planted:
            self.is_planted = self.fault.before(self)
        super().open()

    def step(self) -> None:
        """The next step, or the fault in its place."""
        planted = self.fault.step is not None and not self.is_planted and self.fault.step(self)
        if not planted:
            super().step()
        self.is_planted = self.is_planted or planted

    def close(self) -> None:
        """The settlement: as it should be, or as the fault has it."""
        table = self.log.table
        deltas = self._faulty_payment(table)
        if deltas is None:
            super().close()
            return
        self.is_planted = True
        self.log.wait(1000)
        self.log.note(ev.Settled, deltas, None)
        self.log.note(ev.WallRevealed, tuple(self.deck.wall), *self.deck.opening)
        self.log.note(ev.HandEnded, tuple(a + b for a, b in zip(table.scores, deltas, strict=True)))
        self.log.wait(4000)

    def _faulty_payment(self, table: Table) -> Payment | None:
        """A fault of the payment alone is planted once; one that begins in play decides hand by hand."""
        if self.fault.pays is None or (self.is_planted and self.fault.step is None):
            return None
        return self.fault.pays(table)


# -- The faults --------------------------------------------------------------------------------------------------------


def _other_dealer(hand: Hand) -> bool:
    """The second hand is dealt by the seat after the right one."""
    table = hand.log.table
    if not table.hand:
        return False
    hand.log.table = table._replace(dealer=table.following(table.dealer))
    return True


def _turn(table: Table) -> bool:
    """Whether a seat is in the middle of play with a tile that it drew from the head."""
    return table.phase == TURN and table.source == AFTER_DRAW and not table.opening


def _false_self_draw(hand: Hand) -> bool:
    """自摸 on a hand that is not complete."""
    table = hand.log.table
    is_win = any(act.act == "win" for act in offers(table)[table.turn]) if _turn(table) else True
    if is_win or len(table.river) < 2 * len(table.seats):
        return False
    hand.log.wait(900)
    hand.log.note(ev.Won, table.turn, "self_draw", table.drawn)
    return True


def _price_of_false_win(table: Table) -> Payment | None:
    """What the others are made to pay for a win that is worth nothing."""
    if derived_deltas(table) is not None or table.outcome is None:
        return None
    winner, n = table.outcome.winner, len(table.seats)
    return tuple(_FALSE_PRICE * (n - 1) if seat == winner else -_FALSE_PRICE for seat in range(n))


def _ignored_rule(hand: Hand) -> bool:
    """A discard that the rule set forbids: 跟打 not obeyed, where the rule set has it."""
    table = hand.log.table
    if not _turn(table):
        return False
    for tile in dict.fromkeys(table.concealed(table.turn)):
        violation = why_not_discard(table, table.turn, tile)
        if violation is not None and violation.code == "must_follow_honour":
            hand.log.wait(900)
            hand.log.note(ev.Discarded, table.turn, tile)
            return True
    return False


def _barred_claim(hand: Hand) -> bool:
    """A pung that the tiles would make, and a clause of the rule set's own forbids: in a lock, say."""
    table = hand.log.table
    for seat in table.others(table.turn) if table.phase == CLAIMS else ():
        for act in discard_claims(table, seat):
            if act.act == "pung" and any(bar(table, seat, act) for bar in table.book.claim_bars):
                hand.log.wait(900)
                hand.log.note(ev.Punged, seat, act.tile, act.from_, act.with_)
                return True
    return False


def _tile_not_held(hand: Hand) -> bool:
    """A discard of a tile that the seat does not have."""
    table = hand.log.table
    if not _turn(table) or len(table.river) < 2 * len(table.seats):
        return False
    held = table.concealed(table.turn)
    tile = next(tile for tile in table.book.wall if tile not in held and tile not in table.golds)
    hand.log.wait(900)
    hand.log.note(ev.Discarded, table.turn, tile)
    return True


def _swapped_draw(hand: Hand) -> bool:
    """The next tile of the wall changes places with one further on: somebody draws what was not theirs to draw."""
    table = hand.log.table
    later = next((place for place, tile in enumerate(hand.wall) if tile != hand.wall[0]), 0) if hand.wall else 0
    if not _turn(table) or not later or len(hand.wall) < COPIES * len(table.seats):
        return False
    hand.wall[0], hand.wall[later] = hand.wall[later], hand.wall[0]
    Hand.step(hand)
    return True


def _one_unit_more(table: Table) -> Payment | None:
    """One unit too many, one water in Xiamen: every payer pays the factor once more."""
    outcome = table.outcome
    if outcome is None or outcome.settlement is None or not outcome.settlement.factor:
        return None
    deltas, factor = outcome.settlement.deltas, outcome.settlement.factor
    more = [-factor if delta < 0 else 0 for delta in deltas]
    more[outcome.winner] = -sum(more)
    if sum(delta < 0 for delta in deltas) != len(deltas) - 1:
        return None
    return tuple(a + b for a, b in zip(deltas, more, strict=True))


def _moved_payment(table: Table) -> Payment | None:
    """What one payer owes is taken from another."""
    deltas = derived_deltas(table) or ()
    payers = [seat for seat, delta in enumerate(deltas) if delta < 0]
    if len(payers) < 2:
        return None
    moved = list(deltas)
    moved[payers[0]] += 1
    moved[payers[1]] -= 1
    return tuple(moved)


FAULTS: tuple[Fault, ...] = (
    Fault("false-self-draw", "a win on a hand that is not complete", step=_false_self_draw, pays=_price_of_false_win),
    Fault("ignored-follow", "a discard that ignores 跟打", step=_ignored_rule),
    Fault("barred-claim", "a pung while a lock forbids it", step=_barred_claim),
    Fault("tile-not-held", "a discard of a tile that the seat does not have", step=_tile_not_held),
    Fault("swapped-draw", "a drawn tile that is not the wall's", step=_swapped_draw),
    Fault("one-unit-more", "one unit too many in the settlement", pays=_one_unit_more),
    Fault("moved-payment", "a payment taken from the wrong player", pays=_moved_payment),
    Fault("other-dealer", "the wrong dealer", before=_other_dealer),
)


# -- Games -------------------------------------------------------------------------------------------------------------


class Room(NamedTuple):
    """A kind of table: a rule set, its options, and how many sit there (``None``: as many as there may be)."""

    ruleset: str
    options: Mapping[str, Any]
    players: int | None = None

    @property
    def shows(self) -> str:
        """The room in words: ``3 players, mode full``."""
        players = seats_at(book_of(self.ruleset, self.options), self.players)
        options = (f"{name} {str(value).lower()}" for name, value in self.options.items())
        return ", ".join((f"{players} players", *options))


#: The rooms of the demonstration, taken in turn; a rule set that is not named here has one of its own.
ROOMS = (
    Room("xiamen", {}),
    Room("longyan", {}),
    Room("longyan", {"mode": "full"}),
    Room("longyan", {"dots": False}, 3),
    Room("longyan", {"mode": "full", "you_v": 5}, 2),
    Room("longyan", {"all_triplets_factor": 2, "pure_suit_factor": 2}, 4),
    Room("longyan", {"mode": "full", "dots": False}, 3),
)


def rooms_of(ruleset: str) -> list[Room]:
    """The rooms in which a rule set is shown."""
    return [room for room in ROOMS if room.ruleset == ruleset] or [Room(ruleset, {})]


class Planned(NamedTuple):
    """A game of the demonstration: its id, what it shows, what was planted in it (``None``: nothing), and how its
    events are made."""

    game: str
    ruleset: str
    shows: str
    fault: Fault | None
    play: Callable[[], Iterable[ev.Event] | None]


def planned(games: int = GAMES) -> Iterator[Planned]:
    """All games of the demonstration: of every rule set ``games`` sound ones, then one a fault."""
    for ruleset in REGISTRY:
        rooms = rooms_of(ruleset)
        for index in range(games):
            room = rooms[index % len(rooms)]
            yield Planned(game_id(ruleset, SEED, index), ruleset, room.shows, None, _sound(room, index))
        for number, fault in enumerate(FAULTS):
            game = f"{ruleset}-{fault.name}"
            yield Planned(game, ruleset, fault.shows, fault, _faulty(game, ruleset, fault, number + 1))


def _sound(room: Room, index: int) -> Callable[[], Iterable[ev.Event]]:
    return lambda: simulate_game(room.ruleset, SEED, index, options=room.options, players=room.players)


def _faulty(game: str, ruleset: str, fault: Fault, day: int) -> Callable[[], Iterable[ev.Event] | None]:
    return lambda: faulty_game(game, book_of(ruleset, {}), fault, day * 24 * _HOUR)


def faulty_game(game: str, book: Rulebook, fault: Fault, now: int) -> list[ev.Event] | None:
    """A game with the fault in it, begun ``now`` milliseconds after the simulator's epoch; always the same one.

    ``None`` where no game of ``_TRIES`` has a place for the fault: a rule set need not know every rule.
    """
    for attempt in range(_TRIES):
        events = _played(game, book, fault, now, attempt)
        if events is not None:
            return events
    return None


def _played(game: str, book: Rulebook, fault: Fault, now: int, attempt: int) -> list[ev.Event] | None:
    seeds = Seeds(SEED, f"{game} {attempt}")
    sitting = seated(seeds, book.players[-1])
    n = len(sitting)
    fixed = Shuffles(seeds, game, book, n, HANDS)
    seats = tuple(ev.Seating(profile.player) for profile in sitting)
    dealer = seeds.stream("first dealer").uniform(n)
    root = ev.GameCommitment(SCHEME, fixed.root, HANDS)
    first = ev.GameStarted(
        0, clock(now), game, book.id, book.version, {}, seats, dealer, (0,) * n, RECORDS, SERVER, root
    )
    log = Recorder(first, now)
    players = seat_players(sitting, seeds)
    is_planted = False
    for number in range(1, HANDS + 1):
        hand = FaultyHand(log, players, fixed.deck(number, False), fault, is_planted)
        hand.open()
        hand.play()
        hand.close()
        is_planted = hand.is_planted
    log.record(ev.GameEnded, log.table.scores)
    return list(log.written()) if is_planted else None


# -- Into the store ----------------------------------------------------------------------------------------------------


class Shown(NamedTuple):
    """A game of the demonstration as the store has it; ``report`` is the JSON object of ``mingpai audit``."""

    game: str
    ruleset: str
    shows: str
    fault: Fault | None
    is_new: bool
    report: Mapping[str, Any]


class DemoError(RuntimeError):
    """A game of the demonstration that the store does not take; the text says why."""


def take_in(store: Store, plan: Planned) -> Shown | None:
    """Sees to it that a game is in the store and audited; it is played only if it is not there.

    ``None`` where the rule set has no place for the fault. Raises ``DemoError``.
    """
    known = store.audit(plan.game)
    if known is not None and _is_whole(store, known):
        return Shown(plan.game, plan.ruleset, plan.shows, plan.fault, False, known.report)
    events = plan.play()
    if events is None:
        return None
    records = (Record(line, document(event), event) for line, event in enumerate(events, 1))
    for outcome in ingest(store, records, "demonstration"):
        if isinstance(outcome, Refused):
            raise DemoError(outcome.reason)
    audited = store.audit(plan.game)
    assert audited is not None  # every game taken in is audited
    return Shown(plan.game, plan.ruleset, plan.shows, plan.fault, True, audited.report)


def _is_whole(store: Store, audit: Audit) -> bool:
    game = store.game(audit.game)
    return game.status != "open" and audit.upto_seq + 1 == game.next_seq
