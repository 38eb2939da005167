"""The verify page: bundles checked step by step in the reader's own browser, and nothing asked of anybody meanwhile."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, Route

from service.evidence.keyring import KeyRing
from service.evidence.notes import Signer
from service.web.assets import words
from tests.access.keys import bearer
from tests.pages.site import EVENING, EVENING_LOG, PHONE, PLAYER, Site, Tab
from tests.web.browser import STATIC
from tests.web.bundles import STEPS, VKEY, decoded, encoded, example, simulated
from tests.web.test_tampering import TAMPERED

Bundle = dict[str, Any]

#: Somebody's key, of the log's own name, that signed nothing.
STRANGER = Signer("nobody.example", bytes(range(1, 33))).verifier.vkey
WORDS = words()["verify"]


def bundle_text(site: Site, who: str) -> str:
    """The evening's bundle as a key's holder may have it."""
    return _bundle(site.base, site.keys[who])


@cache
def _bundle(base: str, key: str) -> str:
    found = httpx.get(f"{base}/bundle", params={"game": EVENING}, headers=bearer(key), trust_env=False, timeout=60)
    assert found.status_code == 200, found.text
    return found.text


def log_key(site: Site) -> str:
    """The public key of the service's log, as the operator publishes it."""
    return KeyRing.load(site.database.key_file).vkeys[-1]


def forget(page: Page) -> None:
    """Takes away what the page said before, so that what it says next can be waited for."""
    page.evaluate("document.querySelector('.verdict')?.removeAttribute('data-verdict')")
    page.evaluate("document.querySelector('.told').replaceChildren()")


def bring(page: Page, file: str | bytes) -> None:
    """Gives the page a file, and waits for what it says of it."""
    forget(page)
    raw = file.encode() if isinstance(file, str) else file
    page.set_input_files(".drop input", {"name": "game.json", "mimeType": "application/json", "buffer": raw})
    page.wait_for_selector("[data-verdict], .told .trouble")


def drop(page: Page, place: str, text: str) -> None:
    """Drops a file of this text on a place of the page."""
    files = page.evaluate_handle(
        "(text) => { const found = new DataTransfer(); found.items.add(new File([text], 'file.txt')); return found; }",
        text,
    )
    forget(page)
    page.dispatch_event(place, "drop", {"dataTransfer": files})
    page.wait_for_selector("[data-verdict], .told .trouble")


def trust(page: Page, *keys: str) -> None:
    """Gives the page keys, before there is a bundle or with one that is checked already."""
    forget(page)
    page.fill(".keys textarea", "\n".join(keys))
    page.click(".keys button.primary")
    said = "() => document.querySelector('.verdict') === null || document.querySelector('[data-verdict]')"
    page.wait_for_function(said)


def verdict(page: Page) -> str | None:
    return page.locator(".verdict").get_attribute("data-verdict")


def badges(page: Page) -> list[str]:
    """How the steps came out, in words, in their order."""
    return [text.split(" ", 1)[1] for text in page.locator(".step > .row > .badge").all_inner_texts()]


def test_a_stored_game(tabs: Callable[..., Tab], site: Site) -> None:
    tab = tabs(who="clerk")
    page = tab.go(f"/verify?game={EVENING}")
    assert verdict(page) == "no_key"
    holds = ["holds"] * 6
    assert badges(page) == [*holds, "could not be checked", "holds", "not checked here", "not checked here"]
    tab.forget()
    trust(page, log_key(site))
    assert verdict(page) == "verified"
    assert badges(page) == [*holds, "holds", "holds", "not checked here", "not checked here"]
    assert tab.requests == []
    assert "All 607 events" in page.inner_text(".steps")
    assert "the whole game" in page.inner_text(".result")
    links = page.locator(".findings a")
    assert [links.first.inner_text(), links.first.get_attribute("href")] == [
        "step 42",
        f"/replay?game={EVENING}&step=42",
    ]
    with page.expect_download() as saved:
        page.click("text=Save the bundle")
    digest = sha256(saved.value.path().read_bytes()).hexdigest()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("[aria-label='Copy: SHA-256 of the file']")
    page.wait_for_selector("text=Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == digest
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".result details:not([open])").count() == 0
    assert not page.locator(".drop").is_visible()
    assert page.locator(".verdict").is_visible()


def test_a_players_own_view(tabs: Callable[..., Tab], site: Site) -> None:
    """By keyboard, on a phone."""
    page = tabs(who="player", viewport=PHONE).go("/verify")
    trust(page, log_key(site))
    page.locator("input[name=game]").press_sequentially(EVENING)
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-verdict]")
    assert verdict(page) == "verified"
    hidden = sum("full" not in entry for entry in json.loads(bundle_text(site, "player"))["events"])
    assert f"What {hidden} events hide from this view" in page.inner_text(".result")
    assert f"as seat 1 saw it ({PLAYER})" in page.inner_text(".result")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def turned_bit(bundle: Bundle) -> None:
    """A drawn tile is another one."""
    for entry in bundle["events"]:
        event = json.loads(decoded(entry["full"]))
        if event["type"] == "drew" and event["tile"][0] != "1":
            old, new = (f'"tile":"{number}{event["tile"][1]}"'.encode() for number in _neighbours(event["tile"][0]))
            entry["full"] = encoded(decoded(entry["full"]).replace(old, new))
            return


def _neighbours(digit: str) -> tuple[str, str]:
    return digit, chr(ord(digit) ^ 1)


def another_signature(bundle: Bundle) -> None:
    text, _, line = bundle["checkpoint"].rstrip("\n").rpartition(" ")
    raw = bytearray(decoded(line))
    raw[-1] ^= 1
    bundle["checkpoint"] = f"{text} {encoded(bytes(raw))}\n"


def swapped_nodes(bundle: Bundle) -> None:
    bundle["inclusion"][:2] = reversed(bundle["inclusion"][:2])


def test_what_was_changed_is_found_offline(tab: Tab, site: Site) -> None:
    cases: list[tuple[Callable[[Bundle], None], str, str]] = [
        (turned_bit, "Chain and root", "The events are not those that were sealed"),
        (another_signature, "Signature", "was not made by that key over this text"),
        (swapped_nodes, "Place in the log", "its path leads to another root"),
    ]
    page = tab.go("/verify")
    page.context.set_offline(True)
    tab.forget()
    trust(page, log_key(site))
    for change, name, sentence in cases:
        bundle = json.loads(bundle_text(site, "clerk"))
        change(bundle)
        bring(page, json.dumps(bundle))
        assert verdict(page) == "failed"
        failed = page.locator(".step.failed").first
        assert failed.locator("h3").inner_text() == name
        assert sentence in failed.inner_text()
        told = page.inner_text(".verdict")
        assert f"“{name}”" in told
        assert sentence in told
    bring(page, gzip.compress(bundle_text(site, "clerk").encode()))
    assert verdict(page) == "verified"
    assert tab.requests == []


@pytest.mark.slow
def test_keys(tab: Tab, site: Site) -> None:
    page = tab.go("/verify")
    bring(page, bundle_text(site, "clerk"))
    assert verdict(page) == "no_key"
    assert "without a key that you trust, anybody could have made it" in page.inner_text(".verdict")
    trust(page, STRANGER)
    assert verdict(page) == "failed"
    assert "none of your keys signed it" in page.inner_text(".verdict")
    page.locator(".keys textarea").fill(f"{STRANGER}\n{log_key(site)[:-8]}AAAAAAA=")
    page.click(".keys button.primary")
    page.wait_for_selector(".keys .trouble")
    assert "Line 2 is no public key" in page.inner_text(".keys .told")
    assert page.locator(".result").is_hidden()
    page.check(".keys input[type=checkbox]")
    trust(page, STRANGER)
    drop(page, ".keys textarea", f"{log_key(site)}\n")
    page.wait_for_selector("[data-verdict=verified]")
    page = tab.go("/verify")
    assert page.input_value(".keys textarea") == f"{STRANGER}\n{log_key(site)}"
    page.uncheck(".keys input[type=checkbox]")
    assert tab.go("/verify").input_value(".keys textarea") == ""


def test_other_files(tab: Tab) -> None:
    page = tab.go("/verify")
    drop(page, "main h1", EVENING_LOG.read_text())
    assert "not a bundle" in page.inner_text(".told .trouble")
    assert page.locator(".told a").get_attribute("href") == "/log"
    assert page.locator(".result").is_hidden()
    page.click("text=Paste its text")
    page.fill("details textarea", "neither this nor that")
    page.click("details button")
    page.wait_for_selector("[data-verdict]")
    assert verdict(page) == "no_bundle"
    assert page.locator(".told .trouble").count() == 0
    assert badges(page)[:2] == ["does not hold", "not reached"]
    drop(page, "main h1", EVENING_LOG.read_text())
    assert page.locator(".result").is_hidden()  # what was said of another file is gone
    bring(page, '{"format": "something else"}')
    assert verdict(page) == "no_bundle"
    assert "does not say that it is a bundle" in page.inner_text(".verdict")


@pytest.mark.slow
def test_a_game_that_is_not_for_everybody(tab: Tab) -> None:
    page = tab.go(f"/verify?game={EVENING}&lang=zh-Hant")
    assert f"這裡沒有牌局 {EVENING}" in page.inner_text(".told .trouble")
    assert tab.complaints.pop().startswith("Failed to load resource")  # the browser's own word on the 404


@pytest.mark.parametrize(("lang", "at"), [("zh-Hans", 1), ("zh-Hant", 2)])
def test_languages(tab: Tab, site: Site, lang: str, at: int) -> None:
    page = tab.go(f"/verify?lang={lang}")
    trust(page, log_key(site))
    bring(page, bundle_text(site, "clerk"))
    origin = log_key(site).partition("+")[0]
    assert page.inner_text(".verdict p") == WORDS["verdict.verified"][at].replace("{keys}", origin)
    assert page.locator(".step h3").all_inner_texts() == [WORDS[f"step.{name}"][at] for name in STEPS]


def test_without_a_protected_connection(tab: Tab, site: Site) -> None:
    """Over plain http under a name that is not this machine's."""
    address = "http://mingpai.test"

    def answer(route: Route) -> None:
        route.fulfill(response=route.fetch(url=route.request.url.replace(address, site.base)))

    page = tab.page
    page.route(f"{address}/**", answer)
    page.goto(f"{address}/verify")
    page.wait_for_selector("html[data-ready]")
    assert "Open it by https" in page.inner_text("main .trouble")
    assert "mingpai verify" in page.inner_text("main .command")
    assert page.locator(".drop").count() == 0
    tab.forget()
    assert all("Cross-Origin-Opener-Policy header has been ignored" in text for text in tab.complaints)
    tab.complaints.clear()


# -- Words for everything ----------------------------------------------------------------------------------------------


def codes(module: str) -> set[str]:
    """The codes of faults that a module of the verifier names: texts that stand alone as an argument."""
    text = _source(module)
    calls = [_call(text, found.end()) for found in re.finditer(r"\b(?:demand|within|Fault|refuse)\(", text)]
    return {code for call in calls for code in re.findall(r'(?:^|,)\s*"([a-z0-9_]+)"(?=,|$)', call)}


def _source(module: str) -> str:
    return re.sub(r"/\*.*?\*/", "", (STATIC / f"verify/{module}.js").read_text(), flags=re.DOTALL)


def _call(text: str, start: int) -> str:
    """The arguments of a call up to its end."""
    depth = 1
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return text[start:place]
    raise AssertionError(text[start:])


def test_every_code_has_words() -> None:
    why, hand, said = ({key for key in WORDS if key.startswith(f"{group}.")} for group in ("why", "hand", "said"))
    steps = {key.rpartition(".")[2] for key in said}
    modules = {path.stem for path in (STATIC / "verify").glob("*.js")}
    judge = re.search(r"^async function judge\(.*?^}", _source("hands"), re.DOTALL | re.MULTILINE)
    assert judge is not None
    reasons = set(re.findall(r'(?:return|(?<!\?)\?|:) "([a-z_]+)"', judge[0]))
    outcomes = set(re.findall(r'\bcode: "([a-z_]+)"', _source("verify")))
    assert {"voided", "wall_not_revealed", "no_commitment", "hidden_tiles"} <= reasons
    assert {"ok", "needs", "no_seal", "no_key", "lacking"} <= outcomes
    for module in modules - {"verify", "hands", "draws"}:
        assert {f"why.{code}" for code in codes(module)} <= why, module
    for module in ("hands", "draws"):
        inner = {"node"}  # of a proof; it becomes not_in_root
        assert {f"hand.{code}" for code in codes(module) - inner} <= hand, module
    assert {f"hand.{reason}" for reason in reasons} <= hand
    assert codes("verify") | outcomes - {"public_only"} <= steps | {key.removeprefix("why.") for key in why}
    assert {"open.events.public_only", "why.other_game", "said.chain.other_head", "said.chain.other_root"} <= set(WORDS)
    assert {"not_included", "not_canonical", "wrong_event"} <= codes("verify")
    assert {"no_known_signature", "key_id"} <= codes("notes")


_SENTENCES = """async ({bundles, key}) => {
  const module = (name) => import(`/static/x/${name}.js`);
  const names = ["verify/verify", "checking/sentences", "checking/views", "lib/words"];
  const [{verifyBundle}, said, {viewOf}, {load}] = await Promise.all(names.map(module));
  await load("verify", "terms", "clauses");
  const found = [];
  for (const text of bundles) {
    let view = null;
    const onStep = (_, {bundle, events}) => (view = events && viewOf(bundle.entries, events));
    const result = await verifyBundle(text, [key], {onStep});
    const hands = result.steps.flatMap(({details}) => details.hands ?? []);
    const texts = [...result.steps.map(said.sentence), ...hands.map(said.handSentence), ...said.openSentences(result)];
    found.push({view, verdict: said.verdictOf(result), texts});
  }
  return found;
}"""


def sentences(page: Page, bundles: list[str]) -> list[dict[str, Any]]:
    """What the page would say of bundles: verdict, view, and all sentences."""
    found: list[dict[str, Any]] = page.evaluate(_SENTENCES, {"bundles": bundles, "key": VKEY})
    return found


@pytest.mark.slow
def test_sentences_of_all_that_can_be_changed(tab: Tab) -> None:
    """No sentence falls back on a general one, and none shows a place that was not filled."""
    changed = []
    for _, change, _, _ in TAMPERED:
        bundle = example("xiamen-3-13").bundle()
        change(bundle)
        changed.append(json.dumps(bundle))
    found = sentences(tab.go("/verify"), changed)
    general = (WORDS["why.any"][0], WORDS["said.any.unexpected"][0])
    for (name, *_), one in zip(TAMPERED, found, strict=True):
        assert one["verdict"]["code"] in ("failed", "no_bundle"), name
        for text in (one["verdict"]["text"], *one["texts"]):
            assert not re.search(r"[{}]|undefined|null|\[object", text), (name, text)
            assert not any(words in text for words in general), (name, text)


def test_views_and_games_that_go_on(tab: Tab) -> None:
    game = simulated("xiamen", 1)
    seats = [json.dumps(game.bundle(seat=seat)) for seat in range(4)]
    half = len(game.bodies) // 2
    live = [game.bundle(events=half), game.bundle(seat=2, events=half)]
    found = sentences(tab.go("/verify"), [json.dumps(game.bundle()), *seats, *map(json.dumps, live)])
    own = [{"view": "seat", "seat": seat} for seat in range(4)]
    assert [one["view"] for one in found] == [{"view": "whole"}, *own, {"view": "part"}, own[2]]
    assert [one["verdict"]["code"] for one in found] == ["verified"] * 5 + ["no_seal"] * 2


_PACED = """async (text) => {
  const {verifyBundle} = await import("/static/x/verify/verify.js");
  let now = 0;
  performance.now = () => (now += 31);
  const done = [];
  const onStep = ({name}) => done.push(name);
  let pauses = 0;
  await verifyBundle(text, [], {onStep, pause: async () => void (pauses += 1)});
  const stop = () => { throw new Error("superseded"); };
  const ended = await verifyBundle(text, [], {onStep: stop}).catch((error) => error.message);
  return {done, pauses, ended};
}"""


@pytest.mark.slow
def test_long_games_let_the_page_live(tab: Tab, site: Site) -> None:
    """Where every event takes more than a portion of time, the page gets a turn after each; steps come as they are
    done, and a check that was superseded ends."""
    text = bundle_text(site, "clerk")
    found = tab.go("/verify").evaluate(_PACED, text)
    assert found["done"] == list(STEPS)
    assert found["pauses"] >= 3 * len(json.loads(text)["events"])  # read, checked, chained
    assert found["ended"] == "superseded"
