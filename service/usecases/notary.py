"""What the service signs: receipts of appends, and checkpoints of the log. The keys never come near the database."""

from __future__ import annotations

import logging
import secrets
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from replays.merkle import leaf_hash
from service.evidence.checkpoints import Checkpoint, CheckpointError, signed_checkpoint
from service.evidence.keyring import KeyGoneError, KeyRing, LiveKeyRing, Receipt, change, sign_receipt
from service.evidence.log_tree import Frontier, Span, nodes, root
from service.evidence.notes import NoteError, Signer, Verifier, note_bytes, parse_note, sign_note
from service.files import write_durably
from service.settings import Settings
from service.store import Appended, SignedCheckpoint, Store, time_text
from service.store.errors import BrokenLogError, CheckpointOrderError
from service.store.log import Log

_LOG = logging.getLogger("mingpai.evidence")

#: Before every receipt: the first key is also in force for what was stored before there was one.
_EVER = "1970-01-01T00:00:00.000Z"
_HANDOVER = timedelta(seconds=5)


class ForeignLogError(BrokenLogError):
    """The newest checkpoint was signed by a key that is not in the key ring: it belongs to another log."""

    code = "foreign"


class RolledBackError(BrokenLogError):
    """The log is shorter than a checkpoint says: the database was restored from an older state, or cut."""

    code = "rolled_back"


class RewrittenError(BrokenLogError):
    """The log has other leaves than those that a checkpoint was signed over."""

    code = "rewritten"


def open_ring(path: Path, origin: str | None) -> KeyRing:
    """The key ring in the file ``path``; made, with a first key, if there is none.

    ``origin`` names the log (``example.com/mingpai``); without one a new ring gets a name that nobody else has. Raises
    ``KeyRingError``, with code ``origin`` where the file is another log's.
    """
    if origin is None and path.exists():
        return KeyRing.load(path)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return KeyRing.opened(path, origin or f"mingpai.invalid/{secrets.token_hex(8)}", _EVER)


def notary_of(store: Store, settings: Settings) -> Notary:
    """The notary of the keys that the settings name, made at the first time. Raises as ``open_ring``."""
    open_ring(settings.key_file, settings.log_origin)
    return Notary(store, settings.key_file)


class Notary:
    """Signs over one store with the ring in the file ``path`` (``open_ring``). For any number of threads.

    On a database that may lose what it acknowledged nothing is signed: what is signed must be there for ever.
    """

    def __init__(self, store: Store, path: Path) -> None:
        self._store = store
        self._path = path
        self._live = LiveKeyRing(path)

    @property
    def ring(self) -> KeyRing:
        """The keys as they are now."""
        return self._live.ring

    @property
    def verifiers(self) -> tuple[Verifier, ...]:
        """The public halves of all keys, oldest first."""
        return tuple(key.verifier for key in self.ring.keys)

    def receipt(self, done: Appended) -> Receipt | None:
        """The receipt of a stored append, the same bytes whenever asked; ``None`` on an unsafe database."""
        if self._store.unsafe:
            return None
        ring = self.ring
        try:
            return sign_receipt(ring, done.game, done.seq, done.head, done.time)
        except KeyGoneError:  # the key of that time has leaked: the new one vouches for what is stored
            return sign_receipt(ring, done.game, done.seq, done.head, done.time, ring.current)

    def checkpoint(self) -> SignedCheckpoint | None:
        """The newest checkpoint, signed now if the log has grown; ``None`` while there is nothing that may be signed.

        Raises ``BrokenLogError`` if the log does not contain what was signed last: by this database's own newest
        checkpoint, and by the copy of it that lies beside the keys (``memory``).
        """
        log = Log(self._store)
        newest = log.checkpoint()
        if self._store.unsafe:
            return newest
        before = self._opened(newest)
        for known in dict.fromkeys((before, self._remembered())):  # mostly one and the same
            if known is not None:
                require_contained(log, known)
        signer, size = self.ring.current, log.size()
        if size == 0 or (newest is not None and newest.size == size and self._is_signed(newest, signer.verifier)):
            return newest
        signed = self._sign(log, before, size, signer)
        if signed is not None:
            self._remember(signed)
        return signed

    @property
    def memory(self) -> Path:
        """Where the last signed checkpoint is remembered, outside the database: after a restore of an older state
        nothing is signed that would contradict it, until somebody removes this file."""
        return self._path.with_suffix(".checkpoint")

    def rotate(self, *, leaked: bool = False) -> KeyRing:
        """A new key from now on; the newest checkpoint is signed by both, so that who trusts the old one learns of it.

        Not so where the old one has ``leaked``: its private half is dropped, and its word is worth nothing. Receipts
        that are asked for again keep the signature of their time, unless that key is gone. Raises ``BrokenLogError``
        where the log cannot be signed: before anything is changed, but after a leak, which bears no delay.
        """
        old = self.ring.current
        newest = None if leaked else self.checkpoint()
        # A receipt that is being signed now still gets the old key at a time of the old key.
        since = self._store.moment() + (timedelta() if leaked else _HANDOVER)
        change(self._path, lambda ring: _rotated(ring, since, old if leaked else None))
        if leaked:
            self.checkpoint()
        elif newest is not None and not self._store.unsafe:
            text = parse_note(newest.note).text
            with suppress(CheckpointOrderError):  # another process may have signed a larger one meanwhile
                Log(self._store).keep_checkpoint(newest.size, note_bytes(sign_note(text, old, self.ring.current)))
        return self.ring

    def _sign(self, log: Log, before: Checkpoint | None, size: int, signer: Signer) -> SignedCheckpoint | None:
        derived = _grown(log, before, size)
        if derived != root(size, log.nodes):
            raise BrokenLogError(f"the nodes of the log of {size} seals do not give the root that its leaves give")
        note = note_bytes(sign_note(Checkpoint(signer.verifier.name, size, derived).text, signer))
        with suppress(CheckpointOrderError):  # another process may have signed a larger one meanwhile
            log.keep_checkpoint(size, note)
        return log.checkpoint()

    def _opened(self, newest: SignedCheckpoint | None) -> Checkpoint | None:
        if newest is None:
            return None
        try:
            return signed_checkpoint(newest.note, *self.verifiers)
        except (NoteError, CheckpointError) as error:
            raise ForeignLogError(
                f"the newest checkpoint of this database (size {newest.size}) is not signed by a key of {self._path}: "
                f"{error}"
            ) from None

    def _remembered(self) -> Checkpoint | None:
        try:
            return signed_checkpoint(self.memory.read_bytes(), *self.verifiers)
        except FileNotFoundError:
            return None
        except (NoteError, CheckpointError, OSError) as error:
            raise ForeignLogError(f"{self.memory} is not the checkpoint that was signed last: {error}") from None

    def _remember(self, signed: SignedCheckpoint) -> None:
        try:
            write_durably(self.memory, signed.note, mode=0o644)
        except OSError as error:  # keys may lie where nothing can be written
            _LOG.warning("what was signed cannot be remembered in %s: %s", self.memory, error.strerror or error)

    def _is_signed(self, checkpoint: SignedCheckpoint, verifier: Verifier) -> bool:
        try:
            signed_checkpoint(checkpoint.note, verifier)
        except (NoteError, CheckpointError):
            return False
        return True


def require_contained(log: Log, checkpoint: Checkpoint) -> None:
    """Check that the stored log goes on from ``checkpoint``; ``RolledBackError`` or ``RewrittenError`` if not."""
    size = log.size()
    if size < checkpoint.size:
        raise RolledBackError(
            f"rolled back: the log has {size} seals, the checkpoint was signed over {checkpoint.size}"
        )
    found = root(checkpoint.size, log.nodes)
    if found != checkpoint.root:
        raise RewrittenError(
            f"rewritten: the first {checkpoint.size} seals give the root {found.hex()}, "
            f"the checkpoint was signed over {checkpoint.root.hex()}"
        )


def _grown(log: Log, before: Checkpoint | None, size: int) -> bytes:
    """The root of ``size`` leaves, derived from the tree that was signed before and the bytes of every seal since."""
    start = 0 if before is None else before.size
    whole = nodes(Span(0, start))
    kept = log.nodes(whole)
    tree = Frontier((node.level, kept[node]) for node in whole)
    for leaf in log.leaves(start, size):
        tree.add(leaf_hash(leaf.seal))
    return tree.root


def _rotated(ring: KeyRing, since: datetime, leaked: Signer | None) -> KeyRing:
    """The ring with one key more, from ``since`` on, or from just behind the newest one."""
    newest = datetime.fromisoformat(ring.keys[-1].since)
    grown = ring.rotated(time_text(max(since, newest + timedelta(milliseconds=1))))
    return grown if leaked is None else grown.without_secret(leaked.verifier.vkey)
