"""S-CLAIM-2: exposed kong (three in hand and the discard), added (a pung and one's own fourth tile) and concealed
(four in hand), the last two in one's own turn right after a draw or in the dealer's first turn, never right
after a chow or pung; a kong needs a tile that may still be drawn, and its replacement comes from the tail."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import Act, after, findings, judged, kong, offered, table, tile, tiles, verdict, win

AFTER_CLAIM = ("S-CLAIM-2", "kong_after_claim")
DRY = ("X-DRAW-1", "kong_without_replacement")

OWN = "2222m 3p 147s 6z"
PUNG = {0: ["pung 3p@1", "pung 1z@1"]}


@pytest.mark.parametrize(
    ("hand", "is_legal"),
    [("555p", True), ("55p", False), ("5p", False), ("555p5p"[:6], True)],
    ids=["three", "two", "one", "four"],
)
def test_exposed(hand: str, is_legal: bool) -> None:
    hand = {"555p5p": "555p"}.get(hand, hand)
    position = table({2: hand + "1379m 147s 1234z"}, last="5p")
    assert verdict(position, 2, kong("5p", "exposed", 0)) == (None if is_legal else ("S-CLAIM-3", "tiles_not_held"))
    assert bool(offered(position, 2, "kong")) is is_legal


@pytest.mark.parametrize(
    ("melds", "hand", "expected"),
    [
        pytest.param(["pung 5p@1"], "5p", None, id="pung-and-fourth"),
        pytest.param(["pung 5p@1"], "6p", ("S-CLAIM-3", "tiles_not_held"), id="fourth-not-held"),
        pytest.param(["chow 567p@3"], "5p", ("S-CLAIM-3", "no_pung_to_add_to"), id="chow"),
        pytest.param(["pung 6p@1"], "5p", ("S-CLAIM-3", "no_pung_to_add_to"), id="another-pung"),
        pytest.param([], "555p5p"[:4], ("S-CLAIM-3", "no_pung_to_add_to"), id="concealed-triplet"),
    ],
)
def test_added(melds: list[str], hand: str, expected: tuple[str, str] | None) -> None:
    position = table({0: hand + "1379m"}, drawn="1z", melds={0: melds})
    assert verdict(position, 0, kong("5p", "added")) == expected
    assert ("kong 5p added" in offered(position, 0)) is (expected is None)


@pytest.mark.parametrize(
    ("hand", "drawn", "is_legal"), [("555p", "5p", True), ("5555p", "1z", True), ("555p", "1z", False)]
)
def test_concealed(hand: str, drawn: str, is_legal: bool) -> None:
    position = table({0: hand + "1379m"}, drawn=drawn)
    assert verdict(position, 0, kong("5p", "concealed")) == (None if is_legal else ("S-CLAIM-3", "tiles_not_held"))
    assert ("kong 5p concealed" in offered(position, 0)) is is_legal


@pytest.mark.parametrize(
    ("source", "drawn", "expected"),
    [
        pytest.param("draw", "9m", None, id="after-a-draw"),
        pytest.param("kong", "9m", None, id="on-a-replacement"),
        pytest.param("deal", None, None, id="dealers-first-turn"),
        pytest.param("claim", None, AFTER_CLAIM, id="after-a-chow-or-pung"),
    ],
)
@pytest.mark.parametrize(("code", "kind"), [("2m", "concealed"), ("3p", "added")])
def test_when(code: str, kind: str, source: str, drawn: str | None, expected: tuple[str, str] | None) -> None:
    position = table({0: OWN}, drawn=drawn, source=source, melds=PUNG)
    assert verdict(position, 0, kong(code, kind)) == expected
    assert (f"kong {code} {kind}" in offered(position, 0)) is (expected is None)


@pytest.mark.parametrize("claim", ["chow", "pung"])
def test_after_a_chow_or_pung_there_is_only_the_discard(claim: str) -> None:
    hand = "2222m 55p 46p 111s 1z" if claim == "pung" else "2222m 46p 55p 111s 1z"
    position = table({1: hand}, last="5p", melds={1: ["chow 123s@0"]})
    if claim == "pung":
        position = after(position, "punged", seat=1, tile="5p", from_=0, with_="55p")
    else:
        position = after(position, "chowed", seat=1, tile="5p", from_=0, with_="46p")
    assert {act.split()[0] for act in offered(position, 1)} == {"discard"}
    (found,) = findings(position, "konged", seat=1, tile="2m", with_="2222m", kind="concealed")
    assert (found.clause, found.code, found.expected) == (*AFTER_CLAIM, {"acts": ["discard"]})


def test_no_win_after_a_pung() -> None:
    position = table({0: "123456789m 11s 2p"}, source="claim", melds={0: ["pung 3p@1", "pung 1z@1"]})
    found = verdict(position, 0, win("2p", "self_draw"))
    assert found is not None
    assert found[0] == "S-CLAIM-2"
    assert offered(position, 0, "win") == []


@pytest.mark.parametrize("dead_wall", [0, 16])
@pytest.mark.parametrize(("more", "expected"), [(0, DRY), (1, None)])
@pytest.mark.parametrize("kind", ["exposed", "added", "concealed"])
def test_a_tile_must_be_left_to_draw(kind: str, more: int, expected: tuple[str, str] | None, dead_wall: int) -> None:
    state: dict[str, Any] = {"left": dead_wall + more, "options": {"dead_wall": dead_wall}}
    if kind == "exposed":
        position = table({1: "555p 1379m 147s 1234z"}, last="5p", **state)
        seat, act = 1, kong("5p", kind, 0)
    else:
        position = table({0: OWN}, drawn="9m", melds=PUNG, **state)
        seat, act = 0, kong({"added": "3p", "concealed": "2m"}[kind], kind)
    assert verdict(position, seat, act) == expected
    assert bool(offered(position, seat, "kong")) is (expected is None)


def test_the_shared_clause_stands_beside_the_variants() -> None:
    position = table({0: OWN}, drawn="9m", melds=PUNG, left=16)
    (found,) = findings(position, "konged", seat=0, tile="2m", with_="2222m", kind="concealed")
    assert (found.clause, found.also) == ("X-DRAW-1", ("S-CLAIM-2",))
    assert found.expected == {"left": 16} or found.recorded


@pytest.mark.parametrize(
    ("seat", "tail", "expected"),
    [
        pytest.param(0, True, [], id="the-tail"),
        pytest.param(0, False, [("S-WALL-1", "wrong_end")], id="the-head"),
        pytest.param(1, False, [("S-TURN-1", "not_to_draw")], id="the-next-seat"),
    ],
)
@pytest.mark.parametrize(("code", "kind"), [("2m", "concealed"), ("3p", "added")])
def test_the_replacement(code: str, kind: str, seat: int, tail: bool, expected: list[tuple[str, str]]) -> None:
    act = kong(code, kind)
    position = table({0: OWN}, drawn="9m", melds=PUNG)
    position = after(position, "konged", seat=0, tile=code, with_=act.with_, kind=kind)
    assert judged(position, "drew", seat=seat, tile="6m", tail=tail) == expected


def test_an_added_kong_grows_out_of_its_pung() -> None:
    position = after(table({0: OWN}, drawn="9m", melds=PUNG), "konged", seat=0, tile="3p", with_="3p", kind="added")
    assert [(meld.kind, meld.tiles) for meld in position.melds[0]] == [
        ("added", tiles("3333p")),
        ("pung", tiles("111z")),
    ]


@pytest.mark.parametrize(
    ("act", "clause"),
    [
        pytest.param(Act("kong", tile("2m"), tiles("222m"), "concealed"), "S-CLAIM-3", id="concealed-of-three"),
        pytest.param(Act("kong", tile("3p"), tiles("33p"), "added"), "S-CLAIM-3", id="added-of-two"),
        pytest.param(Act("kong", tile("2m"), tiles("222m6z"), "concealed"), "S-CLAIM-3", id="mixed"),
    ],
)
def test_tiles_of_one_kind(act: Act, clause: str) -> None:
    found = verdict(table({0: OWN}, drawn="9m", melds=PUNG), 0, act)
    assert found is not None
    assert found[0] == clause
