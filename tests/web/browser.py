"""A real browser for the tests: headless Chromium on a page of the static folder, in a thread of its own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright import sync_api as playwright

STATIC = Path(__file__).resolve().parents[2] / "service/web/static"
ARGUMENTS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
#: Nothing but modules of the same origin: no inline script, no style, no picture, no request of a script's own.
POLICY = "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
PAGE = b'<!doctype html><html lang="en"><meta charset="utf-8"><title>verify</title></html>'


def chromium() -> str | None:
    """The path of the system's Chromium, if there is one."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


def needed_chromium() -> str:
    """The same for tests that need it: without it they are skipped, unless ``MINGPAI_REQUIRE_BROWSER`` is 1."""
    executable = chromium()
    if executable is None:
        without = pytest.fail if os.environ.get("MINGPAI_REQUIRE_BROWSER") == "1" else pytest.skip
        without("no chromium on this machine (Debian's package chromium)")
    return executable


class Browser:
    """One page of one Chromium, and everything that it asked for or complained of.

    Playwright drives an event loop of its own; it lives in one thread, so that tests that run loops are not disturbed.
    """

    def __init__(self, thread: ThreadPoolExecutor, chromium: playwright.Browser, address: str) -> None:
        self._thread = thread
        self._new_context = chromium.new_context
        self._page = page = chromium.new_page()
        self.address = address
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def run(self, script: str, argument: Any = None) -> Any:
        """What the JavaScript function ``script`` gives for ``argument``; the page may not complain meanwhile."""
        result = self._thread.submit(self._page.evaluate, script, argument).result()
        complaints, self.complaints = self.complaints, []
        assert not complaints, "\n".join(complaints)
        return result

    def refusal(self, script: str) -> tuple[str, list[str]]:
        """What a page of its own complains of when the JavaScript function ``script`` runs, and all it asked for."""
        return self._thread.submit(self._refusal, script).result()

    def _refusal(self, script: str) -> tuple[str, list[str]]:
        context = self._new_context()
        page, requests = context.new_page(), list[str]()
        page.on("request", lambda request: requests.append(request.url))
        page.goto(f"{self.address}/")
        with page.expect_console_message() as message:
            page.evaluate(script)
        context.close()
        return message.value.text, requests

    def open(self) -> None:
        """Load the page anew; modules are asked for again."""
        self._thread.submit(self._page.goto, f"{self.address}/").result()

    def verify(self, bundle: str, *vkeys: str) -> dict[str, Any]:
        """What ``verifyBundle`` says of the text of a bundle."""
        found: dict[str, Any] = self.run(_VERIFY, {"bundle": bundle, "keys": list(vkeys)})
        return found


_VERIFY = """async ({bundle, keys}) => (await import("/verify/verify.js")).verifyBundle(bundle, keys)"""


@contextmanager
def browser(executable: str) -> Iterator[Browser]:
    """A browser on a page of the static folder, served from 127.0.0.1: Web Crypto wants a secure context."""
    with ThreadPoolExecutor(max_workers=1) as thread, _served() as address:
        stack = thread.submit(_Stack, executable).result()
        try:
            found = thread.submit(Browser, thread, stack.browser, address).result()
            found.open()
            yield found
        finally:
            thread.submit(stack.close).result()


class _Stack:
    """Playwright and its browser, to be made and closed in one thread."""

    def __init__(self, executable: str) -> None:
        self._playwright = playwright.sync_playwright().start()
        launch = self._playwright.chromium.launch
        self.browser = launch(executable_path=executable, headless=True, args=list(ARGUMENTS))

    def close(self) -> None:
        self.browser.close()
        self._playwright.stop()


class _Static(SimpleHTTPRequestHandler):
    """The static folder, and an empty page at ``/``, all under the strict policy."""

    def do_GET(self) -> None:
        if self.path != "/":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)
        return None

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, *arguments: object) -> None:
        """Nothing: what was asked for is seen from the browser's side."""


@contextmanager
def _served() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Static, directory=str(STATIC)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
