"""What every page has."""

from __future__ import annotations

import re

import httpx
import pytest

from service.web.pages import PAGES
from tests.pages.site import Site, Tab


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path)
def test_policy(site: Site, page) -> None:  # type: ignore[no-untyped-def]
    """No script but ours, no style, picture or request elsewhere, and no frame but where it is meant for one."""
    answer = httpx.get(site.base + page.path, trust_env=False)
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert {policy[name] for name in ("script-src", "style-src", "img-src", "connect-src")} == {"'self'"}
    assert (policy["frame-ancestors"] == "*") == page.is_framed == (page.path == "/embed")
    assert not re.search(r"<script(?! type=\"module\" src=\"/static/)|<style|style=| on\w+=|javascript:", answer.text)


def test_languages(tab: Tab) -> None:
    for lang, name in (("en", "Games"), ("zh-Hans", "牌局"), ("zh-Hant", "牌局")):
        page = tab.go(f"/?lang={lang}")
        assert page.locator("html").get_attribute("lang") == lang
        assert page.locator("header.site nav a").first.inner_text() == name
