"""S-YOU-2: a self-draw out of you state is 游金; the state is read off the hand and need not be declared (option
``you_declared``, default false: with true only a declared one counts)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.builders import after, declare, judged, offered, table, verdict, win

YOU = "123456789m 111222z 9s"
READY = "123456789m 111222z 5p"


@pytest.mark.parametrize(
    ("hand", "drawn", "way"),
    [
        pytest.param(YOU, "5p", "you", id="any-tile"),
        pytest.param(YOU, "9s", "you", id="a-gold"),
        pytest.param(YOU, "5z", "you", id="a-stand-in"),
        pytest.param(READY, "5p", "self_draw", id="ready-without-gold"),
        pytest.param(READY, "9s", "self_draw", id="a-gold-completes-it"),
        pytest.param("12345678m 111222z 5p 9s", "5p", "self_draw", id="the-gold-is-in-a-set"),
        pytest.param("12345678m 111222z 9s9s", "5p", "you", id="one-gold-in-a-set-one-alone"),
    ],
)
def test_the_way(hand: str, drawn: str, way: str) -> None:
    position = table({0: hand}, drawn=drawn)
    assert offered(position, 0, "win") == [f"win {way} {drawn}"]


def test_on_a_kongs_replacement() -> None:
    position = table({0: "123456789m 111z 9s"}, drawn="5p", source="kong", melds={0: ["concealed 2z"]})
    assert offered(position, 0, "win") == ["win you 5p"]


@pytest.mark.parametrize("kong", [True, False])
def test_not_on_others_tiles(kong: bool) -> None:
    """A robbed kong is a plain self-draw; a gold in hand blocks the discard."""
    if kong:
        position = table({1: YOU}, last="5p", phase="kong", melds={0: ["added 5p@3"]})
        assert offered(position, 1, "win") == ["win self_draw 5p"]
    else:
        position = table({1: YOU}, last="5p", options={"gold_blocks_discard_win": "none"})
        assert offered(position, 1, "win") == ["win discard 5p"]


@pytest.mark.parametrize(
    ("you_declared", "declared", "way"),
    [
        pytest.param(False, [], "you", id="default"),
        pytest.param(False, [0], "you", id="default-declared"),
        pytest.param(True, [], "self_draw", id="must-be-declared"),
        pytest.param(True, [0], "you", id="declared"),
        pytest.param(True, [1], "self_draw", id="another-declared"),
    ],
)
def test_declaring(you_declared: bool, declared: list[int], way: str) -> None:
    position = table({0: YOU}, drawn="5p", declared=declared, options={"you_declared": you_declared})
    assert offered(position, 0, "win") == [f"win {way} 5p"]
    named = "you" if way == "self_draw" else "self_draw"
    assert verdict(position, 0, win("5p", named)) == ("X-WIN-9", "wrong_way_named")


@pytest.mark.parametrize(
    ("hand", "drawn", "expected"),
    [
        pytest.param(YOU, "5p", [], id="in-you-state"),
        pytest.param(READY, "5m", [("S-YOU-2", "not_in_you_state")], id="not-in-you-state"),
        pytest.param("123456789m 111222z 5p", "9s", [("S-YOU-2", "not_in_you_state")], id="only-with-the-drawn-tile"),
    ],
)
def test_a_declaration(hand: str, drawn: str, expected: list[tuple[str, str]]) -> None:
    for you_declared in (False, True):
        position = table({0: hand}, drawn=drawn, options={"you_declared": you_declared})
        assert judged(position, "declared", seat=0, declaration="you") == expected


@pytest.mark.parametrize(("you_declared", "is_offered"), [(True, True), (False, False)])
def test_the_button_is_offered_where_it_counts(you_declared: bool, is_offered: bool) -> None:
    position = table({0: YOU}, drawn="5p", options={"you_declared": you_declared})
    assert ("declare you" in offered(position, 0)) is is_offered
    assert verdict(position, 0, declare("you")) is None
    position = after(position, "declared", seat=0, declaration="you")
    assert "declare you" not in offered(position, 0)


@pytest.mark.parametrize(("code", "is_kept"), [("5p", True), ("9m", False)])
def test_a_declaration_lasts_as_long_as_the_state(code: str, is_kept: bool) -> None:
    position: Any = table({0: YOU}, drawn="5p", declared=[0], options={"you_declared": True})
    position = after(position, "discarded", seat=0, tile=code)
    assert bool(position.declared & 1) is is_kept
