"""The key file: one winner, never half, never for others' eyes; which key signs what; receipts."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.evidence import keyring, seals
from service.evidence.keyring import Key, KeyGoneError, KeyRing, KeyRingError, LiveKeyRing, Receipt
from service.evidence.notes import COSIGNATURE, NoteError, Signer, Verifier
from tests.evidence.vectors import CASES, SIGNING_SEED, Case

ORIGIN = "example.com/log"
MARCH, APRIL, MAY = (f"2026-{month:02}-01T00:00:00.000Z" for month in (3, 4, 5))
FIRST, SECOND, THIRD = (Signer(ORIGIN, bytes((seed,)) * 32) for seed in (1, 2, 3))
RING = KeyRing(ORIGIN, (Key.of(MARCH, FIRST), Key.of(APRIL, SECOND)))


def code(caught: pytest.ExceptionInfo[KeyRingError]) -> str:
    return caught.value.code


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "keys.json"


@pytest.fixture
def written(path: Path) -> Path:
    """A key file that holds ``RING``."""
    KeyRing.create(path, ORIGIN, MARCH)
    keyring.change(path, lambda _: RING)
    return path


# The ring as a value


@pytest.mark.parametrize(
    ("time", "signer"),
    [
        ("2026-03-31T23:59:59.999Z", FIRST),
        (APRIL, SECOND),
        ("2026-04-01T00:00:00.001Z", SECOND),
        ("2099-01-01T00:00:00.000Z", SECOND),
        (MARCH, FIRST),
        ("2026-02-28T23:59:59.999Z", FIRST),
    ],
)
def test_the_key_of_a_time(time: str, signer: Signer) -> None:
    assert RING.at(time) == signer


def test_newest_key_is_the_current_one() -> None:
    assert RING.current == SECOND
    assert RING.vkeys == (FIRST.verifier.vkey, SECOND.verifier.vkey)


NO_TIMES = ["", "2026-03-01", "2026-03-01T00:00:00Z", "2026-03-01T00:00:00.000000Z", "2026-03-01T00:00:00.000+00:00"]


@pytest.mark.parametrize("time", [*NO_TIMES, "2026-02-30T00:00:00.000Z", f"{MAY}\n"])
def test_what_is_no_time(time: str) -> None:
    for asked in (RING.at, RING.rotated):
        with pytest.raises(KeyRingError) as caught:
            asked(time)
        assert code(caught) == "time"


def test_rotation_adds_a_new_key_and_keeps_the_others() -> None:
    ring = RING.rotated(MAY)
    assert ring.keys[:2] == RING.keys
    assert ring.current.name == ORIGIN
    assert ring.current not in (FIRST, SECOND)
    assert ring.at(APRIL) == SECOND
    assert ring.at(MAY) == ring.current
    assert RING.rotated(MAY).current != ring.current


@pytest.mark.parametrize("since", [MARCH, APRIL])
def test_a_new_key_is_later_than_all(since: str) -> None:
    with pytest.raises(KeyRingError) as caught:
        RING.rotated(since)
    assert code(caught) == "time"


def test_a_leaked_key_can_sign_no_more_but_stays_known() -> None:
    ring = RING.without_secret(FIRST.verifier.vkey)
    assert ring.vkeys == RING.vkeys
    assert ring.keys[0].signer is None
    assert ring.at(APRIL) == SECOND
    with pytest.raises(KeyGoneError, match="was dropped") as caught:
        ring.at(MARCH)
    assert code(caught) == "gone"
    assert ring.without_secret(FIRST.verifier.vkey) == ring


def test_where_the_current_key_leaked_a_rotation_helps() -> None:
    ring = RING.without_secret(SECOND.verifier.vkey)
    with pytest.raises(KeyGoneError):
        assert ring.current
    rotated = ring.rotated(MAY)
    assert rotated.at(MAY) == rotated.current
    assert rotated.at(MARCH) == FIRST


@pytest.mark.parametrize("vkey", [THIRD.verifier.vkey, FIRST.skey, ""])
def test_a_key_that_is_not_there_cannot_be_dropped(vkey: str) -> None:
    with pytest.raises(KeyRingError) as caught:
        RING.without_secret(vkey)
    assert code(caught) == "key"


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ((), "key"),
        ((Key.of(MARCH, FIRST), Key.of(APRIL, FIRST)), "key"),
        ((Key.of(APRIL, FIRST), Key.of(MARCH, SECOND)), "time"),
        ((Key.of(MARCH, FIRST), Key.of(MARCH, SECOND)), "time"),
        ((Key.of("yesterday", FIRST),), "time"),
        ((Key.of(MARCH, Signer("example.com/other", bytes(32))),), "origin"),
        ((Key(MARCH, Verifier(ORIGIN, FIRST.verifier.public, COSIGNATURE), None),), "origin"),
    ],
)
def test_what_is_no_ring(keys: tuple[Key, ...], expected: str) -> None:
    with pytest.raises(KeyRingError) as caught:
        KeyRing(ORIGIN, keys)
    assert code(caught) == expected


def test_private_halves_are_not_shown() -> None:
    assert repr(FIRST.seed) not in repr(RING)
    assert FIRST.skey not in repr(RING)


# The file


def test_created_file_is_the_owner_s_alone(path: Path) -> None:
    before = os.umask(0)
    try:
        ring = KeyRing.create(path, ORIGIN, MARCH)
        assert mode(path) == 0o600
        assert KeyRing.load(path) == ring
        keyring.change(path, lambda ring: ring.rotated(APRIL))
        assert mode(path) == 0o600
    finally:
        os.umask(before)
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_created_ring_has_one_new_key(path: Path) -> None:
    ring = KeyRing.create(path, ORIGIN, MARCH)
    assert (ring.origin, len(ring.keys), ring.keys[0].since) == (ORIGIN, 1, MARCH)
    assert KeyRing.create(path.with_name("other.json"), ORIGIN, MARCH).current != ring.current


def test_create_never_overwrites(path: Path) -> None:
    path.write_text("mine")
    with pytest.raises(KeyRingError, match="is there already") as caught:
        KeyRing.create(path, ORIGIN, MARCH)
    assert code(caught) == "exists"
    assert path.read_text() == "mine"
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_create_does_not_write_through_a_dangling_link(path: Path) -> None:
    target = path.with_name("elsewhere")
    path.symlink_to(target)
    with pytest.raises(KeyRingError) as caught:
        KeyRing.create(path, ORIGIN, MARCH)
    assert code(caught) == "exists"
    assert not target.exists()


def test_create_names_what_it_cannot_use(path: Path) -> None:
    with pytest.raises(KeyRingError, match="No such file") as caught:
        KeyRing.create(path / "deeper", ORIGIN, MARCH)
    assert code(caught) == "file"
    with pytest.raises(NoteError):
        KeyRing.create(path, "two words", MARCH)
    with pytest.raises(KeyRingError):
        KeyRing.create(path, ORIGIN, "now")
    assert not path.exists()


def test_opened_creates_once_and_then_loads(path: Path) -> None:
    ring = KeyRing.opened(path, ORIGIN, MARCH)
    assert KeyRing.opened(path, ORIGIN, APRIL) == ring
    with pytest.raises(KeyRingError, match=r"expected 'example\.com/other'") as caught:
        KeyRing.opened(path, "example.com/other", APRIL)
    assert code(caught) == "origin"


def test_file_has_the_form_that_is_described(written: Path) -> None:
    keyring.change(written, lambda ring: ring.without_secret(FIRST.verifier.vkey))
    assert json.loads(written.read_bytes()) == {
        "format": "mingpai-keyring/1",
        "origin": ORIGIN,
        "keys": [{"since": MARCH, "vkey": FIRST.verifier.vkey}, {"since": APRIL, "skey": SECOND.skey}],
    }


def test_dropped_secret_is_gone_from_the_file(written: Path) -> None:
    assert FIRST.skey in written.read_text()
    keyring.change(written, lambda ring: ring.without_secret(FIRST.verifier.vkey))
    assert FIRST.skey.rsplit("+", 1)[1] not in written.read_text()
    assert KeyRing.load(written).keys == (Key(MARCH, FIRST.verifier, None), Key.of(APRIL, SECOND))


@pytest.mark.parametrize("bits", [0o640, 0o620, 0o610, 0o604, 0o602, 0o601, 0o644, 0o660, 0o777])
def test_a_file_that_others_may_use_is_refused(written: Path, bits: int) -> None:
    written.chmod(bits)
    with pytest.raises(KeyRingError, match=f"mode {bits:04o}") as caught:
        KeyRing.load(written)
    assert code(caught) == "permissions"


@pytest.mark.parametrize("bits", [0o600, 0o400, 0o700])
def test_a_file_of_the_owner_s_alone_is_read(written: Path, bits: int) -> None:
    written.chmod(bits)
    assert KeyRing.load(written) == RING


def test_missing_file_and_folder_in_its_place(path: Path) -> None:
    with pytest.raises(KeyRingError, match="is missing") as caught:
        KeyRing.load(path)
    assert code(caught) == "missing"
    path.mkdir(mode=0o700)
    with pytest.raises(KeyRingError) as caught:
        KeyRing.load(path)
    assert code(caught) == "file"


def line(**members: Any) -> dict[str, Any]:
    return {"since": MARCH, "skey": FIRST.skey, **members}


GOOD: dict[str, Any] = {"format": "mingpai-keyring/1", "origin": ORIGIN, "keys": [line()]}
DAMAGED: dict[str, Any] = {
    "another format": {**GOOD, "format": "mingpai-keyring/2"},
    "no format": {"origin": ORIGIN, "keys": [line()]},
    "more than is known": {**GOOD, "note": "x"},
    "no keys": {**GOOD, "keys": []},
    "keys of another log": {**GOOD, "origin": "example.com/other"},
    "a list": [GOOD],
    "null": None,
    "key without a time": {**GOOD, "keys": [{"skey": FIRST.skey}]},
    "key of no time": {**GOOD, "keys": [line(since="2026-03-01")]},
    "time that is no text": {**GOOD, "keys": [line(since=1)]},
    "keys out of order": {**GOOD, "keys": [line(), line(skey=SECOND.skey)]},
    "key twice": {**GOOD, "keys": [line(), line(since=APRIL)]},
    "key with both halves": {**GOOD, "keys": [line(vkey=FIRST.verifier.vkey)]},
    "key with neither half": {**GOOD, "keys": [{"since": MARCH}]},
    "key cut short": {**GOOD, "keys": [line(skey=FIRST.skey[:-1])]},
    "key with another's id": {**GOOD, "keys": [line(skey=FIRST.skey.replace(FIRST.verifier.key_id.hex(), "0" * 8))]},
    "public key in place of the private one": {**GOOD, "keys": [line(skey=FIRST.verifier.vkey)]},
    "private key in place of the public one": {**GOOD, "keys": [{"since": MARCH, "vkey": FIRST.skey}]},
    "more than is known of a key": {**GOOD, "keys": [line(until=APRIL)]},
}


def put(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    path.chmod(0o600)


@pytest.mark.parametrize("document", DAMAGED.values(), ids=DAMAGED.keys())
def test_damaged_file_is_refused_without_showing_it(path: Path, document: object) -> None:
    put(path, json.dumps(document).encode())
    with pytest.raises(KeyRingError, match=f"{path} is damaged") as caught:
        KeyRing.load(path)
    assert code(caught) == "damaged"
    assert FIRST.skey[-20:-4] not in str(caught.value)


def test_the_files_refused_above_are_otherwise_right(path: Path) -> None:
    put(path, json.dumps(GOOD).encode())
    assert KeyRing.load(path) == KeyRing(ORIGIN, (Key.of(MARCH, FIRST),))


def test_file_cut_anywhere_is_refused(written: Path) -> None:
    whole = written.read_bytes()
    for length in range(len(whole) - 1):  # the last byte is a newline
        put(written, whole[:length])
        with pytest.raises(KeyRingError) as caught:
            KeyRing.load(written)
        assert code(caught) == "damaged"


@given(st.binary())
def test_whatever_a_file_holds_is_a_ring_or_damaged(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    put(path, content)
    with pytest.raises(KeyRingError) as caught:
        KeyRing.load(path)
    assert code(caught) == "damaged"


# Changes


def test_change_gives_back_what_it_wrote(written: Path) -> None:
    ring = keyring.change(written, lambda ring: ring.rotated(MAY))
    assert ring.keys[:2] == RING.keys
    assert KeyRing.load(written) == ring


def test_a_change_that_fails_leaves_the_file(written: Path) -> None:
    before = written.read_bytes()
    with pytest.raises(KeyRingError) as caught:
        keyring.change(written, lambda ring: ring.rotated(MARCH))
    assert code(caught) == "time"
    assert written.read_bytes() == before
    assert [entry.name for entry in written.parent.iterdir()] == [written.name]


def test_what_cannot_be_loaded_cannot_be_changed(path: Path) -> None:
    for made, expected in ((path, "missing"), (path / "deeper" / "keys.json", "file")):
        with pytest.raises(KeyRingError) as caught:
            keyring.change(made, lambda ring: ring)
        assert code(caught) == expected


def test_change_follows_a_link_and_keeps_it(written: Path) -> None:
    folder = written.parent / "linked"
    folder.mkdir()
    link = folder / "keys.json"
    link.symlink_to(written)
    ring = keyring.change(link, lambda ring: ring.rotated(MAY))
    assert link.is_symlink()
    assert KeyRing.load(written) == KeyRing.load(link) == ring


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_root_leaves_the_file_to_its_owner(written: Path) -> None:
    os.chown(written, 65534, 65534)
    keyring.change(written, lambda ring: ring.rotated(MAY))
    assert (written.stat().st_uid, written.stat().st_gid, mode(written)) == (65534, 65534, 0o600)


# Several processes


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def run_together(script: str, *arguments: object, processes: int) -> list[str]:
    """What each of the processes wrote; all wait for a line each before they start, so that they meet."""
    running = [start(f"input()\n{script}", *arguments) for _ in range(processes)]
    for process in running:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    written = [process.communicate()[0] for process in running]
    assert [process.returncode for process in running] == [0] * processes
    return written


CREATE = """
import sys
from pathlib import Path
from service.evidence.keyring import KeyRing, KeyRingError
try:
    print(KeyRing.create(Path(sys.argv[1]), "example.com/log", sys.argv[2]).current.verifier.vkey)
except KeyRingError as error:
    print(error.code)
"""

OPEN = """
import sys
from pathlib import Path
from service.evidence.keyring import KeyRing
print(KeyRing.opened(Path(sys.argv[1]), "example.com/log", sys.argv[2]).current.verifier.vkey)
"""

ROTATE = """
import sys
from pathlib import Path
from service.evidence import keyring
def next_key(ring):
    return ring.rotated(f"2026-03-01T00:00:00.{int(ring.keys[-1].since[20:23]) + 1:03}Z")
for _ in range(int(sys.argv[2])):
    keyring.change(Path(sys.argv[1]), next_key)
"""


def test_of_several_that_create_it_one_wins(path: Path) -> None:
    written = [text.strip() for text in run_together(CREATE, path, MARCH, processes=6)]
    (winner,) = [text for text in written if text != "exists"]
    assert KeyRing.load(path).vkeys == (winner,)
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_all_that_open_it_have_the_same_key(path: Path) -> None:
    written = {text.strip() for text in run_together(OPEN, path, MARCH, processes=6)}
    assert written == set(KeyRing.load(path).vkeys)


def test_no_rotation_is_lost(path: Path) -> None:
    first = KeyRing.create(path, ORIGIN, MARCH)
    run_together(ROTATE, path, 10, processes=4)
    ring = KeyRing.load(path)
    assert len(ring.keys) == 1 + 4 * 10
    assert ring.keys[0] == first.keys[0]


def test_killed_amid_changes_the_file_is_whole(path: Path) -> None:
    KeyRing.create(path, ORIGIN, MARCH)
    process = start(ROTATE, path, 900)
    while len(KeyRing.load(path).keys) < 20:  # read all the while: each reading is of a whole file
        assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = KeyRing.load(path)
    assert keyring.change(path, lambda ring: ring.rotated(MAY)).keys[:-1] == before.keys


# A running server


def test_live_ring_follows_the_file(written: Path) -> None:
    live = LiveKeyRing(written)
    assert live.ring == RING
    assert live.ring is live.ring
    ring = keyring.change(written, lambda ring: ring.rotated(MAY))
    assert live.ring == ring
    dropped = keyring.change(written, lambda ring: ring.without_secret(FIRST.verifier.vkey))
    assert live.ring == dropped


def test_live_ring_refuses_what_a_new_start_would_refuse(written: Path) -> None:
    live = LiveKeyRing(written)
    whole = written.read_bytes()

    def refused() -> str:
        codes = []
        for _ in range(2):  # the error stays as long as the fault does
            with pytest.raises(KeyRingError) as caught:
                assert live.ring
            codes.append(code(caught))
        assert codes[0] == codes[1]
        return codes[0]

    written.chmod(0o644)
    assert refused() == "permissions"
    written.unlink()
    assert refused() == "missing"
    put(written, whole[:-9])
    assert refused() == "damaged"
    put(written, whole)
    assert live.ring == RING


def test_live_ring_needs_a_good_file_at_the_start(path: Path) -> None:
    with pytest.raises(KeyRingError) as caught:
        LiveKeyRing(path)
    assert code(caught) == "missing"


def test_live_ring_in_many_threads_while_it_changes(path: Path) -> None:
    KeyRing.create(path, ORIGIN, MARCH)
    live, done = LiveKeyRing(path), Event()

    def watch(_: int) -> list[int]:
        seen = [len(live.ring.keys)]
        while not done.is_set():
            seen.append(len(live.ring.keys))
        return seen

    with ThreadPoolExecutor(4) as pool:
        watched = pool.map(watch, range(4))
        try:
            run_together(ROTATE, path, 10, processes=1)
        finally:
            done.set()
    for seen in watched:
        assert seen == sorted(seen)
    assert live.ring == KeyRing.load(path)


# Receipts

VECTOR_RING = KeyRing("vectors", (Key.of("2026-01-01T12:00:00.000Z", Signer("vectors", SIGNING_SEED)),))


def receipt_of(case: Case, ring: KeyRing = VECTOR_RING) -> Receipt:
    return keyring.sign_receipt(ring, case.game, len(case.events) - 1, bytes.fromhex(case.heads[-1]), case.receipt_time)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.game)
def test_receipts_of_the_contract(case: Case) -> None:
    receipt = receipt_of(case)
    assert receipt.signature.hex() == case.receipt_signature
    assert receipt.key == VECTOR_RING.vkeys[0]
    keyring.verify_receipt(receipt, VECTOR_RING.current.verifier)


def test_a_repeated_receipt_is_the_same_after_a_rotation() -> None:
    later = "2026-01-01T12:00:00.001Z"
    assert receipt_of(CASES[0], VECTOR_RING.rotated(later)) == receipt_of(CASES[0])
    case = replace(CASES[0], receipt_time=later)
    rotated = VECTOR_RING.rotated(later)
    assert receipt_of(case, rotated).key == rotated.vkeys[1]


def test_a_receipt_of_a_dropped_key_cannot_be_repeated_but_checked() -> None:
    receipt = receipt_of(CASES[0])
    ring = VECTOR_RING.rotated(MAY).without_secret(receipt.key)
    with pytest.raises(KeyGoneError):
        receipt_of(CASES[0], ring)
    keyring.verify_receipt(receipt, Verifier.parse(ring.vkeys[0]))


@pytest.mark.parametrize(
    "change",
    [
        {"game": "another"},
        {"seq": 0},
        {"head": bytes(32)},
        {"time": "2026-01-01T12:00:00.001Z"},
        {"signature": bytes(64)},
        {"signature": b""},
        {"key": FIRST.verifier.vkey},
        {"key": ""},
    ],
)
def test_a_changed_receipt_is_refused(change: dict[str, Any]) -> None:
    changed = receipt_of(CASES[0])._replace(**change)
    with pytest.raises(seals.SignatureError):
        keyring.verify_receipt(changed, VECTOR_RING.current.verifier)


def test_another_key_or_kind_of_key_does_not_verify_a_receipt() -> None:
    receipt, verifier = receipt_of(CASES[0]), VECTOR_RING.current.verifier
    with pytest.raises(seals.SignatureError):
        keyring.verify_receipt(receipt, FIRST.verifier)
    witness = Verifier(verifier.name, verifier.public, COSIGNATURE)
    with pytest.raises(seals.SignatureError):
        keyring.verify_receipt(receipt._replace(key=witness.vkey), witness)


@pytest.mark.parametrize("change", [{"seq": -1}, {"head": bytes(31)}])
def test_a_receipt_out_of_range_is_an_error(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"fit|31 bytes"):
        keyring.verify_receipt(receipt_of(CASES[0])._replace(**change), VECTOR_RING.current.verifier)
