"""What is read: the examples, every kind of line end and packing, several games, members of others."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from replays.events import Act, Drew, GameStarted, PresenceChanged
from schema.paipu import decode, document, encode, events, games, load, read, read_file
from tests.format.logs import DREW, START, examples, log, read_all

_LOG = log(START, DREW)


def test_there_are_examples() -> None:
    assert len(examples()) >= 16


@pytest.mark.parametrize("path", examples(), ids=lambda path: path.stem)
def test_examples_round_trip(path: Path) -> None:
    records = list(read_file(path))
    assert b"".join(encode(record.document) for record in records) == path.read_bytes()
    assert [document(record.event) for record in records] == [record.document for record in records]
    assert list(events(path)) == [record.event for record in records]
    assert [record.line for record in records] == list(range(1, len(records) + 1))


def test_events_hold_what_the_log_says() -> None:
    started, drew = (record.event for record in read_all(_LOG))
    assert isinstance(started, GameStarted)
    assert (started.game, started.ruleset, started.version, started.options) == ("g-1", "any", "1", {})
    assert [seating.player for seating in started.seats] == ["p-0", "p-1", "p-2", "p-3"]
    assert drew == Drew(1, "2026-03-01T12:00:01.000Z", 1, 2, 2, False)
    assert load({**DREW, "from": "tail"}) == drew._replace(tail=True)


def test_acts() -> None:
    options = [{"act": "chow", "tile": "3m", "with": ["1m", "2m"], "from": 1}, {"act": "pass"}]
    passed = {"seq": 5, "type": "passed", "at": DREW["at"], "hand": 1, "seat": 2, "options": options, "on": 4}
    event = load(passed)
    assert event.options == (Act("chow", 2, (0, 1), from_=1), Act("pass"))  # type: ignore[union-attr]


def test_presence_outside_a_hand() -> None:
    event = decode(b'{"seq":3,"type":"presence_changed","at":"2026-03-01T12:00:01.000Z","seat":1,"state":"left"}').event
    assert event == PresenceChanged(3, "2026-03-01T12:00:01.000Z", None, 1, "left")


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.rstrip(b"\n"),
        lambda data: b"\n \t\r\n" + data.replace(b"\n", b"\n\n\n"),
        lambda data: data.replace(b"\n", b" \t \n  "),
        lambda data: b"\xef\xbb\xbf\r\n" + data.replace(b"\n", b"\r\n").rstrip(b"\r\n"),
        gzip.compress,
        zstandard.compress,
        lambda data: b"".join(gzip.compress(line) for line in data.splitlines(keepends=True)),
        lambda data: b"".join(zstandard.compress(line) for line in data.splitlines(keepends=True)),
        lambda data: zstandard.ZstdCompressor(write_content_size=False, write_checksum=True).compress(data),
    ],
    ids="bom crlf no-final-newline blank-lines spaces all gzip zstd gzip-members zstd-frames zstd-checksum".split(),
)
def test_same_events(change: Callable[[bytes], bytes]) -> None:
    assert [r[1:] for r in read_all(change(_LOG))] == [r[1:] for r in read_all(_LOG)]


def test_blank_lines_count() -> None:
    assert [record.line for record in read_all(b"\n\n" + _LOG.replace(b"\n", b"\n\n"))] == [3, 5]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress], ids=["plain", "gzip", "zstd"])
def test_packing_is_seen_in_the_bytes_not_in_the_name(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(pack(_LOG))
    assert [event.type for event in events(str(path))] == ["game_started", "drew"]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress], ids=["plain", "gzip", "zstd"])
def test_standard_input(pack: Callable[[bytes], bytes]) -> None:
    code = "from schema.paipu import read_file; print([r.event.type for r in read_file('-')])"
    run = subprocess.run([sys.executable, "-c", code], input=pack(_LOG), capture_output=True, check=True, timeout=60)
    assert run.stdout.decode().strip() == "['game_started', 'drew']"


def test_a_pipe_is_read_as_it_comes() -> None:
    """The first records are there before the rest of the stream is."""
    asked: list[int] = []

    class Slow(io.RawIOBase):
        def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
            asked.append(len(asked))
            piece = (_LOG[:4], _LOG[4:], log({**DREW, "seq": 2}), b"")[min(len(asked) - 1, 3)]
            buffer[: len(piece)] = piece
            return len(piece)

        def readable(self) -> bool:
            return True

    records = read(io.BufferedReader(Slow()), source="pipe")
    assert next(records).event.seq == 0
    assert next(records).event.seq == 1
    assert len(asked) == 2
    assert [record.event.seq for record in records] == [2]


def test_a_missing_file_is_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        next(events(tmp_path / "none"))


def test_members_of_others_are_kept() -> None:
    theirs = {"x_n": -(2**53 - 1), "x_": None, "x_deep": [[[[[[[True]]]]]]], "x_t": {"b": "\u2028😀", "a": 2**53 - 1}}
    (_, record) = read_all(log(START, {"x_first": 1, **DREW, **theirs}))
    assert record.document == {"x_first": 1, **DREW, **theirs}
    assert record.event == load(DREW)
    assert next(iter(record.document)) == "x_first"
    again = read_all(log(START) + encode(record.document))[1].document
    assert again == record.document
    assert list(again)[-5:] == ["x_", "x_deep", "x_first", "x_n", "x_t"]


def test_names_are_any_text() -> None:
    names = ["", "a" * 64, "😀" * 64, "<b>\n\u202e\x00&amp;"]
    seats = [{"player": f"p{seat}", "name": name} for seat, name in enumerate(names)]
    (record,) = read_all(log({**START, "seats": seats}))
    assert [seating.name for seating in record.event.seats] == names  # type: ignore[union-attr]


def test_several_games() -> None:
    data = log(START, DREW, {**DREW, "seq": 7}) + b"\xef\xbb\xbf" + log({**START, "game": "g-2"}) + log(START, DREW)
    grouped = [[record.event.seq for record in game] for game in games(iter(read_all(data)))]
    assert grouped == [[0, 1, 7], [0], [0, 1]]


def test_games_are_lazy() -> None:
    records = read(io.BytesIO(log(START, DREW, START, "{")), source="a")
    grouped = games(records)
    assert next(next(grouped)).line == 1
    assert next(next(grouped)).line == 3


def test_what_breaks_a_rule_is_read() -> None:
    """G-SEQ-1, G-TIME-1, a fifth copy, the wrong count: findings, not errors."""
    strange = {"seq": 99, "type": "punged", "at": "1999-12-31T23:59:59.999Z", "hand": 7, "seat": 3, "tile": "1f"}
    data = log(START, DREW, DREW, {**strange, "from": 3, "with": ["9s"] * 4}, {**DREW, "seq": 0})
    assert len(read_all(data)) == 5


def test_options_of_the_rule_set_are_not_judged_here() -> None:
    options = {"unknown": [1, {"a": None}], "x_": True}
    (record,) = read_all(log({**START, "ruleset": {"id": "nobody's", "version": "77", "options": options}}))
    assert record.event.options == options  # type: ignore[union-attr]
