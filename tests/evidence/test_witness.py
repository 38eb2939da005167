"""Pushing to a witness: a real one behind a real socket, which shares no code with what is tested."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from replays.merkle import consistency_proof, leaf_hash, root
from service.evidence import witness as tested
from service.evidence.checkpoints import Checkpoint, signed_checkpoint
from service.evidence.notes import Signer, Verifier, note_bytes, sign_note
from service.evidence.witness import WitnessError
from tests.evidence.witness_server import COSIGNED_SIZE, Answer, Witness, served

# The log

ORIGIN = "example.com/log"
LOG = Signer(ORIGIN, bytes(32))
KNOWN = {ORIGIN: LOG.verifier.public}
LEAVES = [leaf_hash(bytes((number,))) for number in range(40)]
REWRITTEN = [leaf_hash(b"another"), *LEAVES[1:]]


def checkpoint(size: int, signer: Signer = LOG, leaves: list[bytes] = LEAVES) -> bytes:
    return note_bytes(sign_note(Checkpoint(signer.name, size, root(leaves[:size])).text, signer))


def push(url: str, old: int, size: int, witness: Verifier, signer: Signer = LOG, leaves: list[bytes] = LEAVES) -> bytes:
    return tested.push(
        url, old, lambda known: consistency_proof(leaves[:size], known), checkpoint(size, signer, leaves), witness
    )


def refused(url: str, old: int, size: int, witness: Verifier, **how: object) -> str:
    with pytest.raises(WitnessError) as caught:
        push(url, old, size, witness, **how)  # type: ignore[arg-type]
    message = str(caught.value)
    assert message[0].isupper()
    assert message.endswith(".")
    return caught.value.code


@pytest.fixture(autouse=True)
def _direct(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever proxy the surroundings name, these servers are reached directly."""
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture
def witness() -> Witness:
    return Witness(KNOWN)


@pytest.fixture
def url(witness: Witness) -> Iterator[str]:
    with served(witness) as prefix:
        yield prefix


# What a witness accepts


def test_first_push_brings_a_cosigned_checkpoint(witness: Witness, url: str) -> None:
    lines = push(url, 0, 7, witness.verifier)
    assert witness.trees == {ORIGIN: (7, root(LEAVES[:7]))}
    cosigned = checkpoint(7) + lines
    assert signed_checkpoint(cosigned, LOG.verifier, witness.verifier).size == 7
    assert len(lines.splitlines()) == 1


def test_first_push_sends_no_proof(witness: Witness, url: str) -> None:
    push(url, 0, 7, witness.verifier)
    assert witness.asked == [b"old 0\n\n" + checkpoint(7)]


@pytest.mark.parametrize("ending", ["", "/", "//"])
def test_prefix_with_or_without_a_slash(witness: Witness, url: str, ending: str) -> None:
    assert push(url + ending, 0, 7, witness.verifier)


def test_growth_is_proven_from_every_size(witness: Witness, url: str) -> None:
    for size in range(1, len(LEAVES) + 1):
        push(url, size - 1, size, witness.verifier)
    assert witness.trees[ORIGIN] == (len(LEAVES), root(LEAVES))
    for old in range(1, len(LEAVES)):
        witness.trees[ORIGIN] = old, root(LEAVES[:old])
        push(url, old, len(LEAVES), witness.verifier)


def test_same_tree_can_be_pushed_again(witness: Witness, url: str) -> None:
    push(url, 0, 7, witness.verifier)
    assert tested.push(url, 7, never, checkpoint(7), witness.verifier)
    assert witness.asked[-1] == b"old 7\n\n" + checkpoint(7)


def never(old: int) -> list[bytes]:
    """Stands where no proof is to be asked for."""
    raise AssertionError(f"a proof from {old} was asked for")


@pytest.mark.parametrize("believed", [0, 3, 5, 12])
def test_a_witness_that_knows_another_size_is_asked_again_from_there(witness: Witness, url: str, believed: int) -> None:
    push(url, 0, 4, witness.verifier)
    assert push(url, believed, 12, witness.verifier)
    assert witness.trees[ORIGIN] == (12, root(LEAVES[:12]))
    assert [body.partition(b"\n")[0] for body in witness.asked[1:]] == [b"old %d" % believed, b"old 4"]


def test_a_witness_that_has_forgotten_starts_over(witness: Witness, url: str) -> None:
    assert push(url, 5, 12, witness.verifier)
    assert [body.partition(b"\n")[0] for body in witness.asked] == [b"old 5", b"old 0"]


def test_a_checkpoint_with_other_signatures_can_be_pushed(witness: Witness, url: str) -> None:
    first = push(url, 0, 7, witness.verifier)
    again = tested.push(url, 7, lambda _: [], checkpoint(7) + first, witness.verifier)
    assert signed_checkpoint(checkpoint(7) + again, LOG.verifier, witness.verifier).size == 7


# What a witness refuses


def test_a_rewritten_log(witness: Witness, url: str) -> None:
    push(url, 0, 7, witness.verifier)
    assert refused(url, 7, 12, witness.verifier, leaves=REWRITTEN) == "proof"
    assert refused(url, 0, 12, witness.verifier, leaves=REWRITTEN) == "proof"
    assert witness.trees == {ORIGIN: (7, root(LEAVES[:7]))}


def test_another_root_of_the_same_size(witness: Witness, url: str) -> None:
    push(url, 0, 7, witness.verifier)
    assert refused(url, 7, 7, witness.verifier, leaves=REWRITTEN) == "conflict"
    assert refused(url, 0, 7, witness.verifier, leaves=REWRITTEN) == "conflict"


def test_a_log_that_was_cut(witness: Witness, url: str) -> None:
    push(url, 0, 12, witness.verifier)
    asked = len(witness.asked)
    assert refused(url, 0, 7, witness.verifier) == "ahead"
    assert len(witness.asked) == asked + 1
    assert refused(url, 12, 7, witness.verifier) == "ahead"
    assert len(witness.asked) == asked + 1  # known without asking


def test_a_log_it_does_not_know(witness: Witness, url: str) -> None:
    assert refused(url, 0, 7, witness.verifier, signer=Signer("example.com/other", bytes(32))) == "origin"


def test_a_key_of_the_log_it_does_not_know(witness: Witness, url: str) -> None:
    assert refused(url, 0, 7, witness.verifier, signer=Signer.generate(ORIGIN)) == "key"


def test_no_witness_at_that_path(witness: Witness, url: str) -> None:
    assert refused(f"{url}/deeper", 0, 7, witness.verifier) == "refused"
    assert witness.trees == {}


# Answers that are not believed


def test_cosignature_of_another_witness(witness: Witness, url: str) -> None:
    """Under its own name, and under the expected one."""
    assert refused(url, 0, 7, Witness(KNOWN).verifier) == "cosignature"
    other = Witness(KNOWN)
    other.name = "witness.example/w2"
    assert refused(url, 0, 7, other.verifier) == "cosignature"
    assert push(url, 7, 7, witness.verifier)


def flipped(body: bytes) -> bytes:
    raw = bytearray(b64decode(body.split(b" ")[2]))
    raw[-1] ^= 1
    return body.rsplit(b" ", 1)[0] + b" " + b64encode(raw) + b"\n"


@pytest.mark.parametrize(
    "spoiled",
    [
        flipped,
        lambda _: b"",
        lambda _: b"\n",
        lambda body: body[:-1],
        lambda body: body + b"\n",
        lambda body: body.replace(b"\n", b"\r\n"),
        lambda body: b"\n" + body,
        lambda body: b"hello\n\n" + body,
        lambda body: body + body[:40] + b"\n",
        lambda body: body + flipped(body),
        lambda _: b"<html>\n",
        lambda _: b"\xff" * 10,
    ],
)
def test_answers_that_are_no_cosignature(witness: Witness, url: str, spoiled: Callable[[bytes], bytes]) -> None:
    witness.spoiled = spoiled
    assert refused(url, 0, 7, witness.verifier) == "cosignature"


def test_lines_of_other_keys_are_passed_over(witness: Witness, url: str) -> None:
    other = Witness(KNOWN)
    other.name = "witness.example/w2"
    text = checkpoint(7).partition(b"\n\n")[0] + b"\n"
    witness.spoiled = lambda body: other.cosigned(text) + body + other.cosigned(b"something else\n")
    lines = push(url, 0, 7, witness.verifier)
    assert lines.startswith(f"— {witness.name} ".encode())
    assert len(lines.splitlines()) == 1


def test_all_lines_of_the_witness_s_key_come_back(witness: Witness, url: str) -> None:
    witness.spoiled = lambda body: body * 2
    lines = push(url, 0, 7, witness.verifier)
    assert len(lines.splitlines()) == 2
    assert signed_checkpoint(checkpoint(7) + lines, LOG.verifier, witness.verifier).size == 7


def test_cosignature_of_another_checkpoint(witness: Witness, url: str) -> None:
    witness.spoiled = lambda _: witness.cosigned(checkpoint(8).partition(b"\n\n")[0] + b"\n")
    assert refused(url, 0, 7, witness.verifier) == "cosignature"


def test_cosignature_of_a_text_that_the_answer_makes_longer(witness: Witness, url: str) -> None:
    """All its signatures hold, but over the checkpoint with a blank line and more."""
    text = checkpoint(7).partition(b"\n\n")[0] + b"\n"
    witness.spoiled = lambda _: b"more\n\n" + witness.cosigned(text + b"\nmore\n")
    assert refused(url, 0, 7, witness.verifier) == "cosignature"


def test_a_witness_whose_clock_is_off(witness: Witness, url: str) -> None:
    for ahead in (3600, -2 * 86_400, -int(time.time())):
        witness.ahead = ahead
        assert refused(url, 0, 7, witness.verifier) == "cosignature"
    for ahead in (200, -80_000):
        witness.ahead = ahead
        assert push(url, 7, 7, witness.verifier)


def test_bounds_of_the_cosignature_s_time(witness: Witness, url: str) -> None:
    """The clock here is set by the time of the very cosignature that came."""
    moments: list[int] = []

    def remember(body: bytes) -> bytes:
        moments.append(int.from_bytes(b64decode(body.split(b" ")[2])[4:12], "big"))
        return body

    witness.spoiled = remember

    def push_when(distance: int) -> bytes:
        """Pushes at a time that is ``distance`` seconds before the cosignature's."""
        return tested.push(url, 0, lambda _: [], checkpoint(7), witness.verifier, clock=lambda: moments[-1] - distance)

    for distance in (tested.MAX_AHEAD, -tested.MAX_BEHIND):
        assert push_when(distance)
    for distance in (tested.MAX_AHEAD + 1, -tested.MAX_BEHIND - 1):
        with pytest.raises(WitnessError, match="of the time"):
            push_when(distance)


class Script:
    """Gives the answers one after another and remembers what was asked."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[bytes] = []

    def __call__(self, _: str, body: bytes) -> Answer:
        self.asked.append(body)
        return self.answers.pop(0)


ELSEWHERE = {"Location": "/prefix/elsewhere"}


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Answer(400), "refused"),
        (Answer(401), "refused"),
        (Answer(500, b"x" * 1000), "refused"),
        (Answer(201), "refused"),
        (Answer(204), "refused"),
        *((Answer(status, headers=ELSEWHERE), "refused") for status in (301, 302, 303, 307, 308)),
        (Answer(403), "key"),
        (Answer(404), "origin"),
        (Answer(409), "conflict"),
        (Answer(409, b"3\n"), "conflict"),
        (Answer(409, b"3\n", {"Content-Type": "text/plain"}), "conflict"),
        (Answer(409, b"5\n", COSIGNED_SIZE), "conflict"),
        (Answer(422), "proof"),
        (Answer(200, b"x" * (tested.MAX_ANSWER + 1)), "answer"),
        (Answer(403, b"x" * (tested.MAX_ANSWER + 1)), "answer"),
        *(
            (Answer(409, body, COSIGNED_SIZE), "answer")
            for body in (b"", b"\n", b"3", b"03\n", b"+3\n", b"-3\n", b" 3\n", b"3\r\n", b"3\n3\n", b"3\n\n", b"x\n")
        ),
        (Answer(409, b"\xef\xbc\x93\n", COSIGNED_SIZE), "answer"),
        (Answer(409, b"%d\n" % 2**63, COSIGNED_SIZE), "answer"),
        (Answer(409, b"%d\n" % (2**63 - 1), COSIGNED_SIZE), "ahead"),
    ],
)
def test_other_answers_and_none_asked_twice(witness: Witness, answer: Answer, code: str) -> None:
    script = Script(answer)
    with served(script) as url:
        assert refused(url, 5, 7, witness.verifier) == code
    assert len(script.asked) == 1


def test_a_size_is_understood_with_parameters_of_its_type(witness: Witness) -> None:
    other = {"Content-Type": "Text/X.Tlog.Size; charset=utf-8"}
    script = Script(Answer(409, b"3\n", other), Answer(422))
    with served(script) as url:
        assert refused(url, 5, 7, witness.verifier) == "proof"
    assert [body.partition(b"\n")[0] for body in script.asked] == [b"old 5", b"old 3"]


def test_a_witness_that_keeps_naming_sizes_is_asked_once_more_only(witness: Witness) -> None:
    script = Script(Answer(409, b"3\n", COSIGNED_SIZE), Answer(409, b"4\n", COSIGNED_SIZE), Answer(200))
    with served(script) as url:
        assert refused(url, 5, 7, witness.verifier) == "conflict"
    assert len(script.asked) == 2


def test_the_longest_proof_is_sent_and_no_longer_one(witness: Witness) -> None:
    script = Script(Answer(422))
    with served(script) as url:
        for hashes_of_proof, code in ((63, "proof"), (64, "proof")):
            with pytest.raises(WitnessError) as caught:
                tested.push(url, 5, lambda _, n=hashes_of_proof: [bytes(32)] * n, checkpoint(7), witness.verifier)
            assert caught.value.code == code
    (asked,) = script.asked
    assert asked.partition(b"\n\n")[0].count(b"\n") == 63


# Before anything is sent, and where nothing comes back


@pytest.mark.parametrize(
    "address",
    [
        "", "/", "127.0.0.1", "127.0.0.1:80", "ftp://127.0.0.1/", "file:///etc/hosts", "https+unix://x", "http:",
        "http://", "http:///prefix", "http://127.0.0.1:port/", "http://127.0.0.1:65536/", "http://127.0.0.1:0/",
        "http://[::1", "http://127.0.0.1/?a=b", "http://127.0.0.1/#a",
    ],
)  # fmt: skip
def test_addresses_that_are_not_used(witness: Witness, address: str) -> None:
    assert refused(address, 0, 7, witness.verifier) == "url"


def test_key_of_a_log_is_no_witness_s(witness: Witness, url: str) -> None:
    assert refused(url, 0, 7, LOG.verifier) == "verifier"
    assert witness.asked == []


@pytest.mark.parametrize("raw", [b"", b"text\n", note_bytes(sign_note("a\n1\n", LOG)), checkpoint(7)[:-1]])
def test_what_is_no_checkpoint_is_not_sent(witness: Witness, url: str, raw: bytes) -> None:
    with pytest.raises(WitnessError) as caught:
        tested.push(url, 0, lambda _: [], raw, witness.verifier)
    assert caught.value.code == "checkpoint"
    assert witness.asked == []


def test_dead_port(witness: Witness) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    assert refused(f"http://127.0.0.1:{port}/", 0, 7, witness.verifier) == "network"


def test_name_that_is_no_host(witness: Witness) -> None:
    for host in ("a b", f"{'x' * 64}.example"):
        assert refused(f"http://{host}/", 0, 7, witness.verifier) == "network"


@contextmanager
def answering(raw: bytes) -> Iterator[str]:
    """A server that writes ``raw`` and no more to whoever comes; without any, it waits until the caller gives up."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                if raw:
                    connection.sendall(raw)
                    connection.shutdown(socket.SHUT_WR)
                while connection.recv(1 << 16):
                    pass

        thread = threading.Thread(target=answer)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        thread.join()


@pytest.mark.parametrize(
    "raw", [b"HTTP", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 abc\r\n\r\n", b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200]
)
def test_what_is_no_http(witness: Witness, raw: bytes) -> None:
    with answering(raw) as url:
        assert refused(url, 0, 7, witness.verifier) == "network"


def test_a_witness_that_says_nothing(witness: Witness) -> None:
    with answering(b"") as url, pytest.raises(WitnessError, match="timed out") as caught:
        tested.push(url, 0, lambda _: [], checkpoint(7), witness.verifier, timeout=0.2)
    assert caught.value.code == "network"


def test_an_answer_cut_short(witness: Witness) -> None:
    with answering(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n\xe2\x80\x94 w") as url:
        # Some versions of Python see for themselves that bytes are missing.
        assert refused(url, 0, 7, witness.verifier) in ("cosignature", "network")
    with answering(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 100\r\n\r\nno") as url:
        assert refused(url, 0, 7, witness.verifier) == "key"


# Over TLS


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate for 127.0.0.1 that signs itself, with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "witness")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = tmp_path / "witness.pem"
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM) + private)
    return path


def test_over_tls_only_with_a_certificate_that_is_trusted(
    witness: Witness, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    with served(witness, tls) as url:
        assert refused(url, 0, 7, witness.verifier) == "network"
        assert witness.asked == []
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert push(url, 0, 7, witness.verifier)
        assert refused(url.replace("https", "http"), 7, 7, witness.verifier) == "network"
