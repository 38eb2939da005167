"""The server that the application runs in: bound first, so that the address is known before anything is printed."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Timer
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

_GRACE = 10  #: seconds for requests under way when the server is told to stop
#: Seconds after which a connection is given up whose other side takes nothing of what it was sent.
STUCK_SECONDS = 120


class PortError(OSError):
    """An address or a port that cannot be had."""


@contextmanager
def bound(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that listens on ``host`` and ``port`` (0: a free one): who calls early waits for the server's start.

    Raises ``PortError``.
    """
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError, OverflowError) as error:
        raise PortError(f"{host} is no address of this machine: {error}") from None
    with socket.socket(family, kind, protocol) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STUCK_SECONDS * 1000)  # theirs that come in
        try:
            listener.bind(place)
            listener.listen()
        except (OSError, OverflowError) as error:
            raise PortError(f"port {port} of {host} cannot be had: {error}; try --port 0 for a free one") from None
        yield listener


def address(listener: socket.socket) -> str:
    """The address at which a bound socket is reached, such as ``http://127.0.0.1:8000``."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(
    app: ASGIApp,
    listener: socket.socket,
    *,
    draining: Event | None = None,
    drain_seconds: int = 0,
    proxies: str = "",
) -> None:
    """Serves until SIGINT or SIGTERM, lets requests under way finish, and returns.

    At the signal ``draining`` is set; for ``drain_seconds`` more the server goes on, so that whoever balances the load
    sees it and sends nobody here. ``proxies`` are the addresses whose word on the sender of a request is taken
    (``X-Forwarded-For``, ``-Proto``), separated by commas.
    """
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="warning",
        access_log=False,
        lifespan="off",
        server_header=False,
        ws="websockets-sansio",
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies,
        timeout_graceful_shutdown=_GRACE,
    )
    # The server sends itself the signals again once it has ended; they have done their work by then.
    with _answered(signal.SIGTERM), suppress(KeyboardInterrupt):
        _Server(config, draining or Event(), drain_seconds).run(sockets=[listener])


class _Server(uvicorn.Server):
    """Says that it is going to stop before it does."""

    def __init__(self, config: uvicorn.Config, draining: Event, seconds: int) -> None:
        super().__init__(config)
        self._draining = draining
        self._seconds = seconds

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first signal begins the draining, a second one ends it."""
        if self._draining.is_set() or not self._seconds:
            self._draining.set()
            super().handle_exit(sig, frame)
            return
        self._draining.set()
        timer = Timer(self._seconds, super().handle_exit, (sig, frame))
        timer.daemon = True
        timer.start()


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
