"""Copies of the checkpoint outside the database: a file, and witnesses. Only they can show a rewritten or cut store."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from service.evidence.checkpoints import Checkpoint, CheckpointError, signed_checkpoint
from service.evidence.keyring import KeyRingError
from service.evidence.log_tree import consistency_proof
from service.evidence.notes import NoteError, Verifier
from service.evidence.witness import push
from service.files import write_durably
from service.store import Store
from service.store.errors import BrokenLogError, StoreError
from service.store.log import Log
from service.usecases.notary import Notary, require_contained
from service.usecases.sealing import seal_ended

_LOG = logging.getLogger("mingpai.evidence")


def export(store: Store, notary: Notary, path: Path) -> Checkpoint | None:
    """Writes the newest checkpoint, with its witnesses' lines, to ``path``; ``None`` while there is none.

    What stands there is first held against the log: a file that shows the log to be rolled back or rewritten is
    evidence and stays. Raises ``BrokenLogError``, ``OSError``.
    """
    log = Log(store)
    if path.exists():  # before anything is signed that would contradict it
        require_contained(log, _read(path, notary.verifiers))
    newest = notary.checkpoint()
    if newest is None:
        return None
    write_durably(path, log.cosigned(newest), mode=0o644)
    return signed_checkpoint(newest.note, *notary.verifiers)


def push_to(store: Store, notary: Notary, url: str, witness: Verifier) -> bytes:
    """Has a C2SP witness cosign the newest checkpoint, and keeps its lines; returns them.

    Raises ``WitnessError``, ``BrokenLogError``, and ``LookupError`` while there is no checkpoint.
    """
    log = Log(store)
    newest = notary.checkpoint()
    if newest is None:
        raise LookupError("there is no checkpoint yet: no game is sealed")
    lines = push(url, 0, lambda old: consistency_proof(old, newest.size, log.nodes), newest.note, witness)
    for line in lines.decode().splitlines(keepends=True):
        log.keep_cosignature(newest, line)
    return lines


@contextmanager
def published(store: Store, notary: Notary, seconds: float, path: Path | None) -> Iterator[None]:
    """While the context lasts, every ``seconds``: seals what has ended, signs what has grown, exports it to ``path``.

    Whatever goes wrong is logged, and tried again the next time.
    """
    ended = Event()

    def work() -> None:
        while not ended.wait(seconds):
            publish(store, notary, path)

    worker = Thread(target=work, name="publishing", daemon=True)
    publish(store, notary, path)
    worker.start()
    try:
        yield
    finally:
        ended.set()
        worker.join()


def publish(store: Store, notary: Notary, path: Path | None) -> None:
    """One round of ``published``."""
    try:
        seal_ended(store)
        if path is None:
            notary.checkpoint()
        else:
            export(store, notary, path)
    except (StoreError, KeyRingError, OSError) as error:
        _LOG.error("no checkpoint is signed: %s", error)


def _read(path: Path, verifiers: tuple[Verifier, ...]) -> Checkpoint:
    try:
        return signed_checkpoint(path.read_bytes(), *verifiers)
    except (NoteError, CheckpointError) as error:
        raise BrokenLogError(f"{path} holds something else than a checkpoint of this log: {error}") from None
