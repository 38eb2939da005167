"""S-TILE-2: tiles are written 1m-9m, 1p-9p, 1s-9s, 1z-4z for 東南西北, 5z 白, 6z 發, 7z 中, 1f-8f for the flowers; a
hidden tile is ``??``."""

from __future__ import annotations

import pytest

from replays.tiles import CODES, HIDDEN, WHITE, is_flower, is_honour, parse
from schema.paipu import LogError, load


@pytest.mark.parametrize(("suit", "last"), [("m", 9), ("p", 9), ("s", 9), ("z", 7), ("f", 8)])
def test_each_suit_begins_at_one_and_ends(suit: str, last: int) -> None:
    numbers = [parse(f"{n}{suit}") for n in range(1, last + 1)]
    assert numbers == list(range(numbers[0], numbers[0] + last))
    for code in (f"0{suit}", f"{last + 1}{suit}"):
        with pytest.raises(ValueError, match="no tile"):
            parse(code)


@pytest.mark.parametrize("code", ["", "m", "1", "1M", "m1", "10m", "1 m", "5mr", "0m", "??", "1x"])
def test_nothing_else_is_a_tile(code: str) -> None:
    with pytest.raises(ValueError, match="no tile"):
        parse(code)


def test_every_code_names_its_own_tile() -> None:
    assert [parse(code) for code in CODES] == list(range(42))
    assert len(set(CODES)) == 42


@pytest.mark.parametrize(
    ("code", "honour", "flower"),
    [("9s", False, False), ("1z", True, False), ("7z", True, False), ("1f", False, True), ("8f", False, True)],
)
def test_honours_and_flowers(code: str, honour: bool, flower: bool) -> None:
    assert (is_honour(parse(code)), is_flower(parse(code))) == (honour, flower)


def test_white_is_the_fifth_honour() -> None:
    assert parse("5z") == WHITE


def test_a_hidden_tile_is_no_tile_of_a_log() -> None:
    document = {"seq": 9, "type": "drew", "at": "2026-03-01T12:00:05.125Z", "hand": 1, "seat": 0, "from": "head"}
    assert load(document | {"tile": "5z"}) is not None
    with pytest.raises(LogError):
        load(document | {"tile": HIDDEN})
