"""One hand from its start to its end. Every step is asked of the engine: what may be done comes from ``offers`` and
``rights``, where the game stands from ``apply``; nothing of the rules is decided here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

from replays import events as ev
from replays.clauses.claims import may_draw
from replays.clauses.fairness import dealt_places
from replays.clauses.opening import next_flower_seat
from replays.clauses.totals import derived_deltas
from replays.clauses.you import LEVEL_NAMES
from replays.events import Act, Item
from replays.finding import act_order
from replays.reducer import apply
from replays.referee import PASS, RANKS, offers, opening_wins, rights
from replays.rulebook import Settlement
from replays.table import CLAIMS, DRY, FLOWER, KONG, NOTHING, OVER, TURN, Table
from replays.tiles import FIRST_FLOWER, Tile
from service.simulator.decks import Deck
from service.simulator.recorder import Recorder


class Answer(NamedTuple):
    """What a player chose, and how long it took in milliseconds; ``auto`` where the time ran out."""

    act: Act
    think: int
    auto: bool = False


class Player(Protocol):
    """Somebody at a seat. Both methods choose one of ``acts``, which are legal."""

    def decide(self, table: Table, seat: int, acts: Sequence[Act]) -> Answer:
        """In one's own turn: a discard, a kong, a win, a declaration."""
        ...

    def answer(self, table: Table, seat: int, acts: Sequence[Act]) -> Answer:
        """To what another did, or at the opening: a win, a claim, or a pass."""
        ...


class Hand:
    """One hand in play: who sits where, what is left of the wall, and the log it goes into."""

    def __init__(self, log: Recorder, players: Sequence[Player], deck: Deck) -> None:
        self.log = log
        self.players = players
        self.deck = deck
        self.wall = list(deck.wall)

    # -- The opening -------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Commitments, seeds, dice, deal, flowers and gold (S-DEAL-1, S-FLOWER-1, S-GOLD-1)."""
        log, deck = self.log, self.deck
        table = log.table
        committed = tuple(seed._replace(seed=None) for seed in deck.client_seeds)
        log.record(
            ev.HandStarted, table.hand + 1, table.dealer, table.streak, table.scores, deck.commitment, committed,
            deck.wall_root,
        )  # fmt: skip
        if deck.client_seeds:
            log.wait(400)
            log.note(ev.SeedsOpened, tuple(seed._replace(commitment=None) for seed in deck.client_seeds))
        log.wait(900)
        log.note(ev.DiceRolled, table.dealer, "break", deck.break_dice)
        self._deal()
        self._replace_opening_flowers()
        throws = deck.gold_dice()
        for _ in range(table.book.gold_flips):
            self._flip(throws)

    def _deal(self) -> None:
        table = self.log.table
        n, size = len(table.seats), table.book.hand_size
        wall = self.wall
        for step in range(n):
            self.log.wait(300)
            tiles = tuple(wall[place] for place in dealt_places(step, n, size))
            self.log.note(ev.Dealt, (table.dealer + step) % n, tiles)
        del wall[: n * size + 1]

    def _replace_opening_flowers(self) -> None:
        while (seat := next_flower_seat(self.log.table)) != NOTHING:
            self.log.wait(700)
            flowers = _held_flowers(self.log.table, seat)
            drawn = tuple(self.wall.pop() for _ in flowers)
            self.log.note(ev.FlowersReplaced, seat, flowers, drawn)

    def _flip(self, throws: Iterator[tuple[int, int]]) -> None:
        """A gold: a throw for every flip, or with ``gold_flower`` = ``next`` one throw and on towards the head."""
        log, table = self.log, self.log.table
        flipped = list[Tile]()
        place = 0
        while not flipped or flipped[-1] >= FIRST_FLOWER or flipped[-1] in table.golds:
            if not place or table.book.options["gold_flower"] == "rethrow":
                dice = next(throws)
                place = sum(dice) * table.book.gold_step
                log.wait(800)
                log.note(ev.DiceRolled, table.dealer, "gold", dice)
            flipped.append(self.wall.pop(-place))
        log.wait(500)
        log.note(ev.GoldFlipped, tuple(flipped), flipped[-1])

    # -- Play --------------------------------------------------------------------------------------------------------

    def play(self) -> None:
        """From the flip until the hand is won or exhausted."""
        while self.log.table.phase != OVER:
            self.step()

    def step(self) -> None:
        """The next decision or draw, with all that belongs to it."""
        _STEPS[self.log.table.phase](self)

    def turn(self) -> None:
        """The seat on turn decides; at the opening the rights of all seats come first."""
        if self.log.table.opening and self._won_at_opening():
            return
        table = self.log.table
        seat = table.turn
        acts = offers(table)[seat]
        self._prompt(seat, acts)
        if table.opening:
            acts = tuple([act for act in acts if act.act != "win"])
        chosen = self.players[seat].decide(self.log.table, seat, acts)
        self.log.wait(chosen.think)
        _PERFORM[chosen.act.act](self.log, seat, chosen.act)

    def _won_at_opening(self) -> bool:
        """Whether anybody wins on the dealt hand. The rights come in the order of the rule set (X-WIN-11, L-OPEN-1),
        those of one place together; who declines one says so on record, and may have another."""
        declined = set[tuple[int, int]]()
        while wins := [win for win in opening_wins(self.log.table) if (win.seat, win.place) not in declined]:
            first = [win for win in wins if win.place == wins[0].place]
            if self._ask({win.seat: [win.act] for win in first}):
                return True
            declined |= {(win.seat, win.place) for win in first}
        return False

    def claims(self) -> None:
        """The others answer a discard; where nobody takes it the next seat draws, or the hand is over."""
        table = self.log.table
        if self._ask(self._rights()):
            return
        if not may_draw(table):
            self.log.note(ev.Exhausted)
            return
        self.log.wait(200)
        self.log.note(ev.Drew, table.following(table.turn), self.wall.pop(0), False)

    def kong(self) -> None:
        """Whoever may rob the kong is asked; else the replacement comes from the tail (S-ROB-1)."""
        if self._ask(self._rights()):
            return
        self.log.wait(300)
        self.log.note(ev.Drew, self.log.table.turn, self.wall.pop(), True)

    def flower(self) -> None:
        """A drawn flower is laid out and replaced while a tile may be drawn (S-FLOWER-2, S-FLOWER-3)."""
        table = self.log.table
        drawn = (self.wall.pop(),) if may_draw(table) else ()
        self.log.wait(600)
        self.log.note(ev.FlowersReplaced, table.turn, _held_flowers(table, table.turn), drawn)

    def dry(self) -> None:
        """Nothing may be drawn, and something had to be."""
        self.log.note(ev.Exhausted)

    def _rights(self) -> dict[int, list[Act]]:
        """What each seat not on turn may do, nearest first."""
        table = self.log.table
        found = ((seat, rights(table, seat)) for seat in table.others(table.turn))
        return {seat: acts for seat, acts in found if acts}

    def _ask(self, asked: dict[int, list[Act]]) -> bool:
        """Asks all ``asked`` at once and lets the best claim act (S-CLAIM-1); whether anybody did."""
        if not asked:
            return False
        table, log = self.log.table, self.log
        for seat, acts in asked.items():
            self._prompt(seat, (*(offers(table)[seat] if seat == table.turn else acts), PASS))
        answers = {seat: self.players[seat].answer(table, seat, (*acts, PASS)) for seat, acts in asked.items()}
        self._record_passes(table.seq, asked, answers)
        claims = {seat: answer.act for seat, answer in answers.items() if answer.act != PASS}
        if not claims:
            return False
        winner = max(claims, key=lambda seat: RANKS[claims[seat].act])  # the first, so the nearest, of equals
        for seat, act in claims.items():
            if seat != winner:
                log.note(ev.ClaimOverridden, seat, act, winner)
        _PERFORM[claims[winner].act](log, winner, claims[winner])
        return True

    def _record_passes(self, on: int, asked: dict[int, list[Act]], answers: dict[int, Answer]) -> None:
        """The passes in the order in which they came; then the time goes on to when the last answer was in."""
        log, begun = self.log, self.log.now
        for seat, answer in sorted(answers.items(), key=lambda pair: pair[1].think):
            log.now = begun + answer.think
            if answer.act == PASS:
                log.note(ev.Passed, seat, tuple(sorted(asked[seat], key=act_order)), on, answer.auto or None)

    def _prompt(self, seat: int, acts: Sequence[Act]) -> None:
        """What a seat is asked. Discards are left out: nearly every tile is one, and the hand shows them."""
        options = tuple(sorted((act for act in acts if act.act != "discard"), key=act_order))
        self.log.note(ev.TurnPrompted, seat, options)

    # -- The end -----------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Settlement, the wall and what opens its commitment, scores."""
        log, table = self.log, self.log.table
        deltas = derived_deltas(table)
        if deltas is None or table.outcome is None:
            raise RuntimeError(f"{table.game}: hand {table.hand} has no result")
        log.wait(1000)
        log.note(ev.Settled, deltas, _breakdown(table.outcome.settlement))
        log.note(ev.WallRevealed, tuple(self.deck.wall), *self.deck.opening)
        log.note(ev.HandEnded, tuple(a + b for a, b in zip(table.scores, deltas, strict=True)))
        log.wait(4000)


_STEPS: dict[int, Callable[[Hand], None]] = {
    TURN: Hand.turn,
    CLAIMS: Hand.claims,
    KONG: Hand.kong,
    FLOWER: Hand.flower,
    DRY: Hand.dry,
}


# -- Acts as events ----------------------------------------------------------------------------------------------------


def _discard(log: Recorder, seat: int, act: Act) -> None:
    """A discard; one that makes 雙游 or 三游 is announced (S-VIEW-1)."""
    table = log.table
    level = None
    if act.tile in table.golds:
        quiet = ev.Discarded(table.seq + 1, table.at, table.hand, seat, act.tile)
        reached = apply(table, quiet).levels[seat]
        level = LEVEL_NAMES[reached] if reached > table.levels[seat] else None
    log.note(ev.Discarded, seat, act.tile, level)


def _chow(log: Recorder, seat: int, act: Act) -> None:
    log.note(ev.Chowed, seat, act.tile, act.from_, act.with_)


def _pung(log: Recorder, seat: int, act: Act) -> None:
    log.note(ev.Punged, seat, act.tile, act.from_, act.with_)


def _kong(log: Recorder, seat: int, act: Act) -> None:
    log.note(ev.Konged, seat, act.kind, act.tile, act.with_, act.from_)


def _win(log: Recorder, seat: int, act: Act) -> None:
    log.note(ev.Won, seat, act.win, act.tile, act.from_)


def _declare(log: Recorder, seat: int, act: Act) -> None:
    log.note(ev.Declared, seat, act.kind)


_PERFORM: dict[str, Callable[[Recorder, int, Act], None]] = {
    "discard": _discard,
    "chow": _chow,
    "pung": _pung,
    "kong": _kong,
    "win": _win,
    "declare": _declare,
}


def _breakdown(settlement: Settlement | None) -> tuple[Item, ...] | None:
    """The lines of a settlement; none at all for a hand without winner in which nothing was settled."""
    if settlement is None or not (settlement.items or settlement.win):
        return None
    return tuple([item._replace(tile=None) for item in settlement.items])


def _held_flowers(table: Table, seat: int) -> tuple[Tile, ...]:
    return tuple(FIRST_FLOWER + i for i in range(8) if table.held[seat] >> i & 1)
