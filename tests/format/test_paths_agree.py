"""The fast way in and the slow one accept the same language, and give the same events."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from replays.events import Event
from schema.paipu import FORMAT, FORMATS, LogError, decode, document, encode, load
from schema.paipu.errors import MismatchError
from schema.paipu.formats import named
from schema.paipu.parsing import parse
from tests.format.logs import documents, extensions, patient

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?[0-9]+|true|false|null|[\[\]{}:,]')
_ODD = (
    '1.0 1e0 -0 01 -1 4 5 0 9007199254740991 9007199254740992 99999999999999999999 true false null NaN "" "??" "3m" '
    '"8f" "drew" "AB" "ab" "head" "2026-02-30T00:00:00.000Z" [] {} [[]] ["1m"] {"act":"pass"} , : ] } "x_a" "\\u0033m" '
    '"type" "seat" "\\ud800"'
).split()
_WRITERS = [
    lambda value: json.dumps(value),
    lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":")),
    lambda value: json.dumps(value, sort_keys=True, separators=("\t, ", " :\t")),
]
_written = st.builds(lambda write, value: write(value), st.sampled_from(_WRITERS), documents)


def _slow(line: bytes) -> Event | None:
    try:
        value = parse(line)
        return named(value, FORMAT).load(value)
    except MismatchError:
        return None


def _agree(line: bytes) -> None:
    fast, slow = FORMATS[FORMAT].fast(line), _slow(line)
    if fast is not None:
        assert fast == slow
        assert type(fast) is type(slow)
    try:
        assert decode(line).event == slow
    except LogError:
        assert slow is None


@patient
@given(documents)
def test_documents_of_the_contract_are_read_and_written(value: dict[str, Any]) -> None:
    record = decode(encode(value).rstrip(b"\n"))
    assert record.document == value
    assert record.event == load(value)
    assert load(document(record.event)) == load(document(load(document(record.event))))
    assert decode(encode(record.document).rstrip(b"\n")) == record


@patient
@given(documents)
def test_the_fast_way_takes_what_it_can(value: dict[str, Any]) -> None:
    line = json.dumps(value).encode()
    empty = value.get("items") == []  # a member that holds its default is sent the slow way
    if b"\\" not in line and value["type"] != "game_started" and not empty:
        assert FORMATS[FORMAT].fast(line) == _slow(line) is not None


@patient
@given(_written)
def test_spacing_order_and_escapes(line: str) -> None:
    _agree(line.encode())
    assert _slow(line.encode()) is not None


@patient
@given(documents, extensions)
def test_members_of_others_change_nothing(value: dict[str, Any], others: dict[str, Any]) -> None:
    line = json.dumps({**others, **value}).encode()
    record = decode(line)
    assert record.event == load(value)
    assert record.document == {**others, **value}
    assert list(record.document) == list({**others, **value})


@settings(max_examples=400, deadline=None)
@given(_written, st.data())
@example('{"seq":1,"type":"exhausted","at":"2026-01-01T00:00:00.000Z","hand":1,"hand":1}', None)
def test_changed_tokens(line: str, data: Any) -> None:
    """One or two tokens replaced, doubled or dropped."""
    for _ in range(data.draw(st.integers(1, 2)) if data else 0):
        tokens = list(_TOKEN.finditer(line))
        if not tokens:
            break
        token = data.draw(st.sampled_from(tokens))
        new = data.draw(st.sampled_from([*_ODD, token[0] + "," + token[0], "", tokens[0][0]]))
        line = line[: token.start()] + new + line[token.end() :]
    _agree(line.encode())


@settings(max_examples=300, deadline=None)
@given(documents, st.data())
def test_changed_members(value: dict[str, Any], data: Any) -> None:
    """A member left out, added, doubled, or holding something else; also inside other members."""
    inner = [value] + [item for held in value.values() for item in (held if isinstance(held, list) else [held])]
    target = data.draw(st.sampled_from([item for item in inner if isinstance(item, dict)]))
    name = data.draw(st.sampled_from([*sorted(target), "seat", "tile", "name", "level", "x_a"]))
    members = [f"{json.dumps(key)}:{json.dumps(held)}" for key, held in target.items()]
    odd = data.draw(st.sampled_from(_ODD))
    change = data.draw(st.sampled_from(["drop", "add", "double"]))
    if change == "drop":
        members = [member for member in members if not member.startswith(f"{json.dumps(name)}:")]
    elif change == "double":
        members += data.draw(st.lists(st.sampled_from(members), max_size=2)) if members else []
    else:
        members.append(f"{json.dumps(name)}:{odd}")
    mark = "\x01"
    whole = json.dumps(_with_mark(value, target, mark)).replace(json.dumps(mark), "{" + ",".join(members) + "}")
    _agree(whole.encode())


def _with_mark(value: Any, target: Any, mark: str) -> Any:
    if value is target:
        return mark
    if isinstance(value, dict):
        return {key: _with_mark(held, target, mark) for key, held in value.items()}
    return [_with_mark(item, target, mark) for item in value] if isinstance(value, list) else value


@settings(max_examples=300, deadline=None)
@given(_written, st.lists(st.tuples(st.integers(0, 10**6), st.binary(max_size=2)), min_size=1, max_size=3))
def test_changed_bytes(line: str, changes: list[tuple[int, bytes]]) -> None:
    raw = line.encode()
    for place, new in changes:
        place %= len(raw) + 1
        raw = raw[:place] + new + raw[place + 1 :]
    _agree(raw)


@patient
@given(st.binary(max_size=40))
def test_any_bytes(line: bytes) -> None:
    _agree(line)
