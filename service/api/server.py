"""The server that the application runs in: bound first, so that the address is known before anything is printed."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

#: Where the service listens as long as it has no keys: on this machine only.
LOOPBACK = ("127.0.0.1", "localhost")
_GRACE = 10  #: seconds for requests under way when the server is told to stop


class HostError(ValueError):
    """An address that would let other machines in."""


class PortError(OSError):
    """A port that cannot be had."""


@contextmanager
def bound(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that listens on ``host`` and ``port`` (0: a free one): who calls early waits for the server's start.

    Raises ``HostError``, ``PortError``.
    """
    if host not in LOOPBACK:
        raise HostError(
            f"{host} is refused: without keys anybody who reaches the service may read every tile, so it listens on "
            "127.0.0.1 only"
        )
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((LOOPBACK[0], port))
            listener.listen()
        except (OSError, OverflowError) as error:
            raise PortError(f"port {port} cannot be had: {error}; try --port 0 for a free one") from None
        yield listener


def address(listener: socket.socket) -> str:
    """The address at which a bound socket is reached, such as ``http://127.0.0.1:8000``."""
    host, port = listener.getsockname()
    return f"http://{host}:{port}"


def serve(app: ASGIApp, listener: socket.socket) -> None:
    """Serves until SIGINT or SIGTERM, lets requests under way finish, and returns."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="off",
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=_GRACE,
    )
    # The server sends itself the signals again once it has ended; they have done their work by then.
    with _answered(signal.SIGTERM), suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


@contextmanager
def _answered(number: signal.Signals) -> Iterator[None]:
    """Makes a signal that would end the process at once one that ends what is under way."""

    def interrupt(signum: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(number, interrupt)
    try:
        yield
    finally:
        signal.signal(number, before)
