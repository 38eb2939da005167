"""A witness behind a real socket, written out of C2SP tlog-witness and tlog-cosignature alone: it shares no code with
what is tested against it."""

from __future__ import annotations

import re
import ssl
import threading
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from service.evidence.notes import Verifier

COSIGNED_SIZE = {"Content-Type": "text/x.tlog.size"}
REQUEST = re.compile(
    rb"old (?P<old>0|[1-9][0-9]*)\n(?P<proof>(?:[A-Za-z0-9+/]{43}=\n)*)\n"
    rb"(?P<text>(?P<origin>.+)\n(?P<size>[0-9]+)\n(?P<root>.+)\n)\n(?P<lines>(?:\xe2\x80\x94 [^ \n]+ [^ \n]+\n)+)"
)


@dataclass
class Answer:
    """What a server sends back."""

    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


def grown(old: int, new: int, old_root: bytes, new_root: bytes, path: list[bytes]) -> bool:
    """Whether ``path`` proves that the new tree begins with the old one (RFC 9162, 2.1.4.2)."""
    if old in (0, new):
        return not path and (old == 0 or old_root == new_root)
    nodes = [old_root, *path] if old & (old - 1) == 0 else path
    if not nodes:
        return False
    first, last = old - 1, new - 1
    while first & 1:
        first, last = first >> 1, last >> 1
    old_found = new_found = nodes[0]
    for node in nodes[1:]:
        if last == 0:
            return False
        if first & 1 or first == last:
            old_found, new_found = (sha256(b"\x01" + node + found).digest() for found in (old_found, new_found))
            while first and not first & 1:
                first, last = first >> 1, last >> 1
        else:
            new_found = sha256(b"\x01" + new_found + node).digest()
        first, last = first >> 1, last >> 1
    return last == 0 and (old_found, new_found) == (old_root, new_root)


class Witness:
    """A witness that cosigns the logs whose keys it was given (32 bytes, by origin), and keeps their latest trees."""

    name = "witness.example/w1"

    def __init__(self, logs: Mapping[str, bytes]) -> None:
        self.key = Ed25519PrivateKey.generate()
        self.logs = logs
        self.trees: dict[str, tuple[int, bytes]] = {}
        self.asked: list[bytes] = []
        self.ahead = 0  # seconds that its clock is ahead
        self.spoiled: Callable[[bytes], bytes] = lambda body: body

    @property
    def _material(self) -> bytes:
        return b"\x04" + self.key.public_key().public_bytes_raw()

    @property
    def key_id(self) -> bytes:
        return sha256(self.name.encode() + b"\n" + self._material).digest()[:4]

    @property
    def verifier(self) -> Verifier:
        return Verifier.parse(f"{self.name}+{self.key_id.hex()}+{b64encode(self._material).decode()}")

    def __call__(self, path: str, body: bytes) -> Answer:
        self.asked.append(body)
        request = REQUEST.fullmatch(body)
        if path != "/prefix/add-checkpoint" or not request:
            return Answer(400)
        origin, size, new_root = request["origin"].decode(), int(request["size"]), b64decode(request["root"])
        proof = [b64decode(line) for line in request["proof"].splitlines()]
        if origin not in self.logs:
            return Answer(404)
        if not self._signed(origin, request["text"], request["lines"]):
            return Answer(403)
        cosigned, old_root = self.trees.get(origin, (0, b""))
        if int(request["old"]) > size:
            return Answer(400)
        if int(request["old"]) != cosigned:
            return Answer(409, b"%d\n" % cosigned, COSIGNED_SIZE)
        if cosigned == size and old_root != new_root:
            return Answer(409, b"%d\n" % cosigned, COSIGNED_SIZE)
        if not grown(cosigned, size, old_root, new_root, proof):
            return Answer(422)
        self.trees[origin] = size, new_root
        return Answer(200, self.spoiled(self.cosigned(request["text"])))

    def cosigned(self, text: bytes) -> bytes:
        moment = int(time.time()) + self.ahead
        signature = self.key.sign(b"cosignature/v1\ntime %d\n" % moment + text)
        encoded = b64encode(self.key_id + moment.to_bytes(8, "big") + signature)
        return "— ".encode() + self.name.encode() + b" " + encoded + b"\n"

    def _signed(self, origin: str, text: bytes, lines: bytes) -> bool:
        public = self.logs[origin]
        key_id = sha256(origin.encode() + b"\n\x01" + public).digest()[:4]
        for line in lines.decode().splitlines():
            _, name, encoded = line.split(" ")
            raw = b64decode(encoded)
            if (name, raw[:4]) == (origin, key_id):
                return holds(public, raw[4:], text)
        return False


def holds(public: bytes, signature: bytes, text: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text)
    except InvalidSignature:
        return False
    return True


@contextmanager
def served(answer: Callable[[str, bytes], Answer], tls: ssl.SSLContext | None = None) -> Iterator[str]:
    """A server that answers whatever it is asked by ``answer``; its submission prefix."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            found = answer(self.path, self.rfile.read(int(self.headers.get("Content-Length", "0"))))
            self.send_response(found.status)
            for name, value in {"Content-Length": str(len(found.body)), **found.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(found.body)

        def do_GET(self) -> None:  # what a redirect would turn it into
            self.do_POST()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http{'s' if tls else ''}://127.0.0.1:{server.server_port}/prefix"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
