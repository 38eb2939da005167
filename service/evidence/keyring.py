"""The service's signing keys: one file outside the database, all keys of one log's name, each from a time on.

A rotated key stays in the file, because a receipt that is asked for again must come out as the same bytes: it is
signed by the key that was in force at the receipt's own time (``fairness.md``, "Receipt"). The file is JSON of mode
0600, ``{"format": "mingpai-keyring/1", "origin": name, "keys": [{"skey": …, "since": …}, …]}``, with ``vkey`` in
place of ``skey`` where the private half was dropped. Times are RFC 3339 UTC text with milliseconds.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import msgspec

from schema.paipu.vocabulary import is_time
from service.evidence import seals
from service.evidence.notes import ED25519, NoteError, Signer, Verifier
from service.files import open_folder, write_durably

FORMAT = "mingpai-keyring/1"


class KeyRingError(ValueError):
    """A key file that cannot be used, or a change that cannot be made.

    ``code`` is ``missing``, ``exists``, ``permissions`` (others may read the file), ``damaged``, ``file`` (the system
    refused), ``origin``, ``time``, ``key`` (not in the ring) or ``gone``; no message shows a private key.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class KeyGoneError(KeyRingError):
    """The key in force at that time has lost its private half (code ``gone``): nothing can be signed as of then."""

    def __init__(self, verifier: Verifier) -> None:
        super().__init__("gone", f"the private half of {verifier.vkey} was dropped")


class Key(NamedTuple):
    """One key of a ring: in force from ``since`` until the next one's; ``signer`` is ``None`` once it was dropped."""

    since: str
    verifier: Verifier
    signer: Signer | None

    @classmethod
    def of(cls, since: str, signer: Signer) -> Key:
        """A key that can sign."""
        return cls(since, signer.verifier, signer)


@dataclass(frozen=True)
class KeyRing:
    """All keys of the log ``origin``, oldest first, at least one; a value: changes make another ring.

    ``KeyRingError`` of code ``origin`` for a key of another name, ``time`` where ``since`` is no time or not later
    than the key before, ``key`` for a key that is there twice or for none at all.
    """

    origin: str
    keys: tuple[Key, ...]

    def __post_init__(self) -> None:
        _require_names(self)
        _require_order([key.since for key in self.keys])
        if len(set(self.vkeys)) != len(self.keys) or not self.keys:
            raise KeyRingError("key", "a ring has one key or more, each once")

    @classmethod
    def load(cls, path: Path) -> KeyRing:
        """The ring in the file at ``path``; ``KeyRingError`` of code ``missing``, ``permissions``, ``damaged`` or
        ``file``."""
        return _read(path)[0]

    @classmethod
    def create(cls, path: Path, origin: str, since: str) -> KeyRing:
        """A new ring with one new key, in a new file. Never overwrites: of several that create it at the same time
        one wins, and the others get ``KeyRingError`` of code ``exists``. ``NoteError`` for what cannot be a name."""
        ring = cls(origin, (Key.of(since, Signer.generate(origin)),))
        try:
            write_durably(path, _content(ring), os.link)
        except FileExistsError:
            raise KeyRingError("exists", f"{path} is there already") from None
        except OSError as error:
            raise _refused(path, error) from error
        return ring

    @classmethod
    def opened(cls, path: Path, origin: str, since: str) -> KeyRing:
        """The ring at ``path``, created if missing; ``KeyRingError`` of code ``origin`` if it is another log's."""
        try:
            ring = cls.load(path) if path.exists() else cls.create(path, origin, since)
        except KeyRingError as error:
            if error.code != "exists":
                raise
            ring = cls.load(path)  # another process was quicker
        if ring.origin != origin:
            raise KeyRingError("origin", f"{path} holds the keys of {ring.origin!r}, expected {origin!r}")
        return ring

    @property
    def current(self) -> Signer:
        """The newest key; ``KeyGoneError`` if its private half was dropped and none has followed."""
        return _signer(self.keys[-1])

    @property
    def vkeys(self) -> tuple[str, ...]:
        """The public halves as text, oldest first."""
        return tuple(key.verifier.vkey for key in self.keys)

    def at(self, time: str) -> Signer:
        """The key in force at ``time``; the first also before its own time, for clocks differ a little.

        ``KeyGoneError`` if its private half was dropped, ``KeyRingError`` of code ``time`` for what is no time.
        """
        _require_time(time)
        # Times have one width, so that the order of their text is the order in time.
        in_force = [key for key in self.keys if key.since <= time]
        return _signer(in_force[-1] if in_force else self.keys[0])

    def rotated(self, since: str) -> KeyRing:
        """The ring with a new key from ``since`` on.

        ``since`` is best a little ahead of the clock: a receipt that is signed while the change is being made would
        otherwise bear the old key at a time of the new one. ``KeyRingError`` of code ``time`` unless it is later than
        every key's.
        """
        return replace(self, keys=(*self.keys, Key.of(since, Signer.generate(self.origin))))

    def without_secret(self, vkey: str) -> KeyRing:
        """The ring after a leak: the private half of ``vkey`` is dropped, the public half stays, so that what was
        signed can still be checked. ``KeyRingError`` of code ``key`` if it is not in the ring."""
        if vkey not in self.vkeys:
            raise KeyRingError("key", f"no key {vkey!r} in the ring of {self.origin}")
        keys = (key._replace(signer=None) if key.verifier.vkey == vkey else key for key in self.keys)
        return replace(self, keys=tuple(keys))


def change(path: Path, changed: Callable[[KeyRing], KeyRing]) -> KeyRing:
    """Puts ``changed`` of the ring at ``path`` in its place and gives it back; changes wait for each other.

    ``KeyRingError`` as of ``KeyRing.load``, and whatever ``changed`` raises, leave the file as it was.
    """
    target = path.resolve()  # what a link points to is changed, the link stays
    try:
        with _locked(target.parent):
            ring = changed(KeyRing.load(target))
            write_durably(target, _content(ring), _put_in_place)
    except OSError as error:
        raise _refused(path, error) from error
    return ring


class LiveKeyRing:
    """The ring of a server that runs on: the file is read again whenever it has changed. For any number of threads.

    A file that has become unreadable is an error and not a reason to go on with the old keys: one may be gone.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._ring, self._stamp = _read(path)

    @property
    def ring(self) -> KeyRing:
        """The ring as the file has it now; ``KeyRingError`` as of ``KeyRing.load``."""
        with self._lock:
            if _stamp_at(self._path) != self._stamp:
                self._ring, self._stamp = _read(self._path)
            return self._ring


class Receipt(NamedTuple):
    """The service's word for an append: after event ``seq`` of ``game`` the head was ``head`` (32 bytes) at ``time``.

    ``signature`` is 64 bytes of Ed25519 over ``seals.receipt_message``, ``key`` the vkey that made it.
    """

    game: str
    seq: int
    head: bytes
    time: str
    signature: bytes
    key: str


def sign_receipt(ring: KeyRing, game: str, seq: int, head: bytes, time: str, signer: Signer | None = None) -> Receipt:
    """The receipt of an append, by the key in force at ``time``: asked again, the same bytes (``fairness.md``).

    Another ``signer`` may be named where that key is gone.

    ``KeyGoneError`` if that key can sign no more; ``ValueError`` as of ``seals.receipt_message``.
    """
    signer = signer or ring.at(time)
    signature = signer.sign(seals.receipt_message(game, seq, head, time))
    return Receipt(game, seq, head, time, signature, signer.verifier.vkey)


def verify_receipt(receipt: Receipt, verifier: Verifier) -> None:
    """Check that ``verifier`` signed ``receipt``; ``seals.SignatureError`` if not, or if it names another key.

    ``ValueError`` for a receipt with members out of range.
    """
    if verifier.algorithm != ED25519 or receipt.key != verifier.vkey:
        raise seals.SignatureError(f"the receipt is signed by {receipt.key!r}, expected {verifier.vkey}")
    message = seals.receipt_message(receipt.game, receipt.seq, receipt.head, receipt.time)
    seals.verify(verifier.key, message, receipt.signature)


class _Line(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A key as the file has it: with its private half, or with the public one alone."""

    since: str
    skey: str | None = None
    vkey: str | None = None


class _File(msgspec.Struct, forbid_unknown_fields=True):
    format: str
    origin: str
    keys: list[_Line]


_Stamp = tuple[int, ...]


def _read(path: Path) -> tuple[KeyRing, _Stamp]:
    """The ring, and the stamp of the very file that it was read from."""
    try:
        with path.open("rb") as file:
            state = os.fstat(file.fileno())
            _require_private(path, state)
            content = file.read()
    except FileNotFoundError:
        raise KeyRingError("missing", f"{path} is missing") from None
    except OSError as error:
        raise _refused(path, error) from error
    return _parsed(path, content), _stamp(state)


def _parsed(path: Path, content: bytes) -> KeyRing:
    try:
        file = msgspec.json.decode(content, type=_File)
        if file.format != FORMAT:
            raise ValueError(f"its format is {file.format!r}, expected {FORMAT}")
        return KeyRing(file.origin, tuple(_key(line) for line in file.keys))
    except ValueError as error:  # of msgspec, of a key or of the ring; none shows what the file holds
        raise KeyRingError("damaged", f"{path} is damaged: {error}") from None


def _key(line: _Line) -> Key:
    if line.skey is not None and line.vkey is None:
        return Key.of(line.since, Signer.parse(line.skey))
    if line.vkey is not None and line.skey is None:
        return Key(line.since, Verifier.parse(line.vkey), None)
    raise NoteError("key", "a key is either skey or vkey")


def _line(key: Key) -> _Line:
    if key.signer is None:
        return _Line(key.since, vkey=key.verifier.vkey)
    return _Line(key.since, skey=key.signer.skey)


def _content(ring: KeyRing) -> bytes:
    file = _File(FORMAT, ring.origin, [_line(key) for key in ring.keys])
    return json.dumps(msgspec.to_builtins(file), ensure_ascii=False, indent=2).encode() + b"\n"


def _put_in_place(temporary: str, path: Path) -> None:
    before = path.stat()
    if before.st_uid != os.geteuid():  # root changes the keys of a service that runs as somebody else
        os.chown(temporary, before.st_uid, before.st_gid)
    os.replace(temporary, path)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with open_folder(path) as folder:
        fcntl.flock(folder, fcntl.LOCK_EX)  # until it is closed
        yield


def _stamp_at(path: Path) -> _Stamp:
    try:
        return _stamp(path.stat())
    except FileNotFoundError:
        raise KeyRingError("missing", f"{path} is missing") from None
    except OSError as error:
        raise _refused(path, error) from error


def _stamp(state: os.stat_result) -> _Stamp:
    """What differs once a file was replaced, written, or given another mode."""
    return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns


def _signer(key: Key) -> Signer:
    if key.signer is None:
        raise KeyGoneError(key.verifier)
    return key.signer


def _refused(path: Path, error: OSError) -> KeyRingError:
    return KeyRingError("file", f"{path}: {error.strerror or error}")


def _require_private(path: Path, state: os.stat_result) -> None:
    mode = stat.S_IMODE(state.st_mode)
    if mode & 0o077:
        raise KeyRingError("permissions", f"{path} has mode {mode:04o}: others may read or write it, expected 0600")


def _require_names(ring: KeyRing) -> None:
    for key in ring.keys:
        if key.verifier.name != ring.origin or key.verifier.algorithm != ED25519:
            raise KeyRingError("origin", f"{key.verifier.vkey} is no key of the log {ring.origin!r}")


def _require_order(times: list[str]) -> None:
    for time in times:
        _require_time(time)
    for before, after in pairwise(times):
        if before >= after:
            raise KeyRingError("time", f"a key from {after} on after a key from {before} on")


def _require_time(time: str) -> None:
    if not is_time(time):
        raise KeyRingError("time", f"{time!r} is no time such as 2026-03-01T12:00:05.125Z")
