"""Rule-set digests, seals, receipts and signatures: the contract's vectors, and what must not pass."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replays.digest import resolved_digest
from schema.canonical import canonical
from service.evidence import leaves, seals
from tests.evidence.vectors import CASES, SIGNING_SEED, Case

KEY = seals.signing_key(SIGNING_SEED)
PUBLIC = KEY.public_key()


@pytest.fixture(params=CASES, ids=lambda case: case.game)
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


def digest_of(case: Case, **changes: Any) -> str:
    ruleset = case.events[0]["ruleset"]
    return seals.ruleset_digest(ruleset["id"], ruleset["version"], case.options | changes)


def sealed(case: Case, **changes: Any) -> bytes:
    members: dict[str, Any] = {
        "game": case.game,
        "salt0": leaves.game_salt(case.secret),
        "events": len(case.events),
        "root": bytes.fromhex(case.root),
        "head": bytes.fromhex(case.heads[-1]),
        "ruleset": digest_of(case),
        "reason": "abandoned",
    }
    return seals.seal(**{**members, **changes})


def receipt(case: Case) -> bytes:
    last = len(case.events) - 1
    return seals.receipt_message(case.game, last, bytes.fromhex(case.heads[last]), case.receipt_time)


def test_ruleset_digest(case: Case) -> None:
    assert digest_of(case) == case.ruleset_digest
    assert digest_of(case, fifth_copy=not case.options["fifth_copy"]) != case.ruleset_digest


def test_seal(case: Case) -> None:
    assert sealed(case) == case.seal.encode()
    assert seals.seal_leaf(sealed(case)).hex() == case.seal_leaf


@pytest.mark.parametrize(
    "change",
    [
        {"game": "another"},
        {"salt0": bytes(16)},
        {"events": 1},
        {"root": bytes(32)},
        {"head": bytes(32)},
        {"ruleset": "0" * 64},
        {"reason": "finished"},
    ],
)
def test_every_member_counts_in_a_seal(case: Case, change: dict[str, Any]) -> None:
    assert seals.seal_leaf(sealed(case, **change)).hex() != case.seal_leaf


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"reason": "bored"}, "bored"),
        ({"events": 0}, "0 events"),
        ({"root": bytes(31)}, "32 bytes"),
        ({"head": b""}, "32 bytes"),
        ({"ruleset": "ab"}, "32 bytes"),
        ({"salt0": bytes(15)}, "15 bytes"),
    ],
)
def test_what_cannot_be_sealed(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sealed(CASES[0], **change)


def test_receipt(case: Case) -> None:
    signature = seals.sign(KEY, receipt(case))
    assert signature.hex() == case.receipt_signature
    assert seals.sign(KEY, receipt(case)) == signature
    seals.verify(PUBLIC, receipt(case), signature)
    seals.verify(seals.verifying_key(PUBLIC.public_bytes_raw()), receipt(case), signature)


@settings(deadline=None)
@given(st.sampled_from(CASES), st.data())
def test_receipt_with_any_bit_flipped_fails(case: Case, data: st.DataObject) -> None:
    parts = [receipt(case), bytes.fromhex(case.receipt_signature)]
    which = data.draw(st.integers(0, 1))
    bit = data.draw(st.integers(0, 8 * len(parts[which]) - 1))
    changed = bytearray(parts[which])
    changed[bit // 8] ^= 1 << bit % 8
    parts[which] = bytes(changed)
    with pytest.raises(seals.SignatureError):
        seals.verify(PUBLIC, *parts)


def test_another_key_or_length_is_no_signature(case: Case) -> None:
    signature = bytes.fromhex(case.receipt_signature)
    other = seals.signing_key(bytes(32)).public_key()
    for key, found in ((other, signature), (PUBLIC, b""), (PUBLIC, signature[:-1]), (PUBLIC, signature + b"\x00")):
        with pytest.raises(seals.SignatureError):
            seals.verify(key, receipt(case), found)


def test_receipt_parts_cannot_be_moved() -> None:
    head = bytes(32)
    assert seals.receipt_message("ab", 1, head, "t") != seals.receipt_message("a", 1, head, "bt")
    with pytest.raises(ValueError, match="31 bytes"):
        seals.receipt_message("ab", 1, bytes(31), "t")


@pytest.mark.parametrize("size", [0, 31, 33])
def test_keys_have_32_bytes(size: int) -> None:
    with pytest.raises(ValueError, match="32"):
        seals.signing_key(bytes(size))
    with pytest.raises(ValueError, match="32"):
        seals.verifying_key(bytes(size))


# The engine's own digest needs no canonicaliser, for its records are plain; here it is held to the real one.

ASCII = st.text(st.characters(max_codepoint=127))
VALUES = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | ASCII


@settings(deadline=None)
@given(ASCII, ASCII, st.dictionaries(ASCII, VALUES))
def test_digest_is_over_canonical_json(ruleset: str, version: str, options: dict[str, Any]) -> None:
    record = {"id": ruleset, "version": version, "options": options}
    assert resolved_digest(ruleset, version, options) == sha256(canonical(record)).hexdigest()


def test_digest_of_the_resolved_records(case: Case) -> None:
    ruleset = case.events[0]["ruleset"]
    record = {**ruleset, "options": case.options}
    plain = json.dumps(record, sort_keys=True, separators=(",", ":")).encode()
    assert canonical(record) == plain
    assert sha256(plain).hexdigest() == case.ruleset_digest


@pytest.mark.parametrize("value", [1.0, 2**53, -(2**53), [1], {"a": 1}, (), b"x"])
def test_an_option_is_a_plain_value(value: Any) -> None:
    with pytest.raises(ValueError, match="expected a boolean, integer, text or null"):
        resolved_digest("any", "1", {"option": value})


@pytest.mark.parametrize(("ruleset", "options"), [("廈門", {}), ("any", {"é": 1}), ("any", {"a": "游"})])
def test_a_rule_set_s_record_is_ascii(ruleset: str, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="ASCII"):
        resolved_digest(ruleset, "1", options)
