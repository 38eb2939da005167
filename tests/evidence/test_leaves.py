"""Two forms of an event, salts, leaves and heads: the contract's vectors, and what must not leak or collide."""

from __future__ import annotations

import copy
import json
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replays import merkle
from schema.canonical import canonical
from service.evidence import leaves
from tests.evidence.vectors import CASES, Case
from tests.shared import contract


@pytest.fixture(params=CASES, ids=lambda case: case.game)
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


def public_bytes(case: Case, seq: int) -> bytes:
    return canonical(leaves.public_form(case.events[seq], concealed_kong_shown=case.concealed_kong_shown))


def leaf_of(case: Case, seq: int) -> bytes:
    full = canonical(case.events[seq])
    return leaves.leaf(public_bytes(case, seq), leaves.event_salt(case.secret, seq), full)


def test_public_forms(case: Case) -> None:
    for seq, text in case.public.items():
        assert public_bytes(case, seq) == text.encode()


def test_salts(case: Case) -> None:
    assert [leaves.event_salt(case.secret, seq).hex() for seq in range(len(case.salts))] == case.salts
    assert leaves.game_salt(case.secret).hex() == case.salt0


def test_leaves_heads_and_root(case: Case) -> None:
    found = [leaf_of(case, seq) for seq in range(len(case.events))]
    assert [leaf.hex() for leaf in found] == case.leaves
    head, heads = leaves.FIRST_HEAD, []
    for leaf in found:
        head = leaves.next_head(head, leaf)
        heads.append(head.hex())
    assert heads == case.heads
    assert merkle.root(found).hex() == case.root


def test_leaf_is_the_same_from_either_half(case: Case) -> None:
    for seq, event in enumerate(case.events):
        public, full, salt = public_bytes(case, seq), canonical(event), leaves.event_salt(case.secret, seq)
        rest = leaves.rest_digest(salt, full)
        assert leaves.leaf_from_rest(public, rest) == leaves.leaf(public, salt, full)
        assert leaves.leaf_from_digest(sha256(public).digest(), salt, full) == leaves.leaf(public, salt, full)


@settings(deadline=None)
@given(st.sampled_from(CASES), st.data())
def test_any_bit_flipped_is_another_leaf(case: Case, data: st.DataObject) -> None:
    seq = data.draw(st.integers(0, len(case.events) - 1))
    parts = [public_bytes(case, seq), leaves.event_salt(case.secret, seq), canonical(case.events[seq])]
    which = data.draw(st.integers(0, 2))
    bit = data.draw(st.integers(0, 8 * len(parts[which]) - 1))
    changed = bytearray(parts[which])
    changed[bit // 8] ^= 1 << bit % 8
    parts[which] = bytes(changed)
    tampered = leaves.leaf(*parts)
    assert tampered.hex() != case.leaves[seq]
    previous = bytes.fromhex(case.heads[seq - 1]) if seq else leaves.FIRST_HEAD
    assert leaves.next_head(previous, tampered).hex() != case.heads[seq]


def test_another_order_is_another_head(case: Case) -> None:
    first, second = bytes.fromhex(case.leaves[0]), bytes.fromhex(case.leaves[1])
    swapped = leaves.next_head(leaves.next_head(leaves.FIRST_HEAD, second), first)
    assert swapped.hex() != case.heads[1]


CONCEALED = {
    "seq": 9,
    "type": "konged",
    "at": "2026-01-01T00:00:00.000Z",
    "hand": 1,
    "seat": 2,
    "kind": "concealed",
    "tile": "4z",
    "with": ["4z", "4z", "4z", "4z"],
}


def test_concealed_kong_is_hidden_where_the_options_say_so() -> None:
    hidden = leaves.public_form(CONCEALED, concealed_kong_shown=False)
    assert hidden == {**CONCEALED, "tile": "??", "with": ["??"] * 4}
    assert leaves.public_form(CONCEALED, concealed_kong_shown=True) == CONCEALED


@pytest.mark.parametrize("kind", ["exposed", "added"])
def test_other_kongs_lie_open_always(kind: str) -> None:
    kong = {**CONCEALED, "kind": kind, "with": ["4z"]}
    assert leaves.public_form(kong, concealed_kong_shown=False) == kong


@pytest.mark.parametrize("type_", ["turn_prompted", "passed", "claim_overridden"])
def test_offers_are_private(type_: str) -> None:
    event = {"seq": 4, "type": type_, "at": "x", "hand": 2, "seat": 1, "options": [], "x_note": 1}
    assert leaves.public_form(event, concealed_kong_shown=True) == {"seq": 4, "type": "private", "hand": 2}


def test_own_members_are_dropped_at_any_depth() -> None:
    event = {"seq": 4, "type": "settled", "x_a": 1, "items": [{"seat": 0, "code": "c", "value": 1, "x_b": {}}]}
    public = leaves.public_form(event, concealed_kong_shown=True)
    assert public == {"seq": 4, "type": "settled", "items": [{"seat": 0, "code": "c", "value": 1}]}


def test_own_members_stay_in_the_full_form() -> None:
    event = {"seq": 4, "type": "drew", "x_a": 1}
    assert leaves.stored_form(event) == event


def test_names_are_in_neither_form() -> None:
    event = {"seq": 0, "type": "game_started", "seats": [{"player": "p", "name": "甲"}, {"player": "q"}]}
    expected = {"seq": 0, "type": "game_started", "seats": [{"player": "p"}, {"player": "q"}]}
    assert leaves.stored_form(event) == expected
    assert leaves.public_form(event, concealed_kong_shown=True) == expected
    assert event["seats"][0] == {"player": "p", "name": "甲"}  # type: ignore[index]


EXAMPLES = [
    json.loads(line)
    for log in sorted(contract("examples").glob("*.paipu.jsonl"))
    for line in log.read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("shown", [True, False])
def test_public_forms_of_whole_logs(shown: bool) -> None:
    """Nothing changes but what is hidden, nothing given is altered, and a public form is its own public form."""
    secret_members = {"dealt": {"tiles"}, "flowers_replaced": {"drawn"}, "drew": {"tile"}}
    for event in EXAMPLES:
        before = copy.deepcopy(event)
        public = leaves.public_form(event, concealed_kong_shown=shown)
        assert event == before
        assert leaves.public_form(public, concealed_kong_shown=shown) == public
        hidden = secret_members.get(event["type"], set())
        if event["type"] == "konged" and event["kind"] == "concealed" and not shown:
            hidden = {"tile", "with"}
        assert public.keys() == event.keys()
        assert {member for member in event if public[member] != event[member]} == {m for m in hidden if event[m]}
        assert all(set(tiles(public[member])) <= {"??"} for member in hidden)
        assert all(len(tiles(public[member])) == len(tiles(event[member])) for member in hidden)


def tiles(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else value


@pytest.mark.parametrize(
    "document",
    [
        {},
        [],
        {"type": "passed", "seq": 1},
        {"type": "dealt", "tiles": 3},
        {"type": "drew", "tile": None},
        {"type": "konged", "tile": "1m"},
        {"type": "game_started"},
        {"type": "game_started", "seats": ["p"]},
        {"type": ["dealt"]},
    ],
)
def test_what_is_no_event_is_refused(document: Any) -> None:
    with pytest.raises(ValueError, match="no event"):
        leaves.public_form(document, concealed_kong_shown=False)


def test_lengths_are_held_to() -> None:
    with pytest.raises(ValueError, match="31 bytes, expected 32"):
        leaves.event_salt(bytes(31), 0)
    with pytest.raises(ValueError, match="33 bytes, expected 32"):
        leaves.game_salt(bytes(33))
    with pytest.raises(ValueError, match="15 bytes, expected 16"):
        leaves.leaf(b"", bytes(15), b"")
    with pytest.raises(ValueError, match="31 bytes, expected 32"):
        leaves.leaf_from_digest(bytes(31), bytes(16), b"")
    with pytest.raises(ValueError, match="33 bytes, expected 32"):
        leaves.leaf_from_rest(b"", bytes(33))
    with pytest.raises(ValueError, match="0 bytes, expected 32"):
        leaves.next_head(b"", bytes(32))


@pytest.mark.parametrize("seq", [-1, 2**64])
def test_seq_has_64_bits(seq: int) -> None:
    with pytest.raises(ValueError, match="64 bits"):
        leaves.event_salt(bytes(32), seq)
