"""Lines that cannot be read: each error names the line, the member, what was expected and what was found."""

from __future__ import annotations

import json
import pickle
import time
from typing import Any

import pytest

from replays.events import TYPES
from schema.paipu import LogError, decode, load
from tests.format.logs import DREW, MEMBERS, START, log, read_until_error

_LINE = json.dumps(DREW)
_SEATS = START["seats"]
_KNOWN = "one of seq, at, hand, seat, tile, from, type, x_…"


def _error(line: str | bytes, before: tuple[dict[str, Any], ...] = (START,)) -> LogError:
    """The error of a line that follows ``before``, all of which must have been given."""
    raw = line if isinstance(line, bytes) else line.encode("utf-8", "surrogatepass")
    records, error = read_until_error(log(*before) + b"\n" + raw + b"\n")
    assert len(records) == len(before)
    assert isinstance(error, LogError)
    assert (error.source, error.line) == ("a.jsonl", len(before) + 2)
    message = str(error)
    assert message.isprintable()
    assert len(message) < 400
    assert message.startswith(f"a.jsonl, line {error.line}: " + (f"{error.member}: " if error.member else "expected"))
    return error


@pytest.mark.parametrize(
    ("line", "expected", "found"),
    [
        (b"\x89PNG\r\x00\x00", "UTF-8 text", "binary data"),
        (b'{"seq": 1, "x_": "\xff"}', "UTF-8 text", "byte 0xff at place 19"),
        (_LINE.encode("utf-16"), "UTF-8 text", "binary data"),
        (_LINE[:40], "one complete JSON object", "at column"),
        (_LINE[:-1], "one complete JSON object", "at column"),
        (_LINE + _LINE, "one complete JSON object", "Extra data"),
        (_LINE + ",", "one complete JSON object", "Extra data"),
        ("seq=1", "one complete JSON object", "seq=1"),
        ("{'seq': 1}", "one complete JSON object", "column 2"),
        ('{"seq": 01}', "one complete JSON object", "column"),
        ('{"x_": "\t"}', "one complete JSON object", "Invalid control character"),
        ('{"x_": "\\x"}', "one complete JSON object", "Invalid \\escape"),
        ("[1, 2]", "a JSON object", "[1, 2]"),
        ("17", "a JSON object", "17"),
        ("NaN", "a JSON object", "NaN"),
        ('"drew"', "a JSON object", '"drew"'),
        ("null", "a JSON object", "null"),
        ("[" * 9 + "]" * 9, "nesting of at most 8", "deeper nesting"),
        ("[" * 60_000, "nesting of at most 8", "deeper nesting"),
        ('{"a":' * 12_000, "nesting of at most 8", "deeper nesting"),
        (f'{{"x_a": {"[" * 30_000 + "]" * 30_000}, {_LINE[1:]}', "nesting of at most 8", "deeper nesting"),
        (f'{{"x_a": {"[" * 8 + "]" * 8}, {_LINE[1:]}', "nesting of at most 8", "deeper nesting"),
        ("[" * 10**6, "a line of at most 65536 bytes", "a longer one"),
        (" " * 70_000, "a line of at most 65536 bytes", "a longer one"),
        (f'{{"x_a": "{"a" * 65_536}", {_LINE[1:]}', "a line of at most 65536 bytes", "a longer one"),
    ],
)
def test_not_an_object(line: str | bytes, expected: str, found: str) -> None:
    error = _error(line)
    assert error.member is None
    assert error.expected == expected
    assert found in error.found


@pytest.mark.parametrize(
    ("change", "member", "expected", "found"),
    [
        ({"type": None}, "type", "a type of event of paipu/1", "null"),
        ({"type": "flew"}, "type", "a type of event of paipu/1", '"flew"'),
        ({"type": ["drew"]}, "type", "a type of event of paipu/1", '["drew"]'),
        ({"type": "Drew"}, "type", "a type of event of paipu/1", '"Drew"'),
        ({"note": 1}, "note", _KNOWN, "an unknown member"),
        ({"X_note": 1}, "X_note", _KNOWN, "an unknown member"),
        ({"xnote": 1}, "xnote", _KNOWN, "an unknown member"),
        ({"": 1}, '""', _KNOWN, "an unknown member"),
        ({"\u202e<b>": 1}, "\\u202e<b>", _KNOWN, "an unknown member"),
        ({"level": "double_you"}, "level", _KNOWN, "an unknown member"),
        ({"seq": -1}, "seq", "an integer from 0 to 9007199254740991", "-1"),
        ({"seq": True}, "seq", "an integer from 0 to 9007199254740991", "true"),
        ({"seq": 1.0}, "seq", "an integer from 0 to 9007199254740991", "1.0"),
        ({"seq": "1"}, "seq", "an integer from 0 to 9007199254740991", '"1"'),
        ({"seq": None}, "seq", "an integer from 0 to 9007199254740991", "null"),
        ({"seq": 2**53}, "seq", "an integer from 0 to 9007199254740991", "9007199254740992"),
        ({"seq": 10**400}, "seq", "an integer from 0 to 9007199254740991", "1" + "0" * 58 + "…"),
        ({"hand": 0}, "hand", "an integer from 1 to 4294967295", "0"),
        ({"hand": 2**32}, "hand", "an integer from 1 to 4294967295", "4294967296"),
        ({"seat": -1}, "seat", "a seat from 0 to 3", "-1"),
        ({"seat": 4}, "seat", "a seat from 0 to 3", "4"),
        ({"seat": False}, "seat", "a seat from 0 to 3", "false"),
        ({"tile": "??"}, "tile", "a tile of 1m-9m 1p-9p 1s-9s 1z-7z 1f-8f", '"??"'),
        ({"tile": "8z"}, "tile", "a tile of 1m-9m 1p-9p 1s-9s 1z-7z 1f-8f", '"8z"'),
        ({"tile": "0m"}, "tile", "a tile of 1m-9m 1p-9p 1s-9s 1z-7z 1f-8f", '"0m"'),
        ({"tile": ["3m"]}, "tile", "a tile of 1m-9m 1p-9p 1s-9s 1z-7z 1f-8f", '["3m"]'),
        ({"tile": "一" * 100}, "tile", "a tile of 1m-9m 1p-9p 1s-9s 1z-7z 1f-8f", '"' + "一" * 58 + "…"),
        ({"from": 1}, "from", "one of head, tail", "1"),
        ({"from": "middle"}, "from", "one of head, tail", '"middle"'),
        ({"x_a": 1.5}, "x_a", "an integer within ±(2^53 − 1)", "1.5"),
        ({"x_a": [0, {"b": 2**53}]}, "x_a[1].b", "an integer within ±(2^53 − 1)", "9007199254740992"),
        ({"x_a": -(2**53)}, "x_a", "an integer within ±(2^53 − 1)", "-9007199254740992"),
        ({"x_a": {"b": float("nan")}}, "x_a.b", "an integer within ±(2^53 − 1)", "NaN"),
        ({"x_a": [float("-inf")]}, "x_a[0]", "an integer within ±(2^53 − 1)", "-Infinity"),
        ({"tile": float("inf")}, "tile", "a tile of 1m-9m 1p-9p 1s-9s 1z-7z 1f-8f", "Infinity"),
        ({"x_a": "\ud800"}, "x_a", "text without lone surrogates", '"\\ud800"'),
        ({"x_\udfff": 1}, "x_", "text without lone surrogates", '"x_\\udfff"'),
        ({"x_a": {"\ud800": 1}}, "x_a", "text without lone surrogates", '"\\ud800"'),
    ],
)
def test_members(change: dict[str, Any], member: str, expected: str, found: str) -> None:
    error = _error(json.dumps({**DREW, **change}))
    assert (error.member, error.expected, error.found) == (member, expected, found)


@pytest.mark.parametrize(
    "at",
    [
        "2026-03-01T12:00:05Z",
        "2026-03-01T12:00:05.12Z",
        "2026-03-01T12:00:05.1234Z",
        "2026-03-01T12:00:05.125+00:00",
        "2026-03-01t12:00:05.125z",
        "2026-03-01 12:00:05.125Z",
        "2026-03-01T12:00:05,125Z",
        "2026-02-29T12:00:05.125Z",
        "2026-13-01T12:00:05.125Z",
        "2026-00-01T12:00:05.125Z",
        "2026-01-32T12:00:05.125Z",
        "0000-01-01T12:00:05.125Z",
        "2026-03-01T24:00:00.000Z",
        "2026-03-01T12:60:05.125Z",
        "2026-03-01T23:59:60.000Z",
        "2026-03-01T12:00:05.125Z\n",
        "２026-03-01T12:00:05.125Z",
        "",
        1772366405125,
    ],
)
def test_times(at: Any) -> None:
    error = _error(json.dumps({**DREW, "at": at}))
    assert (error.member, error.expected) == ("at", "a time such as 2026-03-01T12:00:05.125Z")
    assert error.found in (json.dumps(at), json.dumps(at, ensure_ascii=False))


def test_a_leap_day_is_a_day() -> None:
    assert load({**DREW, "at": "2028-02-29T23:59:59.999Z"}).at == "2028-02-29T23:59:59.999Z"


@pytest.mark.parametrize(
    ("change", "member", "found"),
    [
        ({"seq": 1}, "seq", "1"),
        ({"format": "paipu/2"}, "format", '"paipu/2"'),
        ({"format": 1}, "format", "1"),
        ({"game": ""}, "game", '""'),
        ({"game": "a" * 129}, "game", '"' + "a" * 58 + "…"),
        ({"game": "a\nb"}, "game", '"a\\nb"'),
        ({"game": "a\x7fb"}, "game", '"a\\u007fb"'),
        ({"game": "\u0085"}, "game", '"\\u0085"'),
        ({"game": "\ud800"}, "game", '"\\ud800"'),
        ({"game": 5}, "game", "5"),
        ({"hand": 1}, "hand", "an unknown member"),
        ({"ruleset": "xiamen"}, "ruleset", '"xiamen"'),
        ({"ruleset": {"id": "a", "version": "1"}}, "ruleset.options", "nothing"),
        ({"ruleset": {"id": "a", "version": 1, "options": {}}}, "ruleset.version", "1"),
        ({"ruleset": {"id": "a", "version": "1", "options": []}}, "ruleset.options", "[]"),
        ({"ruleset": {"id": "a", "version": "1", "options": {"base": 1.5}}}, "ruleset.options.base", "1.5"),
        ({"ruleset": {"id": "a", "version": "1", "options": {}, "x_a": 1}}, "ruleset.x_a", "an unknown member"),
        ({"seats": _SEATS[:1]}, "seats", "a list of 1"),
        ({"seats": [*_SEATS, *_SEATS]}, "seats", "a list of 8"),
        ({"seats": [*_SEATS[:3], {"player": ""}]}, "seats[3].player", '""'),
        ({"seats": [*_SEATS[:3], {"name": "a"}]}, "seats[3].player", "nothing"),
        ({"seats": [{"player": "a", "name": "b" * 65}, *_SEATS[:3]]}, "seats[0].name", '"' + "b" * 58 + "…"),
        ({"seats": [{"player": "a", "name": None}, *_SEATS[:3]]}, "seats[0].name", "null"),
        ({"seats": [{"player": "a", "age": 1}, *_SEATS[:3]]}, "seats[0].age", "an unknown member"),
        ({"seats": [1, 2, 3, 4]}, "seats[0]", "1"),
        ({"first_dealer": 4}, "first_dealer", "4"),
        ({"scores": [0, 0, 0, 2**53]}, "scores[3]", "9007199254740992"),
        ({"scores": [0, 0, 0, True]}, "scores[3]", "true"),
        ({"scores": {}}, "scores", "{}"),
        ({"records": {"passes": 0, "wall": True, "prompts": True}}, "records.passes", "0"),
        ({"records": {"wall": True, "prompts": True}}, "records.passes", "nothing"),
        ({"commitment": {"scheme": "a", "root": "AB", "hands": 1}}, "commitment.root", '"AB"'),
        ({"commitment": {"scheme": "a", "root": "abc", "hands": 1}}, "commitment.root", '"abc"'),
        ({"commitment": {"scheme": "a", "root": "ab" * 257, "hands": 1}}, "commitment.root", '"' + "ab" * 29 + "…"),
        ({"commitment": {"scheme": "a", "root": "ab", "hands": -1}}, "commitment.hands", "-1"),
    ],
)
def test_start_of_a_game(change: dict[str, Any], member: str, found: str) -> None:
    error = _error(json.dumps({**START, **change}))
    assert (error.member, error.found) == (member, found)


def test_an_unknown_format_is_said_before_anything_else() -> None:
    error = _error('{"type": "game_started", "format": "paipu/9", "new": true}', before=())
    assert str(error) == 'a.jsonl, line 2: format: expected one of paipu/1, found "paipu/9"'
    assert _error('{"type": "game_started"}', before=()).found == "nothing"


_IN_HAND = {"seq": 1, "at": DREW["at"], "hand": 1}
_ACT = {"act": "kong", "kind": "added", "tile": "3m"}


@pytest.mark.parametrize(
    ("members", "member", "found"),
    [
        ({"type": "dealt", "seat": 0, "tiles": ["1m", "??"]}, "tiles[1]", '"??"'),
        ({"type": "dealt", "seat": 0, "tiles": "1m2m"}, "tiles", '"1m2m"'),
        ({"type": "dealt", "seat": 0, "tiles": ["1m"] * 145}, "tiles", "a list of 145"),
        ({"type": "wall_revealed", "wall": ["1m"] * 145}, "wall", "a list of 145"),
        ({"type": "wall_revealed", "wall": [], "salt": "0G"}, "salt", '"0G"'),
        ({"type": "punged", "seat": 0, "tile": "1m", "from": 1, "with": ["1m"] * 5}, "with", "a list of 5"),
        ({"type": "konged", "seat": 0, "tile": "1m", "kind": "big", "with": []}, "kind", '"big"'),
        ({"type": "dice_rolled", "purpose": "gold", "dice": [1], "seat": 0}, "dice", "a list of 1"),
        ({"type": "dice_rolled", "purpose": "gold", "dice": [1, 7], "seat": 0}, "dice[1]", "7"),
        ({"type": "dice_rolled", "purpose": "luck", "dice": [1, 6], "seat": 0}, "purpose", '"luck"'),
        ({"type": "gold_flipped", "tiles": ["1m"], "gold": "1m", "index": 0}, "index", "0"),
        ({"type": "passed", "seat": 0, "options": [{**_ACT, "act": "fly"}]}, "options[0].act", '"fly"'),
        ({"type": "passed", "seat": 0, "options": [_ACT, {**_ACT, "kind": 1}]}, "options[1].kind", "1"),
        ({"type": "passed", "seat": 0, "options": [{**_ACT, "x_a": 1}]}, "options[0].x_a", "an unknown member"),
        ({"type": "passed", "seat": 0, "options": [], "auto": 1}, "auto", "1"),
        ({"type": "claim_overridden", "seat": 0, "claim": {**_ACT, "tile": "??"}, "by": 1}, "claim.tile", '"??"'),
        ({"type": "won", "seat": 0, "win": ""}, "win", '""'),
        ({"type": "won", "seat": 0, "win": "you", "tile": None}, "tile", "null"),
        ({"type": "settled", "deltas": [1, -1.0]}, "deltas[1]", "-1.0"),
        ({"type": "settled", "deltas": [0, 0], "items": [{"seat": 0, "code": "a"}]}, "items[0].value", "nothing"),
        ({"type": "hand_started", "dealer": 0, "streak": -1, "scores": [0, 0]}, "streak", "-1"),
        ({"type": "seeds_opened", "client_seeds": [{"seat": 0}]}, "client_seeds[0].seed", "nothing"),
        ({"type": "voided", "reason": ""}, "reason", '""'),
        ({"type": "declared", "seat": 0, "declaration": "me"}, "declaration", '"me"'),
        ({"type": "game_ended", "scores": [0, 0]}, "hand", "an unknown member"),
    ],
)
def test_members_of_other_events(members: dict[str, Any], member: str, found: str) -> None:
    error = _error(json.dumps({**_IN_HAND, **members}))
    assert (error.member, error.found) == (member, found)


@pytest.mark.parametrize("member", ["seq", "type", "at", "hand", "seat", "tile", "from"])
def test_missing_members(member: str) -> None:
    error = _error(json.dumps({name: value for name, value in DREW.items() if name != member}))
    assert (error.member, error.expected, error.found) == (member, "this member", "nothing")


def test_every_type_is_known_by_hand() -> None:
    assert set(MEMBERS) == set(TYPES)


@pytest.mark.parametrize(
    ("line", "member", "found"),
    [
        (_LINE[:-1] + ', "tile": "3m"}', "tile", 'it again, with "3m"'),
        (_LINE[:-1] + ', "\\u0074ile": "4m"}', "tile", 'it again, with "4m"'),
        (_LINE[:-1] + ', "type": "drew"}', "type", 'it again, with "drew"'),
        (_LINE[:-1] + ', "x_a": 1, "x_a": 2}', "x_a", "it again, with 2"),
        (_LINE[:-1] + ', "x_a": {"b": 1, "b": 2}}', "b", "it again, with 2"),
        # Escaped colons in one text must not make up for the colon of a doubled member.
        (
            _LINE.replace("12:00:01", "12\\u003a00\\u003a01")[:-1] + ', "hand": 1, "seat": 2}',
            "hand",
            "it again, with 1",
        ),
    ],
)
def test_doubled_members(line: str, member: str, found: str) -> None:
    error = _error(line)
    assert (error.member, error.expected, error.found) == (member, "each member once", found)


def test_messages_are_short_and_one_line() -> None:
    line = json.dumps({**DREW, "tile": "\n\u2028" * 5000})
    assert len(_error(line).found) == 60
    line = json.dumps({**DREW, "\n" * 5000: 1})
    assert len(_error(line).member or "") == 60
    assert len(str(_error("{" + "a" * 60_000))) < 200


@pytest.mark.parametrize("line", ['"' + '\\"' * 30_000, '"' * 60_000, "\\" * 60_000, "[{" * 30_000, '{"a":"' * 10_000])
def test_hostile_lines_cost_little(line: str) -> None:
    begin = time.process_time()
    _error(line)
    assert time.process_time() - begin < 2


def test_decode_names_line_and_source() -> None:
    with pytest.raises(LogError) as caught:
        decode(b"{}", 7, source="request")
    assert str(caught.value) == "request, line 7: type: expected this member, found nothing"
    with pytest.raises(LogError, match=r"^line 1: a?"):
        decode(b"")
    with pytest.raises(LogError) as caught:
        load({**DREW, "seat": 1.0}, 3)
    assert str(caught.value) == "line 3: seat: expected a seat from 0 to 3, found 1.0"


def test_documents_that_json_cannot_hold() -> None:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    for change in (
        {"x_a": deep},
        {"tile": deep},
        {"x_a": {1}},
        {"x_a": b"1"},
        {"tile": object()},
        {1: 2},
        {"x_a": (1,)},
    ):
        with pytest.raises(LogError):
            load({**DREW, **change})  # type: ignore[dict-item]


def test_errors_pickle() -> None:
    error = _error("{}")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.line, again.member) == (str(error), error.line, error.member)
