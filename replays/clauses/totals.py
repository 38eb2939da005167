"""Numbers that must follow: dealer, streak, scores, settlement (G-DEALER-1, G-SCORE-1, X-PAY-…, X-WATER-…, L-PAY-…)."""

from __future__ import annotations

from collections.abc import Iterable
from operator import add

from replays.clauses.ending import is_between
from replays.clauses.fairness import judge_commitments
from replays.clauses.opening import out_of_phase
from replays.events import GameEnded, HandEnded, HandStarted, Item, Settled
from replays.finding import Finding, finding
from replays.rulebook import Explain, Settlement, Violation, also
from replays.table import FINISHED, OVER, SETTLED, VOIDED, Table


def judge_hand_started(table: Table, event: HandStarted) -> list[Finding]:
    """A new hand: its number, dealer and streak follow from the one before, its scores are those on record."""
    found = [] if is_between(table) else [finding(event, out_of_phase(table, "hand_ended", "voided"), {})]
    if event.hand != table.hand + 1:
        found.append(
            finding(event, Violation("G-ORDER-1", "wrong_hand", {"hand": table.hand + 1}), {"hand": event.hand})
        )
    clause = table.book.names.dealer if table.hand else "G-DEALER-1"
    if (event.dealer, event.streak) != (table.dealer, table.streak):
        code = "wrong_dealer" if event.dealer != table.dealer else "wrong_streak"
        beside = also("G-DEALER-1", clause)
        violation = Violation(clause, code, {"dealer": table.dealer, "streak": table.streak}, beside)
        found.append(finding(event, violation, {"dealer": event.dealer, "streak": event.streak}))
    found += _judge_scores(table, event, table.scores)
    return found + judge_commitments(table, event)


def judge_hand_ended(table: Table, event: HandEnded) -> list[Finding]:
    """G-SCORE-1: the scores before the hand and what was settled."""
    found = []
    if table.phase not in (OVER, SETTLED):
        return [finding(event, out_of_phase(table, "hand_started" if is_between(table) else "won"), {})]
    if table.phase != SETTLED and not is_between(table):
        found.append(finding(event, out_of_phase(table, "settled"), {}))
    deltas = table.deltas if table.deltas is not None else derived_deltas(table)
    if deltas is None:
        return found
    return found + _judge_scores(table, event, tuple(map(add, table.scores, deltas)))


def judge_game_ended(table: Table, event: GameEnded) -> list[Finding]:
    """G-SCORE-1: the final scores are those after the last hand; a game may be abandoned or voided within one."""
    if table.phase == FINISHED or not (is_between(table) or event.reason != "finished"):
        return [finding(event, out_of_phase(table, "hand_ended"), {})]
    return _judge_scores(table, event, table.scores)


def _judge_scores(table: Table, event: HandStarted | HandEnded | GameEnded, expected: tuple[int, ...]) -> list[Finding]:
    if event.scores == expected:
        return []
    violation = Violation("G-SCORE-1", "scores_do_not_follow", {"scores": list(expected)})
    return [finding(event, violation, {"scores": list(event.scores)})]


def derived_deltas(table: Table) -> tuple[int, ...] | None:
    """What the hand is worth by the rules, ``None`` where it cannot be said. A voided one is worth nothing."""
    outcome = table.outcome
    if outcome == VOIDED:
        return (0,) * len(table.seats)
    return outcome.settlement.deltas if outcome and outcome.settlement else None


def judge_settled(table: Table, event: Settled) -> list[Finding]:
    """What the server paid against what the hand is worth; a win that is none is found at the win, not here."""
    if table.phase != OVER:
        return [finding(event, out_of_phase(table, "won", "exhausted"), {})]
    if len(event.deltas) != len(table.seats):
        return []
    expected = derived_deltas(table)
    if expected is None:
        return _judge_balance(table, event, None)
    found = _judge_items(table, event)
    if event.deltas == expected:
        return found
    return found or _judge_balance(table, event, expected) or [_wrong_payment(table, event, expected)]


def _judge_balance(table: Table, event: Settled, expected: tuple[int, ...] | None) -> list[Finding]:
    if sum(event.deltas) == 0:
        return []
    wanted: dict[str, object] = {"sum": 0} if expected is None else {"sum": 0, "deltas": list(expected)}
    return [finding(event, Violation(table.book.names.balance, "does_not_balance", wanted), _paid(event))]


def _judge_items(table: Table, event: Settled) -> list[Finding]:
    """The server's own breakdown, line by line of the clauses that the engine knows too."""
    settlement = table.outcome.settlement if table.outcome else None
    if event.items is None or settlement is None:
        return []
    theirs, ours = _by_line(event.items), _by_line(settlement.items)
    beside = [line.code for line in table.book.beside(table)]
    found = []
    for line in dict.fromkeys((*ours, *theirs)):
        seat, code = line
        if code in table.book.clauses and theirs.get(line, 0) != ours.get(line, 0):
            is_left_out = code in beside and line not in theirs
            more = also(table.book.names.beside, code) if is_left_out else ()
            violation = Violation(code, "wrong_item", {"seat": seat, "value": ours.get(line, 0)}, more)
            found.append(finding(event, violation, {"seat": seat, "value": theirs.get(line, 0)}, seat=seat))
    return found


def _by_line(items: Iterable[Item]) -> dict[tuple[int, str], int]:
    lines: dict[tuple[int, str], int] = {}
    for item in items:
        line = (item.seat, item.code)
        lines[line] = lines.get(line, 0) + item.value
    return lines


def _wrong_payment(table: Table, event: Settled, expected: tuple[int, ...]) -> Finding:
    """By the mistake that explains the difference, where the rule set knows one; else by who pays what."""
    settlement = table.outcome.settlement if table.outcome else None
    wanted: dict[str, object] = {"deltas": list(expected)}
    if settlement is None:
        return finding(event, Violation("G-SCORE-1", "paid_for_a_voided_hand", wanted), _paid(event))
    explained = table.book.explain(table, settlement, event.deltas)
    if explained is None and settlement.win is None:
        return finding(event, Violation(settlement.pays, "paid_without_winner", wanted), _paid(event))
    violation = explained or Violation(settlement.pays, "wrong_payment")
    wanted |= {"win": settlement.win, "factor": settlement.factor, "water": settlement.water}
    return finding(event, violation._replace(expected=wanted), _paid(event))


def explained_by_water(clause: str) -> Explain:
    """X-WATER-6: every payment differs by the same multiple of the factor."""

    def explain(table: Table, settlement: Settlement, deltas: tuple[int, ...]) -> Violation | None:
        is_off = table.outcome is not None and water_off(settlement, deltas, table.outcome.winner)
        return Violation(clause, "wrong_water") if is_off else None

    return explain


def water_off(settlement: Settlement, deltas: tuple[int, ...], winner: int) -> int:
    """By how much water the recorded payments differ, if that alone explains them; else 0."""
    payers = [seat for seat, delta in enumerate(settlement.deltas) if delta < 0 and seat != winner]
    shares = 3 if len(payers) == 1 and len(deltas) == 4 else 1
    off = [settlement.deltas[seat] - deltas[seat] for seat in payers]
    idle = all(deltas[seat] == settlement.deltas[seat] for seat in range(len(deltas)) if seat not in (*payers, winner))
    if not off or off.count(off[0]) != len(off) or not idle:
        return 0
    water, rest = divmod(off[0], settlement.factor * shares)
    return 0 if rest or deltas[payers[0]] > 0 else water


def _paid(event: Settled) -> dict[str, object]:
    return {"deltas": list(event.deltas)}
