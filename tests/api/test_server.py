"""``mingpai serve`` as a process: it prints where it is, answers there, and ends cleanly."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import httpx
import pytest

from tests.databases import Database
from tests.usecases.commands import COMMAND, environment, run, said


@contextmanager
def serving(
    database: Database, *arguments: str, environment_too: Mapping[str, str] | None = None
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server and its address; killed at the end unless it has ended."""
    command = [*COMMAND, "serve", "--port", "0", *arguments]
    process = subprocess.Popen(
        command,
        env=environment({**database.environment, **(environment_too or {})}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            found = re.search(r"Serving at (http://127\.0\.0\.1:\d+)/", line)
            if found is not None:
                break
        else:
            pytest.fail(process.communicate()[1])
        yield process, found[1]
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_serves_until_it_is_told_to_stop(database: Database, number: signal.Signals) -> None:
    with serving(database) as (process, base):
        answer = httpx.post(f"{base}/graphql", json={"query": '{ game(id: "x") { __typename } }'}, trust_env=False)
        assert answer.json()["data"] == {"game": {"__typename": "GameNotFound"}}
        assert httpx.get(f"{base}/healthz", trust_env=False).json()["status"] == "ok"
        assert "server" not in answer.headers
        process.send_signal(number)
        _, errors = process.communicate(timeout=20)
        assert process.returncode == 0
        assert errors.splitlines()[-1] == "note: stopped"
        assert "Traceback" not in errors
        assert "fsync" in errors  # an unsafe database is said so


def test_a_request_under_way_is_finished(database: Database) -> None:
    with serving(database) as (process, base):
        port = int(base.rsplit(":", 1)[1])
        body = b'{"query": "{ __typename }"}'
        head = f"POST /graphql HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: {len(body)}\r\n"
        head += "content-type: application/json\r\n\r\n"
        with socket.create_connection(("127.0.0.1", port), timeout=10) as link:
            link.sendall(head.encode() + body[:5])
            httpx.get(f"{base}/healthz", trust_env=False)
            process.send_signal(signal.SIGTERM)
            link.sendall(body[5:])
            assert b'"data":{"__typename":"Query"}' in _received(link)
        process.communicate(timeout=20)
        assert process.returncode == 0


def _received(link: socket.socket) -> bytes:
    parts = []
    while part := link.recv(4096):
        parts.append(part)
    return b"".join(parts)


def test_a_port_that_is_taken(database: Database) -> None:
    with serving(database) as (_, base):
        done = run(database, "serve", "--port", base.rsplit(":", 1)[1])
        assert done.returncode == 2
        (line,) = said(done)
        assert "--port 0" in line
