"""The options of the rule set are those of the rule book, name by name, and nothing else is taken for one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from replays.rulebook import Number, Option, OptionError
from replays.variants import REGISTRY, rulebook
from replays.variants.xiamen import OPTIONS
from tests import shared

RECORD = json.loads(shared.rulebook("options.json").read_text(encoding="utf-8"))["xiamen"]


def values(option: Option) -> Any:
    """An option's values as the rule book writes them."""
    if not isinstance(option, Number):
        return list(option.values)
    return f"{'null or ' if option.nullable else ''}integer {option.low}-{option.high}"


def test_names_in_the_order_of_the_rule_book() -> None:
    assert list(OPTIONS) == list(RECORD["options"])


def test_version() -> None:
    assert REGISTRY["xiamen"].version == RECORD["version"]


@pytest.mark.parametrize("name", RECORD["options"])
def test_values_default_and_clause(name: str) -> None:
    written, option = RECORD["options"][name], OPTIONS[name]
    in_words = written["values"]
    assert values(option) == (in_words if isinstance(in_words, list) else in_words.partition(",")[0])
    assert (option.default, option.clause) == (written["default"], written["clause"])
    assert type(option.default) is type(written["default"])


def test_defaults_are_filled_in() -> None:
    assert dict(rulebook("xiamen", "1", {}).options) == {
        name: written["default"] for name, written in RECORD["options"].items()
    }


def allowed(name: str) -> list[Any]:
    option = OPTIONS[name]
    if isinstance(option, Number):
        return [option.low, option.high, *([None] if option.nullable else [])]
    return list(option.values)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in OPTIONS for value in allowed(name)])
def test_every_value_is_taken(name: str, value: Any) -> None:
    taken = rulebook("xiamen", "1", {name: value}).options[name]
    assert (taken, type(taken)) == (value, type(value))


def refused(name: str) -> list[Any]:
    """Values just outside the range, and of types that look like a value."""
    option = OPTIONS[name]
    if isinstance(option, Number):
        return [option.low - 1, option.high + 1, str(option.low), True, 1.0, *([] if option.nullable else [None])]
    return ["", "yes", 1, 0, None, *(["true"] if option.default in (True, False) else [True])]


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in OPTIONS for value in refused(name)])
def test_nothing_else_is_taken(name: str, value: Any) -> None:
    with pytest.raises(OptionError, match=name):
        rulebook("xiamen", "1", {name: value})


@pytest.mark.parametrize("name", ["", "Base", "mode", "bass"])
def test_unknown_option(name: str) -> None:
    with pytest.raises(OptionError, match="has no option"):
        rulebook("xiamen", "1", {name: 1})


@pytest.mark.parametrize(("ruleset", "version"), [("xiamen", "2"), ("xiamen", ""), ("amoy", "1")])
def test_unknown_rule_set_or_version(ruleset: str, version: str) -> None:
    with pytest.raises(OptionError):
        rulebook(ruleset, version, {})


def test_same_options_same_book() -> None:
    assert rulebook("xiamen", "1", {"base": 8}) is rulebook("xiamen", "1", {})


def test_a_book_that_is_held_stays_the_one_of_its_record() -> None:
    """However many others are asked for in between."""
    held = rulebook("xiamen", "1", {"base": 1_000})
    for base in range(600):
        rulebook("xiamen", "1", {"base": base})
    assert rulebook("xiamen", "1", {"base": 1_000}) is held
    assert rulebook("xiamen", "1", {"base": 9}).digest != rulebook("xiamen", "1", {}).digest
