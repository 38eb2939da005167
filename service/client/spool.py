"""The spool: a folder with a file a game, in which every event stands before its call returns.

A file has one JSON object a line: ``{"event": …}`` as taken, ``{"batch": [first, last, key]}`` before a call is sent,
``{"receipt": …}`` or ``{"refusal": …}`` after its answer. So whoever starts again after a crash sends the very same
call again, and the service answers with its first result. Only the end of a file can be torn; a torn line was never
taken.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

from service.client.errors import SpoolBusyError, SpoolError
from service.client.records import Batch, Document, GameState, Receipt, Refusal

_SUFFIX = ".spool"


class Spool:
    """The folder, held by one process at a time. Raises ``SpoolBusyError``, ``SpoolError``."""

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise SpoolError(f"{folder}: {error.strerror}") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._lock)
            raise SpoolBusyError(f"{folder} is in use by another process") from None
        self._folder = folder

    def close(self) -> None:
        """Lets another process have the folder."""
        os.close(self._lock)

    def kept(self) -> Iterator[SpooledGame]:
        """The games that are in the folder, in a fixed order."""
        for path in sorted(self._folder.glob(f"*{_SUFFIX}")):
            game = SpooledGame.read(path)
            if game is not None:
                yield game

    def create(self, game: str) -> SpooledGame:
        """A file for a game that has none."""
        name = sha256(game.encode("utf-8", "surrogatepass")).hexdigest()[:40]
        spooled = SpooledGame(self._folder / (name + _SUFFIX), game)
        _sync_folder(self._folder)
        return spooled


class SpooledGame:
    """One game's file: the events that are not acknowledged yet, and where the game stands.

    Whoever changes it holds its ``lock``.
    """

    def __init__(self, path: Path, game: str, end: int | None = None) -> None:
        self.path = path
        self.game = game
        self.lock = Lock()
        self.pending: dict[int, Document] = {}
        self.taken = 0
        self.acknowledged = 0
        self.batch: Batch | None = None
        self.refusal: Refusal | None = None
        self.is_over = False
        self._file = _opened(path)
        self._cut(end)

    @classmethod
    def read(cls, path: Path) -> SpooledGame | None:
        """The game of a file as it was left; ``None`` for a file in which no event was taken. ``SpoolError``."""
        lines, end = _whole_lines(path)
        first = lines[0].get("event", {}) if lines else {}
        if "game" not in first:
            path.unlink()
            return None
        spooled = cls(path, first["game"], end)
        for line in lines:
            spooled._apply(line)
        return spooled

    @property
    def state(self) -> GameState:
        """How far the game is."""
        return GameState(self.game, self.taken, self.acknowledged, self.refusal)

    def take(self, documents: list[Document], *, is_durable: bool) -> None:
        """Puts events into the file; where ``is_durable`` they are on disk when this returns."""
        self._write([{"event": document} for document in documents], is_durable)

    def begin(self, batch: Batch) -> None:
        """Notes which call is going to be sent."""
        self._write([{"batch": list(batch)}], True)

    def acknowledge(self, receipt: Receipt) -> None:
        """Notes that a call was answered, and forgets its events."""
        self._write([{"receipt": receipt._asdict()}], False)

    def refuse(self, refusal: Refusal) -> None:
        """Notes that the service does not take the game's events from one on; they stay in the file."""
        self._write([{"refusal": refusal._asdict()}], True)

    def remove(self) -> None:
        """Removes the file of a game that is over and stored."""
        self.close()
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Closes the file and leaves it."""
        os.close(self._file)

    def _write(self, lines: list[dict[str, Any]], is_durable: bool) -> None:
        raw = b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)
        end = os.lseek(self._file, 0, os.SEEK_END)
        try:
            _write_all(self._file, raw)
            if is_durable:
                os.fdatasync(self._file)
        except OSError as error:
            self._cut(end)  # the next line must not go on where this one broke off
            raise SpoolError(f"{self.path}: {error.strerror}") from None
        for line in lines:
            self._apply(line)

    def _cut(self, end: int | None) -> None:
        if end is not None:
            os.ftruncate(self._file, end)

    def _apply(self, line: dict[str, Any]) -> None:
        for member, value in line.items():
            _APPLY[member](self, value)

    def _taken(self, document: Document) -> None:
        self.pending[document["seq"]] = document
        self.taken = document["seq"] + 1
        self.is_over = document["type"] == "game_ended"

    def _begun(self, batch: list[Any]) -> None:
        self.batch = Batch._make(batch)

    def _acknowledged(self, receipt: Document) -> None:
        for seq in range(self.acknowledged, receipt["seq"] + 1):
            self.pending.pop(seq, None)
        self.acknowledged = receipt["seq"] + 1
        self.batch = None

    def _refused(self, refusal: Document) -> None:
        self.refusal = Refusal(**refusal)


_APPLY: dict[str, Callable[[SpooledGame, Any], None]] = {
    "event": SpooledGame._taken,
    "batch": SpooledGame._begun,
    "receipt": SpooledGame._acknowledged,
    "refusal": SpooledGame._refused,
}


def _opened(path: Path) -> int:
    """The file to append to, as a descriptor: nothing may stay in a buffer."""
    try:
        return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    except OSError as error:
        raise SpoolError(f"{path}: {error.strerror}") from None


def _write_all(file: int, raw: bytes) -> None:
    rest = memoryview(raw)
    while rest:
        rest = rest[os.write(file, rest) :]


def _whole_lines(path: Path) -> tuple[list[dict[str, Any]], int]:
    """The lines that were written whole, and how many bytes those are."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise SpoolError(f"{path}: {error.strerror}") from None
    end = raw.rfind(b"\n") + 1
    try:
        return [json.loads(line) for line in raw[:end].splitlines()], end
    except ValueError:
        raise SpoolError(f"{path} is damaged: a line of it is no JSON") from None


def _sync_folder(folder: Path) -> None:
    """A new file's name is on disk only once its folder is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
