"""Checkpoints: the signed size and root of a log, as C2SP tlog-checkpoint writes them in a signed note."""

from __future__ import annotations

import re
from base64 import b64encode
from typing import NamedTuple

from service.evidence.leaves import HASH_SIZE
from service.evidence.notes import ED25519, NoteError, Verifier, canonical_base64, parse_note, require_text, verified

#: Most leaves of a log: sizes fit a signed 64-bit integer, as in the store.
MAX_SIZE = (1 << 63) - 1

_SIZE = re.compile("0|[1-9][0-9]{0,18}")


class CheckpointError(ValueError):
    """Text that is no checkpoint, or a checkpoint of another log.

    ``code`` is ``form`` (of the lines), ``origin``, ``size`` or ``root``; the message says what was found.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Checkpoint(NamedTuple):
    """What a log says of itself: its name ``origin``, its number of leaves, and their RFC 9162 root (32 bytes).

    ``extensions`` are lines that mean nothing here; a checkpoint of this service has none.
    """

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text to sign, with its last newline; ``CheckpointError`` for members that no checkpoint can have."""
        lines = (self.origin, str(self.size), b64encode(self.root).decode(), *self.extensions)
        text = "".join(f"{line}\n" for line in lines)
        if parse_checkpoint(text) != self:
            raise CheckpointError("form", "a line of a checkpoint holds a newline")
        return text


def parse_checkpoint(text: str) -> Checkpoint:
    """The checkpoint of ``text``, which has one form only: ``text`` of the result is the argument again.

    ``CheckpointError`` for anything else: fewer than three lines, an empty one, no final newline, control characters
    (carriage returns among them), a size that is not plain decimal or beyond ``MAX_SIZE``, a root of another length
    or not in canonical base64.
    """
    try:
        require_text(text)
    except NoteError as error:
        raise CheckpointError("form", str(error)) from None
    lines = text[:-1].split("\n")
    if len(lines) < 3:
        raise CheckpointError("form", f"{len(lines)} lines, expected origin, size and root")
    origin, size, root, *extensions = lines
    if not origin:
        raise CheckpointError("origin", "the origin is empty")
    if not all(extensions):
        raise CheckpointError("form", "an extension line is empty")
    return Checkpoint(origin, parse_size(size), _parse_root(root), tuple(extensions))


def signed_checkpoint(raw: bytes, *verifiers: Verifier) -> Checkpoint:
    """The checkpoint in the signed note ``raw``, vouched for by a key of the log that it names.

    ``verifiers`` may hold keys of several logs and of witnesses; every signature of one of them must hold.
    ``NoteError`` as of ``parse_note`` and ``verified``; ``CheckpointError`` for the text, and with code ``origin`` if
    none of those who signed is a key of that log (type ``0x01``, named as the origin): a witness alone does not do.
    """
    note = parse_note(raw)
    signed = verified(note, *verifiers)
    found = parse_checkpoint(note.text)
    if not any(key.algorithm == ED25519 and key.name == found.origin for key in signed):
        raise CheckpointError("origin", f"no key of the log {found.origin!r} has signed")
    return found


def parse_size(text: str) -> int:
    """The number of leaves that ``text`` writes in plain decimal; ``CheckpointError`` of code ``size`` if none."""
    if not _SIZE.fullmatch(text) or int(text) > MAX_SIZE:
        raise CheckpointError("size", f"a tree size of {text[:40]!r}, expected 0 to {MAX_SIZE} in plain decimal")
    return int(text)


def _parse_root(text: str) -> bytes:
    try:
        root = canonical_base64(text)
    except ValueError as error:
        raise CheckpointError("root", f"the root: {error}") from None
    if len(root) != HASH_SIZE:
        raise CheckpointError("root", f"a root of {len(root)} bytes, expected {HASH_SIZE}")
    return root
