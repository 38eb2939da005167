"""What the verifier asks of its surroundings: its own modules and nothing else."""

from __future__ import annotations

import json

from tests.web.browser import Browser
from tests.web.bundles import (
    EXAMPLES,
    VKEY,
    example,
)


def test_nothing_is_asked_for_beside_the_modules_and_nothing_is_complained_of(browser: Browser) -> None:
    browser.requests.clear()
    browser.open()
    assert browser.verify(json.dumps(example(EXAMPLES[0]).bundle()), VKEY)["verified"] is True
    page, *modules = browser.requests
    assert page == f"{browser.address}/"
    assert f"{browser.address}/verify/verify.js" in modules
    assert all(url.startswith(f"{browser.address}/verify/") and url.endswith(".js") for url in modules)
    assert browser.complaints == []


def test_the_policy_is_in_force(browser: Browser) -> None:
    """The page could not ask for anything else if it tried; else the test above would say little."""
    complaint, requests = browser.refusal("""() => fetch("/elsewhere").catch(() => null)""")
    assert "Content Security Policy" in complaint
    assert requests == [f"{browser.address}/"]
