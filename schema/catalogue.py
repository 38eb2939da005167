"""The words of clauses, findings and reports in every language (``LANGUAGES``); the rows are in ``schema.words``.

Codes are for programs and never change; words are for people. Whatever a log holds, making words never fails: a
member that is missing reads as "unknown" in the language asked for, and no language stands in for another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from replays.finding import Finding
from schema.words import LANGUAGES, Row, bundles, terms, waterfall
from schema.words.clauses import TITLES
from schema.words.findings import ANY_FINDING, MESSAGES

__all__ = [
    "LANGUAGES",
    "act_text",
    "bundle_label",
    "ending",
    "event_text",
    "fairness",
    "is_language",
    "label",
    "message",
    "message_of",
    "phase",
    "severity",
    "shape",
    "step",
    "step_message",
    "step_status",
    "title",
    "unproven",
    "verdict",
    "waterfall_step",
    "way",
]


def is_language(lang: str) -> bool:
    """Whether there are words in ``lang``."""
    return lang in LANGUAGES


def title(clause: str, lang: str) -> str:
    """A clause's short title; its id where it is none of the rule book."""
    return _named(TITLES, clause, lang)


def way(win: str | None, lang: str) -> str:
    """The name of a way of winning, of a level or of a declaration; "none" for ``None``."""
    return _pick(terms.NONE, lang) if win is None else _named(terms.WAYS, win, lang)


def shape(code: str, lang: str) -> str:
    """What a winning hand is besides: a code of the ``names`` that ``score`` gives."""
    return _named(terms.SHAPES, code, lang)


def ending(code: str, lang: str) -> str:
    """How a hand ended: a way of winning, or ``exhausted`` or ``voided``."""
    return _named(terms.WAYS if code in terms.WAYS else terms.EVENTS, code, lang)


def verdict(code: str, lang: str) -> str:
    """The name of a verdict."""
    return _named(terms.VERDICTS, code, lang)


def severity(code: str, lang: str) -> str:
    """The name of a severity."""
    return _named(terms.SEVERITIES, code, lang)


def phase(code: str, lang: str) -> str:
    """The name of a phase of the table."""
    return _named(terms.PHASES, code, lang)


def unproven(code: str, lang: str) -> str:
    """What a member of a report's ``unproven`` means."""
    return _named(terms.UNPROVEN, code, lang)


def fairness(level: int, lang: str) -> str:
    """What a fairness level says of the shuffle."""
    return _named(terms.FAIRNESS, str(level), lang)


def label(name: str, lang: str, **values: object) -> str:
    """A heading or phrase of reports; ``KeyError`` for an unknown one. ``values`` fill its places."""
    text = _pick(terms.LABELS[name], lang)
    return text.format_map(values) if values else text


def message(finding: Finding, lang: str) -> str:
    """What was wrong, in one sentence that ends with the clause's id in brackets."""
    members = {"seat": finding.seat, "hand": finding.hand, "seq": finding.seq}
    return _sentence(finding.clause, finding.code, members, finding.expected, finding.recorded, lang)


def message_of(document: Mapping[str, Any], lang: str) -> str:
    """The sentence of a finding that a report's document holds, worded anew in ``lang``."""
    members = {name: document.get(name) for name in ("seat", "hand", "seq")}
    clause, code = str(document.get("clause")), str(document.get("code"))
    return _sentence(clause, code, members, document.get("expected") or {}, document.get("recorded") or {}, lang)


def act_text(act: Mapping[str, Any], lang: str) -> str:
    """An act of the log in words: ``pung 2z``, ``win (self-draw)``."""
    name = _named(terms.ACTS, str(act.get("act")), lang)
    parts = [terms.KONGS[act["kind"]][LANGUAGES.index(lang)]] if act.get("kind") in terms.KONGS else []
    parts += [way(act[member], lang) for member in ("win",) if isinstance(act.get(member), str)]
    if act.get("act") == "declare" and isinstance(act.get("kind"), str):
        parts.append(way(act["kind"], lang))
    words = [name, *(str(act[member]) for member in ("tile",) if act.get(member))]
    if isinstance(act.get("with"), list | tuple):
        words.append("+ " + " ".join(str(tile) for tile in act["with"]))
    return " ".join(words) + (f" ({', '.join(parts)})" if parts else "")


def waterfall_step(code: str, lang: str) -> str:
    """What a step of a waterfall is called."""
    return _named(waterfall.STEPS, code, lang)


def event_text(document: Mapping[str, Any], lang: str) -> str:
    """An event of a log in short: what it is, then those of its members that have a name for people, the seat first."""
    name = _named(terms.EVENTS, str(document.get("type")), lang)
    members = {member: document[member] for member in ("seat", *terms.MEMBERS) if member in document}
    return name + _pick(terms.LABELS["colon"], lang) + _listing(members, lang) if members else name


def step(name: str, lang: str) -> str:
    """The name of a step in the verification of a bundle."""
    return _named(bundles.STEPS, name, lang)


def step_status(code: str, lang: str) -> str:
    """How a step came out."""
    return _named(bundles.STATUSES, code, lang)


def step_message(name: str, code: str, details: Mapping[str, Any], lang: str) -> str:
    """What a step of a bundle's verification says, in one sentence; its code where there are no words for it."""
    row = bundles.OUTCOMES.get(f"{name}/{code}") or bundles.OUTCOMES.get(code)
    if row is None:
        return code
    values = _Members(details, lang)
    if isinstance(details.get("step"), str):
        values["step"] = step(details["step"], lang)
    return _pick(row, lang).format_map(values)


def bundle_label(name: str, lang: str, **values: object) -> str:
    """A heading or phrase of a bundle's verification; ``KeyError`` for an unknown one."""
    text = _pick(bundles.LABELS[name], lang)
    return text.format_map(values) if values else text


# -- Making sentences ----------------------------------------------------------------------------------------------


def _sentence(
    clause: str,
    code: str,
    members: Mapping[str, int | None],
    expected: Mapping[str, Any],
    recorded: Mapping[str, Any],
    lang: str,
) -> str:
    row = MESSAGES.get(f"{clause}/{code}") or MESSAGES.get(code) or ANY_FINDING
    values = {
        **{name: _pick(terms.UNKNOWN, lang) if value is None else value for name, value in members.items()},
        "title": title(clause, lang),
        "e": _Members(expected, lang),
        "r": _Members(recorded, lang),
        "expected": _listing(expected, lang),
        "recorded": _listing(recorded, lang),
    }
    sentence = _pick(row, lang).format_map(values)
    return f"{sentence[:-1]} ({clause})." if lang == "en" else f"{sentence[:-1]}（{clause}）。"


class _Members(dict[str, str]):
    """Members of a finding as words, "unknown" for what is not there."""

    def __init__(self, members: Mapping[str, Any], lang: str) -> None:
        super().__init__({name: _words(name, value, lang) for name, value in members.items()})
        self._lang = lang

    def __missing__(self, name: str) -> str:
        return _pick(terms.UNKNOWN, self._lang)


def _listing(members: Mapping[str, Any], lang: str) -> str:
    texts = [f"{_named(terms.MEMBERS, name, lang)} {_words(name, value, lang)}" for name, value in members.items()]
    return _pick(terms.SEPARATOR, lang).join(texts) or _pick(terms.NONE, lang)


def _words(name: str, value: Any, lang: str) -> str:
    if isinstance(value, list | tuple):
        return _pick(terms.SEPARATOR, lang).join(_words(name, one, lang) for one in value) or _pick(terms.NONE, lang)
    if value is None:
        return _pick(terms.NONE, lang)
    if isinstance(value, bool):
        return _pick(terms.YES if value else terms.NO, lang)
    if isinstance(value, Mapping):
        return act_text(value, lang) if "act" in value else _listing(value, lang)
    known = _BY_MEMBER.get(name)
    return known(value, lang) if known is not None and isinstance(value, str) else str(value)


_BY_MEMBER: dict[str, Callable[[str, str], str]] = {
    "win": lambda value, lang: way(value, lang),
    "level": lambda value, lang: way(value, lang),
    "declaration": lambda value, lang: way(value, lang),
    "act": lambda value, lang: _named(terms.ACTS, value, lang),
    "acts": lambda value, lang: _named(terms.ACTS, value, lang),
    "types": lambda value, lang: _named(terms.EVENTS, value, lang),
    "from": lambda value, lang: _named(terms.ENDS, value, lang),
    "kind": lambda value, lang: _named(terms.KONGS, value, lang),
}


def _pick(row: Row, lang: str) -> str:
    try:
        return row[LANGUAGES.index(lang)]
    except ValueError:
        raise ValueError(f"no language {lang!r}; there are {', '.join(LANGUAGES)}") from None


def _named(rows: Mapping[str, Row], code: str, lang: str) -> str:
    row = rows.get(code)
    return code if row is None else _pick(row, lang)
