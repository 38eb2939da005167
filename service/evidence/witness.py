"""Pushing a checkpoint to a witness outside, which cosigns it after checking that the log has only grown (C2SP
tlog-witness, tlog-cosignature). A cosigned checkpoint is what shows later that the store was not rewritten."""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Callable, Sequence
from email.message import Message
from http.client import HTTPException
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from service.evidence.checkpoints import CheckpointError, parse_checkpoint, parse_size
from service.evidence.notes import COSIGNATURE, NoteError, Verifier, cosigned_at, parse_note, verified

TIMEOUT = 10.0  #: seconds to wait for the network at each step
MAX_PROOF = 63  #: hashes of a consistency proof that a witness takes
MAX_ANSWER = 1 << 16  #: bytes of an answer that are read
MAX_AHEAD = 300  #: seconds that a cosignature's time may lie ahead of the clock here
MAX_BEHIND = 86_400  #: seconds that it may lie behind, for a witness that gives an earlier answer again

_SIZE_TYPE = "text/x.tlog.size"
_PATH = "/add-checkpoint"


class WitnessError(Exception):
    """No cosignature; the message is a sentence that says why.

    Before anything is sent, ``code`` is ``url`` (not http or https), ``verifier`` (not a witness's key) or
    ``checkpoint`` (what is to be pushed is none). Then ``network``; ``origin`` (the witness does not know this log) or
    ``key`` (nor its key); ``ahead`` (it has cosigned a larger tree), ``conflict`` (another root, or another size
    than it said) or ``proof`` (that does not hold, or is too long); ``refused`` (any other status); ``answer`` (none
    that can be understood); ``cosignature`` (missing, one that does not hold, or of another time).
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class _Answer(NamedTuple):
    status: int
    media_type: str
    body: bytes


class _Push(NamedTuple):
    """One checkpoint on its way to one witness."""

    address: str
    checkpoint: bytes
    size: int
    proof: Callable[[int], Sequence[bytes]]
    timeout: float

    def send(self, old_size: int) -> _Answer:
        return _post(self.address, self._body(old_size), self.timeout)

    def _body(self, old_size: int) -> bytes:
        lines = [f"old {old_size}", *(b64encode(node).decode() for node in self._nodes(old_size))]
        return "".join(f"{line}\n" for line in (*lines, "")).encode() + self.checkpoint

    def _nodes(self, old_size: int) -> Sequence[bytes]:
        """Nothing is proven of the empty tree, and of the same tree nothing needs to be."""
        if old_size > self.size:
            raise WitnessError(
                "ahead", f"The witness has cosigned a tree of {old_size}, larger than this checkpoint's {self.size}."
            )
        nodes = self.proof(old_size) if 0 < old_size < self.size else ()
        if len(nodes) > MAX_PROOF:
            raise WitnessError("proof", f"A proof of {len(nodes)} hashes, witnesses take at most {MAX_PROOF}.")
        return nodes


def push(
    url: str,
    old_size: int,
    proof: Callable[[int], Sequence[bytes]],
    checkpoint: bytes,
    witness: Verifier,
    *,
    timeout: float = TIMEOUT,
    clock: Callable[[], float] = time.time,
) -> bytes:
    """The cosignature lines of ``witness`` for ``checkpoint``: appended to it they make the cosigned checkpoint.

    ``url`` is the witness's submission prefix, ``old_size`` the size that it cosigned last as far as is known (0 if
    it is not), ``proof(old)`` the RFC 9162 consistency proof from that size to the checkpoint's. A witness that knows
    another size says so, and is asked once more from there. ``timeout`` is in seconds for each wait on the network.
    ``WitnessError`` whenever no sound cosignature comes back.
    """
    if witness.algorithm != COSIGNATURE:
        raise WitnessError("verifier", f"The key {witness.vkey} is not one of a witness.")
    text, size = _read(checkpoint)
    sending = _Push(_address(url), checkpoint, size, proof, timeout)
    answer = sending.send(old_size)
    named = _named_size(answer)
    if named not in (None, old_size):
        answer = sending.send(named)
    _require_accepted(answer)
    return _cosignatures(text, answer.body, witness, clock())


def _read(checkpoint: bytes) -> tuple[str, int]:
    try:
        text = parse_note(checkpoint).text
        return text, parse_checkpoint(text).size
    except (NoteError, CheckpointError) as error:
        raise WitnessError("checkpoint", f"What is to be pushed is no checkpoint: {error}.") from None


def _address(url: str) -> str:
    if not _is_prefix(url):
        raise WitnessError("url", f"A witness is reached by http:// or https:// and its host, not by {url!r}.")
    return url.rstrip("/") + _PATH


def _is_prefix(url: str) -> bool:
    try:
        parts = urlsplit(url)
        port = parts.port  # raises where it is no number
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and port != 0 and not parts.query + parts.fragment


def _post(address: str, body: bytes, timeout: float) -> _Answer:
    request = Request(address, body, {"Content-Type": "text/plain; charset=utf-8"}, method="POST")
    try:
        with _opener().open(request, timeout=timeout) as response:
            return _answer(response.status, response.headers, response.read(MAX_ANSWER + 1))
    except HTTPError as error:
        with error:
            return _answer(error.code, error.headers, _refusal(error))
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise WitnessError("network", f"The witness at {address} cannot be reached: {reason}.") from error


def _refusal(error: HTTPError) -> bytes:
    """What came with a refusal, as far as it came: the status says enough."""
    try:
        return error.read(MAX_ANSWER + 1)
    except (OSError, HTTPException):
        return b""


def _opener() -> OpenerDirector:
    """Speaks http and https alone and follows no redirect, which would turn the request into another one."""
    opener = OpenerDirector()
    for handler in (ProxyHandler, HTTPHandler, HTTPSHandler, HTTPDefaultErrorHandler, HTTPErrorProcessor):
        opener.add_handler(handler())
    return opener


def _answer(status: int, headers: Message, body: bytes) -> _Answer:
    if len(body) > MAX_ANSWER:
        raise WitnessError("answer", f"The witness answers with more than {MAX_ANSWER} bytes.")
    return _Answer(status, headers.get_content_type(), body)


def _named_size(answer: _Answer) -> int | None:
    """The size that the witness says it has cosigned last, where that is its answer."""
    if (answer.status, answer.media_type) != (409, _SIZE_TYPE):
        return None
    try:
        line, newline, rest = answer.body.decode("ascii").partition("\n")
        named = parse_size(line)
    except ValueError:
        raise WitnessError("answer", "The witness names no size that it has cosigned.") from None
    if not newline or rest:
        raise WitnessError("answer", "The witness names a size and more than a size.")
    return named


_REFUSALS = {
    403: ("key", "The witness knows this log, but not the key that signed the checkpoint."),
    404: ("origin", "The witness does not know this log, or there is no witness at that address."),
    409: ("conflict", "The witness has cosigned another tree of this log than the one that is pushed."),
    422: ("proof", "The witness finds that this checkpoint does not follow from the one it has cosigned."),
}


def _require_accepted(answer: _Answer) -> None:
    if answer.status == 200:
        return
    code, sentence = _REFUSALS.get(
        answer.status, ("refused", f"The witness refuses the checkpoint with status {answer.status}.")
    )
    raise WitnessError(code, sentence)


def _cosignatures(text: str, body: bytes, witness: Verifier, now: float) -> bytes:
    """The witness's own lines out of its answer, each checked; lines of other keys are passed over."""
    try:
        note = parse_note(text.encode() + b"\n" + body)
        if note.text != text:  # a blank line in the answer would move what counts as signed
            raise NoteError("form", "a blank line among the cosignatures")
        verified(note, witness)
    except NoteError as error:
        raise WitnessError("cosignature", f"The witness's answer does not hold: {error}.") from None
    mine = [signature for signature in note.signatures if signature.is_of(witness)]
    for signature in mine:
        _require_recent(cosigned_at(signature), now)
    return "".join(signature.line for signature in mine).encode()


def _require_recent(moment: int, now: float) -> None:
    if not now - MAX_BEHIND <= moment <= now + MAX_AHEAD:
        raise WitnessError("cosignature", f"The cosignature is of the time {moment}, here it is {int(now)}.")
