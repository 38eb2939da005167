"""``mingpai score``: one hand, or a file of hands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from replays.variants import REGISTRY
from tests.cli.logs import json_lines, mingpai
from tests.shared import rulebook

VECTORS = [
    vector
    for line in rulebook("vectors.jsonl").read_text(encoding="utf-8").splitlines()
    if (vector := json.loads(line))["hand"]["ruleset"] in REGISTRY
]

#: 游金 of seat 1: sets and a lone gold, 9s drawn.
HAND = [
    "score", "--ruleset", "xiamen", "--golds", "3m", "--seat", "1", "--concealed", "456m 123p 555s 777z 3m",
    "--melds", "chow:123s", "--flowers", "15f", "--tile", "9s",
]  # fmt: skip

GOLDEN_TEXT = """\
wins: you, ×4, Water 6
     1  X-WATER-3   Water of golds 3m
     2  X-WATER-4   Water of flowers
     1  X-WATER-1   Water of suit sets 5s
     2  X-WATER-2   Water of honour sets 7z
  Payments: -56 +168 -56 -56
  1 readings:
    * 4m 5m 6m  1p 2p 3p  5s 5s 5s  9s [9s]  7z 7z 7z
"""


def batch(path: Path, *hands: Any) -> Path:
    lines = (hand if isinstance(hand, str) else json.dumps(hand) for hand in hands)
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


# -- A batch ---------------------------------------------------------------------------------------------------------


def test_the_rule_books_hands(tmp_path: Path) -> None:
    """One result a line, in the order of the hands; every member that the rule book gives."""
    done = mingpai("score", "--batch", batch(tmp_path / "hands", *(vector["hand"] for vector in VECTORS)))
    results = json_lines(done.stdout)
    assert len(results) == len(VECTORS) > 30
    for vector, result in zip(VECTORS, results, strict=True):
        expected = vector["result"]
        shown = {name: result.get(name) for name in expected}
        if "why" in expected:
            shown["why"] = {name: result["why"][name] for name in expected["why"]}
        assert shown == expected, vector["hand"]
    assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize(("ruleset", "number"), [("xiamen", 37), ("longyan", 48)])
def test_every_rule_set_has_hands(ruleset: str, number: int) -> None:
    """None of the rule book's hands is left out above."""
    assert ruleset in REGISTRY
    assert sum(vector["hand"]["ruleset"] == ruleset for vector in VECTORS) == number


def test_bad_lines_keep_their_places(tmp_path: Path) -> None:
    hand = VECTORS[0]["hand"]
    path = batch(tmp_path / "hands", hand, "not json", "", {**hand, "seat": 9}, [1], {**hand, "odd": 1}, hand)
    done = mingpai("score", "--batch", path)
    first, *errors, last = json_lines(done.stdout)
    assert first == last
    assert [list(error) for error in errors] == [["error"]] * 4
    assert [error["error"]["member"] for error in errors] == [None, "seat", "hand", "odd"]
    assert [line.split(": ")[1] for line in done.stderr.splitlines()] == [
        f"{path}, line {number}" for number in (2, 4, 5, 6)
    ]
    assert done.exit_code == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"concealed": ["1m"] * 16},
        {"concealed": ["1m"]},
        {"concealed": "1m2m"},
        {"concealed": ["??"] * 16},
        {"golds": []},
        {"golds": ["1f"]},
        {"tile": None, "by": "discard"},
        {"by": "luck"},
        {"streak": 1.5},
        {"streak": -1},
        {"dealer": True},
        {"options": {"odd": 1}},
        {"options": []},
        {"ruleset": "nowhere"},
        {"ruleset": []},
        {"version": {}},
        {"level": "quadruple"},
        {"level": []},
        {"melds": [{"type": "chow", "tiles": ["1m", "2m", "4m"]}]},
        {"melds": [[]]},
        {"flowers": ["1f", "1f"]},
        {"from": 1, "by": "self_draw"},
        {"players": 3},
    ],
    ids=str,
)
def test_a_hand_that_cannot_be(tmp_path: Path, changes: dict[str, Any]) -> None:
    done = mingpai("score", "--batch", batch(tmp_path / "hands", {**VECTORS[0]["hand"], **changes}))
    (result,) = json_lines(done.stdout)
    assert list(result) == ["error"]
    assert {"member", "expected"} <= set(result["error"])
    assert done.exit_code == 2
    assert done.stderr.startswith("error: ")


def test_standard_input_as_text() -> None:
    hands = "".join(json.dumps(vector["hand"]) + "\n" for vector in VECTORS[:3]) + "{}\n"
    done = mingpai("score", "--batch", "-", "--format", "text", "--lang", "zh-Hant", input=hands.encode())
    assert "不胡：有金不能吃胡 (X-GOLD-2)" in done.stdout
    assert done.stderr.startswith("error: standard input, line 4: ")
    assert done.exit_code == 2


@pytest.mark.parametrize("lang", ["en", "zh-Hans", "zh-Hant"])
def test_every_hand_reads_as_text(tmp_path: Path, lang: str) -> None:
    path = batch(tmp_path / "hands", *(vector["hand"] for vector in VECTORS))
    done = mingpai("score", "--batch", path, "--format", "text", "--lang", lang)
    assert (done.exit_code, done.stderr) == (0, "")
    word = {"en": "readings", "zh-Hans": "种排法", "zh-Hant": "種排法"}[lang]
    assert done.stdout.count(word) > 20


def test_a_batch_that_is_not_there(tmp_path: Path) -> None:
    done = mingpai("score", "--batch", tmp_path / "missing")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "No such file" in done.stderr


def test_an_endless_line(tmp_path: Path) -> None:
    done = mingpai("score", "--batch", batch(tmp_path / "hands", VECTORS[0]["hand"], '"' + "x" * 70_000))
    assert len(json_lines(done.stdout)) == 1
    assert "line 2: expected a line of at most 65536 bytes" in done.stderr
    assert done.exit_code == 2


# -- One hand --------------------------------------------------------------------------------------------------------


def test_one_hand_as_text() -> None:
    done = mingpai(*HAND)
    assert [line.rstrip() for line in done.stdout.rstrip().splitlines()] == GOLDEN_TEXT.splitlines()
    assert (done.exit_code, done.stderr) == (0, "")


def test_one_hand_is_scored_as_in_a_batch(tmp_path: Path) -> None:
    hand = {
        "ruleset": "xiamen", "players": 4, "seat": 1, "dealer": 0, "streak": 0, "golds": ["3m"],
        "concealed": "4m 5m 6m 1p 2p 3p 5s 5s 5s 7z 7z 7z 3m".split(), "flowers": ["1f", "5f"], "tile": "9s",
        "melds": [{"type": "chow", "tiles": ["1s", "2s", "3s"]}], "by": "self_draw",
    }  # fmt: skip
    alone = mingpai(*HAND, "--format", "json")
    assert alone.stdout == mingpai("score", "--batch", batch(tmp_path / "hand", hand)).stdout
    (result,) = json_lines(alone.stdout)
    assert (result["win"], result["factor"], result["water"]) == ("you", 4, 6)


def test_options_of_the_rule_set() -> None:
    (result,) = json_lines(
        mingpai(*HAND, "--option", "base_rule=dealer_involved", "--option", "base=0", "--format", "json").stdout
    )
    assert result["deltas"] == [-88, 136, -24, -24]


def test_all_readings_of_the_golds() -> None:
    """Golds in brackets as what they stand for; as many lines as readings are counted."""
    hand = ["--ruleset", "xiamen", "--golds", "5p", "--concealed", "55p 234s 333s 567s 33z 444z", "--tile", "6m"]
    text = mingpai("score", *hand).stdout
    (result,) = json_lines(mingpai("score", *hand, "--format", "json").stdout)
    lines = [line for line in text.splitlines() if "[" in line]
    assert result["readings"] > 3
    assert len(lines) == min(result["readings"], 50)
    assert len(set(lines)) == len(lines)
    assert sum(line.strip().startswith("*") for line in lines) == 1


def test_a_hand_that_does_not_win() -> None:
    done = mingpai(*HAND[:-2], "--tile", "9s", "--by", "discard", "--from", "2")
    assert done.stdout == "no win: Gold in hand blocks a discard win (X-GOLD-2)\n"
    assert done.exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "--ruleset"),
        ([*HAND, "--batch", "x"], "--batch FILE has its hands in the file"),
        ([*HAND[:-2], "--tile", "99s"], "--tile: expected one tile, found 2"),
        ([*HAND[:-2], "--tile", "9x"], "--tile: expected tiles such as"),
        ([*HAND[:-2], "--tile", "0s"], "error: tile: expected"),
        ([*HAND, "--melds", "chow-123s"], "--melds: expected chow:123p"),
        ([*HAND, "--melds", "pung:12s"], "--melds: a pung is of one kind, found 1s 2s"),
        ([*HAND, "--option", "base"], "--option base: expected NAME=VALUE"),
        ([*HAND, "--option", "base=many"], "option base of rule set xiamen"),
        ([*HAND, "--seat", "7"], "error: seat: expected an integer 0-3"),
        ([*HAND, "--seat", "x"], "--seat"),
        ([*HAND, "--lang", "fr"], "zh-Hans"),
        ([*HAND, "--odd"], "--odd"),
    ],
)
def test_a_wrong_call(arguments: list[str], expected: str) -> None:
    done = mingpai(*(arguments or ["score"]))
    assert (done.exit_code, done.stdout) == (2, "")
    assert expected in done.stderr
