"""The spool: what was taken is there again after any end, and what was torn was never taken."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from service.client.errors import SpoolBusyError, SpoolError
from service.client.records import Batch, Receipt, Refusal
from service.client.spool import Spool, SpooledGame
from tests.usecases.games import game, id_of

DOCUMENTS = game(4)
NAME = id_of(DOCUMENTS)
BATCH = Batch(0, 2, "key")
RECEIPT = Receipt(NAME, 2, "ab", "2026-01-01T00:00:00.000Z", None, None)


@contextmanager
def again(folder: Path) -> Iterator[list[SpooledGame]]:
    """The games in the folder, as a new process finds them."""
    spool = Spool(folder)
    found = list(spool.kept())
    spool.close()
    try:
        yield found
    finally:
        for kept in found:
            kept.close()


def pending(folder: Path) -> list[dict[str, Any]]:
    """The events of the only game in the folder that wait there."""
    with again(folder) as (kept,):
        return list(kept.pending.values())


def shape(kept: SpooledGame) -> tuple[Any, ...]:
    return kept.game, kept.pending, kept.taken, kept.acknowledged, kept.batch, kept.refusal, kept.is_over


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    return Spool(tmp_path / "spool")


def test_every_state_survives(spool: Spool, tmp_path: Path) -> None:
    kept = spool.create(NAME)
    refusal = Refusal(3, "INVALID_EVENT", "words")
    steps = [
        lambda: kept.take(DOCUMENTS[:1], is_durable=True),
        lambda: kept.take(DOCUMENTS[1:4], is_durable=False),
        lambda: kept.begin(BATCH),
        lambda: kept.acknowledge(RECEIPT),
        lambda: kept.take(DOCUMENTS[4:], is_durable=True),
        lambda: kept.refuse(refusal),
    ]
    spool.close()
    for step in steps:
        step()
        with again(tmp_path / "spool") as (found,):
            assert shape(found) == shape(kept)
    assert (kept.acknowledged, kept.taken, kept.is_over) == (3, len(DOCUMENTS), True)
    assert sorted(kept.pending) == list(range(3, len(DOCUMENTS)))


def test_a_file_cut_anywhere_holds_a_beginning(spool: Spool, tmp_path: Path) -> None:
    kept = spool.create(NAME)
    kept.take(DOCUMENTS[:4], is_durable=True)
    kept.close()
    spool.close()
    whole = kept.path.read_bytes()
    for end in range(len(whole)):
        kept.path.write_bytes(whole[:end])
        count = whole[:end].count(b"\n")
        with again(tmp_path / "spool") as games:
            assert [list(one.pending.values()) for one in games] == [DOCUMENTS[:count]] * bool(count)
            for found in games:  # it goes on as if nothing had been
                found.take(DOCUMENTS[count:5], is_durable=True)
        assert not count or pending(tmp_path / "spool") == DOCUMENTS[:5]


def test_a_damaged_file_is_not_taken_for_a_short_one(spool: Spool, tmp_path: Path) -> None:
    kept = spool.create(NAME)
    kept.take(DOCUMENTS[:4], is_durable=True)
    spool.close()
    kept.path.write_bytes(kept.path.read_bytes().replace(b'{"event"', b'{"eve', 1))
    with pytest.raises(SpoolError, match="damaged"):
        pending(tmp_path / "spool")


def test_a_full_disk_leaves_no_torn_line(spool: Spool, tmp_path: Path) -> None:
    """The write that finds no room is refused; what was there stays, and what comes after is whole."""
    kept = spool.create(NAME)
    kept.take(DOCUMENTS[:2], is_durable=True)
    size = kept.path.stat().st_size
    pid = os.fork()
    if pid == 0:
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, size + 20))
        try:
            kept.take(DOCUMENTS[2:3], is_durable=True)
        except SpoolError:
            os._exit(0)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert kept.path.stat().st_size == size
    kept.take(DOCUMENTS[2:4], is_durable=True)
    spool.close()
    assert pending(tmp_path / "spool") == DOCUMENTS[:4]


def test_one_process_at_a_time(spool: Spool, tmp_path: Path) -> None:
    with pytest.raises(SpoolBusyError):
        Spool(tmp_path / "spool")
    spool.close()
    Spool(tmp_path / "spool").close()


def test_what_is_kept_is_private(spool: Spool) -> None:
    kept = spool.create(NAME)
    kept.take(DOCUMENTS[:1], is_durable=True)
    assert kept.path.stat().st_mode & 0o077 == 0
    assert kept.path.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", ["a/b", "..", "\ud800", "x" * 5000, "\0"])
def test_any_id_has_a_file(spool: Spool, name: str) -> None:
    path = spool.create(name).path
    assert path.parent == spool.create("other").path.parent
    assert path.exists()
