"""Applications on real sockets of this machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from service.api import address, bound


@contextmanager
def running(app: ASGIApp, *, proxies: str = "") -> Iterator[str]:
    """Serves ``app`` in a thread; its address. ``proxies`` may say what was asked for before them."""
    with bound("127.0.0.1", 0) as listener:
        config = uvicorn.Config(
            app,
            log_config=None,
            log_level="warning",
            lifespan="off",
            proxy_headers=bool(proxies),
            forwarded_allow_ips=proxies,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            yield address(listener)
        finally:
            server.should_exit = True
            thread.join()
