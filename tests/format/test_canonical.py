"""Canonical JSON (RFC 8785): right at the edges, the fast path equal to the reference path, bad values refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema.canonical import MAX_DEPTH, MAX_INTEGER, _encode_by_utf16, canonical, ordered
from tests.format.logs import examples, patient

_keys = st.text(max_size=6) | st.sampled_from(["a", "b", "é", "\ue000", "\uffff", "\U00010000", "😀", ""])
_values = st.recursive(
    st.none() | st.booleans() | st.integers(-MAX_INTEGER, MAX_INTEGER) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_keys, inner, max_size=4),
    max_leaves=12,
)


def test_keys_are_sorted_by_utf16_code_units() -> None:
    # U+1F600 is the surrogates D83D DE00, before U+E000 although its code point is larger (RFC 8785, 3.2.3).
    assert canonical({"\ue000": 1, "😀": 2, "é": 3, "a": 4}) == '{"a":4,"é":3,"😀":2,"\ue000":1}'.encode()


def test_the_sorting_example_of_the_rfc() -> None:
    document = {
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "\U0001f600": "Emoji: Grinning Face",
        "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis",
    }
    assert list(json.loads(canonical(document))) == ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x00\x1f\x7f", '"\\u0000\\u001f\x7f"'),
        ("\b\t\n\f\r", r'"\b\t\n\f\r"'),
        ('"\\/', r'"\"\\/"'),
        ("<>&'", '"<>&\'"'),
        ("\u2028\u2029", '"\u2028\u2029"'),
        ("明牌 😀", '"明牌 😀"'),
    ],
)
def test_strings_have_only_the_needed_escapes(text: str, expected: str) -> None:
    assert canonical(text) == expected.encode()
    assert canonical({text: text}) == f"{{{expected}:{expected}}}".encode()


def test_both_paths_write_every_character_alike() -> None:
    every = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    assert canonical(every) == _encode_by_utf16(every)


@patient
@given(_values)
def test_fast_path_equals_the_reference(value: Any) -> None:
    written = canonical(value)
    assert written == _encode_by_utf16(value)
    assert json.loads(written) == value


@patient
@given(_values)
def test_order_of_members_does_not_matter(value: Any) -> None:
    assert canonical(_reversed(value)) == canonical(value)


def _reversed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _reversed(value[key]) for key in reversed(value)}
    return [_reversed(item) for item in value] if isinstance(value, list) else value


def test_examples_fast_and_slow() -> None:
    for path in examples():
        for line in path.read_bytes().splitlines():
            document = json.loads(line)
            assert canonical(document) == _encode_by_utf16(document)


def test_small_values() -> None:
    assert canonical({}) == b"{}"
    assert canonical(()) == b"[]"
    assert canonical([None, True, False, -MAX_INTEGER, MAX_INTEGER, ""]) == (
        b'[null,true,false,-9007199254740991,9007199254740991,""]'
    )
    assert list(ordered({"b": {"d": 1, "c": 2}, "a": 3})["b"]) == ["c", "d"]


def _nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth - 1):
        value = [value]
    return value


def _cycle() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    "value",
    [1.0, float("nan"), 2**53, -(2**53), 10**400, "\ud800", {1, 2}, b"1", object(), _nested(MAX_DEPTH + 1), _cycle()],
    ids=lambda value: type(value).__name__,
)
def test_refuses(value: Any) -> None:
    for document in (value, [value], {"a": value}, {"é": [True, value]}):
        with pytest.raises(ValueError):  # noqa: PT011 - from the encoders too
            canonical(document)


@pytest.mark.parametrize("key", ["\udfff", "é\ud800", 1, None, b"a"])
def test_refuses_keys(key: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        canonical({key: 1})


def test_deepest() -> None:
    assert canonical(_nested(MAX_DEPTH)) == b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
