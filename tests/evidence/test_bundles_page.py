"""The printed page: one document that needs nothing else, says what the verification says, and is never markup."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from schema.canonical import canonical
from schema.words import LANGUAGES
from service.evidence.bundle_page import page
from service.evidence.bundles import encode, make, verify
from tests.evidence.bundles import KEY, SECRET, example, sealed, whole

VOID = {"meta"}


class Reader(HTMLParser):
    """Reads a page as a browser does: every tag closed, its text, and what it would load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text.append(data)

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())


def read(bundle: dict[str, Any], lang: str = "en") -> Reader:
    found = Reader(page(bundle, verify(encode(bundle), KEY), lang))
    assert found.open == []
    return found


def faulty(**members: Any) -> dict[str, Any]:
    """A sealed game that paid wrongly, with other members in its first event."""
    events = [json.loads(body) for body in example("xiamen-3-13")]
    settled = next(event for event in events if event["type"] == "settled")
    settled["deltas"] = [2 * delta for delta in settled["deltas"]]
    events[0] |= members
    return whole([canonical(event) for event in events])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_needs_nothing_else(lang: str) -> None:
    for bundle in (whole(example("xiamen-1-8")), make(example("xiamen-1-8")[:90], SECRET, None, 1), faulty()):
        found = read(bundle, lang)
        assert found.tags.isdisjoint({"script", "img", "link", "iframe", "object", "embed", "form", "a", "base", "svg"})
        assert found.attributes <= {"lang", "charset", "http-equiv", "content", "class", "scope"}
        text = page(bundle, verify(encode(bundle), KEY), lang)
        assert "url(" not in text
        assert "@import" not in text
        assert not re.search(r"https?://", text)


def test_it_says_what_was_verified() -> None:
    bundle = whole(example("xiamen-1-8"))
    found, verification = read(bundle).words, verify(encode(bundle), KEY)
    assert "VERIFIED: the log is the one sealed" in found
    for part in ("xiamen-1-8", "p837-0", "p98-3", "you_bonus", "25", "-40", "+120", KEY.vkey, "three golds", "+84"):
        assert part in found
    for digest in (verification.digest, verification.root, verification.head, *verification.leaves):
        assert digest is not None
        assert " ".join(digest.hex()[i : i + 8] for i in range(0, 64, 8)) in found
    assert bundle["checkpoint"].split("\n")[2] in found
    assert "NOT VERIFIED" not in found


def test_it_names_the_fault_with_its_clause() -> None:
    found = read(faulty()).words
    assert "violations" in found
    assert re.search(r"X-(PAY|WATER)-\d", found)
    assert "NOT VERIFIED" not in found


def test_it_says_why_not() -> None:
    bundle = whole(example("xiamen-1-8"))
    bundle["events"][5]["salt"] = "00" * 16
    assert "NOT VERIFIED: The chain of the events ends in head" in read(bundle).words
    live = read(make(example("xiamen-1-8")[:90], SECRET, None, 1)).words
    assert "NOT VERIFIED: The game is live" in live
    assert "??" in live
    assert "public part" in live


@pytest.mark.parametrize("lang", LANGUAGES)
def test_data_is_never_markup(lang: str) -> None:
    evil = "</td><script>alert(1)</script>&lt;'\"\u202e"
    bundle = faulty(game=evil, server=evil, seats=[{"player": evil + str(seat)} for seat in range(4)])
    found = read(bundle, lang)
    assert "script" not in found.tags
    assert "<script>alert(1)</script>" in found.words
    assert "\u202e" not in found.words


@pytest.mark.parametrize(
    "change",
    [
        lambda bundle: bundle.clear(),
        lambda bundle: bundle.update(ruleset=7),
        lambda bundle: bundle.update(events=None),
        lambda bundle: bundle["events"][0].update(full="AAAA"),
        lambda bundle: bundle.update(seal="////"),
        lambda bundle: bundle.update(checkpoint="\u0007\u202e<b>"),
        lambda bundle: bundle.update(report={"findings": "<b>"}),
    ],
)
def test_a_bundle_that_is_none_still_gives_a_page(change: Any) -> None:
    bundle = whole(example("longyan-1-23"))
    change(bundle)
    found = read(bundle)
    assert "NOT VERIFIED: " in found.words
    assert "\x07" not in found.words


def test_there_are_words_in_these_languages_only() -> None:
    bundle = whole(example("longyan-1-23"))
    with pytest.raises(ValueError, match="zh-Hans"):
        page(bundle, verify(encode(bundle), KEY), "fr")


CHROMIUM = shutil.which("chromium")


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_a_browser_prints_it(tmp_path: Path) -> None:
    """A real browser lays it out for paper, in every language, and asks nobody for anything."""
    assert CHROMIUM is not None
    for lang in LANGUAGES:
        source, printed = tmp_path / f"{lang}.html", tmp_path / f"{lang}.pdf"
        bundle = make(example("xiamen-3-13"), SECRET, sealed(example("xiamen-3-13")), None)
        source.write_text(page(bundle, verify(encode(bundle), KEY), lang), encoding="utf-8")
        switches = "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking".split()
        switches += ["--disable-component-update", "--disable-sync", f"--user-data-dir={tmp_path / 'profile'}"]
        command = [CHROMIUM, *switches, f"--print-to-pdf={printed}", source.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        assert printed.read_bytes().startswith(b"%PDF")
        assert len(re.findall(rb"/Type\s*/Page\b", printed.read_bytes())) >= 2
