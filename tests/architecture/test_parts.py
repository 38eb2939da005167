"""A part of the tests is the same everywhere, and the parts together are all of them."""

from __future__ import annotations

import argparse

import pytest

from tests.parts import Part

NAMES = [f"tests/laws/test_more_games.py::test_every_law[xiamen-4-{number}]" for number in range(600)]


def test_every_test_is_in_one_part() -> None:
    found = [[name for name in NAMES if Part(number, 3).has(name)] for number in (1, 2, 3)]
    assert sorted(name for part in found for name in part) == sorted(NAMES)
    assert all(len(part) > len(NAMES) / 4 for part in found)


def test_a_part_hangs_on_names_alone() -> None:
    assert [name for name in NAMES[:12] if Part(1, 3).has(name)] == [NAMES[number] for number in (2, 4, 5, 11)]


def test_as_the_command_line_has_it() -> None:
    assert Part.parse("2/3") == Part(2, 3)
    assert str(Part(2, 3)) == "2/3"
    assert Part.parse("1/1").has(NAMES[0])


@pytest.mark.parametrize("text", ["", "1", "0/3", "4/3", "1/0", "-1/3", "1/3/3", "a/b", "1.0/3"])
def test_what_is_no_part(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="no part"):
        Part.parse(text)
