"""Copies outside the database: the file, the timer, the witness; and a copy that accuses the store stays."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.api import create_app
from service.evidence.checkpoints import Checkpoint, signed_checkpoint
from service.evidence.notes import Verifier, parse_note, verified
from service.evidence.witness import WitnessError
from service.store import Store
from service.store.log import Log
from service.usecases.notary import BrokenLogError, Notary, RewrittenError, RolledBackError
from service.usecases.proving import prove
from service.usecases.publishing import export, publish, published, push_to
from tests.api.clients import Client
from tests.databases import Database
from tests.evidence.witness_server import Witness, served
from tests.store.attacks import flipped
from tests.store.games import append, end, open_game
from tests.usecases.games import game
from tests.usecases.sealed import ORIGIN, notary_at, opened, seal_cheaply, sizes, spoil, take_in, unsealed


@pytest.fixture
def notary(durable_store: Store, tmp_path: Path) -> Notary:
    return notary_at(durable_store, tmp_path / "keys.json")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out" / "checkpoint"


def in_file(file: Path, notary: Notary) -> Checkpoint:
    return signed_checkpoint(file.read_bytes(), *notary.verifiers)


# -- The file ----------------------------------------------------------------------------------------------------------


def test_nothing_is_written_before_the_first_seal(durable_store: Store, notary: Notary, file: Path) -> None:
    assert export(durable_store, notary, file) is None
    assert list(file.parent.iterdir()) == []


def test_the_newest_checkpoint_replaces_the_one_before(durable_store: Store, notary: Notary, file: Path) -> None:
    for size in (1, 2, 3):
        seal_cheaply(durable_store, 1, size)
        done = export(durable_store, notary, file)
        assert done == in_file(file, notary) == opened(Log(durable_store).checkpoint(), notary)
        assert done.size == size
        assert export(durable_store, notary, file) == done
    assert list(file.parent.iterdir()) == [file]


def test_a_reader_never_sees_half_a_file(durable_store: Store, notary: Notary, file: Path) -> None:
    """A reader that reads all the time finds a whole checkpoint each time, and none smaller than the one before."""
    seal_cheaply(durable_store, 1)
    export(durable_store, notary, file)
    seen, ended = [1], threading.Event()

    def read() -> None:
        while not ended.is_set():
            seen.append(in_file(file, notary).size)

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(1, 20):
        seal_cheaply(durable_store, 1, number)
        export(durable_store, notary, file)
    ended.set()
    reader.join()
    assert seen == sorted(seen)
    assert len(seen) > 20


def test_a_file_that_cannot_be_written(durable_store: Store, notary: Notary, file: Path) -> None:
    seal_cheaply(durable_store, 1)
    with pytest.raises(FileNotFoundError):
        export(durable_store, notary, file.parent / "none" / "checkpoint")
    file.mkdir()
    with pytest.raises(IsADirectoryError):
        export(durable_store, notary, file)
    assert list(file.parent.iterdir()) == [file]


def test_a_file_of_something_else_stays(durable_store: Store, notary: Notary, file: Path, tmp_path: Path) -> None:
    seal_cheaply(durable_store, 1)
    export(durable_store, notary, file)
    foreign = file.read_bytes()
    other = notary_at(durable_store, tmp_path / "other.json")
    for content in (b"", b"notes of mine\n", foreign[:-1], foreign.replace(ORIGIN.encode(), b"log.example/other")):
        file.write_bytes(content)
        with pytest.raises(BrokenLogError, match="something else"):
            export(durable_store, notary, file)
        assert file.read_bytes() == content
    file.write_bytes(foreign)
    with pytest.raises(BrokenLogError):
        export(durable_store, other, file)
    assert file.read_bytes() == foreign


def _forget(size: int) -> tuple[str, ...]:
    """The log as it was when it had ``size`` seals: what an older state of the database looks like."""
    return (
        f"DELETE FROM mingpai.checkpoints WHERE size > {size}",
        f"DELETE FROM mingpai.log_leaves WHERE index >= {size}",
        f"UPDATE mingpai.log_head SET size = {size}",
    )


def test_a_copy_that_shows_a_rollback_stays(
    durable_database: Database, durable_store: Store, notary: Notary, file: Path
) -> None:
    """Also once the log has grown to the same size again, with other games."""
    for number in (0, 1):
        seal_cheaply(durable_store, 1, number)
        export(durable_store, notary, file)
    evidence = file.read_bytes()
    spoil(durable_database.admin_url, *_forget(1), "DELETE FROM mingpai.log_nodes")
    with pytest.raises(RolledBackError, match=r"1 seals.* over 2"):
        export(durable_store, notary, file)
    assert file.read_bytes() == evidence
    for number in (2, 3):
        seal_cheaply(durable_store, 1, number)
        with pytest.raises(RewrittenError, match="first 2 seals"):
            export(durable_store, notary, file)
        assert file.read_bytes() == evidence


# -- The timer ---------------------------------------------------------------------------------------------------------


def until(holds: Callable[[], bool]) -> None:
    """Waits for what another thread is to bring about; a minute is not the point, but an end."""
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_what_ends_is_sealed_signed_and_exported(durable_store: Store, notary: Notary, file: Path) -> None:
    before = unsealed(durable_store, game(0))
    with published(durable_store, notary, 0.05, file):
        assert in_file(file, notary).size == 1  # the first round is over before anything is served
        assert durable_store.game(before).sealed_at is not None
        unsealed(durable_store, game(1))
        until(lambda: in_file(file, notary).size == 2)
    assert sizes(durable_store) == [1, 2]
    unsealed(durable_store, game(2))
    assert "publishing" not in {thread.name for thread in threading.enumerate()}
    assert in_file(file, notary).size == 2


def test_without_a_file_it_seals_and_signs(durable_store: Store, notary: Notary) -> None:
    with published(durable_store, notary, 0.05, None):
        unsealed(durable_store, game(0))
        until(lambda: sizes(durable_store) == [1])


def test_on_an_unsafe_database_it_seals_and_signs_nothing(store: Store, tmp_path: Path, file: Path) -> None:
    name = unsealed(store, game(0))
    publish(store, notary_at(store, tmp_path / "keys.json"), file)
    assert store.game(name).sealed_at is not None
    assert (sizes(store), list(file.parent.iterdir())) == ([], [])


TROUBLES = {
    "a node gone": ("DELETE FROM mingpai.log_nodes",),
    "rewritten": (flipped("log_nodes", "hash", "level = 1"),),
    "no head": ("DELETE FROM mingpai.log_head",),
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_trouble_is_logged_and_the_timer_goes_on(
    durable_database: Database,
    durable_store: Store,
    notary: Notary,
    file: Path,
    trouble: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Round after round, so that whoever mends the cause need not start the service again."""
    seal_cheaply(durable_store, 2)
    with caplog.at_level(logging.ERROR, "mingpai.evidence"), published(durable_store, notary, 0.05, file):
        evidence = file.read_bytes()
        spoil(durable_database.admin_url, *TROUBLES[trouble])
        unsealed(durable_store, game(0))
        until(lambda: len(caplog.records) > 1 or "publishing" not in {one.name for one in threading.enumerate()})
        assert "publishing" in {thread.name for thread in threading.enumerate()}
    assert "no checkpoint is signed" in caplog.text
    assert file.read_bytes() == evidence


def test_a_key_ring_that_has_gone_is_logged(
    durable_store: Store, notary: Notary, file: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    seal_cheaply(durable_store, 1)
    ring = (tmp_path / "keys.json").read_bytes()
    (tmp_path / "keys.json").unlink()
    publish(durable_store, notary, file)
    assert "keys.json is missing" in caplog.text
    assert not file.exists()
    (tmp_path / "keys.json").write_bytes(ring)
    (tmp_path / "keys.json").chmod(0o600)
    publish(durable_store, notary, file)
    assert in_file(file, notary).size == 1


UNFIT = {
    "an event": flipped("events", "body", "game = %(game)s AND seq = 7"),
    "the head row": flipped("game_heads", "head", "game = %(game)s"),
    "no secret": "DELETE FROM mingpai.game_secrets WHERE game = %(game)s",
    "another rule set": flipped("games", "ruleset_digest", "game = %(game)s"),
}


@pytest.mark.parametrize("what", UNFIT)
def test_a_game_that_cannot_be_sealed_holds_nobody_up(
    durable_database: Database,
    durable_store: Store,
    notary: Notary,
    file: Path,
    what: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is logged by name, and the games that ended after it are sealed, signed over and exported."""
    bad, good = (unsealed(durable_store, game(index)) for index in (0, 1))
    spoil(durable_database.admin_url, UNFIT[what].replace("%(game)s", f"'{bad}'"))
    publish(durable_store, notary, file)
    assert durable_store.game(good).sealed_at is not None
    assert durable_store.game(bad).sealed_at is None
    assert in_file(file, notary).size == 1
    assert bad in caplog.text
    assert Log(durable_store).unsealed() == [bad]


# -- The witness -------------------------------------------------------------------------------------------------------


@pytest.fixture
def witness(notary: Notary, monkeypatch: pytest.MonkeyPatch) -> Witness:
    """A witness that knows the log's key; whatever proxy the surroundings name, it is reached directly."""
    monkeypatch.setenv("no_proxy", "*")
    return Witness({ORIGIN: notary.verifiers[0].public})


@pytest.fixture
def url(witness: Witness) -> Iterator[str]:
    with served(witness) as prefix:
        yield prefix


def cosigners(note: bytes, *verifiers: Verifier) -> tuple[Verifier, ...]:
    """Who of ``verifiers`` has signed a note; every signature of theirs holds."""
    return verified(parse_note(note), *verifiers)


def test_a_cosignature_is_kept_exported_and_served(
    durable_store: Store, notary: Notary, witness: Witness, url: str, file: Path
) -> None:
    (name,) = take_in(durable_store, game(0))
    lines = push_to(durable_store, notary, url, witness.verifier)
    kept = notary.checkpoint()
    assert kept is not None
    both = (*notary.verifiers, witness.verifier)
    cosigned = Log(durable_store).cosigned(kept)
    assert cosigned == kept.note + lines
    assert cosigners(cosigned, *both) == both
    assert Client(create_app(durable_store)).request("GET", "/checkpoint").content == cosigned
    export(durable_store, notary, file)
    assert file.read_bytes() == cosigned
    assert prove(durable_store, notary, name).bundle["checkpoint"].encode() == cosigned


def test_growth_is_proven_to_the_witness(durable_store: Store, notary: Notary, witness: Witness, url: str) -> None:
    for number in range(9):
        seal_cheaply(durable_store, 1, number)
        push_to(durable_store, notary, url, witness.verifier)
    assert witness.trees[ORIGIN][0] == 9
    for kept in Log(durable_store).checkpoints():
        assert cosigners(Log(durable_store).cosigned(kept), witness.verifier)


def test_pushing_again_adds_the_witness_s_newer_line(
    durable_store: Store, notary: Notary, witness: Witness, url: str
) -> None:
    seal_cheaply(durable_store, 1)
    first = push_to(durable_store, notary, url, witness.verifier)
    witness.ahead = 60
    second = push_to(durable_store, notary, url, witness.verifier)
    kept = notary.checkpoint()
    assert kept is not None
    assert Log(durable_store).cosigned(kept) == kept.note + first + second


def test_a_witness_with_another_past(
    durable_database: Database, durable_store: Store, notary: Notary, witness: Witness, url: str
) -> None:
    """The witness remembers what the store has lost: nothing is kept of what it refuses."""
    seal_cheaply(durable_store, 2)
    push_to(durable_store, notary, url, witness.verifier)
    spoil(
        durable_database.admin_url,
        "DELETE FROM mingpai.cosignatures",
        *_forget(1),
        "DELETE FROM mingpai.log_nodes",
    )
    notary.memory.unlink()  # it would remember too, and nothing would be signed at all
    for size, code in ((1, "ahead"), (2, "conflict"), (3, "proof")):
        seal_cheaply(durable_store, size - Log(durable_store).size(), 10 * size)
        with pytest.raises(WitnessError) as caught:
            push_to(durable_store, notary, url, witness.verifier)
        assert caught.value.code == code
        kept = notary.checkpoint()
        assert kept is not None
        assert Log(durable_store).cosigned(kept) == kept.note


def test_there_is_nothing_to_push(durable_store: Store, notary: Notary, witness: Witness, url: str) -> None:
    with pytest.raises(LookupError):
        push_to(durable_store, notary, url, witness.verifier)
    append(durable_store, open_game(durable_store).game, 1, None, end(1))
    with pytest.raises(LookupError):
        push_to(durable_store, notary, url, witness.verifier)
    assert witness.asked == []


def test_a_witness_is_pushed_to_after_a_rotation(
    durable_store: Store, notary: Notary, witness: Witness, url: str
) -> None:
    """It knows the old key: the note that both signed passes, the next one needs the new key to be told."""
    seal_cheaply(durable_store, 1)
    notary.rotate()
    push_to(durable_store, notary, url, witness.verifier)
    seal_cheaply(durable_store, 1, 1)
    with pytest.raises(WitnessError) as caught:
        push_to(durable_store, notary, url, witness.verifier)
    assert caught.value.code == "key"
    witness.logs = {ORIGIN: notary.verifiers[1].public}
    push_to(durable_store, notary, url, witness.verifier)
    assert witness.trees[ORIGIN][0] == 2
