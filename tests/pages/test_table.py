"""The table and its tiles, drawn from frames of games that hold what is to be seen."""

from __future__ import annotations

import base64
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Page

from replays.reducer import apply, start
from replays.tiles import CODES
from replays.view import SPECTATOR
from schema.paipu import document
from schema.replaying import frame
from service.simulator.scenarios import scenario
from service.usecases.replaying import steps
from tests.pages.axe import COLOURS, faults
from tests.pages.site import PHONE, Tab

Frame = dict[str, Any]

_BARE = "/sign-in"
_MOUNT = """async () => {
  const lib = (path) => import(`/static/x/${path}`);
  const { load } = await lib("lib/words.js");
  await load("common", "terms", "table");
  const { h, fill } = await lib("lib/dom.js");
  const style = (name) => new Promise((done) => document.head.append(
    h("link", { rel: "stylesheet", href: `/static/x/css/${name}.css`, onload: done })));
  await Promise.all(["tiles", "table"].map(style));
  window.lab = { h, ...await lib("table/tiles.js"), ...await lib("table/table.js"), ...await lib("table/wall.js") };
  window.root = h("div");
  fill(document.querySelector("main"), root);
}"""
_ARE_DRAWN = "(all) => all.map((one) => one.classList.contains('is-drawn'))"
_DRAW = "({ frame, ...options }) => lab.drawTable(root, frame, options)"


@cache
def _frames(name: str, eyes: int | None = None) -> tuple[Frame, ...]:
    """The frames of a scenario as pages have them, by step."""
    events = scenario(name, 1)
    tables = [start(events[0])]
    for event in events[1:]:
        tables.append(apply(tables[-1], event))
    seen = steps(tables, events, _events(name), [eyes] * len(events), range(tables[0].players))
    return tuple({**told, "seats": list(told["seats"].values())} for told in map(frame, seen))


@cache
def _events(name: str) -> tuple[dict[str, Any], ...]:
    return tuple(document(event) for event in scenario(name, 1))


def _seq(name: str, kind: str) -> int:
    """The step of a scenario's first event of a type."""
    return next(event["seq"] for event in _events(name) if event["type"] == kind)


def _bare(tab: Tab, lang: str = "en") -> Page:
    """A page with nothing on it but a place for tiles."""
    page = tab.go(f"{_BARE}?lang={lang}")
    page.evaluate(_MOUNT)
    return page


def _draw(page: Page, shown: Frame, **options: Any) -> None:
    page.evaluate(_DRAW, {"frame": shown, **options})


def _labels(page: Page, selector: str) -> list[str]:
    return page.locator(selector).evaluate_all("(all) => all.map((one) => one.getAttribute('aria-label'))")


def _codes(page: Page, selector: str) -> list[str]:
    return page.locator(f"{selector} [data-tile]").evaluate_all("(all) => all.map((one) => one.dataset.tile)")


# -- Tiles -------------------------------------------------------------------------------------------------------------

_STRIP = """() => {
  const strip = lab.h("div", { css: { display: "flex", gap: "4px", width: "1060px", "--tile": "20px" } });
  strip.append(...[...lab.CODES, lab.HIDDEN, lab.CODES[0]].map((code) => lab.tile(code)));
  root.append(strip);
}"""
#: How many of the pixels of two faces differ clearly in brightness, by pairs.
_DIFFERENCES = """async (png) => {
  const bytes = Uint8Array.from(atob(png), (byte) => byte.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d", { willReadFrequently: true });
  canvas.drawImage(picture, 0, 0);
  const grey = (at) => {
    const { data } = canvas.getImageData(24 * at, 0, 20, 26);
    const brightness = (i) => 0.3 * data[4 * i] + 0.59 * data[4 * i + 1] + 0.11 * data[4 * i + 2];
    return Array.from({ length: data.length / 4 }, (_, i) => brightness(i));
  };
  const faces = [...lab.CODES, lab.HIDDEN, lab.CODES[0]].map((_, at) => grey(at));
  const differing = (one, other) => one.filter((value, i) => Math.abs(value - other[i]) > 40).length;
  return faces.map((one) => faces.map((other) => differing(one, other)));
}"""


def test_no_two_faces_are_alike(tab: Tab) -> None:
    """At 20 pixels, and without colour; the last of the row is the first again."""
    page = _bare(tab)
    page.evaluate(_STRIP)
    assert page.evaluate("() => lab.CODES") == list(CODES)
    png = base64.b64encode(page.locator("main > div > div").screenshot()).decode()
    found = page.evaluate(_DIFFERENCES, png)
    names = [*CODES, "??"]
    close = {
        (one, other): found[i][j]
        for i, one in enumerate(names)
        for j, other in enumerate(names[:i])
        if found[i][j] < 12
    }
    assert close == {}
    assert found[0][-1] == 0


@pytest.mark.parametrize(
    ("lang", "names"),
    [
        ("en", ["3 of characters", "green dragon", "plum", "hidden tile", "2 hidden tiles"]),
        ("zh-Hans", ["三万", "发财", "花牌梅", "暗牌", "2 张暗牌"]),
        ("zh-Hant", ["三萬", "發財", "花牌梅", "暗牌", "2 張暗牌"]),
    ],
)
@pytest.mark.slow
def test_tiles_have_names(tab: Tab, lang: str, names: list[str]) -> None:
    page = _bare(tab, lang)
    page.evaluate(
        """() => root.append(...["3m", "6z", "5f", "??"].map((code) => lab.tile(code)), lab.tiles(["??", "??"]))"""
    )
    assert _labels(page, "main [role=img]") == names
    said = page.evaluate("""() => lab.labelOf("3m", { gold: true, mark: ["drawn", "claimed"], by: "Zoë" })""")
    assert names[0] in said
    assert "Zoë" in said
    assert len(said) > len(names[0]) + len("Zoë") + 4


# -- The table ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["rob-kong-4", "kong-added-3"])
def test_a_step_shows_what_the_table_shows_when_drawn_anew(tab: Tab, name: str) -> None:
    """Forwards, and back over several steps: what stays in its place is what belongs there."""
    page = _bare(tab)
    forwards = list(range(len(_frames(name))))
    took = page.evaluate(
        """({ frames, events, order }) => order.map((step) => {
          const options = { event: events[step], names: { 0: "Zoë" } };
          const at = performance.now();
          lab.drawTable(root, frames[step], options);
          root.getBoundingClientRect();
          const took = performance.now() - at;
          const anew = lab.h("div");
          lab.drawTable(anew, frames[step], options);
          if (anew.innerHTML !== root.innerHTML) throw new Error(`step ${step}`);
          return took;
        })""",
        {"frames": _frames(name), "events": _events(name), "order": [*forwards, *forwards[::-7]]},
    )
    print(f"{name}: {sorted(took)[len(took) // 2]:.1f} ms a step, {max(took):.1f} ms at most")


@pytest.mark.parametrize(
    ("name", "eyes", "places"),
    [
        ("self-draw", 2, {2: "bottom", 3: "right", 0: "top", 1: "left"}),
        ("half-three-players", 1, {1: "bottom", 2: "right", 0: "left"}),
        ("half-two-players", 1, {1: "bottom", 0: "top"}),
    ],
)
@pytest.mark.slow
def test_seats_are_where_the_eyes_have_them(tab: Tab, name: str, eyes: int, places: dict[int, str]) -> None:
    page = _bare(tab)
    step = _seq(name, "won")
    _draw(page, _frames(name)[step], eyes=eyes, names={"0": "Zoë"})
    shown = page.locator(".seat").evaluate_all("(all) => all.map((one) => [one.dataset.seat, one.classList[1]])")
    assert {int(seat): place for seat, place in shown} == places
    assert [int(seat) for seat, _ in shown] == list(places)  # read in turn order
    box = {place: page.locator(f".seat.{place}").bounding_box() for place in places.values()}
    assert all(found is not None for found in box.values())
    assert all(box["bottom"]["y"] > other["y"] for place, other in box.items() if place != "bottom")  # type: ignore[index]
    assert _labels(page, ".seat[data-seat='0']") == ["Seat 0, Zoë"]


def _with_meld(shown: Frame, owner: int, meld: Frame) -> Frame:
    seats = [{**seat, "melds": [meld] if seat["seat"] == owner else []} for seat in shown["seats"]]
    return {**shown, "seats": seats}


_LIES = {"self-draw": {1: 2, 2: 1, 3: 0}, "half-three-players": {1: 2, 2: 0}, "half-two-players": {1: 1}}


def test_a_claimed_tile_lies_towards_who_threw_it(tab: Tab) -> None:
    """By name of a scenario: the place of the tile by how far on its thrower sits. The next seat is to the right, so a
    tile from the seat before lies at the left."""
    page = _bare(tab)
    for name, places in _LIES.items():
        shown = _frames(name)[0]
        players = len(shown["seats"])
        for owner, (away, place) in product(range(players), places.items()):
            meld = {"kind": "pung", "tiles": ["7z"] * 3, "from": (owner + away) % players}
            _draw(page, _with_meld(shown, owner, meld))
            turned = page.locator(f".seat[data-seat='{owner}'] .meld > *").evaluate_all(
                "(all) => all.map((one) => one.classList.contains('lying'))"
            )
            assert [at for at, is_lying in enumerate(turned) if is_lying] == [place], (name, owner, away)


_MELDS = [
    ("chow", ["2m", "1m", "3m"], ["1m", "3m", "2m"], "chow: 1 of characters, 2 of characters, 3 of characters"),
    ("exposed", ["5z"] * 4, ["5z"] * 4, "exposed kong: white dragon"),
    ("added", ["5p"] * 4, ["5p"] * 4, "added kong: 5 of dots"),
    ("concealed", ["9s"] * 4, ["9s", "??", "??", "9s"], "concealed kong: 9 of bamboo"),
    ("concealed", ["??"] * 4, ["??"] * 4, "concealed kong: hidden tile"),
]


def test_melds(tab: Tab) -> None:
    page = _bare(tab)
    for kind, tiles, shown, label in _MELDS:
        from_ = None if kind == "concealed" else 1
        _draw(page, _with_meld(_frames("self-draw")[0], 0, {"kind": kind, "tiles": tiles, "from": from_}))
        assert _codes(page, ".seat[data-seat='0'] .laid") == shown
        said = _labels(page, ".meld")[0]
        assert said.startswith(label)
        assert ("Seat 1" in said) == (from_ is not None)


def test_nothing_of_a_hidden_tile_is_left(tab: Tab) -> None:
    """The same place shows a step to all eyes, then to a seat's, then to a spectator's."""
    page = _bare(tab)
    step = _seq("chow-with-stand-in", "chowed")
    everything, own, nobodys = (_frames("chow-with-stand-in", eyes)[step] for eyes in (None, 1, SPECTATOR))
    _draw(page, everything)
    assert "??" not in _codes(page, ".hand")
    for shown, seen in ((own, {1}), (nobodys, set[int]())):
        _draw(page, shown, eyes=1)
        for seat in range(4):
            hidden = ["??"] * shown["seats"][seat]["count"]
            hand = _codes(page, f".seat[data-seat='{seat}'] .hand")
            assert (hand == hidden) == (seat not in seen)
            names = page.locator(f".seat[data-seat='{seat}'] .hand").evaluate("(one) => one.outerHTML")
            faces = page.locator(f".seat[data-seat='{seat}'] .hand use").evaluate_all(
                "(all) => all.map((one) => one.getAttribute('href'))"
            )
            assert seat in seen or (set(faces) == {"#face-back"} and " of " not in names and "dragon" not in names)


def test_a_river_says_what_became_of_its_tiles(tab: Tab) -> None:
    page = _bare(tab)
    name = "chow-with-stand-in"
    step = _seq(name, "chowed")
    shown, event = _frames(name)[step], _events(name)[step]
    _draw(page, shown, event=event, names={str(event["seat"]): "Zoë"})
    river = f".seat[data-seat='{event['from']}'] .river"
    last = page.locator(f"{river} .tile").last
    assert "is-claimed" in (last.get_attribute("class") or "")
    assert "dim" in (last.get_attribute("class") or "")
    assert f"claimed by Seat {event['seat']}, Zoë" in _labels(page, f"{river} [role=img]")[0]
    assert page.locator(".meld.is-new").count() == 1
    assert page.locator(".meld.is-new .new-sign").inner_text() == "●"

    before = next(one for one in reversed(_events(name)[:step]) if one["type"] == "discarded")
    _draw(page, _frames(name)[before["seq"]], event=before)
    assert page.locator(".tile.is-new").count() == page.locator(f"{river} .tile.is-new").count() == 1
    assert page.locator(".meld.is-new, .is-claimed").count() == 0

    late = _frames("lock-until-the-end")[-4]
    _draw(page, late)
    marked = [page.locator(f".seat[data-seat='{seat}'] .river .tile").evaluate_all(_ARE_DRAWN) for seat in range(4)]
    assert marked == [[one["drawn"] for one in seat["river"]] for seat in late["seats"]]
    assert {True, False} <= {one for river in marked for one in river}


def test_a_drawn_tile_stands_apart_and_a_won_one_is_marked(tab: Tab) -> None:
    page = _bare(tab)
    name = "self-draw"
    win = _seq(name, "won")
    drew = max(event["seq"] for event in _events(name)[:win] if event["type"] == "drew")
    event = _events(name)[drew]
    _draw(page, _frames(name)[drew], event=event)
    hand = f".seat[data-seat='{event['seat']}'] .hand"
    assert _codes(page, hand)[-1] == event["tile"]
    assert "apart is-new" in (page.locator(f"{hand} .tile").last.get_attribute("class") or "")
    assert "just played" in _labels(page, f"{hand} [role=img]")[0]
    _draw(page, _frames(name)[win], event=_events(name)[win])
    assert "apart is-win" in (page.locator(f"{hand} .tile").last.get_attribute("class") or "")
    assert page.locator(".outcome").inner_text().split() != []


_LEVELS = [("double-you", "★"), ("triple-you", "★"), ("you-declared", "☆")]


@pytest.mark.slow
def test_levels_and_declarations_are_shown(tab: Tab) -> None:
    page = _bare(tab)
    for name, sign in _LEVELS:
        member = "level" if sign == "★" else "declared_you"
        step, seat = next(
            (step, seat["seat"]) for step, one in enumerate(_frames(name)) for seat in one["seats"] if seat.get(member)
        )
        _draw(page, _frames(name)[step])
        assert sign in page.locator(f".seat[data-seat='{seat}'] .who").inner_text()
        _draw(page, _frames(name)[step - 1])
        assert sign not in page.locator(".around").inner_text()


# -- The wall ----------------------------------------------------------------------------------------------------------


def test_the_wall_has_its_ends(tab: Tab) -> None:
    page = _bare(tab)
    slots: Callable[[Frame], list[str]] = lambda wall: page.evaluate("(wall) => lab.slotsOf(wall)", wall)  # noqa: E731
    found = slots({"size": 12, "head": 3, "tail": 2, "flipped": [8], "stay": 2})
    assert found == ["gone"] * 3 + ["head", "", "", "", "stay", "flipped", "stay tail", "gone", "gone"]
    over = slots({"size": 6, "head": 3, "tail": 1, "flipped": [], "stay": 2})
    assert over == ["gone"] * 3 + ["stay", "stay", "gone"]  # nothing more may be drawn
    assert slots({"size": 4, "head": 2, "tail": 0, "flipped": [], "stay": 0})[2:] == ["head", "tail"]


def test_what_lies_ahead_is_shown_where_it_is_asked_for(tab: Tab) -> None:
    page = _bare(tab)
    name = "kong-replacement"
    step = _seq(name, "konged")
    wall = next(event["wall"] for event in _events(name) if event["type"] == "wall_revealed")
    shown = _frames(name)[step]
    _draw(page, shown)
    assert _codes(page, ".wall") == []
    _draw(page, shown, wall=wall)
    ends = shown["wall"]
    ahead = range(ends["head"], ends["size"] - ends["tail"])
    assert _codes(page, ".wall") == [wall[slot] for slot in ahead if slot not in ends["flipped"]]
    assert len(_codes(page, ".wall")) == shown["left"]
    assert page.locator(".slots .head").count() == page.locator(".slots .tail").count() == 1
    _draw(page, shown)
    assert _codes(page, ".wall") == []


# -- Shapes and colours ------------------------------------------------------------------------------------------------

_BEYOND = """() => [...root.querySelectorAll("*")].filter((one) => {
  const { left, right, width } = one.getBoundingClientRect();
  const isShown = width > 0 && !one.closest(".unseen, .name, use");
  return isShown && (left < -0.5 || right > innerWidth + 0.5);
}).map((one) => one.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize(("name", "width"), [("lock-until-the-end", PHONE["width"]), ("kong-added-3", 320)])
@pytest.mark.slow
def test_a_phone_shows_all_of_it(tabs: Callable[..., Tab], name: str, width: int) -> None:
    page = _bare(tabs(viewport={**PHONE, "width": width}), "zh-Hant")
    wall = next(event["wall"] for event in _events(name) if event["type"] == "wall_revealed")
    for step in (_seq(name, "dealt") + 3, len(_frames(name)) * 3 // 4, len(_frames(name)) - 1):
        _draw(page, _frames(name)[step], eyes=1, wall=wall, names={"0": "W" * 64, "2": "名" * 64})
        assert page.evaluate(_BEYOND) == []
        assert page.evaluate("() => document.documentElement.scrollWidth") == width
        own, other = (page.locator(f".seat.{place} .hand .tile").first.bounding_box() for place in ("bottom", "right"))
        assert own is not None
        assert other is not None
        assert own["width"] > other["width"] >= 18


@pytest.mark.slow
def test_everybody_can_read_it(tab: Tab) -> None:
    page = _bare(tab)
    name = "double-you"
    step = _seq(name, "won")
    _draw(page, _frames(name)[step], event=_events(name)[step])
    page.evaluate("""() => root.before(lab.h("h1", null, "A game"))""")
    assert faults(page) == []
    page.evaluate("() => { document.documentElement.dataset.theme = 'dark'; }")
    assert faults(page, COLOURS) == []
