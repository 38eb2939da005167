"""What is signed, by which key, over which log: receipts, checkpoints, rotation; and what is never signed."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from replays.merkle import consistency_proof, leaf_hash, verify_consistency
from replays.merkle import root as merkle_root
from service.evidence.keyring import KeyRing, KeyRingError, Receipt, verify_receipt
from service.evidence.notes import NoteError, Verifier, parse_note
from service.evidence.seals import SignatureError
from service.store import Appended, Store, time_text
from service.store.log import Log
from service.usecases.notary import (
    BrokenLogError,
    ForeignLogError,
    Notary,
    RewrittenError,
    RolledBackError,
    open_ring,
)
from tests.databases import Database
from tests.store.attacks import flipped
from tests.store.games import append, body, open_game
from tests.usecases.commands import environment
from tests.usecases.sealed import ORIGIN, count, notary_at, opened, seal_cheaply, sizes, spoil


@pytest.fixture
def ring_file(tmp_path: Path) -> Path:
    return tmp_path / "keys" / "log.json"


@pytest.fixture
def notary(durable_store: Store, ring_file: Path) -> Notary:
    return notary_at(durable_store, ring_file)


def checked(receipt: Receipt | None, notary: Notary) -> Verifier:
    """The key of the ring that signed a receipt, whose signature holds."""
    assert receipt is not None
    (verifier,) = [one for one in notary.verifiers if one.vkey == receipt.key]
    verify_receipt(receipt, verifier)
    return verifier


def signers(note: bytes) -> set[bytes]:
    """The ids of the keys whose lines a note has."""
    return {signature.key_id for signature in parse_note(note).signatures}


def key_ids(*verifiers: Verifier) -> set[bytes]:
    return {verifier.key_id for verifier in verifiers}


# -- Receipts ----------------------------------------------------------------------------------------------------------


def test_a_receipt_is_the_same_bytes_whenever_asked(durable_store: Store, notary: Notary, ring_file: Path) -> None:
    done = open_game(durable_store)
    first = notary.receipt(done)
    checked(first, notary)
    again = notary_at(durable_store, ring_file).receipt(open_game(durable_store))
    assert again == first == notary.receipt(done)


def test_a_receipt_says_what_was_appended(durable_store: Store, notary: Notary) -> None:
    open_game(durable_store)
    done = append(durable_store, "g", 1, "k", body(1), body(2))
    receipt = notary.receipt(done)
    assert receipt is not None
    assert receipt[:4] == (done.game, 2, durable_store.game("g").head, done.time)
    for other in (
        receipt._replace(game="h"),
        receipt._replace(seq=1),
        receipt._replace(head=bytes(32)),
        receipt._replace(time="2026-01-01T00:00:00.000Z"),
    ):
        with pytest.raises(SignatureError):
            checked(other, notary)


def test_receipts_keep_the_key_of_their_time_after_a_rotation(durable_store: Store, notary: Notary) -> None:
    done = open_game(durable_store)
    first = notary.receipt(done)
    since = notary.rotate().keys[-1].since
    assert notary.receipt(done) == first
    assert checked(first, notary) == notary.verifiers[0]
    before, at = (done._replace(time=time) for time in (_earlier(since), since))
    assert checked(notary.receipt(before), notary) == notary.verifiers[0]
    assert checked(notary.receipt(at), notary) == notary.verifiers[1]


def _earlier(time: str) -> str:
    """A millisecond before."""
    return time_text(datetime.fromisoformat(time) - timedelta(milliseconds=1))


def test_after_a_leak_the_new_key_vouches_for_what_is_stored(durable_store: Store, notary: Notary) -> None:
    done = open_game(durable_store)
    first = notary.receipt(done)
    notary.rotate(leaked=True)
    receipt = notary.receipt(done)
    assert receipt != first
    assert checked(receipt, notary) == notary.verifiers[1]
    assert notary.receipt(done) == receipt
    checked(first, notary)  # the old key's public half is still known
    later = notary.receipt(open_game(durable_store, "h"))
    assert checked(later, notary) == notary.verifiers[1]


def test_another_process_that_rotates_is_noticed(durable_store: Store, notary: Notary, ring_file: Path) -> None:
    Notary(durable_store, ring_file).rotate(leaked=True)
    assert len(notary.verifiers) == 2
    assert checked(notary.receipt(open_game(durable_store)), notary) == notary.verifiers[1]


# -- Checkpoints -------------------------------------------------------------------------------------------------------


def test_there_is_no_checkpoint_before_the_first_seal(durable_store: Store, notary: Notary) -> None:
    assert notary.checkpoint() is None
    open_game(durable_store)
    assert notary.checkpoint() is None
    assert sizes(durable_store) == []
    seal_cheaply(durable_store, 1)
    assert opened(notary.checkpoint(), notary).size == 1


def test_a_checkpoint_stays_while_nothing_grows(durable_store: Store, notary: Notary, ring_file: Path) -> None:
    seal_cheaply(durable_store, 3)
    first = notary.checkpoint()
    assert notary.checkpoint() == notary_at(durable_store, ring_file).checkpoint() == first
    assert sizes(durable_store) == [3]


def test_every_checkpoint_goes_on_from_the_one_before(durable_store: Store, notary: Notary) -> None:
    known = []
    for step in (1, 1, 2, 3, 1, 8, 1):
        seal_cheaply(durable_store, step, Log(durable_store).size())
        known.append(opened(notary.checkpoint(), notary))
    leaves = [leaf_hash(leaf.seal) for leaf in Log(durable_store).leaves(0, 99)]
    assert [one.size for one in known] == [1, 2, 4, 7, 8, 16, 17] == sizes(durable_store)
    assert {one.origin for one in known} == {ORIGIN}
    for one in known:
        assert one.root == merkle_root(leaves[: one.size])
    for old, new in pairwise(known):
        proof = consistency_proof(leaves[: new.size], old.size)
        verify_consistency(old.size, new.size, old.root, new.root, proof)


def test_threads_that_sign_at_once_get_one_note(durable_store: Store, notary: Notary, ring_file: Path) -> None:
    seal_cheaply(durable_store, 5)
    notaries = [Notary(durable_store, ring_file) for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        notes = {kept.note for kept in pool.map(Notary.checkpoint, notaries) if kept is not None}
    assert len(notes) == 1
    assert sizes(durable_store) == [5]


def test_signing_while_the_log_grows(durable_store: Store, notary: Notary, ring_file: Path) -> None:
    """Whatever they meet, no checkpoint is of another tree than the one before it grew into."""
    seal_cheaply(durable_store, 1)
    with ThreadPoolExecutor(4) as pool:
        growing = [pool.submit(seal_cheaply, durable_store, 12, first) for first in (100, 200)]
        signing = [pool.submit(_sign_often, Notary(durable_store, ring_file)) for _ in range(2)]
        for grown in growing:
            grown.result()
        for signed in signing:
            signed.result()
    assert opened(notary.checkpoint(), notary).size == 25
    leaves = [leaf_hash(leaf.seal) for leaf in Log(durable_store).leaves(0, 99)]
    for kept in Log(durable_store).checkpoints():
        assert opened(kept, notary).root == merkle_root(leaves[: kept.size])
    assert sizes(durable_store) == sorted(set(sizes(durable_store)))


def _sign_often(notary: Notary) -> None:
    for _ in range(10):
        notary.checkpoint()


_SIGN = """
import sys
from pathlib import Path
from service.store import Store
from service.usecases.notary import Notary
with Store.connect(sys.argv[1]) as store:
    kept = Notary(store, Path(sys.argv[2])).checkpoint()
    sys.stdout.buffer.write(kept.note)
"""


def test_processes_that_sign_at_once_get_one_note(
    durable_database: Database, durable_store: Store, notary: Notary, ring_file: Path
) -> None:
    seal_cheaply(durable_store, 2)
    command = [sys.executable, "-c", _SIGN, durable_database.application_url, str(ring_file)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, env=environment({})) for _ in range(2)]
    notes = {process.communicate(timeout=60)[0] for process in running}
    kept = notary.checkpoint()
    assert kept is not None
    assert notes == {kept.note}
    assert sizes(durable_store) == [2]


def test_nothing_is_signed_on_an_unsafe_database(store: Store, ring_file: Path) -> None:
    notary = notary_at(store, ring_file)
    assert notary.receipt(open_game(store)) is None
    seal_cheaply(store, 2)
    assert notary.checkpoint() is None
    notary.rotate()
    assert sizes(store) == []


# -- A log that is not what was signed ---------------------------------------------------------------------------------


def test_another_ring_does_not_sign_over_a_log(durable_store: Store, notary: Notary, tmp_path: Path) -> None:
    seal_cheaply(durable_store, 2)
    kept = notary.checkpoint()
    other = notary_at(durable_store, tmp_path / "other.json")
    for grown in (0, 1):
        seal_cheaply(durable_store, grown, 2)
        with pytest.raises(ForeignLogError, match=str(tmp_path / "other.json")):
            other.checkpoint()
        with pytest.raises(ForeignLogError):
            other.rotate()
    assert list(Log(durable_store).checkpoints()) == [kept]


#: Of seven seals, three of them signed over: the tree of three is node (1, 0) and leaf 2, that of seven nodes (2, 0)
#: and (1, 2) and leaf 6.
BROKEN = {
    "a seal before": (RewrittenError, (flipped("log_leaves", "leaf", "index = 2"),)),
    "a node": (RewrittenError, (flipped("log_nodes", "hash", "level = 1 AND index = 0"),)),
    "a node since": (BrokenLogError, (flipped("log_nodes", "hash", "level = 1 AND index = 2"),)),
    "a seal since": (BrokenLogError, (flipped("log_leaves", "seal", "index = 4"),)),
    "a leaf since": (BrokenLogError, (flipped("log_leaves", "leaf", "index = 6"),)),
    "a node gone": (BrokenLogError, ("DELETE FROM mingpai.log_nodes WHERE level = 1 AND index = 0",)),
    "a node since gone": (BrokenLogError, ("DELETE FROM mingpai.log_nodes WHERE level = 1 AND index = 2",)),
    "a leaf since gone": (BrokenLogError, ("DELETE FROM mingpai.log_leaves WHERE index = 6",)),
    "cut below": (
        RolledBackError,
        ("DELETE FROM mingpai.log_leaves WHERE index >= 2", "UPDATE mingpai.log_head SET size = 2"),
    ),
    "emptied": (RolledBackError, ("DELETE FROM mingpai.log_leaves", "UPDATE mingpai.log_head SET size = 0")),
    "too long a head": (BrokenLogError, ("UPDATE mingpai.log_head SET size = 9",)),
    "no head": (BrokenLogError, ("DELETE FROM mingpai.log_head",)),
}


@pytest.mark.parametrize("name", BROKEN)
def test_nothing_is_signed_over_a_broken_log(
    durable_database: Database, durable_store: Store, notary: Notary, name: str
) -> None:
    """Three seals were signed over, four came since; then somebody changes the rows."""
    expected, statements = BROKEN[name]
    seal_cheaply(durable_store, 3)
    kept = notary.checkpoint()
    seal_cheaply(durable_store, 4, 3)
    spoil(durable_database.admin_url, *statements)
    with pytest.raises(expected):
        notary.checkpoint()
    assert list(Log(durable_store).checkpoints()) == [kept]


def test_a_log_of_the_same_size_that_was_rewritten_is_not_signed_anew(
    durable_database: Database, durable_store: Store, notary: Notary
) -> None:
    seal_cheaply(durable_store, 2)
    kept = notary.checkpoint()
    spoil(durable_database.admin_url, flipped("log_nodes", "hash", "level = 1"))
    with pytest.raises(RewrittenError):
        notary.checkpoint()
    assert list(Log(durable_store).checkpoints()) == [kept]


def test_errors_name_both_sizes_and_have_codes(
    durable_database: Database, durable_store: Store, notary: Notary
) -> None:
    seal_cheaply(durable_store, 3)
    notary.checkpoint()
    spoil(
        durable_database.admin_url,
        "DELETE FROM mingpai.log_leaves WHERE index = 2",
        "UPDATE mingpai.log_head SET size = 2",
    )
    with pytest.raises(RolledBackError, match=r"rolled back: the log has 2 seals.* over 3"):
        notary.checkpoint()
    codes = [error.code for error in (BrokenLogError, ForeignLogError, RolledBackError, RewrittenError)]
    assert codes == ["broken", "foreign", "rolled_back", "rewritten"]


# -- Rotation ----------------------------------------------------------------------------------------------------------


def test_rotation_leaves_a_note_of_both_keys(durable_store: Store, notary: Notary) -> None:
    seal_cheaply(durable_store, 2)
    before = opened(notary.checkpoint(), notary)
    (old,) = notary.verifiers
    notary.rotate()
    kept = Log(durable_store).checkpoint()
    assert kept is not None
    assert signers(kept.note) == key_ids(*notary.verifiers)
    assert opened(kept, notary) == before
    assert notary.checkpoint() == kept
    seal_cheaply(durable_store, 1, 2)
    grown = notary.checkpoint()
    assert grown is not None
    assert signers(grown.note) == key_ids(notary.verifiers[1])
    assert old != notary.verifiers[1]
    assert sizes(durable_store) == [2, 2, 3]


def test_rotation_signs_what_has_grown_by_both(durable_store: Store, notary: Notary) -> None:
    seal_cheaply(durable_store, 2)
    notary.rotate()
    kept = notary.checkpoint()
    assert kept is not None
    assert (kept.size, signers(kept.note)) == (2, key_ids(*notary.verifiers))


def test_rotation_of_an_empty_log(durable_store: Store, notary: Notary) -> None:
    assert len(notary.rotate().keys) == 2
    assert notary.checkpoint() is None
    seal_cheaply(durable_store, 1)
    kept = notary.checkpoint()
    assert kept is not None
    assert signers(kept.note) == key_ids(notary.verifiers[1])


def test_a_leaked_key_signs_nothing_more(durable_store: Store, notary: Notary, ring_file: Path) -> None:
    seal_cheaply(durable_store, 2)
    notary.checkpoint()
    notary.rotate(leaked=True)
    kept = Log(durable_store).checkpoint()
    assert kept is not None
    assert signers(kept.note) == key_ids(notary.verifiers[1])
    ring = KeyRing.load(ring_file)
    assert [key.signer is None for key in ring.keys] == [True, False]
    assert ring_file.read_text().count("PRIVATE+KEY") == 1


def test_rotation_again_and_again(durable_store: Store, notary: Notary) -> None:
    """Also at once, and a leak right after a rotation that has not come into force yet."""
    seal_cheaply(durable_store, 1)
    notary.rotate()
    notary.rotate()
    notary.rotate(leaked=True)
    kept = notary.checkpoint()
    assert kept is not None
    assert signers(kept.note) == key_ids(notary.verifiers[-1])
    assert len(notary.verifiers) == 4


def test_rotation_over_a_broken_log(durable_database: Database, durable_store: Store, notary: Notary) -> None:
    """Nothing is signed over it and no key is changed."""
    seal_cheaply(durable_store, 3)
    notary.checkpoint()
    spoil(durable_database.admin_url, flipped("log_leaves", "leaf", "index = 2"))
    with pytest.raises(BrokenLogError):
        notary.rotate()
    assert (len(notary.verifiers), count(durable_database.admin_url, "checkpoints")) == (1, 1)


# -- The ring ----------------------------------------------------------------------------------------------------------


def test_a_ring_is_made_once(ring_file: Path) -> None:
    ring = open_ring(ring_file, ORIGIN)
    assert ring.origin == ORIGIN
    assert open_ring(ring_file, ORIGIN) == open_ring(ring_file, None) == ring
    assert ring_file.stat().st_mode & 0o777 == 0o600
    assert ring_file.parent.stat().st_mode & 0o777 == 0o700


def test_a_ring_without_a_name_gets_one_that_nobody_has(tmp_path: Path) -> None:
    names = {open_ring(tmp_path / name, None).origin for name in "ab"}
    assert len(names) == 2
    assert all(name.startswith("mingpai.invalid/") for name in names)


def test_a_ring_of_another_log(ring_file: Path) -> None:
    open_ring(ring_file, ORIGIN)
    with pytest.raises(KeyRingError) as caught:
        open_ring(ring_file, "other.example")
    assert caught.value.code == "origin"


def test_rings_that_cannot_be_used(ring_file: Path) -> None:
    open_ring(ring_file, ORIGIN)
    ring_file.chmod(0o640)
    with pytest.raises(KeyRingError) as caught:
        open_ring(ring_file, None)
    assert caught.value.code == "permissions"
    ring_file.chmod(0o600)
    ring_file.write_text("{}")
    with pytest.raises(KeyRingError) as caught:
        open_ring(ring_file, ORIGIN)
    assert caught.value.code == "damaged"


@pytest.mark.parametrize("origin", ["", "a b", "a+b"])
def test_names_that_no_log_can_have(ring_file: Path, origin: str) -> None:
    with pytest.raises(NoteError):
        open_ring(ring_file, origin) if origin else KeyRing.create(ring_file, origin, "2026-01-01T00:00:00.000Z")
    assert not ring_file.exists()


def test_many_that_start_at_once_share_one_ring(ring_file: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        rings = list(pool.map(lambda _: open_ring(ring_file, ORIGIN), range(8)))
    assert len({ring.vkeys for ring in rings}) == 1


def test_a_receipt_of_before_the_first_key(durable_store: Store, notary: Notary) -> None:
    """What was stored before there was a key is vouched for by the first one."""
    done = Appended("g", 3, bytes(32), "1999-12-31T23:59:59.999Z")
    assert checked(notary.receipt(done), notary) == notary.verifiers[0]


def test_what_was_signed_is_remembered_outside_the_database(durable_database: Database, notary: Notary) -> None:
    """A database put back to an older state that has grown otherwise since: nothing is signed that contradicts."""
    with Store.connect(durable_database.application_url) as store:
        seal_cheaply(store, 2)
        assert notary.checkpoint() is not None
    spoil(
        durable_database.admin_url,
        "DELETE FROM mingpai.checkpoints",
        "DELETE FROM mingpai.log_leaves WHERE index = 1",
        "DELETE FROM mingpai.log_nodes",
        "UPDATE mingpai.log_head SET size = 1",
    )
    with pytest.raises(RolledBackError):
        notary.checkpoint()
    with Store.connect(durable_database.application_url) as store:
        seal_cheaply(store, 2, 10)
    with pytest.raises(RewrittenError):
        notary.checkpoint()
    notary.memory.unlink()
    assert notary.checkpoint() is not None
    assert notary.memory.read_bytes().startswith(ORIGIN.encode())


def test_a_memory_that_cannot_be_read(durable_store: Store, notary: Notary) -> None:
    """Whatever stands in its place, nothing is signed on a guess."""
    seal_cheaply(durable_store, 1)
    signed = notary.checkpoint()
    notary.memory.unlink()
    notary.memory.mkdir()
    with pytest.raises(ForeignLogError):
        notary.checkpoint()
    notary.memory.rmdir()
    notary.memory.write_bytes(b"something else\n")
    with pytest.raises(ForeignLogError):
        notary.checkpoint()
    notary.memory.unlink()
    assert notary.checkpoint() == signed
