"""The referee: what every seat may do now, why it may not do something else, and what was wrong with what it did.

``offers`` and ``judge`` ask the same questions (``why_not``), so no act can be offered that would be found guilty,
and none found guilty that was offered. Neither ever changes anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from replays import events as ev
from replays.clauses import fairness, opening, totals, turns
from replays.clauses.claims import discard_claims, flower_first, own_kongs, turn_of, why_not_claim
from replays.clauses.you import LEVELS
from replays.events import Act
from replays.finding import Finding, act_document, act_order, finding, recorded
from replays.rulebook import Settlement, Violation, also
from replays.settle import decide, occasions
from replays.table import AFTER_CLAIM, BETWEEN, CLAIMS, DEALING, FINISHED, FLOWER, FLOWERS, KONG, PLAYING, TURN, Table
from replays.tiles import CODES

Offers = tuple[tuple[Act, ...], ...]

PASS = Act("pass")

#: Who goes first on a discard (S-CLAIM-1).
RANKS = {"win": 3, "kong": 2, "pung": 2, "chow": 1}


# -- Offers --------------------------------------------------------------------------------------------------------


def offers(table: Table) -> Offers:
    """Every legal act of every seat as the table stands, one sorted tuple a seat.

    A seat that may act without being on turn may also pass. Priority between seats (S-CLAIM-1) is not applied: these
    are rights, and who has a better one goes first.
    """
    return tuple(offers_to(table, seat) for seat in range(len(table.seats)))


def offers_to(table: Table, seat: int) -> tuple[Act, ...]:
    """``offers`` of one seat."""
    return tuple(sorted(_acts(table, seat), key=act_order))


def _acts(table: Table, seat: int) -> Iterable[Act]:
    if table.phase == TURN and seat == table.turn:
        yield from _own_turn(table, seat)
        return
    found = rights(table, seat)
    yield from found
    if found:
        yield PASS


def _own_turn(table: Table, seat: int) -> Iterable[Act]:
    if table.source != AFTER_CLAIM:
        yield from _win(table, seat)
        yield from (act for act in own_kongs(table, seat) if why_not_claim(table, seat, act) is None)
    if table.book.options["you_declared"] and not table.declared >> seat & 1 and _in_you_state(table, seat):
        yield Act("declare", kind="you")
    for tile in dict.fromkeys(table.concealed(seat)):
        if why_not_discard(table, seat, tile) is None:
            yield Act("discard", tile)


def rights(table: Table, seat: int) -> list[Act]:
    """What a seat that is not on turn may do about what lies open: win, claim, rob, or 三金倒 at the opening."""
    if table.phase == CLAIMS and seat != table.turn:
        claims = (act for act in discard_claims(table, seat) if why_not_claim(table, seat, act) is None)
        return [*_win(table, seat), *claims]
    is_open = (table.phase == KONG and table.robbable) or (table.phase == TURN and table.opening)
    return [*_win(table, seat)] if is_open and seat != table.turn else []


def _in_you_state(table: Table, seat: int) -> bool:
    return table.book.in_you_state(table.waiting(seat), table.layout)


def _win(table: Table, seat: int) -> Iterable[Act]:
    for tile, from_ in [(facts.tile, facts.from_) for facts in occasions(table, seat)]:
        settlement = _judge_win(table, seat, Act("win", tile, from_=from_))
        if isinstance(settlement, Settlement):
            yield Act("win", tile, win=settlement.win, from_=from_)


def _judge_win(table: Table, seat: int, act: Act, tile_out: int | None = None) -> Settlement | Violation:
    for bar in table.book.win_bars:
        violation = bar(table, seat, act)
        if violation is not None:
            return violation
    found = occasions(table, seat)
    if not found:
        return _nothing_to_win_on(table, seat)
    facts = next((facts for facts in found if (facts.tile, facts.from_) == (act.tile, act.from_)), None)
    if facts is None:
        first = found[0]
        tile = None if first.tile is None else CODES[first.tile]
        return Violation("S-CLAIM-3", "not_the_winning_tile", {"tile": tile, "from": first.from_})
    return decide(table.book, facts if tile_out is None else facts._replace(tile_out=tile_out))


def _nothing_to_win_on(table: Table, seat: int) -> Violation:
    if table.phase == FLOWER and seat == table.turn:
        return flower_first(table)
    if table.phase == TURN and seat == table.turn and table.source == AFTER_CLAIM:
        return Violation("S-CLAIM-2", "win_after_claim", {"acts": ["discard"]})
    return Violation("S-TURN-1", "nothing_to_win_on", turn_of(table))


def why_not(table: Table, seat: int, act: Act) -> Violation | None:
    """The clause that forbids ``act`` to ``seat`` now, or ``None`` where it is legal."""
    return _WHY_NOT[act.act](table, seat, act)


class OpeningWin(NamedTuple):
    """A win that a seat has at the opening: the place of its right in the rule set's order, the seat's distance from
    the dealer, the seat, and the act."""

    place: int
    distance: int
    seat: int
    act: Act


def opening_wins(table: Table) -> list[OpeningWin]:
    """Who may win at the opening and how, in the one order of these rights (L-OPEN-1, X-WIN-11), the first first."""
    if not table.opening or table.phase != TURN:
        return []
    found = (_opening_win(table, seat) for seat in range(len(table.seats)))
    return sorted([win for win in found if win is not None], key=lambda win: win[:2])


def _opening_win(table: Table, seat: int) -> OpeningWin | None:
    settlement = _judge_win(table, seat, Act("win"))
    if isinstance(settlement, Violation):
        return None
    is_dealer = seat == table.dealer
    names = settlement.right, settlement.win
    order = enumerate(table.book.opening_order)
    place = next(i for i, right in order if right.right in names and right.is_dealers == is_dealer)
    return OpeningWin(place, (seat - table.dealer) % len(table.seats), seat, Act("win", win=settlement.win))


def why_not_win(table: Table, seat: int, act: Act, tile_out: int | None = None) -> Violation | None:
    """Why a seat may not win, or not in the way that it names (X-WIN-9, L-WIN-10); ``tile_out`` is what a right of the
    opening is said to take away (L-OPEN-3, L-OPEN-4)."""
    verdict = _judge_win(table, seat, act, tile_out)
    if isinstance(verdict, Violation):
        return (table.book.misnamed(table, seat, act, verdict) if act.win else None) or verdict
    if act.win in (None, verdict.win):
        return None
    best = table.book.names.best_way
    return table.book.misnamed(table, seat, act, verdict) or Violation(
        best, "wrong_way_named", {"win": verdict.win, "deltas": list(verdict.deltas)}
    )


def why_not_discard(table: Table, seat: int, tile: int) -> Violation | None:
    """Why a seat may not discard ``tile``."""
    event = ev.Discarded(table.seq, table.at, table.hand, seat, tile)
    found = turns.judge_discarded(table, event)
    if not found:
        return None
    first = found[0]
    return Violation(first.clause, first.code, first.expected, first.also)


def _why_not_pass(table: Table, seat: int, act: Act) -> Violation | None:
    return None if rights(table, seat) else Violation("S-PASS-1", "nothing_to_pass", {"acts": []})


def _why_not_declare(table: Table, seat: int, act: Act) -> Violation | None:
    if act.kind == "you":
        is_right = _in_you_state(table, seat)
        return None if is_right else Violation("S-YOU-2", "not_in_you_state", {"declaration": None})
    book = table.book
    if act.kind == "heavenly_ready":
        is_open = act.kind in book.wins and bool(table.untouched >> seat & 1)
        is_right = is_open and book.is_ready(table.waiting(seat), table.layout)
        return None if is_right else Violation(book.names.ready, "not_ready", {"declaration": None})
    is_right = table.levels[seat] == LEVELS.get(act.kind or "")
    return None if is_right else Violation("S-YOU-3", "wrong_level", {"declaration": None})


_WHY_NOT: dict[str, Callable[[Table, int, Act], Violation | None]] = {
    "discard": lambda table, seat, act: why_not_discard(table, seat, -1 if act.tile is None else act.tile),
    "chow": why_not_claim,
    "pung": why_not_claim,
    "kong": why_not_claim,
    "win": why_not_win,
    "pass": _why_not_pass,
    "declare": _why_not_declare,
}


# -- Judgement -----------------------------------------------------------------------------------------------------


def judge(table: Table, event: Any) -> list[Finding]:
    """Everything that is wrong with ``event`` at ``table``, the table before it; empty where all is right.

    Findings carry the ``seq`` at which the fault lies: a revealed wall finds earlier draws.
    """
    found = judges(table.records.passes)[event.__class__](table, event)
    if event.seq != table.seq + 1 or event.at < table.at or event.hand != table.hand:
        return judge_envelope(table, event) + found
    return found


def judge_envelope(table: Table, event: Any) -> list[Finding]:
    """G-SEQ-1, G-TIME-1, and the number of the hand (G-ORDER-1)."""
    found = []
    if event.seq != table.seq + 1:
        found.append(finding(event, Violation("G-SEQ-1", "wrong_seq", {"seq": table.seq + 1}), {"seq": event.seq}))
    if event.at < table.at:
        found.append(finding(event, Violation("G-TIME-1", "clock_backwards", {"from": table.at}), {"at": event.at}))
    is_other_hand = event.hand is not None and event.hand != table.hand and not isinstance(event, ev.HandStarted)
    if is_other_hand and table.phase not in (BETWEEN, FINISHED):
        found.append(finding(event, Violation("G-ORDER-1", "wrong_hand", {"hand": table.hand}), {"hand": event.hand}))
    return found


def _judge_dealt(table: Table, event: ev.Dealt) -> list[Finding]:
    found = opening.judge_dealt(table, event)
    if table.phase != DEALING:
        return found
    found += turns.too_many(table, event, event.tiles)
    return found + fairness.judge_unopened(table, event) if table.client_seeds and not table.deals else found


def _judge_gold(table: Table, event: ev.GoldFlipped) -> list[Finding]:
    found = opening.judge_gold(table, event)
    return found + turns.too_many(table, event, event.tiles) if table.phase == FLOWERS else found


def _judge_drew_after_passes(table: Table, event: ev.Drew) -> list[Finding]:
    return turns.judge_drew(table, event) + _better_rights(table, event)


def _judge_discarded_after_passes(table: Table, event: ev.Discarded) -> list[Finding]:
    found = turns.judge_discarded(table, event)
    return found + _better_rights(table, event) if table.opening else found


def _judge_claim(table: Table, event: ev.Chowed | ev.Punged | ev.Konged) -> list[Finding]:
    if table.phase not in PLAYING:
        return [finding(event, opening.out_of_phase(table, "hand_started"))]
    found = why_not_claim(table, event.seat, act_of(event))
    if found is not None:
        return [finding(event, found)]
    return _better_rights(table, event) if table.records.passes else []


def act_of(event: ev.Chowed | ev.Punged | ev.Konged | ev.Won) -> Act:
    """The act that an event records."""
    if isinstance(event, ev.Won):
        return Act("win", event.tile, (), None, event.win, event.from_)
    if isinstance(event, ev.Konged):
        return Act("kong", event.tile, event.with_, event.kind, None, event.from_)
    return Act("chow" if type(event) is ev.Chowed else "pung", event.tile, event.with_, None, None, event.from_)


def _judge_won(table: Table, event: ev.Won) -> list[Finding]:
    if table.doubt >> event.seat & 1:
        return []
    if table.phase not in PLAYING:
        return [finding(event, opening.out_of_phase(table, "settled"))]
    found = why_not_win(table, event.seat, act_of(event), event.tile_out)
    if found is not None:
        return [finding(event, found)]
    return _better_rights(table, event) if table.records.passes else []


def _judge_exhausted(table: Table, event: ev.Exhausted) -> list[Finding]:
    found = turns.judge_exhausted(table, event)
    return found + _better_rights(table, event) if table.records.passes else found


def _better_rights(table: Table, event: Any) -> list[Finding]:
    """S-CLAIM-1, S-ROB-1: nobody acts before a better right was used or passed; S-PASS-1: and no right goes
    unmentioned, where passes are on record."""
    rank = _rank(event)
    is_win = rank == RANKS["win"]
    if table.phase not in (CLAIMS, KONG):
        if not table.opening:
            return []  # nothing lies open
        if is_win:
            return _earlier_rights(table, event)
    for seat in table.others(table.turn):
        if seat == event.seat:
            if is_win:
                return []
            continue
        if (table.answered | table.doubt) >> seat & 1:
            continue
        better = [act for act in rights(table, seat) if RANKS[act.act] >= rank + (not is_win)]
        if better:
            return [_overtaken(table, event, seat, better, rank)]
    return []


def _earlier_rights(table: Table, event: ev.Won) -> list[Finding]:
    """L-OPEN-1, X-WIN-11: nobody wins at the opening before an earlier right was used or passed."""
    clause = ""
    found = []
    for win in opening_wins(table):
        if win.seat == event.seat:
            clause = table.book.opening_order[win.place].clause
            break
        if not (table.answered | table.doubt) >> win.seat & 1:
            found.append(win)
    if not found or not clause:
        return []
    expected = {"seat": found[0].seat, "acts": [act_document(found[0].act)]}
    return [finding(event, Violation(clause, "better_right", expected, also("S-CLAIM-1", clause)))]


def _rank(event: Any) -> int:
    if isinstance(event, ev.Konged) and event.kind != "exposed":
        return 0
    return {ev.Won: 3, ev.Konged: 2, ev.Punged: 2, ev.Chowed: 1}.get(event.__class__, 0)


def _overtaken(table: Table, event: Any, seat: int, better: list[Act], rank: int) -> Finding:
    clause, code = ("S-CLAIM-1", "better_right") if rank else ("S-PASS-1", "right_not_on_record")
    if rank and table.phase == KONG:
        clause = "S-ROB-1"
    expected = {"seat": seat, "acts": [act_document(act) for act in sorted(better, key=act_order)]}
    own = _right_clause(table, seat, better[0], clause) if rank else clause
    return finding(event, Violation(own, code, expected, also(clause, own)))


def _right_clause(table: Table, seat: int, act: Act, otherwise: str) -> str:
    """The clause that orders the right of the opening by which a seat may win on a discard, if it may (L-OPEN-2)."""
    settlement = _judge_win(table, seat, act) if act.act == "win" else None
    right = settlement.right if isinstance(settlement, Settlement) else ""
    order = table.book.opening_order
    return next((known.clause for known in order if known.right == right and not known.is_dealers), otherwise)


def _in_play(judge: Callable[[Table, Any], list[Finding]]) -> Callable[[Table, Any], list[Finding]]:
    """``judge`` for an event that belongs into play, and says nothing of a seat whose tiles are in doubt."""

    def judged(table: Table, event: Any) -> list[Finding]:
        if table.phase not in PLAYING:
            return [finding(event, opening.out_of_phase(table, "hand_started"), {})]
        return [] if table.doubt >> event.seat & 1 else judge(table, event)

    return judged


def _judge_passed(table: Table, event: ev.Passed) -> list[Finding]:
    """S-PASS-1: the acts passed on are those that the seat had; on its own turn, some of them."""
    is_own_turn = table.phase == TURN and event.seat == table.turn
    legal = [act for act in _acts(table, event.seat) if act != PASS]
    if _are_same(event.options, legal, is_own_turn):
        return []
    expected = {"acts": [act_document(act) for act in sorted(legal, key=act_order)]}
    return [finding(event, Violation("S-PASS-1", "wrong_pass", expected), recorded(event, "options"))]


def _judge_prompted(table: Table, event: ev.TurnPrompted) -> list[Finding]:
    """S-PASS-1: what a server offered is what the seat may do; discards may be left out."""
    legal = [act for act in _acts(table, event.seat) if act != PASS]
    asked = [act for act in event.options if act.act != "pass"]
    names_discards = any(act.act == "discard" for act in asked)
    wanted = [act for act in legal if names_discards or act.act != "discard"]
    if _are_same(tuple(asked), wanted, False):
        return []
    expected = {"acts": [act_document(act) for act in sorted(legal, key=act_order)]}
    return [finding(event, Violation("S-PASS-1", "wrong_prompt", expected), recorded(event, "options"))]


def _are_same(named: tuple[Act, ...], legal: list[Act], may_be_fewer: bool) -> bool:
    """Whether every act named is legal and, unless fewer may be named, every legal act is named."""
    options = [act for act in named if act.act != "pass"]
    if not all(any(_names(act, known) for known in legal) for act in options):
        return False
    return may_be_fewer or all(any(_names(act, known) for act in options) for known in legal)


def _names(named: Act, known: Act) -> bool:
    """Whether the members that a record gives are those of a legal act; it may leave members out."""
    given = ((a, b) for a, b in zip(named, known, strict=True) if a not in (None, ()))
    return all(sorted(a) == sorted(b) if isinstance(a, tuple) and isinstance(b, tuple) else a == b for a, b in given)


def _judge_overridden(table: Table, event: ev.ClaimOverridden) -> list[Finding]:
    """S-CLAIM-1: the claim that lost was a right of that seat, and the seat named had a better one."""
    found = rights(table, event.seat)
    if not any(_names(event.claim, act) for act in found):
        expected = {"acts": [act_document(act) for act in sorted(found, key=act_order)]}
        return [finding(event, Violation("S-CLAIM-3", "claim_without_right", expected))]
    if event.by >= len(table.seats) or table.doubt >> event.by & 1 or _is_better(table, event):
        return []
    kept = {"seat": event.seat, "acts": [act_document(event.claim)]}
    return [finding(event, Violation("S-CLAIM-1", "overridden_by_less", kept), recorded(event, "by"))]


def _is_better(table: Table, event: ev.ClaimOverridden) -> bool:
    """Whether the seat that a claim lost to has a higher right, or as a nearer one an equal right to win."""
    rank = RANKS[event.claim.act]
    ranks = [RANKS[act.act] for act in rights(table, event.by)]
    nearer = table.others(table.turn)
    is_nearer = event.by != table.turn and nearer.index(event.by) < nearer.index(event.seat)
    return any(other > rank or (other == rank == RANKS["win"] and is_nearer) for other in ranks)


def _judge_declared(table: Table, event: ev.Declared) -> list[Finding]:
    found = _why_not_declare(table, event.seat, Act("declare", kind=event.declaration))
    return [] if found is None else [finding(event, found)]


def _judge_voided(table: Table, event: ev.Voided) -> list[Finding]:
    is_on = table.phase not in (BETWEEN, FINISHED)
    return [] if is_on else [finding(event, opening.out_of_phase(table, "hand_started"), {})]


def _judge_presence(table: Table, event: ev.PresenceChanged) -> list[Finding]:
    """Anywhere after ``game_started``, but nothing follows ``game_ended``."""
    return [] if table.phase != FINISHED else [finding(event, opening.out_of_phase(table), {})]


def _judge_nothing(table: Table, event: Any) -> list[Finding]:
    return []


Judges = dict[type, Callable[[Table, Any], list[Finding]]]

#: What is asked about each kind of event, beside its envelope.
JUDGES: Judges = {
    ev.GameStarted: _judge_nothing,
    ev.HandStarted: totals.judge_hand_started,
    ev.SeedsOpened: fairness.judge_seeds,
    ev.DiceRolled: opening.judge_dice,
    ev.Dealt: _judge_dealt,
    ev.FlowersReplaced: turns.judge_flowers,
    ev.GoldFlipped: _judge_gold,
    ev.TurnPrompted: _in_play(_judge_prompted),
    ev.Drew: turns.judge_drew,
    ev.Discarded: turns.judge_discarded,
    ev.Chowed: _judge_claim,
    ev.Punged: _judge_claim,
    ev.Konged: _judge_claim,
    ev.Passed: _in_play(_judge_passed),
    ev.ClaimOverridden: _in_play(_judge_overridden),
    ev.Declared: _in_play(_judge_declared),
    ev.Won: _judge_won,
    ev.Exhausted: _judge_exhausted,
    ev.Settled: totals.judge_settled,
    ev.WallRevealed: fairness.judge_wall,
    ev.HandEnded: totals.judge_hand_ended,
    ev.PresenceChanged: _judge_presence,
    ev.Voided: _judge_voided,
    ev.GameEnded: totals.judge_game_ended,
}

_JUDGES_AFTER_PASSES: Judges = {
    **JUDGES,
    ev.Drew: _judge_drew_after_passes,
    ev.Discarded: _judge_discarded_after_passes,
}


def judges(passes: bool) -> Judges:
    """``JUDGES``; where ``passes`` are on record, they ask of draws and discards too whether another had a better
    right (S-PASS-1)."""
    return _JUDGES_AFTER_PASSES if passes else JUDGES
