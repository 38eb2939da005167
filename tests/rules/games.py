"""Walls and whole logs by hand, and logs with something altered. See ``tests.rules.builders``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from replays import events as ev
from replays.audit import Report, audit
from replays.clauses.opening import next_flower_seat
from replays.events import Act, Records, Seating
from replays.reducer import apply, start
from replays.referee import RANKS, offers, rights
from replays.table import CLAIMS, DRY, FLOWER, KONG, NOTHING
from replays.tiles import CODES, KINDS, Tile, is_flower
from replays.variants import rulebook
from tests.rules.positions import (
    PASS,
    RULESET,
    apart,
    chow,
    clock,
    dull,
    event,
    gold_kinds,
    kong,
    members,
    most_players,
    pung,
    tiles,
)

# -- Walls and logs ------------------------------------------------------------------------------------------------


def chosen_wall(
    hands: Sequence[str] | Mapping[int, str] = (),
    *,
    draws: str = "",
    tail: str = "",
    gold: str | None = None,
    place: int | Sequence[int] = 2,
    dealer: int = 0,
    ruleset: str = RULESET,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> tuple[Tile, ...]:
    """A whole wall that deals the ``hands`` (seats left out, and hands too short, are filled up), then gives ``draws``
    from the head; ``tail`` are the tail tiles in the order drawn: opening replacements first, then kongs and flowers
    in play. The flip at ``place`` (the sum of the gold dice) turns up ``gold`` (text: all flips in their order,
    rejected ones too; ``place`` may be a number for each). By default those are the golds of ``gold_kinds``. No other
    flower comes before the dead wall, or where there is none before the tail."""
    book = rulebook(ruleset, "1", options or {})
    given = dict(enumerate(hands)) if not isinstance(hands, Mapping) else dict(hands)
    n, size = players or most_players(book), book.hand_size
    pool = list(book.wall)
    dealt = {seat: list(tiles(given.get(seat, ""))) for seat in range(n)}
    head, ends, golds = list(tiles(draws)), list(tiles(tail)), tiles(gold_kinds(book) if gold is None else gold)
    for one in (*(t for seat in range(n) for t in dealt[seat]), *head, *ends, *golds):
        pool.remove(one)
    for seat in range(n):
        _fill(dealt[seat], size + (seat == dealer), pool, golds, apart(book))
    replaced = _replaced([t for seat in range(n) for t in dealt[seat]], ends)
    pool = _mixed(pool)
    sums = (place,) * len(golds) if isinstance(place, int) else place
    counted = [replaced + book.gold_step * each - 1 for each in sums]
    while len(ends) < max(counted):
        ends.append(pool.pop())
    # The last flip first: each place is counted without the tiles that the flips before it took.
    for one, at in reversed([*zip(golds, counted, strict=True)]):
        ends.insert(at, one)
    # Flowers that nobody asked for lie where the head never comes: in the dead wall.
    flowers = [one for one in pool if is_flower(one)]
    rest = [one for one in pool if not is_flower(one)]
    return (*deal_order(dealt, dealer, n, size), *head, *rest, *flowers, *reversed(ends))


def _fill(hand: list[Tile], size: int, pool: list[Tile], golds: Sequence[Tile], apart: int) -> None:
    gone = [kind for kind in range(KINDS) for _ in range(4 - pool.count(kind))]
    wanted = dull((*gone, *hand), golds, size - len(hand), apart=apart) if not hand else []
    for one in (*wanted, *(kind for kind in range(KINDS) for _ in range(pool.count(kind)) if kind not in golds)):
        if len(hand) < size and one in pool:
            hand.append(one)
            pool.remove(one)


def _replaced(dealt: list[Tile], ends: list[Tile]) -> int:
    """How many tail tiles the opening replacement takes."""
    taken, pending = 0, sum(map(is_flower, dealt))
    while pending:
        fresh_tiles = ends[taken : taken + pending]
        taken += pending
        pending = sum(map(is_flower, fresh_tiles))
    return taken


def _mixed(pool: list[Tile]) -> list[Tile]:
    """The tiles with equal ones far apart, always in the same order."""
    return [one for _, one in sorted((pool[:i].count(one), one) for i, one in enumerate(pool))]


def deal_order(dealt: Mapping[int, Sequence[Tile]], dealer: int, n: int, size: int) -> list[Tile]:
    seats = [(dealer + step) % n for step in range(n)]
    rounds, rest = divmod(size, 4)
    order = [one for i in range(rounds) for seat in seats for one in dealt[seat][4 * i : 4 * i + 4]]
    order += [dealt[seat][4 * rounds + i] for i in range(rest) for seat in seats]
    return [*order, dealt[dealer][size]]


class Game:
    """A log in the making: every method appends the right events and applies them.

    ``events`` is the log so far, ``table`` the position, ``wall`` what is left of the wall of the hand being played.
    With ``records.passes`` the passes that are due are put on record by themselves.
    """

    def __init__(
        self,
        options: Mapping[str, Any] | None = None,
        *,
        ruleset: str = RULESET,
        players: int | None = None,
        records: Records | None = None,
        first_dealer: int = 0,
        scores: Sequence[int] | None = None,
        game: str = "g",
        commitment: ev.GameCommitment | None = None,
    ) -> None:
        n = players or most_players(rulebook(ruleset, "1", options or {}))
        seats = tuple(Seating(f"p{seat}") for seat in range(n))
        kept = None if scores is None else tuple(scores)
        first = ev.GameStarted(
            0, clock(0), game, ruleset, "1", dict(options or {}), seats, first_dealer, kept, records or Records(),
            None, commitment,
        )  # fmt: skip
        self.events: list[Any] = [first]
        self.table = start(first)
        self.wall: list[Tile] = []
        self.whole: tuple[Tile, ...] = ()

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return self.table.seq

    def emit(self, kind: str, /, **given: Any) -> Game:
        """Any event at all, right or wrong."""
        if kind == "hand_started" and "hand" not in given:
            given["hand"] = self.table.hand + 1
        made = event(self.table, kind, **given)
        self.table = apply(self.table, made)
        self.events.append(made)
        return self

    # -- The opening

    def open(
        self,
        wall: Sequence[Tile],
        *,
        dice: tuple[int, int] | None = (1, 1),
        break_dice: tuple[int, int] | None = None,
        rethrows: Sequence[tuple[int, int]] = (),
        second: Sequence[tuple[int, int]] = ((1, 1),),
        seeds: Sequence[ev.ClientSeed] = (),
        **started: Any,
    ) -> Game:
        """A hand up to the dealer's first turn: start, deal, flowers in rounds, gold dice (and ``rethrows``), flip.
        ``second``: the throws of the second gold, where the rule set flips two. ``seeds`` are opened after the start;
        ``started`` are members of ``hand_started``."""
        table = self.table
        right = {"dealer": table.dealer, "streak": table.streak, "scores": table.scores}
        self.emit("hand_started", **(right | started))
        if seeds:
            self.emit("seeds_opened", client_seeds=tuple(seeds))
        if break_dice is not None:
            self.emit("dice_rolled", purpose="break", dice=break_dice, seat=self.table.dealer)
        self.whole, self.wall = tuple(wall), list(wall)
        self._deal()
        self.lay_flowers()
        if dice is None:
            return self
        self.flip(dice, *rethrows)
        return self.flip(*second) if self.table.book.gold_flips > 1 else self

    def _deal(self) -> None:
        n, size, dealer = len(self.table.seats), self.table.book.hand_size, self.table.dealer
        dealt: dict[int, list[Tile]] = {seat: [] for seat in range(n)}
        seats = [(dealer + step) % n for step in range(n)]
        for portion in (4,) * (size // 4) + (1,) * (size % 4):
            for seat in seats:
                dealt[seat] += [self.wall.pop(0) for _ in range(portion)]
        dealt[dealer].append(self.wall.pop(0))
        for seat in seats:
            self.emit("dealt", seat=seat, tiles=tuple(dealt[seat]))

    def lay_flowers(self) -> Game:
        """The opening replacement in rounds until nobody holds a flower."""
        while (seat := next_flower_seat(self.table)) != NOTHING:
            laid = tuple(one for one in self.table.concealed(seat) if is_flower(one))
            self.emit("flowers_replaced", seat=seat, flowers=laid, drawn=tuple(self.wall.pop() for _ in laid))
        return self

    def flip(self, *throws: tuple[int, int]) -> Game:
        """The gold dice, thrown by the dealer, and the flip that they give; flowers, and the first gold once more, are
        rejected by the option."""
        flipped: list[Tile] = []
        is_next = self.table.book.options["gold_flower"] == "next"
        for dice in throws:
            self.emit("dice_rolled", purpose="gold", dice=dice, seat=self.table.dealer)
            flipped.append(self.wall.pop(-sum(dice) * self.table.book.gold_step))
            while is_next and (is_flower(flipped[-1]) or flipped[-1] in self.table.golds):
                flipped.append(self.wall.pop(-sum(dice) * self.table.book.gold_step))
        return self.emit("gold_flipped", tiles=tuple(flipped), gold=flipped[-1])

    # -- Play

    def draw(self) -> Game:
        """The draw that is due: from the head, or from the tail after a kong; a flower is laid out and replaced."""
        self._pass_all(0)
        table = self.table
        is_tail = table.phase == KONG
        seat = table.turn if is_tail else table.following(table.turn)
        self.emit("drew", seat=seat, tile=self.wall.pop(-1 if is_tail else 0), tail=is_tail)
        return self.replace_flowers()

    def replace_flowers(self) -> Game:
        """Lays out what was drawn, as long as it is a flower; nothing is drawn where nothing may be."""
        while self.table.phase == FLOWER:
            table = self.table
            laid = tuple(one for one in table.concealed(table.turn) if is_flower(one))
            drawn = (self.wall.pop(),) if table.left > table.book.dead_wall else ()
            self.emit("flowers_replaced", seat=table.turn, flowers=laid, drawn=drawn)
        return self

    def discard(self, code: str, **given: Any) -> Game:
        """A discard by the seat on turn, after the draw that may be due."""
        if self.table.phase in (CLAIMS, KONG):
            self.draw()
        self._pass_all(0)
        return self.emit("discarded", seat=self.table.turn, tile=code, **given)

    def play(self, codes: str) -> Game:
        """Discards one after another, each after its draw: ``"1z 2z 5m"``; ``"-"`` discards the tile just drawn."""
        for code in codes.split():
            if code == "-":
                self.draw()
                code = CODES[self.table.drawn]
            self.discard(code)
        return self

    def play_out(self) -> Game:
        """Everybody draws and discards as the rules allow (the drawn tile where they do) until no tile may be drawn."""
        while self.table.phase != DRY and not (self.table.phase == CLAIMS and not self._may_draw()):
            if self.table.phase == CLAIMS:
                self.draw()
                continue
            legal = [one for one in offers(self.table)[self.table.turn] if one.act == "discard"]
            chosen = next((one for one in legal if one.tile == self.table.drawn), legal[0])
            self.discard(CODES[chosen.tile])  # type: ignore[index]
        return self

    def _may_draw(self) -> bool:
        return self.table.left > self.table.book.dead_wall

    def act(self, seat: int, act: Act, **given: Any) -> Game:
        """An act as its event, with the passes before it; ``pass`` passes on all the rights there are. ``given`` are
        members of a win or a discard that an act does not have, such as ``tile_out``."""
        if act.act == "pass":
            return self._pass(seat)
        rank = 0 if act.kind in ("added", "concealed") else RANKS.get(act.act, 0)
        self._pass_all(rank, seat)
        if act.act == "win":
            return self.emit("won", seat=seat, win=act.win, tile=act.tile, from_=act.from_, **given)
        if act.act == "discard":
            return self.emit("discarded", seat=seat, tile=act.tile, **given)
        if act.act == "declare":
            return self.emit("declared", seat=seat, declaration=act.kind)
        claim: dict[str, Any] = {"seat": seat, "tile": act.tile, "with_": act.with_, "from_": act.from_}
        kind = {"chow": "chowed", "pung": "punged", "kong": "konged"}[act.act]
        return self.emit(kind, **claim, **({"kind": act.kind} if kind == "konged" else {}))

    def chow(self, with_: str) -> Game:
        """The next seat chows the last discard with two of its tiles."""
        table = self.table
        return self.act(table.following(table.turn), chow(CODES[table.last], with_, table.turn))

    def pung(self, seat: int) -> Game:
        return self.act(seat, pung(CODES[self.table.last], self.table.turn))

    def kong(self, seat: int, code: str | None = None, kind: str = "exposed") -> Game:
        """A kong of the last discard, or of one's own tile as ``added`` or ``concealed``; the draw comes after."""
        if kind == "exposed":
            return self.act(seat, kong(CODES[self.table.last], kind, self.table.turn))
        return self.act(seat, kong(code or "", kind))

    def win(self, seat: int, **given: Any) -> Game:
        """The win that the referee offers to a seat; ``given`` as for ``act``."""
        act = next(one for one in offers(self.table)[seat] if one.act == "win")
        return self.act(seat, act, **given)

    def _pass_all(self, rank: int, seat: int | None = None) -> None:
        """Passes on every right of the others that is better than ``rank``, where passes are on record."""
        table = self.table
        if not table.records.passes or not (table.phase in (CLAIMS, KONG) or table.opening):
            return
        for other in table.others(table.turn):
            if other == seat and rank == RANKS["win"]:
                return
            if other == seat or self.table.answered >> other & 1:
                continue
            if self._is_better(other, rank):
                self._pass(other)

    def _is_better(self, seat: int, rank: int) -> bool:
        ranks = [RANKS[one.act] for one in rights(self.table, seat)]
        return any(other > rank or other == rank == RANKS["win"] for other in ranks)

    def _pass(self, seat: int) -> Game:
        options = tuple(one for one in offers(self.table)[seat] if one != PASS)
        return self.emit("passed", seat=seat, options=options, on=self.seq)

    # -- The end

    def exhaust(self) -> Game:
        self._pass_all(0)
        return self.emit("exhausted")

    def deltas(self) -> tuple[int, ...]:
        """What the hand is worth by the engine."""
        outcome = self.table.outcome
        settlement = None if outcome is None else outcome.settlement
        return (0,) * len(self.table.seats) if settlement is None else settlement.deltas

    def settle(self, deltas: Sequence[int] | None = None, **given: Any) -> Game:
        return self.emit("settled", deltas=self.deltas() if deltas is None else tuple(deltas), **given)

    def reveal(self, **given: Any) -> Game:
        """The wall as it was chosen."""
        return self.emit("wall_revealed", **({"wall": self.whole} | given))

    def end_hand(self) -> Game:
        """The scores after the hand."""
        paid = self.table.deltas or (0,) * len(self.table.seats)
        return self.emit("hand_ended", scores=tuple(a + b for a, b in zip(self.table.scores, paid, strict=True)))

    def close(self, *, reveal: bool = True) -> Game:
        """Settlement, wall and end of the hand."""
        self.settle()
        if reveal:
            self.reveal()
        return self.end_hand()

    def end(self, reason: str = "finished") -> Game:
        return self.emit("game_ended", scores=self.table.scores, reason=reason)

    def audit(self) -> Report:
        return audit(self.events)


# -- Altering a log ------------------------------------------------------------------------------------------------


def altered(events: Sequence[Any], seq: int, **given: Any) -> list[Any]:
    """The log with members of the event ``seq`` changed."""
    return [one._replace(**members(**given)) if one.seq == seq else one for one in events]


def without(events: Sequence[Any], *seqs: int) -> list[Any]:
    """The log without some events, numbered anew."""
    return renumbered(one for one in events if one.seq not in seqs)


def inserted(events: Sequence[Any], seq: int, kind: str, /, **given: Any) -> list[Any]:
    """The log with one more event before the event ``seq``, numbered anew; ``at`` and ``hand`` are those of the event
    before."""
    before = events[seq - 1]
    envelope: dict[str, Any] = {"seq": seq, "at": before.at}
    if "hand" in ev.TYPES[kind]._fields:
        envelope["hand"] = before.hand
    return renumbered([*events[:seq], ev.TYPES[kind](**(envelope | members(**given))), *events[seq:]])


def renumbered(events: Iterable[Any]) -> list[Any]:
    return [one._replace(seq=seq) for seq, one in enumerate(events)]


def seq_of(events: Sequence[Any], kind: str, nth: int = 0) -> int:
    """The number of the ``nth`` event of a type; negative counts from the last."""
    return int([one.seq for one in events if one.type == kind][nth])


def audited(events: Iterable[Any]) -> list[tuple[int, str, str]]:
    """Number, clause and code of every finding on a log."""
    report = audit(events)
    assert report.error is None, report.error
    return [(found.seq, found.clause, found.code) for found in report.findings]
