"""Receipts by the API: signed over what was stored, the same for a call that comes again, checked without our code."""

from __future__ import annotations

import struct
from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from service.store import Store
from service.usecases.notary import Notary
from tests.api.clients import SERVER, Client, app_for
from tests.api.conftest import Ask
from tests.api.test_mutations import APPEND as PLAIN_APPEND
from tests.api.test_mutations import DOCUMENTS, NAME
from tests.api.test_mutations import OPEN as PLAIN_OPEN
from tests.usecases.sealed import ORIGIN, notary_at

#: The calls of ``test_mutations``, asking for the signature too.
OPEN, APPEND = (call.replace("head time }", "head time signature key }") for call in (PLAIN_OPEN, PLAIN_APPEND))


@pytest.fixture
def notary(durable_store: Store, tmp_path: Path) -> Notary:
    return notary_at(durable_store, tmp_path / "keys.json")


@pytest.fixture
def ask(durable_store: Store, notary: Notary) -> Ask:
    return Client(app_for(durable_store, SERVER, notary)).ask


def opened(ask: Ask, key: str | None = "open") -> dict[str, Any]:
    found: dict[str, Any] = ask(OPEN, event=DOCUMENTS[0], key=key)["openGame"]
    return found


def appended(ask: Ask, first: int, stop: int | None, key: str | None) -> dict[str, Any]:
    events = DOCUMENTS[first:stop]
    found: dict[str, Any] = ask(APPEND, game=NAME, seq=first, events=events, key=key)["appendEvents"]
    return found


def lp(text: str) -> bytes:
    raw = text.encode()
    return struct.pack(">I", len(raw)) + raw


def holds(receipt: dict[str, Any], **changes: Any) -> bool:
    """Whether the key in a receipt signed it, with ``changes``, as the contract says (``fairness.md``, "Receipt")."""
    said = {**receipt, **changes}
    message = b"mingpai-receipt/1\0" + lp(said["game"]) + struct.pack(">Q", said["seq"])
    message += bytes.fromhex(said["head"]) + lp(said["time"])
    name, _, material = receipt["key"].split("+", 2)
    assert name == ORIGIN
    try:
        Ed25519PublicKey.from_public_bytes(b64decode(material)[1:]).verify(b64decode(receipt["signature"]), message)
    except InvalidSignature:
        return False
    return True


def test_signatures_hold_over_what_was_stored(ask: Ask, durable_store: Store, notary: Notary) -> None:
    first, second = opened(ask), appended(ask, 1, 9, "k")
    for receipt, seq in ((first, 0), (second, 8)):
        event = durable_store.event(NAME, seq)
        assert event is not None
        assert (receipt["seq"], receipt["head"], receipt["time"]) == (seq, event.head.hex(), event.time)
        assert receipt["key"] == notary.verifiers[0].vkey
        assert holds(receipt)
    assert not holds(second, seq=7)
    assert not holds(second, game=NAME + "x")
    assert not holds(second, head=first["head"])
    assert not holds(second, time="2026-01-01T00:00:00.000Z")


def test_a_call_that_comes_again_gets_the_same_bytes(
    ask: Ask, durable_store: Store, notary: Notary, tmp_path: Path
) -> None:
    """Also much later, after the end and a rotation, and of another process of the service."""
    first = [opened(ask), appended(ask, 1, 9, "k")]
    assert [opened(ask), appended(ask, 1, 9, "k")] == first
    ended = appended(ask, 9, None, "end")
    notary.rotate()
    other = Client(app_for(durable_store, SERVER, notary_at(durable_store, tmp_path / "keys.json"))).ask
    assert [opened(other), appended(other, 1, 9, "k"), appended(other, 9, None, "end")] == [*first, ended]
    assert durable_store.game(NAME).sealed_at is not None
    assert all(map(holds, [*first, ended]))


def test_after_a_leak_old_receipts_come_by_the_new_key(ask: Ask, notary: Notary) -> None:
    first = opened(ask)
    notary.rotate(leaked=True)
    again = opened(ask)
    assert again["key"] == notary.verifiers[1].vkey != first["key"]
    assert {**again, "key": None, "signature": None} == {**first, "key": None, "signature": None}
    assert holds(again)
    assert opened(ask) == again


def test_the_same_call_many_times_at_once(ask: Ask) -> None:
    with ThreadPoolExecutor(6) as pool:
        opens = list(pool.map(lambda _: opened(ask), range(6)))
        appends = list(pool.map(lambda _: appended(ask, 1, 30, "k"), range(6)))
    for receipts in (opens, appends):
        assert [one["__typename"] for one in receipts] == ["Receipt"] * 6
        assert len({one["signature"] for one in receipts}) == 1
        assert holds(receipts[0])


def test_what_is_refused_gets_no_receipt(ask: Ask) -> None:
    opened(ask)
    for answer, code in ((appended(ask, 9, 12, None), "SEQUENCE_CONFLICT"), (opened(ask, "another"), "GAME_EXISTS")):
        assert (answer["__typename"], answer["code"]) == ("AppendRefused", code)
        assert "signature" not in answer


def test_nothing_is_signed_on_an_unsafe_database(store: Store, tmp_path: Path) -> None:
    ask = Client(app_for(store, SERVER, notary_at(store, tmp_path / "keys.json"))).ask
    for receipt in (opened(ask), appended(ask, 1, None, "k")):
        assert receipt["__typename"] == "Receipt"
        assert receipt["signature"] is receipt["key"] is None


def test_without_keys_nothing_is_signed(durable_store: Store) -> None:
    receipt = opened(Client(app_for(durable_store, SERVER)).ask)
    assert receipt["signature"] is receipt["key"] is None
