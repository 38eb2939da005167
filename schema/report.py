"""A report as the document that ``mingpai audit --format json`` prints: plain JSON values, members in a fixed order."""

from __future__ import annotations

from typing import Any

from replays.audit import HandResult, Report
from replays.events import Item
from replays.finding import Finding
from replays.tiles import CODES
from schema.catalogue import message


def report_document(report: Report, lang: str = "en") -> dict[str, Any]:
    """The report on one game. ``message`` of each finding is in ``lang``; everything else is the same in every
    language. ``error`` is there only where an event could not be applied; ``ruleset_digest`` is ``None`` for a rule set
    that is not known. Raises ``ValueError`` for a language there are no words in."""
    document: dict[str, Any] = {
        "game": report.game,
        "ruleset": report.ruleset,
        "ruleset_digest": report.ruleset_digest or None,
        "engine": report.engine,
        "verdict": report.verdict,
        "events": report.events,
        "findings": [finding_document(finding, lang) for finding in report.findings],
        "hands": [hand_document(hand) for hand in report.hands],
        "scores": list(report.scores),
        "fairness": {
            "level": report.fairness_level,
            "hands_proven": report.hands_proven,
            "hands": len(report.hands),
        },
        "unproven": list(report.unproven),
    }
    if report.error is not None:
        seq, reason = report.error
        document["error"] = {"seq": seq, "reason": reason}
    return document


def finding_document(finding: Finding, lang: str) -> dict[str, Any]:
    """One finding; ``also`` only where other clauses apply too."""
    document: dict[str, Any] = {
        "seq": finding.seq,
        "hand": finding.hand,
        "seat": finding.seat,
        "clause": finding.clause,
        "code": finding.code,
        "severity": finding.severity,
        "expected": finding.expected,
        "recorded": finding.recorded,
        "message": message(finding, lang),
    }
    if finding.also:
        document["also"] = list(finding.also)
    return document


def hand_document(hand: HandResult) -> dict[str, Any]:
    """One finished hand: what it is worth by the rules. ``clause``, ``factor`` and ``water`` say by which way."""
    return {
        "hand": hand.hand,
        "dealer": hand.dealer,
        "streak": hand.streak,
        "winner": hand.winner,
        "win": hand.win,
        "deltas": list(hand.deltas),
        "items": [item_document(item) for item in hand.items],
        "state_hash": hand.state_hash,
        "clause": hand.clause,
        "factor": hand.factor,
        "water": hand.water,
    }


def item_document(item: Item) -> dict[str, Any]:
    """One line of a settlement; ``tile`` only where the line is about one."""
    document: dict[str, Any] = {"seat": item.seat, "code": item.code, "value": item.value}
    if item.tile is not None:
        document["tile"] = CODES[item.tile]
    return document
