"""Why not, waits, readings and payments in a log that is not stored: the members and the words of the API's fields
``blockedActs``, ``waits``, ``readings`` and ``scoreWaterfall``, as whoever may see all of a game is answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from replays import ENGINE
from replays.audit import Auditor
from replays.events import Act, Won
from replays.finding import act_document
from replays.readings import Alternative, Readings, readings_at, readings_of, waits
from replays.refusals import blocked
from replays.rulebook import Settlement, Strand, Violation
from replays.rulebook import Step as WaterfallStep
from replays.seen import as_seen
from replays.settle import occasion
from replays.table import NOTHING, OVER, SETTLED, Table
from replays.tiles import CODES, Tile, codes
from replays.waterfall import ENDINGS, nets, waterfall
from schema.catalogue import message_of, title, waterfall_step
from service.usecases.oneoff_replay import Played, Question, no_hand, no_seat

#: As many readings of a hand as the API gives unasked.
READINGS = 20


class _Place(NamedTuple):
    """What the words of a refusal name besides the act: where it is."""

    seq: int
    hand: int
    seat: int


# -- A seat at a step --------------------------------------------------------------------------------------------------


def step(game: Played, question: Question, lang: str) -> dict[str, Any]:
    """What a seat's tiles would make after a step and a rule forbids, the tiles that it waits for, and how its hand
    reads."""
    table, seat = game.table(question.seq), question.seat
    if seat is None or not 0 <= seat < table.players:
        raise no_seat(game, seat)
    place = _Place(question.seq or 0, table.hand, seat)
    return {
        "blocked": [
            {"act": _act(act), "refusal": _refusal(place, act, why, lang)} for act, why in blocked(table, seat)
        ],
        "waits": [{"tile": CODES[wait.tile], "live": wait.live} for wait in waits(as_seen(table, seat), seat)],
        "readings": _readings(_found(game, table, place), place, lang),
        "rulesetDigest": table.book.digest,
        "engineVersion": ENGINE,
    }


def _found(game: Played, table: Table, place: _Place) -> Readings | None:
    outcome = table.outcome
    if table.phase not in (OVER, SETTLED) or outcome is None or outcome.winner != place.seat:
        return readings_at(table, place.seat, READINGS)
    for at in range(place.seq, 0, -1):
        event = game.events[at]
        if isinstance(event, Won):
            facts = occasion(game.table(at - 1), event)
            return None if facts is None else readings_of(table.book, facts, READINGS)
    return None


def _refusal(place: _Place, act: Act, why: Violation, lang: str) -> dict[str, Any]:
    document = {
        "clause": why.clause,
        "code": why.code,
        "expected": why.expected,
        "recorded": act_document(act),
        **place._asdict(),
    }
    return {
        "clause": why.clause,
        "code": why.code,
        "also": list(why.also),
        "expected": why.expected,
        "title": title(why.clause, lang),
        "message": message_of(document, lang),
    }


def _act(act: Act) -> dict[str, Any]:
    return {
        "act": act.act.upper(),
        "tile": _code(act.tile),
        "with": codes(act.with_),
        "kind": act.kind,
        "win": act.win,
        "from": act.from_,
    }


def _readings(found: Readings | None, place: _Place, lang: str) -> dict[str, Any]:
    verdict = None if found is None else found.verdict
    is_win = isinstance(verdict, Settlement)
    return {
        "wins": is_win,
        "win": verdict.win if isinstance(verdict, Settlement) else None,
        "refusal": _refusal(place, Act("win"), verdict, lang) if isinstance(verdict, Violation) else None,
        "total": 0 if found is None else found.total,
        "readings": [_reading(one, is_win and at == 0) for at, one in enumerate(found.first if found else ())],
    }


def _reading(one: Alternative, counts: bool) -> dict[str, Any]:
    parts = [
        {"tiles": [{"tile": CODES[tile], "kind": CODES[kind], "role": role.upper()} for tile, kind, role in part]}
        for part in one.parts
    ]
    return {"parts": parts, "counts": counts, "worth": None if one.settlement is None else _worth(one.settlement)}


def _worth(settlement: Settlement) -> dict[str, Any]:
    return {
        "factor": settlement.factor,
        "water": settlement.water,
        "names": list(settlement.names),
        "items": [
            {"seat": item.seat, "code": item.code, "value": item.value, "tile": _code(item.tile)}
            for item in settlement.items
        ],
        "deltas": list(settlement.deltas),
    }


# -- A hand ------------------------------------------------------------------------------------------------------------


def payments(game: Played, question: Question, lang: str) -> dict[str, Any]:
    """The payments of a finished hand, step by step; ``LogUnfitError`` for a hand that the audit does not close."""
    number = question.hand
    ends = [at for at, event in enumerate(game.events) if isinstance(event, ENDINGS) and event.hand == number]
    if number is None or not ends or number not in _closed(game):
        raise no_hand(game, number)
    end = ends[-1]
    before, after = game.tables(end - 1, end)
    strands = waterfall(before, game.events[end], after)
    return {
        "game": game.first.game,
        "hand": number,
        "strands": [_strand(strand, lang) for strand in strands],
        "deltas": list(nets(strands, after.players)),
        "rulesetDigest": after.book.digest,
        "engineVersion": ENGINE,
    }


def _closed(game: Played) -> set[int]:
    auditor = Auditor(game.first)
    auditor.feed_all(game.events[1:])
    return {result.hand for result in auditor.hands}


def _strand(strand: Strand, lang: str) -> dict[str, Any]:
    return {
        "payer": None if strand.payer == NOTHING else strand.payer,
        "payee": strand.payee,
        "shareOf": strand.share_of,
        "amount": strand.amount,
        "steps": [_step(one, lang) for one in strand.steps],
    }


def _step(one: WaterfallStep, lang: str) -> Mapping[str, Any]:
    return {
        "clause": one.clause,
        "code": one.code,
        "value": one.value,
        "total": one.total,
        "times": one.times,
        "tile": _code(one.tile),
        "name": one.name,
        "label": waterfall_step(one.code, lang),
        "title": title(one.clause, lang),
    }


def _code(tile: Tile | None) -> str | None:
    return None if tile is None else CODES[tile]
