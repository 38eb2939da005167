"""Words for everything, in every language, and never the wrong characters."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from string import Formatter
from typing import Any

import pytest

from replays import events as ev
from replays.finding import VIOLATION, Finding
from replays.table import PHASES
from replays.variants import REGISTRY, rulebook
from schema import catalogue
from schema.words import LANGUAGES, Rows, bundles, clauses, findings, log_findings, terms, waterfall
from tests.architecture.tree import parse, sources
from tests.shared import contract
from tests.shared import rulebook as book_file

MAKERS = {"Violation", "_violation"}
DEFINITION = re.compile(r"\*\*([SXLGF]-[A-Z]+-\d+)\*\*")
TABLES: dict[str, Rows] = {
    f"{module.__name__}.{name}": rows
    for module in (bundles, clauses, findings, log_findings, terms, waterfall)
    for name, rows in vars(module).items()
    if name.isupper() and isinstance(rows, dict)
}


def engine_codes() -> set[str]:
    """The code of every violation that the engine makes."""
    return {code for path in sources("replays") for code in _codes(parse(path))}


def _codes(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or len(node.args) < 2:
            continue
        if isinstance(node.func, ast.Name) and node.func.id in MAKERS:
            yield from _texts(node.args[1], tree)


def _texts(node: ast.expr, tree: ast.Module) -> Iterator[str]:
    """The texts that an expression may have; of a name, every text that the module binds to it."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=body, orelse=orelse):
            yield from _texts(body, tree)
            yield from _texts(orelse, tree)
        case ast.Name(id=name):
            for target, value in _bindings(tree):
                if isinstance(target, ast.Name) and target.id == name:
                    yield from _texts(value, tree)


def _bindings(tree: ast.Module) -> Iterator[tuple[ast.expr, ast.expr]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            yield target, node.value
            for value in _alternatives(node.value):
                if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                    yield from zip(target.elts, value.elts, strict=True)


def _alternatives(value: ast.expr) -> list[ast.expr]:
    return [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]


def test_codes_are_found() -> None:
    """Given as text, by a name, out of a conditional, out of a tuple."""
    found = engine_codes()
    assert {"must_follow_honour", "out_of_phase", "not_committed", "wrong_streak", "wrong_deal_order"} <= found
    assert len(found) > 60


def test_every_code_of_the_engine_has_words() -> None:
    known = {key.rpartition("/")[2] for key in findings.MESSAGES}
    assert engine_codes() - known == set()


def test_no_words_for_codes_that_the_engine_does_not_have() -> None:
    known = {key.rpartition("/")[2] for key in findings.MESSAGES}
    assert known - engine_codes() == set()


def test_every_clause_of_the_rule_book_has_a_title() -> None:
    texts = [book_file(name) for name in ("shared-play.md", "xiamen.md", "longyan.md")] + [contract("log-format.md")]
    defined = {clause for path in texts for clause in DEFINITION.findall(path.read_text(encoding="utf-8"))}
    assert set(clauses.TITLES) == defined


@pytest.mark.parametrize("ruleset", REGISTRY)
def test_every_way_of_winning_and_clause_of_a_rule_set_is_named(ruleset: str) -> None:
    book = rulebook(ruleset, REGISTRY[ruleset].version, {})
    assert [win for win in book.wins if win not in terms.WAYS] == []
    assert [clause for clause in book.clauses if clause not in clauses.TITLES] == []


def test_every_event_and_phase_is_named() -> None:
    assert set(terms.EVENTS) == set(ev.TYPES)
    assert set(terms.PHASES) == set(PHASES)


@pytest.mark.parametrize("table", TABLES)
def test_every_row_has_every_language(table: str) -> None:
    assert [key for key, row in TABLES[table].items() if len(row) != len(LANGUAGES) or not all(row)] == []


@pytest.mark.parametrize("table", TABLES)
def test_characters_are_those_of_the_language(table: str) -> None:
    """English is in plain letters; the old national character sets know simplified or traditional characters only,
    not both: what they can hold is the right kind."""
    for key, (english, simplified, traditional) in TABLES[table].items():
        assert not re.search(r"[\u3000-\u9fff\uff00-\uffef]", english), key
        simplified.replace("×", "").encode("gb2312")
        traditional.replace("×", "").encode("big5")


def test_the_character_sets_tell_them_apart() -> None:
    with pytest.raises(UnicodeEncodeError):
        "搶槓".encode("gb2312")
    with pytest.raises(UnicodeEncodeError):
        "抢杠胡".encode("big5")


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("code", findings.MESSAGES)
def test_a_message_says_the_same_in_every_language(code: str) -> None:
    """Each fills in what the English sentence does, or less where the language has no need of it."""
    english, *others = findings.MESSAGES[code]
    for text in others:
        assert places(text) <= places(english) | {"seat"}
        assert {place for place in places(english) if place[0] in "er"} <= places(text)


def finding(code: str, clause: str = "S-TURN-1", seat: int | None = 2, **members: dict[str, Any]) -> Finding:
    expected, recorded = members.get("expected", {}), members.get("recorded", {})
    return Finding(17, 1, seat, clause, code, VIOLATION, expected, recorded)


def test_a_message_for_people() -> None:
    found = finding(
        "must_follow_honour", "X-FOLLOW-1", expected={"tiles": ["1z"]}, recorded={"tile": "3m", "level": None}
    )
    assert catalogue.message(found, "en") == (
        "Seat 2 discarded 3m but holds a single 1z, which has been discarded before in this hand: "
        "it must follow (X-FOLLOW-1)."
    )
    assert catalogue.message(found, "zh-Hans") == (
        "2 号座打出 3m，手中却有单张 1z，本盘已有人打出过，必须跟打（X-FOLLOW-1）。"
    )
    assert catalogue.message(found, "zh-Hant") == (
        "2 號座打出 3m，手中卻有單張 1z，本盤已有人打出過，必須跟打（X-FOLLOW-1）。"
    )


def test_values_are_in_the_language_too() -> None:
    acts = [{"act": "kong", "tile": "2z", "kind": "exposed"}, {"act": "win", "win": "self_draw"}]
    found = finding("better_right", "S-CLAIM-1", expected={"seat": 3, "acts": acts})
    assert "kong 2z (exposed), win (self-draw)" in catalogue.message(found, "en")
    assert "杠 2z (明杠)、胡 (自摸)" in catalogue.message(found, "zh-Hans")
    assert "槓 2z (明槓)、胡 (自摸)" in catalogue.message(found, "zh-Hant")


def test_one_code_with_two_meanings() -> None:
    seat = catalogue.message(finding("not_opened", "F-SEED-1"), "en")
    server = catalogue.message(finding("not_opened", "F-COMMIT-1", expected={"member": "salt"}), "en")
    assert seat.startswith("Seat 2 committed")
    assert "salt was not revealed" in server


ODD: list[Any] = [None, True, 3, "x", "{e}", [], [None, [1, {"act": "x"}]], {"act": None, "with": 3}, {"a": {"b": []}}]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("code", [*findings.MESSAGES, "never_heard_of"])
def test_a_message_never_fails(code: str, lang: str) -> None:
    """Whatever members there are, and of whatever type: one sentence, on one line, that names the clause."""
    clause, _, bare = code.rpartition("/")
    names = [name[2:-1] for name in places(findings.MESSAGES.get(code, ("", "", ""))[0]) if name[0] in "er"]
    for value in ODD:
        members = dict.fromkeys([*names, "win", "acts", "types", "from"], value)
        for seat in (None, 0):
            given = finding(bare, clause or "S-TURN-1", seat, expected=members, recorded=members)
            for found in (given, finding(bare, clause or "S-TURN-1", seat)):
                text = catalogue.message(found, lang)
                assert (clause or "S-TURN-1") in text
                assert "\n" not in text


def test_what_is_missing_reads_as_unknown_in_the_language() -> None:
    found = finding("too_many_copies", "S-WALL-2", None)
    texts = [catalogue.message(found, lang) for lang in LANGUAGES]
    assert ["unknown" in texts[0], "不明" in texts[1], "不明" in texts[2]] == [True] * 3


def test_an_unknown_code_is_worded_by_its_clause() -> None:
    found = finding("never_heard_of", "X-FOLLOW-1", expected={"tile": "1z"}, recorded={})
    assert catalogue.message(found, "en") == (
        "Not as “Follow the honour” asks: expected tile 1z, recorded none (X-FOLLOW-1)."
    )
    assert "跟打字牌" in catalogue.message(found, "zh-Hant")


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="zh-Hans"):
        catalogue.title("S-TURN-1", "zh")
    with pytest.raises(ValueError, match="zh-Hans"):
        catalogue.message(finding("out_of_turn"), "fr")
    assert not catalogue.is_language("zh")


def test_an_unknown_clause_or_way_keeps_its_code() -> None:
    assert catalogue.title("Q-ODD-1", "zh-Hant") == "Q-ODD-1"
    assert catalogue.way("odd_win", "en") == "odd_win"


def test_a_document_is_worded_anew() -> None:
    found = finding("must_follow_honour", "X-FOLLOW-1", expected={"tiles": ["1z"]}, recorded={"tile": "3m"})
    document = found._asdict() | {"message": "…"}
    assert catalogue.message_of(document, "zh-Hant") == catalogue.message(found, "zh-Hant")
    assert catalogue.message_of({}, "en")
