"""``mingpai replay``: the table at a step."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from replays.finding import act_document
from replays.reducer import apply, start
from replays.referee import offers
from replays.table import Table
from replays.view import picture
from schema import paipu
from tests.cli.logs import CLEAN, EVENTS, SHORT, documents, inapplicable, mingpai, written

GOLDEN_TEXT = """\
xiamen-1-8  step 59  Hand 1  a discard lies open
Wall 54 tiles   Gold 1m   Seat 0: discard 9m

▶ Seat 0  p837-0  +0
    Holds     ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??
    Melds     9m7m8m
    Flowers   6f
    Discards  4z 6z 3z 9s 5z 9m

  Seat 1  p209-1  +0  Dealer
    Holds     1m 2m 3m 8m 9m 1p 2p 4p 5p 7p 8p 8p 2s 6s 8s 8s
    Flowers   2f 5f
    Discards  1s 5s 6z 7z 1z

  Seat 2  p160-2  +0
    Holds     ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??
    Melds     2z2z2z
    Flowers   4f
    Discards  2m 7z 3z 2s 9p

  Seat 3  p98-3  +0
    Holds     ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ??
    Melds     1p1p1p
    Discards  4z 6z 5z 1s 5m
"""


def table_at(seq: int) -> Table:
    first, *events = paipu.events(CLEAN)
    table = start(first)  # type: ignore[arg-type]
    for event in events[:seq]:
        table = apply(table, event)
    return table


def test_the_table_as_text_for_a_seat() -> None:
    done = mingpai("replay", CLEAN, "--at", "59", "--as-seat", "1")
    assert [line.rstrip() for line in done.stdout.splitlines()] == GOLDEN_TEXT.splitlines()
    assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize("seq", [0, 1, 12, 13, 59, 99, EVENTS - 1])
def test_the_whole_table_as_json(seq: int) -> None:
    done = mingpai("replay", CLEAN, "--at", str(seq), "--format", "json")
    table = table_at(seq)
    assert json.loads(done.stdout) == {
        "table": picture(table),
        "acts": [[act_document(act) for act in acts] for acts in offers(table)],
        "state_hash": table.state_hash(),
    }
    assert done.exit_code == 0


def test_a_seat_sees_its_own_acts_only_and_no_hash() -> None:
    """A hash over all tiles would let a hidden one be found by trying."""
    claimed = next(event["seq"] for event in documents() if event["type"] == "punged")
    table = table_at(claimed - 1)
    seat = documents()[claimed]["seat"]
    shown = json.loads(mingpai("replay", CLEAN, "--at", claimed - 1, "--as-seat", seat, "--format", "json").stdout)
    assert list(shown) == ["table", "acts"]
    assert shown["table"] == picture(table, seat)
    assert [acts is None for acts in shown["acts"]] == [other != seat for other in range(4)]
    assert {"pung", "pass"} <= {act["act"] for act in shown["acts"][seat]}


@pytest.mark.parametrize(("lang", "word"), [("en", "Discards"), ("zh-Hans", "弃牌"), ("zh-Hant", "棄牌")])
def test_in_every_language(lang: str, word: str) -> None:
    for seq in range(0, EVENTS, 12):
        assert mingpai("replay", CLEAN, "--at", str(seq), "--lang", lang).exit_code == 0
    assert word in mingpai("replay", CLEAN, "--at", "59", "--lang", lang).stdout


def test_the_end_of_a_hand_shows_who_won() -> None:
    won = next(event["seq"] for event in documents() if event["type"] == "won")
    text = mingpai("replay", CLEAN, "--at", str(won), "--as-seat", "0").stdout
    assert "Seat 3: you" in text
    assert "??" not in text


def test_which_game_of_a_file(tmp_path: Path) -> None:
    both = tmp_path / "both.jsonl"
    both.write_bytes(SHORT.read_bytes() + CLEAN.read_bytes())
    for arguments, game in (([], "xiamen-3-13"), (["--game", "xiamen-1-8"], "xiamen-1-8")):
        done = mingpai("replay", both, "--at", "20", "--format", "json", *arguments)
        assert json.loads(done.stdout)["table"]["game"] == game


def test_standard_input() -> None:
    done = mingpai("replay", "-", "--at", "20", "--format", "json", input=CLEAN.read_bytes())
    assert json.loads(done.stdout)["table"]["seq"] == 20


def test_a_step_before_a_bad_line_can_be_seen(tmp_path: Path) -> None:
    path = written(tmp_path / "cut.jsonl", documents()[:60], end="{")
    assert mingpai("replay", path, "--at", "59").exit_code == 0
    done = mingpai("replay", path, "--at", "60")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {path}, line 61: ")


def test_an_event_that_cannot_be_applied(tmp_path: Path) -> None:
    path = inapplicable(tmp_path / "bad.jsonl", 19)
    done = mingpai("replay", path, "--at", "30")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"error: {path}, line 20: event 19 cannot be applied: deltas must have 4 numbers, not 2\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--at", "999"], "has no event 999; the last one is 193"),
        (["--at", "20", "--as-seat", "4"], "--as-seat 4: the seats of this game are 0-3"),
        (["--at", "20", "--game", "other"], "no game other"),
        (["--at", "-1"], "--at"),
        (["--at", "x"], "--at"),
        ([], "--at"),
    ],
)
def test_a_wrong_call(arguments: list[str], expected: str) -> None:
    done = mingpai("replay", CLEAN, *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert expected in done.stderr


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    done = mingpai("replay", tmp_path / "missing", "--at", "1")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "No such file" in done.stderr
