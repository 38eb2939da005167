"""The load of the API's benchmark: so many connections, each sending the same request again as soon as it is answered.

A process of its own, with sockets and nothing above them: what the client spends must not be what is measured.
"""

from __future__ import annotations

import socket
import sys
from threading import Thread
from time import monotonic
from typing import NamedTuple
from urllib.parse import urlsplit

CONNECTIONS = 8
_CHUNK = 1 << 18


class Request(NamedTuple):
    """One request as bytes, and bytes that its answer must hold: an error is quick, and no answer."""

    sent: bytes
    expected: bytes


def post(url: str, body: bytes, expected: bytes, authorization: str | None = None) -> Request:
    """A POST of JSON."""
    return _request("POST", url, expected, authorization, body)


def get(url: str, expected: bytes) -> Request:
    """A GET."""
    return _request("GET", url, expected)


def _request(
    method: str, url: str, expected: bytes, authorization: str | None = None, body: bytes | None = None
) -> Request:
    parts = urlsplit(url)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    lines = [f"{method} {target} HTTP/1.1", f"host: {parts.netloc}"]
    if authorization is not None:
        lines.append(f"authorization: {authorization}")
    if body is not None:
        lines += ["content-type: application/json", f"content-length: {len(body)}"]
    return Request("\r\n".join([*lines, "", ""]).encode() + (body or b""), expected)


def rate(url: str, request: Request, seconds: float, connections: int = CONNECTIONS) -> float:
    """Requests answered a second; ``AssertionError`` for an answer that is none."""
    done: list[int] = []
    failed: list[BaseException] = []
    until = monotonic() + seconds

    def connection() -> None:
        try:
            done.append(_repeat(url, request, until))
        except BaseException as error:
            failed.append(error)

    threads = [Thread(target=connection) for _ in range(connections)]
    begin = monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed, failed[0]
    return sum(done) / (monotonic() - begin)


def _repeat(url: str, request: Request, until: float) -> int:
    parts = urlsplit(url)
    assert parts.hostname is not None
    answered = 0
    with socket.create_connection((parts.hostname, parts.port or 80), timeout=30) as link:
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while monotonic() < until:
            link.sendall(request.sent)
            answer = _answer(link)
            assert answer.startswith(b"HTTP/1.1 200"), answer[:2000]
            assert request.expected in answer, answer[:2000]
            answered += 1
    return answered


def _answer(link: socket.socket) -> bytes:
    """One whole answer with its length in its head."""
    found = link.recv(_CHUNK)
    while b"\r\n\r\n" not in found:
        found += _more(link)
    head, _, body = found.partition(b"\r\n\r\n")
    left = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0]) - len(body)
    parts = [found]
    while left > 0:
        parts.append(_more(link))
        left -= len(parts[-1])
    return b"".join(parts)


def _more(link: socket.socket) -> bytes:
    found = link.recv(_CHUNK)
    assert found, "the server closed the connection"
    return found


if __name__ == "__main__":
    sys.exit("python -m pytest -m bench benchmarks/test_api.py runs this")
