"""``mingpai audit``: reports, exit codes, and what cannot be read."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from replays import ENGINE
from replays.variants import rulebook
from tests.cli.logs import (
    CLEAN,
    EVENTS,
    EXAMPLES,
    SHORT,
    SHORT_EVENTS,
    changed,
    documents,
    inapplicable,
    json_lines,
    mingpai,
    written,
    wrong_payment,
)

VERDICTS = ("clean", "violations", "incomplete")

GOLDEN_TEXT = """\
xiamen-1-8 (xiamen, 194 events, {source}): clean
    Hand  Dealer  Streak  Winner  Way          Factor  Water  Payments          Items
    1     1       0       3       you          ×4      2      -40 -40 -40 +120  X-WATER-3 1m 1, X-WATER-1 4m 1
    2     3       0       2       three golds  ×3      4      -36 -36 +108 -36  X-WATER-3 9s 3, X-WATER-4 1
                                                              -76 -76 +68 +84   Scores
  Fairness: 1, committed by the server alone; walls of 2 of 2 hands re-derived
  Unproven: passes (not on record: rights that were not used are derived)
"""

MEMBERS = [
    "game", "ruleset", "ruleset_digest", "engine", "verdict", "events", "findings", "hands", "scores", "fairness",
    "unproven",
]  # fmt: skip


def test_a_clean_log_as_text() -> None:
    done = mingpai("audit", CLEAN)
    lines = [line.rstrip() for line in done.stdout.splitlines()]
    assert "\n".join(lines).rstrip("\n") + "\n" == GOLDEN_TEXT.format(source=CLEAN)
    assert (done.exit_code, done.stderr) == (0, "")


def test_a_clean_log_as_json() -> None:
    done = mingpai("audit", "--format", "json", CLEAN)
    (report,) = json_lines(done.stdout)
    assert list(report) == MEMBERS
    first, second = report["hands"]
    assert len(first.pop("state_hash")) == 64
    assert first == {
        "hand": 1, "dealer": 1, "streak": 0, "winner": 3, "win": "you", "deltas": [-40, -40, -40, 120],
        "items": [
            {"seat": 3, "code": "X-WATER-3", "value": 1, "tile": "1m"},
            {"seat": 3, "code": "X-WATER-1", "value": 1, "tile": "4m"},
        ],
        "clause": "X-WIN-3", "factor": 4, "water": 2,
    }  # fmt: skip
    assert second["win"] == "three_golds"
    assert report["ruleset_digest"] == rulebook("xiamen", "1", {"you_bonus": 25}).digest
    assert {name: report[name] for name in MEMBERS if name not in ("hands", "ruleset_digest")} == {
        "game": "xiamen-1-8", "ruleset": "xiamen", "engine": ENGINE, "verdict": "clean", "events": EVENTS,
        "findings": [], "scores": [-76, -76, 68, 84], "fairness": {"level": 1, "hands_proven": 2, "hands": 2},
        "unproven": ["passes"],
    }  # fmt: skip
    assert (done.exit_code, done.stderr) == (0, "")


def test_every_example_of_a_known_rule_set_is_clean() -> None:
    done = mingpai("audit", "--format", "json", *sorted(EXAMPLES.glob("xiamen-*.jsonl")))
    assert [report["verdict"] for report in json_lines(done.stdout)] == ["clean"] * 6
    assert (done.exit_code, done.stderr) == (0, "")


# -- Violations ------------------------------------------------------------------------------------------------------


def test_a_wrong_payment(tmp_path: Path) -> None:
    done = mingpai("audit", "--format", "json", wrong_payment(tmp_path))
    (report,) = json_lines(done.stdout)
    found = report["findings"][0]
    assert list(found) == [
        "seq", "hand", "seat", "clause", "code", "severity", "expected", "recorded", "message",
    ]  # fmt: skip
    assert (found["clause"], found["severity"], found["seat"]) == ("X-PAY-2", "violation", None)
    assert found["recorded"] == {"deltas": [-41, -41, -41, 123]}
    assert found["expected"]["deltas"] == [-40, -40, -40, 120]
    assert report["hands"][0]["deltas"] == [-40, -40, -40, 120]  # the engine's own, whatever was recorded
    assert (done.exit_code, report["verdict"]) == (1, "violations")


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "by the rules they are"), ("zh-Hans", "按规则"), ("zh-Hant", "按規則")]
)
def test_messages_follow_the_language_and_codes_do_not(tmp_path: Path, lang: str, words: str) -> None:
    path = wrong_payment(tmp_path)
    (report,) = json_lines(mingpai("audit", "--format", "json", "--lang", lang, path).stdout)
    (english,) = json_lines(mingpai("audit", "--format", "json", path).stdout)
    assert words in report["findings"][0]["message"]
    for one in (report, english):
        for found in one["findings"]:
            del found["message"]
    assert report == english


def test_violations_as_text(tmp_path: Path) -> None:
    done = mingpai("audit", "--lang", "zh-Hant", wrong_payment(tmp_path))
    verdict, _, found, *_ = done.stdout.splitlines()
    assert verdict.endswith("：有違規")
    assert "X-PAY-2" in found
    assert "記錄的收付為 -41、-41、-41、123" in found
    assert done.exit_code == 1


def test_a_log_that_just_stops_is_incomplete_and_counts_as_nothing(tmp_path: Path) -> None:
    done = mingpai("audit", "--format", "json", written(tmp_path / "cut.jsonl", documents()[:60]))
    (report,) = json_lines(done.stdout)
    assert (report["verdict"], report["events"], done.exit_code, done.stderr) == ("incomplete", 60, 0, "")


def test_the_highest_exit_code_wins(tmp_path: Path) -> None:
    done = mingpai("audit", "--format", "json", wrong_payment(tmp_path), tmp_path / "missing", CLEAN)
    assert [report["verdict"] for report in json_lines(done.stdout)] == ["violations", "clean"]
    assert done.exit_code == 2
    assert mingpai("audit", wrong_payment(tmp_path), CLEAN).exit_code == 1


# -- Inputs ----------------------------------------------------------------------------------------------------------


def test_standard_input_and_packed_files(tmp_path: Path) -> None:
    packed = tmp_path / "log.gz"
    packed.write_bytes(gzip.compress(SHORT.read_bytes()))
    done = mingpai("audit", "--format", "json", "-", packed, input=CLEAN.read_bytes())
    assert [report["events"] for report in json_lines(done.stdout)] == [EVENTS, SHORT_EVENTS]
    assert done.exit_code == 0


def test_several_processes_report_the_same_in_the_same_order(tmp_path: Path) -> None:
    files = [CLEAN, tmp_path / "missing", SHORT, wrong_payment(tmp_path), *[SHORT] * 4]
    alone = mingpai("audit", "--format", "json", *files)
    shared = mingpai("audit", "--format", "json", "--jobs", "2", *files)
    assert (shared.stdout, shared.stderr, shared.exit_code) == (alone.stdout, alone.stderr, 2)


def test_several_games_in_one_file(tmp_path: Path) -> None:
    both = tmp_path / "both.jsonl"
    both.write_bytes(SHORT.read_bytes() + b"\n" + CLEAN.read_bytes())
    done = mingpai("audit", "--format", "json", both)
    assert [report["game"] for report in json_lines(done.stdout)] == ["xiamen-3-13", "xiamen-1-8"]
    assert (done.exit_code, done.stderr) == (0, "")


def test_a_game_that_comes_twice_is_noted(tmp_path: Path) -> None:
    done = mingpai("audit", "--format", "json", CLEAN, CLEAN)
    assert len(json_lines(done.stdout)) == 2
    assert done.stderr.splitlines() == [f"note: game xiamen-1-8 is in {CLEAN} and again in {CLEAN}"]
    assert done.exit_code == 0


# -- What cannot be read ---------------------------------------------------------------------------------------------


def test_a_truncated_last_line(tmp_path: Path) -> None:
    path = written(tmp_path / "cut.jsonl", documents()[:60], end='{"seq": 60, "type": "dr')
    done = mingpai("audit", "--format", "json", path)
    (report,) = json_lines(done.stdout)
    assert (report["verdict"], report["events"]) == ("incomplete", 60)
    assert (report["error"]["source"], report["error"]["line"]) == (str(path), 61)
    assert done.stderr.startswith(f"error: {path}, line 61: expected one complete JSON object")
    assert (len(done.stderr.splitlines()), done.exit_code) == (1, 2)


def test_a_line_after_the_end_of_a_game_is_none_of_the_games(tmp_path: Path) -> None:
    done = mingpai("audit", "--format", "json", written(tmp_path / "log.jsonl", documents(), end="oops\n"))
    (report,) = json_lines(done.stdout)
    assert (report["verdict"], "error" in report) == ("clean", False)
    assert f"line {EVENTS + 1}:" in done.stderr
    assert done.exit_code == 2


def test_games_before_the_bad_line_are_reported(tmp_path: Path) -> None:
    path = written(tmp_path / "log.jsonl", documents(SHORT), end=json.dumps(documents()[0]) + '\n{"seq": 1}\n')
    done = mingpai("audit", "--format", "json", path)
    first, second = json_lines(done.stdout)
    assert (first["game"], first["verdict"]) == ("xiamen-3-13", "clean")
    assert (second["verdict"], second["events"], second["error"]["line"]) == ("incomplete", 1, SHORT_EVENTS + 2)
    assert done.exit_code == 2


def no_member(path: Path) -> Path:
    events = documents()
    del events[13]["tile"]
    return written(path, events)


def garbage(path: Path) -> Path:
    path.write_bytes(b"\x00\x01\x02\xff" * 100)
    return path


def empty(path: Path) -> Path:
    path.write_bytes(b"")
    return path


def cut_gzip(path: Path) -> Path:
    path.write_bytes(gzip.compress(CLEAN.read_bytes())[:200])
    return path


def no_start(path: Path) -> Path:
    return written(path, documents()[1:])


BAD_FILES: dict[str, tuple[Callable[[Path], Path], str]] = {
    "missing": (lambda path: path, "No such file"),
    "folder": (lambda path: path.parent, "Is a directory"),
    "empty": (empty, "line 1: expected an event"),
    "binary": (garbage, "line 1: expected UTF-8 text, found binary data"),
    "cut gzip": (cut_gzip, "expected complete gzip data"),
    "without start": (no_start, "line 1: type: expected game_started"),
}


@pytest.mark.parametrize("format", ["text", "json"])
@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_of_which_nothing_can_be_read(tmp_path: Path, name: str, format: str) -> None:
    """One line names the place; nothing that looks like a verdict; the other files are audited all the same."""
    make, expected = BAD_FILES[name]
    path = make(tmp_path / "bad.jsonl")
    alone = mingpai("audit", "--format", format, path)
    if name != "cut gzip":  # what came before the cut is reported
        assert alone.stdout == ""
    (line,) = alone.stderr.splitlines()
    assert line.startswith(f"error: {path}")
    assert expected in line
    assert alone.exit_code == 2
    beside = mingpai("audit", "--format", "json", path, SHORT)
    assert json_lines(beside.stdout)[-1]["verdict"] == "clean"
    assert beside.exit_code == 2


BAD_LINES: dict[str, tuple[Callable[[Path], Path], str]] = {
    "wrong type": (lambda path: changed(path, 13, tile=3), "line 14: tile: expected"),
    "unknown tile": (lambda path: changed(path, 13, tile="0m"), 'found "0m"'),
    "unknown member": (lambda path: changed(path, 13, title="1m"), "line 14: title: expected"),
    "missing member": (no_member, "line 14: tile: expected"),
    "unknown event": (lambda path: changed(path, 13, type="discard"), "line 14: type: expected"),
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_line_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    make, expected = BAD_LINES[name]
    path = make(tmp_path / "bad.jsonl")
    done = mingpai("audit", "--format", "json", path)
    (report,) = json_lines(done.stdout)
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"error: {path}, line 14")
    assert expected in line
    assert (report["events"], report["verdict"], report["error"]["line"]) == (13, "incomplete", 14)
    assert done.exit_code == 2


# -- What cannot be applied ------------------------------------------------------------------------------------------


BAD_STARTS: dict[str, tuple[dict[str, Any], str]] = {
    "rule set": ({"ruleset": {"id": "nowhere", "version": "1", "options": {}}}, "no rule set 'nowhere'"),
    "version": ({"ruleset": {"id": "xiamen", "version": "99", "options": {}}}, "no version '99'"),
    "option": ({"ruleset": {"id": "xiamen", "version": "1", "options": {"odd": 1}}}, "no option 'odd'"),
    "seats": ({"seats": [{"player": "a"}, {"player": "b"}], "scores": [0, 0], "first_dealer": 0}, "seats, not 2"),
}


@pytest.mark.parametrize("name", BAD_STARTS)
def test_a_game_that_cannot_start(tmp_path: Path, name: str) -> None:
    members, expected = BAD_STARTS[name]
    path = changed(tmp_path / "bad.jsonl", 0, **members)
    both = tmp_path / "both.jsonl"
    both.write_bytes(path.read_bytes() + SHORT.read_bytes())
    done = mingpai("audit", "--format", "json", both)
    bad, good = json_lines(done.stdout)
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"error: {both}, line 1: ")
    assert expected in line
    assert (bad["verdict"], bad["events"], bad["findings"], bad["hands"]) == ("unreadable", 0, [], [])
    assert bad["error"]["seq"] == 0
    assert good["verdict"] == "clean"
    assert done.exit_code == 2


def test_an_event_that_cannot_be_applied(tmp_path: Path) -> None:
    """What came before it is in; the next game is audited."""
    path = inapplicable(tmp_path / "bad.jsonl", 30, end=SHORT.read_text(encoding="utf-8"))
    done = mingpai("audit", "--format", "json", path)
    bad, good = json_lines(done.stdout)
    assert (bad["verdict"], bad["events"]) == ("unreadable", 30)
    assert (bad["error"]["line"], bad["error"]["seq"]) == (31, 30)
    assert "line 31: event 30 cannot be applied: deltas must have 4 numbers, not 2" in done.stderr
    assert good["verdict"] == "clean"
    assert done.exit_code == 2


def test_text_of_a_log_is_never_markup_nor_obeyed(tmp_path: Path) -> None:
    """Neither the terminal's control sequences nor the report's own mark-up."""
    path = changed(tmp_path / "\x1b[31mred\n.jsonl", 0, game="[bold]name[/bold]")
    done = mingpai("audit", path, tmp_path / "\x1bmissing")
    assert "[bold]name[/bold] (xiamen" in done.stdout
    assert "\\x1b[31mred\\n.jsonl" in done.stdout
    assert "\\x1bmissing" in done.stderr
    assert "\x1b" not in done.stdout + done.stderr


def test_json_keeps_any_text(tmp_path: Path) -> None:
    path = changed(tmp_path / "log.jsonl", 0, game="廈門 № 🀄")
    assert json_lines(mingpai("audit", "--format", "json", path).stdout)[0]["game"] == "廈門 № 🀄"


# -- The call --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "FILE"),
        (["--lang", "fr", str(CLEAN)], "'fr' is not one of 'en', 'zh-Hans', 'zh-Hant'"),
        (["--format", "xml", str(CLEAN)], "'xml' is not one of 'text', 'json'"),
        (["--odd", str(CLEAN)], "--odd"),
    ],
)
def test_a_wrong_call(arguments: list[str], expected: str) -> None:
    done = mingpai("audit", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert expected in done.stderr
