"""The words of a verification: in every language, saying the same, and never failing."""

from __future__ import annotations

import ast
import re
from string import Formatter
from typing import Any

import pytest

from schema import catalogue
from schema.words import LANGUAGES, Rows, bundles
from service.evidence.bundles import FAILED, OK, SKIPPED, STEPS, UNPROVEN
from tests.architecture.tree import parse, sources

TABLES: dict[str, Rows] = {name: rows for name, rows in vars(bundles).items() if name.isupper() and type(rows) is dict}
ODD: list[Any] = [None, True, 3, "x", "{e}", [], [None, [1, {"act": "x"}]], {"act": None, "with": 3}, {"a": {"b": []}}]


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def made_codes() -> set[str]:
    """Every code that the steps' own modules end a step with."""
    calls = [
        node
        for path in sources("service")
        if path.parent.name == "bundles"
        for node in ast.walk(parse(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("failed", "unproven")
    ]
    return {node.args[0].value for node in calls if node.args and isinstance(node.args[0], ast.Constant)}  # type: ignore[misc]


def test_tables_are_found() -> None:
    assert {"STEPS", "STATUSES", "OUTCOMES", "LABELS"} <= set(TABLES)


@pytest.mark.parametrize("table", TABLES)
def test_every_row_is_in_the_characters_of_its_language(table: str) -> None:
    for key, (english, simplified, traditional) in TABLES[table].items():
        assert not re.search(r"[\u3000-\u9fff\uff00-\uffef]", english), key
        assert all((english, simplified.encode("gb2312"), traditional.encode("big5"))), key
        assert places(english) == places(simplified) == places(traditional), key


def test_every_step_and_status_has_a_name() -> None:
    assert tuple(bundles.STEPS) == STEPS
    assert set(bundles.STATUSES) == {OK, FAILED, UNPROVEN, SKIPPED}
    assert {f"{step}/{OK}" for step in STEPS} <= set(bundles.OUTCOMES)


def test_every_outcome_has_words_and_no_words_are_idle() -> None:
    known = {key.rpartition("/")[2] for key in bundles.OUTCOMES}
    derived = {"other_head", "other_root", "proof_size", "proof_index", "proof_length", "proof_node", "proof_root"}
    assert made_codes() - known == set()
    assert known - made_codes() == {OK, "needs", "broke"} | derived


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", bundles.OUTCOMES)
def test_a_sentence_never_fails(key: str, lang: str) -> None:
    step, _, code = key.rpartition("/")
    for value in ODD:
        details = dict.fromkeys(places(bundles.OUTCOMES[key][0]), value)
        assert catalogue.step_message(step, code, details, lang)
        assert catalogue.step_message(step, code, {}, lang)


def test_an_unknown_code_stands_for_itself() -> None:
    assert catalogue.step_message("format", "never_heard_of", {}, "en") == "never_heard_of"
    assert catalogue.step_message("seal", "needs", {"step": "chain"}, "zh-Hant").startswith("此步需要「鏈首與根」")
    with pytest.raises(ValueError, match="zh-Hans"):
        catalogue.step_message("format", "ok", {}, "fr")


def test_an_event_in_short() -> None:
    event = {"seq": 4, "type": "chowed", "at": "…", "hand": 1, "seat": 2, "tile": "3m", "from": 1, "with": ["1m", "2m"]}
    assert catalogue.event_text(event, "en") == "chow: seat 2, from 1, hand 1, tile 3m, with 1m, 2m"
    assert catalogue.event_text(event, "zh-Hans").startswith("吃牌：座位 2、")
    assert catalogue.event_text({"type": "never_heard_of"}, "en") == "never_heard_of"
