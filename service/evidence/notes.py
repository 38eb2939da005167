"""Signed notes and their keys: text that one or more Ed25519 keys vouch for (C2SP signed-note).

Parsing is stricter than the specification asks of others: every base64 text must be the one way to write its bytes,
so that a note has one form only and any changed byte shows. Of the signature types two are known: plain Ed25519
(``0x01``, what a log signs with) and the cosignature of a witness (``0x04``, C2SP tlog-cosignature), which signs the
time as well.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from secrets import token_bytes
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from service.evidence import seals

ED25519 = 0x01  #: signature type of a log's key
COSIGNATURE = 0x04  #: signature type of a witness's key

KEY_SIZE = 32  #: bytes of a public key, and of a private key's seed
KEY_ID_SIZE = 4  #: bytes that tell keys of the same name apart
MAX_SIGNATURES = 100  #: signature lines of one note; the specification asks for 16 at least
MAX_NOTE_SIZE = 1 << 20  #: bytes of one note

_TIME_SIZE = 8  # bytes of the time that starts a cosignature
_MAX_TIME = (1 << 63) - 1
_PRIVATE = "PRIVATE+KEY+"
_DASH = "— "


class NoteError(ValueError):
    """Text that is no note, a key that is none, or a note that does not hold.

    ``code`` is ``form`` (of a note), ``name`` (of a key), ``key`` (its text) or ``signature`` (missing, or not the
    key's over this text); the message says what was found, never any part of a private key.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Verifier:
    """A public key with the name it goes by: what is needed to check one signer's notes.

    ``public`` is the key's 32 bytes, ``algorithm`` one of ``ED25519`` and ``COSIGNATURE``. ``NoteError`` of code
    ``name`` or ``key`` for others.
    """

    name: str
    public: bytes
    algorithm: int = ED25519

    def __post_init__(self) -> None:
        _require_name(self.name)
        if self.algorithm not in _CHECKS:
            raise NoteError("key", f"a key of signature type 0x{self.algorithm:02x}, expected 0x01 or 0x04")
        if len(self.public) != KEY_SIZE:
            raise NoteError("key", f"a public key of {len(self.public)} bytes, expected {KEY_SIZE}")

    @classmethod
    def parse(cls, vkey: str) -> Verifier:
        """The key of the text ``name+id+base64``; ``NoteError`` for anything but the one text of a key."""
        name, key_id, material = _key_parts(vkey)
        found = cls(name, material[1:], material[0])
        _require_id(found, key_id)
        return found

    @cached_property
    def key(self) -> Ed25519PublicKey:
        """The public key itself."""
        return seals.verifying_key(self.public)

    @cached_property
    def key_id(self) -> bytes:
        """The 4 bytes that stand for the key beside its name in a signature line."""
        return sha256(self.name.encode() + b"\n" + self._material).digest()[:KEY_ID_SIZE]

    @property
    def vkey(self) -> str:
        """The key as text: ``name+id+base64``, which ``parse`` reads."""
        return f"{self.name}+{self.key_id.hex()}+{_base64(self._material)}"

    def verify(self, message: bytes, signature: bytes) -> None:
        """Check what stands after the key's id in a signature line against the note's text.

        64 bytes of Ed25519; for a cosignature 8 bytes of time before them. ``NoteError`` of code ``signature`` if it
        does not hold.
        """
        try:
            _CHECKS[self.algorithm](self.key, message, signature)
        except seals.SignatureError as error:
            raise NoteError("signature", f"signature of {self.name}: {error}") from None

    @property
    def _material(self) -> bytes:
        return bytes((self.algorithm,)) + self.public


@dataclass(frozen=True)
class Signer:
    """A private Ed25519 key with the name it goes by; ``seed`` is its 32 bytes (RFC 8032) and is never printed."""

    name: str
    seed: bytes = field(repr=False)

    def __post_init__(self) -> None:
        _require_name(self.name)
        if len(self.seed) != KEY_SIZE:
            raise NoteError("key", f"a private key of {len(self.seed)} bytes, expected {KEY_SIZE}")

    @classmethod
    def generate(cls, name: str) -> Signer:
        """A new key from the system's source of randomness; ``NoteError`` for what cannot be a key's name."""
        return cls(name, token_bytes(KEY_SIZE))

    @classmethod
    def parse(cls, skey: str) -> Signer:
        """The key of the text ``PRIVATE+KEY+name+id+base64``; ``NoteError`` for anything but the one text of a key."""
        if not skey.startswith(_PRIVATE):
            raise NoteError("key", f"a private key starts with {_PRIVATE}")
        name, key_id, material = _key_parts(skey.removeprefix(_PRIVATE))
        if material[0] != ED25519:
            raise NoteError("key", f"a private key of signature type 0x{material[0]:02x}, expected 0x01")
        found = cls(name, material[1:])
        _require_id(found.verifier, key_id)
        return found

    @property
    def skey(self) -> str:
        """The key as text, which ``parse`` reads: a secret."""
        return f"{_PRIVATE}{self.name}+{self.verifier.key_id.hex()}+{_base64(bytes((ED25519,)) + self.seed)}"

    @cached_property
    def verifier(self) -> Verifier:
        """The public half."""
        return Verifier(self.name, self._key.public_key().public_bytes_raw())

    def sign(self, message: bytes) -> bytes:
        """The Ed25519 signature over ``message``: 64 bytes, the same for the same message."""
        return seals.sign(self._key, message)

    @cached_property
    def _key(self) -> Ed25519PrivateKey:
        return seals.signing_key(self.seed)


class Signature(NamedTuple):
    """One signature line: whose it says it is (``key_id`` 4 bytes), and what follows the id in the base64 text."""

    name: str
    key_id: bytes
    signature: bytes

    @property
    def line(self) -> str:
        """The line as it stands in a note, with its newline."""
        return f"{_DASH}{self.name} {_base64(self.key_id + self.signature)}\n"

    def is_of(self, verifier: Verifier) -> bool:
        """Whether the line names this key; says nothing of whether the signature holds."""
        return (self.name, self.key_id) == (verifier.name, verifier.key_id)


class Note(NamedTuple):
    """A text, ending in a newline, and its signatures in order. Nothing of it is to be trusted before ``verified``."""

    text: str
    signatures: tuple[Signature, ...]


def parse_note(raw: bytes) -> Note:
    """The note in ``raw``, which has one form only: ``note_bytes`` of the result is ``raw`` again.

    ``NoteError`` of code ``form`` (or ``name``) for anything else: not UTF-8, control characters (carriage returns
    among them), no blank line before the signatures, a line that is no signature, base64 in other than its canonical
    form, no signature or more than ``MAX_SIGNATURES``, more than ``MAX_NOTE_SIZE`` bytes.
    """
    content = _decoded(raw)
    text, separator, lines = content.rpartition("\n\n")
    if not separator:
        raise NoteError("form", "no blank line between text and signatures")
    if not lines.endswith("\n"):
        raise NoteError("form", "the last signature line does not end in a newline")
    signatures = lines[:-1].split("\n")
    if len(signatures) > MAX_SIGNATURES:
        raise NoteError("form", f"{len(signatures)} signatures, at most {MAX_SIGNATURES} are read")
    return Note(text + "\n", tuple(_parse_line(line) for line in signatures))


def note_bytes(note: Note) -> bytes:
    """The bytes of a note, as they are published."""
    return (note.text + "\n" + "".join(signature.line for signature in note.signatures)).encode()


def sign_note(text: str, *signers: Signer) -> Note:
    """``text``, signed by each of ``signers``; the same text and keys give the same note.

    ``NoteError`` of code ``form`` for text that no note can hold, or without a signer.
    """
    require_text(text)
    if not signers:
        raise NoteError("form", "a note needs a signature")
    message = text.encode()
    return Note(text, tuple(Signature(s.name, s.verifier.key_id, s.sign(message)) for s in signers))


def verified(note: Note, *verifiers: Verifier) -> tuple[Verifier, ...]:
    """Those of ``verifiers`` that have signed the note, in the order given.

    Signatures of other keys say nothing and are passed over. ``NoteError`` of code ``signature`` if one under the
    name and id of a known key does not hold, or if no known key has signed.
    """
    message = note.text.encode()
    signed = []
    for verifier in verifiers:
        mine = [signature for signature in note.signatures if signature.is_of(verifier)]
        for signature in mine:
            verifier.verify(message, signature.signature)
        if mine:
            signed.append(verifier)
    if not signed:
        raise NoteError("signature", "no signature of a known key")
    return tuple(signed)


def cosigned_at(signature: Signature) -> int:
    """The time that a cosignature states, seconds since 1970 (C2SP tlog-cosignature); ``NoteError`` if it is none."""
    if len(signature.signature) <= _TIME_SIZE:
        raise NoteError("signature", f"a cosignature of {len(signature.signature)} bytes states no time")
    return int.from_bytes(signature.signature[:_TIME_SIZE], "big")


def require_text(text: str) -> None:
    """``NoteError`` of code ``form`` unless a note can hold ``text``: it ends in a newline, has no other control
    character, and can be written as UTF-8."""
    if not text.endswith("\n"):
        raise NoteError("form", "the text does not end in a newline")
    _require_no_control(text, "form")


def canonical_base64(text: str) -> bytes:
    """The bytes of ``text`` in standard base64 (RFC 4648, section 4); ``ValueError`` unless it is their one form."""
    raw = b64decode(text.encode("ascii"), validate=True)
    if _base64(raw) != text:
        raise ValueError("base64 text is not in its canonical form")
    return raw


def _base64(raw: bytes) -> str:
    return b64encode(raw).decode("ascii")


def _decoded(raw: bytes) -> str:
    if len(raw) > MAX_NOTE_SIZE:
        raise NoteError("form", f"a note of {len(raw)} bytes, at most {MAX_NOTE_SIZE} are read")
    try:
        content = raw.decode()
    except UnicodeDecodeError as error:
        raise NoteError("form", f"byte {error.start} is not UTF-8") from None
    _require_no_control(content, "form")
    return content


def _parse_line(line: str) -> Signature:
    if not line.startswith(_DASH):
        raise NoteError("form", "a signature line starts with an em dash and a space")
    name, _, encoded = line.removeprefix(_DASH).partition(" ")
    _require_name(name)
    try:
        raw = canonical_base64(encoded)
    except ValueError as error:
        raise NoteError("form", f"signature of {name}: {error}") from None
    if len(raw) <= KEY_ID_SIZE:
        raise NoteError("form", f"signature of {name}: {len(raw)} bytes are too few")
    return Signature(name, raw[:KEY_ID_SIZE], raw[KEY_ID_SIZE:])


def _key_parts(text: str) -> tuple[str, str, bytes]:
    """Name, id and key material (signature type and key) of the text of a key; base64 itself may hold a ``+``."""
    name, _, rest = text.partition("+")
    key_id, plus, encoded = rest.partition("+")
    if not plus:
        raise NoteError("key", "the text of a key is name+id+base64")
    try:
        material = canonical_base64(encoded)
    except ValueError:
        raise NoteError("key", "the key is not in canonical base64") from None
    if len(material) != 1 + KEY_SIZE:
        raise NoteError("key", f"a key of {len(material)} bytes, expected {1 + KEY_SIZE}")
    return name, key_id, material


def _require_id(verifier: Verifier, key_id: str) -> None:
    if key_id != verifier.key_id.hex():
        raise NoteError("key", f"the id of key {verifier.name} does not belong to it")


def _require_name(name: str) -> None:
    if not name:
        raise NoteError("name", "a key's name is empty")
    if "+" in name or any(map(str.isspace, name)):
        raise NoteError("name", f"the name {name!r} of a key holds a space or a plus sign")
    _require_no_control(name, "name")


def _require_no_control(text: str, code: str) -> None:
    if any(character < " " and character != "\n" for character in text):
        raise NoteError(code, "control characters other than newline")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise NoteError(code, "text that cannot be written as UTF-8") from None


def _check_plain(key: Ed25519PublicKey, message: bytes, signature: bytes) -> None:
    seals.verify(key, message, signature)


def _check_cosignature(key: Ed25519PublicKey, message: bytes, signature: bytes) -> None:
    """A witness signs the time and the whole text of the checkpoint."""
    time = int.from_bytes(signature[:_TIME_SIZE], "big")
    if time > _MAX_TIME:
        raise seals.SignatureError(f"the time {time} is out of range")
    seals.verify(key, b"cosignature/v1\ntime %d\n" % time + message, signature[_TIME_SIZE:])


_CHECKS: dict[int, Callable[[Ed25519PublicKey, bytes, bytes], None]] = {
    ED25519: _check_plain,
    COSIGNATURE: _check_cosignature,
}
