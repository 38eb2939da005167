"""Writing: fixed order, nothing lost, names apart, acts in order."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replays.events import Act, GameEnded, Item, PresenceChanged, Settled, TurnPrompted
from schema.canonical import canonical
from schema.paipu import (
    act_document,
    arranged,
    decode,
    document,
    encode,
    join_names,
    load,
    parse_act,
    sort_acts,
    split_names,
)
from tests.format.logs import DREW, START, documents, extensions, patient

_AT = "2026-03-01T12:00:00.000Z"


@patient
@given(documents, extensions, st.randoms(use_true_random=False))
def test_the_order_read_does_not_change_the_bytes(value: dict[str, Any], others: dict[str, Any], random: Any) -> None:
    members = list({**value, **others}.items())
    random.shuffle(members)
    line = encode(dict(members))
    assert line == encode({**value, **others})
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == {**value, **others}
    assert encode(decode(line.rstrip(b"\n")).document) == line
    assert canonical(json.loads(line)) == canonical({**value, **others})


def test_the_order_of_members() -> None:
    shuffled = {
        "x_b": {"b": 1, "a": 2},
        "x_a": 0,
        "with": ["7z"],
        "from": 1,
        "tile": "7z",
        "kind": "added",
        "seat": 0,
        "hand": 2,
        "at": _AT,
        "type": "konged",
        "seq": 4,
    }
    assert encode(shuffled) == (
        b'{"seq": 4, "type": "konged", "at": "2026-03-01T12:00:00.000Z", "hand": 2, "seat": 0, "kind": "added", '
        b'"tile": "7z", "from": 1, "with": ["7z"], "x_a": 0, "x_b": {"a": 2, "b": 1}}\n'
    )


def test_inner_members_have_an_order_too() -> None:
    start = {**START, "ruleset": {"options": {"b": 1, "a": 2}, "version": "1", "id": "any"}}
    assert list(arranged(start)["ruleset"]) == ["id", "version", "options"]
    assert list(arranged(start)["ruleset"]["options"]) == ["a", "b"]
    assert list(arranged(_overridden())["claim"]) == ["act", "tile", "with", "from"]


def _overridden() -> dict[str, Any]:
    claim = {"from": 1, "with": ["1m", "1m"], "tile": "1m", "act": "pung"}
    return {"seq": 3, "type": "claim_overridden", "at": _AT, "hand": 1, "seat": 2, "claim": claim, "by": 3}


def test_text_stays_text() -> None:
    line = encode({**START, "seats": [{"player": "甲", "name": "\u2028😀\n"}, {"player": "乙"}]})
    assert "甲".encode() in line
    assert "😀".encode() in line
    assert line.count(b"\n") == 1


@pytest.mark.parametrize(
    "change", [{"type": "flew"}, {"type": None}, {"note": 1}, {"x_a": float("nan")}, {"x_a": "\ud800"}]
)
def test_nothing_is_lost_in_silence(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - from the encoder too
        encode({**DREW, **change})


def test_nothing_inside_is_lost_in_silence() -> None:
    document = _overridden()
    document["claim"]["note"] = 1
    with pytest.raises(ValueError, match=r"expected one of act, tile, with, kind, win, from, found"):
        encode(document)


def test_defaults_are_left_out() -> None:
    assert document(GameEnded(9, _AT, (1, -1))) == {"seq": 9, "type": "game_ended", "at": _AT, "scores": [1, -1]}
    assert "hand" not in document(PresenceChanged(9, _AT, None, 0, "left"))
    assert document(PresenceChanged(9, _AT, 4, 0, "left"))["hand"] == 4
    assert document(GameEnded(9, _AT, (1, -1), "voided"))["reason"] == "voided"


def test_items_are_lines_of_seat_code_and_value() -> None:
    settled = document(Settled(9, _AT, 1, (8, -8), (Item(0, "A-1", 8, tile=3),)))
    assert settled["items"] == [{"seat": 0, "code": "A-1", "value": 8}]
    assert document(Settled(9, _AT, 1, (0, 0), ()))["items"] == []


@patient
@given(documents)
def test_an_events_document_is_the_document_read(value: dict[str, Any]) -> None:
    """But for what was written out although it is the default, and the order of acts."""
    event = load(value)
    again = document(event)
    assert document(load(again)) == again
    if "options" not in value:
        assert again == value


def test_acts_are_listed_in_order() -> None:
    acts = (
        Act("win", 0),
        Act("pass"),
        Act("chow", 9, (10, 11)),
        Act("chow", 2, (3, 4)),
        Act("chow", 2, (0, 1)),
        Act("kong", 3, kind="added"),
        Act("discard", 1),
        Act("discard", 9),
    )
    listed = document(TurnPrompted(1, _AT, 1, 0, acts))["options"]
    assert listed == sorted(listed, key=lambda act: (act["act"], act.get("tile", ""), act.get("with", [])))
    # As text: 1p before 2m.
    assert [act["tile"] for act in listed if act["act"] == "discard"] == ["1p", "2m"]
    assert [act_document(act) for act in sort_acts(acts)] == listed
    assert sort_acts(reversed(acts)) == sort_acts(acts)


def test_acts_there_and_back() -> None:
    act = Act("kong", 30, (30, 30, 30), kind="exposed", from_=2)
    assert act_document(act) == {"act": "kong", "tile": "4z", "with": ["4z"] * 3, "kind": "exposed", "from": 2}
    assert parse_act(act_document(act)) == act
    assert act_document(Act("pass")) == {"act": "pass"}
    assert parse_act({"act": "win", "win": "you", "from": 0}) == Act("win", win="you", from_=0)
    with pytest.raises(ValueError, match=r"^claim\.tile: expected a tile of"):
        parse_act({"act": "pung", "tile": "??"}, "claim")
    with pytest.raises(ValueError, match=r"^act: expected a JSON object, found null"):
        parse_act(None)


def test_names_are_split_off_and_put_back() -> None:
    seats = [{"player": "a", "name": "甲"}, {"player": "b"}, {"player": "c", "name": ""}]
    start = {**START, "seats": seats}
    bare, names = split_names(start)
    assert names == {0: "甲", 2: ""}
    assert bare["seats"] == [{"player": "a"}, {"player": "b"}, {"player": "c"}]
    assert start["seats"] == seats
    assert encode(join_names(bare, names)) == encode(start)
    assert join_names(bare, {2: "erased the other"})["seats"][0] == {"player": "a"}
    assert join_names(bare, {}) == bare
    assert "name" not in bare["seats"][0]


def test_other_documents_have_no_names() -> None:
    assert split_names(DREW) == (DREW, {})
    assert join_names(DREW, {0: "a"}) == DREW
