"""Every page in its states, for everybody: axe-core finds no grave fault in light or dark, on a phone or a desktop; the
keyboard reaches every control, is shown where it is and is never caught; a narrow screen holds the page; nothing moves
for who asked for rest."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from playwright.sync_api import Page

from service.web.pages import PAGES
from tests.pages.axe import COLOURS, faults
from tests.pages.site import DESKTOP, EVENING, EVENING_LOG, PHONE, PLAYER, Site, Tab

Tabs = Callable[..., Tab]

NARROW = {"width": 320, "height": 640}  #: what is left of a usual screen where everything is four times as large
FAULT = 42  #: the step of the evening's false win
DISPUTE = "{dispute}"  #: stands for the id of a dispute over it


def _as_it_is(page: Page) -> None:
    """The page as it comes."""


def _unfolded(page: Page) -> None:
    """With everything open that can be opened, and what it holds fetched."""
    page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
    page.wait_for_load_state("networkidle")


def _helped(page: Page) -> None:
    """With the help overlay."""
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")


def _log_dropped(page: Page) -> None:
    """With the evening's log audited, its false win in sight."""
    page.set_input_files("input[type=file] >> nth=0", EVENING_LOG)
    page.wait_for_selector(".stage")


def _verified(page: Page) -> None:
    """With the check of a bundle done, its details unfolded."""
    page.wait_for_selector(".result:not([hidden]) details")
    _unfolded(page)


class State(NamedTuple):
    """A page at an address, as somebody who has signed in sees it (``None``: nobody), and what was done to it."""

    path: str
    who: str | None = None
    do: Callable[[Page], None] = _as_it_is


STATES = {
    "games, nobody": State("/"),
    "games": State("/", "clerk", _unfolded),
    "hands": State("/?view=hands", "clerk", _unfolded),
    "findings": State("/?view=findings", "clerk", _unfolded),
    "players": State("/players", "clerk"),
    "player": State(f"/player?id={PLAYER}", "clerk", _unfolded),
    "sign-in": State("/sign-in"),
    "signed in": State("/sign-in", "player"),
    "replay": State(f"/replay?game={EVENING}&step={FAULT}", "clerk", _unfolded),
    "replay, own seat, help": State(f"/replay?game={EVENING}&step={FAULT}&lang=zh-Hant", "player", _helped),
    "replay of what there is not": State("/replay?game=nowhere"),
    "log": State("/log"),
    "log, audited": State("/log", None, _log_dropped),
    "embed": State("/embed"),
    "verify": State("/verify"),
    "verify, done": State(f"/verify?game={EVENING}", "clerk", _verified),
    "cases, nobody": State("/cases"),
    "cases": State("/cases", "clerk", _unfolded),
    "case": State(f"/case?id={DISPUTE}", "clerk", _unfolded),
    "case, its player's": State(f"/case?id={DISPUTE}&lang=zh-Hans", "player", _unfolded),
    "case, new": State(f"/case?game={EVENING}&step={FAULT}", "player", _unfolded),
    "report": State(f"/report?id={DISPUTE}", "clerk"),
}


@pytest.fixture(scope="session")
def dispute(site: Site) -> str:
    """The id of a dispute over the false win that a clerk has taken."""
    case = f'{{game: "{EVENING}", step: {FAULT}, clause: "X-SHAPE-1", text: "Was that a win?"}}'
    made = site.ask("player", f"mutation {{ openCase(case: {case}) {{ ... on Case {{ case nextSeq }} }} }}")["openCase"]
    query = "mutation($case: String!, $seq: Int!) { assignCase(case: $case, expectedSeq: $seq) { __typename } }"
    assert site.ask("clerk", query, case=made["case"], seq=made["nextSeq"])["assignCase"]["__typename"] == "Case"
    return str(made["case"])


def test_every_page_is_looked_at() -> None:
    assert {state.path.partition("?")[0] for state in STATES.values()} == {page.path for page in PAGES}


#: Looked at in every run: each of the styles, with the most on it. The others differ from one of these by little.
QUICK = ("games", "replay", "verify, done", "case")
_NAMES = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in STATES]


@pytest.mark.parametrize("name", _NAMES)
def test_everybody_can_use_it(tabs: Tabs, dispute: str, name: str) -> None:
    state = STATES[name]
    page = tabs(who=state.who, reduced_motion="reduce").go(state.path.replace(DISPUTE, dispute))
    state.do(page)
    found = {
        "desktop, light": faults(page),
        "keyboard": lost(page),
        "motion": moving(page),
        "desktop, dark": _in(page, faults, scheme="dark", rules=COLOURS),
        "phone, dark": _in(page, faults, viewport=PHONE, scheme="dark"),
        "phone, light": _in(page, faults, viewport=PHONE, rules=COLOURS),
        "narrow": _in(page, wide, viewport=NARROW),
    }
    assert {where: said for where, said in found.items() if said} == {}


def _in(
    page: Page,
    look: Callable[..., list[str]],
    viewport: dict[str, int] = DESKTOP,
    scheme: str = "light",
    **more: object,
) -> list[str]:
    """What is found on a page in a size and a theme."""
    page.set_viewport_size(viewport)  # type: ignore[arg-type]
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    return look(page, **more)


# -- The keyboard ----------------------------------------------------------------------------------------------------

_ROUNDS = 2  #: as many stops as there are controls, and the boxes that scroll

#: Remembers where the focus comes, and where it cannot be seen.
_WATCH = """() => {
  const name = (one) => `${one.localName}${one.id && "#" + one.id}.${one.getAttribute("class") ?? ""} ${
    (one.getAttribute("aria-label") ?? one.textContent).trim().slice(0, 40)}`;
  const group = (one) => (one.type === "radio" ? one.form?.elements[one.name] ?? one.name : one);
  const stops = [], unseen = new Set();
  document.addEventListener("focusin", ({ target }) => {
    stops.push(target);
    const { outlineStyle, boxShadow } = getComputedStyle(target);
    if (outlineStyle === "none" && boxShadow === "none") unseen.add(name(target));
  });
  const root = document.querySelector("dialog[open]") ?? document;
  const every = "a[href], button, input, select, textarea, summary, iframe, [tabindex], [contenteditable]";
  const isControl = (one) =>
    one.tabIndex >= 0 && !one.matches(":disabled, [type=hidden]") && one.closest("[inert]") === null &&
    one.checkVisibility({ visibilityProperty: true });
  const controls = [...root.querySelectorAll(every)].filter(isControl);
  window.walk = {
    count: controls.length,
    isRound: () => stops.length > 1 && stops.indexOf(stops.at(-1)) < stops.length - 1,
    said() {
      const reached = new Set(stops.map(group));
      return [
        ...controls.filter((one) => !reached.has(group(one))).map((one) => `not reached: ${name(one)}`),
        ...[...unseen].map((one) => `focus not seen: ${one}`),
        ...(this.isRound() || controls.length === 0 ? [] : [`caught at ${name(document.activeElement)}`]),
      ];
    },
  };
  return walk.count;
}"""


def lost(page: Page) -> list[str]:
    """The controls that Tab does not reach or show, and where it is caught, if it is."""
    count = page.evaluate(_WATCH)
    for _ in range(_ROUNDS * count + 10):
        page.keyboard.press("Tab")
        if page.evaluate("() => walk.isRound()"):
            break
    said: list[str] = page.evaluate("() => walk.said()")
    return said


# -- Sizes and motion ------------------------------------------------------------------------------------------------

#: How far the page scrolls sideways, what sticks out of it, and whether it hides that something does.
_WIDE = """() => {
  const { clientWidth: width, scrollWidth } = document.documentElement;
  const flow = (one) => getComputedStyle(one).overflowX;
  const isBox = (one) => one !== document.body && one !== document.documentElement && flow(one) !== "visible";
  const isIn = (one) => one !== null && (isBox(one) || isIn(one.parentElement));
  const sticksOut = (one) => one.getBoundingClientRect().right > width + 1 && !isIn(one.parentElement);
  const out = [...document.querySelectorAll("body *")].filter(sticksOut);
  const hides = [document.documentElement, document.body].filter((one) => !["visible", "auto"].includes(flow(one)));
  return [
    ...hides.map((one) => `${one.localName} hides what is too wide`),
    ...(scrollWidth > width ? [`${scrollWidth} px in ${width}`] : []),
    ...out.slice(-5).map((one) => `sticks out: ${one.localName}.${one.getAttribute("class") ?? ""}`),
  ];
}"""


def wide(page: Page) -> list[str]:
    """How far the page is wider than its window, by what, or that it hides it."""
    said: list[str] = page.evaluate(_WIDE)
    return said


_MOVING = """() => {
  const moves = (one) => {
    const { transitionDuration, animationName } = getComputedStyle(one);
    return parseFloat(transitionDuration) > 0 || animationName !== "none";
  };
  const moving = [...document.querySelectorAll("*")].filter(moves);
  return [
    ...document.getAnimations().map((one) => `runs: ${one.effect.target?.localName}`),
    ...moving.map((one) => `may move: ${one.localName}.${one.getAttribute("class") ?? ""}`),
  ];
}"""


def moving(page: Page) -> list[str]:
    """What moves, or would if something changed."""
    said: list[str] = page.evaluate(_MOVING)
    return said


# -- The looks themselves --------------------------------------------------------------------------------------------

_SPOILT = """() => {
  const made = (name, properties, style = {}) => {
    const one = Object.assign(document.createElement(name), properties);
    Object.assign(one.style, style);
    document.querySelector("main").append(one);
    return one;
  };
  made("p", { textContent: "faint" }, { color: "#999", background: "#aaa" });
  made("button", {});
  made("h5", { textContent: "out of order" });
  made("p", { textContent: "far" }, { width: "900px" });
  made("p", { textContent: "moving" }).animate({ opacity: [0, 1] }, { duration: 1e6 });
  made("button", { textContent: "bare" }, { outline: "none" });
  const trap = made("button", { textContent: "trap" });
  trap.addEventListener("keydown", (event) => event.preventDefault());
  made("button", { textContent: "beyond" });
}"""


def test_what_is_wrong_is_found(tabs: Tabs) -> None:
    page = tabs(reduced_motion="reduce").go("/sign-in")
    page.evaluate(_SPOILT)
    said = "\n".join(faults(page))
    assert all(rule in said for rule in ("color-contrast", "button-name", "heading-order"))
    assert moving(page) == ["runs: p"]
    said = "\n".join(lost(page))
    assert "not reached: button. beyond" in said
    assert "focus not seen: button. bare" in said
    assert "caught at button. trap" in said
    narrow = _in(page, wide, viewport=NARROW)
    assert re.fullmatch(r"9\d\d px in 3\d\d", narrow[0])
    assert narrow[1:] == ["sticks out: p."]
